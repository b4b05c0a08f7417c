"""The LP of a restricted game that grows from round to round, each solved from the basis of the one before.

A basis says of every row and column whether it is basic. Those of the whole game's LP (`sequence_lp.sequence_lp`)
that belong to moves which are not chosen have an obvious status, as if the LP had them:

    side 0:  the weight of a default action is basic and the row of its information set tight; other weights are 0,
    side 1:  the value of an information set is basic and the row of its default action tight; other rows are slack.

So a move that becomes playable brings its status with it, the basis stays a basis, and its plans are those of the
round before: the simplex method goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import highspy
import numpy as np

from ruse.core.arrays import Array
from ruse.forms.integer_form import Weights
from ruse.forms.sequence_form import FormArrays
from ruse.solvers.highs import Highs, Optimum, SolverError
from ruse.solvers.plans import DENOMINATORS, Plans, exact_plan, rounded_plan
from ruse.solvers.restricted import Restricted
from ruse.solvers.sequence_lp import sequence_lp

_Status: Any = highspy.HighsBasisStatus
TIGHT, BASIC = int(_Status.kLower), int(_Status.kBasic)


class GrowingLp:
    def __init__(self, form: FormArrays, defaults: tuple[Array, Array]) -> None:
        """`defaults` are the sequences of the default actions, one an information set."""
        self._basis: dict[str, Array] = {}  # int8 a side: of the sequences, of the root and the information sets
        for side, (tree, own) in enumerate(zip(form.trees, defaults, strict=True)):
            sequences = np.full(tree.sequences, (TIGHT, BASIC)[side], dtype=np.int8)
            sequences[0] = sequences[own] = (BASIC, TIGHT)[side]
            self._basis[f"sequences{side}"] = sequences
            self._basis[f"sets{side}"] = np.full(1 + tree.infosets, (TIGHT, BASIC)[side], dtype=np.int8)
        self._warm = False  # whether the basis is that of a solved LP

    def weights(self, restricted: Restricted) -> Weights:
        """Optimal plans of the restricted form, in floats."""
        first, second = _plans_of(restricted, self._run(restricted)[1])
        return first, second

    def candidates(self, restricted: Restricted) -> Iterator[Plans]:
        """Plans of the restricted form in fractions, the simplest first: rounded, then from the exact basis."""
        highs, optimum = self._run(restricted)
        first, second = restricted.form.trees
        floats = _plans_of(restricted, optimum)
        for denominator in DENOMINATORS:
            yield rounded_plan(first, floats[0], denominator), rounded_plan(second, floats[1], denominator)
        exact = highs.run_exactly()
        if exact is not None:
            weights = _plans_of(restricted, exact)
            yield exact_plan(first, weights[0]), exact_plan(second, weights[1])

    def state(self) -> dict[str, Array]:
        return {**self._basis, "warm": np.array([self._warm])}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._basis = {name: state[name].astype(np.int8) for name in self._basis}
        self._warm = bool(state["warm"][0])

    def _run(self, restricted: Restricted) -> tuple[Highs, Optimum]:
        """Solve, and keep the basis."""
        program = sequence_lp(restricted.form)
        places = {  # of the LP's columns and rows, in its order
            f"{kind}{side}": own[side] if kind == "sequences" else np.append(0, 1 + own[side])
            for kind, own in (("sequences", restricted.chosen), ("sets", restricted.sets))
            for side in (0, 1)
        }
        highs = _Restartable(program)
        if self._warm:
            known = {name: self._basis[name][own] for name, own in places.items()}
            highs.start(
                np.concatenate([known["sequences0"], known["sets1"]]),
                np.concatenate([known["sets0"], known["sequences1"]]),
            )
        try:
            optimum = highs.run()
        except SolverError:
            if not self._warm:
                raise
            highs = _Restartable(program)  # a fresh start may fare better
            optimum = highs.run()
        columns, rows = highs.basis()
        x, sets = len(places["sequences0"]), len(places["sets0"])
        by_kind = {"sequences0": columns[:x], "sets1": columns[x:], "sets0": rows[:sets], "sequences1": rows[sets:]}
        for name, statuses in by_kind.items():
            self._basis[name][places[name]] = statuses
        self._warm = True
        return highs, optimum


class _Restartable(Highs):
    def start(self, columns: Array, rows: Array) -> None:
        """Begin the next run from this basis."""
        basis: Any = highspy.HighsBasis()
        basis.col_status = [_Status(status) for status in columns.tolist()]
        basis.row_status = [_Status(status) for status in rows.tolist()]
        basis.valid = True
        self._highs.setBasis(basis)

    def basis(self) -> tuple[Array, Array]:
        """The status of each column and row after a run: int8[columns], int8[rows]."""
        basis = self._highs.getBasis()
        columns, rows = (
            np.array([int(status) for status in statuses], dtype=np.int8)
            for statuses in (basis.col_status, basis.row_status)
        )
        return columns, rows


def _plans_of(restricted: Restricted, optimum: Optimum) -> Any:
    """Side 0's weights are columns, side 1's are the duals of its sequences' rows."""
    tree = restricted.form.trees[0]
    return optimum.columns[: tree.sequences], optimum.duals[tree.infosets + 1 :]
