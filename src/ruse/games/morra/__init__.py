"""Morra: `rules.py` has the rules."""

from ruse.games.morra.rules import Morra, morra

__all__ = ["Morra", "morra"]
