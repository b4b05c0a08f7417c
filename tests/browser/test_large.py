"""What is too large to look at says so beforehand and opens as far as it can; a refusal leaves the game on the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from fitting import accessible, within_the_screen

LARGE = "liars-dice(faces=7)"


def test_the_page_says_beforehand_what_can_be_opened(page: Page) -> None:
    page.goto("/solve?game=liars-dice&p-faces=7")
    page.get_by_role("button", name="Estimate its size").click()
    expect(page.locator("#job-text")).to_contain_text("too large to open position by position")
    page.goto("/solve?game=liars-dice&p-faces=3")
    page.get_by_role("button", name="Estimate its size").click()
    expect(page.locator("#job-text")).to_contain_text("every position can be opened")


@pytest.mark.parametrize("page", ["notebook"], indirect=True)
def test_a_large_solution_opens_as_far_as_it_can(page: Page) -> None:
    page.goto("/solve?game=liars-dice&p-faces=7&solver=cfr%2B&iterations=20")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#job-size")).to_contain_text("too large to open position by position")
    page.locator("#job-open").wait_for(state="visible")
    page.locator("#job-open").click()
    page.wait_for_url(re.compile("/whole/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("not exact")
    expect(page.locator("svg.plot polyline")).to_have_count(2)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        accessible(page)
        within_the_screen(page)
    told = page.request.get(str(page.get_by_role("link", name="This page as JSON").get_attribute("href"))).json()
    assert told["too_large"] and len(told["points"]) > 1
    page.get_by_label("A position, or the start of one").fill(f"{LARGE}@3")
    page.get_by_role("button", name="Look it up").click()
    expect(page.locator(".strategies tbody tr")).to_have_count(1)
    position = page.url
    page.goto("/")
    page.get_by_role("link", name=f"Explore {LARGE}").click()
    page.wait_for_url(re.compile("/whole/"))
    assert page.request.get(position).ok


def test_a_mistyped_phantom_move_keeps_the_game_on_the_page(page: Page, refusals: set[int]) -> None:
    page.goto("/play?game=phantom-tic-tac-toe")
    page.get_by_label("Seed").fill("1")
    page.get_by_role("button", name="Start").click()
    page.get_by_label("Your move", exact=False).fill("abcdefgh")
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("alert")).to_contain_text("got 'abcdefgh'")
    expect(page.get_by_label("Your move", exact=False)).to_have_value("abcdefgh")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move, Player 1")
    accessible(page)
    refusals.add(400)
    page.get_by_label("Your move", exact=False).fill("abcdefghi")
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^You (won|lost)$|^A draw$"))
