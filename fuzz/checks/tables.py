"""Payoff tables: typed in any layout, in CSV and .nfg files, by every solver that takes a table."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import ruse
import ruse.formats.export
from fuzz import growing, texts
from fuzz.case import Case, Contradiction, expect
from fuzz.checks.kept import check_kept
from fuzz.checks.solutions import EXACT, ITERATING, Judge
from fuzz.checks.trees import by_solvers, check_csv, solver_asked
from fuzz.checks.views import check_views
from fuzz.oracle import Node, solve_table
from ruse.formats.efg import write_efg
from ruse.formats.nfg import write_nfg


def draw(random: Random, payoffs: str | None) -> Case:
    _, pay = growing.payoffs(random, payoffs)
    return Case(growing.table(random, pay), random.getrandbits(32))


def check(case: Case) -> None:
    assert case.tree is not None
    random, tree = case.random, case.tree
    payoffs = growing.cells(tree)
    judge = Judge(tree, solve_table(payoffs)[0])
    typed = ruse.games.matrix(payoffs=layout(payoffs, random))
    for game in (typed, from_csv(payoffs, random), from_nfg(tree, payoffs, random)):
        expect("the shape of a table", (len(game.rows), len(game.columns)), (len(payoffs), len(payoffs[0])))
        solution = ruse.solve(game)
        judge.judge(solution, exact=True)
    asked: list[tuple[str, dict[str, Any]]] = [(solver, {}) for solver in random.sample(EXACT, 3)]
    by_solvers(judge, game, [*asked, solver_asked(random, ITERATING)])
    check_views(tree, solution, random)
    expect("an .nfg file that ruse wrote", texts.read_nfg(write_nfg(game)), payoffs)
    if (wrong := texts.difference(tree, texts.read_efg(write_efg(game)))) is not None:
        raise Contradiction("an .efg file of a table", wrong, "the same tree")
    with tempfile.TemporaryDirectory() as folder:
        check_kept(solution, Path(folder), random)
        path = ruse.formats.export.export(solution, "csv", Path(folder, "strategies.csv"))
        check_csv(solution, path.read_text(encoding="utf-8"))
    judge.check_printed()


def layout(payoffs: Sequence[Sequence[Fraction]], random: Random) -> str:
    """A table as people type it: rows end with a semicolon, a new line, or both; numbers with blanks or a comma."""
    row_end = random.choice(("; ", ";", "\n", "\r\n", ";\n", " ;\n", "\n\n", "\n  "))
    gap = random.choice((" ", "  ", "\t", ", ", ","))
    text = row_end.join(gap.join(map(str, row)) for row in payoffs)
    return random.choice(("", " ", "\n")) + text + random.choice(("", ";", "\n", ";\n", " "))


def from_csv(payoffs: Sequence[Sequence[Fraction]], random: Random) -> Any:
    """A table in a CSV file, with names or without."""
    heads = [f"c{place}" for place in range(len(payoffs[0]))] if random.random() < 0.5 else None
    sides = [f"r{place}" for place in range(len(payoffs))] if random.random() < 0.5 else None
    lines = [[*([sides[place]] if sides else []), *map(str, row)] for place, row in enumerate(payoffs)]
    if heads:
        lines.insert(0, [*([""] if sides else []), *heads])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_text(random.choice(("\n", "\r\n")).join(",".join(line) for line in lines), encoding="utf-8")
        return ruse.games.matrix(file=str(path))


def from_nfg(tree: Node, payoffs: Sequence[Sequence[Fraction]], random: Random) -> Any:
    """A table in an .nfg file, with odd names."""
    odd = random.random() < 0.5
    rows, columns = (
        [growing.name(random) if odd else f"{what}{place}" for place in range(count)]
        for what, count in (("r", len(payoffs)), ("c", len(payoffs[0])))
    )
    return ruse.games.nfg(text=texts.nfg(payoffs, rows, columns, growing.names(random)))
