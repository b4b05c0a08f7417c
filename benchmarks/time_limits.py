"""Whether iterating solvers keep `--time`, and what they have found by then: games × solvers × budgets.

    python -m benchmarks.time_limits [--games …] [--solvers …] [--budgets …] [--load N] [--jobs N] [--json FILE]

Every run is a process of its own, which solves one game by one solver. It is held to this:

    strategies  there are strategies and bounds, where the form was built
    no wider    its bounds are no wider than the last that progress showed
    in time     it takes at most max(1 s, a tenth of the budget) longer than it was given
    used        it takes at least 80 % of the budget, where the gap is open and the solver could go on

Importing and building count as part of a run, starting Python does not. Before the first run every solver is compiled.
`--load N` keeps N processes busy beside them; `--jobs N` runs N at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib import import_module
from itertools import product
from pathlib import Path
from time import perf_counter

GAMES = (
    "kuhn",
    "leduc",
    "rock-paper-scissors",
    "morra",
    "oshi-zumo",
    "oshi-zumo --coins 8",
    "liars-dice --faces 3",
    "liars-dice --faces 4",
    "liars-dice --faces 5",
    "liars-dice --faces 6",
    "liars-dice --faces 7",
    "goofspiel --cards 3",
    "goofspiel --cards 4",
    "goofspiel --cards 5",
    "battleship --board 2x2 --ships 1,2 --values 1,2 --shots 2",
    "battleship --board 2x2 --ships 1,2 --values 1,2 --shots 3",
    "resistance --players 5",
    "tic-tac-toe",
    "openspiel:leduc_poker",
    "openspiel:liars_dice(numdice=1,dice_sides=4)",
)
SOLVERS = ("cfr", "cfr+", "dcfr", "pdcfr+", "mccfr", "first-order", "pdhg", "double-oracle")
BUDGETS = (0.5, 2.0, 5.0, 15.0)
USED = 0.8  # of the budget
COMPILED_ON = ("leduc()", "liars_dice(7)")  # a sequence form with symmetry, and a public tree
BUILT = ("solving ", "compiling ")  # how progress says that there is a form
ROUNDING = 1e-9  # of what progress shows between two certificates, in floats
CHECKS = ("strategies", "no wider", "in time", "used")


@dataclass(frozen=True)
class Run:
    """What a run came to."""

    game: str
    solver: str
    budget: float
    seconds: float
    gap: float
    built: bool  # whether the form was built in time
    written: bool  # whether there are strategies, and bounds beyond the payoffs
    wider: float  # than the last bounds that progress showed
    open: bool  # whether the run could have gone on
    error: str = ""

    def failed(self) -> list[str]:
        """The checks that it does not pass."""
        if self.error:
            return ["error"]
        passed = {
            "strategies": self.written or not self.built,
            "no wider": self.wider <= ROUNDING,
            "in time": self.seconds <= self.budget + max(1.0, self.budget / 10),
            "used": not self.open or self.seconds >= USED * self.budget,
        }
        return [name for name in CHECKS if not passed[name]]


def main() -> None:
    reader = argparse.ArgumentParser(prog="python -m benchmarks.time_limits", description=__doc__.partition("\n")[0])
    reader.add_argument(
        "--games", nargs="+", default=GAMES, metavar="GAME", help="as on the command line of ruse solve"
    )
    reader.add_argument("--solvers", nargs="+", default=SOLVERS, metavar="NAME")
    reader.add_argument("--budgets", nargs="+", type=float, default=BUDGETS, metavar="SECONDS")
    reader.add_argument("--load", type=int, default=0, metavar="N", help="keep N processes busy beside the runs")
    reader.add_argument("--jobs", type=int, default=1, metavar="N", help="run N at a time")
    reader.add_argument(
        "--warm", action="store_true", help="import everything before the clock starts, as in a notebook"
    )
    reader.add_argument("--json", metavar="FILE", help="write every run to a file")
    reader.add_argument("--one", nargs=3, metavar=("GAME", "SOLVER", "SECONDS"), help=argparse.SUPPRESS)
    given = reader.parse_args()
    if given.one:
        game, solver, seconds = given.one
        if given.warm:
            _import_everything()
        print(json.dumps(asdict(run(game, solver, float(seconds)))))
        return
    for game, solver in product(COMPILED_ON, given.solvers):
        _started(game, solver, 1e6, compiling=True)
    cases = list(product(given.budgets, given.games, given.solvers))
    with _busy(given.load), ThreadPoolExecutor(given.jobs) as pool:
        beside = f"{given.load} busy beside {given.jobs} run{'s' * (given.jobs > 1)} at a time"
        print(f"{os.cpu_count()} cores, {beside}{', imported before' * given.warm}\n")
        found = []
        for done in pool.map(lambda case: _started(case[1], case[2], case[0], given.warm), cases):
            found.append(done)
            if failed := done.failed():
                said = done.error or f"{done.seconds:.2f} s, gap {done.gap:.3g}"
                print(f"{', '.join(failed)}: {done.game} by {done.solver} in {done.budget:g} s: {said}", flush=True)
    print("\n".join(_table(found)))
    if given.json:
        Path(given.json).write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")
    sys.exit(any(one.failed() for one in found))


def run(spelled: str, solver: str, budget: float) -> Run:
    """Solve a game in this process."""
    from ruse.core import clock

    begun = clock.moment()
    with clock.deadline(budget, begun):  # as `ruse solve` does: importing is part of it
        return _run(spelled, solver, budget, begun[0])


def _run(spelled: str, solver: str, budget: float, begun: float) -> Run:
    from ruse import solve
    from ruse.core.registry import find

    name, *options = spelled.split()
    parameters = dict(zip((option.removeprefix("--") for option in options[::2]), options[1::2], strict=True))
    built, last = False, (float("-inf"), float("inf"))

    def report(text: str, lower: float | None, upper: float | None) -> None:
        nonlocal built, last
        built = built or text.startswith(BUILT)
        last = last if lower is None or upper is None else (lower, upper)

    game = find(name, parameters)
    solution = solve(game, solver, time=budget, report=report)
    seconds, bounds = perf_counter() - begun, solution.certificate
    beyond = (last[0] - float(bounds.lower), float(bounds.upper) - last[1])
    return Run(
        spelled,
        solver,
        budget,
        seconds,
        float(bounds.gap),
        built,
        solution.written and solution.judged,
        max(0.0, *beyond),
        bounds.gap > Fraction(0) and not solution.solver_finished,
    )


def _import_everything() -> None:
    """What a second call of `ruse.solve` in a process does not have to import."""
    with suppress(ImportError):
        import_module("pyspiel")
    for name in ("numba", "scipy.sparse", "highspy", "ruse.solving.pipeline", "ruse.games", "ruse.solving.iterate"):
        import_module(name)


def _started(game: str, solver: str, budget: float, warm: bool = False, compiling: bool = False) -> Run:
    """A run in a process of its own; compiling, one that only makes sure that nothing has to be compiled later."""
    command = [sys.executable, "-m", "benchmarks.time_limits", "--one", game, solver, str(budget), *["--warm"] * warm]
    if compiling:
        code = f"import ruse; ruse.solve(ruse.games.{game}, {solver!r}, iterations=2)"
        command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        error = done.stderr.strip().splitlines()[-1]
        return Run(game, solver, budget, 0.0, 0.0, False, False, 0.0, False, error)
    if compiling:
        return Run(game, solver, budget, 0.0, 0.0, False, False, 0.0, False)
    return Run(**json.loads(done.stdout))


@contextmanager
def _busy(many: int) -> Iterator[None]:
    """So many processes that do nothing as fast as they can."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(many)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _table(found: Sequence[Run]) -> list[str]:
    """How many runs of each budget, and of each solver, fail each check."""
    lines = ["", f"| | runs | refused | form built | {' | '.join(f'not {name}' for name in CHECKS)} | most over, s |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    groups = {f"{budget:g} s": [one for one in found if one.budget == budget] for budget in _met(found, "budget")}
    groups |= {solver: [one for one in found if one.solver == solver] for solver in _met(found, "solver")}
    for name, runs in {**groups, "all": found}.items():
        failed = [sum(check in one.failed() for one in runs) for check in CHECKS]
        over = max((one.seconds - one.budget for one in runs if not one.error), default=0.0)
        counts = [len(runs), sum(bool(one.error) for one in runs), sum(one.built for one in runs), *failed]
        lines.append(f"| {name} | {' | '.join(map(str, counts))} | {max(0.0, over):.2f} |")
    return lines


def _met(found: Sequence[Run], what: str) -> list[str]:
    return list(dict.fromkeys(getattr(one, what) for one in found))


if __name__ == "__main__":
    main()
