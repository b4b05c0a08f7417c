"""The companion in the browser: an evening by touch, by keyboard, in two tabs, without storage, and from one file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from fitting import fits
from ruse.cli import main
from ruse.games.resistance.companion_record import Round, read

SEVEN = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina"]
SMALL = """() => [...document.querySelectorAll("#companion :is(button, select, .choice, summary, input)")]
  .filter((one) => !["checkbox", "radio"].includes(one.type) && one.checkVisibility())
  .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML)"""
FULL = """() => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; }"""


@pytest.fixture(scope="session")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The companion as one file, with the tables of five to ten."""
    path = tmp_path_factory.mktemp("companion") / "evening.html"
    assert main(["companion", "--out", str(path)]) == 0
    return path.as_uri()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A phone; fails on any request that is not for the file itself, and on errors in scripts."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, accept_downloads=True)
    asked: list[str] = []
    wrong: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield context
    context.close()
    assert not [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] and not wrong


@pytest.fixture
def opened(phone: BrowserContext, one_file: str) -> Page:
    page = phone.new_page()
    page.goto(one_file)
    return page


def begin(page: Page, names: list[str]) -> None:
    page.get_by_label("Players").select_option(str(len(names)))
    for seat, name in enumerate(names, 1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Begin").tap()


def enter(page: Page, team: list[str], sabotages: int) -> None:
    """A mission by touch, not yet recorded."""
    form = page.locator("#mission")
    for name in team:
        form.get_by_role("group", name="Who went").get_by_label(name, exact=True).tap()
    form.get_by_role("group", name="Sabotages").get_by_label(str(sabotages), exact=True).tap()


def send(page: Page, team: list[str], sabotages: int) -> None:
    enter(page, team, sabotages)
    page.locator("#record").tap()


def odds(page: Page, name: str) -> list[str]:
    """What the page says of a seat: with slips, and by the facts."""
    return (
        page.locator(".suspects tr")
        .filter(has=page.get_by_role("rowheader", name=name))
        .get_by_role("cell")
        .all_inner_texts()
    )


def fits_thumbs(page: Page) -> None:
    fits(page)
    small = page.evaluate(SMALL)
    assert not small


def test_an_evening_of_seven_by_touch(opened: Page, phone: BrowserContext, one_file: str, tmp_path: Path) -> None:
    fits_thumbs(opened)
    begin(opened, SEVEN)
    expect(opened.locator(".standing")).to_contain_text("Mission 1 of 5 sends 2; 1 sabotage fails it.")
    opened.locator("summary", has_text="Leader and votes").tap()
    opened.get_by_label("Leader").select_option("Dan")
    opened.get_by_label("Record who voted against the team").tap()
    opened.get_by_role("group", name="Voted against").get_by_label("Eve", exact=True).tap()
    send(opened, ["Ann", "Ben"], 0)
    send(opened, ["Ann", "Ben", "Cleo"], 1)
    expect(opened.locator("#history")).to_contain_text("Dan led. Eve voted against.")
    expect(opened.locator("#advice .sorts li").first).to_contain_text("wins")
    fits_thumbs(opened)

    # Closed and reopened: it is there, with its way back.
    opened.close()
    page = phone.new_page()
    page.goto(one_file)
    page.get_by_role("button", name="Mission 3 of 5").tap()
    expect(page.locator("#history li")).to_have_count(2)

    # Edited and undone.
    page.get_by_role("button", name="Edit mission 2").tap()
    expect(page.get_by_role("heading", name="Change mission 2")).to_be_focused()
    page.get_by_role("group", name="Sabotages").get_by_label("2", exact=True).tap()
    page.get_by_role("button", name="Save the change").tap()
    expect(page.locator("#history")).to_contain_text("2 sabotages, failed")
    expect(page.locator("#belief-words")).to_contain_text("probability 0")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#history")).to_contain_text("1 sabotage, failed")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#history li")).to_have_count(1)

    # To the end, the spies revealed, and a summary that opens again.
    send(page, ["Ann", "Ben", "Cleo"], 1)
    send(page, ["Ann", "Cleo", "Gina"], 2)
    send(page, ["Ben", "Dan", "Eve", "Finn"], 1)  # one sabotage does not fail mission 4
    expect(page.locator(".standing")).to_contain_text("Mission 5")
    send(page, ["Ben", "Dan", "Eve", "Finn"], 1)
    expect(page.locator(".standing")).to_have_text("The spies have won, 3 to 2.")
    expect(page.locator("#mission")).to_have_count(0)
    for name in ("Ann", "Ben", "Gina"):
        page.get_by_role("group", name="Who were the spies?").get_by_label(name, exact=True).tap()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the summary").tap()
    kept = tmp_path / "summary.html"
    waiting.value.save_as(kept)
    text = kept.read_text(encoding="utf-8")
    assert "The spies were Ann, Ben and Gina." in text and "<script>" not in text and "default-src 'none'" in text
    assert read(text).rounds[0] == Round((0, 1), 0, 3, (4,)) and read(text).revealed == (0, 1, 6)
    page.get_by_role("button", name="All evenings").tap()
    page.get_by_label("A saved evening or a summary").set_input_files(kept)
    expect(page.locator("#history li")).to_have_count(5)
    page.goto(kept.as_uri())
    fits_thumbs(page)


def test_two_sabotages_from_two_prove_both_and_three_from_two_spies_are_refused(opened: Page) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 2)
    expect(opened.locator("#belief-words")).to_contain_text("Proved by the missions: Ann and Ben are spies.")
    assert odds(opened, "Ann") == ["100%", "100%"] and odds(opened, "Cleo") == ["0%", "0%"]
    expect(opened.locator("#advice p").first).to_contain_text("Send Cleo, Dan and Eve.")
    send(opened, ["Ann", "Ben", "Cleo"], 3)
    expect(opened.get_by_role("alert")).to_have_text(
        "Expected at most 2 sabotages on mission 2, as there are only 2 spies, got 3."
    )
    expect(opened.locator("#history li")).to_have_count(1)
    for name in ("Ann", "Ben", "Cleo"):  # nothing is lost
        expect(opened.get_by_role("group", name="Who went").get_by_label(name, exact=True)).to_be_checked()
    opened.get_by_role("group", name="Sabotages").get_by_label("1", exact=True).tap()
    opened.locator("#record").tap()
    expect(opened.locator("#history li")).to_have_count(2)
    expect(opened.get_by_role("alert")).to_have_count(0)


def test_the_slider_ends_false_certainty(opened: Page) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 0)
    send(opened, ["Ann", "Ben", "Cleo"], 0)
    slider = opened.get_by_label("How often spies slip")
    slider.fill("0")
    assert odds(opened, "Dan") == ["100%", "40%"]
    expect(opened.locator("#belief-words")).to_contain_text("only if the spies play exactly as solved")
    slider.fill("30")
    assert float(odds(opened, "Dan")[0].rstrip("%")) < 90
    slider.fill("100")
    assert float(odds(opened, "Dan")[0].rstrip("%")) > 40
    expect(slider).to_have_attribute("aria-valuetext", "always: random cards")


def test_a_role_gives_private_advice_and_stays_out_of_what_is_shared(opened: Page, tmp_path: Path) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 1)
    opened.get_by_text("For private advice").tap()
    opened.get_by_label("Your seat").select_option("I am Ann")
    expect(opened.locator("#belief-words")).to_contain_text("Proved to you: Ben is a spy.")
    opened.get_by_label("everybody").tap()
    expect(opened.locator("#belief-words")).not_to_contain_text("Proved")
    expect(opened.get_by_label("Your seat")).to_be_hidden()
    opened.get_by_label("Ann (private)").tap()
    expect(opened.get_by_label("Your seat")).to_be_visible()
    opened.get_by_role("radio", name="a spy").tap()
    opened.get_by_role("group", name="The other spies").get_by_label("Eve", exact=True).tap()
    opened.get_by_role("group", name="Who went").get_by_label("Ann", exact=True).tap()
    for name in ("Cleo", "Eve"):
        opened.get_by_role("group", name="Who went").get_by_label(name, exact=True).tap()
    expect(opened.locator("#mission .note")).to_contain_text("solved strategy sabotages this team 100% of the time")
    expect(opened.locator("#advice p").first).to_contain_text("Private: your side does best if")
    fits_thumbs(opened)
    kept = {}
    for button in ("Save the summary", "Save a file"):
        with opened.expect_download() as waiting:
            opened.get_by_role("button", name=button).tap()
        waiting.value.save_as(tmp_path / button)
        kept[button] = read((tmp_path / button).read_text())
    assert kept["Save the summary"].role is None and kept["Save a file"].role is not None
    opened.reload()  # whoever opens it next sees what everybody may see
    opened.get_by_role("button", name="Mission 2 of 5").tap()
    expect(opened.get_by_label("everybody")).to_be_checked()


def test_two_tabs_do_not_lose_each_others_missions(opened: Page, phone: BrowserContext, one_file: str) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 0)
    other = phone.new_page()
    other.goto(one_file)
    other.get_by_role("button", name="Mission 2 of 5").tap()
    send(other, ["Ann", "Ben", "Cleo"], 1)
    expect(opened.locator("#history li")).to_have_count(2)  # taken over by itself: nothing was being entered here
    enter(opened, ["Ann", "Dan"], 0)
    send(other, ["Ben", "Eve"], 1)
    expect(opened.locator("#conflict")).to_contain_text("3 missions are recorded now")
    opened.locator("#record").tap()
    expect(opened.locator("#conflict")).to_be_visible()
    expect(opened.locator("#history li")).to_have_count(3)
    expect(other.locator("#history li").last).to_contain_text("Ben and Eve went")  # not written over
    opened.get_by_role("button", name="Keep mine as a copy").tap()
    expect(opened.get_by_role("heading", name="(copy)")).to_be_visible()
    expect(opened.locator("#history li").last).to_contain_text("Ann and Dan went")
    opened.get_by_role("button", name="All evenings").tap()
    expect(opened.locator("#evenings li")).to_have_count(2)


def test_storage_that_is_full_loses_nothing_on_the_screen(opened: Page, tmp_path: Path) -> None:
    begin(opened, SEVEN[:5])
    opened.evaluate(FULL)
    send(opened, ["Ann", "Ben"], 1)
    expect(opened.locator("#kept")).to_contain_text("storage is full")
    expect(opened.locator("#history li")).to_have_count(1)
    send(opened, ["Ann", "Ben", "Cleo"], 0)
    expect(opened.locator("#history li")).to_have_count(2)
    with opened.expect_download() as waiting:
        opened.get_by_role("button", name="Save a file").tap()
    waiting.value.save_as(tmp_path / "evening.json")
    assert len(json.loads((tmp_path / "evening.json").read_text())["rounds"]) == 2


def test_storage_that_was_cleared_is_told_and_filled_again(opened: Page, phone: BrowserContext, one_file: str) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 1)
    other = phone.new_page()
    other.goto(one_file)
    other.evaluate("localStorage.clear()")
    expect(opened.locator("#kept")).to_contain_text("cleared")
    expect(opened.locator("#history li")).to_have_count(1)
    send(opened, ["Ann", "Ben", "Cleo"], 0)
    expect(opened.locator("#kept")).to_contain_text("kept again")
    other.reload()
    expect(other.get_by_role("button", name="Mission 3 of 5")).to_be_visible()


def test_files_that_hold_no_evening_are_refused_with_the_reason(opened: Page, tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("[1, 2]")
    opened.get_by_label("A saved evening or a summary").set_input_files(tmp_path / "notes.json")
    expect(opened.get_by_role("alert")).to_contain_text("is not a saved evening")


def test_an_evening_by_keyboard_alone(opened: Page) -> None:
    opened.get_by_label("Seat 1", exact=True).focus()
    opened.keyboard.type("Ann")
    opened.keyboard.press("Enter")
    expect(opened.locator(".standing")).to_contain_text("Mission 1 of 5")
    opened.locator("#team-0").focus()
    opened.keyboard.press("Space")
    expect(opened.locator("#team-0")).to_be_focused()  # drawing the screen again does not take the focus away
    opened.keyboard.press("Tab")
    opened.keyboard.press("Space")
    for _ in range(4):
        opened.keyboard.press("Tab")
    expect(opened.locator("#sabotages-0")).to_be_focused()
    opened.keyboard.press("ArrowRight")
    expect(opened.locator("#sabotages-1")).to_be_checked()
    opened.keyboard.press("Enter")
    expect(opened.locator("#history li")).to_contain_text("Ann and B went: 1 sabotage, failed.")


def test_the_page_of_the_explorer_asks_its_server_for_strategies(page: Page, one_file: str) -> None:
    """At both widths, with a table that no rule book has."""
    page.goto("/companion")
    page.get_by_label("Players").select_option("4")
    for label, numbers in (("Spies", "1"), ("Seats on each mission", "2 2 2 3 3")):
        page.get_by_label(label, exact=True).fill(numbers)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#advice .sorts li").first).to_contain_text("wins")
    form = page.locator("#mission")
    for name in ("A", "B"):
        form.get_by_role("group", name="Who went").get_by_label(name, exact=True).check()
    form.get_by_label("1", exact=True).check()
    page.locator("#record").click()
    assert odds(page, "A")[1] == "50%" and odds(page, "C")[1] == "0%"
    expect(page.locator("#advice .sorts li").first).to_contain_text("C")
    fits_thumbs(page)
