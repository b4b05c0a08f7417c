"""Recompute Tables II and III of Cauwet & Teytaud 2018.

    python -m ruse.reproduce.cauwet_teytaud --seconds 60 --folder found

Every cell is a search by one method (24 hours in Matlab there, `--seconds` here), scored against the baseline (Table
II) and against the other methods (Table III). Searches are independent jobs on all cores; what is in the folder already
is not computed again. Only War, Batawaf, Guess Who, Morra, Nim and phantom tic-tac-toe have the paper's own
parametrisation. Elsewhere it is ruse's, with as many parameters, so only the kind of result is comparable.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import ceil, sqrt
from pathlib import Path

from ruse.contests import arena
from ruse.contests.arena.page import FOUND
from ruse.contests.engine import Job, run, stopped
from ruse.contests.learned import Learned, load
from ruse.contests.methods import METHODS
from ruse.contests.search import evolve
from ruse.contests.tournament import Tournament, hold
from ruse.core.types import Report
from ruse.present.console import Progress

COMPARED = ("naive", "iterative", "approximate", "real")  # as in Table III

# Table III: the winning rate of the row against the column, in the order of COMPARED; only pairs above the diagonal.
THEIRS: dict[str, tuple[float, float, float, float, float, float]] = {
    "cheat": (0.0269, 0.017, 0.977, 0.5, 0.502, 0.671),
    "guess-who-deter": (0.8, 0.489, 0.498, 0.208, 0.14, 0.502),
    "guess-who": (0.276, 0.159, 0.34, 0.424, 0.583, 0.563),
    "phantom-4-in-a-row": (0.5, 1.0, 0.75, 1.0, 0.0, 0.5),
    "nim": (0.5, 0.0, 0.5, 0.0, 0.0, 0.0),
    "phantom-tic-tac-toe": (0.75, 0.5, 0.5, 0.0, 0.5, 0.0),
    "morra": (0.472, 0.472, 0.477, 0.475, 0.483, 0.482),
    "4-in-a-row": (0.427, 0.494, 0.503, 0.494, 0.57, 0.604),
    "flip": (0.428, 0.439, 0.439, 0.437, 0.432, 0.437),
    "pig": (0.496, 0.502, 0.505, 0.506, 0.498, 0.502),
    "batawaf": (0.49, 0.501, 0.701, 0.497, 0.698, 0.693),
    "war": (0.453, 0.495, 0.508, 0.563, 0.708, 0.492),
    "batawaf4": (0.311, 0.301, 0.385, 0.507, 0.562, 0.573),
    "war4": (0.489, 0.495, 0.493, 0.424, 0.47, 0.576),
    "cheat-special": (0.497, 0.499, 0.5, 0.658, 0.5, 0.5),
}
# Table II: the standard deviations printed after the rates where few games may have been played.
DEVIATIONS = {
    ("4-in-a-row", "iterative"): "0",
    ("4-in-a-row", "naive"): "0.19",
    ("4-in-a-row", "real"): "0.10",
    ("4-in-a-row", "seed"): "0.03",
    ("guess-who-deter", "approximate"): "0.113804",
    ("guess-who", "naive"): "0",
    ("guess-who", "approximate"): "0.130",
    ("guess-who", "iterative"): "0.0876",
}
PAIRS = [(first, second) for first in range(4) for second in range(first + 1, 4)]


def games_behind(rate: str, deviation: str) -> tuple[int, int] | None:
    """The least and the most games n behind a printed rate p with the deviation √(p(1 − p)/(n − 1)).

    Draws count a half, so that p is a whole number over 2n; both are rounded as they are printed. None where no number
    fits, or any does.
    """
    if not float(deviation):
        return None
    p, off = float(rate), float(deviation)
    half, slack = _half_a_digit(rate), _half_a_digit(deviation)
    about = p * (1 - p) / off**2
    fitting = []
    for games in range(2, ceil(about * 2) + 2):
        exactly = round(2 * games * p) / (2 * games)
        if abs(exactly - p) <= half and abs(sqrt(exactly * (1 - exactly) / (games - 1)) - off) <= slack:
            fitting.append(games)
    return (fitting[0], fitting[-1]) if fitting else None


def _half_a_digit(printed: str) -> float:
    return 0.5 * 10.0 ** -len(printed.partition(".")[2])


def search(name: str, method: str, seed: int, seconds: float, path: str) -> Learned:
    """Compute one cell of Table II, and save it if the search was not stopped."""
    learned = evolve(name, method, time=seconds, seed=seed, threads=1, stopped=stopped)
    if not stopped():
        learned.save(path)
    return learned


def cells(
    names: Sequence[str],
    methods: Sequence[str],
    seconds: float,
    seed: int,
    folder: Path,
    report: Report = lambda *_: None,
) -> dict[tuple[str, str], Learned]:
    """What each method finds for each contest."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {(name, method): folder / f"{name}-{method}.ruse" for name in names for method in methods}
    missing = [cell for cell, path in paths.items() if not path.exists()]
    jobs: list[Job] = [(search, (*cell, seed, seconds, str(paths[cell]))) for cell in missing]
    for done, _ in enumerate(run(jobs), 1):
        report(f"{done} of {len(jobs)} searches done", None, None)
    if not all(path.exists() for path in paths.values()):
        raise KeyboardInterrupt
    return {cell: load(path) for cell, path in paths.items()}


def table_two(learned: dict[tuple[str, str], Learned], names: Sequence[str], methods: Sequence[str]) -> str:
    """Winning rates against the baseline in percent, ours / theirs."""
    lines = [
        "Table II: winning rate against the baseline in percent, ruse's ± two standard errors (the paper's)",
        "",
        "| contest | parametrisation | " + " | ".join(methods) + " | best of ours |",
        "|---|---|" + "---|" * (len(methods) + 1),
    ]
    for name in names:
        contest = arena.find(name)
        row = []
        for method in methods:
            score = learned[name, method].baseline
            theirs = contest.paper.get(method)
            beside = f" ({100 * float(theirs.split()[0]):.1f})" if theirs else ""
            row.append(f"{100 * score.rate:.1f} ± {100 * score.error:.1f}{beside}")
        best = max(methods, key=lambda method: learned[name, method].baseline.rate)
        lines.append(f"| {name} | {'ours' if contest.ours else 'paper'} | {' | '.join(row)} | {best} |")
    return "\n".join(lines)


def table_three(name: str, learned: dict[tuple[str, str], Learned], games: int) -> Tournament:
    contest = arena.find(name)
    strategies = {method: contest.strategy(learned[name, method].parameters) for method in COMPARED}
    return hold(name, strategies, min(games, contest.series), seed=1)


def format_table_three(tournaments: dict[str, Tournament]) -> str:
    heads = [f"{COMPARED[first]}–{COMPARED[second]}" for first, second in PAIRS]
    lines = [
        "Table III: winning rate of the first method against the second in percent, ruse's (the paper's)",
        "",
        "| contest | " + " | ".join(heads) + " | nobody beats | cycles |",
        "|---|" + "---|" * (len(heads) + 2),
    ]
    for name, tournament in tournaments.items():
        theirs = THEIRS.get(name)
        row = []
        for place, (first, second) in enumerate(PAIRS):
            rate = tournament.rate(first, second)
            assert rate is not None
            row.append(f"{100 * rate:.1f}" + (f" ({100 * theirs[place]:.1f})" if theirs else ""))
        cycles = "; ".join(" > ".join((*cycle, cycle[0])) for cycle in tournament.cycles()) or "–"
        lines.append(f"| {name} | {' | '.join(row)} | {', '.join(tournament.undefeated()) or '–'} | {cycles} |")
    return "\n".join(lines)


def keep(searched: dict[tuple[str, str], Learned], names: Sequence[str]) -> None:
    """Put the best strategy for each contest where its page looks for it, if it is better than the one there."""
    FOUND.mkdir(exist_ok=True)
    for name in names:
        best = max((learned for (contest, _), learned in searched.items() if contest == name), key=_rate)
        path = FOUND / f"{name}.ruse"
        if not path.exists() or _rate(best) > _rate(load(path)):
            best.save(path)


def _rate(learned: Learned) -> float:
    return learned.baseline.rate


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of each search (60)")
    parser.add_argument("--games", type=int, default=10_000, help="matches of each pair in Table III (10,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--contests", default=",".join(arena.CONTESTS), help="names with commas between them")
    parser.add_argument("--folder", type=Path, default=Path("found"), help="where strategies are kept")
    parser.add_argument("--keep", action="store_true", help="the best strategies, for `ruse games CONTEST`")
    given = parser.parse_args()
    names = given.contests.split(",")
    for name in names:
        arena.find(name)
    with Progress(sys.stderr, f"searches of {given.seconds:g} s") as progress:
        learned = cells(names, METHODS, given.seconds, given.seed, given.folder, progress.report)
    if given.keep:
        keep(learned, names)
    print(f"Searches of {given.seconds:g} s on one core each.\n")
    print(table_two(learned, names, METHODS) + "\n")
    print(format_table_three({name: table_three(name, learned, given.games) for name in names}))


if __name__ == "__main__":
    main()
