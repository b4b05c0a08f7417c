"""Positions of The Resistance in text, and the one position that represents all its renamings.

`/ab+/abc-` two missions, seats as letters, + passed, - failed; `/abc?` a mission that is out;
`@bd/ab+/abc?` what spies b and d know there. Two positions are alike when renaming seats turns one into
the other; the one that represents them is that in which the seats most often aboard have the first letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ruse.core.game import PositionError
from ruse.games.resistance.table import POINTS_TO_WIN, Table

STEP = re.compile(r"([a-z]+)([-+?])(\d*)")
LONGEST = 1_000  # characters of a position


def seats(numbers: Iterable[int]) -> str:
    """(0, 1, 3) as "abd"."""
    return "".join(chr(ord("a") + number) for number in numbers)


def listed(words: Sequence[str]) -> str:
    """Words or seats in a sentence: "Ann, Ben and Cleo", "a, b and d"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]])) or "nobody"


def read_seats(text: str, table: Table) -> tuple[int, ...]:
    """The seats of a text such as "bda": (0, 1, 3), if the table has them."""
    numbers = sorted(ord(letter) - ord("a") for letter in text)
    last = seats([table.players - 1])
    if not text or numbers[0] < 0 or numbers[-1] >= table.players or len(set(numbers)) < len(numbers):
        raise PositionError(f"expected different seats from a to {last}, got {text!r}")
    return tuple(numbers)


@dataclass(frozen=True)
class MissionHistory:
    """A public history, with the spies where they are known."""

    spies: tuple[int, ...] | None
    done: tuple[tuple[tuple[int, ...], bool], ...]  # missions and whether each passed
    out: tuple[int, ...] | None

    @property
    def score(self) -> tuple[int, int]:
        passed = sum(ok for _, ok in self.done)
        return passed, len(self.done) - passed

    @property
    def missions(self) -> tuple[tuple[int, ...], ...]:
        return tuple(mission for mission, _ in self.done) + ((self.out,) if self.out is not None else ())

    def text(self, table: Table) -> str:
        spies = "" if self.spies is None else f"@{seats(self.spies)}"
        steps = [f"/{seats(mission)}{'-+'[passed]}" for mission, passed in self.done]
        return table.title + spies + "".join(steps) + ("" if self.out is None else f"/{seats(self.out)}?")

    def names(self, players: int) -> dict[int, int]:
        """The renaming to the representative position: seats most often aboard first, then spies before the loyal."""

        def record(seat: int) -> tuple[bool, ...]:
            aboard = tuple(seat not in mission for mission in self.missions)
            return aboard if self.spies is None else (*aboard, seat not in self.spies)

        return {seat: place for place, seat in enumerate(sorted(range(players), key=record))}

    def renamed(self, names: dict[int, int]) -> MissionHistory:
        def rename(group: tuple[int, ...] | None) -> tuple[int, ...] | None:
            return None if group is None else tuple(sorted(names[seat] for seat in group))

        done = tuple((tuple(sorted(names[seat] for seat in mission)), passed) for mission, passed in self.done)
        return MissionHistory(rename(self.spies), done, rename(self.out))


def split(title: str, text: str, step: str = "mission") -> tuple[str, list[str]]:
    """What follows the title of a game in a position: the spies, or nothing, and the steps."""
    if not text.startswith(title) or len(text) > LONGEST:
        raise PositionError(f"expected a position of {title}, got {text[:80]!r}")
    head, *steps = text[len(title) :].split("/")
    if head and not head.startswith("@"):
        raise PositionError(f"expected {title}, @ and the spies, or / and a {step}, got {text[:80]!r}")
    return head[1:], steps


def read_mission(table: Table, score: tuple[int, int], step: str) -> tuple[tuple[int, ...], str, str]:
    """The seats of the next mission, its result (+, - or ?), and how many sabotages there were if the step says so."""
    match = STEP.fullmatch(step)
    if match is None:
        raise PositionError(f"expected seats and +, - or ?, such as 'ab+', got {step[:40]!r}")
    return check_mission(table, score, match[1], step), match[2], match[3]


def check_mission(table: Table, score: tuple[int, int], letters: str, step: str) -> tuple[int, ...]:
    """The seats of the next mission at a score, where there is one and they are as many as it sends."""
    if POINTS_TO_WIN in score:
        raise PositionError(f"expected no mission once a side has {POINTS_TO_WIN} points, got {step!r}")
    mission, number = read_seats(letters, table), sum(score)
    if len(mission) != table.missions[number]:
        raise PositionError(f"expected {table.missions[number]} seats on mission {number + 1}, got {step!r}")
    return mission


def read(table: Table, text: str) -> MissionHistory:
    """The position that a text means, checked against the rules of the table."""
    letters, steps = split(table.title, text)
    spies = read_seats(letters, table) if letters or text.startswith(f"{table.title}@") else None
    if spies is not None and len(spies) != table.spies:
        raise PositionError(f"expected {table.spies} spies after @, got {letters!r}")
    position = MissionHistory(spies, (), None)
    for number, step in enumerate(steps):
        if position.out is not None:
            raise PositionError(f"expected nothing after a mission under way, got {step!r}")
        mission, result, count = read_mission(table, position.score, step)
        if count:
            raise PositionError(f"expected seats and +, - or ?, such as 'ab+', got {step!r}")
        if result == "?":
            position = replace(position, out=mission)
            continue
        position = replace(position, done=(*position.done, (mission, result == "+")))
        aboard = len(set(mission).intersection(spies or mission))
        if result == "-" and aboard < table.sabotages[number]:
            raise PositionError(f"expected {table.sabotages[number]} spies aboard a failed mission, got {step!r}")
    return position


def representative_position(table: Table, text: str, side: int) -> tuple[str, Callable[[str], str]]:
    """The position that represents the one that `text` means, and a function from its moves to the moves here."""
    position = read(table, text)
    if side == 1 and position.spies is None:  # which its strategy does not list
        return text, str
    if side == 0 and position.spies is not None:
        position = MissionHistory(None, position.done, position.out)
    names = position.names(table.players)
    back = {place: seat for seat, place in names.items()}

    def here(move: str) -> str:
        if move in ("pass", "sabotage"):
            return move
        return seats(sorted(back[place] for place in read_seats(move, table)))

    return position.renamed(names).text(table), here


def representative_move(table: Table, position: str, mission: str) -> tuple[str, str]:
    """The position that represents one of the resistance, and the name of a mission there."""
    position_before, _, step = representative_position(table, f"{position}/{mission}?", 0)[0].rpartition("/")
    return position_before, step.rstrip("?")


def gloss(table: Table, position: str, move: str) -> str:
    """Which missions a move stands for: how many of each group of seats with the same record."""
    if move in ("pass", "sabotage"):
        return ""
    missions, sent = read(table, position).missions, read_seats(move, table)
    groups: dict[tuple[bool, ...], list[int]] = {}
    for seat in range(table.players):
        groups.setdefault(tuple(seat in mission for mission in missions), []).append(seat)
    parts = []
    for group in groups.values():
        count = len(set(group).intersection(sent))
        if count:
            parts.append(seats(group) if count == len(group) else f"{count} of {seats(group)}")
    return ", ".join(parts)
