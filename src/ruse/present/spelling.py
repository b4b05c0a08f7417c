"""Characters that a terminal cannot show, spelled with those that it can: "≈ 1/3 …" as "~ 1/3 ..."."""

from __future__ import annotations

import codecs
import io
from typing import TextIO
from unicodedata import combining, normalize

NAME = "ruse"  # of the handler, as streams ask for it
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
    """Let a stream spell what it cannot encode, rather than fail."""
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error(NAME, _spelled)
        stream.reconfigure(errors=NAME)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_one, error.object[error.start : error.end])), error.end


def _one(character: str) -> str:
    """What is known, else the letter without its marks, else a question mark."""
    if character in SPELLED:
        return SPELLED[character]
    plain = "".join(part for part in normalize("NFKD", character) if not combining(part))
    return plain if plain.isascii() else "?"


def encodable(text: str, stream: TextIO) -> bool:
    """Whether a stream can encode a text as it is."""
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
