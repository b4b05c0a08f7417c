"""How far exact answers reach in ten minutes: `python -m benchmarks.reach --kept reach.json`.

Each game is solved by `ruse solve` as anybody would call it, in a process of its own, and stopped after `--time`
seconds. Where no exact answer is proved by then, the certified bounds are. Games come cheap ones first. With `--kept`,
each answer is kept in a file when it is there: stop the run when you like, and the next one goes on after it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.core import atomic_files

GAMES = (
    ("leduc",),
    ("goofspiel", "--cards", "5"),
    ("liars-dice", "--dice", "2", "--faces", "2"),
    ("battleship", "--board", "2x2"),
    ("liars-dice", "--faces", "6"),
    ("oshi-zumo", "--coins", "7"),
    ("poker", "--ranks", "12", "--suits", "1", "--public", "0", "--sizes", "2"),
    ("poker", "--ranks", "4", "--suits", "2"),
    ("liars-dice", "--faces", "7"),
    ("battleship", "--board", "2x3", "--shots", "2"),
    ("goofspiel", "--cards", "6"),
    ("poker", "--ranks", "5", "--suits", "3"),
    ("resistance", "--players", "5", "--no-symmetry", "--no-teams", "--no-forced"),
    ("liars-dice", "--dice", "2", "--faces", "3"),
    ("liars-dice", "--faces", "8"),
    ("battleship", "--board", "2x3", "--shots", "3"),
    ("battleship", "--board", "3x3", "--shots", "2"),
    ("liars-dice", "--faces", "9"),
    ("goofspiel", "--cards", "7"),
)
SOLVE = "import resource, sys; from ruse.cli.program import main; status = main(['solve', *sys.argv[1:]]); \
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, file=sys.stderr); sys.exit(status)"


def solved(game: tuple[str, ...], seconds: float) -> dict[str, Any]:
    """What `ruse solve --json` says, and the most memory it took in megabytes; or why it says nothing."""
    run = subprocess.run(
        [sys.executable, "-c", SOLVE, *game, "--time", str(seconds), "--json"], capture_output=True, text=True
    )
    if run.returncode:
        return {"refused": run.stderr.strip().splitlines()[-2].removeprefix("ruse: ")}
    answer = json.loads(run.stdout)
    told = {name: answer[name] for name in ("certificate", "seconds", "solver")}
    return {**told, "megabytes": int(run.stderr.split()[-1]), "load": os.getloadavg()[1]}


def line(game: tuple[str, ...], found: dict[str, Any]) -> str:
    name = f"`ruse solve {' '.join(game)}`"
    if "refused" in found:
        return f"| {name} | | | | {found['refused']} |"
    certificate = found["certificate"]
    lower, upper = Fraction(certificate["lower"]), Fraction(certificate["upper"])
    if certificate["exact"]:
        told = certificate["lower"] if len(certificate["lower"]) < 24 else f"≈ {float(lower):.9f}, exact"
    else:
        told = f"in [{float(lower):.6f}, {float(upper):.6f}]"
    return f"| {name} | {told} | {found['seconds']:.3g} s | {found['megabytes']:,} MB | {found['solver']} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=600.0, help="seconds of each game")
    parser.add_argument("--only", default="", help="games whose command contains this")
    parser.add_argument("--kept", type=Path, help="a file of answers: games that are in it are not solved again")
    given = parser.parse_args()
    kept: dict[str, Any] = json.loads(given.kept.read_text()) if given.kept and given.kept.exists() else {}
    print("| command | value | time | memory | solver |\n|---|---|---|---|---|")
    for game in GAMES:
        name = " ".join(game)
        if given.only not in name:
            continue
        if name not in kept:
            kept[name] = solved(game, given.time)
            if given.kept:
                atomic_files.replace(given.kept, (json.dumps(kept, indent=2) + "\n").encode())
        print(line(game, kept[name]), flush=True)


if __name__ == "__main__":
    main()
