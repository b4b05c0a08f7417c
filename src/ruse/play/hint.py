"""Hints: the moves of the person's own stored strategy, shown only on request."""

from __future__ import annotations

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.play.session import Session
from ruse.present.spoken import draw_odds, say_odds
from ruse.solution.strategy import Solution


def hint(session: Session) -> str:
    """Name the moves of the stored strategy here, as a sentence without its full stop."""
    try:
        odds = session.solution.strategy(session.side).at(session.position)
    except RuseError:
        return "No hint: your side's strategy never reaches this position"
    game, position = session.solution.game, session.position
    advice = f"{_how_good(session.solution)}: {say_odds(game, position, odds)}"
    ways = draw_odds(game, position, odds)
    return f"{advice}. To choose at random: {ways[0].text().removesuffix('.')}" if ways else advice


def _how_good(solution: Solution) -> str:
    if solution.certificate.exact:
        return "Optimal play"
    if not solution.judged:
        return "The strategy found, with no proved bounds"
    return f"The strategy found, within {rationals.above(solution.certificate.gap, 2)} of optimal"
