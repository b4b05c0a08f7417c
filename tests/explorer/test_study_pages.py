"""Pages for those who study a solution: all hands, states, answers, runs, files."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from ruse import games
from ruse.explorer import exact_numbers, wording
from ruse.explorer.insights import InsightStatus
from ruse.explorer.jobs import Job, RunPoint
from ruse.explorer.plots import gaps_svg
from ruse.present.public import public_states
from ruse.solution.store import save
from ruse.solving.pipeline import solve
from served import Served, words
from viewing import viewed


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# All hands.


@pytest.mark.parametrize("position", ["kuhn", "kuhn@K/check", "kuhn@Q/bet", "resistance-5/ab%3F", "morra"])
def test_hands_and_their_twins_say_the_same(served: Served, position: str) -> None:
    told = served.get(f"/public/{position}.json").json()
    page = words(served.get(f"/public/{position}").text)
    rows = rows_of(served.get(f"/public/{position}.csv").text)
    assert len(told["sides"]) == 1
    for state in told["sides"]:
        assert sum(Fraction(hand["odds"]) for hand in state["hands"]) == 1
        assert sum(Fraction(odds) for odds in state["together"].values()) == 1
        for hand in state["hands"]:
            assert hand["what"] in page
            view = served.get(f"/p/{hand['position'].replace('?', '%3F')}.json").json()
            assert (hand["value"], hand["reached"]) == (view["value"]["exact"], view["reached"])
            for option in view["options"]:
                cell = hand["moves"][option["move"]]
                assert (cell["odds"], cell["value"], cell["loss"]) == (
                    option["odds"],
                    option["value"],
                    option["loss"],
                )
                assert wording.percent(Fraction(option["odds"])) in page
                row = next(one for one in rows if (one["position"], one["move"]) == (hand["position"], option["move"]))
                assert (row["odds"], row["likely"]) == (option["odds"], hand["odds"])


def test_hands_have_ranges_once_they_are_asked_for(served: Served) -> None:
    """Kuhn 1950: with J the first side bets 0 to 1/3, with Q never."""
    told = served.get("/public/kuhn.json?insight=true&time=120").json()["sides"][0]["hands"]
    bets = {hand["what"]: hand["moves"]["bet"] for hand in told}
    assert (bets["J"]["kind"], bets["J"]["least"], bets["J"]["greatest"]) == ("may", "0", "1/3")
    assert bets["Q"]["kind"] == "never"
    assert "may 0 to 1/3" in words(served.get("/public/kuhn").text)  # what is known is shown unasked


def test_public_states_that_are_not_there(served: Served) -> None:
    served.get("/public/kuhn@A", 404)
    over = words(served.get("/public/kuhn@K/check/check").text)
    assert "The game is over here" in over


def test_games_without_secrets_have_no_hands(served: Served) -> None:
    assert "/public/" in served.get("/p/kuhn@J").text
    assert "/public/" not in served.get("/p/nim").text
    assert "Nothing is hidden" in words(served.get("/public/nim").text)


# States.


def test_states_and_their_twins(served: Served) -> None:
    told = served.get("/states/kuhn@K/check.json").json()
    drawn = served.get("/states/kuhn@K/check.svg").text
    page = served.get("/states/kuhn@K/check").text
    sets = {node["set"] for node in told["nodes"] if node["set"]}
    assert f"{len(told['nodes'])} states, {len(sets)} information sets" in drawn
    for node in told["nodes"]:
        assert f'data-state="{node["state"]}"' in page
    looked = words(served.get("/states/kuhn?at=1").text)
    assert "Player 1, information set 1, of 2 states" in looked and "Make it the root" in looked
    assert "12 states found" in words(served.get("/states/kuhn?find=bet").text)


def test_states_that_cannot_be_shown(served: Served) -> None:
    assert "below 55, got 99" in served.get("/states/kuhn.json?root=99", 404).json()["error"]
    served.get(f"/states/kuhn.json?open={'9' * 4000}", 404)
    served.get("/states/kuhn.json?open=a", 422)
    assert "cannot be shown" in served.get("/states/resistance-5.json", 400).json()["error"]
    assert "/states/" not in served.get("/p/resistance-5?tab=tree").text
    assert "/states/kuhn" in served.get("/p/kuhn?tab=tree").text


# Exploitability.


def test_who_could_still_gain_is_said_by_name(served: Served) -> None:
    told = served.get("/whole/kuhn.json").json()["exploitability"]
    assert told["first"] == {"by": "second", "exact": "0", "float": 0.0}
    for page in ("/whole/kuhn", "/p/kuhn?tab=proof"):
        assert "What Player 2 could still gain against Player 1’s strategy nothing" in words(served.get(page).text)


# Strategies changed by hand.

BLUFF = '{"kuhn@J": {"bet": "1"}}'


def test_the_best_response_to_a_changed_strategy(served: Served) -> None:
    """Kuhn's poker: who always bets a jack is called, and loses 2/9 more."""
    told = served.get("/edit/kuhn@J.json", params={"changes": BLUFF}).json()
    assert (told["before"], told["kept"], told["answered"], told["gain"]) == ("-1/18", "-1/18", "-5/18", "2/9")
    assert [(one["position"], one["move"]) for one in told["deviations"]] == [("kuhn@Q/bet", "call")]
    page = words(served.get("/edit/kuhn@J", params={"odds-0": "0", "odds-1": "50%"}).text)
    assert "Player 2’s best response earns 0.2778" in page and "5/18" in page and "always call" in page
    rows = rows_of(served.get("/edit/kuhn@J.csv", params={"changes": BLUFF}).text)
    bets = {row["move"]: row["odds"] for row in rows if row["position"] == "kuhn@J"}
    assert bets == {"check": "0", "bet": "1"}
    assert served.get("/p/kuhn@J.json").json()["options"][0]["odds"] == "2/3"  # nothing was changed


def test_changes_add_up_and_are_taken_back(served: Served) -> None:
    page = served.get("/edit/kuhn@Q", params={"changes": BLUFF, "odds-0": "1", "odds-1": "3", "side": "0"}).text
    told = words(page)
    assert "kuhn@J" in told and "check 25% 1/4" in told and "Reset all" in told
    back = served.get("/edit/kuhn@J", params={"changes": BLUFF, "odds-0": "2/3", "odds-1": "1/3"}).text
    assert "Nothing yet" in words(back)
    second = served.get("/edit/kuhn", params={"side": "1"}).text
    assert "Change Player 2’s strategy" in words(second)


@pytest.mark.parametrize(
    ("query", "status", "why"),
    [
        ({"changes": "{"}, 404, "a JSON object"),
        ({"changes": '{"kuhn@J": 1}'}, 404, "by position and move"),
        ({"changes": '{"kuhn@J": {"bet": "x"}}'}, 404, "odds such as 1/3"),
        ({"changes": '{"kuhn@J": {"bet": "1/2"}}'}, 404, "sum to 1"),
        ({"changes": '{"kuhn@A": {"bet": "1"}}'}, 404, "where Player 1 moves"),
    ],
)
def test_changes_that_cannot_be_read(served: Served, query: dict[str, str], status: int, why: str) -> None:
    assert why in served.get("/edit/kuhn@J.json", status, params={**query, "side": "0"}).json()["error"]


def test_odds_that_cannot_be_entered_keep_the_page(served: Served) -> None:
    for sent in ("x", "-1", "1e9999999", "0"):
        page = words(served.get("/edit/kuhn@J", params={"odds-0": sent, "odds-1": "0", "changes": BLUFF}).text)
        assert "Expected odds" in page and "kuhn@J" in page
    assert "cannot be changed here" in served.get("/edit/nim.json", 400).json()["error"]


def test_strategies_by_class_are_changed_too(served: Served) -> None:
    """The Resistance: who never keeps to those who passed does worse, whatever seats are called."""
    changes = '{"resistance-5/ab+": {"cde": "1"}}'
    told = served.get("/edit/resistance-5/cd+.json", params={"changes": changes}).json()
    assert told["position"] == "resistance-5/ab+" and told["odds"]["cde"] == "1"
    assert Fraction(told["answered"]) <= Fraction(told["before"]) == Fraction(-2, 5)
    assert Fraction(told["gain"]) == Fraction(told["kept"]) - Fraction(told["answered"])
    spies = served.get("/edit/resistance-5@ab/ab%3F", params={"odds-0": "1", "odds-1": "1"}).text
    assert "The resistance’s best response wins 35%" in words(spies)
    late = '{"resistance-5@ab/ab+/abc+/abd?": {"pass": "1"}}'
    served.get("/edit/resistance-5@ab/ab%3F.json", 404, params={"changes": late})


# Compare runs.


def test_runs_are_drawn_beside_each_other(tmp_path: Path) -> None:
    solutions = {name: solve(games.kuhn(), name, iterations=60) for name in ("cfr", "cfr+")}
    files = [str(save(one, tmp_path / f"{name}.ruse")) for name, one in solutions.items()]
    made = Served(tmp_path, (*files, str(save(solve(games.kuhn()), tmp_path / "exact.ruse"))))
    try:
        known = made.get(
            "/whole/kuhn.json", params={"file": made.app.state.explorer.library.asked_for[0].source}
        ).json()
        query = {"game": known["identity"]}
        told = {run["solver"]: run for run in made.get("/convergence.json", params=query).json()["runs"]}
        assert set(told) == set(solutions)  # what was solved at once has no line
        for name, solution in solutions.items():
            last = told[name]["points"][-1]
            assert last["iteration"] == 60 and last["gap"] == pytest.approx(float(solution.certificate.gap))
        page = made.get("/convergence", params=query).text
        assert page.count("<polyline") == 2 and "cfr+" in words(page)
        rows = rows_of(made.get("/convergence.csv", params=query).text)
        assert len(rows) == sum(len(run["points"]) for run in told.values())
        one = made.get("/convergence.svg", params={"run": told["cfr"]["key"], "by": "iterations"}).text
        assert one.startswith("<svg") and one.count("<polyline") == 1 and "iterations" in one
        assert "Compare with other runs" in words(made.get(told["cfr"]["page"]).text)
    finally:
        made.close()


def test_jobs_that_go_on_are_drawn_too(served: Served) -> None:
    jobs = served.app.state.explorer.jobs
    job = Job("going", "solve", {"solver": "cfr+"}, "kuhn", "asked", "running", identity="kuhn's")
    job.points = [RunPoint(0.1, -1.0, 1.0), RunPoint(0.2, -0.1, 0.0)]
    jobs._jobs[job.id] = job
    try:
        (run,) = served.get("/convergence.json?run=job:going").json()["runs"]
        assert [(one["iteration"], one["gap"]) for one in run["points"]] == [(None, 2.0), (None, 0.1)]
        page = served.get("/convergence?game=kuhn's").text
        assert page.count("<polyline") == 1 and "a job that is running" in words(page)
        assert "No run that was chosen has bounds" in served.get("/convergence?run=job:going&by=iterations").text
    finally:
        del jobs._jobs[job.id]


def test_runs_that_are_not_there(served: Served) -> None:
    assert (
        "no recorded bounds of the run 'file:none'"
        in served.get("/convergence.json?run=file:none", 404).json()["error"]
    )
    served.get("/convergence.json", 422, params=[("run", str(number)) for number in range(20)])
    assert gaps_svg([], "seconds").startswith("<svg")


# Files of a position, and fractions in full.


def test_a_position_as_a_table(served: Served) -> None:
    for position in ("kuhn@J", "kuhn@K/check", "resistance-5/ab%2B"):
        told = served.get(f"/p/{position}.json").json()
        rows = rows_of(served.get(f"/p/{position}.csv").text)
        assert rows[0]["kind"] == "position" and rows[0]["exact"] == told["value"]["exact"]
        moves = {row["what"]: row for row in rows if row["kind"] in ("move", "event")}
        assert set(moves) == {option["move"] for option in told["options"]}
        for option in told["options"]:
            row = moves[option["move"]]
            assert (row["exact"], row["value"] or None, row["loss"] or None, row["next"] or None) == (
                option["odds"],
                option["value"],
                option["loss"],
                option["after"],
            )
        beliefs = [(row["what"], row["exact"]) for row in rows if row["kind"] == "belief"]
        assert beliefs == [(belief["what"], belief["odds"]) for belief in told["beliefs"]]
    served.get("/p/kuhn@J.insight.json?time=120")
    bet = next(row for row in rows_of(served.get("/p/kuhn@J.csv").text) if row["what"] == "bet")
    assert (bet["least"], bet["greatest"], bet["price"]) == ("0", "1/3", "2/9")


def test_a_notebook_of_a_position(served: Served) -> None:
    told = served.get("/export/kuhn.ipynb?at=kuhn@K/check&side=1")
    assert "attachment" in told.headers["content-disposition"] and told.json()["nbformat"] == 4
    text = "".join("".join(cell["source"]) for cell in told.json()["cells"])
    assert "'kuhn@K/check', 1" in text and "ruse.load('kuhn.ruse')" in text
    served.get("/export/kuhn.ipynb?at=kuhn@A", 404)


def test_what_the_table_rounds_is_there_in_full() -> None:
    long = Fraction(10**20 + 1, 3 * 10**20)
    assert exact_numbers.rounded([("a", Fraction(1, 3)), ("b", -long)]) == [
        ("b", f"−{long.numerator}/{long.denominator}")
    ]
    (vast,) = exact_numbers.rounded([("c", Fraction(1, 10**700))])
    assert "which the CSV has" in vast.text
    views = viewed("leduc")
    view = views.at("leduc@Ks")
    texts = [one.text for one in exact_numbers.of_view(views.solution, view, InsightStatus())]
    assert str(view.options[0].odds) in texts
    (state,) = public_states(views, "leduc@Ks")
    assert str(state.hands[0].view.options[0].odds) in [
        one.text for one in exact_numbers.of_hands(views.solution.game, state, "odds")
    ]
