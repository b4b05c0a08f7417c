"""Take the screenshots that the README shows, with Debian's chromium: make images, or python tests/shoot.py [FOLDER]

Each is of a fresh `ruse explore` or of the companion's own file, in light colours, at a fixed size.
"""

from __future__ import annotations

import io
import sys
import textwrap
from contextlib import redirect_stdout
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import CHROMIUM
from ruse.cli import main
from serving import serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
MOST_BYTES = 150_000  # of an image
COLOURS = 64
SCREEN = "margin: 0; padding: 24px; color: #e8e6e3; font: 17px/1.45 monospace"
EVENING = [(["Ann", "Ben"], 0), (["Ann", "Ben", "Cleo"], 1), (["Ann", "Dan"], 0)]
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
    page.locator("main table").first.wait_for()


def evening(page: Page, address: str) -> None:
    """Three missions of five friends."""
    page.goto(address)
    page.get_by_label("Players").select_option(str(len(NAMES)))
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Start").click()
    form = page.locator("#mission")
    for team, sabotages in EVENING:
        for name in team:
            form.get_by_role("group", name="Who went").get_by_label(name, exact=True).check()
        form.get_by_role("group", name="Sabotages").get_by_label(str(sabotages), exact=True).check()
        page.locator("#record").click()
    page.locator("#advice .sorts li").first.wait_for()
    page.get_by_role("heading", name="Who may be a spy").scroll_into_view_if_needed()
    page.evaluate("window.scrollBy(0, 500)")


def terminal(page: Page, *arguments: str) -> None:
    """A command and what it prints, as a terminal shows it."""
    told = io.StringIO()
    with redirect_stdout(told):
        assert main(list(arguments)) == 0
    lines = [wrapped for line in told.getvalue().splitlines() for wrapped in textwrap.wrap(line, 92) or [""]]
    text = escape("\n".join([f"$ ruse {' '.join(arguments)}", *lines]))
    page.set_content(f'<body style="margin: 0; background: #1d2126"><pre style="{SCREEN}">{text}</pre>')


def shoot(folder: Path) -> list[Path]:
    """The four images."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ("liars-dice", "resistance", "companion", "terminal")
    paths = {name: folder / f"{name}.png" for name in names}
    with (
        TemporaryDirectory() as kept,
        serving(Path(kept), "liars-dice", "--faces", "4") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        wide = opened(browser, 1000, 1180, server.address)
        position(wide, "/p/liars-dice(faces=4)@2/1-3?insight=true&time=120")
        wide.screenshot(path=paths["liars-dice"])
        position(wide, "/p/resistance-5/ab+/abc-?insight=true&time=120")
        wide.screenshot(path=paths["resistance"])
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
    return list(paths.values())


if __name__ == "__main__":
    for written in shoot(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES):
        print(f"{written}: {written.stat().st_size:,} bytes")
