"""The files that the explorer keeps solutions in, and the seal that tells its own work from what was put there.

    TITLE-IDENTITY[.TAG].SEAL.ruse

The identity is the game's (ruse.core.identity); the title is only for people. The seal is the HMAC-SHA-256 of the name
before it and of the file's bytes, under a key that the folder holds and only its owner can read. A file whose seal does
not fit, such as one of 0.4.0, one that was edited or one from another machine, is a file from elsewhere: what it says
is a claim.
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
SOURCE = 16  # hexadecimal digits of what tells games and files apart in addresses
SEALED = re.compile(r"(?P<stem>.+-[0-9a-f]{24}(?P<tag>\.[^.]+)?)\.(?P<seal>[0-9a-f]{32})\.ruse")


def keep(folder: Path, solution: Solution, tag: str = "") -> Path:
    """Save a solution that was found here, in place of an older one of the same game and tag."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = store.dumps(solution)
    stem = _stem(solution.game, tag)
    older = list(folder.glob(f"{stem}.*.ruse"))  # before the new one is there: two who keep one each leave one at least
    path = container.write(folder / f"{stem}.{seals.seal(_made_key(folder), _sealed(stem, content))}.ruse", content)
    for other in older:
        if other != path and (named := SEALED.fullmatch(other.name)) is not None and named["stem"] == stem:
            with suppress(OSError):
                remove(other)
    return path


def remove(path: Path) -> None:
    """Delete a solution file, and what is kept beside it. Raises OSError."""
    path.unlink(missing_ok=True)
    insight_path(path).unlink(missing_ok=True)


def is_sealed(path: Path, content: bytes) -> bool:
    """Whether a file in a folder of ours is as `keep` wrote it."""
    named = SEALED.fullmatch(path.name)
    if named is None:
        return False
    return seals.holds(seals.read_key(path.parent), _sealed(named["stem"], content), named["seal"])


def is_tagged(path: Path) -> bool:
    """Whether a sealed file was asked for in other words than the game's alone."""
    named = SEALED.fullmatch(path.name)
    return named is None or named["tag"] is not None


def is_old_name(path: Path) -> bool:
    """Whether a file is named as 0.4.0 named what it had solved unasked."""
    return "." not in path.stem


def sent_path(folder: Path, game: Game, content: bytes) -> Path:
    """Where a file is kept that somebody sent."""
    return folder / f"{_stem(game, SENT + tag_of(content))}.ruse"


def was_sent(path: Path) -> bool:
    return f".{SENT}" in path.name


def source_of(path: Path) -> str:
    """What tells files apart in addresses, without naming folders; solved again, a game keeps it."""
    named = SEALED.fullmatch(path.name)
    return tag_of(str(path if named is None else path.with_name(named["stem"])).encode())


def source_of_game(identified: str) -> str:
    """The same for games that are solved here when they are looked at."""
    return identified[:SOURCE]


def tag_of(content: bytes) -> str:
    """The same for the same content, so that what is asked for twice is kept once."""
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
