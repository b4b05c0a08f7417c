"""Random games, each from a seed: trees, public games with hands, payoff tables, tables of The Resistance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

from fuzz.oracle import Chance, Choice, Leaf, Node
from fuzz.texts import Names

Pay = Callable[[Random], Fraction]
Seen = tuple[str, ...]
MOST_DEEP = 60
ODD = (
    "kuhn",
    "McRae",
    "matrix",
    "resistance-5",
    'a "quoted" name',
    "brackets (players=7)",
    "a/b@c?d#e",
    "naïve ÉÑ 漢字 🂡",
    "",
    " ",
    "x" * 300,
    "-1/2",
    "the end",
    "a, b; c",
    "<b>&amp;</b>",
    "%s {0}",
    "1",
    "tab\tand dash",
)


def _ten(low: int, high: int) -> Pay:
    """A digit or two, somewhere between 10^low and 10^high."""
    return lambda random: random.randint(-99, 99) * Fraction(10) ** random.randint(low, high)


def _either(low: int, high: int) -> Pay:
    """Digits at one end of the scale or the other."""
    return lambda random: random.randint(-99, 99) * Fraction(10) ** random.choice((low, high))


PAYOFFS: dict[str, Pay] = {
    "whole": lambda random: Fraction(random.randint(-6, 6)),
    "fractions": lambda random: Fraction(random.randint(-60, 60), random.randint(1, 12)),
    "ties": lambda random: Fraction(random.randint(0, 1)),
    "won-or-lost": lambda random: Fraction(random.choice((-1, 1))),
    "same": lambda random: Fraction(7, 3),
    "zero": lambda random: Fraction(0),
    "near-ties": lambda random: Fraction(10**20 + random.randint(-3, 3)),
    "primes": lambda random: Fraction(random.randint(-99, 99), random.choice((7, 11, 13, 17, 19, 23, 9973))),
    "mixed-3": _ten(-3, 3),
    "1e6-beside-1e-3": _either(-3, 6),
    "1e12-beside-1e-9": _either(-9, 12),
    "1e20-to-1e-20": _ten(-20, 20),
    "1e20-beside-1e-20": _either(-20, 20),
}
USUAL = ("whole", "whole", "whole", "fractions", "ties", "won-or-lost", "primes", "mixed-3")


def payoffs(random: Random, asked: str | None = None) -> tuple[str, Pay]:
    """A kind of payoffs: as asked for, or an ordinary one half of the time."""
    kind = asked or random.choice(USUAL if random.random() < 0.5 else tuple(PAYOFFS))
    return kind, PAYOFFS[kind]


def name(random: Random) -> str:
    return random.choice(ODD)


def names(random: Random) -> Names:
    """Plain names, or odd ones."""
    if random.random() < 0.4:
        return Names()
    return Names(name(random), (name(random), name(random)), random.random() < 0.5)


@dataclass(frozen=True)
class Style:
    """What a tree is like."""

    turns: tuple[int, ...]  # who may move, as often as it is listed: -1 is chance
    most_moves: int
    forced: float  # how often there is but one move
    never: float  # how often a chance move has odds 0
    shown: float  # how often each side sees a move of another
    early: float  # how often the play ends before its time


def style(random: Random) -> Style:
    return Style(
        random.choice([(-1, 0, 1), (-1, 0, 0, 1, 1), (0, 1), (0, 1), (-1, 0, 1), (0,), (1,), (-1, 0), (-1, 1)]),
        random.randint(2, 4),
        random.choice((0, 0, 0.1, 0.4)),
        random.choice((0, 0, 0, 0.2)),
        random.choice((0, 0.3, 0.5, 0.8, 1)),
        random.choice((0, 0.05, 0.2)),
    )


def tree(random: Random, nodes: int, pay: Pay, drawn: Style | None = None) -> Node:
    """A tree of about so many nodes. What a side has seen is its information set, so nobody forgets."""
    like = drawn or style(random)
    counts: dict[tuple[int, Seen], int] = {}
    known: dict[tuple[int, Seen], str] = {}

    def grow(left: int, seen: tuple[Seen, Seen], depth: int) -> Node:
        if left <= 1 or depth > MOST_DEEP or (depth and random.random() < like.early):
            return Leaf(pay(random))
        side = random.choice(like.turns)
        count = 1 if random.random() < like.forced else random.randint(2, like.most_moves)
        if side >= 0:
            count = counts.setdefault((side, seen[side]), count)
        shown = tuple(other == side or random.random() < like.shown for other in (0, 1))
        shares = [random.random() + 0.2 for _ in range(count)]
        after = []
        for place in range(count):
            sight = f"{'did' if side >= 0 else 'drew'}{place}"

            def told(other: int, sight: str = sight) -> Seen:
                if other == side:
                    return (*seen[other], f"own-{sight}")
                return (*seen[other], sight) if shown[other] else seen[other]

            part = int((left - 1) * shares[place] / sum(shares))
            after.append(grow(part, (told(0), told(1)), depth + 1))
        if side < 0:
            moves = tuple(f"d{place}" for place in range(count))
            return Chance(moves, odds(random, count, like.never), tuple(after))
        at = known.setdefault((side, seen[side]), f"{'ab'[side]}{len(known)}")
        return Choice(side, at, tuple(f"m{place}" for place in range(count)), tuple(after))

    return grow(nodes, ((), ()), 0)


def odds(random: Random, count: int, never: float = 0.0) -> tuple[Fraction, ...]:
    """Odds of chance moves, some of them 0 perhaps."""
    weights = [0 if random.random() < never else random.choice((1, 1, 2, 3, 7)) for _ in range(count)]
    if not any(weights):
        weights[random.randrange(count)] = 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def public(random: Random, pay: Pay, bets: int = 3) -> Node:
    """Hands are dealt, all moves are seen: only the hands are hidden."""
    hands = (random.randint(1, 4), random.randint(1, 4))
    deals = list(product(range(hands[0]), range(hands[1])))

    def betting(left: int, turn: int) -> list[object] | None:
        """The moves in public, whoever holds what: None at an end."""
        if not left or random.random() < 0.2:
            return None
        following = 1 - turn if random.random() < 0.8 else turn
        return [turn, *(betting(left - 1, following) for _ in range(random.randint(1, 3)))]

    course = betting(bets, random.randint(0, 1)) or [0, None, None]

    def play(course: list[object] | None, deal: tuple[int, int], path: str) -> Node:
        if course is None:
            return Leaf(pay(random))
        turn, *after = course
        assert isinstance(turn, int)
        moves = tuple(f"m{place}" for place in range(len(after)))
        below = tuple(play(one, deal, f"{path}-{place}") for place, one in enumerate(after))  # type: ignore[arg-type]
        return Choice(turn, f"{'ab'[turn]}{deal[turn]}{path}", moves, below)

    return Chance(
        tuple(f"{mine}{theirs}" for mine, theirs in deals),
        odds(random, len(deals), random.choice((0, 0.2))),
        tuple(play(course, deal, "") for deal in deals),
    )


def table(random: Random, pay: Pay, most: int = 12) -> Node:
    """Both sides choose once, unseen."""
    height, width = (random.choice((1, 2, 2, 3, 3, 4, 5, random.randint(1, most))) for _ in range(2))
    columns = tuple(f"c{place + 1}" for place in range(width))
    return Choice(
        0,
        "rows",
        tuple(f"r{place + 1}" for place in range(height)),
        tuple(Choice(1, "columns", columns, tuple(Leaf(pay(random)) for _ in columns)) for _ in range(height)),
    )


def cells(root: Node) -> list[list[Fraction]]:
    """The payoffs of a table."""
    assert isinstance(root, Choice)
    return [
        [leaf.payoff for leaf in row.after if isinstance(leaf, Leaf)] for row in root.after if isinstance(row, Choice)
    ]


def renamed(root: Node, random: Random) -> Node:
    """The same tree with odd names of moves, different within a set, and of sets."""
    called: dict[str, str] = {}
    moves: dict[str, tuple[str, ...]] = {}

    def odd(count: int) -> tuple[str, ...]:
        found = [name(random) for _ in range(count)]
        return tuple(one if found.count(one) == 1 else f"{one}_{place}" for place, one in enumerate(found))

    def follow(node: Node) -> Node:
        if isinstance(node, Leaf):
            return node
        if isinstance(node, Chance):
            return replace(node, moves=odd(len(node.moves)), after=tuple(map(follow, node.after)))
        known = called.setdefault(node.known, f"{name(random)}_{len(called)}")
        labels = moves.setdefault(node.known, odd(len(node.moves)))
        return Choice(node.side, known, labels, tuple(map(follow, node.after)))

    return follow(root)


@dataclass(frozen=True)
class Seats:
    """A table of The Resistance."""

    players: int
    spies: int
    missions: tuple[int, ...]
    sabotages: tuple[int, ...]


def seats(random: Random) -> Seats:
    players = random.choice((2, 3, 3, 3, 4))
    spies = random.randint(1, min(2, players - 1))
    missions = tuple(random.randint(1, players if players < 4 else 2) for _ in range(5))
    return Seats(players, spies, missions, tuple(random.randint(1, min(spies, size)) for size in missions))


def resistance(at: Seats) -> Node:
    """The Resistance by the rule book: spies are drawn, missions sent, cards played in seat order, sums shown.

    Three points win. The votes are left out, and the spies are one side that knows its members.
    """

    def send(spies: tuple[int, ...], done: tuple[str, ...], hidden: tuple[str, ...], score: tuple[int, int]) -> Node:
        if 3 in score:
            return Leaf(Fraction(1 if score[0] == 3 else -1))
        teams = list(combinations(range(at.players), at.missions[len(done)]))
        after = tuple(cards(spies, done, hidden, score, team, ()) for team in teams)
        return Choice(0, "/".join(("r", *done)), tuple("".join("abcd"[one] for one in team) for team in teams), after)

    def cards(
        spies: tuple[int, ...],
        done: tuple[str, ...],
        hidden: tuple[str, ...],
        score: tuple[int, int],
        team: tuple[int, ...],
        played: tuple[int, ...],
    ) -> Node:
        if len(played) < sum(seat in spies for seat in team):
            after = tuple(cards(spies, done, hidden, score, team, (*played, card)) for card in (0, 1))
            return Choice(1, f"{spies}{hidden}{team}{played}", ("pass", "sabotage"), after)
        failed = sum(played) >= at.sabotages[len(done)]
        following = (score[0] + (not failed), score[1] + failed)
        return send(spies, (*done, f"{team}{sum(played)}"), (*hidden, f"{team}{played}"), following)

    drawn = list(combinations(range(at.players), at.spies))
    odds = (Fraction(1, len(drawn)),) * len(drawn)
    return Chance(tuple(map(str, drawn)), odds, tuple(send(spies, (), (), (0, 0)) for spies in drawn))


def steps(at: Seats) -> int:
    """About how many nodes the tree has at most, without growing it."""
    total = count = len(list(combinations(range(at.players), at.spies)))
    for size in at.missions:
        count *= len(list(combinations(range(at.players), size))) * 2 ** min(at.spies, size)
        total += count
    return total
