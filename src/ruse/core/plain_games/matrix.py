"""Matrix games: both sides choose at once, and a table says what side 1 pays side 0.

The rows are side 0's choices, the columns side 1's. As a tree, side 0 picks a row and side 1 picks a
column without seeing it: `matrix/?` is all that side 1 knows. Every number is read exactly.

Positions begin with `matrix` alone. The payoffs are in `parameters` and not in the title, because a
table of fractions is no pleasure to type; so a position of a matrix game belongs to a game at hand.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, ClassVar

from ruse.core import atomic_files
from ruse.core.capabilities import Ranged
from ruse.core.clock import timed
from ruse.core.game import END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory, number

# Games in which both sides choose once, at the same time.
#
# As a tree, side 0 chooses and then side 1, without seeing it: `TITLE/?` is all that side 1 knows.

Chosen = tuple[str, ...]  # (), then the choice of side 0, then both
HIDDEN = "?"


class AtOnce(Titled):
    """All of the rules but the moves and the payoff."""

    def start(self) -> Chosen:
        return ()

    def turn(self, state: Chosen) -> int:
        return len(state) if len(state) < 2 else END

    def odds(self, state: Chosen) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Chosen, move: str) -> Chosen:
        return (*state, move)

    def knows(self, state: Chosen, side: int) -> Chosen:
        return (HIDDEN,) if side == 1 and len(state) == 1 else state

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Chosen) -> str:
        return "".join(f"/{move}" for move in knowledge)


NAME = re.compile(r"[^\s/@?()]+")


class Matrix(AtOnce):
    name = "matrix"
    sides = ("rows", "columns")
    wins: tuple[str, ...] = ()
    openspiel_name = ""  # of the same game in OpenSpiel
    provides: ClassVar[tuple[type, ...]] = (Ranged,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.play.pictures:MatrixPresentation"}

    def __init__(
        self,
        payoffs: Sequence[Sequence[Fraction]],
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        if not payoffs or not payoffs[0]:
            raise GameError("expected at least one payoff, got none")
        for place, row in enumerate(payoffs, 1):
            if len(row) != len(payoffs[0]):
                raise GameError(f"expected {len(payoffs[0])} payoffs in every row, got {len(row)} in row {place}")
        self.title = self.name
        self.rows = _names("row", rows, len(payoffs))
        self.columns = _names("column", columns, len(payoffs[0]))
        self.payoffs = {
            (row, column): payoff
            for row, line in zip(self.rows, payoffs, strict=True)
            for column, payoff in zip(self.columns, line, strict=True)
        }
        text = "; ".join(" ".join(map(str, line)) for line in payoffs)
        self.parameters: dict[str, object] = {"payoffs": text}
        if rows is not None:
            self.parameters["rows"] = list(self.rows)
        if columns is not None:
            self.parameters["columns"] = list(self.columns)

    def moves(self, state: Chosen) -> Sequence[str]:
        return (self.rows, self.columns, ())[len(state)]

    def payoff(self, state: Chosen) -> Fraction:
        row, column = state
        return self.payoffs[row, column]

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(min(self.payoffs.values())), Fraction(max(self.payoffs.values()))


MOST_BYTES = 64_000_000  # of a file


def _names(kind: str, names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The names of the rows or columns: given, or r1, r2, … and c1, c2, …"""
    if names is None:
        return tuple(f"{kind[0]}{number}" for number in range(1, count + 1))
    names = tuple("-".join(name.split()) for name in names)
    if len(names) != count:
        raise GameError(f"expected {count} {kind} names, got {len(names)}")
    for name in names:
        if not NAME.fullmatch(name):
            raise GameError(f"expected a {kind} name without / @ ? or brackets, got {name!r}")
    if len(set(names)) < count:
        raise GameError(f"expected different {kind} names, got {', '.join(names)}")
    return names


def read_payoffs(text: str) -> list[list[Fraction]]:
    """Rows from "0 1 -1; -1 0 1; 1 -1 0": a row ends with ; or with its line. Entries are parted by blanks or commas.

    Where a row has commas, blanks part nothing: "3 -1, -2 1" is not one row of four.
    """
    lines = [line.strip().removesuffix(";") for line in text.splitlines()]
    rows = [row.strip().removesuffix(",") for line in lines if line.strip() for row in line.split(";")]
    return [[number(entry) for entry in (row.split(",") if "," in row else row.split())] for row in rows]


def _is_number(text: str) -> bool:
    try:
        number(text)
    except GameError:
        return False
    return True


def _as_typed(text: str) -> list[list[Fraction]] | None:
    """Payoffs as they are typed, without names; None if that is not what the text is.

    One number between any two ; on several lines is what some programs call CSV, so nobody can tell which is meant.
    """
    try:
        rows = read_payoffs(text)
    except GameError:
        return None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    doubtful = len(lines) > 1 and any(";" in line[:-1] for line in lines) and all(len(row) == 1 for row in rows)
    return None if doubtful else rows


def read_table(path: Path) -> Matrix:
    """Read a table in a file: as it would be typed, or in CSV, where the first line and first column may be names."""
    text = _file_text(path)
    if "," not in text and (typed := _as_typed(text)):
        return Matrix(typed)
    lines = _csv_lines(text, path)
    columns = rows = None
    if _is_header(lines, path):
        columns, lines = lines[0], lines[1:]
    if len(lines[0]) > 1 and not any(_is_number(line[0]) for line in lines):
        rows, lines = [line[0] for line in lines], [line[1:] for line in lines]
        columns = columns and columns[1:]
    return Matrix([[number(cell) for cell in line] for line in timed(lines)], rows, columns)


def _file_text(path: Path) -> str:
    try:
        return atomic_files.read(path, MOST_BYTES).decode("utf-8-sig").replace("−", "-")
    except UnicodeDecodeError:
        raise GameError(f"the payoffs {path} are not text") from None
    except (OSError, ValueError) as error:
        raise GameError(f"cannot read the payoffs {path}: {atomic_files.reason(error)}") from error


def _csv_lines(text: str, path: Path) -> list[list[str]]:
    """Return the lines that are not empty, as cells."""
    try:
        lines = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, newline=""))]
    except csv.Error as error:
        raise GameError(f"cannot read the payoffs {path}: {error}") from error
    lines = [line for line in lines if any(line)]
    if not lines:
        raise GameError(f"the payoffs {path} are empty")
    return lines


def _is_header(lines: list[list[str]], path: Path) -> bool:
    """Whether the first line holds names: it has no number, but perhaps in its corner."""
    if len(lines) == 1 or any(map(_is_number, lines[0][1:] or lines[0])):
        return False
    if len(lines[0]) > 1 and len(lines[0]) == len(lines[1]) and _is_number(lines[0][0]) and _is_number(lines[1][0]):
        wrong = next(cell for cell in lines[0] if not _is_number(cell))
        raise GameError(f"expected names or numbers in the first line of {path}, not both, got {wrong!r}")
    return True


@game_factory
def matrix(
    payoffs: Annotated[
        str | None, 'payoffs to the row player, such as "0 1 -1; -1 0 1; 1 -1 0"; a new line also ends a row'
    ] = None,
    file: Annotated[str | None, "a CSV file with the payoffs; its first line and column may hold names"] = None,
    rows: Annotated[Sequence[str] | None, "names of the rows"] = None,
    columns: Annotated[Sequence[str] | None, "names of the columns"] = None,
) -> Matrix:
    """Any table of payoffs: one side picks a row, the other a column, at the same time."""
    if (payoffs is None) == (file is None):
        raise GameError(f"expected either --payoffs or --file, got {'neither' if payoffs is None else 'both'}")
    if payoffs is not None:
        return Matrix(read_payoffs(payoffs), rows, columns)
    assert file is not None
    table = read_table(Path(file))
    if rows is None and columns is None:
        return table
    raise GameError("the file already names rows and columns: leave out --rows and --columns")
