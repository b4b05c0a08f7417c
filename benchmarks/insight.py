"""How free optimal strategies of The Resistance are, at the official tables.

    python -m benchmarks.insight [--players 5-10] [--positions]

prints for each table, of each side, at how many positions with a choice every optimal strategy that comes there makes
the same move (forced), at how many optimal strategies may make several (free), to how many none ever comes, whether the
optimal strategy is unique, and how long it took to find and prove all of that. Positions are by class: those that
differ by the names of seats count once. That the spies sabotage whenever they can once a side has two points is taken
as given and not counted. With --positions it prints instead how long all answers at a position take, with nothing known
before and nothing kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter, process_time

import ruse
from ruse.core.registry import part
from ruse.games.resistance.cells import Counts, possible, splits
from ruse.games.resistance.insight import ResistanceInsight
from ruse.games.resistance.insight_support import best_lines
from ruse.games.resistance.program import Endgame
from ruse.games.resistance.rules import RESISTANCE
from ruse.insight.model import MUST, NEVER

HEAD = (
    "players",
    "spies: forced",
    "free",
    "never come to",
    "unique",
    "resistance: forced",
    "free",
    "never come to",
    "unique",
)
ANSWERS = {True: "yes", False: "no", None: "not proved"}


@dataclass(frozen=True)
class Freedom:
    """At how many positions with a choice a side has one optimal move or several, and how many it never reaches."""

    forced: int
    free: int
    unreached: int


def freedom(insight: ResistanceInsight) -> tuple[Freedom, Freedom]:
    """The freedom of each side over the whole game; positions with a single move do not count."""
    table, support = insight.table, insight.support
    orders = [support.orders(decision) for decision in insight.program.decisions]
    seen = dict.fromkeys(choice.cells for choice in insight.program.choices)
    missions = [support.missions(cells) for cells in seen if possible(table, cells)]
    chosen = [(len(kinds), sum(kind != NEVER for kind in kinds.values())) for kinds in missions if kinds is not None]
    for endgame in insight.program.endgames:
        if endgame.value in support.live:
            chosen += endgame_positions(insight, endgame)
    may = [number for moves, number in chosen if moves > 1]
    sending = [position for side, position in insight.positions() if side == RESISTANCE]
    every = sum(len(insight.game.representative_moves(position, RESISTANCE)) > 1 for position in sending)
    forced = sum(MUST in kinds.values() for kinds in orders if kinds is not None)
    spies = Freedom(forced, sum(kinds is not None for kinds in orders) - forced, orders.count(None))
    return Freedom(may.count(1), len(may) - may.count(1), every - len(may)), spies


def endgame_positions(insight: ResistanceInsight, endgame: Endgame) -> Iterator[tuple[int, int]]:
    """The positions of an endgame that optimal plans reach: missions there, and those of optimal plans."""
    program, following = insight.program, dict[tuple[Counts, ...], set[Counts]]()
    for missions, lasts, _ in best_lines(program, endgame, insight.support.reply):
        for length, sent in enumerate(missions):
            following.setdefault(missions[:length], set()).add(sent)
        following.setdefault(missions, set()).update(lasts)
    for missions, may in following.items():
        cells, number = endgame.cells, len(endgame.cells.results) + len(missions)
        for sent in missions:
            cells = cells.send(sent).then("-" if endgame.any_clean else "+")
        if possible(program.table, cells):
            yield len(splits(cells.sizes, program.table.missions[number])), len(may)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", default="5-10", help="a number, or two with a dash between")
    parser.add_argument("--positions", action="store_true", help="time single positions")
    given = parser.parse_args()
    first, _, last = given.players.partition("-")
    if given.positions:
        positions(range(int(first), int(last or first) + 1))
        return
    print(f"| {' | '.join((*HEAD, 'seconds', 'of the processor'))} |")
    print("|---" * (len(HEAD) + 2) + "|")
    for players in range(int(first), int(last or first) + 1):
        game = ruse.games.resistance(players)
        clock, processor = perf_counter(), process_time()
        insight = part(game, "insight")(ruse.solve(game))
        free = freedom(insight)
        unique = insight.unique()
        cells: list[object] = [players]
        for side in (1, 0):
            cells += [free[side].forced, free[side].free, free[side].unreached, ANSWERS[unique[side].unique]]
        cells += [f"{perf_counter() - clock:.0f}", f"{process_time() - processor:.0f}"]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def positions(tables: range) -> None:
    """After the first mission, after the second, and where spies decide about the first."""
    print("| position | answers | seconds | of the processor |\n|---|---|---|---|")
    for players in tables:
        game = ruse.games.resistance(players)
        solution, sizes = ruse.solve(game), game.table.missions
        first, second = ("abcdefghij"[:size] for size in sizes[:2])
        spies = "abcdefghij"[: game.table.spies]
        for steps in (f"/{first}+", f"/{first}+/{second}-", f"@{spies}/{first}?"):
            insight = part(game, "insight")(solution)
            clock, processor = perf_counter(), process_time()
            there = insight.at(f"{game.title}{steps}")
            assert there.exact
            answers = 2 * len(there.moves) + len(there.beliefs)
            cells = (there.position, answers, f"{perf_counter() - clock:.1f}", f"{process_time() - processor:.1f}")
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
