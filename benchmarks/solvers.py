"""Iterations and seconds of every iterating solver to certified gaps, on ten games: `python -m benchmarks.solvers`.

The gap is upper - lower in payoffs, of the best plan of each side so far, on the sequence form without reductions. It
is looked at where `ruse solve` looks at it: at iterations 1, 2, 3, … and then an eighth more each time. Seconds are the
processor's, for iterations alone: no looks, building or compiling. They depend on the machine, so the table says how
many times as long as cfr+ a solver took to the same gap in the same run. A cell ends at the smallest gap, or after
`--seconds`: with 4 all cells take about ten minutes on two quiet cores.

The output is Markdown, for docs/explanation/solvers.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from ruse.core.game import Game
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.games import make
from ruse.solvers import SOLVERS
from ruse.solvers.spec import Iterating, SolverSpec, Task
from ruse.solving.iterate import next_look

GAMES: dict[str, tuple[str, dict[str, object]]] = {
    "Kuhn": ("kuhn", {}),
    "Leduc": ("leduc", {}),
    "Goofspiel 4": ("goofspiel", {"cards": 4}),
    "Goofspiel 5": ("goofspiel", {"cards": 5}),
    "Liar's dice 4": ("liars-dice", {"faces": 4}),
    "Liar's dice 5": ("liars-dice", {"faces": 5}),
    "Battleship 2×2": ("battleship", {}),
    "Mini-poker": ("mini-poker", {}),
    "Kubíček": ("kubicek", {}),
    "Poker": ("poker", {}),
}
QUICK = ("Kuhn", "Goofspiel 4", "Liar's dice 4")
GAPS = (1e-3, 1e-4, 1e-6)
PEER = "cfr+"


class Reached(NamedTuple):
    """How far a solver had come when its gap was small enough."""

    iterations: int
    seconds: float


class Row(NamedTuple):
    """What a solver did on a game."""

    reached: dict[float, Reached]  # by gaps
    gap: float  # in the end


def solvers() -> list[SolverSpec]:
    return [spec for spec in SOLVERS.values() if spec.iterates and spec.goes_by in ("form", "samples")]


def started(spec: SolverSpec, game: Game, compiled: Compiled) -> Iterating:
    run: Iterating = spec.start(Task(spec.name, game, compiled.form, seed=1, threads=1, built={"form": compiled}))
    return run


def measure(spec: SolverSpec, game: Game, compiled: Compiled, limit: float) -> Row:
    """Run a solver until the smallest gap is reached, or as many seconds of iterations are over."""
    started(spec, game, compiled).run(2)  # compiles
    run, spent = started(spec, game, compiled), 0.0
    reached: dict[float, Reached] = {}
    lower, upper = float("-inf"), float("inf")
    while spent < limit and len(reached) < len(GAPS) and not run.ended:
        begun = time.process_time()
        run.run(next_look(run.iterations) - run.iterations)
        spent += time.process_time() - begun
        bounds = compiled.bounds(run.weights())
        lower, upper = max(lower, bounds[0]), min(upper, bounds[1])
        for gap in GAPS:
            if upper - lower <= gap:
                reached.setdefault(gap, Reached(run.iterations, spent))
    return Row(reached, upper - lower)


def number(iterations: int) -> str:
    if iterations < 10_000:
        return f"{iterations:,}"
    return f"{iterations / 1000:,.0f}k" if iterations < 1_000_000 else f"{iterations / 1e6:.1f}M"


def in_iterations(row: Row, peer: Row, gap: float) -> str:
    return number(row.reached[gap].iterations) if gap in row.reached else "–"


def in_time(row: Row, peer: Row, gap: float) -> str:
    """How many times as long as the peer it took."""
    if gap not in row.reached or gap not in peer.reached:
        return "–" if gap not in row.reached else "reached"
    ratio = row.reached[gap].seconds / max(peer.reached[gap].seconds, 1e-6)
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:,.0f}"


def in_the_end(row: Row, peer: Row, gap: float) -> str:
    return f"{row.gap:.2g}"


def table(
    rows: dict[str, dict[str, Row]], names: list[str], gap: float, cell: Callable[[Row, Row, float], str]
) -> list[str]:
    games = list(rows)
    lines = ["| |" + "".join(f" {game} |" for game in games), "|---|" + "---:|" * len(games)]
    for name in names:
        cells = (cell(rows[game][name], rows[game][PEER], gap) for game in games)
        lines.append(f"| `{name}` |" + "".join(f" {text} |" for text in cells))
    return lines


def rows_of(title: str, limit: float) -> dict[str, Row]:
    """What every solver does on a game."""
    game = make(*GAMES[title])
    compiled = Compiled(sequence_form(game))
    return {spec.name: measure(spec, game, compiled, limit) for spec in solvers()}


def report(rows: dict[str, dict[str, Row]], limit: float) -> None:
    """Print the tables."""
    whole = [spec.name for spec in solvers() if spec.goes_by == "form"]
    sampling = [spec.name for spec in solvers() if spec.goes_by == "samples"]
    for gap in GAPS:
        print(f"\nIterations to a gap of {gap:.0e}:\n")
        print("\n".join(table(rows, whole, gap, in_iterations)))
    for gap in GAPS:
        print(f"\nSeconds to a gap of {gap:.0e}, relative to {PEER} (“reached” if {PEER} did not reach it):\n")
        print("\n".join(table(rows, whole, gap, in_time)))
    print(f"\nThe gap of the sampling solvers after {limit:g} seconds:\n")
    print("\n".join(table(rows, sampling, 0.0, in_the_end)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three games and one second per cell")
    parser.add_argument("--seconds", type=float, help="of iterations per cell (default: 4; 1 with --quick)")
    arguments = parser.parse_args()
    limit = arguments.seconds or (1.0 if arguments.quick else 4.0)
    rows = {}
    for title in QUICK if arguments.quick else GAMES:
        print(title, file=sys.stderr)
        rows[title] = rows_of(title, limit)
    report(rows, limit)


if __name__ == "__main__":
    main()
