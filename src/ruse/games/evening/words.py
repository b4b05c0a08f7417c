"""An evening in words and pictures: what has happened, what comes next, the table, and the history as a grid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ruse.games.evening.judge import judge_of
from ruse.games.evening.models import OPTIMAL, PEOPLE
from ruse.games.evening.plan import in_words, solved
from ruse.games.evening.rules import FAILED, OVER, PASSED, PLAY, PROPOSE, REJECTED, VOTE, EveningState, passed
from ruse.games.evening.session import SeatSession, name_of
from ruse.games.evening.setting import MINION
from ruse.games.resistance.notation import listed, seats
from ruse.games.resistance.presentation import next_mission, round_table
from ruse.games.resistance.table import seat_count
from ruse.present.scene import Scene

RULES = (
    "One seat leads and proposes a team; everybody votes at once, and more than half must approve. If they do not, the "
    "next seat leads; five rejected teams in a row win for the spies. Those on a mission play a card in secret: loyal "
    "seats pass, spies pass or sabotage."
)


@dataclass(frozen=True)
class HistoryRow:
    """A proposal as everybody saw it, and what became of the mission."""

    mission: int
    proposal: int
    leader: str
    team: str
    approved: str  # who approved it
    rejected: str
    result: str  # rejected, on the mission, passed or failed, with the sabotages

    def text(self) -> str:
        return (
            f"Mission {self.mission}, proposal {self.proposal}: {self.leader} proposed {self.team}. "
            f"Approved by {listed(self.approved)}, rejected by {listed(self.rejected)}: {self.result}."
        )


def history(evening: EveningState) -> list[HistoryRow]:
    """Every proposal so far, the first one first."""
    return list(_rows(evening))


def _rows(evening: EveningState) -> Iterator[HistoryRow]:
    rounds = [(mission.proposals, _result(evening, number)) for number, mission in enumerate(evening.missions)]
    if evening.proposals:
        rounds.append((evening.proposals, "on the mission" if evening.phase == PLAY else "rejected"))
    for number, (proposals, result) in enumerate(rounds, 1):
        for place, proposal in enumerate(proposals, 1):
            yield HistoryRow(
                number,
                place,
                seats([proposal.leader]),
                seats(proposal.team),
                seats(proposal.voters(True)),
                seats(proposal.voters(False)),
                result if place == len(proposals) else "rejected",
            )


def _result(evening: EveningState, number: int) -> str:
    mission = evening.missions[number]
    if mission.sabotages is None:
        return "rejected, the fifth team"
    cards = mission.sabotages
    shown = "no sabotage" if not cards else f"{cards} sabotage{'s' * (cards > 1)}"
    return f"{'passed' if passed(evening.table, number, mission) else 'failed'}, {shown}"


def status(session: SeatSession) -> list[str]:
    """Where the evening stands, and what the person has to do."""
    evening, table = session.evening, session.setting.table
    won, lost = evening.score
    lines = [f"Points: resistance {won}, spies {lost}; three win."]
    if evening.phase in (PROPOSE, VOTE, PLAY):
        if session.models.good == OPTIMAL and evening.phase != PLAY:
            due = judge_of(table).due(evening)
            lines.append(f"The public draw for this mission: the plan sends {seats(due)}.")
        lines.append(next_mission(table, len(evening.missions), evening.phase == PLAY))
    return lines


def question(session: SeatSession) -> str:
    """What the person has to do now."""
    evening = session.evening
    size = session.setting.table.missions[min(len(evening.missions), 4)]
    proposal = f"proposal {len(evening.proposals) + 1} of 5"
    if evening.phase == PROPOSE:
        return f"You lead ({proposal}). Propose {seat_count(size)}, such as {seats(range(size))}."
    team = seats(evening.team or ())
    if evening.phase == VOTE:
        who = "You propose" if evening.leader == session.seat else f"{session.name(evening.leader)} proposes"
        return f"{who} {team} ({proposal}). Approve or reject?"
    if evening.phase == PLAY:
        others = listed(seats(seat for seat in evening.team or () if seat != session.seat))
        return f"You are on the mission with {others}. Pass or sabotage?"
    good = listed(choices(session))
    return f"Three missions have passed. You are the Assassin: whom do you take for Merlin? {good} can be shot."


def choices(session: SeatSession) -> list[str]:
    """The person's acts in text; the teams of a leader included."""
    evening = session.evening
    return [evening.written(act) for act in evening.legal(session.seat)]


ENDS = {
    PASSED: "Three missions have passed.",
    FAILED: "Three missions have failed.",
    REJECTED: "Five teams in a row were rejected, so the spies win.",
}


def end(session: SeatSession) -> str:
    """How the evening ended, for whom, and who was who."""
    evening = session.evening
    how = ENDS.get(evening.ended, "Three missions have passed, but the Assassin shot Merlin.")
    if evening.target is not None and not evening.hit:
        how = f"{how[:-1]}, and the Assassin shot {seats([evening.target])}, who is not Merlin."
    return f"{how} {'You win.' if session.won else 'You lose.'}"


def roles_text(evening: EveningState) -> str:
    """Who was who: "a and c were loyal; b was Merlin"."""
    by_role: dict[str, str] = {}
    for seat, role in evening.deal.names().items():
        by_role[role] = by_role.get(role, "") + seat
    parts = []
    for role, letters in by_role.items():
        several = len(letters) > 1
        name = {"loyal": "loyal", "minion": "spies" if several else "a spy"}.get(role, role.capitalize())
        parts.append(f"{listed(letters)} {'were' if several else 'was'} {name}")
    assassin = "" if evening.deal.assassin is None else f"; the Assassin was {seats([evening.deal.assassin])}"
    return f"{'; '.join(parts)}{assassin}."[:1].upper() + f"{'; '.join(parts)}{assassin}."[1:]


def scene(session: SeatSession) -> Scene:
    """The round table: the missions in the middle, and names, or roles as far as the person knows them."""
    evening, deal, team = session.evening, session.deal, session.evening.team or ()
    results = [
        (mission.team, "+" if passed(evening.table, number, mission) else "-")
        for number, mission in enumerate(evening.missions)
        if mission.sabotages is not None
    ]
    if evening.phase == PLAY:
        results.append((team, "?"))
    roles, spies = known_roles(session)
    if evening.phase == OVER:
        roles, spies = ["spy" if role == MINION else role for role in deal.names().values()], deal.spies
    roles = [role or name_of(seat) for seat, role in enumerate(roles)]
    drawn = round_table(evening.table, results, roles, spies)
    if evening.phase != VOTE:
        return drawn
    return replace(drawn, seats=[replace(shown, aboard=seat in team) for seat, shown in enumerate(drawn.seats)])


def known_roles(session: SeatSession) -> tuple[list[str], tuple[int, ...]]:
    """What the person knows of each seat, and which seats it knows to be spies."""
    view, deal = session.view, session.deal
    roles = [""] * session.setting.table.players
    roles[session.seat] = "you"
    sight = deal.role(session.seat).sees
    known = view.spies if view.evil else view.shown if sight == "evil" else ()
    for seat in view.shown:
        roles[seat] = "spy" if seat in known else "Merlin?"
    return roles, tuple(sorted({*known, *([session.seat] if view.evil else [])}))


def bots_text(session: SeatSession) -> str:
    """Who the others are, and what is proved about them."""
    texts = []
    for model, side in dict.fromkeys([(session.models.good, "Loyal seats"), (session.models.spies, "Spies")]):
        if model == PEOPLE:
            texts.append(f"{side} play as people did in recorded games.")
        elif side == "Spies":
            texts.append("Spies are optimal: in public they act as loyal seats would, and they sabotage as solved.")
        else:
            opening = in_words(session.setting, solved(session.setting.table))
            texts.append(
                f"{opening} if spies play their best. Loyal seats follow one public plan: they propose its team, "
                "approve that one and reject all others."
            )
    return " ".join(texts)
