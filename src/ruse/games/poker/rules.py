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
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Public, Ranged
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.poker.public import PokerPublic

RANKS, SUITS = "23456789TJQKA", "shdc"
USUAL_RANKS, USUAL_SUITS, HAND, PUBLIC, SIZES, RAISES, ANTE = 4, 2, 1, (0, 1), (2, 4), 2, 1
MOST_HAND, MOST_SHOWN, MOST_ROUNDS, MOST_RAISES, MOST_CHIPS = 2, 5, 4, 10, 1_000_000

Bets = tuple[str, ...]  # of one round


class Table(NamedTuple):
    """A state, and what a side knows of it: its own hand only."""

    hands: tuple[str, ...]
    board: tuple[str, ...]  # what each draw of public cards has shown
    rounds: tuple[Bets, ...]


class Poker(Titled):
    name = "poker"
    sides = ("first", "second")
    wins = ()
    provides = (Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.poker.presentation:PokerPresentation"}

    def __init__(
        self, ranks: int, suits: int, hand: int, public: Sequence[int], sizes: Sequence[int], raises: int, ante: int
    ) -> None:
        self.hand, self.public_cards, self.raise_sizes = hand, tuple(public), tuple(sizes)
        self.raises, self.ante = raises, ante
        for value, most, what in (
            (ranks, len(RANKS), "ranks"),
            (suits, len(SUITS), "suits"),
            (hand, MOST_HAND, "cards in a hand"),
            (len(sizes), MOST_ROUNDS, "rounds"),
            (ante, MOST_CHIPS, "chips as the ante"),
        ):
            if not 1 <= value <= most:
                raise GameError(f"expected 1 to {most:,} {what}, got {value}")
        if not 0 <= raises <= MOST_RAISES:
            raise GameError(f"expected 0 to {MOST_RAISES} raises a round, got {raises}")
        if not all(1 <= size <= MOST_CHIPS for size in sizes):
            raise GameError(f"expected raises of 1 to {MOST_CHIPS:,} chips, got {_joined(sizes)}")
        if len(public) != len(sizes) or min(public) < 0:
            raise GameError(f"expected public cards for each of {len(sizes)} rounds, 0 or more, got {_joined(public)}")
        if hand + sum(public) > MOST_SHOWN:
            raise GameError(f"expected at most {MOST_SHOWN} cards to count, got {hand} and {sum(public)} public ones")
        named = RANKS[len(RANKS) - ranks - 1 : -1] if ranks < len(RANKS) else RANKS  # J, Q, K are three ranks
        self.cards = tuple(rank + suit for rank in named for suit in SUITS[:suits])
        if len(self.cards) < 2 * hand + sum(public):
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

    def drawn(self, count: int, taken: Sequence[str]) -> list[str]:
        """Every way to draw so many cards beside those taken."""
        left = [card for card in self.cards if card not in taken]
        return ["".join(cards) for cards in combinations(left, count)]

    def start(self) -> Table:
        return Table((), (), ((),))

    def waiting(self, board: Sequence[str], number: int) -> int:
        """How many public cards are to be drawn before betting goes on in a round."""
        draws = [count for count in self.public_cards[: number + 1] if count]
        return draws[-1] if len(draws) > len(board) else 0

    def turn(self, state: Table) -> int:
        bets = state.rounds[-1]
        if len(state.hands) < 2 or self.waiting(state.board, len(state.rounds) - 1):
            return CHANCE
        return END if over(bets) else len(bets) % 2

    def moves(self, state: Table) -> Sequence[str]:
        turn = self.turn(state)
        if turn == CHANCE:
            count = self.waiting(state.board, len(state.rounds) - 1) if len(state.hands) == 2 else self.hand
            return self.drawn(count, [card for hand in (*state.hands, *state.board) for card in cards_of(hand)])
        bets = state.rounds[-1]
        return () if turn == END else self.bets(bets.count("raise"), bets[-1:] == ("raise",))

    def bets(self, raised: int, facing: bool) -> Sequence[str]:
        """The moves after so many raises of a round, facing one or not."""
        return [*["fold"] * facing, "call", *["raise"] * (raised < self.raises)]

    def odds(self, state: Table) -> Sequence[Fraction]:
        ways = len(self.moves(state))
        return [Fraction(1, ways)] * ways

    def play(self, state: Table, move: str) -> Table:
        if len(state.hands) < 2:
            return state._replace(hands=(*state.hands, move))
        if self.waiting(state.board, len(state.rounds) - 1):
            return state._replace(board=(*state.board, move))
        rounds = (*state.rounds[:-1], (*state.rounds[-1], move))
        if over(rounds[-1]) and move == "call" and len(rounds) < len(self.raise_sizes):
            rounds = (*rounds, ())
        return state._replace(rounds=rounds)

    def knows(self, state: Table, side: int) -> Table:
        return state._replace(hands=state.hands[side : side + 1])

    def strength(self, hand: str, board: Sequence[str]) -> tuple[list[int], list[int]]:
        """The larger it is, the better: how many of a kind, then of which ranks."""
        counts = Counter(RANKS.index(card[0]) for text in (hand, *board) for card in cards_of(text))
        groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
        return [count for count, _ in groups], [rank for _, rank in groups]

    def stakes(self, rounds: Sequence[Bets]) -> tuple[int, int]:
        """What both sides have put in."""
        paid = [self.ante, self.ante]
        for bets, size in zip(rounds, self.raise_sizes, strict=False):
            for number, bet in enumerate(bets):
                if bet != "fold":
                    paid[number % 2] = max(paid) + size * (bet == "raise")
        return paid[0], paid[1]

    def payoff(self, state: Table) -> Fraction:
        first, second = self.stakes(state.rounds)
        last = state.rounds[-1]
        if last[-1] == "fold":
            return Fraction(-first if len(last) % 2 else second)
        one, two = (self.strength(hand, state.board) for hand in state.hands)
        return Fraction(first * ((one > two) - (one < two)))

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        most = self.ante + self.raises * sum(self.raise_sizes)
        return Fraction(-most), Fraction(most)

    def label(self, move: str) -> str:
        return move

    def seen(self, board: Sequence[str], rounds: Sequence[Bets]) -> list[str]:
        """What everybody has seen, in order."""
        draws, steps = iter(board), []
        for bets, count in zip(rounds, self.public_cards, strict=False):
            steps += [drawn for _ in range(count > 0) if (drawn := next(draws, ""))]
            steps += bets
        return steps

    def tell(self, knowledge: Table) -> str:
        hand = "".join(f"@{hand}" for hand in knowledge.hands)
        return hand + "".join(f"/{step}" for step in self.seen(knowledge.board, knowledge.rounds))

    def public(self) -> PokerPublic:
        from ruse.games.poker.public import PokerPublic

        return PokerPublic(self)


def over(bets: Bets) -> bool:
    """Whether a round of betting has ended."""
    return bets[-1:] == ("fold",) or (len(bets) > 1 and bets[-1] == "call")


def cards_of(text: str) -> list[str]:
    """The cards of a hand, or of a draw."""
    return [text[place : place + 2] for place in range(0, len(text), 2)]


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
