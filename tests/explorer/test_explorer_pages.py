"""Pages of the explorer and their .json twins. Browser tests are in tests/browser/."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from ruse import games
from ruse.core import registry
from ruse.explorer import position_wording, wording
from ruse.explorer.jobs import RunPoint
from ruse.explorer.plots import bounds_svg, line_svg
from ruse.formats.efg import read_efg
from ruse.games import GAMES
from ruse.solution.store import save
from ruse.solving.pipeline import solve
from served import KUHN, Served, words


@pytest.mark.parametrize("name", GAMES)
def test_rules_in_three_sentences(name: str) -> None:
    game = games.make(name, {"payoffs": "0 1; 1 0"} if name == "matrix" else {})
    brief = registry.rules_text(game.name)
    assert 1 <= len(registry.SENTENCE_END.split(brief)) <= 4
    assert 40 < len(brief) < 500


@pytest.mark.cases(12)
@pytest.mark.parametrize(
    "position",
    [
        "resistance-5",
        "resistance-5/ab+/abc-",
        "resistance-5/ab+/abc?",
        "resistance-5@bd/ab+/abc?",
        "kuhn",
        "kuhn@K/check",
    ],
)
@pytest.mark.parametrize("tab", ["strategy", "beliefs", "tree", "proof"])
def test_page_and_twin_say_the_same(served: Served, position: str, tab: str) -> None:
    path = f"/p/{quote(position, safe='/@+')}"
    told = served.get(f"{path}.json").json()
    page = words(served.get(f"{path}?tab={tab}").text)
    assert told["sentence"] in page and told["mark"] in page
    assert position in page
    if tab == "strategy":
        for option in told["options"]:
            assert option["move"] in page
            assert option["odds"] in ("0", "1") or option["odds"] in page
            assert option["value"] is None or _worth(told, option["value"]) in page
        for seat in told["seats"]:
            assert wording.percent(Fraction(seat["spy"])) in page
    for chip in told["history"]:
        assert served.get(f"/p/{quote(chip['position'], safe='/@+')}.json").json()["position"] == chip["position"]


def _worth(told: dict[str, object], value: str) -> str:
    """How a page writes a value, from the side that looks."""
    side = 1 if told["side"] in ("spies", "second") else 0
    if told["win"]:
        return wording.percent(wording.share_of(Fraction(value), side))
    return wording.decimal(Fraction(value) * (1 - 2 * side))


def test_numbers_are_the_solvers(served: Served) -> None:
    """Kuhn 1950: the first side loses 1/18; Bossle 2018: the spies win 7/10 of five-player games."""
    told = served.get("/p/kuhn.json").json()
    assert told["value"] == {"exact": "-1/18", "float": float(KUHN)}
    assert served.get("/p/resistance-5.json").json()["win"] == {"resistance": "3/10", "spies": "7/10"}
    jack = served.get("/p/kuhn@J.json").json()
    assert sum(Fraction(option["odds"]) for option in jack["options"]) == 1
    assert jack["value"]["exact"] == "-1"


def test_why_and_links(served: Served) -> None:
    told = served.get("/p/kuhn@J.json?why=bet").json()["why"]["bet"]
    assert told["cost"] == "0" and told["condition"] == "against an optimal Player 2"
    page = served.get("/p/kuhn@J?why=bet").text
    assert len(told["reasons"]) == 3 and all(reason["text"] in words(page) for reason in told["reasons"])
    inside = [unescape(link) for link in re.findall(r'href="(/[^"]*)"', page)]
    assert len(inside) > 15
    for link in set(inside):
        assert served.client.get(link, follow_redirects=True).status_code == 200, link


def test_unreached_positions_say_so_and_are_solved_anew(served: Served) -> None:
    told = served.get("/p/kuhn@K/check/bet.json").json()
    reached = told["reached"]
    lost = (
        next(
            option["after"]
            for position in ("kuhn@J/bet", "kuhn@J/check/bet", "kuhn@K/bet")
            for option in served.get(f"/p/{position}.json").json()["options"]
            if option["odds"] == "0" and option["after"]
        )
        if reached
        else "kuhn@K/check/bet"
    )
    told = served.get(f"/p/{lost}.json").json()
    assert told["reached"] is False
    page = words(served.get(f"/p/{lost}").text)
    assert "The stored strategies never reach this position" in page and "Solve again from here" in page
    anew = served.get(f"/p/{lost}.json?resolve=true").json()
    assert anew["position"] == lost and anew["assumption"] != ""


@pytest.mark.parametrize(
    ("position", "other"),
    [
        ("kuhn@J/check", "/p/kuhn@Q/check?side=0"),
        ("resistance-5/ab+/abc-", "/p/resistance-5@ad/ab+/abc-?side=1"),
        ("resistance-5@bd/ab+", "/p/resistance-5/ab+?side=0"),
        ("kuhn", "/p/kuhn?side=1"),
    ],
)
def test_switch_side_keeps_what_is_public(served: Served, position: str, other: str) -> None:
    page = served.get(f"/p/{position}").text
    found = re.search(r'data-switch href="([^"]*)"', page)
    assert found is not None and unescape(found[1]) == other
    served.get(unescape(found[1]))


def test_words_twin_and_page(served: Served) -> None:
    told = served.get("/words/resistance-5.json").json()
    page = words(served.get("/words/resistance-5").text)
    assert [side["side"] for side in told["sides"]] == ["resistance", "spies"]
    for side in told["sides"]:
        assert all(rule in page for rule in side["rules"])


def test_tree_is_a_picture(served: Served) -> None:
    answer = served.get("/tree/kuhn@J.svg?depth=2")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg") and "check" in answer.text


@pytest.mark.parametrize(("position", "depth"), [("kuhn@J", 2), ("resistance-5", 4), ("resistance-5@bd/ab%2B", 3)])
def test_tree_has_a_twin(served: Served, position: str, depth: int) -> None:
    """As many positions as are drawn, with the odds and values of each position's own twin."""

    def count(node: dict[str, Any]) -> int:
        return 1 + sum(count(child) for child in node["children"])

    told = served.get(f"/tree/{position}.json?depth={depth}").json()
    assert f"<desc>{count(told)} positions; " in served.get(f"/tree/{position}.svg?depth={depth}").text
    options = {one["move"]: one for one in served.get(f"/p/{position}.json").json()["options"]}
    for child in told["children"]:
        option = options[child["move"]]
        assert (child["odds"], child["often"], child["value"]) == (option["odds"], option["odds"], option["value"])
        for follows in child["children"]:
            assert Fraction(follows["often"]) == Fraction(child["often"]) * Fraction(follows["odds"])
    assert len(told["children"]) + told["left_out"] == len(options)


def test_proof_and_play_have_twins(served: Served) -> None:
    given = served.app.state.explorer.library.asked_for[0].source
    for query, proof, standing in ((f"?file={given}", "none", "claimed"), ("", "form", "solved here")):
        told = served.get(f"/p/kuhn@J.json{query}").json()
        bounds = {"lower": "-1/18", "upper": "-1/18", "exact": True}
        assert told["certificate"] == {**bounds, "proof": proof, "standing": standing}
    assert told["solver"] in words(served.get("/p/kuhn@J?tab=proof").text)
    told = served.get("/play.json?game=kuhn").json()
    assert (told["game"], told["sides"]) == ("kuhn", ["first", "second"])
    assert "resistance-10" in told["games"]


def test_the_likeliest_comes_first(served: Served) -> None:
    for position in ("resistance-5", "kuhn@Q", "kuhn@J/bet"):
        odds = [Fraction(option["odds"]) for option in served.get(f"/p/{position}.json").json()["options"]]
        assert odds == sorted(odds, reverse=True)
        shown = re.findall(r'data-odds="([^"]*)"', served.get(f"/p/{position}").text)
        assert shown == sorted(shown, key=lambda text: -float(text))


def test_a_question_mark_may_be_pasted_as_it_is(served: Served) -> None:
    """Browsers take a ? at the end of an address for a query that is empty."""
    for position in ("resistance-5/ab+/abc", "resistance-5@bd/ab+/abc"):
        for query in ("?", "?tab=beliefs"):
            assert f"{position}?" in words(served.get(f"/p/{position}{query}").text)
        assert served.get(f"/p/{position}.json?").json()["position"] == f"{position}?"
    page = served.get("/p/resistance-5/ab+/abc?").text
    assert page.count('<td class="out">') == 3  # the seats of the mission that is out


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("csv", b"side,position"),
        ("json", b"{"),
        ("efg", b"EFG 2"),
        ("nfg", b"NFG 1"),
        ("html", b"<!doctype html>"),
        ("ruse", b"PK"),
    ],
)
def test_exports(served: Served, form: str, begins: bytes) -> None:
    answer = served.get(f"/export/kuhn.{form}")
    assert answer.content.lstrip().startswith(begins) or form == "ruse"
    assert "attachment" in answer.headers["content-disposition"]
    if form == "ruse":
        assert served.client.post("/open", content=answer.content).status_code == 201


def test_a_job_page_leads_nowhere_else(served: Served) -> None:
    job = served.post("/solve", 202, {"game": "kuhn", "size": "yes"})["id"]
    for back, kept in (("/p/kuhn", True), ("//evil.example", False), ("/\\evil.example", False), ("http://x", False)):
        assert (f'data-back="{back}"' in served.get(f"/jobs/{job}", params={"back": back}).text) is kept


def test_go_leads_to_a_position(served: Served) -> None:
    assert served.get("/go?to=resistance-5/ab%2B/abc%3F", 303).headers["location"] == "/p/resistance-5/ab+/abc%3F"


def test_names_of_sides_keep_their_letters(tmp_path: Path) -> None:
    text = 'EFG 2 R "mine" { "McRae" "deGroot" }\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 0 0 }'
    path = save(solve(read_efg(text)), tmp_path / "mine.ruse")
    made = Served(tmp_path, (str(path),))
    try:
        words, play = made.get("/words/mine").text, made.get("/play?game=mine").text
        assert ">McRae</h2>" in words and ">DeGroot</h2>" in words
        assert "> McRae</label>" in play and "> DeGroot</label>" in play
    finally:
        made.close()


def test_openapi_describes_every_twin(served: Served) -> None:
    paths = served.get("/openapi.json").json()["paths"]
    pages = ("/library", "/p/{position}", "/tree/{position}", "/words/{title}", "/jobs/{job}", "/solve", "/play")
    assert {f"{page}.json" for page in pages} <= set(paths)
    for path, methods in paths.items():
        if path.endswith(".json"):
            answer = methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            assert "$ref" in answer, path


def test_pictures() -> None:
    points = [RunPoint(0.1, -1.0, 1.0), RunPoint(0.2, -0.1, 0.1), RunPoint(1.0, 0.0, 0.0)]
    assert bounds_svg(points).count("polyline") == 2
    assert "No bounds yet" in bounds_svg([])
    assert line_svg([0.5, 0.25, 1.0], (0.0, 1.0), "percent").count("circle") == 3
    assert ">3600 s<" in bounds_svg([RunPoint(3600.0, 0.1, 0.2)])
    assert ">12300<" in line_svg([0.0, 12345.0], None, "payoff")


def test_a_page_without_insight_says_what_it_lacks() -> None:
    """Before the reason, unless that is about what somebody typed."""
    kuhn, why = games.kuhn(), "expected a smaller game, got this one"
    lacks = "No comparison of all optimal strategies here: expected a smaller game, got this one."
    assert position_wording.why_none(kuhn, why, asked=False) == lacks
    assert position_wording.why_none(kuhn, why, asked=True) == "Expected a smaller game, got this one."
    assert position_wording.why_none(games.nim(), why, asked=False).startswith("Nothing is hidden in this game")


def test_numbers_in_words() -> None:
    assert wording.percent(Fraction(1, 3)) == "33.33%"
    assert wording.fraction(Fraction(-1, 18)) == "−1/18"
    assert wording.fraction(Fraction(10**20 + 1, 3 * 10**20)) == "≈ 0.333333"
    assert wording.heat([["", "x"], ["y", "1/2"], ["z", "−1"]]) == [[None, None], [None, 9], [None, 0]]


def test_a_page_stays_when_it_cannot_explain(served: Served) -> None:
    page = words(served.get("/p/kuhn@J?why=dance").text)
    assert "Why dance?" in page and "There is no move 'dance' at kuhn@J; choose check, bet." in page
    assert "The stored strategy" in page  # and its moves are still there
    assert served.get("/p/kuhn@J.json?why=dance", 404).json()["error"].startswith("there is no move 'dance'")


def test_a_right_move_has_reasons_and_a_wrong_one_is_asked_why_not(served: Served) -> None:
    right = served.get("/p/resistance-5@cd/ab+/abc%3F?why=sabotage").text
    assert "Why sabotage?" in words(right) and right.count('class="reason"') == 3
    assert "Why not check?" in words(served.get("/p/kuhn@K/check?why=check").text)
