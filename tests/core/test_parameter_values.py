"""Built-in factories take from Python what the command line takes as text, or refuse it in one sentence."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.core.game import RuseError
from ruse.core.parameters import UnknownParameter
from ruse.core.registry import elsewhere, games, make, parameters_of
from ruse.formats.efg import write_efg

NEEDED: dict[str, dict[str, object]] = {"matrix": {"payoffs": "0 1; 1 0"}}
EXTRA: dict[tuple[str, str], object] = {  # values of parameters that are left out by default
    ("resistance", "spies"): 1,
    ("resistance", "missions"): [2, 2, 2, 3, 3],
    ("resistance", "sabotages"): [1, 1, 1, 2, 1],
    ("avalon", "spies"): 2,
    ("avalon", "missions"): [2, 2, 2, 3, 3],
    ("avalon", "sabotages"): [1, 1, 1, 2, 1],
    ("matrix", "rows"): ["up", "down"],
    ("matrix", "columns"): ["left", "right"],
}
CASES = [
    (game, one.name.replace("-", "_"), EXTRA.get((game, one.name), one.default))
    for game in games()
    for one in parameters_of(game)
    if EXTRA.get((game, one.name), one.default) is not None
]
ODD: list[Any] = [
    {},
    {"a": 1},
    set(),
    object(),
    b"2",
    -1,
    0,
    1.5,
    True,
    "",
    "x",
    [],
    [None],
    [[]],
    (1, "x"),
    [["a"], 2],
]


def spellings(value: Any) -> list[Any]:
    """Every way to pass one value from Python."""
    if isinstance(value, bool):
        return [value, "yes" if value else "no"]
    if isinstance(value, list | tuple):
        texts = [str(entry) for entry in value]
        arrays = [np.array(value)] if isinstance(value[0], int) else []
        return [list(value), tuple(value), ",".join(texts), texts, tuple(texts), *arrays]
    if isinstance(value, int):
        return [value, str(value), np.int64(value)]
    if isinstance(value, Fraction):
        return [value, str(value)]
    return [value, value.split(",")] if "," in value else [value]


@pytest.mark.parametrize(("game", "name", "value"), CASES, ids=[f"{game}-{name}" for game, name, _ in CASES])
def test_every_spelling_of_a_value_makes_one_game(game: str, name: str, value: object) -> None:
    factory, needed = games()[game].factory, NEEDED.get(game, {})
    ways = spellings(value)
    made = [factory(**needed, **{name: way}) for way in ways] + [make(game, needed | {name: way}) for way in ways]
    assert {one.title for one in made} == {made[0].title}
    assert all(one.parameters == made[0].parameters for one in made)
    assert factory(**needed, **{name: None}).parameters == factory(**needed).parameters


@pytest.mark.parametrize("game", [*games(), *elsewhere()])
def test_odd_values_are_refused_in_a_sentence(game: str) -> None:
    spec = games().get(game) or elsewhere()[game]
    for one in parameters_of(game):
        for value in ODD:
            try:
                spec.factory(**{**NEEDED.get(game, {}), one.name.replace("-", "_"): value})
            except RuseError as error:
                assert "\n" not in str(error)


def test_roles_as_a_list_and_truth_as_text() -> None:
    game = ruse.games.avalon(roles=["merlin", "assassin", "mordred"], talk="round", truth="1")  # type: ignore[arg-type]
    assert game.title == "avalon(players=5,roles=merlin-assassin-mordred,talk=round,truth=1:1)"
    assert game.truth == 1


def test_payoffs_as_rows() -> None:
    rows: Any = [[0, Fraction(1, 2)], [-1, 2]]
    assert ruse.games.matrix(rows).parameters == {"payoffs": "0 1/2; -1 2"}
    assert ruse.games.matrix(payoffs=np.array([[0, 1], [2, 3]])).parameters == {"payoffs": "0 1; 2 3"}  # type: ignore[arg-type]


def test_files_as_paths(tmp_path: Path) -> None:
    file: Any = tmp_path / "game.efg"
    file.write_text(write_efg(ruse.games.kuhn()))
    assert ruse.solve(ruse.games.efg(file=file)).value == Fraction(-1, 18)


def test_wrong_names_and_places() -> None:
    with pytest.raises(UnknownParameter, match=r"has no parameter 'rols'; did you mean 'roles'"):
        ruse.games.avalon(rols="merlin")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes from 0 to 1 positional arguments but 2 were given"):
        ruse.games.goofspiel(3, 4)  # type: ignore[call-arg]
