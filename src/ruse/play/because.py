"""Reasons for the moves of a person who plays, for the coach."""

from __future__ import annotations

from contextlib import suppress

from ruse.core.clock import deadline
from ruse.core.game import RuseError
from ruse.insight.reasons import Explainer
from ruse.play.session import Session

MOST_SENTENCES = 2  # after which no other reason follows
QUICK = 2.0  # seconds; the coach says nothing of reasons that take longer


def because(explainer: Explainer, session: Session) -> str:
    """Say why the person's last move was right or wrong, in a sentence or two; empty if that is not known."""
    if not session.decisions:
        return ""
    decision = session.decisions[-1]
    with suppress(RuseError), deadline(QUICK):
        explained = explainer.explain(decision.position, decision.move, session.side)
        texts: list[str] = []
        for reason in explained.reasons[1:]:
            if sum(text.count(". ") + 1 for text in texts) < MOST_SENTENCES:
                texts.append(reason.text)
        return " ".join(texts)
    return ""
