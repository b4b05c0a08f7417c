"""An evening as a record: JSON in the format of the recorded games, with seats as letters."""

from __future__ import annotations

from typing import Any

from ruse.games.evening.rules import EveningMission, EveningState, VotedTeam
from ruse.games.resistance.notation import seats


def proposal_json(proposal: VotedTeam) -> dict[str, Any]:
    votes = {seats([seat]): vote for seat, vote in enumerate(proposal.votes)}
    return {"leader": seats([proposal.leader]), "team": seats(proposal.team), "votes": votes}


def mission_json(mission: EveningMission) -> dict[str, Any]:
    """A mission as everybody saw it."""
    return {
        "proposals": [proposal_json(proposal) for proposal in mission.proposals],
        "sabotages": mission.sabotages,
    }


def record(evening: EveningState) -> dict[str, Any]:
    """A finished evening, roles and all."""
    deal = evening.deal
    missions = []
    for number, mission in enumerate(evening.missions):
        sent = mission.sabotages is not None
        missions.append({**mission_json(mission), "saboteurs": seats(evening.saboteurs[number]) if sent else None})
    assassin = None
    if deal.assassin is not None:
        target = None if evening.target is None else seats([evening.target])
        assassin = {"seat": seats([deal.assassin]), "target": target, "hit": evening.hit}
    return {
        "players": evening.players,
        "roleset": list(evening.setting.roles),
        "roles": deal.names(),
        "missions": missions,
        "winner": evening.winner,
        "ended": evening.ended,
        "assassin": assassin,
    }
