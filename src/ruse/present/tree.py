"""Views of any game that can be walked.

At a position of side s the states with that knowledge are weighed by chance and by the other side's strategy on the
way: s's own moves are known to it, so their odds cancel. The value is the weighted mean of the values of those states,
and a move is worth the weighted mean of what it leads to. A side that waits is told what it may see next instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.game import END, Game, PositionError, State, display_name
from ruse.core.registry import presentation
from ruse.present.model import Belief, Chip, Draw, Held, Option, View, Why, check_side
from ruse.present.nodes import Course, Nodes, Number, told
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.present.edited import Editor

MOST_CELLS = 30  # rows and columns of a table of payoffs
MOST_EXCLUDED = 20  # beliefs, up to which those of odds 0 are told too
THE_END = "the end"
FOLLOWED = "both sides follow the stored strategies"


class TreeViewer:
    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.nodes = Nodes(solution)
        self.stored = Course(self.nodes.value, self.nodes.share)
        self.side(self.start(0))  # so that no view has to wait for the index of positions

    def start(self, side: int) -> str:
        return self.nodes.known[side][0]

    def side(self, position: str, side: int | None = None) -> int:
        """Whose position it is: the side's that moves there, if both know the same. Raises PositionError."""
        nodes, game = self.nodes, self.solution.game
        check_side(game, side)
        sides = (0, 1) if side is None else (side,)
        found = [one for one in sides if position in nodes.members[one]]
        if not found:
            whose = "" if side is None else f" that {game.sides[side]} can be in"
            raise PositionError(
                f"expected a position of {game.title}{whose}, such as {self._example(sides[0])}, got {position[:80]!r}"
            )
        return next((one for one in found if position in nodes.sets[one].index), found[0])

    def _example(self, side: int) -> str:
        return next(iter(self.nodes.sets[side].index), self.start(side))

    def at(self, position: str, side: int | None = None) -> View:
        side = self.side(position, side)
        nodes, number = self.nodes, self.nodes.sets[side].index.get(position)
        odds = [] if number is None else nodes.sets[side].odds[number]
        return self.view(position, side, self.stored, odds, nodes.exact, self._assumption(position, side))

    def view(
        self, position: str, side: int, course: Course, odds: Sequence[Fraction], exact: bool, assumption: str
    ) -> View:
        """What there is to see if play goes on that way; `odds` are those of the side's moves, where it moves."""
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
            told(_mean(weights, [course.values[at] for at in states])),
            exact,
            reach > 0,
            told(reach),
            assumption,
            self._history(states[0], side),
            options,
            self._hidden(position, side, states, weights),
            table=self._table,
            notes=self._notes(states),
        )

    def beliefs(self, states: Sequence[int], side: int) -> list[Number]:
        """How likely each of the states of a position is to the side that knows so much; they sum to 1."""
        weights = self.nodes.likely(states, 1 - side)
        total = sum(weights)
        return [weight / total for weight in weights]

    def reach(self, states: Sequence[int]) -> Number:
        """How often both strategies together come to one of some states."""
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
        """Whether a side's strategy leads to none of some states."""
        return not any(self.nodes.plans[side][self.nodes.sequence[side][at]] for at in states)

    def _moves(
        self,
        position: str,
        side: int,
        states: Sequence[int],
        weights: Sequence[Number],
        course: Course,
        odds: Sequence[Fraction],
    ) -> list[Option]:
        nodes, game = self.nodes, self.solution.game
        worth, after = [], []
        for place in range(len(odds)):
            children = [nodes.first[at] + place for at in states]
            worth.append(told(_mean(weights, [course.values[child] for child in children])))
            known = {nodes.known[side][child] for child in children}
            after.append(known.pop() if len(known) == 1 else None)
        best = max(worth) if side == 0 else min(worth)
        shown = presentation(game)
        names = nodes.sets[side].moves[nodes.sets[side].index[position]]
        return [
            Option(name, share, value, abs(best - value), then, shown.explain_move(position, name))
            for name, share, value, then in zip(names, odds, worth, after, strict=True)
        ]

    def _seen(
        self, position: str, side: int, states: Sequence[int], weights: Sequence[Number], course: Course
    ) -> list[Option]:
        """What a side that waits may see next."""
        nodes = self.nodes
        found: dict[str, list[tuple[int, Number]]] = {}  # the states with each next knowledge, and their odds
        if all(nodes.turn[at] == END for at in states):
            return []
        waiting = list(zip(states, weights, strict=True))
        while waiting:
            at, weight = waiting.pop()
            if nodes.turn[at] == END:  # which the side cannot tell
                found.setdefault(position, []).append((at, weight))
            for child in nodes.children(at):
                odds = weight * course.shares[child]
                known = nodes.known[side][child]
                if known == position:
                    waiting.append((child, odds))
                else:
                    found.setdefault(known, []).append((child, odds))
        options = []
        in_order = sorted(
            found, key=lambda known: min((child - nodes.first[nodes.parent[child]], child) for child, _ in found[known])
        )
        for known in in_order:
            states, weights = zip(*found[known], strict=True)
            if not (total := sum(weights)):  # never seen: its value is as it is told there
                states = tuple(nodes.members[side][known])
                weights = tuple(self.beliefs(states, side))
            value = told(_mean(weights, [course.values[at] for at in states]))
            ended = known == position
            options.append(
                Option(THE_END if ended else step(position, known), told(total), value, None, None if ended else known)
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
        for what, weight in zip(unseen_at(self.nodes, side, position, states), weights, strict=True):
            odds[what] = odds.get(what, 0) + weight
        if set(odds) == {""}:  # nothing is hidden
            return []
        few = len(odds) <= MOST_EXCLUDED
        return [Belief(what or "nothing yet", told(share)) for what, share in odds.items() if share or few]

    def _notes(self, states: Sequence[int]) -> list[str]:
        notes = []
        if all(self.nodes.turn[at] == END for at in states):
            notes.append("The game is over here.")
        shown = len(self._table)
        if shown and shown - 1 < len(self.nodes.children(0)):
            notes.append(f"The table shows the {shown - 1} rows and columns that are played most.")
        return notes

    @cached_property
    def _table(self) -> list[list[str]]:
        """The payoffs of a game in which side 0 makes a choice and side 1 one without seeing it."""
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

    def why(self, position: str, move: str, side: int | None = None) -> Why:
        from ruse.present.why import why

        return why(self, position, move, self.side(position, side))

    def resolve(self, position: str, side: int | None = None) -> View:
        from ruse.present.resolve import resolve

        return resolve(self, position, self.side(position, side))

    @cached_property
    def editor(self) -> Editor:
        """Best responses to strategies that are changed by hand."""
        from ruse.present.edited import Editor

        return Editor(self)

    def unlisted(self, view: View, move: str) -> None:
        return None

    def hands(self, position: str, side: int | None = None) -> list[Held]:
        """Where nobody moves yet and all that follows is alike in public, as after a deal, those who move then."""
        nodes = self.nodes
        states = nodes.joined(nodes.members[self.side(position, side)][position])
        while not any(nodes.turn[at] in (0, 1) for at in states):
            following = {child for at in states for child in nodes.children(at)}
            together = nodes.joined([min(following)]) if following else set()
            if not following or not following <= together:
                return []
            states = together
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
        held = sorted(odds, key=lambda one: order[one[1].partition("/")[0]])
        return [Held(known, mover, told(odds[mover, known] / total)) for mover, known in held]

    def way(self, position: str, side: int, draw: Draw) -> list[str]:
        """The way to one of the states that have this knowledge, among those where play goes on if there are any."""
        nodes = self.nodes
        known = nodes.members[self.side(position, side)][position]
        states = [at for at in known if nodes.turn[at] != END] or known
        shares = [told(share) for share in self.beliefs(states, side)]
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
    """What a side cannot see of each of the states of a position: as the game names it, or what the other side knows.

    `known` holds the position of the other side at each state. All are empty where that is the same position.
    """
    shown = presentation(game)
    hidden = [shown.hidden_from(state, side) for state in states]
    if None not in hidden:
        return [text or "" for text in hidden]
    if set(known) == {position}:
        return [""] * len(known)
    if position not in known:
        return [step(position, one) for one in known]
    return _told_apart([one.removeprefix(game.title).lstrip("/@+") for one in known])  # who holds the same is named too


def unseen_at(nodes: Nodes, side: int, position: str, states: Sequence[int]) -> list[str]:
    """The same of states by their numbers."""
    known = [nodes.known[1 - side][at] for at in states]
    return unseen(nodes.game, side, position, [nodes.states[at] for at in states], known)


def _told_apart(texts: list[str]) -> list[str]:
    """Positions without the last steps that all of them share."""
    steps = [text.split("/") for text in texts]
    while len({one[-1] for one in steps}) == 1 and all(len(one) > 1 for one in steps):
        steps = [one[:-1] for one in steps]
    return ["/".join(one) for one in steps]


def step(before: str, after: str) -> str:
    """What one position says that another does not."""
    if after.startswith(before):
        return after[len(before) :].lstrip("/@+") or after
    old, new = before.split("/"), after.split("/")
    while old and len(new) > 1 and old[0] == new[0]:
        old, new = old[1:], new[1:]
    return "/".join(new)
