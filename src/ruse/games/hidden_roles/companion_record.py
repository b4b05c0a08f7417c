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
from ruse.games.hidden_roles.notation import called, read_claim
from ruse.games.hidden_roles.options import claim_in_words
from ruse.games.hidden_roles.roles import SERVANT, SPY, Claim
from ruse.games.hidden_roles.rules import PRIVATE, HiddenRoles, Words
from ruse.games.resistance.companion_record import (
    MOST_BYTES,
    Evening,
    RecordError,
    Round,
    Seats,
    check_kind,
)
from ruse.games.resistance.companion_record import from_json as plain_from_json
from ruse.games.resistance.notation import read_seats
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.table import seat_count

KIND = "ruse evening with roles"


@dataclass(frozen=True)
class Me:
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
    me: Me | None = None

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
        return all(len(set(one.team).intersection(evil)) >= one.sabotages for one in self.rounds)

    def _may_say(self, deal: Sequence[int], seat: int, claim: Claim) -> bool:
        """Good seats tell the truth, where they report; a convention's pointing proves nothing."""
        if self.rules.cast.kinds[deal[seat]].evil or self.rules.talk != PRIVATE:
            return True
        return self.rules.cast.true_claim(deal, seat) == claim

    def dead(self) -> list[int]:
        """The seats whose reports cannot be true, whoever else tells the truth."""
        found = []
        for seat, claim in enumerate(self.said):
            if claim is not None and self.rules.talk == PRIVATE:
                others = tuple(one if at == seat else None for at, one in enumerate(self.said))
                if not any(not self.rules.cast.kinds[deal[seat]].evil for deal in self.fitting(others)):
                    found.append(seat)
        return found

    def checked(self) -> RolesEvening:
        super().checked()
        if self.me is not None and not self.fitting((None,) * len(self.said)):
            raise RecordError(f"expected a role that the missions allow, got {self.my_role()}")
        if not self.fitting():
            told = "; ".join(self._told(seat) for seat, claim in enumerate(self.said) if claim is not None)
            raise RecordError(f"expected reports of which all by good seats can be true, got {told}")
        return self

    def _told(self, seat: int) -> str:
        claim = self.said[seat]
        assert claim is not None
        return f"{self.names[seat]} {claim_in_words(self.rules, claim)}"

    def my_role(self) -> str:
        """Who asks, in words: C, who is Merlin and sees B and D."""
        assert self.me is not None
        role = self.rules.cast.kinds[self.me.kind]
        name = f"a {role.name}" if role in (SERVANT, SPY) else called(role)
        sees = f" and sees {self.named(self.me.sees)}" if self.me.sees else ""
        others = f" with {self.named([seat for seat, _ in self.me.partners])}" if self.me.partners else ""
        return f"{self.names[self.me.seat]}, who is {name}{others}{sees}"

    # Changes.

    def with_round(self, round: Round) -> RolesEvening:
        """With one more mission."""
        return replace(self, rounds=(*self.rounds, round)).checked()

    def say(self, text: str) -> RolesEvening:
        """With a report, such as c=merlin:bd, c quiet, or c nothing to take it back."""
        seat, _, what = text.partition(" ")
        if what.strip() in (notation.QUIET, "nothing"):
            (at,) = self._one(seat)
            claim = Claim(self.rules.cast.quiet) if what.strip() == notation.QUIET else None
        else:
            at, claim = read_claim(self.rules, text.replace(" ", ""))
        said = tuple(claim if number == at else one for number, one in enumerate(self.said))
        return replace(self, said=said).checked()

    def meet(self, text: str) -> RolesEvening:
        """With what one seat knows: c merlin bd, c servant, c spy d, c mordred d, c spy d=mordred, nobody."""
        if text.strip() == "nobody":
            return replace(self, me=None).checked()
        seat, role, *rest = [*text.split(), "", ""][: max(2, len(text.split()))]
        (at,) = self._one(seat)
        names = {one.name: kind for kind, one in enumerate(self.rules.cast.kinds)}
        if role not in names:
            raise RecordError(f"expected a seat and one of {', '.join(names)}, such as c servant, got {text!r}")
        kind, more = names[role], "".join(rest)
        if kind in self.rules.cast.known:
            return replace(self, me=Me(at, kind, (), self._partners(at, kind, rest))).checked()
        sees = self.rules.cast.sights.get(kind, 0)
        if len(more) != sees:
            others = f"{seat_count(sees)} whom {called(self.rules.cast.kinds[kind])} sees" if sees else "nobody"
            raise RecordError(f"expected {others} after {role}, got {more!r}")
        return replace(self, me=Me(at, kind, read_seats(more, self.table) if more else ())).checked()

    def _one(self, text: str) -> Seats:
        found = read_seats(text, self.table)
        if len(found) != 1:
            raise RecordError(f"expected one seat, got {text!r}")
        return found

    def _partners(self, seat: int, kind: int, rest: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """The other spies: those named with a role, and plain ones; what is left over follows where it is clear."""
        game, found = self.rules, dict[int, int]()
        left = [one for one in game.cast.seats if one in game.cast.known]
        left.remove(kind)
        names = {game.cast.kinds[one].name: one for one in left}
        plain: list[int] = []
        for word in rest:
            who, equals, role = word.partition("=")
            if equals:
                if role not in names or names[role] not in left:
                    raise RecordError(f"expected a spy's role out of {', '.join(names) or 'none'}, got {word!r}")
                (other,) = self._one(who)
                found[other] = names[role]
                left.remove(names[role])
            else:
                plain += read_seats(who, self.table)
        if len(plain) != len(left):
            count = len(left) + len(found)
            spies = f"{count} other {'spy' if count == 1 else 'spies'}" if count else "no other spy"
            raise RecordError(f"expected {spies}, got {' '.join(rest) or 'none'}")
        if len(set(left)) > 1:
            example = f"{letters(plain[:1])}={game.cast.kinds[left[0]].name}"
            raise RecordError(f"expected which spy is which, such as {example}, got {' '.join(rest)}")
        found |= dict(zip(plain, left, strict=True))
        if seat in found or len(found) < len(plain):
            raise RecordError("expected different seats as you and the other spies")
        return tuple(sorted(found.items()))

    # Files.

    def to_json(self) -> dict[str, Any]:
        game, me = self.rules, self.me
        found = super().to_json()
        del found["role"], found["revealed"]
        return {
            **found,
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
                "partners": [list(one) for one in me.partners],
            },
        }


def load(path: Path) -> RolesEvening:
    """The evening in a file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RecordError(f"the saved evening {path} has more than {MOST_BYTES:,} bytes")
        found = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        if isinstance(error, RuseError):
            raise
        raise RecordError(f"this is not a saved evening: {path} is not JSON") from error
    return from_json(found)


def from_json(found: Any) -> RolesEvening:
    """An evening that `to_json` wrote. Raises RecordError."""
    check_kind(found, KIND)
    try:
        game = registry.make(str(found["game"]), dict(found["table"]))
        assert isinstance(game, HiddenRoles)
        plain = plain_from_json({**found, "kind": "ruse evening", "table": game.table.parameters, "role": None})
        me = found["me"]
        return RolesEvening(
            plain.table,
            plain.names,
            plain.rounds,
            None,
            plain.slip,
            title=plain.title,
            game=game,
            said=tuple(None if one is None else Claim(int(one[0]), tuple(one[1])) for one in found["said"]),
            me=None
            if me is None
            else Me(int(me["seat"]), int(me["kind"]), tuple(me["sees"]), tuple((a, b) for a, b in me["partners"])),
        ).checked()
    except (KeyError, TypeError, ValueError, IndexError, AssertionError) as error:
        if isinstance(error, RuseError):
            raise
        raise RecordError("this evening is damaged: its numbers or lists cannot be read") from error
