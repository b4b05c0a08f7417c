"""Hold'em for two from a flop, a turn or a river on, with a range of hands for each side.

Each side is dealt two cards out of its range; hands that share a card with the board or the other hand are never dealt.
`oop`, the side out of position, acts first on each street. It checks or bets; whoever faces a bet folds, calls or
raises. Bets are whole chips of the sizes that the spot allows, never more than the stack. After each street but the
river one more card is dealt. At the end the best five of seven cards win the pot, and equal hands share it. Payoffs are
the chips that a side takes out of the pot, less those that it put in: both together get the pot that was there.

Positions read `holdem…@AsKs/check/bet94/call/7d/check`: a hand, and what both sides have seen since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import ConstantSum, Ranged
from ruse.core.game import CHANCE, GameError, Titled
from ruse.core.parameters import game_factory, number
from ruse.games.holdem.betting import BetNode, Bets, BettingTree, betting_tree
from ruse.games.holdem.cards import NAMES, NUMBERS, Deck, plain_strength, read_cards, read_deck, text_of
from ruse.games.holdem.locks import Lock, read_locks
from ruse.games.holdem.ranges import Pair, read_range
from ruse.games.holdem.sizes import Plan, read_sizes
from ruse.games.holdem.spot_file import given_in_file

SIDES = ("oop", "ip")
MOST_CHIPS = 1_000_000
USUAL: Mapping[str, object] = {  # the textbook spot: nuts and air against hands that beat the air
    "board": "Ks7d4c3h2s",
    "oop": "AA,JTs",
    "ip": "KQs",
    "pot": 100,
    "stack": 100,
    "bets": "100%",
    "raises": "a",
    "donks": "",
    "deck": "13x4",
    "add_all_in": Fraction(0),
    "force_all_in": Fraction(0),
    "merge": Fraction(0),
    "cap": -1,
    "lock": "",
}
DIGITS = 8  # of the digest in a title


class HoldemState(NamedTuple):
    """A state, and what a side knows of it: its own hand only."""

    hands: tuple[Pair, ...]  # of each side
    steps: tuple[str, ...]  # bets and cards that both have seen
    node: int  # of the tree of bets
    dealt: tuple[int, ...]  # the cards of the board that came since


class Holdem(Titled):
    name = "holdem"
    sides = SIDES
    wins = ()
    provides = (ConstantSum, Ranged)
    parts: ClassVar[Mapping[str, str]] = {
        "presentation": "ruse.games.holdem.presentation:HoldemPresentation",
        "solve": "ruse.games.holdem.solve",
        "verify": "ruse.games.holdem.verify",
    }

    def __init__(self, parameters: Mapping[str, object]) -> None:
        text = {name: str(value) for name, value in parameters.items()}
        self.deck: Deck = read_deck(text["deck"])
        self.board = read_cards(text["board"], self.deck, "board")
        if not 3 <= len(self.board) <= 5:
            raise GameError(f"expected a board of 3, 4 or 5 cards, got {len(self.board)} in {text['board']!r}")
        if len(self.deck.cards) < len(self.board) + 4 + self.streets - 1:
            raise GameError(f"the deck {self.deck} has too few cards for this board, two hands and the cards to come")
        self.pot, self.stack = _chips(parameters["pot"], "pot"), _chips(parameters["stack"], "stack")
        self.weights = self._range(text["oop"], "oop"), self._range(text["ip"], "ip")
        self.bets = self._bets(parameters, text)
        changed = {name: value for name, value in parameters.items() if value != USUAL[name]}
        self.parameters: dict[str, object] = {name: _plain(value) for name, value in parameters.items()}
        digest = sha256(repr(sorted(self.parameters.items())).encode()).hexdigest()[:DIGITS]
        self.title = f"{self.name}(board={text_of(self.board)},spot={digest})" if changed else self.name
        if not self._first:
            raise GameError("every hand of one range shares a card with every hand of the other; widen a range")

    @property
    def streets(self) -> int:
        """Streets to bet on."""
        return 6 - len(self.board)

    def _range(self, text: str, side: str) -> dict[Pair, Fraction]:
        """The hands of a range that the board leaves."""
        weights = read_range(text, self.deck, side)
        left = {hand: weight for hand, weight in sorted(weights.items()) if not set(hand) & set(self.board)}
        if not left:
            board = text_of(self.board)
            why = "every hand of it shares a card with the board" if weights else "it has no hands"
            raise GameError(f"the range of {side}, {text!r}, is empty on {board}: {why}; add hands")
        return left

    def _bets(self, parameters: Mapping[str, object], text: Mapping[str, str]) -> Bets:
        plans: dict[str, Plan] = {
            name: read_sizes(text[name], self.streets, name, self.stack) for name in ("bets", "raises", "donks")
        }
        cap = int(str(parameters["cap"]))
        add, force, merge = (Fraction(str(parameters[name])) for name in ("add_all_in", "force_all_in", "merge"))
        if cap < -1 or min(add, force, merge) < 0:
            raise GameError("expected a cap of at least 0, and shares of the pot of at least 0")
        return Bets(
            self.pot,
            self.stack,
            self.streets,
            plans["bets"],
            plans["raises"],
            plans["donks"] if text["donks"].strip() else None,
            add,
            force,
            merge,
            None if cap == -1 else cap,
        )

    @cached_property
    def tree(self) -> BettingTree:
        return betting_tree(self.bets)

    @cached_property
    def locks(self) -> Sequence[Lock]:
        """Odds that are fixed: there, play is as they say, whoever is to move."""
        return read_locks(str(self.parameters["lock"]), self.tree, self.board, self.deck, self.weights)

    # How likely deals are: in proportion to the weights of both hands.

    @cached_property
    def _first(self) -> dict[Pair, Fraction]:
        """How likely each hand of oop is."""
        own, other = self.weights
        total, by_card = sum(other.values(), Fraction(0)), dict.fromkeys(range(len(NAMES)), Fraction(0))
        for hand, weight in other.items():
            for card in hand:
                by_card[card] += weight
        meets = {
            hand: weight * (total - by_card[hand[0]] - by_card[hand[1]] + other.get(hand, Fraction(0)))
            for hand, weight in own.items()
        }
        whole = sum(meets.values(), Fraction(0))
        return {hand: share / whole for hand, share in meets.items() if share}

    @lru_cache(maxsize=2000)  # noqa: B019 - as long as the game
    def _second(self, first: Pair) -> dict[Pair, Fraction]:
        """How likely each hand of ip is against a hand of oop."""
        meets = {hand: weight for hand, weight in self.weights[1].items() if not set(hand) & set(first)}
        whole = sum(meets.values(), Fraction(0))
        return {hand: weight / whole for hand, weight in meets.items()}

    # The rules.

    def start(self) -> HoldemState:
        return HoldemState((), (), 0, ())

    def _node(self, state: HoldemState) -> BetNode:
        return self.tree.nodes[state.node]

    def turn(self, state: HoldemState) -> int:
        if len(state.hands) < 2:
            return CHANCE
        turn = self._node(state).turn
        return CHANCE if turn >= 0 and self._locked(state) is not None else turn

    def _locked(self, state: HoldemState) -> Mapping[str, Fraction] | None:
        """The fixed odds of the side to move, if they are fixed."""
        side = self._node(state).turn
        for lock in reversed(self.locks):  # later ones count
            if lock.fits(state.node, state.dealt, state.hands[side]):
                return lock.odds
        return None

    def moves(self, state: HoldemState) -> Sequence[str]:
        if len(state.hands) < 2:
            dealt = self._second(state.hands[0]) if state.hands else self._first
            return [text_of(hand) for hand in dealt]
        node = self._node(state)
        if node.turn != CHANCE:
            return node.moves
        taken = {*self.board, *state.dealt, *state.hands[0], *state.hands[1]}
        return [NAMES[card] for card in self.deck.cards if card not in taken]

    def odds(self, state: HoldemState) -> Sequence[Fraction]:
        if len(state.hands) < 2:
            return list((self._second(state.hands[0]) if state.hands else self._first).values())
        if self._node(state).turn != CHANCE:
            locked = self._locked(state)
            assert locked is not None
            return [locked.get(move, Fraction(0)) for move in self.moves(state)]
        ways = len(self.moves(state))
        return [Fraction(1, ways)] * ways

    def play(self, state: HoldemState, move: str) -> HoldemState:
        if len(state.hands) < 2:
            high, low = NUMBERS[move[:2]], NUMBERS[move[2:]]
            return state._replace(hands=(*state.hands, (high, low)))
        node = self._node(state)
        if node.turn == CHANCE:
            return HoldemState(state.hands, (*state.steps, move), node.children[0], (*state.dealt, NUMBERS[move]))
        child = node.children[node.moves.index(move)]
        return HoldemState(state.hands, (*state.steps, move), child, state.dealt)

    def knows(self, state: HoldemState, side: int) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
        return state.hands[side : side + 1], state.steps

    def payoff(self, state: HoldemState) -> Fraction:
        node = self._node(state)
        stake = Fraction(min(node.stakes))
        if node.folded >= 0:
            return -stake if node.folded == 0 else self.pot + stake
        own, other = (plain_strength((*hand, *self.board, *state.dealt)) for hand in state.hands)
        return Fraction(self.pot, 2) + ((own > other) - (own < other)) * (Fraction(self.pot, 2) + stake)

    def constant(self) -> Fraction:
        return Fraction(self.pot)

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(-self.stack), Fraction(self.pot + self.stack)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[tuple[Pair, ...], tuple[str, ...]]) -> str:
        hands, steps = knowledge
        return "/".join(["".join(f"@{text_of(hand)}" for hand in hands), *steps])


def _chips(value: object, label_of: str) -> int:
    amount = int(str(value))
    if not 1 <= amount <= MOST_CHIPS:
        raise GameError(f"expected a {label_of} of 1 to {MOST_CHIPS:,} chips, got {amount}")
    return amount


def _plain(value: object) -> object:
    """A value as JSON has it."""
    return value if isinstance(value, int | str) else str(value)


@game_factory
def holdem(
    board: Annotated[str, "3, 4 or 5 cards, such as QsJh2h"] = "",
    oop: Annotated[str, "range of the side out of position, such as 88+,A8s+,AJo+:0.5"] = "",
    ip: Annotated[str, "range of the side in position"] = "",
    pot: Annotated[int, "chips in the pot"] = -1,
    stack: Annotated[int, "chips that each side has left"] = -1,
    bets: Annotated[str, "sizes of bets by street, such as 33%+75%,50%,a"] = "",
    raises: Annotated[str, "sizes of raises by street, such as 2.5x or 45%"] = "",
    donks: Annotated[str, "sizes of bets of oop into the last aggressor (default: as bets)"] = "",
    deck: Annotated[str, "ranks and suits, such as 5x2 (default: 13x4)"] = "",
    add_all_in: Annotated[str, "add all-in where it is at most so many times the pot"] = "",
    force_all_in: Annotated[str, "bet all-in where at most so many times the pot would be left"] = "",
    merge: Annotated[str, "merge sizes that are closer than so many times the pot"] = "",
    cap: Annotated[int, "most raises on a street (default: as many as the stacks allow)"] = -1,
    rake: Annotated[str, "not supported: only 0"] = "0",
    lock: Annotated[str, "file with fixed odds at some nodes (docs/how-to/holdem.md)"] = "",
    spot: Annotated[str, "file with all of these, spot.toml (docs/how-to/holdem.md)"] = "",
) -> Holdem:
    """Hold'em for two from a flop, a turn or a river on, with ranges and bet sizes of your choice."""
    given: dict[str, object] = {
        "board": board, "oop": oop, "ip": ip, "pot": pot, "stack": stack, "bets": bets, "raises": raises,
        "donks": donks, "deck": deck, "add_all_in": add_all_in, "force_all_in": force_all_in, "merge": merge,
        "cap": cap, "lock": lock, "rake": rake,
    }  # fmt: skip
    unset: dict[str, object] = {**dict.fromkeys(given, ""), "pot": -1, "stack": -1, "cap": -1, "rake": "0"}
    said = {name: value for name, value in given.items() if value != unset[name]}
    if spot:
        said = {**given_in_file(spot, given), **said}
    if number(str(said.pop("rake", 0))):
        raise GameError("a spot with rake is not zero-sum, and ruse solves and proves zero-sum games; leave rake out")
    if "lock" in said:
        said["lock"] = _lock_text(str(said["lock"]))
    if {"board", "oop", "ip"} & said.keys() and not {"board", "oop", "ip"} <= said.keys():
        missing = ", ".join(f"--{name}" for name in ("board", "oop", "ip") if name not in said)
        raise GameError(f"a spot needs a board and a range for each side; add {missing}")
    if said.keys() & {"add_all_in", "force_all_in", "merge"}:
        said |= {name: number(str(said[name])) for name in ("add_all_in", "force_all_in", "merge") if name in said}
    return Holdem({**USUAL, **said})


def _lock_text(text: str) -> str:
    """The content of a file with locks, or that content itself."""
    from ruse.games.holdem.spot_file import content_of

    return content_of(text, "lock")
