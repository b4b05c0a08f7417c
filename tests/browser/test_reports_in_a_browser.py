"""Reports of papers in a real browser: a file that needs nothing else, readable on a phone and in the dark."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from fitting import accessible, within_the_screen
from ruse.reproduce import run
from ruse.reproduce.report import paper


def test_a_report_is_accessible_and_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    run.report(paper("dohmatob"), tmp_path, False)
    run.write_index(tmp_path, [], False)
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("index", "dohmatob"):
        page.goto((tmp_path / f"{name}.html").as_uri())
        accessible(page)
        within_the_screen(page)
    assert asked and all(address.startswith("file:") for address in asked)
    page.get_by_role("link", name="NE computation").click()
    assert page.locator("#ne-computation svg.chart").bounding_box()
    context.close()
