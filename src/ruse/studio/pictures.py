"""Plots of sweeps: a curve if one parameter varies, a heat map with one cell per variant if several do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from math import nan, prod
from pathlib import Path
from typing import Any

import numpy as np

from ruse.core import rationals
from ruse.core.game import display_name
from ruse.core.registry import imported
from ruse.present import figures
from ruse.studio.ranges import ParameterAxis
from ruse.studio.report import official_rows
from ruse.studio.sweep import Sweep

MOST_NAMED = 40  # rows of a heat map that can be labelled
WIDEST, TALLEST = 12, 14  # inches
DARK = 0.6  # share of the way from the middle to an end of the colours
MOST_NUMBERED = 12  # rows of a heat map whose values fit into the cells


def draw(sweep: Sweep, path: Path | None) -> Any:
    """Draw a sweep into a file (PNG, SVG or PDF); without a path, return the figure."""
    figure = figures.new_figure(path, 9, 5)
    first = next(iter(sweep))
    side = display_name(sweep.variants.items[0].game.sides[0])
    unit = 100 if first.wins else 1
    measured = f"{side} wins, percent" if first.wins else f"payoff to {side}"
    values = {sweep.variants.items[number].choice: unit * float(row.measure) for number, row in sweep.rows.items()}
    axes = sweep.variants.axes
    rows = list(sweep)
    official = [sweep.variants.items[[*sweep.rows][place]].choice for place in official_rows(sweep.name, rows)]
    even = 50 if first.wins else 0
    reach = max((abs(value - even) for value in values.values()), default=0) or unit
    plot = figure.add_subplot()
    if len(axes) <= 1:
        options = axes[0].options if axes else ("",)
        choices = [(option,) if axes else () for option in options]
        plot.axhline(even, color="black", linewidth=1, linestyle="--")
        plot.plot(range(len(options)), [values.get(choice, nan) for choice in choices], marker="o")
        ringed = [place for place, choice in enumerate(choices) if choice in official]
        if ringed:
            heights = [values[choices[place]] for place in ringed]
            plot.scatter(ringed, heights, s=160, facecolors="none", edgecolors="black", label="official")
            plot.legend()
        plot.set_ylim(even - 1.1 * reach, even + 1.1 * reach)
        plot.set_xticks(range(len(options)), options)
        plot.set_xlabel(axes[0].name if axes else sweep.name)
        plot.set_ylabel(measured)
        plot.grid(True, alpha=0.3)
    else:
        cut = _cut(axes)
        down, across = (list(product(*(axis.options for axis in part))) for part in (axes[:cut], axes[cut:]))
        cells = np.array([[values.get((*up, *over), nan) for over in across] for up in down])
        figure.set_size_inches(min(WIDEST, 4 + 0.25 * len(across)), min(TALLEST, 2.5 + 0.25 * len(down)))
        image = plot.imshow(cells, cmap="BrBG", aspect="auto", interpolation="nearest")
        image.set_clim(even - reach, even + reach)
        for choice in official:
            corner = across.index(choice[cut:]) - 0.5, down.index(choice[:cut]) - 0.5
            plot.add_patch(imported("matplotlib.patches").Rectangle(corner, 1, 1, fill=False, linewidth=2))
        for names, part, ticks, label in (
            (across, axes[cut:], plot.set_xticks, plot.set_xlabel),
            (down, axes[:cut], plot.set_yticks, plot.set_ylabel),
        ):
            places = range(0, len(names), _step(part))
            ticks(places, [" ".join(names[place]) for place in places], fontsize=7)
            label(_named(part))
        plot.tick_params(axis="x", labelrotation=90)
        if max(len(down), len(across)) <= MOST_NUMBERED:
            is_dark = partial(_is_dark, even=even, reach=reach)
            figures.number_cells(plot, cells, lambda value: rationals.near(value, 3), is_dark, 8)
        figure.colorbar(image, label=measured, aspect=40, pad=0.02)
    plot.set_title(f"{sweep.name}: {len(sweep):,} variants")
    return figures.save(figure, path, dots_per_inch=100)


def _is_dark(value: float, even: float, reach: float) -> bool:
    """Whether the colour of a value is so dark that text on it is light."""
    return abs(value - even) > DARK * reach


def _cut(axes: Sequence[ParameterAxis]) -> int:
    """Choose where to split the axes: between two parameters if possible, into sides of about equal size."""
    places = [place for place in range(1, len(axes)) if axes[place].parameter != axes[place - 1].parameter]

    def uneven(place: int) -> float:
        down, across = (prod(len(axis.options) for axis in part) for part in (axes[:place], axes[place:]))
        return max(down / across, across / down)

    return min(places or range(1, len(axes)), key=uneven)


def _step(axes: Sequence[ParameterAxis]) -> int:
    """Return how many rows share one label: the size of the last few axes, so that labels differ by the others."""
    sizes = [prod(len(axis.options) for axis in axes[place:]) for place in range(len(axes), -1, -1)]
    return next(size for size in sizes if sizes[-1] / size <= MOST_NAMED)


def _named(axes: Sequence[ParameterAxis]) -> str:
    names: dict[str, list[str]] = {}
    for axis in axes:
        names.setdefault(axis.parameter, []).append("" if axis.entry is None else str(axis.entry))
    return ", ".join(f"{name} {' '.join(entries)}".strip() for name, entries in names.items())
