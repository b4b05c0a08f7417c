"""Sequence forms as papers print them: sequences by their moves, E and A as tables, equations as text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import Game
from ruse.forms.sequence_form import FormArrays
from ruse.reproduce.report import MINUS

EMPTY = "∅"
Table = list[list[Fraction]]


def sequences(game: Game, form: FormArrays, side: int) -> list[str]:
    """What each sequence of a side is called: its moves in a row."""
    tree = form.trees[side]
    names = [""] * tree.sequences
    for (parent, first, _), moves in zip(tree.sets(), form.moves[side], strict=True):
        for place, move in enumerate(moves, first):
            names[place] = names[parent] + game.label(move)
    return [EMPTY, *names[1:]]


def payoffs(form: FormArrays) -> Table:
    """A, in fractions."""
    table = [[Fraction(0)] * form.trees[1].sequences for _ in range(form.trees[0].sequences)]
    for row, column, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        table[row][column] += Fraction(payoff, form.denominator)
    return table


def constraints(form: FormArrays, side: int) -> list[list[int]]:
    """E, or F of side 1."""
    tree = form.trees[side]
    table = [[0] * tree.sequences for _ in range(tree.infosets + 1)]
    for row, column, value in zip(*(part.tolist() for part in tree.constraints()), strict=True):
        table[row][column] += value
    return table


def equations(form: FormArrays, side: int, names: Sequence[str], weight: str) -> list[str]:
    """What makes weights a plan: `r(∅) = 1`, and one equation an information set."""
    lines = [f"{weight}({names[0]}) = 1"]
    for parent, first, end in form.trees[side].sets():
        left = " + ".join(f"{weight}({names[place]})" for place in range(first, end))
        lines.append(f"{left} = {weight}({names[parent]})")
    return lines


def linear(factors: Sequence[Fraction], names: Sequence[str], weight: str, keep: Sequence[int]) -> str:
    """A sum such as 3 r(AC) − 2 r(AD): of the names in `keep`, zeros as well, for whoever prints those."""
    text = ""
    for place in keep:
        sign = (" − " if factors[place] < 0 else " + ") if text else (MINUS if factors[place] < 0 else "")
        text += f"{sign}{rationals.write(abs(factors[place]))}{weight}({names[place]})"
    return text


def written(table: Sequence[Sequence[Fraction | int]]) -> str:
    """A small matrix in a line: rows apart by semicolons."""
    return "; ".join(" ".join(rationals.write(Fraction(entry)).replace("-", MINUS) for entry in row) for row in table)
