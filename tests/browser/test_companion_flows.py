"""The companion in the browser: an evening by touch, by keyboard, in two tabs, without storage, and from one file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from fitting import fits
from ruse.cli import main
from ruse.games.resistance.companion import official
from ruse.people.beliefs import beliefs_after
from ruse.people.records import load_record

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


def begin(page: Page, names: list[str], roles: tuple[str, ...] = ()) -> None:
    page.get_by_label("Players").select_option(str(len(names)))
    for seat, name in enumerate(names, 1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    for role in roles:
        page.get_by_label(role, exact=True).tap()
    page.get_by_role("button", name="Begin").tap()


def enter(page: Page, team: list[str], against: tuple[str, ...] = ()) -> None:
    """A proposal and its votes by touch, not yet recorded."""
    form = page.locator("#mission")
    for name in team:
        form.get_by_role("group", name="Team").get_by_label(name, exact=True).tap()
    for name in against:
        form.get_by_role("group", name="Who rejects it?").get_by_label(name, exact=True).tap()


def propose(page: Page, team: list[str], against: tuple[str, ...] = ()) -> None:
    enter(page, team, against)
    page.locator("#record").tap()


def send(page: Page, team: list[str], sabotages: int, against: tuple[str, ...] = ()) -> None:
    propose(page, team, against)
    page.locator(f"#sabotages-{sabotages}").tap()


def rows(page: Page) -> Locator:
    """The proposals so far."""
    return page.locator("#history tbody tr")


def odds(page: Page, name: str) -> list[str]:
    """What the page says of a seat: in the model that is chosen, as Merlin where he plays, and by the facts."""
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
    """Rejections, accusations, an edit, undo, closing and reopening, roles at the end, the review, both files."""
    fits_thumbs(opened)
    begin(opened, SEVEN)
    expect(opened.locator(".standing")).to_contain_text("Mission 1 of 5: 2 go, 1 sabotage fails it.")
    enter(opened, ["Ann", "Ben"], ("Eve", "Finn"))
    expect(opened.locator("#vote-told")).to_have_text("5 approve, 2 reject: the team goes (it takes 4).")
    opened.locator("#record").tap()
    expect(opened.locator("#mission")).to_contain_text("Ann and Ben went. How many sabotages appeared?")
    opened.locator("#sabotages-0").tap()
    expect(opened.get_by_label("Leader")).to_have_value("1")  # the next seat
    propose(opened, ["Ben", "Dan", "Eve"], ("Ann", "Cleo", "Finn", "Gina"))
    expect(opened.locator(".standing")).to_contain_text("proposal 2 of 5")
    send(opened, ["Ann", "Ben", "Cleo"], 1)
    expect(rows(opened)).to_have_count(3)
    opened.locator("#add-note summary").tap()
    opened.get_by_label("Who says it").select_option("Dan")
    opened.get_by_label("About").select_option("Cleo")
    opened.get_by_label("Note", exact=True).fill("looked away")
    opened.get_by_role("button", name="Add", exact=True).tap()
    expect(opened.locator("#notes")).to_contain_text("Dan says that Cleo is a spy: looked away.")
    expect(opened.locator("#advice p").first).to_contain_text("of the time as people play")
    fits_thumbs(opened)

    # Closed and reopened: it is there, with its way back.
    opened.close()
    page = phone.new_page()
    page.goto(one_file)
    page.get_by_role("button", name="Mission 3 of 5").tap()
    expect(rows(page)).to_have_count(3)
    before = odds(page, "Eve")

    # Edited and undone; a change that cannot be is refused.
    page.get_by_role("button", name="Change proposal 1 of mission 2").tap()
    expect(page.get_by_role("heading", name="Change proposal 1 of mission 2")).to_be_focused()
    page.get_by_role("group", name="Who rejects it?").get_by_label("Ann", exact=True).tap()
    page.get_by_role("button", name="Save the change").tap()
    expect(page.get_by_role("alert")).to_have_text(
        "Proposal 1 of mission 2 was approved, but another proposal follows it."
    )
    page.get_by_role("group", name="Who rejects it?").get_by_label("Eve", exact=True).tap()
    page.get_by_role("button", name="Save the change").tap()
    assert odds(page, "Eve") != before  # votes count
    page.get_by_role("button", name="Undo").tap()
    assert odds(page, "Eve") == before

    # To the end, the spies revealed, a review, and a summary that opens again.
    send(page, ["Ann", "Cleo", "Gina"], 2)
    send(page, ["Ben", "Dan", "Eve", "Finn"], 1)  # one sabotage does not fail mission 4
    expect(page.locator(".standing")).to_contain_text("Mission 5")
    send(page, ["Ben", "Dan", "Eve", "Finn"], 1, ("Cleo",))
    expect(page.locator(".standing")).to_have_text("The spies have won, 3 to 2.")
    expect(page.locator("#mission")).to_have_count(0)
    for name in ("Dan", "Eve", "Finn"):
        page.locator("#reveal").get_by_label(name, exact=True).tap()
    expect(page.get_by_role("alert")).to_have_text("Mission 2 shows 1 sabotage, but only 0 of its seats are spies.")
    for name in ("Dan", "Eve", "Ann", "Cleo"):
        page.locator("#reveal").get_by_label(name, exact=True).tap()
    expect(page.locator("#review")).to_contain_text("The spies were Ann, Cleo and Finn.")
    expect(page.locator("#review")).to_contain_text("After mission 5")
    fits_thumbs(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the summary").tap()
    kept = tmp_path / "summary.html"
    waiting.value.save_as(kept)
    text = kept.read_text(encoding="utf-8")
    assert "The spies were Ann, Cleo and Finn." in text and "<script>" not in text and "default-src 'none'" in text
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save a file").tap()
    waiting.value.save_as(tmp_path / "evening.json")
    record = load_record(tmp_path / "evening.json")
    assert record.names == tuple(SEVEN) and record.spies == 0b100101 and len(record.missions[1].proposals) == 2
    assert record.missions[0].proposals[0].votes == (True, True, True, True, False, False, True)
    shown = [float(cell[0].rstrip("%")) / 100 for cell in (odds(page, name) for name in SEVEN)]
    assert main(["companion", "--from", str(tmp_path / "evening.json"), "--json"]) == 0
    assert shown == pytest.approx(beliefs_after(record, None)[-1].spies, abs=6e-4)
    page.get_by_role("button", name="All evenings").tap()
    page.get_by_label("A saved evening, a record or a summary").set_input_files(kept)
    expect(rows(page)).to_have_count(6)
    expect(page.locator("#notes")).to_contain_text("looked away")
    page.goto(kept.as_uri())
    fits_thumbs(page)


def test_avalon_by_touch_to_the_shot(opened: Page, tmp_path: Path) -> None:
    begin(opened, SEVEN[:5], ("Merlin", "Percival", "Morgana"))
    opened.get_by_text("For private advice", exact=True).tap()
    opened.get_by_label("Your seat").select_option("I am Ben")
    opened.get_by_role("radio", name="Percival").tap()
    for name in ("Ann", "Eve"):
        opened.get_by_role("group", name="Whom you see").get_by_label(name, exact=True).tap()
    expect(opened.locator("#belief-words")).to_contain_text("Proved to you: Ben is good.")
    assert odds(opened, "Ann")[1:] == ["50%", "50%"]  # Merlin or Morgana
    send(opened, ["Ann", "Ben"], 0, ("Eve",))
    propose(opened, ["Ben", "Dan", "Eve"], ("Ann", "Cleo", "Ben"))
    send(opened, ["Ann", "Ben", "Cleo"], 0, ("Dan", "Eve"))
    fits_thumbs(opened)
    send(opened, ["Ann", "Ben"], 0)
    expect(opened.locator(".standing")).to_have_text("Three missions passed. The Assassin names Merlin now.")
    opened.get_by_role("button", name="Ann", exact=True).tap()
    for name, role in (("Ann", "merlin"), ("Ben", "percival"), ("Dan", "minion"), ("Eve", "morgana")):
        opened.locator("#reveal").get_by_label(name, exact=True).select_option(role)
    expect(opened.locator(".standing")).to_have_text("The spies have won: Ann was Merlin.")
    expect(opened.locator("#review")).to_contain_text("The spies were Dan and Eve.")
    fits_thumbs(opened)
    with opened.expect_download() as waiting:
        opened.get_by_role("button", name="Save a file").tap()
    waiting.value.save_as(tmp_path / "avalon.json")
    record = load_record(tmp_path / "avalon.json")
    assert record.roles == ("merlin", "percival", "loyal", "minion", "morgana") and record.shot == 0


def test_a_proof_and_impossible_counts_are_refused_as_they_are_touched(opened: Page) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 2)
    expect(opened.locator("#belief-words")).to_contain_text("Proved by the missions: Ann and Ben are spies.")
    assert odds(opened, "Ann") == ["100%", "100%"] and odds(opened, "Cleo") == ["0%", "0%"]
    expect(opened.locator("#advice p").first).to_contain_text("Send Cleo, Dan and Eve")
    propose(opened, ["Cleo", "Dan", "Eve"])
    opened.locator("#sabotages-1").tap(force=True)  # marked as disabled, and says why
    expect(opened.get_by_role("alert")).to_contain_text(
        "No 2 spies can have made 1 sabotage here and the earlier ones."
    )
    opened.locator("#sabotages-3").tap(force=True)
    expect(opened.get_by_role("alert")).to_have_text("There are only 2 spies, so there cannot be 3 sabotages.")
    expect(rows(opened).last).to_contain_text("goes")  # nothing is lost
    opened.locator("#sabotages-0").tap()
    expect(opened.get_by_role("alert")).to_have_count(0)
    opened.get_by_role("button", name="All evenings").tap()
    opened.locator("#own-table summary").tap()
    opened.get_by_label("Spies", exact=True).fill("7")
    expect(opened.get_by_role("alert")).to_have_text("Expected 1 to 4 spies among 5 players, got 7.")
    opened.get_by_label("Spies", exact=True).fill("")
    expect(opened.get_by_role("alert")).to_have_count(0)
    for role in ("Morgana", "Mordred", "Oberon"):
        opened.get_by_label(role, exact=True).tap()
    expect(opened.get_by_role("alert")).to_have_text("5 seats have 2 spies, too few for morgana, mordred, oberon.")


def test_advice_says_what_a_team_that_fails_more_often_buys(opened: Page) -> None:
    """Seven seats, Ben is loyal: each model sends the team that fails least, or says what the risk buys."""
    begin(opened, SEVEN)
    send(opened, ["Ann", "Ben"], 0)
    send(opened, ["Ann", "Ben", "Cleo"], 1)
    send(opened, ["Ann", "Dan", "Eve"], 0)
    opened.get_by_text("For private advice", exact=True).tap()
    opened.get_by_label("Your seat").select_option("I am Ben")
    for model in ("people", "facts", "perfect", "slips"):
        opened.locator(f"#model-{model}").check(force=True)
        expect(opened.locator("#advice .sorts li").first).to_be_visible()
        if opened.locator("#all-teams").get_attribute("open") is None:
            opened.locator("#all-teams summary").tap()
        text = opened.locator("#advice").inner_text()
        share = r"spies can fail it: ([0-9.]+)%" if model == "facts" else r"^fails ([0-9.]+)%"
        fails = [float(found) for found in re.findall(share, text, re.MULTILINE)]
        assert len(fails) > 10
        assert fails[0] == min(fails) or ("fails less often" in text and "What the risk buys" in text), model


def test_the_slider_ends_false_certainty(opened: Page) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 0)
    send(opened, ["Ann", "Ben", "Cleo"], 0)
    opened.locator("#model-slips").check(force=True)
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
    opened.get_by_text("For private advice", exact=True).tap()
    opened.get_by_label("Your seat").select_option("I am Ann")
    expect(opened.locator("#belief-words")).to_contain_text("Proved to you: Ben is a spy.")
    opened.get_by_label("everybody").tap()
    expect(opened.locator("#belief-words")).not_to_contain_text("Proved")
    expect(opened.get_by_label("Your seat")).to_be_hidden()
    opened.get_by_label("Ann (private)").tap()
    expect(opened.get_by_label("Your seat")).to_be_visible()
    opened.get_by_role("radio", name="a spy").tap()
    opened.get_by_role("group", name="The other spies").get_by_label("Eve", exact=True).tap()
    expect(opened.locator("#advice p").first).to_contain_text("Private: your side does best now if")
    opened.locator("#model-perfect").check(force=True)
    expect(opened.locator("#advice p").first).to_contain_text("Private: your side does best if")
    propose(opened, ["Ann", "Cleo", "Eve"])
    expect(opened.locator("#mission .note")).to_contain_text("solved strategy sabotages this team 100% of the time")
    opened.locator("#model-people").check(force=True)
    expect(opened.locator("#mission .note")).to_contain_text("2 spies you know are aboard. People fail this mission")
    fits_thumbs(opened)
    kept = {}
    for button in ("Save the summary", "Save a file"):
        with opened.expect_download() as waiting:
            opened.get_by_role("button", name=button).tap()
        waiting.value.save_as(tmp_path / button)
        kept[button] = (tmp_path / button).read_text()
    assert '"me":null' in kept["Save the summary"]
    assert json.loads(kept["Save a file"])["me"] == {"seat": "a", "role": "minion", "sees": "e"}
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
    expect(rows(opened)).to_have_count(2)  # taken over by itself: nothing was being entered here
    expect(rows(opened).last).to_contain_text("fail 1")
    enter(opened, ["Ann", "Dan"])
    send(other, ["Ben", "Eve"], 1)
    expect(opened.locator("#conflict")).to_contain_text("changed in another tab")
    opened.locator("#record").tap()
    expect(opened.locator("#conflict")).to_be_visible()
    expect(other.locator("#history")).to_contain_text("3.1")
    opened.get_by_role("button", name="Keep mine as a copy").tap()
    expect(opened.get_by_role("heading", name="(copy)")).to_be_visible()
    expect(rows(opened).last).to_contain_text("goes")
    opened.get_by_role("button", name="All evenings").tap()
    expect(opened.locator("#evenings li")).to_have_count(2)


def test_storage_that_is_full_loses_nothing_on_the_screen(opened: Page, tmp_path: Path) -> None:
    begin(opened, SEVEN[:5])
    opened.evaluate(FULL)
    send(opened, ["Ann", "Ben"], 1)
    expect(opened.locator("#kept")).to_contain_text("storage is full")
    expect(rows(opened)).to_have_count(1)
    send(opened, ["Ann", "Ben", "Cleo"], 0)
    expect(rows(opened)).to_have_count(2)
    with opened.expect_download() as waiting:
        opened.get_by_role("button", name="Save a file").tap()
    waiting.value.save_as(tmp_path / "evening.json")
    assert len(json.loads((tmp_path / "evening.json").read_text())["missions"]) == 2


def test_storage_that_was_cleared_is_told_and_filled_again(opened: Page, phone: BrowserContext, one_file: str) -> None:
    begin(opened, SEVEN[:5])
    send(opened, ["Ann", "Ben"], 1)
    other = phone.new_page()
    other.goto(one_file)
    other.evaluate("localStorage.clear()")
    expect(opened.locator("#kept")).to_contain_text("cleared")
    expect(rows(opened)).to_have_count(1)
    propose(opened, ["Ann", "Ben", "Cleo"])
    expect(opened.locator("#kept")).to_contain_text("kept again")
    opened.locator("#sabotages-0").tap()
    other.reload()
    expect(other.get_by_role("button", name="Mission 3 of 5")).to_be_visible()


def test_files_are_opened_in_both_formats_or_refused_with_the_reason(opened: Page, tmp_path: Path) -> None:
    opening = opened.get_by_label("A saved evening, a record or a summary")
    (tmp_path / "notes.json").write_text("[1, 2]")
    opening.set_input_files(tmp_path / "notes.json")
    expect(opened.get_by_role("alert")).to_have_text("Expected a record with players and missions.")
    votes = {seat: seat != "z" for seat in "abcdez"}
    record = {"players": 5, "missions": [{"proposals": [{"leader": "a", "team": "ab", "votes": votes}]}]}
    (tmp_path / "record.json").write_text(json.dumps(record))
    opening.set_input_files(tmp_path / "record.json")
    expect(opened.get_by_role("alert")).to_have_text("There is a vote of seat 'z', but the seats are a to e.")
    del votes["z"]
    (tmp_path / "record.json").write_text(json.dumps({**record, "roleset": ["merlin"]}))
    opening.set_input_files(tmp_path / "record.json")
    expect(opened.locator("#mission")).to_contain_text("A and B went. How many sabotages appeared?")
    opened.get_by_role("button", name="All evenings").tap()
    rounds = [{"team": [0, 1], "sabotages": 1, "leader": 3, "against": [4]}]
    former = {"kind": "ruse evening", "version": 1, "table": official()[5], "names": SEVEN[:5], "rounds": rounds}
    (tmp_path / "former.json").write_text(json.dumps(former))
    opening.set_input_files(tmp_path / "former.json")
    expect(rows(opened)).to_have_count(1)
    expect(opened.get_by_label("Leader")).to_have_value("4")


def test_an_evening_by_keyboard_alone(opened: Page) -> None:
    opened.get_by_label("Seat 1", exact=True).focus()
    opened.keyboard.type("Ann")
    opened.keyboard.press("Enter")
    expect(opened.locator(".standing")).to_contain_text("Mission 1 of 5")
    opened.locator("#team-0").focus()
    opened.keyboard.press("Space")
    expect(opened.locator("#team-0")).to_be_focused()  # drawing the form again does not take the focus away
    opened.keyboard.press("Tab")
    opened.keyboard.press("Space")
    opened.keyboard.press("Enter")
    opened.locator("#sabotages-1").focus()
    opened.keyboard.press("Enter")
    expect(rows(opened)).to_contain_text(["fail 1"])


def test_a_browser_that_is_too_old_gets_a_sentence(browser: Browser, one_file: str, tmp_path: Path) -> None:
    text = Path(one_file.removeprefix("file://")).read_text(encoding="utf-8")
    (tmp_path / "old.html").write_text(text.replace('"use strict";', '"use strict"; not javascript', 1))
    page = browser.new_page()
    page.goto((tmp_path / "old.html").as_uri())
    expect(page.locator("#old")).to_be_visible()
    expect(page.locator("#old")).to_contain_text("needs a newer browser")
    page.close()


def test_the_page_of_the_explorer_asks_its_server_for_strategies(page: Page, one_file: str) -> None:
    """At both widths, with a table that no rule book has."""
    page.goto("/companion")
    page.get_by_label("Players").select_option("4")
    for label, numbers in (("Spies", "1"), ("Seats on each mission", "2 2 2 3 3")):
        page.get_by_label(label, exact=True).fill(numbers)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#beliefs")).to_contain_text("The model of people knows the official tables only.")
    form = page.locator("#mission")
    for name in ("A", "B"):
        form.get_by_role("group", name="Team").get_by_label(name, exact=True).check()
    page.locator("#record").click()
    page.locator("#sabotages-1").click()
    assert odds(page, "A")[1] == "50%" and odds(page, "C")[1] == "0%"
    page.locator("#model-perfect").check()
    expect(page.locator("#advice .sorts li").first).to_contain_text("C")
    fits_thumbs(page)
