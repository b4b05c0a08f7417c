"""The page "How people play": its numbers are the counts, and solved spies do what it says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from companions import solution
from ruse.games.resistance.companion import ResistanceCompanion
from ruse.games.resistance.companion_record import Evening
from ruse.games.resistance.table import RESISTANCE_WINS
from ruse.people.habits import SOLVED_FIRST_SABOTAGE, Share, counts, habits, markdown, share

DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "people.md"


def test_examples_of_the_counts() -> None:
    """Figures that were published with the records."""
    assert share("lone spy, mission 1", "plain", 7) == Share(12, 44)
    assert share("Merlin found", 5) == Share(461, 1105)
    assert share("approves from outside", "plain", "spy", 5) == Share(117, 437)
    assert share("good wins", "plain") == Share(225, 448) and share("good wins", "avalon") == Share(2558, 5841)


def test_every_share_on_the_page_is_a_count() -> None:
    known = {str(Share(*cell)) for cells in counts().values() for cell in cells.values() if cell[1]}
    known |= {str(share(name, key.split()[0])) for name, cells in counts().items() for key in cells}
    told = {text for habit in habits() for text in re.findall(r"\d+% of [\d,]+\d", habit.finding)}
    told |= {cell for habit in habits() for row in habit.rows for cell in row[1:] if " of " in cell}
    spared = share("sabotaged", "avalon", 1, "3 2-0")  # told as those who let it pass
    assert len(told) > 100 and told - known == {str(Share(spared.n - spared.k, spared.n))}


def test_the_docs_hold_the_page() -> None:
    assert markdown() in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("players", [5, 6, 7])
def test_a_lone_solved_spy_passes_mission_1(players: int) -> None:
    solved = solution(players)
    evening = Evening.begin(solved.game.table)  # type: ignore[attr-defined]
    companion = ResistanceCompanion(evening, solved.tables)
    team, spies = (0, 1), (0, *range(players - evening.table.spies + 1, players))
    order = companion.order(team, spies)
    assert order.sabotage == SOLVED_FIRST_SABOTAGE[players] == 0 and order.passing == order.failing


@pytest.mark.soak
@pytest.mark.parametrize("players", [8, 9, 10])
def test_a_lone_solved_spy_passes_mission_1_at_large_tables(players: int) -> None:
    solved = solution(players)
    evening = Evening.begin(solved.game.table)  # type: ignore[attr-defined]
    order = ResistanceCompanion(evening, solved.tables).order(
        (0, 1, 2), (0, *range(players - evening.table.spies + 1, players))
    )
    assert order.sabotage == SOLVED_FIRST_SABOTAGE[players] == 0


def test_the_values_that_the_page_compares_with() -> None:
    assert RESISTANCE_WINS[5] == Fraction(30, 100) and round(100 * float(RESISTANCE_WINS[7])) == 26
