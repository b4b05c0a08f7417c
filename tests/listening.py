"""`ruse explore` in a thread of this process: for tests of what it keeps and shows, and not of the program itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from ruse.explorer.pages import position_url
from served import Served
from serving import Server


class Listening(Server):
    """A server that keeps its state in a folder, as one in a process of its own does that runs there."""

    def __init__(self, folder: Path, *games: str, **parameters: str) -> None:
        self.games, self.parameters = games, parameters
        super().__init__(folder)

    def start(self, port: int | None = 0) -> None:
        self.served = Served(self.folder / "state" / "ruse", self.games, self.folder, self.parameters)
        self.address = f"http://127.0.0.1:{self.served.port}"
        asked = self.served.app.state.explorer.library.asked_for
        where = position_url(asked[0].position, file=asked[0].source) if len(asked) == 1 else "/"
        self.page = f"{self.address}{where}"

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.served.close()


@contextmanager
def listening(folder: Path, *games: str, **parameters: str) -> Iterator[Server]:
    """A server that is ended at the end; this process is in its folder meanwhile."""
    with chdir(folder):
        server = Listening(folder, *games, **parameters)
        try:
            yield server
        finally:
            server.stop()
