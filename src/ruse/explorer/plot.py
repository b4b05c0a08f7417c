"""How the bounds of a run come together, as a picture: how far each is from the middle, on a log scale."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from ruse.core import rationals
from ruse.explorer.jobs import Point

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 40
LEAST = 1e-12  # what is nearer than this is drawn here


def bounds_svg(points: Sequence[Point]) -> str:
    """Two falling lines. The numbers are in the table beside the picture."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="plot" role="img" '
        'aria-labelledby="plot-title"><title id="plot-title">Distance of the lower and the upper bound from the '
        "middle of the last ones, by seconds, on a log scale</title>"
    )
    if not points:
        return f'{head}<text x="{WIDTH / 2}" y="{HEIGHT / 2}" text-anchor="middle">No bounds yet</text></svg>'
    middle = (points[-1].lower + points[-1].upper) / 2
    seconds = max(points[-1].seconds, 1e-3)
    far = [(point.seconds, max(LEAST, middle - point.lower), max(LEAST, point.upper - middle)) for point in points]
    low = floor(log10(min(min(lower, upper) for _, lower, upper in far)))
    high = max(low + 1, floor(log10(max(max(lower, upper) for _, lower, upper in far))) + 1)

    def x(when: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * when / seconds

    def y(distance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - log10(distance)) / (high - low)

    parts = [head]
    step = max(1, (high - low) // 5)
    for power in range(low, high + 1, step):
        level = y(10.0**power)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}"/>'
            f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">1e{power}</text>'
        )
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        when = share * seconds
        parts.append(
            f'<text x="{x(when):.1f}" y="{HEIGHT - 14}" text-anchor="{anchor}">{rationals.near(when, 3)} s</text>'
        )
    for column, name, letter in ((1, "lower", "L"), (2, "upper", "U")):
        path = " ".join(f"{x(row[0]):.1f},{y(row[column]):.1f}" for row in far)
        last = far[-1]
        parts.append(f'<polyline class="{name}" points="{path}"/>')
        parts += [f'<circle cx="{x(last[0]):.1f}" cy="{y(last[column]):.1f}" r="3"/>'] * (len(far) == 1)
        parts.append(
            f'<text class="{name}" x="{x(last[0]) - 12 * column:.1f}" y="{y(last[column]) - 6:.1f}">{letter}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


GAME = "What you could expect, before and after each move and in the end"


def line_svg(points: Sequence[float], bounds: tuple[float, float] | None, unit: str, title: str = GAME) -> str:
    """A line over time, such as what a person could expect over a game."""
    low, high = bounds or (min(points, default=0.0), max(points, default=1.0))
    span = high - low or 1.0
    inner = WIDTH - LEFT - RIGHT

    def y(level: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - level) / span

    def told(level: float) -> str:
        return f"{100 * level:.0f}%" if unit == "percent" else rationals.near(level, 3).replace("-", "−")

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="plot" role="img" '
        f'aria-label="{title}; the table below has the numbers">'
    ]
    for level in (low, low + span / 2, high):
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>'
            f'<text x="{LEFT - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{told(level)}</text>'
        )
    places = [LEFT + inner * place / max(1, len(points) - 1) for place in range(len(points))]
    dots = [(x, y(point)) for x, point in zip(places, points, strict=True)]
    parts.append(f'<polyline class="upper" points="{" ".join(f"{x:.1f},{level:.1f}" for x, level in dots)}"/>')
    parts += [f'<circle cx="{x:.1f}" cy="{level:.1f}" r="4"/>' for x, level in dots]
    return "".join([*parts, "</svg>"])
