"""Suits that nothing tells apart: renaming them changes neither the board, nor the ranges, nor the locks.

After a card, only the renamings that leave it alone count. Of the cards that those turn into each other, one is dealt
for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruse.games.holdem.locks import Lock
    from ruse.games.holdem.ranges import Pair
    from ruse.games.holdem.rules import Holdem

Renaming = tuple[int, ...]  # what each suit becomes


def renamed(card: int, renaming: Renaming) -> int:
    return card & ~3 | renaming[card & 3] if card >= 0 else card


def renamed_pair(hand: Pair, renaming: Renaming) -> Pair:
    a, b = renamed(hand[0], renaming), renamed(hand[1], renaming)
    return max(a, b), min(a, b)


def renamings(game: Holdem) -> list[Renaming]:
    """All renamings that change nothing at the start of a spot; the first leaves every suit alone. They are checked."""
    others = 4 - game.deck.suits
    collected = []
    for order in permutations(range(others, 4)):
        renaming = (*range(others), *order)
        if {renamed(card, renaming) for card in game.board} != set(game.board):
            continue
        if any(
            weights.get(renamed_pair(hand, renaming)) != weight
            for weights in game.weights
            for hand, weight in weights.items()
        ):
            continue
        if all(_keeps(lock, renaming) for lock in game.locks):
            collected.append(renaming)
    return collected


def _keeps(lock: Lock, renaming: Renaming) -> bool:
    if any(renamed(card, renaming) != card for card in lock.cards):
        return False
    return lock.hands is None or {renamed_pair(hand, renaming) for hand in lock.hands} == set(lock.hands)


def classes(cards: Sequence[int], group: Sequence[Renaming]) -> list[tuple[int, list[Renaming]]]:
    """One card of each class, with a renaming into every member, itself first."""
    seen: set[int] = set()
    collected = []
    for card in cards:
        if card in seen:
            continue
        into: dict[int, Renaming] = {}
        for renaming in group:
            into.setdefault(renamed(card, renaming), renaming)
        seen.update(into)
        collected.append((card, list(into.values())))
    return collected


def keeping(card: int, group: Sequence[Renaming]) -> list[Renaming]:
    """The renamings that leave a card alone."""
    return [renaming for renaming in group if renamed(card, renaming) == card]
