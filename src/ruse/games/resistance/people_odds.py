"""How often people sabotage, as odds for every number of cards: the model of people, projected to missions.

Who is aboard, the mission and the score decide; votes, leaders and talk are averaged out, and people are not forced to
sabotage once a side has two points.
"""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.core.exact import in_units
from ruse.games.resistance.spies_model import ByAboard, CardOdds, Score, stages
from ruse.games.resistance.table import Table

UNIT = 1000  # odds are rounded to multiples of 1 / UNIT
# Plain games with 5 to 10 seats of WhoaWhoa/avalonlogs (dd5242e3), the half that is for fitting: missions with so many
# spies aboard that take one sabotage: how many there were, and how many of them were sabotaged.
SABOTAGED = {
    1: {
        (0, 0): (239, 74), (1, 0): (212, 163), (0, 1): (55, 37), (2, 0): (71, 62), (1, 1): (148, 112),
        (0, 2): (27, 26), (2, 1): (90, 75), (1, 2): (52, 47), (2, 2): (87, 82),
    },
    2: {
        (0, 0): (50, 24), (1, 0): (68, 44), (0, 1): (16, 13), (2, 0): (23, 20), (1, 1): (29, 19),
        (0, 2): (7, 7), (2, 1): (13, 11), (1, 2): (9, 9), (2, 2): (24, 24),
    },
}  # fmt: skip


def model(table: Table) -> ByAboard:
    """How people sabotage at a table."""
    return ByAboard(table, {stage: card_odds(table, *stage) for stage in stages(table)})


FURTHER = {1: (1,), 2: (44, 28), 3: (30, 22, 21)}  # how one, two and three cards divide, by spies aboard
OF_TWO = {1: (52, 48), 2: (0, 18, 82), 3: (1, 9, 28, 62)}  # cards where it takes two, by spies aboard


def card_odds(table: Table, number: int, score: Score, aboard: int) -> CardOdds:
    """The odds of 0, 1, 2, … cards on a mission, counted from 0, with so many spies aboard."""
    like = min(aboard, 3)
    if table.sabotages[number] > 1:
        weights = [Fraction(count, sum(OF_TWO[like])) for count in OF_TWO[like]]
    else:
        missions, sabotaged = SABOTAGED[min(aboard, 2)][score]
        some = Fraction(sabotaged + 1, missions + 2)
        weights = [1 - some, *(some * Fraction(count, sum(FURTHER[like])) for count in FURTHER[like])]
    odds = in_units([float(weight) for weight in weights], UNIT)
    return (*odds, *[Fraction(0)] * (aboard + 1 - len(odds)))


def summary(odds: ByAboard) -> list[str]:
    """The model as lines of a table: how often so many spies aboard show each number of cards."""
    rows = [("mission", "score", "aboard", *(f"{cards} cards" for cards in range(odds.table.spies + 1)))]
    for (number, (passed, failed), aboard), shares in odds.odds.items():
        texts = [rationals.percent(share) for share in shares]
        rows.append(
            (str(number + 1), f"{passed}-{failed}", str(aboard), *texts, *[""] * (len(rows[0]) - 3 - len(texts)))
        )
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return ["How many of the spies aboard people let sabotage a mission:", *lines]
