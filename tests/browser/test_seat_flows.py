"""A person at a seat in the page: an evening by keyboard and by touch, at the width of a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from fitting import fits, press


def sit_down(page: Page, seat: str, seed: int, **choices: str) -> None:
    page.goto("/play")
    page.get_by_role("link", name="take a seat").click()
    for label, text in choices.items():
        page.get_by_label(label.replace("_", " "), exact=True).select_option(label=text)
    page.get_by_label("Your seat").select_option(seat)
    page.get_by_label("Seed").fill(str(seed))
    fits(page)
    page.get_by_role("button", name="Sit down").click()
    expect(page).to_have_url(re.compile("/seat/[0-9a-f]{24}"))


def act(page: Page) -> bool:
    """Do something that is legal, if the evening is not over."""
    if page.get_by_role("heading", name=re.compile("^You (won|lost)")).count():
        return False
    boxes = page.locator("fieldset[data-aboard] input")
    if boxes.count():
        size = int(page.locator("fieldset[data-aboard]").get_attribute("data-aboard") or 0)
        for place in range(size):
            boxes.nth(place).check()
        page.get_by_role("button", name="Propose them").click()
    else:
        page.locator(".moves button").first.click()
    page.wait_for_load_state()
    return True


def test_an_evening_of_seven_to_its_review(page: Page) -> None:
    sit_down(page, "c", 4, Players="7")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your turn, seat c")
    expect(page.get_by_role("img", name="The table as you see it")).to_be_visible()
    fits(page)
    steps = 0
    while act(page):
        steps += 1
        assert steps < 60
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    expect(page.get_by_role("status").first).to_contain_text(re.compile("were? (loyal|spies)"))
    fits(page)


def test_a_vote_by_keyboard_and_taken_back(page: Page) -> None:
    sit_down(page, "c", 4, Your_role="spy", The_others="optimal: they keep the proved guarantee")
    expect(page.locator(".turn")).to_contain_text("You are a spy")
    page.wait_for_load_state()
    press(page, "2")
    press(page, "Enter")
    expect(page.get_by_role("region", name="The table of votes").locator("tbody tr").first).to_be_visible()
    back = page.get_by_role("button", name="Take back reject")
    back.focus()
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Proposals and votes")).to_have_count(0)
    page.get_by_role("link", name="Hint").click()
    expect(page.locator("#hint")).to_contain_text("The plan sends")


def test_avalon_to_the_shot(page: Page) -> None:
    sit_down(page, "a", 2, Game="Avalon", Your_role="spy", The_others="optimal: they keep the proved guarantee")
    expect(page.locator(".turn")).to_contain_text("a spy")
    while act(page):
        pass
    expect(page.get_by_role("status").first).to_contain_text("was Merlin")
    fits(page)
