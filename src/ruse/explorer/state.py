"""What all routes share, and the way from a position to a solution in memory, solving it first if need be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fastapi import Request

from ruse.explorer.errors import Gone, NotHere
from ruse.explorer.jobs import Job, Jobs
from ruse.explorer.library import Entry, Library, Opened
from ruse.explorer.pages import solve_url
from ruse.explorer.settings import Settings
from ruse.game import Game, RuseError
from ruse.play.storage import Sessions
from ruse.strategy import Solution

MOST_POSITION = 4_000  # characters


class Solving(Exception):
    """An answer that has to wait for a job."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.id)
        self.job = job


@dataclass(frozen=True)
class Explorer:
    library: Library
    jobs: Jobs
    sessions: Sessions
    settings: Settings

    def solved(self, position: str, source: str = "") -> tuple[Entry, Solution]:
        """The solution that a position belongs to. Raises Solving if that takes longer than a page should wait."""
        if len(position) > MOST_POSITION:
            raise RuseError(f"expected a position of at most {MOST_POSITION:,} characters, got {len(position):,}")
        entry = self.library.find(position, source)
        if entry.path is None:
            self._solve(entry)
            entry = self.library.find(position, source)
        return entry, self.library.solution(entry)

    def solved_again(self, game: Game) -> tuple[Entry, Solution]:
        """Any solution of a game that is being played, where its own is gone. Raises Gone if there is none."""
        try:
            return self.solved(game.title)
        except NotHere as error:
            raise Gone(
                f"expected the solution of {game.title} that this game is played against, got none: its file is gone. "
                "The game is kept, and goes on once that is solved again",
                solve_url(game.name, game.parameters),
            ) from error

    def opened(self, position: str, source: str = "") -> Opened:
        """The same with its views."""
        return self.open(self.solved(position, source)[0])

    def open(self, entry: Entry) -> Opened:
        """A solution with its views. Raises Solving too, as the views of the largest games take seconds to build."""
        if not self.library.is_open(entry):
            job = self.jobs.start(
                "open", {"file": str(entry.path)}, entry.title, "open", partial(self.library.open, entry)
            )
            if not job.ended.wait(self.settings.patience):
                raise Solving(job)
        return self.library.open(entry)  # which says what went wrong, if anything did

    def _solve(self, entry: Entry) -> None:
        """Solve a game that is looked at for the first time."""
        assert entry.spec is not None
        spec = {**entry.spec, "solver": "auto", "limits": {}, "folder": str(self.library.folder), "tag": ""}
        job = self.jobs.start("solve", spec, entry.title, "built in" if entry.origin == "built in" else "asked")
        if not job.ended.wait(self.settings.patience):
            raise Solving(job)
        if job.state not in ("done", "stopped") or not self.library.path_for(entry.title).exists():
            raise RuseError(job.text)


def explorer(request: Request) -> Explorer:
    """For routes: `Depends(explorer)`."""
    found = request.app.state.explorer
    assert isinstance(found, Explorer)
    return found
