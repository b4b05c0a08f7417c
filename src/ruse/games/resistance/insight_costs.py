"""What moves of The Resistance cost against a reference pair (docs/explanation/costs.md).

The pair is the strictly complementary one of `insight_support`: masses of the spies, and the duals that prove that no
optimal masses outdo them. All is by class, as in the rest of the insight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ruse.core.clock import TimeIsUp, deadline, left
from ruse.core.types import Tables
from ruse.games.resistance.cells import Place
from ruse.games.resistance.evaluator import Evaluator, SpiesBestResponse, payoff
from ruse.games.resistance.insight_program import NotProved
from ruse.games.resistance.insight_proofs import ReplyToMasses, least, masses_of, won_on
from ruse.games.resistance.insight_ranges import ResistanceRanges
from ruse.games.resistance.insight_support import Support
from ruse.games.resistance.program import ResistanceProgram
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.tables import complete
from ruse.insight.costs import PositionCosts, ViewCosts, after_fewest_mistakes, against_reference
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.games.resistance.insight import ResistanceInsight

LONGEST = 300.0  # seconds for the reference pair; ten players take about a minute


class ResistanceCosts:
    """The costs of moves in a solved game of The Resistance."""

    def __init__(self, insight: ResistanceInsight) -> None:
        self.solution, self.table, self._insight = insight.solution, insight.table, insight

    @cached_property
    def pair(self) -> Tables | None:
        """The reference pair; None if it takes too long to find. Raises TimeIsUp if the caller has less time."""
        memory = self._insight.memory
        if memory.pair is None:
            try:
                with deadline(LONGEST), self._insight.alone():
                    memory.learn_pair(self._exact_pair())
            except TimeIsUp:
                if left() <= 0:
                    raise
            except NotProved:
                pass
        return memory.pair

    def _exact_pair(self) -> Tables:
        """The pair, once both strategies are seen to guarantee the value. Raises NotProved.

        Its program is new, because which of many pairs is found depends on the questions that a program had before.
        """
        program, optimal = ResistanceProgram(self.table), self._insight.optimal
        won = (optimal.certificate.lower + 1) / 2 * self.table.spy_sets
        pair = Support(ResistanceRanges(program, won, optimal.tables)).pair()
        conceded = ReplyToMasses(program, masses_of(program, pair[SPIES])).value()
        if least(program, won_on(program, pair[RESISTANCE])) != won or conceded != won:
            raise NotProved("expected two optimal strategies as a reference pair, got others")
        return complete(self.table, pair)

    @cached_property
    def reference(self) -> Solution | None:
        return None if self.pair is None else replace(self.solution, tables=self.pair, mistakes=None)

    @cached_property
    def _stored(self) -> ViewCosts:
        return ViewCosts(self.solution, viewer(self.solution))

    @cached_property
    def _evaluator(self) -> Evaluator:
        """Values if both sides follow the pair."""
        assert self.pair is not None
        return Evaluator(self.table, self.pair)

    @cached_property
    def _reply(self) -> Evaluator:
        """Values if the resistance plays a best response to the spies of the pair."""
        assert self.pair is not None
        return Evaluator(self.table, ({}, self.pair[SPIES]))

    @cached_property
    def _answers(self) -> SpiesBestResponse:
        return SpiesBestResponse(self.table, self._evaluator.missions)

    def at(self, position: str, side: int | None = None) -> PositionCosts:
        place = Place.at(self.table, position, side)
        if place.ended or (place.side == SPIES) != (place.read.out is not None):
            return PositionCosts(place.text, place.side)
        if self.pair is None:
            return self._stored.at(place.text, place.side)
        with self._insight.alone():
            for evaluator in (self._evaluator, self._reply):
                evaluator.trim()
            return self._missions(place) if place.side == RESISTANCE else self._orders(place)

    def keep(self) -> None:
        self._insight.keep()

    def met(self, position: str, side: int) -> PositionCosts | None:
        place = Place.at(self.table, position, side)
        if self.pair is None or not self._meets(place):
            return None
        return self.at(position, side)

    def reached(self, position: str, side: int) -> dict[str, Fraction]:
        place = Place.at(self.table, position, side)
        with self._insight.alone():
            for evaluator in (self._evaluator, self._reply):
                evaluator.trim()
            values = self._mission_values(place) if place.side == RESISTANCE else self._order_values(place)
        best = max(values.values()) if place.side == RESISTANCE else min(values.values())
        return {move: abs(best - payoff_after) for move, payoff_after in values.items()}

    def _meets(self, place: Place) -> bool:
        """Whether chance and the other side of the pair let play come to a place."""
        if place.side == RESISTANCE:
            return not self._evaluator.suspects(place.cells).slips
        return self._sent(place)

    def _sent(self, place: Place) -> bool:
        """Whether the resistance of the pair sends the missions on the way to a place, up to the names of seats."""
        before = zip([*place.earlier(), place.back()], place.read.missions, strict=False)
        return all(self._evaluator.missions(earlier.cells).get(earlier.counts(sent)) for earlier, sent in before)

    def _missions(self, place: Place) -> PositionCosts:
        values = self._mission_values(place)
        own = {place.named(mission): odds for mission, odds in self._evaluator.missions(place.cells).items()}
        return self._costs(place, values, own, self._sent(place))

    def _mission_values(self, place: Place) -> dict[str, Fraction]:
        """The payoff after each mission, if the resistance then plays a best response."""
        return {place.named(mission): payoff(won) for mission, won in self._reply.values(place.cells).items()}

    def _order_values(self, place: Place) -> dict[str, Fraction]:
        """The payoff after each order, if the spies then play a best response."""
        cells, spies = place.cells, place.spies
        results = self._answers.results(cells, spies)
        orders = {"pass": "+", "sabotage": "-"}
        return {
            order: payoff(self._answers.least(cells.then(result), spies))
            for order, result in orders.items()
            if result in results
        }

    def _orders(self, place: Place) -> PositionCosts:
        cells, spies, values = place.cells, place.spies, self._order_values(place)
        share = self._evaluator.sabotage(cells, spies)
        own = {"pass": 1 - share, "sabotage": share}
        return self._costs(place, values, own, self._evaluator.dealt_and_played(cells, spies) > 0)

    def _costs(
        self, place: Place, values: Mapping[str, Fraction], own: Mapping[str, Fraction], comes: bool
    ) -> PositionCosts:
        """The costs of moves with these payoffs; `own` are the odds of the side's own strategy, if it comes here."""
        game = self.solution.game
        if self._meets(place):
            return against_reference(game, place.text, place.side, values, own if comes else None)
        return after_fewest_mistakes(game, place.text, place.side, values)
