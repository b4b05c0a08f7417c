"""The values of golden.toml, and the small games that every solver has to solve."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import ruse
from ruse.core.game import Game

GOLDEN = tomllib.loads((Path(__file__).parent / "golden.toml").read_text(encoding="utf-8"))


def games() -> list[tuple[str, Game, Fraction, dict[str, Any]]]:
    """(title, game, value, stanza) for every stanza of a game."""
    found = []
    for stanza in GOLDEN["game"]:
        game = ruse.games.make(stanza["name"], stanza.get("parameters", {}))
        found.append((game.title, game, Fraction(stanza["value"]), stanza))
    return found


def tables() -> list[tuple[int, Fraction]]:
    """(players, how often the resistance wins) at the official tables."""
    return [(stanza["players"], Fraction(stanza["win"])) for stanza in GOLDEN["resistance"]]
