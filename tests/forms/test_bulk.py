"""The walk on arrays writes down what the plain walk does, but for the order of information sets."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amounts import some
from ruse.core.capabilities import Bulk, ConstantSum
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, State
from ruse.forms.certificate import Certificate
from ruse.forms.reductions.games import Wrapper
from ruse.forms.sequence_form import FormArrays, plain_form, sequence_form
from ruse.forms.vectorised import bulk_form, numbered
from ruse.games import GAMES, kubicek, kuhn, make, mini_poker, rock_paper_scissors
from ruse.solvers.lp import lp
from toys import Chance, Decision, Leaf, TreeGame, random_games

Array = np.ndarray[Any, np.dtype[Any]]
SMALL: list[tuple[str, Mapping[str, object]]] = [
    ("leduc", {}),
    ("liars-dice", {"faces": 1}),
    ("liars-dice", {"faces": 4}),
    ("liars-dice", {"faces": 2, "dice": 2}),
    ("liars-dice", {"faces": 3, "wild": 0, "penalty": "bid"}),
    ("liars-dice", {"faces": 2, "dice": 2, "theirs": 1, "wild": 1, "exact": True}),
    ("liars-dice", {"faces": 2, "theirs": 2, "wild": 0, "penalty": "bid", "exact": True}),
    ("goofspiel", {"cards": 1}),
    ("goofspiel", {"cards": 4}),
    ("battleship", {"shots": 2}),
    ("battleship", {"board": "3x1", "ships": [1, 1], "values": [3, 0]}),
    ("battleship", {"board": "2x3", "ships": [1, 3, 2], "values": [1, 1, 5], "shots": 1}),
    ("resistance", {"players": 3, "spies": 1, "missions": [1, 2, 1, 2, 2]}),
    ("resistance", {"players": 3, "spies": 2, "missions": [1, 2, 1, 2, 1], "sabotages": [1, 2, 1, 1, 1]}),
    ("oshi-zumo", {}),
    ("oshi-zumo", {"coins": 5, "horizon": 9, "min_bid": 2, "alesia": True}),
]


def agree(form: FormArrays, plain: FormArrays, unit: int = 1) -> None:
    """Both are the same once information sets are matched by what is known there; payoffs may be in another unit."""
    renamed = []
    for mine, its, known, its_known, moves, its_moves in zip(
        form.trees, plain.trees, form.knowledge, plain.knowledge, form.moves, plain.moves, strict=True
    ):
        index = {knowledge: number for number, knowledge in enumerate(its_known)}
        assert sorted(index[knowledge] for knowledge in known) == list(range(its.infosets))
        sequences = np.zeros(mine.sequences, dtype=int)
        for number, (parent, first, end) in enumerate(mine.sets()):
            there = index[known[number]]
            assert moves[number] == its_moves[there]
            assert parent < first
            assert sequences[parent] == its.parent[there]
            sequences[first:end] = np.arange(its.first[there], its.first[there + 1])
        renamed.append(sequences)
    found = entries(renamed[0][form.rows], renamed[1][form.columns], form, unit)
    assert found == entries(plain.rows, plain.columns, plain, 1)
    assert len(found) == len(form.rows)
    assert list(zip(form.rows, form.columns, strict=True)) == sorted(zip(form.rows, form.columns, strict=True))
    assert unit != 1 or form.denominator == plain.denominator
    for array, other in ((form.rows, plain.rows), (form.columns, plain.columns)):
        assert array.dtype == other.dtype == np.int32
    for mine, its in zip(form.trees, plain.trees, strict=True):
        assert mine.parent.dtype == its.parent.dtype and mine.first.dtype == its.first.dtype


def entries(rows: Array, columns: Array, form: FormArrays, unit: int) -> dict[tuple[int, int], Fraction]:
    payoffs = (Fraction(payoff, form.denominator * unit) for payoff in form.payoffs.tolist())
    return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), payoffs, strict=True))


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_the_same_as_the_plain_walk(name: str, parameters: Mapping[str, object]) -> None:
    game = make(name, parameters)
    agree(pickle.loads(pickle.dumps(sequence_form(game))), plain_form(game))


def test_every_game_with_arrays_is_tried() -> None:
    offering = {name for name in GAMES if name != "matrix" and isinstance(make(name), Bulk)}
    assert offering == {name for name, _ in SMALL}


def test_sequences_of_one_public_history_lie_together() -> None:
    """In Liar's dice: the sets of all six rolls after the same bids are neighbours."""
    form = sequence_form(make("liars-dice"))
    for known in form.knowledge:
        assert [len({knowledge.bids for knowledge in known[at : at + 6]}) for at in range(0, len(known), 6)] == [1] * (
            len(known) // 6
        )


def test_a_few_names_are_read_without_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    form = sequence_form(make("leduc"))
    plays, played = 0, type(make("leduc")).play

    def counted(game: Any, state: State, move: Any) -> State:
        nonlocal plays
        plays += 1
        return played(game, state, move)

    monkeypatch.setattr(type(make("leduc")), "play", counted)
    known, moves = form.knowledge[1][:50], form.moves[1][:50]
    assert 0 < plays < 300 < len(form.knowledge[1])
    assert list(form.knowledge[1])[:50] == known and list(form.moves[1])[:50] == moves
    assert plays > 300


def test_names_are_written_when_they_are_read() -> None:
    form = sequence_form(make("liars-dice", {"faces": 2}))
    for column in (*form.knowledge, *form.moves):
        assert len(list(column)) == len(column)
    assert form.moves[0][-1] == ("liar",)
    assert form.moves[0][:2] == [("1-1", "1-2", "2-1", "2-2")] * 2


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("liars-dice", {"faces": 5}, Fraction(1, 125)),  # issue 3: 0.008
        ("liars-dice", {"faces": 6}, Fraction(-7, 258)),  # issue 3: -0.0271317829…
        ("goofspiel", {"cards": 5}, Fraction(0)),  # the sides are alike
    ],
)
def test_values(name: str, parameters: Mapping[str, object], value: Fraction) -> None:
    assert lp(sequence_form(make(name, parameters))).certificate == Certificate(value, value)


# Any game as arrays: its states numbered, its rules as tables. So the walk is tried on games that no file has.


class Tabled(Wrapper):
    """A game in which sides also recall when they knew what, as arrays, in a unit that makes its payoffs whole.

    A state is all states on the way to it.
    """

    provides = (ConstantSum, Bulk)

    def __init__(self, game: Game, unit: int = 1, sights: int | None = None) -> None:
        super().__init__(game)
        self.rules = Tables(self, unit, sights)

    def start(self) -> State:
        return (self.game.start(),)

    def turn(self, state: State) -> int:
        return super().turn(state[-1])

    def moves(self, state: State) -> Any:
        return super().moves(state[-1])

    def odds(self, state: State) -> Any:
        return super().odds(state[-1])

    def play(self, state: State, move: Any) -> State:
        return (*state, self.game.play(state[-1], move))

    def format_position(self, knowledge: Knowledge) -> str:
        return f"@{knowledge!r}"

    def knows(self, state: State, side: int) -> Knowledge:
        return tuple(self.game.knows(earlier, side) for earlier in state)

    def payoff(self, state: State) -> Fraction:
        return super().payoff(state[-1])

    def arrays(self) -> Tables:
        return self.rules

    def nodes(self) -> int:
        return len(self.rules.turns)


class Tables:
    def __init__(self, game: Tabled, unit: int, sights: int | None) -> None:
        self.denominator = 1
        codes: tuple[dict[Knowledge, int], dict[Knowledge, int]] = ({}, {})
        states, odds = [game.start()], [Fraction(1)]
        payoffs: list[Fraction] = []
        following: list[list[int]] = []
        shares: list[list[Fraction]] = []
        for state, share in zip(states, odds, strict=False):  # both grow
            turn = game.turn(state)
            payoffs.append(Fraction(game.payoff(state)) if turn == END else Fraction(0))
            moves = () if turn == END else game.moves(state)
            chances = game.odds(state) if turn == CHANCE else [Fraction(1)] * len(moves)
            following.append(list(range(len(states), len(states) + len(moves))))
            shares.append(list(chances))
            states += [game.play(state, move) for move in moves]
            odds += [share * chance if turn == CHANCE else share for chance in chances]
            self.denominator = lcm(self.denominator, share.denominator)
        self.unit = unit * lcm(*(payoff.denominator for payoff in payoffs))
        self.turns = np.array([game.turn(state) for state in states])
        self.payoffs = np.array([int(payoff * self.unit) for payoff in payoffs])
        width = max(map(len, following))
        self.following = np.array([row + [0] * (width - len(row)) for row in following]).T
        scale = lcm(*(share.denominator for row in shares for share in row))
        whole = [[int(share * scale) for share in row] + [0] * (width - len(row)) for row in shares]
        self.shares = np.array(whole, dtype=np.int64 if scale < 2**31 else object).T
        self.codes = [
            np.array([codes[side].setdefault(game.knows(state, side), len(codes[side])) for state in states])
            for side in (0, 1)
        ]
        self.sights = sights or max(map(len, codes))

    def start(self) -> Array:
        return np.zeros((1, 1), dtype=np.int64)

    def turn(self, states: Array) -> Array:
        return np.asarray(self.turns[states[0]])

    def legal(self, states: Array, turn: int) -> Array:
        shares = self.shares[:, states[0]]
        return shares if turn == CHANCE else shares > 0

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        return np.asarray(self.following[moves, states[0]])[None]

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array:
        return np.asarray(self.codes[side][states[0]])

    def payoff(self, states: Array) -> Array:
        return np.asarray(self.payoffs[states[0]])


SMALL_PLAIN = [kuhn(), kubicek(), mini_poker(), rock_paper_scissors("1/2")]


@pytest.mark.parametrize("game", SMALL_PLAIN, ids=lambda game: game.title)
def test_any_game_can_be_walked_in_bulk(game: Game) -> None:
    tabled = Tabled(game)
    assert isinstance(tabled, Bulk)
    agree(bulk_form(tabled), plain_form(tabled), tabled.rules.unit)


@settings(max_examples=some(80), deadline=None)
@given(random_games(), st.sampled_from([1, 10**17]), st.sampled_from([None, 2**40]))
def test_random_games_in_bulk(game: TreeGame, unit: int, sights: int | None) -> None:
    """Also with payoffs longer than int64 once they are weighted, and with codes that outgrow it."""
    tabled = Tabled(game, unit, sights)
    agree(bulk_form(tabled), plain_form(tabled), tabled.rules.unit)


def test_odds_of_any_length() -> None:
    rare = Fraction(1, 10**20)
    guess = Decision(0, "?", (("left", Leaf(Fraction(1))), ("right", Leaf(Fraction(-2)))))
    game = Tabled(TreeGame(Chance((("rare", rare, guess), ("usual", 1 - rare, Leaf(Fraction(3)))))))
    form = bulk_form(game)
    agree(form, plain_form(game))
    assert form.denominator == 10**20 and form.payoffs.dtype == object


def test_a_wrong_denominator_is_refused() -> None:
    game = Tabled(kuhn())
    game.rules.denominator = 4
    with pytest.raises(GameError, match="expected odds that are multiples of 1/4 in kuhn"):
        bulk_form(game)


def test_a_game_that_pays_nothing() -> None:
    game = Tabled(TreeGame(Decision(0, "?", (("left", Leaf(Fraction(0))), ("right", Leaf(Fraction(0)))))))
    form = bulk_form(game)
    assert len(form.rows) == len(form.payoffs) == 0 and form.denominator == 1


@given(st.lists(st.integers(0, 20), min_size=1), st.sampled_from([1, 10**15]))
def test_numbers_follow_the_order_of_meeting(keys: list[int], scale: int) -> None:
    """By a table, or where keys lie far apart by sorting."""
    numbers, firsts = numbered(np.array(keys) * scale)
    met = list(dict.fromkeys(keys))
    assert [met[number] for number in numbers] == keys
    assert [keys.index(key) for key in met] == firsts.tolist()
