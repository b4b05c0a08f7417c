"""The Resistance with hidden roles, of which Avalon is one: roles, talk, missions and a last guess."""

from __future__ import annotations

from ruse.games.hidden_roles.game import HiddenRolesGame
from ruse.games.hidden_roles.roles import EVIL, SERVANT, SPY, Cast, Claim, Role
from ruse.games.hidden_roles.rules import HiddenRoles

__all__ = ["EVIL", "SERVANT", "SPY", "Cast", "Claim", "HiddenRoles", "HiddenRolesGame", "Role"]
