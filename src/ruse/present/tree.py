"""Views of any game whose tree is small enough to walk.

At a position of side s, the states with that knowledge have weights by chance and by the other side's strategy; s
knows its own moves, so their odds cancel. The value is the weighted mean of the values of those states, and the value
of a move is the weighted mean of the states after it. A side that waits sees what it may observe next instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.game import END, Game, PositionError, State, display_name, with_article
from ruse.core.registry import presentation
from ruse.present.model import QUASI_PERFECT_ADVICE, Belief, Chip, Draw, Held, Option, View, check_side
from ruse.present.nodes import Continuation, Number, SolvedNodes, as_fraction
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.present.edited import Editor

MOST_CELLS = 30  # rows and columns of a table of payoffs
MOST_EXCLUDED = 20  # with at most so many beliefs, those of probability 0 are listed too
THE_END = "the end"
FOLLOWED = "both sides follow the stored strategies"


class TreeViewer:
    """Views of one solution, by a walk of the game's tree."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.nodes = SolvedNodes(solution)
        self.stored = Continuation(self.nodes.value, self.nodes.share)
        self.side(self.start(0))  # now, so that no view has to wait for the index of positions

    def start(self, side: int) -> str:
        return self.nodes.known[side][0]

    def side(self, position: str, side: int | None = None) -> int:
        """The side whose position it is; if both sides know it, the side to move. Raises PositionError."""
        nodes, game = self.nodes, self.solution.game
        check_side(game, side)
        sides = (0, 1) if side is None else (side,)
        holders = [holder for holder in sides if position in nodes.members[holder]]
        if not holders:
            of_side = "" if side is None else f" that {with_article(game.sides[side])} can be in"
            example = self._example(sides[0])
            raise PositionError(
                f"expected a position of {game.title}{of_side}, such as {example}, got {position[:80]!r}"
            )
        return next((holder for holder in holders if position in nodes.sets[holder].index), holders[0])

    def _example(self, side: int) -> str:
        return next(iter(self.nodes.sets[side].index), self.start(side))

    def at(self, position: str, side: int | None = None) -> View:
        side = self.side(position, side)
        nodes, number = self.nodes, self.nodes.sets[side].index.get(position)
        odds = [] if number is None else nodes.sets[side].odds[number]
        view = self.view(position, side, self.stored, odds, nodes.exact, self._assumption(position, side))
        rational = self.solution.mistakes is not None and not view.reached
        return replace(view, advice=QUASI_PERFECT_ADVICE) if rational else view

    def view(
        self, position: str, side: int, course: Continuation, odds: Sequence[Fraction], exact: bool, assumption: str
    ) -> View:
        """The view under some continuation; `odds` are those of the side's moves, if it moves."""
        nodes = self.nodes
        states = nodes.members[side][position]
        weights = self.beliefs(states, side)
        turns = {nodes.turn[at] for at in states}
        reach = self.reach(states)
        if odds:
            options = self._moves(position, side, states, weights, course, odds)
        else:
            options = self._seen(position, side, states, weights, course)
        return View(
            position,
            side,
            turns.pop() if len(turns) == 1 else None,
            as_fraction(_mean(weights, [course.values[at] for at in states])),
            exact,
            reach > 0,
            as_fraction(reach),
            assumption,
            self._history(states[0], side),
            options,
            self._hidden(position, side, states, weights),
            table=self._table,
            notes=self._notes(states),
        )

    def beliefs(self, states: Sequence[int], side: int) -> list[Number]:
        """The probability of each state of a position to the side that knows the position."""
        weights = self.nodes.likely(states, 1 - side)
        total = sum(weights)
        return [weight / total for weight in weights]

    def reach(self, states: Sequence[int]) -> Number:
        """How often play under both strategies comes to one of some states."""
        nodes, (first, second) = self.nodes, self.nodes.plans
        return sum(
            (nodes.chance[at] * first[nodes.sequence[0][at]] * second[nodes.sequence[1][at]] for at in states),
            nodes.number(Fraction(0)),
        )

    def _assumption(self, position: str, side: int) -> str:
        nodes, names = self.nodes, self.solution.game.sides
        mine, other = display_name(names[side]), display_name(names[1 - side])
        states = nodes.members[side][position]
        if self.reach(states):
            return FOLLOWED
        if self.slipped(states, 1 - side) and self.solution.mistakes is not None:
            return (
                f"{other}'s strategy never leads here. Values assume that {other} made its most likely mistakes, and "
                "that both sides follow the stored strategies from here on"
            )
        if self.slipped(states, 1 - side):
            return (
                f"{other}'s strategy never leads here. Values assume that {other} made the fewest possible mistakes, "
                "each equally likely, and that both sides follow the stored strategies from here on"
            )
        return (
            f"{mine}'s own strategy never leads here. Values assume that {other} followed its own strategy, and that "
            "both sides follow theirs from here on"
        )

    def slipped(self, states: Sequence[int], side: int) -> bool:
        """Whether a side's strategy never leads to any of some states."""
        return not any(self.nodes.plans[side][self.nodes.sequence[side][at]] for at in states)

    def _moves(
        self,
        position: str,
        side: int,
        states: Sequence[int],
        weights: Sequence[Number],
        course: Continuation,
        odds: Sequence[Fraction],
    ) -> list[Option]:
        nodes, game = self.nodes, self.solution.game
        values, after = [], []
        for place in range(len(odds)):
            children = [nodes.first[at] + place for at in states]
            values.append(as_fraction(_mean(weights, [course.values[child] for child in children])))
            known = {nodes.known[side][child] for child in children}
            after.append(known.pop() if len(known) == 1 else None)
        best = max(values) if side == 0 else min(values)
        shown = presentation(game)
        names = nodes.sets[side].moves[nodes.sets[side].index[position]]
        return [
            Option(name, share, value, abs(best - value), then, shown.explain_move(position, name))
            for name, share, value, then in zip(names, odds, values, after, strict=True)
        ]

    def _seen(
        self, position: str, side: int, states: Sequence[int], weights: Sequence[Number], course: Continuation
    ) -> list[Option]:
        """The observations that a waiting side may make next."""
        nodes = self.nodes
        following: dict[str, list[tuple[int, Number]]] = {}  # the states with each next knowledge, and their odds
        if all(nodes.turn[at] == END for at in states):
            return []
        waiting = list(zip(states, weights, strict=True))
        while waiting:
            at, weight = waiting.pop()
            if nodes.turn[at] == END:  # which the side cannot tell
                following.setdefault(position, []).append((at, weight))
            for child in nodes.children(at):
                odds = weight * course.shares[child]
                known = nodes.known[side][child]
                if known == position:
                    waiting.append((child, odds))
                else:
                    following.setdefault(known, []).append((child, odds))
        options = []
        in_order = sorted(
            following,
            key=lambda known: min((child - nodes.first[nodes.parent[child]], child) for child, _ in following[known]),
        )
        for known in in_order:
            states, weights = zip(*following[known], strict=True)
            if not (total := sum(weights)):  # never reached: its value is that of its own view
                states = tuple(nodes.members[side][known])
                weights = tuple(self.beliefs(states, side))
            value = as_fraction(_mean(weights, [course.values[at] for at in states]))
            ended = known == position
            options.append(
                Option(
                    THE_END if ended else step(position, known),
                    as_fraction(total),
                    value,
                    None,
                    None if ended else known,
                )
            )
        return options

    def _history(self, at: int, side: int) -> list[Chip]:
        nodes = self.nodes
        positions = [nodes.known[side][at]]
        while at:
            at = nodes.parent[at]
            if nodes.known[side][at] != positions[-1]:
                positions.append(nodes.known[side][at])
        positions.reverse()
        chips = [Chip(positions[0], positions[0])]
        return chips + [Chip(step(*pair), pair[1]) for pair in pairwise(positions)]

    def _hidden(self, position: str, side: int, states: Sequence[int], weights: Sequence[Number]) -> list[Belief]:
        odds: dict[str, Number] = {}
        for text, weight in zip(unseen_at(self.nodes, side, position, states), weights, strict=True):
            odds[text] = odds.get(text, 0) + weight
        if set(odds) == {""}:  # nothing is hidden
            return []
        few = len(odds) <= MOST_EXCLUDED
        return [Belief(text or "nothing yet", as_fraction(share)) for text, share in odds.items() if share or few]

    def _notes(self, states: Sequence[int]) -> list[str]:
        notes = []
        if all(self.nodes.turn[at] == END for at in states):
            notes.append("The game is over here.")
        shown = len(self._table)
        if shown and shown - 1 < len(self.nodes.children(0)):
            notes.append(f"The table shows only the {shown - 1} rows and columns played most often.")
        return notes

    @cached_property
    def _table(self) -> list[list[str]]:
        """The payoff table of a game in which side 0 moves once, and side 1 once without seeing that move."""
        nodes = self.nodes
        rows = list(nodes.children(0))
        columns = list(nodes.children(rows[0])) if rows else []
        unseen = len({nodes.known[1][row] for row in rows}) == 1 and all(nodes.turn[row] == 1 for row in rows)
        ended = all(nodes.turn[child] == END for row in rows for child in nodes.children(row))
        if nodes.turn[0] != 0 or not unseen or not ended:
            return []
        shown = _most_played(nodes.sets[0].odds[0]), _most_played(nodes.sets[1].odds[0])
        table = [["", *(nodes.step[columns[number]] for number in shown[1])]]
        for number in shown[0]:
            first = nodes.first[rows[number]]
            ends = (nodes.states[first + column] for column in shown[1])
            table.append([nodes.step[rows[number]], *(rationals.brief(nodes.game.payoff(end)) for end in ends)])
        return table

    def resolve(self, position: str, side: int | None = None) -> View:
        from ruse.present.resolve import resolve

        return resolve(self, position, self.side(position, side))

    @cached_property
    def editor(self) -> Editor:
        """Best responses to strategies changed by hand."""
        from ruse.present.edited import Editor

        return Editor(self)

    def unlisted(self, view: View, move: str) -> None:
        return None

    def hands(self, position: str, side: int | None = None) -> list[Held]:
        """The hands of the side to move; where nobody moves yet, as before a deal, those at the next public state."""
        nodes = self.nodes
        states = nodes.joined(nodes.members[self.side(position, side)][position])
        while not any(nodes.turn[at] in (0, 1) for at in states):
            following = {child for at in states for child in nodes.children(at)}
            joined = nodes.joined([min(following)]) if following else set()
            if not following or not following <= joined:
                return []
            states = joined
        moving = [at for at in sorted(states) if nodes.turn[at] in (0, 1)]
        odds: dict[tuple[int, str], Number] = {}
        for at, weight in zip(moving, nodes.likely_to_all(moving), strict=True):
            hand = nodes.turn[at], nodes.known[nodes.turn[at]][at]
            odds[hand] = odds.get(hand, 0) + weight
        order: dict[str, int] = {}  # of secrets of either side, so that both sides' hands come in one order
        for at in sorted(states):
            for known in nodes.known:
                order.setdefault(known[at].partition("/")[0], len(order))
        total = sum(odds.values())
        held = sorted(odds, key=lambda hand: order[hand[1].partition("/")[0]])
        return [Held(known, mover, as_fraction(odds[mover, known] / total)) for mover, known in held]

    def way(self, position: str, side: int, draw: Draw) -> list[str]:
        """The moves to a random state with this knowledge, one where play goes on if there is one."""
        nodes = self.nodes
        known = nodes.members[self.side(position, side)][position]
        states = [at for at in known if nodes.turn[at] != END] or known
        shares = [as_fraction(share) for share in self.beliefs(states, side)]
        at: int = draw({state: share / sum(shares) for state, share in zip(states, shares, strict=True)})
        moves = []
        while at:
            moves.append(nodes.step[at])
            at = nodes.parent[at]
        return moves[::-1]


def _mean(weights: Sequence[Number], values: Sequence[Number]) -> Number:
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)


def _most_played(odds: Sequence[Fraction]) -> list[int]:
    places = sorted(range(len(odds)), key=lambda place: -odds[place])
    return sorted(places[:MOST_CELLS])


def unseen(game: Game, side: int, position: str, states: Sequence[State], known: Sequence[str]) -> list[str]:
    """Name what a side cannot see of each state of a position: as the game names it, or by what the other side knows.

    `known` holds the position of the other side at each state. All names are empty if that is the same position.
    """
    shown = presentation(game)
    hidden = [shown.hidden_from(state, side) for state in states]
    if None not in hidden:
        return [text or "" for text in hidden]
    if set(known) == {position}:
        return [""] * len(known)
    if position not in known:
        return [step(position, text) for text in known]
    return _without_shared_end([text.removeprefix(game.title).lstrip("/@+") for text in known])


def unseen_at(nodes: SolvedNodes, side: int, position: str, states: Sequence[int]) -> list[str]:
    """Name what a side cannot see of each state, given by numbers of states (see `unseen`)."""
    known = [nodes.known[1 - side][at] for at in states]
    return unseen(nodes.game, side, position, [nodes.states[at] for at in states], known)


def _without_shared_end(texts: list[str]) -> list[str]:
    """Drop the last steps that all positions share."""
    steps = [text.split("/") for text in texts]
    while len({parts[-1] for parts in steps}) == 1 and all(len(parts) > 1 for parts in steps):
        steps = [parts[:-1] for parts in steps]
    return ["/".join(parts) for parts in steps]


def step(before: str, after: str) -> str:
    """The part of a position that follows another position."""
    if after.startswith(before):
        return after[len(before) :].lstrip("/@+") or after
    old, new = before.split("/"), after.split("/")
    while old and len(new) > 1 and old[0] == new[0]:
        old, new = old[1:], new[1:]
    return "/".join(new)
