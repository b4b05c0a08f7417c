"""The same as `ruse.forms.reckoned`, for games without rules on arrays: state by state, in Python's objects.

A layer of the walk ends where the side is to move again. All histories of one of its information sets lie in one layer,
as a side that never forgets has moved equally often in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from ruse.core.clock import tick
from ruse.core.contract import asked_by_contract
from ruse.core.game import CHANCE, END, Game, Knowledge, Move, State, describe
from ruse.core.object_bytes import NUMBER, PAIR, PLACE, SLOT, each
from ruse.forms.thinning import Hopeless, Tally, factor_for, one_in

MET_ONCE = 0.1  # of the sets: as many others may not have been met at all
LOOKED_AT = 1_000  # objects of a kind, to see how large one is
# A node: the state, the odds n / d of chance, the sequence of the side that is looked at, and that of the other.
_Node = tuple[State, int, int, int, int]


class Walk:
    """A walk by one side's sets, which leaves some out."""

    def __init__(self, game: Game, side: int, most: int, steps: int) -> None:
        self.found = Tally()
        self._game, self._side, self._most, self._steps = game, side, most, steps
        self._random = Random(side)
        self._others: dict[Knowledge, int] = {}  # the first sequence of each of the other side's sets
        self._again: set[Knowledge] = set()  # those of them that were met more than once
        self._sequences = [1, 1]  # met so far: the side's own, the other's
        self._paid: dict[tuple[int, int], tuple[int, int, int]] = {}  # weight, and odds * payoff as a fraction
        self._final: set[int] = set()  # sequences of the side that have come to an end at once
        self._met: list[tuple[Knowledge, State, tuple[Move, ...]]] = []  # sets of the side

    def go(self) -> Tally:
        waiting: list[_Node] = [(self._game.start(), 1, 1, 0, 0)]
        while waiting:
            waiting = self._moved(self._until_turn(waiting))
        self.found.entries = sum(weight for weight, n, _ in self._paid.values() if n)
        self.found.set_bytes = self._bytes_of_sets()
        self.found.entry_bytes = self._bytes_of_entries()
        return self.found

    def other(self) -> Tally | None:
        """The same for the other side, where this walk has met nearly all of its sets: hardly any of them but once."""
        if not self.found.whole and len(self._others) - len(self._again) > MET_ONCE * len(self._others):
            return None
        return replace(self.found, sets=float(len(self._others)), sequences=float(self._sequences[1]), met=True)

    def _until_turn(self, waiting: list[_Node]) -> dict[Knowledge, list[_Node]]:
        """The sets that the side comes to next; others' moves and those of chance are made on the way."""
        game, found = self._game, self.found
        sets: dict[Knowledge, list[_Node]] = {}
        self._final.update(own for state, _, _, own, _ in waiting if game.turn(state) == END)
        while waiting:
            going: list[tuple[_Node, int, tuple[Move, ...]]] = []
            for node in waiting:
                state = node[0]
                turn = game.turn(state)
                if turn == END:
                    self._pay(node)
                elif turn == self._side:
                    sets.setdefault(game.knows(state, turn), []).append(node)
                else:
                    going.append((node, turn, tuple(game.moves(state))))
            found.nodes += found.weight * len(waiting)
            going = self._fewer(going, sets)
            waiting = [after for node, turn, moves in going for after in self._after(node, turn, moves)]
        return sets

    def _fewer(
        self, going: list[tuple[_Node, int, tuple[Move, ...]]], sets: dict[Knowledge, list[_Node]]
    ) -> list[tuple[_Node, int, tuple[Move, ...]]]:
        """What is left of those between two turns: by sequences, whose rows stay whole; before the first, by sets."""
        if sum(len(moves) for _, _, moves in going) > self._most:
            keys = [own or (self._game.knows(state, self._side),) for (state, _, _, own, _), _, _ in going]
            turned = {knowledge: nodes[0][3] or (knowledge,) for knowledge, nodes in sets.items()}
            children = dict.fromkeys([*keys, *turned.values()], 0)
            for key, (_, _, moves) in zip(keys, going, strict=True):
                children[key] += len(moves)
            stays = self._chosen(children)
            for knowledge, key in turned.items():
                if key not in stays:
                    del sets[knowledge]
            going = [one for one, key in zip(going, keys, strict=True) if key in stays]
        self._count(sum(len(moves) for _, _, moves in going))
        return going

    def _chosen(self, children: dict[Any, int]) -> set[Any]:
        """Which groups stay, by how many nodes follow at once: some of those with many, and some with few."""
        factor = factor_for(sum(children.values()), len(children), self._most)
        if factor == 1:
            return set(children)
        self.found.weight *= factor
        listed = sorted(children, key=children.__getitem__)
        return {listed[place] for place in one_in(len(listed), factor, self._random)}

    def _after(self, node: _Node, turn: int, moves: tuple[Move, ...]) -> Iterable[_Node]:
        game, (state, n, d, own, other) = self._game, node
        if turn == CHANCE:
            for move, share in zip(moves, game.odds(state), strict=True):
                if share:
                    yield game.play(state, move), n * share.numerator, d * share.denominator, own, other
            return
        knowledge = game.knows(state, turn)
        first = self._others.get(knowledge)
        if first is None:
            first = self._others[knowledge] = self._sequences[1]
            self._sequences[1] += len(moves)
        else:
            self._again.add(knowledge)
        for number, move in enumerate(moves):
            yield game.play(state, move), n, d, own, first + number

    def _moved(self, sets: dict[Knowledge, list[_Node]]) -> list[_Node]:
        """What follows the side's moves at the sets that stay."""
        game, found = self._game, self.found
        found.sets += found.weight * len(sets)
        offered = {knowledge: tuple(game.moves(nodes[0][0])) for knowledge, nodes in sets.items()}
        stays = self._chosen({known: len(nodes) * len(offered[known]) for known, nodes in sets.items()})
        following: list[_Node] = []
        for knowledge, nodes in sets.items():
            if knowledge not in stays:
                continue
            moves, first = offered[knowledge], self._sequences[0]
            self._met.append((knowledge, nodes[0][0], moves))
            self._sequences[0] += len(moves)
            found.sequences += found.weight * len(moves)
            self._count(len(nodes) * len(moves))
            for number, move in enumerate(moves):
                following += [(game.play(state, move), n, d, first + number, other) for state, n, d, _, other in nodes]
        return following

    def _pay(self, node: _Node) -> None:
        state, n, d, own, other = node
        payoff = self._game.payoff(state)
        n, d = n * payoff.numerator, d * payoff.denominator
        weight, n0, d0 = self._paid.get((own, other), (self.found.weight, 0, 1))
        if d != d0:
            n, n0, d = n * d0, n0 * d, d * d0
        self._paid[own, other] = weight, n0 + n, d
        self.found.ends += self.found.weight

    def _count(self, children: int) -> None:
        tick()
        self._steps -= children
        if self._steps < 0:
            raise Hopeless

    # Bytes, as they are taken by `ruse.forms.sequence_form.plain_form`.

    def _bytes_of_sets(self) -> float:
        """What a set takes: in the table of sets, what is known there, its moves, where it begins, what it pays."""
        some = self._met[-LOOKED_AT:]
        known = [knowledge for knowledge, _, _ in some]
        taken = each(known) + each([moves for _, _, moves in some]) + SLOT + 3 * PLACE + NUMBER
        taken += (self._sequences[0] * PLACE + len(self._final) * PAIR) / max(len(self._met), 1)
        if asked_by_contract(self._game):  # which keeps a state and the text of each
            texts = [describe(self._game, knowledge) for knowledge in known]
            taken += each([state for _, state, _ in some]) + each(texts) + 2 * SLOT
        return taken

    def _bytes_of_entries(self) -> float:
        """What an entry takes: twice in a table, first as numbers, then in lowest terms, and in a list to sort them.

        Those that come to nothing are sorted too, and then left out.
        """
        some = [(n, d) for _, n, d in islice(self._paid.values(), LOOKED_AT)]
        met = SLOT + PAIR + 2 * NUMBER + each(some) + PAIR + PLACE
        kept = SLOT + each([Fraction(n, d) for n, d in some])
        return met * len(self._paid) / max(sum(1 for _, n, _ in self._paid.values() if n), 1) + kept
