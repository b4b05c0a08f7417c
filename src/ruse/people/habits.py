"""How people play, in sentences with their counts, and what to do about it.

The counts are in counts.json beside this file (`python -m benchmarks.people count RECORDS`); *avalon* is every game
with Merlin. What solved spies do is checked against the solved games by tests/people/test_people_habits.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

from ruse.people.tables import PEOPLE_TABLES, people_table

PATH = Path(__file__).parent / "counts.json"
FEW = 20  # cells with fewer cases are left out of tables
PLAIN, AVALON = "plain", "avalon"
GAME_NAMES = {PLAIN: "The Resistance", AVALON: "Avalon"}
# How often a lone spy sabotages mission 1 in the stored optimal strategy, by seats.
SOLVED_FIRST_SABOTAGE = dict.fromkeys(PEOPLE_TABLES, 0)


@dataclass(frozen=True)
class Share:
    """k of n."""

    k: int
    n: int

    @property
    def share(self) -> float:
        return self.k / self.n

    def __str__(self) -> str:
        return f"{100 * self.share:.0f}% of {self.n:,}"


@dataclass(frozen=True)
class Habit:
    """Something that people do."""

    title: str
    finding: str
    advice: str
    head: tuple[str, ...] = ()  # of a table of counts
    rows: tuple[tuple[str, ...], ...] = ()


@cache
def counts() -> Mapping[str, Mapping[str, Sequence[int]]]:
    data: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return {name: cells for name, cells in data.items() if name != "source"}


def source() -> str:
    """Where the counts are from."""
    return str(json.loads(PATH.read_text(encoding="utf-8"))["source"])


def share(name: str, *keys: object) -> Share:
    """A share; a key that stands for several is a sum over all that begin like it."""
    key = " ".join(map(str, keys))
    cells = counts()[name]
    matching = [cells[key]] if key in cells else [cell for at, cell in cells.items() if at.startswith(f"{key} ")]
    return Share(sum(cell[0] for cell in matching), sum(cell[1] for cell in matching))


def by_seats(name: str, *keys: object) -> tuple[str, ...]:
    """A row of shares by seats, with blanks where there are few."""
    cells = [counts()[name].get(" ".join(map(str, (*keys, players))), (0, 0)) for players in PEOPLE_TABLES]
    return tuple(str(Share(*cell)) if cell[1] >= FEW else "" for cell in cells)


def habits() -> list[Habit]:
    """Everything that the page says, in order."""
    return [
        _first_sabotage(),
        _later_sabotages(),
        _both_sabotage(),
        _two_needed(),
        _outside_votes(),
        _sure_teams(),
        _spy_leaders(),
        _proposals(),
        _clean_teams(),
        _merlin(),
        _wins(),
    ]


SEATS = ("", *(f"{players} seats" for players in PEOPLE_TABLES))


def _first_sabotage() -> Habit:
    seven, all_avalon = share("lone spy, mission 1", PLAIN, 7), share("lone spy, mission 1", AVALON)
    return Habit(
        "A lone spy sabotages mission 1",
        f"In The Resistance with seven seats, a spy who is alone on mission 1 sabotages in {seven} "
        f"games; in Avalon, at "
        f"all tables, in {all_avalon}. The solved strategy never does, at any table from 5 to 10 seats. "
        f"With 5 to 7 seats "
        "the solved resistance wins as often after such a sabotage as without it.",
        f"A passed mission 1 makes it only {1 / (1 - seven.share):.1f} times as likely that its team had "
        f"no spy, so do not "
        "trust its seats for it. After a sabotage, leave all its seats at home.",
        SEATS,
        tuple((GAME_NAMES[game], *by_seats("lone spy, mission 1", game)) for game in (PLAIN, AVALON)),
    )


def _later_sabotages() -> Habit:
    stages = ("1 0-0", "2 1-0", "2 0-1", "3 2-0", "3 1-1", "3 0-2", "4 2-1", "4 1-2", "5 2-2")
    second, last = share("sabotaged", AVALON, 1, "2 1-0"), share("sabotaged", AVALON, 1, "5 2-2")
    spare = share("sabotaged", AVALON, 1, "3 2-0")
    return Habit(
        "From mission 2 on, spies mostly sabotage, but not always",
        f"A lone spy of Avalon sabotages mission 2 after a passed one in {second} cases, and mission 5 in {last}. Even "
        f"at 2-0, where a pass ends the missions, {100 * (1 - spare.share):.0f}% of {spare.n:,} let it pass.",
        f"A passed mission 2 makes it {1 / (1 - second.share):.0f} times as likely that its team had no "
        f"spy: good news, "
        "not proof. As a spy, sabotage whenever a pass would end the missions.",
        ("mission, score good-spies", *(stage.replace(" ", ", ") for stage in stages)),
        tuple(
            (f"{GAME_NAMES[game]}, {'a lone spy' if aboard == 1 else 'two spies'}", *_stage_row(game, aboard, stages))
            for game in (PLAIN, AVALON)
            for aboard in (1, 2)
        ),
    )


def _stage_row(game: str, aboard: int, stages: Sequence[str]) -> list[str]:
    cells = [counts()["sabotaged"].get(f"{game} {aboard} {stage}", (0, 0)) for stage in stages]
    return [str(Share(*cell)) if cell[1] >= 5 else "" for cell in cells]


def _both_sabotage() -> Habit:
    plain, avalon = share("both of two sabotage", PLAIN), share("both of two sabotage", AVALON)
    return Habit(
        "Two spies aboard often sabotage together",
        f"Where one sabotage is enough and two spies are aboard, both sabotage in {plain} missions of "
        f"The Resistance and "
        f"in {avalon} of Avalon. Two sabotages prove two spies; solved spies show exactly one.",
        "Agree among spies who sabotages, such as the one who sits next after the leader. On the other "
        "side, remember that "
        "one sabotage does not mean one spy aboard.",
    )


def _two_needed() -> Habit:
    alone, both = share("any sabotage, two needed", AVALON, 1), share("any sabotage, two needed", AVALON, 2)
    return Habit(
        "On a mission that takes two sabotages, a lone spy sabotages half the time",
        f"On mission 4 with seven or more seats, a lone spy of Avalon sabotages in {alone} cases although the mission "
        f"passes; of two spies at least one does in {both}.",
        "As a lone spy there, pass: a sabotage fails nothing and tells that a spy is aboard. As the "
        "others, take a mission 4 without any "
        "sabotage for much safer than one that merely passed.",
    )


def _outside_votes() -> Habit:
    good, spy = share("approves from outside", PLAIN, "good", 5), share("approves from outside", PLAIN, "spy", 5)
    other_good = share("approves from outside", AVALON, "good", 5)
    other_spy = share("approves from outside", AVALON, "spy", 5)
    early_good = share("approves from outside", PLAIN, "good", "1-2")
    early_spy = share("approves from outside", PLAIN, "spy", "1-2")
    return Habit(
        "On mission 5, approving a team from outside gives spies away",
        f"In The Resistance, good players approve a team for mission 5 that leaves them out in {good} votes, spies in "
        f"{spy}: {spy.share / good.share:.1f} times as often. In Avalon it is {other_good} and {other_spy}, "
        f"{other_spy.share / other_good.share:.1f} times. In missions 1 and 2 such votes say nothing: {early_good} and "
        f"{early_spy}.",
        "Reject every team for mission 5 that leaves you out, if you are loyal, and watch who does not. "
        "As a spy, reject "
        "as often as they do.",
        ("leaders' own votes and fifth proposals left out", "missions 1-2", "3-4", "5"),
        tuple(
            (
                f"{GAME_NAMES[game]}, {'good' if kind == 'good' else 'spies'}",
                *(str(share("approves from outside", game, kind, group)) for group in ("1-2", "3-4", "5")),
            )
            for game in (PLAIN, AVALON)
            for kind in ("good", "spy")
        ),
    )


def _sure_teams() -> Habit:
    plain, avalon = (share("good approves a team that must hold a spy", game) for game in (PLAIN, AVALON))
    return Habit(
        "Good players approve teams that must hold a spy",
        f"A team as large as the whole good side that leaves you out holds a spy for sure, if you are "
        f"good. Good players "
        f"approve it in {plain} votes of The Resistance and {avalon} of Avalon.",
        "Count seats before you vote: if the team is as large as the good side and you are not on it, "
        "reject it, unless it "
        "is the fifth proposal.",
    )


def _spy_leaders() -> Habit:
    five, seven = (share("spy leader takes another spy", PLAIN, players) for players in (5, 7))
    return Habit(
        "Spies who lead leave other spies at home",
        f"A spy who leads and goes himself takes another spy along in {five} teams with five seats and {seven} with "
        f"seven. Drawn at random it would be about {_random_spy(5):.0f}% and {_random_spy(7):.0f}%.",
        "If a leader turns out to be a spy, those he took along are a little less suspicious, and those he left out a "
        "little more.",
        SEATS,
        tuple((GAME_NAMES[game], *by_seats("spy leader takes another spy", game)) for game in (PLAIN, AVALON)),
    )


def _random_spy(players: int) -> float:
    """How often a random team of a spy has another, in percent: the mean over the five missions."""
    table = people_table(players)
    shares = [1 - comb(table.loyal, size - 1) / comb(players - 1, size - 1) for size in table.missions]
    return 100 * sum(shares) / len(shares)


def _proposals() -> Habit:
    first, second, fifth = (share("approved", PLAIN, number) for number in (1, 2, 5))
    lost = share("ends with five rejected", PLAIN), share("ends with five rejected", AVALON)
    return Habit(
        "First proposals pass, later ones fail, and the fifth is taken",
        f"In The Resistance, a first proposal is approved in {first} cases, a second in {second}, a "
        f"fifth in {fifth}. Five "
        f"rejections decide {lost[0]} games of The Resistance and {lost[1]} of Avalon.",
        "Loyal players are the majority: together they can reject any team before the fifth. Use the "
        "first proposals to "
        "hear what others think.",
        ("proposal", "1", "2", "3", "4", "5"),
        tuple(
            (GAME_NAMES[game], *(str(share("approved", game, number)) for number in range(1, 6)))
            for game in (PLAIN, AVALON)
        ),
    )


def _clean_teams() -> Habit:
    third, fifth = share("no spy aboard", AVALON, 5, 3), share("no spy aboard", AVALON, 5, 5)
    table = people_table(5)
    chances = [100 * comb(table.loyal, size) / comb(5, size) for size in (table.missions[2], table.missions[4])]
    return Habit(
        "Tables find clean teams far more often than chance",
        f"At five seats in Avalon, mission 3 goes without a spy in {third} cases (a random team: "
        f"{chances[0]:.0f}%), and "
        f"mission 5 in {fifth} (a random team: {chances[1]:.0f}%).",
        "Talk, votes and earlier teams carry information that the cards alone do not. The companion uses the votes and "
        "teams if you record them.",
        ("missions without a spy", "1", "2", "3", "4", "5"),
        tuple(
            (
                f"{GAME_NAMES[game]}, {players} seats",
                *(str(share("no spy aboard", game, players, number)) for number in range(1, 6)),
            )
            for game in (PLAIN, AVALON)
            for players in (5, 6, 7)
        ),
    )


def _merlin() -> Habit:
    five = share("Merlin found", 5)
    percival = share("Percival shot", 5)
    return Habit(
        "The Assassin finds Merlin more often than a guess would",
        f"In five-seat games that come to a shot, Merlin is found in {five}; a blind guess among the good finds him in "
        f"{100 / people_table(5).loyal:.0f}%. Where Percival plays, he takes the bullet in {percival}.",
        "As Merlin, approve a few teams with spies early. As Percival, behave as if you knew: vote like "
        "Merlin, and lead "
        "clean teams.",
        SEATS,
        (
            ("Merlin found", *by_seats("Merlin found")),
            ("a blind guess", *(f"{100 / table.loyal:.0f}%" for table in PEOPLE_TABLES.values())),
            ("Percival shot", *by_seats("Percival shot")),
        ),
    )


def _wins() -> Habit:
    plain, avalon = share("good wins", PLAIN), share("good wins", AVALON)
    return Habit(
        "The good side wins more than optimal play allows",
        f"The resistance wins {plain} games, and good wins {avalon} games with Merlin. Against optimal spies it could "
        "guarantee 30% with five seats and 26% with seven in The Resistance. People talk, and people who play spies do "
        "what solved spies would not.",
        "As a spy, begin with the habits above that solved spies do not have.",
        SEATS,
        tuple((GAME_NAMES[game], *by_seats("good wins", game)) for game in (PLAIN, AVALON)),
    )


def markdown() -> str:
    """The habits as part of a page of the documentation."""
    blocks = []
    for habit in habits():
        blocks += [f"### {habit.title}", habit.finding, f"**What to do.** {habit.advice}"]
        if habit.rows:
            lines = [habit.head, ("---",) * len(habit.head), *habit.rows]
            blocks.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n\n".join(blocks)
