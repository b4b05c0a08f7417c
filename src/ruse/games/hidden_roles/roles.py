"""Roles: what a seat is, what it is shown of others, and what becomes of it.

Every role has marks. A role that sees a mark is shown, before the first mission, which other seats have it, and not
which of them is what: Merlin sees the mark "evil", which Mordred lacks; Percival sees the mark "merlin", which Morgana
has too. Seats of one side with the same role are alike. A cast is a role for each seat; chance deals it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ruse.core.game import GameError

EVIL = "evil"
Seats = tuple[int, ...]  # sorted


@dataclass(frozen=True)
class Role:
    name: str
    evil: bool = False
    sees: str = ""  # the mark that it is shown on other seats
    marks: tuple[str, ...] = ()
    hunted: bool = False  # the good side loses after all if the spies name this seat in the end
    alone: bool = False  # evil, but no spy knows it: it sabotages whenever it can and reports nothing


SERVANT = Role("servant")
SPY = Role("spy", evil=True, marks=(EVIL,))


@dataclass(frozen=True)
class Claim:
    """What a seat says: to be of a kind, and to see some seats; or, in a public round, which seat it points at."""

    kind: int
    seats: Seats = ()


class Cast:
    """The roles of a table. Equal ones are one kind; kinds are numbered in the order in which they come."""

    def __init__(self, players: int, spies: int, roles: Sequence[Role] = ()) -> None:
        evil = [role for role in roles if role.evil]
        good = [role for role in roles if not role.evil]
        if len(evil) > spies:
            raise GameError(f"expected at most {_many(spies, 'evil role')}, got {_named(evil)}")
        if len(good) > players - spies:
            raise GameError(f"expected at most {_many(players - spies, 'good role')}, got {_named(good)}")
        alone = [role for role in evil if role.alone]
        if len(alone) > 1 or len(alone) == spies:
            raise GameError(f"expected one spy at most who plays alone, and others beside, got {_named(alone)}")
        if sum(role.hunted for role in good) > 1:
            raise GameError(f"expected one role at most that the spies hunt, got {_named(good)}")
        cast = [*good, *[SERVANT] * (players - spies - len(good)), *evil, *[SPY] * (spies - len(evil))]
        self.kinds = tuple(dict.fromkeys(cast))
        self.seats = tuple(sorted(self.kinds.index(role) for role in cast))  # one way to deal them

    @cached_property
    def known(self) -> frozenset[int]:
        """Kinds that the spies know each other by."""
        return frozenset(kind for kind, role in enumerate(self.kinds) if role.evil and not role.alone)

    @cached_property
    def alone(self) -> int | None:
        """The kind of a spy who plays alone."""
        return next((kind for kind, role in enumerate(self.kinds) if role.alone), None)

    @cached_property
    def hunted(self) -> int | None:
        """The kind that the spies have to name in the end."""
        return next((kind for kind, role in enumerate(self.kinds) if role.hunted), None)

    @cached_property
    def quiet(self) -> int:
        """The kind that has nothing to report; past the kinds where there is none."""
        quiet_kinds = (kind for kind, role in enumerate(self.kinds) if not role.evil and not role.sees)
        return next(quiet_kinds, len(self.kinds))

    def sees(self, deal: Sequence[int], seat: int) -> Seats:
        """Which other seats a seat is shown."""
        mark = self.kinds[deal[seat]].sees
        return tuple(at for at, kind in enumerate(deal) if at != seat and mark and mark in self.kinds[kind].marks)

    def true_claim(self, deal: Sequence[int], seat: int) -> Claim:
        """What a good seat reports; those without a sight of others all report the same."""
        role = self.kinds[deal[seat]]
        return Claim(deal[seat], self.sees(deal, seat)) if role.sees and not role.evil else Claim(self.quiet)

    @cached_property
    def sights(self) -> dict[int, int]:
        """Of each kind that has something to report, how many seats it sees."""
        return {
            kind: len(self.sees(self.seats, self.seats.index(kind)))
            for kind, role in enumerate(self.kinds)
            if role.sees and not role.evil
        }

    def claims(self, seat: int) -> list[Claim]:
        """All that somebody on a seat can report."""
        others = [other for other in range(len(self.seats)) if other != seat]
        claims = [Claim(self.quiet)]
        for kind, size in self.sights.items():
            claims += [Claim(kind, seats) for seats in combinations(others, size)]
        return claims

    @cached_property
    def deals(self) -> tuple[tuple[int, ...], ...]:
        """Every way to deal the roles; all are equally likely."""
        return tuple(_arranged(self.seats))


def _arranged(kinds: Sequence[int]) -> list[tuple[int, ...]]:
    """Every order of some kinds, each once."""
    if not kinds:
        return [()]
    orders = []
    for kind in sorted(set(kinds)):
        rest = list(kinds)
        rest.remove(kind)
        orders += [(kind, *others) for others in _arranged(rest)]
    return orders


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _named(roles: Sequence[Role]) -> str:
    return ", ".join(role.name for role in roles)
