"""The tree of what may follow a position, drawn as far as is asked for: `solution.tree().svg()`.

Positions are those of one side, from left to right. An edge is as wide as play is likely to go there when both sides
follow their strategies, and says the move, its odds and the value together. All colours are those of the text around,
so that the picture is as readable in the dark; it has no style sheet, so that pages may forbid those.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any, Protocol, Self

from ruse.core import rationals
from ruse.core.game import END, called
from ruse.view.model import Option, View, Viewer

MOST_NODES = 150
MOST_BRANCHES = 8  # of one position
COLUMN, ROW, MARGIN = 250, 46, 24  # pixels
NODE, WIDEST = 7, 10  # pixels
MOST_TEXT = 26  # characters of a move
LONGEST = 9  # characters of a fraction
Link = Callable[[str], str]


@dataclass
class _Node:
    view: View | None  # None where nothing more is told
    option: Option | None  # that led here
    often: Fraction  # how likely play from the first position comes here
    depth: int
    left_out: int = 0  # options that are not drawn
    children: list[_Node] = field(default_factory=list)
    place: float = 0.0


class Placed(Protocol):
    """A node of a tree that is drawn, and its place among the ends: 0, 1, 2 …"""

    children: list[Self]
    place: float


def line_up(root: Placed) -> int:
    """Give ends a place each, and others one in the middle of what follows them; how many ends there are."""
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


def tree(viewer: Viewer, position: str | None = None, depth: int = 3, side: int | None = None) -> Drawing:
    """The tree below a position, or below the start of side 0. Raises PositionError."""
    return Drawing(viewer, viewer.start(0) if position is None else position, max(0, depth), side)


class Drawing:
    """A picture that notebooks show; `svg()` is its text."""

    def __init__(self, viewer: Viewer, position: str, depth: int, side: int | None = None) -> None:
        self.viewer, self.depth = viewer, depth
        self.game = viewer.solution.game
        self._root = _Node(viewer.at(position, side), None, Fraction(1), 0)
        self._nodes = self._grow()

    def _grow(self) -> list[_Node]:
        """All nodes, level by level, until they are too many."""
        nodes = [self._root]
        for node in nodes:  # which grow
            if node.view is None or node.depth == self.depth:
                continue
            options = sorted(node.view.options, key=lambda option: -option.odds)
            room = min(MOST_BRANCHES, MOST_NODES - len(nodes))
            node.left_out = max(0, len(options) - room)
            shown = options[: max(0, room)]
            for option in (one for one in node.view.options if one in shown):
                view = None if option.after is None else self.viewer.at(option.after, node.view.side)
                node.children.append(_Node(view, option, node.often * option.odds, node.depth + 1))
            nodes += node.children
        self.rows = line_up(self._root)
        return nodes

    def svg(self, link: Link | None = None) -> str:
        """The picture; with a `link`, each position leads to an address."""
        deepest = max(node.depth for node in self._nodes)
        width, height = 2 * MARGIN + COLUMN * deepest + 60, 2 * MARGIN + ROW * self.rows
        root = self._root.view
        assert root is not None
        name = f"{root.position}: what may follow"
        side = called(self.game.sides[0])
        told = f"{len(self._nodes)} positions; {self._worth(root.value)} to {side} at {root.position}. "
        told += "Wider lines are played more often."
        wins = f"{side} wins" if len(self.game.wins) == 2 else f"worth to {side}"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="{"img" if link is None else "group"}" '
            f'aria-label="{escape(name, quote=True)}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" fill="none" stroke="none" color="currentColor" '
            'font-family="system-ui, sans-serif" font-size="12" class="tree">',
            f"<title>{escape(name)}</title><desc>{escape(told)}</desc>",
            f'<text x="4" y="14" fill="currentColor" font-size="11">move, how often · {escape(wins)}</text>',
        ]
        for node in self._nodes:
            parts += [self._edge(node, child) for child in node.children]
        parts += [self._node(node, link) for node in self._nodes]
        return "\n".join([*parts, "</svg>"])

    def to_json(self) -> dict[str, Any]:
        """The same positions and numbers."""
        return self._node_json(self._root)

    def _node_json(self, node: _Node) -> dict[str, Any]:
        view, option = node.view, node.option
        value = option.value if option is not None else None if view is None else view.value
        return {
            "position": None if view is None else view.position,
            "move": None if option is None else option.move,
            "odds": None if option is None else rationals.write(option.odds),
            "often": rationals.write(node.often),
            "value": None if value is None else rationals.write(value),
            "left_out": node.left_out,
            "children": [self._node_json(child) for child in node.children],
        }

    def _at(self, node: _Node) -> tuple[float, float]:
        return MARGIN + COLUMN * node.depth, MARGIN + ROW * (node.place + 0.5)

    def _edge(self, node: _Node, child: _Node) -> str:
        (x, y), (right, down) = self._at(node), self._at(child)
        left, right, flat = x + NODE, right - NODE, x + COLUMN / 2.4
        wide = 1 + (WIDEST - 1) * float(child.often)
        dashed = "" if child.often else ' stroke-dasharray="3 4"'
        bend = x + COLUMN / 4
        assert child.option is not None
        return (
            f'<path d="M{left:g} {y:g} C{bend:g} {y:g} {bend:g} {down:g} {flat:g} {down:g} L{right:g} {down:g}" '
            f'stroke="currentColor" stroke-opacity="{0.55 if child.often else 0.3}" stroke-width="{wide:.2f}"{dashed}/>'
            f'<text x="{flat:g}" y="{down - 5 - wide / 2:g}" fill="currentColor">'
            f"{escape(self._label(child.option))}</text>"
        )

    def _label(self, option: Option) -> str:
        """Move, odds and value together."""
        move = option.move if len(option.move) <= MOST_TEXT else f"{option.move[: MOST_TEXT - 1]}…"
        often = "never" if not option.odds else "always" if option.odds == 1 else self._text(option.odds)
        return f"{move} {often}" + ("" if option.value is None else f" · {self._worth(option.value)}")

    @staticmethod
    def _text(number: Fraction) -> str:
        exact = rationals.write(number)
        return exact if len(exact) <= LONGEST else f"{float(number):.3f}"

    def _worth(self, value: Fraction) -> str:
        """How often the first side wins, in a game of two outcomes; else what it gets."""
        if len(self.game.wins) == 2:
            return rationals.percent((1 + value) / 2)
        return self._text(value)

    def _node(self, node: _Node, link: Link | None) -> str:
        x, y = self._at(node)
        view = node.view
        ended = view is None or view.turn == END
        moving = view is not None and view.turn == view.side
        shape = (
            f'<rect x="{x - NODE + 1:g}" y="{y - NODE + 1:g}" width="{2 * NODE - 2}" height="{2 * NODE - 2}"'
            if ended
            else f'<circle cx="{x:g}" cy="{y:g}" r="{NODE}"'
        )
        fill = 'fill="currentColor"' if moving else 'fill="currentColor" fill-opacity="0.25"'
        faint = "" if node.often else ' opacity="0.6"'
        text = self._told(node)
        drawn = f'<g{faint}>{shape} {fill} stroke="currentColor"><title>{escape(text)}</title>'
        drawn += f"</{'rect' if ended else 'circle'}>"
        if node.left_out:
            more = f"+ {node.left_out} more"
            drawn += f'<text x="{x + NODE + 5:g}" y="{y + 18:g}" fill="currentColor" font-size="11">{more}</text>'
        drawn += "</g>"
        if link is None or view is None:
            return drawn
        return (
            f'<a href="{escape(link(view.position), quote=True)}" aria-label="{escape(text, quote=True)}">{drawn}</a>'
        )

    def _told(self, node: _Node) -> str:
        if node.view is None:
            return "not told further"
        often = f", {self._text(node.often)} of the time" if node.option is not None else ""
        return f"{node.view.position}: {self._worth(node.view.value)} to {called(self.game.sides[0])}{often}"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow:auto">{self.svg()}</div>'
