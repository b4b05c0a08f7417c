"""All optimal plans of both sides of a form: which moves they must, may and never make, and what deviating costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ruse.core.clock import TimeIsUp, left, regardless
from ruse.forms.certificate import Plan, certify
from ruse.forms.sequence_form import FormArrays
from ruse.insight.faces import Face, FacePoint, point
from ruse.insight.guarantees import Fixed, FixedGuarantee, best_guarantee
from ruse.insight.model import MAY, MUST, NEVER
from ruse.insight.ranges import End, OptimalRanges
from ruse.insight.sides import FormSide, Ratio
from ruse.insight.uniqueness import Uniqueness, uniqueness
from ruse.solvers.lp import lp
from ruse.solvers.restricted import Restricted, restrict

NONE, ALL = Fraction(0), Fraction(1)


class Optimal:
    """The optimal plans of a form."""

    def __init__(self, form: FormArrays, plans: tuple[Plan, Plan] | None = None) -> None:
        """Use `plans` if they are optimal, otherwise solve the form. Raises TimeIsUp if that takes too long."""
        self.form = form
        self.sides = (FormSide(form, 0), FormSide(form, 1))
        with regardless():
            certificate = None if plans is None else certify(form, plans)
        if plans is None or certificate is None or not certificate.exact:
            solved = lp(form)
            plans, certificate = solved.plans, solved.certificate
        if not certificate.exact:
            raise TimeIsUp("out of time before the optimal strategies were found; give it more time")
        self.plans = plans
        self.values = (certificate.lower, -certificate.lower)  # to each side
        self._ranges: tuple[OptimalRanges, OptimalRanges] | None = None
        self._hurried = False  # whether there was no time for the middle of the optimal plans

    @property
    def ranges(self) -> tuple[OptimalRanges, OptimalRanges]:
        """The ranges of each side, from the middle of its optimal plans, which is computed again if time ran out."""
        if self._ranges is None or (self._hurried and left() > 0):
            points = self._middles()
            first, second = (
                OptimalRanges(
                    Face(self.sides[side], points[1 - side]), self.values[side], [points[side].plan, self.plans[side]]
                )
                for side in (0, 1)
            )
            self._ranges = first, second
        return self._ranges

    def middle(self, side: int) -> Plan:
        """The plan nearest to the middle of the optimal plans that is known."""
        return self.ranges[side].known[0]

    def _middles(self) -> tuple[FacePoint, FacePoint]:
        """A point in the middle of each side's optimal plans, or any optimal point if floats or time do not suffice."""
        with regardless():
            ends = tuple(point(self.sides[side], self.plans[side]) for side in (0, 1))
        points = []
        self._hurried = False
        for side in (0, 1):
            middle: FacePoint | None = None
            try:
                middle = Face(self.sides[side], ends[1 - side]).middle()
                if middle is not None and self.sides[side].guarantee(middle.plan) != self.values[side]:
                    middle = None
            except TimeIsUp:
                self._hurried = True
            points.append(middle or ends[side])
        return points[0], points[1]

    def kind(self, side: int, sequence: int) -> str | None:
        """MUST, MAY or NEVER; None if no optimal plan comes there, or if it is not proved."""
        parent, first, end = self.sides[side].sets[self.sides[side].set_of[sequence]]
        plan, allowed = self.middle(side), self.ranges[side].face.allowed
        if not plan[parent]:
            return None
        if not allowed[sequence]:
            return NEVER
        if sum(allowed[first:end]) == 1:
            return MUST
        return MAY if plan[sequence] else None

    def comes(self, side: int, ratio: Ratio) -> bool:
        """Whether some optimal plan of a side may come to where a ratio is defined."""
        return any(self.ranges[side].face.allowed[sequence] for sequence in ratio.below)

    def ends(self, side: int, ratio: Ratio) -> tuple[End, End] | None:
        """The least and the greatest of a ratio from 0 to 1; None if no optimal plan of the side comes there."""
        if not self.comes(side, ratio):
            return None
        return self.ranges[side].least(ratio, NONE), self.ranges[side].greatest(ratio, ALL)

    def unreached(self, side: int, ratio: Ratio) -> End:
        """A proof that d'x is at most 0 for every optimal plan."""
        return self.ranges[side].greatest(Ratio(ratio.below, {0: ALL}), sum(ratio.below.values(), NONE))

    def always(self, side: int, sequence: int) -> FixedGuarantee:
        """The best guarantee if the last move of a sequence is always made."""
        number = self.sides[side].set_of[sequence]
        _, first, end = self.sides[side].sets[number]
        return self.best_guarantee(side, {number: [Fraction(move == sequence) for move in range(first, end)]})

    def best_guarantee(self, side: int, fixed: Fixed) -> FixedGuarantee:
        """The best guarantee with some odds fixed."""
        known = self.ranges[side].known
        obedient = [plan for plan in known if self._obeys(side, plan, fixed)]
        return best_guarantee(self.sides[side], fixed, obedient[:1] or known[:1], [self.middle(1 - side)])

    def _obeys(self, side: int, plan: Plan, fixed: Fixed) -> bool:
        sets = self.sides[side].sets
        return all(
            list(plan[sets[number][1] : sets[number][2]]) == [plan[sets[number][0]] * share for share in odds]
            for number, odds in fixed.items()
        )

    def unique(self, side: int) -> Uniqueness:
        return uniqueness(self.ranges[side])

    def coming(self, side: int, number: int) -> tuple[Optimal, Restricted]:
        """The optimal plans among those that always try to reach a set, on a form of only those plans."""
        masks = tuple(np.ones(tree.sequences, dtype=np.bool_) for tree in self.form.trees)
        sequence = self.sides[side].sets[number][0]
        while sequence:
            parent, first, end = self.sides[side].sets[self.sides[side].set_of[sequence]]
            masks[side][first:end] = False
            masks[side][sequence] = True
            sequence = parent
        restricted = restrict(self.form, (masks[0], masks[1]))
        return Optimal(restricted.form), restricted
