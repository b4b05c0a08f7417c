"""What policies guarantee in games that are scored without their tree: those that go by states, or by class.

A position is then one of the game's representative positions, and a policy is a Solution, a Strategy, a mapping, a
table or a function of the position and its moves.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.core.capabilities import payoff_range
from ruse.core.contract import most_moves
from ruse.core.entry_points import theirs
from ruse.core.game import Game, PolicyError, display_name, possessive
from ruse.core.sides import side_number
from ruse.core.types import Lookup, Odds
from ruse.scoring import tables
from ruse.scoring.odds import by_move
from ruse.scoring.policies import PolicyWarning
from ruse.solution.strategy import Solution, Strategy
from ruse.verify.dispatch import bounds, verifier

Bounds = tuple[Fraction, Fraction]


class _Read:
    """A policy of one side, asked position by position."""

    def __init__(self, game: Game, side: int, odds: Callable[[str, Sequence[str]], Any], strict: bool) -> None:
        self._game, self._side, self._odds, self._strict = game, side, odds, strict
        self.moved = Fraction(0)
        self.missing: dict[str, None] = {}

    def __call__(self, position: str, moves: Sequence[str]) -> Odds:
        given = self._odds(position, moves)
        if given is None:
            if self._strict:
                raise PolicyError(f"{possessive(self._game.sides[self._side])} policy has no odds at {position}")
            self.missing[position] = None
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        row = by_move(given, position, moves, self._game.label)
        self.moved = max(self.moved, row.moved)
        return dict(zip(moves, row.shares, strict=True))

    def guarantee(self) -> Bounds:
        lookup: Lookup = self
        payoff = verifier(self._game).score(self._side, lookup)
        if self.missing:
            owner = possessive(self._game.sides[self._side])
            warnings.warn(
                f"{len(self.missing):,} positions of {owner} policy have no odds, such as "
                f"{next(iter(self.missing))}; ruse plays the uniform strategy there",
                PolicyWarning,
                stacklevel=5,
            )
        error = self._rounding()
        return payoff - error, payoff + error

    def _rounding(self) -> Fraction:
        if not self.moved:
            return Fraction(0)
        least, most = payoff_range(self._game)
        return most_moves(self._game) * self.moved * (most - least)


def guarantees(game: Game, policy: Any, side: int | str | None, strict: bool) -> tuple[Bounds | None, Bounds | None]:
    """What each side's policy guarantees, as bounds on the payoff to side 0; None where there is none."""
    number = None if side is None else side_number(game, side)
    if isinstance(policy, Solution) and policy.game.title == game.title:
        certificate = bounds(game, policy.tables, not policy.by_class)
        both = (certificate.lower, certificate.lower), (certificate.upper, certificate.upper)
        return (both[0] if number != 1 else None), (both[1] if number != 0 else None)
    first, second = (
        None if odds is None else _Read(game, owner, odds, strict).guarantee()
        for owner, odds in enumerate(_asked(game, policy, number))
    )
    return first, second


def expected_payoff(game: Game, policies: Any) -> Fraction:
    """The payoff to side 0 of a solution, or of strategies of both sides."""
    if isinstance(policies, tuple | list) and len(policies) == 2:
        first, second = policies
        if isinstance(first, Strategy) and isinstance(second, Strategy):
            shares = verifier(game).outcomes((first.table, second.table))
            return sum((payoff * share for payoff, share in shares.items()), Fraction(0))
    if not isinstance(policies, Solution):
        raise PolicyError(f"the expected payoff in {game.title} needs a solution, or a Strategy of each side")
    shares = verifier(game, policies.by_class).outcomes(policies.tables)
    return sum((payoff * share for payoff, share in shares.items()), Fraction(0))


def asked_odds(game: Game, policy: Any, side: int) -> Lookup:
    """A policy as a function of a side's positions and moves. Raises PolicyError where it has no odds."""
    if isinstance(policy, Solution):
        policy = policy.strategy(side)
    ask = _asked(game, policy, None if isinstance(policy, Strategy) else side)[side]
    if ask is None:
        raise PolicyError(f"this policy has no strategy of {display_name(game.sides[side])}; give it one")
    return _Read(game, side, ask, strict=True)


Ask = Callable[[str, Sequence[str]], Any]


def _asked(game: Game, policy: Any, side: int | None) -> tuple[Ask | None, Ask | None]:
    """For each side, what gives its odds at a position."""
    if isinstance(policy, Strategy):
        if policy.game.title != game.title:
            raise PolicyError(f"this strategy is for {policy.game.title}, not for {game.title}")
        return _only(policy.side, _of_table(policy.table))
    if isinstance(policy, str | Path) or tables.is_frame(policy):
        return _asked(game, tables.read(game, policy), side)
    if isinstance(policy, Mapping):
        if side is None:
            raise PolicyError(
                f"positions of {game.title} do not show whose they are; name the side, or give a policy for each"
            )
        return _only(side, _of_table(policy))
    if isinstance(policy, tuple | list) and len(policy) == 2:
        first, second = (
            None if part is None else _asked(game, part, number)[number] for number, part in enumerate(policy)
        )
        return (first if side != 1 else None), (second if side != 0 else None)
    if callable(policy):
        ask = _of_function(policy)
        return (ask if side != 1 else None), (ask if side != 0 else None)
    raise PolicyError(
        f"{game.title} is scored without its game tree, so its policy is a Solution, a Strategy, a mapping, a table or "
        f"a function; got {type(policy).__name__}"
    )


def _only(side: int, ask: Ask) -> tuple[Ask | None, Ask | None]:
    return (None, ask) if side else (ask, None)


def _of_table(table: Mapping[str, Any]) -> Ask:
    return lambda position, moves: table.get(position)


def _of_function(function: Callable[..., Any]) -> Ask:
    def ask(position: str, moves: Sequence[str]) -> Any:
        with theirs("the policy", f"give odds at {position}"):
            return function(position, list(moves))

    return ask
