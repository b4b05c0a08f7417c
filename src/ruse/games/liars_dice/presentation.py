"""How liar's dice is shown: one's own dice, the other side's under cups, and the bids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from ruse.core.presentation import Presentation, Situation
from ruse.games.liars_dice import reasons
from ruse.games.liars_dice.rules import BID as PAYS_BID
from ruse.games.liars_dice.rules import EXACT, LIAR, ONE, LiarsDice, Rolled
from ruse.play.pictures import Picture
from ruse.present.frequency import COUNTS
from ruse.present.scene import BID, CUP, NOTE, Piece, Row, Scene, rolled

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason

MOST_BIDS = 8  # that are drawn
CALLED = {LIAR: "call liar", EXACT: "call the bid exact"}
MOST_ROLLS = 8  # for which opening bids are listed one by one


class LiarsDicePresentation(Presentation[LiarsDice]):
    def hidden_from(self, state: Rolled, side: int) -> str:
        return "".join(state.rolls[1 - side : 2 - side])

    def move_phrase(self, position: str, move: str) -> str:
        return CALLED.get(move) or f"bid {bid_words(move)}"

    def situations(self, knowledge: Rolled, side: int) -> Sequence[Situation]:
        """All bids and the roll; the last bid and the roll; then how many dice the bid needs beside one's own."""
        (roll,), bids = knowledge.rolls, knowledge.bids
        when = f"With a {roll}" if "+" not in roll else f"With {roll}"
        if not bids:
            kinds = [] if len(self.game.rolls[side]) <= MOST_ROLLS else [self._kind(roll, side)]
            return [Situation("You open", when)] * 2 + [Situation("You open", when, names) for names in kinds]
        heading = f"After the bids {', then '.join(map(bid_words, bids))}" if len(bids) > 1 else _facing(bids[-1])
        needed = self._needed(roll, bids[-1])
        named, cups = int(bids[-1].partition("-")[0]), self.game.dice[1 - side]
        short = (
            "When your own dice make it true"
            if needed <= 0
            else f"When it needs {_number(needed)} of their dice"
            if needed <= cups
            else "When it cannot be true"
        )
        return [
            Situation(heading, when),
            Situation(f"Answering a bid of {bid_words(bids[-1])}", when),
            Situation(f"Answering a bid of {_dice(named)}", short, self._kind(roll, side), order=needed),
        ]

    def _needed(self, roll: str, bid: str) -> int:
        """How many dice of the other side a bid needs to be true."""
        number, face = bid.split("-")
        return int(number) - self.game.matching(roll, face)

    def _kind(self, roll: str, side: int) -> Callable[[str], str]:
        """What kind of bid a move is, with this roll."""

        def name(move: str) -> str:
            if move in CALLED:
                return CALLED[move]
            needed = self._needed(roll, move)
            if needed <= 0:
                return "make a bid that your own dice cover"
            possible = needed <= self.game.dice[1 - side]
            return f"make a bid that {f'needs {_number(needed)} of their dice' if possible else 'cannot be true'}"

        return name

    def bluff(self, state: Rolled, move: str) -> bool | None:
        """A bid is a bluff if the bidder's own dice make it more likely false than true."""
        if move == LIAR:
            return None
        bidder = self.game.turn(state)
        return _is_weak(self.game, bidder, state.rolls[bidder], move)

    def openspiel_name(self) -> str:
        (dice, theirs), faces = self.game.dice, self.game.faces
        if dice != theirs or self.game.wild != faces or self.game.penalty != ONE or self.game.exact:
            return ""
        return f"liars_dice(numdice={dice},dice_sides={faces})"

    def secret_phrase(self, secret: str) -> str:
        return reasons.held(secret)

    def activity(self, position: str, move: str) -> str:
        return reasons.activity(move)

    def reasons(self, question: Question) -> Sequence[Reason]:
        return reasons.reasons(question, self.game)

    def picture(self, knowledge: Rolled, side: int, end: Rolled | None) -> Picture:
        if not knowledge.rolls:
            return Picture()
        mine = self.game.dice_of[knowledge.rolls[0]]
        theirs = self.game.dice_of[end.rolls[1 - side]] if end is not None else ()
        wild = f"Every {self.game.wild} is wild." if self.game.wild else "No face is wild."
        lines = [f"You hold {', '.join(knowledge.rolls)}.", wild]
        if self.game.penalty == PAYS_BID:
            lines.append("Whoever loses pays the number that was bid last.")
        if theirs:
            lines.append(f"The other side holds {'+'.join(theirs)}.")
        if knowledge.bids:
            lines.append(f"Bids so far: {', '.join(knowledge.bids)}.")
        cups = [] if theirs else [Piece(CUP, says="a hidden die")] * self.game.dice[1 - side]
        bids = [_bid(bid, (number % 2 == side)) for number, bid in enumerate(knowledge.bids)]
        older = [Piece(NOTE, "…", "earlier bids")] if len(bids) > MOST_BIDS else []
        rows = [Row("Other side", [*rolled(theirs, "theirs"), *cups])]
        rows += [Row("Bids", [*older, *bids[-MOST_BIDS:]])] * bool(bids)
        return Picture(lines, scene=Scene([*rows, Row("You", rolled(mine, "mine"))]))


@lru_cache(maxsize=1 << 12)
def _is_weak(game: LiarsDice, bidder: int, roll: str, bid: str) -> bool:
    """Whether a bid is false for more than half of what the other side may have rolled, by what a call of it pays."""
    before = Rolled((roll,) if bidder == 0 else (), ())
    wins = Fraction(0)
    for other, odds in zip(game.moves(before), game.odds(before), strict=True):
        rolls = (roll, other) if bidder == 0 else (other, roll)
        bids = (bid, LIAR) if bidder == 0 else ("", bid, LIAR)
        payoff = game.payoff(Rolled(rolls, bids))
        wins += odds * ((payoff > 0) == (bidder == 0))
    return wins < Fraction(1, 2)


def _bid(bid: str, mine: bool) -> Piece:
    kind, who = ("mine", "you") if mine else ("theirs", "the other side")
    number, _, face = bid.partition("-")
    words = f"{number} × {face}" if face else bid
    return Piece(BID, bid, f"{who}: {words}", kind)


def bid_words(bid: str) -> str:
    """A bid as it is said: "two 5s"."""
    number, face = bid.split("-")
    return f"{_number(int(number))} {face}{'s' * (number != '1')}"


def _number(count: int) -> str:
    return COUNTS[count] if count < len(COUNTS) else str(count)


def _dice(count: int) -> str:
    return f"{_number(count)} {'die' if count == 1 else 'dice'}"


def _facing(bid: str) -> str:
    return f"After the opening bid {bid_words(bid)}"
