"""How large a game is: counted by a walk, or by the game itself where no walk would end."""

from __future__ import annotations

from typing import Any

from ruse.core import rationals
from ruse.core.capabilities import Bulk, Memoryless
from ruse.core.game import Game, display_name
from ruse.core.presentation import SizeReport
from ruse.core.registry import presentation
from ruse.core.size_estimate import MOST_WALKED, nodes
from ruse.core.walk import Counts, count


class WalkedSizes:
    """A game's states by kind, its information sets and its sequences."""

    def __init__(self, game: Game, counts: Counts) -> None:
        self.game = game
        self.counts = counts

    def text(self) -> str:
        kinds, sides = self.counts.kinds, [display_name(name) for name in self.game.sides]
        rows = [
            ("states", self.counts.states),
            ("  chance moves", kinds.chance),
            (f"  {sides[0]} moves", kinds.first),
            (f"  {sides[1]} moves", kinds.second),
            ("  terminal states", kinds.ends),
        ]
        for side, name in enumerate(sides):
            rows.append((f"information sets of {name}", self.counts.information_sets[side]))
            rows.append((f"sequences of {name}", self.counts.sequences[side]))
        return "\n".join([self.game.title, *(f"  {name:<34} {number:>12,}" for name, number in rows)])

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "parameters": dict(self.game.parameters),
            "states": {"all": self.counts.states, **self.counts.kinds._asdict()},
            "information_sets": dict(zip(self.game.sides, self.counts.information_sets, strict=True)),
            "sequences": list(self.counts.sequences),
        }


class CountedSizes:
    """The states of a game that is too large to walk: as it counts them itself, or a number that they exceed."""

    def __init__(self, game: Game, states: int) -> None:
        self.game, self.states = game, states
        self.counted = isinstance(game, Bulk)

    def text(self) -> str:
        states = f"{self.states:,}" if self.counted else f"over {rationals.count(self.states)}"
        return f"{self.game.title}\n  {'states':<34} {states:>12}\n  too many to visit them all"

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "parameters": dict(self.game.parameters),
            "states": {"all" if self.counted else "over": self.states},
        }


def sizes(game: Game) -> SizeReport:
    """Count a game."""
    if (own := presentation(game).size_report()) is not None:
        return own
    if isinstance(game, Memoryless):  # counted by states, of which there are far fewer than nodes of a tree
        return WalkedSizes(game, count(game))
    if (states := nodes(game, MOST_WALKED)) > MOST_WALKED:
        return CountedSizes(game, states if isinstance(game, Bulk) else MOST_WALKED)
    return WalkedSizes(game, count(game))
