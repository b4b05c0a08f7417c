"""The cost of a rule of thumb, which fixes the odds at some positions, while the best strategy decides the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core.capabilities import constant, payoff_to
from ruse.core.game import Game, RuleError, moving
from ruse.core.registry import presentation
from ruse.insight.model import RuleInsight
from ruse.present.rules import score_rules, sections, stated
from ruse.verify.tree import VerifyError, check_odds

if TYPE_CHECKING:
    from ruse.insight.engine import TreeInsight
    from ruse.insight.model import Insight


def rules(insight: Insight, game: Game, text: str) -> list[RuleInsight]:
    """Compute the cost of a rule file, one answer per side. Its rule for all other positions does not count."""
    if not presentation(game).rules_by_position:
        raise RuleError(f"rules of {game.title} are not by position; use ruse score instead")
    priced_rules = []
    for side, lines in sections(game, text).items():
        table, otherwise = stated(game, lines)
        priced = insight.rule(side, table)
        alone: Fraction | None = None
        if otherwise:
            alone = payoff_to(game, side, score_rules(game, text, game.sides[side])[0].payoff)
        elif priced.guarantee.strategy.keys() <= table.keys():
            alone = priced.guarantee.value
        priced_rules.append(replace(priced, alone=alone))
    return priced_rules


def rule(insight: TreeInsight, side: int, odds: Mapping[str, Mapping[str, Fraction]]) -> RuleInsight:
    """Compute the cost of odds by position."""
    places, game = insight.places, insight.solution.game
    fixed: dict[int, list[Fraction]] = {}
    for position, shares in odds.items():
        number = places.sets[side].get(position)
        if number is None:
            raise RuleError(f"expected a position of {game.title} where {moving(game.sides[side])}, got {position!r}")
        names = places.names(side, number)
        try:
            check_odds(shares, names, lambda position=position: position)  # type: ignore[misc]
        except VerifyError as error:
            raise RuleError(str(error)) from error
        own_odds = [shares.get(name, Fraction(0)) for name in names]
        if fixed.setdefault(number, own_odds) != own_odds:
            raise RuleError(f"symmetric positions must have the same odds, but {position} differs")
    kept = insight.guarantee(side, insight.optimal.best_guarantee(side, fixed))
    value = insight.value if side == 0 else -insight.value
    shared = constant(game) if side == 1 else Fraction(0)  # side 1 gets the rest of a constant sum
    return RuleInsight(
        side, replace(kept, value=kept.value + shared, most=kept.most + shared), value - kept.value, None
    )
