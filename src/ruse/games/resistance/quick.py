"""What simple strategies prove of a table in a millisecond: a fixed plan, and spies who pass two missions.

The search for them counts spy sets, in whole numbers, so both bounds are proved by it
(ruse.games.resistance.fixed_plan); where they meet there is nothing left to solve.
"""

from __future__ import annotations

from fractions import Fraction

from ruse.games.resistance import fixed_plan
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.words import plan_rules, rule_lines
from ruse.studio.solving import Quick


def quick(game: Resistance) -> Quick:
    """Bounds on the payoff to the resistance, and how many lines both strategies take where those are optimal."""
    table = game.table
    least, most, found = fixed_plan.bounds(table)
    lines = None if found is None else len(plan_rules(found.plan)) + rule_lines(table, found.passes)
    lower, upper = (2 * Fraction(won, table.spy_sets) - 1 for won in (least, most))
    return Quick(lower, upper, lines)
