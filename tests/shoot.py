"""Take the twelve screenshots of the README and docs, with Debian's chromium.

make images, or python tests/shoot.py [FOLDER]

Each is of a fresh `ruse explore` or of the companion's own file, in light colours, at a fixed size.
"""

from __future__ import annotations

import io
import sys
import textwrap
from contextlib import redirect_stdout
from html import escape
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import CHROMIUM
from ruse.cli import main
from serving import Server, begin, play_on, serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
NAMES_OF_IMAGES = (
    *("home", "resistance", "liars-dice", "avalon", "tree", "hands"),
    *("studio", "play", "drill", "review", "companion", "terminal"),
)
MOST_BYTES, MOST_BYTES_IN_ALL = 150_000, 1_000_000  # of an image, and of all
SEED = 3  # of games that are played
COLOURS = 64
SCREEN = "margin: 0; padding: 24px; color: #e8e6e3; font: 17px/1.45 monospace"
# Team, who rejects it, sabotages.
EVENING = [(["Ann", "Ben"], "Dan", 0), (["Ann", "Ben", "Cleo"], "Eve", 1), (["Ann", "Dan"], "Cleo", 0)]
NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eve"]


def opened(browser: Browser, width: int, height: int, base: str | None = None) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": height}, base_url=base, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


def position(page: Page, address: str) -> None:
    """A position with all that insight says of it."""
    page.goto(address)
    page.locator("#job").wait_for(state="detached")
    page.goto(address)
    page.locator("#moves table.options").wait_for()


def evening(page: Page, address: str) -> None:
    """Three missions of five friends."""
    page.goto(address)
    page.get_by_label("Players").select_option(str(len(NAMES)))
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Begin").click()
    form = page.locator("#mission")
    for team, against, sabotages in EVENING:
        for name in team:
            form.get_by_role("group", name="Team").get_by_label(name, exact=True).check()
        form.get_by_role("group", name="Who rejects it?").get_by_label(against, exact=True).check()
        page.locator("#record").click()
        page.locator(f"#sabotages-{sabotages}").click()
    page.get_by_role("heading", name="Whom to send").evaluate("heading => heading.scrollIntoView()")


def terminal(page: Page, *arguments: str) -> None:
    """A command and what it prints, as a terminal shows it."""
    told = io.StringIO()
    with redirect_stdout(told):
        assert main(list(arguments)) == 0
    lines = [wrapped for line in told.getvalue().splitlines() for wrapped in textwrap.wrap(line, 92) or [""]]
    text = escape("\n".join([f"$ ruse {' '.join(arguments)}", *lines]))
    page.set_content(f'<body style="margin: 0; background: #1d2126"><pre style="{SCREEN}">{text}</pre>')


def first_look(page: Page, address: str, path: Path) -> None:
    """The upper part of a page, as high as its window."""
    page.goto(address)
    page.locator("#job").wait_for(state="detached")
    page.goto(address)
    page.screenshot(path=path)


def played(server: Server, game: str, side: str, moves: int | None) -> str:
    """The address of a game after so many moves, or at its end."""
    with httpx.Client(base_url=server.address, timeout=120) as client:
        session = begin(client, game, side, SEED)
        return f"/play/{play_on(client, session, Random(SEED), moves)['id']}"


def shoot(folder: Path) -> list[Path]:
    """Take all images."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.png" for name in NAMES_OF_IMAGES}
    with (
        TemporaryDirectory() as kept,
        TemporaryDirectory() as fresh,
        serving(Path(fresh)) as home,
        serving(Path(kept), "liars-dice", "--faces", "4") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        wide = opened(browser, 1000, 760, server.address)
        wide.set_viewport_size({"width": 1280, "height": 973})
        first_look(wide, home.address, paths["home"])
        wide.set_viewport_size({"width": 1000, "height": 760})
        first_look(wide, "/p/avalon-5", paths["avalon"])
        first_look(wide, "/states/kuhn", paths["tree"])
        first_look(wide, "/public/liars-dice(faces=4)", paths["hands"])
        first_look(wide, "/studio?game=resistance", paths["studio"])
        first_look(wide, played(server, "resistance-5", "resistance", 1), paths["play"])
        first_look(wide, "/drill?game=kuhn&side=0&position=kuhn@Q/check/bet", paths["drill"])
        wide.goto(played(server, "resistance-5", "spies", None))
        wide.get_by_role("heading", name="Review").evaluate("heading => heading.scrollIntoView()")
        wide.evaluate("window.scrollBy(0, -24)")
        wide.screenshot(path=paths["review"])
        position(wide, "/p/resistance-5/ab+/abc-?insight=true&time=120")
        wide.screenshot(path=paths["resistance"])
        wide.set_viewport_size({"width": 1000, "height": 1100})
        position(wide, "/p/liars-dice(faces=4)@2/1-3?insight=true&time=120")
        wide.screenshot(path=paths["liars-dice"])
        file = Path(kept) / "evening.html"
        assert main(["companion", "--players", "5", "--out", str(file)]) == 0
        phone = opened(browser, 390, 844)
        evening(phone, file.as_uri())
        phone.screenshot(path=paths["companion"])
        screen = opened(browser, 1000, 700)
        terminal(screen, "solve", "resistance", "--players", "5")
        screen.screenshot(path=paths["terminal"])
        browser.close()
    for path in paths.values():
        with Image.open(path) as image:  # text on plain ground needs few colours
            image.convert("RGB").quantize(COLOURS).save(path, optimize=True)
        assert path.stat().st_size <= MOST_BYTES, f"{path} has {path.stat().st_size:,} bytes"
    assert sum(path.stat().st_size for path in paths.values()) <= MOST_BYTES_IN_ALL
    return list(paths.values())


if __name__ == "__main__":
    for written in shoot(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES):
        print(f"{written}: {written.stat().st_size:,} bytes")
