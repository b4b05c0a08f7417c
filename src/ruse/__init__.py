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
    from ruse.core.bounded_float import BoundedFloat
    from ruse.core.game import CHANCE, END, Game, GameError, PolicyError, PositionError, RuleError, Rules, RuseError
    from ruse.exploitation.exploit import exploit
    from ruse.formats.openspiel_bot import bot
    from ruse.forms.matrix_form import SequenceForm, sequence_form
    from ruse.forms.sequence_form import Treeplex
    from ruse.play.environments import env
    from ruse.present.rules import score_function, score_rules
    from ruse.scoring.openspiel import from_openspiel
    from ruse.scoring.policies import PolicyWarning
    from ruse.scoring.score import best_response, exploitability, value
    from ruse.solution.store import StoreError, load
    from ruse.solution.strategy import Solution, Strategy
    from ruse.solving.options import SolveOptions
    from ruse.solving.pipeline import solve
    from ruse.solving.quantal_response import quantal_response
    from ruse.solving.steps import iterate
    from ruse.studio.balance import balance
    from ruse.studio.sweep import Sweep, sweep
    from ruse.verify import VerifyError

    __version__: str

__all__ = [
    "CHANCE",
    "END",
    "BoundedFloat",
    "Game",
    "GameError",
    "PolicyError",
    "PolicyWarning",
    "PositionError",
    "RuleError",
    "Rules",
    "RuseError",
    "SequenceForm",
    "Solution",
    "SolveOptions",
    "StoreError",
    "Strategy",
    "Sweep",
    "Treeplex",
    "VerifyError",
    "balance",
    "best_response",
    "bot",
    "env",
    "exploit",
    "exploitability",
    "from_openspiel",
    "games",
    "iterate",
    "load",
    "quantal_response",
    "score_function",
    "score_rules",
    "sequence_form",
    "solve",
    "sweep",
    "value",
]

_LATER = {
    "BoundedFloat": "ruse.core.bounded_float",
    "CHANCE": "ruse.core.game",
    "END": "ruse.core.game",
    "Game": "ruse.core.game",
    "GameError": "ruse.core.game",
    "PolicyError": "ruse.core.game",
    "PolicyWarning": "ruse.scoring.policies",
    "PositionError": "ruse.core.game",
    "RuleError": "ruse.core.game",
    "Rules": "ruse.core.game",
    "RuseError": "ruse.core.game",
    "SequenceForm": "ruse.forms.matrix_form",
    "Solution": "ruse.solution.strategy",
    "SolveOptions": "ruse.solving.options",
    "StoreError": "ruse.solution.store",
    "Strategy": "ruse.solution.strategy",
    "Treeplex": "ruse.forms.sequence_form",
    "VerifyError": "ruse.verify",
    "balance": "ruse.studio.balance",
    "best_response": "ruse.scoring.score",
    "exploit": "ruse.exploitation.exploit",
    "exploitability": "ruse.scoring.score",
    "from_openspiel": "ruse.scoring.openspiel",
    "iterate": "ruse.solving.steps",
    "bot": "ruse.formats.openspiel_bot",
    "env": "ruse.play.environments",
    "load": "ruse.solution.store",
    "quantal_response": "ruse.solving.quantal_response",
    "score_function": "ruse.present.rules",
    "score_rules": "ruse.present.rules",
    "Sweep": "ruse.studio.sweep",
    "sequence_form": "ruse.forms.matrix_form",
    "solve": "ruse.solving.pipeline",
    "sweep": "ruse.studio.sweep",
    "value": "ruse.scoring.score",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: so that the program hears Ctrl-C (`ruse.start`) before anything else takes time."""
    from importlib import import_module

    if name == "games":
        return import_module("ruse.games")
    if name == "__version__":
        return _version()
    if name not in _LATER:
        raise AttributeError(f"module 'ruse' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def _version() -> str:
    """The version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ruse")
    except PackageNotFoundError:  # run from a source tree
        return "unknown"


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
