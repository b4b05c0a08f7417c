"""An evening as a page: what the person knows and can do, as data that the explorer draws.

The explorer knows no game: it asks `SeatPages` for a form, a page and the effects of what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruse.core.game import Game
from ruse.core.jsonable import HIDDEN
from ruse.core.registry import make
from ruse.games.evening import words
from ruse.games.evening.judge import EveningReview, judge_of, plan_left, review
from ruse.games.evening.models import MODELS, PEOPLE, models_for
from ruse.games.evening.record import record
from ruse.games.evening.rules import PROPOSE
from ruse.games.evening.session import SeatError, SeatSession, begin, read_side
from ruse.games.evening.setting import setting_of
from ruse.games.evening.storage import SeatSessions
from ruse.games.resistance.notation import seats
from ruse.games.resistance.table import OFFICIAL
from ruse.play.manner import Ticks
from ruse.play.pictures import Picture

ASKED = ("game", "players", "roles", "seat", "side", "bots", "coach", "seed")
ROLE_SETS = (
    ("merlin,assassin", "Merlin and the Assassin"),
    ("merlin,assassin,percival,morgana", "and Percival and Morgana"),
    ("merlin,assassin,mordred", "Merlin, the Assassin and Mordred"),
    ("merlin,assassin,percival,morgana,mordred", "and Percival, Morgana and Mordred"),
    ("merlin,assassin,percival,morgana,oberon", "and Percival, Morgana and Oberon"),
)


@dataclass(frozen=True)
class SeatField:
    """A choice in the form: its name, its label, and its options as values and texts."""

    name: str
    label: str
    options: Sequence[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class SeatPage:
    """A page of an evening: everything that the person may see."""

    id: str
    title: str
    number: int
    """of the next act: an act must name it"""
    seat: str
    role: str
    """what the person is and sees, in words"""
    about: Sequence[str]
    """the rules, and what is proved about the other seats"""
    status: Sequence[str]
    """the score and what comes next"""
    question: str
    """what the person has to do now; empty at the end"""
    acts: Sequence[str]
    """what the person can do now, as text"""
    made: Sequence[str]
    """the person's acts so far"""
    heads: Sequence[str]
    """the columns of the history"""
    history: Sequence[Sequence[str]]
    """every proposal so far: leader, team, who approved, who rejected, what became of it"""
    picture: Picture
    coach: bool
    over: bool
    won: bool | None
    """whether the person won; null before the end"""
    coached: str | None
    """what the coach says of the last act"""
    hint: str | None
    left: str
    """where the guarantee of the plan ended; empty while it holds"""
    end: str
    """how the evening ended and who was who"""
    review: EveningReview | None
    record: Mapping[str, Any] | None
    """the finished evening, in the format of the recorded games"""
    ticks: Ticks | None = field(default=None, metadata=HIDDEN)


class SeatPages:
    """Evenings that the explorer serves."""

    def __init__(self, folder: Path) -> None:
        self.sessions = SeatSessions(folder)

    # Beginning.

    def form(self, asked: Mapping[str, str]) -> list[SeatField]:
        """The choices for a new evening, with what was asked for as chosen."""
        counts = [(str(count), f"{count}") for count in OFFICIAL]
        letters = [("", "any seat"), *((seats([seat]), seats([seat])) for seat in range(max(OFFICIAL)))]
        fields = [
            SeatField("game", "Game", [("resistance", "The Resistance"), ("avalon", "Avalon")], "resistance"),
            SeatField("players", "Players", counts, "5"),
            SeatField("roles", "Roles in Avalon", ROLE_SETS, ROLE_SETS[0][0]),
            SeatField("seat", "Your seat", letters, ""),
            SeatField("side", "Your role", [("", "as dealt"), ("good", "loyal"), ("spies", "spy")], ""),
            SeatField("bots", "The others", list(MODELS.items()), PEOPLE),
        ]
        return [
            SeatField(field.name, field.label, field.options, wanted)
            if (wanted := asked.get(field.name, field.chosen)) in dict(field.options)
            else field
            for field in fields
        ]

    def begin(self, asked: Mapping[str, str], seed: int | None, coach: bool) -> str:
        """Begin an evening; its id."""
        if stray := [name for name in asked if name not in ASKED]:
            raise SeatError(f"expected only the fields {', '.join(ASKED)}, got {stray[0][:40]!r}")
        setting = setting_of(_game(asked))
        session = begin(
            setting,
            models_for(setting, asked.get("bots")),
            asked.get("seat", ""),
            side=read_side(asked.get("side") or None, ("good", "spies")),
            seed=seed,
            coach=coach,
        )
        self.sessions.save(session)
        return session.id

    # Going on.

    def has(self, identity: str) -> bool:
        return self.sessions.has(identity)

    def act(self, identity: str, number: int, text: str) -> None:
        self.sessions.act(identity, number, text)

    def take_back(self, identity: str, number: int) -> None:
        self.sessions.take_back(identity, number)

    def forget(self, identity: str) -> None:
        self.sessions.forget(identity)

    def unfinished(self, most: int) -> list[tuple[str, str]]:
        """The ids of unfinished evenings and what they are, newest first."""
        return [
            (session.id, f"{session.setting.title}, seat {seats([session.seat])}")
            for session in self.sessions.unfinished(most)
        ]

    def page(self, identity: str, hint: bool = False) -> SeatPage:
        """What the page of an evening shows."""
        return page_of(self.sessions.read(identity), hint)


def _game(asked: Mapping[str, str]) -> Game:
    name = asked.get("game") or "resistance"
    if name not in ("resistance", "avalon"):
        raise SeatError(f"expected resistance or avalon as the game, got {name[:40]!r}")
    parameters: dict[str, object] = {"players": asked.get("players") or "5"}
    if name == "avalon":
        parameters["roles"] = asked.get("roles") or ROLE_SETS[0][0]
    return make(name, parameters)


def page_of(session: SeatSession, hint: bool = False) -> SeatPage:
    """The page of a session."""
    evening, over = session.evening, session.over
    judge = judge_of(session.setting.table)
    reviewed = review(session) if over else None
    coached = None
    if session.coach and session.acts:
        verdict = judge.verdict(session, len(session.acts))
        coached = f"{verdict.act}: {verdict.grade}; {verdict.text}"
    return SeatPage(
        id=session.id,
        title=session.setting.title,
        number=session.number,
        seat=seats([session.seat]),
        role=session.deal.words(session.seat),
        about=[words.RULES, words.bots_text(session)],
        status=words.status(session),
        question="" if over else words.question(session),
        acts=words.choices(session) if not over else [],
        made=session.acts,
        heads=["No.", "Led", "Team", "For", "Against", "Result"],
        history=[
            [f"{row.mission}.{row.proposal}", row.leader, row.team, row.approved, row.rejected, row.result]
            for row in words.history(evening)
        ],
        picture=Picture(words.status(session), None, words.scene(session)),
        coach=session.coach,
        over=over,
        won=session.won if over else None,
        coached=coached,
        hint=judge.hint(session) if hint and not over else None,
        left=plan_left(session),
        end=f"{words.end(session)} {words.roles_text(evening)}" if over else "",
        review=reviewed,
        record=record(evening) if over else None,
        ticks=_ticks(session),
    )


def _ticks(session: SeatSession) -> Ticks | None:
    """The seats to tick for a team."""
    evening = session.evening
    if evening.over or evening.phase != PROPOSE:
        return None
    size = session.setting.table.missions[len(evening.missions)]
    return Ticks(seats(range(session.setting.table.players)), size, "Propose a team", "Propose them")
