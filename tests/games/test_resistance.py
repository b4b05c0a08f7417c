"""The Resistance: exact values at every table, by independent routes; reductions on and off; advice off the path."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from golden import tables
from ruse.core.game import GameError, PositionError
from ruse.forms.reductions import reduce
from ruse.forms.reductions.forced import without_forced
from ruse.forms.sequence_form import sequence_form
from ruse.games.resistance import fixed_plan, notation
from ruse.games.resistance.rulebook import reached
from ruse.games.resistance.table import Table
from ruse.games.resistance.verify import bounds
from ruse.solution.strategy import Solution
from ruse.solvers.lp import lp

SOLVED: dict[int, Solution] = {}


def solved(players: int) -> Solution:
    if players not in SOLVED:
        SOLVED[players] = ruse.solve(ruse.games.resistance(players=players))
    return SOLVED[players]


def table_of(solution: Solution) -> Table:
    game = solution.game
    assert isinstance(game, ruse.games.resistance(5).__class__)
    return game.table


@pytest.mark.parametrize(("players", "win"), tables())
def test_official_tables(players: int, win: Fraction) -> None:
    solution = solved(players)
    assert solution.solver == "simple-rules"
    assert solution.win == {"resistance": win, "spies": 1 - win}
    assert solution.value == 2 * win - 1
    assert bounds(table_of(solution), solution.tables) == (solution.value, solution.value)


@pytest.mark.parametrize(("players", "win"), tables())
def test_the_strategies_are_short(players: int, win: Fraction) -> None:
    """One plan of 19 lines for the resistance, and at most a rule a mission for the spies."""
    solution = solved(players)
    assert len(solution.tables[0]) == 19
    assert all(list(odds.values()) == [1] for odds in solution.tables[0].values())
    assert {odds["sabotage"] for odds in solution.tables[1].values()} <= {0, 1}


# The second route of docs/explanation/method.md, in its own few lines: seats and spy sets one by one.


def spy_sets(table: Table) -> list[frozenset[int]]:
    return [frozenset(spies) for spies in combinations(range(table.players), table.spies)]


def most_missed(table: Table, passed: tuple[int, int]) -> int:
    """If the spies pass two missions and sabotage the rest: the most spy sets that one of three missions misses."""
    dealt = spy_sets(table)
    masks: list[list[int]] = []
    for number in range(5):
        if number in passed:
            continue
        size, fails = table.missions[number], table.sabotages[number]
        missions = [set(mission) for mission in combinations(range(table.players), size)]
        masks.append([sum(1 << bit for bit, s in enumerate(dealt) if len(s & mission) < fails) for mission in missions])
    best = 0
    first = masks[0][0]  # up to names, the first mission can be any
    for second in masks[1]:
        both = first | second
        best = max(best, max((both | third).bit_count() for third in masks[2]))
    return best


@pytest.mark.parametrize(("players", "win"), tables())
def test_second_route_from_above(players: int, win: Fraction) -> None:
    """The spies pass the starred mission if there is one, then the smallest, and sabotage the other three."""
    table = table_of(solved(players))
    order = sorted(range(5), key=lambda number: (-table.sabotages[number], table.missions[number], number))
    passed = (order[0], order[1])
    assert Fraction(most_missed(table, passed), table.spy_sets) == win


@pytest.mark.parametrize(("players", "win"), tables())
def test_second_route_from_below(players: int, win: Fraction) -> None:
    """The printed plan, its letters known to everybody, wins on so many spy sets whatever the spies do."""
    solution = solved(players)
    table = table_of(solution)
    simple = fixed_plan.find(table)
    assert simple is not None and fixed_plan.plan_table(table, simple.plan) == solution.tables[0]

    def wins(results: str, spies: frozenset[int]) -> bool:
        if results.count("+") == 3 or results.count("-") == 3:
            return results.count("+") == 3
        aboard = len(spies.intersection(simple.plan[results]))
        can_fail = aboard >= table.sabotages[len(results)]
        return wins(results + "+", spies) and (not can_fail or wins(results + "-", spies))

    won = sum(wins("", spies) for spies in spy_sets(table))
    assert Fraction(won, table.spy_sets) == win


@pytest.mark.cases(3)
@pytest.mark.slow
@pytest.mark.parametrize(("players", "win"), tables())
def test_the_linear_program_gives_the_same_values(players: int, win: Fraction) -> None:
    """Without shortcuts: the lazy LP, its duals for the resistance, and strategies just as short."""
    solution = ruse.solve(ruse.games.resistance(players), shortcuts=False)
    assert solution.solver == "lazy-lp" and solution.win["resistance"] == win
    assert solution.iterations > 0
    assert bounds(table_of(solution), solution.tables) == (solution.value, solution.value)
    assert len(solution.tables[0]) == 19


def test_the_answer_names_what_was_done(tmp_path: Path) -> None:
    """Also where the LP was asked for, and in the file."""
    asked = ruse.solve(ruse.games.resistance(5), "lazy-lp")
    assert (asked.solver, asked.why, asked.iterations) == ("simple-rules", "", 0)
    assert asked.note == "simple strategies prove each other optimal, so no LP was needed"
    left_open = ruse.solve(ruse.games.resistance(5))
    assert (left_open.why, left_open.note) == ("simple strategies prove each other optimal", "")
    assert ruse.load(asked.save(tmp_path / "s.ruse")).solver == "simple-rules"
    hard = ruse.solve(ruse.games.resistance(5, 2, (2, 4, 4, 2, 3), (1, 2, 1, 1, 2)))
    assert (hard.solver, hard.why) == ("lazy-lp", "it is made for this game") and hard.iterations > 0


# Reductions.

TABLES = [
    {"players": 3, "spies": 1, "missions": (1, 1, 1, 1, 1)},
    {"players": 4, "spies": 1, "missions": (2, 2, 2, 2, 2)},
    {"players": 4, "spies": 2, "missions": (2, 2, 2, 2, 2)},
    {"players": 3, "spies": 2, "missions": (2, 1, 2, 2, 1), "sabotages": (2, 1, 1, 2, 1)},
    {"players": 3, "spies": 1, "missions": (2, 2, 2, 2, 2)},
]
SWITCHES = list(product((True, False), repeat=3))


LARGEST = TABLES[1:3]  # whose trees are long to write out: in `make soak`
LONG = [(table, *switches) for table in LARGEST for switches in SWITCHES if switches[:2] != (True, True)]
QUICK = [case for case in ((table, *switches) for table in TABLES for switches in SWITCHES) if case not in LONG]


@pytest.mark.cases(8)
@pytest.mark.slow
@pytest.mark.parametrize(("parameters", "teams", "symmetry", "forced"), QUICK, ids=str)
def test_all_reductions_agree(parameters: dict[str, Any], teams: bool, symmetry: bool, forced: bool) -> None:
    """Each of the eight combinations has the value of the lazy program, exactly."""
    check_reductions(parameters, teams, symmetry, forced)


def check_reductions(parameters: dict[str, Any], teams: bool, symmetry: bool, forced: bool) -> None:
    game = ruse.games.resistance(**parameters)
    form = sequence_form(reduce(game, teams=teams, symmetry=symmetry))
    smaller = without_forced(form) if forced else None
    form = form if smaller is None else smaller.form
    large = form.trees[0].sequences + form.trees[1].sequences > 50_000
    certificate = lp(form, method="ipm" if large else "simplex").certificate
    assert certificate.exact
    assert certificate.lower == ruse.solve(game, shortcuts=False).value


@pytest.mark.cases(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("teams", "symmetry", "forced"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, True)],  # every two together
)
def test_solutions_without_reductions_verify(teams: bool, symmetry: bool, forced: bool) -> None:
    """The strategies are lifted to the game as it is played at the table, card by card."""
    game = ruse.games.resistance(3, 2, (2, 1, 2, 2, 1), (2, 1, 1, 2, 1))
    solution = ruse.solve(game, "lp", teams=teams, symmetry=symmetry, forced=forced)
    assert solution.value == Fraction(1, 3)
    assert solution.verify().exact


# Other tables.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameters", "win"),
    [
        ((9, 4, (2, 5, 3, 3, 5), (1, 2, 1, 1, 2)), Fraction(3383, 9576)),  # neither rounding nor a rule is enough
        pytest.param((11, 4, (3, 4, 5, 5, 5), (1, 1, 1, 2, 1)), Fraction(13, 66), marks=pytest.mark.soak),
        ((7, 2, None, None), None),
        ((6, 3, None, None), None),
    ],
)
def test_custom_tables_are_exact(parameters: tuple[Any, ...], win: Fraction | None) -> None:
    solution = ruse.solve(ruse.games.resistance(*parameters))
    assert solution.certificate.exact
    assert win is None or solution.win["resistance"] == win
    assert solution.verify().exact


@st.composite
def small_tables(draw: Any) -> dict[str, Any]:
    players = draw(st.integers(3, 5))
    spies = draw(st.integers(1, players - 1))
    missions = [draw(st.integers(1, min(3, players))) for _ in range(5)]
    sabotages = [draw(st.integers(1, min(2, spies, size))) for size in missions]
    return {"players": players, "spies": spies, "missions": missions, "sabotages": sabotages}


@pytest.mark.slow
@settings(max_examples=some(12, 3), deadline=None)
@given(small_tables())
def test_random_tables_agree_with_the_general_lp(parameters: dict[str, Any]) -> None:
    if parameters["players"] == 5:
        parameters["missions"] = [min(size, 2) for size in parameters["missions"]]
        parameters["sabotages"] = [
            min(f, s) for f, s in zip(parameters["sabotages"], parameters["missions"], strict=True)
        ]
    game = ruse.games.resistance(**parameters)
    value = lp(sequence_form(reduce(game))).certificate.lower
    for shortcuts in (True, False):
        solution = ruse.solve(game, shortcuts=shortcuts)
        assert solution.certificate.exact
        assert solution.value == value


# Strategies, position by position.


def test_bossle_example_game_can_be_followed() -> None:
    """§4.1: spies 2 and 4 are b and d; the last mission ends it."""
    solution = solved(5)
    assert solution.strategy("spies").at("resistance-5@bd/ab?") == {"pass": 1, "sabotage": 0}
    assert solution.strategy("spies").at("resistance-5@bd/ab+/abc-/ab-/acd?") == {"pass": 0, "sabotage": 1}
    with pytest.raises(PositionError, match="where the resistance sends a mission"):
        solution.strategy("resistance").at("resistance-5@bd/ab+/abc-/ab-/acd-")


def test_names_of_seats_do_not_matter() -> None:
    strategy = solved(10).strategy(0)
    renamed = strategy.at("resistance-10/hij+")
    (mission,) = renamed
    assert len(mission) == 4 and set("hij") <= set(mission)


@settings(max_examples=some(60), deadline=None)
@given(st.sampled_from([5, 6, 7]), st.randoms(use_true_random=False))
def test_advice_everywhere(players: int, random: Any) -> None:
    """Wherever a game goes, both sides have odds that sum to one, on moves that are legal."""
    solution = solved(players)
    table = table_of(solution)
    spies = sorted(random.sample(range(players), table.spies))
    position = notation.MissionHistory(None, (), None)
    while 3 not in position.score:
        number = len(position.done)
        odds = solution.strategy(0).at(position.text(table))
        assert sum(odds.values()) == 1 and all(len(mission) == table.missions[number] for mission in odds)
        mission = tuple(sorted(random.sample(range(players), table.missions[number])))
        at = notation.MissionHistory(tuple(spies), position.done, mission).text(table)
        orders = solution.strategy(1).at(at)
        assert sum(orders.values()) == 1 and set(orders) == {"pass", "sabotage"}
        can_fail = len(set(spies).intersection(mission)) >= table.sabotages[number]
        assert can_fail or orders["sabotage"] == 0
        passed = not can_fail or random.random() < 0.5
        position = notation.MissionHistory(None, (*position.done, (mission, passed)), None)


def test_impossible_histories_are_refused() -> None:
    """One spy cannot fail two missions that share nobody."""
    solution = ruse.solve(ruse.games.resistance(6, 1, (2, 2, 2, 2, 2)))
    with pytest.raises(PositionError, match="that some spies could cause"):
        solution.strategy(0).at(f"{solution.game.title}/ab-/cd-")


def test_reached_leaves_out_what_the_plan_never_comes_to() -> None:
    solution = solved(5)
    more = {**solution.tables[0], "resistance-5/ab+/cde+": {"ac": Fraction(1)}}
    assert reached(table_of(solution), more) == solution.tables[0]


# Bad tables.


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"players": 1}, "expected 2 to 26 players, got 1"),
        ({"players": 12}, "expected --spies and --missions too, since no official table has 12 players"),
        ({"players": 5, "spies": 6}, "expected 1 to 4 spies among 5 players, got 6"),
        ({"players": 5, "spies": 0}, "expected 1 to 4 spies among 5 players, got 0"),
        ({"players": 5, "missions": ()}, "expected 1 to 9 mission sizes, got 0"),
        ({"players": 5, "missions": (2, 3, 2, 3, 6)}, "expected mission 5 to send 1 to 5 seats, got 6"),
        ({"players": 5, "sabotages": (1, 1, 3, 1, 1)}, "expected mission 3 to fail at 1 to 2 sabotages"),
        ({"players": 20, "spies": 8, "missions": (8, 8, 8, 8, 8)}, "fit in 2 GB"),
    ],
)
def test_impossible_tables(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        ruse.solve(ruse.games.resistance(**parameters))
