"""The record of a real evening of The Resistance: who sat where, who went, and how many sabotages appeared.

A record is refused with a reason where no spies could have caused it. companion-record.js keeps the same records in
the browser and refuses the same ones in the same words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.games.resistance import notation
from ruse.games.resistance.notation import listed
from ruse.games.resistance.table import POINTS_TO_WIN, Table, make_table, seat_count, spy_count
from ruse.people.tables import RecordError

KIND, VERSION = "ruse evening", 1
MOST_NAME = 24  # characters
MOST_BYTES = 1 << 20  # of a file
MOST_DEALS = 20_000  # sets of spies that are looked at one by one
USUAL_SLIP = Fraction(1, 10)
Seats = tuple[int, ...]  # sorted


@dataclass(frozen=True)
class Round:
    """A mission as the table saw it."""

    team: Seats
    sabotages: int
    leader: int | None = None
    against: Seats | None = None  # who voted against the team; None where nobody wrote that down


@dataclass(frozen=True)
class OwnSeat:
    """What the person who asks knows of their own seat."""

    seat: int
    loyal: bool = True
    partners: Seats = ()  # the other spies that a spy knows
    deals: frozenset[Seats] | None = None  # the only sets of spies that fit what a role of Avalon shows

    def fits(self, spies: Iterable[int]) -> bool:
        """Whether these may be the spies."""
        if self.deals is not None:
            return tuple(sorted(spies)) in self.deals
        spy_set = set(spies)
        return self.seat not in spy_set if self.loyal else spy_set.issuperset((self.seat, *self.partners))


@dataclass(frozen=True)
class Evening:
    """A game as it was written down; `checked` says whether it can have happened."""

    table: Table
    names: tuple[str, ...]
    rounds: tuple[Round, ...] = ()
    role: OwnSeat | None = None
    slip: Fraction = USUAL_SLIP
    revealed: Seats | None = None  # who the spies were, once that is out
    title: str = ""

    @staticmethod
    def begin(table: Table, names: Sequence[str] = ()) -> Evening:
        """An evening before its first mission; seats without a name are called by their letters."""
        given = [name.strip() for name in names] or [""] * table.players
        display_names = (name or notation.seats([seat]).upper() for seat, name in enumerate(given[: table.players + 1]))
        return Evening(table, tuple(display_names)).checked()

    def passed(self, number: int) -> bool:
        return self.rounds[number].sabotages < self.table.sabotages[number]

    @property
    def results(self) -> str:
        return "".join("-+"[self.passed(number)] for number in range(len(self.rounds)))

    @property
    def score(self) -> tuple[int, int]:
        return self.results.count("+"), self.results.count("-")

    @property
    def over(self) -> bool:
        return POINTS_TO_WIN in self.score

    @property
    def position(self) -> notation.MissionHistory:
        """The missions without the counts of sabotages, as strategies list them."""
        done = tuple((round.team, self.passed(number)) for number, round in enumerate(self.rounds))
        return notation.MissionHistory(None, done, None)

    def deals(self) -> list[Seats]:
        """The sets of spies that the facts allow: k sabotages at once prove that at least k spies were aboard."""
        sets = combinations(range(self.table.players), self.table.spies)
        shown = [(set(round.team), round.sabotages) for round in self.rounds if round.sabotages]
        return [spies for spies in sets if all(len(team.intersection(spies)) >= count for team, count in shown)]

    def named(self, seats: Iterable[int]) -> str:
        """Names in a sentence: "Ann, Ben and Cleo"."""
        return listed([self.names[seat] for seat in seats])

    # Changes; each gives another evening, and none that cannot be.

    def add(self, round: Round) -> Evening:
        return replace(self, rounds=(*self.rounds, round)).checked()

    def edit(self, number: int, round: Round) -> Evening:
        if not 0 <= number < len(self.rounds):
            raise RecordError(f"expected a mission that was recorded, got mission {number + 1}")
        return replace(self, rounds=(*self.rounds[:number], round, *self.rounds[number + 1 :])).checked()

    def checked(self) -> Evening:
        """This evening, or a RecordError that says why it cannot have happened."""
        check_names(self.table, self.names)
        if self.table.spy_sets > MOST_DEALS:
            raise RecordError(
                f"expected a table with at most {MOST_DEALS:,} possible sets of spies, got {self.table.spy_sets:,}"
            )
        for number, round in enumerate(self.rounds):
            if POINTS_TO_WIN in replace(self, rounds=self.rounds[:number]).score:
                raise RecordError(
                    f"expected no mission once a side has {POINTS_TO_WIN} points, got mission {number + 1}"
                )
            self._check_round(number, round)
        deals = self.deals()
        if not deals:
            shown = [
                f"{round.sabotages} on mission {number + 1}"
                for number, round in enumerate(self.rounds)
                if round.sabotages
            ]
            raise RecordError(f"expected sabotages that {spy_count(self.table.spies)} could cause, got {listed(shown)}")
        self._check_role(deals)
        if not 0 <= self.slip <= 1:
            raise RecordError(f"expected a chance of slips from 0 to 1, got {rationals.brief(self.slip)}")
        if self.revealed is not None and not set(self.revealed).issubset(range(self.table.players)):
            raise RecordError(f"expected seats of this table as the spies, got {list(self.revealed)}")
        if self.revealed is not None and self.revealed not in deals:
            spies = spy_count(self.table.spies)
            raise RecordError(f"expected {spies} who could cause these missions, got {self.named(self.revealed)}")
        return self

    def _check_round(self, number: int, round: Round) -> None:
        mission, size = f"mission {number + 1}", self.table.missions[number]
        for relation, seats in (("on", round.team), ("against", round.against or ())):
            if len(set(seats)) < len(seats) or not set(seats).issubset(range(self.table.players)):
                raise RecordError(f"expected different seats of this table {relation} {mission}, got {list(seats)}")
        if len(round.team) != size:
            raise RecordError(f"expected {seat_count(size)} on {mission}, got {len(round.team)}")
        if round.sabotages < 0:
            raise RecordError(f"expected 0 or more sabotages on {mission}, got {round.sabotages}")
        if round.sabotages > self.table.spies:
            raise RecordError(
                f"expected at most {self.table.spies} sabotages on {mission}, "
                f"as there are only {spy_count(self.table.spies)}, got {round.sabotages}"
            )
        if round.sabotages > size:
            raise RecordError(
                f"expected at most {size} sabotages on {mission}, as only {seat_count(size)} went, "
                f"got {round.sabotages}"
            )
        if round.leader is not None and not 0 <= round.leader < self.table.players:
            raise RecordError(f"expected a leader of {mission} who sits at this table, got seat {round.leader + 1}")

    def _check_role(self, deals: list[Seats]) -> None:
        role = self.role
        if role is None:
            return
        known = (role.seat, *role.partners)
        if len(set(known)) < len(known) or not set(known).issubset(range(self.table.players)):
            raise RecordError(f"expected different seats of this table as you and your partners, got {list(known)}")
        if len(role.partners) > (0 if role.loyal else self.table.spies - 1):
            most = "no partners of a loyal seat" if role.loyal else f"at most {self.table.spies - 1} other spies"
            raise RecordError(f"expected {most}, got {self.named(role.partners)}")
        if not any(role.fits(spies) for spies in deals):
            got = f"{self.names[role.seat]} as loyal" if role.loyal else f"{self.named(sorted(known))} as spies"
            raise RecordError(f"expected a role that the missions allow, got {got}")

    # Files.

    def to_json(self) -> dict[str, Any]:
        """What a saved evening holds, without what is private to a browser (its undo)."""
        role = self.role
        return {
            "kind": KIND,
            "version": VERSION,
            "title": self.title,
            "table": self.table.parameters,
            "names": list(self.names),
            "rounds": [
                {
                    "team": list(round.team),
                    "sabotages": round.sabotages,
                    "leader": round.leader,
                    "against": None if round.against is None else list(round.against),
                }
                for round in self.rounds
            ],
            "role": None if role is None else {"seat": role.seat, "loyal": role.loyal, "partners": list(role.partners)},
            "slip": float(self.slip),
            "revealed": None if self.revealed is None else list(self.revealed),
        }


def check_names(table: Table, names: Sequence[str]) -> None:
    if len(names) != table.players:
        raise RecordError(f"expected {table.players} names, got {len(names)}")
    for number, name in enumerate(names):
        if not name.strip() or len(name) > MOST_NAME:
            raise RecordError(f"expected names of 1 to {MOST_NAME} characters, got {json.dumps(name[:40])}")
        if name in names[:number]:
            raise RecordError(f"expected different names, got {json.dumps(name, ensure_ascii=False)} twice")


def load(path: Path) -> Evening:
    """The evening in a file."""
    return read(load_text(path))


def load_text(path: Path) -> str:
    """The text of a file, if it is short enough to hold an evening."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RecordError(f"the saved evening {path} has more than {MOST_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"this is not a saved evening: {path} is not text") from error


def read(text: str) -> Evening:
    """The evening that a file holds: what `to_json` wrote, or a summary, which carries the same within a page."""
    _, tag, rest = text.partition('<script type="application/json" id="evening">')
    try:
        record = json.loads(rest.partition("</script>")[0] if tag else text)
    except (ValueError, RecursionError) as error:
        raise RecordError("this is not a saved evening: it is not JSON") from error
    return from_json(record)


def check_kind(record: Any, kind: str) -> None:
    """Refuse what is no saved evening of a kind, or one that a later version wrote."""
    if not isinstance(record, Mapping) or record.get("kind") != kind:
        raise RecordError(f"this is not a saved evening of kind {kind!r}")
    if record.get("version") != VERSION:
        raise RecordError(f"expected an evening of version {VERSION}, got {record.get('version')!r}")


def from_json(record: Any) -> Evening:
    check_kind(record, KIND)
    try:
        table, role, revealed = record["table"], record.get("role"), record.get("revealed")
        return Evening(
            make_table(table["players"], table["spies"], _whole(table["missions"]), _whole(table["sabotages"])),
            tuple(str(name) for name in record["names"]),
            tuple(_round(round) for round in record["rounds"]),
            None if role is None else OwnSeat(_number(role["seat"]), bool(role["loyal"]), _seats(role["partners"])),
            Fraction(str(record.get("slip", float(USUAL_SLIP)))),
            None if revealed is None else _seats(revealed),
            str(record.get("title", "")),
        ).checked()
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, RuseError):
            raise
        raise RecordError(f"this evening is damaged: its {_missing(error)} cannot be read") from error


def _round(record: Mapping[str, Any]) -> Round:
    leader, against = record.get("leader"), record.get("against")
    return Round(
        _seats(record["team"]),
        _number(record["sabotages"]),
        None if leader is None else _number(leader),
        None if against is None else _seats(against),
    )


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(value)
    return value


def _whole(values: Iterable[object]) -> list[int]:
    return [_number(value) for value in values]


def _seats(values: Iterable[object]) -> Seats:
    return tuple(sorted(_whole(values)))


def _missing(error: Exception) -> str:
    return str(error.args[0]) if isinstance(error, KeyError) else "numbers or lists"
