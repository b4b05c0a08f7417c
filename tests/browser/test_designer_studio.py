"""Games of designers, each in a file of its own, in the studio of a real browser: edited, broken, stopped, repaired."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fitting import accessible, fits
from serving import Server, serving

GAMES = Path(__file__).parents[1] / "designer_games"
SLEEPY = '''

class Sleepy(PayDice):
    """A game that is slow for one value of a parameter."""

    def __init__(self, naps: int = 0):
        super().__init__(2)
        self.naps = naps
        if naps == 7:
            raise RuntimeError("nobody naps seven times")

    def start(self):
        print("this is no answer")
        import time

        time.sleep(60 * self.naps)
        return super().start()
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("designer")
    text = (GAMES / "paydice.py").read_text(encoding="utf-8")
    head, _, helper = text.rpartition("\ndef len_to")
    (made / "paydice.py").write_text(f"from helper import len_to\n{head}", encoding="utf-8")
    (made / "helper.py").write_text(f"def len_to{helper}", encoding="utf-8")
    (made / "sleepy.py").write_text(text + SLEEPY, encoding="utf-8")
    shutil.copy(GAMES / "lovers_court.py", made)
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    games = ("paydice.py", "sleepy.py:Sleepy", "lovers_court.py:lovers_court")
    with serving(folder, *games) as made:
        yield made


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server.address


@pytest.mark.both_widths
def test_a_dice_game_is_edited_on_the_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Studio").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("pay-dice")
    expect(page.locator("#studio")).to_contain_text("whether a 1 counts as every face")
    expect(page.locator("#result")).to_contain_text("Player 1 gets 2/3")
    page.locator("#p-faces").fill("4")
    expect(page.locator("#result")).to_contain_text("Player 1 gets 1/8; exact.")
    page.locator("#p-wild").select_option("no")
    expect(page.locator("#result")).to_contain_text("Player 1 gets -1/16")
    expect(page).to_have_url(re.compile("p-faces=4&p-wild=no"))
    page.locator("#p-faces").fill("1")
    expect(page.locator("#result-trouble")).to_contain_text(
        "ValueError: a die needs at least two faces (paydice.py, line"
    )
    page.get_by_label("across").select_option("faces")
    page.get_by_label("down").select_option("wild")
    page.locator("#p-faces").fill("2")
    expect(page.locator("#result")).to_contain_text("Player 1 gets 0; exact.")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator(".map td a")).to_have_count(6)
    fits(page)
    accessible(page)
    page.get_by_role("link", name="Reset to your defaults").click()
    expect(page.locator("#result")).to_contain_text("Player 1 gets 2/3")


def test_what_changes_in_the_file_is_solved_again(page: Page, folder: Path) -> None:
    page.goto("/studio?game=pay-dice")
    expect(page.locator("#result")).to_contain_text("Player 1 gets 2/3")
    path, helper = folder / "paydice.py", folder / "helper.py"
    good, helped = path.read_text(encoding="utf-8"), helper.read_text(encoding="utf-8")
    try:
        path.write_text(good.replace("def start(self):", "def start(self:"), encoding="utf-8")
        expect(page.locator("#result-trouble")).to_contain_text(re.compile(r"SyntaxError: .* \(paydice.py, line \d+\)"))
        expect(page.locator("#result")).to_have_class(re.compile("outdated"))
        expect(page.locator("#result")).to_contain_text("Player 1 gets 2/3")
        page.reload()
        expect(page.locator("#result-trouble")).to_contain_text("SyntaxError")
        path.write_text(good.replace("= 3,", "= 2,"), encoding="utf-8")
        expect(page.locator("#p-faces")).to_have_value("2")
        expect(page.locator("#result")).to_contain_text("Player 1 gets 2;")
        helper.write_text("import nothing_of_the_kind\n" + helped, encoding="utf-8")
        expect(page.locator("#result-trouble")).to_contain_text("nothing_of_the_kind, which is not installed")
        helper.write_text(helped, encoding="utf-8")
        expect(page.locator("#result-trouble")).to_be_hidden()
    finally:
        path.write_text(good, encoding="utf-8")
        helper.write_text(helped, encoding="utf-8")
    expect(page.locator("#result")).to_contain_text("Player 1 gets 2/3")


def test_a_game_that_takes_long_is_stopped(page: Page) -> None:
    page.goto("/studio?game=sleepy")
    expect(page.locator("#result")).to_contain_text("Player 1 gets 2; exact.")
    page.locator("#p-naps").fill("5")
    expect(page.locator("#result-progress")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#result-trouble")).to_contain_text("Stopped")
    expect(page.locator("#result-progress")).to_be_hidden()
    page.locator("#p-naps").fill("7")
    expect(page.locator("#result-trouble")).to_contain_text("RuntimeError: nobody naps seven times (sleepy.py, line")
    page.locator("#p-naps").fill("6")
    expect(page.locator("#result-progress")).to_be_visible()
    page.locator("#p-naps").fill("0")  # a newer variant takes its place
    expect(page.locator("#result")).to_contain_text("Player 1 gets 2; exact.")


def test_a_court_is_edited_on_the_page(page: Page) -> None:
    page.goto("/studio?game=lovers-court&p-players=4&p-spies=1")
    expect(page.locator("#result")).to_contain_text("Good wins 75% (3/4); exact.")
    page.locator("#p-talk").fill("private")
    expect(page.locator("#result")).to_contain_text("Good wins 100%")
    page.get_by_role("link", name="Show the strategies").click()
    page.locator("#job").wait_for(state="detached")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Good wins")


def test_variants_are_swept_balanced_and_reported_in_one_file(page: Page, tmp_path: Path) -> None:
    page.goto("/studio?game=pay-dice")
    for kind, found in (
        ("What each single change does", "faces: 3 → 2"),
        ("Every variant in ranges", "6 variants, all exact."),
        ("The variants closest to a target", "Proved: none of 6 variants is closer."),
    ):
        page.goto("/studio?game=pay-dice")
        page.get_by_text("Search many variants").click()
        page.get_by_label(kind).check()
        if not kind.startswith("What"):
            page.locator("#r-faces").fill("2..4")
            page.locator("#r-wild").fill("yes|no")
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("link", name="Save as one page")).to_be_visible()
        expect(page.locator("main")).to_contain_text(found)
        expect(page.locator("main")).to_contain_text(
            "ruse balance paydice.py" if "closest" in kind else "ruse sweep paydice.py"
        )
    fits(page)
    accessible(page)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as one page").click()
    page.goto("/studio?game=pay-dice&p-faces=4")
    page.get_by_text("Search many variants").click()
    page.get_by_label("This variant beside").check()
    page.get_by_role("button", name="Search").click()
    expect(page.locator("main")).to_contain_text("Changed: faces 3 → 4.")
    shared = tmp_path / "shared.html"
    saved.value.save_as(shared)
    assert "http://" not in shared.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
