"""The verifier: exact best responses, against the plain walk of the rules and against published results."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amounts import some
from ruse.core.game import END, describe
from ruse.games.kuhn.rules import Deal, Kuhn
from ruse.games.resistance import Resistance, notation, verify_endgames
from ruse.games.resistance import verify as resistance
from ruse.games.resistance.table import ROUNDS, Table, make_table
from ruse.games.rock_paper_scissors import rock_paper_scissors
from ruse.games.tic_tac_toe import TicTacToe
from ruse.verify import StrategyTable, VerifyError
from ruse.verify import tree as plain

Odds = Callable[[str], Mapping[str, Fraction]]
ONE = Fraction(1)


def payoff(win: Fraction) -> Fraction:
    return 2 * win - 1


def classes(table: Table, position: str) -> list[str]:
    """One mission of each class: the first in the order of the letters, found by comparing records."""
    read = notation.read(table, position)
    found: dict[tuple[tuple[bool, ...], ...], str] = {}
    for mission in combinations(range(table.players), table.missions[len(read.done)]):
        records = sorted(tuple(seat in before for before in read.missions) for seat in mission)
        found.setdefault(tuple(records), notation.seats(mission))
    return list(found.values())


def random_odds(table: Table, side: int, seed: int, weights: tuple[int, ...] = (0, 0, 1, 2, 5)) -> Odds:
    """Reproducible odds at any position, some of them 0 or 1."""

    def odds(position: str) -> Mapping[str, Fraction]:
        dice = random.Random(f"{seed} {position}")
        moves = ["pass", "sabotage"] if side == 1 else classes(table, position)
        drawn = [dice.choice(weights) for _ in moves]
        if not any(drawn):
            drawn[dice.randrange(len(moves))] = 1
        return {move: Fraction(weight, sum(drawn)) for move, weight in zip(moves, drawn, strict=True)}

    return odds


def fixed_missions(table: Table, missions: list[str]) -> Odds:
    """The same missions whatever happens."""
    return lambda position: {missions[len(notation.read(table, position).done)]: ONE}


def fails_rounds(table: Table, rounds: set[int]) -> Odds:
    """Spies who fail these rounds, where they can, and pass the others."""

    def odds(position: str) -> Mapping[str, Fraction]:
        return {"sabotage" if len(notation.read(table, position).done) in rounds else "pass": ONE}

    return odds


def recorded(table: Table, side: int, odds: Odds) -> dict[str, Mapping[str, Fraction]]:
    """The table of all positions that the verifier asks for."""
    asked: dict[str, Mapping[str, Fraction]] = {}

    def ask(position: str) -> Mapping[str, Fraction]:
        assert position not in asked
        asked[position] = odds(position)
        return asked[position]

    resistance.guarantee(table, side, ask)
    return asked


TRUST_TWO = ["ab", "abc", "ab", "abd", "abe"]  # Johansson, Theorem 2.1


# The plain walk


def kuhn_table(alpha: Fraction) -> tuple[StrategyTable, StrategyTable]:
    """Kuhn 1950: every optimal strategy of the first side, by how often it bluffs with J, and the second's."""

    def mix(move: str, share: Fraction, other: str) -> Mapping[str, Fraction]:
        return {move: share, other: 1 - share}

    third, never = Fraction(1, 3), Fraction(0)
    first = {
        "kuhn@J": mix("bet", alpha, "check"),
        "kuhn@Q": mix("bet", never, "check"),
        "kuhn@K": mix("bet", 3 * alpha, "check"),
        "kuhn@J/check/bet": mix("call", never, "fold"),
        "kuhn@Q/check/bet": mix("call", alpha + third, "fold"),
        "kuhn@K/check/bet": mix("call", ONE, "fold"),
    }
    second = {
        "kuhn@J/check": mix("bet", third, "check"),
        "kuhn@Q/check": mix("bet", never, "check"),
        "kuhn@K/check": mix("bet", ONE, "check"),
        "kuhn@J/bet": mix("call", never, "fold"),
        "kuhn@Q/bet": mix("call", third, "fold"),
        "kuhn@K/bet": mix("call", ONE, "fold"),
    }
    return first, second


@given(st.fractions(0, Fraction(1, 3), max_denominator=1000))
def test_kuhns_optimal_strategies_certify_the_value(alpha: Fraction) -> None:
    """Kuhn 1950; Dohmatob: -1/18."""
    for side, table in enumerate(kuhn_table(alpha)):
        assert plain.guarantee(Kuhn(), side, plain.table_policy(Kuhn(), table, side)) == Fraction(-1, 18)


def test_a_worse_strategy_guarantees_less() -> None:
    game = rock_paper_scissors()
    for side, worst in ((0, -1), (1, 1)):
        start = game.start() if side == 0 else game.play(game.start(), game.moves(game.start())[0])
        position = describe(game, game.knows(start, side))
        rock = plain.table_policy(game, {position: {"rock": ONE}}, side)
        even = plain.table_policy(game, {position: dict.fromkeys(("rock", "paper", "scissors"), ONE / 3)}, side)
        assert plain.guarantee(game, side, rock) == worst
        assert plain.guarantee(game, side, even) == 0


def test_filed_positions_are_looked_up() -> None:
    """Tic-tac-toe files plays under boards, and both sides can hold the draw (Bossle §3.2)."""
    game = TicTacToe()

    values: dict[str, Fraction] = {}

    def value(state: tuple[str, ...]) -> Fraction:
        board = game.board(state)
        if board not in values:
            turn = game.turn(state)
            values[board] = game.payoff(state) if turn == END else value(game.play(state, best(state)))
        return values[board]

    def best(state: tuple[str, ...]) -> str:
        return (max, min)[game.turn(state)](game.moves(state), key=lambda move: value(game.play(state, move)))

    for side in (0, 1):
        table: dict[str, Mapping[str, Fraction]] = {}
        todo = [game.start()]
        while todo:
            state = todo.pop()
            moves = game.moves(state)
            if game.turn(state) == side:
                moves = [best(state)]
                table[game.representative_position(describe(game, state), side)[0]] = {moves[0]: ONE}
            todo += [game.play(state, move) for move in moves]
        assert plain.guarantee(game, side, plain.table_policy(game, table, side)) == 0
    with pytest.raises(VerifyError, match=r"expected odds at tic-tac-toe/[a-i], got none"):
        plain.guarantee(game, 1, plain.table_policy(game, {}, 1))


@pytest.mark.parametrize(
    ("odds", "complaint"),
    [
        (None, r"expected odds at kuhn@Q, got none"),
        ({}, r"sum to 1 at kuhn@Q, got a sum of 0"),
        ({"bet": Fraction(1, 2)}, r"sum to 1 at kuhn@Q, got a sum of 1/2"),
        ({"bet": Fraction(3, 2), "check": Fraction(-1, 2)}, r"at least 0 at kuhn@Q, got -1/2 for 'check'"),
        ({"raise": ONE}, r"one of the moves check, bet at kuhn@Q, got 'raise'"),
        ({"bet": 1.0}, r"exact odds at kuhn@Q, got 1.0 for 'bet'"),
    ],
)
def test_malformed_tables_are_refused(odds: Mapping[str, Fraction] | None, complaint: str) -> None:
    table = {position: shares for position, shares in kuhn_table(ONE / 4)[0].items() if position != "kuhn@Q"}
    if odds is not None:
        table["kuhn@Q"] = odds
    with pytest.raises(VerifyError, match=complaint):
        plain.guarantee(Kuhn(), 0, plain.table_policy(Kuhn(), table, 0))


def test_a_policy_may_not_peek() -> None:
    with pytest.raises(VerifyError, match="the odds are not the same in all states of kuhn@"):
        plain.guarantee(Kuhn(), 0, lambda state: {Kuhn().moves(state)[state.cards[1] == "K"]: ONE})


def test_a_rival_may_not_forget() -> None:
    class Forgetful(Kuhn):
        def knows(self, state: Deal, side: int) -> Deal:
            return Deal(state.cards[side : side + 1], ("mine" if self.turn(state) == side else "theirs",))

    with pytest.raises(VerifyError, match="two different histories lead to kuhn@"):
        plain.guarantee(Forgetful(), 1, lambda state: {Kuhn().moves(state)[1]: ONE})


# The Resistance by classes, against the rules seat by seat

TINY = [make_table(3, 1, (1,) * 5), make_table(3, 2, (1,) * 5), make_table(3, 2, (1, 2, 1, 2, 2), (1, 2, 1, 2, 1))]
SMALL = [make_table(4, 1, (2,) * 5), make_table(4, 3, (1,) * 5), make_table(4, 3, (1, 2, 1, 2, 1), (1, 2, 1, 1, 1))]
LARGER = [make_table(4, 2, (2,) * 5), make_table(4, 2, (2, 2, 2, 3, 2), (1, 1, 1, 2, 1))]


def agree(table: Table, side: int, odds: Odds) -> Fraction:
    game = Resistance(table)
    found = resistance.guarantee(table, side, odds)
    assert found == plain.guarantee(game, side, resistance.seat_policy(game, side, odds))
    return found


@settings(max_examples=some(25), deadline=None)
@given(st.sampled_from(TINY), st.integers(0, 1), st.integers(0, 10**6))
def test_classes_agree_with_seats_at_tiny_tables(table: Table, side: int, seed: int) -> None:
    agree(table, side, random_odds(table, side, seed))


@pytest.mark.cases(3)
@pytest.mark.parametrize(("table", "side", "seed"), list(product(SMALL, (0, 1), range(some(2)))))
def test_classes_agree_with_seats_at_small_tables(table: Table, side: int, seed: int) -> None:
    agree(table, side, random_odds(table, side, seed))


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(("table", "side"), list(product(LARGER[: some(len(LARGER))], (0, 1))))
def test_classes_agree_with_seats_at_four_seats_and_two_spies(table: Table, side: int) -> None:
    assert agree(table, side, random_odds(table, side, 26, (0, 0, 1, 2))) < 1


@pytest.mark.soak
def test_classes_agree_with_seats_for_huge_denominators() -> None:
    table = make_table(4, 3, (1,) * 5)
    value = agree(table, 1, random_odds(table, 1, 0, (10**30 + 3, 3 * 10**30 + 1, 10**31)))
    assert value.denominator > 10**30


def test_trust_two_seat_by_seat_at_five_players() -> None:
    table = make_table(5)
    assert agree(table, 0, fixed_missions(table, TRUST_TWO)) == payoff(Fraction(3, 10))


# Published results


def test_johanssons_theorem_at_five_players() -> None:
    """Johansson, Theorem 2.1: 3/10 for the resistance, from both sides."""
    table = make_table(5)
    tables = (
        recorded(table, 0, fixed_missions(table, TRUST_TWO)),
        recorded(table, 1, fails_rounds(table, {1, 3, 4})),
    )
    assert resistance.bounds(table, tables) == (Fraction(-2, 5), Fraction(-2, 5))


@pytest.mark.parametrize(
    ("players", "win"),
    [(5, Fraction(3, 10)), (6, Fraction(1, 3)), (7, Fraction(9, 35)), (8, Fraction(13, 56))],
)
def test_failing_missions_of_more_than_two(players: int, win: Fraction) -> None:
    """Johansson's rule is optimal at 5, 6 and 7 players, not at 8 (computed while scoping: method.md, slips)."""
    table = make_table(players)
    rounds = {number for number, size in enumerate(table.missions) if size > 2}
    assert resistance.guarantee(table, 1, fails_rounds(table, rounds)) == payoff(win)


@pytest.mark.parametrize(
    ("players", "win"),
    [
        (5, Fraction(3, 10)),
        (6, Fraction(1, 3)),
        (7, Fraction(9, 35)),
        (8, Fraction(9, 56)),
        (9, Fraction(2, 7)),
        (10, Fraction(1, 6)),
    ],
)
def test_passing_two_missions_and_failing_three(players: int, win: Fraction) -> None:
    """The upper bound of the second, independent route (method.md): it meets the value at 5 to 10 players."""
    table = make_table(players)
    order = sorted(range(ROUNDS), key=lambda number: (-table.sabotages[number], table.missions[number]))
    assert resistance.guarantee(table, 1, fails_rounds(table, set(order[2:]))) == payoff(win)


# Exact sums of any size


@settings(deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda width: st.tuples(
            st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=5),
            st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=5),
            st.lists(st.integers(-9, 9), min_size=width, max_size=width),
            st.sampled_from([0, 1, 2**61, 2**62, 2**63, 2**64 - 1, 10**30, -(10**30), 2**200, -(2**200)]),
        )
    )
)
def test_the_heaviest_pair_is_exact(case: tuple[list[list[bool]], list[list[bool]], list[int], int]) -> None:
    """Near ties far beyond 64 bits: masses that differ by units around a huge base."""
    first, second, offsets, base = case
    masses = [base + offset for offset in offsets]
    expected = max(
        sum(mass for mass, here, there in zip(masses, one, two, strict=True) if here and there)
        for one, two in product(first, second)
    )
    assert verify_endgames.heaviest_pair(np.array(first), np.array(second), masses) == expected


def test_rounding_hides_no_better_pair() -> None:
    """One column of exactly 2**160 looks heavier, rounded, than two that weigh more together."""
    unit = 1 << 100
    masses = [2**60 * unit, (2**59 - 1) * unit + unit - 1, 2**59 * unit + unit - 1]
    assert sum(mass // unit for mass in masses[1:]) < masses[0] // unit
    first = np.array([[True, False, False], [False, True, True]])
    assert masses[1] + masses[2] > masses[0]
    assert verify_endgames.heaviest_pair(first, np.array([[True] * 3]), masses) == masses[1] + masses[2]


@pytest.mark.parametrize("block", [7, 1 << 14])
def test_large_masses_give_what_small_ones_give(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """The way for masses beyond int64, taken on purpose, finds what int64 finds."""
    for players in (5, 6):
        table = make_table(players)
        odds = random_odds(table, 1, players, (1, 2, 3, 4))
        expected = resistance.guarantee(table, 1, odds)
        with monkeypatch.context() as patch:
            patch.setattr(verify_endgames, "SAFE_BITS", 4)
            patch.setattr(verify_endgames, "BLOCK", block)
            assert resistance.guarantee(table, 1, odds) == expected


@pytest.mark.soak
@pytest.mark.slow
def test_denominators_of_thirty_digits_at_ten_players() -> None:
    """Spies who deviate from passing two and failing three once in 10**30 lose or gain no more than that a round."""
    table = make_table(10)
    rare = Fraction(1, 10**30)
    sure = fails_rounds(table, {1, 2, 4})

    def odds(position: str) -> Mapping[str, Fraction]:
        (move,) = sure(position)
        other = {"pass": "sabotage", "sabotage": "pass"}[move]
        return {move: 1 - rare, other: rare}

    value = resistance.guarantee(table, 1, odds)
    assert payoff(Fraction(1, 6)) <= value <= payoff(Fraction(1, 6)) + 6 * rare
    assert value.denominator > 10**30


# What is asked, and what is refused


def test_only_reachable_positions_are_asked_for() -> None:
    table = make_table(5)
    asked = recorded(table, 0, fixed_missions(table, TRUST_TWO))
    assert {"resistance-5", "resistance-5/ab+", "resistance-5/ab+/abc-/ab+/abd-"} <= set(asked)
    for position in asked:
        read = notation.read(table, position)
        assert [notation.seats(mission) for mission in read.missions] == TRUST_TWO[: len(read.done)]
        assert max(read.score) < 3
    asked = recorded(table, 1, fails_rounds(table, {1, 3, 4}))
    assert "resistance-5@ab/ab+/abc?" in asked
    for position in asked:
        assert notation.representative_position(table, position, 1)[0] == position
        read = notation.read(table, position)
        assert max(read.score) < 2, "both sides have less than two points where spies decide"
        assert all(
            passed == (len(mission) == 2) for mission, passed in read.done if set(mission) & set(read.spies or ())
        )


@pytest.mark.parametrize(
    ("odds", "complaint"),
    [
        (None, r"expected odds at resistance-5/ab-, got none"),
        ({}, r"sum to 1 at resistance-5/ab-, got a sum of 0"),
        ({"abc": Fraction(1, 3), "acd": Fraction(1, 3)}, r"sum to 1 at resistance-5/ab-, got a sum of 2/3"),
        ({"abc": Fraction(4, 3), "cde": Fraction(-1, 3)}, r"at least 0 at resistance-5/ab-, got -1/3 for 'cde'"),
        ({"ab": ONE}, r"a mission of 3 seats at resistance-5/ab-, got 'ab'"),
        ({"bcd": ONE}, r"expected 'acd' at resistance-5/ab-, which stands for that class of missions, got 'bcd'"),
        ({"acb": ONE}, r"expected 'abc' at resistance-5/ab-, which stands for that class of missions, got 'acb'"),
        ({"abf": ONE}, r"different seats from a to e, got 'abf', at resistance-5/ab-"),
        ({"aab": ONE}, r"different seats from a to e, got 'aab', at resistance-5/ab-"),
        ({"pass": ONE}, r"different seats from a to e, got 'pass', at resistance-5/ab-"),
        ({"abc": 1.0}, r"exact odds at resistance-5/ab-, got 1.0 for 'abc'"),
    ],
)
def test_malformed_odds_of_the_resistance_are_refused(odds: Mapping[str, Fraction] | None, complaint: str) -> None:
    table = make_table(5)
    strategy = recorded(table, 0, fixed_missions(table, TRUST_TWO))
    del strategy["resistance-5/ab-"]
    if odds is not None:
        strategy["resistance-5/ab-"] = odds
    with pytest.raises(VerifyError, match=complaint):
        resistance.guarantee(table, 0, strategy.__getitem__)
    game = Resistance(table)
    with pytest.raises(VerifyError, match=complaint):
        plain.guarantee(game, 0, resistance.seat_policy(game, 0, strategy.__getitem__))


@pytest.mark.parametrize(
    ("odds", "complaint"),
    [
        (None, r"expected odds at resistance-5@ac/ab\?, got none"),
        ({"pass": Fraction(1, 2)}, r"sum to 1 at resistance-5@ac/ab\?, got a sum of 1/2"),
        ({"pass": Fraction(2), "sabotage": -ONE}, r"at least 0 at resistance-5@ac/ab\?, got -1 for 'sabotage'"),
        ({"fail": ONE}, r"one of the moves pass, sabotage at resistance-5@ac/ab\?, got 'fail'"),
    ],
)
def test_malformed_odds_of_the_spies_are_refused(odds: Mapping[str, Fraction] | None, complaint: str) -> None:
    table = make_table(5)
    strategies = (
        recorded(table, 0, fixed_missions(table, TRUST_TWO)),
        recorded(table, 1, fails_rounds(table, {1, 3, 4})),
    )
    del strategies[1]["resistance-5@ac/ab?"]
    if odds is not None:
        strategies[1]["resistance-5@ac/ab?"] = odds
    with pytest.raises(VerifyError, match=complaint):
        resistance.bounds(table, strategies)
