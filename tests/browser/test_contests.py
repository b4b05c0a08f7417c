"""The contests in the explorer: their pages and tables, and playing against what was learned where a person can."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from fitting import fits
from ruse.contests.arena import CONTESTS


def test_every_contest_has_its_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Contests").click()
    expect(page.locator(".card")).to_have_count(len(CONTESTS))
    fits(page)
    page.get_by_role("link", name="flip", exact=True).click()
    expect(page.locator("main")).to_contain_text("A person cannot play this contest: its matches run in compiled code")
    expect(page.get_by_role("heading", name="The best learned strategy")).to_be_visible()
    fits(page)


def test_a_learned_strategy_is_measured_and_played_against(page: Page) -> None:
    page.goto("/contests/nim")
    page.get_by_role("button", name="Play the matches now").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.get_by_role("heading", name="Results")).to_be_visible()
    told = page.request.get("/contests/nim.json").json()
    assert page.locator("main table tbody tr").filter(has_text="perfect").count() >= 1
    assert told["measured"]["exact"] and told["play"]["title"] == "nim"
    fits(page)
    page.get_by_role("link", name="Play against the learned strategy").click()
    page.get_by_label("Seed").fill("1")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move, Player 1")
    assert page.request.get(f"{page.url}.json").json()["game"] == "nim"
