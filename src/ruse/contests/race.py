"""The limited Bernstein race: which of two strategies is better, with a risk that is known (Cauwet & Teytaud §II-A).

Scores X_1, …, X_t in an interval of width R have mean m and empirical variance v. With probability 1 - d the true mean
is within

    r(t, d) = sqrt(2 v ln(3/d) / t) + 3 R ln(3/d) / t

of m (empirical Bernstein bound: Audibert, Munos & Szepesvári 2009; Mnih et al. 2008). A race looks many times, so look
k may be wrong with probability d_k = δ / (k (k + 1)) only, and all looks together with δ (Bonferroni). It ends

    when |m - middle| > r    (decided: the risk of naming the wrong one is at most δ), or
    when r <= precision      (the limit: the rate is known well enough, and the better mean wins).
"""

from __future__ import annotations

from math import log, sqrt

from ruse.core.arrays import Array
from ruse.core.game import RuseError

PRECISION = 0.01  # of the paper
RISK = 0.05
LEAST = 1e-9  # risk and precision: less would take for ever
FIRST_LOOK = 100  # matches
GROWTH = 1.5  # of the matches from look to look


class RaceError(RuseError):
    """A risk or precision that makes no race."""


class Race:
    """A race: add scores, one look at a time, until it is over."""

    def __init__(
        self, *, risk: float = RISK, precision: float = PRECISION, middle: float = 0.5, width: float = 1.0
    ) -> None:
        """`middle` is the score of equals and `width` that of the interval in which scores lie."""
        if not LEAST <= risk < 1:
            raise RaceError(f"expected a risk of at least {LEAST:g} and below 1, got {risk:g}")
        if not LEAST <= precision < 1:
            raise RaceError(f"expected a precision of at least {LEAST:g} and below 1, got {precision:g}")
        self._risk, self._precision, self._middle, self._width = risk, precision, middle, width
        self.count, self.looks = 0, 0
        self._sum = self._squares = 0.0

    @property
    def mean(self) -> float:
        return self._sum / self.count if self.count else self._middle

    @property
    def radius(self) -> float:
        """How far the true mean can be from the mean, at this look."""
        if not self.looks:
            return self._width
        confidence = log(3 * self.looks * (self.looks + 1) / self._risk)
        variance = max(0.0, self._squares / self.count - self.mean**2)
        return sqrt(2 * variance * confidence / self.count) + 3 * self._width * confidence / self.count

    @property
    def decided(self) -> bool:
        """Whether the better one is known, up to the risk."""
        return abs(self.mean - self._middle) > self.radius

    @property
    def over(self) -> bool:
        return self.decided or self.radius <= self._precision

    @property
    def better(self) -> bool:
        """Whether the scores are above those of equals: the result, once the race is over."""
        return self.mean > self._middle

    def next_batch(self) -> int:
        """How many scores to add before the next look."""
        return FIRST_LOOK if not self.count else max(1, int(self.count * (GROWTH - 1)))

    def add(self, scores: Array) -> None:
        """Add scores, and look."""
        self.count += len(scores)
        self._sum += float(scores.sum())
        self._squares += float((scores * scores).sum())
        self.looks += 1
