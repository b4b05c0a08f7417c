"""Variants a second of a sweep, against solving each alone, in one run.

    python -m benchmarks.sweep [--variants 60] [--rounds 3] [--skip-workers]

Random tables of five, six and seven players out of the map (missions of 2 seats to all but 2, a sabotage or two). Each
is solved by a process of its own, `ruse solve`; by a loop of `ruse.solve` in this process; and by a sweep in this
process, with an empty library. Then one worker against two on a sweep of seven players that takes them some time, and
beside it what the machine itself gives to two processes that share nothing, measured in the same rounds: where cores
are shared with others, that is less than two.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from time import perf_counter

import ruse
from ruse.core.registry import make
from ruse.studio.solving import row_of
from ruse.studio.sweep import SweepOptions, solve_variants
from ruse.studio.variants import Variants, make_variant

SPIES = {5: 2, 6: 2, 7: 3}
WORK = 300  # tables of seven players for the workers
PROCESSES = 8  # tables that are solved by processes of their own: they take long


def tables(players: int, count: int, seed: int) -> list[dict[str, object]]:
    """Random tables of the map."""
    dice = random.Random(seed)
    return [
        {
            "players": players,
            "spies": SPIES[players],
            "missions": [dice.randint(2, players - 2) for _ in range(5)],
            "sabotages": [dice.randint(1, 2) for _ in range(5)],
        }
        for _ in range(count)
    ]


def variants(asked: list[dict[str, object]]) -> Variants:
    return Variants("resistance", (), [make_variant("resistance", make("resistance", one), ()) for one in asked])


def swept(asked: list[dict[str, object]], workers: int) -> float:
    """Seconds of a sweep that knows nothing yet."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        return timed(lambda: solve_variants(variants(asked), SweepOptions(workers=workers, fresh=True)))


def looped(asked: list[dict[str, object]]) -> float:
    return timed(lambda: [ruse.solve(make("resistance", one)) for one in asked])


def alone(asked: list[dict[str, object]]) -> float:
    def one(table: dict[str, object]) -> None:
        words = [sys.executable, "-m", "ruse", "solve", "resistance", "--json"]
        for name, value in table.items():
            words += [f"--{name}", ",".join(map(str, value)) if isinstance(value, list) else str(value)]
        subprocess.run(words, check=True, capture_output=True)

    return timed(lambda: [one(table) for table in asked])


def timed(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def part(asked: list[dict[str, object]], number: int, parts: int) -> float:
    """Seconds that a process takes for its share of the tables, without anybody else's help."""
    return timed(lambda: [row_of(make("resistance", one)) for one in asked[number::parts]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--skip-workers", action="store_true")
    given = parser.parse_args()
    looped(tables(5, 3, 0))  # imports
    print("variants a second, medians of rounds")
    print(f"{'players':<9}{'ruse solve':>12}{'ruse.solve':>12}{'sweep':>10}{'× processes':>13}{'× loop':>9}")
    for players in SPIES:
        rates: dict[str, list[float]] = {"alone": [], "loop": [], "sweep": []}
        for seed in range(given.rounds):
            asked = tables(players, given.variants, seed)
            rates["alone"].append(min(PROCESSES, len(asked)) / alone(asked[:PROCESSES]))
            rates["loop"].append(len(asked) / looped(asked))
            rates["sweep"].append(len(asked) / swept(asked, 1))
        first, second, third = (statistics.median(rates[name]) for name in ("alone", "loop", "sweep"))
        print(
            f"{players:<9}{first:>12.2f}{second:>12.1f}{third:>10.1f}{third / first:>13.0f}{third / second:>9.1f}",
            flush=True,
        )
    if given.skip_workers:
        return
    asked = tables(7, WORK, 1)
    gains, ideal = [], []
    with ProcessPoolExecutor(2) as processes:
        list(processes.map(part, repeat(asked[:4]), range(2), repeat(2)))  # imports
        swept(asked[:40], 2)  # starts the workers
        for _ in range(given.rounds):
            one = swept(asked, 1)
            gains.append(one / swept(asked, 2))
            ideal.append(part(asked, 0, 1) / max(processes.map(part, repeat(asked), range(2), repeat(2))))
    print(f"two workers against one: × {statistics.median(gains):.2f}; two processes that share nothing: × ", end="")
    print(f"{statistics.median(ideal):.2f}")


if __name__ == "__main__":
    main()
