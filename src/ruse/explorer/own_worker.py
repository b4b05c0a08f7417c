"""Variants of users' own games, in a process of its own: `python -m ruse.explorer.own_worker GAME…`.

Its arguments are the games that somebody named on the command line; a question only counts them. Each line of stdin is
a question, a JSON object, and each line of stdout is progress or an answer:

    {"number": 1, "ask": "fields", "game": 0}                        the parameters, and the files that were read
    {"number": 2, "ask": "variant", "game": 0, "parameters": {…}}    a variant and its value

The process reads a game's files again when they have changed. SIGINT ends the question that it works on; when stdin
ends, it exits.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from queue import SimpleQueue
from time import perf_counter
from types import FrameType
from typing import Any

from ruse.core import named_games, registry, sources
from ruse.core.entry_points import line, said
from ruse.core.game import GameError, RuseError
from ruse.core.identity import identity
from ruse.explorer.studio import StudioVariant, fields_of
from ruse.explorer.worker import limit_memory
from ruse.studio.solving import row_of

EVERY = 0.2  # seconds between two reports
TOO_LARGE = "there is not enough memory for this game: use smaller parameters"

Send = Callable[[Mapping[str, Any]], None]


class _Attention:
    """SIGINT ends the question that is being answered, and nothing else."""

    def __init__(self) -> None:
        self._answering = False
        signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._answering:
            self._answering = False
            raise KeyboardInterrupt

    @contextmanager
    def paid(self) -> Iterator[None]:
        self._answering = True
        try:
            yield
        finally:
            self._answering = False


def main(games: Sequence[str]) -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a game prints is no answer
    attention, questions = _Attention(), SimpleQueue[dict[str, Any]]()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    limit_memory()

    def send(said_: Mapping[str, Any]) -> None:
        answers.write(json.dumps(said_) + "\n")
        answers.flush()

    while True:
        question = questions.get()
        try:
            with attention.paid():
                answer = _answer(question, games, send)
        except KeyboardInterrupt:
            answer = {"stopped": True}
        except RuseError as error:
            answer = {"error": str(error)}
        except (MemoryError, RecursionError):
            answer = {"error": TOO_LARGE}
        except Exception as error:  # anybody's code
            answer = {"error": f"the game failed: {said(error)}{line(error)}"}
        send({"number": question["number"], "answer": answer})


def _listen(questions: SimpleQueue[dict[str, Any]]) -> None:
    for text in sys.stdin:
        questions.put(json.loads(text))
    os._exit(1)  # the server is gone


def _answer(question: Mapping[str, Any], games: Sequence[str], send: Send) -> dict[str, Any]:
    name = registry.know(games[question["game"]])
    if question["ask"] == "variant":
        return _variant(name, question, send)
    own = named_games.OWN[name]
    return {
        "name": name,
        "fields": [asdict(field) for field in fields_of(name)],
        "text": own.text,
        "files": sources.files_of(own.factory),
    }


def _variant(name: str, question: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Solve a variant, and check that its rules stayed the same meanwhile."""
    begun, last = perf_counter(), 0.0

    def report(text: str, lower: float | None, upper: float | None) -> None:
        nonlocal last
        now = perf_counter() - begun
        if now - last >= EVERY:
            last = now
            send({"number": question["number"], "text": text})

    game = registry.make(name, question["parameters"])
    known = identity(game)
    row = row_of(game, report=report)
    if identity(game) != known:
        raise GameError(f"the rules of {game.title} changed while ruse solved it; solve it again")
    files = sources.files_of(named_games.OWN[name].factory)
    return {"variant": StudioVariant.of(game, row, known).to_json(), "files": files}


if __name__ == "__main__":
    main(sys.argv[1:])
