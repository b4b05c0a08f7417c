"""The five methods of Cauwet & Teytaud 2018 (§II-B to E), and optimisers of the library nevergrad beside them.

Four of them are one loop, a (1+1) evolution strategy (Rechenberg 1973): mutate every parameter,

    x' = x + σ N(0, 1),

hold a race, and take x' with σ ← 2σ if it wins it, else keep x with σ ← 0.84σ. They differ in the race: against the
baseline, both x' and x (naive, Algorithm 1); x' against x (iterative, 2); against every strategy accepted so far (real
coevolution, 3); against one of them, drawn at random (approximate coevolution, 4). The seed method draws strategies,
lets all of them meet and picks the one with the best average.

Every random number is drawn from the seed and the number of the iteration: a search that goes on from a checkpoint
does what it would have done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ruse.contests.arena.contest import Contest
from ruse.contests.budget import BudgetError, MatchRunner
from ruse.core.arrays import Array

UP, DOWN = 2.0, 0.84  # of the step size
LEAST_STEP, MOST_STEP = 1e-12, 1e6
MEETINGS = 20  # matches of each pair in the seed method
DRAWN = 200  # matches to judge a suggestion of nevergrad by
FIRST_SERIES = 1_000  # of an iteration; below are the races with a population of so many


class Method(Protocol):
    """A search on its way."""

    @property
    def iterations(self) -> int: ...

    @property
    def best(self) -> Array:
        """The strategy so far."""

    @property
    def step_size(self) -> float: ...

    def format_progress(self, runner: MatchRunner) -> str:
        """Describe the progress in a few words."""

    def step(self, runner: MatchRunner) -> bool:
        """Run one iteration; return whether it accepted a new strategy. Raise Spent, with nothing changed."""

    def state(self) -> dict[str, Array]: ...

    def restore(self, state: Mapping[str, Array]) -> None: ...


class OnePlusOne:
    """The evolution strategy; `kind` decides whom a mutant has to beat."""

    def __init__(self, contest: Contest, seed: int, kind: str) -> None:
        self._kind, self._seed = kind, seed
        self._baseline = contest.baseline
        self._x = contest.baseline
        self.step_size = 1.0
        self._population = [self._x]  # all that were accepted
        self.iterations = 0

    @property
    def best(self) -> Array:
        return self._x

    def format_progress(self, runner: MatchRunner) -> str:
        return f"{runner.last:.1%} in the last race, step size {self.step_size:.3g}"

    def step(self, runner: MatchRunner) -> bool:
        random = np.random.default_rng([self._seed, self.iterations])
        mutant = self._x + self.step_size * random.standard_normal(len(self._x))
        series = FIRST_SERIES * (self.iterations + 1)
        if self._kind == "naive":
            won = runner.does_better(mutant, self._x, self._baseline, series)
        else:
            drawn = self._population[random.integers(len(self._population))]
            rivals = {"iterative": [self._x], "real": self._population, "approximate": [drawn]}[self._kind]
            won = all(runner.beats(mutant, rival, series + number) for number, rival in enumerate(rivals))
        if won:
            self._x = mutant
            if self._kind in ("real", "approximate"):
                self._population.append(mutant)
        self.step_size = min(max(self.step_size * (UP if won else DOWN), LEAST_STEP), MOST_STEP)
        self.iterations += 1
        return won

    def state(self) -> dict[str, Array]:
        step, done = np.array([self.step_size]), np.array([self.iterations], dtype=np.int64)
        return {"x": self._x, "step": step, "population": np.array(self._population), "done": done}

    def restore(self, state: Mapping[str, Array]) -> None:
        _check_width(state["population"], len(self._x))
        if state["x"].shape != self._x.shape:
            raise ValueError(f"expected {len(self._x)} parameters, got {state['x'].shape}")
        if not len(state["population"]) or int(state["done"][0]) < 0 or not float(state["step"][0]) > 0:
            raise ValueError("expected a population, iterations and a step size")
        self._x = state["x"]
        self._population = list(state["population"])
        self.step_size, self.iterations = float(state["step"][0]), int(state["done"][0])


class Seeds:
    """The seed method, with one more strategy per iteration, so that it can stop at any time."""

    step_size = 1.0

    def __init__(self, contest: Contest, seed: int) -> None:
        self._seed = seed
        self._people = np.empty((0, contest.parameters))
        self._won = np.empty((0, 2))  # score and matches of each
        self._baseline = contest.baseline

    @property
    def iterations(self) -> int:
        return len(self._people)

    @property
    def best(self) -> Array:
        if len(self._people) < 2:
            return self._people[0] if len(self._people) else self._baseline
        best: Array = self._people[int(np.argmax(self._won[:, 0] / self._won[:, 1]))]
        return best

    def format_progress(self, runner: MatchRunner) -> str:
        return f"the best of {self.iterations:,} has {(self._won[:, 0] / np.maximum(self._won[:, 1], 1)).max():.1%}"

    def step(self, runner: MatchRunner) -> bool:
        before = self.best
        drawn = np.random.default_rng([self._seed, self.iterations]).standard_normal(len(self._baseline))
        series = FIRST_SERIES * (self.iterations + 1)
        met = [runner.scores(drawn, other, series + n, 0, MEETINGS).sum() for n, other in enumerate(self._people)]
        mine = np.array([sum(met), MEETINGS * len(met)], dtype=float)
        theirs = np.array([[MEETINGS - score, MEETINGS] for score in met], dtype=float).reshape(-1, 2)
        self._won = np.vstack([self._won + theirs, mine])
        self._people = np.vstack([self._people, drawn])
        return bool((self.best != before).any())

    def state(self) -> dict[str, Array]:
        return {"people": self._people, "won": self._won}

    def restore(self, state: Mapping[str, Array]) -> None:
        _check_width(state["people"], len(self._baseline))
        if state["won"].shape != (len(state["people"]), 2):
            raise ValueError(f"expected two numbers for each of {len(state['people'])} strategies")
        if len(state["won"]) > 1 and not (state["won"][:, 1] > 0).all():
            raise ValueError("expected matches of every strategy")
        self._people, self._won = state["people"], state["won"]


class Nevergrad:
    """Any optimiser of nevergrad (Rapin & Teytaud 2018), scored against the baseline."""

    step_size = 1.0

    def __init__(self, contest: Contest, seed: int, name: str) -> None:
        try:
            import nevergrad
        except ImportError as error:
            raise BudgetError(
                f"nevergrad:{name} needs the package nevergrad: install it with pip install 'ruse[nevergrad]'"
            ) from error
        if name not in nevergrad.optimizers.registry:
            raise BudgetError(f"expected an optimiser of nevergrad, such as nevergrad:TwoPointsDE, got {name!r}")
        parametrization = nevergrad.p.Array(shape=(contest.parameters,))
        parametrization.random_state.seed(seed % (1 << 32))
        self._optimizer: Any = nevergrad.optimizers.registry[name](parametrization=parametrization, budget=10**6)
        self._baseline = contest.baseline
        self.iterations = 0

    @property
    def best(self) -> Array:
        if not self.iterations:
            return self._baseline
        recommendation: Array = np.asarray(self._optimizer.provide_recommendation().value, dtype=np.float64)
        return recommendation

    def format_progress(self, runner: MatchRunner) -> str:
        return f"{runner.last:.1%} against the baseline at the last try"

    def step(self, runner: MatchRunner) -> bool:
        asked = self._optimizer.ask()
        series = FIRST_SERIES * (self.iterations + 1)
        score = runner.scores(np.asarray(asked.value, dtype=np.float64), self._baseline, series, 0, DRAWN).mean()
        runner.last = float(score)
        self._optimizer.tell(asked, 1.0 - runner.last)
        self.iterations += 1
        return True

    def state(self) -> dict[str, Array]:
        raise BudgetError("checkpoints work only with ruse's own methods, not with nevergrad's")

    def restore(self, state: Mapping[str, Array]) -> None:
        self.state()


def _check_width(people: Array, width: int) -> None:
    if people.ndim != 2 or people.shape[1] != width:
        raise ValueError(f"expected strategies of {width} parameters, got {people.shape}")


METHODS = ("naive", "iterative", "real", "approximate", "seed")
PLUGGED = "nevergrad:"


def method(name: str, contest: Contest, seed: int) -> Method:
    """A search by that method, at its beginning."""
    if name.startswith(PLUGGED):
        return Nevergrad(contest, seed, name.removeprefix(PLUGGED))
    if name not in METHODS:
        raise BudgetError(f"expected a method, one of {', '.join(METHODS)} or nevergrad:OPTIMISER, got {name!r}")
    return Seeds(contest, seed) if name == "seed" else OnePlusOne(contest, seed, name)
