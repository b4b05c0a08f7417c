"""Games without secrets that are solved state by state: Guess Who, Nim and Pig. And Morra, which is a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from golden import GOLDEN
from ruse.core.capabilities import Memoryless
from ruse.core.game import CHANCE, END, GameError, PositionError, RuleError, RuseError, Titled
from ruse.core.sizes import sizes
from ruse.core.walk import check
from ruse.forms.certificate import Certificate
from ruse.forms.state_graph import Arrays
from ruse.games import guess_who, make, morra, nim, pig
from ruse.present.rules import score_rules
from ruse.solution import store
from ruse.solvers.backward_induction import backward_induction
from ruse.verify import VerifyError
from ruse.verify import tree as plain
from ruse.verify.verifier import bounds
from stored import forged

ONE = Fraction(1)


@pytest.mark.parametrize("stanza", GOLDEN["open"], ids=lambda stanza: f"{stanza['name']} {stanza['value']}")
def test_golden_values(stanza: dict[str, Any]) -> None:
    solution = ruse.solve(make(stanza["name"], stanza.get("parameters", {})))
    assert solution.value == Fraction(stanza["value"])
    assert solution.certificate.exact and solution.solver == "backward-induction"
    assert store.loads(store.dumps(solution), "").verify() == solution.certificate


# Nim


@settings(max_examples=some(40))
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_nim_is_boutons_theory(heaps: list[int]) -> None:
    """Bouton 1901: misère, the mover wins with an even number of heaps if all are of one, else with a xor above 0."""
    wins = len(heaps) % 2 == 0 if max(heaps) == 1 else reduce(xor, heaps) != 0
    assert backward_induction(nim(heaps)).value == (1 if wins else -1)


def test_nim_has_the_papers_number_of_states() -> None:
    """Cauwet and Teytaud 2018, Table I: 383 that are not the end; here for each side to move, where play comes."""
    counts = json.loads(json.dumps(sizes(nim()).to_json()))
    assert counts["states"]["first"] + counts["states"]["second"] <= 2 * 383
    heaps = {state.heaps for side in (0, 1) for state, _ in backward_induction(nim()).best[side]}
    assert len(heaps) == 383


def test_rules_for_nim() -> None:
    scores = score_rules(nim([1, 2]), "side: first\nnim(heaps=1-2)@first/1,2: b2\notherwise: a1 or b1\n")
    assert scores[0].win == 1


# Morra


def test_the_optimum_of_reference_md() -> None:
    """1/6 each on (0,2) (1,6) (2,6) (3,6) (4,4) (5,6)."""
    game = morra()
    odds = dict.fromkeys(("0-2", "1-6", "2-6", "3-6", "4-4", "5-6"), Fraction(1, 6))
    assert bounds(game, ({"morra": odds}, {"morra/?": odds})) == Certificate(Fraction(0), Fraction(0))
    assert len(game.rows) == 66


def test_only_one_may_be_right() -> None:
    game = morra(2)
    chosen = [("1-3", "2-3"), ("1-3", "2-4"), ("1-2", "2-3"), ("1-2", "2-0")]
    assert [game.payoff(pair) for pair in chosen] == [0, 1, -1, 0]


def test_morra_is_mostly_drawn() -> None:
    win = ruse.solve(morra()).win
    assert win["first"] == win["second"] and sum(win.values()) == 1


# Other games without memory


class Chain(Titled):
    """So many steps to go; at each a side may step, or, where it may, go back to the start."""

    provides = (Memoryless,)

    name = title = "chain"
    sides = ("first", "second")
    wins = ("first", "second")
    parameters: Mapping[str, Any] = {}

    def __init__(self, steps: int, back: bool = False, blurred: bool = False) -> None:
        self.steps, self.back, self.blurred = steps, back, blurred

    def start(self) -> int:
        return 0

    def turn(self, state: int) -> int:
        return END if state == self.steps else state % 2

    def moves(self, state: int) -> Sequence[str]:
        return ("step", "back") if self.back and state else ("step",)

    def odds(self, state: int) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: int, move: str) -> int:
        return state + 1 if move == "step" else 0

    def knows(self, state: int, side: int) -> int:
        return state % 4 if self.blurred else state

    def payoff(self, state: int) -> Fraction:
        return ONE

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: int) -> str:
        return f"/{knowledge}"

    def board(self, state: int) -> int:
        return state

    def returns(self) -> bool:
        return self.back


def test_deeper_than_pythons_stack() -> None:
    solution = ruse.solve(Chain(5000))
    assert solution.value == 1 and solution.iterations == 5001
    assert bounds(solution.game, solution.tables) == solution.certificate


def test_play_that_need_not_end_is_refused() -> None:
    with pytest.raises(VerifyError, match="play in chain may never end"):
        ruse.solve(Chain(5, back=True))
    with pytest.raises(GameError, match="needs a game that never returns to a state, but chain returns"):
        ruse.solve(Chain(5, back=True), "backward-induction")
    with pytest.raises(VerifyError, match="expected a game that never returns to a state, got chain"):
        plain.guarantee(Chain(5, back=True), 1, lambda state: {"step": ONE})


def test_sides_must_know_the_state() -> None:
    check(Chain(9))
    with pytest.raises(
        GameError, match=r"first should know the state at chain/0 \(state 4\), but two states look alike"
    ):
        check(Chain(9, blurred=True))


class Rounds(Titled):
    """Each side has some states with two ways on, through dice that may end it: a random stochastic game."""

    provides = (Memoryless,)

    name = title = "rounds"
    sides = ("first", "second")
    wins = ()
    parameters: Mapping[str, Any] = {}

    def __init__(self, ways: list[tuple[int, list[tuple[int, int, int]]]]) -> None:
        """Of each state: whose turn it is, and of each of its moves the next state, what an end pays, and its odds."""
        self.ways = ways

    def start(self) -> tuple[int, int]:
        return 0, -1

    def turn(self, state: tuple[int, int]) -> int:
        number, move = state
        return END if move == -2 else self.ways[number][0] if move == -1 else CHANCE

    def moves(self, state: tuple[int, int]) -> Sequence[int]:
        return range(len(self.ways[state[0]][1])) if state[1] == -1 else range(2)

    def odds(self, state: tuple[int, int]) -> Sequence[Fraction]:
        share = Fraction(self.ways[state[0]][1][state[1]][2], 7)
        return [share, 1 - share]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        if state[1] == -1:
            return state[0], move
        following, payoff, _ = self.ways[state[0]][1][state[1]]
        return (payoff, -2) if move == 0 else (following, -1)

    def knows(self, state: tuple[int, int], side: int) -> tuple[int, int]:
        return state

    def payoff(self, state: tuple[int, int]) -> Fraction:
        return Fraction(state[0], 3)

    def label(self, move: int) -> str:
        return str(move)

    def format_position(self, knowledge: tuple[int, int]) -> str:
        return f"/{knowledge[0]}/{knowledge[1]}"

    def board(self, state: tuple[int, int]) -> tuple[int, int]:
        return state

    def returns(self) -> bool:
        return True

    def shapley(self) -> float:
        """The value by plain iteration in floats: odds of 1/7 or more to end make 500 rounds plenty."""
        value = [0.0] * len(self.ways)
        for _ in range(500):
            value = [
                (max, min)[side](
                    odds / 7 * payoff / 3 + (1 - odds / 7) * value[following] for following, payoff, odds in ways
                )
                for side, ways in self.ways
            ]
        return value[0]


@st.composite
def rounds(draw: st.DrawFn) -> Rounds:
    count = draw(st.integers(1, 5))
    way = st.tuples(st.integers(0, count - 1), st.integers(-9, 9), st.integers(1, 6))
    state = st.tuples(st.integers(0, 1), st.lists(way, min_size=1, max_size=3))
    return Rounds(draw(st.lists(state, min_size=count, max_size=count)))


@settings(max_examples=some(60))
@given(rounds())
def test_value_iteration_on_random_games(game: Rounds) -> None:
    assert isinstance(game, Memoryless)
    check(game)
    solution = ruse.solve(game)
    lower, upper = solution.certificate.lower, solution.certificate.upper
    assert solution.solver == "value-iteration" and lower <= upper < lower + Fraction(1, 10**9)
    assert float(lower) - 1e-9 <= game.shapley() <= float(upper) + 1e-9
    assert bounds(game, solution.tables) == solution.certificate


def test_a_graph_has_few_digits() -> None:
    class Fine(Rounds):
        provides = (Memoryless,)

        def odds(self, state: object) -> list[Fraction]:
            return [Fraction(1, 10**7), 1 - Fraction(1, 10**7)]

    class Rich(Rounds):
        provides = (Memoryless,)

        def payoff(self, state: object) -> Fraction:
            return Fraction(10**16, 3)

    many = Fine([(0, [(0, 1, 1)])])
    with pytest.raises(GameError, match="expected odds in parts of at most 1,000,000, got 10,000,000 in rounds"):
        ruse.solve(many)
    large = Rich([(0, [(0, 1, 1)])])
    with pytest.raises(GameError, match="the payoffs of rounds have too many digits"):
        ruse.solve(large)


# Refusals


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("guess-who", {"mine": 0}, "expected 1 to 200 characters for --mine, got 0"),
        ("guess-who", {"theirs": 1001}, "expected 1 to 200 characters for --theirs, got 1001"),
        ("pig", {"goal": 1}, "expected a goal of 2 to 150, got 1"),
        ("pig", {"goal": 10**9}, "expected a goal of 2 to 150, got 1000000000"),
        ("nim", {"heaps": []}, "expected 1 to 26 heaps, got 0"),
        ("nim", {"heaps": [1, 0]}, "expected at least one match on every heap, got 0"),
        ("nim", {"heaps": [99, 99, 99]}, "expected heaps with at most 100,000 ways to be taken from, got 1,000,000"),
        ("morra", {"fingers": 0}, "expected 1 to 10 fingers, got 0"),
    ],
)
def test_bad_parameters(name: str, parameters: Mapping[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        make(name, parameters)


def test_bad_solvers(tmp_path: Path) -> None:
    with pytest.raises(
        RuseError, match=r"lp needs a game tree, and nim has none: use backward-induction, value-iteration or auto"
    ):
        ruse.solve(nim(), "lp")
    with pytest.raises(RuseError, match=r"mccfr needs a game tree, and pig has none: use value-iteration or auto"):
        ruse.solve(pig(9), "mccfr")
    with pytest.raises(RuseError, match="use value-iteration"):
        ruse.solve(pig(9), "backward-induction")
    with pytest.raises(RuseError, match="value-iteration solves only games that declare Memoryless, not kuhn"):
        ruse.solve(ruse.games.kuhn(), "value-iteration")
    with pytest.raises(RuseError, match="the solvers of nim do not iterate and cannot use a checkpoint"):
        ruse.solve(nim(), checkpoint=tmp_path / "run")


def test_forged_solutions_without_memory() -> None:
    solution = ruse.solve(guess_who(9, 8))
    start = "guess-who(mine=9,theirs=8)@first/9,8"
    with pytest.raises(VerifyError, match="as is claimed"):
        forged(solution, start, {"1": ONE}).verify()
    with pytest.raises(VerifyError, match="expected one of the moves 4, 3, 2, 1"):
        forged(solution, start, {"5": ONE}).verify()
    with pytest.raises(VerifyError, match=r"expected positions of .* where Player 1 moves"):
        forged(solution, "guess-who(mine=9,theirs=8)@first/30,8", {"1": ONE}).verify()
    table = {position: odds for position, odds in solution.tables[0].items() if position != start}
    with pytest.raises(VerifyError, match=r"expected odds at .*9,8, got none"):
        replace(solution, tables=(table, solution.tables[1])).verify()
    mixed = forged(solution, start, {"4": Fraction(1, 2), "3": Fraction(1, 2)})
    assert bounds(mixed.game, mixed.tables).lower <= solution.value
    with pytest.raises(RuleError, match="expected one move at"):
        mixed.words()


def test_shapes_of_arrays() -> None:
    arrays: Arrays = pig(4).graph().arrays
    states = len(arrays.turn)
    assert len(arrays.first) == states + 1 and arrays.first[-1] == len(arrays.child) == len(arrays.share)
    assert len(arrays.whole) == len(arrays.payoff) == states == arrays.layers[-1]


def test_bounds_that_are_looser_than_need_be_are_refused() -> None:
    solution = ruse.solve(ruse.games.make("pig", {"goal": 8}))
    for lower in (Fraction(-99), Fraction(-1), solution.certificate.lower - Fraction(1, 10**6)):
        with pytest.raises(VerifyError, match=r"expected (bounds from -1 to 1|the strategy of first)"):
            replace(solution, certificate=Certificate(lower, solution.certificate.upper)).verify()
