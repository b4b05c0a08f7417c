"""Views of The Resistance: exact numbers, beliefs that add up, every position by seats, why, and play solved anew."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from golden import tables
from ruse.core.game import END, GameError, PositionError
from ruse.core.registry import presentation
from ruse.games.resistance import Resistance, notation
from ruse.games.resistance import evaluator as resistance_evaluator
from ruse.games.resistance.cells import Cells, members
from ruse.games.resistance.evaluator import MOST_IN_FLOATS, Evaluator, SpiesBestResponse, _heaviest
from ruse.games.resistance.resolve import Subgame, solve
from ruse.games.resistance.table import Table
from ruse.games.resistance.verify import seat_policy
from ruse.games.resistance.view import ResistanceViewer
from ruse.present.model import View
from ruse.present.tree import TreeViewer
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

VIEWERS: dict[str, ResistanceViewer] = {}
MIXED = ruse.games.resistance(7, missions=(2, 4, 3, 3, 4), sabotages=(1, 2, 1, 1, 2))  # optimal play needs dice
SMALL = ruse.games.resistance(4, spies=1, missions=(2, 3, 2, 3, 3))


def seen(game: Resistance, solver: str = "auto") -> ResistanceViewer:
    key = f"{game.title} {solver}"
    if key not in VIEWERS:
        VIEWERS[key] = ResistanceViewer(ruse.solve(game, solver, iterations=20 if solver == "cfr+" else None))
    return VIEWERS[key]


def official(players: int) -> ResistanceViewer:
    return seen(ruse.games.resistance(players))


def random_play(table: Table, seed: int) -> list[str]:
    """Positions of a play by seats: public ones and the spies' own, mission by mission."""
    rng = Random(seed)
    spies = rng.sample(range(table.players), table.spies)
    steps, score = "", [0, 0]
    positions = []
    for size, fails in zip(table.missions, table.sabotages, strict=True):
        mission = rng.sample(range(table.players), size)
        for text in (steps, f"{steps}/{notation.seats(mission)}?"):
            positions += [table.title + text, f"{table.title}@{notation.seats(sorted(spies))}{text}"]
        failed = len(set(mission) & set(spies)) >= fails and rng.random() < 0.5
        steps += f"/{notation.seats(mission)}{'-' if failed else '+'}"
        score[failed] += 1
        if 3 in score:
            break
    return [*positions, table.title + steps]


@pytest.mark.cases(3)
@pytest.mark.parametrize(("players", "win"), tables())
def test_the_start_is_worth_what_the_game_is(players: int, win: Fraction) -> None:
    views = official(players)
    for side in (0, 1):
        view = views.at(views.start(side))
        assert view.value == 2 * win - 1 == views.solution.value
        assert view.exact and view.reached and view.reach == 1
    assert [option.loss for option in views.at(views.start(0)).options] == [0]


def test_five_players_by_hand() -> None:
    """The spies pass missions 1 and 3 and sabotage 2 and what matters later, so a failed abc leaves nine of ten sets.

    The resistance sends ab, then abc. That passes only if the spies are d and e; ab once more then wins. The game is
    worth 3/10, of which this is 1/10, so that 2/10 of 9/10 are left if abc fails.
    """
    views = official(5)
    out = views.at("resistance-5/ab+/abc?")
    passes, fails = out.options
    assert (passes.move, passes.odds, passes.value, passes.after) == (
        "abc+",
        Fraction(1, 10),
        1,
        "resistance-5/ab+/abc+",
    )
    assert (fails.move, fails.odds, fails.value) == ("abc-", Fraction(9, 10), 2 * Fraction(2, 9) - 1)
    passed = views.at("resistance-5/ab+/abc+")
    assert [(belief.what, belief.odds) for belief in passed.beliefs if belief.odds] == [("spies de", 1)]
    assert len(passed.beliefs) == 10  # which the facts all allow
    assert [seat.spy for seat in passed.seats] == [0, 0, 0, 1, 1]
    assert [seat.spy_by_facts for seat in passed.seats] == [Fraction(2, 5)] * 5
    assert [list(seat.record) for seat in passed.seats] == [["+", "+"], ["+", "+"], ["", "+"], ["", ""], ["", ""]]
    failed = views.at("resistance-5/ab+/abc-")
    assert [seat.spy for seat in failed.seats] == [Fraction(4, 9)] * 3 + [Fraction(1, 3)] * 2
    assert not views.at("resistance-5/ab-").reached  # the spies pass mission 1
    assert [seat.spy for seat in views.at("resistance-5/ab-").seats] == [Fraction(4, 7)] * 2 + [Fraction(2, 7)] * 3


@pytest.mark.parametrize("off", [{"teams": False}, {"symmetry": False}])
def test_strategies_seat_by_seat_are_seen_as_a_tree(off: dict[str, bool]) -> None:
    solution = ruse.solve(ruse.games.resistance(3, 1, (1, 2, 1, 2, 1)), "lp", **off)
    views = viewer(solution)
    assert isinstance(views, TreeViewer)
    assert views.at(views.start(0), 0).value == solution.value == views.at(views.start(1), 1).value


def test_missions_are_told_by_class_and_spies_by_seats() -> None:
    views = official(5)
    start = views.at("resistance-5@bd/ca+")
    assert start.position == "resistance-5@bd/ac+"
    assert [chip.position for chip in start.history] == ["resistance-5@bd", "resistance-5@bd/ac+"]
    assert {option.move: option.odds for option in start.options} == {"abc?": Fraction(2, 3), "ace?": Fraction(1, 3)}
    assert {option.gloss for option in start.options} == {
        "ac, 1 of bde; 1 spy aboard",
        "ac, 1 of bde; no spies aboard",
    }
    assert [seat.spy for seat in start.seats] == [0, 1, 0, 1, 0]
    moves = views.at("resistance-5/ac+")
    assert (moves.options[0].move, moves.options[0].gloss) == ("abc", "ac, 1 of bde")
    assert len(moves.options) == 3
    assert views.at("resistance-5/ac+/ade?").value == next(
        o.value for o in moves.options if o.gloss == "1 of ac, 2 of bde"
    )


def check_odds(view: View, spies: int) -> None:
    if view.side == 0:
        assert sum(belief.odds for belief in view.beliefs) == 1
    assert sum(seat.spy for seat in view.seats) == spies == sum(seat.spy_by_facts for seat in view.seats)
    assert all(0 <= seat.spy <= 1 for seat in view.seats)
    if view.turn == END:
        assert not view.options and abs(view.value) == 1
        return
    assert sum(option.odds for option in view.options) == 1
    values = [option.value for option in view.options if option.value is not None]
    assert len(values) == len(view.options)
    # Total probability: what may happen next is worth what the position is.
    assert sum(option.odds * value for option, value in zip(view.options, values, strict=True)) == view.value
    if view.turn == view.side:
        losses = [option.loss for option in view.options]
        assert min(loss for loss in losses if loss is not None) == 0 and None not in losses
    else:
        assert all(option.loss is None for option in view.options)


@pytest.mark.slow
@given(st.integers(5, 10), st.integers(0, 2**32))
@settings(max_examples=18)
def test_random_plays_add_up_everywhere(players: int, seed: int) -> None:
    """Also where nobody ever comes: an option's value is that of the view after it."""
    views = official(players)
    check_play(views, seed)


@pytest.mark.slow
@given(st.sampled_from([(MIXED, "auto"), (SMALL, "lp"), (SMALL, "cfr+")]), st.integers(0, 2**32))
@settings(max_examples=12)
def test_mixed_and_complete_strategies_add_up(case: tuple[Resistance, str], seed: int) -> None:
    check_play(seen(*case), seed)


def check_play(views: ResistanceViewer, seed: int) -> None:
    for position in random_play(views.table, seed):
        view = views.at(position)
        check_odds(view, views.table.spies)
        likely = [option for option in view.options if option.odds] or list(view.options)
        for option in (*likely, *view.options[-1:]):
            assert option.after is not None
            after = views.at(option.after, view.side)
            assert after.value == option.value
            if option.odds and view.reach is not None:
                assert after.reach == view.reach * option.odds


@given(st.sampled_from([5, 7]), st.integers(0, 2**32))
@settings(max_examples=15)
def test_the_resistance_sees_the_mean_of_what_the_spies_see(players: int, seed: int) -> None:
    views = official(players)
    for position in random_play(views.table, seed)[::2][:6]:
        public = views.at(position, 0)
        text = public.position[len(views.table.title) :]
        mean = Fraction(0)
        for belief in public.beliefs:
            spies = belief.what.removeprefix("spies ")
            mean += belief.odds * views.at(f"{views.table.title}@{spies}{text}").value
        assert mean == public.value


@given(st.sampled_from([5, 6, 7, 8]), st.integers(0, 2**32))
@settings(max_examples=some(20))
def test_the_spies_odds_and_advice_are_the_strategys_own(players: int, seed: int) -> None:
    views = official(players)
    strategies = [views.solution.strategy(side) for side in (0, 1)]
    for position in random_play(views.table, seed):
        view = views.at(position)
        if view.turn != view.side:
            continue
        odds = strategies[view.side].at(view.position)
        told = {option.move: option.odds for option in view.options if option.odds}
        if view.side == 0:  # any seats of the class may be named
            shown = presentation(views.game)
            assert {shown.explain_move(position, move): share for move, share in told.items()} == {
                shown.explain_move(position, move): share for move, share in odds.items() if share
            }
        else:
            assert told == {move: share for move, share in odds.items() if share}


def test_played_moves_lose_nothing_where_both_sides_come() -> None:
    for players in (5, 6, 7):
        views = official(players)
        level = [views.start(0)]
        while level:
            following = []
            for position in level:
                view = views.at(position)
                assert view.reached
                if view.turn == 0:
                    assert all(option.loss == 0 for option in view.options if option.odds)
                following += [option.after for option in view.options if option.odds and option.after]
            level = following


def test_values_agree_with_a_walk_by_seats() -> None:
    """The mean payoff over all plays seat by seat, from states that a position allows."""
    views = seen(SMALL)
    game = views.game
    policies = [seat_policy(game, side, views.solution.strategy(side).at) for side in (0, 1)]

    def worth(state: Any) -> Fraction:
        turn = game.turn(state)
        if turn == END:
            return game.payoff(state)
        odds = policies[turn](state)
        return sum((share * worth(game.play(state, move)) for move, share in odds.items() if share), Fraction(0))

    for spy in range(4):
        state = game.play(game.start(), (spy,))
        first = game.play(state, (0, 1))
        steps = f"@{notation.seats([spy])}/ab"
        if spy < 2:
            for card, result in ((0, "+"), (1, "-")):
                assert views.at(f"{game.title}{steps}{result}").value == worth(game.play(first, card))
            assert views.at(f"{game.title}{steps}?").value == worth(first)
        else:
            assert views.at(f"{game.title}{steps}+").value == worth(first)


# Play solved anew.


@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_the_start_solved_anew_is_worth_the_same(players: int) -> None:
    views = official(players)
    view = views.resolve(views.start(0))
    assert view.value == views.solution.value and view.exact
    assert "whoever the spies are" in view.assumption


@pytest.mark.slow
@given(st.sampled_from([5, 6, 7]), st.integers(0, 2**32))
@settings(max_examples=3)
def test_play_solved_anew_is_optimal_under_the_beliefs(players: int, seed: int) -> None:
    """Against the new spies no mission is better than those sent; the resistance loses nothing by playing anew."""
    views = official(players)
    for position in random_play(views.table, seed):
        stored, anew = views.at(position), views.resolve(position)
        assert anew.exact
        assert sum(option.odds for option in anew.options) == (0 if anew.turn == END else 1)
        if anew.side == 0 and anew.turn == 0 and "is not won back" in anew.assumption:
            best = max(option.value for option in anew.options if option.value is not None)
            assert best == anew.value
            assert all(option.loss == 0 for option in anew.options if option.odds)
        if anew.side == 1 and anew.turn == 1 and len(anew.options) == 2:
            assert all(option.loss == 0 for option in anew.options if option.odds) or anew.options == stored.options


@pytest.mark.parametrize(("players", "steps"), [(5, "/ab-"), (5, "/ab+"), (6, "/ab-"), (7, "/ab-"), (7, "")])
def test_play_solved_anew_is_safe(players: int, steps: str) -> None:
    """Against every spy set, also those that cannot be, the new strategy wins as often as the stored one at least."""
    views = official(players)
    worth, table = views.evaluator, views.table
    cells = Cells.at(notation.read(table, table.title + steps), table)
    answers = SpiesBestResponse(table, worth.missions)
    floors = {spies: answers.least(cells, spies) for spies in worth.allowed(cells)}
    anew = solve(Subgame(worth, cells, worth.suspects(cells), None, floors))
    assert anew.proved
    link = 0  # the row that prices added masses comes first
    won = {spies: anew.against(anew.program.masses_here[spies], link, members(cells.sizes, spies)) for spies in floors}
    assert all(won[spies] >= floor for spies, floor in floors.items())
    suspects = worth.suspects(cells)
    mean = sum((members(cells.sizes, spies) * suspects.odds(spies) * won[spies] for spies in won), Fraction(0))
    assert mean == anew.value


def test_near_optimal_strategies_are_solved_anew_too() -> None:
    """From the start that is the whole game; where they never come, what they do can be silly."""
    views = seen(SMALL, "cfr+")
    start, off = SMALL.title, f"{SMALL.title}/ab-/abc+"
    assert not views.at(start).exact
    assert views.resolve(start).exact and views.resolve(start).value == seen(SMALL).solution.value
    assert views.at(off).value < views.resolve(off).value == 1  # c and d are loyal: any two missions with them win


def test_beliefs_too_long_for_a_linear_program_are_rounded() -> None:
    solution = seen(SMALL).solution
    often = Fraction(10**15 + 1, 3 * 10**15)
    spies = {position: {"pass": 1 - often, "sabotage": often} for position in solution.tables[1]}
    views = ResistanceViewer(replace(solution, tables=(solution.tables[0], spies)))
    position = f"{SMALL.title}/ab+"
    assert views.at(position).beliefs[0].odds.denominator > 10**6
    anew = views.resolve(position)
    assert not anew.exact
    assert abs(anew.beliefs[0].odds - Fraction(3, 10)) < Fraction(1, 10**6)  # a and b weigh 2/3 of c and d
    thirds = {position: {"pass": Fraction(2, 3), "sabotage": Fraction(1, 3)} for position in spies}
    near = ResistanceViewer(replace(solution, tables=(solution.tables[0], thirds))).resolve(position)
    assert near.exact and abs(anew.value - near.value) < Fraction(1, 10**5)
    check_odds(views.at(position), 1)


def test_solved_anew_by_hand() -> None:
    """Six players, ab failed, abc is out: the spies' rule passes mission 3 although that has become worse."""
    views = official(6)
    assert views.at("resistance-6/ab-/abc?").value == Fraction(-5, 9)
    anew = views.resolve("resistance-6/ab-/abc?")
    assert anew.value == Fraction(-7, 9)
    assert "re-solved" in anew.assumption


# Odds and ends.


def test_heavy_masses_are_added_exactly() -> None:
    """Where floats are not exact, whole numbers are; both find the same."""
    rng = Random(5)
    rows = [np.array([[rng.random() < 0.6 for _ in range(12)] for _ in range(5)]) for _ in range(3)]
    masses = [rng.randrange(1, 1000) for _ in range(12)]
    for follow in ((), (rows[1],), (rows[1], rows[2])):
        sent = rows[0] if len(follow) < 2 else rows[0][:1]
        light = _heaviest(sent, masses, *follow)
        heavy = _heaviest(sent, [mass * MOST_IN_FLOATS for mass in masses], *follow)
        assert [weight * MOST_IN_FLOATS for weight in light] == heavy


def test_best_replies_alone_concede_the_certificate() -> None:
    for game in (MIXED, ruse.games.resistance(7)):
        views = seen(game)
        reply = Evaluator(game.table, ({}, views.solution.tables[1]))
        assert 2 * reply.value(Cells.start(game.table)) - 1 == views.solution.certificate.upper


def test_what_was_found_is_forgotten_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    views = ResistanceViewer(official(5).solution)
    positions = ["resistance-5/ab+/abc-", "resistance-5", "resistance-5@bd/ab-/cde?"]
    before = [views.at(position) for position in positions]
    monkeypatch.setattr(resistance_evaluator, "MOST_VALUES", 1)
    assert [views.at(position) for position in positions] == before
    views.evaluator.trim()
    assert not views.evaluator._values


@pytest.mark.parametrize(
    ("position", "side", "words"),
    [
        ("resistance-5/ab+/ab+", None, "expected 3 seats on mission 2"),
        ("resistance-5/ab+", 1, "expected a position that names the spies, such as resistance-5@ab"),
        ("resistance-5@ab/cd-", None, "expected 1 spies aboard a failed mission"),
        ("resistance-6", None, "expected a position of resistance-5"),
        ("resistance-5", 2, "expected side 0 or 1"),
    ],
)
def test_bad_positions(position: str, side: int | None, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        official(5).at(position, side)


def test_impossible_results() -> None:
    with pytest.raises(PositionError, match="expected results that some spies could cause"):
        seen(SMALL).at(f"{SMALL.title}/ab-/abc+/cd-")


def test_solutions_seat_by_seat_are_refused() -> None:
    solution = ruse.solve(ruse.games.resistance(3, spies=1, missions=(1, 1, 1, 1, 1)), "lp", symmetry=False)
    assert isinstance(solution, Solution)
    with pytest.raises(GameError, match="expected a solution of resistance with its reductions on"):
        ResistanceViewer(solution)


def test_the_chooser_knows_it() -> None:
    assert isinstance(viewer(official(5).solution), ResistanceViewer)
