"""The smallest game that still shows a contradiction, as far as leaving things out gets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from time import monotonic

from fuzz.case import Case, Contradiction
from fuzz.oracle import Chance, Choice, Flat, Leaf, Node, nodes, size

SECONDS = 15.0
VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|[-\d]+|\{.*\}")  # positions, numbers and options


def about(found: Contradiction) -> str:
    """What a contradiction is about, without the game's own names and numbers."""
    return " ".join(VARYING.sub("", found.about).split())


def shrink(case: Case, found: Contradiction, check: Callable[[Case], None]) -> tuple[Case, Contradiction]:
    """Leave out what can be left out, for some seconds."""
    until = monotonic() + SECONDS
    again = True
    while again and case.tree is not None:
        again = False
        for tree in smaller(case.tree):
            if monotonic() > until:
                return case, found
            if (lesser := _fails(replace(case, tree=tree), check, about(found))) is not None:
                case, found, again = replace(case, tree=tree), lesser, True
                break
    return case, found


def _fails(case: Case, check: Callable[[Case], None], same: str) -> Contradiction | None:
    assert case.tree is not None
    try:
        Flat(case.tree)
    except ValueError:  # no game any more
        return None
    try:
        check(case)
    except Contradiction as found:
        return found if about(found) == same else None
    except Exception:  # another fault, for another seed
        return None
    return None


def smaller(tree: Node) -> Iterator[Node]:
    """Trees with something left out, the largest pieces first."""
    if isinstance(tree, Leaf):
        yield from (Leaf(number) for number in _simpler(tree.payoff))
        return
    yield from tree.after
    inner = sorted((node for node in nodes(tree) if not isinstance(node, Leaf)), key=size, reverse=True)
    for node in inner[1:]:
        yield from (_with(tree, node, below) for below in (Leaf(Fraction(0)), *node.after))
    for known in {(node.side, node.known): None for node in inner if isinstance(node, Choice) and len(node.moves) > 1}:
        count = next(len(n.moves) for n in inner if isinstance(n, Choice) and (n.side, n.known) == known)
        yield from (_without(tree, known, place) for place in range(count))
    for node in inner:
        if isinstance(node, Chance) and len(node.moves) > 1:
            yield from (_with(tree, node, left) for place in range(len(node.moves)) if (left := _dropped(node, place)))
    for leaf in [node for node in nodes(tree) if isinstance(node, Leaf)]:
        yield from (_with(tree, leaf, Leaf(number)) for number in _simpler(leaf.payoff))


def _simpler(payoff: Fraction) -> list[Fraction]:
    candidates = [Fraction(0), Fraction(1), Fraction(int(payoff))]
    return [one for one in candidates if len(str(one)) < len(str(payoff)) or (payoff and not one)]


def _with(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one node, by identity, replaced."""
    if tree is old:
        return new
    if isinstance(tree, Leaf):
        return tree
    after = tuple(_with(below, old, new) for below in tree.after)
    return tree if all(a is b for a, b in zip(after, tree.after, strict=True)) else replace(tree, after=after)


def _without(tree: Node, known: tuple[int, str], place: int) -> Node:
    """The tree without one move of an information set."""
    if isinstance(tree, Leaf):
        return tree
    after = tuple(_without(below, known, place) for below in tree.after)
    if isinstance(tree, Choice) and (tree.side, tree.known) == known:
        moves = tree.moves[:place] + tree.moves[place + 1 :]
        return replace(tree, moves=moves, after=after[:place] + after[place + 1 :])
    return replace(tree, after=after)


def _dropped(node: Chance, place: int) -> Chance | None:
    """A chance move less; None if nothing else ever happens."""
    left = 1 - node.odds[place]
    if not left:
        return None
    odds = tuple(share / left for number, share in enumerate(node.odds) if number != place)
    return Chance(node.moves[:place] + node.moves[place + 1 :], odds, node.after[:place] + node.after[place + 1 :])


def only_move(tree: Node, known: tuple[int, str], place: int) -> Node:
    """The tree with one move alone at an information set."""
    count = next(len(one.moves) for one in nodes(tree) if isinstance(one, Choice) and (one.side, one.known) == known)
    for other in reversed(range(count)):
        if other != place:
            tree = _without(tree, known, other)
    return tree
