"""Games with hidden roles as ruse plays them: the rules, and all that ruse knows to do with them."""

from __future__ import annotations

from ruse.games.hidden_roles.rules import HiddenRoles


class HiddenRolesGame(HiddenRoles):
    pass
