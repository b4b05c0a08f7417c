"""`ruse.iterate`: an iterating solver step by step, in a loop that belongs to the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import Certificate
from ruse.core.game import RuseError
from ruse.forms.integer_form import Compiled
from ruse.forms.matrix_form import SequenceForm, sequence_form
from ruse.solvers import SOLVERS, SolverSpec, Task, UnknownSolver, solver_spec
from ruse.solvers.spec import Iterating

Plans = tuple[Array, Array]


@runtime_checkable
class HasCurrent(Protocol):
    """A run that tells what its last iteration played, beside what `weights` gives for certification."""

    def current(self) -> Plans:
        """float64[sequences] a side, in proportion to odds like `weights`."""


@dataclass(frozen=True, eq=False)
class Step:
    """What a solver has come to after an iteration. Plans are realization plans: float64[sequences] for each side.

    Attributes
    ----------
    iteration
        How many iterations are done.
    plans
        What the solver played in this iteration; the average where the solver does not tell.
    average
        What the solver gives as its answer so far: for CFR and its variants, the average of all plans.
    """

    iteration: int
    plans: Plans
    average: Plans
    _compiled: Callable[[], Compiled] = field(repr=False)

    def bounds(self) -> Certificate:
        """Exact bounds on the value from the average: both best responses in fractions."""
        return self._compiled().certify(self.average).certificate

    def __repr__(self) -> str:
        return f"<iteration {self.iteration:,}>"


class Iteration:
    """A solver on its way. Iterating over it continues where the last loop stopped.

    Attributes
    ----------
    form
        The sequence form (`ruse.sequence_form`), without reductions: plans are in its order.
    every
        Iterations between two steps; you can change it in the loop.
    limit
        Iterations after which the loop ends, or None; you can raise it and go on.
    """

    def __init__(self, form: SequenceForm, spec: SolverSpec, task: Task, every: int, limit: int | None) -> None:
        self.form, self.every, self.limit = form, every, limit
        self._spec, self._task = spec, task
        self._run: Iterating = spec.start(task)
        if not callable(getattr(self._run, "run", None)):
            raise UnknownSolver(f"{spec.name} does not iterate; use ruse.solve(game, {spec.name})")

    @property
    def iteration(self) -> int:
        """How many iterations are done."""
        return self._run.iterations

    @property
    def ended(self) -> bool:
        """Whether more iterations would change nothing."""
        return self._run.ended

    def __iter__(self) -> Iteration:
        return self

    def __next__(self) -> Step:
        if self.every < 1:
            raise RuseError(f"expected at least 1 iteration between two steps, got {self.every}")
        left = self.every if self.limit is None else min(self.every, self.limit - self.iteration)
        if left < 1 or self.ended:
            raise StopIteration
        before = self.iteration
        self._run.run(left)
        if self.iteration == before and self.ended:
            raise StopIteration
        return self.step()

    def step(self) -> Step:
        """What the solver has come to, without another iteration."""
        average = self._plans(self._run.weights())
        current = self._plans(self._run.current()) if isinstance(self._run, HasCurrent) else average
        return Step(self.iteration, current, average, lambda: self._task.compiled)

    def _plans(self, weights: Plans) -> Plans:
        sides = self._task.compiled.sides
        first, second = (side.plan(np.array(own)) for side, own in zip(sides, weights, strict=True))
        first.flags.writeable = second.flags.writeable = False
        return first, second

    def state(self) -> dict[str, Array]:
        """All that the solver needs to go on from here, as arrays: copies, which you may change."""
        return {name: np.array(array) for name, array in self._run.state().items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on from a state that `state` gave, or from a changed one."""
        try:
            self._run.restore(state)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise RuseError(f"this is not a state of {self._spec.name} on {self.form.game.title}: {error}") from error

    def __repr__(self) -> str:
        return f"<{self._spec.name} on {self.form.game.title} without reductions, iteration {self.iteration:,}>"


def iterate(
    game: Any,
    solver: str | SolverSpec | Callable[..., Any] = "cfr+",
    *,
    every: int = 1,
    iterations: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Iteration:
    """Run an iterating solver step by step: `for step in ruse.iterate(game, "cfr+")`.

    The game is solved as it is: unlike `ruse.solve`, this uses no reductions, so that iterations can be compared with
    those of other programs. The loop ends when you leave it. A second loop over the same object continues.

    Parameters
    ----------
    game
        A game, or its `ruse.sequence_form`.
    solver
        The name of an iterating solver, or a solver of your own: a class or a generator function
        (docs/how-to/write-a-solver.md).
    every
        Iterations between two steps.
    iterations
        End the loop after that many iterations. `hs-dcfr` plans for them.
    seed
        Random seed of sampling solvers.
    threads
        Number of threads for cfr and its variants (default: all cores).

    Returns
    -------
    Iteration
        An iterator of steps with `iteration`, `plans`, `average` and `bounds()`.

    Raises
    ------
    RuseError
        The solver does not iterate, or raises, or returns weights that are NaN, infinite or of the wrong length.

    Examples
    --------
    >>> import ruse
    >>> run = ruse.iterate(ruse.games.kuhn(), "cfr+")
    >>> for step in run:
    ...     if step.bounds().gap < 0.01:
    ...         break
    >>> run
    <cfr+ on kuhn without reductions, iteration 24>
    >>> next(run).iteration
    25
    """
    for name, number in (("every", every), ("iterations", iterations)):
        if number is not None and number < 1:
            raise RuseError(f"{name} must be at least 1, got {number}")
    form, spec = sequence_form(game), solver_spec(solver)
    if isinstance(solver, str) and not spec.iterates:
        known = ", ".join(solver.name for solver in SOLVERS.values() if solver.iterates)
        raise UnknownSolver(f"{spec.name} does not iterate; use one of {known}, or ruse.solve(game, {spec.name!r})")
    task = Task(spec.name, form.game, form.arrays, iterations=iterations, seed=seed, threads=threads)
    return Iteration(form, spec, task, every, iterations)
