"""Figures as SVG that stands in a page: lines, bars and small game trees, in colours that the page's style sheet sets.

Everything is drawn from numbers; a table below each picture in the page has them too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

from ruse.core import rationals
from ruse.core.game import CHANCE, END, Game, State
from ruse.reproduce.report import MINUS, Chart, ten_to
from ruse.view.drawing import line_up

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 74, 18, 16, 52
COLOURS = 6  # classes c0 to c5 of the style sheet
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4")  # so that lines are told apart without colour
MOST_TICKS = 6


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    log: bool
    start: float  # pixels
    end: float

    def at(self, value: float) -> float:
        value = log10(max(value, 10.0**self.low)) if self.log else value
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        if self.log:
            every = max(1, ceil((self.high - self.low) / MOST_TICKS))
            return [(10.0**power, _power(power)) for power in range(ceil(self.low), floor(self.high) + 1, every)]
        step = _round_step((self.high - self.low) / MOST_TICKS)
        first = ceil(self.low / step - 1e-9)
        count = floor(self.high / step + 1e-9) - first
        return [
            (number * step, rationals.near(number * step, 6).replace("-", MINUS))
            for number in range(first, first + count + 1)
        ]


def _power(power: int) -> str:
    return f"{10**power:,}" if 0 <= power <= 3 else ten_to(power)


def _round_step(step: float) -> float:
    unit = 10.0 ** floor(log10(step))
    return unit * next(times for times in (1, 2, 2.5, 5, 10) if times * unit >= step * (1 - 1e-9))


def _axis(values: Sequence[float], log: bool, start: float, end: float) -> Axis:
    if log:
        values = [log10(value) for value in values if value > 0]
    low, high = min(values), max(values)
    if log:
        low, high = floor(low + 1e-9), ceil(high - 1e-9)
    elif start > end:  # upwards: some air
        low, high = low - 0.05 * (high - low or 1), high + 0.05 * (high - low or 1)
    return Axis(low, high if high > low else low + 1, log, start, end)


def chart(of: Chart) -> str:
    """Lines through points, or bars side by side where the first x is a name."""
    points = [point for line in of.series.values() for point in line]
    if isinstance(points[0][0], str):
        return _bars(of)
    plain = [(float(x), float(y)) for x, y in points] + list(of.marks.values())
    x_axis = _axis([x for x, _ in plain], of.log[0], LEFT, WIDTH - RIGHT)
    y_axis = _axis([y for _, y in plain], of.log[1], HEIGHT - BOTTOM, TOP)
    parts = [_head(of), *_grid(of, y_axis)]
    for value, text in x_axis.ticks():
        parts.append(f'<text x="{x_axis.at(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{text}</text>')
    for place, line in enumerate(of.series.values()):
        path = " ".join(
            f"{x_axis.at(float(x)):.1f},{y_axis.at(float(y)):.1f}" for x, y in line if y > 0 or not of.log[1]
        )
        dash = f' stroke-dasharray="{DASHES[place % COLOURS]}"' if DASHES[place % COLOURS] else ""
        parts.append(f'<polyline class="line c{place % COLOURS}" points="{path}"{dash}/>')
    for name, (x, y) in of.marks.items():
        across, up = x_axis.at(x), y_axis.at(y)
        parts.append(
            f'<path class="mark" d="M{across - 5:.1f} {up - 5:.1f}l10 10m0 -10l-10 10">'
            f"<title>{escape(name)}</title></path>"
        )
    return "".join([*parts, "</svg>"]) + _legend(of)


def _bars(of: Chart) -> str:
    names = list(dict.fromkeys(str(x) for line in of.series.values() for x, _ in line))
    y_axis = _axis(
        [y for line in of.series.values() for _, y in line] + [0.0] * (not of.log[1]), of.log[1], HEIGHT - BOTTOM, TOP
    )
    room = (WIDTH - LEFT - RIGHT) / len(names)
    wide = 0.8 * room / len(of.series)
    parts = [_head(of), *_grid(of, y_axis)]
    for column, name in enumerate(names):
        middle = LEFT + room * (column + 0.5)
        parts.append(f'<text x="{middle:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{escape(name)}</text>')
    for place, line in enumerate(of.series.values()):
        for x, y in line:
            left = LEFT + room * (names.index(str(x)) + 0.1) + wide * place
            top = y_axis.at(y)
            base = HEIGHT - BOTTOM if of.log[1] else y_axis.at(0.0)
            parts.append(
                f'<rect class="bar c{place % COLOURS}" x="{left:.1f}" y="{min(top, base):.1f}" '
                f'width="{max(1.0, wide - 2):.1f}" '
                f'height="{abs(base - top):.1f}"><title>{escape(str(x))}: {rationals.near(y, 6)}</title></rect>'
            )
    return "".join([*parts, "</svg>"]) + _legend(of)


def _head(of: Chart) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="chart" role="img" '
        f'aria-label="{escape(of.title, quote=True)}"><title>{escape(of.title)}</title>'
    )


def _grid(of: Chart, y_axis: Axis) -> list[str]:
    parts = []
    for value, text in y_axis.ticks():
        level = y_axis.at(value)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}"/>'
            f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">{text}</text>'
        )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text class="name" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(of.x)}</text>"
    )
    parts.append(
        f'<text class="name" transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(of.y)}</text>"
    )
    return parts


def _legend(of: Chart) -> str:
    bars = any(isinstance(x, str) for line in of.series.values() for x, _ in line[:1])
    shown = []
    for place, name in enumerate(of.series):
        dash = f' stroke-dasharray="{DASHES[place % COLOURS]}"' if DASHES[place % COLOURS] and not bars else ""
        key = (
            f'<rect class="bar c{place % COLOURS}" width="24" height="10"/>'
            if bars
            else f'<path class="line c{place % COLOURS}" d="M0 5h24"{dash}/>'
        )
        shown.append(f'<li><svg width="24" height="10" aria-hidden="true">{key}</svg> {escape(name)}</li>')
    for name in of.marks:
        shown.append(
            '<li><svg width="24" height="10" aria-hidden="true"><path class="mark" d="M8 0l10 10m0 -10l-10 10"/></svg>'
            f" {escape(name)}</li>"
        )
    return f'<ul class="legend">{"".join(shown)}</ul>'


# Game trees.

ROW, COLUMN, LETTER, GAP, EDGE = 62, 54, 7.0, 8, 22  # pixels
NAMED = 0.6  # how far down an edge its move is written


@dataclass
class _Spot:
    state: State
    depth: int
    move: str
    children: list[_Spot] = field(default_factory=list)
    place: float = 0.0
    cut: bool = False  # more follows that is not drawn


def tree(game: Game, title: str, deepest: int = 99, most: int = 120, move: Callable[[str], str] = str) -> str:
    """A game from the top down: who moves, moves on the edges, payoffs to side 0 at the ends.

    Nodes of one information set are joined by a dashed line. Below `deepest` moves or after `most` nodes it is cut.
    """
    root = _Spot(game.start(), 0, "")
    spots = [root]
    for spot in spots:  # which grow
        if game.turn(spot.state) == END:
            continue
        if spot.depth == deepest or len(spots) >= most:
            spot.cut = True
            continue
        odds = game.odds(spot.state) if game.turn(spot.state) == CHANCE else ()
        for place, one in enumerate(game.moves(spot.state)):
            name = move(game.label(one)) + (f" {rationals.write(odds[place])}" if odds else "")
            spot.children.append(_Spot(game.play(spot.state, one), spot.depth + 1, name))
        spots += spot.children
    columns = line_up(root)
    column = _column(spots)
    width, height = (
        EDGE * 2 + column * max(1, columns - 1) + 40,
        EDGE * 2 + ROW * max(spot.depth for spot in spots) + 14,
    )

    def at(spot: _Spot) -> tuple[float, float]:
        return EDGE + 20 + column * spot.place, EDGE + ROW * spot.depth

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" class="game-tree" role="img" '
        f'style="min-width:{min(width, max(620, 0.85 * width)):.0f}px;max-width:{1.25 * width:.0f}px" '
        f'aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>"
    ]
    parts += _sets(game, spots, at)
    for spot in spots:
        x, y = at(spot)
        for child in spot.children:
            right, down = at(child)
            parts.append(f'<line class="edge" x1="{x:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{down:.1f}"/>')
            parts.append(
                f'<text class="move" x="{x + NAMED * (right - x):.1f}" y="{y + NAMED * (down - y):.1f}" '
                'text-anchor="middle">'
                f"{escape(child.move)}</text>"
            )
    for spot in spots:
        x, y = at(spot)
        turn = game.turn(spot.state)
        if turn == END:
            text = rationals.write(game.payoff(spot.state)).replace("-", MINUS)
            parts.append(f'<text class="end" x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{text}</text>')
            continue
        kind = {0: "first", 1: "second"}.get(turn, "chance")
        who = {0: "1", 1: "2"}.get(turn, "?")
        parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="11"/>')
        parts.append(f'<text class="who {kind}" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{who}</text>')
        if spot.cut:
            parts.append(f'<text x="{x:.1f}" y="{y + 25:.1f}" text-anchor="middle">…</text>')
    return "".join([*parts, "</svg>"])


def _column(spots: Sequence[_Spot]) -> float:
    """How far apart ends stand, so that moves which go out from one node are not written into each other."""
    needed = [
        (LETTER * (len(left.move) + len(right.move)) / 2 + GAP) / (NAMED * (right.place - left.place))
        for spot in spots
        for left, right in pairwise(spot.children)
    ]
    return max([COLUMN, *needed])


def _sets(game: Game, spots: Sequence[_Spot], at: Callable[[_Spot], tuple[float, float]]) -> list[str]:
    """Dashed bows between the nodes that a side cannot tell apart; each set of a level bows further."""
    groups: dict[tuple[int, object], list[_Spot]] = {}
    for spot in spots:
        turn = game.turn(spot.state)
        if turn in (0, 1):
            groups.setdefault((turn, game.knows(spot.state, turn)), []).append(spot)
    lines = []
    met: dict[int, int] = {}  # sets by depth
    for group in groups.values():
        if len(group) > 1:
            number = met[group[0].depth] = met.get(group[0].depth, -1) + 1
            path = f"M{at(group[0])[0]:.1f} {at(group[0])[1]:.1f}"
            for left, right in pairwise(group):
                (x, y), (across, down) = at(left), at(right)
                path += f"Q{(x + across) / 2:.1f} {(y + down) / 2 - 18 - 14 * number:.1f} {across:.1f} {down:.1f}"
            lines.append(f'<path class="set c{1 + number % (COLOURS - 1)}" d="{path}"/>')
    return lines
