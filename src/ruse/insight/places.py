"""Map the positions of a game to its sequence form, which may be reduced by symmetry.

In a form reduced by symmetry, a set represents all equivalent sets, and a move its class of equally likely moves. The
weight of a sequence of the game is that of the form's sequence divided by the sizes of the classes on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from ruse.core.capabilities import Symmetric
from ruse.core.clock import tick
from ruse.core.contract import built_in
from ruse.core.game import CHANCE, Game, State, describe
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Plan
from ruse.forms.reductions import Symmetry
from ruse.forms.sequence_form import FormArrays, plain_form, sequence_form
from ruse.insight.sides import Ratio
from ruse.present.nodes import SolvedNodes
from ruse.present.tree import unseen_at

MOST_TABLES = 64  # in the cache


class Places:
    """Positions and sequences of a game in its form."""

    def __init__(
        self, nodes: SolvedNodes, game: Game, symmetry: bool, written: Callable[[Game], FormArrays] = sequence_form
    ) -> None:
        """Build the form with `written`, or for a user's game by a plain walk, because no proof may rest on the
        symmetry or the array rules that a user's game declares.
        """
        self.nodes = nodes
        own = not built_in(game)
        self._tables: dict[tuple[int, int], tuple[Plan, StrategyTable]] = {}  # by the plan itself
        self.symmetry = Symmetry(game) if symmetry and not own and isinstance(game, Symmetric) else None
        self.game: Game = game if self.symmetry is None else self.symmetry
        self.form = (plain_form if own else written)(self.game)
        first, second = ([describe(self.game, knowledge) for knowledge in self.form.knowledge[side]] for side in (0, 1))
        self.positions = (first, second)
        self.numbers = tuple({text: number for number, text in enumerate(own)} for own in self.positions)
        self.sets: tuple[dict[str, int], dict[str, int]] = ({}, {})  # of the form, by position of the game
        self.sequences: tuple[list[tuple[int, Fraction]], list[tuple[int, Fraction]]] = (
            [(0, Fraction(1))] * nodes.sets[0].first[-1],
            [(0, Fraction(1))] * nodes.sets[1].first[-1],
        )  # for each sequence of the game: the sequence of the form, and a factor
        for at, turn in enumerate(nodes.turn):
            if turn in (0, 1) and nodes.known[turn][at] not in self.sets[turn]:
                self._place(at, turn)

    def _place(self, at: int, side: int) -> None:
        tick()
        nodes, state = self.nodes, self.nodes.states[at]
        position = nodes.known[side][at]
        number = self.numbers[side][describe(self.game, self.game.knows(state, side))]
        self.sets[side][position] = number
        own = nodes.sets[side].index[position]
        _, times = self.sequences[side][nodes.sets[side].parent[own]]
        names = self.names(side, number)
        first = int(self.form.trees[side].first[number])
        for name, members in self._classes(state).items():
            for member in members:
                place = nodes.sets[side].moves[own].index(member)
                target = first + names.index(name)
                self.sequences[side][nodes.sets[side].first[own] + place] = (target, times / len(members))

    def _classes(self, state: State) -> Mapping[str, Sequence[str]]:
        """The labels of the moves of a state, by class."""
        game = self.game
        if self.symmetry is None:
            return {name: [name] for name in map(game.label, game.moves(state))}
        classes = self.symmetry.alike(state)
        return {game.label(name): [game.label(member) for member in members] for name, members in classes.items()}

    def names(self, side: int, number: int) -> list[str]:
        """The moves of a set of the form."""
        return [self.game.label(move) for move in self.form.moves[side][number]]

    def table(self, side: int, plan: Plan) -> StrategyTable:
        """Write a plan of the form as odds at the positions that it reaches."""
        known = self._tables.get((side, id(plan)))
        if known is None:  # most proofs share a plan
            known = self._tables[side, id(plan)] = (plan, self._written(side, plan))
            if len(self._tables) > MOST_TABLES:
                del self._tables[next(iter(self._tables))]
        return known[1]

    def _written(self, side: int, plan: Plan) -> StrategyTable:
        return {
            self.positions[side][number]: {
                name: plan[sequence] / plan[parent]
                for name, sequence in zip(self.names(side, number), range(first, end), strict=True)
            }
            for number, (parent, first, end) in enumerate(self.form.trees[side].sets())
            if plan[parent]
        }

    def plan(self, side: int, odds: Sequence[Sequence[Fraction]]) -> list[Fraction]:
        """Turn odds of a strategy, one list per set of the game, into a plan of the form.

        If the strategy does not respect the symmetry, the result may not be a plan.
        """
        nodes, tree = self.nodes, self.form.trees[side]
        plan = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
        shares: dict[int, Fraction] = {}
        seen: set[int] = set()
        for number, (position, own) in enumerate(nodes.sets[side].index.items()):
            target = self.sets[side][position]
            if target in seen:
                continue
            seen.add(target)
            for place, share in enumerate(odds[number]):
                sequence, _ = self.sequences[side][nodes.sets[side].first[own] + place]
                shares[sequence] = shares.get(sequence, Fraction(0)) + share
        for parent, first, end in tree.sets():
            for sequence in range(first, end):
                plan[sequence] = plan[parent] * shares.get(sequence, Fraction(0))
        return plan

    def lifted(self, side: int, plan: Plan) -> list[Fraction]:
        """Turn a plan of the form into a plan of the game itself."""
        return [plan[target] * share for target, share in self.sequences[side]]

    def facts(self, side: int, position: str) -> dict[str, Ratio]:
        """The hidden facts at a position, named as in the views, each as a ratio over the other side's plans."""
        nodes = self.nodes
        below: dict[int, Fraction] = {}
        above: dict[str, dict[int, Fraction]] = {}
        for at, fact in zip(nodes.members[side][position], self.unseen(side, position), strict=True):
            sequence, times = self.sequences[1 - side][nodes.sequence[1 - side][at]]
            for terms in (below, above.setdefault(fact, {})):
                terms[sequence] = terms.get(sequence, Fraction(0)) + self.chance[at] * times
        return {} if set(above) == {""} else {fact: Ratio(terms, below) for fact, terms in above.items()}

    def unseen(self, side: int, position: str) -> list[str]:
        """The hidden fact of each state of a position."""
        return unseen_at(self.nodes, side, position, self.nodes.members[side][position])

    @cached_property
    def chance(self) -> list[Fraction]:
        """The exact probability of the chance moves on the way to each state."""
        nodes = self.nodes
        odds = [Fraction(1)] * len(nodes)
        for at, turn in enumerate(nodes.turn):
            children = nodes.children(at)
            shares = [share for share in nodes.game.odds(nodes.states[at]) if share] if turn == CHANCE else []
            for place, child in enumerate(children):
                odds[child] = odds[at] * shares[place] if turn == CHANCE else odds[at]
        return odds
