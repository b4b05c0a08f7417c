"""Write a solution or a game for other programs, in one of the formats of `ruse.formats`."""

from __future__ import annotations

import io
from collections.abc import Callable
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING

from ruse.core import atomic_files
from ruse.core.game import Game
from ruse.formats import ExportError, check_written

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution

STRATEGIES = ("csv", "parquet", "ipynb", "vipr", "card")  # need a solution
RULES = ("efg", "nfg", "mps")  # need no more than a game
FORMATS = {
    "csv": "both strategies, one row per move",
    "parquet": "both strategies with typed columns, and the certificate in the metadata",
    "ipynb": "a Jupyter notebook that opens the solution file",
    "efg": "the game as a tree, for Gambit",
    "nfg": "the game as a table, for Gambit",
    "mps": "the sequence-form LP, for any LP solver",
    "vipr": "a proof of the value for the checker viprchk: the sequence-form LP with its optimum",
    "card": "the strategies on a page to print: .html, or .pdf and .png where chromium is installed",
}


def export(source: Solution | Game, form: str, path: Path, file: Path | None = None) -> Path:
    """Write a file in that format, all of it or nothing. `file` is where the solution itself is, for a notebook."""
    if form in STRATEGIES:
        if isinstance(source, Game):
            raise ExportError(f"expected a solution (FILE.ruse) for --{form}, got the game {source.title}")
        if not source.written:
            raise ExportError(f"--{form} needs strategies, but this solution of {source.game.title} has none")
        if form == "card":
            from ruse.present.card import write_card

            return write_card(source, path)
        if form == "ipynb":
            from ruse.formats.notebook import write_notebook

            beside = f"{source.game.title}.ruse" if file is None else relpath(file, path.parent)
            return write_notebook(source, path, beside)
        if form == "vipr":
            from ruse.formats.vipr import vipr_lines

            text = io.StringIO()
            text.writelines(vipr_lines(source))
            return _saved(path, text)
        from ruse.formats import frames

        return (frames.write_csv if form == "csv" else frames.write_parquet)(source, path)
    game = source if isinstance(source, Game) else source.game
    check_written(game, form)
    text = io.StringIO()
    _writer(form)(game, text)
    return _saved(path, text)


def _saved(path: Path, text: io.StringIO) -> Path:
    try:
        atomic_files.replace(path, text.getvalue().encode())
    except OSError as error:
        raise ExportError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    return path


def _writer(form: str) -> Callable[[Game, io.StringIO], object]:
    if form == "efg":
        from ruse.formats.efg import efg_lines

        return lambda game, stream: stream.writelines(efg_lines(game))
    if form == "nfg":
        from ruse.formats.nfg import write_nfg

        return lambda game, stream: stream.write(write_nfg(game))
    from ruse.formats.mps import write_mps
    from ruse.forms.sequence_form import sequence_form

    return lambda game, stream: write_mps(sequence_form(game), stream, game=game)
