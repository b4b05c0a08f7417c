"""Two games of designers, each written from the docs alone: solved as anybody would."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

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
