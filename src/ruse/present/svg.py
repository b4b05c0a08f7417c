"""SVG pictures: elements, plots with axes, and the layout and edges of trees.

Pictures have no style sheet of their own, since pages may forbid one: classes are there for pages that have colours.
Every picture carries its name as a title and as a label for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple, Protocol, Self

from ruse.core import rationals

MOST_STEPS, MOST_POWERS = 6, 8  # between the ticks of an axis, and of a log scale
Attribute = str | float | None
Point = tuple[float, float]
Tick = tuple[float, str]  # a value of an axis and its label


def element(name: str, *inside: str, **attributes: Attribute) -> str:
    """Return an element that holds some markup.

    `class_` and `stroke_width` write the attributes class and stroke-width; an attribute that is None is left out.
    """
    written = "".join(f' {_name(key)}="{_written(value)}"' for key, value in attributes.items() if value is not None)
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return escape(value, quote=True)
    return str(value) if isinstance(value, int) else f"{value:.2f}".rstrip("0").rstrip(".")


def label(words: str, x: float, y: float, **attributes: Attribute) -> str:
    return element("text", escape(words), x=x, y=y, **attributes)


def title(words: str) -> str:
    """Return what a pointer over the surrounding element shows."""
    return element("title", escape(words))


def described(words: str) -> str:
    """Return what a screen reader may read of a picture beyond its name."""
    return element("desc", escape(words))


def group(*parts: str, **attributes: Attribute) -> str:
    return element("g", *parts, **attributes)


def picture(
    size: Point, name: str, parts: Iterable[str], fixed: bool = False, links: bool = False, **attributes: Attribute
) -> str:
    """Return the picture itself; `name` says what it shows.

    A `fixed` one is as large as drawn and has the colour of the text around it; others fill the page, by its style
    sheet. One with `links` is read out link by link.
    """
    width, height = size
    own: dict[str, Attribute] = {"viewBox": f"0 0 {_written(width)} {_written(height)}"}
    own |= {"role": "group" if links else "img", "aria_label": name}
    if fixed:
        own |= {"width": width, "height": height, "fill": "currentColor", "font_family": "system-ui, sans-serif"}
    inside = "\n".join([title(name), *parts])
    return element("svg", inside, xmlns="http://www.w3.org/2000/svg", **{**own, **attributes})


def icon(width: float, height: float, *inside: str, **attributes: Attribute) -> str:
    """Return a small picture beside words that say the same, such as the key of a plot."""
    box = f"0 0 {width:g} {height:g}"
    hidden: dict[str, Attribute] = {"aria_hidden": "true", "focusable": "false", **attributes}
    return element("svg", *inside, width=width, height=height, viewBox=box, **hidden)


# Plots.


@dataclass(frozen=True)
class Axis:
    """Values along a line of pixels. On a log scale `low` and `high` are powers of ten."""

    low: float
    high: float
    start: float  # pixels
    end: float
    log: bool = False

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float, log: bool = False, margin: float = 0.0) -> Self:
        """Return the axis that has room for all values, and a share of their span beyond both ends.

        A log scale goes from one power of ten to another, and leaves out what is not above 0.
        """
        if log:
            powers = [log10(value) for value in values if value > 0]
            low, high = float(floor(min(powers) + 1e-9)), float(ceil(max(powers) - 1e-9))
        else:
            air = margin * (max(values) - min(values) or 1)
            low, high = min(values) - air, max(values) + air
        return cls(low, high if high > low else low + 1, start, end, log)

    def at(self, value: float) -> float:
        value = log10(max(value, 10.0**self.low)) if self.log else value
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[Tick]:
        """Return some round values with their labels."""
        if self.log:
            every = max(1, ceil((self.high - self.low) / MOST_POWERS))
            return [(10.0**power, _power(power)) for power in range(ceil(self.low), floor(self.high) + 1, every)]
        step = _round_step((self.high - self.low) / MOST_STEPS)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [
            (number * step, rationals.near(number * step, 6).replace("-", "−")) for number in range(first, last + 1)
        ]


def _power(power: int) -> str:
    return f"{10**power:,}" if 0 <= power <= 3 else ten_to(power)


def ten_to(power: int) -> str:
    """Return a power of ten as people write it: 10⁻⁵."""
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _round_step(step: float) -> float:
    unit = 10.0 ** floor(log10(step))
    return unit * next(times for times in (1, 2, 2.5, 5, 10) if times * unit >= step * (1 - 1e-9))


class Frame(NamedTuple):
    """The size of a plot and the margins around its axes, in pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int

    @property
    def size(self) -> Point:
        return self.width, self.height

    def across(self, values: Sequence[float], log: bool = False) -> Axis:
        return Axis.around(values, self.left, self.width - self.right, log)

    def up(self, values: Sequence[float], log: bool = False, margin: float = 0.0) -> Axis:
        return Axis.around(values, self.height - self.bottom, self.top, log, margin)

    def levels(self, axis: Axis, ticks: Iterable[Tick] | None = None) -> list[str]:
        """Return a line across the plot for each tick of the axis that goes up, with its label."""
        parts = []
        for value, words in axis.ticks() if ticks is None else ticks:
            y = axis.at(value)
            parts.append(_grid_line((self.left, y), (self.width - self.right, y)))
            parts.append(label(words, self.left - 8, y + 4, text_anchor="end"))
        return parts

    def columns(self, axis: Axis, ticks: Iterable[Tick] | None = None, lines: bool = False) -> list[str]:
        """Return a label below the plot for each tick of the axis that goes across, with a line if asked for."""
        bottom, parts = self.height - self.bottom, []
        for value, words in axis.ticks() if ticks is None else ticks:
            x = axis.at(value)
            parts += [_grid_line((x, self.top), (x, bottom))] * lines
            parts.append(label(words, x, bottom + 18, text_anchor="middle"))
        return parts

    def names(self, across: str, up: str = "") -> list[str]:
        """Return what the axes measure."""
        middle = f"translate(16 {(self.top + self.height - self.bottom) / 2:.0f}) rotate(-90)"
        below = label(
            across, (self.left + self.width - self.right) / 2, self.height - 8, class_="name", text_anchor="middle"
        )
        beside = element("text", escape(up), class_="name", transform=middle, text_anchor="middle")
        return [below, beside] if up else [below]

    def message(self, words: str) -> str:
        """Return what stands in the middle of a plot that has nothing to draw."""
        return label(words, self.width / 2, self.height / 2, text_anchor="middle")


def _grid_line(start: Point, end: Point) -> str:
    return straight(start, end, class_="grid", stroke="#cccccc")


def straight(start: Point, end: Point, **attributes: Attribute) -> str:
    return element("line", **attributes, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def curve(points: Iterable[Point], **attributes: Attribute) -> str:
    """Return a line through points."""
    return element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), **attributes)


def dot(middle: Point, radius: float, *inside: str, **attributes: Attribute) -> str:
    return element("circle", *inside, **attributes, cx=middle[0], cy=middle[1], r=radius)


def bar(left: float, width: float, level: float, base: float, *inside: str, **attributes: Attribute) -> str:
    """Return a bar from its base to a level, above or below it."""
    size = {"x": left, "y": min(level, base), "width": width, "height": abs(base - level)}
    return element("rect", *inside, **attributes, **size)


def ellipse(middle: Point, radii: Point, **attributes: Attribute) -> str:
    return element("ellipse", **attributes, cx=middle[0], cy=middle[1], rx=radii[0], ry=radii[1])


def box(corner_at: Point, size: Point, corner: float = 0, **attributes: Attribute) -> str:
    """Return a box by its left upper corner, with rounded corners if asked for."""
    place = {"x": corner_at[0], "y": corner_at[1], "width": size[0], "height": size[1]}
    return element("rect", **attributes, **place, rx=corner or None)


def shape(corners: Iterable[Point], **attributes: Attribute) -> str:
    """Return a closed shape through its corners."""
    return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners), **attributes)


def square(middle: Point, half: float, *inside: str, **attributes: Attribute) -> str:
    x, y = middle
    return element("rect", *inside, **attributes, x=x - half, y=y - half, width=2 * half, height=2 * half)


# Trees.


class Placed(Protocol):
    """A node of a tree that is drawn, and its place among the ends: 0, 1, 2 …"""

    children: list[Self]
    place: float


def line_up(root: Placed) -> int:
    """Give each end a place, and each other node the middle of its children's; return how many ends there are."""
    ends = 0
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        if not node.children:
            node.place, ends = float(ends), ends + 1
        elif done:
            node.place = (node.children[0].place + node.children[-1].place) / 2
        else:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node.children)]
    return ends


def branch(start: Point, end: Point, flat: float, share: float, widest: float) -> str:
    """Return an edge of a tree from left to right: bent at first, and level from `flat` on, where its label stands.

    It is as wide as its share of play, and dashed where play never goes.
    """
    (x, y), (right, down), bend = start, end, (start[0] + flat) / 2
    return element(
        "path",
        d=f"M{x:g} {y:g} C{bend:g} {y:g} {bend:g} {down:g} {flat:g} {down:g} L{right:g} {down:g}",
        fill="none",
        stroke="currentColor",
        stroke_opacity=0.6 if share else 0.3,
        stroke_width=1 + (widest - 1) * share,
        stroke_dasharray=None if share else "3 4",
    )
