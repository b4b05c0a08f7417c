"""A real server and a real browser: Debian's chromium, driven by Playwright. No request may leave this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Response, expect, sync_playwright

from amounts import ALL
from serving import serving

# Milliseconds: a game may have to be solved first, on a busy machine. RUSE_PATIENCE=10 (seconds) finds faults sooner.
LONG = 1000 * int(os.environ.get("RUSE_PATIENCE", "180"))
expect.set_options(timeout=LONG)
WIDTHS = {"phone": 390, "notebook": 1280}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in BROWSERS if (found := shutil.which(name))), "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All of these are slow. What is not about layout is tried at one width, here and there; `make soak` tries both."""
    left = []
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            width = item.callspec.params.get("page") if hasattr(item, "callspec") else None
            if width is None or item.get_closest_marker("both_widths") or ALL:
                continue
            if width != list(WIDTHS)[crc32(item.nodeid.replace(width, "").encode()) % len(WIDTHS)]:
                left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `ruse explore` serves, with nothing solved and nobody's sessions."""
    with serving(tmp_path_factory.mktemp("explorer")) as server:
        yield server.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("chromium is not installed here: apt-get install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"], timeout=LONG
        )
        new_context = opened.new_context

        def patient(**options: Any) -> BrowserContext:
            context = new_context(**options)
            context.set_default_timeout(LONG)
            return context

        opened.new_context = patient  # type: ignore[method-assign]
        yield opened
        opened.close()


@pytest.fixture
def refusals() -> set[int]:
    """Statuses from 400 on that a test means to get; a page that is refused otherwise fails it."""
    return set()


@pytest.fixture(params=WIDTHS)
def page(browser: Browser, address: str, request: pytest.FixtureRequest, refusals: set[int]) -> Iterator[Page]:
    """A page at the width of a phone and of a notebook; fails on requests elsewhere, refusals and errors in scripts."""
    context = browser.new_context(
        viewport={"width": WIDTHS[request.param], "height": 844}, base_url=address, has_touch=request.param == "phone"
    )
    opened = context.new_page()
    elsewhere: list[str] = []
    wrong: list[str] = []
    refused: list[Response] = []

    def watch(asked: Request) -> None:
        if urlsplit(asked.url).scheme != "data" and not asked.url.startswith(address):
            elsewhere.append(asked.url)

    opened.on("request", watch)
    opened.on("response", lambda answer: refused.append(answer) if answer.status >= 400 else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield opened
    context.close()
    assert not elsewhere and not [text for text in wrong if "status of 4" not in text]
    assert {answer.status for answer in refused} == refusals, [answer.url for answer in refused]


SHOTS = Path(os.environ["RUSE_SHOTS"]) if "RUSE_SHOTS" in os.environ else None  # to look at


@pytest.fixture(autouse=True)
def _shoot(request: pytest.FixtureRequest) -> Iterator[None]:
    opened: Page | None = request.getfixturevalue("page") if SHOTS and "page" in request.fixturenames else None
    yield
    if opened is not None and SHOTS is not None:
        SHOTS.mkdir(exist_ok=True)
        opened.screenshot(path=SHOTS / f"{request.node.name.replace('/', '_')}.png", full_page=True)
