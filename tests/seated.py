"""Games of hidden roles, played seat by seat by stored strategies."""

from __future__ import annotations

from random import Random

from ruse.core.game import CHANCE, END
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.games.hidden_roles.verify import seat_policy
from ruse.solution.strategy import Solution


def games_won(solution: Solution, games: int, seed: int) -> int:
    """How many of some games the good side wins when both play what is stored."""
    random, game = Random(seed), solution.game
    assert isinstance(game, HiddenRoles)
    policies = [seat_policy(game, side, solution.tables[side]) for side in (0, 1)]
    won = 0
    for _ in range(games):
        state = game.start()
        while (turn := game.turn(state)) != END:
            odds = (
                dict(zip(game.moves(state), game.odds(state), strict=True)) if turn == CHANCE else policies[turn](state)
            )
            (move,) = random.choices(list(odds), [float(share) for share in odds.values()])
            state = game.play(state, move)
        won += game.payoff(state) == 1
    return won
