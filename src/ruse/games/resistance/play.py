"""How The Resistance is played against a solution: spies as one team, missions of a class drawn among all alike."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.core.game import Game, Move, State
from ruse.core.types import Policy
from ruse.forms.reductions import Teams
from ruse.games.resistance import notation
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.resistance.verify import seat_policy
from ruse.play.manner import Manner, Ticks
from ruse.play.session import Session

RESULTS = {"+": "passed", "-": "failed", "?": "are on the mission"}


class Seats(Manner):
    """Strategies by class are about classes of missions and orders to all spies.

    So the spies play as one team, and a mission of a class is drawn among all that are alike: a fixed one would tell
    the spies what comes next.
    """

    def game(self) -> Game:
        return Teams(self._resistance) if self.solution.by_class else super().game()

    def policy(self, side: int) -> Policy | None:
        if side != RESISTANCE or not self.solution.by_class:
            return None
        seats = seat_policy(self._resistance, side, self.solution.strategy(side).at)

        def missions(state: State) -> Mapping[Move, Fraction]:
            found = seats(state)
            return {mission: found[mission] for mission in sorted(found)}

        return missions

    def saw(self, step: str) -> str:
        return f"{step[:-1]} {RESULTS[step[-1]]}" if step[-1] in RESULTS else step

    def ask(self, session: Session) -> str:
        if session.side != RESISTANCE:
            return ""
        table, done = self._resistance.table, len(session.game.knows(session.states[-1], RESISTANCE).done)
        size, fails = table.missions[done], table.sabotages[done]
        also = f"; it takes {fails} sabotages to fail" if fails > 1 else ""
        return f"Mission {done + 1}: send {size} seats, such as {notation.seats(range(size))}{also}."

    def ticks(self, session: Session) -> Ticks | None:
        if session.side != RESISTANCE or session.over:
            return None
        aboard = len(session.game.label(session.choices[0]))
        letters = notation.seats(range(self._resistance.table.players))
        return Ticks(letters, aboard, "Send a mission", "Send them")

    @property
    def _resistance(self) -> Resistance:
        assert isinstance(self.solution.game, Resistance)
        return self.solution.game
