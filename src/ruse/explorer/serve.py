"""`ruse explore`: start the server on this machine and open the browser."""

from __future__ import annotations

import argparse
import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, closing, redirect_stdout, suppress
from pathlib import Path
from secrets import token_urlsafe
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from ruse.core.game import RuseError
from ruse.core.named_games import OWN
from ruse.explorer.jobs import Jobs
from ruse.explorer.settings import PORT, Settings
from ruse.solution.state_folder import writable_folder

if TYPE_CHECKING:
    from ruse.explorer.library import Library


class _Server(uvicorn.Server):
    """A server that ends progress streams before it waits for open requests."""

    def __init__(self, config: uvicorn.Config, jobs: Jobs) -> None:
        super().__init__(config)
        self.jobs = jobs

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.jobs.closing = True
        super().handle_exit(sig, frame)


class ServeError(RuseError):
    """A server that cannot start."""


def explore(given: argparse.Namespace) -> int:
    """Serve until Ctrl-C.

    `given` has games (also files, positions), parameters, own, port, host, expose and no_browser.
    """
    from ruse.core.registry import know
    from ruse.explorer.library import Library
    from ruse.explorer.pages import position_url

    def begin(folder: Path) -> tuple[Library, str]:
        if given.own is not None:
            know(given.own)
        library = Library(folder, given.games, Path.cwd(), given.parameters)
        asked = library.asked_for
        return library, position_url(asked[0].position, file=asked[0].source) if len(asked) == 1 else "/"

    return _serve(given, begin)


def studio(given: argparse.Namespace) -> int:
    """Serve until Ctrl-C, with the studio of a game in the browser.

    `given` has game, parameters, port, host, expose and no_browser.
    """
    from ruse.core.parameters import values_of
    from ruse.core.registry import know, parameters_of, spec
    from ruse.explorer.library import Library
    from ruse.explorer.studio import link

    def begin(folder: Path) -> tuple[Library, str]:
        name = know(given.game)
        values_of(name, spec(name).factory, given.parameters)  # refuses what is no parameter; makes no game
        if not parameters_of(name) and name not in OWN:
            raise ServeError(f"{name} has no parameters to change; see it with ruse explore {name}")
        return Library(folder, (), Path.cwd()), link(name, given.parameters)

    return _serve(given, begin)


def _serve(given: argparse.Namespace, begin: Callable[[Path], tuple[Library, str]]) -> int:
    """Serve until Ctrl-C; `begin` takes the folder of solutions and returns the library and the first page."""
    from ruse.explorer.app import create_app
    from ruse.explorer.safety import needs_token

    exposed = needs_token(given.host)
    if exposed and not given.expose:
        raise ServeError(f"other machines can reach {given.host}; add --expose to allow that")
    listening = listen(given.host, given.port)
    with closing(listening), ExitStack() as until_the_end:
        state, _ = writable_folder(until_the_end, "solutions", "sessions")
        settings = Settings(
            folder=state / "solutions",
            sessions=state / "sessions",
            host=given.host,
            port=int(listening.getsockname()[1]),
            token=token_urlsafe(16) if exposed else None,
        )
        with redirect_stdout(sys.stderr):  # what a game prints is no address
            library, page = begin(settings.folder)
        app = create_app(library, settings)
        address = _address(settings, page)
        config = uvicorn.Config(
            app, log_level="error", timeout_graceful_shutdown=1, server_header=False, lifespan="on", ws="none"
        )
        server = _Server(config, app.state.explorer.jobs)
        print(address, flush=True)
        print("ruse: press Ctrl-C to stop", file=sys.stderr)
        if not given.no_browser:
            threading.Thread(target=_show, args=(address,), daemon=True).start()
        with suppress(KeyboardInterrupt):  # uvicorn raises it again once all is shut down
            server.run(sockets=[listening])
    return 0


def listen(host: str, port: int | None) -> socket.socket:
    """Listen at a port; without one, at the default port or any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for attempt in (PORT, 0) if port is None else (port,):
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, attempt))
            made.listen(128)
        except (OSError, OverflowError) as error:
            made.close()
            if port is None and attempt == PORT:
                continue
            reason = str(getattr(error, "strerror", None) or error).lower()
            if getattr(error, "errno", None) == errno.EADDRINUSE:
                reason = "it is already in use"
            raise ServeError(f"cannot use port {attempt} at {host}: {reason}; choose another with --port") from error
        return made
    raise AssertionError  # the last attempt returned or raised


def _address(settings: Settings, page: str) -> str:
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(settings.host, settings.host)
    shown = f"[{host}]" if ":" in host else host
    token = f"{'&' if '?' in page else '?'}token={settings.token}" if settings.token else ""
    return f"http://{shown}:{settings.port}{page}{token}"


def _show(address: str) -> None:
    """Open the browser, or print the address if there is none."""
    try:
        opened = webbrowser.open(address)
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        print(f"ruse: cannot open a browser; go to {address}", file=sys.stderr)
