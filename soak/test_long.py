"""What takes minutes: `make soak`."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from games.test_resistance import LONG, check_reductions
from ruse.games.resistance import Resistance
from ruse.games.resistance import verify as resistance
from ruse.verify import tree as plain


@pytest.mark.parametrize("side", [0, 1])
def test_five_players_seat_by_seat(side: int) -> None:
    """The official table, both strategies spread over single seats and cards, by a plain walk of the rules."""
    solution = ruse.solve(ruse.games.resistance(5))
    game = solution.game
    assert isinstance(game, Resistance)
    policy = resistance.seat_policy(game, side, solution.tables[side].__getitem__)
    assert plain.guarantee(game, side, policy) == solution.value


def test_a_killed_solve_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "seven.ruse"
    old = ruse.solve(ruse.games.resistance(6))
    command = [sys.executable, "-m", "ruse", "solve", "resistance", "--players", "7", "--out", str(file)]
    chance = random.Random(1)
    seen = set()
    for _ in range(60):
        old.save(file)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.0, 1.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.add(ruse.load(file).game.title)
    assert seen <= {"resistance-6", "resistance-7"}


@pytest.mark.parametrize(("parameters", "teams", "symmetry", "forced"), LONG, ids=str)
def test_all_reductions_agree_at_the_largest_trees(
    parameters: dict[str, Any], teams: bool, symmetry: bool, forced: bool
) -> None:
    check_reductions(parameters, teams, symmetry, forced)


def test_five_players_by_the_general_lp() -> None:
    """The sequence form of the reduced rules and the lazy program are two roads to one value."""
    solution = ruse.solve(ruse.games.resistance(5), "lp")
    assert solution.value == ruse.solve(ruse.games.resistance(5)).value
    assert solution.verify().exact


def test_liars_dice_with_seven_faces() -> None:
    """Exact, where the field has decimals (issue 3: -0.0389553…), and certified by the form of 1.6 million nodes."""
    solution = ruse.solve(ruse.games.liars_dice(7))
    assert solution.certificate.exact
    assert solution.value == Fraction(-1235, 31703)
    assert float(solution.value) == pytest.approx(-0.0389553, abs=5e-8)
