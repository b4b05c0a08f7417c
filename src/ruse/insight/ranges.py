"""The least and the greatest of a ratio over all optimal plans, each end with a plan that attains it and a proof.

The plans of a face (faces.py), scaled so that d'x = 1 (Charnes and Cooper 1962), are the feasible points of one linear
program. Its optimum is the end of the range, and the optimal basis gives the plan that attains it. The duals m of the
rows of the other side's sequences are not a plan: F m = 0, and some are negative. But for y in the middle of the other
side's optimal plans and a large enough w, m + w y is w times a plan, and proves the end (model.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from ruse.core.clock import TimeIsUp, tick
from ruse.core.exact import MOST_FLOAT_BITS
from ruse.forms.certificate import Plan
from ruse.insight.faces import Face, exact_optimum
from ruse.insight.sides import FormSide, Ratio, Terms
from ruse.solvers.highs import Optimum, Program

MOST_KNOWN = 40  # known plans to try first
STEP = 8  # the factor by which a weight grows if it is too small
STEPS = 60  # until a proof is given up


@dataclass(frozen=True)
class End:
    """The least of a ratio on a face: the proved bound with its answer, and the value that a plan attains."""

    value: Fraction
    attained: Fraction | None
    weight: Fraction
    answer: Plan  # of the other side
    witness: Plan | None  # optimal

    @property
    def exact(self) -> bool:
        return self.value == self.attained

    def turned(self) -> End:
        """The end for the negative ratio."""
        attained = None if self.attained is None else -self.attained
        return End(-self.value, attained, self.weight, self.answer, self.witness)


class OptimalRanges:
    """Ranges over the optimal plans of one side of a form whose value, to that side, is known."""

    def __init__(self, face: Face, value: Fraction, known: Sequence[Plan]) -> None:
        """Take `known` optimal plans, with the one in the middle of the face first, if there is one."""
        self.face, self.side, self.value = face, face.side, value
        self.known = list(known)
        self.other = FormSide(self.side.form, 1 - self.side.side)

    def least(self, ratio: Ratio, floor: Fraction) -> End:
        """The least of a ratio that is at least `floor` for every plan; only a bound if time runs out."""
        attained = [(share, plan) for plan in self.known if (share := ratio.of(plan)) is not None]
        best = min(attained, key=lambda pair: pair[0], default=None)
        if best is not None and best[0] == floor:
            return End(floor, floor, Fraction(0), self.face.other.plan, best[1])
        proved: tuple[Fraction, Fraction, Plan] = (floor, Fraction(0), self.face.other.plan)
        try:
            if (quick := self._from_support(ratio, best)) is not None:
                return quick
            scale = self._scale(ratio)
            optimum = exact_optimum(self._program(ratio, scale)) if scale.bit_length() <= MOST_FLOAT_BITS else None
            if optimum is not None:
                best = self._better(ratio, best, self.face.plan(optimum.columns))
                proved = self._proof(ratio, optimum) or proved
        except TimeIsUp:
            pass
        value, weight, answer = proved
        return End(value, best and best[0], weight, answer, best and best[1])

    def greatest(self, ratio: Ratio, ceiling: Fraction) -> End:
        return self.least(ratio.turned(), -ceiling).turned()

    def _from_support(self, ratio: Ratio, best: tuple[Fraction, Plan] | None) -> End | None:
        """The end if all plans agree on it because of the moves that they never make."""
        if best is None:
            return None
        allowed = self.face.allowed
        above = {sequence: share for sequence, share in ratio.above.items() if allowed[sequence]}
        below = {sequence: share for sequence, share in ratio.below.items() if allowed[sequence]}
        value = best[0]
        same = not above and value == 0
        same = same or (bool(above) and self._settled(above) == {q: value * s for q, s in self._settled(below).items()})
        if not same:
            return None
        proof = self._weighed(ratio, value, [Fraction(0)] * self.side.theirs.sequences)
        return None if proof is None else End(value, value, *proof, best[1])

    def _settled(self, terms: Terms) -> dict[int, Fraction]:
        """Terms summed by the last sequence with a choice among the allowed moves."""
        settled: dict[int, Fraction] = {}
        for sequence, share in terms.items():
            while sequence:
                parent, first, end = self.side.sets[self.side.set_of[sequence]]
                if sum(self.face.allowed[first:end]) > 1:
                    break
                sequence = parent
            settled[sequence] = settled.get(sequence, Fraction(0)) + share
        return settled

    def _better(
        self, ratio: Ratio, best: tuple[Fraction, Plan] | None, plan: list[Fraction] | None
    ) -> tuple[Fraction, Plan] | None:
        """The better of the best plan so far and the plan of a basis, if that is optimal."""
        share = None if plan is None or not self.side.is_plan(plan) else ratio.of(plan)
        if plan is None or share is None or not self.side.check_optimal(plan, self.value):
            return best
        self.known.append(plan)
        if len(self.known) > MOST_KNOWN:
            del self.known[2]
        return (share, plan) if best is None or share < best[0] else best

    def _program(self, ratio: Ratio, scale: int) -> Program:
        """The program for n'x over the face with d'x = 1, both scaled to whole numbers."""
        face = self.face
        below = {sequence: share for sequence, share in ratio.below.items() if face.allowed[sequence]}
        cost = np.zeros(face.count, dtype=object)
        for sequence, share in ratio.above.items():
            if face.allowed[sequence]:
                cost[face.columns[sequence]] = int(share * scale)
        whole = np.array([int(share * scale) for share in below.values()], dtype=object)
        near = np.array([float(share) for share in below.values()])
        return face.program(cost, (face.columns[list(below)], whole, near))

    def _scale(self, ratio: Ratio) -> int:
        terms = (*ratio.below.items(), *ratio.above.items())
        return lcm(*(share.denominator for sequence, share in terms if self.face.allowed[sequence]))

    def _proof(self, ratio: Ratio, optimum: Optimum) -> tuple[Fraction, Fraction, Plan] | None:
        """A value of the ratio that no optimal plan is below, with weight and answer."""
        side = self.side
        value: Fraction = optimum.duals[-1]
        sets = side.mine.infosets
        # The program's cost was n'x times the scale, and its gains were whole.
        prices = [dual * side.form.denominator / self._scale(ratio) for dual in optimum.duals[sets:-1]]
        weighed = self._weighed(ratio, value, prices)
        return None if weighed is None else (value, *weighed)

    def _weighed(self, ratio: Ratio, value: Fraction, prices: Sequence[Fraction]) -> tuple[Fraction, Plan] | None:
        """The weight and the plan of the other side, out of prices of its sequences, that prove a value."""
        optimal = self.face.other.plan
        need = Fraction(0)
        for price, share in zip(prices, optimal, strict=True):
            if price < 0:
                if not share:
                    return None
                need = max(need, -price / share)
        weight = Fraction(1)
        while weight < need:
            weight *= STEP
        answer: Plan = optimal
        for _ in range(STEPS):
            tick()
            if any(prices):
                answer = [share + price / weight for share, price in zip(optimal, prices, strict=True)]
                if not self.other.is_plan(answer):
                    return None
            if self.side.slack(ratio, value, self.value, weight, answer) >= 0:
                return weight, answer
            weight *= STEP
        return None
