"""A whole solution, checked against nothing but the rules of its game.

Every odds entry of both tables has to be odds, also where play never comes; then both guarantees are
recomputed and have to be the bounds that the solution claims:

    lower = min over y of u(x, y)  for side 0's strategy x,      upper = max over x of u(x, y)  for side 1's y.

Where play can come back to a state, and in unseen games, the guarantees have to be as good as claimed: bounds are
proved there, not values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import Bulk, Memoryless, Open
from ruse.core.certificate import Certificate
from ruse.core.contract import built_in, checked, declared_by
from ruse.core.game import Game, GameError
from ruse.core.registry import part
from ruse.core.types import Digested, StrategyTable, Tables
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds
from ruse.verify.verifier import BoardVerifier, ReturningVerifier, Verifier, by_boards, same

UNWRITTEN = (
    "this solution of {} has no strategies: time ran out before they were written; solve it again with more time"
)


def verify(solution: Solution) -> Certificate:
    """The bounds that the strategies guarantee. Raises VerifyError where that is not what the solution claims."""
    game, claimed = solution.game, solution.certificate
    if not solution.written:
        raise VerifyError(UNWRITTEN.format(game.title))
    if _is_digested(solution):
        return same(game, _kept_bounds(solution.tables), claimed)
    with declared_by(game, "verifying"):
        return _verified(solution, verifier(game, solution.by_class))


def _verified(solution: Solution, way: Verifier[Any]) -> Certificate:
    game, claimed = solution.game, solution.certificate
    way.check_size()
    for table in solution.tables:
        for position, odds in table.items():
            check_odds(odds, None, partial(str, position))
    if not way.attained and game.wins and max(abs(claimed.lower), abs(claimed.upper)) > 1:
        raise VerifyError(
            f"expected bounds from -1 to 1, as {game.title} is won or lost, "
            f"got {rationals.brief(claimed.lower)} and {rationals.brief(claimed.upper)}"
        )
    return way.certify(solution.tables, claimed)


def proved(solution: Solution) -> Solution:
    """A solution whose bounds are proved: one that was read from a file is verified first. Raises VerifyError."""
    if solution.certificate.proved or not (solution.written and solution.judged):
        return solution
    return replace(solution, certificate=verify(solution))


def refusal(solution: Solution) -> str:
    """Why `verify` would refuse a solution, as too large or without strategies; nothing where it checks it."""
    if not solution.written:
        return UNWRITTEN.format(solution.game.title)
    try:
        if not _is_digested(solution):
            verifier(solution.game, solution.by_class).check_size()
    except GameError as error:
        return str(error)
    return ""


def _is_digested(solution: Solution) -> bool:
    """Whether the strategies are not written out; those of somebody else's game are read position by position."""
    return built_in(solution.game) and all(isinstance(table, Digested) for table in solution.tables)


def _kept_bounds(tables: Tables) -> Certificate:
    """Of strategies that are not written out."""
    if all(isinstance(table, Digested) and table.kept_as == "bids" for table in tables):
        from ruse.verify import bids

        return bids.bounds(tables)
    from ruse.verify import rows  # compiled

    return rows.bounds(tables)


def verifier(game: Game, by_class: bool = True) -> Verifier[Any]:
    """How strategies of a game are checked: as it brings it, or on arrays where a walk would take too long, if it comes
    with ruse; else by a walk of its rules.
    """
    game = checked(game)
    own: type[Verifier[Any]] | None = part(game, "verify", "verifier")
    if own is not None:
        return own(game, by_class)
    if isinstance(game, Memoryless) and game.returns():
        return ReturningVerifier(game, by_class)
    if isinstance(game, Bulk) and built_in(game) and game.nodes() > size_estimate.most_by_rules(game):
        from ruse.verify.arrays import ArraysVerifier

        return ArraysVerifier(game, by_class)
    if isinstance(game, Open) and by_boards(game):
        return BoardVerifier(game, by_class)
    return Verifier(game, by_class)


def bounds(game: Game, tables: Tables, seats: bool = False) -> Certificate:
    """What two tables guarantee, by best responses from the rules. With `seats` they are not by class."""
    return verifier(game, not seats).bounds(tables)


def check_positions(game: Game, side: int, table: StrategyTable, seats: bool) -> None:
    """Every entry, reached or not, is about a position of that side and moves that it has there."""
    verifier(game, not seats).check_positions(side, table)
