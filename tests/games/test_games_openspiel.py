"""Our games against OpenSpiel's, walked side by side: the same moves, odds, returns and information sets."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pyspiel
import pytest

from ruse.core.capabilities import Bulk
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge
from ruse.formats.openspiel import load as load_theirs
from ruse.forms.sequence_form import sequence_form
from ruse.games import UnknownParameter, game_of, make
from ruse.solvers.lp import lp

GOOFSPIEL = "goofspiel(imp_info=True,points_order=descending,returns_type=win_loss,num_cards={})"
BATTLESHIP = (
    "battleship(allow_repeated_shots=False,loss_multiplier=1.0,"
    "board_width={},board_height={},ship_sizes=[{}],ship_values=[{}],num_shots={})"
)

PAIRS: list[tuple[str, Mapping[str, object], str]] = [
    *(("liars-dice", {"faces": faces}, f"liars_dice(numdice=1,dice_sides={faces})") for faces in (1, 2, 3, 4)),
    *(("goofspiel", {"cards": cards}, GOOFSPIEL.format(cards)) for cards in (1, 2, 3, 4)),
    ("battleship", {"shots": 2}, BATTLESHIP.format(2, 2, "1;2", "1;2", 2)),
    ("battleship", {"board": "3x1", "ships": "1,1", "values": "3,0"}, BATTLESHIP.format(3, 1, "1;1", "3;0", 3)),
    (
        "battleship",
        {"board": "2x3", "ships": [1, 3, 2], "values": [1, 1, 5], "shots": 1},
        BATTLESHIP.format(2, 3, "1;3;2", "1;1;5", 1),
    ),
    ("oshi-zumo", {}, "oshi_zumo(coins=4,size=1,horizon=4)"),
    ("oshi-zumo", {"coins": 3, "size": 0}, "oshi_zumo(coins=3,size=0,horizon=4)"),
    (
        "oshi-zumo",
        {"coins": 5, "horizon": 9, "min-bid": 2, "alesia": "yes"},
        "oshi_zumo(coins=5,size=1,horizon=9,min_bid=2,alesia=True)",
    ),
    ("leduc", {}, "leduc_poker"),
]


def load(name: str) -> pyspiel.Game:
    """An OpenSpiel game in which one moves at a time."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    return game


@pytest.mark.parametrize(("name", "parameters", "theirs"), PAIRS, ids=[name for *_, name in PAIRS])
def test_the_trees_are_the_same(name: str, parameters: Mapping[str, object], theirs: str) -> None:
    game = make(name, parameters)
    known: tuple[dict[Knowledge, str], dict[Knowledge, str]] = ({}, {})
    stack = [(game.start(), load(theirs).new_initial_state())]
    nodes = 0
    while stack:
        state, other = stack.pop()
        nodes += 1
        turn = game.turn(state)
        if turn == END:
            assert other.is_terminal()
            assert [float(game.payoff(state)), -float(game.payoff(state))] == other.returns()
            continue
        actions = other.legal_actions()
        moves = game.moves(state)
        if turn == CHANCE:
            assert other.is_chance_node()
            assert [float(share) for share in game.odds(state)] == pytest.approx(
                [p for _, p in other.chance_outcomes()]
            )
        else:
            assert other.current_player() == turn
            text = other.information_state_string(turn)
            assert known[turn].setdefault(game.knows(state, turn), text) == text
        stack += [(game.play(state, move), other.child(action)) for move, action in zip(moves, actions, strict=True)]
    for texts in known:
        assert len(set(texts.values())) == len(texts)
    assert isinstance(game, Bulk)
    assert game.nodes() == nodes


@pytest.mark.parametrize(
    ("name", "parameters", "nodes"),
    [
        ("liars-dice", {"faces": 5}, 51_181),
        ("goofspiel", {"cards": 5}, 26_931),
        ("battleship", {}, 59_765),
        ("oshi-zumo", {"coins": 4, "size": 2, "horizon": 6}, 88_117),
    ],
)
def test_nodes_of_larger_games(name: str, parameters: Mapping[str, object], nodes: int) -> None:
    """Counted by walking OpenSpiel's trees."""
    game = make(name, parameters)
    assert isinstance(game, Bulk)
    assert game.nodes() == nodes


def test_nodes_past_counting() -> None:
    for name, parameters in (
        ("liars-dice", {"faces": 20}),
        ("goofspiel", {"cards": 30}),
        ("battleship", {"board": "4x4", "ships": [2, 2, 3], "values": [1, 1, 1], "shots": 16}),
        ("oshi-zumo", {"coins": 30, "size": 100, "horizon": 100}),
    ):
        game = make(name, parameters)
        assert isinstance(game, Bulk)
        assert game.nodes() > 10**9


def test_several_dice_are_worth_what_they_are_there() -> None:
    """Only that OpenSpiel rolls one after the other, where we roll a side's dice at once."""
    ours, theirs = make("liars-dice", {"faces": 2, "dice": 2}), load_theirs("liars_dice(numdice=2,dice_sides=2)")
    assert lp(sequence_form(ours)).certificate == lp(sequence_form(theirs)).certificate


@pytest.mark.parametrize(
    ("position", "parameters"),
    [
        ("liars-dice@6/1-4/2-4", {"faces": 6}),
        ("liars-dice(faces=5)@5", {"faces": 5}),
        ("liars-dice(dice=2)@3+6/2-4", {"faces": 6, "dice": 2}),
        ("liars-dice(faces=3,dice=2)", {"faces": 3, "dice": 2}),
        ("goofspiel/4/won/2/tied/?", {"cards": 4}),
        ("battleship@a1+a2-b2/b1-hit/a1", {"board": "2x2", "ships": [1, 2], "values": [1, 2], "shots": 3}),
        (
            "battleship(board=3x2,ships=1-3,values=2-0,shots=1)",
            {"board": "3x2", "ships": [1, 3], "values": [2, 0], "shots": 1},
        ),
        (
            "oshi-zumo(coins=5,min-bid=1,alesia=yes)/2/1/?",
            {"coins": 5, "size": 1, "horizon": 4, "min_bid": 1, "alesia": True},
        ),
    ],
)
def test_positions_lead_back_to_their_game(position: str, parameters: Mapping[str, object]) -> None:
    assert game_of(position).parameters == parameters


def test_positions_read_as_the_games_say() -> None:
    assert told("liars-dice", {}, ["6", "1", "1-4", "2-4"], 0) == "@6/1-4/2-4"
    assert told("liars-dice", {"dice": 2}, ["3+6", "1+1", "2-4"], 1) == "@1+1/2-4"
    assert told("goofspiel", {}, [2, 4, 3, 3], 1) == "/4/won/3/tied"
    assert told("goofspiel", {}, [2, 4, 1], 1) == "/4/won/?"
    assert told("goofspiel", {}, [2, 4, 1], 0) == "/2/lost/1"
    ships = ["a1", "b1", "a2-b2", "a2-b2"]
    assert told("battleship", {}, ships[:1], 1) == ""
    assert told("battleship", {}, [*ships, "b1", "a2", "a1"], 0) == "@a1+a2-b2/b1-sunk/a2/a1-miss"
    assert told("battleship", {}, [*ships, "b1", "a2", "a1"], 1) == "@b1+a2-b2/b1/a2-hit/a1"
    assert told("oshi-zumo", {}, [2, 1, 0], 0) == "/2/1/0"
    assert told("oshi-zumo", {}, [2, 1, 0], 1) == "/2/1/?"


def told(name: str, parameters: Mapping[str, object], moves: list[object], side: int) -> str:
    game: Game = make(name, parameters)
    state = game.start()
    for move in moves:
        assert move in game.moves(state)
        state = game.play(state, move)
    return game.format_position(game.knows(state, side))


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("liars-dice", {"faces": 0}, "expected dice of 1 to 20 faces, got 0"),
        ("liars-dice", {"dice": 6}, "expected 1 to 5 dice each, got 6"),
        ("goofspiel", {"cards": 10**9}, "expected 1 to 30 cards a side, got 1000000000"),
        ("battleship", {"board": "0x4"}, "expected a board of width x height, .* of 1 to 16 cells, got '0x4'"),
        ("battleship", {"board": "99x99"}, "of 1 to 16 cells, got '99x99'"),
        ("battleship", {"board": "two by two"}, "got 'two by two'"),
        ("battleship", {"ships": "1,3"}, "expected ships that find room on a board of 2x2, got 1-3"),
        ("battleship", {"ships": "2,2,1", "values": "1,1,1"}, "of 1 to 4 cells together, got 2-2-1"),
        (
            "battleship",
            {"board": "3x3", "ships": "3,3,2", "shots": 1},
            "a value of 0 to 1,000,000 for each ship, got 1-2",
        ),
        (
            "battleship",
            {"board": "5x2", "ships": "3,3,4", "values": "1,1,1"},
            "expected ships that find room on a board of 5x2, got 3-3-4",
        ),
        ("battleship", {"ships": [0, 1]}, "expected ships of 1 to 4 cells together, got 0-1"),
        ("battleship", {"ships": [], "values": []}, "expected ships of 1 to 4 cells together, got none"),
        ("battleship", {"values": "1"}, "expected a value of 0 to 1,000,000 for each ship, got 1"),
        ("battleship", {"values": [1, -1]}, "for each ship, got 1--1"),
        ("battleship", {"shots": 5}, "expected 1 to 4 shots, since none is repeated, got 5"),
        ("battleship", {"ships": [1] * 10**6, "values": [1] * 10**6}, "of 1 to 4 cells together, got 1-1-"),
        ("oshi-zumo", {"coins": 0}, "expected 1 to 30 coins, got 0"),
        ("oshi-zumo", {"size": -1}, "expected 0 to 100 places on each side, got -1"),
        ("oshi-zumo", {"horizon": 10**9}, "expected 1 to 100 rounds, got 1000000000"),
        ("oshi-zumo", {"min_bid": 5}, "expected 0 to 4 coins for the least bid, got 5"),
    ],
)
def test_tables_that_cannot_be_played(name: str, parameters: Mapping[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        make(name, parameters)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("alesia", ["maybe", 1])
def test_yes_or_no(alesia: object) -> None:
    with pytest.raises(UnknownParameter, match="expected yes or no for --alesia, got"):
        make("oshi-zumo", {"alesia": alesia})


def test_who_is_pushed_off_loses() -> None:
    game = make("oshi-zumo", {"size": 0})
    assert game.payoff(game.play(game.play(game.start(), 2), 1)) == Fraction(1)
