"""Insight into a game with a small tree: its sequence form for all optimal plans, its states for beliefs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import Memoryless
from ruse.core.contract import checked
from ruse.core.game import Game, GameError, PositionError, display_name, side_number
from ruse.core.types import StrategyTable
from ruse.insight import insight_file
from ruse.insight.guarantees import FixedGuarantee
from ruse.insight.memory import Key, Memory
from ruse.insight.model import (
    BeliefInsight,
    Bound,
    Coming,
    Guarantee,
    MoveInsight,
    PositionInsight,
    Range,
    RuleInsight,
    Simplest,
    Unique,
    Worst,
    bounded,
)
from ruse.insight.notebook import ShownInNotebooks
from ruse.insight.opponent import Opponent
from ruse.insight.optimal import Optimal
from ruse.insight.places import Places
from ruse.insight.ranges import End
from ruse.insight.sides import Ratio, odds_of
from ruse.present.nodes import MOST_STATES
from ruse.present.tree import TreeViewer
from ruse.solution.strategy import Solution
from ruse.solvers.restricted import Restricted

if TYPE_CHECKING:
    from ruse.insight.reference import TreeCosts

UP_TO_SYMMETRY = (
    "Ranges and costs count only strategies that respect the game's symmetry (of suits or seats); "
    "among all strategies, single moves may have wider ranges."
)
UNREACHED = "No optimal strategy of {side} reaches this position."
AT_RANDOM = "The facts alone assume that the other side moved uniformly at random."


class TreeInsight(ShownInNotebooks):
    """Insight into one solution."""

    facts = AT_RANDOM

    def __init__(
        self,
        solution: Solution,
        *,
        symmetry: bool = True,
        file: insight_file.InsightFile | None = None,
        viewer: TreeViewer | None = None,
    ) -> None:
        """Take options as in `ruse.insight.insight`; `file` is the insight file."""
        check_game(solution.game)
        if not solution.written:
            raise GameError(f"the solution of {solution.game.title} has no strategies, which insight needs")
        self.solution = solution
        self.viewer = TreeViewer(solution) if viewer is None else viewer
        self.nodes = self.viewer.nodes
        self.places = Places(self.nodes, solution.game, symmetry)
        self.file = file
        self.opponent = Opponent(self.places)
        self.memory = Memory() if file is None else file.load(self.up_to_symmetry)

    @cached_property
    def optimal(self) -> Optimal:
        """All optimal plans of the form, from the stored plans if they are optimal."""
        first, second = (self.places.plan(side, self.nodes.sets[side].odds) for side in (0, 1))
        return Optimal(self.places.form, (first, second) if self.solution.certificate.exact else None)

    @property
    def value(self) -> Fraction:
        if self.solution.certificate.exact:
            return self.solution.certificate.lower
        return self.optimal.values[0]

    @cached_property
    def costs(self) -> TreeCosts | None:
        """The costs of moves against the reference pair; None if the stored strategies are not proved optimal."""
        from ruse.insight.reference import TreeCosts

        return TreeCosts(self) if self.solution.certificate.exact else None

    @property
    def up_to_symmetry(self) -> bool:
        return self.places.symmetry is not None

    # Positions

    def side(self, position: str, side: int | None = None) -> int:
        return self.viewer.side(position, side)

    def positions(self) -> Iterator[tuple[int, str]]:
        for side in (0, 1):
            for position in self.nodes.sets[side].index:
                yield side, position

    def at(
        self, position: str, side: int | str | None = None, slip: Fraction = Fraction(0), *, own: str = ""
    ) -> PositionInsight:
        side = self.side(position, None if side is None else side_number(self.solution.game, side))
        if own:
            raise PositionError(f"players of this game know nothing beyond their side, so {own[:40]!r} does not apply")
        slip = a_share(slip)
        number = self.places.sets[side].get(position)
        choices = 0 if number is None else len(self.places.names(side, number))
        self.memory.expect(2 * choices + len(self.places.facts(side, position)))
        moves = self.moves(position, side)
        beliefs = self.beliefs(position, side, slip)
        notes = [UP_TO_SYMMETRY] if self.up_to_symmetry else []
        if moves and all(move.range is None for move in moves):
            notes.append(UNREACHED.format(side=display_name(self.solution.game.sides[side])))
        if beliefs and all(belief.range is None for belief in beliefs):
            notes.append(UNREACHED.format(side=display_name(self.solution.game.sides[1 - side])))
        answer = PositionInsight(position, side, moves, beliefs, slip, notes)
        if not answer.exact:
            answer = replace(answer, notes=[*notes, bounded(answer)])
        return answer

    # Moves

    def moves(self, position: str, side: int) -> list[MoveInsight]:
        """Insight into every move or class of equivalent moves; empty if the side does not move."""
        if position not in self.nodes.sets[side].index:
            return []
        number = self.places.sets[side][position]
        first = int(self.places.form.trees[side].first[number])
        losses = self.opponent.losses(position, side)
        return [
            self._move(side, number, first + place, name, losses)
            for place, name in enumerate(self.places.names(side, number))
        ]

    def _move(
        self, side: int, number: int, sequence: int, name: str, losses: Mapping[str, Fraction] | None
    ) -> MoveInsight:
        representative = self.places.positions[side][number]
        odds = self.memory.range(Key("move", side, representative, name), lambda: self._odds(side, sequence))
        guarantee = self.memory.guarantee(
            Key("always", side, representative, name), lambda: self.always(side, sequence)
        )
        value = self.value if side == 0 else -self.value
        loss = None if losses is None else losses[name]
        kind = None if odds is None else odds.kind
        return MoveInsight(name, odds, guarantee, value - guarantee.value, loss, kind)

    def _odds(self, side: int, sequence: int) -> Range | Bound:
        return self._range(side, odds_of(self.optimal.sides[side], sequence))

    def always(self, side: int, sequence: int) -> Guarantee:
        return self.guarantee(side, self.optimal.always(side, sequence))

    def _range(self, side: int, ratio: Ratio) -> Range | Bound:
        """The range of a ratio over the optimal plans of a side, or a bound of 0 that proves they never come there."""
        ends = self.optimal.ends(side, ratio)
        if ends is None:
            return self._bound(side, self.optimal.unreached(side, ratio))
        return Range(self._bound(side, ends[0]), self._bound(side, ends[1]))

    def _bound(self, side: int, end: End) -> Bound:
        answer = self.places.table(1 - side, end.answer) if end.weight else {}
        witness = {} if end.witness is None else self.places.table(side, end.witness)
        return Bound(end.value, end.attained, end.weight, answer, witness)

    def guarantee(self, side: int, certified: FixedGuarantee) -> Guarantee:
        plan, answer = self.places.table(side, certified.plan), self.places.table(1 - side, certified.answer)
        return Guarantee(certified.lower, certified.upper, plan, answer)

    def kinds(self, position: str, side: int) -> dict[str, str | None]:
        number = self.places.sets[side][position]
        first = int(self.places.form.trees[side].first[number])
        names = self.places.names(side, number)
        return {name: self.optimal.kind(side, sequence) for sequence, name in enumerate(names, first)}

    def coming(self, position: str, side: int) -> Coming:
        """The best plans among those that always come to a position, and their moves there. Raises TimeIsUp."""
        number = self.places.sets[side][position]
        best, restricted = self.optimal.coming(side, number)
        first = int(self.places.form.trees[side].first[number])
        moves: dict[str, Range] = {}
        for sequence, name in enumerate(self.places.names(side, number), first):
            image = int(restricted.images[side][sequence])
            ends = best.ends(side, odds_of(best.sides[side], image))
            assert ends is not None  # because all of these plans come
            least, greatest = (self._bound(side, self._lifted(side, end, restricted)) for end in ends)
            moves[name] = Range(least, greatest)
        return Coming(self.optimal.values[side] - best.values[side], moves)

    def _lifted(self, side: int, end: End, restricted: Restricted) -> End:
        """An end with the plans of a restricted form turned into plans of the whole form."""
        own = end.witness or end.answer
        pair = (own, end.answer) if side == 0 else (end.answer, own)
        plans = restricted.plans(pair)
        witness = None if end.witness is None else plans[side]
        return End(end.value, end.attained, end.weight, plans[1 - side], witness)

    # Beliefs

    def beliefs(self, position: str, side: int, slip: Fraction) -> list[BeliefInsight]:
        """The probabilities of all that the side cannot see there, with the names of the views."""
        facts = self.places.facts(side, position)
        if not facts:
            return []
        stored, slipped, even = (
            self.opponent.beliefs(position, side, rate) for rate in (Fraction(0), slip, Fraction(1))
        )
        return [
            BeliefInsight(
                fact or "nothing yet",
                self.memory.range(Key("belief", side, position, fact), partial(self._range, 1 - side, ratio)),
                None if stored is None else stored[fact],
                None if slipped is None else slipped[fact],
                (even or {})[fact],
            )
            for fact, ratio in facts.items()
        ]

    def own_facts(self, position: str, side: int) -> dict[str, str]:
        return {}

    def worst(self, position: str, side: int) -> Worst | None:
        from ruse.insight.worst import worst

        return worst(self.places, position, side)

    # Whole strategies

    def unique(self) -> tuple[Unique, Unique]:
        first, second = (self.memory.unique(side, partial(self._unique, side)) for side in (0, 1))
        return first, second

    def _unique(self, side: int) -> Unique:
        uniqueness = self.optimal.unique(side)
        plans = [self.places.table(side, plan) for plan in uniqueness.plans]
        return Unique(
            side, uniqueness.unique, plans, self.places.table(1 - side, uniqueness.answer), uniqueness.freedom
        )

    def simplest(self, side: int) -> Simplest:
        from ruse.insight.simple import simplest

        return self.memory.simplest(side, lambda: simplest(self, side))

    def rule(self, side: int, odds: Mapping[str, Mapping[str, Fraction]]) -> RuleInsight:
        from ruse.insight.rules_of_thumb import rule

        return rule(self, side, odds)

    def watched(self, watch: Callable[[int, int], object]) -> None:
        self.memory.watch = watch

    def keep(self) -> None:
        """Save new answers beside the solution file, if there is one."""
        if self.file is not None and self.memory.new:
            self.file.save(self.solution.game, self.up_to_symmetry, self.value, self.proof(), self.memory)

    def proof(self) -> tuple[StrategyTable, StrategyTable]:
        """Strategies of both sides that prove the value."""
        first, second = (self.places.table(side, self.optimal.plans[side]) for side in (0, 1))
        return first, second


def a_share(slip: Fraction) -> Fraction:
    """Check how often somebody slips. Raises PositionError unless that is from 0 to 1."""
    if not 0 <= slip <= 1:
        raise PositionError(f"expected a slip from 0 to 1, got {slip}")
    return slip


def check_game(game: Game) -> None:
    """Raise GameError for a game without a tree, or with too large a tree."""
    if isinstance(game, Memoryless):
        raise GameError(f"insight needs a game with a tree, and {game.title} is solved by states")
    if (size := size_estimate.nodes(checked(game), MOST_STATES)) > MOST_STATES:
        raise GameError(
            f"{game.title} has {rationals.count(size)} states, and insight handles at most {MOST_STATES:,}: "
            "use smaller parameters"
        )
