"""A job in a process of its own: `python -m ruse.explorer.worker`, which reads its task as one line of JSON from stdin.
Its arguments are the users' own games that the explorer was started with.

It answers in lines of JSON on stdout: progress, and finally the result. SIGINT stops it and keeps the best so far. When
stdin ends, the server is gone, and the worker exits.
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
MOST_GB = 1_000  # beyond which the number is not shown
ALL_OR_NOTHING = ": this solver has no answer until it is done; cfr+ has bounds early"
SPARE_BYTES = 2 << 30  # of address space for code and buffers, beyond free memory

Send = Callable[[Mapping[str, Any]], None]


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background shells may ignore it
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # so that other output is not taken for an answer
    spec = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_with_parent, daemon=True).start()

    def send(line: Mapping[str, Any]) -> None:
        answers.write(json.dumps(line) + "\n")
        answers.flush()

    from ruse.core.game import RuseError
    from ruse.verify import VerifyError

    try:
        limit_memory()
        _know(sys.argv[1:])
        kinds = {"size": size, "solve": solve, "verify": verify, "contest": contest, "studio": studio}
        send({"done": kinds[spec["kind"]](spec, send)})
    except RuseError as error:
        send({"error": str(error), "refuted": isinstance(error, VerifyError)})
    except KeyboardInterrupt as advice:
        send({"error": f"it was stopped before it had a result{advice}", "stopped": True})
    except (MemoryError, RecursionError):
        send({"error": "there is not enough memory for this game: use smaller parameters or mccfr"})


def _know(spelled: Sequence[str]) -> None:
    """Import the users' own games that the server was started with, and nothing that a request names."""
    if spelled:
        from ruse.core.registry import know

        for source in spelled:
            know(source)


def _leave_with_parent() -> None:
    with suppress(OSError, ValueError):
        while sys.stdin.read(1):
            pass
    os._exit(1)


def limit_memory() -> None:
    import resource

    from ruse.core.size_estimate import free_bytes

    most = free_bytes() + SPARE_BYTES
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


class SizeText(NamedTuple):
    """The estimated size of a game, and a problem if it is too large."""

    text: str
    problem: str = ""


def opens(game: Game) -> str:
    """Say which pages of a game's solution can be opened."""
    from ruse.present.viewer import too_large

    if not too_large(game):
        return "every position can be opened"
    return (
        "too large to open position by position; you get the bounds and their convergence, the odds of every move, the "
        "rules in words, and play"
    )


def measured(game: Game, solver: str) -> SizeText:
    from ruse.core import rationals, size_estimate
    from ruse.core.capabilities import ByClass
    from ruse.core.game import GameError
    from ruse.solvers import SOLVERS
    from ruse.solving import form_memory

    if isinstance(game, ByClass):
        try:
            counted = rationals.count(game.nodes(symmetry=True))
        except GameError as error:  # no reason not to try
            return SizeText(f"size not counted: {error}")
        return SizeText(f"{counted} nodes by class, of which the lazy LP writes down only those that matter")
    nodes = size_estimate.nodes(game)
    counted = rationals.count(nodes)
    text = f"{counted if counted.startswith('about') else f'about {counted}'} nodes"
    if _has_own_way(game, solver):
        return SizeText(f"{text}, but it is solved without its tree")
    if SOLVERS[solver].goes_by == "samples":
        return SizeText(f"{text}, which {solver} never writes down")
    memory = form_memory.estimate_memory(game, SOLVERS[solver])
    if memory.form is not None:
        text += f", about {size_estimate.gigabytes(memory.most)}"
    else:
        needed = memory.most / (1 << 30)
        text += f", {max(0.01, needed):.2f} GB at most" if needed < MOST_GB else f", more than {MOST_GB:,} GB"
    if form_memory.fits(memory):
        return SizeText(text)
    advice = "use smaller parameters, or the solver mccfr, which never builds the tree"
    return SizeText(text, str(form_memory.too_large(game, memory, advice)))


def _has_own_way(game: Game, solver: str) -> bool:
    """Return whether a game is solved without its tree."""
    from ruse.core.capabilities import Memoryless
    from ruse.core.registry import part
    from ruse.solving.routes import own_solver

    return isinstance(game, Memoryless) if part(game, "solve") is None else own_solver(game, solver) is not None


def size(spec: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Estimate the size of a game, and advise if it cannot be solved here."""
    from ruse.core.identity import identity
    from ruse.core.registry import make

    game = make(spec["name"], spec["parameters"])
    estimate = measured(game, spec["solver"])
    known = {"title": game.title, "identity": identity(game)}
    text = estimate.text if estimate.problem else f"{estimate.text}; {opens(game)}"
    send({"size": text, **known})
    return {**known, "size": text, "note": estimate.problem}


def solve(spec: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Solve a game and save the solution, unless it is too large."""
    from ruse.core import clock, rationals
    from ruse.core.game import GameError
    from ruse.core.identity import adopt, identity
    from ruse.core.registry import make
    from ruse.explorer import wording
    from ruse.explorer.solution_files import keep, source_of, source_of_game
    from ruse.solution import history
    from ruse.solution.store import source_of as source_of_rules
    from ruse.solvers import SOLVERS
    from ruse.solving.pipeline import solve

    with clock.deadline(spec["limits"].get("time")):
        game = make(spec["name"], spec["parameters"])
        if (unwalked := spec.get("unwalked")) and source_of_rules(game)["source"] == unwalked["source"]:
            adopt(game, unwalked["identity"])
        estimate = measured(game, spec["solver"])
        left = clock.left()
    known = {"title": game.title, "identity": identity(game)}
    if estimate.problem:
        send({"size": estimate.text, **known})
        raise GameError(estimate.problem)
    send({"size": f"{estimate.text}; {opens(game)}", **known})
    started = perf_counter()
    last = -EVERY

    def report(text: str, lower: float | None, upper: float | None) -> None:
        nonlocal last
        now = perf_counter() - started
        if now - last >= EVERY:
            last = now
            send({"text": text, "lower": lower, "upper": upper, "seconds": now})

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
    send(
        {
            "text": "saving",
            "lower": rationals.float_below(bounds.lower),
            "upper": rationals.float_above(bounds.upper),
            "seconds": perf_counter() - started,
        }
    )
    path = keep(Path(spec["folder"]), solution, spec["tag"])
    source = source_of(path) if spec["tag"] else source_of_game(known["identity"])
    value = wording.solved(solution)
    headline = f"{value.sentence} ({value.mark})"
    points = [(point.seconds, point.lower, point.upper) for point in history.kept(solution.points)]
    return {**known, "headline": headline, "note": solution.note, "source": source, "points": points}


def verify(spec: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Recompute both best responses of a solution."""
    from hashlib import sha256

    from ruse.core import rationals
    from ruse.core.certificate import PROOFS
    from ruse.core.identity import identity
    from ruse.solution import container, store

    content = container.read(Path(spec["file"]))
    solution, digest = store.loads(content, spec["file"]), sha256(content).hexdigest()
    message = "recomputing both best responses"
    send({"text": message, "lower": None, "upper": None, "seconds": 0.0, "digest": digest})
    certificate = solution.verify()
    lower, upper = rationals.bounds(certificate.lower, certificate.upper)
    return {
        "title": solution.game.title,
        "identity": identity(solution.game),
        "headline": "Verified: both strategies guarantee what was claimed",
        "note": f"{PROOFS[certificate.proof]}, recomputed in exact arithmetic: {lower} ≤ value ≤ {upper}",
        "proof": certificate.proof,
    }


def contest(spec: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Play the matches of a contest and save the results and the learned strategy."""
    from ruse.contests.arena.page import page
    from ruse.contests.learned_in_game import as_solution
    from ruse.core import atomic_files
    from ruse.explorer.solution_files import keep, source_of

    started = perf_counter()

    def report(text: str, lower: float | None, upper: float | None) -> None:
        send({"text": text, "lower": None, "upper": None, "seconds": perf_counter() - started})

    report_page = page(spec["name"], report)
    content, folder = report_page.to_json(), Path(spec["folder"])
    learned = None if report_page.learned is None else as_solution(report_page.learned)
    if learned is not None:
        kept = keep(folder, learned, f"learned-{spec['name']}")
        content["play"] = {"title": learned.game.title, "file": source_of(kept)}
    content["told"] = report_page.format()
    path = Path(spec["file"])
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    atomic_files.replace(path, json.dumps(content, ensure_ascii=False).encode())
    page_of = f"/contests/{spec['name']}"
    return {"title": spec["name"], "identity": "", "headline": "All matches are played", "page": page_of}


def studio(spec: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Solve many variants, as `ruse sweep`, `balance` and `compare` do, and save a report."""
    from ruse.explorer.reports import make, save

    started, last = perf_counter(), -EVERY

    def report(text: str, lower: float | None, upper: float | None) -> None:
        nonlocal last
        now = perf_counter() - started
        if now - last >= EVERY:
            last = now
            send({"text": text, "lower": None, "upper": None, "seconds": now})

    made = make(spec, report)
    save(Path(spec["folder"]), spec["id"], made)
    return {"title": made.title, "identity": "", "headline": made.lead[0], "page": f"/studio/reports/{spec['id']}"}


if __name__ == "__main__":
    main()
