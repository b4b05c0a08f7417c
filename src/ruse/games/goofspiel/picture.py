"""The rounds of goofspiel: prizes, one's own cards, and who won."""

from __future__ import annotations

from ruse.games.goofspiel.rules import Goofspiel, Seen
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.session import Session

KINDS = {"won": "passed", "lost": "failed", "tied": ""}


def picture(session: Session, knowledge: Seen) -> Picture:
    """A row a round. The last one has no choice: its card is played by itself."""
    game = session.solution.game
    assert isinstance(game, Goofspiel)
    prizes = range(game.cards, 0, -1)
    points = {
        result: sum(prize for prize, one in zip(prizes, knowledge.results, strict=False) if one == result)
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
        lines.append("The last card is played by itself.")
    heads = [Cell("round"), Cell("prize"), Cell("your card"), Cell("result")]
    return Picture(lines, Grid("", heads, rows))
