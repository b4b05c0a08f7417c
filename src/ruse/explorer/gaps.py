"""How the gaps of several runs closed, on one picture: logarithmic both ways, a letter, colour and dashes for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

from ruse.explorer.plot import LEAST

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 60, 16, 46
COLOURS = ("#2a8a8f", "#c2602b", "#7a6fd0", "#b0740b", "#cc4a7e", "#4f8a3c", "#2f7fd0", "#6f7680")  # on light and dark
DASHES = ("", "8 4", "2 3", "10 3 2 3", "5 5", "12 4", "3 6", "8 3 3 3")
MOST_RUNS = len(COLOURS)


@dataclass(frozen=True)
class Moment:
    """One look at a run."""

    iteration: int | None  # where it is known
    seconds: float
    lower: float
    upper: float

    @property
    def gap(self) -> float:
        return max(0.0, self.upper - self.lower)


@dataclass(frozen=True)
class Run:
    """A run whose bounds were kept."""

    key: str  # in addresses: file:… or job:…
    title: str
    identity: str
    name: str  # what tells it from others of the same game
    solver: str
    page: str
    moments: Sequence[Moment]


def letters() -> Iterator[str]:
    return iter("ABCDEFGH")


def gaps_svg(runs: Sequence[Run], by: str) -> str:
    """A falling line for each run, against seconds or iterations. The numbers are in the table beside the picture."""
    name = f"The gap between the bounds of {len(runs)} runs, by {by}, both on a log scale"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'class="plot gaps" role="img" aria-labelledby="gaps-title" font-family="system-ui, sans-serif" '
        f'font-size="13" fill="#555555"><title id="gaps-title">{escape(name)}</title>'
    ]
    lines = [_line(run, by) for run in runs]
    shown = [point for line in lines for point in line]
    if not shown:
        text = "No run that was chosen has bounds to draw"
        return f'{parts[0]}<text x="{WIDTH / 2}" y="{HEIGHT / 2}" text-anchor="middle">{text}</text></svg>'
    across, down = _scale([x for x, _ in shown]), _scale([y for _, y in shown])

    def x(number: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(number) - across[0]) / (across[1] - across[0])

    def y(number: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (down[1] - log10(number)) / (down[1] - down[0])

    bottom = HEIGHT - BOTTOM
    for power in _ticks(*down):
        parts.append(
            f'<line class="grid" stroke="#cccccc" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(10.0**power):.1f}" '
            f'y2="{y(10.0**power):.1f}"/><text x="{LEFT - 8}" y="{y(10.0**power) + 4:.1f}" text-anchor="end">'
            f"{_power(power)}</text>"
        )
    for power in _ticks(*across):
        parts.append(
            f'<line class="grid" stroke="#cccccc" x1="{x(10.0**power):.1f}" x2="{x(10.0**power):.1f}" y1="{TOP}" '
            f'y2="{bottom}"/><text x="{x(10.0**power):.1f}" y="{bottom + 18}" text-anchor="middle">'
            f"{_power(power)}</text>"
        )
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{by}</text>')
    ends: list[tuple[float, float]] = []  # of lines, where letters stand
    for place, (letter, line) in enumerate(zip(letters(), lines, strict=False)):
        if line:
            dots = " ".join(f"{x(one):.1f},{y(two):.1f}" for one, two in line)
            colour, dashes = COLOURS[place], DASHES[place]
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2.2" points="{dots}"{dashed}/>')
            right, down_to = x(line[-1][0]), y(line[-1][1])
            beside = sum(abs(right - one) < 14 and abs(down_to - two) < 14 for one, two in ends)
            ends.append((right, down_to))
            parts.append(
                f'<circle cx="{right:.1f}" cy="{down_to:.1f}" r="3.5" fill="{colour}" stroke="none"/>'
                f'<text class="letter" x="{right + 8 + 12 * beside:.1f}" y="{down_to + 4:.1f}" font-weight="700">'
                f"{letter}</text>"
            )
    return "".join([*parts, "</svg>"])


def sample(place: int) -> str:
    """How the line of a run is drawn, for the key."""
    dashed = f' stroke-dasharray="{DASHES[place]}"' if DASHES[place] else ""
    line = f'<line x1="0" x2="44" y1="8" y2="8" stroke="{COLOURS[place]}" stroke-width="3"{dashed}/>'
    return f'<svg width="44" height="16" viewBox="0 0 44 16" aria-hidden="true" focusable="false">{line}</svg>'


def _line(run: Run, by: str) -> list[tuple[float, float]]:
    """What there is to draw of a run: on a log scale nothing is at 0."""
    found = []
    for moment in run.moments:
        across = moment.seconds if by == "seconds" else moment.iteration
        if across is not None:
            found.append((max(float(across), 1e-4 if by == "seconds" else 1.0), max(moment.gap, LEAST)))
    return found


def _scale(numbers: Sequence[float]) -> tuple[int, int]:
    """Powers of ten that enclose some numbers."""
    low = floor(log10(min(numbers)))
    return low, max(low + 1, floor(log10(max(numbers)) - 1e-12) + 1)


def _ticks(low: int, high: int) -> range:
    return range(low, high + 1, max(1, (high - low) // 6))


def _power(power: int) -> str:
    return f"{10**power:g}" if 0 <= power <= 4 else f"1e{power}" if abs(power) > 3 else f"{10.0**power:g}"
