"""The tree below a position, to a given depth: `solution.tree().svg()`.

Positions are those of one side, from left to right. The width of an edge shows how often play goes there when both
sides follow their strategies; its label gives the move, its odds and the value. The picture takes its colours from the
text around it, so that it is readable on dark pages, and has no style sheet, because pages may forbid those.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from ruse.core import rationals
from ruse.core.game import END, Game, display_name
from ruse.present import svg
from ruse.present.model import Option, View, Viewer

MOST_NODES = 150
MOST_BRANCHES = 8  # of one position
COLUMN, ROW, MARGIN = 250, 46, 24  # pixels
NODE, WIDEST = 7, 10  # pixels
MOST_TEXT = 26  # characters of a move
LONGEST = 9  # characters of a fraction
Link = Callable[[str], str]


@dataclass
class TreeNode:
    """A position and what may follow it."""

    view: View | None  # None where the view does not name a next position
    option: Option | None  # the option that led here
    often: Fraction  # how often play from the first position comes here
    depth: int
    left_out: int = 0  # options that are not drawn
    children: list[TreeNode] = field(default_factory=list)
    place: float = 0.0

    @property
    def position(self) -> str | None:
        return None if self.view is None else self.view.position

    @property
    def move(self) -> str | None:
        """The move that leads here."""
        return None if self.option is None else self.option.move

    @property
    def odds(self) -> Fraction | None:
        """How often that move is made."""
        return None if self.option is None else self.option.odds

    @property
    def value(self) -> Fraction | None:
        """The payoff to side 0."""
        if self.option is not None:
            return self.option.value
        return None if self.view is None else self.view.value


def short(number: Fraction) -> str:
    """Write a number exactly, or rounded if the fraction is long."""
    exact = rationals.write(number)
    return (exact if len(exact) <= LONGEST else f"{float(number):.3f}").replace("-", "−")


def how_often(share: Fraction) -> str:
    if share in (0, 1):
        return "always" if share else "never"
    return short(share)


def short_move(move: str) -> str:
    return move if len(move) <= MOST_TEXT else f"{move[: MOST_TEXT - 1]}…"


def value_text(game: Game, value: Fraction) -> str:
    """Write how often the first side wins, or what it gets in a game with other payoffs."""
    return rationals.percent((1 + value) / 2) if len(game.wins) == 2 else short(value)


def tree(viewer: Viewer, position: str | None = None, depth: int = 3, side: int | None = None) -> Drawing:
    """The tree below a position, or below the start of side 0. Raises PositionError."""
    return Drawing(viewer, viewer.start(0) if position is None else position, max(0, depth), side)


class Drawing:
    """A picture that notebooks show; `svg()` is its text."""

    def __init__(self, viewer: Viewer, position: str, depth: int, side: int | None = None) -> None:
        self.viewer, self.depth = viewer, depth
        self.game = viewer.solution.game
        self.root = TreeNode(viewer.at(position, side), None, Fraction(1), 0)
        self._nodes = self._grow()

    def _grow(self) -> list[TreeNode]:
        """Add nodes level by level, until there are too many."""
        nodes = [self.root]
        for node in nodes:  # which grow
            if node.view is None or node.depth == self.depth:
                continue
            options = sorted(node.view.options, key=lambda option: -option.odds)
            room = min(MOST_BRANCHES, MOST_NODES - len(nodes))
            node.left_out = max(0, len(options) - room)
            shown = options[: max(0, room)]
            for option in filter(shown.__contains__, node.view.options):
                view = None if option.after is None else self.viewer.at(option.after, node.view.side)
                node.children.append(TreeNode(view, option, node.often * option.odds, node.depth + 1))
            nodes += node.children
        self.rows = svg.line_up(self.root)
        return nodes

    def svg(self, link: Link | None = None) -> str:
        """Return the picture; with a `link`, each position leads to an address."""
        deepest = max(node.depth for node in self._nodes)
        width, height = 2 * MARGIN + COLUMN * deepest + 60, 2 * MARGIN + ROW * self.rows
        root = self.root.view
        assert root is not None
        side = display_name(self.game.sides[0])
        description = (
            f"{len(self._nodes)} positions; {value_text(self.game, root.value)} to {side} at {root.position}. "
        )
        description += "Wider lines are played more often."
        wins = f"{side} wins" if len(self.game.wins) == 2 else f"worth to {side}"
        parts = [svg.element("desc", escape(description)), svg.label(f"move, how often · {wins}", 4, 14, font_size=11)]
        parts += [self._edge(node, child) for node in self._nodes for child in node.children]
        parts += [self._node(node, link) for node in self._nodes]
        name = f"{root.position}: what may follow"
        return svg.picture((width, height), name, parts, True, link is not None, font_size=12, class_="tree")

    def _at(self, node: TreeNode) -> tuple[float, float]:
        return MARGIN + COLUMN * node.depth, MARGIN + ROW * (node.place + 0.5)

    def _edge(self, node: TreeNode, child: TreeNode) -> str:
        (x, y), (right, down) = self._at(node), self._at(child)
        flat, often = x + COLUMN / 2.4, float(child.often)
        assert child.option is not None
        above = down - 5 - (1 + (WIDEST - 1) * often) / 2
        edge = svg.branch((x + NODE, y), (right - NODE, down), flat, often, WIDEST)
        return edge + svg.label(self._label(child.option), flat, above)

    def _label(self, option: Option) -> str:
        """The text on an edge: move, odds and value."""
        value = "" if option.value is None else f" · {value_text(self.game, option.value)}"
        return f"{short_move(option.move)} {how_often(option.odds)}{value}"

    def _node(self, node: TreeNode, link: Link | None) -> str:
        x, y = self._at(node)
        view = node.view
        moving = view is not None and view.turn == view.side
        words = self._describe(node)
        ended = view is None or view.turn == END
        look: dict[str, svg.Attribute] = {"stroke": "currentColor", "fill_opacity": None if moving else 0.25}
        shape, size = (svg.square, NODE - 1) if ended else (svg.dot, NODE)
        drawn = shape((x, y), size, svg.title(words), **look)
        if node.left_out:
            drawn += svg.label(f"+ {node.left_out} more", x + NODE + 5, y + 18, font_size=11)
        drawn = svg.element("g", drawn, opacity=None if node.often else 0.6)
        if link is None or view is None:
            return drawn
        return svg.element("a", drawn, href=link(view.position), aria_label=words)

    def _describe(self, node: TreeNode) -> str:
        if node.view is None:
            return "not shown further"
        often = f", {short(node.often)} of the time" if node.option is not None else ""
        value = value_text(self.game, node.view.value)
        return f"{node.view.position}: {value} to {display_name(self.game.sides[0])}{often}"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow:auto">{self.svg()}</div>'
