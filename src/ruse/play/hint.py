"""Hints, shown only on request: what the person's own stored strategy does, and what other moves cost."""

from __future__ import annotations

from contextlib import suppress

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.core.registry import presentation
from ruse.insight.costs import Costs, PositionCosts
from ruse.play.coach import amount
from ruse.play.session import Session
from ruse.present.strategy_words import draw_odds, say_odds
from ruse.solution.strategy import Solution

MOST = 10  # moves that are named
MOST_COSTLY = 3  # moves whose costs are named


def hint(session: Session, costs: Costs | None = None) -> str:
    """Name the moves of the stored strategy here and what others cost, as a sentence without its full stop.

    Where optimal play never comes, the stored strategy is no advice, so the moves that cost nothing are named.
    """
    here = None
    if costs is not None:
        with suppress(RuseError):
            here = costs.at(session.position, session.side)
    if here is not None and here.moves and not here.proved and session.solution.certificate.exact:
        free = ", ".join(_glossed(session, move) for move in here.best[:MOST])
        return f"Best here: {free}{_others(session, here)}"
    try:
        odds = session.solution.strategy(session.side).at(session.position)
    except RuseError:
        return "No hint: your side's strategy never reaches this position"
    game, position = session.solution.game, session.position
    advice = f"{_how_good(session.solution)}: {say_odds(game, position, odds)}"
    ways = draw_odds(game, position, odds)
    if ways:
        advice += f". To choose at random: {ways[0].text().removesuffix('.')}"
    return advice if here is None else f"{advice}{_others(session, here)}"


def _others(session: Session, here: PositionCosts) -> str:
    """Say what the other moves cost, the least first."""
    costly = sorted((move for move in here.moves.values() if move.cost), key=lambda move: move.cost)
    if not costly:
        return f". All moves do equally well {here.condition}" if len(here.moves) > 1 else ""
    game, exact = session.solution.game, session.solution.certificate.exact
    listed = [f"{move.move} costs {amount(game, move.cost, exact)}" for move in costly[:MOST_COSTLY]]
    more = len(costly) - len(listed)
    others = [f"{more} other {'moves cost' if more > 1 else 'move costs'} at least as much"] if more else []
    return f". {'; '.join([*listed, *others])} ({here.condition})"


def _glossed(session: Session, move: str) -> str:
    """A move, with its meaning if the game explains it."""
    gloss = presentation(session.solution.game).explain_move(session.position, move)
    return f"{move} ({gloss})" if gloss else move


def _how_good(solution: Solution) -> str:
    if solution.certificate.exact:
        return "Optimal play"
    if not solution.judged:
        return "The strategy found, with no proved bounds"
    return f"The strategy found, within {rationals.above(solution.certificate.gap, 2)} of optimal"
