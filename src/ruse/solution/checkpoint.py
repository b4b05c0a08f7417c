"""Checkpoints: the arrays of a run in one file, from which a killed run continues.

    ruse-checkpoint/1 sha256:<64 hex digits>
    <a zip archive, as numpy.savez writes it: the arrays, and `about`, a JSON text that says which run they are of>

The checksum covers the archive. The file is replaced whole or not at all. It may come from strangers, so nothing in it
is ever executed (no pickles), and a damaged file or one of another run is refused in one sentence.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ruse.core import atomic_files, sources
from ruse.core.arrays import Array
from ruse.core.contract import Checked
from ruse.core.game import Game, RuseError
from ruse.core.identity import identity, is_walked
from ruse.core.own import Own

FIRST_WORD = b"ruse-checkpoint/1"
LATER = ("identity", "form")  # fields that older checkpoints lack
OFF_FORM = ("tree", "device", "precision")  # fields only of runs without a sequence form


class CheckpointError(RuseError):
    """A file that is not a checkpoint of this run, or cannot be written."""


def game_identity(game: Game, resume: bool) -> str:
    """The identity of a run's game; of a user's game that is too large to walk, the digest of its source code."""
    game_id = identity(game)
    if is_walked(game_id):
        return game_id
    unchecked = game.unchecked if isinstance(game, Checked) else game
    digest = sources.digest_of(type(unchecked.rules)) if isinstance(unchecked, Own) else None
    if digest is None:  # typed at a prompt
        return game_id
    if resume:
        atomic_files.warn(
            f"{game.title} is too large to compare rule by rule; the run continues because its source code is unchanged"
        )
    return f"source-{digest}"


def save(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    packed = io.BytesIO()
    text = np.frombuffer(json.dumps(about, sort_keys=True).encode(), dtype=np.uint8)
    np.savez(packed, allow_pickle=False, about=text, **{f"run.{name}": array for name, array in arrays.items()})
    archive = packed.getbuffer()  # it may be gigabytes, and is not copied
    try:
        atomic_files.replace_in_parts(path, (b"%b sha256:%b\n" % (FIRST_WORD, checksum(archive)), archive))
    except OSError as error:
        raise CheckpointError(f"cannot save a checkpoint to {path}: {atomic_files.reason(error)}") from error


class Patient:
    """Saves checkpoints without ending a run if that fails, as on a full disk: it warns once and tries again later."""

    def __init__(self) -> None:
        self._warned = False

    def __call__(self, path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        try:
            save(path, about, arrays)
        except CheckpointError as error:
            if not self._warned:
                atomic_files.warn(f"{error}; the run continues, and tries again about every second")
            self._warned = True


def check_new(path: Path, resume: bool) -> None:
    """Before a run, refuse a path that cannot be written to, or whose file would be lost."""
    try:
        atomic_files.check_writable(path)
    except (OSError, ValueError) as error:
        raise CheckpointError(f"cannot save a checkpoint to {path}: {atomic_files.reason(error)}") from error
    try:
        if not path.exists():
            return  # nothing that could be lost
        with path.open("rb") as file:
            head = file.read(len(FIRST_WORD))
    except OSError as error:
        raise CheckpointError(f"cannot read the checkpoint {path}: {atomic_files.reason(error)}") from error
    if head and not head.startswith(FIRST_WORD[:-1]):
        raise CheckpointError(f"this is not a checkpoint: it begins with {head[:8]!r} ({path})")
    if head and not resume:
        raise CheckpointError(
            f"the checkpoint {path} already holds {_describe_content(path)}: "
            "continue it with --resume (resume=True), choose another name, or remove the file first"
        )


def check_settings(path: Path, settings: Mapping[str, Any]) -> None:
    """Before a run, refuse a checkpoint that was made with other settings.

    A checkpoint without these settings, or an unreadable one, is judged later when it is loaded.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            written = json.loads(np.load(io.BytesIO(archive.read("about.npy")), allow_pickle=False).tobytes())
    except (ValueError, KeyError, OSError, EOFError, MemoryError, RecursionError, zipfile.BadZipFile, zlib.error):
        return
    for name, value in settings.items() if isinstance(written, dict) else ():
        if name in written:
            _check_equal(name, value, written[name], path)


def _describe_content(path: Path) -> str:
    """Describe a checkpoint in a few words."""
    try:
        about, arrays = read(path)
    except CheckpointError:
        return "an unreadable checkpoint"
    counts = (arrays.get(name) for name in ("solver.done", "solver.iterations", "done"))  # the first number of one
    done = next((int(count.flat[0]) for count in counts if count is not None and count.size), None)
    how = about.get("solver") or about.get("method")
    of = about.get("game") or about.get("contest")
    return f"{'a run' if done is None else f'{done:,} iterations'} of {how} on {of}"


def load(path: Path, about: Mapping[str, Any]) -> dict[str, Array] | None:
    """Load the arrays of the run that `about` describes; None if there is no file."""
    try:
        if not path.exists():
            return None
    except OSError as error:
        raise CheckpointError(f"cannot read the checkpoint {path}: {atomic_files.reason(error)}") from error
    written, arrays = read(path)
    _check_same(dict(about), written, path)
    return arrays


def read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Read the description of a run from its checkpoint, and its arrays."""
    try:
        if (trouble := atomic_files.trouble(path)) is not None:
            raise CheckpointError(f"cannot read the checkpoint {path}: {trouble}")
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"cannot read the checkpoint {path}: {atomic_files.reason(error)}") from error
    head, _, archive = content.partition(b"\n")
    if head.split(b" ")[0] != FIRST_WORD and head.startswith(FIRST_WORD[:-1]):
        raise CheckpointError(f"the checkpoint {path} is from another version of ruse")
    if head.split(b" ")[0] != FIRST_WORD:
        raise CheckpointError(f"this is not a checkpoint: it begins with {content[:8]!r} ({path})")
    if head != b"%b sha256:%b" % (FIRST_WORD, checksum(archive)):
        raise CheckpointError(f"the checkpoint {path} is damaged: it does not match its checksum")
    try:
        _check_stored(archive)
        with np.load(io.BytesIO(archive), allow_pickle=False) as archived:
            arrays = {name: archived[name] for name in archived.files}
        written = json.loads(np.asarray(arrays.pop("about")).tobytes())
    except (ValueError, KeyError, OSError, MemoryError, RecursionError, zipfile.BadZipFile, zlib.error) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: it is not a valid archive") from error
    if not isinstance(written, dict):
        raise CheckpointError(f"the checkpoint {path} does not name its game and solver")
    return written, {name.removeprefix("run."): array for name, array in arrays.items()}


def _check_stored(archive: bytes) -> None:
    """Refuse compressed arrays, because a small file could expand to gigabytes."""
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        if any(member.compress_type != zipfile.ZIP_STORED for member in members.infolist()):
            raise ValueError("expected arrays that are not compressed")


def _check_same(about: dict[str, Any], written: dict[str, Any], path: Path) -> None:
    """Refuse a checkpoint of another run."""
    if other := [name for name in OFF_FORM if name in written and name not in about]:
        listed = ", ".join(f"{name} {written[name]!r}" for name in other)
        raise CheckpointError(f"expected a checkpoint of a run on a sequence form, got one with {listed} ({path})")
    for name, value in json.loads(json.dumps(about)).items():
        if name in LATER and name not in written:
            continue  # written by 0.4.0; what it did write is compared
        _check_equal(name, value, written.get(name), path)


def _check_equal(name: str, value: Any, saved: Any, path: Path) -> None:
    if saved != value:
        raise CheckpointError(f"expected a checkpoint of a run with {name} {value!r}, got one with {saved!r} ({path})")


def checksum(archive: bytes | memoryview) -> bytes:
    return hashlib.sha256(archive).hexdigest().encode()
