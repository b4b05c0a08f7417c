"""The computer's moves: drawn exactly, and worth what is certified."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import ruse
from playing import ONE_MOVES, SMALL, played, solved, table
from random_play import random_games
from ruse.core.capabilities import payoff_to
from ruse.core.game import CHANCE, END, Game, RuseError
from ruse.formats.efg import read_efg
from ruse.games import GAMES, make
from ruse.games.resistance.table import OFFICIAL
from ruse.play import rival as rivals
from ruse.play.rival import Rival, below, drawn
from ruse.play.session import begin, play
from ruse.verify import tree as plain


@given(st.integers(1, 10**30), st.integers(0, 2**53 - 1), st.integers(0, 1000))
def test_a_draw_is_below_its_limit_and_the_same_again(most: int, seed: int, ply: int) -> None:
    assert 0 <= below(most, seed, ply) < most
    assert below(most, seed, ply) == below(most, seed, ply)


def test_draws_are_even_and_streams_differ() -> None:
    counts = Counter(below(3, 7, ply) for ply in range(3000))
    assert min(binomtest(counts[face], 3000, 1 / 3).pvalue for face in range(3)) > 1e-6
    assert len({below(10**12, seed, ply) for seed in range(20) for ply in range(20)}) == 400


@given(st.lists(st.fractions(0, 1, max_denominator=12), min_size=1, max_size=5).filter(any))
def test_moves_are_drawn_in_exactly_their_share_of_cases(weights: list[Fraction]) -> None:
    odds = {number: weight / sum(weights) for number, weight in enumerate(weights)}
    unit = lcm(*(share.denominator for share in odds.values()))
    with pytest.MonkeyPatch.context() as patch:
        found: Counter[int] = Counter()
        for case in range(unit):
            patch.setattr(rivals, "below", lambda most, *_, case=case: case if most == unit else -1)
            found[drawn(odds, 0, 0)] += 1
    assert {number: Fraction(found[number], unit) for number in odds} == odds


GUARANTEED = [name for name in GAMES if name not in ("pig", "phantom-tic-tac-toe", "phantom-4-in-a-row", "4-in-a-row")]


@pytest.mark.cases(14)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", [name for name in GUARANTEED if name not in ("leduc", "morra", "tic-tac-toe")])
def test_what_the_computer_plays_guarantees_the_certified_value(name: str, side: int) -> None:
    """An exact best response, by the rules, to the very odds that the computer draws its moves by."""
    solution = solved(name)
    rival = Rival(solution, side)
    bound = solution.certificate.lower if side == 0 else solution.certificate.upper
    assert plain.guarantee(rival.game, side, rival.odds) == bound


def test_missions_are_drawn_among_all_that_are_alike() -> None:
    """Spies who could foresee which of two alike seats is sent would know more than they should."""
    rival = Rival(table(7), 0)
    game = rival.game
    first = rival.odds(game.play(game.start(), (0, 1, 2)))
    assert set(first.values()) == {Fraction(1, 21)}
    sent = game.play(game.play(game.start(), (4, 5, 6)), (0, 1))  # no spy aboard: passes
    odds = rival.odds(sent)
    for names in permutations(range(2, 7)):
        new = dict(zip(range(2, 7), names, strict=True)) | {0: 0, 1: 1}
        assert {tuple(sorted(new[seat] for seat in mission)): share for mission, share in odds.items()} == odds


@pytest.mark.slow
def test_a_strategy_card_by_card_is_played_card_by_card() -> None:
    game = make("resistance", SMALL["resistance"])
    solution = ruse.solve(game, "lp", teams=False, symmetry=False, forced=False)
    rival = Rival(solution, 1)
    assert rival.game is solution.game
    assert plain.guarantee(rival.game, 1, rival.odds) == solution.value
    assert played(solution, 0, 1).over


@pytest.mark.cases(21)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_played_to_its_end_from_both_sides(name: str, side: int) -> None:
    solution = solved(name)
    for seed in range(4):
        session = played(solution, side, seed, pick=seed)
        assert session.gain == payoff_to(session.game, side, session.game.payoff(session.states[-1]))
        state, game = session.game.start(), session.game
        for label in session.moves:  # every move is one that the rules allow
            assert game.turn(state) != END
            state = game.play(state, rivals.find(game, state, label))
        assert state == session.states[-1]
        assert played(solution, side, seed, pick=seed).moves == session.moves


def test_seeds_differ_and_the_human_decides() -> None:
    assert len({played(table(5), 0, seed).moves for seed in range(10)}) > 5
    assert len({begin(table(5), 0).seed for _ in range(5)}) == 5
    assert begin(solved("kuhn"), "second", seed=5).moves == begin(solved("kuhn"), 1, seed=5).moves


@pytest.mark.cases(6)
@pytest.mark.parametrize("players", list(OFFICIAL))
@pytest.mark.parametrize("side", [0, 1])
def test_random_games_win_no_less_than_certified(players: int, side: int) -> None:
    solution = table(players)
    results = random_games(solution, side, 40, seed=1)
    won = results[Fraction(1 if side == 1 else -1)]
    share = float(solution.win[solution.game.sides[1 - side]])
    assert results.total() == 40
    assert binomtest(won, 40, share, alternative="less").pvalue > 1e-4


def test_solutions_without_strategies_are_refused() -> None:
    with pytest.raises(RuseError, match="has no strategies to play against"):
        begin(replace(solved("kuhn"), tables=({}, {})), 0)


NOBODY_MOVES = """EFG 2 R "nobody moves" { "McRae" "Bo" }
c "" 1 "" { "h" 1/2 "t" 1/2 } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
"""

NEVER_COMES = """EFG 2 R "never comes" { "McRae" "Bo" }
c "" 1 "" { "never" 0 "always" 1 } 0
p "" 2 1 "" { "up" "down" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
t "" 3 "" { 1 -1 }
"""


@pytest.mark.parametrize("text", [ONE_MOVES, NOBODY_MOVES, NEVER_COMES])
@pytest.mark.parametrize("side", ["McRae", "Bo"])
def test_a_side_that_never_moves_needs_no_strategy(text: str, side: str) -> None:
    session = begin(ruse.solve(read_efg(text)), side, seed=1)
    while not session.over:
        session = play(session, session.number, (session.options or [])[0])
    assert abs(session.gain) in (0, 1) and session.to_json()["over"]


def test_sampled_strategies_play_evenly_where_they_have_not_been() -> None:
    solution = solved("kuhn")
    left_out = {position: odds for position, odds in solution.tables[1].items() if position == "kuhn@J/bet"}
    with pytest.raises(RuseError, match="expected a position of kuhn"):
        Rival(replace(solution, tables=(solution.tables[0], left_out)), 1).odds(_deal("QK", "check"))
    sampled = replace(solution, tables=(solution.tables[0], left_out), options={"unjudged": True})
    assert Rival(sampled, 1).odds(_deal("QK", "check")) == {"check": Fraction(1, 2), "bet": Fraction(1, 2)}


def _deal(cards: str, *bets: str) -> Any:
    game = solved("kuhn").game
    state = game.play(game.start(), cards)
    for bet in bets:
        state = game.play(state, bet)
    return state


@pytest.mark.parametrize(
    ("odds", "message"),
    [
        ({"check": "1/2", "bet": "1/3"}, "sum of 5/6"),
        ({"check": "3/2", "bet": "-1/2"}, "at least 0"),
        ({"jump": "1"}, "got 'jump'"),
    ],
)
def test_forged_strategies_are_noticed(odds: dict[str, str], message: str) -> None:
    solution = solved("kuhn")
    forged = {"kuhn@K/check": {move: Fraction(share) for move, share in odds.items()}}
    rival = Rival(replace(solution, tables=(solution.tables[0], forged)), 1)
    with pytest.raises(RuseError, match=message):
        rival.odds(_deal("QK", "check"))


def test_the_game_as_played_keeps_to_the_protocol() -> None:
    for players in (5, 7):
        assert isinstance(Rival(table(players), 0).game, Game)
        assert Rival(table(players), 0).game.turn(Rival(table(players), 0).game.start()) == CHANCE
