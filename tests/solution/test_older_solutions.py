"""Solution files that 0.4.0 wrote, in tests/solutions-0.4.0: they load, show and verify to what they said then."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruse.core import rationals
from ruse.solution import store

FOLDER = Path(__file__).parents[1] / "solutions-0.4.0"

# The title, how many positions each table has, and the bounds, as 0.4.0 told them.
TOLD = {
    "4-in-a-row": ("4-in-a-row(rows=3,columns=4,line=3)", (48, 100), ("1", "1")),
    "coin": ("coin", (2, 1), ("1/3", "1/3")),
    "guess-who": ("guess-who(mine=8,theirs=6)", (25, 26), ("1/6", "1/6")),
    "kuhn": ("kuhn", (6, 6), ("-1/18", "-1/18")),
    "kuhn-cfr": (
        "kuhn",
        (6, 6),
        ("-1548481623196177/27021597764222976", "-1465183236933053/27021597764222976"),
    ),
    "leduc": (
        "leduc",
        (468, 468),
        ("-1454920850547486749701863871533/16995463438839962469905132501930",) * 2,
    ),
    "matrix": ("matrix", (1, 1), ("1/5", "1/5")),
    "pennies": ("pennies", (1, 1), ("0", "0")),
    "phantom-2x3": ("phantom-tic-tac-toe(board=2x3)", (1, 1), ("1/6", "1/6")),
    "pig": ("pig(goal=10)", (100, 100), ("1047121612991/2500000000000", "16361275203/39062500000")),
    "resistance-5": ("resistance-5", (19, 136), ("-2/5", "-2/5")),
    "resistance-7": ("resistance-7", (19, 540), ("-17/35", "-17/35")),
    "resistance-seats": ("resistance(players=3,spies=1,missions=1-1-1-1-1)", (307, 333), ("1", "1")),
    "tic-tac-toe": ("tic-tac-toe", (2423, 2097), ("0", "0")),
}


def test_every_file_is_known() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*TOLD}


@pytest.mark.cases(5)
@pytest.mark.parametrize("name", TOLD)
def test_a_solution_of_0_4_0_still_holds(name: str, ruse: Any) -> None:
    title, positions, bounds = TOLD[name]
    path = FOLDER / f"{name}.ruse"
    solution = store.load(path)
    claimed = solution.certificate
    assert solution.versions["ruse"] == "0.4.0"
    assert (solution.game.title, tuple(len(table) for table in solution.tables)) == (title, positions)
    assert (rationals.write(claimed.lower), rationals.write(claimed.upper)) == bounds
    assert solution.verify() == claimed
    status, out, _ = ruse("show", str(path))
    assert status == 0 and out.startswith(solution.headline())
    status, out, _ = ruse("verify", str(path))
    assert status == 0 and title in out
    assert not claimed.exact or solution.value == Fraction(bounds[0])
