"""Gambit's .nfg files: a game as a table, the first player's strategies running fastest.

    NFG 1 R "title" { "first player" "second player" } { { "up" "down" } { "left" "right" } } "comment"
    1 -1  0 0  0 0  1 -1

Instead of the names of the strategies there may be their numbers, { 2 2 }; instead of the payoffs there may be a list
of outcomes, { { "name" 1, -1 } … }, and then one outcome's place in it for every cell, 0 for none. Both payoffs of a
cell add up to the same in all cells: 0 (zero-sum), or another constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from ruse.core import rationals
from ruse.core.capabilities import ConstantSum, Ranged, constant
from ruse.core.game import Game
from ruse.core.plain_games.matrix import Matrix
from ruse.formats import check_written
from ruse.formats.gambit_text import TEXT, GambitHeading, Tokens, distinct, opened, quoted, quoted_names, safe
from ruse.forms.normal_form import Pure, normal_form
from ruse.forms.sequence_form import FormArrays, sequence_form


class PayoffTable(Matrix):
    """A payoff table with names of its own for the game and the sides."""

    name = "nfg"
    parts = Matrix.parts
    provides = (Ranged, ConstantSum)

    def __init__(
        self,
        heading: GambitHeading,
        payoffs: Sequence[Sequence[Fraction]],
        rows: Sequence[str],
        columns: Sequence[str],
        constant: Fraction,
    ) -> None:
        super().__init__(payoffs, rows, columns)
        self.title, self.sides, self.parameters = heading.title, heading.players, dict(heading.parameters)
        self._constant = constant

    def constant(self) -> Fraction:
        return self._constant


def read_nfg(source: str | Path, title: str | None = None) -> PayoffTable:
    """The game in a file, if `source` is a Path, or in a text. Raises FormatError with the line and column."""
    tokens, heading = opened(source, title, "NFG", "1")
    begin = tokens.at
    named = [_take_strategies(tokens) for _ in tokens.items()]
    if len(named) != 2:
        raise tokens.error("the strategies of two players", f"those of {len(named)}", begin)
    height, width = (strategies if isinstance(strategies, int) else len(strategies) for strategies in named)
    if height * width == 0:
        raise tokens.error("at least one strategy of each player", "none", begin)
    if tokens.kind == TEXT:
        tokens.take_text("a comment")
    cells = _take_outcomes(tokens, height * width) if tokens.is_at("{") else _take_payoffs(tokens, height * width)
    if not tokens.at_end:
        raise tokens.error(f"the end of the file after {height:,} × {width:,} cells")
    rows, columns = (
        distinct([safe(label) or str(number) for number, label in enumerate(strategies, 1)])
        if not isinstance(strategies, int)
        else [str(number) for number in range(1, strategies + 1)]
        for strategies in named
    )
    return PayoffTable(heading, [cells[row::height] for row in range(height)], rows, columns, tokens.constant)


def _take_strategies(tokens: Tokens) -> list[str] | int:
    """The names of a player's strategies, or how many there are."""
    if tokens.is_at("{"):
        return [tokens.take_text("the name of a strategy") for _ in tokens.items()]
    return tokens.take_whole("strategies in braces, or how many there are")


def _take_payoffs(tokens: Tokens, count: int) -> list[Fraction]:
    """What the first player gets in each cell, from both players' payoffs cell by cell."""
    cells: list[Fraction] = []
    purpose = f"{2 * count:,} payoffs"
    while len(cells) < count:
        at = tokens.at
        first, _ = tokens.take_number(purpose), tokens.skip(",")
        second, _ = tokens.take_number(purpose), tokens.skip(",")
        tokens.check_sum((first, second), at)
        cells.append(first)
    return cells


def _take_outcomes(tokens: Tokens, count: int) -> list[Fraction]:
    """What the first player gets in each cell, from a list of outcomes and a number for each cell."""
    outcomes: list[tuple[Fraction, ...]] = [(Fraction(0), Fraction(0))]
    for _ in tokens.items():
        begin = tokens.at
        tokens.take_mark("{")
        tokens.take_text("the name of an outcome")
        outcomes.append(tuple(tokens.take_number("a payoff") for _ in tokens.more_items()))
        if len(outcomes[-1]) != 2:
            raise tokens.error("the payoffs of two players", str(len(outcomes[-1])), begin)
    cells: list[Fraction] = []
    while len(cells) < count:
        at = tokens.at
        number = tokens.take_whole(f"{count:,} numbers of outcomes")
        if number >= len(outcomes):
            raise tokens.error(f"the number of one of {len(outcomes) - 1:,} outcomes, or 0 for none", str(number), at)
        first, second = outcomes[number]
        tokens.check_sum((first, second), at)
        cells.append(first)
        tokens.skip(",")
    return cells


def write_nfg(game: Game) -> str:
    """A game as the text of an .nfg file: its table, or its normal form where that is not too large."""
    if isinstance(game, Matrix):
        rows, columns = list(game.rows), list(game.columns)
        payoffs = [[game.payoffs[row, column] for column in columns] for row in rows]
    else:
        check_written(game, "nfg")
        form = sequence_form(game)
        normal = normal_form(form)
        rows, columns = (_labels(game, form, side, normal.strategies[side]) for side in (0, 1))
        payoffs = normal.payoffs
    sides, first, second = (f"{{ {' '.join(quoted_names(labels))} }}" for labels in (game.sides, rows, columns))
    lines = [f"NFG 1 R {quoted(game.title)} {sides}", "", f"{{ {first}", second, "}", '""', ""]
    total = constant(game)
    for column in range(len(columns)):
        cells = (payoffs[row][column] for row in range(len(rows)))
        lines.append("  ".join(f"{rationals.write(payoff)} {rationals.write(total - payoff)}" for payoff in cells))
    return "\n".join(lines) + "\n"


def _labels(game: Game, form: FormArrays, side: int, strategies: Sequence[Pure]) -> list[str]:
    """A pure strategy's label: its moves, one at each information set."""
    moves = ["", *(game.label(move) for moves in form.moves[side] for move in moves)]  # by sequence
    return [" ".join(moves[sequence] for sequence in pure) for pure in strategies]
