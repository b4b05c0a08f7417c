"""`ruse explore` as it starts, serves and ends."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

import processes
from ruse.cli.program import main
from ruse.explorer.serve import ServeError, explore, listen
from serving import PATIENCE


def test_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match="already in use; choose another with --port"):
            listen("127.0.0.1", port)
        monkeypatch.setattr("ruse.explorer.serve.PORT", port)
        with listen("127.0.0.1", None) as found:
            assert found.getsockname()[1] != port
    with pytest.raises(ServeError, match="--expose"):
        explore(argparse.Namespace(games=[], parameters={}, port=None, host="0.0.0.0", expose=False, no_browser=True))


@contextmanager
def explored(state: Path, *arguments: str, how: signal.Signals = signal.SIGINT) -> Iterator[tuple[str, Path]]:
    """The address that `ruse explore` prints, and the file of its stderr; ended by a signal, without an error."""
    errors = state.parent / "stderr"
    command = [sys.executable, "-m", "ruse", "explore", "--no-browser", "--port", "0", *arguments]
    environment = {**os.environ, "XDG_STATE_HOME": str(state)}
    with (
        errors.open("w") as told,
        processes.started(command, stdout=subprocess.PIPE, stderr=told, env=environment) as it,
    ):
        assert it.stdout is not None
        address = it.stdout.readline().decode().strip()
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=10)) as client:
                assert client.get(address, timeout=PATIENCE).status_code in (200, 202)
            yield address, errors
        finally:
            it.send_signal(how)
            left, _ = it.communicate(timeout=PATIENCE)
    assert (it.returncode, left) == (0 if how == signal.SIGINT else -how, b"")
    assert "Traceback" not in errors.read_text() and "ERROR" not in errors.read_text()


@pytest.mark.slow
def test_explore_serves_until_interrupted(tmp_path: Path) -> None:
    """The address on stdout, an answer there, and a clean end."""
    with explored(tmp_path / "state") as (address, errors):
        assert urlsplit(address).path == "/"
        assert "Ctrl-C" in errors.read_text()


@pytest.mark.slow
def test_explore_prints_the_page_it_opens_and_ends_its_streams(tmp_path: Path) -> None:
    """A game with parameters, by the command line; ended while somebody watches a job."""
    with explored(tmp_path / "state", "resistance", "--players", "7", how=signal.SIGTERM) as (address, _):
        assert urlsplit(address).path == "/p/resistance-7"
        root = address.removesuffix("/p/resistance-7")
        long = {"game": "leduc", "solver": "cfr", "gap": "0", "time": "300"}
        job = httpx.post(f"{root}/solve", json=long, timeout=PATIENCE).json()["id"]
        stream = socket.create_connection(("127.0.0.1", urlsplit(address).port or 0))
        stream.sendall(f"GET /jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"200" in stream.recv(100)
    stream.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["resistance", "--players", "99"], "expected 2 to 26 players, got 99"),
        (["resistance", "kuhn", "--players", "7"], "needs exactly one game by name"),
        (["chess/e4"], "unknown game 'chess'"),
    ],
)
def test_explore_refuses_what_it_cannot_open(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["explore", "--no-browser", "--port", "0", *arguments]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_without_a_folder_that_lasts_there_is_a_temporary_one(tmp_path: Path) -> None:
    """A file is in the way: one sentence says so, and everything works."""
    (tmp_path / "state").write_text("")
    with explored(tmp_path / "state") as (address, errors):
        assert f"in {tmp_path / 'state' / 'ruse'}: not a directory" in errors.read_text()
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            while (answer := client.get("p/kuhn.json")).status_code == 202:
                time.sleep(0.1)
            assert answer.json()["value"]["exact"] == "-1/18"
            assert client.post("play", json={"game": "kuhn"}).status_code == 201
    assert (tmp_path / "state").read_text() == ""
