"""Spots of hold'em: processor time of iterations, and what they reach.

python benchmarks/holdem.py [--flop] [--peer FOLDER] [--rounds N]

`--peer FOLDER` names a folder with a `turn.py` that has `Spot`, OOP and IP and solves the turn spot in the same way.
The two take turns, and the best round of each counts. `--flop` solves 3betpotFAST to 0.1% of the pot.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from time import process_time

from ruse.games.holdem.engine import HoldemRun
from ruse.games.holdem.layout import SpotLayout
from ruse.games.holdem.rules import Holdem, holdem

ITERATIONS = 300
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
FAST_OOP = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,"
    "96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,"
    "42s:0.45,32s:0.45"
)
FAST_IP = (
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,74s:0.5,"
    "64s+,63s:0.5,54s,53s:0.5,43s"
)
PEER = """
import sys, time
sys.path.insert(0, ".")
from turn import IP, OOP, Spot
spot = Spot("Td9d6hQc", (OOP, IP), 200, 900, (.33, .75), 2.5, threads=2)
spot.iterate(0, "dcfr")
begun = time.process_time()
for t in range(1, {iterations} + 1):
    spot.iterate(t, "dcfr")
print(time.process_time() - begun)
"""


def turn_spot() -> Holdem:
    return holdem(board="Td9d6hQc", oop=OOP, ip=IP, pot=200, stack=900, bets="33%+75%", raises="2.5x")


def seconds_of_peer(folder: str) -> float:
    """Processor time of the peer for the iterations."""
    script = PEER.format(iterations=ITERATIONS)
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def seconds(game: Holdem, compress: bool) -> tuple[float, float]:
    """Processor time for the iterations, and the exploitability in percent of the pot."""
    run = HoldemRun(SpotLayout(game), 2, compress)
    run.run(1)
    run.judge()
    begun = process_time()
    run.run(ITERATIONS - 1)
    spent = (process_time() - begun) * ITERATIONS / (ITERATIONS - 1)
    return spent, 50 * sum(run.judge()) / game.pot


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--flop", action="store_true")
    given = parser.parse_args()
    best: dict[str, float] = {}
    for _ in range(given.rounds):
        for name, compress in (("float32", False), ("16-bit", True)):
            spent, reached = seconds(turn_spot(), compress)
            best[name] = min(spent, best.get(name, spent))
            print(f"turn, {name}: {spent:.2f} s for {ITERATIONS} iterations, {reached:.3f}% of the pot")
        if given.peer:
            spent = seconds_of_peer(given.peer)
            best["peer"] = min(spent, best.get("peer", spent))
            print(f"turn, peer: {spent:.2f} s for {ITERATIONS} iterations")
    if "peer" in best:
        ratios = [f"{best['peer'] / best[name]:.2f} in {name}" for name in ("float32", "16-bit")]
        print(f"times as fast as the peer, best rounds: {', '.join(ratios)}")
    if given.flop:
        flop()


def flop() -> None:
    game = holdem(board="QsJh2h", oop=FAST_OOP, ip=FAST_IP, pot=180, stack=910, bets="52%,55%,70%", raises="45%")
    begun = process_time()
    run = HoldemRun(SpotLayout(game))
    while True:
        run.run(10)
        first, second = run.judge()
        reached = 50 * (first + second) / game.pot
        print(
            f"flop: {run.iterations} iterations, {process_time() - begun:.1f} s, {reached:.4f}% of the pot", flush=True
        )
        if reached <= 0.1:
            return


if __name__ == "__main__":
    main()
