"""Positions off the path: found by a walk, marked everywhere, and with advice where quasi-perfect play is quick."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.cli.program import main
from ruse.formats import frames
from ruse.games import make
from ruse.present.card import card
from ruse.present.model import View
from ruse.present.off_path import advised, refined
from ruse.present.report import format_solution
from ruse.present.rules import score_rules, words
from ruse.present.tree import TreeViewer
from ruse.present.viewer import viewer
from ruse.solution import mistakes, store
from ruse.solution.store import StoreError
from ruse.solution.strategy import Solution
from viewing import check_view, solved

DICE = ("liars-dice", ("faces", 3))
SILLY = "liars-dice(faces=3)@1/1-1/2-1"  # two ones are bid to a one; to bid two threes then loses for sure
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {}),
    ("liars-dice", {"faces": 3}),
    ("goofspiel", {"cards": 3}),
    ("leduc", {}),
    ("mini-poker", {}),
    ("tic-tac-toe", {}),
    ("battleship", {"board": "1x2", "ships": [1], "values": [1], "shots": 1}),
]


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=[name for name, _ in GAMES])
def test_the_path_is_what_views_reach(name: str, parameters: dict[str, Any]) -> None:
    solution = ruse.solve(make(name, parameters))
    views = viewer(solution)
    assert solution.on_path is not None
    for side, table in enumerate(solution.tables):
        some = list(table)[:600]
        reached = {position for position in some if views.at(position, side).reached}
        assert reached == solution.on_path[side] & {*some}


def test_the_path_is_not_known_of_classes_and_of_strategies_with_gaps() -> None:
    kuhn = solved("kuhn")
    gap = {position: odds for position, odds in kuhn.tables[1].items() if position != "kuhn@J/check"}
    assert replace(kuhn, tables=(kuhn.tables[0], gap)).on_path is None
    assert solved("resistance").on_path is None


# What is shown


def test_words_part_the_path_from_the_rest() -> None:
    solution = solved(*DICE)
    text = words(solution)
    heading = "# Never reached if both sides follow these strategies (no advice):"
    first, second = text.split("side: second")
    for part in (first, second):
        before, after = part.split(heading)
        assert len([line for line in before.splitlines() if line.startswith("liars-dice(faces=3)@")]) == 6
        assert len(after.strip().splitlines()) == 90
    assert SILLY in first.split(heading)[1]
    assert {score.payoff for score in score_rules(solution.game, text)} == {solution.value}
    better = words(_rational())
    assert "# Never reached if both sides follow these strategies (play after a mistake):" in better
    assert {score.payoff for score in score_rules(solution.game, better)} == {solution.value}


def test_cards_and_the_screen_leave_it_out() -> None:
    solution = solved(*DICE)
    assert card(solution).count("90 positions never reached if both sides follow these strategies") == 2
    assert SILLY not in card(solution)
    brief = format_solution(solution, everything=False, hint="ruse show --all")
    assert (
        brief.count("90 positions never reached if both sides follow these strategies.") == 2
        and brief.count("Exact odds of every position: ruse show --all") == 2
        and SILLY not in brief
    )
    assert (
        f"  {SILLY}"
        in format_solution(solution, everything=True, hint="").split(
            "Never reached if both sides follow these strategies (no advice):"
        )[1]
    )


def test_rows_say_what_is_reached(tmp_path: Path) -> None:
    solution = solved(*DICE)
    assert solution.on_path is not None
    rows = frames.rows(solution)
    assert {row.position for row in rows if row.reached} == solution.on_path[0] | solution.on_path[1]
    lines = frames.write_csv(solution, tmp_path / "dice.csv").read_text().splitlines()
    assert lines[0] == "side,position,move,odds,share,reached"
    assert sum(line.endswith(",true") for line in lines) == sum(row.reached is True for row in rows) > 0
    unknown = replace(solution, tables=({}, {}))
    assert unknown.on_path is None
    assert frames.csv_of(solution.tables).splitlines()[1].endswith(",")


def test_show_marks_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = solved(*DICE).save(tmp_path / "dice.ruse")
    assert main(["show", str(path), SILLY]) == 0
    said = capsys.readouterr().out
    assert (
        "Never reached if both sides follow these strategies: these odds uphold the guarantee but are no advice."
        in said
    )
    assert "Quasi-perfect play: 2-2." in said
    assert main(["show", str(path), SILLY, "--json"]) == 0
    (move,) = json.loads(capsys.readouterr().out)["moves"].values()
    assert move["reached"] is False and move["quasi_perfect"] == {"2-2": "1", "2-3": "0", "liar": "0"}
    assert main(["show", str(path), "liars-dice(faces=3)@1", "--json"]) == 0
    (move,) = json.loads(capsys.readouterr().out)["moves"].values()
    assert move.keys() == {"odds", "stored", "reached", "moves", "costs"}
    assert move["stored"] is True and move["reached"] is True and move["costs"]["basis"] == "reference"
    rational = _rational().save(tmp_path / "rational.ruse")
    assert main(["show", str(rational), SILLY]) == 0
    assert (
        "Never reached if both sides follow these strategies: this is what to do after a mistake."
        in capsys.readouterr().out
    )


# Advice


def _rational() -> Solution:
    return ruse.solve(make("liars-dice", {"faces": 3}), "quasi-perfect")


def _views(solution: Solution) -> list[View]:
    views = viewer(solution)
    return [
        advised(views, views.at(position, side)) for side, table in enumerate(solution.tables) for position in table
    ]


def test_advice_comes_from_a_quasi_perfect_equilibrium() -> None:
    plain, rational = solved(*DICE), _rational()
    views = viewer(rational)
    for view in _views(plain):
        if view.reached:
            assert view.advice == "stored"
            continue
        assert view.advice == "quasi-perfect"
        there = views.at(view.position, view.side)
        assert view.options == there.options and view.beliefs == there.beliefs and view.value == there.value
        assert not view.reached and view.reach == 0
        assert max(option.loss or 0 for option in view.options if option.odds) == 0
    assert {view.advice for view in _views(rational)} == {"stored", "quasi-perfect"}


def test_views_of_a_quasi_perfect_solution_keep_what_every_view_keeps() -> None:
    solution = _rational()
    views = viewer(solution)
    assert isinstance(views, TreeViewer)
    for side in (0, 1):
        for position in views.nodes.members[side]:
            check_view(views, views.at(position, side))


def test_no_advice_where_it_would_take_long() -> None:
    """Nor where bounds are not equal; what nobody hides is played best anyway."""
    large = ruse.solve(make("liars-dice", {"faces": 5}))
    views = viewer(large)
    view = next(view for view in (views.at(position, 0) for position in large.tables[0]) if not view.reached)
    assert view.advice == "none" and advised(views, view) == view and refined(views) is None
    rough = ruse.solve(ruse.games.kuhn(), "cfr+", iterations=3)
    assert refined(viewer(rough)) is None
    open_game = ruse.solve(ruse.games.tic_tac_toe())
    assert refined(viewer(open_game)) is None
    assert viewer(open_game).at("tic-tac-toe/a/b").advice == "best"


# Files


def test_mistakes_are_kept_in_files(tmp_path: Path) -> None:
    solution = _rational()
    again = ruse.load(solution.save(tmp_path / "dice.ruse"))
    assert again.mistakes == solution.mistakes is not None
    assert again.tables == solution.tables and again.verify().exact
    there = {(view.position, view.side): view for view in _views(solution)}
    assert all(view == there[view.position, view.side] for view in _views(again))
    assert ruse.load(solved(*DICE).save(tmp_path / "plain.ruse")).mistakes is None


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ([{}], "mistakes of two sides"),
        ({}, "mistakes"),
        ([{"kuhn@J": {"bet": 1}}, {}], "mistake bet at kuhn@J"),
        ([{"kuhn@J": {"bet": [0, "1"]}}, {}], "a power and a coefficient of the mistake bet at kuhn@J"),
        ([{"kuhn@J": {"bet": [1, "-1"]}}, {}], "a positive coefficient"),
        ([{"kuhn@J": {"bet": [1, "x"]}}, {}], "coefficient of the mistake bet"),
    ],
)
def test_files_with_wrong_mistakes_are_refused(found: object, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        mistakes.mistakes_of(found, ("first", "second"))


def test_a_file_whose_mistakes_were_changed_still_verifies_its_bounds() -> None:
    """Bounds rest on the strategies alone; mistakes are only for beliefs."""
    solution = _rational()
    assert solution.mistakes is not None
    other = replace(solution, mistakes=({}, {}))
    assert store.loads(store.dumps(other), "here").tables == solution.tables
    assert other.verify().lower == solution.value
    assert Fraction(1) in {one.coefficient for moves in solution.mistakes[0].values() for one in moves.values()}
