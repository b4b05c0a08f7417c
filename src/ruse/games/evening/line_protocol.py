"""`ruse bot GAME --seat c`: a seat that another program asks, one JSON object per line in both directions.

Every line gets exactly one line as its answer. A line that is no JSON, or that the rules do not allow, is answered by
an error and changes nothing. docs/reference/bot-protocol.md describes the lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TextIO

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.games.evening.bots import Bot, act
from ruse.games.evening.chance import drawn_number
from ruse.games.evening.models import OPTIMAL, Models
from ruse.games.evening.plan import guarantee, solved
from ruse.games.evening.rules import (
    GOOD,
    MOST_PROPOSALS,
    OVER,
    PLAY,
    PROPOSE,
    SHOOT,
    SPIES,
    VOTE,
    EveningMission,
    SeatView,
    VotedTeam,
    score,
    write_act,
)
from ruse.games.evening.setting import Seats, Setting, recorded
from ruse.games.resistance.notation import read_seats, seats
from ruse.games.resistance.table import POINTS_TO_WIN, seat_count

VERSION = 1
MOST_LINE = 1 << 16  # characters
OK = {"type": "ok"}
Line = Mapping[str, Any]


class ProtocolError(RuseError):
    """A line that cannot be obeyed."""


@dataclass(frozen=True)
class SeenEvening:
    """What a seat has been told of an evening."""

    role: str
    evil: bool
    known: bool  # whether other spies know it
    shown: Seats
    leader: int = 0
    missions: tuple[EveningMission, ...] = ()
    proposals: tuple[VotedTeam, ...] = ()
    phase: str = PROPOSE
    draw: int | None = None
    pact: int | None = None


@dataclass
class BotSeat:
    """A seat at a table that is somewhere else."""

    setting: Setting
    seat: int
    models: Models
    seed: int
    games: int = 0
    seen: SeenEvening | None = None
    _bots: dict[bool, Bot] = field(default_factory=dict)  # by whether the seat is evil

    def greeting(self) -> Line:
        """The first line, before anything is asked."""
        self._bots = dict(zip((False, True), self._players(), strict=True))
        share = None
        if self.models.good == self.models.spies == OPTIMAL:
            low, high = guarantee(self.setting, solved(self.setting.table))
            share = {GOOD: _write(low), SPIES: _write(1 - high)}
        return {
            "type": "hello",
            "protocol": VERSION,
            "seat": seats([self.seat]),
            "model": str(self.models),
            **self.setting.to_json(),
            "guarantee": share,
        }

    def _players(self) -> tuple[Bot, Bot]:
        players = self.models.players(self.setting)
        return players.good, players.spies

    def answer(self, text: str) -> Line:
        """The answer to a line; an error leaves everything as it was."""
        try:
            line = _object(text)
            kinds: dict[str, Callable[[Line], Line]] = {
                "hello": self._hello,
                "observe": self._observe,
                "act": self._act,
                "result": self._result,
            }
            kind = line.get("type")
            if not isinstance(kind, str) or kind not in kinds:
                raise ProtocolError(f"expected a type, {', '.join(kinds)}, got {_brief(kind)}")
            return kinds[kind](line)
        except RuseError as error:
            return {"type": "error", "message": str(error)}

    # The lines.

    def _hello(self, line: Line) -> Line:
        """A new evening begins: the seat's role, and whom it is shown."""
        roles = {recorded(role): (kind, role) for kind, role in enumerate(self.setting.cast.kinds)}
        name = line.get("role")
        if not isinstance(name, str) or name not in roles:
            raise ProtocolError(f"expected a role of this table, {', '.join(roles)}, got {_brief(name)}")
        kind, role = roles[name]
        known = kind in self.setting.cast.known
        shown = self._seats(line.get("shown", ""), "shown")
        if self.seat in shown:
            raise ProtocolError("expected other seats as shown, got the bot's own")
        partners = sum(self.setting.cast.seats.count(other) for other in self.setting.cast.known) - 1
        if known and len(shown) != partners:
            raise ProtocolError(
                f"expected the other spies, {seat_count(partners)}, as shown, got {_brief(seats(shown))}"
            )
        leader = self._seat(line.get("leader", "a"))
        self.seen = SeenEvening(name, role.evil, known, shown, leader)
        self.games += 1
        return {"type": "ready", "seat": seats([self.seat]), "role": name}

    def _observe(self, line: Line) -> Line:
        seen = self._seen()
        kinds = {"draw": self._drawn, "proposal": self._proposal, "mission": self._mission}
        event = line.get("event")
        if not isinstance(event, str) or event not in kinds:
            raise ProtocolError(f"expected an event, {', '.join(kinds)}, got {_brief(event)}")
        self.seen = kinds[event](seen, line)
        return OK

    def _drawn(self, seen: SeenEvening, line: Line) -> SeenEvening:
        """The public draw for the next mission, which everybody sees, and perhaps one that only spies see."""
        if seen.phase != PROPOSE or seen.proposals:
            raise ProtocolError("expected a draw before the first proposal of a mission")
        public, secret = line.get("public"), line.get("spies")
        for value in (public, secret):
            if value is not None and not isinstance(value, str):
                raise ProtocolError(f"expected a draw as text, got {_brief(value)}")
        return replace(
            seen,
            draw=None if public is None else drawn_number(0, f"told/{public}"),
            pact=None if secret is None else drawn_number(0, f"told/{secret}"),
        )

    def _proposal(self, seen: SeenEvening, line: Line) -> SeenEvening:
        """A team and how everybody voted on it."""
        if seen.phase != PROPOSE:
            raise ProtocolError(f"expected no proposal now, but {_expected(seen)}")
        leader, team = self._leader(seen, line), self._team(seen, line)
        votes = line.get("votes")
        letters = [seats([seat]) for seat in range(self.setting.table.players)]
        if not isinstance(votes, Mapping) or sorted(votes) != letters or set(map(type, votes.values())) != {bool}:
            raise ProtocolError(f"expected votes of the seats {''.join(letters)}, true or false, got {_brief(votes)}")
        proposal = VotedTeam(leader, team, tuple(votes[letter] for letter in letters))
        after = replace(seen, proposals=(*seen.proposals, proposal), leader=(leader + 1) % self.setting.table.players)
        if proposal.approved:
            return replace(after, phase=PLAY)
        if len(after.proposals) == MOST_PROPOSALS:
            return replace(
                after, missions=(*seen.missions, EveningMission(after.proposals, None)), proposals=(), phase=OVER
            )
        return after

    def _mission(self, seen: SeenEvening, line: Line) -> SeenEvening:
        """How many sabotages a mission had."""
        if seen.phase != PLAY:
            raise ProtocolError(f"expected no mission now, but {_expected(seen)}")
        count, most = line.get("sabotages"), min(len(seen.proposals[-1].team), self.setting.table.spies)
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= most:
            raise ProtocolError(f"expected 0 to {most} sabotages, got {_brief(count)}")
        missions = (*seen.missions, EveningMission(seen.proposals, count))
        points = score(self.setting.table, missions)
        shot = points[0] == POINTS_TO_WIN and self.setting.hunted
        phase = SHOOT if shot else OVER if POINTS_TO_WIN in points else PROPOSE
        return replace(seen, missions=missions, proposals=(), phase=phase, draw=None, pact=None)

    def _act(self, line: Line) -> Line:
        """What the seat does now."""
        seen, phase = self._seen(), line.get("phase")
        if phase not in (PROPOSE, VOTE, PLAY, SHOOT):
            raise ProtocolError(f"expected a phase, propose, vote, play or shoot, got {_brief(phase)}")
        if seen.phase != (PROPOSE if phase == VOTE else phase):
            raise ProtocolError(f"expected {_expected(seen)} now, got an act of the phase {phase!r}")
        team = None
        if phase == PROPOSE and seen.leader != self.seat:
            raise ProtocolError(f"expected seat {seats([seen.leader])} to lead, got a proposal of {seats([self.seat])}")
        if phase == VOTE:
            self._leader(seen, line)
            team = self._team(seen, line)
        if phase == PLAY:
            team = seen.proposals[-1].team
            if self.seat not in team:
                raise ProtocolError(f"expected a seat of the mission {seats(team)} to play, got {seats([self.seat])}")
        if phase == SHOOT and not seen.known:
            raise ProtocolError(f"expected a spy who knows the others to shoot, got {seen.role}")
        view = self._view(seen, str(phase), team)
        return {"type": "act", "phase": phase, "act": write_act(str(phase), act(self._bots[seen.evil], view))}

    def _result(self, line: Line) -> Line:
        """The evening is over, and may be over early."""
        self._seen()
        self.seen = None
        return OK

    # Fields.

    def _seen(self) -> SeenEvening:
        if self.seen is None:
            raise ProtocolError('expected a line of type "hello" with the role of this seat first')
        return self.seen

    def _view(self, seen: SeenEvening, phase: str, team: Seats | None) -> SeatView:
        number = len(seen.missions)
        luck = drawn_number(self.seed, f"bot/{self.games}/{self.seat}/{number}/{len(seen.proposals)}/{phase}")
        pact = seen.pact if seen.pact is not None else drawn_number(self.seed, f"pact/{self.games}/{number}")
        return SeatView(
            self.setting,
            self.seat,
            seen.role,
            seen.evil,
            seen.shown,
            seen.missions,
            seen.proposals,
            phase,
            seen.leader,
            team,
            seen.draw,
            pact if seen.known else None,
            luck,
        )

    def _leader(self, seen: SeenEvening, line: Line) -> int:
        leader = self._seat(line.get("leader"))
        if leader != seen.leader:
            raise ProtocolError(f"expected seat {seats([seen.leader])} to lead, got {seats([leader])}")
        return leader

    def _team(self, seen: SeenEvening, line: Line) -> Seats:
        team, size = self._seats(line.get("team"), "team"), self.setting.table.missions[len(seen.missions)]
        if len(team) != size:
            raise ProtocolError(f"expected a team of {seat_count(size)}, got {_brief(line.get('team'))}")
        return team

    def _seat(self, value: object) -> int:
        seats = self._seats(value, "leader")
        if len(seats) != 1:
            raise ProtocolError(f"expected one seat as leader, got {_brief(value)}")
        return seats[0]

    def _seats(self, value: object, name: str) -> Seats:
        if not isinstance(value, str):
            raise ProtocolError(f"expected seats as letters for {name}, got {_brief(value)}")
        return read_seats(value, self.setting.table) if value else ()


def _expected(seen: SeenEvening) -> str:
    """What can come next."""
    return {
        PROPOSE: "a proposal",
        PLAY: "the cards of a mission",
        SHOOT: "the Assassin's shot, or a result",
        OVER: "a result or a new hello",
    }[seen.phase]


def _object(text: str) -> Line:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("expected a JSON object in one line, got something else") from error
    if not isinstance(line, Mapping):
        raise ProtocolError(f"expected a JSON object in one line, got {_brief(line)}")
    return line


def _brief(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:40] + "…"


def _write(share: Fraction) -> str:
    return rationals.write(share)


def serve(bot: BotSeat, lines: TextIO, out: TextIO) -> int:
    """Answer lines until there are no more."""
    print(json.dumps(bot.greeting()), file=out, flush=True)
    while text := lines.readline(MOST_LINE):
        if not text.endswith("\n") and len(text) == MOST_LINE:
            while (rest := lines.readline(MOST_LINE)) and not rest.endswith("\n"):
                pass
            answer: Line = {"type": "error", "message": f"expected lines of at most {MOST_LINE:,} characters"}
        elif not text.strip():
            continue
        else:
            answer = bot.answer(text)
        print(json.dumps(answer), file=out, flush=True)
    return 0


def serve_standard(bot: BotSeat) -> int:
    """Answer the lines of standard input on standard output."""
    try:
        return serve(bot, sys.stdin, sys.stdout)
    except KeyboardInterrupt:
        return 0
