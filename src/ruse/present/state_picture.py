"""Draw a tree of states: whose turn each state is, and which states a side cannot distinguish.

Shapes and numbers carry all information; classes are there for pages that have colours.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ruse.core.game import CHANCE, END, display_name
from ruse.present import svg
from ruse.present.drawing import how_often, short_move, value_text
from ruse.present.nodes import as_fraction
from ruse.present.state_tree import ShownState, StateTree

COLUMN, ROW, MARGIN, HEAD = 240, 46, 30, 8  # pixels
NODE, WIDEST = 12, 5
OUT, APART, MOST_LINES = 20, 8, 8  # pixels to the left for the first dashed line of a column, and for each next one
Links = Callable[[ShownState], str]
JOINED: dict[str, svg.Attribute] = {
    "fill": "none",
    "stroke": "currentColor",
    "stroke_width": 1.6,
    "stroke_dasharray": "4 3",
}
FILLED: dict[str, svg.Attribute] = {"fill": "#235a5f"}
OUTLINED: dict[str, svg.Attribute] = {"fill": "white", "stroke": "currentColor", "stroke_width": 1.5}


def picture(tree: StateTree, link: Links | None = None) -> str:
    """Draw the picture; with a `link`, each state leads to an address."""
    deepest = max(node.depth for node in tree.shown)
    width, height = 2 * MARGIN + COLUMN * (deepest + 1), HEAD + MARGIN + ROW * tree.rows
    parts = [_edge(tree, node, child) for node in tree.shown for child in node.children]
    parts += [_joined(tree, number, states, place) for number, states, place in _dashed_lines(tree)]
    parts += [_node(tree, node, link) for node in tree.in_order()]
    name = f"{tree.game.title}: {len(tree.shown)} states, {len(tree.sets)} information sets"
    return svg.picture((width, height), name, parts, True, link is not None, font_size=13, class_="states")


def key(tree: StateTree) -> list[tuple[str, str]]:
    """Explain the shapes: a small picture and words for each."""
    first, second = map(display_name, tree.game.sides)
    shapes = ((0, f"{first} to move"), (1, f"{second} to move"), (CHANCE, "chance decides"), (END, "the end"))
    drawn = [(_sample(_shape(turn, (14, 14), "1" if turn in (0, 1) else "")), text) for turn, text in shapes]
    line = svg.element("path", d="M4 14 H24", **JOINED)
    return [*drawn, (_sample(line), "same number, joined: the side to move cannot distinguish these states")]


def _sample(inside: str) -> str:
    return svg.icon(28, 28, inside, class_="states")


def _at(node: ShownState) -> tuple[float, float]:
    return MARGIN + COLUMN * node.depth, HEAD + ROW * (node.place + 0.5)


def _edge(tree: StateTree, node: ShownState, child: ShownState) -> str:
    start, (right, down) = _at(node), _at(child)
    flat, share = start[0] + 70, as_fraction(tree.nodes.share[child.state])
    odds = svg.element("tspan", how_often(share), class_="soft")
    words = f"{escape(short_move(tree.nodes.step[child.state]))} {odds}"
    edge = svg.branch(start, (right, down), flat, float(share), WIDEST)
    return edge + svg.element("text", words, x=flat, y=down - 6)


def _dashed_lines(tree: StateTree) -> list[tuple[int, list[ShownState], int]]:
    """Place a dashed line for each information set of several states, so that no two lines of a column overlap."""
    lines = []
    taken: dict[int, list[float]] = {}  # by column, the last row of the line at each place
    several = [(number, states) for number, states in enumerate(tree.sets, 1) if len(states) > 1]
    for number, states in sorted(several, key=lambda line: line[1][0].place):
        rows = taken.setdefault(states[0].depth, [])
        place = next((free for free, last in enumerate(rows) if last < states[0].place), len(rows))
        rows[place : place + 1] = [states[-1].place]
        lines.append((number, states, place % MOST_LINES))
    return lines


def _joined(tree: StateTree, number: int, states: list[ShownState], place: int) -> str:
    """Draw a dashed line to the left of an information set, with a branch to each of its states."""
    places = [_at(node) for node in states]
    turn = tree.nodes.turn[states[0].state]
    x = min(x for x, _ in places) - OUT - APART * place
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


def _node(tree: StateTree, node: ShownState, link: Links | None) -> str:
    middle = x, y = _at(node)
    looked = {tree.selection.at} if tree.selection.at is not None else tree.members
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
        aria_current="true" if node.state == tree.selection.at else None,
        role="button",
        aria_label=said(tree, node),
        aria_expanded=("true" if node.is_open else "false") if can_open else None,
    )
    return leads + beside


def _beside(tree: StateTree, node: ShownState, x: float, y: float) -> str:
    """The text to the right of a state that is not open: its payoff, or how many states follow."""
    words = ""
    if tree.nodes.turn[node.state] == END:
        words = value_text(tree.game, tree.value(node.state))
    elif not node.is_open:
        words = f"+ {tree.below[node.state]:,}"
    elif node.left_out:
        words, y = f"+ {node.left_out} branches", y + 26
    return svg.label(words, x + NODE + 6, y + 4, class_="soft") if words else ""


def said(tree: StateTree, node: ShownState) -> str:
    """Describe a state in a sentence, for screen readers."""
    nodes, turn = tree.nodes, tree.nodes.turn[node.state]
    way = ", ".join(tree.steps(node.state)) or "the start"
    if turn == END:
        return f"{way}: the end, {value_text(tree.game, tree.value(node.state))} to {display_name(tree.game.sides[0])}"
    turn_text = (
        "chance decides"
        if turn == CHANCE
        else f"{display_name(tree.game.sides[turn])} to move, information set {node.set}"
    )
    return f"{way}: {turn_text}; {len(nodes.children(node.state))} branches"
