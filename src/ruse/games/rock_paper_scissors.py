"""Rock-paper-scissors, where a win of paper over rock may pay otherwise (Bossle 2018, §2.3, Tables 2.1, 2.2).

The thesis writes player 2 as the rows of its tables; here, as everywhere in ruse, rows are side 0.
Positions read `rock-paper-scissors/rock`, or `rock-paper-scissors(paper-beats-rock=1:2)/rock` where the
pay is not 1, with a colon for the bar of the fraction, since / separates the steps of a position.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ruse.core.capabilities import Ranged
from ruse.core.parameters import game_factory
from ruse.core.plain_games.matrix import Matrix

HANDS = ("rock", "paper", "scissors")


class RockPaperScissors(Matrix):
    name = "rock-paper-scissors"
    sides = ("first", "second")
    parts = Matrix.parts
    provides = (Ranged,)
    openspiel_name = "matrix_rps"

    def __init__(self, paper_beats_rock: Fraction) -> None:
        pay, win, none = paper_beats_rock, Fraction(1), Fraction(0)
        super().__init__([[none, -pay, win], [pay, none, -win], [-win, win, none]], HANDS, HANDS)
        self.parameters = {"paper_beats_rock": str(pay)}
        if pay != 1:
            self.title = f"{self.name}(paper-beats-rock={str(pay).replace('/', ':')})"


@game_factory
def rock_paper_scissors(
    paper_beats_rock: Annotated[Fraction | int | str, "what a win of paper over rock pays"] = 1,
) -> RockPaperScissors:
    """Rock-paper-scissors, also with another payoff for paper over rock."""
    return RockPaperScissors(Fraction(paper_beats_rock))
