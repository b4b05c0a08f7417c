"""Solutions and strategies as people meet them in Python: names, representations, errors."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import ruse
from ruse.core.game import GameError, PositionError
from ruse.forms.certificate import Certificate


def test_a_solution_introduces_itself() -> None:
    solution = ruse.solve(ruse.games.resistance(5))
    assert repr(solution).startswith("<solution of resistance-5: resistance wins 30% (3/10), spies 70% (7/10); exact")
    assert repr(solution.strategy("spies")) == "<strategy of the spies in resistance-5: 136 positions>"
    assert "<caption>resistance-5: resistance wins 30%" in solution._repr_html_()
    assert "-2/5 ≤ value ≤ -2/5" in solution._repr_html_()
    assert "<details><summary>both strategies in words</summary>" in solution._repr_html_()
    assert "mission 1 or 3: pass" in solution._repr_html_()
    assert "<details>" not in ruse.solve(ruse.games.resistance(8))._repr_html_()  # thousands of positions
    assert "resistance-5" in solution.__rich__()


def test_markup_in_names_stays_text() -> None:
    game = ruse.games.matrix("1 2; 3 4", rows=["<b>", "x"], columns=["y", "z"])
    assert "<b>" not in ruse.solve(game)._repr_html_()


def test_bounds_that_differ_are_said() -> None:
    solution = ruse.solve(ruse.games.kuhn())
    loose = replace(solution, certificate=Certificate(Fraction(-1, 2), Fraction(1, 2), "form"))
    assert loose.value == 0.0 and isinstance(loose.value, float)
    assert loose.headline() == "kuhn: worth between -0.5 and 0.5 to Player 1; not exact"
    assert loose.to_json()["value"] == {"exact": None, "float": 0.0}
    assert loose.to_json()["certificate"] == {"lower": "-1/2", "upper": "1/2", "exact": False, "proof": "form"}
    assert loose.certificate.gap == 1


def test_sides_without_a_name_of_their_own_are_players_in_sentences_only() -> None:
    solution = ruse.solve(ruse.games.liars_dice(3))
    assert "Player 1 wins" in solution.headline() and "Player 2" in solution.headline()
    assert list(solution.win) == ["first", "second"] == list(solution.to_json()["win"])


def test_a_value_of_0_is_a_draw_only_where_play_is_drawn() -> None:
    assert ruse.solve(ruse.games.tic_tac_toe()).headline() == "tic-tac-toe: a draw; exact"
    assert ruse.solve(ruse.games.morra(1)).headline().startswith("morra(fingers=1): even (Player 1 wins ")
    assert "worth 0 to Player 1" in ruse.solve(ruse.games.rock_paper_scissors()).headline()


def test_sides_by_number_and_name() -> None:
    solution = ruse.solve(ruse.games.kuhn())
    for name in (0, "first", "Player 1", "player 1"):
        assert solution.strategy(name) is solution.strategy(0)
    assert ruse.solve(ruse.games.resistance(5)).strategy("Spies").side == 1
    for wrong in (2, "dragons", -1):
        with pytest.raises(PositionError, match="is not a side of kuhn; use 0, 1, Player 1 or Player 2"):
            solution.strategy(wrong)


def test_a_position_of_nobody() -> None:
    with pytest.raises(PositionError, match="expected a position of kuhn where Player 1 moves, got 'kuhn@A'"):
        ruse.solve(ruse.games.kuhn()).strategy(0).at("kuhn@A")


def test_words_are_both_strategies() -> None:
    text = ruse.solve(ruse.games.kuhn()).words()
    assert "side: first\n" in text and "side: second\n" in text and text.startswith("# kuhn: worth -1/18")


def test_trees_that_are_too_large_are_refused() -> None:
    game = ruse.games.resistance(8)
    with pytest.raises(GameError, match=r"has 630,077,544,264 nodes, and at most 1,000,000 fit: .* symmetry on"):
        ruse.solve(game, symmetry=False)
    with pytest.raises(GameError, match="use the solver lazy-lp"):
        ruse.solve(game, "lp")


def test_a_position_that_is_refused_is_told_as_it_was_typed() -> None:
    """Not as it is filed, under other names of seats."""
    spies = ruse.solve(ruse.games.resistance(5)).strategy("spies")
    with pytest.raises(PositionError, match=r"names the spies, .* got 'resistance-5/cd[+]/abe-/cd[?]'"):
        spies.at("resistance-5/cd+/abe-/cd?")
