"""Pages for those who study a solution, by keyboard alone: all hands, every state, a changed strategy, runs."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from fitting import fits, press, within_the_screen


def fits_here(page: Page) -> None:
    """Both schemes on a notebook; a phone has the same elements, which only have to fit."""
    (fits if page.evaluate("window.innerWidth") > 600 else within_the_screen)(page)


def test_a_solution_is_studied_by_keyboard(page: Page) -> None:
    page.goto("/p/kuhn@J")
    page.locator("#job").wait_for(state="detached")
    press(page, "5")
    page.wait_for_url("**/public/kuhn@J**")
    expect(page.locator(".hands tbody tr")).to_have_count(3)
    if page.get_by_role("link", name="Find the").count():  # an earlier width may have asked for all of them
        page.get_by_role("link", name="Find the").focus()
        page.keyboard.press("Enter")
    expect(page.locator(".hands tbody tr").first).to_contain_text("may 0 to 1/3")
    fits_here(page)
    press(page, "ArrowDown")  # the first move
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Player 2 to move after check")

    page.goto("/p/kuhn@J?tab=tree")
    page.get_by_role("link", name="Full game tree").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/states/kuhn@J**")
    tree = page.locator("[data-states]")
    tree.focus()
    press(page, "ArrowDown")  # into the tree, at its first state
    before = tree.locator("a[data-state]").count()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")  # shuts JQ
    expect(tree.locator('a[data-state="1"]')).to_have_attribute("aria-expanded", "false")
    expect(tree.locator('a[data-state="1"]')).to_be_focused()
    assert tree.locator("a[data-state]").count() < before
    page.keyboard.press("ArrowRight")  # opens it again
    expect(tree.locator('a[data-state="1"]')).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#state")).to_contain_text("information set 1, of 2 states")
    page.keyboard.press("r")
    expect(page.locator("#states-title")).to_have_text("From JQ")
    fits_here(page)
    page.get_by_label("Moves or part of a position").fill("call")
    page.keyboard.press("Enter")
    expect(page.locator("#hits-title")).to_have_text("12 states found")
    fits_here(page)

    page.goto("/p/kuhn@J")
    page.get_by_role("link", name="Change these probabilities").focus()
    page.keyboard.press("Enter")
    page.get_by_label(re.compile("^check")).fill("0")
    page.get_by_label(re.compile("^bet")).fill("100%")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Player 2’s best response earns 0.2778")
    expect(page.locator("#answer")).to_contain_text("5/18")
    fits_here(page)
    page.get_by_role("link", name="Reset all").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("Nothing yet")

    page.goto("/convergence")
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare runs")
    fits_here(page)
