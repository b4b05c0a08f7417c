"""Visit a game: how large it is, what one play of it looks like, and whether its rules keep the contract.

States are visited as a tree, once for every way to reach them, as the sequence form does; those of a memoryless
game once, by the fewest moves that lead there, and nobody has to recall anything. `visits` also
says which sequence each side has played, numbered as it comes: two plays have the same number if and only
if a side made the same moves at the same information sets. Perfect recall then reads: whoever knows the
same has played the same sequence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import NamedTuple

from ruse.core.capabilities import Memoryless, Symmetric
from ruse.core.clock import tick
from ruse.core.contract import EVERY, Checked, Line, comes_back, different_moves, endless, forgets, most_moves, shown
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, Move, State, describe, display_name

SIDES = (0, 1)


class Visit(NamedTuple):
    state: State
    depth: int
    played: tuple[int, int]  # the number of each side's sequence, 0 the empty one; always 0 in a memoryless game


@dataclass
class _Sequences:
    """Numbers for the sequences of both sides, in the order they are met."""

    numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = field(default_factory=lambda: ({}, {}))

    def after(self, played: tuple[int, int], side: int, knowledge: Knowledge, move: Move) -> tuple[int, int]:
        numbers = self.numbers[side]
        number = numbers.setdefault((played[side], knowledge, move), len(numbers) + 1)
        return (number, played[1]) if side == 0 else (played[0], number)


def _children(game: Game, visit: Visit, sequences: _Sequences) -> Iterator[Visit]:
    """The visits that may follow; chance moves of odds 0 never do."""
    state, depth, played = visit
    turn = game.turn(state)
    if turn == CHANCE:
        for move, odds in _dealt(game, state):
            if odds:
                yield Visit(game.play(state, move), depth + 1, played)
    elif turn != END:
        knowledge = game.knows(state, turn)
        for move in game.moves(state):
            yield Visit(game.play(state, move), depth + 1, sequences.after(played, turn, knowledge, move))


def _dealt(game: Game, state: State) -> Iterator[tuple[Move, Fraction]]:
    """The moves of chance, with their odds."""
    return zip(game.moves(state), game.odds(state), strict=True)


def visits(game: Game) -> Iterator[Visit]:
    """Every state, first moves first; in a memoryless game, those that are reached in fewer moves first."""
    if isinstance(game, Memoryless):
        yield from _states(game)
        return
    sequences = _Sequences()
    stack = [Visit(game.start(), 0, (0, 0))]
    while stack:
        tick()
        visit = stack.pop()
        yield visit
        stack.extend(reversed(list(_children(game, visit, sequences))))


def _states(game: Memoryless) -> Iterator[Visit]:
    """Every state once."""
    waiting = deque([(game.start(), 0)])
    seen = {game.start()}
    while waiting:
        tick()
        state, depth = waiting.popleft()
        yield Visit(state, depth, (0, 0))
        turn = game.turn(state)
        moves = [] if turn == END else list(game.moves(state))
        if turn == CHANCE:
            moves = [move for move, odds in zip(moves, game.odds(state), strict=True) if odds]
        for move in moves:
            following = game.play(state, move)
            if following not in seen:
                seen.add(following)
                waiting.append((following, depth + 1))


def sampled_visits(game: Game, limit: int, random: Random) -> Iterator[Visit]:
    """The states of random plays, until `limit` have been visited: for games too large to walk."""
    sequences = _Sequences()
    while True:
        visit = Visit(game.start(), 0, (0, 0))
        while True:
            tick()
            yield visit
            limit -= 1
            if limit <= 0:
                return
            if game.turn(visit.state) == CHANCE:  # which may have far more moves than are looked at
                move = random.choice([option for option, odds in _dealt(game, visit.state) if odds])
                visit = Visit(game.play(visit.state, move), visit.depth + 1, visit.played)
                continue
            following = list(_children(game, visit, sequences))
            if not following:
                break
            visit = random.choice(following)


class Depth(NamedTuple):
    """How many states there are so many moves from the start."""

    chance: int
    first: int  # side 0 moves
    second: int  # side 1 moves
    ends: int


@dataclass(frozen=True)
class Counts:
    depths: tuple[Depth, ...]
    information_sets: tuple[int, int]
    sequences: tuple[int, int]  # the empty one included: 1 + the moves of the side's information sets

    @property
    def kinds(self) -> Depth:
        """How many states of each kind, at all depths together."""
        return Depth(*map(sum, zip(*self.depths, strict=True)))

    @property
    def states(self) -> int:
        return sum(self.kinds)


def count(game: Game) -> Counts:
    """How many states, information sets and sequences a game has, by a plain walk."""
    column = {CHANCE: 0, 0: 1, 1: 2, END: 3}
    rows: list[list[int]] = []
    known: tuple[set[Knowledge], set[Knowledge]] = (set(), set())
    sequences = [1, 1]
    for state, depth, _ in visits(game):
        turn = game.turn(state)
        if depth == len(rows):
            rows.append([0, 0, 0, 0])
        rows[depth][column[turn]] += 1
        if turn in SIDES and (knowledge := game.knows(state, turn)) not in known[turn]:
            known[turn].add(knowledge)
            sequences[turn] += len(game.moves(state))
    return Counts(tuple(Depth(*row) for row in rows), (len(known[0]), len(known[1])), (sequences[0], sequences[1]))


def transcript(game: Game, seed: int = 0) -> str:
    """One play of the game with random moves, as text."""
    random = Random(seed)
    first, second = game.sides
    lines = [f"{game.title}: {first} against {second}"]
    state = game.start()
    while (turn := game.turn(state)) != END:
        moves = list(game.moves(state))
        lines.append("")
        if turn == CHANCE:
            odds = list(game.odds(state))
            listed = [f"{game.label(move)} {share}" for move, share in zip(moves, odds, strict=True)]
            move = random.choices(moves, [float(share) for share in odds])[0]
        else:
            listed = [game.label(move) for move in moves]
            move = random.choice(moves)
        lines.append("chance to move" if turn == CHANCE else f"{game.sides[turn]} to move")
        lines += _known(game, state)
        lines += [f"  moves: {', '.join(listed)}", f"> {game.label(move)}"]
        state = game.play(state, move)
    lines += ["", "the end", *_known(game, state), f"  payoff to {first}: {game.payoff(state)}"]
    return "\n".join(lines) + "\n"


def _known(game: Game, state: State) -> list[str]:
    return [f"  known to {game.sides[side]}: {describe(game, game.knows(state, side))}" for side in SIDES]


def check(game: Game, limit: int | None = None, seed: int = 0) -> tuple[str, ...]:
    """Raise a GameError that names the state if the rules break the contract of `Game`: if no solver takes the game.

    Every state is visited, or, with a limit, so many states along random plays. Returns notes on what is unusual but
    does no harm.
    """
    random = Random(seed)
    rules = Checked(game)
    sets, waiting = _InformationSets(rules), _Waiting(rules)
    symmetric = game if isinstance(game, Symmetric) else None
    line = None if isinstance(rules, Memoryless) or limit is not None else Line(rules)
    if limit is not None and not isinstance(rules, Memoryless):
        look_for_endless(rules, random)
    for visit in visits(rules) if limit is None else sampled_visits(rules, limit, random):
        if line is not None and visit.depth % EVERY == 0:
            line.reach(visit.state, visit.depth)
        _check_state(rules, visit.state)
        sets.check(visit)
        waiting.look(visit)
        if symmetric is not None:
            _check_symmetry(symmetric, visit.state, random)
    return tuple(waiting.notes.values())


def _check_state(rules: Checked, state: State) -> None:
    """Ask for all that the rules say at one state, whatever happens elsewhere."""
    turn = rules.turn(state)
    if turn == END:
        rules.payoff(state)
        return
    rules.moves(state)
    if turn == CHANCE:
        rules.odds(state)


class _InformationSets:
    """What has been seen of a game's information sets, against which each further state is checked."""

    def __init__(self, game: Checked) -> None:
        self.game = game
        self.memoryless = isinstance(game, Memoryless)
        self.past: tuple[dict[Knowledge, int], dict[Knowledge, int]] = ({}, {})  # the sequence played
        self.moves: tuple[dict[Knowledge, tuple[Move, ...]], dict[Knowledge, tuple[Move, ...]]] = ({}, {})

    def check(self, visit: Visit) -> None:
        """Perfect recall and the same moves, where a side is to move; in a memoryless game sides know the state."""
        game, state = self.game, visit.state
        turn = game.turn(state)
        if turn not in SIDES:
            return
        knowledge, moves, played = game.knows(state, turn), tuple(game.moves(state)), visit.played[turn]
        if not self.memoryless and self.past[turn].setdefault(knowledge, played) != played:
            raise forgets(game, turn, knowledge, state)
        if (others := self.moves[turn].setdefault(knowledge, moves)) != moves:
            raise different_moves(game, knowledge, state, others, moves)


class _Waiting:
    """What is unusual about what a side knows while it waits, one note for each side: no solver asks for it.

    Not looked at while chance moves, where nobody needs to know anything yet.
    """

    def __init__(self, game: Checked) -> None:
        self.game = game
        self.notes: dict[int, str] = {}
        self.past: tuple[dict[Knowledge, int], dict[Knowledge, int]] = ({}, {})
        self.movers: tuple[dict[Knowledge, bool], dict[Knowledge, bool]] = ({}, {})

    def look(self, visit: Visit) -> None:
        turn = self.game.turn(visit.state)
        for side in SIDES if turn != CHANCE else ():
            if side not in self.notes and (unusual := self._unusual(side, turn, visit)) is not None:
                self.notes[side] = (
                    f"while {display_name(self.game.sides[side])} waits, {unusual}; this affects no result"
                )

    def _unusual(self, side: int, turn: int, visit: Visit) -> str | None:
        try:
            knowledge = self.game.knows(visit.state, side)
            location = f"at {describe(self.game, knowledge)} (state {shown(visit.state)})"
        except GameError as error:
            return f"ruse cannot tell what it knows ({error})"
        if self.past[side].setdefault(knowledge, visit.played[side]) != visit.played[side]:
            return f"it does not know its own moves {location}"
        if turn != END and self.movers[side].setdefault(knowledge, turn == side) != (turn == side):
            return f"it does not know that it is not to move {location}"
        return None


def _check_symmetry(game: Symmetric, state: State, random: Random) -> None:
    """Check that labels with equal records can be swapped, and that a random renaming changes nothing but names."""
    _check_swaps(game, state)
    names: dict[Hashable, Hashable] = {}
    for labels in game.labels():
        shuffled = random.sample(list(labels), len(labels))
        names.update(zip(shuffled, shuffled[1:] + shuffled[:1], strict=True))  # nobody keeps its name
    _check_renaming(game, state, names)


def _check_swaps(game: Symmetric, state: State) -> None:
    location = f"at state {state!r} of {game.title}"
    same = {label: label for labels in game.labels() for label in labels}
    for first, second in (pair for labels in game.labels() for pair in combinations(labels, 2)):
        swapped = game.relabel(state, {**same, first: second, second: first})
        if game.record(state, first, None) == game.record(state, second, None) and swapped != state:
            raise GameError(f"{first!r} and {second!r} have equal records but are not interchangeable {location}")
        for side in SIDES:
            if game.record(state, first, side) != game.record(state, second, side):
                continue
            if game.knows(swapped, side) != game.knows(state, side):
                who = game.sides[side]
                raise GameError(
                    f"{who} can tell {first!r} from {second!r}, although their records are equal {location}"
                )


def _check_renaming(game: Symmetric, state: State, names: Mapping[Hashable, Hashable]) -> None:
    location = f"at state {state!r} of {game.title}"
    renamed = game.relabel(state, names)
    turn = game.turn(state)
    if game.turn(renamed) != turn:
        raise GameError(f"expected the same turn after renaming {names!r} {location}, got {game.turn(renamed)!r}")
    if turn == END:
        if game.payoff(renamed) != game.payoff(state):
            raise GameError(f"expected the same payoff after renaming {names!r} {location}, got {game.payoff(renamed)}")
        return
    moves = list(game.moves(state))
    if {game.rename(move, names) for move in moves} != set(game.moves(renamed)):
        raise GameError(f"expected the same moves after renaming {names!r} {location}, got {game.moves(renamed)!r}")
    for move in moves:
        if game.relabel(game.play(state, move), names) != game.play(renamed, game.rename(move, names)):
            raise GameError(f"expected {game.label(move)!r} to lead to the same after renaming {names!r} {location}")
    if turn == CHANCE:
        shares = dict(zip(game.moves(renamed), game.odds(renamed), strict=True))
        for move, share in zip(moves, game.odds(state), strict=True):
            if shares[game.rename(move, names)] != share:
                raise GameError(f"expected the same odds of {game.label(move)!r} after renaming {names!r} {location}")


# Look for a play that never ends, in games that are too large to walk.
#
# Plays that avoid the end as long as a move does not lead there at once soon come back to a state, or become longer
# than any play may be, where bids need not rise or a board can be repeated. What they do not find may still be there.

PLAYS, FEW_PLAYS = 12, 2
MOST_STEPS = 100_000  # of all of them together, but for one that is begun
MOST_TRIED = 8  # moves at a state, to find one that does not end the play


def look_for_endless(game: Game, random: Random, plays: int = PLAYS) -> None:
    """Raise a GameError of a play that comes back to a state, or goes on for more moves than a play may have."""
    steps = 0
    for _ in range(plays):
        steps += _play_on(game, random)
        if steps > MOST_STEPS:
            return


def _play_on(game: Game, random: Random) -> int:
    """One play that goes on as long as it can; how many moves it has."""
    state, most = game.start(), most_moves(game)
    been = {state}
    while game.turn(state) != END:
        tick()
        if len(been) > most:
            raise endless(game, state)
        state = _further(game, state, random)
        if state in been:
            raise comes_back(game, state)
        been.add(state)
    return len(been) - 1


def _further(game: Game, state: State, random: Random) -> State:
    """What follows one of the moves: if any of those that are tried does not end the play, such a one."""
    moves: list[Move] = list(game.moves(state))
    if game.turn(state) == CHANCE:
        moves = [move for move, odds in zip(moves, game.odds(state), strict=True) if odds]
    for move in random.sample(moves, min(len(moves), MOST_TRIED)):
        after = game.play(state, move)
        if game.turn(after) != END:
            break
    return after
