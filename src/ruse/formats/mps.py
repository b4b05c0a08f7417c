"""The sequence-form LP (Koller, Megiddo and von Stengel 1994; see `ruse.solvers.lp`) as MPS, for other LP solvers.

From side 0's point of view the columns are its plan `x0 x1 …` and the values `q0 q1 …` of side 1's information
sets; the rows `e0 e1 …` make x a plan, and row `y7` keeps q to what sequence 7 of side 1 allows: its dual is the
weight of that sequence in side 1's plan. From side 1's point of view x and y, q and p, e and f trade places.
All numbers are whole: payoffs come multiplied by their common denominator, and so does the objective. Lines are laid
out for readers of fixed MPS and of free MPS alike, as long as names have 8 characters and numbers 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TextIO

import numpy as np

from ruse.core import rationals
from ruse.core.game import Game, describe
from ruse.forms.sequence_form import FormArrays
from ruse.solvers.sequence_lp import sequence_lp

EXACT = 1 << 53  # floats hold all whole numbers up to here
NAMES = (("x", "q", "e", "y"), ("y", "p", "f", "x"))  # of plan and values, of the plan's rows and the values' rows
GOAL = "goal"


def write_mps(form: FormArrays, stream: TextIO, side: int = 0, game: Game | None = None) -> None:
    """Write the program from the point of view of `side`; with the form's game, comments say what names stand for.

    Numbers are written in full, however long. Where floats cannot hold them a comment says so: a solver that
    reads fractions solves this game, another one a game nearby.
    """
    program = sequence_lp(form, side)
    mine, theirs = form.trees[side], form.trees[1 - side]
    plan, value, plan_row, value_row = NAMES[side]
    columns = [*_numbered(plan, mine.sequences), *_numbered(value, theirs.infosets + 1)]
    rows = [GOAL, *_numbered(plan_row, mine.infosets + 1), *_numbered(value_row, theirs.sequences)]
    kinds = "N" + "E" * (mine.infosets + 1) + "G" * theirs.sequences

    stream.writelines(f"* {line}\n" for line in _comments(form, side, game))
    stream.write(f"NAME          {game.title if game else 'sequence-form'}\n")
    stream.write("ROWS\n")
    stream.writelines(f" {kind}  {row}\n" for kind, row in zip(kinds, rows, strict=True))
    stream.write("COLUMNS\n")
    costly = np.flatnonzero(program.cost)
    row = np.concatenate([np.zeros(len(costly), int), np.repeat(np.arange(1, len(rows)), np.diff(program.rows.start))])
    column = np.concatenate([costly, program.rows.column])
    entries = np.concatenate([program.cost[costly], program.rows.value])
    order = np.lexsort((row, column))
    for at, to, entry in zip(column[order].tolist(), row[order].tolist(), entries[order].tolist(), strict=True):
        stream.write(_line(columns[at], rows[to], entry))
    stream.write("RHS\n" + _line("RHS", rows[1], 1))
    stream.write("BOUNDS\n")
    stream.writelines(f" FR BND       {name}\n" for name in columns[mine.sequences :])
    stream.write("ENDATA\n")


def _numbered(letter: str, count: int) -> list[str]:
    return [f"{letter}{number}" for number in range(count)]


def _line(column: str, row: str, entry: int) -> str:
    return f"    {column:<8}  {row:<8}  {rationals.write(Fraction(entry)):>12}\n"


def _comments(form: FormArrays, side: int, game: Game | None) -> Iterator[str]:
    """What the objective means, whether floats can hold the numbers, and what the names stand for."""
    sign = "-" if side == 0 else ""
    yield f"minimise; the value of the game to side 0 is {sign}{GOAL} / {rationals.write(Fraction(form.denominator))}"
    if any(abs(payoff) > EXACT for payoff in form.payoffs.tolist()):
        yield "some numbers have more than 53 bits: floats do not hold them exactly"
    if game is not None:
        yield from name_comments(form, side, game)


def name_comments(form: FormArrays, side: int, game: Game) -> Iterator[str]:
    """What each variable of the program stands for: the sequence or information set, one line each."""
    for owner, (sequence, value) in enumerate((("x", "p"), ("y", "q"))):
        yield f"{sequence}0 {game.sides[owner]} has not moved"
        sets = zip(form.knowledge[owner], form.moves[owner], form.trees[owner].sets(), strict=True)
        for number, (knowledge, moves, (_, first, _)) in enumerate(sets, 1):
            position = describe(game, knowledge)
            if owner != side:
                yield f"{value}{number} {position}"
            for place, move in enumerate(moves, first):
                yield f"{sequence}{place} {position} {game.label(move)}"
