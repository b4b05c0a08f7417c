"""`ruse play GAME --seat c`: games in which people sit at a table, each on a seat of its own.

The companion of a game names the module that brings its evenings (SEATS).
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from ruse.core.game import Game, RuseError
from ruse.core.registry import find, games, imported, make, part
from ruse.play.session import SessionError

NOT_WITH_SEAT = ("source", "at", "resume")


class SeatPart(Protocol):
    """What the module brings that a companion names in SEATS."""

    SeatPages: type[Any]
    """the evenings of the explorer, made from their folder"""

    def play(self, game: Game, given: argparse.Namespace, folder: Path, lasts: bool) -> int:
        """Begin an evening at a seat, in the terminal. Returns the exit status."""

    def resume(self, identity: str, given: argparse.Namespace, folder: Path, lasts: bool) -> int | None:
        """Go on with a saved evening; None if there is none of that id."""

    def bot(self, game: Game, given: argparse.Namespace) -> int:
        """Seat a bot for another program, until its input ends."""


def seated(game: Game) -> SeatPart:
    """Return what a game brings for seats. Raises SessionError."""
    module = part(game, "companion", "SEATS")
    if module is None:
        raise SessionError(f"{game.title} has no seats; leave out --seat, or choose {' or '.join(with_seats())}")
    brought: SeatPart = imported(module)
    return brought


def with_seats() -> list[str]:
    """Return the names of the built-in games that have seats."""
    names = []
    for name in games():
        with suppress(RuseError):  # of a game that cannot be made without parameters
            if part(make(name), "companion", "SEATS") is not None:
                names.append(name)
    return names


def play(given: argparse.Namespace, folder: Path, lasts: bool) -> int:
    """Sit down at a seat."""
    if given.game is None and len(given.seat) > 1:  # ruse play --seat GAME
        given.game, given.seat = given.seat, ""
    if given.game is None:
        raise SessionError(f"name a game with --seat: {' or '.join(with_seats())}")
    for option in NOT_WITH_SEAT:
        if getattr(given, option) is not None:
            written = "from" if option == "source" else option
            raise SessionError(f"--{written} does not work with --seat, which deals its own evening")
    if given.drill:
        raise SessionError("--drill does not work with --seat")
    if given.game.endswith(".ruse"):
        raise SessionError("name the game with --seat, such as one of `ruse games`; ruse solves its table by itself")
    game = find(given.game, given.parameters)
    return seated(game).play(game, given, folder, lasts)


def resume(given: argparse.Namespace, folder: Path, lasts: bool) -> int | None:
    """Go on with a saved evening; None if there is none of that id."""
    for name in with_seats():
        status = seated(make(name)).resume(given.resume, given, folder, lasts)
        if status is not None:
            return status
    return None


def bot(given: argparse.Namespace) -> int:
    """Run the command `ruse bot`: seat a bot for another program."""
    game = find(given.game, given.parameters)
    return seated(game).bot(game, given)
