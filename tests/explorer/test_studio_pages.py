"""The studio of the explorer: a page that works without scripts, its twin, and maps."""

from __future__ import annotations

import threading
import time
from fractions import Fraction

import pytest

from ruse import games
from ruse.explorer.studio import Bench, Superseded, axes_of, offered
from served import Served, words
from serving import PATIENCE


def test_the_official_table_is_filled_in(served: Served) -> None:
    until = time.monotonic() + PATIENCE
    while (page := served.get("/studio").text) and "Resistance wins" not in page and time.monotonic() < until:
        time.sleep(0.2)  # a busy machine may have no value at first, and says so
    assert 'aria-label="missions 2"' in page and 'value="3"' in page, words(page)
    assert "Resistance wins 30% (3/10); exact." in words(page) and "Official rules." in words(page)
    told = served.get("/studio.json").json()
    assert told["row"]["win"] == {"resistance": "3/10", "spies": "7/10"} and told["exact"] is True


def test_entries_may_come_one_by_one_as_a_form_sends_them(served: Served) -> None:
    one_by_one = "&".join(f"p-missions={size}" for size in (2, 2, 2, 3, 3))
    told = served.get(f"/studio.json?game=resistance&{one_by_one}").json()
    assert told["row"]["win"]["resistance"] == "1/2" and told["difference"] == "1/5"
    assert told["changed"] == "20 percentage points more than resistance-5."
    again = served.get(told["page"]).text
    assert "50% (1/2)" in words(again)
    assert served.get(told["page"].replace("/studio", "/studio.json")).json() == told


def test_what_is_no_variant_is_said_and_not_refused(served: Served) -> None:
    told = served.get("/studio.json?game=resistance&p-missions=2,3,2,3,9").json()
    assert told["row"] is None and told["trouble"] == "Expected mission 5 to send 1 to 5 seats, got 9."
    assert "Expected mission 5 to send" in served.get("/studio?game=resistance&p-missions=2,3,2,3,9").text


@pytest.mark.parametrize(
    "query",
    [
        "game=chess",
        "game=matrix&p-file=/etc/passwd",
        "game=resistance&p-colour=3",
        f"game=matrix&p-payoffs={'1 ' * 1500}",
        "game=openspiel&p-game=kuhn_poker",
    ],
)
def test_nonsense_is_refused(served: Served, query: str) -> None:
    assert served.get(f"/studio.json?{query}", 400).json()["error"].startswith("expected")


def test_strategies_and_a_card_of_a_variant_nobody_solved_yet(served: Served) -> None:
    told = served.get("/studio.json?game=resistance&p-missions=2,2,3,2,3").json()
    page = served.client.get(told["solution"], follow_redirects=True)
    assert page.status_code == 200 and "resistance(players=5,missions=2-2-3-2-3)" in page.text
    card = served.client.get(told["card"], follow_redirects=True)
    assert card.status_code == 200 and "mission 1" in card.text


def test_a_map_over_two_entries(served: Served) -> None:
    told = served.get("/studio/map.json?game=resistance&across=missions%202&down=sabotages%205").json()
    assert told["columns"] == ["2", "3"] and told["rows"] == ["1", "2"] and told["here"] == ["3", "1"]
    assert [[cell["exact"] for cell in row] for row in told["cells"]] == [["1/2", "3/10"], ["7/10", "1/2"]]
    assert told["complete"] is True
    opened = served.get(told["cells"][0][0]["page"].replace("/studio", "/studio.json")).json()
    assert opened["told"] == "50% (1/2)"
    for bad in ("across=missions%202&down=missions%202", "across=missions%209&down=spies"):
        served.get(f"/studio/map.json?game=resistance&{bad}", 400)


def test_axes_stay_in_the_span_of_a_game() -> None:
    axes = {axis.name: axis.options for axis in axes_of(games.resistance(6))}
    assert axes["missions 3"] == ("2", "3", "4") and axes["sabotages 1"] == ("1", "2")
    assert axes["players"] == ("4", "5", "6", "7", "8")
    assert {axis.name for axis in axes_of(games.oshi_zumo())} >= {"coins"}


def test_games_with_parameters_have_their_pages(served: Served) -> None:
    for name in offered():
        if name in ("resistance", "matrix", "morra", "oshi-zumo"):  # others may take their two seconds
            assert f"<option selected>{name}</option>" in served.get(f"/studio?game={name}").text
    assert {"resistance", "matrix", "morra", "oshi-zumo"} <= {*offered()}


def test_what_is_overtaken_is_dropped() -> None:
    bench = Bench(PATIENCE)
    bench._free.acquire()
    bench._free.acquire()
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            bench.row(games.resistance(5), tab="t", turn=1)
        except Superseded as error:
            caught.append(error)

    waiting = threading.Thread(target=ask)
    waiting.start()
    while "t" not in bench._latest:
        time.sleep(0.001)
    bench._latest["t"] = 2
    bench._free.release()
    bench._free.release()
    waiting.join()
    assert caught
    assert bench.row(games.resistance(5), tab="t", turn=2).measure == Fraction(3, 10)
