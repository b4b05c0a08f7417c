"""The record of a real evening with hidden roles: that of The Resistance, and what was said and what one seat knows.

A record is refused with a reason where no deal of roles fits it. A report that cannot be true is no reason by itself:
whoever made it is a spy.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ruse.core import registry
from ruse.core.game import RuseError
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.notation import read_claim, role_name
from ruse.games.hidden_roles.options import claim_in_words
from ruse.games.hidden_roles.roles import SERVANT, SPY, Claim
from ruse.games.hidden_roles.rules import PRIVATE, HiddenRoles, Words
from ruse.games.resistance.companion_record import (
    Evening,
    Round,
    Seats,
    check_kind,
    load_text,
)
from ruse.games.resistance.companion_record import from_json as plain_from_json
from ruse.games.resistance.notation import read_seats
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.table import seat_count
from ruse.people.tables import RecordError

KIND = "ruse evening with roles"


@dataclass(frozen=True)
class OwnRole:
    """What the person who asks knows of their own seat."""

    seat: int
    kind: int  # of role
    sees: Seats = ()  # whom a good role is shown
    partners: tuple[tuple[int, int], ...] = ()  # of a spy: the other spies that he knows, and their kinds

    def fits(self, game: HiddenRoles, deal: Sequence[int]) -> bool:
        if deal[self.seat] != self.kind:
            return False
        if self.kind not in game.cast.known:
            return game.cast.kinds[self.kind].evil or game.cast.sees(deal, self.seat) == self.sees
        return all(deal[seat] == kind for seat, kind in self.partners)


@dataclass(frozen=True)
class RolesEvening(Evening):
    """A game as it was written down; `checked` says whether it can have happened."""

    game: HiddenRoles | None = None
    said: Words = ()  # what each seat reported, None of those nobody heard
    me: OwnRole | None = None

    @property
    def rules(self) -> HiddenRoles:
        assert self.game is not None
        return self.game

    @staticmethod
    def begin_with(game: HiddenRoles, names: Sequence[str] = ()) -> RolesEvening:
        """An evening before anything is said."""
        plain = Evening.begin(game.table, names)
        return RolesEvening(game.table, plain.names, game=game, said=(None,) * game.table.players).checked()

    # What fits.

    def fitting(self, said: Words | None = None) -> list[tuple[int, ...]]:
        """The deals that fit the missions, what was said, and what one seat knows."""
        said = self.said if said is None else said
        return [
            deal
            for deal in self.rules.cast.deals
            if self._shown(deal)
            and (self.me is None or self.me.fits(self.rules, deal))
            and all(claim is None or self._may_say(deal, seat, claim) for seat, claim in enumerate(said))
        ]

    def _shown(self, deal: Sequence[int]) -> bool:
        """Whether enough spies were aboard for the sabotages that appeared."""
        evil = [seat for seat, kind in enumerate(deal) if self.rules.cast.kinds[kind].evil]
        return all(len(set(round.team).intersection(evil)) >= round.sabotages for round in self.rounds)

    def _may_say(self, deal: Sequence[int], seat: int, claim: Claim) -> bool:
        """Good seats tell the truth, where they report; a convention's pointing proves nothing."""
        if self.rules.cast.kinds[deal[seat]].evil or self.rules.talk != PRIVATE:
            return True
        return self.rules.cast.true_claim(deal, seat) == claim

    def dead(self) -> list[int]:
        """The seats whose reports cannot be true, whoever else tells the truth."""
        dead = []
        for seat, claim in enumerate(self.said):
            if claim is not None and self.rules.talk == PRIVATE:
                others = tuple(other if at == seat else None for at, other in enumerate(self.said))
                if not any(not self.rules.cast.kinds[deal[seat]].evil for deal in self.fitting(others)):
                    dead.append(seat)
        return dead

    def checked(self) -> RolesEvening:
        super().checked()
        if self.me is not None and not self.fitting((None,) * len(self.said)):
            raise RecordError(f"expected a role that the missions allow, got {self.my_role()}")
        if not self.fitting():
            reports = "; ".join(self._report_text(seat) for seat, claim in enumerate(self.said) if claim is not None)
            raise RecordError(f"expected reports of which all by good seats can be true, got {reports}")
        return self

    def _report_text(self, seat: int) -> str:
        claim = self.said[seat]
        assert claim is not None
        return f"{self.names[seat]} {claim_in_words(self.rules, claim)}"

    def my_role(self) -> str:
        """Who asks, in words: C, who is Merlin and sees B and D."""
        assert self.me is not None
        role = self.rules.cast.kinds[self.me.kind]
        name = f"a {role.name}" if role in (SERVANT, SPY) else role_name(role)
        sees = f" and sees {self.named(self.me.sees)}" if self.me.sees else ""
        others = f" with {self.named([seat for seat, _ in self.me.partners])}" if self.me.partners else ""
        return f"{self.names[self.me.seat]}, who is {name}{others}{sees}"

    # Changes.

    def with_round(self, round: Round) -> RolesEvening:
        """With one more mission."""
        return replace(self, rounds=(*self.rounds, round)).checked()

    def report(self, text: str) -> RolesEvening:
        """With a report, such as c=merlin:bd, c quiet, or c nothing to take it back."""
        seat, _, report = text.partition(" ")
        if report.strip() in (notation.QUIET, "nothing"):
            (at,) = self._one_seat(seat)
            claim = Claim(self.rules.cast.quiet) if report.strip() == notation.QUIET else None
        else:
            at, claim = read_claim(self.rules, text.replace(" ", ""))
        said = tuple(claim if number == at else before for number, before in enumerate(self.said))
        return replace(self, said=said).checked()

    def meet(self, text: str) -> RolesEvening:
        """With what one seat knows: c merlin bd, c servant, c spy d, c mordred d, c spy d=mordred, nobody."""
        if text.strip() == "nobody":
            return replace(self, me=None).checked()
        seat, role, *rest = [*text.split(), "", ""][: max(2, len(text.split()))]
        (at,) = self._one_seat(seat)
        names = {known_role.name: kind for kind, known_role in enumerate(self.rules.cast.kinds)}
        if role not in names:
            raise RecordError(f"expected a seat and one of {', '.join(names)}, such as c servant, got {text!r}")
        kind, more = names[role], "".join(rest)
        if kind in self.rules.cast.known:
            return replace(self, me=OwnRole(at, kind, (), self._partners(at, kind, rest))).checked()
        sees = self.rules.cast.sights.get(kind, 0)
        if len(more) != sees:
            others = f"{seat_count(sees)} whom {role_name(self.rules.cast.kinds[kind])} sees" if sees else "nobody"
            raise RecordError(f"expected {others} after {role}, got {more!r}")
        return replace(self, me=OwnRole(at, kind, read_seats(more, self.table) if more else ())).checked()

    def _one_seat(self, text: str) -> Seats:
        seats = read_seats(text, self.table)
        if len(seats) != 1:
            raise RecordError(f"expected one seat, got {text!r}")
        return seats

    def _partners(self, seat: int, kind: int, rest: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """The other spies: those named with a role, and plain ones; what is left over follows where it is clear."""
        game, partners = self.rules, dict[int, int]()
        left = [known_kind for known_kind in game.cast.seats if known_kind in game.cast.known]
        left.remove(kind)
        names = {game.cast.kinds[known_kind].name: known_kind for known_kind in left}
        plain: list[int] = []
        for word in rest:
            who, equals, role = word.partition("=")
            if equals:
                if role not in names or names[role] not in left:
                    raise RecordError(f"expected one of the spies' roles {', '.join(names) or 'none'}, got {word!r}")
                (other,) = self._one_seat(who)
                partners[other] = names[role]
                left.remove(names[role])
            else:
                plain += read_seats(who, self.table)
        if len(plain) != len(left):
            count = len(left) + len(partners)
            spies = f"{count} other {'spy' if count == 1 else 'spies'}" if count else "no other spy"
            raise RecordError(f"expected {spies}, got {' '.join(rest) or 'none'}")
        if len(set(left)) > 1:
            example = f"{letters(plain[:1])}={game.cast.kinds[left[0]].name}"
            raise RecordError(f"expected which spy is which, such as {example}, got {' '.join(rest)}")
        partners |= dict(zip(plain, left, strict=True))
        if seat in partners or len(partners) < len(plain):
            raise RecordError("expected different seats as you and the other spies")
        return tuple(sorted(partners.items()))

    # Files.

    def to_json(self) -> dict[str, Any]:
        game, me = self.rules, self.me
        record = super().to_json()
        del record["role"], record["revealed"]
        return {
            **record,
            "kind": KIND,
            "game": game.name,
            "table": dict(game.parameters),
            "said": [None if claim is None else [claim.kind, list(claim.seats)] for claim in self.said],
            "me": None
            if me is None
            else {
                "seat": me.seat,
                "kind": me.kind,
                "sees": list(me.sees),
                "partners": [list(partner) for partner in me.partners],
            },
        }


def load(path: Path) -> RolesEvening:
    """The evening in a file."""
    try:
        record = json.loads(load_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise RecordError(f"this is not a saved evening: {path} is not JSON") from error
    return from_json(record)


def from_json(record: Any) -> RolesEvening:
    """An evening that `to_json` wrote. Raises RecordError."""
    check_kind(record, KIND)
    try:
        game = registry.make(str(record["game"]), dict(record["table"]))
        assert isinstance(game, HiddenRoles)
        plain = plain_from_json({**record, "kind": "ruse evening", "table": game.table.parameters, "role": None})
        me = record["me"]
        return RolesEvening(
            plain.table,
            plain.names,
            plain.rounds,
            None,
            plain.slip,
            title=plain.title,
            game=game,
            said=tuple(None if claim is None else Claim(int(claim[0]), tuple(claim[1])) for claim in record["said"]),
            me=None
            if me is None
            else OwnRole(int(me["seat"]), int(me["kind"]), tuple(me["sees"]), tuple((a, b) for a, b in me["partners"])),
        ).checked()
    except (KeyError, TypeError, ValueError, IndexError, AssertionError) as error:
        if isinstance(error, RuseError):
            raise
        raise RecordError("this evening is damaged: its numbers or lists cannot be read") from error
