"""The positions that play comes to if both sides follow their strategies. All others are off the path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ruse.core import clock
from ruse.core.capabilities import ByClass, Representatives
from ruse.core.contract import checked
from ruse.core.game import CHANCE, END, Knowledge, State, describe
from ruse.core.types import Digested, Odds
from ruse.solution.strategy import Solution

MOST_STATES = 30_000  # to walk: about a second
MOST_VISITS = 40_000  # of states, to learn how often play comes to each position: about a second
NEVER = "never reached if both sides follow these strategies"  # other optimal strategies may come there

Positions = tuple[frozenset[str], frozenset[str]]  # of each side


@dataclass(frozen=True)
class ReachedDecision:
    """A decision that play comes to."""

    position: str
    knowledge: Knowledge
    odds: Odds
    weight: float


def on_path(solution: Solution) -> Positions | None:
    """Each side's positions, as its table has them, where it moves and that are reached; None where that is not known.

    It is not known where strategies are stored by class or as numbers, where one of them leaves out a position that is
    reached, and where more than `MOST_STATES` states are.
    """
    game = checked(solution.game)
    if (
        isinstance(game, ByClass)
        or not solution.written
        or any(isinstance(table, Digested) for table in solution.tables)
    ):
        return None
    reached: tuple[set[str], set[str]] = (set(), set())
    seen = {game.start()}
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        moves = game.moves(state)
        if len(seen) + len(moves) > MOST_STATES or clock.left() <= 0:
            return None
        if turn == CHANCE:
            likely = [bool(odds) for odds in game.odds(state)]
        else:
            position, odds = _stored(solution, turn, describe(game, game.knows(state, turn)))
            if odds is None:
                return None
            reached[turn].add(position)
            likely = [bool(odds.get(game.label(move))) for move in moves]
        for move, taken in zip(moves, likely, strict=True):
            if taken and (after := game.play(state, move)) not in seen:
                seen.add(after)
                waiting.append(after)
    return frozenset(reached[0]), frozenset(reached[1])


def visits(solution: Solution) -> Iterator[tuple[int, ReachedDecision | None]]:
    """The decisions that play comes to, early ones first; None at the end where not all were looked at."""
    game = checked(solution.game)
    waiting: list[tuple[State, float]] = [(game.start(), 1.0)]
    count = 0
    while waiting:
        following: list[tuple[State, float]] = []
        for state, weight in waiting:
            turn = game.turn(state)
            if turn == END:
                continue
            count += 1
            if count > MOST_VISITS or clock.left() <= 0:
                yield 0, None
                return
            moves = game.moves(state)
            if turn == CHANCE:
                odds = [float(share) for share in game.odds(state)]
            else:
                knowledge = game.knows(state, turn)
                position = describe(game, knowledge)
                stored = _stored(solution, turn, position)[1]
                if stored is None:
                    yield 0, None
                    continue
                yield turn, ReachedDecision(position, knowledge, stored, weight)
                odds = [float(stored.get(game.label(move), 0)) for move in moves]
            following += [
                (game.play(state, move), weight * share) for move, share in zip(moves, odds, strict=True) if share
            ]
        waiting = following


def stored_odds(solution: Solution, side: int, position: str) -> Odds | None:
    """The stored odds of the moves at a position, as moves are called there; None where the strategy has none."""
    return _stored(solution, side, position)[1]


def _stored(solution: Solution, side: int, position: str) -> tuple[str, Odds | None]:
    """The name of a position in the table of a side, and the odds of its moves there, as they are called here."""
    table, game = solution.tables[side], solution.game
    if position in table or not isinstance(game, Representatives):
        return position, table.get(position)
    representative, name_here = game.representative_position(position, side)
    odds = table.get(representative)
    if odds is None:
        return representative, None
    here: dict[str, Fraction] = {}
    for move, share in odds.items():  # moves that look alike here have one name
        here[name_here(move)] = here.get(name_here(move), Fraction(0)) + share
    return representative, here


def stored_as(solution: Solution, side: int, position: str) -> str:
    """The name of a position in the table of a side, where one stands for several that are alike."""
    if position in solution.tables[side] or not isinstance(solution.game, Representatives):
        return position
    representative, _ = solution.game.representative_position(position, side)
    return representative


def is_reached(solution: Solution, side: int, position: str) -> bool | None:
    """Whether play comes to a position of a side; None where that is not known."""
    return None if solution.on_path is None else stored_as(solution, side, position) in solution.on_path[side]
