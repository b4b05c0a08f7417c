"""Pig: the value to 100 points, arrays against the rules, and claims that must be proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ruse
from ruse.core.capabilities import Memoryless
from ruse.core.game import END, PositionError, RuseError
from ruse.core.registry import presentation
from ruse.forms.certificate import Certificate
from ruse.forms.state_graph import Walked
from ruse.games import pig
from ruse.games.pig.arrays import PigGraph
from ruse.games.pig.rules import Pig, PigState
from ruse.present.rules import score_function, score_rules
from ruse.solution import store
from ruse.solution.strategy import Solution
from ruse.verify import VerifyError, cyclic
from ruse.verify.verifier import bounds
from stored import forged

ONE = Fraction(1)


@pytest.fixture(scope="module")
def hundred() -> Solution:
    return ruse.solve(pig())


@pytest.mark.soak
@pytest.mark.slow
def test_pig_to_100(hundred: Solution) -> None:
    """reference.md: the optimal first player wins 0.5305927; contract.md: bounds at most 1e-9 apart, exact null."""
    assert hundred.win["first"] == pytest.approx(0.5305927, abs=5e-8)
    assert 0 < hundred.certificate.gap < 1e-9
    told = hundred.to_json()
    assert (
        told["value"]["exact"] is None and not told["certificate"]["exact"] and isinstance(told["win"]["first"], float)
    )
    assert store.loads(store.dumps(hundred), "").verify() == hundred.certificate


@pytest.mark.soak
def test_how_to_play_pig(hundred: Solution) -> None:
    assert isinstance(hundred.game, Pig)
    strategy = hundred.strategy("first")
    assert strategy.at("pig@first/0,0") == {"hold-at-21+": 1}  # Neller and Presser 2004, Fig. 3: at 0-0 hold at 21
    assert strategy.at("pig@first/0,0,20") == {"roll": 1} and strategy.at("pig@first/0,0,21") == {"hold": 1}
    assert strategy.at("pig@first/80,98,5") == {"roll": 1}
    lines = hundred.words().splitlines()
    assert any(line.startswith("#   0   21   22   23") for line in lines)
    start = lines.index("side: first")
    odds = presentation(hundred.game).read_rules([line for line in lines[start + 1 :] if line[:1].isdigit()][:100], 0)
    assert {position: odds(position) for position in hundred.tables[0]} == hundred.tables[0]
    for position in ("pig@second/0,0", "pig@first/0,100", "pig@first/100,0", "pig@first/x,0", "pig@first/0", "pig"):
        with pytest.raises(PositionError, match="expected both scores"):
            strategy.at(position)


@pytest.mark.parametrize("goal", [2, 3, 6, 7, 12, 20])
def test_low_goals_are_a_race_in_one_turn(goal: int) -> None:
    """Rolling on to the goal is best there. A turn then wins w, and the first side w / (1 - (1 - w)²) = 1 / (2 - w)."""
    reached = [ONE] + [Fraction(0)] * (goal + 6)
    for total in range(goal):
        for face in range(2, 7):
            reached[total + face] += reached[total] / 6
    win = 1 / (2 - sum(reached[goal:]))
    solution = ruse.solve(pig(goal))
    assert solution.certificate.lower <= 2 * win - 1 <= solution.certificate.upper
    assert solution.certificate.gap < 1e-9
    if goal == 2:
        assert win == Fraction(6, 7)


def test_arrays_are_the_rules() -> None:
    for goal in (2, 3, 8):
        game = pig(goal)
        walked, graph = Walked(game), PigGraph(game)
        check_same(walked, graph)


def check_same(walked: Walked, graph: PigGraph) -> None:
    numbers = [graph.number(state) for state in walked.states]
    for place, number in enumerate(numbers):
        one, other = walked.arrays, graph.arrays
        children = [numbers[child] for child in one.child[one.first[place] : one.first[place + 1]]]
        assert children == other.child[other.first[number] : other.first[number + 1]].tolist()
        assert (one.turn[place], one.whole[place], one.payoff[place] * other.denominator) == (
            other.turn[number],
            other.whole[number],
            other.payoff[number] * one.denominator,
        )


def test_layers_are_gone_up_through() -> None:
    arrays = pig(9).graph().arrays
    layer = np.searchsorted(arrays.layers, np.arange(len(arrays.turn)), side="right")
    parent = np.repeat(np.arange(len(arrays.turn)), np.diff(arrays.first))
    assert (layer[arrays.child] >= layer[parent]).all()


def test_walked_states_give_the_same_bounds() -> None:
    """Pig without arrays of its own, where a strategy goes by single states."""

    class Plain(Pig):
        provides = (Memoryless,)

    solution = ruse.solve(Plain(12))
    assert "plain(goal=12)@first/0,0,0" in solution.tables[0]
    found = ruse.solve(pig(12)).certificate
    assert abs(solution.certificate.lower - found.lower) < 1e-9 > abs(solution.certificate.upper - found.upper)
    assert bounds(solution.game, solution.tables) == solution.certificate


def test_pig_in_words_and_back() -> None:
    solution = ruse.solve(pig(30))
    payoffs = [score.payoff for score in score_rules(solution.game, solution.words())]
    assert payoffs == [solution.certificate.lower, solution.certificate.upper]
    hold_at_20 = score_rules(solution.game, "side: first\n0-29: 20\n")[0].payoff
    assert hold_at_20 < solution.certificate.lower
    again = score_function(solution.game, 0, lambda position, moves: moves[min(18, len(moves) - 1)]).payoff
    assert again == hold_at_20


@pytest.mark.parametrize("choice", ["1", "31+", "5-7;6+", "5;", "x", "-3", "5-4"])
def test_bad_totals(choice: str) -> None:
    with pytest.raises(RuseError, match="expected"):
        score_rules(pig(30), f"side: first\n0-29: {choice}\n")


def test_pig_claims_must_be_proved() -> None:
    solution = ruse.solve(pig(25))
    lower, upper = solution.certificate.lower, solution.certificate.upper
    tiny = Fraction(1, 10**12)
    assert replace(solution, certificate=Certificate(lower - tiny, upper + tiny)).verify().lower == lower - tiny
    for claim in (Certificate(lower + tiny, upper), Certificate(lower, upper - tiny), Certificate(upper, lower)):
        with pytest.raises(VerifyError, match="as is claimed"):
            replace(solution, certificate=claim).verify()
    with pytest.raises(VerifyError, match="to guarantee at least"):
        forged(solution, "pig(goal=25)@first/0,0", {"hold-at-2+": ONE}).verify()


@pytest.mark.parametrize(
    ("position", "odds", "message"),
    [
        (
            "pig(goal=8)@first/0,0",
            {"hold-at-2+": Fraction(1, 2), "hold-at-3+": Fraction(1, 2)},
            "expected a pure strategy, with one move",
        ),
        ("pig(goal=8)@first/0,0", {"roll": ONE}, "expected turn totals of 2 to 8"),
        ("pig(goal=8)@first/0,0", {"hold-at-9+": ONE}, "expected turn totals of 2 to 8"),
        ("pig(goal=8)@first/0,0,2", {"roll": ONE}, "expected positions where Player 1 moves"),
        ("pig(goal=8)@second/0,0", {"hold-at-2+": ONE}, "expected positions where Player 1 moves"),
        ("pig(goal=8)@first/0,0", {"hold-at-2+": Fraction(2)}, "sum to 1"),
    ],
)
def test_forged_entries(position: str, odds: Mapping[str, Fraction], message: str) -> None:
    with pytest.raises(VerifyError, match=message):
        forged(ruse.solve(pig(8)), position, odds).verify()


def test_entries_must_not_be_missing() -> None:
    solution = ruse.solve(pig(8))
    table = {position: odds for position, odds in solution.tables[0].items() if not position.endswith("/2,3")}
    with pytest.raises(VerifyError, match=r"expected odds at pig\(goal=8\)@first/2,3, got none"):
        replace(solution, tables=(table, solution.tables[1])).verify()


def test_arrays_that_say_something_else_are_noticed() -> None:
    class Kind(Pig):
        """By whose rules a one loses nothing."""

        provides = Pig.provides

        def play(self, state: PigState, move: object) -> PigState:
            return super().play(state, 2 if move == 1 else move)

    solution = ruse.solve(pig(8))
    kind, graph = Kind(8), pig(8).graph()
    with pytest.raises(VerifyError, match=r"the arrays of pig.* do not say what its rules say"):
        cyclic._check_graph(kind, graph)
    with pytest.raises(VerifyError, match="expected positions where Player 1 moves"):
        bounds(kind, solution.tables)  # whose states are written down from its rules


def test_false_bounds_are_noticed() -> None:
    """The inequalities are checked whatever the sweeps did."""
    game = pig(5)
    graph = game.graph()
    arrays, unit = graph.arrays, 10**12
    for side in (0, 1):
        choice = graph.read(side, ruse.solve(game).tables[side])
        value = cyclic._swept(arrays, unit, side, choice)
        cyclic._check_inequalities(arrays, side, choice, value, unit)
        for state in np.flatnonzero(arrays.turn != 9)[:: len(value) // 50]:
            wrong = value.copy()
            wrong[state] += 1 if side == 0 else -1
            if arrays.turn[state] == END or arrays.turn[state] == side:  # equalities there
                with pytest.raises(VerifyError, match="the stored bounds are not consistent"):
                    cyclic._check_inequalities(arrays, side, choice, wrong, unit)
