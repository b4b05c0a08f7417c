"""Trees of states: what is open, what is joined, what is found."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruse.core.game import PositionError
from ruse.core.jsonable import jsonable
from ruse.present.state_picture import picture
from ruse.present.state_tree import MOST_NODES, StateTree, TreeSelection
from ruse.present.tree import TreeViewer
from viewing import viewed


def tree(position: str, game: str = "kuhn", **asked: object) -> StateTree:
    views = viewed(game)
    assert isinstance(views, TreeViewer)
    return StateTree(views, TreeSelection(position, **asked))  # type: ignore[arg-type]


def test_states_that_a_side_cannot_tell_apart_have_one_number_and_no_others_do() -> None:
    told = jsonable(tree("kuhn", depth=8).listed())
    assert len(told) == 55 and all(node["open"] or not node["below"] for node in told)
    known = [(node["turn"], node["position"], node["set"]) for node in told if node["set"] is not None]
    assert len({number for *_, number in known}) == len(set(known)) == 12  # six of each side
    drawn = picture(tree("kuhn", depth=8))
    assert drawn.count('class="joined side0"') == 6 and drawn.count('class="joined side1"') == 6


def test_odds_and_values_add_up() -> None:
    told = {node["state"]: node for node in jsonable(tree("kuhn", depth=8).listed())}
    assert told[0]["value"] == "-1/18" and told[0]["below"] == len(told) - 1
    for node in told.values():
        after = [one for one in told.values() if one["parent"] == node["state"]]
        if after:
            assert sum(Fraction(one["odds"]) for one in after) == 1
            assert sum(Fraction(one["odds"]) * Fraction(one["value"]) for one in after) == Fraction(node["value"])
            assert sum(Fraction(one["often"]) for one in after) == Fraction(node["often"])


def test_a_state_is_opened_shut_and_made_the_root() -> None:
    start = tree("kuhn", depth=0)
    assert len(start.shown) == 1 and "+ 54" in picture(start)
    assert [node.state for node in tree("kuhn", depth=0, opened=[0]).shown] == list(range(7))
    assert [node.state for node in tree("kuhn", depth=2, shut=[0]).shown] == [0]
    below = tree("kuhn", depth=1, root=1)
    assert {node.parent for node in below.listed()} == {None, 1} and below.steps(1) == ["JQ"]


def test_the_states_of_a_position_are_shown_whatever_is_open() -> None:
    found = tree("kuhn@K/check/bet", depth=0)
    shown = {node.state for node in found.shown}
    assert len(found.members) == 2 and found.members <= shown
    assert picture(found).count('class="ring"') == 2


def test_trees_stay_small_and_say_what_they_leave_out() -> None:
    wide = tree("leduc", "leduc", depth=8)
    assert wide.cut and len(wide.shown) <= MOST_NODES
    opened = tree("leduc", "leduc", depth=8, opened=range(5000))
    assert len(opened.shown) == MOST_NODES


def test_a_move_or_part_of_a_position_is_found() -> None:
    start = tree("kuhn")
    hits, total = start.find("bet")
    assert total == len(hits) == 12 and {start.nodes.step[at] for at in hits} == {"bet"}
    hits, total = start.find("jq, check bet")
    assert [start.steps(at) for at in hits] == [["JQ", "check", "bet"]] and total == 1
    hits, total = start.find("K/check/b")
    assert total and all(any(known[at].startswith("kuhn@K/check/bet") for known in start.nodes.known) for at in hits)
    assert start.find("nothing like that") == ([], 0) and start.find(" ") == ([], 0)


def test_a_state_that_is_not_there() -> None:
    with pytest.raises(PositionError, match="expected the number of a state below 55, got 55"):
        tree("kuhn", root=55)
