"""The menu of `ruse play` without a game: unfinished games, and games to start."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ruse.core.game import Game, RuseError, display_name
from ruse.core.registry import game_of, games, make, summary
from ruse.play.session import SessionError, side_of
from ruse.play.storage import SavedSession, Sessions
from ruse.present.screen import paint

MOST_LEFT = 5  # unfinished games in the menu
MOST_TYPED = 200  # characters


class Left(Exception):
    """The person quits the menu."""


def choose(given: argparse.Namespace, sessions: Sessions) -> None:
    """Ask for a game to start or continue, and write it into `given`. Raises Left, or SessionError at end of input."""
    left = sessions.unfinished(MOST_LEFT)
    begun = [name for name, spec in games().items() if spec.offered]
    print(_menu(left, begun))
    while (choice := _meaning(_read(), left, begun)) is None:
        print(paint("Type a number from the list, or the name of a game, such as resistance-7.", "bad"))
    if isinstance(choice, SavedSession):
        given.resume = choice.id
        return
    given.game, given.parameters = choice.name, dict(choice.parameters)
    if given.side is None:
        given.side = _side(choice)


def _menu(left: Sequence[SavedSession], begun: Sequence[str]) -> str:
    lines = []
    if left:
        lines.append(paint("Continue a game:", "strong"))
        lines += [f"{number:>3}  {_format_saved(saved)}" for number, saved in enumerate(left, 1)]
        lines.append("")
    lines.append(paint("Start a game:", "strong"))
    lines += [f"{number:>3}  {name:<20} {summary(name)}" for number, name in enumerate(begun, len(left) + 1)]
    return "\n".join([*lines, "", "Type a number or a name, or q to quit."])


def _format_saved(saved: SavedSession) -> str:
    return f"{saved.game.title} as {display_name(saved.game.sides[saved.side])}{' with a coach' if saved.coach else ''}"


def _meaning(typed: str, left: Sequence[SavedSession], begun: Sequence[str]) -> SavedSession | Game | None:
    """The game that a line names; None if it names none."""
    if typed.isdecimal() and 1 <= int(typed) <= len(left) + len(begun):
        number = int(typed) - 1
        return left[number] if number < len(left) else make(begun[number - len(left)])
    try:
        return make(typed) if typed in begun else game_of(typed)
    except RuseError:
        return None


def _side(game: Game) -> str:
    names = [f"{number} {name}" for number, name in enumerate(game.sides, 1)]
    print(f"Your side: {'   '.join(names)}. Press Enter for {game.sides[0]}.")
    while True:
        typed = _read()
        if not typed:
            return game.sides[0]
        try:
            return game.sides[int(typed) - 1 if typed in ("1", "2") else side_of(game, typed)]
        except SessionError as error:
            print(paint(f"{error}", "bad"))


def _read() -> str:
    """Read a line from the keyboard."""
    print("> ", end="" if sys.stdin.isatty() else "\n", flush=True)
    line = sys.stdin.readline(MOST_TYPED)
    if not line:
        raise SessionError("name a game to play, or give --from FILE.ruse or --resume ID")
    if line.strip() in ("q", "quit"):
        raise Left
    return line.strip().lower()
