"""A person at the table: who sits where, what the person did so far, and what the person may see.

A session is its setting, its seed and the person's acts; everything else follows, so it can be saved in a few lines,
replayed on any machine and taken back act by act. It never changes: `act` and `take_back` return another one.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ruse.core.game import RuseError
from ruse.games.evening.bots import Players, play_on
from ruse.games.evening.models import Models
from ruse.games.evening.rules import GOOD, SPIES, EveningState, SeatView
from ruse.games.evening.setting import DealtRoles, Setting
from ruse.games.resistance.notation import seats
from ruse.play.session import MOST_SEED, SessionError

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Ida", "Jon")
MOST_DEALT = 10_000  # seeds to try for a role on the side that was asked for


class SeatError(RuseError):
    """A seat that is not at the table, or a side that it cannot be dealt."""


@dataclass(frozen=True)
class SeatSession:
    """An evening with one person at the table."""

    setting: Setting
    models: Models
    seat: int
    seed: int
    coach: bool
    id: str
    acts: tuple[str, ...] = ()

    @cached_property
    def players(self) -> Players:
        return self.models.players(self.setting)

    @cached_property
    def moments(self) -> tuple[EveningState, ...]:
        """The evening before each decision of the person, and now."""
        evening, moments = EveningState.begin(self.setting, self.seed), list[EveningState]()
        for text in (*self.acts, None):
            evening = self._to_the_person(evening)
            moments.append(evening)
            if text is not None:
                if evening.over:
                    raise SessionError(f"the evening is over before act {len(moments)}")
                evening = play_on(evening, self.players, {self.seat: evening.read_act(self.seat, text)})
        return tuple(moments)

    def _to_the_person(self, evening: EveningState) -> EveningState:
        """Let the others act until the person has a choice, or the evening is over."""
        while not evening.over and len(evening.legal(self.seat)) < 2:
            evening = play_on(evening, self.players)
        return evening

    @property
    def evening(self) -> EveningState:
        return self.moments[-1]

    @property
    def over(self) -> bool:
        return self.evening.over

    @property
    def deal(self) -> DealtRoles:
        return self.evening.deal

    @property
    def evil(self) -> bool:
        return self.deal.role(self.seat).evil

    @property
    def number(self) -> int:
        """The number of the person's next act, counted from 1."""
        return len(self.acts) + 1

    @property
    def view(self) -> SeatView:
        return self.evening.view(self.seat)

    @property
    def won(self) -> bool:
        return self.evening.winner == (SPIES if self.evil else GOOD)

    def name(self, seat: int) -> str:
        """A seat with its name: "b Ben", "c you"."""
        return f"{seats([seat])} {'you' if seat == self.seat else name_of(seat)}"

    def act(self, number: int, text: str) -> SeatSession:
        """The session after the person's act of that number, and all that follows from it."""
        if self.over:
            raise SessionError("this evening is over; start another one")
        if number != self.number:
            which = "you made it in another tab" if number < self.number else "the acts before it are missing"
            raise SessionError(f"expected act {self.number} of this evening, got act {number}: {which}")
        evening = self.evening
        text = evening.written(evening.read_act(self.seat, text))
        return replace(self, acts=(*self.acts, text))

    def take_back(self, number: int) -> SeatSession:
        """The session before the person's last act. `number` is that of the next act, as for `act`."""
        if number != self.number:
            raise SessionError(f"only act {self.number - 1} can be taken back, not act {number - 1}")
        if not self.acts:
            raise SessionError("there is no act to take back yet")
        return replace(self, acts=self.acts[:-1])

    def to_json(self) -> dict[str, Any]:
        """What makes the session anew."""
        return {
            "id": self.id,
            "setting": self.setting.to_json(),
            "bots": str(self.models),
            "seat": seats([self.seat]),
            "seed": self.seed,
            "coach": self.coach,
            "acts": list(self.acts),
        }


def name_of(seat: int) -> str:
    """What the bot in a seat is called."""
    return NAMES[seat % len(NAMES)]


def begin(
    setting: Setting,
    models: Models,
    seat: str = "",
    *,
    side: str | None = None,
    seed: int | None = None,
    coach: bool = False,
) -> SeatSession:
    """Deal the roles and sit down: at a seat by its letter, or at a random one; on a side, or on whichever is dealt."""
    if seed is not None and not 0 <= seed < MOST_SEED:
        raise SeatError(f"expected a seed of 0 to {MOST_SEED - 1}, got {seed}")
    place = read_seat(setting, seat)
    identity = secrets.token_hex(12)
    for attempt in range(MOST_DEALT):
        drawn = secrets.randbelow(MOST_SEED) if seed is None else (seed + attempt) % MOST_SEED
        own = drawn % setting.table.players if place is None else place
        session = SeatSession(setting, models, own, drawn, coach, identity)
        if side is None or setting.deal(drawn).role(own).evil == (side == SPIES):
            return session
    raise SeatError(f"no deal puts seat {seat!r} on that side; leave out --side")


def read_seat(setting: Setting, text: str) -> int | None:
    """The number of a seat; None of no letter at all, which stands for any seat."""
    letter = text.strip().lower()
    if not letter:
        return None
    if len(letter) != 1 or not "a" <= letter <= seats([setting.table.players - 1]):
        raise SeatError(f"expected a seat from a to {seats([setting.table.players - 1])}, got {text[:40]!r}")
    return ord(letter) - ord("a")


def read_side(text: str | None, names: Sequence[str]) -> str | None:
    """The side that a person wants to be dealt: by its name in the game, or None."""
    if text is None:
        return None
    if text.lower() in (GOOD, names[0], "loyal", "0"):
        return GOOD
    if text.lower() in (SPIES, "spy", "1"):
        return SPIES
    raise SeatError(f"expected a side, {names[0]} or {names[1]}, got {text[:40]!r}")
