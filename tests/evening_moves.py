"""Evenings for tests: deals with given spies, and everything that spies can do against a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import NamedTuple

from ruse.games.evening.bots import LoyalConvention, act
from ruse.games.evening.rules import OVER, PROPOSE, Act, EveningState, SeatView, VotedTeam
from ruse.games.evening.setting import Seats, Setting, official

SETTINGS = {players: official(players) for players in (5, 6, 7)}


def with_spies(setting: Setting, spies: Seats, leader: int = 0, seed: int = 0) -> EveningState:
    """An evening of plain roles with these spies."""
    kinds = tuple(int(seat in spies) for seat in range(setting.table.players))
    return replace(EveningState(setting.dealt(kinds, seed), seed), leader=leader)


@dataclass(frozen=True)
class Sending(LoyalConvention):
    """The convention at a mission for which the plan has drawn a team."""

    drawn: Seats = ()

    def team(self, view: SeatView) -> Seats:
        return self.drawn


def branches(evening: EveningState, loyal: LoyalConvention) -> Iterator[Mapping[int, Act]]:
    """All that can happen in one step: loyal seats do what their convention says, spies anything that is legal."""
    options = [
        evening.legal(seat) if seat in evening.deal.spies else [act(loyal, evening.view(seat))]
        for seat in evening.actors
    ]
    for acts in product(*options):
        yield dict(zip(evening.actors, acts, strict=True))


class Sent(NamedTuple):
    """Where the proposals of a mission end: who goes (None after five rejections), and who leads next."""

    team: Seats | None
    leader: int
    proposals: int


def sendings(evening: EveningState, loyal: LoyalConvention) -> set[Sent]:
    """All that spies can bring about by proposals and votes, before one mission.

    What loyal seats do depends on the drawn team, the leader and how many teams were rejected, so of evenings that
    agree in these only one is looked at.
    """
    ends: set[Sent] = set()
    seen: set[tuple[int, int]] = set()
    level = [evening]
    while level:
        before = level.pop()
        if (before.leader, len(before.proposals)) in seen:
            continue
        seen.add((before.leader, len(before.proposals)))
        for proposed in branches(before, loyal):
            out = before.step(proposed)
            for votes in branches(out, loyal):
                after = out.step(votes)
                if after.phase == PROPOSE:
                    level.append(after)
                else:
                    number = len(after.proposals) or 5
                    ends.add(Sent(None if after.phase == OVER else after.team, after.leader, number))
    return ends


@cache
def sendings_of(setting: Setting, spies: Seats, leader: int, missions: int, loyal: Sending) -> frozenset[Sent]:
    """The same from any history: the convention looks at the drawn team only."""
    begun = with_spies(setting, spies, leader)
    sizes = setting.table.missions
    first = replace(setting.table, missions=(sizes[missions],) * len(sizes))
    return frozenset(sendings(replace(begun, deal=Setting(first).dealt(begun.deal.kinds, 0)), loyal))


def approved(evening: EveningState, sent: Sent) -> EveningState:
    """The evening once a team goes on its mission, without who voted how on the way."""
    assert sent.team is not None
    everybody = (True,) * evening.players
    proposals = (VotedTeam(0, sent.team, everybody),)
    return replace(evening, proposals=proposals, team=sent.team, leader=sent.leader, phase="play")
