"""Luck and skill apart in a finished game (docs/explanation/review.md).

    result = start + luck - your mistakes + the other side's mistakes

All numbers are payoffs to the person. At each of its decisions, V is what the person can expect by best play against
the reference strategy of the other side, and Q what is left of it after the move that it made. A mistake costs V - Q.
Luck is what happens in between, from Q to the next V or to the result. If the other side made a move there that the
reference strategy never makes, what that move cost is no luck: it is the other side's mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from ruse.core.capabilities import payoff_to
from ruse.core.game import Game, PositionError, RuseError, describe
from ruse.core.jsonable import jsonable
from ruse.core.registry import presentation
from ruse.insight.costs import BEST, REFERENCE, Costs
from ruse.play.session import Session
from ruse.solution.strategy import Solution

NOTHING = Fraction(0)
FAIR = (REFERENCE, BEST)  # bases of costs against one fixed strategy of the other side


class Prospect(NamedTuple):
    """What a side can expect at a position after each of its moves, by best play from there on."""

    payoffs: Mapping[str, Fraction]  # to that side
    fair: bool  # whether the other side follows one strategy, the reference strategy, here and everywhere before

    @property
    def best(self) -> Fraction:
        return max(self.payoffs.values())


class Prospects:
    """What both sides can expect at their positions against the other side's reference strategy."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.pair: Solution = costs.reference or costs.solution

    def start(self, side: int) -> Fraction | None:
        """What a side can expect before the game begins; None if that is not known."""
        bounds = self.pair.certificate
        return payoff_to(self.pair.game, side, bounds.lower) if bounds.exact else None

    def at(self, position: str, side: int) -> Prospect:
        """What a side can expect at a position where it moves. Raises RuseError."""
        here = self.costs.met(position, side) or self.costs.at(position, side)
        game = self.pair.game
        payoffs = {name: payoff_to(game, side, move.value) for name, move in here.moves.items()}
        return Prospect(payoffs, here.basis in FAIR)

    def plays(self, position: str, side: int, move: str) -> bool:
        """Whether a side's own strategy of the pair ever makes a move; True where nothing is known of that."""
        try:
            odds = self.pair.strategy(side).at(position)
        except PositionError:
            return True
        name = listed_move(self.pair.game, position, move, odds)
        return name is not None and odds[name] > 0


def listed_move(game: Game, position: str, move: str, names: Mapping[str, object]) -> str | None:
    """A move as a list names it that has one move of each class, or None."""
    if move in names:
        return move
    shown = presentation(game)
    meant = shown.explain_move(position, move)
    return next((name for name in names if meant and shown.explain_move(position, name) == meant), None)


@dataclass(frozen=True)
class Turn:
    """A decision of the person."""

    before: Fraction  # what it could expect by its best move
    after: Fraction  # and after the move that it made

    @property
    def cost(self) -> Fraction:
        return self.before - self.after


@dataclass(frozen=True)
class Balance:
    """How the result of a game came about. All numbers are payoffs to the person."""

    start: Fraction
    turns: Sequence[Turn]
    mistakes: Sequence[Fraction]  # of the other side: before the person's first move, and after each of its moves
    result: Fraction
    fair: bool  # whether luck has a mean of 0 against the reference strategy, whatever the person does

    @property
    def steps(self) -> list[Fraction]:
        """Luck before the person's first move, and after each of its moves."""
        before = [self.start, *(turn.after for turn in self.turns)]
        after = [*(turn.before for turn in self.turns), self.result]
        return [end - begin - given for begin, end, given in zip(before, after, self.mistakes, strict=True)]

    @property
    def luck(self) -> Fraction:
        return sum(self.steps, NOTHING)

    @property
    def lost(self) -> Fraction:
        """What the person's mistakes cost."""
        return sum((turn.cost for turn in self.turns), NOTHING)

    @property
    def given(self) -> Fraction:
        """What the other side's mistakes cost it."""
        return sum(self.mistakes, NOTHING)

    @property
    def line(self) -> list[Fraction]:
        """What the person could expect: at the start, before and after each move, and the result."""
        return [self.start, *(point for turn in self.turns for point in (turn.before, turn.after)), self.result]

    def to_json(self) -> dict[str, Any]:
        sums = {"start": self.start, "luck": self.luck, "costs": self.lost, "mistakes": self.given}
        steps = [{"luck": luck, "mistakes": given} for luck, given in zip(self.steps, self.mistakes, strict=True)]
        fields: dict[str, Any] = jsonable({**sums, "result": self.result, "steps": steps, "line": self.line})
        return {**fields, "fair": self.fair}


def balance(session: Session, prospects: Prospects) -> Balance:
    """Take luck and skill of a finished game apart. Raises RuseError where a decision has no values."""
    game, side = session.solution.game, session.side
    turns, fair = list[Turn](), True
    for decision in session.decisions:
        here = prospects.at(decision.position, side)
        name = listed_move(game, decision.position, decision.move, here.payoffs)
        if name is None:
            raise PositionError(f"{decision.move!r} at {decision.position[:80]} has no value")
        turns.append(Turn(here.best, here.payoffs[name]))
        fair = fair and here.fair
    start = prospects.start(side) if session.opening is None else None
    if start is None:  # as from the first decision on
        start = turns[0].before if turns else session.gain
    return Balance(start, turns, _mistakes(session, prospects), session.gain, fair)


def _mistakes(session: Session, prospects: Prospects) -> list[Fraction]:
    """What the other side's moves cost that its reference strategy never makes, by the person's turns."""
    game, other = session.game, session.rival.side
    costs = [NOTHING]
    for ply in range(session.given, len(session.moves)):
        if game.turn(session.states[ply]) == session.side:
            costs.append(NOTHING)
        elif game.turn(session.states[ply]) == other:
            position = describe(game, game.knows(session.states[ply], other))
            costs[-1] += _mistake(prospects, position, other, session.moves[ply])
    return costs


def _mistake(prospects: Prospects, position: str, side: int, move: str) -> Fraction:
    try:
        if prospects.plays(position, side, move):
            return NOTHING
        here = prospects.at(position, side)
    except RuseError:  # a position of the rules as they are played only
        return NOTHING
    name = listed_move(prospects.pair.game, position, move, here.payoffs)
    return NOTHING if name is None else here.best - here.payoffs[name]
