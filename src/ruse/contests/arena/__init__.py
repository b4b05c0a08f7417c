"""Parametric strategies and fast matches between them: one file per game.

CONTESTS maps the name of each contest to its module, which is imported when needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core.game import RuseError
from ruse.core.parameters import did_you_mean
from ruse.core.registry import imported

if TYPE_CHECKING:
    from ruse.contests.arena.contest import Contest

CONTESTS = {
    "war": "war",
    "war4": "war",
    "batawaf": "war",
    "batawaf4": "war",
    "battleship": "battleship",
    "cheat": "cheat",
    "cheat-special": "cheat",
    "flip": "flip",
    "guess-who-deter": "guess_who",
    "guess-who": "guess_who",
    "morra": "morra",
    "nim": "nim",
    "phantom-4-in-a-row": "phantom_four",
    "phantom-tic-tac-toe": "phantom_tic_tac_toe",
    "4-in-a-row": "four",
    "pig": "pig",
}


class UnknownContest(RuseError):
    """No contest has that name."""


def find(name: str) -> Contest:
    """Return the contest with a name."""
    if name not in CONTESTS:
        hint = did_you_mean(name, list(CONTESTS)) or f"; the contests are {', '.join(CONTESTS)}"
        raise UnknownContest(f"unknown contest {name!r}{hint}")
    module = imported(f"ruse.contests.arena.{CONTESTS[name]}")
    contest: Contest = next(candidate for candidate in module.CONTESTS if candidate.name == name)
    return contest
