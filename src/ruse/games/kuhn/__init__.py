"""Kuhn poker: `rules.py` has the rules."""

from ruse.games.kuhn.rules import Kuhn, kuhn

__all__ = ["Kuhn", "kuhn"]
