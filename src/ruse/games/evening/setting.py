"""Who sits at a table: how many, which roles are in play, and what each seat is shown of the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ruse.core.game import Game, GameError
from ruse.core.parameters import did_you_mean
from ruse.games.avalon import ROLES
from ruse.games.evening.chance import deal_order
from ruse.games.hidden_roles.roles import EVIL, SERVANT, SPY, Cast, Role
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.games.resistance.notation import listed, seats
from ruse.games.resistance.rules import ResistanceRules
from ruse.games.resistance.table import Table, make_table, seat_count

Seats = tuple[int, ...]  # sorted
LOYAL, MINION, MERLIN, OBERON = "loyal", "minion", "merlin", "oberon"
MOST_SEATS = 12  # so that a leader's teams can be listed
RECORDED = {SERVANT.name: LOYAL, SPY.name: MINION}  # as records call them
SPECIAL = (MERLIN, "percival", "morgana", "mordred", OBERON)  # in the order of records


def recorded(role: Role) -> str:
    """A role as records call it."""
    return RECORDED.get(role.name, role.name)


@dataclass(frozen=True)
class Setting:
    """A table and its roles."""

    table: Table
    roles: tuple[str, ...] = ()  # those in play that are neither loyal nor plain spies

    @staticmethod
    def make(table: Table, roles: Sequence[str] = ()) -> Setting:
        """A setting that can be dealt. Raises GameError."""
        if table.players > MOST_SEATS:
            raise GameError(f"expected at most {MOST_SEATS} seats for an evening, got {table.players}")
        for name in roles:
            if name not in SPECIAL:
                hint = did_you_mean(name, SPECIAL) or f"; the roles are {', '.join(SPECIAL)}"
                raise GameError(f"unknown role {name!r}{hint}")
            if roles.count(name) > 1:
                raise GameError(f"expected each role once, got {name!r} twice")
        setting = Setting(table, tuple(name for name in SPECIAL if name in roles))
        setting.cast  # noqa: B018  # which refuses what cannot be dealt
        return setting

    @cached_property
    def cast(self) -> Cast:
        return Cast(self.table.players, self.table.spies, [ROLES[name] for name in self.roles])

    @property
    def hunted(self) -> bool:
        """Whether the Assassin has a shot after three passed missions."""
        return MERLIN in self.roles

    @property
    def title(self) -> str:
        """The table in a few words: seats, and the roles in play."""
        named = [name.capitalize() for name in self.roles]
        if MERLIN in self.roles:
            named.insert(1, "the Assassin")
        return f"{seat_count(self.table.players)}{', with ' + listed(named) if named else ''}"

    def deal(self, seed: int) -> DealtRoles:
        """The roles of an evening, all deals alike, and which spy is the Assassin."""
        kinds = tuple(self.cast.seats[place] for place in deal_order(self.table.players, seed, "roles"))
        return self.dealt(kinds, seed)

    def dealt(self, kinds: Sequence[int], seed: int) -> DealtRoles:
        """These roles, and which of the spies who know each other is the Assassin."""
        assassin = None
        if self.hunted:
            known = [seat for seat, kind in enumerate(kinds) if kind in self.cast.known]
            assassin = known[deal_order(len(known), seed, "assassin")[0]]
        return DealtRoles(self, tuple(kinds), assassin)

    def to_json(self) -> dict[str, object]:
        return {"table": self.table.parameters, "roles": list(self.roles)}


def read_roles(text: str) -> list[str]:
    """The special roles in a list such as merlin,percival,morgana; the Assassin comes with Merlin."""
    names = [name.strip().lower() for name in re.split("[,+-]", text) if name.strip()]
    if "assassin" in names and MERLIN not in names:
        raise GameError(f"expected merlin beside assassin, got {text!r}")
    return [name for name in names if name != "assassin"]


def official(players: int, roles: Sequence[str] = ()) -> Setting:
    """The official table of that many players."""
    return Setting.make(make_table(players), roles)


@dataclass(frozen=True)
class DealtRoles:
    """The secret of an evening: the role of every seat."""

    setting: Setting
    kinds: tuple[int, ...]  # of each seat, as the cast numbers them
    assassin: int | None = None

    def role(self, seat: int) -> Role:
        return self.setting.cast.kinds[self.kinds[seat]]

    @cached_property
    def spies(self) -> Seats:
        return tuple(seat for seat in range(len(self.kinds)) if self.role(seat).evil)

    @cached_property
    def shown(self) -> tuple[Seats, ...]:
        """Whom each seat is shown: a spy the other spies who know each other, Merlin the evil he sees, and so on."""
        cast = self.setting.cast
        known = tuple(seat for seat, kind in enumerate(self.kinds) if kind in cast.known)
        return tuple(
            tuple(other for other in known if other != seat) if seat in known else cast.sees(self.kinds, seat)
            for seat in range(len(self.kinds))
        )

    def names(self) -> dict[str, str]:
        """The role of each seat, as records call it."""
        return {seats([seat]): recorded(self.role(seat)) for seat in range(len(self.kinds))}

    def words(self, seat: int) -> str:
        """What a seat is and sees, in a sentence or two, spoken to whoever sits there."""
        role, shown, letters = self.role(seat), self.shown[seat], listed(seats(self.shown[seat]))
        known = self.kinds[seat] in self.setting.cast.known
        if role.evil:
            name = "a spy" if role == SPY else f"{role.name.capitalize()}, a spy"
            name += ", and the Assassin" if seat == self.assassin else ""
            if not known:
                return f"You are {name}. You do not know the other spies, and they do not know you."
            if not shown:
                return f"You are {name}, and no other spy is known to you."
            others = "The other spy is" if len(shown) == 1 else "The other spies are"
            unseen = " Oberon is a spy too; nobody knows where." if OBERON in self.setting.roles else ""
            return f"You are {name}. {others} {letters}.{unseen}"
        if role.sees == EVIL:
            hidden = " You do not see Mordred." if "mordred" in self.setting.roles else ""
            return f"You are Merlin. You see spies: {letters}.{hidden} Do not let them find you out."
        if role.sees:
            one_of = f"{letters} is Merlin" if len(shown) == 1 else f"One of {letters} is Merlin, the other Morgana"
            return f"You are {role.name.capitalize()}. {one_of if shown else 'You see nobody'}."
        return "You are loyal."


def setting_of(game: Game) -> Setting:
    """The table and roles of a game as an evening plays them. Raises GameError."""
    if isinstance(game, ResistanceRules):
        return Setting.make(game.table)
    if isinstance(game, HiddenRoles):
        roles = game.parameters.get("roles")
        if isinstance(roles, str):
            return Setting.make(game.table, read_roles(roles))
    raise GameError(f"{game.title} has roles that an evening with seats does not know; use avalon --roles")
