"""Figures as SVG that stands in a page: lines, bars and small game trees, in colours that the page's style sheet sets.

Everything is drawn from numbers; a table below each picture in the page has them too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from ruse.core import rationals
from ruse.core.game import CHANCE, END, Game, State
from ruse.present import svg
from ruse.reproduce.report import MINUS, Chart

FRAME = svg.Frame(720, 340, 74, 18, 16, 52)
COLOURS = 6  # classes c0 to c5 of the style sheet
DASHES = (None, "7 3", "2 3", "9 3 2 3", "4 4", "1 4")  # so that lines differ without colour
MARK = "l10 10m0 -10l-10 10"  # a cross
MARGIN = 0.05  # above and below lines, as a share of their span


def chart(of: Chart) -> str:
    """Lines through points, or bars side by side where the first x is a name."""
    bars = any(isinstance(x, str) for line in of.series.values() for x, _ in line[:1])
    parts = _bars(of) if bars else _lines(of)
    drawn = svg.picture(FRAME.size, of.title, [*parts, *FRAME.names(of.x, of.y)], class_="chart")
    return drawn + _legend(of, bars)


def _lines(of: Chart) -> list[str]:
    lines = [[(float(x), y) for x, y in line] for line in of.series.values()]
    points = [point for line in (*lines, of.marks.values()) for point in line]
    across, up = FRAME.across([x for x, _ in points], of.log[0]), FRAME.up([y for _, y in points], of.log[1], MARGIN)
    parts = [*FRAME.levels(up), *FRAME.columns(across)]
    for place, line in enumerate(lines):
        dots = [(across.at(x), up.at(y)) for x, y in line if y > 0 or not of.log[1]]
        parts.append(svg.curve(dots, **_line_style(place)))
    for name, (x, y) in of.marks.items():
        path = f"M{across.at(x) - 5:.1f} {up.at(y) - 5:.1f}{MARK}"
        parts.append(svg.element("path", svg.title(name), class_="mark", d=path))
    return parts


def _bars(of: Chart) -> list[str]:
    names = list(dict.fromkeys(str(x) for line in of.series.values() for x, _ in line))
    levels = [y for line in of.series.values() for _, y in line]
    up = FRAME.up(levels if of.log[1] else [*levels, 0.0], of.log[1], MARGIN)
    across = FRAME.across([0.0, float(len(names))])
    base = FRAME.height - FRAME.bottom if of.log[1] else up.at(0.0)
    wide = 0.8 * (across.at(1) - across.at(0)) / len(of.series)
    parts = [*FRAME.levels(up), *FRAME.columns(across, [(place + 0.5, name) for place, name in enumerate(names)])]
    for place, line in enumerate(of.series.values()):
        for x, y in line:
            left = across.at(names.index(str(x)) + 0.1) + wide * place
            named = svg.title(f"{x}: {rationals.near(y, 6)}")
            parts.append(svg.bar(left, max(1.0, wide - 2), up.at(y), base, named, class_=f"bar c{place % COLOURS}"))
    return parts


def _line_style(place: int) -> dict[str, svg.Attribute]:
    return {"class_": f"line c{place % COLOURS}", "stroke_dasharray": DASHES[place % COLOURS]}


def _legend(of: Chart, bars: bool) -> str:
    keys = {}
    for place, name in enumerate(of.series):
        if bars:
            keys[name] = svg.bar(0, 24, 0, 10, class_=f"bar c{place % COLOURS}")
        else:
            keys[name] = svg.straight((0, 5), (24, 5), **_line_style(place))
    keys |= {name: svg.element("path", class_="mark", d=f"M8 0{MARK}") for name in of.marks}
    listed = "".join(f"<li>{svg.icon(24, 10, key)} {escape(name)}</li>" for name, key in keys.items())
    return f'<ul class="legend">{listed}</ul>'


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
        for place, option in enumerate(game.moves(spot.state)):
            name = move(game.label(option)) + (f" {rationals.write(odds[place])}" if odds else "")
            spot.children.append(_Spot(game.play(spot.state, option), spot.depth + 1, name))
        spots += spot.children
    columns, column = svg.line_up(root), _column(spots)
    width = EDGE * 2 + column * max(1, columns - 1) + 40
    height = EDGE * 2 + ROW * max(spot.depth for spot in spots) + 14

    def at(spot: _Spot) -> svg.Point:
        return EDGE + 20 + column * spot.place, EDGE + ROW * spot.depth

    edges = [_edge(at(spot), at(child), child.move) for spot in spots for child in spot.children]
    parts = [*_sets(game, spots, at), *edges, *(_node(game, spot, at(spot)) for spot in spots)]
    style = f"min-width:{min(width, max(620, 0.85 * width)):.0f}px;max-width:{1.25 * width:.0f}px"
    return svg.picture((round(width), height), title, parts, class_="game-tree", style=style)


def _edge(start: svg.Point, end: svg.Point, move: str) -> str:
    x, y = (low + NAMED * (high - low) for low, high in zip(start, end, strict=True))
    return svg.straight(start, end, class_="edge") + svg.label(move, x, y, class_="move", text_anchor="middle")


def _node(game: Game, spot: _Spot, middle: svg.Point) -> str:
    x, y = middle
    turn = game.turn(spot.state)
    if turn == END:
        payoff = rationals.write(game.payoff(spot.state)).replace("-", MINUS)
        return svg.label(payoff, x, y + 5, class_="end", text_anchor="middle")
    kind, who = {0: ("first", "1"), 1: ("second", "2")}.get(turn, ("chance", "?"))
    drawn = svg.dot(middle, 11, class_=kind) + svg.label(who, x, y + 4, class_=f"who {kind}", text_anchor="middle")
    return drawn + (svg.label("…", x, y + 25, text_anchor="middle") if spot.cut else "")


def _column(spots: Sequence[_Spot]) -> float:
    """How far apart ends stand, so that moves which go out from one node are not written into each other."""
    needed = [
        (LETTER * (len(left.move) + len(right.move)) / 2 + GAP) / (NAMED * (right.place - left.place))
        for spot in spots
        for left, right in pairwise(spot.children)
    ]
    return max([COLUMN, *needed])


def _sets(game: Game, spots: Sequence[_Spot], at: Callable[[_Spot], svg.Point]) -> list[str]:
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
            lines.append(svg.element("path", class_=f"set c{1 + number % (COLOURS - 1)}", d=path))
    return lines
