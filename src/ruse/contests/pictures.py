"""Pictures of tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.present import figures

if TYPE_CHECKING:
    from ruse.contests.tournament import Tournament

MOST_NUMBERED = 20  # contestants whose rates fit in their cells


def heat_map(tournament: Tournament, path: Path | None) -> Any:
    """Winning rates, rows against columns, the best average on top; every cell also says its number."""
    averages = tournament.averages()
    order = sorted(range(len(tournament.names)), key=lambda number: -averages[number])
    rates = np.array([[_rate(tournament, row, other) for other in order] for row in order])
    side = 2.5 + 0.6 * len(order)
    figure = figures.new_figure(path, side + 1, side)
    axes = figure.add_subplot()
    image = axes.imshow(100 * rates, vmin=0, vmax=100, cmap="PuOr")
    names = [tournament.names[number] for number in order]
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    if len(names) <= MOST_NUMBERED:
        figures.number_cells(axes, 100 * rates, "{:.0f}".format, lambda rate: abs(rate - 50) > 35)
    figure.colorbar(image, label="winning rate of the row, percent")
    axes.set_title(f"{tournament.contest}: rows against columns")
    return figures.save(figure, path)


def _rate(tournament: Tournament, row: int, other: int) -> float:
    rate = tournament.rate(row, other)
    return float("nan") if rate is None else rate
