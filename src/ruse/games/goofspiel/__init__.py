"""Goofspiel: `rules.py` has the rules."""

from ruse.games.goofspiel.rules import Goofspiel, goofspiel

__all__ = ["Goofspiel", "goofspiel"]
