"""The solutions that the explorer knows: what is built in, files named on the command line, files around.

A game that is built in needs no file; it is solved when somebody first looks at it. Whatever is solved here is kept
in a folder, so the next start finds it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ruse import files, store
from ruse.container import OtherKind, StoreError
from ruse.explorer import say
from ruse.explorer.errors import Gone, NotHere
from ruse.explorer.keeping import path_for, source_of, was_sent
from ruse.game import Game, GameError, RuseError
from ruse.games import GAMES, find, game_of, make
from ruse.games.resistance.table import OFFICIAL
from ruse.games.rules_text import rules
from ruse.strategy import Solution
from ruse.view import viewer
from ruse.view.model import Viewer
from ruse.words import Worded

MOST_FILES = 60  # of a folder that are listed
MOST_BYTES = 4 << 20  # of a file in the working folder that is listed without having been asked for
MOST_OWN_BYTES = 256 << 20  # of a file that was written here
MOST_OPEN = 12  # solutions in memory
LARGE = frozenset({"phantom-4-in-a-row", "4-in-a-row"})  # take minutes by default: by form only

Stamp = tuple[int, int]  # when a file was last written, and its size


@dataclass(frozen=True)
class Summary:
    """What the library page says of a solution, kept so that the page need not load them all."""

    sentence: str  # what the game is worth
    mark: str  # how sure that is
    solver: str
    exact: bool
    positions: tuple[int, int]  # that each side's strategy covers
    rules: str
    table: str  # what is played at, where a game has many tables


@dataclass(frozen=True)
class Entry:
    """A game in the library, with its solution if there is one."""

    title: str  # how its positions begin
    name: str  # of the game, as on the command line
    origin: str  # "built in", "given", "solved here", "sent" or "this folder"
    path: Path | None  # of the solution; None where it has yet to be solved
    foreign: bool = False  # whether the file was made elsewhere, so that its bounds are only what it says
    spec: dict[str, Any] | None = None  # what to solve where there is no file
    summary: Summary | None = None
    gone: bool = False  # whether the file was deleted or damaged since

    @property
    def source(self) -> str:
        """What tells files of the same game apart, in addresses."""
        return "" if self.path is None else source_of(self.path)


@dataclass(frozen=True)
class Opened:
    """A solution in memory, with its views."""

    entry: Entry
    solution: Solution
    viewer: Viewer


class Unsolved(Exception):
    """A game of the library that nobody has looked at yet."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.title)
        self.entry = entry


class Library:
    def __init__(
        self,
        folder: Path,
        given: Sequence[str] = (),
        here: Path | None = None,
        parameters: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """`parameters` are those of the game that is given."""
        if parameters and (len(given) != 1 or given[0] not in GAMES):
            names = ", ".join(f"--{name}" for name in parameters)
            raise GameError(f"expected one game by its name with parameters, got {', '.join(given)} with {names}")
        self.folder, self.here = folder, here
        self._lock = threading.Lock()
        self._solutions: OrderedDict[Path, tuple[Stamp, Solution]] = OrderedDict()
        self._viewers: OrderedDict[Path, tuple[Solution, Viewer]] = OrderedDict()
        self._building: dict[Path, threading.Lock] = {}
        self._titles: dict[Path, tuple[Stamp, Entry | None]] = {}  # None: not a solution
        self._given: dict[Path, Entry] = {}  # as they were at the start
        self._checked: dict[tuple[Path, Stamp | None], bool] = {}  # files recomputed in this run: whether they hold
        self._built_in = {title: Entry(title, name, "built in", None, spec=spec) for title, name, spec in _built_in()}
        self.asked_for = [self._give(one, parameters) for one in given]  # positions

    def _give(self, spelled: str, parameters: Mapping[str, object]) -> str:
        """A file, game or position of the command line, as a position. Raises RuseError if it is none of them."""
        if spelled.endswith(".ruse"):
            path = Path(spelled).resolve()
            entry = self._entry(path, "given")
            if entry is None:
                return store.load(path).game.title  # or says what is wrong with it
            self._given[path] = entry
            return entry.title
        titled = spelled not in GAMES and _looks_like_title(spelled)
        game = game_of(spelled) if titled else find(spelled, parameters)
        spec = {"name": game.name, "parameters": dict(game.parameters)}
        self._built_in[game.title] = Entry(game.title, game.name, "given", None, spec=spec)
        return spelled if titled else game.title

    def path_for(self, title: str) -> Path:
        """Where the solution of a game is kept that is solved here."""
        return path_for(self.folder, title)

    def entries(self) -> list[Entry]:
        """Everything there is, what was asked for first; of two with one title, the first is what positions open."""
        found = [self._entry(path, "given") or replace(entry, gone=True) for path, entry in self._given.items()]
        solved = [
            entry
            for path in self._listed(self.folder, MOST_OWN_BYTES)
            if (entry := self._entry(path, "sent" if was_sent(path) else "solved here"))
        ]
        around = [entry for path in self._listed(self.here, MOST_BYTES) if (entry := self._entry(path, "this folder"))]
        built_in = []
        titles = {entry.title for entry in found}
        for title, entry in self._built_in.items():
            kept = next((one for one in solved if one.title == title and one.path == self.path_for(title)), None)
            if kept is not None:
                built_in.append(replace(kept, origin=entry.origin, spec=entry.spec))
            elif title not in titles:
                built_in.append(entry)
        taken = {entry.path for entry in built_in}
        asked_for = [entry for entry in built_in if entry.origin == "given"]
        others = [entry for entry in built_in if entry.origin != "given"]
        return [*found, *asked_for, *others, *(entry for entry in solved if entry.path not in taken), *around]

    def find(self, position: str, source: str = "") -> Entry:
        """Whose position this is."""
        matching = [entry for entry in self.entries() if _begins(position, entry.title)]
        longest = max((len(entry.title) for entry in matching), default=0)
        matching = [entry for entry in matching if len(entry.title) == longest]
        if not matching:
            raise NotHere(f"expected a position of a game in the library, got {position[:80]!r}: solve that game first")
        for entry in matching:
            if source in ("", entry.source):
                return entry
        raise Gone(f"expected a solution of {matching[0].title} that is still there, got one that was removed")

    def solution(self, entry: Entry) -> Solution:
        """The solution of an entry, from memory or from its file. Raises Unsolved."""
        if entry.path is None:
            raise Unsolved(entry)
        return self._load(entry.path)

    def standing(self, entry: Entry) -> str:
        """Of a file from elsewhere "claimed", or once it was verified "checked" or "refuted"; else nothing."""
        if not entry.foreign or entry.path is None:
            return ""
        holds = self._checked.get((entry.path, _stamp(entry.path)))
        return "claimed" if holds is None else "checked" if holds else "refuted"

    def checking(self, entry: Entry) -> Callable[[bool], None]:
        """What to tell once the bounds in a file, as it is now, were recomputed: whether they hold."""
        assert entry.path is not None
        now = (entry.path, _stamp(entry.path))

        def found(holds: bool) -> None:
            self._checked[now] = holds

        return found

    def is_open(self, entry: Entry) -> bool:
        """Whether `open` need not build anything."""
        solution = self.solution(entry)
        with self._lock:
            known = self._viewers.get(entry.path) if entry.path else None
        return known is not None and known[0] is solution

    def open(self, entry: Entry) -> Opened:
        """The same with its views, which take seconds to build for the largest games."""
        path = entry.path
        if path is None:
            raise Unsolved(entry)
        with self._lock:
            building = self._building.setdefault(path, threading.Lock())
        with building:
            solution = self._load(path)
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

    def _load(self, path: Path) -> Solution:
        """From memory while the file is as it was; else from the file."""
        stamp = _stamp(path)
        if stamp is None:
            raise Gone(f"expected the solution file {path.name}, got no such file: it was deleted or moved")
        with self._lock:
            known = self._solutions.get(path)
        if known is None or known[0] != stamp:
            known = (stamp, store.load(path))
        with self._lock:
            self._solutions[path] = known
            self._solutions.move_to_end(path)
            while len(self._solutions) > MOST_OPEN:
                self._solutions.popitem(last=False)
        return known[1]

    def _entry(self, path: Path, origin: str) -> Entry | None:
        """A file as an entry; None if it is no solution. Read again only when it has changed."""
        stamp = _stamp(path)
        if stamp is None:
            return None
        known = self._titles.get(path)
        if known is None or known[0] != stamp:
            entry = None
            try:
                solution = self._load(path)
                game, foreign = solution.game, origin != "solved here"
                entry = Entry(game.title, game.name, origin, path, foreign, summary=_summary(solution))
            except (StoreError, OtherKind, Gone):
                pass  # a folder may hold other files; opening one by name says what is wrong with it
            known = (stamp, entry)
            if len(self._titles) > 20 * MOST_FILES:
                self._titles.clear()
            self._titles[path] = known
        return known[1]

    def _listed(self, folder: Path | None, most: int) -> Iterator[Path]:
        """The newest solution files of a folder that are not too large to read unasked."""
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


def _built_in() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The official tables of The Resistance, and every other game that is small as it comes."""
    for players in OFFICIAL:
        yield f"resistance-{players}", "resistance", {"name": "resistance", "parameters": {"players": players}}
    for name in GAMES:
        if name == "resistance" or name in LARGE:
            continue
        try:
            game = make(name)
        except RuseError:  # needs parameters
            continue
        yield game.title, name, {"name": name, "parameters": {}}


def _looks_like_title(spelled: str) -> bool:
    return not spelled.lower().endswith((".efg", ".nfg")) and not spelled.startswith("openspiel:")


def _begins(position: str, title: str) -> bool:
    return position == title or (position.startswith(title) and position[len(title)] in "/@")


def _stamp(path: Path) -> Stamp | None:
    try:
        if files.trouble(path) is not None:
            return None
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _summary(solution: Solution) -> Summary:
    worth = say.solved(solution)
    first, second = (len(table) for table in solution.tables)
    return Summary(
        worth.sentence,
        worth.mark,
        solution.solver,
        solution.certificate.exact,
        (first, second),
        *told(solution.game),
    )


def told(game: Game) -> tuple[str, str]:
    """The rules of a game, and the table it is played at."""
    return rules(game.name), game.in_a_line() if isinstance(game, Worded) else ""


def example(entry: Entry) -> Game:
    """The game of an entry that has no solution yet."""
    assert entry.spec is not None
    return make(entry.spec["name"], entry.spec["parameters"])
