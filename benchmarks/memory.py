"""How much memory sequence forms take: `python -m benchmarks.memory`.

Each game in a process of its own: what is reckoned with before its form is written down (`ruse.core.size_estimate`),
the state that a run of CFR+ keeps (the form and the run's arrays, as the system counts them), the most that writing the
form down takes, and refining, running and certifying; and how many times the state that is. What Python and the
compiled sweeps take by themselves is in none of them.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"Liar's dice {faces}": ("liars-dice", {"faces": faces}) for faces in (6, 7, 8)},
    "Goofspiel 6": ("goofspiel", {"cards": 6}),
    "Battleship 2×3": ("battleship", {"board": "2x3", "shots": 2}),
    "Oshi-zumo 7": ("oshi-zumo", {"coins": 7}),
    "Poker 5×3": ("poker", {"ranks": 5, "suits": 3}),
    "Resistance 4": ("resistance", {"players": 4, "spies": 2, "missions": [1, 2, 1, 2, 2]}),
    "Resistance 5": ("resistance", {"players": 5}),
}
LARGE = ("Resistance 5",)  # runs on its classes only, as its whole form takes gigabytes by itself
HEAD = ("game", "nodes", "reckoned with", "state", "most, building", "most, solving", "times the state")


def most() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def taken() -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) << 10


def measured(name: str) -> dict[str, Any]:
    """In this process, which has done nothing else."""
    import ruse
    from ruse.core import size_estimate
    from ruse.core.capabilities import Bulk
    from ruse.forms.integer_form import Compiled
    from ruse.forms.reductions.refined import refined
    from ruse.forms.sequence_form import sequence_form
    from ruse.games import make
    from ruse.solvers.cfr import Cfr
    from ruse.solvers.variants import VARIANTS

    for small in (ruse.games.liars_dice(3), ruse.games.kuhn()):
        ruse.solve(small, "cfr+", iterations=2)
        refined(sequence_form(small), 1.0)
    game = make(*GAMES[name])
    nodes = size_estimate.nodes(game)
    each = size_estimate.BULK_BYTES if isinstance(game, Bulk) else size_estimate.WALKED_BYTES
    before, least = taken(), most()
    form = sequence_form(game)
    building = most() - least
    alike = refined(form)
    compiled = Compiled(alike.form if alike is not None and name in LARGE else form)
    run = Cfr(compiled, VARIANTS["cfr+"])
    run.run(2)
    compiled.certify(run.weights())
    return {
        "game": name,
        "nodes": nodes,
        "reckoned": nodes * each,
        "state": taken() - before,
        "building": building,
        "solving": most() - least,
    }


def line(row: dict[str, Any]) -> str:
    told = [f"{row[key] / 1e6:,.0f} MB" for key in ("reckoned", "state", "building", "solving")]
    times = max(row["building"], row["solving"]) / row["state"]
    return f"| {' | '.join([row['game'], format(row['nodes'], ','), *told, f'{times:.1f}'])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(GAMES), help="some of: " + ", ".join(GAMES))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measured(given.one)))
        return
    print(f"| {' | '.join(HEAD)} |\n" + "|---" * len(HEAD) + "|")
    for name in given.games.split(","):
        command = [sys.executable, "-m", "benchmarks.memory", "--one", name]
        print(line(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)), flush=True)


if __name__ == "__main__":
    main()
