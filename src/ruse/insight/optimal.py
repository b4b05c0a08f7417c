"""All optimal plans of a form, both sides: what they must, may and never do, and what deviating costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ruse.core.clock import TimeIsUp, left, regardless
from ruse.forms.certificate import Plan, certify
from ruse.forms.sequence_form import SequenceForm
from ruse.insight.faces import Face, Point, point
from ruse.insight.guarantees import Fixed, Kept, keeping
from ruse.insight.model import MAY, MUST, NEVER
from ruse.insight.ranges import End, Ranges
from ruse.insight.sides import Ratio, Side
from ruse.insight.uniqueness import Uniqueness, uniqueness
from ruse.solvers.lp import lp
from ruse.solvers.restricted import Restricted, restrict

NONE, ALL = Fraction(0), Fraction(1)


class Optimal:
    def __init__(self, form: SequenceForm, plans: tuple[Plan, Plan] | None = None) -> None:
        """`plans` are taken for optimal where they are; else the form is solved. Raises TimeIsUp if it is not."""
        self.form = form
        self.sides = (Side(form, 0), Side(form, 1))
        with regardless():
            certificate = None if plans is None else certify(form, plans)
        if plans is None or certificate is None or not certificate.exact:
            solved = lp(form)
            plans, certificate = solved.plans, solved.certificate
        if not certificate.exact:
            raise TimeIsUp("out of time before the optimal strategies were found; give it more time")
        self.plans = plans
        self.values = (certificate.lower, -certificate.lower)  # to each side
        self._ranges: tuple[Ranges, Ranges] | None = None
        self._hurried = False  # whether there was no time for the middle of the optimal plans

    @property
    def ranges(self) -> tuple[Ranges, Ranges]:
        """Of each side, from the points in the middle; where there was no time to find those, they are tried again."""
        if self._ranges is None or (self._hurried and left() > 0):
            points = self._middles()
            first, second = (
                Ranges(
                    Face(self.sides[side], points[1 - side]), self.values[side], [points[side].plan, self.plans[side]]
                )
                for side in (0, 1)
            )
            self._ranges = first, second
        return self._ranges

    def middle(self, side: int) -> Plan:
        """A plan in the middle of the optimal ones, as far as is known."""
        return self.ranges[side].known[0]

    def _middles(self) -> tuple[Point, Point]:
        """A point in the middle of each side's optimal plans, or where floats lead astray or the time is up, any."""
        with regardless():
            ends = tuple(point(self.sides[side], self.plans[side]) for side in (0, 1))
        found = []
        self._hurried = False
        for side in (0, 1):
            middle: Point | None = None
            try:
                middle = Face(self.sides[side], ends[1 - side]).middle()
                if middle is not None and self.sides[side].guarantee(middle.plan) != self.values[side]:
                    middle = None
            except TimeIsUp:
                self._hurried = True
            found.append(middle or ends[side])
        return found[0], found[1]

    def kind(self, side: int, sequence: int) -> str | None:
        """MUST, MAY or NEVER; None where no optimal plan comes, or where that is not proved."""
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
        """Whether some optimal plan of a side, as far as is known, comes to where a ratio says something."""
        return any(self.ranges[side].face.allowed[sequence] for sequence in ratio.below)

    def ends(self, side: int, ratio: Ratio) -> tuple[End, End] | None:
        """The least and the greatest of a ratio from 0 to 1; None where no optimal plan of the side comes there."""
        if not self.comes(side, ratio):
            return None
        return self.ranges[side].least(ratio, NONE), self.ranges[side].greatest(ratio, ALL)

    def unreached(self, side: int, ratio: Ratio) -> End:
        """That d'x is at most 0 for every optimal plan."""
        return self.ranges[side].greatest(Ratio(ratio.below, {0: ALL}), sum(ratio.below.values(), NONE))

    def always(self, side: int, sequence: int) -> Kept:
        """What can be guaranteed if the last move of a sequence is always made there."""
        number = self.sides[side].set_of[sequence]
        _, first, end = self.sides[side].sets[number]
        return self.keeping(side, {number: [Fraction(one == sequence) for one in range(first, end)]})

    def keeping(self, side: int, fixed: Fixed) -> Kept:
        """What can be guaranteed with some odds fixed."""
        known = self.ranges[side].known
        obedient = [plan for plan in known if self._obeys(side, plan, fixed)]
        return keeping(self.sides[side], fixed, obedient[:1] or known[:1], [self.middle(1 - side)])

    def _obeys(self, side: int, plan: Plan, fixed: Fixed) -> bool:
        sets = self.sides[side].sets
        return all(
            list(plan[sets[number][1] : sets[number][2]]) == [plan[sets[number][0]] * share for share in odds]
            for number, odds in fixed.items()
        )

    def unique(self, side: int) -> Uniqueness:
        return uniqueness(self.ranges[side])

    def coming(self, side: int, number: int) -> tuple[Optimal, Restricted]:
        """The optimal plans among those that always come to a set if they can, on a form of only those."""
        masks = tuple(np.ones(tree.sequences, dtype=np.bool_) for tree in self.form.trees)
        sequence = self.sides[side].sets[number][0]
        while sequence:
            parent, first, end = self.sides[side].sets[self.sides[side].set_of[sequence]]
            masks[side][first:end] = False
            masks[side][sequence] = True
            sequence = parent
        restricted = restrict(self.form, (masks[0], masks[1]))
        return Optimal(restricted.form), restricted
