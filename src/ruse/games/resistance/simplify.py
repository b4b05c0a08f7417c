"""The same guarantee with fewer dice: turn mixed choices of the resistance into plain ones where nothing is lost.

Optimal strategies are many, and a vertex of the linear program is not always one that a person can remember.
Early positions come first, because a choice not made there takes everything behind it away.

Where the guarantee leaves the choice open, say after a failure that optimal spies never cause, a program's answer
can be silly. There the resistance does what wins on most of the spy sets that the facts allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from ruse.core.types import Odds, StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.program import Endgame, ResistanceProgram
from ruse.games.resistance.table import Table
from ruse.games.resistance.words import reached


def simplify(table: Table, strategy: StrategyTable, good: Callable[[StrategyTable], bool]) -> dict[str, Odds]:
    """A strategy that is still `good`, with one mission instead of several wherever one is enough."""
    strategy = dict(strategy)
    tried: set[str] = set()
    while True:
        live = reached(table, strategy)
        mixed = [position for position, odds in live.items() if len(odds) > 1 and position not in tried]
        if not mixed:
            return live
        position = mixed[0]
        tried.add(position)
        odds = strategy[position]
        for mission in sorted(odds, key=lambda mission: (-odds[mission], mission)):
            strategy[position] = {mission: Fraction(1)}
            if good(strategy):
                break
        else:
            strategy[position] = odds


def sensible(
    program: ResistanceProgram, strategy: StrategyTable, good: Callable[[StrategyTable], bool]
) -> dict[str, Odds]:
    """In each endgame, the plan that wins on most spy sets that fit the facts, if the strategy stays `good`."""
    plans = [
        (position, _facts_plan(program, endgame))
        for endgame in program.endgames
        if (position := endgame.cells.position(program.table)) in strategy
    ]
    changed = strategy
    for position, plan in plans:
        changed = _replaced(changed, position, plan)
    if not good(changed):  # not all of them at once: one by one
        changed = strategy
        for position, plan in plans:
            attempt = _replaced(changed, position, plan)
            changed = attempt if good(attempt) else changed
    return reached(program.table, changed)


def _facts_plan(program: ResistanceProgram, endgame: Endgame) -> dict[str, Odds]:
    """What to send along an endgame's line, if every spy set that fits the facts is as likely."""
    _, plan = program.best_plan(endgame, (endgame.kind >= 0).astype(float))
    cells = endgame.cells
    sent: dict[str, Odds] = {}
    for mission in program.classes(cells, plan):
        sent[cells.position(program.table)] = {notation.seats(cells.first_seats(mission)): Fraction(1)}
        cells = cells.send(mission).then("-" if endgame.any_clean else "+")
    return sent


def _replaced(strategy: StrategyTable, position: str, plan: Mapping[str, Odds]) -> dict[str, Odds]:
    """The strategy with everything from a position on replaced by a plan."""
    return {place: odds for place, odds in strategy.items() if not place.startswith(position)} | dict(plan)
