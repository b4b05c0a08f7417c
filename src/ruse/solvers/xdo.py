"""XDO, the extensive-form double oracle with regret minimisation inside (McAleer, Lanier, Wang, Baldi and Fox 2021).

As in `ruse.solvers.double_oracle`, both sides play a restricted game, which grows by best responses in the whole game.
No LP is solved: SAPCFR+ iterates on the restricted game until it is solved well enough, that is

    gap in the restricted game  <=  ENOUGH * gap in the whole game.

The rest of what the plans can lose is then lost to moves that are not playable yet. The best of these are added, and
the iterations go on: regrets and plans of the old restricted game are those of the new one, with the new moves not yet
played (XODO in the same paper goes on in this way). Averages begin anew: with those of the old game, liar's dice takes
ten times as many iterations. If no move outside is better, both gaps are equal and the game does not grow. In the paper
the restricted gap falls below a number that is halved from time to time; comparing with the gap in the whole game needs
no such number.

PSRO (Lanctot et al. 2017) mixes whole strategies once, before play begins. That may take exponentially many of them,
and what it solves is a payoff table. XDO mixes at every information set, so its restricted game is again a sequence
form, and it grows at most as often as there are sequences.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.integer_form import Compiled, Weights
from ruse.kernels import restriction, sweeps
from ruse.solvers.cfr import Cfr
from ruse.solvers.restricted import Masks, Restricted, restrict
from ruse.solvers.spec import Task
from ruse.solvers.variants import VARIANTS

INNER = VARIANTS["sapcfr+"]  # on the restricted game
ENOUGH = 0.8  # of the gap in the whole game
EVERY = 5  # iterations after a growth until both gaps are compared, and a third more each time from then on
CARRIED = ("regret", "odds", "plan")  # of a run, when the game grows; averages begin anew
MARGIN = 1e-9  # of the largest payoff: moves that are better by less do not count


def run(task: Task) -> Xdo:
    return Xdo(task.compiled, task.threads)


class Xdo:
    """A run on a form (an `Iterating`): an iteration is one of regret minimisation on the restricted game."""

    ended = False

    def __init__(self, compiled: Compiled, workers: int | None = None) -> None:
        self.iterations = 0
        self.rounds = 0  # how often the restricted game has grown
        self._compiled, self._workers = compiled, workers
        self._since = 0  # iterations when it last grew
        self._compare_at = 1  # iterations when both gaps are compared next
        self._play(_single_moves(compiled))

    def _play(self, playable: Masks) -> None:
        """Set up the restricted game with these moves."""
        self.playable = playable
        self.restricted = restrict(self._compiled.form, playable)
        self._small = Compiled(self.restricted.form)
        self._inner = Cfr(self._small, INNER, workers=self._workers)

    def run(self, iterations: int) -> None:
        last = self.iterations + iterations
        while self.iterations < last:
            if self.iterations >= self._compare_at:
                self._compare()
            portion = min(last, self._compare_at) - self.iterations
            self._inner.run(portion)
            self.iterations += portion

    def _compare(self) -> None:
        """Let the game grow if it is solved well enough, and say when to look again."""
        inner, weights = self._inner.weights(), self.weights()
        values = self._values(0, weights[1]), self._values(1, weights[0])
        lower, upper = self._small.bounds(inner)
        solved = upper - lower <= ENOUGH * (values[0][0] + values[1][0])
        if solved and self._grow(values):
            self.rounds += 1
            self._since = self.iterations
        self._compare_at = self.iterations + max(EVERY, (self.iterations - self._since) // 3)

    def _values(self, side: int, weights: Array) -> Array:
        """What each sequence of a side is worth in a best response in the whole game: float64[sequences]."""
        own, other = self._compiled.sides[side], self._compiled.sides[1 - side]
        values = own.gains(other.plan(weights))
        sweeps.best_response(own.parent, own.first, values)
        return values

    def _grow(self, values: tuple[Array, Array]) -> bool:
        """Add the best moves that are worth more than the playable ones; False if there are none."""
        masks, margin = [mask.copy() for mask in self.playable], MARGIN * self._compiled.largest
        added = 0
        for tree, own, mask in zip(self._compiled.form.trees, values, masks, strict=True):
            added += restriction.extend(tree.parent, tree.first, own, margin, mask)
        if not added:
            return False
        before, state, trees = self.restricted, self._inner.state(), self._inner._trees
        self._play((masks[0], masks[1]))
        fresh = self._inner.state()
        for side, laid in enumerate(self._inner._trees):
            old = {name: state[f"{name}{side}"][trees[side].place] for name in CARRIED}
            for name, array in _carried(before, self.restricted, side, old).items():
                fresh[f"{name}{side}"] = laid.laid_out(array)
        self._inner.restore(fresh)
        return True

    def weights(self) -> Weights:
        pairs = zip(self._small.sides, self._inner.weights(), strict=True)
        first, second = (side.plan(weights) for side, weights in pairs)
        return self.restricted.weights((first, second))

    def state(self) -> dict[str, Array]:
        return {
            "playable0": self.playable[0],
            "playable1": self.playable[1],
            "done": np.array([self.iterations, self.rounds, self._since, self._compare_at]),
            **{f"inner.{name}": array.copy() for name, array in self._inner.state().items()},
        }

    def restore(self, state: Mapping[str, Array]) -> None:
        masks = state["playable0"].astype(bool), state["playable1"].astype(bool)
        for tree, mask in zip(self._compiled.form.trees, masks, strict=True):
            if mask.shape != (tree.sequences,) or not all(mask[first:end].any() for _, first, end in tree.sets()):
                raise ValueError(f"expected {tree.sequences} flags, with a playable move at each information set")
        self._play(masks)
        self._inner.restore({name.removeprefix("inner."): array for name, array in state.items() if "." in name})
        self.iterations, self.rounds, self._since, self._compare_at = (int(number) for number in state["done"])


def _single_moves(compiled: Compiled) -> Masks:
    """One move at each information set: the best one against uniform play."""
    masks = []
    for own, other in zip(compiled.sides, reversed(compiled.sides), strict=True):
        values, best = own.gains(other.plan(np.ones(other.sequences))), np.empty_like(own.parent)
        sweeps.best_response(own.parent, own.first, values)
        restriction.best_moves(own.first, values, best)
        mask = np.zeros(own.sequences, dtype=bool)
        mask[0] = mask[best] = True
        masks.append(mask)
    return masks[0], masks[1]


def _carried(before: Restricted, after: Restricted, side: int, old: Mapping[str, Array]) -> dict[str, Array]:
    """A run's arrays over the sequences of a restricted game, as arrays over those of one that has grown.

    Plans and averages are the same plans, now of the larger game. Moves that are new have no regret, and the only move
    of a set so far has odds of 1.
    """
    chosen, image = after.chosen[side], before.images[side][after.chosen[side]]
    place = np.full(len(before.images[side]), -1)
    place[before.chosen[side]] = np.arange(len(before.chosen[side]))
    same = place[chosen]  # the sequence of the smaller game that each one is; -1 where it was none of its own
    plan = np.where(image >= 0, old["plan"][image], 0.0)
    regret = np.where(same >= 0, old["regret"][same], 0.0)
    odds = np.where(same >= 0, old["odds"][same], (image >= 0).astype(float))
    return {"regret": regret, "odds": odds, "plan": plan}
