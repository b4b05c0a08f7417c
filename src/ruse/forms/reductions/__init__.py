"""Smaller games with the same value, and the way back.

A reduction is itself a `Game`, so reductions stack. `lift` turns a policy of the smaller game into one
of the game underneath that guarantees as much. Forced moves alone are left out of the sequence form instead
(`forced.py`), where they can be seen without another walk. None of them loses anything, which the tests check by
solving with and without.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.core.capabilities import Symmetric, Teamed
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, Game, Knowledge, Move, State, describe
from ruse.core.types import Policy, Tables
from ruse.forms.reductions.games import Symmetry, Teams

__all__ = ["Policy", "Symmetry", "Teams", "lift", "lifted_tables", "reduce", "reductions_of"]

OddsByKnowledge = Mapping[Knowledge, Mapping[Move, Fraction]]


def reduce(game: Game, *, teams: bool = True, symmetry: bool = True) -> Game:
    """The game with the reductions that it declares, each of which can be switched off."""
    if teams and isinstance(game, Teamed):
        game = Teams(game)
    if symmetry and isinstance(game, Symmetric):
        game = Symmetry(game)
    return game


def reductions_of(game: Game) -> tuple[str, ...]:
    """The reductions that led to a game, by the names of their options, the first that was made first."""
    names: tuple[str, ...] = ()
    while isinstance(game, Teams | Symmetry):
        names = ("teams" if isinstance(game, Teams) else "symmetry", *names)
        game = game.game
    return names


def lift(game: Game, policy: Policy, side: int) -> Policy:
    """A policy of the unreduced game, from one of the reduced game."""
    while isinstance(game, Teams | Symmetry):
        policy = game.lift(policy, side)
        game = game.game
    return policy


def lifted_tables(game: Game, small: Game, odds: tuple[OddsByKnowledge, OddsByKnowledge]) -> Tables:
    """Tables of the whole game from odds in the smaller one, at every information set, in one walk."""
    lifted = tuple(lift(small, _policy(small, odds[side], side), side) for side in (0, 1))
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    seen: tuple[set[Knowledge], set[Knowledge]] = (set(), set())
    stack = [game.start()]
    while stack:
        tick()
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        moves = game.moves(state)
        if turn == CHANCE:
            moves = [move for move, share in zip(moves, game.odds(state), strict=True) if share]
        elif (knowledge := game.knows(state, turn)) not in seen[turn]:
            seen[turn].add(knowledge)
            shares = lifted[turn](state)
            tables[turn][describe(game, knowledge)] = {
                game.label(move): shares.get(move, Fraction(0)) for move in moves
            }
        stack.extend(game.play(state, move) for move in moves)
    return tables


def _policy(small: Game, odds: OddsByKnowledge, side: int) -> Policy:
    def odds_at(state: State) -> Mapping[Move, Fraction]:
        shares = odds.get(small.knows(state, side))
        if shares is None:  # the reduced game never comes here, so any move will do
            moves = small.moves(state)
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return shares

    return odds_at
