"""Pictures of tournaments."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ruse.core import atomic_files
from ruse.solution.history import check_picture

if TYPE_CHECKING:
    from ruse.contests.tournament import Tournament

MOST_NUMBERED = 20  # contestants whose rates fit in their cells


def heat_map(tournament: Tournament, path: Path) -> None:
    """Winning rates, rows against columns, the best average on top; every cell also says its number."""
    check_picture(path)
    from matplotlib.figure import Figure  # no display, no global state

    averages = tournament.averages()
    order = sorted(range(len(tournament.names)), key=lambda one: -averages[one])
    rates = np.array([[_rate(tournament, one, other) for other in order] for one in order])
    side = 2.5 + 0.6 * len(order)
    figure = Figure(figsize=(side + 1, side), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(100 * rates, vmin=0, vmax=100, cmap="PuOr")
    names = [tournament.names[one] for one in order]
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    if len(names) <= MOST_NUMBERED:
        for row, line in enumerate(100 * rates):
            for column, rate in enumerate(line):
                shade = "white" if abs(rate - 50) > 35 else "black"
                text = "" if np.isnan(rate) else f"{rate:.0f}"
                axes.text(column, row, text, ha="center", va="center", color=shade)
    figure.colorbar(image, label="winning rate of the row, percent")
    axes.set_title(f"{tournament.contest}: rows against columns")
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower()[1:], dpi=150)
    atomic_files.replace(path, picture.getvalue())


def _rate(tournament: Tournament, one: int, other: int) -> float:
    rate = tournament.rate(one, other)
    return float("nan") if rate is None else rate
