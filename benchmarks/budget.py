"""Whether `--time` is kept: forty runs over all kinds of games and solvers, as people start them.

    python -m benchmarks.budget [--runs N]

prints what was asked, what it took from the first to the last moment of the process, and what was answered. A run is
late if it took more than a second, or a tenth of its time, longer than was asked, whichever is more; what it takes to
start the program and do nothing (`ruse --version`) is measured beside it and not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

TABLE_12 = "resistance --players 12 --spies 5 --missions 3,4,5,5,6 --sabotages 1,1,1,2,1"
TABLE_9 = "resistance --players 9 --spies 4 --missions 2,5,3,3,5 --sabotages 1,2,1,1,2"
RUNS: tuple[tuple[float, str], ...] = (
    (2, "openspiel:tic_tac_toe"),
    (2, "openspiel:universal_poker"),
    (2, "battleship --board 2x3"),
    (2, "goofspiel --cards 30"),
    (2, TABLE_12),
    (10, TABLE_12),
    (2, TABLE_9),
    (3, "resistance --players 10"),
    (2, "resistance --players 6 --solver lp --no-teams"),
    (1, "kuhn"),
    (2, "leduc --solver cfr+"),
    (2, "leduc --solver lcp"),
    (2, "leduc --solver mccfr"),
    (2, "leduc --solver first-order"),
    (2, "leduc --solver pdhg"),
    (2, "leduc --solver double-oracle --gap 0"),
    (2, "leduc --solver hs-dcfr --polish"),
    (5, "liars-dice --faces 6"),
    (3, "liars-dice --faces 7"),
    (2, "liars-dice --faces 8 --solver pdcfr+"),
    (3, "liars-dice --faces 5 --solver lp"),
    (3, "goofspiel --cards 5"),
    (3, "goofspiel --cards 6 --solver pdcfr+"),
    (3, "goofspiel --cards 13"),
    (3, "goofspiel --cards 6"),
    (5, "battleship --board 2x2 --ships 1,2 --values 1,2 --shots 3"),
    (10, "battleship --board 2x3"),
    (2, "oshi-zumo"),
    (3, "oshi-zumo --coins 12 --solver mccfr-outcome"),
    (10, "openspiel:tic_tac_toe"),
    (3, "openspiel:liars_dice(numdice=1,dice_sides=4)"),
    (3, "LARGE.efg"),
    (10, "LARGE.efg"),
    (2, "matrix --file LARGE.csv"),
    (5, "morra --solver lemke-howson"),
    (2, "pig"),
    (3, "4-in-a-row"),
    (3, "phantom-tic-tac-toe"),
    (5, "phantom-4-in-a-row"),
    (2, "guess-who --mine 40 --theirs 40"),
)


def main() -> None:
    reader = argparse.ArgumentParser(prog="python -m benchmarks.budget", description=__doc__.partition("\n")[0])
    reader.add_argument("--runs", type=int, default=len(RUNS), help="only so many, from the first")
    reader.add_argument("--only", default="", help="only runs with this in their name")
    given = reader.parse_args()
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        _write_large(Path(folder))
        start = median(_start() for _ in range(5))
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; a start takes {start:.1f} s\n")
        print("| run | asked | taken | over | status | answer |\n|---|---:|---:|---:|---:|---|")
        for seconds, words in RUNS[: given.runs]:
            if given.only not in words:
                continue
            taken, status, answer = _run(words, seconds, folder)
            over = taken - start - seconds
            late += over > max(1, seconds / 10)
            print(f"| {words} | {seconds:g} | {taken:.1f} | {max(0.0, over):.1f} | {status} | {answer} |", flush=True)
    print(f"\n{late} late" if late else "\nall in time")
    sys.exit(bool(late))


def _start() -> float:
    begun = perf_counter()
    subprocess.run([sys.executable, "-m", "ruse", "--version"], capture_output=True, check=True)
    return perf_counter() - begun


def _run(words: str, seconds: float, folder: str) -> tuple[float, int, str]:
    """How long a run took, its status and its answer."""
    command = [sys.executable, "-m", "ruse", "solve", *words.split(), "--json", "--time", str(seconds)]
    begun = perf_counter()
    done = subprocess.run(command, capture_output=True, cwd=folder, text=True, check=False)
    taken = perf_counter() - begun
    if not done.stdout:
        return taken, done.returncode, done.stderr.strip().splitlines()[-1]
    found = json.loads(done.stdout)
    lower, upper = (Fraction(found["certificate"][bound]) for bound in ("lower", "upper"))
    told = f"{lower}" if lower == upper and len(str(lower)) < 20 else f"{float(lower):.6g} to {float(upper):.6g}"
    told = f"exact, {told}" if lower == upper else told
    missing = [name for name in ("unjudged", "unwritten") if found["options"].get(name)]
    what = {"unjudged": "what it can pay", "unwritten": "no strategies"}
    return taken, done.returncode, "; ".join([told, found["solver"], *(what[name] for name in missing)])


def _write_large(folder: Path) -> None:
    """A tree of half a million nodes in a file, and a table of 300 by 300."""
    random = Random(0)
    lines = ['EFG 2 R "large" { "a" "b" }', '""', ""]
    outcome = 0
    moves = " ".join(f'"{move}"' for move in range(30))
    lines.append(f'c "" 1 "" {{ {" ".join(f"{chr(34)}{deal}{chr(34)} 1/20" for deal in range(20))} }} 0')
    for deal in range(20):
        lines.append(f'p "" 1 {deal % 10 + 1} "" {{ {moves} }} 0')
        for first in range(30):
            lines.append(f'p "" 2 {first + 1} "" {{ {moves} }} 0')
            for second in range(30):
                lines.append(f'p "" 1 {10 + (deal % 10) * 900 + first * 30 + second + 1} "" {{ {moves} }} 0')
                for _ in range(30):
                    outcome += 1
                    payoff = random.randint(-99, 99)
                    lines.append(f't "" {outcome} "" {{ {payoff}, {-payoff} }}')
    (folder / "LARGE.efg").write_text("\n".join(lines) + "\n")
    table = "\n".join(",".join(str(random.randint(-999, 999)) for _ in range(300)) for _ in range(300))
    (folder / "LARGE.csv").write_text(table + "\n")


if __name__ == "__main__":
    main()
