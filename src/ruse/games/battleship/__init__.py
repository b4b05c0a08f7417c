"""Battleship: `rules.py` has the rules."""

from ruse.games.battleship.rules import Battleship, battleship

__all__ = ["Battleship", "battleship"]
