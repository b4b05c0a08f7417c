"""State shared by all routes, and the path from a position to a loaded solution, which may need solving first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from fastapi import Request

from ruse.core.game import Game, GameError, RuseError
from ruse.explorer.drilling import Drills
from ruse.explorer.entries import Entry, identified
from ruse.explorer.errors import Gone
from ruse.explorer.insights import Insights
from ruse.explorer.jobs import Job, Jobs
from ruse.explorer.library import Library, Opened
from ruse.explorer.measuring import AnswerCache
from ruse.explorer.own_variants import OwnVariants
from ruse.explorer.pages import solve_url
from ruse.explorer.settings import Settings
from ruse.explorer.studio import Bench
from ruse.explorer.teaching import Lessons
from ruse.metrics.results import Metrics
from ruse.play.storage import Sessions
from ruse.present.edited import Editable, Editor
from ruse.present.edited_classes import ClassEditor
from ruse.solution.strategy import Solution
from ruse.studio.around import Sensitivity

Answer = TypeVar("Answer")
MOST_POSITION = 4_000  # characters


class Solving(Exception):
    """Raised by a page that has to wait for a job."""

    def __init__(self, job: Job, sent: Mapping[str, str] = MappingProxyType({})) -> None:
        """`sent` holds the fields of a form that is sent again when the job has ended."""
        super().__init__(job.id)
        self.job, self.sent = job, sent


@dataclass(frozen=True)
class Explorer:
    """The library, jobs, sessions, drills and settings of a running server."""

    library: Library
    jobs: Jobs
    sessions: Sessions
    settings: Settings
    insights: Insights
    bench: Bench
    own: OwnVariants
    drills: Drills
    lessons: Lessons
    metrics: AnswerCache[Metrics] = field(default_factory=AnswerCache)
    changes: AnswerCache[Sensitivity] = field(default_factory=AnswerCache)

    def find_entry(self, position: str, source: str = "") -> Entry:
        """Return the entry that a position belongs to, solved or not."""
        if len(position) > MOST_POSITION:
            raise RuseError(f"expected a position of at most {MOST_POSITION:,} characters, got {len(position):,}")
        return self.library.find(position, source)

    def solved(self, position: str, source: str = "") -> tuple[Entry, Solution]:
        """Return the solution of a position. Raise Solving if that takes longer than a page should wait."""
        return self._solved(self.find_entry(position, source))

    def _solved(self, entry: Entry) -> tuple[Entry, Solution]:
        if entry.path is None:
            entry = self._solve(entry)
        return entry, self.library.solution(entry)

    def solved_again(self, game: Game) -> tuple[Entry, Solution]:
        """Return any solution of a game in play whose own solution is missing. Raise Gone if there is none."""
        entry = self.library.of(identified(game))
        if entry is None:
            raise Gone(
                f"the solution file of {game.title} that you play against was deleted; solve the game again, and this "
                "game continues",
                solve_url(game.name, game.parameters),
            )
        return self._solved(entry)

    def solved_game(self, game: Game) -> Solution:
        """Return a solution of a game; solve and save it if there is none. Raise Solving if that takes long."""
        entry = self.library.of(identified(game))
        if entry is None:
            job = self._start({"name": game.name, "parameters": dict(game.parameters)}, game.title)
            entry = self.library.of(identified(game))
            if entry is None:
                raise RuseError(job.text)
        return self._solved(entry)[1]

    def is_solved(self, game: Game) -> bool:
        """Whether there is a solution of a game already."""
        entry = self.library.of(identified(game))
        return entry is not None and entry.path is not None

    def opened(self, position: str, source: str = "") -> Opened:
        """Return the solution of a position with its views."""
        return self.open(self.solved(position, source)[0])

    def open(self, entry: Entry) -> Opened:
        """Return a solution with its views. Raise Solving if the views take seconds to build."""
        if not self.library.is_open(entry):
            job = self.jobs.start("open", spec_of(entry), entry.title, "open", partial(self.library.open, entry))
            self._wait(job)
        return self.library.open(entry)  # raises the error if building failed

    def worked_out(
        self, entry: Entry, known: AnswerCache[Answer], key: str, work: Callable[[], Answer], task: str
    ) -> Answer:
        """Return an answer about a solution that takes seconds. Raise Solving while it is worked out."""
        answer = known.find(key)
        if answer is None:
            job = self.jobs.start(
                "open",
                {**spec_of(entry), "for": task},
                entry.title,
                "open",
                partial(known.work_out, key, work),
                task=task,
            )
            self._wait(job)
            answer = known.find(key)
        if answer is None:
            raise RuseError(job.text)
        return answer

    def editor(self, opened: Opened) -> Editor | ClassEditor:
        """Return the editor of a solution's strategies. Raise Solving if it takes long to prepare."""
        if not isinstance(opened.viewer, Editable):
            raise GameError(
                f"strategies of {opened.entry.title} cannot be changed here; use ruse score for a strategy in a file"
            )
        made = opened.viewer.editor
        if not made.ready():
            spec = {**spec_of(opened.entry), "for": "changes"}
            job = self.jobs.start("open", spec, opened.entry.title, "open", made.prepare)
            self._wait(job)
        return made

    def _solve(self, entry: Entry) -> Entry:
        """Solve a game that is opened for the first time, and return its entry."""
        assert entry.spec is not None
        job = self._start(entry.spec, entry.title, "built in" if entry.origin == "built in" else "asked")
        solved_entry = self.library.find(entry.title, entry.source)
        if solved_entry.path is None and job.identity not in ("", entry.identity):
            raise RuseError(f"the rules of {entry.title} have changed; restart ruse explore")
        if solved_entry.path is None:
            raise RuseError(job.text)
        return solved_entry

    def _start(self, spec: Mapping[str, Any], title: str, queue: str = "asked") -> Job:
        """Run a job that solves a game. Raise Solving if it takes longer than a page should wait."""
        whole = {**spec, "solver": "auto", "limits": {}, "folder": str(self.library.folder), "tag": ""}
        job = self.jobs.start("solve", whole, title, queue)
        self._wait(job)
        return job

    def _wait(self, job: Job) -> None:
        """Wait for a job. Raise Solving if it takes longer than a page should wait."""
        patience = self.settings.patience
        if patience <= 0 or not job.ended.wait(patience):
            raise Solving(job)


def spec_of(entry: Entry) -> dict[str, str | None]:
    """Make the description of a file for a job."""
    return {"file": str(entry.path), "digest": entry.digest, "identity": entry.identity, "carried": entry.carried}


def explorer(request: Request) -> Explorer:
    """Return the shared state, for `Depends(explorer)`."""
    state = request.app.state.explorer
    assert isinstance(state, Explorer)
    return state
