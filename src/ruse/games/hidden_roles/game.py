"""Games with hidden roles as ruse plays them: the rules, and all that ruse knows to do with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from ruse.core.capabilities import Advising, Filed, Glossed, Hidden, Modelled, Outlined
from ruse.core.types import Odds, Tables
from ruse.games.hidden_roles.rules import HiddenRoles, Play


class HiddenRolesGame(HiddenRoles):
    provides = (Filed, Advising, Glossed, Outlined, Modelled, Hidden)
    parts: ClassVar[Mapping[str, str]] = {
        "view": "ruse.games.hidden_roles.view:views",
        "picture": "ruse.games.hidden_roles.picture:picture",
        "check": "ruse.games.hidden_roles.view:check",
        "solve": "ruse.games.hidden_roles.solve",
        "play": "ruse.games.hidden_roles.play:Seats",
        "companion": "ruse.games.hidden_roles.companion",
        "evening": "ruse.games.hidden_roles.companion:asked",
        "insight": "ruse.games.hidden_roles.insight:insight",
        "verify": "ruse.games.hidden_roles.verify:HiddenRolesVerifier",
    }

    def file(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """The position that one is filed under, and how its moves are called here."""
        from ruse.games.hidden_roles.filing import file, filing_of

        return file(self, filing_of(self), position, side)

    def gloss(self, position: str, move: str) -> str:
        """What a move stands for: missions that look alike, or what spies say."""
        from ruse.games.hidden_roles.filing import filing_of
        from ruse.games.hidden_roles.options import gloss

        return gloss(self, filing_of(self), position, move)

    def adviser(self, side: int, tables: Tables) -> Callable[[str], Odds]:
        """Sensible odds at filed positions that a strategy leaves out."""
        from ruse.games.hidden_roles.advice import adviser

        return adviser(self, side, tables)

    def why_advice(self, side: int) -> str:
        from ruse.games.hidden_roles.advice import why

        return why(side)

    def outline(self, tables: Tables, side: int) -> list[str]:
        """What a side does, in some sentences."""
        from ruse.games.hidden_roles.words import outline

        return outline(self, tables, side)

    def hidden(self, state: Play, side: int) -> str:
        """The roles that a side does not see."""
        from ruse.games.hidden_roles.beliefs import hidden_roles

        return "" if state.deal is None else hidden_roles(self, side, state.deal)
