"""Dataclasses as JSON: what Python writes by itself, and what pages write by pydantic."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from pydantic import TypeAdapter, ValidationError

import processes
from ruse.core.jsonable import HIDDEN, Exact, jsonable
from ruse.explorer.models import PositionModel
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.scores import AnswerTally
from ruse.present.model import Belief, Chip, Option, RoleOdds, Seat

THIRD = Fraction(-1, 3)
LONG = Fraction(10**5000 + 1, 7)  # more digits than Python turns into a text by itself


@dataclass(frozen=True)
class Inner:
    odds: Exact
    """how likely"""
    secret: str = field(default="s", metadata=HIDDEN)


@dataclass(frozen=True)
class Outer:
    name: str
    inner: Sequence[Inner]
    by_move: Mapping[str, Exact | None]


@pytest.mark.parametrize(
    "value",
    [
        Outer("x", [Inner(THIRD), Inner(LONG)], {"a": Fraction(2), "b": None}),
        Option("bet", THIRD, None, LONG, "kuhn@K/bet", "a bluff"),
        Belief("K", THIRD, "kuhn@K"),
        Chip("check", "kuhn@K/check"),
        Seat("a", ["+", ""], THIRD, LONG, {"merlin": RoleOdds(THIRD, LONG)}),
        AnswerTally(3, 2, THIRD),
        Picture(["you hold K"], Grid("", [Cell("", "row")], [[Cell("x", kind="mine")]])),
    ],
    ids=lambda value: type(value).__name__,
)
def test_python_and_pydantic_write_the_same(value: object) -> None:
    adapter: TypeAdapter[object] = TypeAdapter(type(value))
    written = json.loads(adapter.dump_json(value))
    assert written == jsonable(value) == json.loads(json.dumps(jsonable(value)))
    assert set(written) == set(adapter.json_schema(mode="serialization")["properties"])


def test_a_docstring_describes_its_field() -> None:
    shown = PositionModel.model_json_schema(mode="serialization")["$defs"]["Option"]["properties"]
    assert shown["after"]["description"].startswith("the position that the same side is in then")
    assert shown["odds"]["description"] == "under the stored strategies" and shown["odds"]["format"] == "fraction"


@pytest.mark.parametrize("odds", [0.5, "1/2", 1])
def test_a_number_that_is_no_fraction_is_refused(odds: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Exact).validate_python(odds)


def test_nobody_who_only_solves_loads_pydantic() -> None:
    program = "import sys, ruse; import ruse.view, ruse.insight, ruse.play.scores; print('pydantic' in sys.modules)"
    found = processes.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
