"""A whole solution, checked against nothing but the rules of its game.

Every odds entry of both tables has to be odds, also where play never comes; then both guarantees are
recomputed and have to be the bounds that the solution claims:

    lower = min over y of u(x, y)  for side 0's strategy x,      upper = max over x of u(x, y)  for side 1's y.

Where play can come back to a state, and in unseen games, the guarantees have to be as good as claimed: bounds are
proved there, not values.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import chain

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import Memoryless, Open
from ruse.core.contract import checked
from ruse.core.game import Game, PositionError
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Certificate
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.phantom import verify as unseen
from ruse.games.phantom.rules import Unseen
from ruse.games.resistance import Resistance
from ruse.games.resistance import verify as resistance
from ruse.solution.strategy import Solution
from ruse.verify import tree as plain
from ruse.verify.tree import VerifyError, check_odds

SLACK = Fraction(1, 10**9)  # by which proved bounds may be better than those claimed, where they are not attained


def verify(solution: Solution) -> Certificate:
    """The bounds that the strategies guarantee. Raises VerifyError where that is not what the solution claims."""
    game, claimed = checked(solution.game), solution.certificate
    if not solution.written:
        raise VerifyError(f"expected strategies of {game.title} to check, got none: there was no time to write them")
    if not isinstance(game, Resistance | Memoryless | Unseen):  # which have ways of their own
        size_estimate.check_walk(game)
    seats = not solution.by_class
    for table in solution.tables:
        for position, odds in table.items():
            check_odds(odds, None, partial(str, position))
    loose = isinstance(game, Unseen) or returns(game)  # bounds that are proved, but need not be attained
    if loose and game.wins and max(abs(claimed.lower), abs(claimed.upper)) > 1:
        raise VerifyError(
            f"expected bounds from -1 to 1 of {game.title}, which is won or lost, "
            f"got {rationals.brief(claimed.lower)} and {rationals.brief(claimed.upper)}"
        )
    if isinstance(game, Unseen):
        return unseen.certify(game, solution.tables, claimed)
    certificate = bounds(game, solution.tables, seats)
    for side, table in enumerate(solution.tables):
        check_positions(game, side, table, seats)
    for name, bound, found, claim in (
        (game.sides[0], "guarantee at least", certificate.lower, claimed.lower),
        (game.sides[1], "concede at most", certificate.upper, claimed.upper),
    ):
        better = found > claim if bound == "guarantee at least" else found < claim
        if found != claim and not (better and returns(game) and abs(found - claim) <= SLACK):
            raise VerifyError(
                f"expected the strategy of {name} in {game.title} to {bound} {rationals.brief(claim)}, "
                f"as is claimed, got {rationals.brief(found)}"
            )
    return claimed if returns(game) else certificate


def returns(game: Game) -> bool:
    """Whether play can come back to a state."""
    return isinstance(game, Memoryless) and game.returns()


def bounds(game: Game, tables: tuple[StrategyTable, StrategyTable], seats: bool = False) -> Certificate:
    """What two tables guarantee, by best responses from the rules. With `seats`, see `_guarantee`."""
    game = checked(game)
    if isinstance(game, Memoryless) and game.returns():
        from ruse.verify import cyclic  # compiled

        return cyclic.bounds(game, tables)
    lower, upper = (_guarantee(game, side, table, seats) for side, table in enumerate(tables))
    return Certificate(lower, upper)


def check_positions(game: Game, side: int, table: StrategyTable, seats: bool) -> None:
    """Every entry, reached or not, is about a position of that side and moves that it has there."""
    if isinstance(game, Resistance) and not seats:
        for position, odds in table.items():
            resistance.check_entry(game.table, side, position, odds)
        return
    if returns(game):  # its bounds have taken every entry
        return
    if isinstance(game, FourInARow):  # which has far more positions than its tables
        for position, odds in table.items():
            _check_board(game, side, position, odds)
        return
    left = set(table)
    by_board = plain.decisions(game, side, filed=not seats, by_board=True)
    merged = isinstance(game, Open) and not isinstance(game, Memoryless)  # plays that a table may tell apart
    by_play = plain.decisions(game, side, filed=False) if merged else ()
    for position, moves in chain(by_board, by_play):
        if position in left:
            left.discard(position)
            check_odds(table[position], moves, partial(str, position))
        if not left:
            break
    if left:
        raise VerifyError(f"expected positions of {game.title} where {game.sides[side]} moves, got {min(left)!r}")


def _check_board(game: FourInARow, side: int, position: str, odds: Mapping[str, Fraction]) -> None:
    """An entry is about a board where the side moves, and columns that have room there."""
    try:
        state = game.read(position)
    except PositionError as error:
        raise VerifyError(str(error)) from error
    if game.turn(state) != side:
        raise VerifyError(f"expected a position of {game.title} where {game.sides[side]} moves, got {position!r}")
    check_odds(odds, [game.label(move) for move in game.moves(state)], partial(str, position))


def _guarantee(game: Game, side: int, table: StrategyTable, seats: bool) -> Fraction:
    """What a table guarantees. With `seats` a table of The Resistance is about the rules seat by seat, unfiled."""
    if isinstance(game, Resistance) and not seats:
        return resistance.guarantee(game.table, side, table.__getitem__)
    if isinstance(game, Unseen):
        return unseen.guarantee(game, side, unseen.odds_in(game, side, table))
    return plain.guarantee(game, side, plain.table_policy(game, table, side, filed=not seats))
