"""The policy deck against its rules written down again, card by card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest

import ruse
from ruse.core.game import CHANCE, END, GameError
from ruse.games import policy_deck


class Again:
    """The cards are a deck of letters, the seats too; liberals have moves of their own, one at a time."""

    def __init__(self, deck: str, seats: str, worth: int) -> None:
        dealt = [(chairs, "".join(hand)) for chairs in permutations(seats, 2) for hand in combinations(deck, 3)]
        self.deals = Counter(dealt)
        self.worth = worth

    def start(self):  # type: ignore[no-untyped-def]
        return ()

    def turn(self, state):  # type: ignore[no-untyped-def]
        if not state:
            return CHANCE
        if len(state) == 6:
            return END
        if len(state) == 5:
            return 0
        chair = state[0][0][(len(state) - 1) % 2]  # president, chancellor, president, chancellor
        return CHANCE if chair == "L" else 1

    def moves(self, state):  # type: ignore[no-untyped-def]
        if not state:
            return list(self.deals)
        (chairs, hand), *done = state
        lies = chairs[len(done) % 2] == "F" if len(done) < 4 else True
        if len(done) < 2:
            cards = done[0] if done else hand
            left = {"".join(sorted(rest)) for rest in combinations(cards, len(cards) - 1)}
            return sorted(left) if lies else [max(left, key=lambda rest: rest.count("L"))]
        if len(done) < 4:
            cards = (hand, done[0])[len(done) - 2]
            possible = [many for many in range(len(cards) + 1) if done[1] == "L" or many]
            possible = [many for many in possible if done[1] == "F" or many < len(cards)]
            return possible if lies else [cards.count("F")]
        return ["nobody", 0, 1]

    def odds(self, state):  # type: ignore[no-untyped-def]
        if state:
            return [1]
        return [Fraction(count, self.deals.total()) for count in self.deals.values()]

    def play(self, state, move):  # type: ignore[no-untyped-def]
        return (*state, move)

    def knows(self, state, side):  # type: ignore[no-untyped-def]
        if side == 0 or not state:
            return state[2:]
        (chairs, hand), *done = state
        seen = "".join(sorted(hand)) if chairs[0] == "F" else None
        passed = done[0] if done and "F" in chairs else None
        return (chairs, seen, passed, *done[1:])

    def payoff(self, state):  # type: ignore[no-untyped-def]
        (chairs, _), _, enacted, _, _, verdict = state
        right = "F" not in chairs if verdict == "nobody" else chairs[verdict] == "F"
        return (1 if right else -1) + (self.worth if enacted == "L" else -self.worth)


@pytest.mark.parametrize(
    ("deck", "seats", "worth"),
    [("LFF", "LF", 1), ("LLFF", "LLF", 0), ("LLFFF", "LLFF", 2), ("L" * 6 + "F" * 11, "LLLFF", 1)],
)
def test_a_deck_is_worth_what_its_cards_say(deck: str, seats: str, worth: int) -> None:
    counts = (deck.count("L"), deck.count("F"), len(seats), seats.count("F"))
    ours, again = ruse.solve(policy_deck(*counts, worth=Fraction(worth))), ruse.solve(Again(deck, seats, worth))
    assert ours.certificate.exact and again.certificate.exact
    assert ours.value == again.value


def test_false_claims_are_bluffs() -> None:
    game = policy_deck()
    state = game.start()
    for move in ("FL", "draw-2", "pass-FL"):
        state = game.play(state, move)
    shown = ruse.core.registry.presentation(game)
    assert state.enacted == "L"
    assert [shown.bluff(state, move) for move in game.moves(state)] == [True, True, False]


def test_nonsense_is_refused() -> None:
    with pytest.raises(GameError, match="expected a deck of at least 3 cards"):
        policy_deck(1, 1)
    with pytest.raises(GameError, match="0 to 2 fascists"):
        policy_deck(players=2, fascists=3)
