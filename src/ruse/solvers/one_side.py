"""An exact plan of one side of a large form, out of nearly optimal ones: an LP whose rows are found as they are needed.

Side s keeps to the moves that a nearly optimal plan gives some weight, its support. Against it the other side may play
anything, but few of its moves are ever best. So the form is restricted to the support of one side and to the nearly
best answers of the other; its LP is solved, the answers that then beat those are added, and so on until there are none:

    value of the restricted form  =  what the plan of side s guarantees in the whole one.

One side at a time is what makes it quick. A double oracle changes both sides' moves in every round, and while both are
incomplete its plans guarantee nothing; here one side only has to learn what the other can do.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.forms.certificate import best_response
from ruse.forms.integer_form import Compiled, Weights
from ruse.forms.sequence_form import Treeplex
from ruse.kernels import restriction, sweeps
from ruse.solvers.growing_lp import GrowingLp
from ruse.solvers.restricted import Restricted, restrict

Report = Callable[[int, float], None]  # the round, and what the plan guarantees, in floats
REACHED = 1e-9  # weight of a sequence that a plan comes to
MARGIN = 1e-9  # of the largest entry: what is better by less is left to exact arithmetic
NEAR = 1e-6  # of the largest entry: what concedes so much more is no plan of the same worth


def one_side(
    compiled: Compiled,
    weights: Weights,
    side: int,
    *,
    share: float,
    near: float,
    most: int = 200,
    report: Report = lambda *_: None,
) -> tuple[list[Fraction], Fraction]:
    """A plan of a side in fractions, and what it guarantees (the payoff to side 0).

    Its moves have at least `share` of the weight of their information set. Answers that lose less than `near` of what
    is at stake at their set are there from the start.
    """
    form, rival = compiled.form, 1 - side
    masks, defaults = [], []
    for own in (0, 1):
        tree = form.trees[own]
        values = _values(compiled, own, weights[1 - own])
        best = np.empty_like(tree.parent)
        restriction.best_moves(tree.first, values, best)
        mask = _near(tree, values, best, near) if own == rival else _support(compiled, own, weights[own], share, best)
        masks.append(mask)
        defaults.append(best)
    program = GrowingLp(form, (defaults[0], defaults[1]))
    for rounds in range(1, most + 1):
        tick()
        restricted = restrict(form, (masks[0], masks[1]))
        plans = restricted.weights(program.weights(restricted))
        values = _values(compiled, rival, plans[side])
        report(rounds, float(values[0]) * (1 if rival == 0 else -1))
        if not _extend(form.trees[rival], values, restricted.images[rival], MARGIN * compiled.largest, masks[rival]):
            break
    return _exactly(compiled, program, restricted, side, float(values[0]))


def _exactly(
    compiled: Compiled, program: GrowingLp, restricted: Restricted, side: int, conceded: float
) -> tuple[list[Fraction], Fraction]:
    """The first of the plans in fractions that guarantees what the restricted form is worth, or else the best.

    Fractions take long, so plans that concede more than the one in floats already in floats are left out.
    """
    rival, limit = 1 - side, conceded + NEAR * compiled.largest
    best: tuple[list[Fraction], Fraction] | None = None
    nearest: tuple[float, list[Fraction]] | None = None
    for plans in program.candidates(restricted):
        plan = restricted.plans(plans)[side]
        about = float(_values(compiled, rival, np.array(plan, dtype=float))[0])
        if nearest is None or about < nearest[0]:
            nearest = about, plan
        if about > limit:
            continue
        inner = best_response(restricted.form, side, plans[rival])[0]
        bound = best_response(compiled.form, rival, plan)[0]
        if best is None or (bound > best[1] if side == 0 else bound < best[1]):
            best = plan, bound
        if bound == inner:
            break
    if best is None:
        assert nearest is not None
        best = nearest[1], best_response(compiled.form, rival, nearest[1])[0]
    return best


def _values(compiled: Compiled, side: int, weights: Array) -> Array:
    """What each sequence of a side is worth in a best response to the other side's weights: float64[sequences]."""
    own, other = compiled.sides[side], compiled.sides[1 - side]
    values = own.gains(other.plan(weights))
    sweeps.best_response(own.parent, own.first, values)
    return values


def _owners(tree: Treeplex) -> Array:
    """int[sequences - 1]: the information set of each sequence but the empty one."""
    return np.repeat(np.arange(tree.infosets), np.diff(tree.first))


def _near(tree: Treeplex, values: Array, best: Array, near: float) -> Array:
    """bool[sequences]: moves that are nearly best; where nothing is at stake, one of them."""
    own, moves = _owners(tree), values[1:]
    stake = np.maximum.reduceat(np.abs(moves), tree.first[:-1] - 1)
    mask = np.append(True, (moves >= values[best][own] - near * stake[own]) & (stake[own] > 0))
    mask[best] = True
    return mask


def _support(compiled: Compiled, side: int, weights: Array, share: float, best: Array) -> Array:
    """bool[sequences]: moves with some weight; where a plan never comes, the best one."""
    tree, plan = compiled.form.trees[side], compiled.sides[side].plan(weights)
    parents = np.repeat(plan[tree.parent], np.diff(tree.first))
    mask = np.append(True, (plan[1:] > share * parents) & (parents > REACHED))
    none = np.add.reduceat(mask[1:].astype(np.int64), tree.first[:-1] - 1) == 0
    mask[best[none]] = True
    return mask


def _extend(tree: Treeplex, values: Array, images: Array, margin: float, mask: Array) -> bool:
    """Add all answers that beat the playable ones, where those lead; False if there are none."""
    moves = values[1:]
    top = np.maximum.reduceat(np.where(mask[1:], moves, -np.inf), tree.first[:-1] - 1)
    reached = np.repeat(images[tree.parent] >= 0, np.diff(tree.first))
    better = (moves > np.repeat(top, np.diff(tree.first)) + margin) & reached
    added = restriction.extend(tree.parent, tree.first, values, margin, mask)
    mask[1:] |= better
    return bool(added or better.any())
