"""A tree of states as a picture: what each state is, whose turn, and which of them a side cannot tell apart.

Shapes and numbers say everything; classes are there for pages that have colours. Text is as large as that around.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import escape

from ruse.core import rationals
from ruse.core.game import CHANCE, END, called
from ruse.view.drawing import LONGEST, MOST_TEXT
from ruse.view.nodes import told
from ruse.view.state_tree import Node, StateTree

COLUMN, ROW, MARGIN, HEAD = 240, 46, 30, 8  # pixels
NODE = 12
OUT, APART, MOST_LANES = 20, 8, 8  # how far to the left the first dashed line of a column runs, and the next ones
Links = Callable[[Node], str]


def svg(tree: StateTree, link: Links | None = None) -> str:
    """The picture; with a `link`, each state leads to an address."""
    deepest = max(node.depth for node in tree.shown)
    width, height = 2 * MARGIN + COLUMN * (deepest + 1), HEAD + MARGIN + ROW * tree.rows
    name = f"{tree.game.title}: {len(tree.shown)} states, {len(tree.sets)} information sets"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="{"img" if link is None else "group"}" '
        f'aria-label="{escape(name, quote=True)}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'fill="none" stroke="none" color="currentColor" font-family="system-ui, sans-serif" font-size="13" '
        f'class="states"><title>{escape(name)}</title>',
    ]
    for node in tree.shown:
        parts += [_edge(tree, node, child) for child in node.children]
    parts += [_joined(tree, number, together, lane) for number, together, lane in _lanes(tree)]
    parts += [_node(tree, node, link) for node in tree.in_order()]
    return "\n".join([*parts, "</svg>"])


def key(tree: StateTree) -> list[tuple[str, str]]:
    """What the shapes mean: a small picture and words for each."""
    first, second = map(called, tree.game.sides)
    shapes = ((0, f"{first} to move"), (1, f"{second} to move"), (CHANCE, "chance decides"), (END, "the end"))
    drawn = [(_sample(_shape(turn, 14.0, 14.0, "1" if turn in (0, 1) else "")), text) for turn, text in shapes]
    line = '<path d="M4 14 H24" stroke="currentColor" stroke-dasharray="4 3" stroke-width="1.6"/>'
    return [*drawn, (_sample(line), "the same number, and joined: the side to move cannot tell these states apart")]


def _sample(inside: str) -> str:
    size = 'width="28" height="28" viewBox="0 0 28 28"'
    return f'<svg class="states" {size} aria-hidden="true" focusable="false">{inside}</svg>'


def _at(node: Node) -> tuple[float, float]:
    return MARGIN + COLUMN * node.depth, HEAD + ROW * (node.row + 0.5)


def _edge(tree: StateTree, node: Node, child: Node) -> str:
    (x, y), (right, down) = _at(node), _at(child)
    flat = x + 70
    share = told(tree.nodes.share[child.state])
    dashed = "" if share else ' stroke-dasharray="1 4"'
    move = tree.nodes.step[child.state]
    move = move if len(move) <= MOST_TEXT else f"{move[: MOST_TEXT - 1]}…"
    return (
        f'<path d="M{x:g} {y:g} C{x + 40:g} {y:g} {x + 30:g} {down:g} {flat:g} {down:g} L{right:g} {down:g}" '
        f'stroke="currentColor" stroke-opacity="{0.6 if share else 0.35}" '
        f'stroke-width="{1 + 4 * float(share):.2f}"{dashed}/>'
        f'<text x="{flat:g}" y="{down - 6:g}" fill="currentColor">{escape(move)} '
        f'<tspan class="soft">{_often(share)}</tspan></text>'
    )


def _often(share: Fraction) -> str:
    if share in (0, 1):
        return "always" if share else "never"
    exact = rationals.write(share)
    return exact if len(exact) <= LONGEST else f"{float(share):.3f}"


def _lanes(tree: StateTree) -> list[tuple[int, list[Node], int]]:
    """A lane for each information set of several states, so that lines side by side do not run into each other."""
    found = []
    taken: dict[int, list[float]] = {}  # by column, the last row of each lane
    several = [(number, some) for number, some in enumerate(tree.sets, 1) if len(some) > 1]
    for number, together in sorted(several, key=lambda one: one[1][0].row):
        lanes = taken.setdefault(together[0].depth, [])
        lane = next((place for place, last in enumerate(lanes) if last < together[0].row), len(lanes))
        lanes[lane : lane + 1] = [together[-1].row]
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
    return (
        f'<path class="joined side{turn}" data-set="{number}" d="{path}" stroke="currentColor" stroke-width="1.6" '
        'stroke-dasharray="4 3" stroke-opacity="0.75"/>'
    )


def _shape(turn: int, x: float, y: float, text: str) -> str:
    if turn == CHANCE:
        drawn = f'<path class="chance" d="M{x:g} {y - 9:g} L{x + 9:g} {y:g} L{x:g} {y + 9:g} L{x - 9:g} {y:g} Z" '
        return drawn + 'fill="white" stroke="currentColor" stroke-width="1.5"/>'
    if turn == END:
        return f'<rect class="end" x="{x - 5:g}" y="{y - 5:g}" width="10" height="10" fill="currentColor"/>'
    tone = 'fill="#235a5f"' if turn == 0 else 'fill="white" stroke="currentColor" stroke-width="1.5"'
    inside = "#ffffff" if turn == 0 else "#1f2327"
    size = 12 if len(text) < 3 else 10
    return (
        f'<circle class="side{turn}" cx="{x:g}" cy="{y:g}" r="{NODE}" {tone}/><text class="side{turn}" x="{x:g}" '
        f'y="{y + 4:g}" text-anchor="middle" font-size="{size}" font-weight="600" fill="{inside}">{text}</text>'
    )


def _node(tree: StateTree, node: Node, link: Links | None) -> str:
    x, y = _at(node)
    turn = tree.nodes.turn[node.state]
    ring = f'<circle class="ring" cx="{x:g}" cy="{y:g}" r="{NODE + 4}" stroke="currentColor" stroke-width="2"/>'
    looked = {tree.asked.at} if tree.asked.at is not None else tree.members
    drawn = (ring if node.state in looked else "") + _shape(turn, x, y, "" if node.set is None else str(node.set))
    hit = f'<rect x="{x - 22:g}" y="{y - 22:g}" width="44" height="44" fill="transparent"/>'
    beside = _beside(tree, node, x, y)
    if link is None:
        return f"<g><title>{escape(said(tree, node))}</title>{drawn}{beside}</g>"
    state = f' aria-expanded="{"true" if node.is_open else "false"}"' if tree.nodes.children(node.state) else ""
    current = ' aria-current="true"' if node.state == tree.asked.at else ""
    joined = "" if node.set is None else f' data-set="{node.set}"'
    return (
        f'<a href="{escape(link(node), quote=True)}" data-state="{node.state}" data-depth="{node.depth}"{joined}'
        f'{current} role="button" aria-label="{escape(said(tree, node), quote=True)}"{state}>{hit}{drawn}</a>{beside}'
    )


def _beside(tree: StateTree, node: Node, x: float, y: float) -> str:
    """What stands to the right of a state that is not open: what it pays, or how much follows."""
    text = ""
    if tree.nodes.turn[node.state] == END:
        text = worth(tree, tree.worth(node.state))
    elif not node.is_open:
        text = f"+ {tree.below[node.state]:,}"
    elif node.left_out:
        text, y = f"+ {node.left_out} branches", y + 26
    return f'<text class="soft" x="{x + NODE + 6:g}" y="{y + 4:g}" fill="currentColor">{escape(text)}</text>' * bool(
        text
    )


def worth(tree: StateTree, value: Fraction) -> str:
    """How often the first side wins, in a game of two outcomes; else what it gets."""
    if len(tree.game.wins) == 2:
        return rationals.percent((1 + value) / 2)
    exact = rationals.write(value)
    return (exact if len(exact) <= LONGEST else f"{float(value):.3f}").replace("-", "−")


def said(tree: StateTree, node: Node) -> str:
    """A state in a sentence, for those who hear the picture."""
    nodes, turn = tree.nodes, tree.nodes.turn[node.state]
    way = ", ".join(tree.steps(node.state)) or "the start"
    if turn == END:
        return f"{way}: the end, {worth(tree, tree.worth(node.state))} to {called(tree.game.sides[0])}"
    whose = (
        "chance decides" if turn == CHANCE else f"{called(tree.game.sides[turn])} to move, information set {node.set}"
    )
    return f"{way}: {whose}; {len(nodes.children(node.state))} branches"
