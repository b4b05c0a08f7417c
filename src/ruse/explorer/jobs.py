"""Long work that a page starts: solves, size estimates and proofs, each in a process of its own that can be stopped."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from secrets import token_urlsafe
from signal import SIGINT
from time import monotonic
from typing import Any

from ruse.core.certificate import NONE
from ruse.core.game import RuseError
from ruse.core.named_games import OWN
from ruse.explorer.errors import Busy, Late, NotHere
from ruse.explorer.pages import solve_url, url

KEPT = 50  # jobs that have ended
MOST_POINTS = 400  # of a job
GRACE = 60.0  # seconds between asking a worker to stop and making it: what it has must be certified


@dataclass(frozen=True)
class Point:
    """The bounds of a run at a time."""

    seconds: float
    lower: float
    upper: float


@dataclass
class Job:
    """What a page can see of a job. Only its own thread changes it."""

    id: str
    kind: str  # "solve", "size", "verify" or "contest", or "open", which is done in this process
    spec: Mapping[str, Any]
    title: str
    lane: str  # jobs wait only for those in the same one
    state: str = "waiting"  # then "running", then "done", "stopped" or "failed"
    text: str = "waiting for its turn"
    size: str = ""
    note: str = ""
    identity: str = ""  # of the game, once it is known
    page: str | None = None  # of the solution, once there is one
    digest: str = ""  # of the file that is looked at
    points: list[Point] = field(default_factory=list)
    begun: float = 0.0  # by the clock of this machine
    seconds: float = 0.0
    version: int = 0  # counts changes, for those who watch
    ended: threading.Event = field(default_factory=threading.Event)  # to wait for; it is set once the state says so
    asked_to_stop: bool = False
    process: subprocess.Popen[str] | None = None
    here: Callable[[], object] | None = None  # what to do where no process is needed
    after: Callable[[str, str], object] = lambda *_: None  # with what the bounds of a file rest on, and its digest

    @property
    def again(self) -> str:
        """Where the same can be asked for once more."""
        if self.kind in ("solve", "size"):
            limits = {name: str(limit).removesuffix(".0") for name, limit in self.spec["limits"].items() if limit}
            return solve_url(self.spec["name"], self.spec["parameters"], solver=self.spec["solver"], **limits)
        if self.kind == "contest":
            return f"/contests/{self.spec['name']}"
        tab = "proof" if self.kind == "verify" else None
        return url(f"/p/{self.title}", file=self.spec["carried"], tab=tab)

    @property
    def over(self) -> bool:
        return self.state not in ("waiting", "running")

    @property
    def elapsed(self) -> float:
        """Seconds."""
        return round(monotonic() - self.begun if self.state == "running" else self.seconds, 3)


class Jobs:
    def __init__(self, most_running: int, most_waiting: int, most_seconds: float) -> None:
        self.most_waiting, self.most_seconds = most_waiting, most_seconds
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lanes = {
            "asked": ThreadPoolExecutor(most_running, thread_name_prefix="job"),
            "built in": ThreadPoolExecutor(1, thread_name_prefix="built-in"),  # short, and must not wait for long ones
            "open": ThreadPoolExecutor(2, thread_name_prefix="open"),
        }
        self.closing = False

    def start(
        self,
        kind: str,
        spec: Mapping[str, Any],
        title: str,
        lane: str = "asked",
        here: Callable[[], object] | None = None,
        after: Callable[[str, str], object] = lambda *_: None,
    ) -> Job:
        """A new job, or the one that is already doing just that. Raises Busy if too many wait in its lane.

        `here` is what to do in this process instead; `after` hears that all went well, or that a proof failed.
        """
        with self._lock:
            going = [job for job in self._jobs.values() if not job.over]
            for job in going:
                if job.kind == kind and job.spec == spec and not job.asked_to_stop:
                    return job
            waiting = sum(job.state == "waiting" and job.lane == lane for job in going)
            if waiting >= self.most_waiting or self.closing:
                raise Busy(f"{self.most_waiting} jobs are waiting already; try again when one is done")
            made = Job(token_urlsafe(9), kind, spec, title, lane, here=here, after=after)
            made.identity = spec.get("identity", "")
            self._jobs[made.id] = made
            for old in [one for one, job in self._jobs.items() if job.over][:-KEPT]:
                del self._jobs[old]
            self._lanes[lane].submit(self._run, made)
        return made

    def find(self, id_: str) -> Job:
        with self._lock:
            if id_ not in self._jobs:
                raise NotHere(f"there is no job {id_[:40]!r}; jobs end when the server stops")
            return self._jobs[id_]

    def recent(self) -> list[Job]:
        """The newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def stop(self, id_: str) -> Job:
        """Ask a job to stop and keep the best so far; if it was asked before, do not wait for that."""
        job = self.find(id_)
        if job.over:
            raise Late(f"this job has already ended ({job.state})")
        again, job.asked_to_stop = job.asked_to_stop, True
        if job.process is not None and again:
            job.process.kill()
        elif job.process is not None:
            _interrupt(job.process)
        return job

    def close(self) -> None:
        """End everything, at once."""
        self.closing = True
        for job in self.recent():
            job.asked_to_stop = True
            if job.process is not None and job.process.poll() is None:
                job.process.kill()
        for threads in self._lanes.values():
            threads.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: Job) -> None:
        """A job from its beginning to its end, in a thread of its own."""
        job.begun = monotonic()
        try:
            if job.asked_to_stop:
                self._end(job, "stopped", "it was stopped before it began")
                return
            self._change(job, state="running", text="starting")
            if job.here is None:
                self._follow(job)
            else:
                self._change(job, text="looking at every position once")
                job.here()
                self._end(job, "done", "ready")
        except RuseError as error:
            self._end(job, "failed", str(error))
        except Exception as error:  # a job that fails must not take the others with it
            self._end(job, "failed", f"expected an answer from the worker, got {type(error).__name__}: {error}")

    def _follow(self, job: Job) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "ruse.explorer.worker", *(one.spelled for one in OWN.values())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C in the terminal is for the server
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            job.process = process
            limit = threading.Timer(self.most_seconds, _interrupt, (process,))
            limit.daemon = True
            limit.start()
            try:
                with suppress(BrokenPipeError):
                    process.stdin.write(json.dumps({**job.spec, "kind": job.kind}) + "\n")
                    process.stdin.flush()
                if self.closing:
                    process.kill()
                elif job.asked_to_stop:
                    _interrupt(process)
                for line in process.stdout:
                    self._hear(job, json.loads(line))
            finally:
                limit.cancel()
                if process.poll() is None:  # it has said all, or we have
                    process.kill()
        if not job.over:
            stopped = job.asked_to_stop
            why = (
                "it was stopped before anything was found"
                if stopped
                else "expected an answer, got none: the worker died"
            )
            self._end(job, "stopped" if stopped else "failed", why)

    def _hear(self, job: Job, said: Mapping[str, Any]) -> None:
        """One line of a worker."""
        if "done" in said:
            done = said["done"]
            job.title, job.identity = done["title"], done["identity"]
            job.note = done.get("note", "")
            page = url(f"/p/{job.title}", file=done["source"]) if "source" in done else None
            job.page = done.get("page", page)
            if len(seen := done.get("points", ())) > len(job.points):  # a quick run told of few of its bounds
                job.points = [Point(*one) for one in seen]
            job.after(done.get("proof", NONE), job.digest)
            self._end(job, "stopped" if job.asked_to_stop else "done", done.get("headline") or done["size"])
        elif "error" in said:
            if said.get("refuted"):
                job.after(NONE, job.digest)
            self._end(job, "stopped" if said.get("stopped") else "failed", said["error"])
        elif "size" in said:
            self._change(job, size=said["size"], title=said["title"], identity=said["identity"])
        else:
            lower, upper = said["lower"], said["upper"]
            if lower is not None and upper is not None and isfinite(lower) and isfinite(upper):
                _add(job.points, Point(said["seconds"], lower, upper))
            self._change(job, text=said["text"], digest=said.get("digest", job.digest))

    def _change(self, job: Job, **changed: Any) -> None:
        for name, value in changed.items():
            setattr(job, name, value)
        job.version += 1

    def _end(self, job: Job, state: str, text: str) -> None:
        job.seconds = monotonic() - job.begun
        self._change(job, text=text, state=state)  # the state last: whoever sees it may go by all the rest
        job.ended.set()


def _add(points: list[Point], point: Point) -> None:
    """Keep a point if it is news; once there are many, every other one goes."""
    if points and (points[-1].lower, points[-1].upper) == (point.lower, point.upper):
        return
    points.append(point)
    if len(points) > MOST_POINTS:
        del points[1:-1:2]


def _interrupt(process: subprocess.Popen[str]) -> None:
    """Ask a worker to end with what it has; a while later it has to."""
    with suppress(OSError):
        process.send_signal(SIGINT)

    def insist() -> None:
        if process.poll() is None:
            process.kill()

    timer = threading.Timer(GRACE, insist)
    timer.daemon = True
    timer.start()
