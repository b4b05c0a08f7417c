"""Plots of the pages: how bounds come together, how several runs compare, and how a game or a drill went.

The numbers of each are in a table beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruse.core import rationals
from ruse.explorer.jobs import RunPoint
from ruse.explorer.study_models import RunModel
from ruse.present import svg

SMALL = svg.Frame(640, 260, 90, 28, 16, 40)
LARGE = svg.Frame(760, 420, 70, 60, 16, 46)
LEAST = 1e-12  # smaller distances are drawn as this
COLOURS = ("#2a8a8f", "#c2602b", "#7a6fd0", "#b0740b", "#cc4a7e", "#4f8a3c", "#2f7fd0", "#6f7680")  # on light and dark
DASHES = (None, "8 4", "2 3", "10 3 2 3", "5 5", "12 4", "3 6", "8 3 3 3")
MOST_RUNS = len(COLOURS)


def _plot(name: str, parts: Sequence[str]) -> str:
    return svg.picture(SMALL.size, name, parts, class_="plot")


def bounds_svg(points: Sequence[RunPoint]) -> str:
    """Plot the distance of both bounds from the middle of the last ones: two falling lines."""
    name = "Distance of the lower and the upper bound from the middle of the last ones, by seconds, on a log scale"
    if not points:
        return _plot(name, [SMALL.message("No bounds yet")])
    middle = (points[-1].lower + points[-1].upper) / 2
    seconds = max(points[-1].seconds, 1e-3)
    lower = [(point.seconds, max(LEAST, middle - point.lower)) for point in points]
    upper = [(point.seconds, max(LEAST, point.upper - middle)) for point in points]
    across, up = SMALL.across([0.0, seconds]), SMALL.up([distance for _, distance in (*lower, *upper)], log=True)
    times = [(when, f"{rationals.near(when, 3)} s") for when in (0.0, seconds / 2, seconds)]
    parts = [*SMALL.levels(up), *SMALL.columns(across, times)]
    for place, (kind, line) in enumerate((("lower", lower), ("upper", upper)), 1):
        dots = [(across.at(when), up.at(distance)) for when, distance in line]
        end = x, y = dots[-1]
        parts += [svg.curve(dots, class_=kind), *([svg.dot(end, 3)] if len(dots) == 1 else [])]
        parts.append(svg.label(kind[0].upper(), x - 12 * place, y - 6, class_=kind))
    return _plot(name, parts)


def line_svg(
    points: Sequence[float],
    bounds: tuple[float, float] | None,
    unit: str,
    name: str = "What you could expect, before and after each move and in the end",
) -> str:
    """A line over time, such as what a person could expect over a game."""
    low, high = bounds or (min(points, default=0.0), max(points, default=1.0))
    across, up = SMALL.across([0.0, float(max(1, len(points) - 1))]), SMALL.up([low, high])
    levels = [(level, _level(level, unit)) for level in (up.low, (up.low + up.high) / 2, up.high)]
    dots = [(across.at(place), up.at(point)) for place, point in enumerate(points)]
    parts = [*SMALL.levels(up, levels), svg.curve(dots, class_="upper"), *(svg.dot(dot, 4) for dot in dots)]
    return _plot(f"{name}; the table below has the numbers", parts)


def _level(level: float, unit: str) -> str:
    return f"{100 * level:.0f}%" if unit == "percent" else rationals.near(level, 3).replace("-", "−")


# Several runs.


def letters() -> Iterator[str]:
    return iter("ABCDEFGH")


def gaps_svg(runs: Sequence[RunModel], by: str) -> str:
    """Plot the gap of each run against seconds or iterations; each has a letter, a colour and dashes."""
    name = f"The gap between the bounds of {len(runs)} run{'s' * (len(runs) != 1)}, by {by}, both on a log scale"
    lines = [_line(run, by) for run in runs]
    shown = [point for line in lines for point in line]
    if not shown:
        return _gaps(name, [LARGE.message("No run that was chosen has bounds to draw")])
    across, up = LARGE.across([x for x, _ in shown], log=True), LARGE.up([y for _, y in shown], log=True)
    parts = [*LARGE.levels(up), *LARGE.columns(across, lines=True), *LARGE.names(by)]
    ends: list[svg.Point] = []  # of lines, where letters stand
    for letter, colour, dashes, line in zip(letters(), COLOURS, DASHES, lines, strict=False):
        if line:
            dots = [(across.at(x), up.at(y)) for x, y in line]
            end = right, down = dots[-1]
            beside = sum(abs(right - x) < 14 and abs(down - y) < 14 for x, y in ends)
            ends.append(end)
            parts.append(svg.curve(dots, fill="none", stroke=colour, stroke_width=2.2, stroke_dasharray=dashes))
            parts.append(svg.dot(end, 3.5, fill=colour, stroke="none"))
            parts.append(svg.label(letter, right + 8 + 12 * beside, down + 4, class_="letter", font_weight=700))
    return _gaps(name, parts)


def _gaps(name: str, parts: Sequence[str]) -> str:
    return svg.picture(LARGE.size, name, parts, fixed=True, class_="plot gaps", font_size=13, fill="#555555")


def sample(place: int) -> str:
    """Draw the line of a run for the key."""
    look: dict[str, svg.Attribute] = {"stroke": COLOURS[place], "stroke_dasharray": DASHES[place]}
    return svg.icon(44, 16, svg.straight((0, 8), (44, 8), stroke_width=3, **look))


def _line(run: RunModel, by: str) -> list[svg.Point]:
    """Return the points of a run to draw, above 0 for the log scales."""
    points = []
    for moment in run.points:
        across = moment.seconds if by == "seconds" else moment.iteration
        if across is not None:
            points.append((max(float(across), 1e-4 if by == "seconds" else 1.0), max(moment.gap, LEAST)))
    return points
