"""Where the positions of a game are found in a form of it, which may be of the game up to symmetry.

In a form up to symmetry a set stands for all that are alike, and a move for its class, of which every member is as
likely. A sequence of the game then weighs as much as one of the form, over the sizes of the classes on the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from ruse.core.capabilities import Symmetric
from ruse.core.clock import tick
from ruse.core.game import CHANCE, Game, State, describe
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Plan
from ruse.forms.reductions import Symmetry
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.view.nodes import Nodes


class Places:
    def __init__(self, nodes: Nodes, game: Game, symmetry: bool) -> None:
        self.nodes = nodes
        self.symmetry = Symmetry(game) if symmetry and isinstance(game, Symmetric) else None
        self.game: Game = game if self.symmetry is None else self.symmetry
        self.form: SequenceForm = sequence_form(self.game)
        first, second = ([describe(self.game, knowledge) for knowledge in self.form.knowledge[side]] for side in (0, 1))
        self.positions = (first, second)
        self.numbers = tuple({text: number for number, text in enumerate(own)} for own in self.positions)
        self.sets: tuple[dict[str, int], dict[str, int]] = ({}, {})  # of the form, by position of the game
        self.sequences: tuple[list[tuple[int, Fraction]], list[tuple[int, Fraction]]] = (
            [(0, Fraction(1))] * nodes.sets[0].first[-1],
            [(0, Fraction(1))] * nodes.sets[1].first[-1],
        )  # each of the game's: which of the form, and times what
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
        """The moves of a state by class, all as they are written."""
        game = self.game
        if self.symmetry is None:
            return {name: [name] for name in map(game.label, game.moves(state))}
        found = self.symmetry.alike(state)
        return {game.label(name): [game.label(one) for one in members] for name, members in found.items()}

    def names(self, side: int, number: int) -> list[str]:
        """The moves of a set of the form."""
        return [self.game.label(move) for move in self.form.moves[side][number]]

    def table(self, side: int, plan: Plan) -> StrategyTable:
        """A plan of the form as odds by position, where it comes."""
        return {
            self.positions[side][number]: {
                name: plan[sequence] / plan[parent]
                for name, sequence in zip(self.names(side, number), range(first, end), strict=True)
            }
            for number, (parent, first, end) in enumerate(self.form.trees[side].sets())
            if plan[parent]
        }

    def plan(self, side: int, odds: Sequence[Sequence[Fraction]]) -> list[Fraction]:
        """The plan of the form with the odds of a strategy of the game, one list a set of the game.

        Of a strategy that treats alike what is alike it is the same strategy; else it may not even be a plan.
        """
        nodes, tree = self.nodes, self.form.trees[side]
        found = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
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
                found[sequence] = found[parent] * shares.get(sequence, Fraction(0))
        return found

    @cached_property
    def chance(self) -> list[Fraction]:
        """The odds of all chance moves on the way to each state, exactly."""
        nodes = self.nodes
        found = [Fraction(1)] * len(nodes)
        for at, turn in enumerate(nodes.turn):
            children = nodes.children(at)
            shares = [share for share in nodes.game.odds(nodes.states[at]) if share] if turn == CHANCE else []
            for place, child in enumerate(children):
                found[child] = found[at] * shares[place] if turn == CHANCE else found[at]
        return found
