"""Nim: `rules.py` has the rules."""

from ruse.games.nim.rules import Nim, nim

__all__ = ["Nim", "nim"]
