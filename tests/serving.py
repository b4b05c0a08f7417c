"""`ruse explore` as people start it, but for its patience, in a process of its own, and games played by its API."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import uvicorn

import processes

JSON = {"accept": "application/json"}
PATIENCE = 120.0  # seconds that pages wait here for what is quick elsewhere, so that a busy machine shows the same
PATIENT: dict[str, Any] = {"patience": PATIENCE, "moment": PATIENCE, "glance": PATIENCE}
HERE = PATIENT | {"ahead": False}  # in a process that goes on to other tests, nothing is done that no test waits for
PROGRAM = f"""
from functools import partial
from ruse.explorer import serve
serve.Settings = partial(serve.Settings, **{PATIENT})
from ruse.start import run
run()
"""


class Server:
    """A server on a port of its own that keeps its state in a folder, and can be ended and started again."""

    def __init__(self, folder: Path, *arguments: str, patient: bool = True) -> None:
        """`arguments` are those of `ruse explore`, which runs in the folder."""
        self.folder, self.arguments, self.patient = folder, arguments, patient
        self.start()

    def start(self, port: int | None = 0) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state")}
        program = ["-c", PROGRAM] if self.patient else ["-m", "ruse"]
        command = [sys.executable, *program, "explore", "--no-browser", "--port", str(port), *self.arguments]
        with (self.folder / "stderr").open("ab") as errors:
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": errors}
            self.process = subprocess.Popen(command, **streams, env=environment, cwd=self.folder)
        assert self.process.stdout is not None
        with processes.limited(self.process):
            self.page = self.process.stdout.readline().decode().strip()
        assert self.page, (self.folder / "stderr").read_text()
        self.address = "/".join(self.page.split("/")[:3])

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        workers = processes.descendants(self.process.pid)  # which outlive a server that is killed
        try:
            self.process.send_signal(how)
            self.process.wait(timeout=PATIENCE)
        finally:
            processes.end_tree(self.process)
            processes.kill(workers)

    def memory(self) -> int:
        """Bytes of memory that the process holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) << 10
        return 0

    def told(self, path: str, status: int = 200) -> Any:
        """What a JSON twin says, once what it needs has been solved."""
        with httpx.Client(base_url=self.address, timeout=2 * PATIENCE, headers=JSON) as client:
            while (answer := client.get(path)).status_code == 202:
                time.sleep(0.1)
        assert answer.status_code == status, answer.text
        return answer.json()

    def shown(self, path: str) -> str:
        """A page, once what it needs has been solved."""
        with httpx.Client(base_url=self.address, timeout=2 * PATIENCE, headers={"accept": "text/html"}) as client:
            while (answer := client.get(path)).status_code == 202:
                time.sleep(0.1)
        assert answer.status_code == 200, answer.text
        return answer.text


@contextmanager
def serving(folder: Path, *arguments: str, patient: bool = True) -> Iterator[Server]:
    """A server that is ended at the end and has shown no traceback."""
    server = Server(folder, *arguments, patient=patient)
    try:
        yield server
    finally:
        server.stop()
    assert "Traceback" not in (folder / "stderr").read_text()


@contextmanager
def serving_here(folder: Path, **settings: Any) -> Iterator[str]:
    """The address of a server in a thread of this process, with settings that the command line does not have."""
    from ruse.explorer.app import create_app
    from ruse.explorer.library import Library
    from ruse.explorer.serve import listen
    from ruse.explorer.settings import Settings

    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        folders = {"folder": folder / "solutions", "sessions": folder / "sessions"}
        made = Settings(port=port, **folders, **HERE | settings)
        app = create_app(Library(made.folder), made)
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


def begin(client: httpx.Client, game: str, side: str, seed: int) -> dict[str, Any]:
    """A new game; where it has to be solved first, once that is done."""
    sent = {"game": game, "side": side, "seed": seed}
    while (answer := client.post("/play", json=sent, headers=JSON)).status_code == 202:
        time.sleep(0.2)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def play_on(client: httpx.Client, session: dict[str, Any], random: Random, most: int | None = None) -> dict[str, Any]:
    """Make random legal moves to the end, or so many."""
    while not session["over"] and (most is None or session["number"] <= most):
        assert session["moves"] is not None
        move = random.choice(session["moves"])
        answer = client.post(f"/play/{session['id']}", json={"number": session["number"], "move": move}, headers=JSON)
        assert answer.status_code == 200, answer.text
        session = answer.json()
    return session
