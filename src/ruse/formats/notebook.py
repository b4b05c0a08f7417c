"""Write a notebook that opens a solution, in Jupyter's format 4 (https://nbformat.readthedocs.io).

Its cells need only ruse and the solution file beside the notebook.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.registry import is_own
from ruse.formats import ExportError
from ruse.solution.strategy import Solution

MOST_ROWS = 20  # of the table that is shown
LOAD = """\
import ruse

solution = ruse.load({file!r}{game})
solution"""
TABLE = """\
# Both strategies, with one row per move; solution.to_pandas() and to_polars() return them as frames.
rows = [
    (side, position, move, odds, float(odds))
    for side, table in zip(solution.game.sides, solution.tables)
    for position, moves in table.items()
    for move, odds in moves.items()
]
for side, position, move, odds, share in rows[:{most}]:
    print(f"{{side:<12}} {{position:<28}} {{move:<12}} {{str(odds):>16}} {{share:8.4f}}")
print(len(rows), "rows")"""
POSITION = """\
# One position: the odds and the value of each move, and what may be hidden. Fractions are exact.
from ruse.present.viewer import too_large, viewer

position, side = {position!r}, {side}
if too_large(solution.game):  # to view state by state: only the odds are known
    for move, odds in solution.strategy(side).at(position).items():
        print(f"{{move:<16}} {{str(odds):>16}}")
else:
    view = viewer(solution).at(position, side)
    print(view.position, "has the value", view.value, "to", solution.game.sides[0])
    for option in view.options:
        print(f"{{option.move:<16}} {{str(option.odds):>16}}  value {{option.value}}  cost {{option.loss}}")
    for belief in view.beliefs:
        print(f"{{belief.what:<16}} {{str(belief.odds):>16}}")"""
TREE = """\
# The tree below the position.
None if too_large(solution.game) else solution.tree(position, depth=2)"""
VERIFY = """\
# Recompute both best responses from the rules, exactly.
solution.verify()"""


def notebook(solution: Solution, file: str, position: str | None = None, side: int = 0) -> str:
    """The text of a notebook about a solution file and one of its positions, where that side moves or waits."""
    game = solution.game
    if position is None:
        position = next(iter(solution.tables[side]), game.title)
    own = ", game='FILE.py:NAME'" if is_own(game.name) else ""  # for the reader to fill in
    place = {"position": position, "side": side}
    cells = [
        _words(f"# {game.title}\n\n{solution.headline()}\n\nKeep `{file}` beside this notebook."),
        _code(LOAD.format(file=file, game=own)),
        _code(TABLE.format(most=MOST_ROWS)),
        _code(POSITION.format(**place)),
        _code(TREE),
        _words("The proof: whatever the other side does, each strategy guarantees its bound."),
        _code(VERIFY),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return json.dumps(
        {
            "cells": cells,
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"},
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        ensure_ascii=False,
        indent=1,
    )


def write_notebook(solution: Solution, path: Path, file: str) -> Path:
    """A notebook file, all of it or nothing."""
    try:
        atomic_files.replace(path, f"{notebook(solution, file)}\n".encode())
    except OSError as error:
        raise ExportError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    return path


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    source = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
