"""Sessions in files: one JSON object per session, in the user's folder, under an id that nobody can guess.

A file is replaced after every move, whole or not at all. Files may be damaged or forged: reading one either gives a
session that the rules allow, or raises an error of one sentence.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruse.core import atomic_files, named_games, registry
from ruse.core.game import Game
from ruse.core.identity import identity as identity_of
from ruse.core.own import origin
from ruse.play import session as sessions
from ruse.play.session import MOST_MOVES, MOST_SEED, Session
from ruse.solution import container
from ruse.solution.container import StoreError, a_line, a_list, an_object, field, shown
from ruse.solution.state_folder import state_folder
from ruse.solution.strategy import Solution

FORMAT = 1
MOST_BYTES = 16 << 20
MOST_READ = 200  # files to search for unfinished games
IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{15,63}", re.ASCII)


def default_folder() -> Path:
    return state_folder() / "sessions"


@dataclass(frozen=True)
class SavedSession:
    """A session in a file, without the strategies."""

    id: str
    game: Game
    side: int
    seed: int
    coach: bool
    moves: tuple[str, ...]
    source: str | None  # the solution's file, or None if the game was solved for this
    opening: str | None = None  # the position where the game began
    given: int = 0  # how many of the moves led there
    dealt: str | None = None  # the identity of the solution at the start; missing in older files
    over: bool = False  # whether the game is over; missing in older files

    def resume(self, solution: Solution) -> Session:
        """Continue with a solution of the same game."""
        if identity_of(solution.game) != identity_of(self.game):
            raise StoreError(f"this session needs a solution of {self.game.title}, not of another game")
        return sessions.resume(
            solution,
            self.side,
            self.seed,
            self.moves,
            self.coach,
            self.id,
            self.source,
            self.opening,
            self.given,
            self.dealt,
        )


class Sessions:
    """The sessions of a folder."""

    def __init__(self, folder: str | Path | None = None, lasts: bool = True) -> None:
        self.folder = default_folder() if folder is None else Path(folder)
        self.lasts = lasts  # whether the folder stays after the program ends
        self._moving = threading.Lock()

    def path(self, identity: str) -> Path:
        if not IDENTITY.fullmatch(identity):
            raise StoreError(f"expected the id of a session, got {container.cut(ascii(identity))}")
        return self.folder / f"{identity}.json"

    def has(self, identity: str) -> bool:
        """Whether there is a session of that id."""
        return bool(IDENTITY.fullmatch(identity)) and self.path(identity).exists()

    def save(self, session: Session) -> None:
        """Write a session down, whole or not at all."""
        game = session.solution.game
        content = json.dumps(
            {
                "format": FORMAT,
                "id": session.id,
                "game": game.name,
                "parameters": dict(game.parameters),
                "identity": identity_of(game),
                **({"from": origin(game)} if registry.is_own(game.name) else {}),
                "solution": session.dealt,
                "side": game.sides[session.side],
                "seed": session.seed,
                "coach": session.coach,
                "source": session.source,
                "moves": list(session.moves),
                "opening": session.opening,
                "given": session.given,
                "over": session.over,
            },
        ).encode()
        if len(content) > MOST_BYTES:
            raise StoreError(f"expected a session of at most {MOST_BYTES:,} bytes, got {len(content):,}")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            atomic_files.replace(self.path(session.id), content)
        except OSError as error:
            raise StoreError(f"cannot save sessions in {self.folder}: {atomic_files.reason(error)}") from error

    def read(self, identity: str) -> SavedSession:
        """Read a session from its file, without its solution."""
        path = self.path(identity)
        try:
            content = atomic_files.read(path, MOST_BYTES)
        except FileNotFoundError as error:
            raise StoreError(f"there is no saved session {identity}") from error
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read the session {path}: {atomic_files.reason(error)}") from error
        try:
            return _kept(content, identity)
        except StoreError as error:
            raise StoreError(f"{error} ({path})") from error.__cause__

    def unfinished(self, most: int) -> list[SavedSession]:
        """Unfinished games, the most recent first; unreadable files are skipped."""
        unfinished: list[SavedSession] = []
        for path in sorted(self._files(), key=_written, reverse=True)[:MOST_READ]:
            with suppress(StoreError):
                kept = self.read(path.stem)
                if not kept.over:
                    unfinished.append(kept)
            if len(unfinished) == most:
                break
        return unfinished

    def forget(self, identity: str) -> None:
        """Delete a session."""
        try:
            self.path(identity).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot delete the session {identity}: {atomic_files.reason(error)}") from error

    def _files(self) -> list[Path]:
        try:
            return [path for path in self.folder.glob("*.json") if IDENTITY.fullmatch(path.stem)]
        except OSError:
            return []

    def load(self, identity: str, solution_of: Callable[[SavedSession], Solution]) -> Session:
        """Load a session, with the solution that the caller has or finds for it."""
        kept = self.read(identity)
        return kept.resume(solution_of(kept))

    def play(self, identity: str, number: int, move: str, solution_of: Callable[[SavedSession], Solution]) -> Session:
        """Make a move in a saved session and save it. Of two moves at once, one is refused."""
        with self._moving:
            session = sessions.play(self.load(identity, solution_of), number, move)
            self.save(session)
            return session

    def take_back(self, identity: str, number: int, solution_of: Callable[[SavedSession], Solution]) -> Session:
        """Take back the person's last move in a saved session; `number` is that of the next move."""
        with self._moving:
            session = sessions.take_back(self.load(identity, solution_of), number)
            self.save(session)
            return session


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _kept(content: bytes, identity: str) -> SavedSession:
    try:
        parsed = json.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise StoreError("the session is not valid JSON") from error
    fields = an_object(parsed, "a session")
    if field(fields, "format") != FORMAT:
        raise StoreError(f"expected a session of format {FORMAT}, got {shown(fields['format'])}")
    if field(fields, "id") != identity:
        raise StoreError(f"the file of the session {identity} holds another one")
    parameters = an_object(field(fields, "parameters"), "parameters")
    game = _game(a_line(field(fields, "game"), "game"), parameters, fields.get("from"))
    named, dealt = fields.get("identity"), fields.get("solution")  # which older files do not have
    if named is not None and named != identity_of(game):
        raise StoreError(
            f"expected a session of {game.title} by its rules here, {identity_of(game)}, "
            f"got one by other rules or of another game, {shown(named)}"
        )
    side, seed, coach, source = (field(fields, name) for name in ("side", "seed", "coach", "source"))
    if side not in game.sides:
        raise StoreError(f"expected a side, {game.sides[0]} or {game.sides[1]}, got {shown(side)}")
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < MOST_SEED:
        raise StoreError(f"expected a seed of 0 to {MOST_SEED - 1}, got {shown(seed)}")
    if not isinstance(coach, bool):
        raise StoreError(f"expected true or false as coach, got {shown(coach)}")
    opening, given = fields.get("opening"), fields.get("given", 0)  # which older files do not have
    if not isinstance(given, int) or isinstance(given, bool):
        raise StoreError(f"expected a whole number of moves as given, got {shown(given)}")
    moves = a_list(field(fields, "moves"), "moves")
    if len(moves) > MOST_MOVES:
        raise StoreError(f"expected at most {MOST_MOVES:,} moves, got {len(moves):,}")
    return SavedSession(
        identity,
        game,
        game.sides.index(side),
        seed,
        coach,
        tuple(a_line(move, "a move") for move in moves),
        None if source is None else a_line(source, "source"),
        None if opening is None else a_line(opening, "opening"),
        given,
        None if dealt is None else a_line(dealt, "solution"),
        fields.get("over") is True,
    )


def _game(name: str, parameters: dict[str, Any], origin: object) -> Game:
    """Make the game that a session names, without opening other files or running rules from them.

    `origin` is the file that the session names for a user's own game.
    """
    if "file" in parameters:
        raise StoreError("a parameter of this game names a file: all of them must be in the session")
    if origin is not None and name not in named_games.OWN:
        raise StoreError(named_games.unnamed(shown(name), "session", shown(origin)))
    try:
        return registry.make(name, parameters)
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        raise StoreError(container.cut(str(error))) from error
