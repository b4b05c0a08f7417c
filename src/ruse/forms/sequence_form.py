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
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.behaviour import CHUNK, Trace
from ruse.core.capabilities import Bulk, Memoryless
from ruse.core.clock import tick, timed
from ruse.core.contract import EVERY, Checked, Line, asked_by_contract, checked, different_moves, forgets
from ruse.core.exact import INT64, integers
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
        found, level = [], children[: starts[1]]
        while len(level):
            found.append(level)
            low, many = starts[level + 1], starts[level + 2] - starts[level + 1]
            begins = np.cumsum(many) - many
            level = np.sort(children[np.arange(int(many.sum())) + np.repeat(low - begins, many)])
        return found

    def sets(self) -> Iterator[tuple[int, int, int]]:
        """(parent sequence, first sequence, end) of every set, parents first."""
        return zip(self.parent.tolist(), self.first[:-1].tolist(), self.first[1:].tolist(), strict=True)


@dataclass(frozen=True, repr=False)
class SequenceForm:
    """Both treeplexes and the payoffs, A[rows[j], columns[j]] = payoffs[j] / denominator."""

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


def sequence_form(game: Game, most: float = inf) -> SequenceForm:
    """Walk the game once and write down both trees and the payoffs, exactly; in bulk where the game can.

    A walk state by state gives up at more than `most` nodes.
    """
    if isinstance(game, Bulk):
        from ruse.forms.vectorised import bulk_form

        if asked_by_contract(checked(game)):  # its arrays are not asked through the contract
            check(game, SAMPLE)
        return bulk_form(game)
    return plain_form(game, most)


def plain_form(game: Game, most: float = inf) -> SequenceForm:
    """The same state by state, for any game. One that is not built in is checked on the way."""
    game = checked(game)
    if isinstance(game, Memoryless):
        raise GameError(f"{game.title} has no game tree, and so no sequence form: use value-iteration or auto")
    line = Line(game) if asked_by_contract(game) else None
    own = game.unchecked if isinstance(game, Checked) and isinstance(game.unchecked, Own) else None
    trace = None if own is None else Trace(game)
    notes: list[Any] = [] if trace is None else trace.notes
    visited = 0
    index: tuple[dict[Knowledge, int], dict[Knowledge, int]] = ({}, {})
    parents: tuple[list[int], list[int]] = ([], [])
    firsts: tuple[list[int], list[int]] = ([1], [1])
    moves: tuple[list[tuple[Move, ...]], list[tuple[Move, ...]]] = ([], [])
    entries: dict[tuple[int, int], tuple[int, int]] = {}  # odds * payoff, numerator and denominator, not reduced
    payoffs: dict[tuple[int, int], tuple[int, int]] = {}  # one object of each: notes would keep thousands of them
    ends: tuple[list[Any], list[Any]] = ([None], [None])  # what each sequence pays at once, or None, or () if not seen
    # Where play is: how deep, with the odds n / d of chance, who moved last, and the sequence of each side.
    stack: list[tuple[State, int, int, int, int, int, int]] = [(game.start(), 0, 1, 1, CHANCE, 0, 0)]
    while stack:
        state, depth, n, d, last, x, y = stack.pop()
        visited += 1
        if visited % 16 == 0:  # a look at the clock takes a twentieth of the time of a quick game's node
            tick(AFTER_WALK * (firsts[0][-1] + firsts[1][-1]))
            if len(notes) >= CHUNK and trace is not None:
                trace.flush()
        if visited > most:
            raise GameError(
                f"the tree of {game.title} has more than {most:,.0f} nodes, too many for the memory: "
                "use mccfr, which never builds it, or smaller parameters"
            )
        turn = game.turn(state)
        if turn == END:
            payoff = game.payoff(state)
            paid = (payoff.numerator, payoff.denominator)
            paid = payoffs.setdefault(paid, paid)
            if trace is not None:
                notes.append(paid)
            if last != CHANCE:
                sequence = (x, y)[last]
                if ends[last][sequence] != paid:
                    ends[last][sequence] = paid if ends[last][sequence] == () else None
            n, d = n * paid[0], d * paid[1]
            n0, d0 = entries.get((x, y), (0, 1))
            if d != d0:
                common = gcd(d, d0)
                n, n0, d = n * (d0 // common), n0 * (d // common), d // common * d0
            entries[x, y] = (n0 + n, d)
            continue
        if last != CHANCE:
            ends[last][(x, y)[last]] = None
        if line is not None and depth % EVERY == 0:
            line.reach(state, depth)
        depth += 1
        options = tuple(game.moves(state))
        if turn == CHANCE:
            odds = game.odds(state)
            if trace is not None:
                trace.chance(options, odds)
            for move, share in zip(options, odds, strict=True):
                if share:
                    after = game.play(state, move)
                    stack.append((after, depth, n * share.numerator, d * share.denominator, CHANCE, x, y))
            continue
        knowledge = game.knows(state, turn)
        here = index[turn].get(knowledge)
        if here is None:
            here = index[turn][knowledge] = len(moves[turn])
            parents[turn].append((x, y)[turn])
            firsts[turn].append(firsts[turn][-1] + len(options))
            moves[turn].append(options)
            ends[turn].extend([()] * len(options))
            if trace is not None:
                trace.information_set(turn, here, knowledge, options)
        elif parents[turn][here] != (x, y)[turn]:
            raise forgets(game, turn, knowledge, state)
        elif moves[turn][here] != options:
            raise different_moves(game, knowledge, state, moves[turn][here], options)
        elif trace is not None:
            notes.append(2 * here + turn)
        for number in range(len(options) - 1, -1, -1):  # the stack reverses it: first move first
            sequence = firsts[turn][here] + number
            after = game.play(state, options[number])
            stack.append((after, depth, n, d, 0, sequence, y) if turn == 0 else (after, depth, n, d, 1, x, sequence))
    if own is not None and trace is not None:
        own.walked = trace.digest()
    kept = {key: Fraction(*entry) for key, entry in timed(sorted(entries.items())) if entry[0]}
    denominator = lcm(*(payoff.denominator for payoff in kept.values()))
    return SequenceForm(
        (_treeplex(parents[0], firsts[0]), _treeplex(parents[1], firsts[1])),
        np.array([x for x, _ in kept], dtype=np.int32),
        np.array([y for _, y in kept], dtype=np.int32),
        integers([payoff.numerator * (denominator // payoff.denominator) for payoff in kept.values()]),
        denominator,
        (list(index[0]), list(index[1])),
        moves,
        _at_once(ends, set(payoffs)),
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
