"""What all routes share, and the way from a position to a solution in memory, solving it first if need be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from fastapi import Request

from ruse.core.game import Game, GameError, RuseError
from ruse.explorer.entries import Entry, identified
from ruse.explorer.errors import Gone
from ruse.explorer.insights import Insights
from ruse.explorer.jobs import Job, Jobs
from ruse.explorer.library import Library, Opened
from ruse.explorer.pages import solve_url
from ruse.explorer.settings import Settings
from ruse.explorer.studio import Bench
from ruse.play.storage import Sessions
from ruse.present.edited import Editable, Editor
from ruse.present.edited_classes import ClassEditor
from ruse.solution.strategy import Solution

MOST_POSITION = 4_000  # characters


class Solving(Exception):
    """An answer that has to wait for a job."""

    def __init__(self, job: Job, sent: Mapping[str, str] = MappingProxyType({})) -> None:
        """`sent` are the fields of the form that waits, which is sent once more when the job has ended."""
        super().__init__(job.id)
        self.job, self.sent = job, sent


@dataclass(frozen=True)
class Explorer:
    library: Library
    jobs: Jobs
    sessions: Sessions
    settings: Settings
    insights: Insights
    bench: Bench

    def found(self, position: str, source: str = "") -> Entry:
        """The game that a position belongs to, solved or not."""
        if len(position) > MOST_POSITION:
            raise RuseError(f"expected a position of at most {MOST_POSITION:,} characters, got {len(position):,}")
        return self.library.find(position, source)

    def solved(self, position: str, source: str = "") -> tuple[Entry, Solution]:
        """The solution that a position belongs to. Raises Solving if that takes longer than a page should wait."""
        return self._solved(self.found(position, source))

    def _solved(self, entry: Entry) -> tuple[Entry, Solution]:
        if entry.path is None:
            entry = self._solve(entry)
        return entry, self.library.solution(entry)

    def solved_again(self, game: Game) -> tuple[Entry, Solution]:
        """Any solution of a game that is being played, where its own is gone. Raises Gone if there is none."""
        entry = self.library.of(identified(game))
        if entry is None:
            raise Gone(
                f"expected the solution of {game.title} that this game is played against, got none: its file is gone. "
                "The game is kept, and goes on once that is solved again",
                solve_url(game.name, game.parameters),
            )
        return self._solved(entry)

    def solved_game(self, game: Game) -> Solution:
        """A solution of a game, which is solved and kept if there is none. Raises Solving if that takes long."""
        entry = self.library.of(identified(game))
        if entry is None:
            job = self._start({"name": game.name, "parameters": dict(game.parameters)}, game.title)
            entry = self.library.of(identified(game))
            if entry is None:
                raise RuseError(job.text)
        return self._solved(entry)[1]

    def opened(self, position: str, source: str = "") -> Opened:
        """The same with its views."""
        return self.open(self.solved(position, source)[0])

    def open(self, entry: Entry) -> Opened:
        """A solution with its views. Raises Solving too, as the views of the largest games take seconds to build."""
        if not self.library.is_open(entry):
            job = self.jobs.start("open", spec_of(entry), entry.title, "open", partial(self.library.open, entry))
            self._wait(job)
        return self.library.open(entry)  # which says what went wrong, if anything did

    def editor(self, opened: Opened) -> Editor | ClassEditor:
        """Best responses to changed strategies of a solution. Raises Solving where they take long to prepare."""
        if not isinstance(opened.viewer, Editable):
            raise GameError(
                f"strategies of {opened.entry.title} cannot be changed here: "
                "ruse score says what one in a file guarantees"
            )
        made = opened.viewer.editor
        if not made.ready():
            spec = {**spec_of(opened.entry), "for": "changes"}
            job = self.jobs.start("open", spec, opened.entry.title, "open", made.prepare)
            self._wait(job)
        return made

    def _solve(self, entry: Entry) -> Entry:
        """Solve a game that is looked at for the first time, and where that is now."""
        assert entry.spec is not None
        job = self._start(entry.spec, entry.title, "built in" if entry.origin == "built in" else "asked")
        found = self.library.find(entry.title, entry.source)
        if found.path is None and job.identity not in ("", entry.identity):
            raise RuseError(f"the rules of {entry.title} have changed; start ruse explore again")
        if found.path is None:
            raise RuseError(job.text)
        return found

    def _start(self, spec: Mapping[str, Any], title: str, lane: str = "asked") -> Job:
        """A job that solves a game, once it has ended. Raises Solving if that takes longer than a page should wait."""
        whole = {**spec, "solver": "auto", "limits": {}, "folder": str(self.library.folder), "tag": ""}
        job = self.jobs.start("solve", whole, title, lane)
        self._wait(job)
        return job

    def _wait(self, job: Job) -> None:
        """Until a job has ended. Raises Solving if that takes longer than a page should wait."""
        patience = self.settings.patience
        if patience <= 0 or not job.ended.wait(patience):
            raise Solving(job)


def spec_of(entry: Entry) -> dict[str, str | None]:
    """What a job is told of a file: where it is, as it is now, and how its pages are called."""
    return {"file": str(entry.path), "digest": entry.digest, "identity": entry.identity, "carried": entry.carried}


def explorer(request: Request) -> Explorer:
    """For routes: `Depends(explorer)`."""
    found = request.app.state.explorer
    assert isinstance(found, Explorer)
    return found
