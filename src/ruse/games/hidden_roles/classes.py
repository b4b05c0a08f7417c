"""Classes of positions of games with hidden roles, and strategies that list one position of each class.

Seats can be renamed without changing the game. The representative of a class is the position in the names that make it
smallest: roles of spies first, then what was said, then the missions one after the other. Let R be the renamings that
lead there. A strategy by class plays, for a renaming r drawn from R, the seats that r calls by the listed names. So it
treats seats that look alike to it alike, and what it says in listed names goes for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from ruse.core.game import Move, State
from ruse.core.types import Policy, StrategyTable
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.notation import read, read_words
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import GOOD, POINTING, PRIVATE, SPIES, HiddenRoles, Named, RolesPlay, Words
from ruse.games.resistance.notation import read_seats
from ruse.games.resistance.notation import seats as letters
from ruse.verify.tree import VerifyError, check_odds, look_up

Renaming = tuple[int, ...]


class Representative(NamedTuple):
    """The representative of what somebody has seen: its text so far, and all renamings that lead to it."""

    text: str
    renamings: tuple[Renaming, ...]


def call(seats: Iterable[int], names: Renaming) -> Seats:
    """Some seats by other names."""
    return tuple(sorted([names[seat] for seat in seats]))


def words_in(said: Sequence[Claim | None], names: Renaming) -> tuple[Claim | None, ...]:
    """What was said, in other names."""
    claims = [said[seat] for seat in sorted(range(len(names)), key=names.__getitem__)]  # in the order of new names
    return tuple(claim and Claim(claim.kind, call(claim.seats, names)) for claim in claims)


def seats_alike(seen: Representative, listed: Seats) -> list[Seats]:
    """All that some seats in listed names stand for. They look alike, and the first is shown for all of them."""
    return sorted({call(listed, _back(names)) for names in seen.renamings})


def words_alike(seen: Representative, said: Sequence[Claim | None]) -> set[tuple[Claim | None, ...]]:
    """All that something said in listed names stands for."""
    return {words_in(said, _back(names)) for names in seen.renamings}


def _back(names: Renaming) -> Renaming:
    return tuple(sorted(range(len(names)), key=names.__getitem__))


def _least(left: list[tuple[Renaming, Seats]], keys: list[Any]) -> list[tuple[Renaming, Seats]]:
    """Those with the smallest key."""
    least = min(keys)
    return [candidate for candidate, key in zip(left, keys, strict=True) if key == least]


class RepresentativeFinder:
    """The names of positions."""

    def __init__(self, game: HiddenRoles) -> None:
        self.game = game
        self.heard, self._dealt = cache(self._heard), cache(self._by_deal)

    def begin(self, view: RolesPlay) -> Representative:
        """What a strategy lists when the missions begin or the spies are to speak: of a mediator what he heeds."""
        if view.deal is None and view.said and self.game.talk == PRIVATE:
            view = view._replace(said=self.game.reports.heeded(view.said))
        return self.heard(view)

    def _heard(self, view: RolesPlay) -> Representative:
        """The representative of all that a side has heard."""
        left = self._dealt(view.deal or ())
        for place in range(self.game.table.players if view.said else 0):
            assert view.said is not None
            left = _least(left, [self._word(view.said[seats[place]], names) for names, seats in left])
        (names, seats), *_ = left
        deal = None if view.deal is None else tuple(view.deal[seat] for seat in seats)
        least = view._replace(deal=deal, said=words_in(view.said, names) if view.said else ())
        return Representative(
            self.game.title + notation.format_position(self.game, least), tuple(names for names, _ in left)
        )

    def _by_deal(self, deal: tuple[int, ...]) -> list[tuple[Renaming, Seats]]:
        """The renamings that make a deal smallest, with the seats in the order of their new names."""
        everybody = range(self.game.table.players)
        left = [(names, tuple(sorted(everybody, key=names.__getitem__))) for names in permutations(everybody)]
        for place in range(len(deal)):
            left = _least(left, [-deal[seats[place]] for _, seats in left])
        return left

    @staticmethod
    def _word(claim: Claim | None, names: Renaming) -> tuple[int, Seats]:
        return (-1, ()) if claim is None else (claim.kind, call(claim.seats, names))

    def known(self, view: RolesPlay, side: int) -> Representative:
        """All that a side knows; a mission that is out has no ? yet."""
        seen = self.begin(view._replace(done=(), out=None, named=None))
        for number, mission in enumerate(view.done):
            seen, _ = self.sent(seen, mission.seats)
            seen = self.over(seen, number, mission.passed, mission.cards if side == SPIES else None)
        return seen if view.out is None else self.sent(seen, view.out)[0]

    @staticmethod
    def sent(seen: Representative, team: Seats) -> tuple[Representative, Seats]:
        """What is seen once a mission is out, and the seats of the mission in listed names."""
        listed = [call(team, names) for names in seen.renamings]
        first = min(listed)
        left = tuple(names for names, seats in zip(seen.renamings, listed, strict=True) if seats == first)
        return Representative(f"{seen.text}/{letters(first)}", left), first

    def over(self, seen: Representative, number: int, passed: bool, cards: int | None) -> Representative:
        """What is seen after the result of a mission; `cards` where the side knows them."""
        usual = 0 if passed else self.game.table.sabotages[number]
        return Representative(seen.text + "-+"[passed] + ("" if cards in (None, usual) else str(cards)), seen.renamings)


Odds = Callable[[str], Mapping[str, Fraction]]  # representative position -> move there -> odds


class ClassStrategies:
    """What strategies by class do; the odds of moves that look alike are equal."""

    def __init__(self, game: HiddenRoles) -> None:
        self.game, self.finder, self.cast, self.table = game, RepresentativeFinder(game), game.cast, game.table
        self.lies_by_label = cache(lambda spies: {game.label(lie): lie for lie in game.lies(spies)})  # by their names
        self.teams = [list(combinations(range(self.table.players), size)) for size in self.table.missions]
        self.settles = game.talk in POINTING and self.cast.alone is None and self.cast.hunted is not None

    def missions(self, odds: Odds, own: Representative) -> dict[Seats, Fraction]:
        odds_by_team: dict[Seats, Fraction] = {}
        shares = look_up(odds, own.text)
        number = self._number(own)
        teams = {letters(team): team for team in self.teams[number]}
        check_odds(shares, teams, lambda: own.text)
        for name, share in shares.items():
            for names in own.renamings if share else ():
                team = tuple(sorted(names.index(seat) for seat in teams[name]))
                odds_by_team[team] = odds_by_team.get(team, Fraction(0)) + share / len(own.renamings)
        return odds_by_team

    def _number(self, own: Representative) -> int:
        return sum(step[-1] in "+-" or step[-1].isdigit() for step in own.text.split("/")[1:])

    def named(self, odds: Odds, own: Representative, deal: tuple[int, ...]) -> dict[int, Fraction]:
        shares = look_up(odds, own.text)
        seats = {f"name-{letters([seat])}": seat for seat in range(len(deal))}
        check_odds(shares, seats, lambda: own.text)
        odds_by_seat: dict[int, Fraction] = {}
        for name, share in shares.items():
            for names in own.renamings if share else ():
                seat = names.index(seats[name])
                if deal[seat] in self.cast.known:
                    raise VerifyError(f"expected a seat that may be good at {own.text}, got {name!r}")
                odds_by_seat[seat] = odds_by_seat.get(seat, Fraction(0)) + share / len(own.renamings)
        return odds_by_seat

    def missed(self, odds: Odds, own: Representative, deal: tuple[int, ...]) -> Fraction | None:
        """How likely the spies miss the hunted, where one guess is listed for all that may follow what was said."""
        if not self.settles:
            return None
        try:
            odds(own.text)
        except LookupError:
            return None
        return 1 - self.named(odds, own, deal).get(deal.index(self.cast.hunted), Fraction(0))

    def lies(self, odds: Odds, state: RolesPlay) -> dict[tuple[Claim | None, ...], Fraction]:
        own = self.finder.begin(self.game.knows(state, SPIES))
        shares = look_up(odds, own.text)
        assert state.deal is not None
        listed = self.lies_by_label(call(self.game.spies(state.deal), own.renamings[0]))
        check_odds(shares, listed, lambda: own.text)
        odds_by_lie: dict[tuple[Claim | None, ...], Fraction] = {}
        for name, share in shares.items():
            for names in own.renamings if share else ():
                lie = tuple(
                    claim and Claim(claim.kind, tuple(sorted(names.index(seat) for seat in claim.seats)))
                    for claim in (listed[name][listed_seat] for listed_seat in names)
                )
                odds_by_lie[lie] = odds_by_lie.get(lie, Fraction(0)) + share / len(own.renamings)
        return odds_by_lie

    def cards(self, odds: Odds, own: Representative, score: tuple[int, int], aboard: int) -> dict[int, Fraction]:
        """How many spies aboard sabotage; `own` is seen with the mission out."""
        if len(useful := self.useful_sabotages(score, aboard)) == 1:
            return {useful[0]: Fraction(1)}
        position = f"{own.text}?"
        shares = look_up(odds, position)
        names = {self.game.label(many): many for many in range(aboard + 1)}
        check_odds(shares, names, lambda: position)
        return {names[name]: share for name, share in shares.items() if share}

    def useful_sabotages(self, score: tuple[int, int], aboard: int) -> list[int]:
        """Which numbers of sabotages the spies choose from."""
        fails, lone = self.table.sabotages[sum(score)], self.cast.alone is not None
        useful = [0, *(many for many in range(1, min(aboard, fails) + 1) if many + lone >= fails)]
        return useful[-1:] if self.table.is_decisive(score) else useful


def seat_policy(game: HiddenRoles, side: int, table: StrategyTable) -> Policy:
    """A strategy by class as a policy over the rules seat by seat; uniform where neither side comes by itself."""
    strategies, odds = ClassStrategies(game), table.__getitem__

    def policy(state: State) -> Mapping[Move, Fraction]:
        if state.said is not None and None in state.said:
            return strategies.lies(odds, state)
        own = strategies.finder.known(game.knows(state, side), side)
        if game.guesses(state) and own.text not in table:
            known = game.knows(state, side)
            own = strategies.finder.begin(known._replace(done=(), out=None, named=None))
        if side == SPIES and state.out is not None:
            aboard = game.aboard(state.deal, state.out)
            if f"{own.text}?" in table or len(strategies.useful_sabotages(state.score, aboard)) == 1:
                return strategies.cards(odds, own, state.score, aboard)
        if own.text not in table:
            moves = game.moves(state)
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        if side == GOOD:
            return strategies.missions(odds, own)
        return {Named(seat): share for seat, share in strategies.named(odds, own, state.deal).items()}

    return policy


SAMPLED = 100  # positions of a table that tell how it is written: of every one, half or more have other names


@lru_cache(maxsize=8)
def finder_of(game: HiddenRoles) -> RepresentativeFinder:
    """One for each game in memory."""
    return RepresentativeFinder(game)


def is_by_class(game: HiddenRoles, tables: Sequence[StrategyTable]) -> bool:
    """Whether strategies list one position of each class, rather than every one, as those of small tables do."""
    finder = finder_of(game)
    for side in (GOOD, SPIES):
        sample = list(tables[side])[:: max(1, len(tables[side]) // SAMPLED)]
        if any(representative_position(game, finder, position, side)[0] != position for position in sample):
            return False
    return True


def at_choice(game: HiddenRoles, finder: RepresentativeFinder, side: int, known: RolesPlay) -> Representative:
    """What a side knows where it chooses: a guess that is settled when all have spoken is listed there."""
    from ruse.games.hidden_roles.suspects import settled  # which imports this module

    settled_then = game.guesses(known) and settled(game)
    return finder.known(known._replace(done=(), out=None, named=None) if settled_then else known, side)


def representative_position(
    game: HiddenRoles, finder: RepresentativeFinder, position: str, side: int
) -> tuple[str, Callable[[str], str]]:
    """The position that represents one, and a function from its moves to the moves here: the first that look alike.

    Raises PositionError.
    """
    owner, known = read(game, position)
    if owner != side:  # which its strategy does not list
        return position, str
    seen = at_choice(game, finder, side, known)

    def first(text: str) -> str:
        return letters(seats_alike(seen, read_seats(text, game.table))[0])

    def here(move: str) -> str:
        if move.startswith("name-"):
            return f"name-{first(move.removeprefix('name-'))}"
        if known.said is None:
            return game.label(_said(game, known, move, seen))
        return move if side == SPIES else first(move)

    return seen.text + "?" * (known.out is not None), here


def _said(game: HiddenRoles, known: RolesPlay, move: str, seen: Representative) -> Words:
    """What the spies say, in the names of seats here."""
    assert known.deal is not None
    spies = game.spies(known.deal)
    alike = words_alike(seen, read_words(game, move, call(spies, seen.renamings[0])))
    return next(lie for lie in game.lies(spies) if lie in alike)
