"""Long work that a page starts: solves, size estimates and proofs, each in a process of its own that can be stopped."""

from __future__ import annotations

import json
import re
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

COUNTED = re.compile(r"\b([0-9][0-9,]*) of ([0-9][0-9,]*)\b")
KEPT = 50  # jobs that have ended
MOST_POINTS = 400  # of a job
GRACE = 60.0  # seconds for a worker to certify its best result before it is killed


@dataclass(frozen=True)
class RunPoint:
    """The bounds of a run at one time."""

    seconds: float
    lower: float
    upper: float


@dataclass
class Job:
    """A job. Only its own thread changes it."""

    id: str
    kind: str  # "solve", "size", "verify" or "contest", or "open", which runs in this process
    spec: Mapping[str, Any]
    title: str
    queue: str  # jobs wait only for others in the same queue
    state: str = "waiting"  # then "running", then "done", "stopped" or "failed"
    text: str = "waiting for its turn"
    size: str = ""
    note: str = ""
    identity: str = ""  # of the game, once it is known
    page: str | None = None  # of the solution, once there is one
    digest: str = ""  # of the file that is verified
    points: list[RunPoint] = field(default_factory=list)
    begun: float = 0.0  # by the clock of this machine
    seconds: float = 0.0
    version: int = 0  # counts changes
    ended: threading.Event = field(default_factory=threading.Event)  # set once the state is final
    asked_to_stop: bool = False
    process: subprocess.Popen[str] | None = None
    here: Callable[[], object] | None = None  # what to do in this process instead
    task: str = "preparing the views of all positions"  # what that is
    after: Callable[[str, str], object] = lambda *_: None  # called with the proof of a file's bounds, and its digest

    @property
    def again(self) -> str:
        """The page that starts the same job again."""
        if self.kind in ("solve", "size"):
            limits = {name: str(limit).removesuffix(".0") for name, limit in self.spec["limits"].items() if limit}
            return solve_url(self.spec["name"], self.spec["parameters"], solver=self.spec["solver"], **limits)
        if self.kind == "studio":
            return url("/studio", game=self.spec["name"])
        if self.kind == "contest":
            return f"/contests/{self.spec['name']}"
        tab = "proof" if self.kind == "verify" else None
        return url(f"/p/{self.title}", file=self.spec["carried"], tab=tab)

    @property
    def share(self) -> float | None:
        """How much is done, from 0 to 1, where the text counts it: "37 of 120 variants"."""
        counted = COUNTED.search(self.text)
        if counted is None:
            return None
        done, whole = (int(number.replace(",", "")) for number in counted.groups())
        return min(1.0, done / whole) if whole else None

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
        self._queues = {
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
        queue: str = "asked",
        here: Callable[[], object] | None = None,
        after: Callable[[str, str], object] = lambda *_: None,
        task: str = Job.task,
    ) -> Job:
        """Start a job, or return the one that already does the same. Raise Busy if too many wait in its queue.

        `here` runs in this process instead of a worker; `after` is called with the proof, or when a proof fails.
        """
        with self._lock:
            going = [job for job in self._jobs.values() if not job.over]
            for job in going:
                if job.kind == kind and job.spec == spec and not job.asked_to_stop:
                    return job
            waiting = sum(job.state == "waiting" and job.queue == queue for job in going)
            if waiting >= self.most_waiting or self.closing:
                raise Busy(f"{self.most_waiting} jobs are waiting already; try again when one is done")
            made = Job(token_urlsafe(9), kind, spec, title, queue, here=here, after=after, task=task)
            made.identity = spec.get("identity", "")
            self._jobs[made.id] = made
            for old in [key for key, job in self._jobs.items() if job.over][:-KEPT]:
                del self._jobs[old]
            self._queues[queue].submit(self._run, made)
        return made

    def find(self, id_: str) -> Job:
        with self._lock:
            if id_ not in self._jobs:
                raise NotHere(f"there is no job {id_[:40]!r}; jobs are lost when the server stops")
            return self._jobs[id_]

    def recent(self) -> list[Job]:
        """Return the jobs, newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def stop(self, id_: str) -> Job:
        """Ask a job to stop and keep the best so far; kill it the second time."""
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
        """End all jobs at once."""
        self.closing = True
        for job in self.recent():
            job.asked_to_stop = True
            if job.process is not None and job.process.poll() is None:
                job.process.kill()
        for threads in self._queues.values():
            threads.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: Job) -> None:
        """Run a job in its own thread."""
        job.begun = monotonic()
        try:
            if job.asked_to_stop:
                self._end(job, "stopped", "it was stopped before it began")
                return
            self._change(job, state="running", text="starting")
            if job.here is None:
                self._follow(job)
            else:
                self._change(job, text=job.task)
                job.here()
                self._end(job, "done", "ready")
        except RuseError as error:
            self._end(job, "failed", str(error))
        except Exception as error:  # a job that fails must not take the others with it
            self._end(job, "failed", f"the worker failed: {type(error).__name__}: {error}")

    def _follow(self, job: Job) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "ruse.explorer.worker", *(source.spelled for source in OWN.values())],
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
                if process.poll() is None:  # it has ended, or the server has
                    process.kill()
        if not job.over:
            stopped = job.asked_to_stop
            why = "it was stopped before it had a result" if stopped else "the worker died without an answer"
            self._end(job, "stopped" if stopped else "failed", why)

    def _hear(self, job: Job, said: Mapping[str, Any]) -> None:
        """Handle one line of a worker."""
        if "done" in said:
            done = said["done"]
            job.title, job.identity = done["title"], done["identity"]
            job.note = done.get("note", "")
            page = url(f"/p/{job.title}", file=done["source"]) if "source" in done else None
            job.page = done.get("page", page)
            if len(seen := done.get("points", ())) > len(job.points):  # a quick run reported few of its bounds
                job.points = [RunPoint(*entry) for entry in seen]
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
                _add(job.points, RunPoint(said["seconds"], lower, upper))
            self._change(job, text=said["text"], digest=said.get("digest", job.digest))

    def _change(self, job: Job, **changed: Any) -> None:
        for name, value in changed.items():
            setattr(job, name, value)
        job.version += 1

    def _end(self, job: Job, state: str, text: str) -> None:
        job.seconds = monotonic() - job.begun
        self._change(job, text=text, state=state)  # the state last, so that readers see all other fields first
        job.ended.set()


def _add(points: list[RunPoint], point: RunPoint) -> None:
    """Add a point if its bounds are new; once there are too many, drop every other one."""
    if points and (points[-1].lower, points[-1].upper) == (point.lower, point.upper):
        return
    points.append(point)
    if len(points) > MOST_POINTS:
        del points[1:-1:2]


def _interrupt(process: subprocess.Popen[str]) -> None:
    """Ask a worker to stop with its best result, and kill it after a while."""
    with suppress(OSError):
        process.send_signal(SIGINT)

    def insist() -> None:
        if process.poll() is None:
            process.kill()

    timer = threading.Timer(GRACE, insist)
    timer.daemon = True
    timer.start()
