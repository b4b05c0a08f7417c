"""Figures that matplotlib draws into a file: PNG, SVG or PDF. matplotlib is an extra, and imported late."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.core import atomic_files
from ruse.core.game import RuseError

if TYPE_CHECKING:
    from ruse.solution.history import Point

FORMATS = (".png", ".svg", ".pdf")


def check_picture(path: Path) -> None:
    """Refuse a picture that could not be drawn before the work rather than after it."""
    if path.suffix.lower() not in FORMATS:
        raise RuseError(f"expected a picture that ends in {', '.join(FORMATS)}, got {str(path)!r}")
    try:
        import matplotlib.figure  # noqa: F401  # of an extra
    except ImportError as error:
        raise RuseError("--plot needs matplotlib; install it with pip install 'ruse[plots]'") from error


def new_figure(path: Path | None, width: float, height: float) -> Any:
    """Return an empty figure, so many inches large, for a file that can be written, or for no file."""
    check_picture(Path("figure.png") if path is None else path)
    from matplotlib.figure import Figure  # no display, no global state

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path | None, dots_per_inch: int = 150) -> Any:
    """Write a figure into a file; without a path, return the figure, which a notebook shows."""
    if path is None:
        return figure
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix.lower()[1:], dpi=dots_per_inch)
    atomic_files.replace(path, drawn.getvalue())
    return None


def number_cells(
    axes: Any, cells: Any, words: Callable[[float], str], dark: Callable[[float], bool], size: float | None = None
) -> None:
    """Write its number into each cell of a heat map: white on dark colours, black on others; nothing into NaN."""
    for (row, column), value in np.ndenumerate(cells):
        if not np.isnan(value):
            colour = "white" if dark(value) else "black"
            axes.text(column, row, words(value), ha="center", va="center", color=colour, fontsize=size)


def draw_gaps(points: Sequence[Point], title: str, path: Path | None) -> Any:
    """Draw the gap of a run against iterations and against seconds, on logarithmic axes.

    Returns the figure where there is no path to write it to.
    """
    figure = new_figure(path, 9, 4)
    shown = [point for point in points if point.gap > 0]
    across: dict[str, list[float]] = {
        "iterations": [point.iteration for point in shown],
        "seconds": [point.seconds for point in shown],
    }
    for place, (name, numbers) in enumerate(across.items(), 1):
        axes = figure.add_subplot(1, 2, place)
        axes.plot(numbers, [point.gap for point in shown], marker=".", markersize=3, linewidth=1)
        if shown:
            axes.set_xscale("log")
            axes.set_yscale("log")
        else:
            axes.text(0.5, 0.5, "solved in one step", ha="center", transform=axes.transAxes)
        axes.set_xlabel(name)
        axes.set_ylabel("gap (upper − lower bound)")
        axes.grid(True, which="major", alpha=0.3)
    figure.suptitle(title)
    return save(figure, path)
