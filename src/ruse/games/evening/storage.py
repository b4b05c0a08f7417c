"""Evenings in files: one JSON object each, in the user's folder, replaced after every act, whole or not at all."""

from __future__ import annotations

import json
import re
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.games.evening.models import read_models
from ruse.games.evening.session import SeatError, SeatSession, read_seat
from ruse.games.evening.setting import Setting
from ruse.games.resistance.table import make_table
from ruse.play.session import MOST_MOVES, MOST_SEED
from ruse.solution.container import StoreError, a_line, a_list, an_object
from ruse.solution.container import field as field_of

KIND, VERSION = "ruse seat", 1
MOST_BYTES = 1 << 20
MOST_READ = 50  # files to search for unfinished evenings
IDENTITY = re.compile(r"[0-9a-f]{24}")
FOLDER = "evenings"  # in the state folder


@dataclass(frozen=True)
class SeatSessions:
    """The saved evenings of a folder."""

    folder: Path
    lasts: bool = True  # whether the folder stays after the program ends
    _acting: threading.Lock = field(default_factory=threading.Lock)

    def path(self, identity: str) -> Path:
        if not IDENTITY.fullmatch(identity):
            raise StoreError(f"expected the id of an evening, got {identity[:40]!r}")
        return self.folder / f"{identity}.json"

    def has(self, identity: str) -> bool:
        return bool(IDENTITY.fullmatch(identity)) and self.path(identity).exists()

    def save(self, session: SeatSession) -> None:
        content = json.dumps({"kind": KIND, "version": VERSION, **session.to_json(), "over": session.over}).encode()
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            atomic_files.replace(self.path(session.id), content)
        except OSError as error:
            raise StoreError(f"cannot save evenings in {self.folder}: {atomic_files.reason(error)}") from error

    def load(self, identity: str) -> SeatSession:
        path = self.path(identity)
        try:
            content = atomic_files.read(path, MOST_BYTES)
        except FileNotFoundError as error:
            raise StoreError(f"there is no saved evening {identity}") from error
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read the evening {path}: {atomic_files.reason(error)}") from error
        try:
            return _read(content, identity)
        except RuseError as error:
            raise StoreError(f"{error} ({path})") from error

    def unfinished(self, most: int) -> list[SeatSession]:
        """Unfinished evenings, newest first; unreadable files are skipped."""
        found: list[SeatSession] = []
        paths = [path for path in self.folder.glob("*.json") if IDENTITY.fullmatch(path.stem)]
        for path in sorted(paths, key=_written, reverse=True)[:MOST_READ]:
            with suppress(StoreError):
                session = self.load(path.stem)
                if not session.over:
                    found.append(session)
            if len(found) == most:
                break
        return found

    def forget(self, identity: str) -> None:
        """Delete an evening."""
        try:
            self.path(identity).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot delete the evening {identity}: {atomic_files.reason(error)}") from error

    def act(self, identity: str, number: int, text: str) -> SeatSession:
        """Act in a saved evening and save it. Of two acts at once, one is refused."""
        with self._acting:
            session = self.load(identity).act(number, text)
            self.save(session)
            return session

    def take_back(self, identity: str, number: int) -> SeatSession:
        with self._acting:
            session = self.load(identity).take_back(number)
            self.save(session)
            return session


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _read(content: bytes, identity: str) -> SeatSession:
    try:
        parsed = json.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise StoreError("the evening is not valid JSON") from error
    fields = an_object(parsed, "an evening")
    if field_of(fields, "kind") != KIND or field_of(fields, "version") != VERSION:
        raise StoreError(f"expected an evening of version {VERSION}")
    if field_of(fields, "id") != identity:
        raise StoreError(f"the file of the evening {identity} holds another one")
    setting = read_setting(an_object(field_of(fields, "setting"), "a setting"))
    seat, seed, coach = (field_of(fields, name) for name in ("seat", "seed", "coach"))
    place = read_seat(setting, a_line(seat, "a seat"))
    if place is None:
        raise SeatError("expected a seat, got none")
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < MOST_SEED:
        raise StoreError(f"expected a seed of 0 to {MOST_SEED - 1}")
    if not isinstance(coach, bool):
        raise StoreError("expected true or false as coach")
    acts = a_list(field_of(fields, "acts"), "acts")
    if len(acts) > MOST_MOVES:
        raise StoreError(f"expected at most {MOST_MOVES:,} acts, got {len(acts):,}")
    models = read_models(a_line(field_of(fields, "bots"), "bots"))
    texts = tuple(a_line(act, "an act") for act in acts)
    session = SeatSession(setting, models, place, seed, coach, identity, texts)
    session.moments  # noqa: B018  # which refuses acts that the rules do not allow
    return session


def read_setting(fields: dict[str, Any]) -> Setting:
    """A setting as `Setting.to_json` wrote it."""
    table, roles = an_object(field_of(fields, "table"), "a table"), a_list(field_of(fields, "roles"), "roles")
    try:
        made = make_table(table["players"], table["spies"], table["missions"], table["sabotages"])
    except (KeyError, TypeError) as error:
        raise StoreError("the table of this evening cannot be read") from error
    return Setting.make(made, [a_line(role, "a role") for role in roles])
