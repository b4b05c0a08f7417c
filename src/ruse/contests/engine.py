"""Independent jobs on all local cores, or on a cluster: the same call, the same results.

A job is a function of a module with its arguments. Its result depends on nothing else, so it does not matter where it
runs, or how often it restarts because a worker died. After Ctrl-C no job starts any more, and running jobs that check
`stopped` return what they have.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from math import inf
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, ClassVar, Protocol

from ruse.core.game import RuseError
from ruse.core.interrupts import Interrupts, shielded
from ruse.core.machine import cores
from ruse.core.registry import imported

ENGINES = ("local", "dask")
RETRIES = 3  # of a job whose worker died
PATIENCE = "10s"  # to reach a cluster
OWN_PATIENCE = "120s"  # to reach one that was started here, and is there, however busy the machine
AHEAD = 200  # jobs handed to a cluster at a time: many for its workers, few to be called off
GLANCE = 0.2  # seconds between two looks at a flag that is far away
PAUSE = 0.02  # seconds between two looks for results
HANDING_IN = 20.0  # seconds for what a cluster has under way after Ctrl-C

Job = tuple[Callable[..., Any], tuple[Any, ...]]
JobResults = list[tuple[int, Any]]  # the number of a job and its result; empty if it was not begun


class EngineError(RuseError):
    """An engine that does not exist or cannot be reached, or jobs that no worker survives."""


class _Flag(Protocol):
    """Says, wherever a job runs, that it should end."""

    def set(self) -> None: ...

    def is_set(self) -> bool: ...


class _File:
    """A flag for the threads and processes of this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def set(self) -> None:
        self._path.touch()

    def is_set(self) -> bool:
        return self._path.exists()


class _Event:
    """A flag for the workers of a Dask cluster. To look at it is to ask the scheduler, so that is done seldom."""

    _looks: ClassVar[dict[str, tuple[bool, float]]] = {}  # what was seen by the jobs of this process, and when

    def __init__(self, name: str) -> None:
        self._name = name

    def _event(self) -> Any:
        return imported("distributed").Event(self._name)

    def set(self) -> None:
        self._event().set()

    def is_set(self) -> bool:
        seen, when = self._looks.get(self._name, (False, -inf))
        if not seen and perf_counter() - when >= GLANCE:
            seen = bool(self._event().is_set())
            self._looks[self._name] = seen, perf_counter()
        return seen


_under_way = threading.local()


def stopped() -> bool:
    """Return whether the job in this thread should stop and return what it has."""
    flag: _Flag | None = getattr(_under_way, "flag", None)
    return flag is not None and flag.is_set()


def _call(number: int, job: Job, flag: _Flag) -> JobResults:
    if flag.is_set():
        return []
    function, arguments = job
    _under_way.flag = flag
    try:
        return [(number, function(*arguments))]
    finally:
        del _under_way.flag


def check_engine(engine: str, address: str | None, workers: int | None) -> None:
    """Raise EngineError for invalid options."""
    if engine not in ENGINES:
        raise EngineError(f"expected one of the engines {', '.join(ENGINES)}, got {engine!r}")
    if address is not None and engine == "local":
        raise EngineError(f"expected an address with --engine dask only, got {address!r}")
    if workers is not None and workers < 1:
        raise EngineError(f"expected at least one worker, got {workers}")


def run(
    jobs: Sequence[Job],
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    *,
    threads: bool = False,
) -> Iterator[tuple[int, Any]]:
    """Yield the number and the result of each job as it ends. After Ctrl-C some are missing; a second Ctrl-C is raised.

    With `threads`, local jobs share this process, which is quicker for compiled ones that let each other run.
    """
    check_engine(engine, address, workers)
    if engine == "dask":
        with Interrupts() as interrupts:
            yield from _on_dask(jobs, address, workers, interrupts)
        return
    with TemporaryDirectory(prefix="ruse-") as folder:
        flag = _File(Path(folder) / "stop")
        with Interrupts(flag.set):
            yield from _here(jobs, workers, threads, flag)


def _here(jobs: Sequence[Job], workers: int | None, threads: bool, flag: _Flag) -> Iterator[tuple[int, Any]]:
    """Run jobs in threads or processes of joblib; if a process dies, new ones take the remaining jobs."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left = dict(enumerate(jobs))
    if len(left) <= 1 or (workers or cores()) == 1:
        for number, job in left.items():
            yield from _call(number, job, flag)
        return
    for _ in range(1 + RETRIES):
        pool = Parallel(
            n_jobs=min(workers or cores(), len(left)),
            backend="threading" if threads else "loky",
            return_as="generator_unordered",
            batch_size=1,
        )
        with shielded():
            arrivals = pool(delayed(_call)(number, job, flag) for number, job in list(left.items()))
        try:
            for results in arrivals:
                for number, result in results:
                    del left[number]
                    yield number, result
        except TerminatedWorkerError:
            continue
        finally:
            with suppress(RuntimeError):  # it has ended already
                arrivals.close()
        return
    raise EngineError(f"workers died {1 + RETRIES} times, with {len(left)} jobs left")


def _on_dask(
    jobs: Sequence[Job], address: str | None, workers: int | None, interrupts: Interrupts
) -> Iterator[tuple[int, Any]]:
    """Run jobs on a Dask cluster at an address, or on one started on this machine."""
    try:
        dask: Any = imported("distributed")
    except ImportError as error:
        raise EngineError(
            "--engine dask needs the package distributed: install it with pip install 'ruse[cluster]'"
        ) from error
    if address is None:
        with shielded():
            cluster = dask.LocalCluster(
                n_workers=workers or cores(),
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        with cluster:
            yield from _on_cluster(dask, jobs, cluster.scheduler_address, OWN_PATIENCE, interrupts)
    else:
        yield from _on_cluster(dask, jobs, address, PATIENCE, interrupts)


def _on_cluster(
    dask: Any, jobs: Sequence[Job], address: str, patience: str, interrupts: Interrupts
) -> Iterator[tuple[int, Any]]:
    try:
        client = dask.Client(address, timeout=patience)
    except (OSError, ValueError, TypeError) as error:
        raise EngineError(f"no Dask scheduler answers at {address!r}") from error
    with client:
        if not (known := client.scheduler_info()["workers"]):
            raise EngineError(f"the Dask scheduler {address!r} has no workers: start some with dask worker")
        ahead = max(AHEAD, 4 * sum(worker["nthreads"] for worker in known.values()))
        flag = _Event(f"ruse-stop-{token_hex(8)}")
        waiting: Iterator[tuple[int, Job]] = enumerate(jobs)
        under_way: set[Any] = set()
        coming, until = dask.as_completed(), inf
        try:
            while perf_counter() < until:
                if interrupts.came and until == inf:
                    until, waiting = perf_counter() + HANDING_IN, iter(())
                    flag.set()
                for number, job in islice(waiting, ahead - len(under_way)):
                    future = client.submit(_call, number, job, flag, retries=RETRIES, pure=False)
                    under_way.add(future)
                    coming.add(future)
                if not under_way:
                    break
                if not (batch := coming.next_batch(block=False)):
                    sleep(PAUSE)
                for future in batch:
                    under_way.discard(future)
                    yield from future.result()
        except dask.KilledWorker as error:
            raise EngineError(f"a worker died {RETRIES} times on one job") from error
        except (CancelledError, OSError) as error:
            raise EngineError(f"the Dask scheduler {address!r} stopped answering") from error
        finally:
            client.cancel(list(under_way), force=True)
