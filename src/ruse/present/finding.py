"""Find the state of a position in a game without hidden information, and check that a position exists in any game."""

from __future__ import annotations

from functools import cached_property

from ruse.core import size_estimate
from ruse.core.capabilities import Open
from ruse.core.game import Game, PositionError, State, describe, possessive
from ruse.core.registry import presentation
from ruse.core.size_estimate import MOST_FOR_DRAWS
from ruse.core.walk import visits
from ruse.present.nodes import MOST_STATES

LONGEST = 1_000  # characters of a position


def unlisted(game: Game, position: str, reason: PositionError | None, example: str) -> PositionError:
    """Explain why neither strategy holds a position, unless a closer `reason` is known."""
    if not isinstance(game, Open):
        return reason or PositionError(
            f"expected a position of {game.title} where a side moves, such as {example}, got {position!r}"
        )
    try:
        turn = game.turn(Finder(game).find(position))
    except PositionError as error:
        return reason or error
    if turn not in (0, 1):
        return PositionError(f"nobody moves at {position!r}; choose a position where a side moves")
    return PositionError(
        f"{possessive(game.sides[turn])} strategy never reaches {position!r}; choose a position that it does reach"
    )


def check_position(game: Game, position: str) -> None:
    """Refuse a position that cannot arise. As in addresses, a title means the start, and a final ? may be left out."""
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
    if presentation(game).check_position(position):
        return
    if isinstance(game, Open):
        Finder(game).find(position)
    elif size_estimate.walkable(game, MOST_STATES):  # larger games have no page, and the explorer says so
        known = (describe(game, game.knows(visit.state, side)) for visit in visits(game) for side in (0, 1))
        if position not in known:
            example = next(
                describe(game, game.knows(visit.state, turn))
                for visit in visits(game)
                if (turn := game.turn(visit.state)) in (0, 1)
            )
            raise PositionError(f"expected a position of {game.title}, such as {example}, got {position[:80]!r}")


class Finder:
    """The states of a game without hidden information, by their positions."""

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
        shown, state = presentation(self.game), None
        if len(position) <= LONGEST:
            state = shown.find_state(position)
            state = self._states.get(position) if state is None else state
        if state is None:
            raise shown.no_position(position)
        return state

    @cached_property
    def _states(self) -> dict[str, State]:
        """All states by position, for games without a notation of their own."""
        states = {}
        for visit, _ in zip(visits(self.game), range(MOST_FOR_DRAWS), strict=False):
            states[describe(self.game, self.game.knows(visit.state, 0))] = visit.state
        return states
