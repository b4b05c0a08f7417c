"""The sequence-form LP as MPS, read back and solved by HiGHS."""

from __future__ import annotations

import io
import re
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import pytest
from hypothesis import given, settings

import ruse
from amounts import some
from golden import games
from ruse.core.game import Game
from ruse.formats.mps import write_mps
from ruse.forms.certificate import certify
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solvers.lp import lp
from ruse.solvers.plans import exact_plan
from ruse.solvers.sequence_lp import sequence_lp
from toys import random_games

SMALL = [(game, value) for title, game, value, _ in games() if title in ("kuhn", "leduc", "kubicek", "mini-poker")]


def written(form: FormArrays, side: int = 0, game: Game | None = None) -> str:
    stream = io.StringIO()
    write_mps(form, stream, side, game)
    return stream.getvalue()


def read(text: str, free: bool = True) -> Any:
    """What HiGHS makes of an MPS file."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mps_parser_type_free", free)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mps"
        path.write_text(text, encoding="utf-8")
        assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    return highs


def value_of(highs: Any, side: int, form: FormArrays) -> float:
    """The value as the first comment of a file says."""
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float((-1, 1)[side] * highs.getInfo().objective_function_value / form.denominator)


@pytest.mark.parametrize("free", [True, False], ids=["free", "fixed"])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("game", "value"), SMALL, ids=[game.title for game, _ in SMALL])
def test_highs_finds_the_value(game: Game, value: Fraction, side: int, free: bool) -> None:
    form = sequence_form(game)
    assert value_of(read(written(form, side, game), free), side, form) == pytest.approx(float(value), abs=1e-9)


@settings(max_examples=some(30))
@given(random_games())
def test_random_games(game: Game) -> None:
    form = sequence_form(game)
    value = float(lp(form).certificate.lower)
    for side in (0, 1):
        assert value_of(read(written(form, side)), side, form) == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize("side", [0, 1])
def test_it_is_the_program_that_ruse_solves(side: int) -> None:
    """Column by column and row by row, in whole numbers."""
    form = sequence_form(ruse.games.leduc())
    program, found = sequence_lp(form, side), read(written(form, side)).getLp()
    assert np.array_equal(found.col_cost_, program.cost)
    assert np.array_equal(found.col_lower_, program.lower) and np.array_equal(found.col_upper_, program.upper)
    assert np.array_equal(found.row_lower_, program.rows.lower) and np.array_equal(found.row_upper_, program.rows.upper)
    theirs, ours = (
        {
            (row, column): value
            for row in range(len(starts) - 1)
            for column, value in zip(
                columns[starts[row] : starts[row + 1]], values[starts[row] : starts[row + 1]], strict=True
            )
        }
        for starts, columns, values in (
            (found.a_matrix_.start_, found.a_matrix_.index_, found.a_matrix_.value_),
            (program.rows.start.tolist(), program.rows.column.tolist(), program.rows.value.tolist()),
        )
    )
    assert {(row, column): value for (column, row), value in theirs.items()} == ours  # HiGHS has it by columns


def test_names_lead_back_to_plans() -> None:
    """The columns x and the duals of the rows y are optimal plans."""
    game = ruse.games.kuhn()
    form = sequence_form(game)
    highs = read(written(form, 0, game))
    highs.run()
    found, solved = highs.getLp(), highs.getSolution()
    first = [
        Fraction(round(60 * weight), 60)
        for name, weight in zip(found.col_names_, solved.col_value, strict=True)
        if name[0] == "x"
    ]
    second = [
        Fraction(round(60 * weight), 60)
        for name, weight in zip(found.row_names_, solved.row_dual, strict=True)
        if name[0] == "y"
    ]
    plans = exact_plan(form.trees[0], first), exact_plan(form.trees[1], second)
    assert certify(form, plans).lower == certify(form, plans).upper == Fraction(-1, 18)


@pytest.mark.parametrize("side", [0, 1])
def test_comments_name_everything(side: int) -> None:
    game = ruse.games.kuhn()
    text = written(sequence_form(game), side, game)
    comments = dict(re.findall(r"^\* ([xypq]\d+) (.*)$", text, re.MULTILINE))
    names = set(re.findall(r"^ (?:E|G|FR BND) +([xypq]\d+)$", text, re.MULTILINE)) | set(
        re.findall(r"^    ([xypq]\d+) ", text, re.MULTILINE)
    )
    assert names - set(comments) == {("q0", "p0")[side]}  # the value of the whole game
    assert not set(comments) - names
    assert "kuhn@K/check/bet call" in comments.values() and "kuhn@J/bet fold" in comments.values()


def test_numbers_longer_than_floats_are_written_in_full() -> None:
    long = 10**5_000 + 1
    form = sequence_form(ruse.games.matrix("1 0; 0 1"))
    form = FormArrays(form.trees, form.rows, form.columns, np.array([long, long], dtype=object), 3)
    text = written(form)
    assert "* some numbers have more than 53 bits" in text
    assert f" {'1' + '0' * 4_999 + '1'}\n" in text
    assert "53 bits" not in written(sequence_form(ruse.games.kuhn()))
