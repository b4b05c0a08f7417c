"""How far exact answers reach in ten minutes: `python -m benchmarks.reach`.

Each game is solved by `ruse.solve` as anybody would call it, in a process of its own, and stopped after `--time`
seconds. Where no exact answer is proved by then, the certified bounds are.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

GAMES = (
    ("liars-dice", "--faces", "7"),
    ("liars-dice", "--faces", "8"),
    ("liars-dice", "--dice", "2", "--faces", "2"),
    ("liars-dice", "--dice", "2", "--faces", "3"),
    ("goofspiel", "--cards", "6"),
    ("goofspiel", "--cards", "7"),
    ("battleship", "--board", "2x2"),
    ("battleship", "--board", "2x3", "--shots", "2"),
    ("battleship", "--board", "2x3", "--shots", "3"),
    ("battleship", "--board", "3x3", "--shots", "2"),
    ("oshi-zumo", "--coins", "7"),
    ("resistance", "--players", "5", "--no-symmetry", "--no-teams", "--no-forced"),
)
SOLVE = "import resource, sys; from ruse.cli.program import main; status = main(['solve', *sys.argv[1:]]); \
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, file=sys.stderr); sys.exit(status)"


def solved(game: tuple[str, ...], seconds: float) -> tuple[dict[str, Any], int] | str:
    """What `ruse solve --json` prints, and the most memory it took in megabytes; or why it printed nothing."""
    run = subprocess.run(
        [sys.executable, "-c", SOLVE, *game, "--time", str(seconds), "--json"], capture_output=True, text=True
    )
    if run.returncode:
        return run.stderr.strip().splitlines()[-2].removeprefix("ruse: ")
    return json.loads(run.stdout), int(run.stderr.split()[-1])


def line(game: tuple[str, ...], found: tuple[dict[str, Any], int] | str) -> str:
    name = f"`ruse solve {' '.join(game)}`"
    if isinstance(found, str):
        return f"| {name} | | | | {found} |"
    answer, memory = found
    certificate = answer["certificate"]
    lower, upper = Fraction(certificate["lower"]), Fraction(certificate["upper"])
    if certificate["exact"]:
        told = certificate["lower"] if len(certificate["lower"]) < 24 else f"≈ {float(lower):.9f}, exact"
    else:
        told = f"in [{float(lower):.6f}, {float(upper):.6f}]"
    return f"| {name} | {told} | {answer['seconds']:.0f} s | {memory:,} MB | {answer['solver']} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=600.0, help="seconds of each game")
    parser.add_argument("--only", default="", help="games whose command contains this")
    given = parser.parse_args()
    print("| command | value | time | memory | solver |\n|---|---|---|---|---|")
    for game in GAMES:
        if given.only in " ".join(game):
            print(line(game, solved(game, given.time)), flush=True)


if __name__ == "__main__":
    main()
