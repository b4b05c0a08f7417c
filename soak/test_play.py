"""A thousand games against each official table and side: `make soak`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from scipy.stats import binomtest

import ruse
from random_play import random_games
from ruse.games.resistance.table import OFFICIAL
from ruse.play.rival import drawn
from ruse.play.session import begin, play
from ruse.play.storage import Sessions

GAMES = 1000
SURE = 1e-6  # a right strategy fails once in a million runs


@pytest.mark.parametrize("players", list(OFFICIAL))
@pytest.mark.parametrize("side", [0, 1])
def test_random_games_win_no_less_than_certified(players: int, side: int) -> None:
    solution = ruse.solve(ruse.games.resistance(players))
    results = random_games(solution, side, GAMES, seed=players)
    won = results[Fraction(1 if side == 1 else -1)]
    share = float(solution.win[solution.game.sides[1 - side]])
    assert results.total() == GAMES
    assert binomtest(won, GAMES, share, alternative="less").pvalue > SURE


@pytest.mark.parametrize("players", list(OFFICIAL))
@pytest.mark.parametrize("side", [0, 1])
def test_optimal_games_win_as_certified(players: int, side: int, tmp_path: Path) -> None:
    """Both follow the solution; each session is taken from its file halfway, as after a restart."""
    solution = ruse.solve(ruse.games.resistance(players))
    mine, kept, won = solution.strategy(side), Sessions(tmp_path), 0
    for number in range(GAMES):
        chance = Random(f"{players}/{side}/{number}")
        session = begin(solution, side, seed=chance.randrange(1 << 53))
        while not session.over:
            move = drawn(mine.at(session.position), chance.randrange(1 << 53), 0)
            session = play(session, session.number, move)
            if session.number == 3:
                kept.save(session)
                again = kept.load(session.id, lambda _: solution)
                assert (again.moves, again.states) == (session.moves, session.states)
                session = again
        won += session.gain > 0
    share = float(solution.win[solution.game.sides[side]])
    assert binomtest(won, GAMES, share).pvalue > SURE
