"""Evenings with leaders and votes among bots: guarantees under fire, and people as they are in the records.

    python -m benchmarks.evenings guarantees [--games 100000] [--seed 0]   optimal sides against people and disruptors
    python -m benchmarks.evenings people [--games 4000] [--seed 0]         people against the table "Who wins"

`guarantees` deals so many evenings in all, spread evenly over 5, 6 and 7 seats, both sides, and every opponent. It
exits with 1 if a side that keeps its theorem's premises falls more than four standard errors below its guarantee.
`people` plays so many evenings for each cell of the table.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from textwrap import fill

from ruse.games.evening.bots import DISRUPTORS, Bot, Players, optimal, play_out
from ruse.games.evening.models import Models
from ruse.games.evening.people_bots import PeopleBot
from ruse.games.evening.plan import guarantee, guarantee_end, solved
from ruse.games.evening.rules import GOOD, PASSED, SHOT, SPIES, EveningState
from ruse.games.evening.setting import Setting, official

SEATS = (5, 6, 7)
OPPONENTS: dict[str, Bot] = {"people": PeopleBot(), **DISRUPTORS}
ERRORS = 4

# How often the resistance wins in the records (train half): won, games.
WHO_WINS: dict[str, tuple[tuple[str, ...], dict[int, tuple[int, int]]]] = {
    "plain": ((), {5: (105, 190), 6: (72, 140), 7: (26, 65)}),
    "M": (("merlin",), {5: (98, 229), 6: (87, 187), 7: (30, 86)}),
    "M Mordred": (("merlin", "mordred"), {5: (33, 82), 6: (26, 66), 7: (19, 46)}),
    "M P Morgana": (("merlin", "percival", "morgana"), {5: (268, 604), 6: (261, 544), 7: (191, 413)}),
    "M P Morgana Mordred": (
        ("merlin", "percival", "morgana", "mordred"),
        {5: (167, 443), 6: (254, 554), 7: (109, 237)},
    ),
    "M P Morgana Oberon": (("merlin", "percival", "morgana", "oberon"), {5: (14, 22), 7: (62, 129)}),
}

# Missions 1 to 5 without a spy in plain games of the records: share and missions (train half).
CLEAN = {
    5: ((0.39, 190), (0.17, 190), (0.45, 187), (0.31, 145), (0.38, 78)),
    6: ((0.39, 140), (0.29, 140), (0.19, 139), (0.45, 117), (0.42, 50)),
    7: ((0.20, 65), (0.12, 65), (0.18, 65), (0.15, 53), (0.28, 29)),
}
REASON = (
    "Where people win more in plain games, their missions are cleaner: people talk and watch each other, which no "
    "record has, and the model's leaders know only what is in the records. The same people play many games, so these "
    "errors are too small. In games with Merlin, who knows the spies, the model has most of what people have."
)


@dataclass(frozen=True)
class Cell:
    """An optimal side against an opponent at a table."""

    setting: Setting
    side: str
    opponent: str

    @property
    def players(self) -> Players:
        """Optimal spies know the convention of the loyal seats and act by it."""
        solution, other = solved(self.setting.table), OPPONENTS[self.opponent]
        if self.side == GOOD:
            return Players(optimal(solution, self.setting).good, other)
        return Players(other, optimal(solution, self.setting, other).spies)

    @property
    def guarantee(self) -> float:
        low, high = guarantee(self.setting, solved(self.setting.table))
        return float(low if self.side == GOOD else 1 - high)


def cells() -> Iterator[Cell]:
    for seats in SEATS:
        for side in (GOOD, SPIES):
            for opponent in OPPONENTS:
                yield Cell(official(seats), side, opponent)


def play_guarantees(games: int, seed: int) -> int:
    """Print a row per cell; 1 if one falls below its guarantee."""
    tried = [*cells()]
    each = -(-games // len(tried))
    print(f"{len(tried) * each:,} evenings, {each:,} for each of {len(tried)} rows\n")
    print(f"{'seats':>5}  {'optimal':<8}{'against':<20}{'wins':>8}{'guarantee':>11}{'errors above':>14}")
    below = []
    for place, cell in enumerate(tried):
        players, value = cell.players, cell.guarantee
        won = 0
        for number in range(each):
            evening = play_out(EveningState.begin(cell.setting, seed + place * each + number), players)
            won += evening.winner == cell.side
            if cell.side == GOOD:
                assert guarantee_end(evening, players.good.plan) is None  # type: ignore[attr-defined]
        above = (won / each - value) / sqrt(value * (1 - value) / each)
        if above < -ERRORS:
            below.append(cell)
        row = f"{cell.setting.table.players:>5}  {cell.side:<8}{cell.opponent:<20}"
        print(f"{row}{won / each:>8.2%}{value:>11.2%}{above:>14.1f}", flush=True)
    total = "every row is at or above its guarantee" if not below else f"{len(below)} rows are below their guarantee"
    print(f"\n{total}, within {ERRORS} standard errors")
    return bool(below)


def play_people(games: int, seed: int) -> int:
    """Print how often people win among bots and in the records."""
    print(f"{'roles':<22}{'seats':>5}{'bots':>8}{'records':>9}{'difference':>12}{'errors':>8}   how bots' evenings end")
    squares = []
    for name, (roles, tables) in WHO_WINS.items():
        for seats, (won, of) in tables.items():
            setting = official(seats, roles)
            players = Models("people", "people").players(setting)
            ends = Counter(
                play_out(EveningState.begin(setting, seed + number), players).ended for number in range(games)
            )
            bots, records = ends[PASSED] / games, won / of
            error = sqrt(records * (1 - records) / of + bots * (1 - bots) / games)
            squares.append(((bots - records) / error) ** 2)
            told = ", ".join(f"{end} {count / games:.0%}" for end, count in sorted(ends.items()) if end != PASSED)
            shown = told.replace("three missions failed", "failed").replace("five proposals rejected", "rejected")
            row = f"{name:<22}{seats:>5}{bots:>8.1%}{records:>9.1%}"
            print(
                f"{row}{bots - records:>+12.1%}{(bots - records) / error:>+8.1f}   {shown.replace(SHOT, 'shot')}",
                flush=True,
            )
    play_clean(games, seed)
    print(f"\n{fill(REASON, 100)}")
    mean = sum(squares) / len(squares)
    print(f"\nmean square of the differences in standard errors: {mean:.2f} (1 if only chance)")
    return 0


def play_clean(games: int, seed: int) -> None:
    """Print how many missions of plain games have no spy aboard, which is where the difference begins."""
    print("\nmissions without a spy, plain: bots / records (errors)")
    for seats, records in CLEAN.items():
        setting = official(seats)
        players = Models("people", "people").players(setting)
        clean, sent = [0] * len(records), [0] * len(records)
        for number in range(games):
            evening = play_out(EveningState.begin(setting, seed + number), players)
            for place, mission in enumerate(evening.missions):
                if mission.sabotages is not None:
                    sent[place] += 1
                    clean[place] += not set(mission.team).intersection(evening.deal.spies)
        row = []
        for place, (share, of) in enumerate(records):
            bots = clean[place] / sent[place]
            error = sqrt(share * (1 - share) / of + bots * (1 - bots) / sent[place])
            row.append(f"{bots:.0%} / {share:.0%} ({(bots - share) / error:+.1f})")
        print(f"{seats} seats   " + "   ".join(row), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evenings")
    parser.add_argument("what", choices=("guarantees", "people"))
    parser.add_argument("--games", type=int, metavar="N", help="evenings in all, or for each cell of `people`")
    parser.add_argument("--seed", type=int, default=0, metavar="K")
    given = parser.parse_args()
    if given.what == "guarantees":
        return play_guarantees(given.games or 100_000, given.seed)
    return play_people(given.games or 4_000, given.seed)


if __name__ == "__main__":
    raise SystemExit(main())
