"""Re-solve a game from a position on: safe subgame solving with the largest margin (Moravčík et al. 2016, §4).

The subgame contains, with every state, all states that one of the sides cannot distinguish from it. Let s be the side
that looks and x its stored strategy. The other side first chooses its own knowledge g at the first states; chance then
draws a state with that knowledge by the odds of chance and x; then the subgame is played for

    payoff - c(g),      c(g) = what the other side gets at g by its best response to x.

The advice is both sides' optimal strategies there. The value of this game is the margin, which is never negative for s:
whatever the other side knows and does from here on, s gets c(g) and the margin. So x changed in this way guarantees no
less, as Burch, Johanson and Bowling (2014) first required. The value at the position itself is not guaranteed: it
depends on how the other side came here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.core import rationals
from ruse.core.exact import common_denominator
from ruse.core.game import CHANCE, END, GameError, display_name
from ruse.forms.certificate import best_response
from ruse.forms.sequence_form import FormArrays, plain_form
from ruse.present.model import View
from ruse.present.nodes import Continuation, Number, SolvedNodes, as_fraction
from ruse.solvers.lp import lp
from ruse.solvers.plans import CertifiedPlans, policy

if TYPE_CHECKING:
    from ruse.present.tree import TreeViewer

MOST_STATES = 20_000  # a larger subgame takes longer than seconds to solve


class _Place(NamedTuple):
    """A state of the subgame: before the choice of knowledge, before the draw, or a state of the game."""

    group: int  # the other side's knowledge at the beginning, -1 before it is chosen
    at: int  # the number of the state, -1 before it is drawn


BEGIN = _Place(-1, -1)


class _Subgame:
    """The subgame described above, as rules for `plain_form`."""

    name = title = "subgame"
    wins = ()

    def __init__(self, nodes: SolvedNodes, side: int, roots: Sequence[int], weights: Sequence[Number]) -> None:
        self.nodes, self.side, self.sides = nodes, side, nodes.game.sides
        self.parameters: dict[str, object] = {}
        groups: dict[str, list[tuple[int, Fraction]]] = {}
        for at, weight in zip(roots, weights, strict=True):
            if share := as_fraction(weight):
                groups.setdefault(nodes.known[1 - side][at], []).append((at, share))
        self.groups = list(groups.values())
        self.conceded = [Fraction(0)] * len(self.groups)

    def start(self) -> _Place:
        return BEGIN

    def turn(self, state: _Place) -> int:
        return self.nodes.turn[state.at] if state.at >= 0 else CHANCE if state.group >= 0 else 1 - self.side

    def moves(self, state: _Place) -> Sequence[int]:
        """Places of groups, of the states of a group, or of what follows a state."""
        if state.at >= 0:
            return range(len(self.nodes.children(state.at)))
        return range(len(self.groups if state.group < 0 else self.groups[state.group]))

    def odds(self, state: _Place) -> Sequence[Fraction]:
        if state.at >= 0:
            return [odds for odds in self.nodes.game.odds(self.nodes.states[state.at]) if odds]
        total = sum(share for _, share in self.groups[state.group])
        return [share / total for _, share in self.groups[state.group]]

    def play(self, state: _Place, move: int) -> _Place:
        if state.at >= 0:
            return _Place(state.group, self.nodes.first[state.at] + move)
        return _Place(move, -1) if state.group < 0 else _Place(state.group, self.groups[state.group][move][0])

    def knows(self, state: _Place, side: int) -> Any:
        if state.at < 0:
            return state
        known = self.nodes.known[side][state.at]
        return known if side == self.side else (state.group, known)

    def payoff(self, state: _Place) -> Fraction:
        return Fraction(self.nodes.game.payoff(self.nodes.states[state.at])) - self.conceded[state.group]

    def label(self, move: int) -> str:
        return str(move)

    def format_position(self, knowledge: Any) -> str:
        return f"@{knowledge}"


class Resolved(NamedTuple):
    """The solution of a subgame."""

    continuation: Continuation
    inside: list[int]  # the states of the subgame
    margin: Fraction  # the least gain of the side that looks
    exact: bool


def resolve_subgame(nodes: SolvedNodes, position: str, side: int) -> Resolved:
    """Solve the subgame of a position."""
    states = nodes.members[side][position]
    roots, inside = _subgame(nodes, states)
    subgame = _Subgame(nodes, side, roots, _range(nodes, side, states, roots))
    subgame.conceded = _conceded(subgame)
    form = plain_form(subgame)
    solved = lp(form)
    bounds = solved.certificate
    margin = bounds.lower if side == 0 else -bounds.upper
    return Resolved(_continuation(subgame, form, solved, inside), inside, margin, nodes.exact and bounds.exact)


def resolve(viewer: TreeViewer, position: str, side: int) -> View:
    """The view at a position if both sides play the solution of its subgame."""
    nodes = viewer.nodes
    states = nodes.members[side][position]
    if all(nodes.turn[at] == END for at in states):
        return viewer.at(position, side)
    resolved = resolve_subgame(nodes, position, side)
    odds: list[Fraction] = []
    if position in nodes.sets[side].index:
        odds = [as_fraction(resolved.continuation.shares[child]) for child in nodes.children(states[0])]
    promise = _promise(viewer, states, side, resolved.margin)
    return viewer.view(position, side, resolved.continuation, odds, resolved.exact, promise)


def _promise(viewer: TreeViewer, states: Sequence[int], side: int, margin: Fraction) -> str:
    mine, other = display_name(viewer.solution.game.sides[side]), display_name(viewer.solution.game.sides[1 - side])
    if viewer.slipped(states, side):
        came = (
            f"assuming that {mine} came here by mistake, each move equally likely; its guarantee does not depend on "
            "this position"
        )
    else:
        more = f"{rationals.short(margin)} more than" if margin > 0 else "what"
        came = (
            f"so that {mine} gets at least {more} its stored strategy guarantees it here, "
            f"whatever {other} knows and does from here on"
        )
    slipped = viewer.slipped(states, 1 - side)
    slip = "made the fewest possible mistakes, each equally likely, and " * slipped
    held = f"the value is not guaranteed: it holds if {other} {slip}plays the re-solved strategy"
    return f"re-solved from here, {came}; {held}"


def _subgame(nodes: SolvedNodes, states: Sequence[int]) -> tuple[list[int], list[int]]:
    """The first states of the smallest subgame that contains some states, and all of its states."""
    chosen: set[int] = set()
    waiting = list(states)
    while True:
        chosen |= nodes.joined(waiting)
        roots = [at for at in sorted(chosen) if not _has_ancestor(nodes, at, chosen)]
        inside = _below(nodes, roots)
        if len(inside) > MOST_STATES:
            raise GameError(
                f"this position leads to {len(inside):,} states, and ruse can re-solve at most {MOST_STATES:,}; "
                "choose a later position"
            )
        within = set(inside)
        waiting = [
            other
            for at in inside
            if (turn := nodes.turn[at]) >= 0
            for other in nodes.members[turn][nodes.known[turn][at]]
            if other not in within
        ]
        if not waiting:
            return roots, inside


def _has_ancestor(nodes: SolvedNodes, at: int, chosen: set[int]) -> bool:
    while at:
        at = nodes.parent[at]
        if at in chosen:
            return True
    return False


def _below(nodes: SolvedNodes, roots: Sequence[int]) -> list[int]:
    below = list(roots)
    for at in below:  # which grows
        below += nodes.children(at)
    return sorted(below)


def _range(nodes: SolvedNodes, side: int, states: Sequence[int], roots: Sequence[int]) -> list[Number]:
    """The weights of the first states by chance and a side's own strategy, with its mistakes if it came here by one."""
    sequence, plan, slips = nodes.sequence[side], nodes.plans[side], nodes.slips[side]
    if any(plan[sequence[at]] for at in states):
        return [nodes.chance[at] * plan[sequence[at]] for at in roots]
    return [nodes.chance[at] * slips[sequence[at]][1] for at in roots]


def _conceded(subgame: _Subgame) -> list[Fraction]:
    """The payoff of the other side from each of its knowledge on, by its best response to the stored strategy."""
    side, form = subgame.side, plain_form(subgame)
    sets, tree = subgame.nodes.sets[side], form.trees[side]
    plan = [Fraction(1)] * tree.sequences
    for known, (parent, first, end) in zip(form.knowledge[side], tree.sets(), strict=True):
        stored = sets.odds[sets.index[known]]
        plan[first:end] = [plan[parent] * odds for odds in stored]
    _, values = best_response(form, 1 - side, plan)
    scale = form.denominator * common_denominator(plan)[1]
    return [Fraction(values[1 + group], scale) for group in range(len(subgame.groups))]


def _continuation(subgame: _Subgame, form: FormArrays, solved: CertifiedPlans, inside: Sequence[int]) -> Continuation:
    """The odds of the subgame's solution and the values under them, with those of the stored strategies elsewhere."""
    nodes = subgame.nodes
    shares, values = list(nodes.share), list(nodes.value)
    group = dict.fromkeys(inside, -1)
    for number, roots in enumerate(subgame.groups):
        for at, _ in roots:
            group[at] = number
    odds: tuple[dict[Any, Sequence[Fraction]], ...] = tuple(
        dict(zip(form.knowledge[side], policy(form, side, solved.plans), strict=True)) for side in (0, 1)
    )
    for at in inside:  # parents first
        turn = nodes.turn[at]
        for child in nodes.children(at):
            group[child] = group[at]
        if turn >= 0:
            solved_odds = odds[turn].get(subgame.knows(_Place(group[at], at), turn))
            if solved_odds is not None:  # else play never comes here
                shares[nodes.first[at] : nodes.first[at + 1]] = map(nodes.number, solved_odds)
    zero = nodes.number(Fraction(0))
    for at in reversed(inside):
        if nodes.turn[at] != END:
            values[at] = sum((shares[child] * values[child] for child in nodes.children(at) if shares[child]), zero)
    return Continuation(values, shares)
