"""ruse: optimal strategies for games of deception, in exact fractions with certificates.

>>> import ruse
>>> solution = ruse.solve(ruse.games.resistance(players=7))
>>> solution.win["resistance"]
Fraction(9, 35)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruse import games
from ruse.game import CHANCE, END, Game, GameError, PositionError, RuleError, RuseError

if TYPE_CHECKING:
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
    """Import what is heavy when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'ruse' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
