"""Pig: `rules.py` has the rules."""

from ruse.games.pig.rules import Pig, pig

__all__ = ["Pig", "pig"]
