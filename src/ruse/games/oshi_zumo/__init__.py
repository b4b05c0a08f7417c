"""Oshi-Zumo: `rules.py` has the rules."""

from ruse.games.oshi_zumo.rules import OshiZumo, oshi_zumo

__all__ = ["OshiZumo", "oshi_zumo"]
