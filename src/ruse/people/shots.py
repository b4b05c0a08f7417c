"""Whom the Assassin names after three passed missions."""

from __future__ import annotations

from math import exp

from ruse.people.beliefs import BeliefTracker, follow
from ruse.people.model import PeopleModel, dot, normalised
from ruse.people.records import EveningRecord
from ruse.people.tables import RecordError, members


def shot_odds(model: PeopleModel, record: EveningRecord, spies: int, mordred: int | None = None) -> dict[int, float]:
    """How likely the Assassin names each seat.

    `spies` are the bits of all spies, `mordred` is the seat of the one whom Merlin does not see. The record ends with
    the third mission that passed.
    """
    if "merlin" not in record.roleset:
        raise RecordError("nobody is shot in a game without Merlin")
    if not record.played:
        raise RecordError("the Assassin shoots after three passed missions, got none")
    tracker = [*follow(record, model)][-1]
    features = shot_features(record, tracker, spies, spies if mordred is None else spies & ~(1 << mordred))
    values = normalised([exp(dot(model.shots, row)) for row in features.values()])
    return dict(zip(features, values, strict=True))


def shot_features(record: EveningRecord, tracker: BeliefTracker, spies: int, seen: int) -> dict[int, list[float]]:
    """The values of SHOT_FEATURES for every loyal seat; `seen` are the spies whom Merlin sees."""
    evidence, none = tracker.evidence, dict.fromkeys(range(record.players), 0)
    led, approved = (dict(none), dict(none)), (dict(none), dict(none))  # teams without spies, and with
    proposals = [proposal for mission in record.missions for proposal in mission.proposals]
    for proposal in proposals:
        with_spies = bool(proposal.team & spies)
        if proposal.leader is not None:
            led[with_spies][proposal.leader] += 1
        for seat, vote in enumerate(proposal.votes or ()):
            approved[with_spies][seat] += vote
    dirty = sum(bool(proposal.team & spies) for proposal in proposals)
    last = record.played[-1].team
    return {
        seat: [
            evidence.merlin[seen][seat] - evidence.good[seat],
            last >> seat & 1,
            min(led[0][seat], 2),
            min(led[1][seat], 2),
            approved[0][seat] / (len(proposals) - dirty + 1),
            approved[1][seat] / (dirty + 1),
        ]
        for seat in members((1 << record.players) - 1 & ~spies)
    }
