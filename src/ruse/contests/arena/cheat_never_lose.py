"""Cauwet & Teytaud 2018, §V-C: the strategy for Cheat that never loses, and a search for a way to beat it.

For four colours and `few` = 3 its rules are:

1. While the other side has more than `few` cards, do anything.
2. When it has at most `few` cards and you lead, lead a colour that it lacks, and say "cheat" when it puts a card.
3. When it has at most `few` cards and the current colour is set, say "cheat".

Rule 2 needs to know what the other side lacks. Whoever leads sees an empty table, so the other side has exactly the
cards that are not in one's own hand, and lacks a colour if one holds all of it. One rule is ours: put your last card if
you can, and win. docs/explanation/cheat.md says which decks this works for, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

from ruse.contests.arena.contest import CUT, LOSS, WIN

LEAD = -1  # instead of the current colour, while a side is to lead
CHEAT = -2  # said instead of putting a card of a colour
MINE, THEIRS = 0, 1

Hand = tuple[int, ...]  # cards of each colour


class CheatPosition(NamedTuple):
    """A position; the cards on the table are those in neither hand."""

    hands: tuple[Hand, Hand]
    mover: int
    current: int  # colour, or LEAD
    honest: bool  # whether the last card was of the current colour


def moves(table: CheatPosition) -> list[int]:
    """Colours that the mover may put, and CHEAT once a card is on the table."""
    colours = [colour for colour, count in enumerate(table.hands[table.mover]) if count]
    return colours if table.current == LEAD else [*colours, CHEAT]


def play(table: CheatPosition, move: int, each: int) -> CheatPosition:
    """The position after a move, with `each` cards of every colour in the deck."""
    hands, mover, current, honest = table
    if move == CHEAT:
        taker = mover if honest else 1 - mover
        taken = tuple(each - count for count in hands[1 - taker])
        return CheatPosition((taken, hands[1]) if taker == MINE else (hands[0], taken), taker, LEAD, True)
    left = tuple(count - (colour == move) for colour, count in enumerate(hands[mover]))
    current = move if current == LEAD else current
    return CheatPosition((left, hands[1]) if mover == MINE else (hands[0], left), 1 - mover, current, move == current)


def never_lose(hand: Hand, others: int, current: int, each: int, few: int) -> list[int]:
    """The moves that the strategy allows a side which has this hand, while the other side has `others` cards."""
    colours = [colour for colour, count in enumerate(hand) if count]
    if sum(hand) == 1:
        return colours
    if others > few:
        return colours if current == LEAD else [*colours, CHEAT]
    if current == LEAD:
        return [colour for colour in colours if hand[colour] == each] or colours
    return [CHEAT]


@dataclass(frozen=True)
class SearchResult:
    """All that can happen when one side plays `never_lose` and the other one anything."""

    positions: int
    fewest: int  # cards that the other side ever has
    lost: bool


def deals(colours: int, each: int) -> Iterator[tuple[Hand, Hand]]:
    """Every way to give both sides equally many cards."""
    for hand in product(range(each + 1), repeat=colours):
        if 2 * sum(hand) == colours * each:
            yield hand, tuple(each - count for count in hand)


def search(colours: int, each: int, few: int) -> SearchResult:
    """Follow every move of `never_lose` and of an opponent who sees all cards, from every deal."""
    waiting = [CheatPosition(hands, mover, LEAD, True) for hands in deals(colours, each) for mover in (MINE, THEIRS)]
    seen, fewest, lost = set(waiting), colours * each, False
    while waiting:
        table = waiting.pop()
        mine, theirs = table.hands
        fewest = min(fewest, sum(theirs))
        if not any(theirs):
            lost = True
        if not any(mine) or not any(theirs):
            continue
        allowed = never_lose(mine, sum(theirs), table.current, each, few) if table.mover == MINE else moves(table)
        for move in allowed:
            after = play(table, move, each)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return SearchResult(len(seen), fewest, lost)


def versus(opponent: Callable[[CheatPosition], int], seed: int, most_moves: int = 1_000) -> int:
    """The outcome of a match with 52 cards for `never_lose`, which does anything at random where it may."""
    chance, each = Random(seed), 13
    cards = [colour for colour in range(4) for _ in range(each)]
    chance.shuffle(cards)
    mine = tuple(cards[:26].count(colour) for colour in range(4))
    table = CheatPosition((mine, tuple(each - count for count in mine)), seed % 2, LEAD, True)
    for _ in range(most_moves):
        mine, theirs = table.hands
        if table.mover == MINE:
            move = chance.choice(never_lose(mine, sum(theirs), table.current, each, 3))
        else:
            move = opponent(table)
        table = play(table, move, each)
        if not any(table.hands[MINE]) or not any(table.hands[THEIRS]):
            return LOSS if any(table.hands[MINE]) else WIN
    return CUT


if __name__ == "__main__":
    for colours, each, few in ((4, 2, 3), (4, 3, 3), (3, 4, 2), (2, 4, 3)):
        result = search(colours, each, few)
        verdict = (
            "can lose" if result.lost else f"never loses; the other side never has fewer than {result.fewest} cards"
        )
        print(f"{colours} colours of {each}, few = {few}: {result.positions:,} positions, {verdict}")
