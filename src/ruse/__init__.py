"""ruse: optimal strategies for games of deception, in exact fractions with certificates.

>>> import ruse
>>> solution = ruse.solve(ruse.games.resistance(players=7))
>>> solution.win["resistance"]
Fraction(9, 35)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ruse import games
    from ruse.game import CHANCE, END, Game, GameError, PositionError, RuleError, RuseError
    from ruse.run import solve
    from ruse.store import StoreError, load
    from ruse.strategy import Solution, Strategy
    from ruse.verify import VerifyError
    from ruse.words import score_function, score_rules

__all__ = [
    "CHANCE",
    "END",
    "Game",
    "GameError",
    "PositionError",
    "RuleError",
    "RuseError",
    "Solution",
    "StoreError",
    "Strategy",
    "VerifyError",
    "games",
    "load",
    "score_function",
    "score_rules",
    "solve",
]

_LATER = {
    "CHANCE": "ruse.game",
    "END": "ruse.game",
    "Game": "ruse.game",
    "GameError": "ruse.game",
    "PositionError": "ruse.game",
    "RuleError": "ruse.game",
    "RuseError": "ruse.game",
    "Solution": "ruse.strategy",
    "StoreError": "ruse.store",
    "Strategy": "ruse.strategy",
    "VerifyError": "ruse.verify",
    "load": "ruse.store",
    "score_function": "ruse.words",
    "score_rules": "ruse.words",
    "solve": "ruse.run",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: so that the program hears Ctrl-C (`ruse.start`) before anything else takes time."""
    from importlib import import_module

    if name == "games":
        return import_module("ruse.games")
    if name not in _LATER:
        raise AttributeError(f"module 'ruse' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
