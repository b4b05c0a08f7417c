"""Whether the array rules of a game say what its plain rules say."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from random import Random

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import WAIT, ArrayRules, Bulk
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, Game, Knowledge, State
from ruse.verify.tree import VerifyError

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
