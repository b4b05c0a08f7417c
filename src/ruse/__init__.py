"""ruse: optimal strategies for zero-sum games with hidden information, in exact fractions with proofs.

>>> import ruse
>>> solution = ruse.solve(ruse.games.resistance(players=7))
>>> solution.win["resistance"]
Fraction(9, 35)
"""

from __future__ import annotations

from ruse.core import former_modules

former_modules.install()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ruse import games
    from ruse.core.game import CHANCE, END, Game, GameError, PositionError, RuleError, RuseError
    from ruse.formats.openspiel_bot import bot
    from ruse.play.environments import env
    from ruse.present.rules import score_function, score_rules
    from ruse.solution.store import StoreError, load
    from ruse.solution.strategy import Solution, Strategy
    from ruse.solving.options import SolveOptions
    from ruse.solving.pipeline import solve
    from ruse.studio.balance import balance
    from ruse.studio.sweep import Sweep, sweep
    from ruse.verify import VerifyError

__all__ = [
    "CHANCE",
    "END",
    "Game",
    "GameError",
    "PositionError",
    "RuleError",
    "RuseError",
    "Solution",
    "SolveOptions",
    "StoreError",
    "Strategy",
    "Sweep",
    "VerifyError",
    "balance",
    "bot",
    "env",
    "games",
    "load",
    "score_function",
    "score_rules",
    "solve",
    "sweep",
]

_LATER = {
    "CHANCE": "ruse.core.game",
    "END": "ruse.core.game",
    "Game": "ruse.core.game",
    "GameError": "ruse.core.game",
    "PositionError": "ruse.core.game",
    "RuleError": "ruse.core.game",
    "RuseError": "ruse.core.game",
    "Solution": "ruse.solution.strategy",
    "SolveOptions": "ruse.solving.options",
    "StoreError": "ruse.solution.store",
    "Strategy": "ruse.solution.strategy",
    "VerifyError": "ruse.verify",
    "balance": "ruse.studio.balance",
    "bot": "ruse.formats.openspiel_bot",
    "env": "ruse.play.environments",
    "load": "ruse.solution.store",
    "score_function": "ruse.present.rules",
    "score_rules": "ruse.present.rules",
    "Sweep": "ruse.studio.sweep",
    "solve": "ruse.solving.pipeline",
    "sweep": "ruse.studio.sweep",
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
