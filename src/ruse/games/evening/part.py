"""What The Resistance and Avalon bring for rooms that seat people and bots: the part `evening` of their games."""

from __future__ import annotations

from ruse.games.evening.terminal import play, resume

__all__ = ["play", "resume"]
