"""Replace characters that a terminal cannot show: "≈ 1/3 …" becomes "~ 1/3 ..."."""

from __future__ import annotations

import codecs
import io
from typing import TextIO
from unicodedata import combining, normalize

NAME = "ruse"  # the name under which the error handler is registered
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


def forgive(stream: TextIO) -> None:
    """Let a stream replace characters that it cannot encode, rather than fail."""
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error(NAME, _spelled)
        stream.reconfigure(errors=NAME)


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
