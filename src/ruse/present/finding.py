"""From positions back to states, in games without secrets; and whether there is such a position, in any game."""

from __future__ import annotations

from functools import cached_property

from ruse.core import size_estimate
from ruse.core.capabilities import Open
from ruse.core.game import Game, PositionError, State, describe
from ruse.core.registry import presentation
from ruse.core.size_estimate import MOST_FOR_DRAWS
from ruse.core.walk import visits
from ruse.present.nodes import MOST_STATES

LONGEST = 1_000  # characters of a position


def unlisted(game: Game, position: str, reason: PositionError | None, example: str) -> PositionError:
    """Why neither strategy says anything of a position, where a closer `reason` is not known."""
    if not isinstance(game, Open):
        return reason or PositionError(
            f"expected a position of {game.title} where a side moves, such as {example}, got {position!r}"
        )
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
    if presentation(game).check_position(position):
        return
    if isinstance(game, Open):
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
        shown, state = presentation(self.game), None
        if len(position) <= LONGEST:
            state = shown.find_state(position)
            state = self._states.get(position) if state is None else state
        if state is None:
            raise shown.no_position(position)
        return state

    @cached_property
    def _states(self) -> dict[str, State]:
        """All of them, in games without a notation of their own."""
        found = {}
        for visit, _ in zip(visits(self.game), range(MOST_FOR_DRAWS), strict=False):
            found[describe(self.game, self.game.knows(visit.state, 0))] = visit.state
        return found
