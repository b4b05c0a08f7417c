"""Locks: nodes at which a side's odds are fixed. There chance plays for the side, by these odds; all else is solved.

    [[lock]]
    line = "check/bet94"              # what both sides have seen; "*" stands for any card
    hands = "AA,KK"                   # a range; all hands if left out
    odds = { fold = "1/4", call = "3/4" }

Odds are fractions or decimals, and add up to 1; moves that are left out are never made. Of locks that overlap, the last
counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from ruse.core.game import CHANCE, END, GameError
from ruse.core.parameters import number
from ruse.games.holdem.betting import BettingTree
from ruse.games.holdem.cards import NUMBERS, Deck
from ruse.games.holdem.ranges import Pair, read_range
from ruse.games.holdem.spot_file import parsed

ANY = -1  # card
MOST_DENOMINATOR = 1000


class Lock(NamedTuple):
    node: int  # of the tree of bets
    cards: tuple[int, ...]  # dealt on the way; ANY stands for each
    hands: Collection[Pair] | None  # all if None
    odds: Mapping[str, Fraction]

    def fits(self, node: int, dealt: Sequence[int], hand: Pair) -> bool:
        return self.node == node and self.at(dealt) and (self.hands is None or hand in self.hands)

    def at(self, dealt: Sequence[int]) -> bool:
        """Whether it counts on a runout."""
        return all(card in (ANY, came) for card, came in zip(self.cards, dealt, strict=True))

    @property
    def denominator(self) -> int:
        return lcm(*(share.denominator for share in self.odds.values()))


def read_locks(
    text: str, tree: BettingTree, board: Sequence[int], deck: Deck, weights: Sequence[Mapping[Pair, Fraction]]
) -> list[Lock]:
    """Read the locks of a file."""
    content = parsed(text, "lock")
    entries = content.get("lock", [])
    if (
        content.keys() - {"lock"}
        or not isinstance(entries, list)
        or not all(isinstance(table, dict) for table in entries)
    ):
        raise GameError("expected a lock file of [[lock]] tables with line, hands and odds")
    return [_lock(entry, tree, board, deck) for entry in entries]


def _lock(entry: Mapping[str, Any], tree: BettingTree, board: Sequence[int], deck: Deck) -> Lock:
    if unknown := sorted(entry.keys() - {"line", "hands", "odds"}):
        raise GameError(f"a lock has {unknown[0]!r}, which ruse does not know; it may have line, hands and odds")
    line, hands, odds = entry.get("line", ""), entry.get("hands"), entry.get("odds")
    if not isinstance(line, str) or not isinstance(odds, dict) or not (hands is None or isinstance(hands, str)):
        raise GameError(f"expected a lock with a line, perhaps hands, and odds, got {dict(entry)!r}")
    number_of_node, cards = _node(line, tree, board, deck)
    node = tree.nodes[number_of_node]
    shares = {}
    for move, share in odds.items():
        if move not in node.moves:
            raise GameError(f"the lock at {line!r} has the move {move!r}; the moves there are {', '.join(node.moves)}")
        if isinstance(share, bool) or not isinstance(share, str | int | float):
            raise GameError(f'expected odds such as "1/4" in the lock at {line!r}, got {share!r}')
        shares[move] = number(str(share))
    if min(shares.values(), default=0) < 0 or sum(shares.values()) != 1:
        raise GameError(f"expected odds that add up to 1 in the lock at {line!r}, got {dict(odds)!r}")
    lock = Lock(
        number_of_node,
        cards,
        None if hands is None else frozenset(read_range(hands, deck, f"the lock {line!r}")),
        shares,
    )
    if lock.denominator > MOST_DENOMINATOR:
        raise GameError(f"expected odds over at most {MOST_DENOMINATOR:,} in the lock at {line!r}, got {dict(odds)!r}")
    return lock


def _node(line: str, tree: BettingTree, board: Sequence[int], deck: Deck) -> tuple[int, tuple[int, ...]]:
    """The decision that a line leads to, and the cards on the way."""
    number_of_node, cards = 0, list[int]()
    for step in filter(None, line.split("/")):
        node = tree.nodes[number_of_node]
        if node.turn == CHANCE:
            card = ANY if step == "*" else NUMBERS.get(step, -2)
            if card == -2 or (card != ANY and (card not in deck.cards or card in (*board, *cards))):
                raise GameError(f"expected a card that is left, or *, at {step!r} of the line {line!r} of a lock")
            cards.append(card)
            number_of_node = node.children[0]
        elif step in node.moves:
            number_of_node = node.children[node.moves.index(step)]
        else:
            known = f"the moves there are {', '.join(node.moves)}" if node.moves else "the hand is over there"
            raise GameError(f"there is no {step!r} in the line {line!r} of a lock; {known}")
    if tree.nodes[number_of_node].turn in (CHANCE, END):
        raise GameError(f"nobody decides after the line {line!r} of a lock; name a line after which a side moves")
    return number_of_node, tuple(cards)
