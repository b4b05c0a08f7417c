"""Position pages: what a value is conditional on, what moves are worth, what may be believed."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any
from urllib.parse import quote

import pytest

from ruse import games
from ruse.explorer import position_wording, wording
from ruse.explorer.solution_files import keep
from ruse.insight import insight
from ruse.present.viewer import viewer
from ruse.solving.pipeline import solve
from served import Served, words

PASSED_TWICE = "/p/resistance-5/ab+/abc+"


def insight_at(served: Served, path: str, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = served.get(f"{path}.insight.json", params={"time": "120", **query}).json()
    return found


def page_at(served: Served, path: str, **query: str) -> str:
    """A page with its insight, as a reader sees it."""
    return words(served.get(path, params={"insight": "true", "time": "120", **query}).text)


def spaced(text: str) -> str:
    """Per cent signs without the space before them."""
    return re.sub(r"(?<=\d) %", "%", text)


# The headline.


def test_no_certainty_is_told_without_its_condition(served: Served) -> None:
    """Two passed missions: only stored spies make the resistance sure to win, and d a spy."""
    told = served.get(f"{PASSED_TWICE}.json").json()
    assert told["condition"] == "if both sides play the stored strategies" and told["condition"] in told["sentence"]
    for page in (spaced(words(served.get(PASSED_TWICE).text)), spaced(page_at(served, PASSED_TWICE))):
        assert re.search(r"wins 100% from here \(.*?\) If both sides play the stored strategies\.", page)
        assert not re.search(r"wins 100% from here(?! if| \([^()]*\) If)", page)
        assert re.search(r"From the start Resistance wins 30% \(3/10\)", page)
        assert "if both sides play the stored strategies" in page or "If the spies never slip" in page
    assert re.search(r"At worst from here Resistance wins 0% if \w and \w are the spies", page)
    assert "40% (2/5)" in page


def test_the_start_is_worth_what_optimal_play_is(served: Served) -> None:
    told = served.get("/p/resistance-5.json").json()
    assert told["condition"] == "if both sides play optimally"
    page = words(served.get("/p/resistance-5").text)
    assert "At worst" not in page and "From the start" not in page


def test_positions_never_come_to_say_from_where_on(served: Served) -> None:
    told = served.get("/p/resistance-5/ab-.json").json()
    assert told["reached"] is False and told["condition"] == "if both sides play the stored strategies from here on"


def test_text_to_send_has_the_same_terms(served: Served) -> None:
    text = served.get("/text/resistance-5/ab+/abc+.txt").text
    assert "from here if both sides play the stored strategies" in text and "From the start: Resistance wins" in text


def test_the_headline_is_the_best_move_of_the_table(served: Served) -> None:
    """The stored resistance lets these spies win for sure; an optimal one that lets no mistake pass does not."""
    path = "/p/resistance-5@bd/ab+/abc%3F"
    told = served.get(f"{path}.json").json()
    assert told["sentence"] == "Spies win 78.23% from here against an optimal resistance" and told["mark"] == "exact"
    stored = next(term for term in told["terms"] if term["name"] == "As stored")
    assert stored["value"] == "Spies win 100%" and stored["why"] == "if both sides play the stored strategies"
    page = spaced(page_at(served, path))
    assert "Spies win 78% from here (exact) Against an optimal resistance." in page and "78.23%" in page
    text = served.get("/text/resistance-5@bd/ab+/abc%3F.txt").text
    assert told["sentence"] in text and re.search(r"sabotage +100% \(1\) +78.23% +nothing", text)


# Moves.


def test_moves_carry_must_may_and_never_with_their_price(served: Served) -> None:
    """Kuhn 1950: with J the first side bets 0 to 1/3; if it always did, it would lose 2/9 more."""
    told = insight_at(served, "/p/kuhn@J")
    bet = told["moves"]["bet"]
    assert (bet["kind"], bet["least"], bet["greatest"]) == ("may", "0", "1/3")
    assert (bet["price"], bet["loss"]) == ("2/9", "0") and told["exact"]
    page = spaced(page_at(served, "/p/kuhn@J"))
    assert "may 0% to 33.33% (1/3)" in page and "0.2222 (2/9)" in page
    assert "Against this opponent, as stored" in page and "As a fixed habit from the start" in page
    assert "All moves do equally well against an optimal Player 2." in page


def test_a_never_move_costs_something_and_other_readings_are_a_tap_away(served: Served) -> None:
    """Spies who are both aboard: a pass loses nothing against the stored resistance, and ten points as a habit."""
    path = "/p/resistance-5@ab/ab+/abc%3F"
    told = insight_at(served, path)["moves"]
    assert (told["pass"]["kind"], told["pass"]["loss"], told["pass"]["price"]) == ("never", "0", "1/5")
    assert told["sabotage"]["kind"] == "must"
    page = page_at(served, path)
    main, other = page.split("Other readings of cost")
    assert "against an optimal resistance" in main and "10 points (1/10)" in other.split("What these columns mean")[0]
    assert Fraction(told["pass"]["cost"]) > 0 == Fraction(told["sabotage"]["cost"]) and "best" not in main


def test_no_page_calls_a_move_best(served: Served) -> None:
    for path in (PASSED_TWICE, "/p/resistance-5/ab+/abc-", "/p/kuhn@K"):
        page = page_at(served, path)
        assert not re.search(r"\bbest\b", page[page.index("Moves Move") : page.index("Other readings of cost")])


def test_bounds_are_marked_as_bounds(served: Served) -> None:
    from ruse.insight.model import Bound, Range

    open_end = Range(
        Bound(Fraction(0), None, Fraction(0), {}, {}), Bound(Fraction(1, 3), Fraction(1, 3), Fraction(0), {}, {})
    )
    assert position_wording.spread(open_end).endswith("bounds only")


def test_games_without_secrets_say_why_there_is_no_insight(served: Served) -> None:
    keep(served.app.state.explorer.library.folder, solve(games.nim()))
    page = page_at(served, "/p/nim")
    assert "Nothing is hidden in this game" in page and "Cost as a fixed habit" not in page
    answer = served.client.get("/p/nim.insight.json")
    assert answer.status_code == 400 and "nothing is hidden in nim" in answer.json()["error"]


# Beliefs.


def test_the_slider_moves_what_may_be_believed(served: Served) -> None:
    """From the stored spies, to whom d must be a spy, to spies who only slip; the facts stay at two in five."""
    suspicion = []
    for slip in ("0", "1/10", "0.5", "1"):
        told = insight_at(served, PASSED_TWICE, slip=slip)["beliefs"]["d is a spy"]
        suspicion.append(Fraction(told["slip"]))
        assert (told["stored"], told["facts"], told["least"], told["greatest"]) == ("1", "2/5", "1", "1")
        assert spaced(wording.percent(suspicion[-1])) in spaced(page_at(served, PASSED_TWICE, slip=slip))
    assert suspicion[0] == 1 > suspicion[1] > suspicion[2] > suspicion[3] > Fraction(2, 5)
    assert suspicion[1] == Fraction(183200, 227699)
    page = spaced(page_at(served, PASSED_TWICE, slip="1/10"))
    assert "By the facts alone every spy set" in page
    assert "moved uniformly at random" in page_at(served, "/p/kuhn@J")
    assert "If the spies slip 10% of the time" in page and "80.46%" in page


def test_one_seat_knows_itself_to_be_loyal(served: Served) -> None:
    told = insight_at(served, PASSED_TWICE, slip="1/10", own="c")
    assert told["own"] == "c" and told["own_facts"]["c"] == "I am seat c, and loyal"
    assert told["beliefs"]["c is a spy"]["slip"] == "0"
    assert told["beliefs"]["d is a spy"]["facts"] == "1/2"
    assert "I am seat c, and loyal" in page_at(served, PASSED_TWICE, own="c")
    assert insight_at(served, "/p/kuhn@J")["own_facts"] == {}


@pytest.mark.parametrize("slip", ["2", "-1/10", "often", "1/0"])
def test_slips_are_shares(served: Served, slip: str) -> None:
    answer = served.client.get(f"{PASSED_TWICE}.insight.json", params={"slip": slip})
    assert answer.status_code >= 400 and "expected" in answer.json()["error"]
    assert served.client.get(PASSED_TWICE, params={"slip": slip}).status_code >= 400


def test_a_seat_that_is_not_there_is_refused(served: Served) -> None:
    answer = served.client.get(f"{PASSED_TWICE}.insight.json", params={"own": "z"})
    assert answer.status_code >= 400 and "expected different seats from a to e" in answer.json()["error"]
    assert "Expected different seats from a to e" in page_at(served, PASSED_TWICE, own="z")


def test_the_slider_works_without_scripts(served: Served) -> None:
    page = served.get(PASSED_TWICE, params={"insight": "true"}).text
    form = page[page.index("data-slips") : page.index("</form>", page.index("data-slips"))]
    assert 'type="range"' in form and 'name="slip"' in form and "<button" in form and 'name="own"' in form


def test_insight_is_described(served: Served) -> None:
    described = served.get("/openapi.json").json()
    assert "/p/{position}.insight.json" in described["paths"]


# The worst that the facts allow.


def test_the_worst_is_what_a_best_answer_to_the_stored_strategy_leaves(served: Served) -> None:
    """With J against K: the stored first side checks and folds, or bets and is called."""
    solution = solve(games.kuhn())
    bet = solution.strategy(0).at("kuhn@J")["bet"]
    assert insight(solution).worst("kuhn@J", 0).value == -2 * bet - (1 - bet)  # type: ignore[union-attr]
    told = insight_at(served, "/p/kuhn@J")["worst"]
    assert told["fact"] == "K"
    for position, view in ((one, viewer(solution).at(one)) for one in ("kuhn@J", "kuhn@Q", "kuhn@K")):
        worst = insight(solution).worst(position, 0)
        assert worst is not None and worst.value <= view.value
    assert insight(solution).worst("kuhn", 0) is None


# The table, the model, the other side.


def test_the_table_is_drawn_as_at_play(served: Served) -> None:
    page = words(served.get("/p/resistance-5/ab+/abc-").text)
    assert "Points: resistance 1, spies 1; three win." in page
    assert "Mission 3 of 5 comes next: 2 seats, 1 sabotage fails it." in page
    assert "seats sent 2 3 2 3 3" in page and "sabotages to fail 1 1 1 1 1" in page
    assert "leaves out leaders, votes and talk" in page and "does not know who its members are" in page
    assert "You are the spies: a and b." in words(served.get("/p/resistance-5@ab/ab+").text)


def test_an_end_tells_no_secret_that_was_only_drawn(served: Served) -> None:
    page = words(served.get("/p/resistance-5/ab-/cde-/ac-").text)
    assert "The spies were" not in page


def test_custom_tables_show_their_missions(served: Served) -> None:
    table = games.resistance(players=6, spies=2, missions=(2, 3, 3, 3, 4), sabotages=(1, 1, 1, 2, 1))
    keep(served.app.state.explorer.library.folder, solve(table))
    page = words(served.get(f"/p/{quote(table.title, safe='(),=/')}").text)
    assert "seats sent 2 3 3 3 4" in page and "sabotages to fail 1 1 1 2 1" in page


def test_switching_sides_asks_which_deal(served: Served) -> None:
    page = served.get("/p/resistance-5/ab+/abc-").text
    menu = words(page[page.index("What the other side may know") : page.index("</details>", page.index("data-switch"))])
    assert menu.count("spies ") >= 9 and "typical" in menu
    assert "spies ad typical" in spaced(menu)  # one aboard, one not, as in six of the nine


# The coach.


def test_the_coach_speaks_of_the_price_and_of_lost_games(served: Served) -> None:
    sent = {"game": "kuhn", "side": "first", "coach": "yes", "seed": 3}
    session = served.post("/play", 201, sent)
    assert insight_at(served, "/p/kuhn@Q")["exact"]  # so that the coach knows at once
    told = served.post(f"/play/{session['id']}", 200, {"number": 1, "move": "bet"})["coached"]
    assert str(told) == "bet cost 1/6 ≈ 0.167 against an optimal Player 2 (best: check)"
