"""The studio in a real browser: typing, the map, what was tried, and the address that opens it again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from fitting import fits


def test_what_is_typed_before_the_script_is_there_is_solved_too(page: Page) -> None:
    def late(route: Route) -> None:
        page.get_by_label("missions 2").fill("2")
        route.continue_()

    page.route("**/static/studio.js*", late)
    page.goto("/studio?game=resistance")
    expect(page.locator("#result")).to_contain_text("50% (1/2)")


def test_a_change_is_solved_as_it_is_typed(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Studio").click()
    expect(page.locator("#result")).to_contain_text("Resistance wins 30% (3/10); exact.")
    page.get_by_label("missions 2").fill("2")
    expect(page.locator("#result")).to_contain_text("50% (1/2)")
    expect(page.locator("#result")).to_contain_text("20 percentage points more than resistance-5.")
    page.get_by_label("missions 2").press("ArrowUp")
    expect(page.locator("#result")).to_contain_text("30% (3/10)")
    page.get_by_label("missions 5").fill("9")
    expect(page.locator("#result-trouble")).to_contain_text("Expected mission 5 to send 1 to 5 seats, got 9.")
    page.get_by_label("missions 5").fill("2")
    expect(page.locator("#result")).to_contain_text("50% (1/2)")
    expect(page).to_have_url(re.compile("p-missions=2%2C3%2C2%2C3%2C2"))
    expect(page.locator("#tried li")).to_have_count(3)
    page.get_by_label("across").select_option("missions 2")
    page.get_by_label("down").select_option("sabotages 5")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator(".map td")).to_have_count(4)
    fits(page)
    page.locator("#tried button").first.click()
    expect(page.locator("#tried button").first).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Clear unpinned").click()
    expect(page.locator("#tried li")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").click()
    file = saved.value.path()
    page.reload()
    expect(page.locator("#result")).to_contain_text("50% (1/2)")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("#tried li")).to_have_count(0)
    page.locator("#tried-open").set_input_files(
        {"name": "studio.json", "mimeType": "application/json", "buffer": file.read_bytes()}
    )
    expect(page.locator("#tried li")).to_have_count(1)
    page.get_by_role("link", name="Show the strategies").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.both_widths
def test_another_number_of_players_brings_its_official_rules(page: Page) -> None:
    page.goto("/studio?game=resistance")
    tops = [field.bounding_box() for field in page.get_by_label(re.compile(r"^missions \d")).all()]
    assert len(tops) == 5 and len({box["y"] for box in tops if box}) == 1  # on a phone, too
    page.get_by_label("missions 2").fill("2")
    expect(page.locator("#result")).to_contain_text("50% (1/2)")
    page.locator("#p-players").fill("7")
    expect(page.locator("#result")).to_contain_text("Resistance wins 25.71% (9/35); exact. Official rules.")
    expect(page.get_by_label("missions 4")).to_have_value("4")
    expect(page.get_by_label("sabotages 4")).to_have_value("2")
    page.get_by_label("sabotages 4").fill("1")
    expect(page.locator("#result")).to_contain_text("than resistance-7.")
    page.get_by_role("link", name="Reset to the official rules").click()
    expect(page.locator("#p-players")).to_have_value("7")
    expect(page.get_by_label("sabotages 4")).to_have_value("2")
    fits(page)


def test_roles_are_ticked(page: Page) -> None:
    page.goto("/studio?game=avalon&p-talk=none")
    expect(page.get_by_label("merlin")).to_be_checked()
    expect(page.locator("#p-talk")).to_have_value("none")
    page.get_by_label("mordred").check()
    expect(page).to_have_url(re.compile("p-roles=merlin%2Cassassin%2Cmordred"))
    page.get_by_role("checkbox", name="merlin").uncheck()
    expect(page.locator("#result-trouble")).to_contain_text("Expected merlin beside")
