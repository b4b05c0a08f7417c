"""Tic-tac-toe: `rules.py` has the rules."""

from ruse.games.tic_tac_toe.rules import TicTacToe, tic_tac_toe

__all__ = ["TicTacToe", "tic_tac_toe"]
