"""The library after an afternoon of solving: names to read, to give and to take away, and words that find games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from fitting import fits
from ruse import games
from ruse.explorer.solution_files import keep
from ruse.solving.pipeline import solve
from serving import serving_here

TABLES = ((6, 1, [2, 3, 3, 3, 4]), (7, 2, [2, 3, 3, 4, 4]), (6, 2, [3, 3, 3, 3, 3]))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose folder has custom tables in it, as a form asks for them."""
    folder: Path = tmp_path_factory.mktemp("shelf")
    for number, (players, spies, missions) in enumerate(TABLES):
        keep(folder / "solutions", solve(games.resistance(players, spies, missions)), f"{number:016x}")
    with serving_here(folder) as found:
        yield found


def test_names_can_be_read_and_nothing_overflows(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="resistance, 6 seats, 1 spy, missions of 2 3 3 3 4")).to_be_visible()
    assert ".ruse" not in page.locator("main .cards").first.inner_text()
    fits(page)


def test_win_rates_of_the_official_tables_are_there_at_once(page: Page) -> None:
    page.goto("/")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="The Resistance"))
    expect(card.get_by_label("Table")).to_contain_text("9 players: spies win 71.43%")
    card.get_by_label("Table").select_option("9")
    card.get_by_role("button", name="Explore").click()
    expect(page).to_have_url(re.compile("/p/resistance-9"))


def test_avalon_says_what_cannot_be_solved(page: Page, refusals: set[int]) -> None:
    refusals |= {400}
    page.goto("/")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Avalon"))
    card.get_by_label("Table").select_option("7")
    card.get_by_label("Roles").select_option("merlin,percival,assassin,morgana")
    card.get_by_role("button", name="Play").click()
    expect(card.get_by_role("alert")).to_contain_text(
        "7 players with Merlin, Percival, 2 servants, 2 spies and Morgana"
    )
    expect(card.get_by_label("Table")).to_have_value("7")
    fits(page)
    card.get_by_label("Talk").select_option("none")
    card.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("/play[?]game=avalon"))
    expect(page.get_by_role("radio", name="Good")).to_be_visible()


def test_rename_sort_filter_and_delete(page: Page) -> None:
    page.goto("/library?sort=name")
    cards = page.locator("section:has(#on-disk) .card")
    before = cards.count()
    card = cards.filter(has_text="7 seats, 2 spies")
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name", exact=True).and_(card.locator("input")).fill("Friday evening")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Friday evening")).to_be_visible()
    fits(page)
    page.goto("/library?sort=name")
    named = [heading.lower() for heading in cards.locator("h3").all_inner_texts()]
    assert named == sorted(named)
    page.get_by_label("Filter").press_sequentially("friday")
    expect(page.locator(".card:visible")).to_have_count(1)
    expect(page.get_by_role("status").first).to_contain_text("1 of ")
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(1)
    card = page.locator(".card")
    card.locator("summary").click()
    card.get_by_role("textbox").fill("")
    card.get_by_role("button", name="Rename").click()
    expect(cards).to_have_count(before)
    expect(page.get_by_role("heading", name="Friday evening")).to_have_count(0)


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_deleting_takes_one_away_for_good(page: Page) -> None:
    page.goto("/")
    cards = page.locator("section:has(#on-disk) .card")
    before = cards.count()
    card = cards.filter(has_text="missions of 3 3 3 3 3")
    card.locator("summary").click()
    card.get_by_role("button", name="Delete").click()
    expect(cards).to_have_count(before - 1)
    expect(page.get_by_role("heading", name="missions of 3 3 3 3 3")).to_have_count(0)


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("resistance 5", "/p/resistance-5"),
        ("kuhn K check bet", "/p/kuhn@K/check/bet"),
        ("resistance 5 ab+ abc-", "/p/resistance-5/ab+/abc-"),
        ("resistance-5/ab+", "/p/resistance-5/ab+"),
    ],
)
def test_words_lead_to_games_and_positions(page: Page, words: str, where: str) -> None:
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/p/"))
    assert urlsplit(page.url).path == where


def test_a_word_that_means_several_games_lists_them(page: Page) -> None:
    page.goto("/")
    page.locator("#goto").fill("phantom")
    page.locator("#goto").press("Enter")
    for game in ("phantom-tic-tac-toe", "phantom-4-in-a-row"):
        expect(page.get_by_role("link", name=game, exact=True).first).to_be_visible()
    fits(page)
    page.locator("#goto").fill("chess")
    page.locator("#goto").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("No results for “chess”")
