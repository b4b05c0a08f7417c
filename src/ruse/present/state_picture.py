"""A tree of states as a picture: what each state is, whose turn, and which of them a side cannot tell apart.

Shapes and numbers say everything; classes are there for pages that have colours. Text is as large as that around.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ruse.core.game import CHANCE, END, display_name
from ruse.present import svg
from ruse.present.drawing import how_often, short_move, value_text
from ruse.present.nodes import told
from ruse.present.state_tree import Node, StateTree

COLUMN, ROW, MARGIN, HEAD = 240, 46, 30, 8  # pixels
NODE, WIDEST = 12, 5
OUT, APART, MOST_LANES = 20, 8, 8  # how far to the left the first dashed line of a column runs, and the next ones
Links = Callable[[Node], str]
JOINED: dict[str, svg.Attribute] = {
    "fill": "none",
    "stroke": "currentColor",
    "stroke_width": 1.6,
    "stroke_dasharray": "4 3",
}
FILLED: dict[str, svg.Attribute] = {"fill": "#235a5f"}
OUTLINED: dict[str, svg.Attribute] = {"fill": "white", "stroke": "currentColor", "stroke_width": 1.5}


def picture(tree: StateTree, link: Links | None = None) -> str:
    """The picture; with a `link`, each state leads to an address."""
    deepest = max(node.depth for node in tree.shown)
    width, height = 2 * MARGIN + COLUMN * (deepest + 1), HEAD + MARGIN + ROW * tree.rows
    parts = [_edge(tree, node, child) for node in tree.shown for child in node.children]
    parts += [_joined(tree, number, together, lane) for number, together, lane in _lanes(tree)]
    parts += [_node(tree, node, link) for node in tree.in_order()]
    name = f"{tree.game.title}: {len(tree.shown)} states, {len(tree.sets)} information sets"
    return svg.picture((width, height), name, parts, True, link is not None, font_size=13, class_="states")


def key(tree: StateTree) -> list[tuple[str, str]]:
    """What the shapes mean: a small picture and words for each."""
    first, second = map(display_name, tree.game.sides)
    shapes = ((0, f"{first} to move"), (1, f"{second} to move"), (CHANCE, "chance decides"), (END, "the end"))
    drawn = [(_sample(_shape(turn, (14, 14), "1" if turn in (0, 1) else "")), text) for turn, text in shapes]
    line = svg.element("path", d="M4 14 H24", **JOINED)
    return [*drawn, (_sample(line), "the same number, and joined: the side to move cannot tell these states apart")]


def _sample(inside: str) -> str:
    return svg.icon(28, 28, inside, class_="states")


def _at(node: Node) -> tuple[float, float]:
    return MARGIN + COLUMN * node.depth, HEAD + ROW * (node.place + 0.5)


def _edge(tree: StateTree, node: Node, child: Node) -> str:
    start, (right, down) = _at(node), _at(child)
    flat, share = start[0] + 70, told(tree.nodes.share[child.state])
    odds = svg.element("tspan", how_often(share), class_="soft")
    words = f"{escape(short_move(tree.nodes.step[child.state]))} {odds}"
    edge = svg.branch(start, (right, down), flat, float(share), WIDEST)
    return edge + svg.element("text", words, x=flat, y=down - 6)


def _lanes(tree: StateTree) -> list[tuple[int, list[Node], int]]:
    """A lane for each information set of several states, so that lines side by side do not run into each other."""
    found = []
    taken: dict[int, list[float]] = {}  # by column, the last row of each lane
    several = [(number, some) for number, some in enumerate(tree.sets, 1) if len(some) > 1]
    for number, together in sorted(several, key=lambda one: one[1][0].place):
        lanes = taken.setdefault(together[0].depth, [])
        lane = next((place for place, last in enumerate(lanes) if last < together[0].place), len(lanes))
        lanes[lane : lane + 1] = [together[-1].place]
        found.append((number, together, lane % MOST_LANES))
    return found


def _joined(tree: StateTree, number: int, together: list[Node], lane: int) -> str:
    """A dashed line in its lane to the left, with a branch to each state of an information set."""
    places = [_at(node) for node in together]
    turn = tree.nodes.turn[together[0].state]
    x = min(x for x, _ in places) - OUT - APART * lane
    path = f"M{x:g} {places[0][1]:g} V{places[-1][1]:g}" + "".join(
        f" M{x:g} {down:g} H{right:g}" for right, down in places
    )
    return svg.element("path", class_=f"joined side{turn}", data_set=number, d=path, **JOINED, stroke_opacity=0.75)


def _shape(turn: int, middle: svg.Point, number: str) -> str:
    x, y = middle
    if turn == CHANCE:
        diamond = f"M{x:g} {y - 9:g} L{x + 9:g} {y:g} L{x:g} {y + 9:g} L{x - 9:g} {y:g} Z"
        return svg.element("path", class_="chance", d=diamond, **OUTLINED)
    if turn == END:
        return svg.square(middle, 5, class_="end", fill="currentColor")
    look, ink = (FILLED, "#ffffff") if turn == 0 else (OUTLINED, "#1f2327")
    font: dict[str, svg.Attribute] = {"font_size": 12 if len(number) < 3 else 10, "font_weight": 600, "fill": ink}
    words = svg.label(number, x, y + 4, class_=f"side{turn}", text_anchor="middle", **font)
    return svg.dot(middle, NODE, class_=f"side{turn}", **look) + words


def _node(tree: StateTree, node: Node, link: Links | None) -> str:
    middle = x, y = _at(node)
    looked = {tree.asked.at} if tree.asked.at is not None else tree.members
    ring = svg.dot(middle, NODE + 4, class_="ring", fill="none", stroke="currentColor", stroke_width=2)
    number = "" if node.set is None else str(node.set)
    drawn = (ring if node.state in looked else "") + _shape(tree.nodes.turn[node.state], middle, number)
    beside = _beside(tree, node, x, y)
    if link is None:
        return svg.element("g", svg.title(said(tree, node)), drawn, beside)
    can_open = bool(tree.nodes.children(node.state))
    leads = svg.element(
        "a",
        svg.square(middle, 22, fill="transparent"),  # large enough for a finger
        drawn,
        href=link(node),
        data_state=node.state,
        data_depth=node.depth,
        data_set=node.set,
        aria_current="true" if node.state == tree.asked.at else None,
        role="button",
        aria_label=said(tree, node),
        aria_expanded=("true" if node.is_open else "false") if can_open else None,
    )
    return leads + beside


def _beside(tree: StateTree, node: Node, x: float, y: float) -> str:
    """What stands to the right of a state that is not open: what it pays, or how much follows."""
    words = ""
    if tree.nodes.turn[node.state] == END:
        words = value_text(tree.game, tree.worth(node.state))
    elif not node.is_open:
        words = f"+ {tree.below[node.state]:,}"
    elif node.left_out:
        words, y = f"+ {node.left_out} branches", y + 26
    return svg.label(words, x + NODE + 6, y + 4, class_="soft") if words else ""


def said(tree: StateTree, node: Node) -> str:
    """A state in a sentence, for those who hear the picture."""
    nodes, turn = tree.nodes, tree.nodes.turn[node.state]
    way = ", ".join(tree.steps(node.state)) or "the start"
    if turn == END:
        return f"{way}: the end, {value_text(tree.game, tree.worth(node.state))} to {display_name(tree.game.sides[0])}"
    whose = (
        "chance decides"
        if turn == CHANCE
        else f"{display_name(tree.game.sides[turn])} to move, information set {node.set}"
    )
    return f"{way}: {whose}; {len(nodes.children(node.state))} branches"
