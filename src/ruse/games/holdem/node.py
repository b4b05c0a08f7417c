"""A node of a solved spot: what each hand of a side does there, and what it is worth if both sides play on as stored.

Values are floats. They are chips as in the game's payoffs: taken out of the pot, less what was put in since the spot
began. Hands count by how often they come to the node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END, PositionError
from ruse.games.holdem.cards import NAMES, NUMBERS, RANKS, text_of
from ruse.games.holdem.table import HoldemTable
from ruse.games.holdem.verify import Boards, Walk

if TYPE_CHECKING:
    from ruse.games.holdem.rules import Holdem

RARE = 1e-9  # of a hand's weight, below which it does not come to a node


class PlayedOut(Walk):
    """What a side's hands are worth if both sides play as their tables say."""

    def __init__(self, game: Holdem, me: int, tables: Sequence[HoldemTable]) -> None:
        super().__init__(game, me, tables[1 - me])
        self.tables = tables

    def values(self, node: int, units: Array, boards: Boards, scale: int) -> Array:
        here = self.game.tree.nodes[node]
        if here.turn != self.me:
            return super().values(node, units, boards, scale)
        after = [self.values(child, units, boards, scale) for child in here.children]
        odds = np.stack([odds_at(self.tables[self.me], node, dealt) for dealt in boards.dealt])
        return np.asarray(sum(odds[:, number] * value for number, value in enumerate(after)))

    def _parts(self, node: int, units: Array, boards: Boards) -> list[Array]:
        here = self.game.tree.nodes[node]
        odds = np.stack([odds_at(self.table, node, dealt) for dealt in boards.dealt])
        return [units * odds[:, number] for number in range(len(here.moves))]

    def shown(self, units: Array, dealt: tuple[int, ...]) -> Array:
        """For each of my hands the units that it beats, less those that beat it, added up over all runouts."""
        if len(dealt) == self.game.streets - 1:
            return np.asarray(Boards(self, [dealt]).shown(units[None, :])[0])
        collected = np.zeros(len(self.hands[self.me]))
        for after in self.all_cards(dealt).dealt:
            alive = [~(hands == after[-1]).any(axis=1) for hands in self.hands]
            collected += np.where(alive[self.me], self.shown(np.where(alive[1 - self.me], units, 0), after), 0)
        return collected


def odds_at(table: HoldemTable, node: int, dealt: tuple[int, ...]) -> Array:
    """The odds of a node's moves for each hand of a range, as floats: [moves, hands]."""
    weights = table.weights_at(node, dealt).astype(float)
    odds = weights / weights.sum(axis=0)
    for lock in table.game.locks:
        if lock.node == node and lock.at(dealt):
            for number, hand in enumerate(table.game.weights[table.side]):
                if lock.hands is None or hand in lock.hands:
                    moves = table.game.tree.nodes[node].moves
                    odds[:, number] = [float(lock.odds.get(move, 0)) for move in moves]
    return np.asarray(odds)


@dataclass(frozen=True)
class SideAtNode:
    """A side at a node: an entry for each hand that comes there."""

    hands: list[str]
    weights: list[float]  # how often they come there, of all the time that they are dealt
    values: list[float]
    equities: list[float]

    def mean(self, numbers: Sequence[float], meets: Sequence[float]) -> float:
        whole = sum(meets)
        return sum(number * meet for number, meet in zip(numbers, meets, strict=True)) / whole if whole else 0.0


@dataclass(frozen=True)
class NodeReport:
    """A node, and both sides there."""

    line: str
    side: int
    moves: tuple[str, ...]
    odds: Mapping[str, Sequence[float]]  # of the side to move, by hand
    sides: tuple[SideAtNode, SideAtNode]
    meets: tuple[list[float], list[float]]  # how often each hand comes there against one that it can meet

    def to_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "to_move": ("oop", "ip")[self.side],
            "moves": dict(zip(self.moves, self.shares(), strict=True)),
            "values": {name: side.mean(side.values, meets) for name, side, meets in self._both()},
            "equity": {name: side.mean(side.equities, meets) for name, side, meets in self._both()},
            "hands": {name: self._hands(number) for number, (name, _, _) in enumerate(self._both())},
        }

    def _both(self) -> list[tuple[str, SideAtNode, list[float]]]:
        return list(zip(("oop", "ip"), self.sides, self.meets, strict=True))

    def _hands(self, number: int) -> dict[str, dict[str, Any]]:
        side = self.sides[number]
        rows = zip(side.hands, side.weights, side.values, side.equities, strict=True)
        return {
            hand: {
                "weight": weight,
                "value": value,
                "equity": equity,
                **({"odds": dict(zip(self.moves, self.odds[hand], strict=True))} if number == self.side else {}),
            }
            for hand, weight, value, equity in rows
        }

    def rows(self) -> list[dict[str, Any]]:
        """A line for each side and hand, for tables."""
        collected = []
        for number, name in enumerate(("oop", "ip")):
            for hand, fields in self._hands(number).items():
                odds = fields.pop("odds", {})
                collected.append(
                    {"side": name, "hand": hand, **fields, **{f"odds_{move}": odds.get(move) for move in self.moves}}
                )
        return collected

    def shares(self) -> list[float]:
        """How often the side to move makes each move."""
        meets, hands = self.meets[self.side], self.sides[self.side].hands
        whole = sum(meets) or 1.0
        return [
            sum(self.odds[hand][number] * meet for hand, meet in zip(hands, meets, strict=True)) / whole
            for number in range(len(self.moves))
        ]

    def text(self) -> str:
        """The node for people: how often each move is made, and a grid of hands."""
        marks = _marks(self.moves)
        lines = [f"{self.line or 'at first'}: {('oop', 'ip')[self.side]} to move"]
        lines += [
            f"  {mark} {move:<10} {100 * share:6.2f}%"
            for mark, move, share in zip(marks, self.moves, self.shares(), strict=True)
        ]
        for name, side, meets in self._both():
            value, equity = side.mean(side.values, meets), side.mean(side.equities, meets)
            lines.append(f"  {name}: {len(side.hands):,} hands, value {value:.2f}, equity {100 * equity:.2f}%")
        lines += ["", "Each hand's most frequent move, with its share in percent; suited hands above the diagonal."]
        return "\n".join([*lines, *self._grid(marks)])

    def _grid(self, marks: Sequence[str]) -> list[str]:
        cells: dict[tuple[int, int], list[float]] = {}
        for hand, meet in zip(self.sides[self.side].hands, self.meets[self.side], strict=True):
            first, second = RANKS.index(hand[0]), RANKS.index(hand[2])
            high, low = max(first, second), min(first, second)
            cell = (high, low) if hand[1] == hand[3] else (low, high)
            so_far = cells.setdefault(cell, [0.0] * len(self.moves))
            for number, share in enumerate(self.odds[hand]):
                so_far[number] += share * meet
        lines = ["    " + "".join(f"{RANKS[rank]:>5}" for rank in range(12, -1, -1))]
        for row in range(12, -1, -1):
            texts = []
            for column in range(12, -1, -1):
                shares = cells.get((row, column), [])
                best = max(range(len(shares)), key=shares.__getitem__) if sum(shares) else -1
                texts.append("    ." if best < 0 else f" {marks[best]}{round(100 * shares[best] / sum(shares)):>3}")
            lines.append(f"   {RANKS[row]}" + "".join(texts))
        return lines


def _marks(moves: Sequence[str]) -> list[str]:
    """A letter for each move; bets and raises are a, b, …"""
    letters = iter("abdeghijkmnopqrstuvwxyz")
    return [{"fold": "f", "check": "c", "call": "c"}.get(move) or next(letters, "?") for move in moves]


class _Arrival(NamedTuple):
    """A node, the cards that came on the way, and how often each hand of both sides comes there."""

    node: int
    dealt: tuple[int, ...]
    reach: list[Array]


def node_report(game: Holdem, tables: Sequence[HoldemTable], line: str) -> NodeReport:
    """The report of the node after some bets and cards. Raises PositionError."""
    at = _follow(game, tables, line)
    here = game.tree.nodes[at.node]
    if here.turn in (CHANCE, END):
        after = f"; a card follows, such as {NAMES[_left(game, at.dealt)]}" if here.turn == CHANCE else ""
        raise PositionError(f"nobody decides after the line {line!r}{after}")
    (oop, oop_meets), (ip, ip_meets) = (_side_at(game, me, tables, at) for me in (0, 1))
    odds = odds_at(tables[here.turn], at.node, at.dealt)
    numbers = {text_of(hand): number for number, hand in enumerate(game.weights[here.turn])}
    by_hand = {hand: [float(share) for share in odds[:, numbers[hand]]] for hand in (oop, ip)[here.turn].hands}
    return NodeReport(line, here.turn, here.moves, by_hand, (oop, ip), (oop_meets, ip_meets))


def _follow(game: Holdem, tables: Sequence[HoldemTable], line: str) -> _Arrival:
    """Where a line leads, and which hands play it."""
    reach = [np.array([float(weight) for weight in weights.values()]) for weights in game.weights]
    at = _Arrival(0, (), reach)
    for step in filter(None, line.split("/")):
        here = game.tree.nodes[at.node]
        if here.turn == CHANCE:
            at = _after_card(game, at, step, line)
            continue
        if step not in here.moves:
            known = ", ".join(here.moves) or "no move after the end"
            raise PositionError(f"expected one of {known} at {step!r} of the line {line!r}")
        number = here.moves.index(step)
        reach = [*at.reach]
        reach[here.turn] = reach[here.turn] * odds_at(tables[here.turn], at.node, at.dealt)[number]
        at = _Arrival(here.children[number], at.dealt, reach)
    return at


def _after_card(game: Holdem, at: _Arrival, name: str, line: str) -> _Arrival:
    """Deal a card: hands that hold it come no further."""
    card = NUMBERS.get(name, -1)
    if card not in game.deck.cards or card in (*game.board, *at.dealt):
        raise PositionError(f"expected a card that is left at {name!r} of the line {line!r}")
    reach = [
        np.where([card in hand for hand in weights], 0, part)
        for weights, part in zip(game.weights, at.reach, strict=True)
    ]
    return _Arrival(game.tree.nodes[at.node].children[0], (*at.dealt, card), reach)


def _side_at(game: Holdem, me: int, tables: Sequence[HoldemTable], at: _Arrival) -> tuple[SideAtNode, list[float]]:
    """A side at a node, and how often each of its hands meets one of the other side there."""
    cards = len(game.deck.cards) - len(game.board) - 4
    ways = prod(cards - number for number in range(game.tree.nodes[at.node].street, game.streets - 1))
    walk = PlayedOut(game, me, tables)
    own, units = at.reach[me], at.reach[1 - me]
    met = walk.met(units[None, :])[0]
    values = walk.values(at.node, units[None, :], Boards(walk, [at.dealt]), 1)[0]
    shown = walk.shown(units, at.dealt)
    comes = [number for number in range(len(met)) if own[number] > RARE and met[number] > RARE]
    side = SideAtNode(
        [text_of(walk.hands[me][number]) for number in comes],
        [float(own[number]) for number in comes],
        [float(game.pot / 2 + values[number] / (2 * walk.whole_scale * met[number] * ways)) for number in comes],
        [float((1 + shown[number] / (met[number] * ways)) / 2) for number in comes],
    )
    return side, [float(own[number] * met[number]) for number in comes]


def _left(game: Holdem, dealt: tuple[int, ...]) -> int:
    return next(card for card in reversed(game.deck.cards) if card not in (*game.board, *dealt))
