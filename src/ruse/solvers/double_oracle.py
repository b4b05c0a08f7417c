"""The double oracle on the sequence form (Bošanský, Kiekintveld, Lisý and Pěchouček 2014).

Both sides begin with one move at each information set, their default actions. Each round solves the restricted game,
asks what the whole game has to offer against each side's plan, and makes the better moves playable:

    (x, y) optimal in the restricted game,  v its value,
    W[s] = what sequence s of side 0 is worth against y if all moves may follow,  and the same for side 1 against x,
    wherever playable moves lead: add the best move, if W says that it beats every playable one.

Why it is right. If nothing is added for side 0, then at every information set that it can reach some playable move is
best; playing those is a best response in the whole game and stays in the restricted one, so

    upper(y)  =  max over all x' of x' A y  =  max over playable x' of x' A y  =  v,

and for side 1 likewise lower(x) = v: the bounds meet. Otherwise the restricted game has grown, which it can do only
as often as there are moves. And however the rounds go, x and y are plans of the whole game (`restricted`), so their
bounds always hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.clock import TimeIsUp, regardless, tick
from ruse.core.exact import common_denominator
from ruse.forms.certificate import Plan, certify, gains
from ruse.forms.integer_form import Compiled, Weights
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.kernels import restriction, sweeps
from ruse.solvers.growing_lp import GrowingLp
from ruse.solvers.highs import DoesNotFit, SolverError
from ruse.solvers.lcp import lcp_bytes, lcp_in_digits
from ruse.solvers.plans import CertifiedPlans, Plans, better, why_stopped
from ruse.solvers.restricted import Masks, restrict
from ruse.solvers.spec import Task

Inner = Callable[[FormArrays], Weights]  # any solver, for the restricted games
Report = Callable[[int, float, float], None]  # the round, and the best bounds so far
MARGIN = 1e-9  # of the largest entry of A: what is better by less is left to exact arithmetic
SHARE = 1e-3  # of the weights of an information set: moves with more belong to the support


def run(task: Task) -> CertifiedPlans | DoubleOracle:
    """Exact plans where nothing less will do, else a run."""
    oracle = DoubleOracle(task.compiled)
    if not task.exactly:
        return oracle
    solved = finish(oracle, report=lambda rounds, *bounds: task.report(f"round {rounds} of best responses", *bounds))
    needed, whole = oracle.restricted.sequences, [tree.sequences for tree in task.form.trees]
    return replace(
        solved,
        note=f"it needed {needed[0]:,} + {needed[1]:,} of {whole[0]:,} + {whole[1]:,} sequences, "
        f"in {oracle.rounds} rounds",
    )


class DoubleOracle:
    """A run on a form (an `Iterating`): one iteration is one round. After the last one, more change nothing.

    Without a `start`, the default actions answer a side that plays anything. With the weights of another solver, their
    support is playable from the beginning, and default actions answer those weights. `inner` solves the restricted
    games; without it, HiGHS does, each from the basis of the last.
    """

    def __init__(self, compiled: Compiled, inner: Inner | None = None, start: Weights | None = None) -> None:
        self.iterations = 0
        self.rounds = 0  # iterations that did something
        self.ended = False
        self.bounds = (-np.inf, np.inf)  # the best so far, in floats
        self._compiled, self._inner = compiled, inner
        self._margin = MARGIN * compiled.largest
        self.playable, defaults = _begin(compiled, start)
        self.restricted = restrict(compiled.form, self.playable)
        self._lp = GrowingLp(compiled.form, defaults)
        first, second = (mask.astype(float) for mask in self.playable)
        self._best = first, second

    @property
    def form(self) -> FormArrays:
        """Of the whole game."""
        return self._compiled.form

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            if not self.ended:
                self._round()

    def _round(self) -> None:
        self.rounds += 1
        small = self.restricted
        try:
            weights = small.weights(self._lp.weights(small) if self._inner is None else self._inner(small.form))
        except SolverError:  # floats can do no more
            self.ended = True
            return
        values = _values(self._compiled, 0, weights[1]), _values(self._compiled, 1, weights[0])
        lower, upper = -float(values[1][0]), float(values[0][0])
        first, second = self._best
        self._best = weights[0] if lower > self.bounds[0] else first, weights[1] if upper < self.bounds[1] else second
        self.bounds = max(lower, self.bounds[0]), min(upper, self.bounds[1])
        self.ended = not self._extend(values, self._margin)

    def _extend(self, values: tuple[Array, Array], margin: float) -> bool:
        """Add the moves that are worth more than the playable ones; False if there are none."""
        added = 0
        for tree, own, mask in zip(self._compiled.form.trees, values, self.playable, strict=True):
            kernel = restriction.extend.py_func if own.dtype == object else restriction.extend
            added += kernel(tree.parent, tree.first, own, margin, mask)
        if added:
            self.restricted = restrict(self._compiled.form, self.playable)
        return added > 0

    def weights(self) -> Weights:
        """Each side's plan that guarantees most of those so far."""
        return self._best

    def solved(self) -> CertifiedPlans:
        """Both sides' optimal plans for the restricted game in fractions, with their certificate in the whole one.

        Where it is not exact, the moves that exact best responses ask for have been added.
        """
        form = self.form
        whole = self.restricted.plans(self._exactly())
        certificate = certify(form, whole)
        if not certificate.exact:
            self.ended = not self._extend((_exact_values(form, 0, whole[1]), _exact_values(form, 1, whole[0])), 0)
        return CertifiedPlans(whole, certificate, self.rounds)

    def so_far(self) -> CertifiedPlans:
        """The best plans of the rounds in floats, with their certificate."""
        with regardless():
            certified = self._compiled.certify(self._best)
            return CertifiedPlans(certified.fractions(), certified.certificate, self.rounds)

    def _exactly(self) -> Plans:
        """Optimal plans of the restricted game: what HiGHS found if its fractions are, else in many digits."""
        form = self.restricted.form
        try:
            for plans in self._lp.candidates(self.restricted):
                if certify(form, plans).exact:
                    return plans
        except SolverError:
            pass
        if (needed := lcp_bytes(form, exact=True)) > size_estimate.SHARE * size_estimate.free_bytes():
            raise DoesNotFit(
                f"expected a game of exact strategies that fits in memory, got one of {needed / (1 << 30):.1f} GB"
            )
        return lcp_in_digits(form).plans

    def state(self) -> dict[str, Array]:
        return {
            "playable0": self.playable[0],
            "playable1": self.playable[1],
            "best0": self._best[0],
            "best1": self._best[1],
            "bounds": np.array(self.bounds),
            "done": np.array([self.iterations, self.rounds, self.ended]),
            **self._lp.state(),
        }

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, own in self.state().items():
            if state[name].shape != own.shape:
                raise ValueError(f"expected {own.shape} numbers in {name}, got {state[name].shape}")
        self.playable = state["playable0"].astype(bool), state["playable1"].astype(bool)
        self._best = state["best0"].astype(float), state["best1"].astype(float)
        lower, upper = state["bounds"].tolist()
        self.bounds = lower, upper
        self.iterations, self.rounds, ended = (int(number) for number in state["done"])
        self.ended = bool(ended)
        self._lp.restore(state)
        self.restricted = restrict(self._compiled.form, self.playable)


def double_oracle(form: FormArrays, inner: Inner | None = None, report: Report = lambda *_: None) -> CertifiedPlans:
    """Solve exactly."""
    return finish(DoubleOracle(Compiled(form), inner), report=report)


def finish(oracle: DoubleOracle, most: float = np.inf, report: Report = lambda *_: None) -> CertifiedPlans:
    """Run to the end in floats, lift to fractions, and go on while exact best responses still add moves.

    Stops early after `most` rounds, when the time is up, when interrupted, or where the memory does not suffice, with
    the best plans so far; what stops it before the first round is over is raised. `report` hears each round.
    """
    best: CertifiedPlans | None = None
    stopped = ""
    try:
        while best is None or not (best.certificate.exact or oracle.ended or oracle.rounds >= most):
            while not oracle.ended and oracle.rounds < most:
                tick()
                oracle.run(1)
                report(oracle.rounds, *oracle.bounds)
            solved = oracle.solved()
            best = solved if best is None else better(best, oracle.form, solved.plans)
            report(oracle.rounds, float(best.certificate.lower), float(best.certificate.upper))
    except (TimeIsUp, KeyboardInterrupt, SolverError) as error:
        if oracle.bounds[0] == -np.inf:
            raise
        stopped = why_stopped(error)
        best = oracle.so_far() if best is None else best
    return replace(best, iterations=oracle.rounds, stopped=stopped)


def _begin(compiled: Compiled, start: Weights | None) -> tuple[Masks, tuple[Array, Array]]:
    """What is playable at first, and the default action of each information set."""
    masks, defaults = [], []
    for side, tree in enumerate(compiled.form.trees):
        other = compiled.sides[1 - side].sequences
        values = _values(compiled, side, np.ones(other) if start is None else start[1 - side])
        best = np.empty_like(tree.parent)
        restriction.best_moves(tree.first, values, best)
        mask = _support(tree, np.zeros(tree.sequences) if start is None else np.maximum(start[side], 0.0))
        mask[best] = True
        masks.append(mask)
        defaults.append(best)
    return (masks[0], masks[1]), (defaults[0], defaults[1])


def _support(tree: Treeplex, weights: Array) -> Array:
    """The root, and the moves with more than SHARE of the weights of their information set: bool[sequences]."""
    running = np.append(0.0, np.cumsum(weights))
    totals = running[tree.first[1:]] - running[tree.first[:-1]]
    return np.append(True, weights[1:] > SHARE * np.repeat(totals, np.diff(tree.first)))


def _values(compiled: Compiled, side: int, weights: Array) -> Array:
    """What each sequence of a side is worth in a best response to the other side's weights: float64[sequences]."""
    own, other = compiled.sides[side], compiled.sides[1 - side]
    values = own.gains(other.plan(weights))
    sweeps.best_response(own.parent, own.first, values)
    return values


def _exact_values(form: FormArrays, side: int, plan: Plan) -> Array:
    """Return the values of sequences in whole numbers, in one unit for all: object[sequences]."""
    whole, _ = common_denominator(plan)
    values = np.array(gains(form, side, whole), dtype=object) * (1, -1)[side]
    sweeps.best_response.py_func(form.trees[side].parent, form.trees[side].first, values)
    return values
