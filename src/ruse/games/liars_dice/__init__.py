"""Liar's dice: `rules.py` has the rules."""

from ruse.games.liars_dice.rules import LiarsDice, liars_dice

__all__ = ["LiarsDice", "liars_dice"]
