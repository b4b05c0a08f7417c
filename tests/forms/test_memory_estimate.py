"""How large a form will be, from a part of the walk: exact where nothing was left out, near elsewhere."""

from __future__ import annotations

import tracemalloc
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

import ruse
from ruse.core import size_estimate
from ruse.core.capabilities import Bulk
from ruse.core.contract import checked
from ruse.core.game import Game, GameError
from ruse.forms import memory_estimate, sampled_walk
from ruse.forms.memory_estimate import SLACK, FormEstimate, estimate_by_rules, estimate_form, estimate_on_arrays
from ruse.forms.sampled_walk import one_in
from ruse.forms.sequence_form import FormArrays, plain_form, sequence_form
from ruse.forms.vectorised import bulk_form
from ruse.games import make
from toys import OneCard

SMALL: list[tuple[str, Mapping[str, object]]] = [
    ("leduc", {}),
    ("liars-dice", {"faces": 3}),
    ("goofspiel", {"cards": 4}),
    ("battleship", {"board": "2x3", "ships": [1, 3, 2], "values": [1, 1, 5], "shots": 1}),
    ("resistance", {"players": 3, "spies": 1, "missions": [1, 2, 1, 2, 2]}),
    ("oshi-zumo", {}),
]
LARGER: list[tuple[str, Mapping[str, object]]] = [
    ("liars-dice", {"faces": 6}),
    ("goofspiel", {"cards": 6}),
    ("battleship", {"board": "2x3", "shots": 2}),
    ("resistance", {"players": 4, "spies": 2, "missions": [1, 2, 1, 2, 2]}),
    ("oshi-zumo", {"coins": 8}),
]


def counts(form: FormArrays) -> list[int]:
    trees = form.trees
    return [len(form.payoffs), *(tree.infosets for tree in trees), *(tree.sequences for tree in trees)]


def estimated(found: FormEstimate) -> list[int]:
    return [found.entries, *found.sets, *found.sequences]


def near(found: FormEstimate, form: FormArrays) -> bool:
    assert not found.exact
    return all(abs(one - other) <= other / 4 for one, other in zip(estimated(found), counts(form), strict=True))


@pytest.mark.parametrize(("name", "parameters"), SMALL, ids=str)
def test_what_leaves_nothing_out_is_exact_on_arrays_and_by_the_rules(name: str, parameters: Mapping[str, Any]) -> None:
    game = make(name, parameters)
    assert isinstance(game, Bulk)
    for found in (estimate_on_arrays(game, 10**6), estimate_by_rules(game, 10**6, 10**6)):
        assert found.exact
        assert estimated(found) == counts(sequence_form(game))
        assert found.building >= found.built > 0


@pytest.mark.parametrize(("name", "parameters"), LARGER, ids=str)
def test_a_part_of_each_level_tells_of_all(name: str, parameters: Mapping[str, Any]) -> None:
    game = make(name, parameters)
    assert isinstance(game, Bulk)
    found = estimate_on_arrays(game, 3_000)
    tracemalloc.start()
    form = bulk_form(game)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert near(found, form)
    assert 0.75 * most <= found.building / SLACK <= 1.3 * most
    assert estimated(found) == estimated(estimate_on_arrays(game, 3_000))  # by its seed


@pytest.mark.parametrize(
    "game", [OneCard(40), ruse.games.goofspiel(5), ruse.games.liars_dice(5)], ids=["one card", "goofspiel", "dice"]
)
def test_a_part_of_the_rules_tells_of_all(game: Game) -> None:
    assert near(estimate_by_rules(game, size_estimate.nodes(game), 600), sequence_form(game))


def test_objects_are_as_large_as_they_were_said_to_be() -> None:
    game = ruse.games.leduc()
    found = estimate_by_rules(game, 10**6)
    tracemalloc.start()
    plain_form(game)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.75 * most <= found.building / SLACK <= 1.3 * most


def test_each_stays_as_often_as_the_others() -> None:
    random, times = Random(0), [0] * 10
    for _ in range(3_000):
        for place in one_in(10, 4, random):
            times[place] += 1
    assert all(650 < many < 850 for many in times)  # a quarter of the times, give or take


def test_where_little_can_be_left_out_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_estimate, "MOST_MOVES", 500)
    assert estimate_form(OneCard(40), 1) is None
    monkeypatch.setattr(sampled_walk, "MOST_NODES", 500)
    assert estimate_form(ruse.games.goofspiel(4), 1) is None
    assert estimate_form(ruse.games.nim(), 1) is None  # has no tree


def test_what_is_wrong_with_the_rules_is_left_to_the_walk() -> None:
    class Shy(OneCard):
        def knows(self, state: tuple[int, int, str], side: int) -> Any:
            if state[1] < 0:
                raise ValueError("not yet")
            return super().knows(state, side)

    assert estimate_form(Shy(60), 1) is None
    assert len(sequence_form(Shy(5)).payoffs) > 0
    with pytest.raises(GameError, match="the rules fail to say what first knows"):
        checked(Shy(5)).knows((-1, -1, ""), 0)
