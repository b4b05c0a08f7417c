"""Position pages in a real browser: insight that comes after the page, and the slider by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from fitting import fits

PASSED_TWICE = "/p/resistance-5/ab+/abc+"


def test_insight_comes_after_the_page_and_the_slider_moves_by_keyboard(page: Page) -> None:
    page.goto(PASSED_TWICE)
    page.locator("#job").wait_for(state="detached")
    expect(page.locator("#condition")).to_have_text("If both sides play the stored strategies.")
    expect(page.locator("#terms")).to_contain_text("are the spies")  # the worst case has come
    expect(page.locator("#insight-wait")).to_have_count(0)
    expect(page.locator("#moves .loss").first).to_have_text("nothing")
    expect(page.locator("#moves .price").first).to_have_text("0")
    fits(page)
    suspect = page.locator("#beliefs tbody tr").nth(3)
    expect(suspect).to_contain_text(re.compile(r"d is a spy\s+100 ?%"))
    slider = page.get_by_role("slider")
    slider.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#slip-told")).to_have_text("10%")
    expect(suspect).to_contain_text(re.compile(r"80\.46 ?%"))
    expect(slider).to_be_focused()
    assert page.url.split("?")[0].endswith(PASSED_TWICE)  # the arrow moved the slider, not the page
    page.keyboard.press("End")
    expect(page.locator("#beliefs thead")).to_contain_text(re.compile("slip 100 ?% of the time"))
    page.get_by_label("What I know myself").select_option("c")
    expect(page.locator("#beliefs tbody tr").nth(2)).to_contain_text(re.compile(r"c is a spy\s+0 ?%"))
    expect(suspect).to_contain_text("1/2")
    fits(page)
    page.reload()  # the address says it all
    expect(page.get_by_label("What I know myself")).to_have_value("c")
    expect(page.get_by_role("slider")).to_have_value("1")


def test_switching_sides_asks_which_deal(page: Page) -> None:
    page.goto("/p/resistance-5/ab+/abc-")
    page.locator("#job").wait_for(state="detached")
    page.get_by_text("Switch side").focus()
    page.keyboard.press("Enter")
    fits(page)
    page.get_by_role("link", name=re.compile("^spies be")).click()
    page.wait_for_url(re.compile("resistance-5@be/ab"))
