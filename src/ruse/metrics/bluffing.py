"""How often a side claims more than it holds."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.core.registry import presentation
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.plays import Number

UNDECLARED = "no move that is made claims anything, as far as the game declares (bluff in its presentation)"


def bluffing(play: MeasuredPlay) -> Measure:
    """The share of claims that are bluffs, as the game declares both, and the same for each move."""
    shown = presentation(play.original)
    claims: dict[str, Number] = {}
    bluffs: dict[str, Number] = {}
    for choice, move, reach in play.moves_made():
        answer = shown.bluff(choice.state, move)
        if answer is not None:
            claims[move] = claims.get(move, play.number(0)) + reach
            bluffs[move] = bluffs.get(move, play.number(0)) + reach * bool(answer)
    if not claims:
        return Measure(None, reason=UNDECLARED)
    every, false = sum(claims.values(), play.number(0)), sum(bluffs.values(), play.number(0))
    share = false / every
    details = {
        "per_game": false,
        "claims_per_game": every,
        "moves": {move: bluffs[move] / claims[move] for move in claims},
    }
    text = f"{rationals.percent(Fraction(share))} of claims, {rationals.near(Fraction(false), 3)} bluffs a game"
    return Measure(share, text=text, more={"bluffs": details})
