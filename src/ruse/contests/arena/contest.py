"""What a contest is: a game in which two parametric strategies meet, match after match.

A strategy is a vector of real numbers; the game's file says what each of them does. Zeros are the baseline: the default
that the methods begin with and are scored against. A match has one strategy in the seat that begins and one in the
other; match i of a series lets the strategies begin in turn, the first one in even matches. The outcome is

    1 the first strategy wins,   -1 the second one wins,   0 a draw,   2 cut at the contest's cap (counted as a draw),

and its score to the first strategy 1, 0 or 1/2. Same seed, same matches: on one core or many, here or elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import RuseError
from ruse.core.types import StrategyTable

WIN, LOSS, DRAW, CUT = 1, -1, 0, 2
NO_RECORD = np.zeros(0, dtype=np.int32)
MOST_RECORDED = 1 << 16  # moves of a match

# Fills in outcomes[i] = the outcome of match number `begin + i` of the series `seed`, and the moves of the last match.
Matches = Callable[[Array, Array, int, int, Array, Array], None]


class ContestError(RuseError):
    """Parameters or a record that do not fit a contest."""


class KnownOptimum(NamedTuple):
    """The value of optimal play: in words, the command that computes it, and the payoff to the first mover if exact."""

    text: str
    command: str
    exact: str | None

    def to_json(self) -> dict[str, str | None]:
        return {"told": self.text, "command": self.command, "exact": self.exact}


@dataclass(frozen=True)
class Solvable:
    """The built-in game that a contest plays."""

    name: str
    table: Callable[[Array, Any, int], StrategyTable | None]  # a strategy as a side's table; None if it is not one
    parameters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Contest:
    """A game with parametric strategies, and how fast matches are played."""

    name: str
    rules: str  # in three sentences
    parameters: int  # of a strategy
    meaning: str  # of the parameters, in a sentence or two
    matches: Matches
    referee: Callable[[Sequence[int]], int]  # replays a record by the rules: the outcome, or a ContestError
    words: Callable[[Array], str]  # a strategy in words
    cut: str = ""  # when a match is cut, if ever
    named: Mapping[str, Sequence[float]] = field(default_factory=dict)  # strategies that have a name
    paper: Mapping[str, str] = field(default_factory=dict)  # what Cauwet and Teytaud report, by method
    series: int = 10_000  # matches to score a strategy with
    ours: bool = True  # whether the parametrisation is ruse's, because the paper does not print it
    game: Solvable | None = None
    optimum: Callable[[], KnownOptimum] | None = None  # if the game need not be solved for it

    @property
    def baseline(self) -> Array:
        return np.zeros(self.parameters)

    def strategy(self, numbers: Sequence[float] | Array) -> Array:
        """Parameters of a strategy as an array, if they fit."""
        try:
            parameters = np.array(numbers, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ContestError(f"expected {self.parameters} numbers for {self.name}") from error
        if parameters.shape != (self.parameters,):
            count = len(parameters) if parameters.ndim == 1 else f"an array of shape {parameters.shape}"
            raise ContestError(f"expected {self.parameters} parameters for {self.name}, got {count}")
        if not np.isfinite(parameters).all():
            wrong = parameters[~np.isfinite(parameters)][0]
            raise ContestError(f"expected finite parameters for {self.name}, got {wrong}")
        return parameters

    def play(self, first: Array, second: Array, seed: int, begin: int, count: int) -> Array:
        """Outcomes of matches `begin` to `begin + count` of a series: int8[count]."""
        outcomes = np.empty(count, dtype=np.int8)
        self.matches(first, second, seed, begin, outcomes, NO_RECORD)
        return outcomes

    def record(self, first: Array, second: Array, seed: int, number: int) -> tuple[int, list[int]]:
        """The outcome and the moves of one match, as `referee` reads them."""
        outcomes, moves = np.empty(1, dtype=np.int8), np.zeros(MOST_RECORDED, dtype=np.int32)
        self.matches(first, second, seed, number, outcomes, moves)
        return int(outcomes[0]), moves[1 : 1 + moves[0]].tolist()


def scores(outcomes: Array) -> Array:
    """Return the scores of outcomes for the first strategy: 1, 1/2 or 0."""
    return np.where(outcomes == CUT, 0.5, (outcomes + 1) / 2)
