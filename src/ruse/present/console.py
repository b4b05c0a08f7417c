"""Progress on stderr, after two quiet seconds, and results as JSON on stdout."""

from __future__ import annotations

import json
import sys
import threading
import time
from shutil import get_terminal_size
from types import TracebackType
from typing import Any, TextIO

from ruse.core import rationals
from ruse.present.screen import encodable

QUIET = 2.0  # seconds
EVERY = 10.0  # seconds between lines where the output is not a terminal


class Progress:
    """A context that prints progress; pass its `report` to `ruse.solve`."""

    def __init__(self, stream: TextIO, text: str) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._started = time.perf_counter()
        self._text = text
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._print_lines, daemon=True)

    def report(self, text: str, lower: float | None, upper: float | None) -> None:
        self._text = text
        if lower is not None and upper is not None:
            self._text += f": between {rationals.below(lower, 6)} and {rationals.above(upper, 6)}"

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _print_lines(self) -> None:
        wrote = False
        wait = QUIET
        while not self._done.wait(wait):
            seconds = time.perf_counter() - self._started
            line = f"{seconds:.0f} s: {self._text}"
            if self._live:
                width = get_terminal_size().columns - 1  # a line that wraps could not be wiped
                self._stream.write(f"\r\x1b[2K{line if len(line) <= width else line[: width - 1] + '…'}")
            else:
                self._stream.write(f"{line}\n")
            self._stream.flush()
            wrote, wait = True, 0.2 if self._live else EVERY
        if wrote and self._live:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()


def print_json(fields: dict[str, Any]) -> None:
    """Print one JSON object, with escapes if the stream cannot encode it."""
    text = json.dumps(fields, indent=2, ensure_ascii=False)
    print(text if encodable(text, sys.stdout) else json.dumps(fields, indent=2))
