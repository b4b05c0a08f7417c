"""The settings of liar's dice against rules written down again here, and each way of solving them against others."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import ruse
from ruse.core.game import CHANCE, END, GameError
from ruse.forms.sequence_form import plain_form
from ruse.games import game_of, liars_dice
from ruse.solvers.lp import lp

SETTINGS = [
    {"wild": 0},
    {"wild": 1},
    {"penalty": "bid"},
    {"exact": True},
    {"theirs": 2},
    {"dice": 2, "theirs": 1, "wild": 0, "penalty": "bid", "exact": True},
]


class Again:
    """Liar's dice by its description, with dice in the order in which they fall."""

    def __init__(
        self,
        faces: int = 2,
        dice: int = 1,
        theirs: int | None = None,
        wild: int | None = None,
        penalty: str = "one",
        exact: bool = False,
    ) -> None:
        self.counts = dice, dice if theirs is None else theirs
        self.faces, self.wild = faces, faces if wild is None else wild
        self.pays_bid, self.calls = penalty == "bid", ["liar", "exact"][: 1 + exact]

    def start(self):  # type: ignore[no-untyped-def]
        return ()

    def turn(self, state):  # type: ignore[no-untyped-def]
        if len(state) < 2:
            return CHANCE
        return END if state[-1] in ("liar", "exact") else len(state) % 2

    def moves(self, state):  # type: ignore[no-untyped-def]
        if len(state) < 2:
            return list(product(range(1, self.faces + 1), repeat=self.counts[len(state)]))
        bids = list(product(range(1, sum(self.counts) + 1), range(1, self.faces + 1)))
        return [bid for bid in bids if len(state) == 2 or bid > state[-1]] + (self.calls if len(state) > 2 else [])

    def odds(self, state):  # type: ignore[no-untyped-def]
        return [Fraction(1, len(self.moves(state)))] * len(self.moves(state))

    def play(self, state, move):  # type: ignore[no-untyped-def]
        return (*state, move)

    def knows(self, state, side):  # type: ignore[no-untyped-def]
        return state[side : side + 1], state[2:]

    def payoff(self, state):  # type: ignore[no-untyped-def]
        (number, face), call = state[-2:]
        there = sum(die == face or die == self.wild for dice in state[:2] for die in dice)
        lost = number if self.pays_bid else 1
        bidder_wins = there != number if call == "exact" else there >= number
        return lost if bidder_wins == (len(state) % 2 == 0) else -lost


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_setting_is_worth_what_its_rules_say(setting: dict[str, object]) -> None:
    game, again = liars_dice(2, **setting), ruse.solve(Again(**setting))  # type: ignore[arg-type]
    value = lp(plain_form(game)).certificate.lower
    solution = ruse.solve(game)
    assert solution.certificate.exact and solution.value == value == again.value
    assert ruse.verify.verifier.bounds(game, solution.tables).lower == value
    assert game_of(game.title).parameters == game.parameters


def test_the_usual_game_keeps_its_name() -> None:
    assert liars_dice(3, wild=3, theirs=1).title == "liars-dice(faces=3)"
    assert liars_dice(6, penalty="one", exact=False).parameters == {"faces": 6}
    assert liars_dice(4, 2, 1, 0, "bid", True).title == (
        "liars-dice(faces=4,dice=2,theirs=1,wild=0,penalty=bid,exact=yes)"
    )


def test_only_the_plain_game_is_bids_alone() -> None:
    assert liars_dice(3, wild=0).bidding() is not None
    for other in (liars_dice(3, theirs=2), liars_dice(3, penalty="bid"), liars_dice(3, exact=True)):
        assert other.bidding() is None


@pytest.mark.parametrize(
    ("given", "sentence"),
    [({"wild": 7}, "a wild face of 1 to 6, or 0 for none"), ({"theirs": 9}, "1 to 5 dice each, got 9")],
)
def test_nonsense_is_refused(given: dict[str, int], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        liars_dice(**given)
