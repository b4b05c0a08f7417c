"""An evening in the manner of OpenSpiel, and a ruse seat as one of its bots: python examples/openspiel_style.py

OpenSpiel has no game of The Resistance. `EveningState` has the methods of a `pyspiel.State` that bots use, over the
rules that ruse plays; those who act at once act one after the other, without seeing each other's act. `RuseBot` has the
methods of a `pyspiel.Bot`. It speaks the lines of docs/reference/bot-protocol.md to a seat in the same process.
"""

from __future__ import annotations

import json
import random
from typing import Any

from ruse.games.evening import rules
from ruse.games.evening.line_protocol import BotSeat
from ruse.games.evening.models import Models
from ruse.games.evening.record import proposal_json
from ruse.games.evening.rules import GOOD, VOTE, Act
from ruse.games.evening.setting import official
from ruse.games.resistance.notation import seats


class EveningState:
    """An evening with the methods of a pyspiel.State."""

    def __init__(self, evening: rules.EveningState) -> None:
        self.evening = evening
        self.waiting: dict[int, Act] = {}  # acts of this phase so far

    def current_player(self) -> int:
        return next(seat for seat in self.evening.actors if seat not in self.waiting)

    def legal_actions(self) -> list[int]:
        return list(range(len(self.evening.legal(self.current_player()))))

    def action_to_string(self, player: int, action: int) -> str:
        return self.evening.written(self.evening.legal(player)[action])

    def apply_action(self, action: int) -> None:
        player = self.current_player()
        self.waiting[player] = self.evening.legal(player)[action]
        if len(self.waiting) == len(self.evening.actors):
            self.evening, self.waiting = self.evening.step(self.waiting), {}

    def is_terminal(self) -> bool:
        return self.evening.over

    def returns(self) -> list[float]:
        """1 for the seats of the side that won, -1 for the others."""
        won = self.evening.winner == GOOD
        return [1.0 if won != (seat in self.evening.deal.spies) else -1.0 for seat in range(self.evening.players)]


class RuseBot:
    """A seat of ruse's with the methods of a pyspiel.Bot."""

    def __init__(self, state: EveningState, player: int) -> None:
        self.seat = BotSeat(state.evening.setting, player, Models("optimal", "optimal"), seed=player)
        self.seat.greeting()
        self.restart_at(state)

    def restart_at(self, state: EveningState) -> None:
        """Begin a new evening."""
        self.told_missions = self.told_proposals = 0
        view = state.evening.view(self.seat.seat)
        self._say(type="hello", role=view.role, shown=seats(view.shown))
        self._say(type="observe", event="draw", public=str(view.draw))

    def step(self, state: EveningState) -> int:
        """The action that ruse plays."""
        self._catch_up(state.evening)
        evening, player = state.evening, self.seat.seat
        more = {"leader": seats([evening.leader]), "team": seats(evening.team or ())} if evening.phase == VOTE else {}
        text = self._say(type="act", phase=evening.phase, **more)["act"]
        return list(evening.legal(player)).index(evening.read_act(player, text))

    def inform_action(self, state: EveningState, player: int, action: int) -> None:
        """Nothing to do: what everybody sees is told before the next act."""

    def _catch_up(self, evening: rules.EveningState) -> None:
        """Tell the seat what everybody has seen since its last act."""
        rounds = [(mission.proposals, mission.sabotages) for mission in evening.missions]
        rounds += [(evening.proposals, None)] if evening.proposals else []
        for number, (proposals, sabotages) in enumerate(rounds):
            if number < self.told_missions:
                continue
            for proposal in proposals[self.told_proposals :]:
                self._say(type="observe", event="proposal", **proposal_json(proposal))
            self.told_proposals = len(proposals)
            if sabotages is not None:
                self._say(type="observe", event="mission", sabotages=sabotages)
                self.told_missions, self.told_proposals = number + 1, 0
                if not evening.over and evening.phase != "shoot":
                    self._say(type="observe", event="draw", public=str(evening.view(self.seat.seat).draw))

    def _say(self, **line: Any) -> dict[str, Any]:
        answer = dict(self.seat.answer(json.dumps(line)))
        if answer["type"] == "error":
            raise RuntimeError(answer["message"])
        return answer


def play(seed: int, players: int = 5, ruse_seats: str = "abcde") -> list[float]:
    """An evening between ruse's seats and seats that act at random."""
    dice = random.Random(seed)
    state = EveningState(rules.EveningState.begin(official(players), seed))
    bots = {ord(letter) - ord("a"): RuseBot(state, ord(letter) - ord("a")) for letter in ruse_seats}
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(bots[player].step(state) if player in bots else dice.choice(state.legal_actions()))
    return state.returns()


if __name__ == "__main__":
    results = [play(seed) for seed in range(100)]
    print(f"seat a won {sum(result[0] > 0 for result in results)} of {len(results)} evenings among ruse's seats")
