"""Poker for two with a deck, rounds and bets of one's choice: Kuhn's and Leduc poker are settings of it.

Cards have a rank and a suit, such as `Ks`. Each side antes and is dealt one or two cards. Each round may begin with
public cards; then the sides bet in turns, side 0 first: `call` pays what the other has put in more, and is also the
check; `raise` adds as much as a raise is worth in that round; `fold`, offered after a raise, gives up the pot. At the
end hands are shown, and public cards count for both: more of a kind wins (a pair beats no pair, two pairs beat one),
then the higher ranks; there are no straights and no flushes. Payoffs are chips won. Positions read
`poker@Ks/call/raise/call/Qh`: a hand and what everybody has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Public, Ranged
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.poker.public import PokerPublic

RANKS, SUITS = "23456789TJQKA", "shdc"
CARD = 2  # letters: a rank and a suit
USUAL_RANKS, USUAL_SUITS, HAND, PUBLIC, SIZES, RAISES, ANTE = 4, 2, 1, (0, 1), (2, 4), 2, 1
MOST_HAND, MOST_SHOWN, MOST_ROUNDS, MOST_RAISES, MOST_CHIPS = 2, 5, 4, 10, 1_000_000

Bets = tuple[str, ...]  # of one round
Strength = tuple[tuple[int, ...], tuple[int, ...]]


class Hand(NamedTuple):
    """A state, and what a side knows of it: its own cards only."""

    cards: tuple[str, ...]  # of each side
    public: str  # all public cards so far
    rounds: tuple[Bets, ...]  # a round begins once its public cards are there


class LimitPoker(Titled):
    """Poker for two in which a raise adds a fixed amount. Its classes, or their objects, fill in the settings."""

    sides = ("first", "second")
    wins = ()

    deck: tuple[str, ...]
    hand: int  # cards in a hand
    public_cards: tuple[int, ...]  # how many are drawn before each round
    raise_sizes: tuple[int, ...]  # chips that a raise adds in each round
    raises: int  # in a round, at most
    ante: int

    def start(self) -> Hand:
        return Hand((), "", () if self.public_cards[0] else ((),))

    def turn(self, state: Hand) -> int:
        if len(state.cards) < 2 or not state.rounds:
            return CHANCE
        bets = state.rounds[-1]
        if not over(bets):
            return len(bets) % 2
        return CHANCE if bets[-1] == "call" and len(state.rounds) < len(self.raise_sizes) else END

    def moves(self, state: Hand) -> Sequence[str]:
        turn = self.turn(state)
        if turn == CHANCE:
            count = self.hand if len(state.cards) < 2 else self.public_cards[len(state.rounds)]
            return self.draws(count, "".join(state.cards) + state.public)
        if turn == END:
            return ()
        bets = state.rounds[-1]
        return self.bets(bets.count("raise"), bets[-1:] == ("raise",))

    def draws(self, count: int, taken: str) -> list[str]:
        """Every way to draw so many cards beside those taken."""
        left = [card for card in self.deck if card not in taken]  # ranks and suits share no letter
        return ["".join(cards) for cards in combinations(left, count)]

    def bets(self, raised: int, facing: bool) -> list[str]:
        """The moves after so many raises of a round, facing one or not."""
        moves = ["fold", "call"] if facing else ["call"]
        return [*moves, "raise"] if raised < self.raises else moves

    def odds(self, state: Hand) -> Sequence[Fraction]:
        ways = len(self.moves(state))
        return [Fraction(1, ways)] * ways

    def play(self, state: Hand, move: str) -> Hand:
        cards, public, rounds = state
        if len(cards) < 2:
            return Hand((*cards, move), public, rounds)
        if not rounds or over(rounds[-1]):
            return Hand(cards, public + move, (*rounds, ()))
        bets = (*rounds[-1], move)
        rounds = (*rounds[:-1], bets)
        if move == "call" and over(bets) and self.public_cards[len(rounds) : len(rounds) + 1] == (0,):
            rounds = (*rounds, ())
        return Hand(cards, public, rounds)

    def knows(self, state: Hand, side: int) -> Hand:
        return state._replace(cards=state.cards[side : side + 1])

    def payoff(self, state: Hand) -> Fraction:
        first, second = self.stakes(state.rounds)
        last = state.rounds[-1]
        if last[-1] == "fold":
            return Fraction(-first if len(last) % 2 else second)
        own, other = [self.strength(cards, state.public) for cards in state.cards]
        return Fraction(first * ((own > other) - (own < other)))

    def stakes(self, rounds: Sequence[Bets]) -> tuple[int, int]:
        """What both sides have put in."""
        most = self.ante
        paid = [most, most]
        for bets, size in zip(rounds, self.raise_sizes, strict=False):
            for number, bet in enumerate(bets):
                if bet != "fold":
                    most += size * (bet == "raise")
                    paid[number % 2] = most
        return paid[0], paid[1]

    def strength(self, hand: str, public: str) -> Strength:
        """How good a hand is with the public cards: the larger, the better."""
        return of_a_kind(hand + public)

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        most = self.ante + self.raises * sum(self.raise_sizes)
        return Fraction(-most), Fraction(most)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Hand) -> str:
        return "/".join(["".join([f"@{cards}" for cards in knowledge.cards]), *self.seen(knowledge)])

    def seen(self, state: Hand) -> list[str]:
        """What everybody has seen, in order."""
        steps: list[str] = []
        end = 0
        for bets, count in zip(state.rounds, self.public_cards, strict=False):
            if count:
                start, end = end, end + CARD * count
                steps.append(state.public[start:end])
            steps += bets
        return steps

    def public(self) -> PokerPublic:
        from ruse.games.poker.public import PokerPublic

        return PokerPublic(self)


def over(bets: Bets) -> bool:
    """Whether a round of betting has ended."""
    return bets[-1:] == ("fold",) or (len(bets) > 1 and bets[-1] == "call")


def cards_of(text: str) -> list[str]:
    """The cards of a hand, or of a draw."""
    return [text[place : place + CARD] for place in range(0, len(text), CARD)]


@lru_cache(maxsize=100_000)
def of_a_kind(cards: str) -> Strength:
    """How many cards are of a kind, the most first, then of which ranks."""
    counts = Counter(RANKS.index(card[0]) for card in cards_of(cards))
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


class Poker(LimitPoker):
    name = "poker"
    provides = (Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.poker.presentation:PokerPresentation"}

    def __init__(
        self, ranks: int, suits: int, hand: int, public: Sequence[int], sizes: Sequence[int], raises: int, ante: int
    ) -> None:
        self.hand, self.public_cards, self.raise_sizes = hand, tuple(public), tuple(sizes)
        self.raises, self.ante = raises, ante
        for value, most, label in (
            (ranks, len(RANKS), "ranks"),
            (suits, len(SUITS), "suits"),
            (hand, MOST_HAND, "cards in a hand"),
            (len(sizes), MOST_ROUNDS, "rounds"),
            (ante, MOST_CHIPS, "chips as the ante"),
        ):
            if not 1 <= value <= most:
                raise GameError(f"expected 1 to {most:,} {label}, got {value}")
        if not 0 <= raises <= MOST_RAISES:
            raise GameError(f"expected 0 to {MOST_RAISES} raises a round, got {raises}")
        if not all(1 <= size <= MOST_CHIPS for size in sizes):
            raise GameError(f"expected raises of 1 to {MOST_CHIPS:,} chips, got {_joined(sizes)}")
        if len(public) != len(sizes) or min(public) < 0:
            raise GameError(f"expected public cards for each of {len(sizes)} rounds, 0 or more, got {_joined(public)}")
        if hand + sum(public) > MOST_SHOWN:
            raise GameError(f"expected at most {MOST_SHOWN} cards to count, got {hand} and {sum(public)} public ones")
        named = RANKS[len(RANKS) - ranks - 1 : -1] if ranks < len(RANKS) else RANKS  # J, Q, K are three ranks
        self.deck = tuple(rank + suit for rank in named for suit in SUITS[:suits])
        if len(self.deck) < 2 * hand + sum(public):
            raise GameError(f"expected at least {2 * hand + sum(public)} cards, got {ranks} x {suits}")
        self.parameters: dict[str, object] = {
            "ranks": ranks,
            "suits": suits,
            "hand": hand,
            "public": list(public),
            "sizes": list(sizes),
            "raises": raises,
            "ante": ante,
        }
        usual = (USUAL_RANKS, USUAL_SUITS, HAND, list(PUBLIC), list(SIZES), RAISES, ANTE)
        changed = [
            f"{name}={_joined(value) if isinstance(value, list) else value}"
            for (name, value), default in zip(self.parameters.items(), usual, strict=True)
            if value != default
        ]
        self.title = f"{self.name}({','.join(changed)})" if changed else self.name


def _joined(numbers: Sequence[object]) -> str:
    more = "-…" if len(numbers) > MOST_ROUNDS else ""
    return "-".join(map(str, numbers[:MOST_ROUNDS])) + more or "none"


@game_factory
def poker(
    ranks: Annotated[int, f"ranks of cards, 1 to {len(RANKS)}"] = USUAL_RANKS,
    suits: Annotated[int, f"suits, 1 to {len(SUITS)}"] = USUAL_SUITS,
    hand: Annotated[int, f"cards in a hand, 1 to {MOST_HAND}"] = HAND,
    public: Annotated[Sequence[int], "public cards drawn before each round"] = PUBLIC,
    sizes: Annotated[Sequence[int], "chips that a raise adds in each round"] = SIZES,
    raises: Annotated[int, f"raises in a round, at most {MOST_RAISES}"] = RAISES,
    ante: Annotated[int, "chips that each side puts in at first"] = ANTE,
) -> Poker:
    """Poker for two with a deck, rounds and bets of your choice; Kuhn's and Leduc poker are settings of it."""
    return Poker(ranks, suits, hand, public, sizes, raises, ante)
