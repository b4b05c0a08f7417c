"""ruse against the libraries people use today, in one run: `python -m benchmarks.peers`.

First, iterations a second of CFR+: OpenSpiel's C++ solver, LiteEFG's, and ours. One iteration updates both sides'
regrets and averages once, over the full tree with nothing merged. The three take turns, several rounds each, and the
best round of each counts: whatever else the machine does, each has had its quiet moments.

Second, seconds to a certified gap of 1e-3, 1e-4 and 1e-6, building included: the variants of CFR, first-order methods,
double oracle, and HiGHS on the same form; the median of several runs. `auto` is what ruse chooses by itself. Every time
ends with plans in fractions.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from typing import Any

import highspy
import numpy as np

from ruse.core.game import Game
from ruse.formats.openspiel import load
from ruse.formats.openspiel_policy import mirrored
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.games import make
from ruse.solvers import find
from ruse.solvers.cfr import Cfr
from ruse.solvers.highs import model
from ruse.solvers.sequence_lp import sequence_lp
from ruse.solvers.variants import VARIANTS
from ruse.solving.options import SolveOptions
from ruse.solving.solve_form import solve_form

GAMES: dict[str, tuple[str, dict[str, object]]] = {
    "Leduc": ("leduc", {}),
    "Goofspiel 5": ("goofspiel", {"cards": 5}),
    "Liar's dice 5": ("liars-dice", {"faces": 5}),
    "Liar's dice 6": ("liars-dice", {"faces": 6}),
    "Battleship 2×2": ("battleship", {}),
}
WANTED = {  # the least ratios, the goals of issue 3
    "OpenSpiel": dict(zip(GAMES, (250, 300, 130, 130, 600), strict=True)),
    "LiteEFG": dict(zip(GAMES, (45, 130, 200, 300, 150), strict=True)),
}
GAPS = (1e-3, 1e-4, 1e-6)
SOLVERS = ("cfr+", "dcfr", "hs-dcfr", "pcfr+", "pdcfr+", "pdhg", "first-order", "double-oracle")
HIGHS = {"HiGHS simplex": "simplex", "HiGHS interior point": "ipm"}
Step = Callable[[], object]  # one iteration, or a number of them


def openspiel_steps(game: Game) -> tuple[Step, int]:
    import pyspiel

    solver = pyspiel.CFRPlusSolver(load(mirrored(game)).spiel)
    return solver.evaluate_and_update_policy, 1


def liteefg_steps(game: Game) -> tuple[Step, int]:
    """CFR+ and its linear average as LiteEFG's own training loop calls them."""
    import LiteEFG
    from LiteEFG.baselines.CFRplus import graph

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        updates = graph()
        environment = LiteEFG.OpenSpielEnv(load(mirrored(game)).spiel, traverse_type="Enumerate", regenerate=True)
        environment.set_graph(updates)

    def step() -> None:
        updates.update_graph(environment)
        environment.update_strategy(updates.current_strategy(), update_best=False)

    return step, 1


def ruse_steps(game: Game) -> tuple[Step, int]:
    run = Cfr(Compiled(sequence_form(game)), VARIANTS["cfr+"])
    portion = 50
    return lambda: run.run(portion), portion


PEERS: dict[str, Callable[[Game], tuple[Step, int]]] = {
    "OpenSpiel": openspiel_steps,
    "LiteEFG": liteefg_steps,
    "ruse": ruse_steps,
}


def rate(step: Step, portion: int, seconds: float) -> float:
    """Iterations a second over at least so many seconds."""
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        step()
        done += portion
    return done / spent


def speeds(names: list[str], peers: list[str], rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Iterations a second of each library on each game, the best of several rounds in turn."""
    found: dict[str, dict[str, float]] = {}
    for name in names:
        game = make(*GAMES[name])
        steps = {peer: PEERS[peer](game) for peer in peers}
        for step, _ in steps.values():
            step()  # what is done once does not count
        found[name] = dict.fromkeys(peers, 0.0)
        for _ in range(rounds):
            for peer in peers:
                found[name][peer] = max(found[name][peer], rate(*steps[peer], seconds))
        print(f"  {name}: " + ", ".join(f"{peer} {its:,.3g}" for peer, its in found[name].items()), file=sys.stderr)
    return found


def seconds_to(name: str, solver: str, gap: float, limit: float) -> tuple[float, str]:
    """Seconds from the rules to plans in fractions with a certified gap, and by which solver; inf if over the limit."""
    started = time.perf_counter()
    game = make(*GAMES[name])
    form = sequence_form(game)
    asked = SolveOptions(gap=gap, time=limit if limit < inf else None)
    if solver in HIGHS:
        solved = Compiled(form).certify(highs_weights(form, HIGHS[solver], limit))
        certificate, plans = solved.certificate, solved.fractions()
    else:
        found = solve_form(game, form, find(solver), asked, lambda *_: None)
        certificate, plans, solver = found.certificate, found.plans, found.solver
    spent = time.perf_counter() - started
    assert plans is not None
    return (spent if certificate.gap <= gap else inf), solver


def highs_weights(form: FormArrays, method: str, limit: float) -> tuple[Any, Any]:
    """Both plans from one solve of HiGHS as it comes; nothing where it ran out of time."""
    solver: Any = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("solver", method)
    solver.setOptionValue("time_limit", limit)
    solver.passModel(model(sequence_lp(form)))
    solver.run()
    weights, duals = (np.array(part) for part in (solver.getSolution().col_value, solver.getSolution().row_dual))
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        weights, duals = np.zeros_like(weights), np.zeros_like(duals)
    return weights[: form.trees[0].sequences], duals[form.trees[0].infosets + 1 :]


def convergence(names: list[str], repeat: int, limit: float) -> dict[str, dict[str, list[float]]]:
    """Median seconds to each gap, for each game and solver; the last is what ended `auto`'s search."""
    found: dict[str, dict[str, list[float]]] = {}
    for name in names:
        found[name] = {}
        for solver in (*SOLVERS, *HIGHS, "auto"):
            seconds_to(name, solver, max(GAPS), limit)  # compiled code is loaded, files are in memory
            medians: list[float] = []
            for gap in GAPS:
                times: list[float] = []
                while len(times) < repeat and inf not in (*medians, *times):
                    gc.collect()
                    times.append(seconds_to(name, solver, gap, limit)[0])
                medians.append(statistics.median(times) if times else inf)
            found[name][solver] = medians
            print(f"  {name}, {solver}: " + ", ".join(f"{one:.3f} s" for one in medians), file=sys.stderr)
    return found


def machine() -> str:
    packages = []
    for package in ("numba", "open_spiel", "LiteEFG", "highspy"):
        with contextlib.suppress(PackageNotFoundError):
            packages.append(f"{package} {version(package)}")
    load = os.getloadavg()[0]
    return (
        f"{platform.machine()}, {os.cpu_count()} cores (load {load:.1f} before the start), "
        f"Python {platform.python_version()}, {', '.join(packages)}"
    )


def speed_table(found: Mapping[str, Mapping[str, float]]) -> list[str]:
    def line(title: str, cells: list[str]) -> str:
        return f"{title:<18}" + "".join(f"{cell:>16}" for cell in cells)

    lines = ["iterations of CFR+ a second", "", line("", list(found))]
    for peer in next(iter(found.values())):
        rates = [row[peer] for row in found.values()]
        lines.append(line(peer, [f"{rate:,.0f}" if rate >= 1000 else f"{rate:.4g}" for rate in rates]))
    for peer, wanted in WANTED.items():
        if all(peer in row for row in found.values()):
            lines.append(line(f"ruse / {peer}", [f"{row['ruse'] / row[peer]:,.0f} ×" for row in found.values()]))
            lines.append(line("  at least", [f"{wanted[name]:,} ×" for name in found]))
    return lines


def gap_table(found: Mapping[str, Mapping[str, list[float]]]) -> list[str]:
    lines = ["seconds to a certified gap, building included"]
    for name, solvers in found.items():
        lines += ["", f"{name:<22}" + "".join(f"{gap:>10g}" for gap in GAPS)]
        for solver, medians in solvers.items():
            lines.append(f"{solver:<22}" + "".join(f"{one:>10.3f}" if one < inf else f"{'-':>10}" for one in medians))
        best = min(medians[-1] for solver, medians in solvers.items() if solver != "auto")
        ended = seconds_to(name, "auto", GAPS[-1], inf)[1]
        lines.append(f"auto ended with {ended}, {solvers['auto'][-1] / best:.2f} × the best of the others")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(GAMES), help="some of: " + ", ".join(GAMES))
    parser.add_argument("--peers", default=",".join(PEERS), help="some of: " + ", ".join(PEERS))
    parser.add_argument("--rounds", type=int, default=5, help="of the speed test, each peer in turn")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each round")
    parser.add_argument("--repeat", type=int, default=5, help="runs to a gap; the median counts")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of each run to a gap")
    parser.add_argument("--only", choices=("speed", "gaps"), help="one half of it")
    parser.add_argument("--json", type=Path, help="save every figure")
    given = parser.parse_args()
    names = given.games.split(",")
    print(machine())
    figures: dict[str, Any] = {"machine": machine()}
    if given.only != "gaps":
        figures["speed"] = speeds(names, given.peers.split(","), given.rounds, given.seconds)
        print("\n" + "\n".join(speed_table(figures["speed"])))
    if given.only != "speed":
        figures["gaps"] = convergence(names, given.repeat, given.limit)
        print("\n" + "\n".join(gap_table(figures["gaps"])))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
