"""Strategies of a game that is too large to walk state by state, checked by its rules on arrays.

Both best responses are found on the game's own array rules (ruse.core.capabilities.ArrayRules) by a walk level by level
(ruse.verify.levels), in whole numbers. Nothing of that comes from forms or solvers. What is shared with a solver is the
array rules themselves. They come with ruse, and they are compared with the plain rules: at every information set that
is read, and along random plays (ruse.verify.arrays).
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from random import Random

import numpy as np

from ruse.core import rationals, size_estimate
from ruse.core.arrays import Array
from ruse.core.capabilities import WAIT, ArrayRules, Bulk, Representatives
from ruse.core.certificate import ARRAYS, Certificate
from ruse.core.clock import tick
from ruse.core.exact import common_denominator
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, State, describe
from ruse.core.types import StrategyTable, Tables
from ruse.verify.levels import WAITED, Levels
from ruse.verify.tree import VerifyError, check_odds, look_up
from ruse.verify.verifier import Verifier, no_position, same

NODE_BYTES = 120  # of a node, at the widest level and in what is kept of it: estimated


def too_large(game: Bulk) -> str | None:
    """Why a game's levels do not fit in memory; None where they do."""
    nodes, most = game.nodes(), int(size_estimate.SHARE * size_estimate.free_bytes() / NODE_BYTES)
    if nodes <= most:
        return None
    return (
        f"{game.title} is too large to check on arrays: it has {rationals.count(nodes)} nodes, "
        f"and at most {most:,} fit in half of the free memory; use smaller parameters"
    )


class ArraysVerifier(Verifier[Bulk]):
    proof = ARRAYS

    def check_size(self) -> None:
        if reason := too_large(self.game):
            raise GameError(reason)

    @cached_property
    def levels(self) -> Levels:
        check_along_plays(self.game)
        return Levels(self.game)

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        whole, common = common_denominator(_Plan(self.game, self.levels, side, table).weights)
        return self.levels.answered(side, whole) / common

    def check_positions(self, side: int, table: StrategyTable) -> None:
        """Read the table at every information set; every entry has to be about one of them."""
        _ = _Plan(self.game, self.levels, side, table)

    def certify(self, tables: Tables, claimed: Certificate) -> Certificate:
        return same(self.game, self.bounds(tables), claimed)  # which reads every entry


class _Plan:
    """How likely a side's table makes each of its sequences of moves, chance and the other side apart."""

    def __init__(self, game: Bulk, levels: Levels, side: int, table: StrategyTable) -> None:
        self.game, self.levels, self.side, self.table = game, levels, side, table
        self.read: set[str] = set()
        self.weights = [Fraction(1)]
        replay = _Replay(game, levels)
        for sets in levels.sets[side]:
            for node, parent, moves in zip(sets.node.tolist(), sets.parent.tolist(), sets.moves.tolist(), strict=True):
                tick()
                state = replay.state(sets.level, node)
                self._add(state, parent, moves)
        if len(self.read) < len(table):
            raise no_position(game, side, min(set(table) - self.read))

    def _add(self, state: State, parent: int, moves: int) -> None:
        """The weights of the moves of an information set, which has to be one by the plain rules too."""
        game, weight = self.game, self.weights[parent]
        if game.turn(state) != self.side or len(game.moves(state)) != moves:
            raise disagree(game, state)
        position = describe(game, game.knows(state, self.side))
        labels = [game.label(move) for move in game.moves(state)]
        odds = self._odds(position, reached=bool(weight))
        if odds is None:
            self.weights += [Fraction(0)] * len(labels)
            return
        check_odds(odds, labels, partial(str, position))
        self.weights += [weight * odds.get(label, 0) for label in labels]

    def _odds(self, position: str, reached: bool) -> dict[str, Fraction] | None:
        """The table's odds at a position; None at one that it need not have, as its own moves never lead there."""
        if position not in self.table and isinstance(self.game, Representatives):
            representative, calls = self.game.representative_position(position, self.side)
            self.read.add(representative)
            return {calls(label): share for label, share in look_up(self.table.__getitem__, representative).items()}
        if position not in self.table and not reached:
            return None
        self.read.add(position)
        return dict(look_up(self.table.__getitem__, position))


class _Replay:
    """States of the plain rules at nodes of the levels; those on the way are kept for the next."""

    def __init__(self, game: Game, levels: Levels) -> None:
        self.game, self.levels = game, levels
        self._states: dict[tuple[int, int], State] = {(0, 0): game.start()}

    def state(self, level: int, node: int) -> State:
        way = [(level, node)]
        while way[-1] not in self._states:
            level, node = way[-1]
            way.append((level - 1, int(self.levels.origins[level][node])))
        for before, here in pairwise(reversed(way)):
            state, rank = self._states[before], int(self.levels.ranks[here[0]][here[1]])
            if rank != WAITED:
                moves = self.game.moves(state)
                if rank >= len(moves):
                    raise disagree(self.game, state)
                state = self.game.play(state, moves[rank])
            self._states[here] = state
        return self._states[way[0]]


# Whether the array rules of a game say what its plain rules say.

PLAYS = 200  # random ones


def check_along_plays(game: Bulk, plays: int = PLAYS) -> None:
    """Compare turns, moves, odds, payoffs and what both sides know along random plays. Raises VerifyError."""
    rules, random, known = game.arrays(), Random(0), _Known(game)
    for _ in range(plays):
        tick()
        _Play(game, rules, known).to_its_end(random)


def disagree(game: Game, state: State) -> VerifyError:
    return VerifyError(f"the array rules of {game.title} do not say what its rules say at {state!r}")


class _Known:
    """What a side knows by the plain rules, and what it has done and seen on arrays: each belongs to one other."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._seen: dict[tuple[int, Knowledge], Hashable] = {}
        self._knows: dict[tuple[int, Hashable], Knowledge] = {}

    def compare(self, state: State, side: int, seen: Hashable) -> None:
        knowledge = self.game.knows(state, side)
        first_seen = self._seen.setdefault((side, knowledge), seen)
        first_known = self._knows.setdefault((side, seen), knowledge)
        if first_seen != seen or first_known != knowledge:
            raise disagree(self.game, state)


class _Play:
    """One play, by both sorts of rules."""

    def __init__(self, game: Bulk, rules: ArrayRules, known: _Known) -> None:
        self.game, self.rules, self.known = game, rules, known
        self.state, self.column = game.start(), rules.start()
        self.seen: tuple[list[int], list[int]] = ([], [])

    def to_its_end(self, random: Random) -> None:
        while (turn := self.game.turn(self.state)) != END:
            while int(self.rules.turn(self.column)[0]) == WAIT:
                self._move(0, WAIT, -1)
            moves = list(self.game.moves(self.state))
            legal = self._compare(turn, len(moves))
            rank = random.randrange(len(moves))
            if turn == CHANCE:  # chance may never do some of what it is said to
                rank = random.choices(range(len(moves)), [float(share) for share in self.game.odds(self.state)])[0]
            self.state = self.game.play(self.state, moves[rank])
            self._move(int(legal[rank]), turn, rank)
        while int(self.rules.turn(self.column)[0]) == WAIT:
            self._move(0, WAIT, -1)
        same = int(self.rules.turn(self.column)[0]) == END
        if not same or int(self.rules.payoff(self.column)[0]) != Fraction(self.game.payoff(self.state)):
            raise disagree(self.game, self.state)

    def _compare(self, turn: int, moves: int) -> Array:
        """Compare a state with its column. Returns the numbers of its legal moves."""
        if int(self.rules.turn(self.column)[0]) != turn:
            raise disagree(self.game, self.state)
        shares = self.rules.legal(self.column, turn)[:, 0]
        legal = np.flatnonzero(shares > 0)
        if turn == CHANCE:
            total = int(shares.sum())
            odds = [share for share in self.game.odds(self.state) if share]
            same = [Fraction(int(share), total) for share in shares[legal]] == odds and len(odds) == moves
        else:
            same = len(legal) == moves
            self.known.compare(self.state, turn, tuple(self.seen[turn]))
        if not same:
            raise disagree(self.game, self.state)
        return legal

    def _move(self, move: int, turn: int, rank: int) -> None:
        """Make a move on arrays, and note what both sides see of it."""
        moves = np.array([move])
        self.column = self.rules.play(self.column, moves, turn)
        if int(self.rules.turn(self.column)[0]) == END:
            return
        for side, seen in enumerate(self.seen):
            seen.append(rank if turn == side else -1)
            seen.append(int(np.asarray(self.rules.sees(self.column, moves, turn, side)).reshape(-1)[0]))
