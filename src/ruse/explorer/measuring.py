"""Metrics for the pages: measured in the background, once for each solution."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from ruse.core.game import RuseError

MOST_KEPT = 60
Answer = TypeVar("Answer")


class AnswerCache(Generic[Answer]):
    """Answers that take seconds, by key; an error is an answer too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Answer | RuseError] = OrderedDict()

    def find(self, key: str) -> Answer | None:
        """Return an answer; None if there is none yet. Raises the error that was the answer."""
        with self._lock:
            answer = self._answers.get(key)
        if isinstance(answer, RuseError):
            raise answer
        return answer

    def work_out(self, key: str, work: Callable[[], Answer]) -> None:
        """Work out an answer and keep it."""
        answer: Answer | RuseError
        try:
            answer = work()
        except RuseError as error:
            answer = error
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > MOST_KEPT:
                self._answers.popitem(last=False)
