"""Games to play, small where their usual size takes seconds, and games played to their end."""

from __future__ import annotations

from functools import cache
from typing import Any

import ruse
from ruse.games import make
from ruse.insight.costs import Costs, costs
from ruse.play.coach import Views, views_of
from ruse.play.session import Session, begin, play
from ruse.play.storage import SavedSession
from ruse.solution.strategy import Solution

# Every game, small where its usual size takes seconds.
SMALL: dict[str, dict[str, Any]] = {
    "matrix": {"payoffs": "0 1 -1; -1 0 1; 1 -1 0"},
    "liars-dice": {"faces": 3},
    "poker": {"ranks": 2},
    "goofspiel": {"cards": 3},
    "battleship": {"ships": [1], "values": [1], "shots": 2},
    "oshi-zumo": {"coins": 3},
    "guess-who": {"mine": 8, "theirs": 8},
    "pig": {"goal": 15},
    "phantom-tic-tac-toe": {"board": "2x2", "line": 2},
    "phantom-4-in-a-row": {"board": "2x3", "line": 2},
    "4-in-a-row": {"rows": 3, "columns": 4, "line": 3},
    "avalon": {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]},
    "resistance": {"players": 4, "spies": 1, "missions": [1, 2, 2, 2, 2], "sabotages": [1] * 5},
}


@cache
def solved(name: str) -> Solution:
    return ruse.solve(make(name, SMALL.get(name, {})))


@cache
def table(players: int) -> Solution:
    return ruse.solve(ruse.games.resistance(players))


@cache
def solved_costs(name: str) -> Costs:
    return costs(solved(name))


@cache
def table_costs(players: int) -> Costs:
    return costs(table(players))


@cache
def views(name: str) -> Views:
    return views_of(solved(name))


def played(solution: Solution, side: int, seed: int, pick: int = 0) -> Session:
    """A game to its end, in which the person takes moves by some rule."""
    session = begin(solution, side, seed=seed)
    while not session.over:
        move = session.choices[(pick + session.number) % len(session.choices)]
        session = play(session, session.number, session.game.label(move))
    return session


ONE_MOVES = """EFG 2 R "one moves" { "McRae" "Bo" }
p "" 1 1 "" { "up" "down" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
"""


def solution_of(kept: SavedSession) -> Solution:
    return solved(kept.game.name)
