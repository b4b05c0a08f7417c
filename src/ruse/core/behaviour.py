"""A game by what its rules do: the digest of a walk, equal for equal rules wherever they come from.

A name, a parameter or a source file does not say what a stranger's rules do: they may read a global, a file or the
environment, be patched, or be made by a closure. The walk does. In the order in which the sequence form is written
down, first moves first, it notes

    at the end            [numerator, denominator] of the payoff
    at a chance move      [label of each move], [numerator and denominator of each one's odds]
    where a side moves    2 * the number of the information set + the side
      and the set is new  [position, label of each move]

with information sets numbered as they are first met, never by how they print. Of a game that goes by states
(Memoryless), each state is noted once, with the numbers of those that follow. The SHA-256 is taken of these notes as
`marshal` writes them, which takes a tenth of the time of JSON, `CHUNK` at a time.
"""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from ruse.core.capabilities import Memoryless
from ruse.core.clock import tick
from ruse.core.contract import Checked
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, Move, State

FORMAT = 2  # of marshal: the last one that does not depend on how often an object is referred to
CHUNK = 1 << 16  # notes that are hashed at once
MOST_NODES = 1_000_000  # to walk for a digest alone: about ten seconds


class TooLarge(Exception):
    """A game with more nodes than are walked for a digest."""


class Trace:
    """What a walk has noted so far. Whoever walks a game for another reason can have it note this on the way.

    `notes` is for ends and for information sets that were met before, which are the most: one entry each.
    """

    def __init__(self, game: Game) -> None:
        self.notes: list[Any] = []
        self._labels: Callable[[tuple[Move, ...]], list[str]] = (
            game.labels_of if isinstance(game, Checked) else lambda moves: [game.label(move) for move in moves]
        )
        self._format_position = game.format_position
        self._hash = sha256()

    def chance(self, moves: tuple[Move, ...], odds: Sequence[Any]) -> None:
        shares = [number for share in odds for number in (share.numerator, share.denominator)]
        self.notes += (self._labels(moves), shares)

    def information_set(self, side: int, number: int, knowledge: Knowledge, moves: tuple[Move, ...]) -> None:
        """A side moves at an information set that was not met before."""
        self.notes += (2 * number + side, [self._format_position(knowledge), *self._labels(moves)])

    def flush(self) -> None:
        """Make room. To be called now and then."""
        while len(self.notes) >= CHUNK:
            self._hash.update(marshal.dumps(self.notes[:CHUNK], FORMAT))
            del self.notes[:CHUNK]

    def digest(self) -> str:
        """The digest of all that was noted. Once, at the end."""
        self.flush()
        self._hash.update(marshal.dumps(self.notes, FORMAT))
        return self._hash.hexdigest()


def digest(game: Game, most: int = MOST_NODES) -> str:
    """The digest of a game's rules by a walk of its own. Raises TooLarge, or GameError where the rules break."""
    trace = Trace(game)
    try:
        if isinstance(game, Memoryless):
            _walk_states(game, trace, most)
        else:
            _walk_tree(game, trace, most)
    except (AttributeError, TypeError) as error:  # payoffs, odds or moves that are none
        raise GameError(f"the rules of {game.title} break the contract: {error}") from error
    return trace.digest()


def _walk_tree(game: Game, trace: Trace, most: int) -> None:
    """As `ruse.forms.sequence_form.plain_form` does it: of chance the last move first."""
    sets = _Sets(game, trace)
    stack = [game.start()]
    visited = 0
    while stack:
        state = stack.pop()
        visited += 1
        if visited % 16 == 0:
            tick()
            trace.flush()
            if visited + len(stack) > most:
                raise TooLarge
        turn, moves, odds = sets.note(state)
        if turn == CHANCE:
            stack.extend(game.play(state, move) for move, share in zip(moves, odds, strict=True) if share)
        else:
            stack.extend(game.play(state, move) for move in reversed(moves))


def _walk_states(game: Game, trace: Trace, most: int) -> None:
    """Each state once, those that are reached by fewer moves first."""
    sets = _Sets(game, trace)
    numbers: dict[State, int] = {game.start(): 0}
    waiting = deque(numbers)
    while waiting:
        tick()
        trace.flush()
        if len(numbers) > most:
            raise TooLarge
        state = waiting.popleft()
        turn, moves, _ = sets.note(state)
        if turn == END:
            continue
        following = [game.play(state, move) for move in moves]
        waiting.extend(dict.fromkeys(after for after in following if after not in numbers))
        trace.notes.append([numbers.setdefault(after, len(numbers)) for after in following])


class _Sets:
    """The information sets that a walk has met, with their moves."""

    def __init__(self, game: Game, trace: Trace) -> None:
        self._game, self._trace = game, trace
        self._met: tuple[dict[Knowledge, tuple[int, tuple[Move, ...]]], ...] = ({}, {})

    def note(self, state: State) -> tuple[int, tuple[Move, ...], Sequence[Any]]:
        """Note a state: whose turn it is, its moves, and the odds of chance."""
        game = self._game
        turn = game.turn(state)
        if turn == END:
            payoff = game.payoff(state)
            self._trace.notes.append((payoff.numerator, payoff.denominator))
            return turn, (), ()
        moves = tuple(game.moves(state))
        if turn == CHANCE:
            odds = game.odds(state)
            self._trace.chance(moves, odds)
            return turn, moves, odds
        self._meet(state, turn, moves)
        return turn, moves, ()

    def _meet(self, state: State, side: int, moves: tuple[Move, ...]) -> None:
        knowledge, met = self._game.knows(state, side), self._met[side]
        known = met.get(knowledge)
        if known is None:
            met[knowledge] = len(met), moves
            self._trace.information_set(side, len(met) - 1, knowledge, moves)
        elif known[1] == moves:
            self._trace.notes.append(2 * known[0] + side)
        else:
            raise GameError(f"different moves are offered within an information set of {self._game.title}")
