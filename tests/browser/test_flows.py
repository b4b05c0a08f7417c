"""Each flow in the browser, with the mouse and with the keyboard alone, on a phone and on a notebook."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import ruse
from fitting import accessible, fits, press
from ruse.core.game import display_name
from ruse.present.rules import headed
from serving import serving

NONSENSE = "/p/kuhn@nonsense"
MOST_TABS = 60
SECONDS = pytest.mark.soak  # whose game takes seconds to solve
PAGES = [
    "/",
    "/p/resistance-5",
    "/p/resistance-5/ab+/abc-",
    "/p/resistance-5/ab+/abc?",
    "/p/resistance-5@bd/ab+/abc?",
    "/p/resistance-5/ab-/cde-?tab=beliefs",
    "/p/resistance-5?tab=tree",
    "/p/resistance-5?tab=proof",
    "/p/kuhn@K",
    "/p/kuhn@Q/check/bet?why=call",
    "/p/rock-paper-scissors",
    "/p/guess-who@first/24,24",
    "/words/resistance-5",
    "/play?game=kuhn",
    "/drills",
    "/drill?game=kuhn&side=0&position=kuhn@J/check/bet",
    "/play?game=resistance-5&side=0&position=resistance-5/ab%2B/abc-",
    "/solve?game=resistance",
    "/companion",
    "/people",
    NONSENSE,
    "/?find=poker",
    "/solve?game=matrix",
    "/p/liars-dice(faces=3)@2/1-3",
    "/p/battleship",
    "/p/tic-tac-toe",
    "/p/leduc@Kh",
    "/p/oshi-zumo",
    pytest.param("/p/pig", marks=SECONDS),
    "/p/nim",
    pytest.param("/p/morra", marks=SECONDS),
    "/p/kuhn@Q/check/bet?tab=tree",
    "/p/resistance-7/ab+/abc-?why=abc",
    "/p/avalon(players=5,talk=none)",
    "/words/kuhn",
    "/words/leduc",
    "/public/kuhn",
    "/states/kuhn",
    "/edit/kuhn@J",
    "/metrics/kuhn",
    "/metrics/nim?changes=yes",
    "/contests",
    "/convergence",
    "/studio",
    "/find?words=phantom",
    "/find?words=chess",
]


def twin(page: Page) -> dict[str, Any]:
    """The page's numbers as its .json twin says them."""
    link = page.get_by_role("link", name="This page as JSON").get_attribute("href")
    found = page.request.get(str(link))
    assert found.ok
    told: dict[str, Any] = json.loads(found.text())
    return told


@pytest.mark.cases(16)
@pytest.mark.both_widths
@pytest.mark.parametrize("url", PAGES)
def test_nothing_stands_in_anybodys_way(page: Page, url: str, refusals: set[int]) -> None:
    """axe-core finds no violations in light or dark, nothing is wider than the screen, controls are large enough."""
    refusals |= {404} if url == NONSENSE else set()
    page.goto(url)
    page.locator("#job").wait_for(state="detached")  # a game that is being opened
    fits(page)


def test_by_keyboard_from_home_to_a_game_a_position_a_reason_and_play(page: Page) -> None:
    """Each step with Tab and Enter, from the first key on a page."""
    page.goto("/")
    tab_to(page, page.get_by_role("link", name="Explore Kuhn poker"))
    page.wait_for_url(re.compile("/p/kuhn"))
    page.locator("#job").wait_for(state="detached")
    tab_to(page, page.locator("a[data-option]").first)
    page.wait_for_url(re.compile("/p/kuhn@"))
    page.locator("#job").wait_for(state="detached")
    tab_to(page, page.get_by_role("link", name="Why?").first)
    expect(page.get_by_role("heading", name=re.compile("^Why "))).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Play from here"))
    page.wait_for_url(re.compile("/play[?]"))
    tab_to(page, page.get_by_role("button", name="Start"))
    page.wait_for_url(re.compile("/play/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move")


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus, then Enter."""
    expect(target).to_be_visible()
    for _ in range(MOST_TABS):
        press(page, "Tab")
        if target.evaluate("element => element === document.activeElement"):
            return press(page, "Enter")
    raise AssertionError(f"{target} is not within {MOST_TABS} times Tab")


def begin(page: Page, game: str, side: str, seed: int) -> None:
    """The page of a new game."""
    page.goto(f"/play?game={game}")
    page.get_by_label(headed(side), exact=True).check()
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Your move, {display_name(side)}")


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    ("game", "side"),
    [
        ("resistance-5", "resistance"),
        ("resistance-7", "spies"),
        ("tic-tac-toe", "second"),
        ("kuhn", "first"),
        ("nim", "first"),
        pytest.param("pig", "first", marks=SECONDS),
        ("guess-who", "first"),
        pytest.param("morra", "first", marks=SECONDS),
        ("rock-paper-scissors", "second"),
        ("battleship", "first"),
        pytest.param("goofspiel", "second", marks=SECONDS),
        ("oshi-zumo", "first"),
        pytest.param("phantom-tic-tac-toe", "second", marks=SECONDS),
    ],
)
def test_games_being_played_stand_in_nobodys_way(page: Page, game: str, side: str) -> None:
    begin(page, game, side, 1)
    fits(page)


def test_a_board_is_played_on_with_the_mouse_and_by_keyboard(page: Page) -> None:
    begin(page, "tic-tac-toe", "first", 1)
    page.get_by_role("button", name="e free").click()
    expect(page.get_by_role("cell", name="X, yours")).to_have_count(1)
    expect(page.get_by_role("cell", name="O, the other side's")).to_have_count(1)
    page.get_by_role("button", name="free").last.focus()
    press(page, "Enter")
    expect(page.get_by_role("cell", name="X, yours")).to_have_count(2)
    expect(page.locator(".moves")).to_have_count(0)


def test_numbers_on_moves_work(page: Page) -> None:
    begin(page, "kuhn", "first", 3)
    expect(page.locator(".moves kbd")).to_have_text(["1", "2"])
    press(page, "2")
    expect(page.get_by_role("button", name="bet", exact=True)).to_be_focused()
    begin(page, "nim", "first", 1)
    expect(page.locator(".moves kbd")).to_have_count(0)


def test_playing_from_a_position(page: Page) -> None:
    page.goto("/p/resistance-5/ab+/abc-")
    page.get_by_role("link", name="Play from here").click()
    page.get_by_label("Seed").fill("1")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#happened")).to_have_text("So far: ab passed, abc failed.")
    page.get_by_text("As a table").click()
    expect(page.get_by_role("row", name=re.compile("^seat c"))).to_contain_text("aboard, failed")
    fits(page)


def test_from_the_library_into_a_game_with_the_mouse(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="The Resistance", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Spies win 70% from here")
    expect(page.get_by_role("heading", level=1)).to_contain_text("7/10, exact")
    page.locator("a[data-option]").first.click()
    expect(page).to_have_url(re.compile(r"\?|%3F"))  # a mission is out
    page.locator(".chips a").first.click()
    expect(page).to_have_url(re.compile("/p/resistance-5$"))
    for tab in ("Beliefs", "Tree", "Proof", "Strategy"):
        page.get_by_label("What to show").get_by_role("link", name=tab).click()
        expect(page.get_by_label("What to show").get_by_role("link", name=tab)).to_have_attribute(
            "aria-current", "page"
        )
    page.get_by_role("link", name="Why?").first.click()
    expect(page.locator(".why")).to_be_visible()


def test_the_same_by_keyboard_alone(page: Page) -> None:
    page.goto("/p/resistance-5")
    page.locator("#job").wait_for(state="detached")  # as elsewhere: keys are for the page that follows
    press(page, "ArrowDown")
    expect(page.locator("a[data-option]").first).to_be_focused()
    press(page, "Enter")
    page.wait_for_url(re.compile("resistance-5/"))
    press(page, "ArrowLeft")
    page.wait_for_url(re.compile("/p/resistance-5$"))
    press(page, "ArrowRight")
    page.wait_for_url(re.compile("resistance-5/"))
    press(page, "g")
    expect(page.locator("#goto")).to_be_focused()
    page.keyboard.type("kuhn@K/check/bet")
    press(page, "Enter")
    page.wait_for_url(re.compile("kuhn@K"))
    page.locator("#job").wait_for(state="detached")
    press(page, "f")
    page.wait_for_url(lambda url: "kuhn@K/check/bet" not in url)
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.goto("/p/kuhn@K")
    press(page, "3")
    page.wait_for_url(re.compile("tab=tree"))
    box = page.locator("[data-tree]")
    box.focus()
    before = page.locator("[data-tree] svg").get_attribute("viewBox")
    press(page, "+")
    expect(page.locator("[data-tree] svg")).not_to_have_attribute("viewBox", str(before))


def test_the_first_key_skips_to_the_content(page: Page) -> None:
    page.goto("/")
    press(page, "Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize(
    "position", ["kuhn@Q/check/bet", "kuhn@J", "resistance-5/ab+/abc-", "resistance-5@bd/ab+/abc?"]
)
def test_numbers_on_the_page_are_the_apis_and_the_solvers(page: Page, position: str) -> None:
    page.goto("/p/" + position.replace("?", "%3F"))
    told = twin(page)
    game = ruse.games.kuhn() if position.startswith("kuhn") else ruse.games.resistance(players=5)
    solution = ruse.solve(game)
    strategy = solution.strategy(told["side"])
    odds = {option["move"]: Fraction(option["odds"]) for option in told["options"]}
    stored = strategy.at(position)
    assert all(odds.get(move, Fraction(0)) == share for move, share in stored.items() if share)
    rows = page.locator("table.options tbody tr")
    assert rows.count() == len(told["options"]) or rows.count() >= 5
    for number, option in enumerate(told["options"][: rows.count()]):
        row = rows.nth(number).inner_text()
        assert option["move"] in row
        share = Fraction(option["odds"])
        assert f"{100 * float(share):.4g}%" in row or (share == 0 and "never" in row)


def test_playing_to_the_end_with_a_coach(page: Page) -> None:
    page.goto("/play?game=kuhn")
    page.get_by_label("Coach").check()
    page.get_by_label("Seed").fill("3")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move, Player 1")
    where = page.url
    page.reload()
    assert page.url == where
    page.get_by_role("button", name="bet", exact=True).click()
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    mistakes = page.get_by_role("row", name=re.compile("^Your mistakes"))
    expect(mistakes).to_contain_text("−0.167")  # as in the terminal: bet with Q costs a sixth


def test_playing_the_resistance_by_keyboard_alone(page: Page) -> None:
    page.goto("/play?game=resistance-5")
    page.get_by_label("Seed").focus()
    page.keyboard.type("1")
    press(page, "Enter")
    for _ in range(5):
        if page.get_by_role("heading", name="Review").count():
            break
        fieldset = page.locator("fieldset[data-aboard]")
        count = int(str(fieldset.get_attribute("data-aboard")))
        for number in range(count):
            fieldset.locator("input").nth(number).focus()
            press(page, "Space")
        page.get_by_role("button", name="Send them").focus()
        with page.expect_navigation():
            press(page, "Enter")
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^You (won|lost)$"))


def test_two_tabs_in_one_game(page: Page) -> None:  # the other one's answers are not watched
    page.goto("/play?game=leduc")
    page.get_by_label("Seed").fill("2")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("/play/.+"))
    other = page.context.new_page()
    other.goto(page.url)
    page.locator(".moves button").first.click()
    expect(page.locator("#move-form input[name=number]")).to_have_value("2")  # it has been made
    other.locator(".moves button").first.click()
    expect(other.get_by_role("alert")).to_contain_text("in another tab")
    assert other.url == page.url
    expect(other.locator("#move-form input[name=number]")).to_have_value("2")
    other.close()


def test_solving_in_the_page(page: Page, refusals: set[int]) -> None:
    page.goto("/solve?game=liars-dice")
    page.get_by_label("faces").fill("3")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("#job-open").wait_for(state="visible")
    page.locator("#job-open").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("from here")
    page.goto("/solve?game=resistance")
    page.get_by_label(re.compile("^players")).fill("30")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Expected 2 to 26 players, got 30")
    expect(page.get_by_label(re.compile("^players"))).to_have_value("30")
    accessible(page)
    refusals.add(400)


def test_a_job_page_sees_that_the_server_has_ended(browser: Browser, tmp_path: Path) -> None:
    """And leads to the form with the same fields, once the server is back."""
    with serving(tmp_path) as server:
        page = browser.new_context(base_url=server.address).new_page()
        page.goto("/solve?game=leduc&solver=cfr&gap=0&time=300")
        page.get_by_role("button", name="Solve", exact=True).click()
        expect(page.locator("#job-state")).to_have_text("running")
        port = urlsplit(server.address).port
        server.stop()
        expect(page.locator("#job-text")).to_contain_text("The server has stopped. Start it again")
        expect(page.locator("#job-stop")).to_be_hidden()
        server.start(port)
        expect(page.locator("#job-text")).to_contain_text("and so has this job")
        page.get_by_role("link", name="Start it again").click()
        expect(page.get_by_label("Solver", exact=True)).to_have_value("cfr")
        expect(page.get_by_label("Seconds")).to_have_value("300")
        page.context.close()


def test_on_phones_every_number_has_its_name(page: Page) -> None:
    """What a wide screen says in the head of the table stands at each number on a phone."""
    page.goto("/p/resistance-5@bd/ab%2B/abc%3F")
    page.locator("#job").wait_for(state="detached")
    narrow = page.viewport_size is not None and page.viewport_size["width"] < 600
    shown = page.evaluate("""[...document.querySelectorAll(".options tbody tr:first-child td[data-label]")]
        .map((cell) => getComputedStyle(cell, "::before").content)""")
    heads = ["The stored strategy", "All optimal strategies", "Spies win", "Cost"]
    assert [text.strip('":') for text in shown] == (heads if narrow else ["none"] * 4)
    page.goto("/p/guess-who@first/24,24")
    page.locator("#job").wait_for(state="detached")
    expect(page.locator(".hint")).to_be_visible()  # 24 columns are too many for either screen
    page.evaluate("document.querySelector('.wide:has(.grid)').scrollLeft = 1e6")
    expect(page.locator(".hint")).to_be_hidden()


def test_unreached_positions_say_so_and_are_solved_anew(page: Page) -> None:
    page.goto("/p/resistance-5/cd-/cde-")
    if page.locator(".banner").count():
        expect(page.locator(".banner")).to_contain_text("The stored strategies never reach this position")
        page.get_by_role("link", name="Solve again from here").click()
        expect(page.locator("main")).to_contain_text("Re-solved from here")
    page.goto("/p/kuhn@K/check/bet")
    assert page.locator(".banner").count() == (1 if not twin(page)["reached"] else 0)


def test_printing_and_exporting(page: Page) -> None:
    page.goto("/words/resistance-5")
    expect(page.locator("main")).to_contain_text("mission 2: sabotage")
    page.emulate_media(media="print")
    expect(page.locator("header.top")).to_be_hidden()
    for form in ("csv", "json", "ruse"):
        assert page.request.get(f"/export/kuhn.{form}").ok
    drawn = page.request.get("/tree/kuhn@K.svg")
    assert drawn.ok and drawn.text().startswith("<svg")
