"""What docs/explanation/balance.md proves, on the whole map of five players: 1,024 tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from ruse import games, solve
from ruse.core.capabilities import Adjustable
from ruse.studio.solving import quick, row_of
from ruse.studio.sweep import sweep

Rounds = tuple[int, ...]


@pytest.fixture(scope="module")
def won() -> dict[tuple[int, Rounds, Rounds], Fraction]:
    """How often the resistance wins at every table, each solved for itself."""
    found = {}
    for spies in (2, 3):
        for missions in product((2, 3), repeat=5):
            for sabotages in product((1, 2), repeat=5) if spies == 2 else [(1,) * 5, (1, 1, 1, 2, 1)]:
                row = row_of(games.resistance(5, spies, missions, sabotages))
                assert row.exact
                found[spies, missions, sabotages] = row.win["resistance"]
    return found


def test_the_win_rate_moves_as_the_game_declares(won: dict[tuple[int, Rounds, Rounds], Fraction]) -> None:
    game = games.resistance()
    assert isinstance(game, Adjustable)
    declared = game.directions()
    assert declared == {"spies": -1, "missions": [-1] * 5, "sabotages": [1] * 5}
    compared = 0
    for (spies, missions, sabotages), share in won.items():
        for number in range(5):
            larger = tuple(size + (place == number) for place, size in enumerate(missions))
            harder = tuple(fails + (place == number) for place, fails in enumerate(sabotages))
            for other, sign in (
                ((spies, larger, sabotages), -1),
                ((spies, missions, harder), 1),
                ((spies + 1, missions, sabotages), -1),
            ):
                if other in won:
                    assert sign * (won[other] - share) >= 0
                    compared += 1
    assert compared > 5_000


def test_tables_with_one_canonical_table_are_worth_the_same(won: dict[tuple[int, Rounds, Rounds], Fraction]) -> None:
    worth: dict[object, Fraction] = {}
    for (spies, missions, sabotages), share in won.items():
        game = games.resistance(5, spies, missions, sabotages)
        assert isinstance(game, Adjustable)
        canonical = game.canonical()
        assert games.resistance(**canonical).canonical() == canonical
        assert worth.setdefault(str(canonical), share) == share
    assert len(worth) < len(won)


def test_missions_that_can_always_fail_are_alike() -> None:
    """Solved by the linear program for each table, without the shortcut."""
    for missions in ((4, 2, 3, 2, 2), (2, 4, 2, 3, 2), (2, 2, 4, 3, 2), (2, 3, 2, 2, 4)):
        values = set()
        for size in (4, 5):
            table = [size if one == 4 else one for one in missions]
            values.add(solve(games.resistance(5, 2, table), shortcuts=False).value)
        assert len(values) == 1
    assert len({str(games.resistance(5, 2, [size, 2, 2, 2, 2]).canonical()) for size in (3, 4, 5)}) == 2


def test_quick_bounds_hold(won: dict[tuple[int, Rounds, Rounds], Fraction]) -> None:
    for (spies, missions, sabotages), share in won.items():
        known = quick(games.resistance(5, spies, missions, sabotages))
        assert known is not None and known.lower <= 2 * share - 1 <= known.upper


def test_the_span_is_the_map() -> None:
    game = games.resistance()
    assert isinstance(game, Adjustable)
    assert len(sweep("resistance", game.span(), most=1).variants.axes) == 10
    assert game.span() == {"missions": "2..3,2..3,2..3,2..3,2..3", "sabotages": "1..2,1..2,1..2,1..2,1..2"}
