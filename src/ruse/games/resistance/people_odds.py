"""How people sabotage, as odds for every number of cards: the model of people (ruse.people), projected to missions.

Who is aboard, the mission and the score decide; votes, leaders and talk are averaged out. People are not forced to
sabotage once a side has two points.
"""

from __future__ import annotations

from ruse.core.exact import in_units
from ruse.core.game import GameError
from ruse.games.resistance.spies_model import ByAboard, CardOdds, Score, stages
from ruse.games.resistance.table import Table
from ruse.people.missions import sabotage_odds

UNIT = 1000  # odds are rounded to multiples of 1 / UNIT
HEADING = "How many of the spies aboard people let sabotage a mission (votes, leaders and talk averaged out):"


def model(table: Table) -> ByAboard:
    """How people sabotage at a table."""
    if not table.is_official:
        raise GameError(
            f"there are no records of how people play {table.title}, only of the official tables with 5 to 10 seats; "
            "use one of them, or give a model in a file"
        )
    return ByAboard(table, {stage: card_odds(table, *stage) for stage in stages(table)})


def card_odds(table: Table, number: int, score: Score, aboard: int) -> CardOdds:
    """The odds of 0, 1, 2, … cards on a mission, counted from 0, with so many spies aboard."""
    return tuple(in_units(sabotage_odds(table.players, number, score[0], aboard), UNIT))


def summary(odds: ByAboard) -> list[str]:
    """The model as lines of a table: how often so many spies aboard show each number of cards."""
    cards = [f"{count} card{'s' * (count != 1)}" for count in range(odds.table.spies + 1)]
    rows: list[tuple[str, ...]] = [("mission", "score", "aboard", *cards)]
    for (number, (passed, failed), aboard), shares in odds.odds.items():
        texts = [f"{float(100 * share):.1f}%" for share in shares]
        rows.append((str(number + 1), f"{passed}-{failed}", str(aboard), *texts, *[""] * (len(cards) - len(texts))))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [HEADING, *lines]
