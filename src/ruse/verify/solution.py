"""A whole solution, checked against nothing but the rules of its game.

Every odds entry of both tables has to be odds, also where play never comes; then both guarantees are
recomputed and have to be the bounds that the solution claims:

    lower = min over y of u(x, y)  for side 0's strategy x,      upper = max over x of u(x, y)  for side 1's y.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ruse import digits
from ruse.certificate import Certificate
from ruse.game import Game
from ruse.games.resistance import Resistance
from ruse.strategy import Solution
from ruse.verify import plain, resistance
from ruse.verify.plain import StrategyTable, VerifyError, check_odds


def verify(solution: Solution) -> Certificate:
    """The bounds that the strategies guarantee. Raises VerifyError where that is not what the solution claims."""
    game, claimed = solution.game, solution.certificate
    for table in solution.tables:
        for position, odds in table.items():
            check_odds(odds, None, partial(str, position))
    seats = not (solution.options.get("teams", True) and solution.options.get("symmetry", True))
    lower, upper = (_guarantee(game, side, table, seats) for side, table in enumerate(solution.tables))
    for name, bound, found, claim in (
        (game.sides[0], "guarantee at least", lower, claimed.lower),
        (game.sides[1], "concede at most", upper, claimed.upper),
    ):
        if found != claim:
            raise VerifyError(
                f"expected the strategy of {name} in {game.title} to {bound} {digits.brief(claim)}, "
                f"as is claimed, got {digits.brief(found)}"
            )
    return Certificate(lower, upper)


def _guarantee(game: Game, side: int, table: StrategyTable, seats: bool) -> Fraction:
    """What a table guarantees. With `seats` a table of The Resistance is about the rules seat by seat, unfiled."""
    if isinstance(game, Resistance) and not seats:
        return resistance.guarantee(game.table, side, table.__getitem__)
    return plain.guarantee(game, side, plain.table_policy(game, table, side, filed=not seats))
