"""A solution with its whole game in one Python file that checks itself, without ruse (`standalone_check.py`).

The code of the file is that module as it stands here. Only its tables are filled in: the tree by a plain walk of the
rules, and what `Strategy.at` says at each information set. Solutions by class hold the game by class, after the
reductions by symmetry and teams.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from ruse.core import atomic_files, rationals, size_estimate
from ruse.core.capabilities import ByClass, Memoryless
from ruse.core.contract import checked
from ruse.core.game import Game, describe
from ruse.formats import ExportError, standalone_check
from ruse.formats.stored_odds import is_by_class, odds_of
from ruse.forms.reductions import reduce
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds
from ruse.verify.verifier import UNWRITTEN

MOST_STATES = 500_000  # of a tree in a file: about 15 MB, and ten seconds to check
EMPTY = 'TABLES = r"""\n"""'


def check_size(solution: Solution) -> None:
    """Refuse a solution whose tables cannot be written. Raises ExportError."""
    game = solution.game
    if not solution.written:
        raise ExportError(UNWRITTEN.format(game.title))
    if isinstance(game, Memoryless):
        raise ExportError(
            f"ruse solves {game.title} state by state, so there is no tree for a standalone check to hold"
        )
    if is_by_class(solution):
        count = game.nodes(symmetry=True) if isinstance(game, ByClass) else 0
    else:
        count = size_estimate.nodes(game, MOST_STATES)
    if count > MOST_STATES:
        raise ExportError(
            f"a standalone check holds at most {MOST_STATES:,} states, and {game.title} has at least "
            f"{rationals.count(count)}; use smaller parameters"
        )


def write_standalone(solution: Solution, path: Path) -> Path:
    """Write the file, all of it or nothing. Raises VerifyError if the strategies do not keep the solution's bounds."""
    check_size(solution)
    source = inspect.getsource(standalone_check)
    text = tables_text(solution)
    try:
        standalone_check.check(standalone_check.read(text))
    except standalone_check.Wrong as error:
        raise VerifyError(f"the solution of {solution.game.title} cannot be proved: {error}") from error
    assert EMPTY in source
    try:
        atomic_files.replace(path, source.replace(EMPTY, f'TABLES = r"""\n{text}"""').encode())
    except OSError as error:
        raise ExportError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    return path


def tables_text(solution: Solution) -> str:
    """The tables as the file holds them: JSON, one row per line."""
    game, by_class = solution.game, is_by_class(solution)
    walked = reduce(game) if by_class else checked(game)
    nodes, sets = standalone_check.derive(walked)
    rows = [*_sets(walked, sets, solution), *nodes]
    body = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows).strip()
    about = {
        "title": game.title,
        "name": game.name,
        "parameters": dict(game.parameters),
        "by_class": by_class,
        "sides": list(game.sides),
        "lower": rationals.write(solution.certificate.lower),
        "upper": rationals.write(solution.certificate.upper),
        "information_sets": len(sets),
        "sha256": hashlib.sha256(body.encode()).hexdigest(),
    }
    return f"{json.dumps(about)}\n{body}\n"


def _sets(game: Game, sets: list[tuple[int, Any, list[Any]]], solution: Solution) -> Iterator[list[Any]]:
    """Each information set: side, position, moves, and the odds of all moves or None."""
    stored = odds_of(game, solution, 0), odds_of(game, solution, 1)
    for side, knowledge, moves in sets:
        position, labels = describe(game, knowledge), [game.label(move) for move in moves]
        odds = stored[side](knowledge)
        if odds is not None:
            check_odds(odds, labels, partial(str, position))
        yield [side, position, labels, odds and [rationals.write(Fraction(odds.get(label, 0))) for label in labels]]
