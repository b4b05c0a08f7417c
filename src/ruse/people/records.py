"""Records of real evenings: seats, leaders, proposals, votes and missions, as JSON.

    {"players": 5, "roleset": ["merlin"], "roles": {"a": "merlin", …}, "missions": [
        {"proposals": [{"leader": "a", "team": "ae", "votes": {"a": true, …}}], "sabotages": 0, "saboteurs": ""}]}

Seats are letters. Only `players` and `missions` are needed; what else such a file holds is left alone. `votes` may be
absent or null where nobody wrote them down. `sabotages` is null, or absent, while a mission is not played yet, or where
five proposals were rejected. A record that contradicts itself is refused in one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ruse.people.tables import (
    GOOD_ROLES,
    MISSIONS,
    POINTS_TO_WIN,
    PROPOSALS,
    SPECIAL_ROLES,
    SPY_ROLES,
    PeopleTable,
    RecordError,
    members,
    people_table,
)

MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Proposal:
    """A team that a leader put to the vote."""

    leader: int | None
    team: int  # bits of seats
    votes: tuple[bool, ...] | None = None  # by seat; None where nobody wrote them down

    @property
    def approved(self) -> bool | None:
        """Whether more than half approve; None where the votes are unknown."""
        return None if self.votes is None else 2 * sum(self.votes) > len(self.votes)


@dataclass(frozen=True)
class PlayedMission:
    """The proposals of a mission, and what came of the last one."""

    proposals: tuple[Proposal, ...]
    sabotages: int | None = None  # None: not played yet, or five proposals were rejected
    saboteurs: int | None = None  # bits of seats, where they are known

    @property
    def team(self) -> int:
        """The team that went, or the one proposed last."""
        return self.proposals[-1].team


@dataclass(frozen=True)
class EveningRecord:
    """A game as it was written down; `checked` says whether it can have happened."""

    table: PeopleTable
    roleset: tuple[str, ...] = ()
    missions: tuple[PlayedMission, ...] = ()
    roles: tuple[str, ...] | None = None  # by seat, once they are revealed
    names: tuple[str, ...] = ()
    shot: int | None = None  # whom the Assassin named

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def played(self) -> tuple[PlayedMission, ...]:
        """The missions that went."""
        return tuple(mission for mission in self.missions if mission.sabotages is not None)

    @property
    def score(self) -> tuple[int, int]:
        """Missions passed and failed."""
        failed = sum(
            (mission.sabotages or 0) >= needed
            for mission, needed in zip(self.played, self.table.sabotages, strict=False)
        )
        return len(self.played) - failed, failed

    @property
    def over(self) -> bool:
        """Whether three missions passed or failed, or five proposals were rejected."""
        last = self.missions[-1] if self.missions else None
        rejected = last is not None and last.sabotages is None and len(last.proposals) == PROPOSALS
        return POINTS_TO_WIN in self.score or (rejected and last is not None and last.proposals[-1].approved is False)

    @property
    def spies(self) -> int | None:
        """The bits of the spies, once they are revealed."""
        if self.roles is None:
            return None
        return sum(1 << seat for seat, role in enumerate(self.roles) if role in SPY_ROLES)

    @property
    def plain(self) -> bool:
        """Whether nobody has a special role."""
        return not self.roleset

    def name(self, seat: int) -> str:
        """What a seat is called."""
        return self.names[seat] if self.names else letter(seat)

    def before(self, mission: int) -> EveningRecord:
        """The record as it was after so many missions."""
        return replace(self, missions=self.missions[:mission])

    def checked(self) -> EveningRecord:
        """The record itself. Raises RecordError with the reason if it contradicts itself."""
        _check_roles(self)
        if len(self.missions) > MISSIONS:
            raise RecordError(f"expected at most {MISSIONS} missions, got {len(self.missions)}")
        for number, mission in enumerate(self.missions):
            if self.before(number).over:
                raise RecordError(f"the game was over before mission {number + 1}; remove what comes after its end")
            _check_mission(self, number, mission)
        return self

    def to_json(self) -> dict[str, Any]:
        """The record as `read_record` reads it."""
        seats = [letter(seat) for seat in range(self.players)]
        record: dict[str, Any] = {"players": self.players, "roleset": list(self.roleset)}
        if self.names:
            record["names"] = dict(zip(seats, self.names, strict=True))
        if self.roles is not None:
            record["roles"] = dict(zip(seats, self.roles, strict=True))
        record["missions"] = [
            {
                "proposals": [
                    {
                        "leader": None if proposal.leader is None else letter(proposal.leader),
                        "team": letters(proposal.team),
                        "votes": None if proposal.votes is None else dict(zip(seats, proposal.votes, strict=True)),
                    }
                    for proposal in mission.proposals
                ],
                "sabotages": mission.sabotages,
                "saboteurs": None if mission.saboteurs is None else letters(mission.saboteurs),
            }
            for mission in self.missions
        ]
        if self.shot is not None:
            record["assassin"] = {"seat": None, "target": letter(self.shot), "hit": None}
        return record


def letter(seat: int) -> str:
    """The letter of a seat."""
    return chr(ord("a") + seat)


def letters(seats: int) -> str:
    """The letters of seats, given as bits."""
    return "".join(map(letter, members(seats)))


# Contradictions.


def _check_roles(record: EveningRecord) -> None:
    for role in record.roleset:
        if role not in SPECIAL_ROLES:
            raise RecordError(f"unknown role {role!r} in the role set; expected some of {', '.join(SPECIAL_ROLES)}")
        if record.roleset.count(role) > 1:
            raise RecordError(f"expected each special role once, got {role} twice")
    evil = [role for role in record.roleset if role in SPY_ROLES]
    if len(evil) > record.table.spies:
        raise RecordError(f"{record.players} seats have {record.table.spies} spies, too few for {', '.join(evil)}")
    good = [role for role in record.roleset if role not in SPY_ROLES]
    if len(good) > record.table.loyal:
        raise RecordError(
            f"{record.players} seats have {record.table.loyal} loyal seats, too few for {', '.join(good)}"
        )
    if record.roles is None:
        return
    spies = sum(role in SPY_ROLES for role in record.roles)
    if spies != record.table.spies:
        raise RecordError(f"expected {record.table.spies} spies among {record.players} seats, got {spies}")
    for role in SPECIAL_ROLES:
        if record.roles.count(role) != (role in record.roleset):
            raise RecordError(
                f"the role set has {role} {record.roleset.count(role)} times, the seats {record.roles.count(role)}"
            )


def _check_mission(record: EveningRecord, number: int, mission: PlayedMission) -> None:
    label, table = f"mission {number + 1}", record.table
    if mission.sabotages is None and number + 1 < len(record.missions):
        raise RecordError(f"{label} has no number of sabotages, but another mission follows it")
    if len(mission.proposals) > PROPOSALS:
        raise RecordError(
            f"{label} has {len(mission.proposals)} proposals; after {PROPOSALS} rejected ones the game is over"
        )
    if not mission.proposals and mission.sabotages is not None:
        raise RecordError(f"{label} was played without a team; add the proposal that was approved")
    for place, proposal in enumerate(mission.proposals):
        size = proposal.team.bit_count()
        if size != table.missions[number]:
            raise RecordError(f"expected {table.missions[number]} seats on {label}, got {letters(proposal.team)}")
        last = place + 1 == len(mission.proposals)
        if proposal.approved and not last:
            raise RecordError(f"proposal {place + 1} of {label} was approved, but another proposal follows it")
        if proposal.approved is False and last and mission.sabotages is not None:
            raise RecordError(f"{label} was played, but its last proposal {letters(proposal.team)} was rejected")
    if mission.sabotages is not None:
        _check_cards(record, label, mission, mission.sabotages)


def _check_cards(record: EveningRecord, place: str, mission: PlayedMission, sabotages: int) -> None:
    size, table = mission.team.bit_count(), record.table
    shown = f"{sabotages} sabotage{'s' * (sabotages != 1)}"
    if not 0 <= sabotages <= min(size, table.spies):
        aboard = f"{size} seats" if size < table.spies else f"only {table.spies} spies"
        raise RecordError(f"{place} cannot show {shown} with {aboard}")
    if record.spies is not None and sabotages > (record.spies & mission.team).bit_count():
        spies = (record.spies & mission.team).bit_count()
        raise RecordError(f"{place} shows {shown}, but only {spies} of its seats are spies")
    if mission.saboteurs is not None:
        if mission.saboteurs & ~mission.team:
            raise RecordError(f"{letters(mission.saboteurs & ~mission.team)} sabotaged {place} without being aboard")
        if mission.saboteurs.bit_count() != sabotages:
            raise RecordError(f"{place} shows {shown}, but names {mission.saboteurs.bit_count()} seats that sabotaged")
        if record.spies is not None and mission.saboteurs & ~record.spies:
            raise RecordError(f"{letters(mission.saboteurs & ~record.spies)} sabotaged {place}, but is no spy")


# Reading.


def load_record(path: Path) -> EveningRecord:
    """The record in a file."""
    if path.stat().st_size > MOST_BYTES:
        raise RecordError(f"{path} is too large to be the record of an evening")
    try:
        return read_record(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"{path} is not a record of an evening: it is not JSON") from error


def is_record(record: object) -> bool:
    """Whether JSON looks like a record of proposals and votes."""
    return isinstance(record, Mapping) and "players" in record and "missions" in record


def read_record(record: Any) -> EveningRecord:
    """A record of JSON's objects and lists, checked. Raises RecordError."""
    if not is_record(record):
        raise RecordError("expected a record with players and missions")
    players = record["players"]
    if not isinstance(players, int) or isinstance(players, bool):
        raise RecordError(f"expected a number of players, got {players!r}")
    table = people_table(players)
    if isinstance(own := record.get("table"), Mapping) and any(
        list(own.get(name) or []) != list(sizes)
        for name, sizes in (("missions", table.missions), ("sabotages", table.sabotages))
    ):
        raise RecordError("this record has a table of its own; the model of people knows the official ones only")
    roleset = _list(record.get("roleset") or [], "roleset")
    names = record.get("names")
    made = EveningRecord(
        table,
        tuple(str(role) for role in roleset if role != "assassin"),
        tuple(_read_mission(table, mission) for mission in _list(record["missions"], "missions")),
        None if not record.get("roles") else _read_roles(table, record["roles"]),
        () if not names else _by_seat(table, names, "name", str),
        _read_shot(table, record.get("assassin")),
    )
    return made.checked()


def _list(value: object, name: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise RecordError(f"expected {name} to be a list, got {value!r:.40}")
    return value


def _read_roles(table: PeopleTable, roles: object) -> tuple[str, ...]:
    def read(role: object) -> str:
        known = {"assassin": "minion", "servant": "loyal", "spy": "minion"}.get(str(role), str(role))
        if known not in (*GOOD_ROLES, *SPY_ROLES):
            raise RecordError(f"unknown role {role!r}; expected one of {', '.join((*GOOD_ROLES, *SPY_ROLES))}")
        return known

    return _by_seat(table, roles, "role", read)


def _by_seat(table: PeopleTable, values: object, name: str, read: Any) -> tuple[Any, ...]:
    """A value for each seat, from an object with a letter for each."""
    if not isinstance(values, Mapping):
        raise RecordError(f"expected a {name} for each seat, got {values!r:.40}")
    for seat in values:
        read_seats(table, seat, f"a {name}")
    if missing := [letter(seat) for seat in range(table.players) if letter(seat) not in values]:
        raise RecordError(f"expected a {name} of every seat, got none of {', '.join(missing)}")
    return tuple(read(values[letter(seat)]) for seat in range(table.players))


def read_seats(table: PeopleTable, text: object, name: str) -> int:
    """Letters as the bits of seats; each has to be there, and once."""
    seats = 0
    for sign in text if isinstance(text, str) else [text]:
        seat = ord(sign) - ord("a") if isinstance(sign, str) and len(sign) == 1 else -1
        if not 0 <= seat < table.players:
            raise RecordError(
                f"there is {name} of seat {sign!r:.20}, but the seats are a to {letter(table.players - 1)}"
            )
        if seats >> seat & 1:
            raise RecordError(f"expected each seat once, got {text!r}")
        seats |= 1 << seat
    return seats


def _read_mission(table: PeopleTable, mission: object) -> PlayedMission:
    if not isinstance(mission, Mapping):
        raise RecordError(f"expected a mission with proposals and sabotages, got {mission!r:.40}")
    proposals = tuple(
        _read_proposal(table, proposal) for proposal in _list(mission.get("proposals") or [], "proposals")
    )
    sabotages, saboteurs = mission.get("sabotages"), mission.get("saboteurs")
    if sabotages is not None and (not isinstance(sabotages, int) or isinstance(sabotages, bool)):
        raise RecordError(f"expected a number of sabotages, got {sabotages!r:.40}")
    if saboteurs is not None:
        saboteurs = read_seats(table, saboteurs, "a sabotage")
    return PlayedMission(proposals, sabotages, saboteurs if sabotages is not None else None)


def _read_proposal(table: PeopleTable, proposal: object) -> Proposal:
    if not isinstance(proposal, Mapping) or not isinstance(proposal.get("team"), str):
        raise RecordError(f"expected a proposal with leader, team and votes, got {proposal!r:.40}")
    leader, votes = proposal.get("leader"), proposal.get("votes")
    if leader is not None:
        bits = read_seats(table, leader, "a leader")
        if bits.bit_count() != 1:
            raise RecordError(f"expected one leader, got {leader!r}")
        leader = members(bits)[0]
    return Proposal(
        leader,
        read_seats(table, proposal["team"], "a team member"),
        None if votes is None else _by_seat(table, votes, "vote", _read_vote),
    )


def _read_vote(vote: object) -> bool:
    if not isinstance(vote, bool):
        raise RecordError(f"expected votes to be true or false, got {vote!r:.40}")
    return vote


def _read_shot(table: PeopleTable, assassin: object) -> int | None:
    if not isinstance(assassin, Mapping) or assassin.get("target") is None:
        return None
    target = read_seats(table, assassin["target"], "a shot")
    return members(target)[0] if target.bit_count() == 1 else None
