"""An explorer that listens in this process, and its pages as readers see them."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from ruse.explorer.app import create_app
from ruse.explorer.library import Library
from ruse.explorer.serve import listen
from ruse.explorer.settings import Settings
from serving import HERE, PATIENCE

KUHN = Fraction(-1, 18)


class Served:
    """An explorer that really listens, on a port of its own."""

    def __init__(
        self,
        folder: Path,
        given: tuple[str, ...] = (),
        here: Path | None = None,
        parameters: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        self.socket = listen("127.0.0.1", 0)
        self.port = self.socket.getsockname()[1]
        folders = {"folder": folder / "solutions", "sessions": folder / "sessions"}
        made = Settings(port=self.port, **folders, **HERE | settings)
        self.app = create_app(Library(made.folder, given, here, parameters or {}), made)
        self.server = uvicorn.Server(
            uvicorn.Config(self.app, log_level="critical", ws="none", timeout_graceful_shutdown=1)
        )
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=2 * PATIENCE)
        while not self.server.started:
            time.sleep(0.01)

    def close(self) -> None:
        self.client.close()
        self.server.should_exit = True
        self.thread.join()
        self.socket.close()

    def get(self, path: str, status: int = 200, **more: Any) -> httpx.Response:
        answer = self.client.get(path, **more)
        assert answer.status_code == status, answer.text
        return answer

    def post(self, path: str, status: int, sent: dict[str, object]) -> dict[str, object]:
        answer = self.client.post(path, json=sent, headers={"accept": "application/json"})
        assert answer.status_code == status, answer.text
        found: dict[str, object] = answer.json()
        return found

    def ended(self, job: object) -> dict[str, object]:
        while True:
            told: dict[str, object] = self.get(f"/jobs/{job}.json").json()
            if told["state"] not in ("waiting", "running"):
                return told
            time.sleep(0.05)


def words(page: str) -> str:
    """A page as a reader sees it, roughly."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
