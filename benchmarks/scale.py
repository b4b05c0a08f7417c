"""What symmetry that nobody declares is worth, in one run: `python -m benchmarks.scale`.

For each game, with no reduction declared: sequences before and after refining, seconds of building the form, of
refining it, of the LP on the whole form and on the classes, both to exact plans in fractions, the value both ways and
the ratio of the two. Plans of the classes are spread over the whole form and certified there, which is in the seconds
on the classes, as is refining. An LP that would take longer than `--limit` seconds is stopped, and a dash stands there.
Everything that takes less than ten seconds is timed at its best of three.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

from ruse.core import clock
from ruse.forms.certificate import certify
from ruse.forms.reductions.refined import RefinedForm, refined
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.games import make
from ruse.solvers.lp import lp

SEATS = ("resistance", {"players": 3, "spies": 1, "missions": [1, 2, 1, 2, 2]})
MORE_SEATS = ("resistance", {"players": 4, "spies": 1, "missions": [2, 2, 2, 2, 2]})
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "Leduc": ("leduc", {}),
    **{f"Goofspiel {cards}": ("goofspiel", {"cards": cards}) for cards in (4, 5, 6)},
    **{f"Liar's dice {faces}": ("liars-dice", {"faces": faces}) for faces in (4, 5, 6, 7, 8)},
    "Battleship 2×2": ("battleship", {}),
    "Battleship 2×3": ("battleship", {"board": "2x3", "shots": 2}),
    "Resistance 3": SEATS,
    "Resistance 4": MORE_SEATS,
    "Resistance 5": ("resistance", {"players": 5}),
}
HEAD = ("game", "sequences", "classes", "building", "refining", "share", "LP, whole", "LP, classes", "ratio", "value")
LONG = 10.0  # seconds
LARGEST_LP = 500_000  # sequences of a form whose own LP is tried: more take hours, and all the memory there is


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begun = perf_counter()
    return work(), perf_counter() - begun


def best(work: Callable[[], Any]) -> tuple[Any, float]:
    """The best of three, or of one that takes long."""
    found, seconds = timed(work)
    if seconds < LONG:
        seconds = min(seconds, timed(work)[1], timed(work)[1])
    return found, seconds


def limited(seconds: float, work: Callable[[], Any]) -> Any:
    """What the work gives; None where it takes longer."""
    try:
        with clock.deadline(seconds):
            solved = work()
    except clock.TimeIsUp:
        return None
    return None if solved.stopped or not solved.certificate.exact else solved


def by_class(whole: FormArrays, found: RefinedForm) -> Any:
    solved = lp(found.form)
    assert certify(whole, found.grown(solved.plans)) == solved.certificate
    return solved


def measured(name: str, limit: float) -> dict[str, Any]:
    game = make(*GAMES[name])
    whole, building = best(lambda: sequence_form(game))
    _, refining = best(lambda: refined(whole))  # as it is done before solving: it gives up where little is gained
    found = refined(whole, 1.0)
    assert found is not None
    rest, seconds = best(lambda: limited(limit, lambda: by_class(whole, found)))
    small = sum(tree.sequences for tree in whole.trees) <= LARGEST_LP
    plain, longer = best(lambda: limited(limit, lambda: lp(whole)) if small else None)
    if rest is not None and plain is not None and rest.certificate != plain.certificate:
        raise AssertionError(f"expected {plain.certificate} by class too, got {rest.certificate}")
    solved = rest or plain
    return {
        "game": name,
        "sequences": [tree.sequences for tree in whole.trees],
        "classes": [tree.sequences for tree in found.form.trees],
        "building": building,
        "refining": refining,
        "whole": None if plain is None else longer,
        "by_class": None if rest is None else refining + seconds,
        "value": None if solved is None else str(solved.certificate.lower),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }


def line(row: dict[str, Any]) -> str:
    both = [" + ".join(f"{many:,}" for many in row[key]) for key in ("sequences", "classes")]
    seconds = [
        "–" if row[key] is None else f"{row[key]:.3g} s" for key in ("building", "refining", "whole", "by_class")
    ]
    share = f"{row['refining'] / row['building']:.0%}"
    ratio = "–" if None in (row["whole"], row["by_class"]) else f"{row['whole'] / row['by_class']:.3g} ×"
    value = "–" if row["value"] is None else row["value"]
    if len(value) > 24:
        value = f"≈ {float(Fraction(value)):.9f}"
    return f"| {' | '.join([row['game'], *both, *seconds[:2], share, *seconds[2:], ratio, value])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(GAMES), help="some of: " + ", ".join(GAMES))
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of each LP")
    parser.add_argument("--json", type=Path, help="save every figure")
    given = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores (load {os.getloadavg()[0]:.1f} before the start)\n")
    print(f"| {' | '.join(HEAD)} |")
    print("|---" * len(HEAD) + "|")
    rows = []
    for name in given.games.split(","):
        rows.append(measured(name, given.limit))
        print(line(rows[-1]), flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
