"""Users' own games in the studio: one process solves their variants, and starts anew where it has to be stopped.

A question that is asked again while it is being answered is the same question. A newer question of a page takes the
place of its older ones.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from signal import SIGINT
from time import monotonic
from typing import Any

from ruse.core.game import RuseError
from ruse.core.named_games import FILE
from ruse.core.sources import digest_of_file
from ruse.explorer.errors import Busy
from ruse.explorer.studio import StudioField, StudioVariant, Superseded
from ruse.studio.rows import VariantRow

GRACE = 1.0  # seconds that a question has to end after it was stopped, before its process is killed
KEPT = 5_000  # answers in memory
MOST_WAITING = 20  # questions
DIED = "the game ended its process; look for os._exit or too much memory in it"


class Stopped(RuseError):
    """A question that somebody stopped."""


@dataclass
class WorkerQuestion:
    """A question to the process. Only the thread of the process changes it, but for `stopped`."""

    asked: Mapping[str, Any]
    tab: str
    turn: int
    begun: float = field(default_factory=monotonic)
    text: str = "starting"  # what is being done
    answer: Mapping[str, Any] | None = None
    stopped: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def elapsed(self) -> float:
        """Seconds since it was asked."""
        return monotonic() - self.begun

    def result(self) -> Mapping[str, Any]:
        """Return the answer, or raise what went wrong."""
        assert self.answer is not None
        if "error" in self.answer:
            raise RuseError(self.answer["error"])
        if "stopped" in self.answer:
            raise Stopped("stopped; change a field to solve it again")
        return self.answer


@dataclass(frozen=True)
class OwnGame:
    """What is known of a game of somebody's own without running it here."""

    name: str
    fields: list[StudioField]
    text: str  # its docstring
    files: Mapping[str, str]

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> OwnGame:
        fields = [StudioField(**{**field, "choices": tuple(field["choices"])}) for field in answer["fields"]]
        return cls(answer["name"], fields, answer["text"], answer["files"])


class OwnVariants:
    """The games that were named on the command line, by the names that they had then."""

    def __init__(self, games: Mapping[str, str]) -> None:
        """`games` maps names to how people spelled the games on the command line."""
        self.games = dict(games)
        self._spelled = list(games.values())
        self._numbers = {name: number for number, name in enumerate(games)}
        self._known: dict[str, OwnGame] = {}
        self._stamps: dict[str, tuple[tuple[int, int], str]] = {}  # of files: when and how large, and the digest
        self._answers: OrderedDict[str, WorkerQuestion] = OrderedDict()
        self._waiting: deque[WorkerQuestion] = deque()
        self._running: WorkerQuestion | None = None
        self._process: subprocess.Popen[str] | None = None
        self._news = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._number = 0  # of the last question that was sent

    # What the studio asks.

    def game(self, name: str, patience: float) -> OwnGame:
        """Return the game as its files are now. Raise RuseError if they cannot be run."""
        known = self._known.get(name)
        if known is not None and self.version(known.files) == _version(known.files):
            return known
        if known is not None and not FILE.fullmatch(self.games[name]):
            self._restart()  # Python imports a module once
        asked = {"ask": "fields", "game": self._numbers[name], "version": self.version(known.files) if known else ""}
        question = self._ask(asked)
        if not question.ended.wait(patience):
            self._stop(question)
            raise RuseError(f"{Path(self.games[name]).name} takes more than {patience:g} s to be read")
        self._known[name] = OwnGame.read(question.result())
        return self._known[name]

    def last(self, name: str) -> OwnGame | None:
        """Return the game as it was when it last could be run."""
        return self._known.get(name)

    def watched(self, name: str) -> str:
        """Return a text that changes when a file of the game does."""
        known = self._known.get(name)
        files = known.files if known is not None else [self.games[name].rpartition(":")[0]]
        return self.version(files)

    def version(self, files: Mapping[str, str] | Sequence[str]) -> str:
        """Return the digests of files as they are now; a file is read again when its date or size changed."""
        digests = {}
        for path in files:
            try:
                status = Path(path).stat()
                stamp = status.st_mtime_ns, status.st_size
            except (OSError, ValueError):
                stamp = 0, 0
            if self._stamps.get(path, (None, ""))[0] != stamp:
                self._stamps[path] = stamp, digest_of_file(Path(path))
            digests[path] = self._stamps[path][1]
        return _version(digests)

    def variant(self, name: str, parameters: Mapping[str, str], tab: str = "", turn: int = 0) -> WorkerQuestion:
        """Ask for a variant; `read` reads the answer."""
        version = self.watched(name)
        asked = {"ask": "variant", "game": self._numbers[name], "parameters": dict(parameters), "version": version}
        return self._ask(asked, tab, turn)

    def read(self, name: str, question: WorkerQuestion) -> StudioVariant | None:
        """Read the answer about a variant; None if a file changed while it was solved. Raise RuseError if it failed."""
        if "stopped" in (question.answer or {}) and not question.stopped:
            raise Superseded("a newer variant took its place")
        answer = question.result()
        before, solved = dict(json.loads(question.asked["version"])), answer["files"]
        if (known := self._known.get(name)) is not None:  # it may import more when it is played
            self._known[name] = replace(known, files={**solved, **known.files})
        if any(before.get(path, digest) != digest for path, digest in solved.items()):
            return None
        return StudioVariant.read(answer["variant"])

    def row(self, name: str, parameters: Mapping[str, str], seconds: float) -> VariantRow | None:
        """Solve a variant within some seconds; None if they do not suffice. Raise RuseError if it is impossible."""
        question = self.variant(name, parameters)
        if not question.ended.wait(max(seconds, 0)):
            self._stop(question)
            return None
        variant = self.read(name, question)
        return None if variant is None else variant.row

    def stop(self, tab: str) -> None:
        """Stop what a page asked for."""
        with self._news:
            asked = [question for question in (*self._waiting, self._running) if question and question.tab == tab]
        for question in asked:
            self._stop(question)

    def drop(self, question: WorkerQuestion) -> None:
        """Stop a question whose answer takes too long."""
        self._stop(question)

    def close(self) -> None:
        with self._news:
            self._closing = True
            self._news.notify_all()
            if self._process is not None:
                self._process.kill()

    # The queue.

    def _ask(self, asked: Mapping[str, Any], tab: str = "", turn: int = 0) -> WorkerQuestion:
        key = json.dumps(asked, sort_keys=True)
        with self._news:
            known = self._answers.get(key)
            if known is not None and not (known.stopped and (known.turn < turn or not tab)):
                known.turn = max(known.turn, turn)
                return known
            overtaken = [
                question
                for question in (*self._waiting, self._running)
                if question and tab and question.tab == tab and question.turn < turn
            ]
            if len(self._waiting) >= MOST_WAITING:
                raise Busy(f"{MOST_WAITING} variants are waiting already; try again in a moment")
            question = WorkerQuestion(asked, tab, turn)
            self._answers[key] = question
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
            self._waiting.append(question)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            self._news.notify_all()
        for older in overtaken:
            self._stop(older)
        return question

    def _stop(self, question: WorkerQuestion) -> None:
        with self._news:
            question.stopped = True
            if question in self._waiting:
                self._waiting.remove(question)
                self._end(question, {"stopped": True})
                return
            if question is not self._running or self._process is None:
                return
            process = self._process
            with suppress(OSError):
                process.send_signal(SIGINT)

        def insist() -> None:
            with self._news:
                if question is self._running and process.poll() is None:
                    process.kill()

        timer = threading.Timer(GRACE, insist)
        timer.daemon = True
        timer.start()

    def _restart(self) -> None:
        with self._news:
            if self._process is not None:
                self._process.kill()
                self._process = None

    def _end(self, question: WorkerQuestion, answer: Mapping[str, Any]) -> None:
        question.answer = answer
        question.ended.set()

    # The process.

    def _work(self) -> None:
        while True:
            with self._news:
                process = self._begin()
                while not self._waiting and not self._closing:
                    self._news.wait()
                if self._closing:
                    process.kill()
                    process.wait()
                    return
                process = self._begin()
                question = self._running = self._waiting.popleft()
                self._number += 1
            answer = self._answer(process, question, self._number)
            with self._news:
                self._running = None
                self._end(question, answer)

    def _answer(self, process: subprocess.Popen[str], question: WorkerQuestion, number: int) -> Mapping[str, Any]:
        assert process.stdin is not None and process.stdout is not None
        with suppress(OSError):
            process.stdin.write(json.dumps({**question.asked, "number": number}) + "\n")
            process.stdin.flush()
        for text in process.stdout:
            said = json.loads(text)
            if said["number"] == number and "answer" in said:
                answer: dict[str, Any] = said["answer"]
                return answer
            if said["number"] == number:
                question.text = said["text"]
        process.wait()
        return {"stopped": True} if question.stopped else {"error": DIED}

    def _begin(self) -> subprocess.Popen[str]:
        """Start the process unless it runs."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ruse.explorer.own_worker", *self._spelled],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,  # what games print goes to the terminal, by stderr
                text=True,
                encoding="utf-8",
                start_new_session=True,  # Ctrl-C in the terminal is for the server
            )
        return self._process


def _version(digests: Mapping[str, str]) -> str:
    return json.dumps(sorted(digests.items()))
