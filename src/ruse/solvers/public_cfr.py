"""The variants of ruse.solvers.cfr on a public tree: the same iterates, but hands side by side and pieces in parallel.

Regrets and averages are laid out by (node, move, hand), a row a child (ruse.forms.public_layout). What the odds are is
worked out from regrets where they are needed, and the average of a plan is taken on the next pass that goes by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import RuseError
from ruse.forms.chunked import ChunkTeam, begins
from ruse.forms.public_layout import Layout
from ruse.kernels import public as kernel
from ruse.solvers.spec import NotANumber, Task
from ruse.solvers.variants import PLANNED, VARIANTS, CfrVariant

Pair = tuple[Array, Array]
STRETCHES = 6  # of pieces, for each thread to take one after another: who comes late does fewer


def run(task: Task) -> PublicCfr:
    variant, planned = VARIANTS[task.solver], task.iterations or PLANNED
    return PublicCfr(task.layout, variant, planned, task.precision, task.threads)


class PublicCfr:
    """A run of a variant on a public tree (an `Iterating`, but that weights are rows)."""

    ended = False

    def __init__(
        self,
        layout: Layout,
        variant: CfrVariant,
        planned: int = PLANNED,
        precision: str = "float64",
        workers: int | None = None,
    ) -> None:
        if not variant.alternate:
            raise RuseError("expected sides that are updated in turn on a public tree, got both at once")
        self.iterations = 0
        self.layout = layout
        self._variant, self._planned = variant, planned
        self._kind = np.dtype(precision).type
        self._fixed = layout.numbers(self._kind)
        self._regrets = self._rows()
        self._hopes = self._rows() if variant.predicts else (self._empty(1), self._empty(1))
        self._totals = self._rows()
        self._pending = False
        self._fade = self._kind(0)
        self._tops = tuple(self._top(side) for side in (0, 1))
        self._chunks = ChunkTeam(layout, workers)
        workers = self._chunks.workers
        self._begins = begins(layout, STRETCHES * workers if workers > 1 else 1)
        self._scratches = [
            tuple(self._scratch(side, *(laid.slots for laid in layout.sides)) for side in (0, 1))
            for _ in range(self._chunks.workers)
        ]

    def _empty(self, numbers: int) -> Array:
        return np.zeros(numbers, dtype=self._kind)

    def _rows(self) -> Pair:
        return self._empty(self.layout.numbers_of(0)), self._empty(self.layout.numbers_of(1))

    def _scratch(self, me: int, *slots: int) -> Pair:
        """Room for the weights of the other side's hands, and what mine are worth, in so many slots of each side."""
        other, mine = (self._empty(slots[side] * self.layout.sides[side].width) for side in (1 - me, me))
        return other, mine

    def _top(self, me: int) -> tuple[Array, Array, Array]:
        """Return arrays for the top, and the values of the other pieces. The other side's hands weigh 1 at the root."""
        layout = self.layout
        reach, values = self._scratch(me, *(int(side.start[1]) + 1 for side in layout.sides))
        reach[: layout.tree.hands[1 - me]] = 1
        return reach, values, self._empty(layout.pieces * layout.sides[me].width)

    def run(self, iterations: int) -> None:
        steps = self._variant.steps(self.iterations, iterations, self._planned).astype(self._kind)
        if self.layout.tree.chosen:
            for n in range(2 * iterations):
                self._choose(1 - n % 2, self._fade if n % 2 == 0 else steps[n // 2, 4], n > 0 or self._pending)
                self._passes(steps, n, n + 1)
                self._learn(n % 2, steps[n // 2])
                self._pending, self._fade = True, steps[n // 2, 4]
        else:
            self._passes(steps, 0, 2 * iterations)
        self._pending, self._fade = True, steps[-1, 4]
        self.iterations += iterations

    def _passes(self, steps: Array, first: int, last: int, learns: bool = True) -> None:
        """Passes first:last by all threads, two a step; without learning, they only add to the sums of plans."""
        moving = self._regrets, self._hopes, self._totals, steps, self._fade
        going = self._pending, self._variant.floor, self._variant.predicts, learns

        def work(shared: Array, worker: int) -> None:
            room = self._tops, self._scratches[worker]
            kernel.passes(self._fixed, moving, going, room, first, last, self._begins, shared, worker)

        self._chunks.team.run_shared(work)

    def _odds(self, side: int) -> Array:
        """Of a side's hands, where it chooses them."""
        source = self.layout.choice((self._hopes if self._variant.predicts else self._regrets)[side], side)
        positive = np.maximum(source, 0)
        total = positive.sum(dtype=self._kind)
        even = total <= np.finfo(self._kind).tiny
        return np.full_like(positive, 1 / len(positive)) if even else positive / total

    def _choose(self, side: int, fade: Any, average: bool) -> None:
        """What a side's hands weigh, by its own choice."""
        odds = self._odds(side)
        self._tops[1 - side][0][: len(odds)] = odds
        if average:
            total = self.layout.choice(self._totals[side], side)
            total[:] = total * fade + odds

    def _learn(self, me: int, step: Array) -> None:
        """New regrets of my hands, where I choose them: what the kernel does at nodes."""
        keep, keep_negative, lean, predict = step[:4]
        odds, regret = self._odds(me), self.layout.choice(self._regrets[me], me)
        values = self._tops[me][1][: len(odds)]
        better = values - odds @ values
        regret[:] = regret * np.where(regret > 0, keep, keep_negative) + better
        if self._variant.floor:
            regret[:] = np.maximum(regret, 0)
        if self._variant.predicts:
            self.layout.choice(self._hopes[me], me)[:] = regret * lean + predict * better

    def _settle(self) -> None:
        """Take the average of side 1's last plan, which the next pass would take."""
        if self._pending:
            if self.layout.tree.chosen:
                self._choose(1, self._fade, average=True)
            self._passes(np.zeros((1, 5), dtype=self._kind), 0, 1, learns=False)
            self._pending = False

    def weights(self) -> Pair:
        """The sums of plans: in each row's node in proportion to the odds that the run would play, for each hand."""
        self._settle()
        for numbers in (*self._totals, *self._regrets):
            if not np.isfinite(numbers).all():
                advice = ": use float64" if self._kind == np.float32 else ""
                raise NotANumber(
                    f"expected finite regrets after {self.iterations:,} iterations in {self._kind.__name__}, "
                    f"got some that are not{advice}"
                )
        first, second = self._totals
        return first.copy(), second.copy()

    def state(self) -> dict[str, Array]:
        self._settle()
        names = ("regret", "total", *(["hope"] if self._variant.predicts else []))
        kept = {f"{name}{side}": self._named(name)[side] for name in names for side in (0, 1)}
        return {**kept, "done": np.array([self.iterations, self._planned])}

    def _named(self, name: str) -> Pair:
        return {"regret": self._regrets, "total": self._totals, "hope": self._hopes}[name]

    def restore(self, state: Mapping[str, Array]) -> None:
        for key, numbers in self.state().items():
            if key == "done":
                continue
            saved = state[key]
            if saved.shape != numbers.shape or not np.isfinite(saved).all():
                raise ValueError(f"expected {len(numbers)} finite numbers in {key}")
            numbers[:] = saved
        self.iterations, self._planned = (int(number) for number in state["done"])
        self._pending = False
