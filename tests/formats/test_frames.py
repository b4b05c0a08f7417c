"""Strategies as tables: exact there and back, and certified again from the file alone."""

from __future__ import annotations

import csv
import doctest
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from ruse.formats import frames
from ruse.formats.frames import TableError, read_table, rows, tables, to_arrow, to_pandas, to_polars
from ruse.forms.certificate import Certificate
from ruse.solution.strategy import Solution
from ruse.verify.verifier import bounds

COLUMNS = ["side", "position", "move", "odds", "share", "reached"]
WRITERS = (frames.write_csv, frames.write_parquet)


def solution_of(*tables: dict[str, dict[str, Fraction]]) -> Solution:
    first, second = tables
    return Solution(ruse.games.kuhn(), "by hand", (first, second), Certificate(Fraction(-1), Fraction(1)), 0.0, 0)


@pytest.fixture(scope="module")
def solution() -> Solution:
    return ruse.solve(ruse.games.kuhn(), "lp")


@pytest.mark.parametrize("game", [ruse.games.kuhn(), ruse.games.leduc(), ruse.games.rock_paper_scissors("1/2")])
def test_a_file_certifies_like_the_solution(game: ruse.Game, tmp_path: Path) -> None:
    solution = ruse.solve(game)
    for write in WRITERS:
        found = read_table(write(solution, tmp_path / "strategies"))
        assert found == solution.tables
    assert bounds(game, found) == solution.certificate


POSITIONS = st.text(min_size=1, max_size=8).filter(lambda text: text.isprintable())
LONG = st.builds(Fraction, st.integers(0, 10**30), st.integers(1, 10**30))
STRATEGIES = st.dictionaries(POSITIONS, st.dictionaries(POSITIONS, LONG, min_size=1, max_size=3), max_size=3)


@settings(max_examples=some(40))
@given(STRATEGIES, STRATEGIES)
def test_any_text_and_any_fraction_survives(
    first: dict[str, dict[str, Fraction]], second: dict[str, dict[str, Fraction]]
) -> None:
    """Commas, quotes and whatever else positions hold; the rows of frames can be read back too."""
    solution = solution_of(first, second)
    assert tables(rows(solution)) == (first, second)
    assert tables(to_polars(solution).rows()) == (first, second)
    assert tables(to_pandas(solution).itertuples(index=False)) == (first, second)
    assert tables(zip(*to_arrow(solution).to_pydict().values(), strict=True)) == (first, second)


@pytest.mark.parametrize("write", WRITERS)
def test_fractions_of_thousands_of_digits(write: type, tmp_path: Path) -> None:
    long = Fraction(3**20_000, 7**12_000)  # about 9,500 and 10,100 digits
    table = {'kuhn@K, "the" best': {"check": long, "bet": 1 - long}}
    found = read_table(write(solution_of(table, {}), tmp_path / "long"))
    assert found == (table, {})


def test_columns_and_their_types(solution: Solution) -> None:
    assert list(rows(solution)[0]._fields) == COLUMNS
    kinds = (polars.Int8, polars.String, polars.String, polars.String, polars.Float64, polars.Boolean)
    assert dict(to_polars(solution).schema) == dict(zip(COLUMNS, kinds, strict=True))
    frame = to_pandas(solution)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == COLUMNS
    assert frame.side.dtype == "int8" and frame.share.dtype == "float64"
    assert frame.groupby(["side", "position"]).share.sum().tolist() == pytest.approx([1.0] * 12)
    text = pyarrow.string()
    assert to_arrow(solution).schema.types == [pyarrow.int8(), text, text, text, pyarrow.float64(), pyarrow.bool_()]
    assert [field.name for field in to_arrow(solution).schema if field.nullable] == ["reached"]
    assert frame.reached.dtype == "boolean"


def test_parquet_says_what_it_is_about(solution: Solution, tmp_path: Path) -> None:
    schema = pyarrow.parquet.read_schema(frames.write_parquet(solution, tmp_path / "kuhn.parquet"))
    about = json.loads(schema.metadata[b"ruse"])
    assert about["game"] == "kuhn" and about["parameters"] == {} and about["solver"] == "lp"
    assert about["certificate"] == {"lower": "-1/18", "upper": "-1/18", "exact": True, "proof": "form"}
    assert about["sides"] == ["first", "second"] and "python" in about["versions"]


def test_csv_as_others_read_it(solution: Solution, tmp_path: Path) -> None:
    path = frames.write_csv(solution, tmp_path / "kuhn.csv")
    with path.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["odds"] for row in found] == [row.odds for row in rows(solution)]
    assert polars.read_csv(path).columns == pandas.read_csv(path).columns.tolist() == COLUMNS
    polars.read_csv(path, schema_overrides={"odds": polars.String}).write_csv(tmp_path / "again.csv")
    assert read_table(tmp_path / "again.csv") == solution.tables


def test_an_old_file_stays_if_the_new_one_fails(
    solution: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = frames.write_csv(solution, tmp_path / "kuhn.csv")
    before = path.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(TableError, match=r"cannot write to .*: no space left on device"):
        frames.write_csv(solution, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


HEAD = "side,position,move,odds,share\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected the columns side, position, move, odds, share, got ''"),
        ("position,move\n", "expected the columns side"),
        (HEAD + "2,kuhn@K,bet,1,1.0\n", "expected side 0 or 1 in row 1, got '2'"),
        (HEAD + "0,kuhn@K,bet,0.5,0.5\n", "expected a fraction such as 2/3"),
        (HEAD + "0,kuhn@K,bet,1/0,0.5\n", "expected a fraction such as 2/3"),
        (HEAD + "0,kuhn@K,bet,,0.5\n", "expected texts as position, move and odds in row 1"),
        (HEAD + "0,kuhn@K,bet\n", "expected 5 entries in row 1, got 3"),
        (HEAD + "0,kuhn@K,bet,1,1.0\n0,kuhn@K,bet,1,1.0\n", "got 'bet' at 'kuhn@K' again in row 2"),
        (HEAD + '0,"kuhn@K,bet,1,1.0\n', "this is not CSV in UTF-8"),
        (HEAD + "0,kuhn@K,bet," + "1" * 140_000, "this is not CSV in UTF-8: field larger"),
        ("side,\udcff", "this is not CSV in UTF-8"),
        ("PAR1 and no more", "this is not Parquet"),
    ],
)
def test_bad_tables(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(TableError) as caught:
        read_table(path)
    assert reason in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value).endswith(f"({path})")


def test_parquet_with_holes_or_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"side": [0], "position": ["p"], "move": ["m"], "odds": [None]}), path)
    with pytest.raises(TableError, match="expected texts as position, move and odds in row 1"):
        read_table(path)
    pyarrow.parquet.write_table(pyarrow.table({"odds": ["1"]}), path)
    with pytest.raises(TableError, match="expected the columns side"):
        read_table(path)


def test_files_that_are_none(solution: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TableError, match="no such file or directory"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(TableError, match="it is a folder"):
        read_table(tmp_path)
    with pytest.raises(TableError, match="it is a folder"):
        frames.write_csv(solution, tmp_path)
    with pytest.raises(TableError, match="no such file or directory"):
        frames.write_parquet(solution, tmp_path / "none" / "kuhn.parquet")
    monkeypatch.setattr(frames, "MOST_BYTES", 10)
    with pytest.raises(TableError, match="it has more than 10 bytes"):
        read_table(frames.write_csv(solution, tmp_path / "kuhn.csv"))


@pytest.mark.parametrize("name", ["pyarrow", "polars", "pandas"])
def test_without_the_extra(solution: Solution, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    make = {"pyarrow": to_arrow, "polars": to_polars, "pandas": to_pandas}[name]
    message = f"this needs the package {name}; install it with pip install 'ruse["
    with pytest.raises(TableError, match=re.escape(message)):
        make(solution)


def test_the_page_about_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "tables.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "tables.md", "tables.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
