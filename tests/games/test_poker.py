"""Poker with a deck and bets of one's choice contains Kuhn's and Leduc poker, and has the public tree of its rules."""

from __future__ import annotations

import pytest

import ruse
from ruse.core.capabilities import Public
from ruse.core.game import Game, GameError
from ruse.core.registry import game_of, presentation
from ruse.core.sizes import sizes
from ruse.core.walk import count
from ruse.forms.public_check import against_rules
from ruse.forms.public_tree import counted
from ruse.forms.sequence_form import sequence_form
from ruse.games.leduc import Leduc
from ruse.games.poker.rules import Hand, Poker, Strength, poker
from ruse.solvers.lp import lp

KUHN = poker(ranks=3, suits=1, public=[0], sizes=[1], raises=1)
LEDUC = poker(ranks=3)


@pytest.mark.parametrize(
    ("game", "older"), [(KUHN, ruse.games.kuhn()), (LEDUC, ruse.games.leduc())], ids=["kuhn", "leduc"]
)
def test_older_games_are_settings_of_it(game: Poker, older: Game) -> None:
    mine, its = sequence_form(game), sequence_form(older)
    assert [(tree.infosets, tree.sequences) for tree in mine.trees] == [
        (tree.infosets, tree.sequences) for tree in its.trees
    ]
    assert lp(mine).certificate == lp(its).certificate
    assert counted(game)[:3] == counted(older)[:3]  # type: ignore[arg-type]
    assert sum(depth.ends for depth in count(game).depths) == sum(depth.ends for depth in count(older).depths)


@pytest.mark.parametrize(
    "game",
    [
        KUHN,
        LEDUC,
        poker(ranks=2, public=[1], sizes=[1], raises=1),
        poker(ranks=3, hand=2, public=[0], sizes=[2], raises=1),
        poker(ranks=2, public=[1, 1], sizes=[1, 2], raises=1, ante=3),
        poker(ranks=2, suits=3, public=[0, 2], sizes=[1, 2], raises=0),
        poker(ranks=2, suits=2, public=[0, 0], sizes=[1, 3], raises=2),
    ],
    ids=lambda game: game.title,
)
def test_the_public_tree_is_that_of_the_rules(game: Poker) -> None:
    against_rules(game)
    assert game_of(game.title).title == game.title


class Cheaper(Leduc):
    """Leduc poker with other settings, by somebody who declares what still holds."""

    provides = (Public,)
    ante, raises, raise_sizes = 2, 1, (1, 3)

    def __init__(self) -> None:
        self.parameters = {}  # without Leduc's


def test_a_subclass_of_leduc_changes_its_settings() -> None:
    game = poker(ranks=3, ante=2, raises=1, sizes=[1, 3])
    against_rules(Cheaper())
    assert Cheaper().payoff_range() == game.payoff_range() == (-6, 6)
    assert lp(sequence_form(Cheaper())).certificate == lp(sequence_form(game)).certificate
    assert ruse.solve(Cheaper()).value == ruse.solve(game).value != ruse.solve(LEDUC).value


class LowestWins(Leduc):
    provides = (Public,)

    def strength(self, hand: str, public: str) -> Strength:
        kinds, ranks = super().strength(hand, public)
        return kinds, tuple(-rank for rank in ranks)


def test_a_subclass_changes_what_a_showdown_compares() -> None:
    against_rules(LowestWins())
    checked = (("call", "call"), ("call", "call"))
    assert LowestWins().payoff(Hand(("Js", "Qs"), "Ks", checked)) == 1
    assert LowestWins().payoff(Hand(("Js", "Ks"), "Kh", checked)) == -1  # a pair still wins
    assert ruse.solve(LowestWins()).value == ruse.solve(LEDUC).value  # ranks in the other order


def test_a_round_begins_once_its_public_cards_are_there() -> None:
    game = poker(ranks=2, public=[1, 0, 1], sizes=[1, 1, 1], raises=1)
    state, met = game.start(), []
    for move in ("Qs", "Qh", "Ks", "call", "call", "raise", "call", "Kh"):
        assert move in game.moves(state)
        met.append(state.rounds)
        state = game.play(state, move)
    first, second = ("call", "call"), ("raise", "call")
    assert met == [(), (), (), ((),), (("call",),), (first, ()), (first, ("raise",)), (first, second)]
    assert (state.public, state.rounds) == ("KsKh", (first, second, ()))
    assert game.format_position(game.knows(state, 0)) == "@Qs/Ks/call/call/raise/call/Kh"
    assert game.turn(state) == 0 and game.payoff(state._replace(rounds=(first, second, first))) == 0


def test_public_cards_count_for_both() -> None:
    game = poker(ranks=4, suits=4, hand=2, public=[3], sizes=[1], raises=0)
    deal = {"two pairs": "KsQs", "pair": "AsAh".replace("A", "J"), "kings": "KsTs"}
    board = "KhQh" + "Td"
    checked = (("call", "call"),)
    assert game.payoff(Hand((deal["two pairs"], deal["pair"]), board, checked)) == 1
    assert game.payoff(Hand((deal["kings"], deal["two pairs"]), board, checked)) == -1
    assert game.payoff(Hand(("KsQs", "KdQd"), board, checked)) == 0
    assert game.payoff(Hand(("TsTh", "KsQs"), board, checked)) == 1  # three of a kind


def test_a_large_deck_is_small_in_public() -> None:
    found = counted(poker(ranks=13, suits=4))
    assert (found.nodes, found.hands) == (9 + 5 * (1 + 52 * 15) + 1, (52, 52))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"ranks": 14}, "expected 1 to 13 ranks, got 14"),
        ({"suits": 0}, "expected 1 to 4 suits, got 0"),
        ({"hand": 3}, "expected 1 to 2 cards in a hand, got 3"),
        ({"ranks": 1, "suits": 1}, "expected at least 3 cards, got 1 x 1"),
        ({"public": [1]}, "expected public cards for each of 2 rounds, 0 or more, got 1"),
        ({"public": [0, 5]}, "expected at most 5 cards to count, got 1 and 5 public ones"),
        ({"sizes": [0, 1]}, "expected raises of 1 to 1,000,000 chips, got 0-1"),
        ({"sizes": []}, "expected 1 to 4 rounds, got 0"),
        ({"raises": 11}, "expected 0 to 10 raises a round, got 11"),
        ({"ante": 0}, "expected 1 to 1,000,000 chips as the ante, got 0"),
    ],
)
def test_tables_that_cannot_be_played_are_refused(parameters: dict[str, object], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        ruse.games.make("poker", parameters)


def test_a_large_deck_is_counted_as_any_game_is() -> None:
    """What a raise adds is called `sizes`, and says nothing of the size of the game."""
    assert presentation(poker()).size_report() is None
    assert sizes(LEDUC).to_json()["states"]["all"] == sizes(ruse.games.leduc()).to_json()["states"]["all"]
