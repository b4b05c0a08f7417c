"""Solvers of other people: entry points of the group `ruse.solvers`, or handed over in Python; asked through a guard.

    [project.entry-points."ruse.solvers"]
    mine = "package.module:NAME"

NAME is a `SolverSpec`, or a function or class from which one is made: a function gives weights of both sides, a
generator function yields them once per iteration, a class makes runs with the methods of `Iterating`. Nobody has to
believe them. Weights become plans that ruse certifies, whatever the solver says that they are worth, and what a solver
raises is one sentence.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from ruse.core import entry_points
from ruse.core.contract import exact
from ruse.core.entry_points import Broken, Failed, theirs
from ruse.solvers.spec import InvalidWeights, SolverSpec, Task, UnknownSolver

if TYPE_CHECKING:
    from ruse.core.arrays import Array
    from ruse.forms.sequence_form import FormArrays
    from ruse.solvers.iterating import Iterating
    from ruse.solvers.plans import CertifiedPlans

GROUP = "ruse.solvers"  # of entry points
NAME = re.compile(r"[a-z0-9][a-z0-9+-]*")
METHODS = ("run", "weights", "state", "restore")  # of a run
NEEDED = METHODS[:2]  # without checkpoints


def names(taken: Collection[str]) -> list[str]:
    return entry_points.named(GROUP, taken)


def load(name: str, taken: Collection[str]) -> SolverSpec | None:
    """The solver of an installed package, or None."""
    point = entry_points.installed(GROUP, "solver", NAME, taken).get(name)
    if point is None:
        return None
    try:
        return _spec(point)
    except Broken as error:
        raise UnknownSolver(str(error)) from error


def working(taken: Collection[str]) -> list[str]:
    """The names of those that load; one that fails gets a word on stderr, and is left out."""
    loaded = []
    for name, point in entry_points.installed(GROUP, "solver", NAME, taken).items():
        try:
            _spec(point)
            loaded.append(name)
        except Broken as error:
            entry_points.warn_once(f"{error}; ruse continues without it")
    return loaded


def handed_over(solver: object) -> SolverSpec:
    """A solver that somebody hands over in Python."""
    name = solver.name if isinstance(solver, SolverSpec) else getattr(solver, "__name__", type(solver).__name__)
    try:
        return _made(str(name), solver, "ruse.solve", NEEDED)
    except Broken as error:
        raise UnknownSolver(str(error)) from error


def check_resumable(solver: object) -> None:
    """Refuse a checkpoint for a solver that was handed over and cannot be saved."""
    if inspect.isgeneratorfunction(solver):
        raise UnknownSolver(
            f"{solver.__name__} is a generator function, which a checkpoint cannot save: write a class, or leave the "
            "checkpoint out"
        )
    missing = [method for method in METHODS if not callable(getattr(solver, method, None))]
    if isinstance(solver, type) and missing:
        raise UnknownSolver(f"{solver.__name__} has no {' and no '.join(missing)}, which a checkpoint needs")


def _spec(point: EntryPoint) -> SolverSpec:
    return _made(point.name, entry_points.loaded(point), entry_points.entry_point_text(point), METHODS)


def _made(name: str, target: object, source: str, methods: Collection[str]) -> SolverSpec:
    """The guarded solver that a `SolverSpec`, a class or a function stands for."""
    if isinstance(target, SolverSpec):
        if target.goes_by != "form":
            raise Broken(f"expected a solver with goes_by='form' for {source}, got {target.goes_by!r}")
        made = replace(target, name=name)
    elif callable(target):
        iterates = isinstance(target, type) or inspect.isgeneratorfunction(target)
        missing = [method for method in methods if not callable(getattr(target, method, None))]
        if missing and isinstance(target, type):
            raise Broken(
                f"expected a class with the methods {', '.join(methods)} for {source}, got {target.__name__}, "
                f"which has no {' and no '.join(missing)}"
            )
        summary = (inspect.getdoc(target) or "").partition("\n")[0]
        made = SolverSpec(name, summary, target, iterates=iterates, anytime=iterates)
    else:
        raise Broken(f"expected a SolverSpec, a class or a function for {source}, got {type(target).__name__}")

    def run(task: Task) -> CertifiedPlans | Iterating:
        with theirs(f"the solver {made.name}", "solve"):
            given = made.start(_read_only(task))
        if isinstance(given, Iterator):
            given = Generated(made.name, given)
        if all(callable(getattr(given, method, None)) for method in NEEDED):
            return Guarded(made.name, given, task.form)
        return _judged(made.name, given, task.form)

    return replace(made, run=run)


def _read_only(task: Task) -> Task:
    """The task with a form whose arrays nobody can change: other solvers and the certificate read the same ones."""
    if task.walked is None:
        return task
    form = task.walked
    first, second = (replace(tree, parent=_view(tree.parent), first=_view(tree.first)) for tree in form.trees)
    rows, columns, payoffs = map(_view, (form.rows, form.columns, form.payoffs))
    return replace(task, walked=replace(form, trees=(first, second), rows=rows, columns=columns, payoffs=payoffs))


def _view(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def _judged(name: str, given: Any, form: FormArrays) -> CertifiedPlans:
    """Plans in proportion to somebody's weights, with their true certificate."""
    from ruse.forms.certificate import certify
    from ruse.solvers.plans import CertifiedPlans, exact_plan

    iterations = 0
    if isinstance(given, CertifiedPlans):
        given, iterations = given.plans, given.iterations
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise Failed(
            f"expected weights of both sides, or a run with the methods {', '.join(METHODS)}, from the solver {name}, "
            f"got {type(given).__name__}"
        )
    first, second = (
        exact_plan(form.trees[side], _fractions(name, given[side], form.trees[side].sequences)) for side in (0, 1)
    )
    return CertifiedPlans((first, second), certify(form, (first, second)), iterations)


def _fractions(name: str, weights: Any, sequences: int) -> list[Fraction]:
    """Weights of a side, as they are: a float is the fraction that it stands for."""
    with theirs(f"the solver {name}", "give weights"):
        # numpy's numbers are no Fractions
        listed = [weight.item() if hasattr(weight, "item") else weight for weight in weights]
    if len(listed) != sequences:
        raise Failed(f"expected {sequences:,} weights, one per sequence, from the solver {name}, got {len(listed):,}")
    fractions = []
    for number, weight in enumerate(listed):
        with theirs(f"the solver {name}", f"give numbers as weights, at sequence {number}"):
            fractions.append(Fraction(weight) if isinstance(weight, float) else exact(weight))
        last = fractions[-1]
        if last is not None and last < 0:
            raise InvalidWeights(f"{name} returned a negative weight for sequence {number}")
        if last is None:
            raise Failed(
                f"expected a number as the weight of sequence {number}, from the solver {name}, got {weight!r:.40}"
            )
    return [weight for weight in fractions if weight is not None]


def _wrong(weights: Array) -> str:
    """Why weights are no odds, if they are not: "NaN", "infinite" or "negative"."""
    import numpy as np

    wrong = {"NaN": np.isnan(weights), "infinite": np.isinf(weights), "negative": weights < 0}
    return next((name for name, mask in wrong.items() if mask.any()), "")


class Generated:
    """A generator of weights as a run: one iteration is one step of the generator."""

    def __init__(self, name: str, weights: Iterator[Any]) -> None:
        self.iterations, self.ended = 0, False
        self._name, self._steps = name, weights
        self._last: Any = None

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            try:
                self._last = next(self._steps)
            except StopIteration:
                self.ended = True
                break
            self.iterations += 1
        if not self.iterations:
            raise Failed(f"the solver {self._name} ended without yielding strategies; yield weights of both sides")

    def weights(self) -> Any:
        return self._last

    def state(self) -> dict[str, Any]:
        raise Failed(f"the solver {self._name} is a generator and has no state; write a class to save it")

    def restore(self, state: Mapping[str, Any]) -> None:
        self.state()


class Guarded:
    """A run of somebody's solver as an `Iterating`: ruse counts its iterations and looks at its arrays."""

    def __init__(self, name: str, given: Any, form: FormArrays) -> None:
        self.iterations = 0
        self._name, self._given = name, given
        self._sequences = [tree.sequences for tree in form.trees]

    @property
    def ended(self) -> bool:
        return getattr(self._given, "ended", False) is True

    def run(self, iterations: int) -> None:
        with theirs(f"the solver {self._name}", f"continue after iteration {self.iterations:,}"):
            self._given.run(iterations)
        generated = isinstance(self._given, Generated)  # which may have ended before
        self.iterations = self._given.iterations if generated else self.iterations + iterations

    def weights(self) -> tuple[Array, Array]:
        return self._checked(self._given.weights)

    def current(self) -> tuple[Array, Array]:
        """The plans of the last iteration, where the run has a method of that name; else its weights."""
        return self._checked(getattr(self._given, "current", self._given.weights))

    def _checked(self, give: Callable[[], Any]) -> tuple[Array, Array]:
        import numpy as np

        with theirs(f"the solver {self._name}", f"give weights of both sides at iteration {self.iterations:,}"):
            first, second = (np.asarray(own, dtype=np.float64) for own in give())
        if [first.shape, second.shape] != [(sequences,) for sequences in self._sequences]:
            wanted = " and ".join(f"{sequences:,}" for sequences in self._sequences)
            got = " and ".join("×".join(map(str, own.shape)) or "one" for own in (first, second))
            raise Failed(
                f"expected {wanted} weights from the solver {self._name} at iteration {self.iterations:,}, got {got}"
            )
        for own in (first, second):
            if wrong := _wrong(own):
                raise InvalidWeights(f"{self._name} returned {wrong} weights at iteration {self.iterations:,}")
        return first, second

    def state(self) -> dict[str, Array]:
        import numpy as np

        with theirs(f"the solver {self._name}", "give its state as arrays"):
            kept = {f"own.{name}": np.asarray(array) for name, array in self._given.state().items()}
        return {**kept, "iterations": np.array([self.iterations])}

    def restore(self, state: Mapping[str, Array]) -> None:
        (self.iterations,) = (int(number) for number in state["iterations"])
        kept = {name.removeprefix("own."): array for name, array in state.items() if name.startswith("own.")}
        with theirs(f"the solver {self._name}", "continue from its state"):
            self._given.restore(kept)
