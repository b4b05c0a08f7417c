"""Hold'em: poker for two with a board, ranges and bets of your choice, from a flop, a turn or a river on."""

from ruse.games.holdem.rules import Holdem, holdem

__all__ = ["Holdem", "holdem"]
