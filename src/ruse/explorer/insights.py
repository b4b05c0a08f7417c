"""Insight for the pages: computed in the background, so that no page waits long, and saved beside its solution.

A request continues in the background after the page has stopped waiting, up to its time limit; the next request finds
the result. Solutions of built-in games are in the explorer's own folder, and so is their insight
(ruse.insight.insight_file).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ruse.core import clock
from ruse.core.capabilities import Open
from ruse.core.game import GameError, RuseError
from ruse.explorer.library import Opened
from ruse.insight import insight
from ruse.insight.costs import Costs, PositionCosts, costs_in, costs_of, stored_costs
from ruse.insight.insight_file import InsightFile
from ruse.insight.model import BeliefInsight, Insight, MoveInsight, PositionInsight, Worst
from ruse.insight.reasons import Explainer
from ruse.present.model import RESOLVED_ADVICE, View
from ruse.solution.strategy import Solution

MOST_ENGINES = 6  # solutions with insight in memory
MOST_ANSWERS = 600
LONGEST = 600.0  # seconds for the reference pair of a game
QUICK = 0.3  # seconds that a page waits for insight unless it is asked to
running = threading.Semaphore(2)  # at a time


@dataclass(frozen=True)
class InsightQuestion:
    position: str
    side: int
    slip: Fraction = Fraction(0)
    own: str = ""  # what one player knows beyond the side


@dataclass(frozen=True)
class InsightResult:
    """Everything that insight says about a position."""

    there: PositionInsight
    worst: Worst | None
    own_facts: Mapping[str, str]
    facts: str  # what "by the facts alone" means
    seconds: float


@dataclass
class PendingInsight:
    """An insight computation, and its result once it has ended."""

    limit: float  # seconds that it may take
    ended: threading.Event = field(default_factory=threading.Event)
    result: InsightResult | None = None
    error: RuseError | None = None

    def final(self, limit: float) -> bool:
        """Return whether a higher time limit would change nothing."""
        if not self.ended.is_set() or limit <= self.limit:
            return True
        return not isinstance(self.error, clock.TimeIsUp) and (self.result is None or self.result.there.exact)


class Engine:
    """Insight into one solution; answers one question at a time."""

    def __init__(self, opened: Opened) -> None:
        self.opened, self.lock = opened, threading.Lock()
        self.made: Insight | None = None
        self.costs: Costs | None = None
        self.explainer: Explainer | None = None
        self.preparing: threading.Event | None = None  # set once the costs are there, or time ran out
        self.costing = threading.Lock()  # for one position at a time

    @property
    def insight(self) -> Insight:
        if self.made is None:
            entry = self.opened.entry
            beside = None if entry.path is None else InsightFile(entry.path, entry.digest)
            self.made = insight(self.opened.solution, viewer=self.opened.viewer, file=beside)
        return self.made

    def prepare(self, done: threading.Event) -> None:
        """Make the costs of moves, in a thread of its own; a reference pair takes a minute in large games."""
        try:
            with self.lock, running, clock.deadline(LONGEST):
                self.costs = self._make_costs()
        except clock.TimeIsUp:
            pass  # and so the next request tries again
        finally:
            done.set()
        self.keep()

    def _make_costs(self) -> Costs:
        opened = self.opened
        with suppress(GameError):
            if not isinstance(opened.solution.game, Open):
                made = costs_of(self.insight, opened.viewer)
                _ = made.reference
                return made
        return stored_costs(opened.solution, opened.viewer)

    def keep(self) -> None:
        """Save new results, also after the page has its answer."""
        with self.lock:
            if self.made is not None:
                self.made.keep()


class Insights:
    """Insight into the solutions that pages have opened."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engines: OrderedDict[Path | None, Engine] = OrderedDict()
        self._answers: OrderedDict[tuple[Engine, InsightQuestion], PendingInsight] = OrderedDict()

    def ask(self, opened: Opened, asked: InsightQuestion, limit: float, patience: float) -> InsightResult | None:
        """Return the insight, or None if it takes longer than `patience`. Raise RuseError if there is none."""
        refuse(opened.solution)
        engine = self._engine(opened)
        key = engine, asked
        with self._lock:
            answer = self._answers.get(key)
            if answer is None or not answer.final(limit):
                answer = self._answers[key] = PendingInsight(limit)
                threading.Thread(target=_find, args=(engine, asked, answer), daemon=True).start()
            self._answers.move_to_end(key)
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        if not answer.ended.wait(patience):
            return None
        if answer.error is not None:
            raise answer.error
        return answer.result

    def costs(self, opened: Opened, patience: float) -> Costs | None:
        """Return the costs of moves; None if ruse is still working on them after `patience` seconds.

        Without patience, no work starts.
        """
        engine = self._engine(opened)
        with self._lock:
            if engine.costs is not None or patience <= 0:
                return engine.costs
            if engine.preparing is None or engine.preparing.is_set():
                engine.preparing = threading.Event()
                threading.Thread(target=engine.prepare, args=(engine.preparing,), daemon=True).start()
            preparing = engine.preparing
        preparing.wait(patience)
        return engine.costs

    def explainer(self, opened: Opened, patience: float) -> Explainer:
        """Return what explains moves. Raises TimeIsUp if ruse is still working on their costs."""
        position_costs = self.costs(opened, patience)
        if position_costs is None:
            raise clock.TimeIsUp("ruse is still comparing all optimal strategies, so try again")
        engine = self._engine(opened)
        if engine.explainer is None:
            engine.explainer = Explainer(position_costs, opened.viewer)
        return engine.explainer

    def costs_at(self, opened: Opened, view: View, patience: float) -> PositionCosts | None:
        """Return the costs of moves at a position; None if ruse is still working on them."""
        if view.turn is not None and view.turn != view.side:
            return PositionCosts(view.position, view.side)
        all_costs = self.costs(opened, patience)
        if all_costs is None:
            return None
        with self._engine(opened).costing:
            return (
                costs_in(opened.solution, view)
                if view.advice == RESOLVED_ADVICE
                else all_costs.at(view.position, view.side)
            )

    def known(self, opened: Opened, asked: InsightQuestion) -> InsightResult | None:
        """Return insight that is already known, without starting any work."""
        with self._lock:
            engine = self._engines.get(opened.entry.path)
            if engine is None or engine.opened.solution is not opened.solution:
                return None
            answer = self._answers.get((engine, asked))
        return None if answer is None else answer.result

    def _engine(self, opened: Opened) -> Engine:
        with self._lock:
            engine = self._engines.get(opened.entry.path)
            if engine is None or engine.opened.solution is not opened.solution:
                engine = self._engines[opened.entry.path] = Engine(opened)
            self._engines.move_to_end(opened.entry.path)
            while len(self._engines) > MOST_ENGINES:
                self._engines.popitem(last=False)
            known = set(self._engines.values())
            for key in [key for key in self._answers if key[0] not in known]:
                del self._answers[key]
        return engine


@dataclass(frozen=True)
class InsightStatus:
    """The insight of a page: its result, still missing, or why there is none."""

    result: InsightResult | None = None
    trouble: str = ""
    asked: bool = False  # whether the page waited for it

    def move(self, name: str) -> MoveInsight | None:
        return next((move for move in self.result.there.moves if move.move == name), None) if self.result else None

    def belief(self, fact: str) -> BeliefInsight | None:
        return (
            next((belief for belief in self.result.there.beliefs if belief.fact == fact), None) if self.result else None
        )


def look_into(
    insights: Insights, opened: Opened, asked: InsightQuestion, wait: bool, limit: int, ahead: bool = True
) -> InsightStatus:
    """Get the insight of a page; wait up to `limit` seconds if `wait`, otherwise only for a moment.

    Without `ahead`, work starts only if the page waits for it.
    """
    try:
        refuse(opened.solution)
        if wait or ahead:
            result = insights.ask(opened, asked, limit, limit if wait else QUICK)
        else:
            result = insights.known(opened, asked)
    except RuseError as error:
        return InsightStatus(trouble=str(error), asked=wait)
    return InsightStatus(result, asked=wait)


def refuse(solution: Solution) -> None:
    """Raise GameError for a game without hidden information."""
    if isinstance(solution.game, Open):
        raise GameError(f"nothing is hidden in {solution.game.title}, so its values say all")


def _find(engine: Engine, asked: InsightQuestion, answer: PendingInsight) -> None:
    """Compute an answer in its own thread. Building an engine may take longer than any page waits."""
    try:
        with engine.lock, running:
            made, began = engine.insight, time.perf_counter()
            with clock.deadline(answer.limit):
                worst = made.worst(asked.position, asked.side)
                there = made.at(asked.position, asked.side, asked.slip, own=asked.own)
                facts = made.own_facts(asked.position, asked.side)
            answer.result = InsightResult(there, worst, facts, made.facts, time.perf_counter() - began)
    except RuseError as error:
        answer.error = error
    except Exception:
        answer.error = RuseError("this is a bug in ruse; its log has the details")
        raise
    finally:
        answer.ended.set()
    engine.keep()
