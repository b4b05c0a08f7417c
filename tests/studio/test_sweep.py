"""Sweeps: rows like those of `ruse solve`, kept, resumed, and refused where somebody else's file would be lost."""

from __future__ import annotations

import doctest
import errno
import json
import os
import signal
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import processes
import ruse as package
from ruse.contests.engine import EngineError
from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.forms.certificate import Certificate
from ruse.present.rules import rules_of
from ruse.studio import sweep as module
from ruse.studio.files import alone
from ruse.studio.saved_variants import SavedVariants
from ruse.studio.solving import quick, row_of
from ruse.studio.sweep import SweepError, sweep
from ruse.studio.words import summary

SMALL = {"players": "4", "spies": "1..2", "missions": "2,2,2,2..3,2|3"}
FLAGS = [word for name, text in SMALL.items() for word in (f"--{name}", text)]

OWN = '''
from fractions import Fraction
from ruse import CHANCE, END

class Pennies:
    """Matching pennies, in which heads may pay more."""

    def __init__(self, heads: int = 1) -> None:
        self.heads = heads

    def start(self): return ()
    def turn(self, state): return (0, 1, END)[len(state)]
    def moves(self, state): return ("heads", "tails")
    def odds(self, state): return []
    def play(self, state, move): return (*state, move)
    def knows(self, state, side): return len(state)
    def payoff(self, state):
        return Fraction(self.heads if state == ("heads", "heads") else 1 if len({*state}) == 1 else -1)
'''


def test_rows_are_those_of_solve() -> None:
    found = sweep("resistance", SMALL, workers=1)
    assert len(found) == 8 and found.complete
    for row in found:
        solution = package.solve(package.games.resistance(**row.parameters))
        assert row.certificate == solution.certificate and row.exact
        assert row.to_json()["win"] == solution.to_json()["win"]
        assert row.to_json()["value"] == solution.to_json()["value"]
    assert found.solved == len({one.key for one in found.variants}) == 6  # some differ only in the order of missions


def test_lines_and_quick_bounds_are_those_of_the_strategies() -> None:
    for missions in ((2, 3, 2, 3, 3), (3, 2, 2, 2, 2), (2, 2, 3, 3, 3)):
        for sabotages in ((1, 1, 1, 1, 1), (2, 2, 1, 1, 1), (1, 2, 2, 1, 1)):
            game = package.games.resistance(5, missions=missions, sabotages=sabotages)
            solution, row, known = package.solve(game), row_of(game, lines=True), quick(game)
            assert row.certificate == solution.certificate
            assert row.lines == sum(len(rules_of(solution, side)[1]) for side in (0, 1))
            assert known is not None and known.lower <= solution.value <= known.upper
            assert row.simple is (solution.solver == "simple-rules")


def test_games_of_all_kinds_can_be_swept() -> None:
    faces = sweep("liars-dice", faces="2..3", workers=1)
    assert [row.parameters["faces"] for row in faces] == [2, 3] and all(row.exact for row in faces)
    pays = sweep("rock-paper-scissors", paper_beats_rock="1/2|1|2", workers=1)
    assert [row.middle for row in pays] == [0, 0, 0]
    table = sweep("matrix", payoffs="0..2 -1; -1 1", workers=1)
    assert [row.middle for row in table] == [Fraction(t - 1, t + 3) for t in range(3)]
    nim = sweep("nim", heaps="1..2,3", workers=1)
    assert [row.win["first"] for row in nim] == [1, 1]


def test_what_was_solved_once_is_known() -> None:
    first = sweep("resistance", SMALL, workers=1)
    again = sweep("resistance", {**SMALL, "spies": "1..3"}, workers=1)
    assert (again.known, again.solved) == (6, 1)
    assert [*first] == [*again][:8]
    assert sweep("resistance", SMALL, workers=1, fresh=True).solved == 6


def test_a_damaged_library_loses_only_the_damaged_lines(state: Path) -> None:
    sweep("resistance", SMALL, workers=1)
    file = state / "ruse" / "variants" / "resistance.jsonl"
    lines = [line for line in file.read_bytes().splitlines() if line]
    assert len(lines) == 6
    forged = lines[0].replace(b'"exact": true', b'"exact": false')
    file.write_bytes(b"\n".join([forged, b"{", b"\xff\xfe", b"[1]", *lines[1:4], lines[4][:50]]))
    assert len(SavedVariants("resistance").rows) == 3
    assert sweep("resistance", SMALL, workers=1).solved == 3
    assert sweep("resistance", SMALL, workers=1).solved == 0


def test_a_library_that_cannot_be_written_is_done_without(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (state / "ruse").write_text("not a folder")
    assert len(sweep("resistance", SMALL, workers=1)) == 8
    assert "cannot use the saved variants" in capsys.readouterr().err


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly anything is solved in this process, and every batch is one variant."""
    monkeypatch.setattr(module, "SAMPLES", 1)
    monkeypatch.setattr(module, "MOST_BATCH", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("apart")
def test_two_workers_find_what_one_does() -> None:
    one = sweep("resistance", SMALL, workers=1)
    two = sweep("resistance", SMALL, workers=2, fresh=True)
    assert [(row.parameters, row.certificate, row.lines) for row in one] == [
        (row.parameters, row.certificate, row.lines) for row in two
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("apart")
def test_a_game_of_ones_own_is_swept_on_two_workers(ruse: Any, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    found = json.loads(ruse("sweep", str(tmp_path / "own.py"), "--heads", "1..6", "--workers", "2", "--json")[1])
    assert [row["value"]["exact"] for row in found["rows"]][:3] == ["0", "1/5", "1/3"]
    assert found["game"] == "pennies" and found["solved"] == 6


def test_bounds_are_kept_where_the_time_is_up() -> None:
    found = sweep("leduc", time_each=1e-6, workers=1)
    (row,) = found
    assert not row.exact and row.note and row.certificate.lower < row.certificate.upper
    assert row.to_json()["value"]["exact"] is None
    assert sweep("leduc", time_each=1e-6, workers=1).known == 0  # only what is exact is kept


@pytest.mark.parametrize("kind", ["json", "csv", "parquet", "html"])
def test_files_hold_every_row_and_go_on(ruse: Any, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"rows.{kind}"
    assert ruse("sweep", "resistance", *FLAGS, "--out", str(out))[0] == 0
    first = out.read_bytes()
    if kind == "csv":
        lines = first.decode().splitlines()
        assert len(lines) == 9 and lines[0].startswith("players,spies,missions,sabotages,value,")
        assert '"2,2,2,2,2"' in lines[1]
    elif kind == "parquet":
        from pyarrow import parquet

        assert parquet.read_table(out).num_rows == 8
    elif kind == "html":
        assert first.decode().count("<tr>") == 9 and '<td class="shade-5">100% (1)</td>' in first.decode()
    else:
        assert len(json.loads(first)["rows"]) == 8
    assert ruse("sweep", "resistance", *FLAGS, "--out", str(out))[0] == 0  # the very same sweep goes on
    status, _, err = ruse("sweep", "resistance", "--spies", "1..2", "--out", str(out))
    assert status == 1 and "holds other data" in err
    assert (out.read_bytes() == first) is (kind in ("csv", "parquet"))  # others hold how many were known


def test_a_file_of_something_else_is_never_overwritten(ruse: Any, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    for content in ("my notes\nare dear to me\n", "\x00\xff", '{"rows": 3}', "<p>Dear diary</p>"):
        out.write_text(content)
        status, _, err = ruse("sweep", "resistance", *FLAGS, "--out", str(out))
        assert status == 1 and "holds other data" in err
        assert out.read_text() == content


def test_two_sweeps_never_write_one_file(ruse: Any, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    with alone(out):
        status, _, err = ruse("sweep", "resistance", *FLAGS, "--out", str(out))
    assert status == 1 and "another sweep is writing" in err and not out.exists()
    assert ruse("sweep", "resistance", *FLAGS, "--out", str(out))[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_a_full_disk_loses_the_file_and_not_the_answer(
    ruse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic_files, "replace", full)
    status, out, err = ruse("sweep", "resistance", *FLAGS, "--out", str(tmp_path / "rows.csv"), "--json")
    assert status == 1 and "no space left on device" in err
    assert len(json.loads(out)["rows"]) == 8


def test_json_is_the_contract(ruse: Any) -> None:
    status, out, _ = ruse("sweep", "resistance", "--missions", "2,2..3,2,3,3", "--json")
    found = json.loads(out)
    assert status == 0 and found["game"] == "resistance"
    row = found["rows"][1]
    assert row["parameters"] == {"players": 5, "spies": 2, "missions": [2, 3, 2, 3, 3], "sabotages": [1, 1, 1, 1, 1]}
    assert row["value"] == {"exact": "-2/5", "float": -0.4}
    assert row["win"] == {"resistance": "3/10", "spies": "7/10"}
    assert row["certificate"] == {"lower": "-2/5", "upper": "-2/5", "exact": True, "proof": "declared"}


def test_the_table_on_the_screen(ruse: Any) -> None:
    out = ruse("sweep", "resistance", "--spies", "1..2", "--missions", "2,2..3,2,3,3")[1]
    assert out.splitlines()[0].split() == ["spies", "missions", "resistance", "wins", "simple", "rules", "lines"]
    assert "2      2 3 2 3 3  30% (3/10)       optimal       12" in out
    assert "Closest to even: 50% (1/2), players 5, spies 2, missions 2 2 2 3 3" in out


def test_seven_players_and_two_sabotages_thrice(ruse: Any) -> None:
    asked = ("--players", "7", "--missions", "2,3,4,4,5", "--sabotages", "1,1,2,2,2", "--json")
    assert json.loads(ruse("sweep", "resistance", *asked)[1])["rows"][0]["win"]["resistance"] == "8/15"


BAD = [
    (("sweep", "resistance", "--players", "7..5"), 1, "from the lower end to the higher for --players, got '7..5'"),
    (("sweep", "resistance", "--spies", "7..9"), 1, "left to solve: 3 variants are impossible"),
    (("sweep", "resistance", "--spies", "1..2", "--where", "spies > 4"), 1, "2 are excluded by --where"),
    (("sweep", "resistance", "--missions", ",".join(["2..20"] * 5)), 1, "got 2,476,099, which may take about"),
    (("sweep", "resistance", "--missions", ",".join(["2..20"] * 5), "--yes"), 1, "expected at most 2,000,000 variants"),
    (("sweep", "resistance", "--colour", "1..2"), 1, "resistance has no parameter 'colour'"),
    (("sweep", "nogame"), 1, "unknown game 'nogame'"),
    (("sweep", "resistance", "--out", "rows.txt"), 1, "expected a file that ends in .csv, .parquet, .json or .html"),
    (("sweep", "resistance", "--time", "0"), 1, "expected a time above 0"),
    (("sweep", "resistance", "--most", "0"), 1, "expected at least one variant"),
    (("sweep", "resistance", "--engine", "cloud"), 1, "expected one of the engines local, dask"),
    (("sweep", "resistance", "--workers", "0"), 1, "expected at least one worker"),
    (("sweep", "resistance", "--plot", "map.txt"), 1, "expected a picture that ends in"),
]


@pytest.mark.parametrize(
    ("words", "status", "said"), BAD, ids=lambda one: " ".join(one) if isinstance(one, tuple) else ""
)
def test_bad_input_gets_a_sentence(
    ruse: Any, words: tuple[str, ...], status: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    got, out, err = ruse(*words)
    assert got == status and said in err and not out
    assert not [*tmp_path.iterdir()]


def test_many_variants_are_refused_in_python_too_unless_that_is_meant() -> None:
    with pytest.raises(SweepError, match="give --yes"):
        sweep("resistance", missions=",".join(["2..20"] * 5), yes=False)
    assert len(sweep("resistance", missions=",".join(["2..20"] * 5), most=3, yes=False)) == 3
    with pytest.raises(EngineError):
        sweep("resistance", engine="nowhere")


STOPPED = """
import os, signal
from ruse.studio import sweep
from ruse.start import run

solved_here, answers = sweep.solved_here, []

def stopped(*asked):
    answers.append(solved_here(*asked))
    if len(answers) == 3:
        os.kill(os.getpid(), signal.SIGINT)
    return answers[-1]

sweep.solved_here, sweep.SAMPLING = stopped, 3600.0
run()
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(ruse: Any, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    words = ["sweep", "resistance", *FLAGS, "--out", str(out)]
    stopped = processes.run([sys.executable, "-c", STOPPED, *words], capture_output=True, text=True, check=False)
    assert stopped.returncode == 0 and "run the same command again to continue" in stopped.stderr
    kept = len(out.read_text().splitlines()) - 1
    assert 3 <= kept < 8 and len(SavedVariants("resistance").rows) == 3
    again = json.loads(ruse(*words, "--json")[1])
    assert again["complete"] and again["known"] == 3 and len(again["rows"]) == 8


def test_ctrl_c_between_samples_and_batches_keeps_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = module._batches

    def interrupted(*asked: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return batches(*asked)

    monkeypatch.setattr(module, "SAMPLES", 3)
    monkeypatch.setattr(module, "SAMPLING", 3600.0)
    monkeypatch.setattr(module, "_batches", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
    try:
        found = sweep("resistance", SMALL, workers=1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.solved == 3 and not found.complete


@pytest.mark.slow
def test_pictures(ruse: Any, tmp_path: Path) -> None:
    for name, words in {"curve": ("--spies", "1..3"), "map": FLAGS, "one": ()}.items():
        file = tmp_path / f"{name}.svg"
        assert ruse("sweep", "resistance", *words, "--plot", str(file))[0] == 0
        assert b"<svg" in file.read_bytes()


@pytest.mark.parametrize("page", ["sweep", "balance"])
def test_the_how_to_pages_say_what_is_so(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-to" / f"{page}.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, page, None, 0)
    assert examples.examples and doctest.DocTestRunner().run(examples).failed == 0


def test_the_time_of_a_sweep_keeps_what_was_solved(ruse: Any) -> None:
    """Of a sweep whose last variant would take hours, the first ones are solved."""
    sweep("liars-dice", faces="4", workers=1)  # compiled, if it was not
    found = sweep("liars-dice", faces="2|3|9", time=3, workers=1)
    solved = {row.parameters["faces"]: row.exact for row in found}
    assert solved[2] and solved[3] and not solved.get(9)
    assert found.seconds < 300
    status, _, err = ruse("sweep", "leduc", "--time", "1e-6", "--json")
    assert status in (0, 1) and "Traceback" not in err


def test_an_unsolved_row_is_never_nearest() -> None:
    found = sweep("liars-dice", faces="2|3", workers=1)
    rows = dict(found.rows)
    even = replace(rows[1], certificate=Certificate(Fraction(-1), Fraction(1)), note="late")
    told = "\n".join(summary(replace(found, rows={0: rows[0], 1: even})))
    assert "Closest" not in told and "From" not in told and "1 with bounds only: late." in told
    three = sweep("liars-dice", faces="2..4", workers=1)
    told = "\n".join(summary(replace(three, rows={**three.rows, 2: even})))
    assert "Closest to even among those solved: 55.56% (5/9), faces 3." in told
    assert "Closest to even: 53.12% (17/32), faces 4." in "\n".join(summary(three))


@pytest.mark.parametrize("options", [{"time": 0.0}, {"time": float("nan")}, {"time_each": -1.0}])
def test_what_is_no_time_is_refused(options: dict[str, float]) -> None:
    with pytest.raises(RuseError, match="expected a time above 0 seconds"):
        sweep("liars-dice", faces="2|3", **options)
