"""Metrics of play: how long a game is, how many decisions matter, how often people bluff (docs/explanation/metrics.md).

`measure(solution)` measures all of them. `@metric("name")` adds one of your own.
"""

from __future__ import annotations

from ruse.metrics.metric import Measure, MeasuredPlay, metric
from ruse.metrics.results import Metrics, measure

__all__ = ["Measure", "MeasuredPlay", "Metrics", "measure", "metric"]
