"""A solution as a whole: its bounds, how they came together, and its odds, without a view of every state."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import httpx
import pytest

from ruse import games
from ruse.present.viewer import too_large
from ruse.solution import container, store
from ruse.solution.history import MOST_KEPT, Point, kept
from ruse.solution.store import StoreError, dumps, loads
from ruse.solving.pipeline import solve
from serving import PATIENCE, serving_here


def test_a_file_keeps_how_the_bounds_came_together() -> None:
    solution = solve(games.kuhn(), "cfr+", iterations=50)
    assert len(solution.points) > 1
    assert loads(dumps(solution), "a file").points == tuple(solution.points)


def test_an_old_file_has_no_such_line() -> None:
    fields = container.unpack(dumps(solve(games.kuhn(), "cfr+", iterations=50)))
    del fields["points"]
    assert loads(container.pack(fields), "an old file").points == ()


@pytest.mark.parametrize("points", [1, [1], [[1, 2]], [[1, "2", 3, 4, 5]], [[True, 1, 1, 1, 1]]])
def test_points_that_are_none_are_refused(points: object) -> None:
    fields = container.unpack(dumps(solve(games.kuhn())))
    with pytest.raises(StoreError):
        loads(container.pack({**fields, "points": points}), "a file")


def test_of_many_points_the_first_and_the_last_stay() -> None:
    points = [Point(number, float(number), -1.0 / number, 1.0 / number, 2.0 / number) for number in range(1, 5000)]
    found = kept([Point(0, 0.0, float("-inf"), float("inf"), float("inf")), *points])
    assert len(found) <= MOST_KEPT + 1 and found[0] == points[0] and found[-1] == points[-1]
    assert kept(points[:3]) == points[:3]


def test_what_is_too_large_is_known_before_it_is_solved() -> None:
    assert "1,605,591 states" in too_large(games.liars_dice(faces=7))
    assert not any(map(too_large, (games.kuhn(), games.resistance(10), games.pig(), games.phantom_tic_tac_toe())))


def test_the_page_has_what_the_solution_says(tmp_path: Path) -> None:
    with serving_here(tmp_path) as address, httpx.Client(base_url=address, timeout=2 * PATIENCE) as client:
        told = client.get("/whole/kuhn.json").json()
        assert (told["certificate"]["lower"], told["too_large"], told["positions"]) == ("-1/18", "", [6, 6])
        stored = solve(games.kuhn())
        for place in told["strategies"]:
            odds = stored.strategy(place["side"]).at(place["position"])
            assert odds == {move: Fraction(share) for move, share in place["odds"].items()}
        one = client.get("/whole/kuhn.json", params={"at": "kuhn@K/check/bet"}).json()["strategies"]
        assert [place["position"] for place in one] == ["kuhn@K/check/bet"]
        assert client.get("/whole/kuhn.json", params={"at": "kuhn@X"}).json()["strategies"] == []
        page = client.get("/whole/kuhn", params={"at": "kuhn@K/check/bet"}, headers={"accept": "text/html"})
        assert page.status_code == 200 and "Solved in one step" in page.text
        assert json.loads(client.get("/whole/chess.json").text)["status"] == 404
    assert store.load(next((tmp_path / "solutions").glob("kuhn*.ruse"))).tables == stored.tables
