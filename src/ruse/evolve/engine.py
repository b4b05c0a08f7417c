"""Independent jobs on all local cores, or on a cluster: the same call, the same results.

A job is a function of a module with its arguments; its result depends on nothing else, so it does not matter where it
runs, or how often it had to be begun again because a worker died.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from typing import Any

from ruse.evolve.matches import cores
from ruse.game import RuseError

ENGINES = ("local", "dask")
RETRIES = 3  # of a job whose worker died
PATIENCE = "10s"  # to reach a cluster

Job = tuple[Callable[..., Any], tuple[Any, ...]]


class EngineError(RuseError):
    """An engine that does not exist or cannot be reached, or jobs that no worker survives."""


def run(
    jobs: Sequence[Job],
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    *,
    threads: bool = False,
) -> Iterator[tuple[int, Any]]:
    """The number and the result of each job, as they come in; what has come in is kept if the rest is cancelled.

    With `threads`, local jobs share this process, which is quicker for compiled ones that let each other run.
    """
    if engine not in ENGINES:
        raise EngineError(f"expected an engine out of {', '.join(ENGINES)}, got {engine!r}")
    if address is not None and engine == "local":
        raise EngineError(f"expected an address with --engine dask only, got {address!r}")
    if workers is not None and workers < 1:
        raise EngineError(f"expected at least one worker, got {workers}")
    yield from _on_dask(jobs, address, workers) if engine == "dask" else _here(jobs, workers, threads)


def _call(number: int, job: Job) -> tuple[int, Any]:
    function, arguments = job
    return number, function(*arguments)


def _here(jobs: Sequence[Job], workers: int | None, threads: bool) -> Iterator[tuple[int, Any]]:
    """Threads or processes of joblib's; where a process dies, the jobs that are left go to new ones."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left = dict(enumerate(jobs))
    if len(left) == 1 or (workers or cores()) == 1:
        yield from (_call(number, job) for number, job in left.items())
        return
    for _ in range(1 + RETRIES):
        pool = Parallel(
            n_jobs=min(workers or cores(), len(left)),
            backend="threading" if threads else "loky",
            return_as="generator_unordered",
            batch_size=1,
        )
        found = pool(delayed(_call)(number, job) for number, job in list(left.items()))
        try:
            for number, result in found:
                del left[number]
                yield number, result
        except TerminatedWorkerError:
            continue
        finally:
            with suppress(RuntimeError):  # it has ended already
                found.close()
        return
    raise EngineError(f"expected workers that live, got {1 + RETRIES} deaths with {len(left)} jobs left")


def _on_dask(jobs: Sequence[Job], address: str | None, workers: int | None) -> Iterator[tuple[int, Any]]:
    """A Dask cluster at an address, or one of its own on this machine."""
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise EngineError(
            "expected the package distributed for --engine dask: install it with pip install 'ruse[cluster]'"
        ) from error
    if address is None:
        with dask.LocalCluster(n_workers=workers or cores(), threads_per_worker=1, dashboard_address=None) as cluster:
            yield from _on_dask(jobs, cluster.scheduler_address, workers)
        return
    try:
        client = dask.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        raise EngineError(f"expected a Dask scheduler at {address!r}, got none that answers") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise EngineError(f"expected workers at the Dask scheduler {address!r}, got none")
        futures = [client.submit(_call, number, job, retries=RETRIES, pure=False) for number, job in enumerate(jobs)]
        try:
            for future in dask.as_completed(futures):
                yield future.result()
        except dask.KilledWorker as error:
            raise EngineError(f"expected workers that live, got one that died {RETRIES} times on one job") from error
        except (CancelledError, OSError) as error:
            raise EngineError(f"expected the Dask scheduler {address!r} to live on, got no more answers") from error
        finally:
            client.cancel(futures, force=True)
