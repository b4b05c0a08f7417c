"""A game between a person and a solution: the moves so far, whose turn it is, and what the person may see.

The session holds the whole state. It may show only `position`, which is what the person's side knows, and what follows
from that. Moves are numbered by the person's own, because other numbers would reveal hidden moves. A session never
changes: a move makes a new session.
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
from ruse.core.game import CHANCE, END, Game, Move, PositionError, RuseError, State, describe, side_number
from ruse.core.jsonable import jsonable
from ruse.play.opening import first_state, line_to
from ruse.play.rival import Rival, drawn, find
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

REFERENCE, STORED = OPPONENTS = ("reference", "stored")  # strategies of the other side
MOST_SEED = 1 << 53  # pages read numbers below this exactly
MOST_MOVES = 20_000  # of a game, chance included
MOST_LISTED = 300  # moves in a list to choose from


class SessionError(RuseError):
    """An impossible session, or a move at the wrong time."""


@dataclass(frozen=True)
class Decision:
    """A move of the person, and the position that it knew then."""

    position: str
    move: str


@dataclass(frozen=True)
class Session:
    """A game of a person against a solution, move by move. It never changes: `play` returns the next one."""

    rival: Rival
    seed: int
    coach: bool  # whether a coach says after each move what it cost
    id: str
    source: str | None  # the file of the solution
    moves: tuple[str, ...]  # labels of the moves of chance and both sides
    states: tuple[State, ...]  # before each of the moves, and now
    opening: str | None = None  # the position where the game began, if not at its usual start
    given: int = 0  # how many of the moves led there
    dealt: str | None = None  # the identity of the solution at the start of the game, if known
    opponent: str = STORED  # which strategy of the other side the game was begun against

    @property
    def note(self) -> str:
        """A note to the person about this session; usually empty."""
        if self.opponent == REFERENCE and self.rival.reference is None:
            return "the reference opponent takes too long to find here, so the other side plays its stored strategy"
        if self.dealt in (None, self.solution.identity):
            return ""
        return f"this game began against another solution of {self.solution.game.title} and continues against this one"

    @property
    def solution(self) -> Solution:
        return self.rival.solution

    @property
    def game(self) -> Game:
        """The game as it is played, which a manner may change, for example so that the spies of a team move as one."""
        return self.rival.game

    @property
    def side(self) -> int:
        """The person's side."""
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
        """The person's moves. There may be too many to list: see `options`."""
        return () if self.over else self.game.moves(self.states[-1])

    @property
    def options(self) -> list[str] | None:
        """The labels of the person's moves, numbers in order, or None if there are too many."""
        if len(self.choices) > MOST_LISTED:
            return None
        labels = [self.game.label(move) for move in self.choices]
        return sorted(labels, key=int) if all(label.isdecimal() for label in labels) else labels

    @cached_property
    def decisions(self) -> Sequence[Decision]:
        """The person's moves so far."""
        return [Decision(self._known(self.states[ply]), self.moves[ply]) for ply in self.plies]

    @property
    def number(self) -> int:
        """The number of the person's next move, counted from 1."""
        return 1 + len(self.plies)

    @cached_property
    def plies(self) -> list[int]:
        """The places of the person's moves among all moves."""
        return [ply for ply in range(self.given, len(self.moves)) if self.game.turn(self.states[ply]) == self.side]

    @property
    def gain(self) -> Fraction:
        """The person's payoff at the end."""
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
        """What the person has seen since its last move, or since the start: moves with their side, or steps."""
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
        """The fields that a page may show: before the end, only what the person's side knows."""
        fields: dict[str, Any] = {
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
            fields |= {"gain": rationals.write(self.gain), "secret": self.secret, "seed": self.seed}
        return fields


def side_of(game: Game, asked: int | str) -> int:
    """Read a side by its number or name."""
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
    reference: Solution | None = None,
) -> Session:
    """Start a game and play up to the person's first move. Without a seed, its draws are unpredictable.

    The game starts at its usual start, or at a position that the side knows; what is hidden there is drawn by the
    side's beliefs (ruse.play.opening). `views` are the solution's views, if the caller has them. `reference` is the
    reference pair (`ruse.insight.costs.costs(solution).reference`), to play against it instead of the stored strategy.
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
    opponent = STORED if reference is None else REFERENCE
    session = resume(
        solution, human, seed, moves, coach, identity, source, position, len(moves), dealt, opponent, reference
    )
    if position is not None and len(session.moves) == session.given and session.over:
        raise SessionError(f"{solution.game.title} is over at {position[:80]!r}; choose an earlier position")
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
    opponent: str = STORED,
    reference: Solution | None = None,
) -> Session:
    """Replay moves by the rules, and play up to the person's next move."""
    _check_seed(seed)
    if not 0 <= given <= len(moves):
        raise SessionError(f"expected 0 to {len(moves)} moves before the person's first, got {given}")
    rival = Rival(solution, 1 - side, reference if opponent == REFERENCE else None)
    labels, states = _walked(rival.game, opening, moves)
    return _advance(Session(rival, seed, coach, identity, source, labels, states, opening, given, dealt, opponent))


def standing(solution: Solution, side: int, position: str, views: Viewer) -> Session:
    """A game at a position that a side knows, whoever is to move; what is hidden there is drawn."""
    moves = line_to(solution, side, position, 0, views)
    rival = Rival(solution, 1 - side)
    labels, states = _walked(rival.game, position, moves)
    return Session(rival, 0, False, "", None, labels, states, position, len(moves), None)


def _walked(game: Game, opening: str | None, moves: Sequence[str]) -> tuple[tuple[str, ...], tuple[State, ...]]:
    """Walk along labels of moves by the rules: the labels, and the states before each and after the last."""
    states, labels = [first_state(game, opening)], []
    for number, label in enumerate(moves, 1):
        state = states[-1]
        turn = game.turn(state)
        if turn == END:
            raise SessionError(f"{game.title} is over before move {number}")
        move = find(game, state, label)
        if turn == CHANCE and not game.odds(state)[list(game.moves(state)).index(move)]:
            raise SessionError(f"chance never plays {label!r}, which is move {number}")
        labels.append(game.label(move))
        states.append(game.play(state, move))
    return tuple(labels), tuple(states)


def play(session: Session, number: int, move: str) -> Session:
    """Make the person's move of that number, and the moves of the computer and of chance that follow."""
    if session.over:
        raise SessionError("this game is over; start another one")
    if number != session.number:
        which = "you made it in another tab" if number < session.number else "the moves before it are missing"
        raise SessionError(f"expected move {session.number} of this game, got move {number}: {which}")
    game, state = session.game, session.states[-1]
    chosen = find(game, state, move)
    moves, states = (*session.moves, game.label(chosen)), (*session.states, game.play(state, chosen))
    return _advance(replace(session, moves=moves, states=states))


def take_back(session: Session, number: int) -> Session:
    """Take back the person's last move. `number` is that of the next move, as for `play`."""
    if number != session.number:
        raise SessionError(f"only move {session.number - 1} can be taken back, not move {number - 1}")
    if number == 1:
        raise SessionError("there is no move to take back yet")
    return before(session, number - 1)


def before(session: Session, number: int) -> Session:
    """The session before the person's move of that number."""
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
