"""Hints: the moves of the person's own stored strategy, shown only on request."""

from __future__ import annotations

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.core.registry import presentation
from ruse.play.session import Session
from ruse.solution.strategy import Solution

MOST = 10  # moves that are named


def hint(session: Session) -> str:
    """Name the moves of the stored strategy here, as a sentence without its full stop."""
    try:
        odds = session.solution.strategy(session.side).at(session.position)
    except RuseError:
        return "No hint: your side's strategy never reaches this position"
    best = sorted(((share, move) for move, share in odds.items() if share), key=lambda pair: -pair[0])
    if len(best) == 1:
        return f"{_how_good(session.solution)}: always {_glossed(session, best[0][1])}"
    odds_text = ", ".join(f"{_glossed(session, move)} {rationals.short(share)}" for share, move in best[:MOST])
    return f"{_how_good(session.solution)}: {odds_text}"


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
