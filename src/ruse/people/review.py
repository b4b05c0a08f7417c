"""An evening looked back on, once the roles are out: who could have known what when, and which votes gave it away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log

from ruse.people.beliefs import SeatKnowledge, beliefs_after
from ruse.people.model import PeopleModel
from ruse.people.model import model as fitted_model
from ruse.people.records import EveningRecord, letters
from ruse.people.situations import Seen, TableState
from ruse.people.tables import SPY_ROLES, RecordError, members, seat_sets

TELLING = 1.5  # how many times as likely from a spy a vote has to be to be worth telling
MOST_TOLD = 5


@dataclass(frozen=True)
class Known:
    """What a loyal seat could know after a mission."""

    mission: int  # from 1
    seat: int
    proved: int  # bits of seats that the facts prove to be spies
    cleared: int  # and that they prove to be loyal, the seat itself left out
    odds: float  # how likely the actual spies are the spies, by the model of people


@dataclass(frozen=True)
class TellingVote:
    """A vote that a spy is likelier to give than a good seat, or the other way round."""

    mission: int
    proposal: int
    team: int
    seat: int
    approves: bool
    ratio: float  # how many times as likely from the role that the seat has as from a seat that knows nothing


def known(record: EveningRecord, model: PeopleModel | None = None) -> Iterator[Known]:
    """What each loyal seat without a special role could have known after each mission."""
    roles, spies = _revealed(record)
    people = model or fitted_model()
    for seat, role in enumerate(roles):
        if role != "loyal":
            continue
        facts, weighed = (beliefs_after(record, SeatKnowledge(seat), people_model) for people_model in (None, people))
        for number, (sure, likely) in enumerate(zip(facts, weighed, strict=True), 1):
            proved = sum(1 << other for other, share in enumerate(sure.spies) if share > 1 - 1e-9)
            cleared = sum(1 << other for other, share in enumerate(sure.spies) if share < 1e-9 and other != seat)
            yield Known(number, seat, proved, cleared, likely.sets.get(spies, 0.0))


def telling_votes(record: EveningRecord, model: PeopleModel | None = None) -> list[TellingVote]:
    """The votes of spies and of Merlin that gave them away most, by how people vote."""
    roles, _ = _revealed(record)
    people = model or fitted_model()
    state, votes = TableState.begin(record.table, record.plain), []
    for number, mission in enumerate(record.missions, 1):
        for place, proposal in enumerate(mission.proposals, 1):
            for seat, vote in enumerate(proposal.votes or ()):
                seen = Seen.of(roles, seat)
                if seen.kind == "good":
                    continue
                odds, usual = (
                    people.vote_odds(state, proposal.leader, proposal.team, seat, view) for view in (seen, Seen("good"))
                )
                ratio = odds / usual if vote else (1 - odds) / (1 - usual)
                votes.append(TellingVote(number, place, proposal.team, seat, vote, ratio))
            state = state.after_proposal(proposal)
        if mission.sabotages is not None:
            state = state.after_mission(mission.team, mission.sabotages)
    telling = sorted((vote for vote in votes if vote.ratio >= TELLING), key=lambda vote: -vote.ratio)
    return telling[:MOST_TOLD]


def review(record: EveningRecord, model: PeopleModel | None = None) -> list[str]:
    """The review in sentences."""
    roles, spies = _revealed(record)
    people = model or fitted_model()
    lines = [f"The spies were {_names(record, spies)}."]
    alone: dict[int, int] = {}  # what a seat could be sure of, beyond what the cards proved to everybody
    for number in range(1, len(record.played) + 1):
        seats = [view for view in known(record.before(number), people) if view.mission == number]
        if not seats:
            continue
        share = exp(sum(log(max(view.odds, 1e-9)) for view in seats) / len(seats))
        proved = seats[0].proved
        for view in seats:
            proved &= view.proved
        sure = f"the cards proved {_names(record, proved)} to be spies" if proved else "the cards proved nobody a spy"
        lines.append(
            f"After mission {number} {sure}. Somebody loyal who weighs votes and teams too gives these spies "
            f"{100 * share:.0f}%, where a guess among all has {100 / len(_guesses(record)):.0f}%."
        )
        for view in seats:
            if view.proved & ~proved and view.proved != alone.get(view.seat):
                alone[view.seat] = view.proved
                lines.append(f"  {record.name(view.seat)} could be sure of {_names(record, view.proved)} by then.")
    lines += [_vote_text(record, roles, vote) for vote in telling_votes(record, people)] or [
        "No vote of a spy stood out."
    ]
    return lines


def _vote_text(record: EveningRecord, roles: tuple[str, ...], vote: TellingVote) -> str:
    role = roles[vote.seat]
    kind = "a spy" if role in SPY_ROLES else role.capitalize()
    return (
        f"{record.name(vote.seat)} {'approved' if vote.approves else 'rejected'} {letters(vote.team)} "
        f"(mission {vote.mission}, proposal {vote.proposal}): {vote.ratio:.1f} times as likely from {kind} as from "
        "somebody who knows nothing."
    )


def _guesses(record: EveningRecord) -> list[int]:
    """The sets of spies that somebody loyal may guess from, before anything happened."""
    return [spies for spies in seat_sets(record.players, record.table.spies) if not spies & 1]


def _names(record: EveningRecord, seats: int) -> str:
    names = [record.name(seat) for seat in members(seats)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def _revealed(record: EveningRecord) -> tuple[tuple[str, ...], int]:
    if record.roles is None or record.spies is None:
        raise RecordError("a review needs the roles; add them to the record")
    return record.roles, record.spies
