"""Games with hidden roles as ruse plays them: the rules, and all that ruse knows to do with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from ruse.core.capabilities import Adjustable, Representatives
from ruse.games.hidden_roles.rules import HiddenRoles


class HiddenRolesGame(HiddenRoles):
    """A table at which three of five missions win, as in all official ones."""

    provides = (Representatives, Adjustable)
    parts: ClassVar[Mapping[str, str]] = {
        "solve": "ruse.games.hidden_roles.solve",
        "verify": "ruse.games.hidden_roles.verify",
        "presentation": "ruse.games.hidden_roles.presentation:HiddenRolesPresentation",
        "companion": "ruse.games.hidden_roles.companion",
        "insight": "ruse.games.hidden_roles.view:insight",
    }

    role_sets: tuple[str, ...] = ()  # what a designer may choose from, as on the command line

    def span(self) -> Mapping[str, str]:
        """The casts that the table has room for."""
        return {"roles": "; ".join(self.role_sets)} if self.role_sets else {}

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """Return the position that represents this one, and a function from its moves to the moves here."""
        from ruse.games.hidden_roles.classes import finder_of, representative_position

        return representative_position(self, finder_of(self), position, side)


class HiddenRolesVariant(HiddenRolesGame):
    """A table with other missions or points to win: ruse solves it alike, and has no companion for an evening there."""

    provides = (Representatives, Adjustable)
    parts: ClassVar[Mapping[str, str]] = {
        name: HiddenRolesGame.parts[name] for name in ("solve", "verify", "presentation", "insight")
    }
    span = HiddenRolesGame.span
    representative_position = HiddenRolesGame.representative_position
