"""The sequence form (von Stengel 1996; Koller, Megiddo, von Stengel 1996; Bossle's knowledge trees).

A sequence is what a side has chosen on the way to a state; sequence 0 is the empty one. A plan x gives
every sequence a weight: x[0] = 1, and at each information set the weights of its moves add up to that
of the sequence leading there. The expected payoff is then linear in each plan,

    x' A y = sum over ends z of odds(z) * payoff(z) * x[seq0(z)] * y[seq1(z)],

with the odds of chance folded into A. Side 0 maximises it, side 1 minimises it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, inf, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.behaviour import CHUNK, Trace
from ruse.core.capabilities import Bulk, Memoryless
from ruse.core.clock import tick, timed
from ruse.core.contract import EVERY, Checked, Line, asked_by_contract, checked, different_moves, forgets
from ruse.core.exact import INT64, integers
from ruse.core.former_modules import former_classes
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, Move, State
from ruse.core.own import Own
from ruse.core.walk import check

SAMPLE = 10_000  # states of random plays, to check the rules of a game that is walked on arrays
AFTER_WALK = 1e-6  # seconds for a sequence, to make arrays of what was walked and to look for forced moves


@dataclass(frozen=True, repr=False)
class Treeplex:
    """One side's tree of information sets. Set i owns sequences first[i]:first[i+1]; parents come first.

    `parent[i]` is the sequence that leads to set i. Sequence 0 is the empty one, which no set owns.
    """

    parent: Array  # int32[infosets], the sequence that leads to the set
    first: Array  # int32[infosets + 1]

    def __repr__(self) -> str:
        return f"<treeplex of {self.sequences:,} sequences and {self.infosets:,} information sets>"

    @property
    def infosets(self) -> int:
        """The number of information sets."""
        return len(self.parent)

    @property
    def sequences(self) -> int:
        """The number of sequences, the empty one included."""
        return int(self.first[-1])

    def constraints(self) -> tuple[Array, Array, Array]:
        """Rows, columns and values of E, with E x = (1, 0, 0, ...): Koller et al. 1996, eq. (3)."""
        owner = np.repeat(np.arange(self.infosets), np.diff(self.first)) + 1
        sets = np.arange(1, self.infosets + 1)
        rows = np.concatenate([[0], owner, sets])
        columns = np.concatenate([[0], np.arange(1, self.sequences), self.parent])
        values = np.concatenate([np.ones(1 + len(owner)), -np.ones(self.infosets)])
        return rows.astype(np.int32), columns.astype(np.int32), values.astype(np.int64)

    def levels(self) -> list[Array]:
        """The sets by how many others of this side lie before them: each array follows sets of the one before."""
        owner = np.full(self.sequences, -1, dtype=np.int32)
        owner[1:] = np.repeat(np.arange(self.infosets, dtype=np.int32), np.diff(self.first))
        before = owner[self.parent]  # which set; -1 where there is none
        children = np.argsort(before, kind="stable")
        starts = np.searchsorted(before[children], np.arange(-1, self.infosets + 1))
        levels, level = [], children[: starts[1]]
        while len(level):
            levels.append(level)
            low, many = starts[level + 1], starts[level + 2] - starts[level + 1]
            begins = np.cumsum(many) - many
            level = np.sort(children[np.arange(int(many.sum())) + np.repeat(low - begins, many)])
        return levels

    def sets(self) -> Iterator[tuple[int, int, int]]:
        """(parent sequence, first sequence, end) of every set, parents first."""
        return zip(self.parent.tolist(), self.first[:-1].tolist(), self.first[1:].tolist(), strict=True)


@dataclass(frozen=True, repr=False)
class FormArrays:
    """The sequence form as flat arrays: both treeplexes, and A[rows[j], columns[j]] = payoffs[j] / denominator.

    Solvers read these. `ruse.sequence_form(game)` shows them as matrices with names (ruse.forms.matrix_form).
    """

    trees: tuple[Treeplex, Treeplex]
    rows: Array  # int32[entries], sequences of side 0
    columns: Array  # int32[entries], sequences of side 1
    payoffs: Array  # int64[entries], or object where the integers are longer
    denominator: int
    knowledge: tuple[Sequence[Knowledge], Sequence[Knowledge]] = field(default=((), ()))  # of each information set
    moves: tuple[Sequence[tuple[Move, ...]], Sequence[tuple[Move, ...]]] = field(default=((), ()))
    at_once: tuple[Array, Array] | None = None  # int8[sequences]: 1 where the last move wins all there is at once, -1
    # where it loses all at once, in all states where it can be made; None where nobody has looked

    def __repr__(self) -> str:
        first, second = self.trees
        return f"<sequence form of {first.sequences:,} × {second.sequences:,} sequences, {len(self.payoffs):,} payoffs>"

    def floats(self) -> Array:
        """The payoffs as floats: float64[entries]."""
        if self.payoffs.dtype != object and self.denominator < INT64:
            return self.payoffs / self.denominator
        return np.array([payoff / self.denominator for payoff in self.payoffs.tolist()], dtype=float)


def sequence_form(game: Game, most: float = inf) -> FormArrays:
    """Walk the game once and write down both trees and the payoffs, exactly; in bulk where the game can.

    A walk state by state gives up at more than `most` nodes.
    """
    if isinstance(game, Bulk):
        from ruse.forms.vectorised import bulk_form

        if asked_by_contract(checked(game)):  # its arrays are not asked through the contract
            check(game, SAMPLE)
        return bulk_form(game)
    return plain_form(game, most)


def plain_form(game: Game, most: float = inf) -> FormArrays:
    """Walk any game state by state, and write its sequence form down. Games that are not built in are checked."""
    game = checked(game)
    if isinstance(game, Memoryless):
        raise GameError(f"{game.title} has no game tree, and so no sequence form: use value-iteration or auto")
    line = Line(game) if asked_by_contract(game) else None
    form = _Form(game)
    visited = 0
    # Where play is: how deep, with the odds n / d of chance, who moved last, and the sequence of each side.
    stack: list[tuple[State, int, int, int, int, int, int]] = [(game.start(), 0, 1, 1, CHANCE, 0, 0)]
    while stack:
        state, depth, n, d, last, x, y = stack.pop()
        visited += 1
        if visited % 16 == 0:  # a look at the clock takes a twentieth of the time of a quick game's node
            form.pause()
        if visited > most:
            raise GameError(
                f"the tree of {game.title} has more than {most:,.0f} nodes, too many for the memory: "
                "use mccfr, which never builds it, or smaller parameters"
            )
        turn = game.turn(state)
        if turn == END:
            form.pay(game.payoff(state), n, d, last, x, y)
            continue
        if last != CHANCE:
            form.ends[last][(x, y)[last]] = None
        if line is not None and depth % EVERY == 0:
            line.reach(state, depth)
        depth += 1
        options = tuple(game.moves(state))
        if turn == CHANCE:
            for move, share in zip(options, form.odds(state, options), strict=True):
                if share:
                    after = game.play(state, move)
                    stack.append((after, depth, n * share.numerator, d * share.denominator, CHANCE, x, y))
            continue
        sequence = form.first_sequence(state, turn, options, (x, y)[turn]) + len(options)
        for move in reversed(options):  # the stack reverses it: first move first
            sequence -= 1
            after = game.play(state, move)
            stack.append((after, depth, n, d, 0, sequence, y) if turn == 0 else (after, depth, n, d, 1, x, sequence))
    return form.written()


class _Form:
    """A sequence form that is being written down: the information sets and payoffs that a walk has met."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._own = game.unchecked if isinstance(game, Checked) and isinstance(game.unchecked, Own) else None
        self._trace = None if self._own is None else Trace(game)
        self._index: tuple[dict[Knowledge, int], dict[Knowledge, int]] = ({}, {})
        self._parents: tuple[list[int], list[int]] = ([], [])
        self._firsts: tuple[list[int], list[int]] = ([1], [1])
        self._moves: tuple[list[tuple[Move, ...]], list[tuple[Move, ...]]] = ([], [])
        self._entries: dict[tuple[int, int], tuple[int, int]] = {}  # odds * payoff, as a fraction that is not reduced
        self._payoffs: dict[tuple[int, int], tuple[int, int]] = {}  # one object of each, as notes keep thousands
        self.ends: tuple[list[Any], list[Any]] = ([None], [None])  # what sequences pay at once; None, or () if not seen

    def pause(self) -> None:
        """Check the clock, and write notes of the walk away where they are many."""
        tick(AFTER_WALK * (self._firsts[0][-1] + self._firsts[1][-1]))
        if self._trace is not None and len(self._trace.notes) >= CHUNK:
            self._trace.flush()

    def pay(self, payoff: Fraction, n: int, d: int, last: int, x: int, y: int) -> None:
        """Add a payoff with odds n / d to the entry of both sequences."""
        paid = (payoff.numerator, payoff.denominator)
        paid = self._payoffs.setdefault(paid, paid)
        if self._trace is not None:
            self._trace.notes.append(paid)
        if last != CHANCE:
            ends, sequence = self.ends[last], (x, y)[last]
            if ends[sequence] != paid:
                ends[sequence] = paid if ends[sequence] == () else None
        n, d = n * paid[0], d * paid[1]
        n0, d0 = self._entries.get((x, y), (0, 1))
        if d != d0:
            common = gcd(d, d0)
            n, n0, d = n * (d0 // common), n0 * (d // common), d // common * d0
        self._entries[x, y] = (n0 + n, d)

    def odds(self, state: State, options: tuple[Move, ...]) -> Sequence[Fraction]:
        """Return the odds of chance, and note them."""
        odds = self._game.odds(state)
        if self._trace is not None:
            self._trace.chance(options, odds)
        return odds

    def first_sequence(self, state: State, side: int, options: tuple[Move, ...], parent: int) -> int:
        """Return the first sequence of the information set of a state, which is new or has to be as it was."""
        knowledge = self._game.knows(state, side)
        here = self._index[side].get(knowledge)
        if here is None:
            here = self._add_set(side, knowledge, options, parent)
        elif self._parents[side][here] != parent:
            raise forgets(self._game, side, knowledge, state)
        elif self._moves[side][here] != options:
            raise different_moves(self._game, knowledge, state, self._moves[side][here], options)
        elif self._trace is not None:
            self._trace.notes.append(2 * here + side)
        return self._firsts[side][here]

    def _add_set(self, side: int, knowledge: Knowledge, options: tuple[Move, ...], parent: int) -> int:
        here = self._index[side][knowledge] = len(self._moves[side])
        self._parents[side].append(parent)
        self._firsts[side].append(self._firsts[side][-1] + len(options))
        self._moves[side].append(options)
        self.ends[side].extend([()] * len(options))
        if self._trace is not None:
            self._trace.information_set(side, here, knowledge, options)
        return here

    def written(self) -> FormArrays:
        """Return the form of all that was met."""
        if self._own is not None and self._trace is not None:
            self._own.walked = self._trace.digest()
        reduced = {key: Fraction(*entry) for key, entry in timed(sorted(self._entries.items())) if entry[0]}
        denominator = lcm(*(payoff.denominator for payoff in reduced.values()))
        return FormArrays(
            (_treeplex(self._parents[0], self._firsts[0]), _treeplex(self._parents[1], self._firsts[1])),
            np.array([x for x, _ in reduced], dtype=np.int32),
            np.array([y for _, y in reduced], dtype=np.int32),
            integers([payoff.numerator * (denominator // payoff.denominator) for payoff in reduced.values()]),
            denominator,
            (list(self._index[0]), list(self._index[1])),
            self._moves,
            _at_once(self.ends, set(self._payoffs)),
        )


def _at_once(ends: tuple[list[Any], list[Any]], payoffs: set[tuple[int, int]]) -> tuple[Array, Array]:
    """1 where a sequence ends the game with the best payoff there is for its side, -1 where with the worst, else 0."""
    least, most = (extreme(payoffs, key=lambda paid: Fraction(*paid)) for extreme in (min, max))
    first, second = (
        np.array([1 if paid == best else -1 if paid == worst else 0 for paid in ends[side]], dtype=np.int8)
        for side, best, worst in ((0, most, least), (1, least, most))
    )
    return first, second


def _treeplex(parents: Sequence[int], firsts: Sequence[int]) -> Treeplex:
    return Treeplex(np.array(parents, dtype=np.int32), np.array(firsts, dtype=np.int32))


if not TYPE_CHECKING:
    __getattr__ = former_classes(__name__, {"SequenceForm": "FormArrays"})
