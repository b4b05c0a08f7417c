"""Leduc poker: `rules.py` has the rules."""

from ruse.games.leduc.rules import Leduc, leduc

__all__ = ["Leduc", "leduc"]
