"""Public trees: what stands in them, that they are those of the rules, and that others are refused."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from ruse.core.capabilities import Public
from ruse.core.game import END, GameError
from ruse.forms.public_check import against_rules
from ruse.forms.public_tree import counted, node_of, public_tree
from ruse.forms.sequence_form import sequence_form
from ruse.games import battleship, kuhn, leduc, liars_dice

GAMES = [kuhn(), leduc(), liars_dice(1), liars_dice(3), liars_dice(2, 2), liars_dice(1, 3)]
GAMES += [
    liars_dice(3, wild=0),
    liars_dice(2, 2, theirs=1, wild=1, exact=True),
    liars_dice(2, 1, theirs=2, penalty="bid", exact=True),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
def test_the_tree_of_a_game_is_that_of_its_rules(game: Public) -> None:
    tree = public_tree(game)
    against_rules(game, tree)
    assert counted(game).nodes == tree.nodes
    assert list(tree.sizes()) == [(one.infosets, one.sequences) for one in sequence_form(game).trees]


def test_children_and_levels_lie_together() -> None:
    tree = public_tree(leduc())
    assert tree.first[0] == 1
    assert tree.first[-1] == tree.nodes == tree.level[-1]
    assert (np.diff(tree.first) >= 0).all()
    for low, high, below in zip(tree.level, tree.level[1:], tree.level[2:], strict=False):
        assert (tree.first[low], tree.first[high]) == (high, below)
    node, _ = node_of(tree, leduc().public(), ["call", "call", "Ks", "raise"])
    assert tree.turn[node] == 1
    assert tree.masks[0][tree.mask[0][node]].tolist() == [True] * 4 + [False, True]


def test_a_payoff_that_contradicts_the_rules_is_named_with_its_place() -> None:
    tree = public_tree(kuhn())
    wrong = tree.matrices.copy()
    wrong[0, 0, 1] += 1
    with pytest.raises(GameError, match=r"contradicts its rules at \(.*expected -?1/6 for the hands J and Q, got"):
        against_rules(kuhn(), replace(tree, matrices=wrong))


def test_hands_that_overlap_are_refused() -> None:
    tree = public_tree(kuhn())
    wrong = tree.matrices.copy()
    wrong[2, 1, 1] = 1
    with pytest.raises(GameError, match="Q and Q are never dealt together"):
        against_rules(kuhn(), replace(tree, matrices=wrong))


def test_hands_that_are_wrongly_impossible_are_refused() -> None:
    tree = public_tree(leduc())
    wrong = tree.mask[0].copy()
    wrong[tree.nodes // 2] = (wrong[tree.nodes // 2] + 1) % len(tree.masks[0])
    with pytest.raises(GameError, match="contradicts its rules at Betting"):
        against_rules(leduc(), replace(tree, mask=(wrong, tree.mask[1])))


def test_what_fleets_lose_goes_by_the_cells_that_were_fired_at() -> None:
    """What was answered rules fleets out, which then weigh nothing: no end needs a matrix of its own."""
    game = battleship(shots=2)
    tree = public_tree(game)
    ends = int((tree.turn == END).sum())
    fired = comb(4, 2) + 4  # by a side, two cells or, where the game was over before, one
    assert len(tree.matrices) <= fired**2 and ends > 20 * fired**2
