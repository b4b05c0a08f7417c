"""Drills that are going on: one run per solution and side, so that no decision comes up twice before all were seen."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ruse.core.capabilities import Open
from ruse.core.game import RuseError
from ruse.explorer.insights import InsightQuestion, Insights
from ruse.explorer.library import Opened
from ruse.insight.costs import stored_costs
from ruse.insight.model import MoveInsight
from ruse.play.drill import Drill, DrillRun
from ruse.solution.strategy import Solution

MOST_DRILLS = 12  # in memory
PATIENCE = 60.0  # seconds that a drill waits for the reference pair of its game


@dataclass
class OpenDrill:
    """A drill with its run; one question at a time is dealt or judged."""

    drill: Drill
    run: DrillRun = field(default_factory=DrillRun)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Drills:
    """The drills of a running explorer."""

    def __init__(self, insights: Insights, glance: float) -> None:
        self._insights, self._glance = insights, glance  # seconds that a page waits for insight
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[Path | None, int], OpenDrill] = OrderedDict()

    def of(self, opened: Opened, side: int) -> OpenDrill:
        """The drill of a side of a solution, with its run so far."""
        key = opened.entry.path, side
        with self._lock:
            made = self._open.get(key)
            if made is None or made.drill.solution is not opened.solution:
                made = self._open[key] = OpenDrill(self._drill(opened, side))
            self._open.move_to_end(key)
            while len(self._open) > MOST_DRILLS:
                self._open.popitem(last=False)
        return made

    def _drill(self, opened: Opened, side: int) -> Drill:
        solution, viewer = opened.solution, opened.viewer
        judged = self._insights.costs(opened, PATIENCE) or stored_costs(solution, viewer)
        return Drill(solution, side, viewer, judged, self._look(opened, solution))

    def _look(self, opened: Opened, solution: Solution) -> Callable[[str, int], Sequence[MoveInsight]]:
        def look(position: str, side: int) -> Sequence[MoveInsight]:
            if not isinstance(solution.game, Open):
                with suppress(RuseError):
                    result = self._insights.ask(opened, InsightQuestion(position, side), self._glance, self._glance)
                    return [] if result is None else result.there.moves
            return []

        return look
