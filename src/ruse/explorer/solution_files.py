"""The solution files of the explorer, and the seal that tells its own files from others.

    TITLE-IDENTITY[.TAG].SEAL.ruse

The identity is the game's (ruse.core.identity); the title is only for people. The seal is the HMAC-SHA-256 of the name
before it and of the file's bytes, under a key in the folder that only its owner can read. A file without a valid seal,
such as one from 0.4.0, an edited one or one from another machine, counts as a file from elsewhere: its bounds are
claims.
"""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ruse.core import atomic_files, seals
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.insight.insight_file import insight_path
from ruse.solution import container, store
from ruse.solution.strategy import Solution

SENT = "sent-"
SOURCE = 16  # hexadecimal digits of the key of games and files in addresses
SEALED = re.compile(r"(?P<stem>.+-[0-9a-f]{24}(?P<tag>\.[^.]+)?)\.(?P<seal>[0-9a-f]{32})\.ruse")


def keep(folder: Path, solution: Solution, tag: str = "") -> Path:
    """Save a solution, in place of an older one of the same game and tag."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = store.dumps(solution)
    stem = _stem(solution.game, tag)
    older = list(folder.glob(f"{stem}.*.ruse"))  # listed first, so that two writers leave at least one
    path = container.write(folder / f"{stem}.{seals.seal(_made_key(folder), _sealed(stem, content))}.ruse", content)
    for other in older:
        if other != path and (named := SEALED.fullmatch(other.name)) is not None and named["stem"] == stem:
            with suppress(OSError):
                remove(other)
    return path


def remove(path: Path) -> None:
    """Delete a solution file and its insight. Raise OSError on failure."""
    path.unlink(missing_ok=True)
    insight_path(path).unlink(missing_ok=True)


def is_sealed(path: Path, content: bytes) -> bool:
    """Return whether `keep` wrote a file in the explorer's folder."""
    named = SEALED.fullmatch(path.name)
    if named is None:
        return False
    return seals.holds(seals.read_key(path.parent), _sealed(named["stem"], content), named["seal"])


def is_tagged(path: Path) -> bool:
    """Return whether a sealed file was solved with options."""
    named = SEALED.fullmatch(path.name)
    return named is None or named["tag"] is not None


def is_old_name(path: Path) -> bool:
    """Return whether a file has a name of version 0.4.0."""
    return "." not in path.stem


def sent_path(folder: Path, game: Game, content: bytes) -> Path:
    """Return the path of a file that somebody sent."""
    return folder / f"{_stem(game, SENT + tag_of(content))}.ruse"


def was_sent(path: Path) -> bool:
    return f".{SENT}" in path.name


def source_of(path: Path) -> str:
    """Return the key of a file in addresses; it names no folder and stays when the game is solved again."""
    named = SEALED.fullmatch(path.name)
    return tag_of(str(path if named is None else path.with_name(named["stem"])).encode())


def source_of_game(identified: str) -> str:
    """Return the key in addresses of a game that the explorer solves on demand."""
    return identified[:SOURCE]


def tag_of(content: bytes) -> str:
    """Return a short hash, so that equal content is stored once."""
    return sha256(content).hexdigest()[:SOURCE]


def _stem(game: Game, tag: str) -> str:
    safe = re.sub(r"[^a-z0-9-]+", "_", game.title.lower())[:80]
    return f"{safe}-{identity(game)}{tag and '.'}{tag}"


def _sealed(stem: str, content: bytes) -> bytes:
    return stem.encode() + b"\n" + content


def _made_key(folder: Path) -> bytes:
    try:
        return seals.made_key(folder)
    except OSError as error:
        raise container.StoreError(f"cannot save solutions here: {atomic_files.reason(error)}") from error
