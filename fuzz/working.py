"""Games in processes of their own, so that one that hangs or crashes is found and the others go on."""

from __future__ import annotations

import os
import resource
import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from fuzz.case import Case, Contradiction, drawn
from fuzz.checks import KINDS
from fuzz.oracle import size
from fuzz.shrinking import SECONDS, about, shrink

MOST_BYTES = 8 << 30  # of addresses of a worker: rules that go round must not take the machine with them
MOST_DRAWN = 60  # nodes of a game that is shown
MOST_CHARACTERS = 300  # of what else was drawn
STARTING = 60.0  # seconds that a worker may need to import everything
PATIENCE = 20  # times the seconds of a game that it may last while it waits for a busy machine
TICKS = os.sysconf("SC_CLK_TCK")
fork = get_context("fork")


@dataclass(frozen=True)
class Task:
    kind: str
    seed: int
    payoffs: str | None = None
    known: frozenset[str] = frozenset()  # what need not be shrunk, as it has been told before


@dataclass(frozen=True)
class Found:
    """What came out of a game: nothing, or a contradiction with its smallest game."""

    task: Task
    about: str = ""
    told: str = ""


def kind_of(seed: int) -> str:
    """The kind of game that a seed stands for, where that is left open."""
    shares = [kind.share for kind in KINDS.values()]
    return Random(f"kind {seed}").choices(list(KINDS), shares)[0]


def case_of(task: Task) -> Case:
    return KINDS[task.kind].draw(Random(f"game {task.seed}"), task.payoffs)


def is_like(task: Task, texts: Sequence[str]) -> bool:
    """Whether all texts stand in what was drawn for a game besides its tree, such as a base, a helper or a step."""
    drawn_values = str(case_of(task).more)
    return all(text in drawn_values for text in texts)


def _caught(case: Case, task: Task) -> Contradiction | None:
    try:
        KINDS[task.kind].check(case)
    except Contradiction as found:
        return found
    except Exception as error:  # whatever ruse raises that it should not
        where = "".join(traceback.format_exception(error, limit=-3))
        return Contradiction(f"an error: {type(error).__name__}", where, "an answer, or a sentence")
    return None


def _raising(task: Task, case: Case) -> None:
    if (found := _caught(case, task)) is not None:
        raise found


def _work(pipe: Connection) -> None:
    """A worker: takes tasks until there is None."""
    os.environ["OMP_NUM_THREADS"] = "1"
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    pipe.send("ready")
    while (task := pipe.recv()) is not None:
        case = case_of(task)
        found = _caught(case, task)
        if found is not None:
            pipe.send(Found(task, about(found), _told(case, found)))
            if about(found) not in task.known:
                case, found = shrink(case, found, partial(_raising, task))
        pipe.send(Found(task) if found is None else Found(task, about(found), _told(case, found)))
        pipe.send("ready")


def _told(case: Case, found: Contradiction) -> str:
    return f"{found}\n{_shown(case)}".rstrip()


def _shown(case: Case) -> str:
    """A game as far as people would read it."""
    more = f"  drawn: {str(case.more)[:MOST_CHARACTERS]}\n" if case.more else ""
    if case.tree is None:
        return more
    nodes = size(case.tree)
    return f"{more}  game of {nodes} nodes:\n{drawn(case.tree, '    ') if nodes <= MOST_DRAWN else ''}"


def _with_children(parent: int) -> list[int]:
    """A process and all that it started and that still runs; the process alone where there is no /proc."""
    listed = [_read(path) for path in Path(f"/proc/{parent}/task").glob("*/children")]
    return [parent, *(found for text in listed for child in text.split() for found in _with_children(int(child)))]


def _cpu_seconds(process: int) -> float:
    """CPU time of a process and of the children that it waited for; 0 where there is no /proc."""
    times = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()[11:15]
    return sum(map(int, times)) / TICKS


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return ""


class Worker:
    """A process, the game it is at, and since when."""

    def __init__(self) -> None:
        self.pipe, theirs = fork.Pipe()
        self.process = fork.Process(target=_work, args=(theirs,), daemon=False)
        self.process.start()
        theirs.close()
        self.task: Task | None = None
        self.found: Found | None = None  # before it was shrunk
        self.allow(STARTING)

    def begin(self, task: Task) -> None:
        self.pipe.send(task)
        self.task, self.found = task, None
        self.allow(KINDS[task.kind].seconds)

    def allow(self, seconds: float) -> None:
        self.seconds, self.since, self.cpu_before = seconds, monotonic(), self.cpu_seconds()

    def cpu_seconds(self) -> float:
        assert self.process.pid is not None
        return sum(map(_cpu_seconds, _with_children(self.process.pid)))

    def hangs(self) -> bool:
        """Whether it takes too long, and not only because other programs have the machine."""
        lasted = monotonic() - self.since
        if lasted <= self.seconds:
            return False
        return lasted > PATIENCE * self.seconds or self.cpu_seconds() - self.cpu_before > self.seconds / 2

    def heard(self) -> Found | None:
        """What it says: the outcome of its game, if it has one. Raises EOFError if it has died."""
        said: Any = self.pipe.recv()
        if said == "ready":
            self.task = None
            return None
        assert isinstance(said, Found)
        if said.about and self.found is None:
            self.found = said
            self.allow(3 * SECONDS)
            return None
        self.task = None
        return said

    def lost(self, why: str) -> Found:
        """What to say of a game that never ended."""
        assert self.task is not None
        return self.found or Found(self.task, why, f"{why}\n{_shown(case_of(self.task))}")

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def outcomes(tasks: Iterator[Task], workers: int) -> Generator[Found, None, None]:
    """What each game ends in, as it ends."""
    pool = [Worker() for _ in range(workers)]
    idle: set[int] = set()
    left = next(tasks, None)
    try:
        while left is not None or any(worker.task for worker in pool):
            heard = connection.wait([worker.pipe for worker in pool], timeout=0.5)
            for number, worker in enumerate(pool):
                lost = ""
                if worker.pipe in heard:
                    try:
                        task = worker.task
                        if (found := worker.heard()) is not None:
                            yield found
                        elif task is None or worker.task is None:
                            idle.add(number)
                    except (EOFError, ConnectionError):
                        lost = "the process died"
                elif worker.task is not None and worker.hangs():
                    lost = "no end in time"
                if lost and worker.task is not None:
                    yield worker.lost(lost)
                if lost:
                    worker.end()
                    pool[number] = Worker()
                    idle.discard(number)
                elif number in idle and left is not None:
                    worker.begin(left)
                    idle.discard(number)
                    left = next(tasks, None)
    finally:
        for worker in pool:
            worker.end()
