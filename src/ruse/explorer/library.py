"""The solutions that the explorer knows: built-in games, files named on the command line, files in the folder.

A built-in game needs no file; ruse solves it when somebody first opens it. Solutions are saved in a folder, so the next
start finds them. Games are known by their identity, never by their title, which a file chooses: a title of a built-in
game always means that game, whatever files are named after it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ruse.core import atomic_files
from ruse.core.certificate import NONE, Certificate
from ruse.core.game import GameError
from ruse.core.named_games import OWN
from ruse.core.registry import elsewhere, find, game_of, named
from ruse.explorer.entries import Entry, Loaded, Stamp, built_in, named_by, requested, solved, unsolved
from ruse.explorer.errors import Gone, Late, NotHere
from ruse.explorer.solution_files import is_old_name, is_sealed, was_sent
from ruse.present.finding import check_position
from ruse.present.model import Viewer
from ruse.present.viewer import viewer
from ruse.solution import container, store
from ruse.solution.container import OtherKind, StoreError
from ruse.solution.strategy import Solution

MOST_FILES = 60  # of a folder that are listed
MOST_BYTES = 4 << 20  # of a file in the working folder that is listed
MOST_OWN_BYTES = 256 << 20  # of a file that the explorer wrote
MOST_OPEN = 12  # solutions in memory


class StartPosition(NamedTuple):
    """A position that the command line names, with its game or file if the title is not enough."""

    position: str
    source: str = ""


@dataclass(frozen=True)
class Opened:
    """A solution in memory, with its views."""

    entry: Entry
    solution: Solution
    viewer: Viewer


class Unsolved(Exception):
    """A game of the library that is not solved yet."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.title)
        self.entry = entry


class Library:
    """All games and solutions that the explorer knows."""

    def __init__(
        self,
        folder: Path,
        given: Sequence[str] = (),
        here: Path | None = None,
        parameters: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Read the given games and files; `parameters` belong to the single game that is given."""
        if parameters and (len(given) != 1 or given[0] in elsewhere() or named(given[0]) is None):
            names = ", ".join(f"--{name}" for name in parameters)
            raise GameError(f"{names} needs exactly one game by name, got {', '.join(given)}")
        self.folder, self.here = folder, here
        self._lock = threading.Lock()
        self._solutions: OrderedDict[Path, Loaded] = OrderedDict()
        self._viewers: OrderedDict[Path, tuple[Solution, Viewer]] = OrderedDict()
        self._building: dict[Path, threading.Lock] = {}
        self._titles: dict[Path, tuple[Stamp, Entry | None]] = {}  # None: not a solution
        self._given: dict[Path, Entry] = {}  # as they were at the start
        self._asked_files = {Path(argument).resolve() for argument in given if argument.endswith(".ruse")}
        self._checked: dict[tuple[Path, str], str] = {}  # the proofs of files verified in this run
        self._built_in = {
            entry.identity: entry for entry in (unsolved(game, "built in", spec) for game, spec in built_in())
        }
        self.asked_for = [self._give(argument, parameters) for argument in given]

    def _give(self, spelled: str, parameters: Mapping[str, object]) -> StartPosition:
        """Add a file, game or position of the command line. Raise RuseError if it is none of them."""
        if spelled.endswith(".ruse"):
            path = Path(spelled).resolve()
            entry = self._entry(path, "given")
            if entry is None:
                store.load(path)  # says what is wrong with it
                raise NotHere(f"the file {path} does not exist any more")
            self._given[path] = entry
            return StartPosition(entry.title, entry.source)
        before = dict(OWN)
        name = named(spelled)
        if name in before and before[name].spelled != OWN[name].spelled:
            raise GameError(f"two games have the name {name!r}, the second from {spelled}; rename one of them")
        titled = name is None and _looks_like_title(spelled)
        game = game_of(spelled) if titled else find(spelled, parameters)
        if titled:
            check_position(game, spelled)
        entry = unsolved(game, "given", {"name": game.name, "parameters": dict(game.parameters)})
        self._built_in[entry.identity] = entry
        return StartPosition(spelled if titled else game.title, entry.carried or "")

    def entries(self) -> list[Entry]:
        """Return all entries, those of the command line first."""
        given = [self._entry(path, "given") or replace(entry, missing=True) for path, entry in self._given.items()]
        kept = [
            entry
            for path in self._listed(self.folder, MOST_OWN_BYTES)
            if (entry := self._entry(path, "sent" if was_sent(path) else "solved here")) and not self._is_old(entry)
        ]
        around = [entry for path in self._listed(self.here, MOST_BYTES) if (entry := self._entry(path, "this folder"))]
        own = {entry.identity: entry for entry in reversed(kept) if entry.own}
        ours = [
            replace(own[known], origin=entry.origin, spec=entry.spec) if known in own else entry
            for known, entry in self._built_in.items()
        ]
        asked_for = [entry for entry in ours if entry.origin == "given"]
        others = [entry for entry in ours if entry.origin != "given"]
        left = [entry for entry in kept if not (entry.own and entry.identity in self._built_in)]
        return [*given, *asked_for, *others, *left, *around]

    def _is_old(self, entry: Entry) -> bool:
        """Return whether version 0.4.0 saved it for a game that is solved on demand anyway."""
        old = entry.path is not None and is_old_name(entry.path)
        return old and entry.foreign and entry.identity in self._built_in

    def find(self, position: str, source: str = "") -> Entry:
        """Find the entry of a position: by its source, or the only game that its title means."""
        matching = [entry for entry in self.entries() if _begins(position, entry.title)]
        if not matching and (wanted := requested(position)) is not None:
            self._built_in = {**self._built_in, wanted.identity: wanted}
            matching = [wanted]
        if not matching:
            raise NotHere(f"there is no game in the library for {position[:80]!r}; solve it first")
        title = max((entry.title for entry in matching), key=len)
        matching = [entry for entry in matching if entry.title == title]
        if source:
            for entry in matching:
                if entry.source == source:
                    return entry
            raise Gone(f"this solution of {title} was removed")
        return _meant(matching, title)

    def of(self, identified: str) -> Entry | None:
        """Return the best entry of a game, preferably the explorer's own solution."""
        matching = [entry for entry in self.entries() if entry.identity == identified and not entry.missing]
        return min(matching, key=lambda entry: (not entry.own, entry.foreign), default=None)

    def solution(self, entry: Entry) -> Solution:
        """Return the solution of an entry. Raise Unsolved, or Late if the file has changed."""
        if entry.path is None:
            raise Unsolved(entry)
        loaded = self._load(entry.path)
        if loaded.digest != entry.digest:
            raise Late(f"the file {entry.path.name} has just changed; reload the page")
        return loaded.solution

    def standing(self, entry: Entry) -> str:
        """Return "claimed", "checked" or "refuted" for a file from elsewhere, otherwise nothing."""
        if not entry.foreign or entry.path is None:
            return ""
        proof = self._checked.get((entry.path, entry.digest))
        return "claimed" if proof is None else "refuted" if proof == NONE else "checked"

    def certificate(self, entry: Entry, solution: Solution) -> Certificate:
        """Return the bounds of an entry with their proof, the verified one if there is one."""
        checked = None if entry.path is None else self._checked.get((entry.path, entry.digest))
        return solution.certificate if checked is None else replace(solution.certificate, proof=checked)

    def checking(self, entry: Entry) -> Callable[[str, str], None]:
        """Return a function that records the proof of a file's bounds, given the proof and the file's digest."""
        assert entry.path is not None
        path = entry.path

        def record(proof: str, digest: str) -> None:
            self._checked[path, digest] = proof

        return record

    def is_open(self, entry: Entry) -> bool:
        """Return whether `open` need not build anything."""
        solution = self.solution(entry)
        with self._lock:
            known = self._viewers.get(entry.path) if entry.path else None
        return known is not None and known[0] is solution

    def open(self, entry: Entry) -> Opened:
        """Return an entry's solution with its views, which take seconds to build for the largest games."""
        path = entry.path
        if path is None:
            raise Unsolved(entry)
        with self._lock:
            building = self._building.setdefault(path, threading.Lock())
        with building:
            solution = self.solution(entry)
            with self._lock:
                known = self._viewers.get(path)
            if known is None or known[0] is not solution:
                known = (solution, viewer(solution))
            with self._lock:
                self._viewers[path] = known
                self._viewers.move_to_end(path)
                while len(self._viewers) > MOST_OPEN:
                    self._building.pop(self._viewers.popitem(last=False)[0], None)
        return Opened(entry, solution, known[1])

    def _load(self, path: Path) -> Loaded:
        """Load a file, from memory if it has not changed."""
        stamp = _stamp(path)
        if stamp is None:
            raise Gone(f"the solution file {path.name} was deleted or moved")
        with self._lock:
            known = self._solutions.get(path)
        if known is None or known.stamp != stamp:
            content = container.read(path)
            sealed = path.parent == self.folder and is_sealed(path, content)
            warn = atomic_files.warn if path in self._asked_files else None
            known = Loaded(
                stamp, store.loads(content, str(path), warn=warn, sealed=sealed), sha256(content).hexdigest(), sealed
            )
        with self._lock:
            self._solutions[path] = known
            self._solutions.move_to_end(path)
            while len(self._solutions) > MOST_OPEN:
                self._solutions.popitem(last=False)
        return known

    def _entry(self, path: Path, origin: str) -> Entry | None:
        """Return the entry of a file, None if it is no solution; read it again only if it has changed."""
        stamp = _stamp(path)
        if stamp is None:
            return None
        known = self._titles.get(path)
        if known is None or known[0] != stamp:
            entry = None
            with suppress(StoreError, OtherKind, Gone):  # opening a file by name says what is wrong with it
                entry = solved(path, origin, self._load(path))
            known = (stamp, entry)
            if len(self._titles) > 20 * MOST_FILES:
                self._titles.clear()
            self._titles[path] = known
        return known[1]

    def _listed(self, folder: Path | None, most: int) -> Iterator[Path]:
        """Yield the newest solution files of a folder that are small enough."""
        if folder is None:
            return
        stamps = []
        try:
            for path in folder.glob("*.ruse"):
                if (stamp := _stamp(path)) is not None and stamp[1] <= most and path not in self._given:
                    stamps.append((stamp, path))
        except OSError:
            return
        yield from (path for _, path in sorted(stamps, reverse=True)[:MOST_FILES])


def _looks_like_title(spelled: str) -> bool:
    return not spelled.lower().endswith((".efg", ".nfg")) and not spelled.startswith("openspiel:")


def _begins(position: str, title: str) -> bool:
    return position == title or (position.startswith(title) and position[len(title)] in "/@")


def _meant(matching: Sequence[Entry], title: str) -> Entry:
    """Return the entry of the only game that a title means, preferably the explorer's own solution."""
    named = named_by(title)
    if named is None:
        matching = [entry for entry in matching if entry.origin == "given"] or matching
    else:
        matching = [entry for entry in matching if entry.identity == named]
    identities = {entry.identity for entry in matching}
    if not identities:
        raise NotHere(f"only files of other games have the title {title!r}; open one of them from the library")
    if len(identities) > 1:
        raise NotHere(f"{len(identities)} games have the title {title!r}; open one of them from the library")
    return min(matching, key=lambda entry: not entry.own)


def _stamp(path: Path) -> Stamp | None:
    try:
        if atomic_files.trouble(path) is not None:
            return None
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ctime_ns, status.st_ino, status.st_dev
