"""A job in a process of its own: `python -m ruse.explorer.worker`, told what to do in a line of JSON on stdin.
Its arguments are the games of people's own that the explorer was started with.

It answers in lines of JSON on stdout: progress, and at the end what came of it. SIGINT stops it and keeps the best so
far. When stdin ends, whoever started it is gone, and so is the worker.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ruse.core.game import Game

EVERY = 0.1  # seconds between two reports
MOST_GB = 1_000  # beyond which nobody cares how many
ALL_OR_NOTHING = ": this solver has no answer until it is done, while cfr+ has bounds early"
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

    from ruse.core.game import RuseError
    from ruse.verify import VerifyError

    try:
        _limit_memory()
        _know(sys.argv[1:])
        tell({"done": {"size": size, "solve": solve, "verify": verify, "contest": contest}[spec["kind"]](spec, tell)})
    except RuseError as error:
        tell({"error": str(error), "refuted": isinstance(error, VerifyError)})
    except KeyboardInterrupt as advice:
        tell({"error": f"it was stopped before anything was found{advice}", "stopped": True})
    except (MemoryError, RecursionError):
        tell({"error": "there is not enough memory for this game: use smaller parameters or mccfr"})


def _know(spelled: Sequence[str]) -> None:
    """The games of people's own that the server was started with; what a request says is never imported."""
    if spelled:
        from ruse.core.registry import know

        for one in spelled:
            know(one)


def _leave_with_parent() -> None:
    with suppress(OSError, ValueError):
        while sys.stdin.read(1):
            pass
    os._exit(1)


def _limit_memory() -> None:
    import resource

    from ruse.core.size_estimate import free_bytes

    most = free_bytes() + SPARE_BYTES
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


class Size(NamedTuple):
    """About how large a game is, and why that is too large, if it is."""

    told: str
    problem: str = ""


def opens(game: Game) -> str:
    """What of a game's solution can be looked at."""
    from ruse.present.viewer import too_large

    if not too_large(game):
        return "every position can be looked at"
    return (
        "too large to look at position by position, so what opens is the bounds, how they came together, the odds "
        "of every move, the rules in words, and play"
    )


def measured(game: Game, solver: str) -> Size:
    from ruse.core import rationals, size_estimate
    from ruse.core.capabilities import ByClass
    from ruse.core.game import GameError
    from ruse.solvers import SOLVERS
    from ruse.solving import form_memory

    if isinstance(game, ByClass):
        try:
            counted = rationals.count(game.nodes(symmetry=True))
        except GameError as error:  # no reason not to try
            return Size(f"size not counted: {error}")
        return Size(f"{counted} nodes by class, of which the lazy LP writes down only those that matter")
    nodes = size_estimate.nodes(game)
    counted = rationals.count(nodes)
    told = f"{counted if counted.startswith('about') else f'about {counted}'} nodes"
    if _has_own_way(game, solver):
        return Size(f"{told}, but it is solved without its tree")
    if SOLVERS[solver].goes_by == "samples":
        return Size(f"{told}, which {solver} never writes down")
    found = form_memory.estimate_memory(game, SOLVERS[solver])
    if found.form is not None:
        told += f", about {size_estimate.gigabytes(found.most)}"
    else:
        needed = found.most / (1 << 30)
        told += f", {max(0.01, needed):.2f} GB at most" if needed < MOST_GB else f", more than {MOST_GB:,} GB"
    if form_memory.fits(found):
        return Size(told)
    advice = "use smaller parameters, or the solver mccfr, which never builds the tree"
    return Size(told, str(form_memory.too_large(game, found, advice)))


def _has_own_way(game: Game, solver: str) -> bool:
    """Whether a game is solved without its tree."""
    from ruse.core.capabilities import Memoryless
    from ruse.core.registry import part
    from ruse.solving.own_way import own_solver

    return isinstance(game, Memoryless) if part(game, "solve") is None else own_solver(game, solver) is not None


def size(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """About how large a game is, and advice if it cannot be solved here."""
    from ruse.core.identity import identity
    from ruse.core.registry import make

    game = make(spec["name"], spec["parameters"])
    found = measured(game, spec["solver"])
    known = {"title": game.title, "identity": identity(game)}
    told = found.told if found.problem else f"{found.told}; {opens(game)}"
    tell({"size": told, **known})
    return {**known, "size": told, "note": found.problem}


def solve(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Solve a game and save the solution, unless it is too large."""
    from ruse.core import clock, rationals
    from ruse.core.game import GameError
    from ruse.core.identity import adopt, identity
    from ruse.core.registry import make
    from ruse.explorer import say
    from ruse.explorer.keeping import keep, source_of, source_of_game
    from ruse.solution import history
    from ruse.solution.store import source_of as source_of_rules
    from ruse.solvers import SOLVERS
    from ruse.solving.pipeline import solve

    with clock.deadline(spec["limits"].get("time")):
        game = make(spec["name"], spec["parameters"])
        if (unwalked := spec.get("unwalked")) and source_of_rules(game)["source"] == unwalked["source"]:
            adopt(game, unwalked["identity"])
        found = measured(game, spec["solver"])
        left = clock.left()
    known = {"title": game.title, "identity": identity(game)}
    if found.problem:
        tell({"size": found.told, **known})
        raise GameError(found.problem)
    tell({"size": f"{found.told}; {opens(game)}", **known})
    started = perf_counter()
    last = -EVERY

    def report(text: str, lower: float | None, upper: float | None) -> None:
        nonlocal last
        now = perf_counter() - started
        if now - last >= EVERY:
            last = now
            tell({"text": text, "lower": lower, "upper": upper, "seconds": now})

    try:
        with clock.deadline(left):
            solution = solve(game, spec["solver"], **spec["limits"], report=report)
    except KeyboardInterrupt:
        asked = SOLVERS[spec["solver"]]
        all_or_nothing = asked.goes_by == "form" and not asked.anytime
        raise KeyboardInterrupt(ALL_OR_NOTHING if all_or_nothing else "") from None
    bounds = solution.certificate
    if not solution.written:
        raise GameError(f"there are no strategies to show: {solution.note}; give it more time")
    tell(
        {
            "text": "saving",
            "lower": rationals.float_below(bounds.lower),
            "upper": rationals.float_above(bounds.upper),
            "seconds": perf_counter() - started,
        }
    )
    path = keep(Path(spec["folder"]), solution, spec["tag"])
    source = source_of(path) if spec["tag"] else source_of_game(known["identity"])
    worth = say.solved(solution)
    headline = f"{worth.sentence} ({worth.mark})"
    points = [(point.seconds, point.lower, point.upper) for point in history.kept(solution.points)]
    return {**known, "headline": headline, "note": solution.note, "source": source, "points": points}


def verify(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Recompute both best responses of a solution."""
    from hashlib import sha256

    from ruse.core import rationals
    from ruse.core.certificate import PROOFS
    from ruse.core.identity import identity
    from ruse.solution import container, store

    content = container.read(Path(spec["file"]))
    solution, digest = store.loads(content, spec["file"]), sha256(content).hexdigest()
    told = "recomputing both best responses"
    tell({"text": told, "lower": None, "upper": None, "seconds": 0.0, "digest": digest})
    found = solution.verify()
    lower, upper = rationals.bounds(found.lower, found.upper)
    return {
        "title": solution.game.title,
        "identity": identity(solution.game),
        "headline": "Verified: both strategies guarantee what was claimed",
        "note": f"{PROOFS[found.proof]}, recomputed in exact arithmetic: {lower} ≤ value ≤ {upper}",
        "proof": found.proof,
    }


def contest(spec: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Let the strategies of a contest meet, and keep the table; the one that was found is kept to be played against."""
    from ruse.contests.arena.page import page
    from ruse.contests.playing import as_solution
    from ruse.core import atomic_files
    from ruse.explorer.keeping import keep, source_of

    started = perf_counter()

    def report(text: str, lower: float | None, upper: float | None) -> None:
        tell({"text": text, "lower": None, "upper": None, "seconds": perf_counter() - started})

    found = page(spec["name"], report)
    told, folder = found.to_json(), Path(spec["folder"])
    learned = None if found.found is None else as_solution(found.found)
    if learned is not None:
        kept = keep(folder, learned, f"learned-{spec['name']}")
        told["play"] = {"title": learned.game.title, "file": source_of(kept)}
    told["told"] = found.told()
    path = Path(spec["file"])
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    atomic_files.replace(path, json.dumps(told, ensure_ascii=False).encode())
    page_of = f"/contests/{spec['name']}"
    return {"title": spec["name"], "identity": "", "headline": "All have met", "page": page_of}


if __name__ == "__main__":
    main()
