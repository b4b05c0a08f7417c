"""Guess who: `rules.py` has the rules."""

from ruse.games.guess_who.rules import GuessWho, guess_who

__all__ = ["GuessWho", "guess_who"]
