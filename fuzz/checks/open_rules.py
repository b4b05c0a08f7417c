"""A tree of the oracle in which everything is seen, as a game that says so."""

from __future__ import annotations

from fuzz.rules import Rules
from ruse.core.capabilities import Open


class OpenRules(Rules):
    """The same where everything is seen: what matters from a node on is the node."""

    provides = (Open,)

    def knows(self, state: int, side: int) -> tuple[str, str]:  # what everybody sees
        return ("at", str(state))

    def board(self, state: int) -> int:
        return state
