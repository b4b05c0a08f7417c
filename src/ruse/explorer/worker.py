"""A job in a process of its own: `python -m ruse.explorer.worker`, told what to do in a line of JSON on stdin.

It answers in lines of JSON on stdout: progress, and at the end what came of it. SIGINT stops it and keeps the best so
far. When stdin ends, whoever started it is gone, and so is the worker.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

EVERY = 0.1  # seconds between two reports
SPARE_BYTES = 2 << 30  # of addresses, for code and buffers, beyond the memory that is free

Tell = Callable[[Mapping[str, Any]], None]


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell may have told us to ignore it
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints must not be taken for an answer
    spec = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_with_parent, daemon=True).start()

    def tell(line: Mapping[str, Any]) -> None:
        answers.write(json.dumps(line) + "\n")
        answers.flush()

    from ruse.game import RuseError

    try:
        _limit_memory()
        tell({"done": {"size": size, "solve": solve, "verify": verify}[spec["kind"]](spec, tell)})
    except RuseError as error:
        tell({"error": str(error)})
    except KeyboardInterrupt:
        nothing = "it was stopped before anything was found: a linear program is all or nothing, cfr+ has bounds early"
        tell({"error": nothing, "stopped": True})
    except (MemoryError, RecursionError):
        tell({"error": "expected a game that fits in memory, got one that does not: use smaller parameters or mccfr"})


def _leave_with_parent() -> None:
    with suppress(OSError, ValueError):
        while sys.stdin.read(1):
            pass
    os._exit(1)


def _limit_memory() -> None:
    import resource

    from ruse.memory import free_bytes

    most = free_bytes() + SPARE_BYTES
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def size(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """About how large a game is, and whether that can be solved here. Raises GameError with advice if it cannot."""
    from ruse import digits, memory
    from ruse.game import Bulk
    from ruse.games import make
    from ruse.solvers import SAMPLING
    from ruse.ways.lazily import Lazy

    game = make(spec["name"], spec["parameters"])
    if isinstance(game, Lazy):
        nodes = game.nodes(symmetry=True)
        needed = 0
        told = f"{digits.count(nodes)} nodes by class, of which the lazy LP writes down only those that matter"
    else:
        nodes = memory.nodes(game)
        needed = nodes * (memory.BULK_BYTES if isinstance(game, Bulk) else memory.WALKED_BYTES)
        told = f"about {digits.count(nodes)} nodes, {max(0.01, needed / (1 << 30)):.2f} GB at most"
    tell({"size": told, "title": game.title})
    own_way = isinstance(game, Lazy) or _has_own_way(game)
    if not own_way and spec.get("solver", "auto") not in SAMPLING and not memory.fits(game):
        raise memory.too_large(game, "here", "use smaller parameters, or the solver mccfr, which never builds the tree")
    return {"title": game.title, "size": told, "nodes": str(nodes), "bytes": needed}


def _has_own_way(game: Any) -> bool:
    """Whether a game is solved without its tree."""
    from ruse.game import Memoryless
    from ruse.games.four_in_a_row import FourInARow
    from ruse.games.unseen import Unseen

    return isinstance(game, Memoryless | FourInARow | Unseen)


def solve(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Solve a game and save the solution, unless it is too large."""
    from ruse.explorer import say
    from ruse.explorer.keeping import path_for
    from ruse.games import make
    from ruse.run import solve
    from ruse.store import save

    size(spec, tell)
    started = perf_counter()
    last = -EVERY

    def report(text: str, lower: float | None, upper: float | None) -> None:
        nonlocal last
        now = perf_counter() - started
        if now - last >= EVERY:
            last = now
            tell({"text": text, "lower": lower, "upper": upper, "seconds": now})

    solution = solve(make(spec["name"], spec["parameters"]), spec["solver"], **spec["limits"], report=report)
    bounds = solution.certificate
    tell(
        {
            "text": "saving",
            "lower": float(bounds.lower),
            "upper": float(bounds.upper),
            "seconds": perf_counter() - started,
        }
    )
    path = path_for(Path(spec["folder"]), solution.game.title, spec["tag"])
    path.parent.mkdir(parents=True, exist_ok=True)
    save(solution, path)
    worth = say.solved(solution)
    headline = f"{worth.sentence} ({worth.mark})"
    return {"title": solution.game.title, "headline": headline, "note": solution.note, "path": str(path)}


def verify(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Recompute both best responses of a solution."""
    from ruse import digits
    from ruse.store import load

    solution = load(spec["file"])
    tell({"text": "recomputing both best responses", "lower": None, "upper": None, "seconds": 0.0})
    found = solution.verify()
    lower, upper = digits.brief(found.lower), digits.brief(found.upper)
    return {
        "title": solution.game.title,
        "headline": "Verified: both strategies guarantee what was claimed",
        "note": f"both best responses were recomputed from the rules in exact arithmetic: {lower} ≤ value ≤ {upper}",
    }


if __name__ == "__main__":
    main()
