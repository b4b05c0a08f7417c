"""How well policies play: exploitability, best responses and expected payoffs, exactly.

    NashConv of (x, y)       max over x' of u(x', y)  -  min over y' of u(x, y')
    exploitability of both   NashConv / 2
    exploitability of x      v - min over y' of u(x, y'),   of y   max over x' of u(x', y) - v

Everything is computed in fractions on the sequence form. Where odds were given as floats, those fractions are near
them, and the result carries how far off that may make it. If no odds of a side are off by more than m, the side moves
at most D times in a play and has at most K moves at a time, then an expected payoff is off by at most

    (greatest payoff - least payoff) * D * K * m / 2.

Games without a game tree, and games that are solved by class, are scored by their verifier (ruse.verify).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.capabilities import ByClass, Memoryless, payoff_range
from ruse.core.game import Game, GameError, PolicyError, display_name, side_number
from ruse.core.own import as_game
from ruse.core.rationals import BoundedFloat
from ruse.forms import certificate as exact
from ruse.forms.matrix_form import SequenceForm, best_moves, sequence_form
from ruse.scoring import by_verifier
from ruse.scoring.policies import SidePolicy, read_policies
from ruse.solution.strategy import Strategy
from ruse.verify.exploitability import known_value

SECONDS = 10.0  # to solve the game, where the value is needed and nobody knows it
Bounds = tuple[Fraction, Fraction]
NOTHING = Fraction(0)


def exploitability(
    game: Any,
    policy: Any,
    *,
    nashconv: bool = False,
    side: int | str | None = None,
    strict: bool = False,
    time: float = SECONDS,
) -> Fraction | float:
    """How much a best response gains against a policy.

    Parameters
    ----------
    game
        A game, or its `ruse.sequence_form`, which saves time where many policies are scored.
    policy
        A Solution or Strategy, a dict from positions to odds by move, a pair of policies, a function of a position (or
        of `knowledge`), realization plans or odds as arrays in the order of the sequence form, the path of a CSV or
        Parquet table, a data frame, or a policy of OpenSpiel. Floats are divided by their sum.
    nashconv
        NashConv, the sum of what both sides gain, rather than half of it.
    side
        The side that the policy is for, where it does not say so itself.
    strict
        Refuse a policy without odds at some information set, rather than warn and play uniformly there.
    time
        Seconds to solve the game for its value, where the policy is one side's and the value is not known.

    Returns
    -------
    Fraction or float
        NashConv / 2 of a policy of both sides, as OpenSpiel's `exploitability`. For a policy of one side, the value of
        the game less what the policy guarantees. A fraction where all odds are; else a `BoundedFloat`, a float with
        exact bounds `lower` and `upper`.

    Raises
    ------
    RuseError
        The policy is for another game, or has odds that are negative, NaN, or off from a sum of 1 by more than 1e-6.

    Examples
    --------
    >>> import ruse
    >>> kuhn = ruse.games.kuhn()
    >>> ruse.exploitability(kuhn, lambda position, moves: {move: 1 for move in moves[:1]})
    Fraction(1, 1)
    >>> ruse.exploitability(kuhn, ruse.solve(kuhn).strategy("Player 2"))
    Fraction(0, 1)
    """
    lower, upper = guarantees(game, policy, side, strict)
    rules = game.game if isinstance(game, SequenceForm) else as_game(game)
    if lower is not None and upper is not None:
        scale = 1 if nashconv else Fraction(1, 2)
        return _number(scale * (upper[0] - lower[1]), scale * (upper[1] - lower[0]))
    if nashconv:
        raise PolicyError("NashConv needs policies of both sides; this policy is for one")
    if lower is not None:
        least, most = _value(rules, time, lower[1], None)
        return _number(least - lower[1], most - lower[0])
    assert upper is not None
    least, most = _value(rules, time, None, upper[0])
    return _number(upper[0] - most, upper[1] - least)


def guarantees(
    game: Any, policy: Any, side: int | str | None = None, strict: bool = False
) -> tuple[Bounds | None, Bounds | None]:
    """Bounds on what each side's policy guarantees, as the payoff to side 0; None for a side without a policy."""
    form = _form(game)
    if form is None:
        return by_verifier.guarantees(as_game(game), policy, side, strict)
    first, second = (None if read is None else _guarantee(read) for read in read_policies(form, policy, side, strict))
    return first, second


def best_response(game: Any, policy: Any, side: int | str, *, strict: bool = False) -> Strategy:
    """A best response of one side to the other side's policy.

    Parameters
    ----------
    game
        A game, or its `ruse.sequence_form`.
    policy
        What the other side plays, or both sides: any policy that `ruse.exploitability` takes.
    side
        The side that responds, by number or name.
    strict
        Refuse a policy without odds at some information set, rather than warn and play uniformly there.

    Returns
    -------
    Strategy
        One move at each position, the first of those that are equally good. `ruse.value(game, (first, second))` is what
        it gets.

    Raises
    ------
    RuseError
        The policy does not fit the game, or the game has no game tree.

    Examples
    --------
    >>> import ruse
    >>> kuhn = ruse.games.kuhn()
    >>> always_bet = lambda position, moves: moves[-1]
    >>> answer = ruse.best_response(kuhn, always_bet, "Player 2")
    >>> answer["kuhn@Q/bet"], ruse.value(kuhn, (always_bet, answer))
    ({'fold': Fraction(0, 1), 'call': Fraction(1, 1)}, Fraction(-1, 3))
    """
    form = _form(game)
    if form is None:
        raise GameError(f"{as_game(game).title} has no game tree to find a best response in; use ruse.exploitability")
    number = side_number(form.game, side)
    other = _of_side(form, policy, 1 - number, strict)
    _, values = exact.best_response(form.arrays, number, other.plan)
    chosen = set(best_moves(form.trees[number], np.array(values, dtype=object), number).tolist())
    sets = zip(form.information_sets(number), form.moves(number), form.trees[number].first.tolist(), strict=False)
    table = {
        position: {move: Fraction(first + place in chosen) for place, move in enumerate(moves)}
        for position, moves, first in sets
    }
    return Strategy(form.game, number, table)


def value(game: Any, policies: Any, *, strict: bool = False) -> Fraction | float:
    """The expected payoff to side 0 when both sides follow their policies.

    Parameters
    ----------
    game
        A game, or its `ruse.sequence_form`.
    policies
        A policy of both sides, or a pair of policies: any that `ruse.exploitability` takes.
    strict
        Refuse a policy without odds at some information set, rather than warn and play uniformly there.

    Returns
    -------
    Fraction or float
        A fraction where all odds are; else a `BoundedFloat`, a float with exact bounds `lower` and `upper`.

    Raises
    ------
    RuseError
        The policies do not fit the game, or are of one side only.

    Examples
    --------
    >>> import ruse
    >>> kuhn = ruse.games.kuhn()
    >>> ruse.value(kuhn, ruse.solve(kuhn))
    Fraction(-1, 18)
    """
    form = _form(game)
    if form is None:
        return by_verifier.expected_payoff(as_game(game), policies)
    first, second = read_policies(form, policies, None, strict)
    for number, policy in enumerate((first, second)):
        if policy is None:
            raise PolicyError(f"the expected payoff needs a policy of {display_name(form.game.sides[number])}, too")
    assert first is not None and second is not None
    gains = exact.gains(form.arrays, 0, second.plan)
    payoff = sum((gain * weight for gain, weight in zip(gains, first.plan, strict=True) if weight), NOTHING)
    payoff = Fraction(payoff) / form.arrays.denominator
    error = rounding(first) + rounding(second)
    return _number(payoff - error, payoff + error)


def _form(game: Any) -> SequenceForm | None:
    """The form to score on; None for games that are scored without their tree."""
    if isinstance(game, SequenceForm):
        return game
    rules = as_game(game)
    return None if isinstance(rules, Memoryless | ByClass) else sequence_form(rules)


def _of_side(form: SequenceForm, policy: Any, side: int, strict: bool) -> SidePolicy:
    """One side's part of a policy; one that does not name its side is that side's."""
    own_policy = read_policies(form, policy, None if isinstance(policy, Strategy) else side, strict)[side]
    if own_policy is None:
        name, other = (display_name(form.game.sides[number]) for number in (side, 1 - side))
        raise PolicyError(f"a best response of {other} needs a policy of {name}")
    return own_policy


def _guarantee(policy: SidePolicy) -> Bounds:
    """What a policy guarantees, as the payoff to side 0, within its rounding."""
    payoff, _ = exact.best_response(policy.form.arrays, 1 - policy.side, policy.plan)
    error = rounding(policy)
    return payoff - error, payoff + error


def rounding(policy: SidePolicy) -> Fraction:
    """By how much an expected payoff is off at most, because odds were rounded."""
    if policy.exact:
        return NOTHING
    form, tree = policy.form, policy.form.trees[policy.side]
    depth, widest = len(tree.levels()), int(np.diff(tree.first).max(initial=1))
    total = Fraction(float(np.abs(form.arrays.floats()).sum())) * (1 + Fraction(1, 1 << 20))
    crude = depth * policy.moved * total  # no sequence's weight is off by more than depth * moved
    try:
        least, most = payoff_range(form.game)
    except GameError:  # the game does not say
        return crude
    return min(crude, depth * policy.moved * widest * (most - least) / 2)


def _value(game: Game, time: float, above: Fraction | None, below: Fraction | None) -> Bounds:
    """Bounds on the value: known, or by solving the game; a strategy's guarantee bounds it, too."""
    known = known_value(game)
    if known is not None:
        return known, known
    from ruse.solving.pipeline import solve

    certificate = solve(game, time=time).certificate
    least = certificate.lower if above is None else max(certificate.lower, min(above, certificate.upper))
    most = certificate.upper if below is None else min(certificate.upper, max(below, certificate.lower))
    return least, most


def _number(lower: Fraction, upper: Fraction) -> Fraction | BoundedFloat:
    """The number between two bounds: a fraction where they are equal. Gains are at least 0, whatever rounding says."""
    return lower if lower == upper else BoundedFloat(lower, upper)
