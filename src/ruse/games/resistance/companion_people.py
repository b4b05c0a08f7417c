"""`ruse companion --from FILE --seat c --model people`: what somebody may believe after each mission of an evening.

Reads records of proposals and votes (`ruse.people.records`) and the companion's own files, of The Resistance and of
Avalon. Models:

    facts     every deal of roles that fits the sabotages, alike
    people    weighed by cards, votes and proposed teams, as people play (`ruse.people`)
    perfect   spies who follow the solved strategy; votes tell nothing then, and roles beside spy are left out
    slips     the same spies, who slip one time in ten, or as often as --slip says
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.core.registry import make, part
from ruse.games.resistance import companion_record
from ruse.games.resistance.companion import ResistanceCompanion, Solve, solved
from ruse.games.resistance.companion_record import USUAL_SLIP, Evening, OwnSeat, Round
from ruse.games.resistance.companion_terminal import display, percent, share
from ruse.games.resistance.table import OFFICIAL, make_table
from ruse.people.beliefs import FACTS, PEOPLE, Beliefs, SeatKnowledge, beliefs_after, viewer_of
from ruse.people.records import (
    EveningRecord,
    PlayedMission,
    Proposal,
    is_record,
    letter,
    read_record,
    read_seats,
)
from ruse.people.review import known, review, telling_votes
from ruse.people.tables import GOOD_ROLES, SPECIAL_ROLES, SPY_ROLES, RecordError, members, people_table
from ruse.present.console import print_json

MODELS = (FACTS, PEOPLE, "perfect", "slips")


def holds_record(source: Path) -> bool:
    """Whether a file is a record of proposals and votes, rather than an evening that the companion saved."""
    try:
        return is_record(json.loads(companion_record.load_text(source)))
    except (ValueError, RecursionError):
        return False


def assess(
    source: Path, seat: str | None, role: str | None, model: str | None, slip: str | None, as_json: bool, solve: Solve
) -> int:
    """Print what a seat may believe after each mission; without a seat, what anybody may."""
    name = model or PEOPLE
    if name not in MODELS:
        raise RecordError(f"unknown model {name!r}; expected one of {', '.join(MODELS)}")
    record, mine = read_evening(source)
    viewer = mine
    if seat is not None and (mine is None or role is not None or seat != letter(mine.seat)):
        viewer = _viewer(record, seat, role)
    if name in (FACTS, PEOPLE):
        after = beliefs_after(record, viewer, name)
        spies = [[*beliefs.spies] for beliefs in after]
    else:
        after = []
        spies = solved_beliefs(record, viewer, Fraction(0) if name == "perfect" else _slip(slip), solve)
    if as_json:
        print_json(assessment(record, viewer, name, spies, after))
    else:
        display("\n".join(text_lines(record, viewer, name, spies)))
    return 0


def assessment(
    record: EveningRecord, viewer: SeatKnowledge | None, model: str, spies: list[list[float]], after: list[Beliefs]
) -> dict[str, Any]:
    """What follows from a record, for programs."""
    seats = [letter(seat) for seat in range(record.players)]
    rows: list[dict[str, Any]] = [
        {"mission": number, "spies": dict(zip(seats, odds, strict=True))} for number, odds in enumerate(spies, 1)
    ]
    if "merlin" in record.roleset:
        for row, beliefs in zip(rows, after, strict=False):
            row["merlin"] = dict(zip(seats, beliefs.merlin, strict=True))
    content: dict[str, Any] = {
        "seat": None if viewer is None else letter(viewer.seat),
        "role": None if viewer is None else viewer.role,
        "model": model,
        "after": rows,
    }
    if record.roles is not None:
        content["review"] = {
            "known": [
                {
                    "mission": facts.mission,
                    "seat": letter(facts.seat),
                    "proved": [letter(other) for other in members(facts.proved)],
                    "cleared": [letter(other) for other in members(facts.cleared)],
                    "found": facts.odds,
                }
                for facts in known(record)
            ],
            "telling_votes": [
                {
                    "mission": vote.mission,
                    "proposal": vote.proposal,
                    "seat": letter(vote.seat),
                    "approves": vote.approves,
                    "ratio": vote.ratio,
                }
                for vote in telling_votes(record)
            ],
        }
    return content


def text_lines(record: EveningRecord, viewer: SeatKnowledge | None, model: str, spies: list[list[float]]) -> list[str]:
    """Show the probabilities in the terminal: one row per seat, one column per mission."""
    holder = "for anybody" if viewer is None else f"for {record.name(viewer.seat)}, {viewer.role}"
    if not spies:
        return ["No mission was played yet, so every seat is as likely a spy as any other."]
    lines = [f"Probability of being a spy {holder}, model {model}, after mission:"]
    lines.append("  ".join(["", " " * 12, *(f"{number:>6}" for number in range(1, len(spies) + 1))]).rstrip())
    for seat in range(record.players):
        shares = [percent(Fraction(odds[seat]).limit_denominator(10**6)) for odds in spies]
        lines.append("  ".join(["", f"{record.name(seat):<12}", *(f"{share:>6}" for share in shares)]))
    return [*lines, *(["", *review(record)] if record.roles is not None else [])]


def solved_beliefs(
    record: EveningRecord, viewer: SeatKnowledge | None, slip: Fraction, solve: Solve
) -> list[list[float]]:
    """Beliefs against the solved spies, from the missions alone."""
    table = make_table(record.players)
    _, tables = solved(solve(table.parameters))
    evening, beliefs = to_evening(record), []
    for number, facts in enumerate(beliefs_after(record, viewer, FACTS), 1):
        missions = replace(evening, rounds=evening.rounds[:number], revealed=None)
        role = None
        if viewer is not None:
            deals = frozenset(members(spies) for spies in facts.sets)
            role = OwnSeat(viewer.seat, viewer.role not in SPY_ROLES, deals=deals)
        odds = ResistanceCompanion(missions, tables).beliefs(slip, role).seats
        beliefs.append([float(share) for share in odds])
    return beliefs


def _viewer(record: EveningRecord, seat: str, role: str | None) -> SeatKnowledge:
    seats = members(read_seats(record.table, seat, "a view"))
    if len(seats) != 1:
        raise RecordError(f"expected one seat after --seat, such as c, got {seat!r}")
    if role is not None and role not in (*GOOD_ROLES, *SPY_ROLES):
        raise RecordError(f"unknown role {role!r}; expected one of {', '.join((*GOOD_ROLES, *SPY_ROLES))}")
    if role in SPECIAL_ROLES and role not in record.roleset:
        raise RecordError(f"this game has no {role}; its special roles are {', '.join(record.roleset) or 'none'}")
    return viewer_of(record, seats[0], role)


def _slip(slip: str | None) -> Fraction:
    chance = USUAL_SLIP if slip is None else share(slip)
    if not 0 <= chance <= 1:
        raise RecordError(f"expected a chance of slips from 0 to 1, got {slip}")
    return chance


# Both formats.


def read_evening(source: Path) -> tuple[EveningRecord, SeatKnowledge | None]:
    """A file of either format as a record, and whose view it holds."""
    text = companion_record.load_text(source)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None  # a summary, which is a page
    if is_record(data):
        record = read_record(data)
        return record, read_own_seat(record, data.get("me"))
    if isinstance(data, dict) and data.get("kind") not in (None, companion_record.KIND):
        reader = part(make(str(data.get("game", "avalon"))), "companion", "to_record")
        if reader is not None:
            record, viewer = reader(source)
            assert isinstance(record, EveningRecord)
            return record, viewer
    return from_evening(companion_record.read(text))


def read_own_seat(record: EveningRecord, me: object) -> SeatKnowledge | None:
    """What the person who kept the record knows: `{"seat": "c", "role": "merlin", "sees": "be"}`."""
    if not isinstance(me, dict) or not me.get("seat"):
        return None
    viewer = _viewer(record, str(me["seat"]), str(me.get("role") or "loyal"))
    if me.get("sees") is None:
        return viewer
    shown = read_seats(record.table, me["sees"], "a view")
    if viewer.role in SPY_ROLES and viewer.role != "oberon":
        shown |= 1 << viewer.seat
        full = shown.bit_count() == record.table.spies - ("oberon" in record.roleset)
    elif viewer.role == "merlin":
        full = shown.bit_count() == record.table.spies - ("mordred" in record.roleset)
    else:
        full = viewer.role == "percival" and shown.bit_count() == 1 + ("morgana" in record.roleset)
    return replace(viewer, sees=shown) if full else viewer


def from_evening(evening: Evening, roleset: tuple[str, ...] = ()) -> tuple[EveningRecord, SeatKnowledge | None]:
    """The record of an evening that the companion saved, in which every mission has one proposal."""
    table = evening.table
    if table.players not in OFFICIAL or not table.is_official:
        raise RecordError(
            "the model of people knows the official tables for 5 to 10 players; leave out --seat and --model"
        )
    seats = range(table.players)
    missions = tuple(
        PlayedMission(
            (
                Proposal(
                    round.leader,
                    sum(1 << seat for seat in round.team),
                    None if round.against is None else tuple(seat not in round.against for seat in seats),
                ),
            ),
            round.sabotages,
        )
        for round in evening.rounds
    )
    roles = None
    if evening.revealed is not None and not roleset:
        roles = tuple("minion" if seat in evening.revealed else "loyal" for seat in seats)
    record = EveningRecord(people_table(table.players), roleset, missions, roles, evening.names).checked()
    if (role := evening.role) is None:
        return record, None
    spies = sum(1 << seat for seat in (role.seat, *role.partners))
    full = not role.loyal and len(role.partners) == table.spies - 1
    return record, SeatKnowledge(role.seat, "loyal" if role.loyal else "minion", spies if full else None)


def to_evening(record: EveningRecord) -> Evening:
    """The missions of a record as the companion knows them."""
    names = record.names or tuple(letter(seat).upper() for seat in range(record.players))
    rounds = []
    for mission in record.played:
        votes = mission.proposals[-1].votes
        against = None if votes is None else tuple(seat for seat, vote in enumerate(votes) if not vote)
        rounds.append(Round(members(mission.team), mission.sabotages or 0, mission.proposals[-1].leader, against))
    revealed = None if record.spies is None else members(record.spies)
    return Evening(make_table(record.players), names, tuple(rounds), revealed=revealed).checked()
