"""Forms of tens of millions of sequences, solved without a symmetry declared. Some gigabytes, minutes."""

from __future__ import annotations

from fractions import Fraction

import ruse
from ruse import games


def test_five_players_seat_by_seat_with_nothing_declared() -> None:
    found = ruse.solve(games.resistance(5), symmetry=False, teams=False, forced=False)
    assert found.certificate.exact and found.win["resistance"] == Fraction(3, 10)
    assert found.note.startswith("2,015,411 + 27,514,381 sequences, 10,095 + 179,418 after symmetry")
