"""What moves cost at the positions that play reaches (docs/explanation/costs.md), all positions at once.

Against the strategy of the other side, every sequence has a value with a best response afterwards, and the cost of a
move is how much less it gains than the best move there, divided by how often play lets the side come there.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from ruse.core import size_estimate
from ruse.core.capabilities import Bulk, ByClass, Memoryless, Open
from ruse.core.contract import built_in
from ruse.core.exact import common_denominator
from ruse.core.game import GameError, describe
from ruse.forms.certificate import best_response, gains
from ruse.forms.sequence_form import FormArrays, plain_form, sequence_form
from ruse.insight.costs import Costs, stored_costs
from ruse.metrics.plays import Number, PlayTree, TurnChoice

MOST_WALKED = 150_000  # nodes, to write the sequence form of a game state by state: seconds
MOST_BULK = 2_000_000  # the same on arrays


class MoveCosts(Protocol):
    """The costs of moves where play comes."""

    def at(self, choice: TurnChoice) -> Mapping[str, Number] | None:
        """The cost of every move of a choice, at least 0; None where it is not known."""


class FormPlay:
    """The sequence form of a game with the plans of both sides, and what best responses to them get."""

    def __init__(self, plays: PlayTree, form: FormArrays) -> None:
        self.plays, self.form = plays, form
        self._numbers: tuple[dict[Hashable, int], ...] = tuple(
            {knowledge: number for number, knowledge in enumerate(form.knowledge[side])} for side in (0, 1)
        )
        self._reach: dict[tuple[int, int], Number] = {}  # how often chance and the other side let play come to a set
        for choice in plays.choices:
            key = choice.side, self.number_of(choice)
            share = choice.reach / plays.own[choice.side][choice.node]
            self._reach[key] = self._reach.get(key, plays.number(0)) + share

    def number_of(self, choice: TurnChoice) -> int:
        """The number of the information set of a choice."""
        return self._numbers[choice.side][self.plays.game.knows(choice.state, choice.side)]

    @cached_property
    def odds(self) -> tuple[list[list[Number]], list[list[Number]]]:
        """The odds of every move at every information set; uniform where the strategy says nothing."""
        return self._odds(0), self._odds(1)

    def _odds(self, side: int) -> list[list[Number]]:
        plays, every = self.plays, []
        for knowledge, moves in zip(self.form.knowledge[side], self.form.moves[side], strict=True):
            stored = plays.odds_of(side, describe(plays.game, knowledge))
            shares = [Fraction((stored or {}).get(plays.game.label(move), 0)) for move in moves]
            if sum(shares) == 0:
                shares = [Fraction(1, len(moves))] * len(moves)
            every.append([plays.number(share) for share in shares])
        return every

    def plan(self, side: int, odds: list[list[Number]]) -> list[Number]:
        """The weights of a side's sequences if it plays by these odds."""
        plan = [self.plays.number(1)] * self.form.trees[side].sequences
        for shares, (parent, first, end) in zip(odds, self.form.trees[side].sets(), strict=True):
            for sequence, share in zip(range(first, end), shares, strict=True):
                plan[sequence] = plan[parent] * share if plan[parent] and share else self.plays.number(0)
        return plan

    @cached_property
    def plans(self) -> tuple[list[Number], list[Number]]:
        """The plans of the pair."""
        return self.plan(0, self.odds[0]), self.plan(1, self.odds[1])

    @cached_property
    def gained(self) -> tuple[list[Number], list[Number]]:
        """What each sequence of a side brings at its ends against the other side's plan, to side 0."""
        return self._gained(0), self._gained(1)

    def _gained(self, side: int) -> list[Number]:
        scale: Any = self.plays.number(self.form.denominator)
        brought: list[Any] = gains(self.form, side, self.plans[1 - side])
        return [gain / scale for gain in brought]

    def payoff(self, side: int, odds: list[list[Number]]) -> Number:
        """The payoff to side 0 if one side plays by these odds and the other as in the pair."""
        plan = self.plan(side, odds)
        return sum(
            (weight * gain for weight, gain in zip(plan, self.gained[side], strict=True) if weight and gain),
            self.plays.number(0),
        )

    def guarantee(self, side: int, odds: list[list[Number]]) -> Number:
        """The payoff to side 0 if one side plays by these odds and the other plays a best response."""
        return self.response(1 - side, self.plan(side, odds))[0]

    def response(self, side: int, plan: list[Number]) -> list[Number]:
        """What each sequence of a side gets in a best response to the other side's plan, to side 0."""
        if self.plays.pair.exact:
            exact = [Fraction(weight) for weight in plan]
            _, values = best_response(self.form, side, exact)
            scale = common_denominator(exact)[1] * self.form.denominator
            return [Fraction(value, scale) for value in values]
        floats: list[Number] = [brought / self.form.denominator for brought in gains(self.form, side, plan)]
        best = max if side == 0 else min
        for parent, first, end in reversed(list(self.form.trees[side].sets())):
            floats[parent] += best(floats[first:end])
        return floats

    @cached_property
    def _responses(self) -> tuple[list[Number], list[Number]]:
        return self.response(0, self.plans[1]), self.response(1, self.plans[0])

    def at(self, choice: TurnChoice) -> Mapping[str, Number] | None:
        """The cost of every move of a choice against the other side's plan."""
        number = self.number_of(choice)
        tree = self.form.trees[choice.side]
        values = self._responses[choice.side][int(tree.first[number]) : int(tree.first[number + 1])]
        best = max(values) if choice.side == 0 else min(values)
        reach = self._reach[choice.side, number]
        names = [self.plays.game.label(move) for move in self.form.moves[choice.side][number]]
        sign = 1 if choice.side == 0 else -1
        return {name: sign * (best - value) / reach for name, value in zip(names, values, strict=True)}


class CostsByPosition:
    """Costs that a game computes position by position."""

    def __init__(self, plays: PlayTree, costs: Costs) -> None:
        self._plays, self._costs = plays, costs
        self._known: dict[tuple[int, str], Mapping[str, Number] | None] = {}

    def at(self, choice: TurnChoice) -> Mapping[str, Number] | None:
        """The cost of every move of a choice."""
        key = choice.side, choice.position
        if key not in self._known:
            listed = self._costs.reached(choice.position, choice.side)
            costs = {name: self._plays.number(cost) for name, cost in listed.items()}
            self._known[key] = costs or None
        return self._known[key]


def form_play(plays: PlayTree) -> FormPlay | None:
    """The game on its sequence form, if writing that down takes seconds at most."""
    game = plays.game
    if isinstance(game, Memoryless):
        return None
    bulk = isinstance(game, Bulk) and built_in(game)
    most = MOST_BULK if bulk else MOST_WALKED
    whole = plays.original
    counted = whole.nodes(symmetry=True) if plays.by_class and isinstance(whole, ByClass) else None
    if (size_estimate.nodes(game, most) if counted is None else counted) > most:
        return None
    with suppress(GameError):  # more nodes than were estimated
        return FormPlay(plays, sequence_form(game) if bulk else plain_form(game, most))
    return None


def move_costs(plays: PlayTree, form: FormPlay | None) -> MoveCosts | None:
    """The costs of moves where play comes; None where that takes too long."""
    if form is not None:
        return form
    if plays.pair.costs is not None:
        return CostsByPosition(plays, plays.pair.costs)
    if isinstance(plays.original, Open):
        with suppress(GameError):
            return CostsByPosition(plays, stored_costs(plays.solution))
    return None
