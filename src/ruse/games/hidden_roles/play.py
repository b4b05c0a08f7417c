"""How a game with hidden roles is played against a solution: strategies by class, seat by seat."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.core.game import Move, State
from ruse.core.types import Policy
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.games.hidden_roles.verify import seat_policy
from ruse.play.manner import Manner


class Seats(Manner):
    """A move of a class is drawn among all that look alike: a fixed one would tell what comes next."""

    def policy(self, side: int) -> Policy | None:
        game = self.solution.game
        assert isinstance(game, HiddenRoles)
        if not self.solution.by_class:
            return None
        seats = seat_policy(game, side, self.solution.tables[side])

        def ordered(state: State) -> Mapping[Move, Fraction]:
            return dict(sorted(seats(state).items(), key=lambda pair: game.label(pair[0])))

        return ordered
