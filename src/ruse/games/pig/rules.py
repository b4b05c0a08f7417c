"""Pig: roll on, or hold and keep what the turn has brought; a one loses the turn.

In its turn a side rolls a die. A 2 to 6 adds to the turn's total, and the side may roll again or hold, which adds the
total to its score and ends the turn; a 1 ends the turn and adds nothing. Whoever reaches the goal first, 100 unless
another is asked for, wins (Neller and Presser 2004). A turn begins with a roll; a score and a total that reach the goal
together win at once, without a hold, since nobody would do anything else.

`pig@first/37,52,12` is a state: first to move with a score of 37 against 52 and a turn total of 12. A strategy is filed
by both scores: `hold-at-21+` at `pig@first/37,52` is to roll below a total of 21 and to hold from there on, and
`hold-at-21-23;26+` is to roll again at 24 and 25, from where the goal may be near enough. Two turns that bring nothing
come back to the same state, so values are found by value iteration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Memoryless, Representatives
from ruse.core.game import CHANCE, END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory
from ruse.games import spans

if TYPE_CHECKING:
    from ruse.games.pig.arrays import PigGraph

GOAL = 100
MOST = 150
FACES = range(1, 7)
ROLLS = [Fraction(1, 6)] * 6
HOLD_AT = "hold-at-"
SCORES = re.compile(r"\d{1,3},\d{1,3}(,\d{1,3})?", re.ASCII)


class PigState(NamedTuple):
    turn: int
    mine: int  # score of the side to move
    theirs: int
    total: int  # of the turn
    rolling: bool = False  # the die is in the air


class Pig(Titled):
    name = "pig"
    sides = ("first", "second")
    wins = ("first", "second")
    provides = (Representatives, Memoryless)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.pig.presentation:PigPresentation"}

    def __init__(self, goal: int) -> None:
        if not 2 <= goal <= MOST:
            raise GameError(f"expected a goal of 2 to {MOST}, got {goal}")
        self.goal = goal
        self.title = self.name if goal == GOAL else f"{self.name}(goal={goal})"
        self.parameters: dict[str, object] = {"goal": goal}

    def start(self) -> PigState:
        return PigState(0, 0, 0, 0)

    def turn(self, state: PigState) -> int:
        if state.mine + state.total >= self.goal:
            return END
        return CHANCE if state.rolling else state.turn

    def moves(self, state: PigState) -> Sequence[object]:
        if state.rolling:
            return FACES
        return ("roll", "hold") if state.total else ("roll",)

    def odds(self, state: PigState) -> Sequence[Fraction]:
        return ROLLS

    def play(self, state: PigState, move: object) -> PigState:
        turn, mine, theirs, total, _ = state
        if move == "roll":
            return PigState(turn, mine, theirs, total, True)
        if move == "hold":
            return PigState(1 - turn, theirs, mine + total, 0)
        assert isinstance(move, int)
        return PigState(1 - turn, theirs, mine, 0) if move == 1 else PigState(turn, mine, theirs, total + move)

    def knows(self, state: PigState, side: int) -> PigState:
        return state

    def payoff(self, state: PigState) -> Fraction:
        return Fraction(1 if state.turn == 0 else -1)

    def label(self, move: object) -> str:
        return str(move)

    def format_position(self, knowledge: PigState) -> str:
        turn, mine, theirs, total, rolling = knowledge
        return f"@{self.sides[turn]}/{mine},{theirs},{total}" + ("/roll" if rolling else "")

    def board(self, state: PigState) -> PigState:
        return state

    def returns(self) -> bool:
        return True

    def graph(self) -> PigGraph:
        """All states on arrays."""
        from ruse.games.pig.arrays import PigGraph

        return PigGraph(self)

    # Strategies by scores

    def stored_position(self, side: int, mine: int, theirs: int) -> str:
        return f"{self.title}@{self.sides[side]}/{mine},{theirs}"

    def read(self, position: str, side: int) -> list[int]:
        """The two scores of a position where a side moves, and the turn total where it says one."""
        head, _, steps = position.partition("/")
        numbers = list(map(int, steps.split(","))) if SCORES.fullmatch(steps) else [self.goal]
        mine, theirs, total = (*numbers, 0, 0)[:3]
        if head != f"{self.title}@{self.sides[side]}" or mine + total >= self.goal or theirs >= self.goal:
            raise PositionError(
                f"expected both scores, below {self.goal}, and perhaps a turn total, "
                f"such as {self.stored_position(0, 0, 0)},0 or {self.stored_position(1, 0, 0)},0, got {position!r}"
            )
        return numbers

    def holds(self, move: str, mine: int) -> tuple[range, ...]:
        """The turn totals at which `hold-at-21-23;26+` holds. The lowest is 2, as no total is 1; the highest wins."""
        most = max(self.goal - mine, 2)
        totals = _totals(move)
        if not totals or totals[0].start < 2 or totals[-1].start > most:
            raise PositionError(f"expected turn totals of 2 to {most}, such as {HOLD_AT}{most}+, got {move!r}")
        return totals

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """The scores represent all totals of a turn; `hold-at-21` is to roll or to hold by the total."""
        mine, theirs, *totals = self.read(position, side)
        if not totals:
            return position, str

        def calls(move: str) -> str:
            return "hold" if any(totals[0] in span for span in self.holds(move, mine)) else "roll"

        return self.stored_position(side, mine, theirs), calls


@lru_cache(maxsize=1024)
def _totals(move: str) -> tuple[range, ...]:
    """Spans in rising order from text such as "hold-at-21-23;26+", or none if it says something else."""
    parts = [spans.numbers(part) for part in move.removeprefix(HOLD_AT).split(";")]
    totals = [span for span in parts if span]
    rising = all(earlier.stop < later.start for earlier, later in pairwise(totals))
    return tuple(totals) if move.startswith(HOLD_AT) and len(totals) == len(parts) and rising else ()


@game_factory
def pig(goal: Annotated[int, "the score that wins"] = GOAL) -> Pig:
    """Pig: roll on, or hold and keep the points of this turn before a one loses them."""
    return Pig(goal)
