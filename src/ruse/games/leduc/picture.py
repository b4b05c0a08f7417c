"""The cards of Leduc poker that a side sees."""

from __future__ import annotations

from ruse.games.poker.rules import Hand
from ruse.play.pictures import Picture, hand
from ruse.play.session import Session


def picture(session: Session, knowledge: Hand) -> Picture:
    public = [f"The public card is {knowledge.public}."] if knowledge.public else []
    return Picture([*hand(session, knowledge).lines, *public])
