"""Games with hidden roles at the table: in words, played, and the companion of an evening."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.cli.program import main
from ruse.core.game import PositionError, RuseError
from ruse.explorer.forms import chosen_move
from ruse.games import make
from ruse.games.hidden_roles.companion import RolesCompanion, asked
from ruse.games.hidden_roles.companion_record import RolesEvening, from_json
from ruse.games.hidden_roles.companion_terminal import converse, evening_json
from ruse.games.hidden_roles.evaluator import RolesEvaluator
from ruse.games.hidden_roles.notation import read
from ruse.games.hidden_roles.orbits import renamed
from ruse.games.hidden_roles.view import HiddenRolesViewer
from ruse.games.hidden_roles.words import course
from ruse.games.resistance.companion_record import Round
from ruse.insight import insight
from ruse.insight.engine import TreeInsight
from ruse.people import RecordError
from ruse.play import session as sessions
from ruse.play.coach import judge
from ruse.present.report import format_solution as shown
from ruse.present.rules import outline
from ruse.present.viewer import viewer
from ruse.solution.store import save
from ruse.solution.strategy import Solution
from ruse.verify.dispatch import verifier

TABLE: dict[str, Any] = {"players": 3, "spies": 1, "missions": [1, 2, 1, 2, 2]}
MORDRED: dict[str, Any] = {
    "players": 4,
    "spies": 2,
    "missions": [1, 4, 4, 4, 4],
    "sabotages": [1, 2, 1, 2, 1],
    "roles": "merlin,assassin,mordred",
}


def by_class(parameters: dict[str, Any]) -> Solution:
    """As large tables are stored."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ruse.games.hidden_roles.solve.seated", lambda _, filed: filed)
        return ruse.solve(make("avalon", parameters))


@cache
def solved() -> Solution:
    return by_class(TABLE)


@cache
def with_mordred() -> Solution:
    return by_class(MORDRED)


# Positions.


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("@", "expected different seats"),
        ("@ab", "expected 1 spy after @"),
        ("/b=merlin:c,b=merlin:a", "expected a seat to speak once"),
        ("/b=percival:c", "expected a report such as 'a=merlin:b' or 'quiet'"),
        ("/b=merlin:b", "expected merlin to see 1 of the others"),
        ("/b=merlin:c/ab+", "expected 1 seats on mission 1"),
        ("/b=merlin:c/a+1", "expected no number of sabotages"),
        ("/b=merlin:c/a?/bc+", "expected nothing after a mission under way"),
        ("@a/b=merlin:c", "expected what the spies say, a,"),
        ("@a/quiet/b-", "expected a result that 0 spies aboard can bring about"),
        ("/b=merlin:c/name-a", "expected a guess after 3 passed missions"),
        ("/quiet", "that some roles allow"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_a_sentence(steps: str, said: str) -> None:
    views = viewer(solved())
    with pytest.raises(PositionError, match=said):
        views.at(solved().game.title + steps)


def test_a_position_is_read_back_as_it_is_told() -> None:
    game = solved().game
    for side in (0, 1):
        for position in solved().tables[side]:
            whose, known = read(game, position)  # type: ignore[arg-type]
            assert (whose, game.title + game.format_position(known)) == (side, position)


def test_a_position_under_other_names_has_the_same_odds() -> None:
    game = with_mordred().game
    looked = set()
    for side in (0, 1):
        strategy = with_mordred().strategy(side)
        for position, odds in list(strategy.table.items())[::9]:
            _, known = read(game, position)  # type: ignore[arg-type]
            other = game.title + game.format_position(renamed(known, (2, 0, 3, 1)))
            looked.add(other == position)
            assert sorted(strategy.at(other).values()) == sorted(odds.values()), (position, other)
    assert False in looked


def test_a_strategy_says_nothing_of_what_the_other_side_knows() -> None:
    with pytest.raises(PositionError, match="expected a position of good, without @"):
        solved().strategy(0).at(f"{solved().game.title}@c")


def test_every_way_to_a_position_leads_there() -> None:
    views = viewer(solved())
    assert isinstance(views, HiddenRolesViewer)
    game = solved().game
    for side in (0, 1):
        for position in list(solved().tables[side])[::7]:
            moves = views.way(position, side, lambda odds: max(odds, key=odds.__getitem__))
            _, states = sessions._walked(game, None, moves)
            assert game.title + game.format_position(game.knows(states[-1], side)) == position


def test_solving_anew_is_never_worse_for_the_side_that_looks() -> None:
    views = viewer(solved())
    for side, sign in ((0, 1), (1, -1)):
        for position in list(solved().tables[side])[::5]:
            assert sign * views.resolve(position, side).value >= sign * views.at(position, side).value


def test_insight_counts_with_what_a_class_of_moves_stands_for() -> None:
    """A strategy by class draws among moves that look alike; one of them always would be another strategy."""
    solution = by_class({**TABLE, "missions": [1, 3, 3, 3, 3]})
    engine, views = insight(solution), viewer(solution)
    assert isinstance(engine, TreeInsight)
    for side in (0, 1):
        for position in list(solution.tables[side])[::5]:
            assert engine.viewer.at(position, side).value == views.at(position, side).value
    position = f"{solution.game.title}@b"
    losses = {one.move: one.loss for one in engine.at(position, 1).moves}
    assert all(losses[option.move] == option.loss for option in views.at(position, 1).options)


def test_a_table_that_is_too_large_for_insight_is_refused_in_a_sentence() -> None:
    five = replace(solved(), game=make("avalon"))
    with pytest.raises(RuseError, match="insight handles at most 300,000: use smaller parameters"):
        insight(five)


def test_strategies_seat_by_seat_are_played_as_they_are() -> None:
    plain = ruse.solve(make("avalon", {**TABLE, "missions": [1, 3, 3, 3, 3]}), "lp", symmetry=False)
    rival = sessions.begin(plain, "good", seed=1).rival
    assert rival.manner.policy(1) is None


def test_outcomes_of_strategies_by_class_are_those_of_their_value() -> None:
    shares = verifier(solved().game).outcomes(solved().tables)
    assert sum(payoff * share for payoff, share in shares.items()) == solved().certificate.lower


# Words.


def test_how_a_game_goes_adds_up_to_its_value() -> None:
    vouching = by_class({"players": 4, "spies": 1, "missions": [2, 3, 2, 3, 3], "talk": "vouch", "truth": "1/2"})
    for solution in (solved(), with_mordred(), vouching):  # who files the last guess when all is said
        worth = RolesEvaluator(solution.game, solution.tables)  # type: ignore[arg-type]
        found = course(worth)
        won = sum(
            way.weight * (1 - worth.guesses(way).get(merlin(worth, way), 0)) for ways in found.guessed for way in ways
        )
        assert won == solution.win["good"]


def merlin(worth: RolesEvaluator, way: Any) -> int:
    seat: int = way.deal.index(worth.game.cast.hunted)
    return seat


def test_words_come_from_the_strategies() -> None:
    solution, position = solved(), f"{solved().game.title}@a"
    text = " ".join(outline(solution, 1))
    assert "no spy reports anything (100%)" in text and solution.tables[1][position] == {"quiet": 1}
    lies = {"a=merlin:b": Fraction(2, 7), "quiet": Fraction(5, 7)}
    lying = replace(solution, tables=(solution.tables[0], {**solution.tables[1], position: lies}))
    said = "no spy reports anything (71.43%, 5/7); or the spy claims to be Merlin and to see a good seat (28.57%, 2/7)."
    assert f"Reports: {said}" in outline(lying, 1)
    assert "Merlin tells the mediator everything" in shown(solution, False, "")
    silent = ruse.solve(make("avalon", {**TABLE, "talk": "none"}))
    assert "Merlin says nothing" in " ".join(outline(silent, 0))
    assert outline(ruse.solve(ruse.games.kuhn()), 0) == []


# Play.


@pytest.mark.parametrize("side", [0, 1])
def test_either_side_is_played_by_class_with_a_coach(side: int) -> None:
    solution, views = solved(), viewer(solved())
    game = sessions.begin(solution, side, seed=7)
    while not game.over:
        game = sessions.play(game, game.number, game.game.label(game.choices[-1]))
        verdict = judge(game, views, len(game.decisions))
        assert verdict.loss is not None and verdict.loss >= 0 and verdict.before is not None
        assert verdict.text(solution.game)
    assert game.gain in (-1, 1)


def test_spies_pick_what_they_report_seat_by_seat() -> None:
    game = sessions.begin(with_mordred(), "spies", seed=1)
    picks = game.rival.manner.picks(game)
    assert picks is not None and len(picks.lists) == 2
    spoken = [parts[-1][0] for _, parts in picks.lists]
    moved = sessions.play(game, 1, chosen_move({"part": ",".join(spoken), "otherwise": picks.otherwise}))
    assert moved.decisions[0].move == ",".join(spoken)
    assert sessions.play(game, 1, chosen_move({"part": "", "otherwise": picks.otherwise})).decisions[0].move == "quiet"


# The companion.


def evening(**changes: Any) -> RolesEvening:
    return replace(RolesEvening.begin_with(solved().game), **changes).checked()  # type: ignore[arg-type]


def test_without_slips_the_companion_believes_what_the_mediator_does() -> None:
    """Where every report is written down, it is the position of the good side."""
    title = solved().game.title
    record = (
        evening(slip=Fraction(0)).report("a=merlin:c").report("b quiet").report("c=merlin:b").with_round(Round((1,), 0))
    )
    companion = RolesCompanion(record, solved())
    assert companion.position() == f"{title}/a=merlin:c,c=merlin:b/b+"
    there = viewer(solved()).at(f"{title}/a=merlin:c,c=merlin:b/b+")
    assert [(seat.spy, seat.roles) for seat in companion.beliefs().seats] == [
        (seat.spy, seat.roles) for seat in there.seats
    ]
    view = companion.view()
    assert view is not None and companion.teams()[0].win == (1 + max(o.value or 0 for o in view.options)) / 2


def test_a_spy_hears_how_likely_each_seat_is_merlin() -> None:
    record = evening(slip=Fraction(0)).meet("a spy").report("a=merlin:b").with_round(Round((1,), 0))
    companion = RolesCompanion(record, solved())
    there = viewer(solved()).at(f"{solved().game.title}@a/a=merlin:b/b+")
    assert [seat.roles for seat in companion.beliefs().seats] == [seat.roles for seat in there.seats]


def test_what_one_seat_knows_is_a_fact() -> None:
    record = evening().meet("b merlin c")
    seats = RolesCompanion(record, solved()).beliefs().seats
    assert [seat.spy for seat in seats] == [0, 0, 1] and record.my_role() == "B, who is Merlin and sees C"
    assert [seat.spy for seat in RolesCompanion(evening().meet("b servant"), solved()).beliefs().seats] == [
        Fraction(1, 2),
        0,
        Fraction(1, 2),
    ]


def test_a_report_that_cannot_be_true_gives_its_seat_away() -> None:
    record = evening().with_round(Round((1,), 1)).report("a=merlin:b").report("b=merlin:a")
    assert record.dead() == [1]
    assert [seat.spy for seat in RolesCompanion(record, solved()).beliefs().seats] == [0, 1, 0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one.report("a=merlin:c"), "expected reports of which all by good seats can be true"),
        (lambda one: one.report("a=merlin:a"), "expected merlin to see 1 of the others"),
        (lambda one: one.report("z quiet"), "expected different seats from a to c"),
        (lambda one: one.with_round(Round((0, 1), 2)), "expected at most 1 sabotages on mission 2"),
        (lambda one: one.with_round(Round((0, 2), 1)), "could cause"),
        (lambda one: one.meet("b servant"), "expected a role that the missions allow"),
        (lambda one: one.meet("a merlin bc"), "expected 1 seat whom Merlin sees after merlin"),
        (lambda one: one.meet("a jester"), "expected a seat and one of merlin, servant, spy"),
        (lambda one: one.meet("b spy c"), "expected no other spy, got c"),
    ],
)
def test_a_record_that_cannot_be_is_refused_and_nothing_is_lost(change: Any, said: str) -> None:
    record = evening().with_round(Round((1,), 1))
    with pytest.raises(RuseError, match=said):
        change(record)
    assert record.rounds == (Round((1,), 1),)


def test_an_evening_is_kept_and_read_again(tmp_path: Path) -> None:
    record = evening().with_round(Round((1,), 1)).report("a=merlin:b").meet("c servant")
    again = from_json(json.loads(json.dumps(record.to_json())))
    assert (again.rounds, again.said, again.me) == (record.rounds, record.said, record.me)
    assert evening_json(RolesCompanion(again, solved()))["seats"]["B"]["spy"] == {"slip": "1", "facts": "1"}
    with pytest.raises(RecordError, match="this is not a saved evening of kind"):
        from_json({"kind": "ruse evening"})
    with pytest.raises(RecordError, match="this evening is damaged"):
        from_json({**record.to_json(), "said": 3})


def test_the_page_names_what_cannot_be_and_tells_the_rest() -> None:
    page = asked(solved(), {"team-1": "b", "cards-1": "1", "said-a": "a=merlin:c", "seat": "", "slip": "10%"})
    assert page.trouble.startswith("expected reports") and page.findings[0] == "Proved: B is a spy."
    fields = {field.name: field.value for _, group in page.groups for field in group}
    assert fields["said-a"] == "a=merlin:c" and fields["team-1"] == "b"
    assert asked(solved(), {"seat": "b", "role": "merlin", "sees": "c"}).rows[2][1] == "100%"


def test_an_evening_in_the_terminal_refuses_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "evening.json"
    typed = [
        "b 1",
        "said a=merlin:c",
        "said a=merlin:b",
        "said b quiet",
        "said c quiet",
        "me b spy",
        "order ab",
        "undo",
    ]
    lines = [*typed, "missions", "?", f"save {kept}", "q"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert converse(solved().game, None, ["Ann", "Ben", "Cleo"], "0", False, lambda _: solved()) == 0  # type: ignore[arg-type]
    out = capsys.readouterr().out
    assert "expected reports of which all by good seats can be true, got Ann claims to be Merlin, who sees c" in out
    assert "Proved: Ben is a spy." in out and "as seen by Ben, who is a spy" in " ".join(out.split())
    assert "sabotage" in out and "then you win" in out and "good wins, how often the solved strategy sends it" in out
    assert converse(solved().game, kept, [], None, True, lambda _: solved()) == 0  # type: ignore[arg-type]
    found = json.loads(capsys.readouterr().out)
    assert found["seats"]["Ben"]["spy"]["facts"] == "1" and found["evening"]["me"] is None


def test_who_may_be_what_is_shown_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(save(solved(), tmp_path / "roles.ruse"))
    position = f"{solved().game.title}/a=merlin:c,c=merlin:b"
    assert main(["show", file, position]) == 0
    assert "Who may be what" in capsys.readouterr().out
    assert main(["show", file, position, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"][0]["roles"]["merlin"]["by_facts"] == "1"
    assert main(["show", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outline"]["spies"]
