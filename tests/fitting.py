"""What every page in a browser is asked: axe-core has no complaint, and nothing is wider than the screen. And keys."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

FINGER = 43.5  # pixels, of 44 as rounded by the browser


def press(page: Page, key: str) -> None:
    """A key, once the page listens to keys: what stands on it may be seen before its scripts are there."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def accessible(page: Page, *tags: str) -> None:
    """As it is shown now, by all rules of axe-core or by those with a tag."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"]} | ({"runOnly": tags} if tags else {})
    found = AxeResults(page.evaluate("options => axe.run(options)", options))
    assert found.violations_count == 0, found.generate_report()


def within_the_screen(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


TOO_SMALL = f"""() => [...document.querySelectorAll("button, a.button, a.chip, select, summary, nav a, input")].filter(
  (control) => {{
    const box = control.getBoundingClientRect();
    const seen = box.width > 2 && box.height > 2 && !control.closest(".unseen, .unseen-until-focus");
    const typed = !["checkbox", "radio", "range", "file", "hidden"].includes(control.type);
    return seen && typed && Math.min(box.width, box.height) < {FINGER};
  }}).map((control) => control.outerHTML.slice(0, 120))"""


def large_enough(page: Page) -> None:
    """Every control is large enough for a finger. Labels are the targets of boxes to tick."""
    assert page.evaluate(TOO_SMALL) == []


def fits(page: Page) -> None:
    """All of this, in light and in dark, where only colours differ."""
    page.emulate_media(color_scheme="light")
    accessible(page)
    page.emulate_media(color_scheme="dark")
    accessible(page, "cat.color")
    within_the_screen(page)
    large_enough(page)
