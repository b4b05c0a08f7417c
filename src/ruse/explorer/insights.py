"""Insight for the pages: found in the background, so that no page waits long for it, and kept beside its solution.

What is asked for once goes on after the page has given up waiting, up to its time; the next request finds it. Solutions
of built-in games lie in the explorer's own folder, and so does what is kept beside them (ruse.insight.insight_file).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ruse.core import clock
from ruse.core.capabilities import Open
from ruse.core.game import GameError, RuseError
from ruse.explorer.library import Opened
from ruse.insight import insight
from ruse.insight.insight_file import InsightFile
from ruse.insight.model import BeliefInsight, Insight, MoveInsight, PositionInsight, Worst
from ruse.solution.strategy import Solution

MOST_ENGINES = 6  # solutions with insight in memory
MOST_ANSWERS = 600
QUICK = 0.3  # seconds that a page waits for insight unless it is asked to
running = threading.Semaphore(2)  # at a time


@dataclass(frozen=True)
class Question:
    position: str
    side: int
    slip: Fraction = Fraction(0)
    own: str = ""  # what one person knows beyond its side


@dataclass(frozen=True)
class Told:
    """All that insight says of a position."""

    there: PositionInsight
    worst: Worst | None
    own_facts: Mapping[str, str]
    facts: str  # what is meant by the facts alone
    seconds: float


@dataclass
class Answer:
    """What was asked, and what came of it."""

    limit: float  # seconds that it may take
    ended: threading.Event = field(default_factory=threading.Event)
    told: Told | None = None
    error: RuseError | None = None

    def final(self, limit: float) -> bool:
        """Whether more time than this one had would change nothing."""
        if not self.ended.is_set() or limit <= self.limit:
            return True
        return not isinstance(self.error, clock.TimeIsUp) and (self.told is None or self.told.there.exact)


class Engine:
    """Insight into one solution, which answers one question at a time."""

    def __init__(self, opened: Opened) -> None:
        self.opened, self.lock = opened, threading.Lock()
        self.made: Insight | None = None

    @property
    def insight(self) -> Insight:
        if self.made is None:
            entry = self.opened.entry
            beside = None if entry.path is None else InsightFile(entry.path, entry.digest)
            self.made = insight(self.opened.solution, viewer=self.opened.viewer, file=beside)
        return self.made

    def keep(self) -> None:
        """What is new, also after the page has its answer."""
        with self.lock:
            if self.made is not None:
                self.made.keep()


class Insights:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engines: OrderedDict[Path | None, Engine] = OrderedDict()
        self._answers: OrderedDict[tuple[Engine, Question], Answer] = OrderedDict()

    def ask(self, opened: Opened, asked: Question, limit: float, patience: float) -> Told | None:
        """What insight says, or None if that takes longer than the patience. Raises RuseError where it says nothing."""
        refuse(opened.solution)
        engine = self._engine(opened)
        key = engine, asked
        with self._lock:
            answer = self._answers.get(key)
            if answer is None or not answer.final(limit):
                answer = self._answers[key] = Answer(limit)
                threading.Thread(target=_find, args=(engine, asked, answer), daemon=True).start()
            self._answers.move_to_end(key)
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        if not answer.ended.wait(patience):
            return None
        if answer.error is not None:
            raise answer.error
        return answer.told

    def known(self, opened: Opened, asked: Question) -> Told | None:
        """What has been found already; nothing is begun."""
        with self._lock:
            engine = self._engines.get(opened.entry.path)
            if engine is None or engine.opened.solution is not opened.solution:
                return None
            answer = self._answers.get((engine, asked))
        return None if answer is None else answer.told

    def _engine(self, opened: Opened) -> Engine:
        with self._lock:
            found = self._engines.get(opened.entry.path)
            if found is None or found.opened.solution is not opened.solution:
                found = self._engines[opened.entry.path] = Engine(opened)
            self._engines.move_to_end(opened.entry.path)
            while len(self._engines) > MOST_ENGINES:
                self._engines.popitem(last=False)
            known = set(self._engines.values())
            for key in [key for key in self._answers if key[0] not in known]:
                del self._answers[key]
        return found


@dataclass(frozen=True)
class Looked:
    """How insight stands on a page: told, on its way, or why there is none."""

    told: Told | None = None
    trouble: str = ""
    asked: bool = False  # whether the page waited for it

    def move(self, name: str) -> MoveInsight | None:
        return next((one for one in self.told.there.moves if one.move == name), None) if self.told else None

    def belief(self, what: str) -> BeliefInsight | None:
        return next((one for one in self.told.there.beliefs if one.fact == what), None) if self.told else None


def look_into(
    insights: Insights, opened: Opened, asked: Question, wait: bool, limit: int, ahead: bool = True
) -> Looked:
    """Insight for a page, which waits for it if it is asked to, and else only as long as nobody minds.

    Without `ahead` it is looked for only if the page is asked to wait.
    """
    try:
        refuse(opened.solution)
        if wait or ahead:
            told = insights.ask(opened, asked, limit, limit if wait else QUICK)
        else:
            told = insights.known(opened, asked)
    except RuseError as error:
        return Looked(trouble=str(error), asked=wait)
    return Looked(told, asked=wait)


def refuse(solution: Solution) -> None:
    """Raises GameError of a game that there is nothing to say of beyond its values."""
    if isinstance(solution.game, Open):
        raise GameError(f"expected a game with secrets for insight, got {solution.game.title}, where nothing is hidden")


def _find(engine: Engine, asked: Question, answer: Answer) -> None:
    """The answer, in a thread of its own. To build an engine may take longer than any page waits, and goes on."""
    try:
        with engine.lock, running:
            made, began = engine.insight, time.perf_counter()
            with clock.deadline(answer.limit):
                worst = made.worst(asked.position, asked.side)
                there = made.at(asked.position, asked.side, asked.slip, own=asked.own)
                facts = made.own_facts(asked.position, asked.side)
            answer.told = Told(there, worst, facts, made.facts, time.perf_counter() - began)
    except RuseError as error:
        answer.error = error
    except Exception:
        answer.error = RuseError("expected insight into this position, got an error of ruse's own")
        raise
    finally:
        answer.ended.set()
    engine.keep()
