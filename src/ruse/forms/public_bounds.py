"""Exact bounds of strategies on a public tree, in whole numbers: what ruse.forms.integer_form does for sequence forms.

A plan is written in units of 2^-bits. Let e be an upper bound of |payoff * odds * denominator| that a pair of hands can
meet below a node: the largest of those that sides choose among, the sum over those of chance. What goes into a node
comes out of it, so weighted payoffs below any node sum to at most 2^bits * e * hands of the other side in absolute
value (e * hands at the root is `PublicTree.largest`), and no sum overflows where that is below 2^62.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import PUBLIC_TREE, Certificate
from ruse.core.exact import INT64
from ruse.core.game import GameError
from ruse.forms.chunked import TOP, ChunkTeam
from ruse.forms.public_layout import Layout
from ruse.forms.public_tree import PublicTree
from ruse.kernels import public_bounds as kernel

Pair = tuple[Array, Array]
FEWEST_BITS, MOST_BITS = 32, 52  # of the units of a plan


@dataclass(frozen=True)
class CertifiedRows:
    """Sums of plans, a number for each row and hand, and what the whole plans that they stand for guarantee."""

    certificate: Certificate
    weights: Pair  # float64 or float32[rows * width] a side

    def tightened(self, other: CertifiedRows) -> CertifiedRows:
        """The better sums of each side."""
        certificate, (low, high) = self.certificate.tightened(other.certificate)
        return CertifiedRows(certificate, ((self, other)[low].weights[0], (self, other)[high].weights[1]))


def bits_of(tree: PublicTree) -> int:
    """How fine the units of a plan may be for no sum to overflow."""
    bits = (INT64 // max(tree.largest, 1)).bit_length() - 1
    if bits < FEWEST_BITS:
        raise GameError(
            f"expected payoffs that leave {FEWEST_BITS} of 62 bits for a plan, got {max(bits, 0)}: "
            "use smaller numbers in the public rules"
        )
    return min(bits, MOST_BITS)


class Bounds:
    """The judge of runs on a layout."""

    def __init__(self, layout: Layout, workers: int | None = None) -> None:
        self.layout = layout
        self._chunks = ChunkTeam(layout, workers)

    @cached_property
    def bits(self) -> int:
        return bits_of(self.layout.tree)

    @cached_property
    def _fixed(self) -> tuple[Any, Any, Any]:
        return self.layout.numbers(np.int64)

    def certify(self, weights: Pair) -> CertifiedRows:
        """Exact bounds of the whole plans that some weights stand for."""
        best = [self._best(side, weights[1 - side]) for side in (0, 1)]
        return CertifiedRows(Certificate(-best[1], best[0], PUBLIC_TREE), weights)

    def _best(self, me: int, sums: Array) -> Fraction:
        """What a side gets at best against the other's sums."""
        layout = self.layout
        other, mine = layout.sides[1 - me], layout.sides[me]
        most = int(np.diff(layout.tree.first).max(initial=1))

        def scratch(*slots: int) -> tuple[Array, Array]:
            return np.zeros(slots[0] * other.width, dtype=np.int64), np.zeros(slots[1] * mine.width, dtype=np.int64)

        reach, values = scratch(int(other.start[1]) + 1, int(mine.start[1]) + 1)
        reach[: layout.tree.hands[1 - me]] = self.start(1 - me, sums)
        top = reach, values, np.zeros(layout.pieces * mine.width, dtype=np.int64)
        scratches = [
            (*scratch(other.slots, mine.slots), np.zeros(most, dtype=np.int64)) for _ in range(self._chunks.workers)
        ]

        def work(stretch: tuple[int, int], worker: int, falls: bool = True, climbs: bool = True) -> None:
            kernel.best_response(*self._fixed, *stretch, me, sums, falls, climbs, top, scratches[worker])

        work(TOP, 0, climbs=False)
        self._chunks(work)
        work(TOP, 0, falls=False)
        units = (max if layout.tree.chosen else sum)(values[: layout.tree.hands[me]].tolist())
        return Fraction(units, layout.tree.denominator << self.bits)

    def start(self, side: int, sums: Array) -> list[int]:
        """The units of a side's hands at the first node: all of them for each, or split where it chooses its hand."""
        hands, whole = self.layout.tree.hands[side], 1 << self.bits
        if not self.layout.tree.chosen:
            return [whole] * hands
        weights = np.maximum(self.layout.choice(sums, side).astype(np.float64), 0).tolist()
        total, left, parts = sum(weights), whole, []
        for weight in weights:
            parts.append(min(int((weight / total if total > 0 else 1 / hands) * whole), left))
            left -= parts[-1]
        parts[weights.index(max(weights))] += left
        return parts

    def shares(self, side: int, sums: Array, hand: int, row: int, k: int, whole: int | None = None) -> list[int]:
        """How the plan splits a hand's units over the k moves whose rows begin at `row`; all units, unless given."""
        fixed, parts = self.layout.sides[side], np.zeros(k, dtype=np.int64)
        units = 1 << self.bits if whole is None else whole
        kernel.split(sums, fixed.mask, self._fixed[0][side][7], row, k, fixed.width, hand, units, parts)
        move_shares: list[int] = parts.tolist()
        return move_shares
