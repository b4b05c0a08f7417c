"""How goofspiel is shown: the rounds, prizes, one's own cards, and who won."""

from __future__ import annotations

from ruse.core.game import State
from ruse.core.presentation import Presentation
from ruse.games.goofspiel.rules import Goofspiel, GoofspielKnowledge
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.scene import CHIPS, Piece, Row, Scene, cards

KINDS = {"won": "passed", "lost": "failed", "tied": ""}


class GoofspielPresentation(Presentation[Goofspiel]):
    def openspiel_name(self) -> str:
        return f"goofspiel(imp_info=True,num_cards={self.game.cards},points_order=descending,returns_type=win_loss)"

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
