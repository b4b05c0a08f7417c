"""A game of one's own, in a file and in an installed package, in a real browser: explored and played to the end."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fitting import accessible, fits
from serving import serving

MORE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-game-more.md"
(COIN,) = re.findall(r"\$ cat coin.py\n(.*?)\$ ruse", MORE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module", params=["file", "package"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `ruse explore coin.py` serves, or `ruse explore coin` of a package that offers it by an entry point."""
    folder = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "package":
            about = folder / "site" / "throwaway-1.0.dist-info"
            about.mkdir(parents=True)
            (about / "METADATA").write_text("Metadata-Version: 2.1\nName: throwaway\nVersion: 1.0\n")
            (about / "entry_points.txt").write_text("[ruse.games]\ncoin = throwaway_coins:Coin\n")
            (folder / "site" / "throwaway_coins.py").write_text(COIN, encoding="utf-8")
            path = os.environ.get("PYTHONPATH", "")
            patch.setenv("PYTHONPATH", os.pathsep.join([str(folder / "site"), *([path] if path else [])]))
        else:
            (folder / "coin.py").write_text(COIN, encoding="utf-8")
        with serving(folder, "coin" if request.param == "package" else "coin.py") as server:
            assert server.page.endswith("/p/coin")
            yield server.address


def opened(page: Page, url: str) -> None:
    page.goto(url)
    page.locator("#job").wait_for(state="detached")


@pytest.mark.cases(1)
def test_it_is_explored(page: Page) -> None:
    opened(page, "/p/coin")
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile(r"Seeker wins\s50%"))
    expect(page.locator("[data-option]")).to_have_text(["a", "b", "c", "d"])
    page.locator("[data-option]", has_text="b").click()
    expect(page).to_have_url(re.compile(r"/p/coin@b"))
    opened(page, "/p/coin@~3F/b")
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile(r"Hider wins\s67%"))
    for tab in ("Beliefs", "Tree", "Proof"):
        page.get_by_role("link", name=tab, exact=True).click()
        expect(page.locator("[data-tab][aria-current]")).to_have_text(tab)
    accessible(page)
    opened(page, "/")
    expect(page.locator("main")).to_contain_text("coin")


@pytest.mark.cases(1)
def test_it_is_played_on_its_own_board(page: Page) -> None:
    """The second cell that is looked into ends the game, if the first did not."""
    opened(page, "/p/coin")
    page.get_by_role("link", name="Play", exact=True).last.click()
    page.get_by_label("Seeker", exact=True).check()
    page.get_by_label("Seed").fill("1")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your move, seeker")
    expect(page.locator(".seen")).to_have_text("Where is the coin?")
    expect(page.locator("table.board button")).to_have_text(["a", "b", "c", "d"])
    expect(page.locator(".moves")).to_have_count(0)
    fits(page)
    page.get_by_role("button", name="b", exact=True).click()
    expect(page.locator("table.board td")).to_have_text(["a", "x", "c", "d"])
    page.get_by_role("button", name="d", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("You lost")
    expect(page.locator("table.board td")).to_have_text(["a", "x", "c", "x"])
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
