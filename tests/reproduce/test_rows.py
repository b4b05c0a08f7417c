"""What settles the rows of Cauwet and Teytaud's Table II: games behind printed rates, and players who look ahead."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from ruse.contests import arena
from ruse.contests.arena.four import BOTTOM, COLUMN, EMPTY, won
from ruse.contests.arena.four_ahead import forced, scores
from ruse.reproduce.cauwet_teytaud import DEVIATIONS, games_behind

ALL = (1 << 7) - 1


@pytest.mark.parametrize(("points", "games"), [(11, 14), (18.5, 24), (11.5, 26), (300, 1000)])
def test_a_rate_and_its_deviation_tell_the_games(points: float, games: int) -> None:
    rate = points / games
    found = games_behind(f"{rate:.6f}", f"{sqrt(rate * (1 - rate) / (games - 1)):.6f}")
    assert found is not None and found[0] <= games <= found[1]


def test_what_is_printed_tells_the_games_or_that_all_were_won() -> None:
    for (name, method), deviation in DEVIATIONS.items():
        rate = arena.find(name).paper[method]
        found = games_behind(rate, deviation)
        assert (found is None) == (rate == "1")
        assert found is None or found[0] < 400


def board(columns: str) -> tuple[np.uint64, np.uint64]:
    """The stones of who is to move and of the other, after columns from 0 to 6."""
    mine = theirs = EMPTY
    for column in map(int, columns):
        mine |= (mine | theirs) + BOTTOM[column] & COLUMN[column]
        assert not won(mine)
        mine, theirs = theirs, mine
    return mine, theirs


@pytest.mark.parametrize(
    ("columns", "moves", "found"),
    [
        ("", 4, 0),
        ("001122", 1, 1),  # three on the ground: a fourth wins
        ("0011", 2, 0),
        ("0011", 3, 0),  # a third can still be blocked at the one open end
        ("2233", 3, 1),  # in the middle it cannot
        ("22334", 1, 0),
        ("22334", 2, -1),
    ],
)
def test_wins_and_losses_by_force_are_seen_so_many_moves_ahead(columns: str, moves: int, found: int) -> None:
    assert forced(*board(columns), ALL, moves) == found


@pytest.mark.soak
def test_who_looks_ahead_and_plays_more_out_wins_more() -> None:
    """Two moves ahead with as many playouts is the baseline itself; 40 matches of 89% are 36 ± 4."""
    assert scores(6, 256, 40, 1).mean() > 0.6
    assert set(scores(2, 1, 6, 1).tolist()) <= {0.0, 0.5, 1.0}
    assert (scores(2, 4, 10, 3) == scores(2, 4, 10, 3)).all()
