"""Output to a terminal: lines wrap between words, and text has colour if the terminal does.

Output to a file or another program stays unchanged. `NO_COLOR` and `TERM=dumb` switch colour off. Characters that a
stream cannot show are replaced: "≈ 1/3 …" becomes "~ 1/3 ...".
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TextIO
from unicodedata import combining, normalize

USUAL = 100  # columns, if the output is not a terminal
LEAST = 20
INDENT = 4  # columns that a wrapped line is indented by, if it cannot align with the column above
STYLES = {"strong": "1", "quiet": "2", "good": "32", "bad": "31", "said": "36"}
CODE = re.compile(r"\x1b\[[0-9;]*m")
GAP = re.compile(r"\S( {2,})(?=\S)")
ERROR_HANDLER = "ruse"  # the name under which the error handler is registered
SPELLED = {
    "≈": "~",
    "≤": "<=",
    "…": "...",
    "−": "-",
    "–": "-",
    "±": "+-",
    "×": "x",
    "·": ".",
    "§": "section ",
    "█": "#",
    "●": "*",
    "│": "|",
    "’": "'",
}
PIECE = re.compile(r"[^/,]+[/,]*|[/,]+")  # of a word that is wider than the screen: positions break between steps


def columns(stream: TextIO) -> int:
    """The width of a stream."""
    return max(LEAST, get_terminal_size().columns) if stream.isatty() else USUAL


def coloured(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")


def paint(text: str, style: str, stream: TextIO | None = None) -> str:
    """Colour a text in a style of STYLES, if the stream (stdout unless given) has colour."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if text and coloured(stream or sys.stdout) else text


def fold(line: str, width: int) -> list[str]:
    """Wrap a line to a width; wrapped text aligns with the last column of its line."""
    if _width(line) <= width:
        return [line]
    plain = CODE.sub("", line)
    gaps = [gap.end() for gap in GAP.finditer(plain) if gap.end() <= width // 2]
    indent = gaps[-1] if gaps else min(len(plain) - len(plain.lstrip()) + INDENT, width // 4)
    lines, words = [""], iter(re.findall(r" *[^ ]+", line))
    for word in words:
        if _width(lines[-1]) + _width(word) <= width:
            lines[-1] += word
            continue
        word = word.strip()
        pieces = [word] if indent + _width(word) <= width else PIECE.findall(word)
        lines.append(" " * indent)
        for piece in pieces:
            if _width(lines[-1]) + _width(piece) > width and lines[-1].strip():
                lines.append(" " * indent)
            lines[-1] += piece
    return [folded for folded in lines if folded.strip()]


def _width(text: str) -> int:
    return len(CODE.sub("", text))


class Screen(io.TextIOWrapper):
    """A terminal that wraps whole lines; an unfinished line waits for its end or for a flush."""

    def __init__(self, terminal: io.TextIOWrapper) -> None:
        super().__init__(terminal.buffer, terminal.encoding, terminal.errors, line_buffering=True)
        self._held = ""

    def write(self, text: str) -> int:
        *lines, self._held = (self._held + text).split("\n")
        for line in lines:
            super().write("\n".join(fold(line, columns(self))) + "\n")
        return len(text)

    def flush(self) -> None:
        held, self._held = self._held, ""
        if held:
            super().write(held)
        super().flush()


@contextmanager
def on_screen(as_json: bool) -> Iterator[None]:
    """Wrap what is written to stdout if that is a terminal; JSON stays as it is."""
    before = sys.stdout
    if as_json or not isinstance(before, io.TextIOWrapper) or not before.isatty():
        yield
        return
    made = Screen(before)
    sys.stdout = made
    try:
        yield
    finally:
        made.flush()
        made.detach()
        sys.stdout = before


def forgive(stream: TextIO) -> None:
    """Let a stream replace characters that it cannot encode, rather than fail."""
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error(ERROR_HANDLER, _spelled)
        stream.reconfigure(errors=ERROR_HANDLER)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_replacement, error.object[error.start : error.end])), error.end


def _replacement(character: str) -> str:
    """The known replacement, or the letter without its accents, or a question mark."""
    if character in SPELLED:
        return SPELLED[character]
    plain = "".join(part for part in normalize("NFKD", character) if not combining(part))
    return plain if plain.isascii() else "?"


def encodable(text: str, stream: TextIO) -> bool:
    """Whether a stream can encode a text unchanged."""
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
