"""The documentation site, built strictly, as a reader has it: opened from the disk, with nothing from elsewhere."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

import processes
import ruse as package
from fitting import accessible
from pages import DOCS
from ruse.reproduce import pages
from ruse.reproduce.report import paper
from ruse.reproduce.run import compute, where_slips_are

ROOT = DOCS.parent
SEEN: dict[Literal["light", "dark"], tuple[str, ...]] = {
    "light": ("index", "tutorial", "reference/python-play", "reports/index", "reports/kubicek"),
    "dark": ("tutorial", "reports/kubicek"),
}
SECONDS = 300  # that building may take on a busy machine


def reported(folder: Path) -> None:
    """A report with some of its items, one that has a slip among them."""
    of = paper("kubicek")
    found = {one.number: compute(one, False) for one in of.items[:3]}
    told = replace(found["Problems"], slip="Bossle 2018, §3.5")
    pages.write(folder, of, {**found, "Problems": told}, False, where_slips_are(folder))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as `make docs` builds it: any warning is an error, unless --quiet hides it."""
    folder, reports = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("reports")
    reported(reports)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = processes.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "RUSE_REPORTS": str(reports)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Links(HTMLParser):
    """What a page links to and loads, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.linked: set[str] = set()
        self.loaded: set[str] = set()
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src", "srcset", "data", "action") and value:
                (self.linked if tag == "a" else self.loaded).add(value)


def test_links_hold_and_nothing_comes_from_elsewhere(site: Path) -> None:
    linking = {path: Links(path.read_text(encoding="utf-8")) for path in site.glob("**/*.html")}
    assert {path.relative_to(site).with_suffix("") for path in linking} >= {
        path.relative_to(DOCS).with_suffix("") for path in DOCS.glob("**/*.md")
    }
    for path, found in linking.items():
        if path.name == "404.html":  # whose links begin where the site is served
            continue
        for url in found.linked | found.loaded:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                assert url not in found.loaded, f"{path.name} loads {url}"
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert there.exists(), f"{path.name}: {url}"
            if parts.fragment and there in linking:
                assert unquote(parts.fragment) in linking[there].places, f"{path.name}: {url}"
    for text in (one.read_text(encoding="utf-8") for one in site.glob("**/*.css")):
        assert not re.search(r"url\(['\"]?(https?:)?//", text)
    pages = [
        page for path, page in linking.items() if path.parent.name == "reference" and path.stem.startswith("python")
    ]
    reference = {place for page in pages for place in page.places}
    assert {f"ruse.{name}" for name in package.__all__ if name != "games"} <= reference


def test_the_site_opens_from_the_disk_is_searched_there_and_stands_in_nobodys_way(site: Path, browser: Browser) -> None:
    elsewhere: list[str] = []
    wrong: list[str] = []
    for scheme, names in SEEN.items():
        context = browser.new_context(viewport={"width": 1280, "height": 844}, color_scheme=scheme)
        page = context.new_page()
        page.on("request", lambda asked: None if asked.url.startswith("file:") else elsewhere.append(asked.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        for name in names:
            page.goto((site / f"{name}.html").as_uri())
            accessible(page)
            if name == "reports/index":
                page.get_by_role("link", name="Solving Imperfect Information EFGs").click()
                expect(page.get_by_role("heading", level=1)).to_have_text("Solving Imperfect Information EFGs")
                page.get_by_role("link", name="docs/explanation/slips.md").first.click()
                expect(page.get_by_role("heading", level=1)).to_contain_text("Errors that we found in papers")
        page.goto((site / "tutorial.html").as_uri())
        page.get_by_role("textbox", name="Search").click()
        expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")
        page.keyboard.type("bluff")
        item = page.locator(".md-search-result__item").filter(has_text="The first hour")
        expect(item).to_be_visible()
        item.get_by_role("link").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("The first hour")
        context.close()
    assert (elsewhere, wrong) == ([], [])
