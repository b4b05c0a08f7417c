"""The table of The Resistance as it is drawn for those who play."""

from __future__ import annotations

from ruse.games.resistance import notation
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.rules import RESISTANCE, Play
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.session import Session

SAYS = {"+": "aboard, passed", "-": "aboard, failed", "?": "on the mission now", ".": "not aboard"}
KINDS = {"+": "passed", "-": "failed", "?": "out", ".": "ashore"}


def picture(session: Session, knowledge: Play) -> Picture:
    """A column a mission, a row a seat: + passed with it aboard, - failed, ? is under way."""
    game = session.solution.game
    assert isinstance(game, Resistance)
    table = game.table
    results = [
        (mission.seats, "-" if sum(mission.cards) >= fails else "+")
        for mission, fails in zip(knowledge.done, table.sabotages, strict=False)
    ]
    if knowledge.out is not None:
        results.append((knowledge.out.seats, "?"))
    spies = (session.states[-1] if session.over else knowledge).spies or ()
    told = notation.listed(notation.seats(spies)) if spies else ""
    passed, failed = knowledge.score
    lines = [
        f"{table.players} seats, {table.spies} of them {'spies' if table.spies > 1 else 'a spy'}.",
        f"Points: resistance {passed}, spies {failed}; three win.",
    ]
    number = len(knowledge.done)
    if POINTS_TO_WIN not in knowledge.score and number < len(table.missions):
        size, fails = table.missions[number], table.sabotages[number]
        go = "is out" if knowledge.out is not None else "comes next"
        needed = "1 sabotage fails it" if fails == 1 else f"{fails} sabotages are needed to fail it"
        lines.append(f"Mission {number + 1} of {len(table.missions)} {go}: {size} seats, {needed}.")
    if session.side != RESISTANCE:
        are = "were" if session.over else "are"
        lines.insert(0, f"You {are} the {'spies' if table.spies > 1 else 'spy'}: {told}.")
    elif spies:
        lines.insert(0, f"The {'spies were' if table.spies > 1 else 'spy was'} {told}.")
    rows = [
        [Cell("seats sent"), *(Cell(str(size)) for size in table.missions)],
        [Cell("sabotages to fail"), *(Cell(str(fails)) for fails in table.sabotages)],
    ]
    for seat in range(table.players):
        letter, spy = notation.seats([seat]), seat in spies
        head = Cell(f"{letter} spy" if spy else letter, f"seat {letter}", "spy" if spy else "seat")
        marks = [_mark(mark if seat in seats else ".") for seats, mark in results]
        rows.append([head, *marks, *[Cell("", "not yet")] * (len(table.missions) - len(marks))])
    heads = [Cell("mission"), *(Cell(str(number + 1)) for number in range(len(table.missions)))]
    return Picture(lines, Grid("", heads, rows))


def _mark(mark: str) -> Cell:
    return Cell(mark, SAYS[mark], KINDS[mark])
