"""A whole solution, checked against nothing but the rules of its game.

Every odds entry of both tables has to be odds, also where play never comes; then both guarantees are
recomputed and have to be the bounds that the solution claims:

    lower = min over y of u(x, y)  for side 0's strategy x,      upper = max over x of u(x, y)  for side 1's y.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations

from ruse import digits
from ruse.certificate import Certificate
from ruse.game import Game
from ruse.games.resistance import Resistance, notation
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.resistance.table import POINTS_TO_WIN, Table
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
    if not isinstance(game, Resistance):
        return plain.guarantee(game, side, plain.table_policy(game, table, side))
    if seats:
        return plain.guarantee(game, side, plain.table_policy(game, table, side, filed=False))

    def odds(position: str) -> Mapping[str, Fraction]:
        return table[position] if position in table or side != RESISTANCE else _without_question(game.table, position)

    return resistance.guarantee(game.table, side, odds)


def _without_question(table: Table, position: str) -> Mapping[str, Fraction]:
    """What a resistance whose strategy does not mention a position does there, if there is nothing to decide.

    That is where all missions are alike, where one of them is sure to win, and where only spies who let
    their third point slip would have come. Whatever is filled in here, the guarantee is that of the result.
    """
    public = resistance.Public((), (table.players,))
    for mission, passed in notation.read(table, position).done:
        public = public.after(public.sent(mission), passed)
    missions = [public.members(sent) for sent in public.sendings(table.missions[len(public.done)])]
    if len(missions) > 1:
        suspects = _suspects(table, public)
        fails = table.sabotages[len(public.done)]
        decided = public.score[RESISTANCE] == POINTS_TO_WIN - 1 or not suspects
        missions = [
            mission
            for mission in missions
            if decided and all(len(spies.intersection(mission)) < fails for spies in suspects)
        ]
    if not missions:
        raise KeyError(position)
    return {notation.seats(missions[0]): Fraction(1)}


def _suspects(table: Table, public: resistance.Public) -> list[set[int]]:
    """Who the spies may be, if they fail whatever brings their third point."""
    suspects = list(map(set, combinations(range(table.players), table.spies)))
    points = 0
    for (mission, passed), fails in zip(public.done, table.sabotages, strict=False):
        if not passed:
            suspects = [spies for spies in suspects if len(spies.intersection(mission)) >= fails]
            points += 1
        elif points == POINTS_TO_WIN - 1:
            suspects = [spies for spies in suspects if len(spies.intersection(mission)) < fails]
    return suspects
