"""Games of hidden roles, played seat by seat by stored strategies."""

from __future__ import annotations

from random import Random
from typing import Any

from ruse.core.game import CHANCE, END
from ruse.games.hidden_roles.classes import seat_policy
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.games.hidden_roles.verify import BestResponses
from ruse.solution.strategy import Solution


def games_won(solution: Solution, games: int, seed: int, answering: int | None = None) -> int:
    """How many of some games the good side wins when both play what is stored, or one a best response to the other."""
    random, game = Random(seed), solution.game
    assert isinstance(game, HiddenRoles)
    tables = list(solution.tables)
    if answering is not None:
        answer, stored = BestResponses(game), tables[1 - answering].__getitem__
        (answer.to_spies if answering == 0 else answer.to_good)(stored)
        tables[answering] = answer.reply
    policies = [seat_policy(game, side, tables[side]) for side in (0, 1)]
    known: dict[Any, Any] = {}  # odds where somebody moves, by what is known there
    won = 0
    for _ in range(games):
        state = game.start()
        while (turn := game.turn(state)) != END:
            place = state if turn == CHANCE else (turn, game.knows(state, turn))
            if place not in known:
                if turn == CHANCE:
                    odds = dict(zip(game.moves(state), game.odds(state), strict=True))
                else:
                    odds = dict(policies[turn](state))
                known[place] = list(odds), [float(share) for share in odds.values()]
            (move,) = random.choices(*known[place])
            state = game.play(state, move)
        won += game.payoff(state) == 1
    return won
