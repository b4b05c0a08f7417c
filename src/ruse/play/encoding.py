"""What a side knows as a vector, for learning programs: which step of its position says what.

A position such as `kuhn@K/check/bet` has the steps `@K`, `check` and `bet`. The encoding lists, step by step, every
text that occurs at some decision of either side. An observation is 1 where the side's position has that text at that
step, so that different information sets have different observations. Its first two entries say which side it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.game import Game, GameError, display_name
from ruse.core.registry import call_optional
from ruse.core.walk import SIDES, visits

MOST_STATES = 600_000  # of a tree, which are all visited: seconds
MOST_POSITIONS = 100_000  # of a game that goes by states: each is a text of its own


@dataclass(frozen=True)
class Encoding:
    moves: tuple[str, ...]  # the label of each action
    features: tuple[str, ...]  # what each entry of an observation says
    places: dict[tuple[int, str], int]  # the entry of each text at each step

    @staticmethod
    def of(game: Game) -> Encoding:
        """Visit every state of a game. Raises GameError if it has too many."""
        most = MOST_POSITIONS if isinstance(game, Memoryless) else MOST_STATES
        if isinstance(game, Memoryless):
            try:
                call_optional(Memoryless.check_countable, game, "for an environment")
            except GameError as error:
                raise too_large(game, most) from error
        elif size_estimate.nodes(game, most) > most:
            raise too_large(game, most)
        labels: dict[str, None] = {}  # as sets that keep the order of the rules
        texts: list[dict[str, None]] = []
        known: tuple[set[object], set[object]] = (set(), set())
        for number, (state, _, _) in enumerate(visits(game)):
            if number >= most:
                raise too_large(game, most)
            turn = game.turn(state)
            if turn not in SIDES or (knowledge := game.knows(state, turn)) in known[turn]:
                continue
            known[turn].add(knowledge)
            labels |= dict.fromkeys(map(game.label, game.moves(state)))
            for step, text in enumerate(game.format_position(knowledge).split("/")):
                if step == len(texts):
                    texts.append({})
                texts[step][text] = None
        places: dict[tuple[int, str], int] = {}
        features = [f"this is {display_name(side)}" for side in game.sides]
        for step, group in enumerate(texts):
            for text in filter(None, group):
                places[step, text] = len(features)
                features.append(f"step {step} is {text}")
        return Encoding(tuple(labels), tuple(features), places)

    def start(self, side: int) -> Array:
        """The observation of a side that has not moved yet."""
        observation = np.zeros(len(self.features), np.int8)
        observation[side] = 1
        return observation

    def observation(self, side: int, text: str) -> Array:
        """The observation of a side at a position, of which `text` follows the title."""
        observation = self.start(side)
        for step, part in enumerate(text.split("/")):
            if part:
                observation[self.places[step, part]] = 1
        return observation


def too_large(game: Game, most: int) -> GameError:
    return GameError(f"{game.title} has more than {most:,} states, too many for an environment: use smaller parameters")
