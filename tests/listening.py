"""`ruse explore` in a thread of this process: for tests of what it keeps and shows, and not of the program itself."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import uvicorn

from ruse.explorer.app import create_app
from ruse.explorer.library import Library
from ruse.explorer.pages import position_url
from ruse.explorer.serve import listen
from ruse.explorer.settings import Settings
from serving import Server


class Listening(Server):
    """A server that keeps its state in a folder, as one in a process of its own does that runs there."""

    def __init__(self, folder: Path, *games: str, **parameters: str) -> None:
        self.games, self.parameters = games, parameters
        super().__init__(folder)

    def start(self, port: int | None = 0) -> None:
        self.socket = listen("127.0.0.1", port)
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        state = self.folder / "state" / "ruse"
        for folder in (state / "solutions", state / "sessions"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings = Settings(port=self.socket.getsockname()[1], folder=state / "solutions", sessions=state / "sessions")
        library = Library(settings.folder, self.games, self.folder, self.parameters)
        asked = library.asked_for
        self.page = self.address
        self.page += position_url(asked[0].position, file=asked[0].source) if len(asked) == 1 else "/"
        self.server = uvicorn.Server(
            uvicorn.Config(create_app(library, settings), log_level="error", ws="none", timeout_graceful_shutdown=1)
        )
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.server.should_exit = True
        self.thread.join()
        self.socket.close()


@contextmanager
def listening(folder: Path, *games: str, **parameters: str) -> Iterator[Server]:
    """A server that is ended at the end; this process is in its folder meanwhile."""
    with chdir(folder):
        server = Listening(folder, *games, **parameters)
        try:
            yield server
        finally:
            server.stop()
