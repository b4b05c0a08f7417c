"""Plots of sweeps: a curve if one parameter varies, a heat map with one cell per variant if several do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

Choice = tuple[str, ...]  # an option of each axis


@dataclass(frozen=True)
class _Plotted:
    """The measure of each variant of a sweep: the probability of a win in percent, or the payoff."""

    label: str
    values: Mapping[Choice, float]
    official: Sequence[Choice]
    even: float
    reach: float
    """the largest distance from an even game"""

    @property
    def limits(self) -> tuple[float, float]:
        return self.even - self.reach, self.even + self.reach

    def is_dark(self, value: float) -> bool:
        """Whether the colour of a value is so dark that text on it is light."""
        return abs(value - self.even) > DARK * self.reach


def draw(sweep: Sweep, path: Path | None) -> Any:
    """Draw a sweep into a file (PNG, SVG or PDF); without a path, return the figure."""
    figure = figures.new_figure(path, 9, 5)
    plot = figure.add_subplot()
    plotted, axes = _plotted(sweep), sweep.variants.axes
    if len(axes) > 1:
        _draw_map(figure, plot, plotted, axes)
    elif axes:
        _draw_curve(plot, plotted, axes[0].name, [(option,) for option in axes[0].options])
    else:
        _draw_curve(plot, plotted, sweep.name, [()])
    plot.set_title(f"{sweep.name}: {len(sweep):,} variants")
    return figures.save(figure, path, dots_per_inch=100)


def _plotted(sweep: Sweep) -> _Plotted:
    rows, variants = list(sweep), sweep.variants.items
    side, wins = display_name(variants[0].game.sides[0]), rows[0].wins
    unit, even = (100, 50) if wins else (1, 0)
    values = {variants[number].choice: unit * float(row.measure) for number, row in sweep.rows.items()}
    official = [variants[[*sweep.rows][place]].choice for place in official_rows(sweep.name, rows)]
    reach = max((abs(value - even) for value in values.values()), default=0) or unit
    return _Plotted(f"{side} wins, percent" if wins else f"payoff to {side}", values, official, even, reach)


def _draw_curve(plot: Any, plotted: _Plotted, name: str, choices: Sequence[Choice]) -> None:
    """Draw the variants of one parameter as a curve, or a single variant as a point."""
    plot.axhline(plotted.even, color="black", linewidth=1, linestyle="--")
    plot.plot(range(len(choices)), [plotted.values.get(choice, nan) for choice in choices], marker="o")
    ringed = [place for place, choice in enumerate(choices) if choice in plotted.official]
    if ringed:
        heights = [plotted.values[choices[place]] for place in ringed]
        plot.scatter(ringed, heights, s=160, facecolors="none", edgecolors="black", label="official")
        plot.legend()
    plot.set_ylim(plotted.even - 1.1 * plotted.reach, plotted.even + 1.1 * plotted.reach)
    plot.set_xticks(range(len(choices)), ["".join(choice) for choice in choices])
    plot.set_xlabel(name)
    plot.set_ylabel(plotted.label)
    plot.grid(True, alpha=0.3)


def _draw_map(figure: Any, plot: Any, plotted: _Plotted, axes: Sequence[ParameterAxis]) -> None:
    """Draw the variants of several parameters as a heat map."""
    cut = _cut(axes)
    down, across = (list(product(*(axis.options for axis in part))) for part in (axes[:cut], axes[cut:]))
    cells = np.array([[plotted.values.get((*up, *over), nan) for over in across] for up in down])
    figure.set_size_inches(min(WIDEST, 4 + 0.25 * len(across)), min(TALLEST, 2.5 + 0.25 * len(down)))
    image = plot.imshow(cells, cmap="BrBG", aspect="auto", interpolation="nearest")
    image.set_clim(*plotted.limits)
    for choice in plotted.official:
        corner = across.index(choice[cut:]) - 0.5, down.index(choice[:cut]) - 0.5
        plot.add_patch(imported("matplotlib.patches").Rectangle(corner, 1, 1, fill=False, linewidth=2))
    _label(across, axes[cut:], plot.set_xticks, plot.set_xlabel)
    _label(down, axes[:cut], plot.set_yticks, plot.set_ylabel)
    plot.tick_params(axis="x", labelrotation=90)
    if max(len(down), len(across)) <= MOST_NUMBERED:
        figures.number_cells(plot, cells, lambda value: rationals.near(value, 3), plotted.is_dark, 8)
    figure.colorbar(image, label=plotted.label, aspect=40, pad=0.02)


def _label(names: Sequence[Choice], axes: Sequence[ParameterAxis], set_ticks: Any, set_label: Any) -> None:
    """Label the rows or columns of a heat map with the options that they stand for."""
    places = range(0, len(names), _step(axes))
    set_ticks(places, [" ".join(names[place]) for place in places], fontsize=7)
    set_label(_named(axes))


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
