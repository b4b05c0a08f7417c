"""Evenings of The Resistance at random, and all that the companion says of one, for tests that compare two of them."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from amounts import some
from ruse.core.game import RuseError
from ruse.core.registry import make
from ruse.games.resistance import notation
from ruse.games.resistance.companion import ResistanceCompanion
from ruse.games.resistance.companion_record import KIND, VERSION, from_json
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve

# How many records of a thousand are of each table, and how it is solved: the lazy LP finds strategies that mix.
SORTS = {
    (5, "lazy-lp"): 350,
    (5, "auto"): 250,
    (6, "lazy-lp"): 150,
    (6, "auto"): 100,
    (7, "lazy-lp"): 60,
    (7, "auto"): 50,
    (8, "auto"): 20,
    (9, "auto"): 10,
    (10, "auto"): 10,
}


@lru_cache
def solution(players: int, solver: str = "auto") -> Solution:
    return solve(make("resistance", {"players": players}), solver)


def records(random: Random) -> list[tuple[tuple[int, str], dict[str, Any]]]:
    """A thousand evenings, or some of them, as files hold them, a few of which cannot be."""
    sorts = [sort for sort, count in SORTS.items() for _ in range(some(count))]
    return [(sort, record(random, sort[0])) for sort in sorts]


def record(random: Random, players: int) -> dict[str, Any]:
    table = solution(players).game.parameters
    spies = random.sample(range(players), int(str(table["spies"])))
    missions = table["missions"]
    assert isinstance(missions, list)
    rounds = []
    for size in missions[: random.randrange(6)]:
        team = random.sample(range(players), size)
        shown = sum(random.random() < 0.5 for seat in team if seat in spies)
        rounds.append({"team": sorted(team), "sabotages": shown + (random.random() < 0.03)})
    role = random.choice(
        [
            None,
            {"seat": random.randrange(players), "loyal": True, "partners": []},
            {"seat": spies[0], "loyal": False, "partners": sorted(spies[1 : random.randrange(1, len(spies) + 1)])},
        ]
    )
    return {
        "kind": KIND,
        "version": VERSION,
        "title": "",
        "table": table,
        "names": [f"Seat {seat + 1}" for seat in range(players)],
        "rounds": rounds,
        "role": role,
        "slip": random.choice([0, 0.1, 0.35, 1]),
        "revealed": random.choice([None, sorted(spies)]),
    }


def told(record: dict[str, Any], solved: Solution) -> dict[str, Any]:
    """All that the companion says of a record, in plain numbers."""
    try:
        evening = from_json(record)
    except RuseError as error:
        return {"refused": str(error)}
    companion = ResistanceCompanion(evening, solved.tables)
    believed, facts = companion.beliefs(evening.slip, evening.role), companion.facts(evening.role)
    missions = companion.missions(evening.role)
    spies = companion.allowed(evening.role)[0]
    order = None if evening.over else companion.order(missions[-1].team, spies)
    return {
        "facts": [float(one) for one in facts.seats],
        "seats": [float(one) for one in believed.seats],
        "deals": facts.deals,
        "slips": believed.slips,
        "odd": companion.odd_counts(),
        "missions": [
            [notation.seats(one.team), one.gloss, one.proved]
            + [float(number) for number in (one.win, one.loss, one.sent, one.risk, one.fails)]
            for one in missions
        ],
        "order": order
        and [order.aboard]
        + [None if one is None else float(one) for one in (order.sabotage, order.passing, order.failing)],
    }


def same(mine: Any, theirs: Any) -> bool:
    """Whether two answers agree, numbers within 1e-9."""
    if isinstance(mine, float) or isinstance(theirs, float):
        return theirs is not None and mine is not None and abs(mine - theirs) < 1e-9
    if isinstance(mine, dict):
        return mine.keys() == theirs.keys() and all(same(mine[name], theirs[name]) for name in mine)
    if isinstance(mine, list):
        return len(mine) == len(theirs) and all(map(same, mine, theirs))
    return bool(mine == theirs)
