"""CFR+ on public trees against sequence forms, OpenSpiel and LiteEFG, in one run: `python -m benchmarks.public`.

Iterations a second, both sides updated and averaged once. All take turns, several rounds each, and the best round of
each counts: whatever else the machine does, each has had its quiet moments. `before` are the kernels that ruse had
before it knew public trees and payoffs in blocks, in a process of their own from that commit. OpenSpiel and LiteEFG
join where they come to a round in seconds. Then the memory of a run: what was told beforehand, and what it took.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from benchmarks.peers import Step, liteefg_steps, openspiel_steps, rate, ruse_steps
from ruse.core.capabilities import Public
from ruse.core.game import Game
from ruse.forms.parallel import threads
from ruse.forms.public_layout import laid_out
from ruse.forms.public_tree import counted, public_tree
from ruse.games import make
from ruse.solvers import find
from ruse.solvers.public_cfr import PublicCfr
from ruse.solvers.variants import VARIANTS
from ruse.solving.options import SolveOptions
from ruse.solving.routes.public_tree import bytes_needed

GAMES: dict[str, tuple[str, dict[str, object]]] = {
    "Leduc": ("leduc", {}),
    "Poker, 52 cards": ("poker", {"ranks": 13, "suits": 4}),
    "Liar's dice 6": ("liars-dice", {"faces": 6}),
    "Liar's dice 7": ("liars-dice", {"faces": 7}),
    "Liar's dice 8": ("liars-dice", {"faces": 8}),
    "Liar's dice 2 × 3": ("liars-dice", {"faces": 3, "dice": 2}),
}
WITH_PEERS = ("Leduc", "Liar's dice 6")
WITHOUT_FORM = ("Poker, 52 cards",)  # 2,652 deals of a tree of 3,915 nodes, walked state by state
WANTED = {"Liar's dice 7": 4, "Liar's dice 8": 4}  # times the kernels before
BEFORE = "90777f4"  # the last commit without public trees
PORTION = 10
OLD = """
import json, sys, time
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.games import make
from ruse.solvers.cfr import VARIANTS, Cfr
run = Cfr(Compiled(sequence_form(make(*json.loads(sys.argv[1])))), VARIANTS["cfr+"])
run.run(1)
for line in sys.stdin:
    done, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < float(line):
        run.run(10)
        done += 10
    print(done / spent, flush=True)
"""


def public_steps(precision: str, workers: int) -> Callable[[Game], tuple[Step, int]]:
    def steps(game: Game) -> tuple[Step, int]:
        assert isinstance(game, Public)
        run = PublicCfr(laid_out(public_tree(game)), VARIANTS["cfr+"], precision=precision, workers=workers)
        return lambda: run.run(PORTION), PORTION

    return steps


class Before:
    """The kernels of an earlier commit, which run when they are told to."""

    def __init__(self, source: Path, name: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", OLD, json.dumps(GAMES[name])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source / "src")},
        )

    def rate(self, seconds: float) -> float:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(seconds, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def __enter__(self) -> Before:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def checked_out(folder: Path) -> Path:
    """The source of the commit before."""
    packed = subprocess.run(["git", "archive", BEFORE, "src"], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder


def runners(name: str) -> dict[str, Callable[[Game], tuple[Step, int]]]:
    many = threads()
    found = {} if name in WITHOUT_FORM else {"sequence form": ruse_steps}
    found |= {"1 thread": public_steps("float64", 1), f"{many} threads": public_steps("float64", many)}
    found |= {f"{many} threads, float32": public_steps("float32", many)}
    return found | ({"OpenSpiel": openspiel_steps, "LiteEFG": liteefg_steps} if name in WITH_PEERS else {})


def speeds(name: str, rounds: int, seconds: float, source: Path) -> dict[str, float]:
    """Iterations a second of each, the best of several rounds in turn."""
    game = make(*GAMES[name])
    steps = {runner: made(game) for runner, made in runners(name).items()}
    for step, _ in steps.values():
        step()  # what is done once does not count
    found = dict.fromkeys([*steps, *(["before"] if name in WANTED else [])], 0.0)
    with Before(source, name) if name in WANTED else nullcontext() as before:
        for _ in range(rounds):
            for runner in found:
                its = before.rate(seconds) if runner == "before" else rate(*steps[runner], seconds)
                found[runner] = max(found[runner], its)
    return found


def memory(faces: int) -> tuple[int, int]:
    """Bytes of a run of liar's dice, as told beforehand and as a process of its own took."""
    game = make("liars-dice", {"faces": faces})
    assert isinstance(game, Public)
    code = (
        "import re, ruse; from ruse.forms import public_bounds; from ruse.solvers import public_cfr;"
        "most = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) << 10;"  # its own
        "ruse.solve(ruse.games.liars_dice(4), 'pdcfr+', iterations=1); before = most();"
        f"ruse.solve(ruse.games.liars_dice({faces}), 'pdcfr+', iterations=2); print(most() - before)"
    )
    took = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return bytes_needed(counted(game), find("pdcfr+"), SolveOptions()), int(took)


def told_of(name: str, found: dict[str, float]) -> str:
    """Iterations a second, and how many times those of others that is."""
    many = threads()
    lines = [f"{name}: " + ", ".join(f"{runner} {its:,.0f}" for runner, its in found.items())]
    for other in ("before", "sequence form"):
        if other in found:
            times = " and ".join(f"{found[own] / found[other]:.2f}" for own in ("1 thread", f"{many} threads"))
            wanted = f" (wanted: {WANTED[name]})" if other == "before" else ""
            lines.append(f"  {times} times {other} with 1 thread and {many}{wanted}")
    return "\n".join(lines)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    reader.add_argument("--rounds", type=int, default=8)
    reader.add_argument("--seconds", type=float, default=0.5, help="of a round")
    reader.add_argument("--faces", type=int, default=10, help="of the dice whose memory is measured; 0 for none")
    reader.add_argument("--json", action="store_true")
    given = reader.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        source = checked_out(Path(folder))
        for name in given.games:
            found[name] = speeds(name, given.rounds, given.seconds, source)
            if not given.json:
                print(told_of(name, found[name]), flush=True)
    told, took = memory(given.faces) if given.faces else (0, 0)
    if given.json:
        print(json.dumps({"iterations a second": found, "bytes": {"told": told, "took": took}}))
    elif took:
        print(f"Memory at {given.faces} faces: {told / 1e9:.2f} GB told, {took / 1e9:.2f} GB taken")


if __name__ == "__main__":
    main()
