"""Johansson's experiment again: CFR on his reduced tree of The Resistance, `python -m benchmarks.johansson`.

He ran CFR on eight players for 500 iterations at 0.2 a second and stopped at an exploitability of 0.003 (his Figure 2;
ε is a win rate, half of our gap). Here his tree (§2.4) is written down on arrays, CFR as he ran it repeats his curve,
and the newer variants go on to ε = 1e-4. Every ε is half the difference of two exact bounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from ruse.forms.integer_form import Compiled
from ruse.games.resistance.table import make_table
from ruse.reproduce.johansson_form import johansson_form
from ruse.reproduce.johansson_tree import PRINTED
from ruse.solution.history import Point
from ruse.solvers.cfr import Cfr
from ruse.solvers.variants import VARIANTS
from ruse.solving.iterate import RunResult, loop
from ruse.solving.options import Limits, RunFiles

HIS_ITERATIONS = 500
SHOWN = (1, 10, 50, 100, 200, 300, 400, 500)


def run(compiled: Compiled, name: str, limits: Limits) -> RunResult:
    return loop(Cfr(compiled, VARIANTS[name]), compiled, limits, RunFiles(), {}, lambda *_: None)


def table(name: str, ended: RunResult) -> list[str]:
    """ε at his iterations, and where the run ended."""
    points = ended.points
    near = {
        max((point for point in points if point.iteration <= at), key=lambda point: point.iteration) for at in SHOWN
    }
    lines = [f"{name}: {ended.iterations / points[-1].seconds:,.3g} iterations a second"]
    for point in sorted(near | {points[-1]}):
        win = (1 + point.lower) / 2, (1 + point.upper) / 2
        lines.append(
            f"  iteration {point.iteration:>6,}  {point.seconds:>8.2f} s   ε {point.gap / 2:.3g}"
            f"   resistance wins {win[0]:.6f} to {win[1]:.6f}"
        )
    return lines


def draw_curves(curves: dict[str, list[Point]], title: str, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, points in curves.items():
        axes.loglog([point.iteration for point in points], [point.gap / 2 for point in points], label=name, linewidth=1)
    axes.plot(HIS_ITERATIONS, 0.003, "x", color="black", label="Johansson's last")
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability ε (win rate)")
    axes.set_title(title)
    axes.grid(True, alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=8, choices=sorted(PRINTED))
    parser.add_argument("--epsilon", type=float, default=1e-4, help="for the newer variants")
    parser.add_argument("--plot", type=Path, help="draw the curves, as his Figure 2")
    given = parser.parse_args()
    nodes, pruning = PRINTED[given.players]
    print(f"writing down a tree of {nodes:,} nodes", file=sys.stderr)
    started = time.perf_counter()
    form = johansson_form(make_table(given.players), pruning)
    print(
        f"{given.players} players, {nodes:,} nodes (pruning '{pruning}'), "
        f"{form.trees[0].sequences:,} × {form.trees[1].sequences:,} sequences, {len(form.payoffs):,} entries, "
        f"written down in {time.perf_counter() - started:.0f} s"
    )
    compiled = Compiled(form)
    curves = {}
    for name in ("cfr", "cfr+", "pcfr+", "pdcfr+"):
        limits = Limits(gap=2 * given.epsilon) if name != "cfr" else Limits(iterations=HIS_ITERATIONS)
        ended = run(compiled, name, limits)
        curves[name] = ended.points
        print("\n".join(table(name, ended)), flush=True)
    if given.plot:
        draw_curves(curves, f"{given.players} players, Johansson's tree of {nodes:,} nodes", given.plot)


if __name__ == "__main__":
    main()
