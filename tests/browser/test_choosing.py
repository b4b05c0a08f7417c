"""Whatever game a list shows is the one that a button begins or solves: by mouse, by keyboard, without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from serving import serving_here


@pytest.fixture
def plain(browser: Browser, address: str) -> Iterator[Page]:
    """A page without scripts."""
    context = browser.new_context(java_script_enabled=False, base_url=address)
    opened = context.new_page()
    yield opened
    context.close()


def test_play_begins_the_game_that_is_chosen(page: Page) -> None:
    page.goto("/play")
    page.get_by_label("Game", exact=True).select_option("kuhn")
    expect(page.get_by_role("radio", name="Player 2")).to_be_visible()
    expect(page.locator("form .rules")).to_contain_text("Three cards, J, Q and K")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move, Player 1")
    expect(page.locator("ol.chips")).to_contain_text("kuhn")


def test_play_begins_the_game_that_is_chosen_by_keyboard(page: Page) -> None:
    page.goto("/play")
    page.get_by_label("Game", exact=True).focus()
    page.keyboard.type("nim")
    expect(page.locator("form .rules")).to_contain_text("matches")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.get_by_label("Seed").focus()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move, Player 2")
    expect(page.locator("ol.chips")).to_contain_text("nim")


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that never waits for a solve before it answers."""
    with serving_here(tmp_path_factory.mktemp("impatient"), patience=0.0) as found:
        yield found


def test_a_game_that_has_to_be_solved_first_begins_by_itself(browser: Browser, impatient: str) -> None:
    """The form is sent once more: with the side, the coach and the seed that were chosen."""
    page = browser.new_context(base_url=impatient).new_page()
    page.goto("/play")
    page.get_by_label("Game", exact=True).select_option("resistance-6")
    page.get_by_label("Spies").check()
    page.get_by_label("Coach").check()
    page.get_by_label("Seed").fill("2")
    with page.expect_response(lambda answer: answer.request.method == "POST") as first:
        page.get_by_role("button", name="Start").click()
    assert first.value.status == 202
    expect(page).to_have_url(re.compile("/play/.+"))
    told = page.request.get(f"{page.url}.json").json()
    assert (told["game"], told["side"], told["coach"]) == ("resistance-6", "spies", True)
    page.context.close()


def test_a_job_that_ended_while_its_page_was_made_leads_on_all_the_same(browser: Browser, impatient: str) -> None:
    page = browser.new_context(base_url=impatient).new_page()
    answer = page.request.post("/solve", data={"game": "kuhn"}, headers={"accept": "application/json"})
    job = answer.json()["id"]
    page.goto(f"/jobs/{job}")
    expect(page.locator("#job-state")).to_have_text("done")
    page.goto(f"/jobs/{job}?back=/contests")
    expect(page).to_have_url(re.compile("/contests$"))
    page.context.close()


def test_without_scripts_it_leads_back_to_the_form_as_it_was(browser: Browser, impatient: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=impatient)
    page = context.new_page()
    page.goto("/play")
    page.get_by_label("Game", exact=True).select_option("resistance-5")
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("resistance-5")
    expect(page.get_by_label("Seed")).to_have_value("5")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("/(play|jobs)/.+"))
    if "/jobs/" in page.url:  # opening what was solved may be a job of its own
        page.get_by_role("link", name="Open it").click()
        page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("/play/.+"))
    context.close()


def test_solve_solves_the_game_that_is_chosen(page: Page) -> None:
    page.goto("/solve")
    page.get_by_label("Game", exact=True).select_option("liars-dice")
    page.get_by_label("faces").fill("2")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("#job-open").wait_for(state="visible")
    expect(page.locator("#job-title")).to_have_text("liars-dice(faces=2)")
    page.go_back()
    page.get_by_label("Game", exact=True).focus()
    page.keyboard.type("rock")
    expect(page.get_by_label("paper-beats-rock")).to_be_visible()


def test_without_scripts_too(plain: Page) -> None:
    plain.goto("/play")
    plain.get_by_label("Game", exact=True).select_option("kuhn")
    plain.get_by_role("button", name="Start").click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Your move, Player 1")
    plain.goto("/play")
    plain.get_by_label("Game", exact=True).select_option("kuhn")
    plain.get_by_role("button", name="Show the sides").click()
    expect(plain.get_by_role("radio", name="Player 2")).to_be_visible()
    plain.goto("/solve")
    plain.get_by_label("Game", exact=True).select_option("rock-paper-scissors")
    plain.get_by_role("button", name="Solve", exact=True).click()
    expect(plain.locator("#job-title")).to_have_text("rock-paper-scissors")
