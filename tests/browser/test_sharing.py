"""A position can be sent as text and as a file, not only as an address of this machine; exact solves draw no void."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from fitting import accessible, within_the_screen
from ruse.solution.store import load


def test_a_position_is_shared_as_text_and_as_a_file(page: Page, tmp_path: Path) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/p/kuhn@Q/check/bet")
    page.locator("summary", has_text="Share").focus()
    page.keyboard.press("Enter")
    accessible(page)
    within_the_screen(page)
    expect(page.get_by_role("button", name="Copy the link")).to_contain_text("opens on this machine only")
    page.get_by_role("button", name="Copy the position").click()
    expect(page.locator("#live")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "kuhn@Q/check/bet"
    page.get_by_role("button", name="Copy as text").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('how likely')")
    with page.expect_download() as download:
        page.get_by_role("link", name="As a text file").click()
    text = Path(download.value.path()).read_text()
    assert text.startswith("kuhn@Q/check/bet\n") and "ruse explore kuhn@Q/check/bet" in text
    assert re.search(r"^call +\S", text, re.M) and re.search(r"^fold +\S", text, re.M)
    with page.expect_download() as download:
        page.get_by_role("link", name="As a solution file").click()
    download.value.save_as(tmp_path / "sent.ruse")
    assert load(tmp_path / "sent.ruse").game.title == "kuhn"


def test_an_exact_solve_ends_with_words_and_no_empty_chart(page: Page) -> None:
    page.goto("/solve?game=kuhn")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("#job-open").wait_for(state="visible")
    expect(page.locator("#job")).to_contain_text("Solved in one step")
    expect(page.locator("svg.plot")).to_have_count(0)
    expect(page.locator("#job-lower")).not_to_have_text("–")
    page.goto("/solve?game=leduc&solver=cfr%2B&iterations=200")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("#job-open").wait_for(state="visible")
    expect(page.locator("svg.plot polyline")).to_have_count(2)
