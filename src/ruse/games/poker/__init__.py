"""Poker with a deck, rounds and bets of your choice: `rules.py` has the rules."""

from ruse.games.poker.rules import Poker, poker

__all__ = ["Poker", "poker"]
