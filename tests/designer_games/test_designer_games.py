"""Two games of designers, each written from the docs alone: solved as anybody would."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import ruse

HERE = Path(__file__).parent


def test_the_dice_game_has_dead_and_lively_variants() -> None:
    """With two faces everything is said with the first bid; with four faces and no wild ones both sides bluff."""
    solved = [
        (row.parameters["faces"], row.parameters["wild"], row.certificate.lower)
        for row in ruse.sweep(str(HERE / "paydice.py"), faces="2|4", wild="yes|no")
    ]
    assert solved == [
        (2, True, Fraction(2)),
        (2, False, Fraction(0)),
        (4, True, Fraction(1, 8)),
        (4, False, Fraction(-1, 16)),
    ]


def test_a_queen_who_may_speak_always_wins_at_a_small_court() -> None:
    swept = ruse.sweep(f"{HERE / 'lovers_court.py'}:lovers_court", players="4", spies="1", talk="none|private")
    assert [row.win["good"] for row in swept] == [Fraction(3, 4), 1]


@pytest.mark.slow
def test_balance_leaves_dead_variants_out() -> None:
    """A variant in which one move is always made is nearest to the target; a constraint on mixing rejects it."""
    dice = str(HERE / "paydice.py")
    found = ruse.balance(dice, faces="2..4", wild="yes|no", target=0, where="metric.mixing > 0.1")
    assert found.proved and [row.row.parameters["faces"] for row in found.best] == [2, 3]
    none = ruse.balance(dice, faces="2..3", wild="yes", target=2)
    assert none.best[0].row.certificate.lower == 2
    alive = ruse.balance(dice, faces="2..3", wild="yes", target=2, where="metric.mixing > 0")
    assert alive.proved and alive.best[0].row.parameters["faces"] == 3
