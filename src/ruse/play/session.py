"""A game between a person and a solution: what was played, whose turn it is, and what the person may see of it.

The session knows the whole state. What may be shown is `position`, which is what the person's side knows, and what
follows from it; the number of a move counts the person's own, as other counts would tell of moves that are hidden.
A session does not change: a move makes a new one.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ruse.core import rationals
from ruse.core.capabilities import Open, payoff_to
from ruse.core.game import CHANCE, END, Game, Move, PositionError, RuseError, State, describe
from ruse.core.jsonable import jsonable
from ruse.core.sides import side_number
from ruse.play.opening import first_state, line_to
from ruse.play.rival import Rival, drawn, find
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

MOST_SEED = 1 << 53  # pages read numbers below this exactly
MOST_MOVES = 20_000  # of a game, chance included
MOST_LISTED = 300  # moves to choose from


class SessionError(RuseError):
    """A session that cannot be, or a move that comes at the wrong time."""


@dataclass(frozen=True)
class Decision:
    """A move that the person made, and what it knew then."""

    position: str
    move: str


@dataclass(frozen=True)
class Session:
    """A game of a person against a solution, move by move. It never changes: `play` returns the next one."""

    rival: Rival
    seed: int
    coach: bool  # whether the person wants to hear after each move what it cost
    id: str
    source: str | None  # the file that the solution comes from
    moves: tuple[str, ...]  # of chance and both sides, as people write them
    states: tuple[State, ...]  # before each of the moves, and now
    opening: str | None = None  # the position that it began at, if that is not the start of the game
    given: int = 0  # how many of the moves led there, before the person took over
    dealt: str | None = None  # the identity of the solution that it was begun against, where that is known

    @property
    def note(self) -> str:
        """What a person should know of how it goes on, in a sentence; mostly nothing."""
        if self.dealt in (None, self.solution.identity):
            return ""
        return f"it was begun against another solution of {self.solution.game.title} and goes on against this one"

    @property
    def solution(self) -> Solution:
        return self.rival.solution

    @property
    def game(self) -> Game:
        """The game as it is played, which a manner may change: the spies of a team move as one."""
        return self.rival.game

    @property
    def side(self) -> int:
        """The person's."""
        return 1 - self.rival.side

    @property
    def over(self) -> bool:
        return self.game.turn(self.states[-1]) == END

    @property
    def position(self) -> str:
        """What the person knows now."""
        return self._known(self.states[-1])

    @property
    def choices(self) -> Sequence[Move]:
        """The person's moves. They can be more than anybody would list: see `options`."""
        return () if self.over else self.game.moves(self.states[-1])

    @property
    def options(self) -> list[str] | None:
        """The person's moves as people write them, numbers in order, or None if they are too many."""
        if len(self.choices) > MOST_LISTED:
            return None
        labels = [self.game.label(move) for move in self.choices]
        return sorted(labels, key=int) if all(label.isdecimal() for label in labels) else labels

    @cached_property
    def decisions(self) -> Sequence[Decision]:
        """What the person did so far."""
        return [Decision(self._known(self.states[ply]), self.moves[ply]) for ply in self.plies]

    @property
    def number(self) -> int:
        """Of the person's move that comes next, from 1 on."""
        return 1 + len(self.plies)

    @cached_property
    def plies(self) -> list[int]:
        """Which of the moves the person made."""
        return [ply for ply in range(self.given, len(self.moves)) if self.game.turn(self.states[ply]) == self.side]

    @property
    def gain(self) -> Fraction:
        """What the person got, at the end: the payoff, counted from its own side."""
        if not self.over:
            raise SessionError("this game is not over yet")
        return payoff_to(self.game, self.side, self.game.payoff(self.states[-1]))

    @property
    def secret(self) -> str:
        """What the other side knew, at the end."""
        if not self.over:
            raise SessionError("this game is not over yet")
        return describe(self.game, self.game.knows(self.states[-1], self.rival.side))

    def happened(self) -> list[str]:
        """What the person saw since it last decided, or at all: moves and who made them, or steps if any are hidden."""
        turns = [self.game.turn(state) for state in self.states]
        last = self.plies[-1] if self.plies else None
        if isinstance(self.solution.game, Open):
            first = 0 if last is None else last + 1
            names = {0: self.game.sides[0], 1: self.game.sides[1], CHANCE: "chance"}
            return [f"{names[turns[ply]]}: {self.moves[ply]}" for ply in range(first, len(self.moves))]
        before = [] if last is None else self._known(self.states[last]).split("/")
        now = self.position.split("/")
        same = next((place for place, step in enumerate(before) if now[place : place + 1] != [step]), len(before))
        return now[max(same, 1) :]

    def _known(self, state: State) -> str:
        return describe(self.game, self.game.knows(state, self.side))

    def to_json(self) -> dict[str, Any]:
        """What a page may show: nothing that the person's side does not know before the end."""
        found: dict[str, Any] = {
            "id": self.id,
            "game": self.game.title,
            "side": self.game.sides[self.side],
            "coach": self.coach,
            "number": self.number,
            "position": self.position,
            "opening": self.opening,
            "moves": self.options,
            "example": self.game.label(self.choices[0]) if self.choices else None,
            "decisions": jsonable(self.decisions),
            "happened": self.happened(),
            "over": self.over,
            "note": self.note,
        }
        if self.over:
            found |= {"gain": rationals.write(self.gain), "secret": self.secret, "seed": self.seed}
        return found


def side_of(game: Game, asked: int | str) -> int:
    """A side by number or name."""
    try:
        return side_number(game, int(asked) if asked in ("0", "1") else asked)
    except PositionError as error:
        raise SessionError(str(error)) from error


def begin(
    solution: Solution,
    side: int | str = 0,
    *,
    seed: int | None = None,
    coach: bool = False,
    source: str | None = None,
    position: str | None = None,
    views: Viewer | None = None,
) -> Session:
    """A new game, up to the person's first move. Without a seed, nobody can know what will be drawn.

    It begins at the start, or at a position that the side knows, with what is hidden there drawn by what can be
    believed of it (ruse.play.opening). `views` are the solution's, if the caller has them.
    """
    human = side_of(solution.game, side)
    if seed is None:
        seed = secrets.randbelow(MOST_SEED)
    _check_seed(seed)
    identity = secrets.token_urlsafe(16)
    while not identity[0].isalnum():  # a command line would take -x for an option
        identity = secrets.token_urlsafe(16)
    moves: Sequence[str] = ()
    if position is not None:
        moves = line_to(solution, human, position, seed, views)
    dealt = solution.identity
    session = resume(solution, human, seed, moves, coach, identity, source, position, len(moves), dealt)
    if position is not None and len(session.moves) == session.given and session.over:
        raise SessionError(f"expected a position where {solution.game.title} goes on, got its end, {position[:80]!r}")
    return session


def _check_seed(seed: int) -> None:
    if not 0 <= seed < MOST_SEED:
        raise SessionError(f"expected a seed of 0 to {MOST_SEED - 1}, got {seed}")


def resume(
    solution: Solution,
    side: int,
    seed: int,
    moves: Sequence[str],
    coach: bool,
    identity: str,
    source: str | None,
    opening: str | None = None,
    given: int = 0,
    dealt: str | None = None,
) -> Session:
    """The session in which those moves were made, by the rules, up to the person's next move."""
    _check_seed(seed)
    if not 0 <= given <= len(moves):
        raise SessionError(f"expected 0 to {len(moves)} moves before the person's first, got {given}")
    rival = Rival(solution, 1 - side)
    labels, states = _walked(rival.game, opening, moves)
    return _advance(Session(rival, seed, coach, identity, source, labels, states, opening, given, dealt))


def standing(solution: Solution, side: int, position: str, views: Viewer) -> Session:
    """A game as it stands at a position that a side knows, whoever is to move; what is hidden there is drawn."""
    moves = line_to(solution, side, position, 0, views)
    rival = Rival(solution, 1 - side)
    labels, states = _walked(rival.game, position, moves)
    return Session(rival, 0, False, "", None, labels, states, position, len(moves), None)


def _walked(game: Game, opening: str | None, moves: Sequence[str]) -> tuple[tuple[str, ...], tuple[State, ...]]:
    """Moves as people write them, by the rules, and the states before each and after the last."""
    states, labels = [first_state(game, opening)], []
    for number, label in enumerate(moves, 1):
        state = states[-1]
        turn = game.turn(state)
        if turn == END:
            raise SessionError(f"expected no move after the end of {game.title}, got move {number}")
        move = find(game, state, label)
        if turn == CHANCE and not game.odds(state)[list(game.moves(state)).index(move)]:
            raise SessionError(f"chance never plays {label!r}, which is move {number}")
        labels.append(game.label(move))
        states.append(game.play(state, move))
    return tuple(labels), tuple(states)


def play(session: Session, number: int, move: str) -> Session:
    """Make the person's move of that number, and what the computer and chance do next."""
    if session.over:
        raise SessionError(f"expected no move after the end of {session.game.title}, got {move[:40]!r}")
    if number != session.number:
        which = "you made it in another tab" if number < session.number else "the moves before it are missing"
        raise SessionError(f"expected move {session.number} of this game, got move {number}: {which}")
    game, state = session.game, session.states[-1]
    found = find(game, state, move)
    moves, states = (*session.moves, game.label(found)), (*session.states, game.play(state, found))
    return _advance(replace(session, moves=moves, states=states))


def take_back(session: Session, number: int) -> Session:
    """The session before the person's last move. The number is that of the next one, as for `play`."""
    if number != session.number:
        raise SessionError(f"expected to take back move {session.number - 1} of this game, got move {number - 1}")
    if number == 1:
        raise SessionError("there is no move to take back yet")
    return before(session, number - 1)


def before(session: Session, number: int) -> Session:
    """A session as it stood when the person made its move of that number."""
    ply = session.plies[number - 1]
    return replace(session, moves=session.moves[:ply], states=session.states[: ply + 1])


def _advance(session: Session) -> Session:
    """Let chance and the computer move until the person has to, or the game is over."""
    game, rival = session.game, session.rival
    moves, states = list(session.moves), list(session.states)
    while game.turn(states[-1]) in (CHANCE, rival.side):
        move = drawn(rival.odds(states[-1]), session.seed, len(moves))
        moves.append(game.label(move))
        states.append(game.play(states[-1], move))
        if len(moves) > MOST_MOVES:
            raise SessionError(f"this game has more than {MOST_MOVES:,} moves")
    return replace(session, moves=tuple(moves), states=tuple(states))
