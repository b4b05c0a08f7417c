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

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from golden import GOLDEN
from ruse import store
from ruse.certificate import Certificate
from ruse.game import CHANCE, END, GameError, Memoryless, PositionError, RuleError, RuseError, Titled
from ruse.games import guess_who, make, morra, nim, pig
from ruse.games.arrays.pig import PigGraph
from ruse.games.pig import Pig, Race
from ruse.graph import Arrays, Walked
from ruse.reproduce import guess_who as paper
from ruse.sizes import sizes
from ruse.solvers.backward_induction import backward_induction
from ruse.strategy import Solution
from ruse.verify import VerifyError, plain, returning
from ruse.verify.solution import bounds
from ruse.walk import check
from ruse.words import score_function, score_rules

ONE = Fraction(1)


@pytest.mark.parametrize("stanza", GOLDEN["open"], ids=lambda stanza: f"{stanza['name']} {stanza['value']}")
def test_golden_values(stanza: dict[str, Any]) -> None:
    solution = ruse.solve(make(stanza["name"], stanza.get("parameters", {})))
    assert solution.value == Fraction(stanza["value"])
    assert solution.certificate.exact and solution.solver == "backward-induction"
    assert store.loads(store.dumps(solution), "").verify() == solution.certificate


# Guess Who


def test_dynamic_programming_is_nicas_formula() -> None:
    """reference.md: for all 2 <= n, m <= 128; his questions are among the best."""
    best = paper.optimum(128)
    for n in range(2, 129):
        for m in range(2, 129):
            assert Fraction(best.scaled[n][m], n * m) == paper.nica(n, m)
            assert best.question[n][m] == max(1, min(n // 2, 2 ** ((m - 1).bit_length() - 1)))
    for n, p in ((24, 0.631944), (96, 0.629774), (128, 0.666748)):
        assert float(paper.nica(n, n)) == pytest.approx(p, abs=5e-7)


@pytest.mark.parametrize("n", range(2, 12))
@pytest.mark.parametrize("m", range(2, 12, 3))
def test_solutions_are_nicas_formula(n: int, m: int) -> None:
    solution = ruse.solve(guess_who(n, m))
    assert solution.win == {"first": paper.nica(n, m), "second": 1 - paper.nica(n, m)}


def test_one_character_left_has_won() -> None:
    assert ruse.solve(guess_who(1, 5)).win["first"] == 1
    assert ruse.solve(guess_who(5, 1)).win["first"] == 0
    assert len(ruse.solve(guess_who(5, 1)).strategy(0)) == 0


def test_guess_who_in_words_and_back() -> None:
    solution = ruse.solve(guess_who(13, 11))
    text = solution.words()
    assert "\n13: 1 if 2" not in text and "\n13: 6\n" in text  # only against 11
    assert "\n11: 1 if 2, 2 if 3-4, 4 if 5-8, 5 if 9+\n" in text
    assert [score.payoff for score in score_rules(solution.game, text)] == [solution.value] * 2


def test_dichotomy_is_scored_exactly() -> None:
    game = guess_who(16, 16)
    halves = [score.payoff for score in score_rules(game, "side: first\n2-16: half\nside: second\n2+: half\n")]
    assert halves[0] < ruse.solve(game).value < halves[1]
    asked = score_function(game, 0, lambda position, moves: moves[0])  # the first move offered is to ask about half
    assert asked.payoff == halves[0]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("2-9: 1 if 3", "expected a rule for 5 of mine and 5 of theirs, got none"),
        ("half", "expected a rule such as .*, got 'half'"),
        ("2+: 4", "expected a move out of 2, 1 at guess-who.*@first/5,5, got '4'"),
        ("2+: one two", "expected a rule such as"),
    ],
)
def test_bad_rules_of_guess_who(rules: str, message: str) -> None:
    with pytest.raises((RuleError, VerifyError), match=message):
        score_rules(guess_who(5, 5), f"side: first\n{rules}\n")


def test_the_papers_strategies() -> None:
    """method.md: with δ = max(n - m, 0), ONL beats OL (.539 at 128) and Best beats ONL (.522); as printed, neither."""
    known, printed = paper.strategies(), paper.strategies(printed=True)
    assert float(paper.curve(known["ONL"], known["OL"])[-1]) == pytest.approx(0.539, abs=5e-4)
    assert float(paper.curve(known["Best"], known["ONL"])[-1]) == pytest.approx(0.522, abs=5e-4)
    assert paper.curve(printed["ONL"], printed["OL"])[-1] < Fraction(1, 2)
    assert paper.curve(known["OL"], known["God"])[-1] == Fraction(1, 2)  # "only OL reaches 50 %"


def test_the_papers_equations() -> None:
    known = paper.strategies()
    assert [known["dichotomy"](n, 5) for n in (2, 3, 24, 25)] == [1, 1, 12, 12]
    assert [known["OL"](n, m) for n, m in ((24, 24), (24, 10), (24, 2), (10, 24))] == [12, 5, 1, 5]
    assert known["ONL"](128, 64) == 48  # 64 + 8 - 24
    assert paper.asked(Fraction(-9), Fraction(0), Fraction(0), Fraction(0), 8, 2) == 7  # at most n - 1


@given(st.integers(2, 12), st.integers(2, 12))
def test_win_rates_add_up_and_nobody_beats_the_optimum(n: int, m: int) -> None:
    best = paper.optimal(12)
    assert paper.win_rate(best, best, n, m) == paper.nica(n, m)
    for strategy in paper.strategies().values():
        assert paper.win_rate(strategy, best, n, m) <= paper.nica(n, m) <= paper.win_rate(best, strategy, n, m)


def test_win_rates_are_what_the_rules_give() -> None:
    """Both policies in the game itself, state by state."""
    game, first, second = guess_who(9, 7), paper.strategies()["dichotomy"], paper.strategies()["ONL"]

    def policy(state: Any) -> Mapping[int, Fraction]:
        c = (first, second)[state.turn](state.mine, state.theirs)
        return {min(c, state.mine - c): ONE}

    shares = plain.outcomes(game, (policy, policy))
    assert shares[ONE] == paper.win_rate(first, second, 9, 7)


def test_figure_1_and_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ONL - OL" in paper.table(24) and len(paper.table(24).splitlines()) == 3 + len(paper.SAID)
    paper.draw(tmp_path / "fig.svg", most=8)
    assert (tmp_path / "fig.svg").read_text().startswith("<?xml")
    with pytest.raises(RuseError, match="expected a picture"):
        paper.draw(tmp_path / "fig.bmp", most=8)


# Nim


@settings(max_examples=40)
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


# Pig


@pytest.fixture(scope="module")
def hundred() -> Solution:
    return ruse.solve(pig())


def test_pig_to_100(hundred: Solution) -> None:
    """reference.md: the optimal first player wins 0.5305927; contract.md: bounds at most 1e-9 apart, exact null."""
    assert hundred.win["first"] == pytest.approx(0.5305927, abs=5e-8)
    assert 0 < hundred.certificate.gap < 1e-9
    told = hundred.to_json()
    assert (
        told["value"]["exact"] is None and not told["certificate"]["exact"] and isinstance(told["win"]["first"], float)
    )
    assert store.loads(store.dumps(hundred), "").verify() == hundred.certificate


def test_how_to_play_pig(hundred: Solution) -> None:
    assert isinstance(hundred.game, Pig)
    strategy = hundred.strategy("first")
    assert strategy.at("pig@first/0,0") == {"hold-at-21+": 1}  # Neller and Presser 2004, Fig. 3: at 0-0 hold at 21
    assert strategy.at("pig@first/0,0,20") == {"roll": 1} and strategy.at("pig@first/0,0,21") == {"hold": 1}
    assert strategy.at("pig@first/80,98,5") == {"roll": 1}
    lines = hundred.words().splitlines()
    assert any(line.startswith("#   0   21   22   23") for line in lines)
    start = lines.index("side: first")
    odds = hundred.game.read_rules([line for line in lines[start + 1 :] if line[:1].isdigit()][:100], 0)
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
        graph = file = None  # type: ignore[assignment]

    solution = ruse.solve(Plain(12))
    assert "pig(goal=12)@first/0,0,0" in solution.tables[0]
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


def forged(solution: Solution, position: str, odds: Mapping[str, Fraction]) -> Solution:
    return replace(solution, tables=({**solution.tables[0], position: odds}, solution.tables[1]))


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
            "one move without dice",
        ),
        ("pig(goal=8)@first/0,0", {"roll": ONE}, "expected turn totals of 2 to 8"),
        ("pig(goal=8)@first/0,0", {"hold-at-9+": ONE}, "expected turn totals of 2 to 8"),
        ("pig(goal=8)@first/0,0,2", {"roll": ONE}, "expected positions where first moves"),
        ("pig(goal=8)@second/0,0", {"hold-at-2+": ONE}, "expected positions where first moves"),
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

        def play(self, state: Race, move: object) -> Race:
            return super().play(state, 2 if move == 1 else move)

    solution = ruse.solve(pig(8))
    with pytest.raises(VerifyError, match=r"expected the arrays of pig.* to say what its rules say"):
        bounds(Kind(8), solution.tables)


def test_false_bounds_are_noticed() -> None:
    """The inequalities are checked whatever the sweeps did."""
    game = pig(5)
    graph = game.graph()
    arrays, unit = graph.arrays, 10**12
    for side in (0, 1):
        choice = graph.read(side, ruse.solve(game).tables[side])
        value = returning._swept(arrays, unit, side, choice)
        returning._check_inequalities(arrays, side, choice, value, unit)
        for state in np.flatnonzero(arrays.turn != 9)[:: len(value) // 50]:
            wrong = value.copy()
            wrong[state] += 1 if side == 0 else -1
            if arrays.turn[state] == END or arrays.turn[state] == side:  # equalities there
                with pytest.raises(VerifyError, match="safe side"):
                    returning._check_inequalities(arrays, side, choice, wrong, unit)


# Other games without memory


class Chain(Titled):
    """So many steps to go; at each a side may step, or, where it may, go back to the start."""

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

    def tell(self, knowledge: int) -> str:
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
    with pytest.raises(VerifyError, match="expected play that ends with certainty in chain"):
        ruse.solve(Chain(5, back=True))
    with pytest.raises(GameError, match="expected a game whose play never comes back to a state, got chain"):
        ruse.solve(Chain(5, back=True), "backward-induction")
    with pytest.raises(VerifyError, match="expected play that never comes back to a state, got chain"):
        plain.guarantee(Chain(5, back=True), 1, lambda state: {"step": ONE})


def test_sides_must_know_the_state() -> None:
    check(Chain(9))
    with pytest.raises(
        GameError, match=r"expected first to know the state at chain/0 \(state 4\), got two that look alike"
    ):
        check(Chain(9, blurred=True))


class Rounds(Titled):
    """Each side has some states with two ways on, through dice that may end it: a random stochastic game."""

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

    def tell(self, knowledge: tuple[int, int]) -> str:
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


@settings(max_examples=60)
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
    many = Rounds([(0, [(0, 1, 1)])])
    many.odds = lambda state: [Fraction(1, 10**7), 1 - Fraction(1, 10**7)]  # type: ignore[method-assign]
    with pytest.raises(GameError, match="expected odds in parts of at most 1,000,000, got 10,000,000 in rounds"):
        ruse.solve(many)
    large = Rounds([(0, [(0, 1, 1)])])
    large.payoff = lambda state: Fraction(10**16, 3)  # type: ignore[method-assign]
    with pytest.raises(GameError, match="expected payoffs of few digits in rounds, got too many"):
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
    with pytest.raises(RuseError, match=r"expected backward-induction, value-iteration or auto for nim, .*, got lp"):
        ruse.solve(nim(), "lp")
    with pytest.raises(RuseError, match=r"expected value-iteration or auto for pig, .*, got mccfr"):
        ruse.solve(pig(9), "mccfr")
    with pytest.raises(RuseError, match="use value-iteration"):
        ruse.solve(pig(9), "backward-induction")
    with pytest.raises(RuseError, match="expected a game without secrets that goes by states for value-iteration"):
        ruse.solve(ruse.games.kuhn(), "value-iteration")
    with pytest.raises(RuseError, match="expected no checkpoint for nim"):
        ruse.solve(nim(), checkpoint=tmp_path / "run")


def test_forged_solutions_without_memory() -> None:
    solution = ruse.solve(guess_who(9, 8))
    start = "guess-who(mine=9,theirs=8)@first/9,8"
    with pytest.raises(VerifyError, match="as is claimed"):
        forged(solution, start, {"1": ONE}).verify()
    with pytest.raises(VerifyError, match="expected a move out of 4, 3, 2, 1"):
        forged(solution, start, {"5": ONE}).verify()
    with pytest.raises(VerifyError, match=r"expected positions of .* where first moves"):
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
