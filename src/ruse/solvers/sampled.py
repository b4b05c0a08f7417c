"""Monte-Carlo runs as the runner takes them: judged on the whole form where it fits, unjudged where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import numpy as np

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.capabilities import payoff_range
from ruse.core.certificate import Certificate
from ruse.core.clock import timed
from ruse.core.exact import in_units
from ruse.core.game import Game
from ruse.forms.integer_form import Certified
from ruse.forms.sequence_form import FormArrays
from ruse.solvers.mccfr import Mccfr
from ruse.solvers.plans import Odds
from ruse.solvers.spec import Task, UnknownSolver

FULL = 0.4  # of a table are moves: stop before it overflows, which the ways to them take the rest of
MOST_VISITED = 100_000  # nodes of a traversal of external sampling: a second, during which nothing else happens
DENOMINATOR = 10_000  # of odds in strategies that nobody can certify: more digits would be noise


class TooWide(UnknownSolver):
    """One side has too many plays for external sampling."""


def external(task: Task) -> Sampled:
    """A run of external sampling."""
    check_width(task)
    return Sampled(Mccfr(task.game, sampling="external", seed=task.seed), task.walked)


def check_width(task: Task) -> None:
    """Refuse a game whose traversals take too long for external sampling."""
    if task.walked is None and (visited := size_estimate.traversal(task.game)) > MOST_VISITED:
        raise TooWide(
            f"a traversal of {task.solver} would visit about {visited:,} nodes of {task.game.title}, "
            f"more than {MOST_VISITED:,}: use mccfr-outcome"
        )


def outcome(task: Task) -> Sampled:
    """A run of outcome sampling."""
    return Sampled(Mccfr(task.game, sampling="outcome", seed=task.seed), task.walked)


class Sampled:
    """A Monte-Carlo run whose average policy is judged on a form (an `Iterating`); without a form, by nobody."""

    def __init__(self, mccfr: Mccfr, form: FormArrays | None) -> None:
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

    def odds(self, most: int | None = None) -> tuple[Odds, Odds]:
        """The average policy where the run has been, in fractions; at the first `most` sets of each side."""
        first, second = (
            {
                knowledge: dict(zip(shares, in_units(list(shares.values()), DENOMINATOR), strict=True))
                for knowledge, shares in islice(timed(self._mccfr.policy(side, most).items()), most)
            }
            for side in (0, 1)
        )
        return first, second

    @property
    def information_sets(self) -> int:
        """How many of both sides the run has come to."""
        return sum(self._mccfr.information_sets)


class Unjudged:
    """Instead of certificates for a game too large to walk: what no play can exceed."""

    def __init__(self, game: Game) -> None:
        lower, upper = payoff_range(game)
        self._certified = Certified(Certificate(lower, upper), (np.ones(1, dtype=np.int64), np.ones(1, dtype=np.int64)))

    def certify(self, weights: object) -> Certified:
        return self._certified
