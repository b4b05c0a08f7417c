"""How goofspiel is shown: the rounds, prizes, one's own cards, and who won."""

from __future__ import annotations

from collections.abc import Sequence

from ruse.core.game import State
from ruse.core.presentation import Presentation, Situation
from ruse.games.goofspiel.rules import Goofspiel, GoofspielKnowledge
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.scene import CHIPS, Piece, Row, Scene, cards

KINDS = {"won": "passed", "lost": "failed", "tied": ""}


class GoofspielPresentation(Presentation[Goofspiel]):
    def openspiel_name(self) -> str:
        return f"goofspiel(imp_info=True,num_cards={self.game.cards},points_order=descending,returns_type=win_loss)"

    def move_phrase(self, position: str, move: str) -> str:
        return f"play the {move}"

    def situations(self, knowledge: GoofspielKnowledge, side: int) -> Sequence[Situation]:
        """The prize and all rounds before; then the prize and the score, with cards by their rank in the hand."""
        done = len(knowledge.results)
        prize = self.game.cards - done
        heading = f"Round {done + 1}, for the prize of {prize}"
        pairs = list(zip(knowledge.cards, knowledge.results, strict=False))
        past = ", ".join(f"your {card} {result}" for card, result in pairs)
        points = self._points(knowledge)
        ahead = "level" if points[0] == points[1] else "ahead" if points[0] > points[1] else "behind"
        left = [str(card) for card in range(1, self.game.cards + 1) if card not in knowledge.cards]
        return [
            Situation(heading, f"After {past}" if past else ""),
            Situation(heading, f"When you are {ahead}" if past else ""),
            Situation(heading, f"When you are {ahead}" if past else "", _by_rank(left)),
        ]

    def _points(self, knowledge: GoofspielKnowledge) -> tuple[int, int]:
        """The prizes that each side has won."""
        prizes = range(self.game.cards, 0, -1)
        won = list(zip(prizes, knowledge.results, strict=False))
        return sum(prize for prize, result in won if result == "won"), sum(
            prize for prize, result in won if result == "lost"
        )

    def picture(self, knowledge: GoofspielKnowledge, side: int, end: State | None) -> Picture:
        """A row a round. The last one has no choice: its card is played by itself."""
        game = self.game
        prizes = range(game.cards, 0, -1)
        points = {
            result: sum(prize for prize, outcome in zip(prizes, knowledge.results, strict=False) if outcome == result)
            for result in KINDS
        }
        rows = []
        for number, prize in enumerate(prizes):
            card = Cell(str(knowledge.cards[number])) if number < len(knowledge.cards) else Cell("", "not yet")
            result = Cell("", "not yet")
            if number < len(knowledge.results):
                result = Cell(knowledge.results[number], "", KINDS[knowledge.results[number]])
            rows.append([Cell(str(number + 1)), Cell(str(prize)), card, result])
        lines = [f"Points: you {points['won']}, other side {points['lost']}."]
        if game.rounds < game.cards:
            lines.append("Your last card is played automatically.")
        heads = [Cell("round"), Cell("prize"), Cell("your card"), Cell("result")]
        left = [str(card) for card in range(1, game.cards + 1) if card not in knowledge.cards]
        done = len(knowledge.results)
        pieces = [Piece(CHIPS, str(game.cards - done), f"a prize of {game.cards - done} points")]
        scene = Scene(
            [Row("Prize", pieces)] * (done < game.rounds) + [Row("Your cards", cards(left, "mine"))] * bool(left)
        )
        return Picture(lines, Grid("", heads, rows), scene)


def _by_rank(left: Sequence[str]) -> dict[str, str]:
    """What the cards of a hand are called by their rank."""
    if len(left) > 4:
        thirds = ("one of your low cards", "one of your middle cards", "one of your high cards")
        return {card: f"play {thirds[3 * number // len(left)]}" for number, card in enumerate(left)}
    names = {left[number]: f"play your {name} card" for number, name in ((-1, "highest"), (0, "lowest"))}
    between = left[1:-1]
    for number, card in enumerate(between):
        which = "middle" if len(between) == 1 else ("second lowest", "second highest")[number]
        names[card] = f"play your {which} card"
    return names
