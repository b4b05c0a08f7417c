"""`ruse metrics`, `sweep --metrics` and `balance --where metric…`, also with one's own games and nonsense."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from ruse import games
from ruse.metrics import measure
from ruse.metrics.metric import METRICS, MetricError, metric
from ruse.metrics.results import plays_itself
from ruse.solving.pipeline import solve
from ruse.studio.balance import balance
from ruse.studio.sweep import sweep

Ruse = Callable[..., tuple[int, str, str]]  # the command line, as conftest.py has it
CALLS = '''
from ruse.metrics import metric

@metric("calls")
def calls(play):
    """calls in a game"""
    return sum(reach for choice, move, reach in play.moves_made() if move == "liar")

@metric("broken")
def broken(play):
    return 1 / 0

@metric("words")
def words(play):
    return "many"
'''
DICE = '''
import ruse
from fractions import Fraction
from ruse.core.presentation import Presentation
from ruse.metrics import metric

class Shown(Presentation):
    def bluff(self, state, move):
        return None if move == "call" else state[0] == 1

class OneBid:
    """Both sides see who holds what; only one bid is offered."""
    wins = ("first", "second")
    presentation = Shown

    def __init__(self, faces: int = 3, bids: int = 1):
        self.faces, self.bids = faces, bids
    def start(self):
        return ()
    def turn(self, state):
        return ruse.CHANCE if not state else len(state) - 1 if len(state) < 3 else ruse.END
    def moves(self, state):
        if not state:
            return range(1, self.faces + 1)
        return [f"bid{number}" for number in range(1, self.bids + 1)] if len(state) == 1 else ["call"]
    def odds(self, state):
        return [Fraction(1, self.faces)] * self.faces
    def play(self, state, move):
        return (*state, move)
    def knows(self, state, side):
        return state if side == 0 else state[1:]
    def payoff(self, state):
        return 1 if state[0] > 1 else -1

@metric("opening")
def opening(play):
    """openings in a game"""
    return sum(choice.reach for choice in play.choices if choice.depth == 0)
'''


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "mymetrics.py").write_text(CALLS)
    (tmp_path / "dice.py").write_text(DICE)
    return tmp_path


def test_the_json_has_what_scripts_rely_on(ruse: Ruse) -> None:
    status, out, _ = ruse("metrics", "liars-dice", "--faces", "3", "--json")
    fields = json.loads(out)
    assert status == 0 and fields["basis"] == "reference" and fields["complete"] and not fields["warnings"]
    assert fields["length"].keys() == {"mean", "least", "greatest", "distribution"}
    assert sum(map(Fraction, fields["length"]["distribution"].values())) == 1
    assert sum(map(Fraction, fields["moves"].values())) == 1
    for name in ("decisions", "matter", "mixing", "drama", "bluffing", "variety", "lead_changes", "decided"):
        assert Fraction(fields[name]) >= 0
    assert fields["skill"].keys() == {"first", "second"}
    assert METRICS.keys() <= fields.keys()


def test_a_file_and_a_choice_of_metrics(ruse: Ruse, tmp_path: Path) -> None:
    file = str(tmp_path / "kuhn.ruse")
    assert ruse("solve", "kuhn", "--out", file)[0] == 0
    status, out, _ = ruse("metrics", file, "--only", "length, bluffing")
    assert status == 0 and "2.378 moves a game, from 2 to 3" in out and "22.41% of claims" in out and "drama" not in out
    status, _, err = ruse("metrics", file, "--only", "lenth")
    assert status == 1 and "did you mean 'length'" in err
    status, out, _ = ruse("metrics", "liars-dice", "--faces", "2", "--only", "length", "--simplest")
    assert status == 0 and "optimal play can mix at only 0 positions" in out


def test_games_without_a_list_of_plays_are_refused_in_a_sentence(ruse: Ruse) -> None:
    status, out, err = ruse("metrics", "pig", "--goal", "3")
    assert (status, out) == (1, "") and "can return to a state" in err


def test_metrics_of_ones_own_and_those_that_fail(ruse: Ruse, files: Path) -> None:
    given = ("metrics", "liars-dice", "--faces", "2", "--metric", str(files / "mymetrics.py"), "--json")
    status, out, _ = ruse(*given)
    fields = json.loads(out)
    assert status == 1 and fields["calls"] == "1" and fields["length"]["mean"]
    assert "ZeroDivisionError" in fields["reasons"]["broken"] and "mymetrics.py, line" in fields["reasons"]["broken"]
    assert "to return a number, got 'many'" in fields["reasons"]["words"]
    with pytest.raises(MetricError, match="already has a metric"):
        metric("length")
    with pytest.raises(MetricError, match="small letters"):
        metric("No good")


def test_a_game_in_a_file_brings_its_metrics_and_says_that_it_plays_itself(ruse: Ruse, files: Path) -> None:
    game = str(files / "dice.py")
    status, out, _ = ruse("metrics", game, "--json")
    fields = json.loads(out)
    assert status == 0 and fields["opening"] == "1" and fields["bluffing"] == "1/3"
    assert fields["warnings"] == ["All optimal strategies make every game go the same way: bid1, call."]
    assert "calls" not in fields and "opening" not in json.loads(ruse("metrics", "kuhn", "--json")[1])
    status, out, _ = ruse("balance", game, "--faces", "2..4", "--target", "1/2")
    assert status == 0 and "Warning: All optimal strategies make every game go the same way: bid1, call." in out
    status, out, err = ruse("balance", game, "--faces", "2..4", "--target", "1/2", "--where", "metric.variety > 0")
    assert status == 1 and "meets the constraints (the last one fails: metric.variety > 0)" in err
    both = ("--faces", "2..3", "--bids", "1..2", "--where", "metric.variety > 0")
    status, out, _ = ruse("balance", game, *both, "--target", "1/2", "--json")
    answer = json.loads(out)
    assert status == 0 and answer["proved"] and answer["metrics"] == ["reference"]
    assert [row["parameters"] for row in answer["best"]] == [{"faces": 2, "bids": 2}] and answer["refused"]
    assert answer["best"][0]["metrics"]["figures"]["opening"] == "1"


def test_sweeps_have_metrics_as_columns_and_leave_out_what_fails_a_condition(tmp_path: Path, ruse: Ruse) -> None:
    table = tmp_path / "dice.csv"
    status, out, _ = ruse("sweep", "liars-dice", "--faces", "2..3", "--metrics", "--out", str(table))
    assert status == 0 and "bluffing" in out.splitlines()[0] and "reference pair" in out
    assert "metric_length" in table.read_text().splitlines()[0]
    rows = list(sweep("liars-dice", faces="2..3", metrics=True))
    for row in rows:
        solved = measure(solve(games.liars_dice(row.parameters["faces"])))
        assert row.metrics is not None and row.metrics.figures["length"] == solved["length"]
    found = sweep("liars-dice", faces="2..3", where=["faces > 1", "metric.bluffing >= 0.3"])
    assert [row.parameters["faces"] for row in found] == [3] and found.refused == 1 and found.complete
    nested = sweep("liars-dice", faces="2..3", where="metric.skill.first.price == 0 and metric.length.least == 2")
    assert [row.parameters["faces"] for row in nested] == [
        row.parameters["faces"] for row in rows if row.metrics and row.metrics.fields["skill"]["first"]["price"] == "0"
    ]


@pytest.mark.slow
def test_balance_with_a_constraint_agrees_with_measuring_everything() -> None:
    rows = [row for row in sweep("liars-dice", faces="2..3", wild="0|1", metrics=True) if row.metrics is not None]
    meeting = [row for row in rows if (row.metrics.figures["bluffing"] or 0) >= Fraction(1, 5)]
    assert 0 < len(meeting) < len(rows) == 4
    least = min(abs(row.measure - Fraction(3, 5)) for row in meeting)
    found = balance("liars-dice", target="3/5", faces="2..3", wild="0|1", where="metric.bluffing >= 0.2")
    assert found.proved and {one.distance for one in found.best} == {least} and found.bases == ("reference",)


def test_unknown_metrics_in_conditions_are_named(ruse: Ruse) -> None:
    for command in (("sweep",), ("balance", "--target", "1/2")):
        status, _, err = ruse(command[0], "kuhn", *command[1:], "--where", "metric.blufing > 0")
        assert status == 1 and "unknown metric 'blufing'; did you mean 'bluffing'?" in err
    status, _, err = ruse(
        "balance", "liars-dice", "--faces", "2..3", "--target", "1/2", "--where", "metric.length.x > 1"
    )
    assert status == 1 and "no figure for metric.length.x" in err


def test_games_with_choices_do_not_play_themselves() -> None:
    assert plays_itself(solve(games.kuhn())) == []
    assert plays_itself(solve(games.liars_dice(2, wild=1))) == [
        "All optimal strategies make every game go the same way: 2-2, liar."
    ]


def test_approximate_strategies_are_measured_as_such(ruse: Ruse) -> None:
    status, out, _ = ruse("metrics", "kuhn", "--only", "length")
    assert status == 0 and "reference pair" in out
