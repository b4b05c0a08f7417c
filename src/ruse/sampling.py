"""Monte-Carlo runs as the runner takes them: judged on the whole form where it fits, unjudged where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.certificate import Certificate
from ruse.compiled import Certified
from ruse.contract import exact, shown
from ruse.exact import rounded
from ruse.game import Game, GameError, Ranged
from ruse.sequence_form import SequenceForm
from ruse.solvers.mccfr import Mccfr
from ruse.writing import Odds

Array = np.ndarray[Any, np.dtype[Any]]
FULL = 0.4  # of a table are moves: stop before it overflows, which the ways to them take the rest of
DENOMINATOR = 10_000  # of odds in strategies that nobody can certify: more digits would be noise


class Sampled:
    """A Monte-Carlo run whose average policy is judged on a form (an `Iterating`); without a form, by nobody."""

    def __init__(self, mccfr: Mccfr, form: SequenceForm | None) -> None:
        self._mccfr, self._form = mccfr, form
        self.ended = False  # whether the table is full

    @property
    def iterations(self) -> int:
        return self._mccfr.iterations

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            if self._mccfr.slots > FULL * self._mccfr.most:  # an iteration that broke off could not be kept
                self.ended = True
                return
            self._mccfr.run(1)

    def weights(self) -> tuple[Array, Array]:
        return (np.ones(1), np.ones(1)) if self._form is None else self._mccfr.weights(self._form)

    def state(self) -> dict[str, Array]:
        return self._mccfr.state()

    def restore(self, state: Mapping[str, Array]) -> None:
        self._mccfr.restore(state)

    def odds(self) -> tuple[Odds, Odds]:
        """The average policy where the run has been, in fractions."""
        first, second = (
            {
                knowledge: dict(zip(shares, rounded(list(shares.values()), DENOMINATOR), strict=True))
                for knowledge, shares in self._mccfr.policy(side).items()
            }
            for side in (0, 1)
        )
        return first, second


class Unjudged:
    """Instead of certificates for a game too large to walk: what no play can exceed."""

    def __init__(self, game: Game) -> None:
        lower, upper = payoff_range(game)
        self._certified = Certified(Certificate(lower, upper), (np.ones(1, dtype=np.int64), np.ones(1, dtype=np.int64)))

    def certify(self, weights: object) -> Certified:
        return self._certified


def payoff_range(game: Game) -> tuple[Fraction, Fraction]:
    """The least and the most that side 0 can get."""
    if game.wins:
        return Fraction(-1), Fraction(1)
    if isinstance(game, Ranged):
        given = game.payoff_range()
        lower, upper = map(exact, given)
        if lower is None or upper is None or lower > upper:
            raise GameError(f"expected the least and the most that {game.title} can pay, exactly, got {shown(given)}")
        return lower, upper
    raise GameError(
        f"expected a game that is won or lost, or says what it can pay, to sample without walking it, "
        f"got {game.title}: use smaller parameters"
    )
