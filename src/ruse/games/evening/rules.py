"""The full rules of an evening: leaders propose teams, everybody votes, those who go play cards, the Assassin shoots.

An `EveningState` never changes: `step` returns the next one. Everybody who has to act at a phase acts at once: the
leader proposes, all seats vote, all who are on the mission play a card. More than half of all seats approve a team,
else the next seat leads; the fifth team rejected for one mission wins for the spies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ruse.core.game import RuseError
from ruse.games.evening.chance import drawn_number
from ruse.games.evening.setting import DealtRoles, Seats, Setting, recorded
from ruse.games.resistance.notation import read_seats, seats
from ruse.games.resistance.rules import subsets
from ruse.games.resistance.table import POINTS_TO_WIN, Table, seat_count

MOST_PROPOSALS = 5
PROPOSE, VOTE, PLAY, SHOOT, OVER = "propose", "vote", "play", "shoot", "over"
GOOD, SPIES = "good", "spies"  # sides as records call them
PASSED, FAILED, REJECTED, SHOT = (
    "three missions passed",
    "three missions failed",
    "five proposals rejected",
    "merlin shot",
)
WORDS = {  # for votes and cards, and what they mean
    VOTE: {"approve": True, "yes": True, "reject": False, "no": False},
    PLAY: {"sabotage": True, "pass": False},
}
Act = Seats | bool | int  # a team, whether to approve, whether to sabotage, or whom to shoot


class ActError(RuseError):
    """An act that the rules do not allow here."""


@dataclass(frozen=True)
class VotedTeam:
    """A team and how everybody voted on it."""

    leader: int
    team: Seats
    votes: tuple[bool, ...]  # of each seat, whether it approved

    @property
    def approved(self) -> bool:
        return 2 * sum(self.votes) > len(self.votes)

    def voters(self, approving: bool) -> Seats:
        return tuple(seat for seat, vote in enumerate(self.votes) if vote == approving)


@dataclass(frozen=True)
class EveningMission:
    """A mission as everybody saw it."""

    proposals: tuple[VotedTeam, ...]
    sabotages: int | None  # None where five teams were rejected

    @property
    def team(self) -> Seats:
        return self.proposals[-1].team


@dataclass(frozen=True)
class SeatView:
    """What a seat knows. `draw` is seen by everybody, `pact` by spies who know each other, `luck` by the seat alone."""

    setting: Setting
    seat: int
    role: str  # as records call it
    evil: bool
    shown: Seats
    missions: tuple[EveningMission, ...]
    proposals: tuple[VotedTeam, ...]  # of the mission that is being voted on
    phase: str
    leader: int
    team: Seats | None  # proposed, or on the mission
    draw: int | None  # None where nobody draws in public
    pact: int | None
    luck: int

    @property
    def table(self) -> Table:
        return self.setting.table

    @cached_property
    def spies(self) -> Seats:
        """The spies that a spy knows, its own seat included; nobody for the others."""
        return tuple(sorted((self.seat, *self.shown))) if self.evil and self.pact is not None else ()


@dataclass(frozen=True)
class EveningState:
    """Everything that has happened, and what is secret."""

    deal: DealtRoles
    seed: int
    leader: int = 0
    missions: tuple[EveningMission, ...] = ()
    saboteurs: tuple[Seats, ...] = ()  # of each mission that was sent; secret
    proposals: tuple[VotedTeam, ...] = ()  # of the mission that is being voted on
    team: Seats | None = None
    phase: str = PROPOSE
    target: int | None = None  # of the Assassin's shot

    @staticmethod
    def begin(setting: Setting, seed: int) -> EveningState:
        return EveningState(setting.deal(seed), seed)

    @property
    def setting(self) -> Setting:
        return self.deal.setting

    @property
    def table(self) -> Table:
        return self.deal.setting.table

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def score(self) -> tuple[int, int]:
        return score(self.table, self.missions)

    @property
    def over(self) -> bool:
        return self.phase == OVER

    @property
    def ended(self) -> str:
        """How the evening ended, as records say it."""
        if not self.over:
            raise RuseError("this evening is not over yet")
        if self.missions[-1].sabotages is None:
            return REJECTED
        if self.score[1] == POINTS_TO_WIN:
            return FAILED
        return SHOT if self.hit else PASSED

    @property
    def hit(self) -> bool | None:
        """Whether the Assassin shot Merlin; None where there was no shot."""
        return None if self.target is None else self.deal.role(self.target).hunted

    @property
    def winner(self) -> str:
        return GOOD if self.ended == PASSED else SPIES

    # Acting.

    @property
    def actors(self) -> Seats:
        """The seats that have to act now, all at once."""
        if self.phase == PROPOSE:
            return (self.leader,)
        if self.phase == VOTE:
            return tuple(range(self.players))
        if self.phase == PLAY:
            assert self.team is not None
            return self.team
        return () if self.phase == OVER or self.deal.assassin is None else (self.deal.assassin,)

    def legal(self, seat: int) -> Sequence[Act]:
        """What a seat may do now."""
        if seat not in self.actors:
            return ()
        if self.phase == PROPOSE:
            return subsets(self.players, self.table.missions[len(self.missions)])
        if self.phase == VOTE:
            return (True, False)
        if self.phase == PLAY:
            return (False, True) if self.deal.role(seat).evil else (False,)
        return tuple(other for other in range(self.players) if other not in (seat, *self.deal.shown[seat]))

    def step(self, acts: Mapping[int, Act]) -> EveningState:
        """The evening after the acts of everybody who has to act. Raises ActError."""
        for seat in self.actors:
            if seat not in acts:
                raise ActError(f"expected an act of seat {seats([seat])}")
            act = acts[seat]
            if not any(act is option or (act == option and type(act) is type(option)) for option in self.legal(seat)):
                raise ActError(f"expected {self.asked(seat)}, got {act!r}")
        return self._stepped(acts)

    def _stepped(self, acts: Mapping[int, Act]) -> EveningState:
        if self.phase == PROPOSE:
            team = acts[self.leader]
            assert isinstance(team, tuple)
            return replace(self, team=team, phase=VOTE)
        if self.phase == VOTE:
            return self._voted(tuple(bool(acts[seat]) for seat in range(self.players)))
        if self.phase == PLAY:
            return self._played(tuple(seat for seat in self.actors if acts[seat]))
        (seat,) = self.actors
        target = acts[seat]
        assert isinstance(target, int)
        return replace(self, target=target, phase=OVER)

    def _voted(self, votes: tuple[bool, ...]) -> EveningState:
        assert self.team is not None
        proposals = (*self.proposals, VotedTeam(self.leader, self.team, votes))
        following = (self.leader + 1) % self.players
        if proposals[-1].approved:
            return replace(self, proposals=proposals, leader=following, phase=PLAY)
        if len(proposals) == MOST_PROPOSALS:
            missions = (*self.missions, EveningMission(proposals, None))
            return replace(self, missions=missions, proposals=(), team=None, leader=following, phase=OVER)
        return replace(self, proposals=proposals, team=None, leader=following, phase=PROPOSE)

    def _played(self, saboteurs: Seats) -> EveningState:
        missions = (*self.missions, EveningMission(self.proposals, len(saboteurs)))
        points = score(self.table, missions)
        shot = points[0] == POINTS_TO_WIN and self.deal.assassin is not None
        phase = SHOOT if shot else OVER if POINTS_TO_WIN in points else PROPOSE
        known = (*self.saboteurs, saboteurs)
        return replace(self, missions=missions, saboteurs=known, proposals=(), team=None, phase=phase)

    # What seats see.

    def view(self, seat: int, public_draws: bool = True) -> SeatView:
        """What a seat knows now."""
        number, role = len(self.missions), self.deal.role(seat)
        known = self.deal.kinds[seat] in self.setting.cast.known
        return SeatView(
            self.setting,
            seat,
            recorded(role),
            role.evil,
            self.deal.shown[seat],
            self.missions,
            self.proposals,
            self.phase,
            self.leader,
            self.team,
            drawn_number(self.seed, f"public/{number}") if public_draws else None,
            drawn_number(self.seed, f"spies/{number}") if known else None,
            drawn_number(self.seed, f"seat/{seat}/{number}/{len(self.proposals)}/{self.phase}"),
        )

    # Acts in text.

    def asked(self, seat: int) -> str:
        """What a seat has to do now, for a message."""
        if self.phase == PROPOSE:
            return f"a team of {seat_count(self.table.missions[len(self.missions)])}"
        if self.phase == VOTE:
            return "approve or reject"
        if self.phase == PLAY:
            return "pass or sabotage" if len(self.legal(seat)) > 1 else "pass, as a loyal seat never sabotages"
        targets = [act for act in self.legal(seat) if isinstance(act, int)]
        return f"a seat to shoot, one of {', '.join(seats([target]) for target in targets)}"

    def read_act(self, seat: int, text: str) -> Act:
        """The act that a text means: a team such as abd, a word of WORDS or its start, or a seat. Raises ActError."""
        act: Act | None = None
        word = text.strip().lower()
        if self.phase == PROPOSE:
            act = self._team(word)
        elif self.phase in (VOTE, PLAY):
            meant = {meaning for option, meaning in WORDS[self.phase].items() if word and option.startswith(word)}
            act = meant.pop() if len(meant) == 1 else None
        elif self.phase == SHOOT and len(word) == 1 and word.isascii() and word.isalpha():
            act = ord(word) - ord("a")
        if act is None or act not in self.legal(seat):
            raise ActError(f"expected {self.asked(seat)}, got {text[:40]!r}")
        return act

    def _team(self, word: str) -> Seats | None:
        letters = "".join(word.replace(",", " ").split())
        if not (letters.isascii() and letters.isalpha()):
            return None
        try:
            return read_seats(letters, self.table)
        except RuseError:
            return None

    def written(self, act: Act) -> str:
        """An act as `read_act` reads it."""
        return write_act(self.phase, act)


def write_act(phase: str, act: Act) -> str:
    """An act of a phase in text."""
    if phase == PROPOSE:
        assert isinstance(act, tuple)
        return seats(act)
    if phase == SHOOT:
        return seats([int(act)])  # type: ignore[arg-type]
    return (("reject", "approve") if phase == VOTE else ("pass", "sabotage"))[bool(act)]


def passed(table: Table, number: int, mission: EveningMission) -> bool:
    """Whether a mission passed."""
    return mission.sabotages is not None and mission.sabotages < table.sabotages[number]


def score(table: Table, missions: Sequence[EveningMission]) -> tuple[int, int]:
    """Points of the resistance and of the spies; missions that were never sent count for nobody."""
    sent = [number for number, mission in enumerate(missions) if mission.sabotages is not None]
    won = sum(passed(table, number, missions[number]) for number in sent)
    return won, len(sent) - won


def plain(value: Any) -> Any:
    """Acts and seats as JSON has them."""
    return list(value) if isinstance(value, tuple) else value
