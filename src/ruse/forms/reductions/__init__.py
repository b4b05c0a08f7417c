"""Smaller games with the same value, and the way back.

A reduction is itself a `Game`, so reductions stack. `lift` turns a policy of the smaller game into one
of the game underneath that guarantees as much. Forced moves alone are left out of the sequence form instead
(`forced.py`), where they can be seen without another walk. None of them loses anything, which the tests check by
solving with and without.
"""

from __future__ import annotations

from ruse.core.capabilities import Symmetric, Teamed
from ruse.core.game import Game
from ruse.core.types import Policy
from ruse.forms.reductions.symmetry import Symmetry
from ruse.forms.reductions.teams import Teams

__all__ = ["Policy", "Symmetry", "Teams", "lift", "reduce", "reductions_of"]


def reduce(game: Game, *, teams: bool = True, symmetry: bool = True) -> Game:
    """The game with the reductions that it declares, each of which can be switched off."""
    if teams and isinstance(game, Teamed):
        game = Teams(game)
    if symmetry and isinstance(game, Symmetric):
        game = Symmetry(game)
    return game


def reductions_of(game: Game) -> tuple[str, ...]:
    """The reductions that led to a game, by the names of their options, the first that was made first."""
    found: tuple[str, ...] = ()
    while isinstance(game, Teams | Symmetry):
        found = ("teams" if isinstance(game, Teams) else "symmetry", *found)
        game = game.game
    return found


def lift(game: Game, policy: Policy, side: int) -> Policy:
    """A policy of the unreduced game, from one of the reduced game."""
    while isinstance(game, Teams | Symmetry):
        policy = game.lift(policy, side)
        game = game.game
    return policy
