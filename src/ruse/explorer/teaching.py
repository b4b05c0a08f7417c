"""Lessons that somebody takes: each is computed once, from solutions of the library."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from ruse.core.game import RuseError
from ruse.play.lessons import Lesson, source, sources

if TYPE_CHECKING:
    from ruse.explorer.state import Explorer


class Lessons:
    """The lessons of a running explorer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, Lesson] = {}

    def of(self, name: str, here: Explorer) -> Lesson:
        """The lesson of that name. Raises LessonError, or Solving while one of its games is being solved."""
        with self._lock:
            known = self._made.get(name)
        if known is None:
            known = Lesson(source(name), here.solved_game)
            with self._lock:
                known = self._made.setdefault(name, known)
        return known

    def on(self, title: str, here: Explorer) -> list[Lesson]:
        """The lessons whose main game has that title, of those whose games are all solved."""
        made = []
        for name, lesson in sources().items():
            if lesson.game.title == title and all(here.is_solved(game) for game in lesson.games):
                with suppress(RuseError):
                    made.append(self.of(name, here))
        return made
