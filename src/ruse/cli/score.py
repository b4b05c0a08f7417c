"""`ruse score GAME POLICY`: how well a policy in a table or a solution file plays."""

from __future__ import annotations

import argparse
import sys
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.atomic_files import warn
from ruse.core.game import Game, possessive, with_article
from ruse.present.console import Progress, print_json
from ruse.scoring.tables import is_table

if TYPE_CHECKING:
    from ruse.scoring.score import Bounds

SOLUTION = ".ruse"


def is_policy_file(path: str) -> bool:
    """Whether a file holds a policy position by position, rather than rules or a Python function."""
    return is_table(path) or path.endswith(SOLUTION)


def score_policy(game: Game, given: argparse.Namespace) -> int:
    """Print what a policy guarantees, and its exploitability where both sides have one."""
    from ruse.scoring.score import guarantees
    from ruse.solution.store import load

    policy: Any = given.strategy
    if given.strategy.endswith(SOLUTION):
        policy = load(given.strategy, game)
    with Progress(sys.stderr, "computing both best responses"), warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        guaranteed = guarantees(game, policy, given.side, given.strict)
    messages = [str(warning.message) for warning in heard]
    for text in messages:
        warn(text)
    both = _exploitability(guaranteed)
    if given.json:
        scores = [_score_json(game, side, bounds) for side, bounds in enumerate(guaranteed) if bounds is not None]
        joint = {} if both is None else {"exploitability": _json(both), "nashconv": _json((2 * both[0], 2 * both[1]))}
        print_json({"scores": scores, **joint, "warnings": messages})
        return 0
    for side, bounds in enumerate(guaranteed):
        if bounds is not None:
            print(_sentence(game, side, bounds))
    if both is not None:
        print(f"Exploitability {_text(both)}, NashConv {_text((2 * both[0], 2 * both[1]))}")
    return 0


def _exploitability(bounds: tuple[Bounds | None, Bounds | None]) -> Bounds | None:
    lower, upper = bounds
    if lower is None or upper is None:
        return None
    return max(Fraction(0), (upper[0] - lower[1]) / 2), (upper[1] - lower[0]) / 2


def _sentence(game: Game, side: int, bounds: Bounds) -> str:
    from ruse.present.rules import Score, headed

    if bounds[0] == bounds[1]:
        return Score(game, side, bounds[0]).text()
    owner, other = headed(possessive(game.sides[side])), with_article(game.sides[1 - side])
    if len(game.wins) == 2:
        share = (1 + bounds[0]) / 2 if side == 0 else (1 - bounds[1]) / 2
        return f"{owner} strategy wins at least {rationals.below(100 * share, 6)}% against any opponent"
    amount = rationals.below(bounds[0], 6) if side == 0 else rationals.above(bounds[1], 6)
    claim = f"gets at least {amount}" if side == 0 else f"concedes {other} at most {amount}"
    return f"{owner} strategy {claim} against any opponent"


def _text(bounds: Bounds) -> str:
    if bounds[0] == bounds[1]:
        return rationals.equals(bounds[0])
    return f"≈ {rationals.near((bounds[0] + bounds[1]) / 2, 6)}"


def _json(bounds: Bounds) -> dict[str, Any]:
    """A number of which bounds are known: a fraction where they are equal; else a float, with how far off it may be."""
    middle = (bounds[0] + bounds[1]) / 2
    exact = rationals.write(middle) if bounds[0] == bounds[1] else None
    error = {} if exact else {"error": rationals.float_above((bounds[1] - bounds[0]) / 2)}
    return {"exact": exact, "float": float(middle), **error}


def _score_json(game: Game, side: int, bounds: Bounds) -> dict[str, Any]:
    name = game.sides[side]
    fields = {"game": game.name, "parameters": dict(game.parameters), "side": name, "guarantee": _json(bounds)}
    if len(game.wins) == 2:
        share = [(1 + payoff) / 2 if side == 0 else (1 - payoff) / 2 for payoff in bounds]
        exact = share[0] == share[1]
        fields["win"] = {name: rationals.write(share[0]) if exact else float(min(share))}
    return fields
