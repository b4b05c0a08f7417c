"""Public states: all hands of whoever moves, weighed by both strategies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruse.core.game import CHANCE, END, describe
from ruse.present.public import apart, public_states
from ruse.present.tree import TreeViewer
from viewing import solved, viewed

F = Fraction
GAMES = [
    ("kuhn",),
    ("kubicek",),
    ("goofspiel", ("cards", 3)),
    ("liars-dice", ("faces", 3)),
    ("morra",),
    ("mini-poker",),
]


@pytest.mark.cases(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_public_states_part_the_information_sets(game: tuple[object, ...]) -> None:
    """Every information set is a hand of exactly one public state, and hands together are certain."""
    views = viewed(*game)  # type: ignore[arg-type]
    assert isinstance(views, TreeViewer)
    states: dict[tuple[int, str], frozenset[tuple[int, str]]] = {}
    for side, sets in enumerate(views.nodes.sets):
        for position in sets.index:
            held = views.hands(position, side)
            assert sum(one.odds for one in held) == 1
            states[side, position] = frozenset((one.side, one.position) for one in held)
            assert (side, position) in states[side, position]
    for hands in states.values():
        assert all(states[hand] == hands for hand in hands)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_how_likely_a_hand_is(game: tuple[object, ...]) -> None:
    """Against a walk of the rules: how often play comes to each information set of a public state."""
    views, solution = viewed(*game), solved(*game)  # type: ignore[arg-type]
    rules = solution.game
    often: dict[tuple[int, str], Fraction] = {}
    stack = [(rules.start(), F(1))]
    while stack:
        state, weight = stack.pop()
        turn = rules.turn(state)
        if turn == END:
            continue
        moves = rules.moves(state)
        if turn == CHANCE:
            odds = list(rules.odds(state))
        else:
            position = describe(rules, rules.knows(state, turn))
            often[turn, position] = often.get((turn, position), F(0)) + weight
            stored = solution.strategy(turn).at(position)
            odds = [stored[rules.label(move)] for move in moves]
        stack += [(rules.play(state, move), weight * share) for move, share in zip(moves, odds, strict=True)]
    for (side, position), weight in often.items():
        held = views.hands(position, side)
        total = sum(often[one.side, one.position] for one in held)
        if total:
            mine = next(one.odds for one in held if (one.side, one.position) == (side, position))
            assert mine == weight / total, position


def test_hands_of_kuhn_poker_after_a_check() -> None:
    (state,) = public_states(viewed("kuhn"), "kuhn@K/check", 1)
    assert (state.side, list(state.steps), list(state.moves)) == (1, ["check"], ["check", "bet"])
    assert [hand.name for hand in state.hands] == ["J", "Q", "K"]
    assert state.often("check") + state.often("bet") == 1 and state.reached
    assert public_states(viewed("kuhn"), "kuhn@J/check")[0].hands == state.hands  # whoever asks


def test_a_deal_that_nobody_sees_is_passed_over_and_one_that_all_see_is_not() -> None:
    (state,) = public_states(viewed("kuhn"), "kuhn")
    assert (state.side, list(state.steps), [hand.odds for hand in state.hands]) == (0, [], [F(1, 3)] * 3)
    leduc = viewed("leduc")
    assert public_states(leduc, "leduc@Ks/call/call") == []  # six cards may come
    (state,) = public_states(leduc, "leduc@Ks/call/call/Qh")
    assert [hand.name for hand in state.hands] == ["Js", "Jh", "Qs", "Ks", "Kh"]
    assert list(state.steps) == ["call", "call", "Qh"]


def test_hands_where_optimal_play_never_comes_are_weighed_by_slips() -> None:
    (state,) = public_states(viewed("leduc"), "leduc@Js/raise/raise")
    assert sum(hand.odds for hand in state.hands) == 1


def test_hands_of_the_spies_are_what_the_resistance_believes() -> None:
    views = viewed("resistance")
    for position in ("resistance-5/ab?", "resistance-5/ab+/abc?", "resistance-5/ab-/acd?"):
        (state,) = public_states(views, position)
        beliefs = {one.what.removeprefix("spies "): one.odds for one in views.at(position, 0).beliefs}
        assert state.side == 1 and {hand.name: hand.odds for hand in state.hands} == beliefs
        spied = position.replace("resistance-5", "resistance-5@bc")
        assert public_states(views, spied)[0].hands == state.hands
    (state,) = public_states(views, "resistance-5/ab+")
    assert (state.side, [hand.name for hand in state.hands]) == (0, [""])


def test_parts_that_all_hands_share_are_public() -> None:
    assert apart("g", ["g@K/check", "g@Q/check"]) == (["check"], ["K", "Q"])
    assert apart("g", ["g/4/won/2", "g/3/won/2"]) == (["won", "2"], ["4", "3"])
    assert apart("g", ["g/a/b", "g/a"]) == (["a"], ["b", ""])
    assert apart("g", ["g"]) == ([], [""])
