"""Solutions as bots of OpenSpiel, in its own matches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.formats import openspiel
from stored import solved

pyspiel = pytest.importorskip("pyspiel")
evaluate_bots = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots").evaluate_bots


def states(game: Any) -> list[Any]:
    """All states where a player moves."""
    found, stack = [], [game.new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            found.append(state)
        stack.extend(state.child(action) for action in state.legal_actions())
    return found


def test_it_plays_by_the_odds_of_the_solution() -> None:
    bot = ruse.bot(solved("kuhn"), seed=1)
    policy = solved("kuhn").to_openspiel()
    assert bot.provides_policy() and bot.game.get_type().short_name == "kuhn_poker"
    for state in states(bot.game):
        assert dict(bot.get_policy(state)) == pytest.approx(policy.action_probabilities(state))
        odds, move = bot.step_with_policy(state)
        assert dict(odds)[move] > 0
    (jack, *_) = [one for one in states(bot.game) if one.information_state_string() == "0"]
    counts = Counter(bot.step(jack) for _ in range(3_000))
    assert counts[1] / 3_000 == pytest.approx(1 / 3, abs=0.05)


def test_the_same_seed_gives_the_same_moves() -> None:
    first, second = (ruse.bot(solved("kuhn"), seed=4) for _ in range(2))
    assert [first.step(state) for state in states(first.game)] == [second.step(state) for state in states(first.game)]


@pytest.mark.slow
def test_matches() -> None:
    """Against itself it gets the value on average, by OpenSpiel's own referees in Python and in C++."""
    bot = ruse.bot(solved("kuhn"), seed=2)
    random = np.random.RandomState(1)
    total = sum(evaluate_bots(bot.game.new_initial_state(), [bot, bot], random)[0] for _ in range(4_000))
    assert total / 4_000 == pytest.approx(-1 / 18, abs=0.12)
    first, second = pyspiel.evaluate_bots(bot.game.new_initial_state(), [bot, bot], 7)
    assert first + second == 0 and first != 0


@pytest.mark.slow
def test_a_game_that_is_openspiels_own_and_simultaneous() -> None:
    bot = ruse.bot(ruse.solve(openspiel.load("goofspiel(num_cards=3,points_order=descending)")), seed=1)
    returns = evaluate_bots(bot.game.new_initial_state(), [bot, bot], np.random.RandomState(1))
    assert sum(returns) == 0


def test_what_is_no_bot() -> None:
    with pytest.raises(ruse.RuseError, match="expected a solution"):
        ruse.bot(ruse.games.kuhn())
    with pytest.raises(ruse.RuseError, match="OpenSpiel does not have"):
        ruse.bot(solved("resistance of three"))
    bot = ruse.bot(solved("kuhn"))
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ruse.RuseError, match="expected a state of kuhn_poker"):
        bot.step(state)
