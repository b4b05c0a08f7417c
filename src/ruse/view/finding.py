"""From positions back to states, in games without secrets; and whether there is such a position, in any game."""

from __future__ import annotations

import re
from functools import cached_property

from ruse.core import size_estimate
from ruse.core.capabilities import Open
from ruse.core.game import END, Game, PositionError, State, describe
from ruse.core.size_estimate import MOST_FOR_DRAWS
from ruse.core.walk import visits
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.guess_who import GuessWho
from ruse.games.phantom.rules import Unseen
from ruse.games.phantom.view import read_lists
from ruse.games.pig import Pig, Race
from ruse.games.resistance import Resistance
from ruse.games.resistance.places import Place
from ruse.games.tic_tac_toe import TicTacToe
from ruse.view.nodes import MOST_STATES

LONGEST = 1_000  # characters of a position
NUMBERS = re.compile(r"(\d{1,3}),(\d{1,3}),(\d{1,3})(/roll)?", re.ASCII)


def unlisted(game: Game, position: str, reason: PositionError | None) -> PositionError:
    """Why neither strategy says anything of a position, where a closer `reason` is not known."""
    if not isinstance(game, Open):
        whose = f"{game.sides[0]} or {game.sides[1]}"
        return reason or PositionError(f"expected a position of {game.title} where {whose} moves, got {position!r}")
    try:
        turn = game.turn(Finder(game).find(position))
    except PositionError as error:
        return reason or error
    if turn not in (0, 1):
        return PositionError(f"expected a position where a side moves, got {position!r}, where none does")
    return PositionError(
        f"expected a position that the strategy of {game.sides[turn]} comes to, got {position!r}, which it never does"
    )


def check_position(game: Game, position: str) -> None:
    """Refuse a position that nobody can be in. As in addresses, a title means the start, and a ? may be left out."""
    if position == game.title:
        return
    try:
        _check(game, position)
    except PositionError:
        try:
            _check(game, f"{position}?")
        except PositionError:
            pass
        else:
            return
        raise


def _check(game: Game, position: str) -> None:
    if isinstance(game, Resistance):
        Place.at(game.table, position, None)
    elif isinstance(game, Unseen):
        read_lists(game, position)
    elif isinstance(game, Open):
        Finder(game).find(position)
    elif size_estimate.walkable(game, MOST_STATES):  # else no page shows it, and says so
        known = (describe(game, game.knows(visit.state, side)) for visit in visits(game) for side in (0, 1))
        if position not in known:
            example = next(
                describe(game, game.knows(visit.state, turn))
                for visit in visits(game)
                if (turn := game.turn(visit.state)) in (0, 1)
            )
            raise PositionError(f"expected a position of {game.title}, such as {example}, got {position[:80]!r}")


class Finder:
    def __init__(self, game: Open) -> None:
        self.game = game

    def knows(self, position: str) -> bool:
        try:
            self.find(position)
        except PositionError:
            return False
        return True

    def find(self, position: str) -> State:
        """The state of a position. Raises PositionError."""
        state = self._read(position) if len(position) <= LONGEST else None
        if state is None:
            start = describe(self.game, self.game.knows(self.game.start(), 0))
            raise PositionError(f"expected a position of {self.game.title}, such as {start}, got {position[:80]!r}")
        return state

    def _read(self, position: str) -> State | None:
        game = self.game
        if isinstance(game, Pig):
            return _read_race(game, position)
        if isinstance(game, FourInARow):
            return _read_stones(game, position)
        if isinstance(game, TicTacToe):
            return _read_or_none(game, position)
        if isinstance(game, GuessWho):
            return _read_board(game, position)
        return self._states.get(position)

    @cached_property
    def _states(self) -> dict[str, State]:
        """All of them, in games without a notation of their own."""
        found = {}
        for visit, _ in zip(visits(self.game), range(MOST_FOR_DRAWS), strict=False):
            found[describe(self.game, self.game.knows(visit.state, 0))] = visit.state
        return found


def _read_or_none(game: FourInARow | TicTacToe | GuessWho, position: str) -> State | None:
    try:
        return game.read(position)
    except PositionError:
        return None


def _read_race(game: Pig, position: str) -> State | None:
    head, _, rest = position.partition("/")
    numbers = NUMBERS.fullmatch(rest)
    sides = [f"{game.title}@{side}" for side in game.sides]
    if numbers is None or head not in sides:
        return None
    mine, theirs, total = (int(number) for number in numbers.groups()[:3])
    state = Race(sides.index(head), mine, theirs, total, numbers[4] is not None)
    ended = mine + total >= game.goal
    sane = mine < game.goal and theirs < game.goal and total != 1 and not (ended and state.rolling)
    sane = sane and mine + total < game.goal + 6
    return state if sane and describe(game, state) == position else None


def _read_stones(game: FourInARow, position: str) -> State | None:
    """A board, also one where the game is over: then the last stone is taken off and dropped again."""
    if (state := _read_or_none(game, position)) is not None:
        return state
    columns = position.removeprefix(f"{game.title}@").split(",")
    for number, column in enumerate(columns):
        before = [*columns[:number], column[:-1] or "-", *columns[number + 1 :]]
        state = _read_or_none(game, f"{game.title}@{','.join(before)}") if column != "-" else None
        if state is not None and game.turn(state) != END and number in game.moves(state):
            after = game.play(state, number)
            if describe(game, after) == position:
                return after
    return None


def _read_board(game: GuessWho, position: str) -> State | None:
    """Numbers of characters left, and perhaps the question that has been asked."""
    head, _, asked = position.rpartition("/")
    state = _read_or_none(game, position)
    if state is None and (before := _read_or_none(game, head)) is not None and game.turn(before) != END:
        state = next((game.play(before, move) for move in game.moves(before) if game.label(move) == asked), None)
    if state is None:
        return None
    begin = game.start()
    most = (begin.mine, begin.theirs) if state.turn == 0 else (begin.theirs, begin.mine)
    sane = 1 <= state.mine <= most[0] and 1 <= state.theirs <= most[1]
    return state if sane and describe(game, state) == position else None
