"""What every page in a browser is asked: axe-core has no complaint, and nothing is wider than the screen. And keys."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def press(page: Page, key: str) -> None:
    """A key, once the page listens to keys: what stands on it may be seen before its scripts are there."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def accessible(page: Page) -> None:
    """As it is shown now."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def within_the_screen(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def fits(page: Page) -> None:
    """Both, in light and in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        accessible(page)
    within_the_screen(page)
