"""Games with hidden roles as ruse plays them: the rules, and all that ruse knows to do with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ruse.games.hidden_roles.rules import HiddenRoles


class HiddenRolesGame(HiddenRoles):
    parts: ClassVar[Mapping[str, str]] = {
        "solve": "ruse.games.hidden_roles.solve",
        "play": "ruse.games.hidden_roles.play:Seats",
        "verify": "ruse.games.hidden_roles.verify:HiddenRolesVerifier",
    }
