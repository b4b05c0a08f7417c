"""How the strategies of a game are checked: by a walk of its rules, or in a way that the game knows better.

A game of ruse's whose tree is too large to walk names a `Verifier` of its own as its `verify` part
(ruse.core.registry). It answers the same questions from the rules, without a solver, and only faster. Anybody else's
game is walked, whatever it names: a verifier's word is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any, Generic, TypeVar

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import Bulk, Memoryless, Open, Representatives
from ruse.core.certificate import DECLARED, RULES, STATES, Certificate
from ruse.core.contract import built_in, checked, declared_by, unchecked
from ruse.core.game import Game, GameError, is_library, moving
from ruse.core.own import unmodified
from ruse.core.registry import call_optional, part, presentation
from ruse.core.size_estimate import fits
from ruse.core.types import Digested, Lookup, Odds, StrategyTable, Tables
from ruse.solution.strategy import Solution
from ruse.verify import tree as plain
from ruse.verify.tree import VerifyError, check_odds

SLACK = Fraction(1, 10**9)  # by which proved bounds may be better than those claimed, where they are not attained

G = TypeVar("G", bound=Game)


class Verifier(Generic[G]):
    """The plain walk. `by_class`: tables of a symmetric team game are about classes and orders, not about seats."""

    proof = RULES  # what its bounds rest on
    attained = True  # whether the bounds are what best answers get, not only bounds of that

    def __init__(self, game: G, by_class: bool = True) -> None:
        self.game, self.by_class = game, by_class
        if isinstance(game, Memoryless) and self.proof == RULES:
            self.proof = STATES

    def check_size(self) -> None:
        """Refuse a game that is too large to check."""
        if not isinstance(self.game, Memoryless):
            size_estimate.check_walk(self.game)

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        """Return the payoff to side 0 when the other side answers `side`'s table as well as it can."""
        return plain.guarantee(self.game, side, plain.table_policy(self.game, table, side, by_class=self.by_class))

    def score(self, side: int, lookup: Lookup) -> Fraction:
        """Return what a strategy guarantees that is looked up only at positions that it reaches."""
        return plain.guarantee(self.game, side, plain.asked_policy(self.game, side, lookup))

    def bounds(self, tables: Tables) -> Certificate:
        """What both tables guarantee."""
        return Certificate(self.guarantee(0, tables[0]), self.guarantee(1, tables[1]), self.proof)

    def check_positions(self, side: int, table: StrategyTable) -> None:
        """Every entry, reached or not, is about a position of that side and moves that it has there."""
        game, left = self.game, set(table)
        by_board = plain.decisions(game, side, by_class=self.by_class, by_board=True)
        merged = isinstance(game, Open) and not isinstance(game, Memoryless)  # plays that a table may tell apart
        by_play = plain.decisions(game, side, by_class=False) if merged else ()
        for position, moves in chain(by_board, by_play):
            if position in left:
                left.discard(position)
                check_odds(table[position], moves, partial(str, position))
            if not left:
                break
        if left:
            raise no_position(game, side, min(left))

    def certify(self, tables: Tables, claimed: Certificate) -> Certificate:
        """The bounds that two tables guarantee. Raises VerifyError where those are not the bounds claimed."""
        certificate = self.bounds(tables)
        for side, table in enumerate(tables):
            self.check_positions(side, table)
        same(self.game, certificate, claimed, Fraction(0) if self.attained else SLACK)
        return certificate if self.attained else replace(claimed, proof=self.proof)

    def outcomes(self, tables: Tables) -> Mapping[Fraction, Fraction]:
        """How likely each payoff is when both sides follow their tables."""
        first, second = (plain.table_policy(self.game, table, side) for side, table in enumerate(tables))
        return plain.outcomes(self.game, (first, second))


def no_position(game: Game, side: int, position: str) -> VerifyError:
    """An entry of a table that is about no position of that side."""
    return VerifyError(f"expected positions of {game.title} where {moving(game.sides[side])}, got {position!r}")


def same(game: Game, computed: Certificate, claimed: Certificate, slack: Fraction = Fraction(0)) -> Certificate:
    """The bounds that were found, if they are those that were claimed, or better by no more than some slack."""
    for name, bound, mine, claim in (
        (game.sides[0], "guarantee at least", computed.lower, claimed.lower),
        (game.sides[1], "concede at most", computed.upper, claimed.upper),
    ):
        better = mine > claim if bound == "guarantee at least" else mine < claim
        if mine != claim and not (better and abs(mine - claim) <= slack):
            raise VerifyError(
                f"expected the strategy of {name} in {game.title} to {bound} {rationals.brief(claim)}, "
                f"as is claimed, got {rationals.brief(mine)}"
            )
    return computed


class ReturningVerifier(Verifier[Memoryless]):
    """Play can come back to a state: bounds are proved, and reading a table for them takes every entry."""

    attained = False

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        from ruse.verify import cyclic  # compiled

        return cyclic.guarantee(self.game, side, table)

    def score(self, side: int, lookup: Lookup) -> Fraction:
        shown = presentation(self.game)
        if shown.rules_by_position:  # nobody knows its moves by position
            return super().score(side, lookup)
        return self.guarantee(side, _LazyTable(lambda position: lookup(position, shown.rule_moves(position, side))))

    def bounds(self, tables: Tables) -> Certificate:
        from ruse.verify import cyclic  # compiled

        return cyclic.bounds(self.game, tables)

    def check_positions(self, side: int, table: StrategyTable) -> None:
        pass


class _LazyTable(Mapping[str, Odds]):
    """A table that is made up as it is read, and so names no position by itself."""

    def __init__(self, odds: Callable[[str], Odds]) -> None:
        self._odds = odds

    def __getitem__(self, position: str) -> Odds:
        return self._odds(position)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


# Open games whose trees are too large to walk: best responses board by board.
#
# A strategy that goes by boards is read at one state of each board. That is right if states of one board go on alike,
# which the game declares (`ruse.core.capabilities.Open`). ruse's tests compare it for the games that say so
# (`boards_are_tested`); for any other game the bounds rest on its declaration.


def by_boards(game: Game) -> bool:
    """Whether strategies of a game are checked board by board."""
    open_boards = isinstance(game, Open) and isinstance(game, Representatives)
    return open_boards and not isinstance(game, Memoryless) and not fits(game)


class BoardVerifier(Verifier[Open]):
    def __init__(self, game: Open, by_class: bool = True) -> None:
        super().__init__(game, by_class)
        rules = unchecked(game)
        ours = is_library(type(rules)) and unmodified(rules)
        self.proof = STATES if ours and call_optional(Open.boards_are_tested, game) else DECLARED

    def check_size(self) -> None:
        pass

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        def lookup(position: str, moves: list[str]) -> object:
            return plain.look_up(table.__getitem__, position)

        return self.score(side, lookup)  # type: ignore[arg-type]

    def score(self, side: int, lookup: Lookup) -> Fraction:
        return plain.guarantee_by_states(self.game, side, plain.asked_policy(self.game, side, lookup))

    def check_positions(self, side: int, table: StrategyTable) -> None:
        """Every entry is about a board where that side moves, and about moves that it has there."""
        game, left = self.game, set(table)
        for position, moves in plain.decisions(game, side, by_board=True):
            if position in left:
                left.discard(position)
                plain.check_odds(table[position], moves, position.__str__)
        if left:
            raise no_position(game, side, min(left))


# A whole solution, checked against nothing but the rules of its game.
#
# Every odds entry of both tables has to be odds, also where play never comes; then both guarantees are recomputed and
# have to be the bounds that the solution claims:
#
#     lower = min over y of u(x, y)  for side 0's strategy x,      upper = max over x of u(x, y)  for side 1's y.
#
# Where play can come back to a state, and in unseen games, the guarantees have to be as good as claimed: bounds are
# proved there, not values.


UNWRITTEN = (
    "this solution of {} has no strategies: time ran out before they were written; solve it again with more time"
)


def verify(solution: Solution) -> Certificate:
    """The bounds that the strategies guarantee. Raises VerifyError where that is not what the solution claims."""
    game, claimed = solution.game, solution.certificate
    if not solution.written:
        raise VerifyError(UNWRITTEN.format(game.title))
    if _is_digested(solution):
        return same(game, _kept_bounds(game, solution.tables), claimed)
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


def _kept_bounds(game: Game, tables: Tables) -> Certificate:
    """Of strategies that are not written out."""
    own: type[Verifier[Any]] | None = part(game, "verify", "verifier")
    if own is not None:
        return own(game).bounds(tables)
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
