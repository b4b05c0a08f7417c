"""How liar's dice is shown: one's own dice, the other side's under cups, and the bids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruse.core.presentation import Presentation
from ruse.games.liars_dice import reasons
from ruse.games.liars_dice.rules import LiarsDice, Rolled
from ruse.play.pictures import Picture
from ruse.present.scene import BID, CUP, NOTE, Piece, Row, Scene, rolled

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason

MOST_BIDS = 8  # that are drawn


class LiarsDicePresentation(Presentation[LiarsDice]):
    def hidden_from(self, state: Rolled, side: int) -> str:
        return "".join(state.rolls[1 - side : 2 - side])

    def openspiel_name(self) -> str:
        return f"liars_dice(numdice={self.game.dice},dice_sides={self.game.faces})"

    def activity(self, position: str, move: str) -> str:
        return reasons.activity(move)

    def reasons(self, question: Question) -> Sequence[Reason]:
        return reasons.reasons(question, self.game)

    def picture(self, knowledge: Rolled, side: int, end: Rolled | None) -> Picture:
        if not knowledge.rolls:
            return Picture()
        mine = self.game.dice_of[knowledge.rolls[0]]
        theirs = self.game.dice_of[end.rolls[1 - side]] if end is not None else ()
        lines = [f"You hold {', '.join(knowledge.rolls)}.", f"Every {self.game.faces} is wild."]
        if theirs:
            lines.append(f"The other side holds {'+'.join(theirs)}.")
        if knowledge.bids:
            lines.append(f"Bids so far: {', '.join(knowledge.bids)}.")
        cups = [] if theirs else [Piece(CUP, says="a hidden die") for _ in mine]
        bids = [_bid(bid, (number % 2 == side)) for number, bid in enumerate(knowledge.bids)]
        older = [Piece(NOTE, "…", "earlier bids")] if len(bids) > MOST_BIDS else []
        rows = [Row("Other side", [*rolled(theirs, "theirs"), *cups])]
        rows += [Row("Bids", [*older, *bids[-MOST_BIDS:]])] * bool(bids)
        return Picture(lines, scene=Scene([*rows, Row("You", rolled(mine, "mine"))]))


def _bid(bid: str, mine: bool) -> Piece:
    kind, who = ("mine", "you") if mine else ("theirs", "the other side")
    number, _, face = bid.partition("-")
    words = f"{number} × {face}" if face else bid
    return Piece(BID, bid, f"{who}: {words}", kind)
