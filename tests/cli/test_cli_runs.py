"""The command line with solvers that iterate, with files of Gambit and with what it exports."""

from __future__ import annotations

import csv
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruse.core import atomic_files
from ruse.core.clock import TimeIsUp
from ruse.core.walk import count
from ruse.formats.frames import read_table
from ruse.forms.certificate import Certificate
from ruse.games import find, make
from ruse.solution.store import load
from ruse.solvers import SOLVERS
from ruse.verify import VerifyError
from ruse.verify.verifier import bounds, check_positions
from stderr import only_progress

EFG = """EFG 2 R "guess" { "Hider" "Seeker" }
p "" 1 1 "" { "left" "right" } 0
p "" 2 1 "" { "left" "right" } 0
t "" 1 "" { -3, 3 }
t "" 2 "" { 1, -1 }
p "" 2 1 "" { "left" "right" } 0
t "" 2 "" { 1, -1 }
t "" 3 "" { -1, 1 }
"""


def certified(found: dict[str, Any]) -> Certificate:
    return Certificate(Fraction(found["certificate"]["lower"]), Fraction(found["certificate"]["upper"]))


@pytest.mark.parametrize("solver", [name for name, spec in SOLVERS.items() if spec.iterates])
def test_iterating_solvers_stop_log_and_save(ruse: Any, tmp_path: Path, solver: str) -> None:
    out, log = (str(tmp_path / name) for name in ("kuhn.ruse", "kuhn.csv"))
    status, text, err = ruse(
        *("solve", "kuhn", "--solver", solver, "--gap", "1/20", "--seed", "4", "--out", out, "--log", log, "--json")
    )
    assert status == 0 and only_progress(err)
    found = json.loads(text)
    assert found["solver"] == solver and found["options"]["gap"] == 0.05
    certificate = certified(found)
    assert certificate.lower <= Fraction(-1, 18) <= certificate.upper and certificate.gap <= 0.05
    rows = list(csv.DictReader(Path(log).read_text().splitlines()))
    assert int(rows[-1]["iteration"]) == found["iterations"]
    assert float(rows[-1]["gap"]) == pytest.approx(float(certificate.gap))
    assert ruse("verify", out)[0] == 0


def test_a_run_is_drawn(ruse: Any, tmp_path: Path) -> None:
    plot = tmp_path / "kuhn.svg"
    assert ruse("solve", "kuhn", "--solver", "cfr+", "--iterations", "9", "--plot", str(plot))[0] == 0
    assert "<svg" in plot.read_text()


def test_limits_are_told_where_they_cut_short(ruse: Any) -> None:
    status, out, err = ruse("solve", "leduc", "--solver", "cfr", "--gap", "1e-9", "--iterations", "10")
    assert status == 0 and out.startswith("leduc: worth between -") and "; not exact\n" in out
    assert "stopped with a gap of" in err and "above 1e-09" in err


def test_a_run_goes_on_from_its_checkpoint(ruse: Any, tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "c"), "--resume")
    alone = json.loads(ruse("solve", "leduc", "--solver", "pcfr+", "--iterations", "300", "--json")[1])
    ruse("solve", "leduc", "--solver", "pcfr+", "--iterations", "120", *kept)
    again = json.loads(ruse("solve", "leduc", "--solver", "pcfr+", "--iterations", "300", "--json", *kept)[1])
    assert certified(again) == certified(alone) and again["iterations"] == 300
    status, _, err = ruse("solve", "leduc", "--solver", "cfr+", *kept)
    assert status == 1 and "expected a checkpoint of a run with solver 'cfr+', got one with 'pcfr+'" in err


@pytest.mark.parametrize("words", [("solve", "kuhn", "--solver", "cfr"), ("evolve", "pig")], ids=["solve", "evolve"])
def test_a_checkpoint_never_replaces_another_file(ruse: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "thesis"
    run = (*words, "--iterations", "2", "--checkpoint", str(file))
    file.write_text("years of work")
    for more in ((), ("--resume",)):
        status, out, err = ruse(*run, *more)
        assert (status, out) == (1, "") and err.count("\n") == 1
        assert "this is not a checkpoint: it begins with b'years of'" in err
    assert file.read_text() == "years of work"
    file.write_text("")
    assert ruse(*run)[0] == 0 and file.read_bytes().startswith(b"ruse-checkpoint/1 ")


@pytest.mark.parametrize("words", [("solve", "kuhn", "--solver", "cfr"), ("evolve", "pig")], ids=["solve", "evolve"])
def test_a_forgotten_resume_loses_no_checkpoint(ruse: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "run"
    assert ruse(*words, "--iterations", "3", "--checkpoint", str(file))[0] == 0
    kept = file.read_bytes()
    for more in (words, ("solve", "leduc", "--solver", "cfr"), ("evolve", "war")):  # this run again, or another
        status, out, err = ruse(*more, "--iterations", "2", "--checkpoint", str(file))
        assert (status, out) == (1, "") and err.count("\n") == 1 and file.read_bytes() == kept
        assert f"already holds 3 iterations of {'cfr on kuhn' if words[0] == 'solve' else 'approximate on pig'}" in err
        assert "continue it with --resume (resume=True), choose another name, or remove the file" in err
    status, _, err = ruse("solve", "leduc", "--solver", "cfr", "--checkpoint", str(file), "--resume")
    assert status == 1 and err.count("\n") == 1 and file.read_bytes() == kept
    assert ruse(*words, "--iterations", "4", "--checkpoint", str(file), "--resume")[0] == 0
    assert file.read_bytes() != kept


def test_solvers_that_do_not_iterate_log_their_answer(ruse: Any, tmp_path: Path) -> None:
    ruse("solve", "kuhn", "--log", str(tmp_path / "log.csv"), "--plot", str(tmp_path / "plot.png"))
    (row,) = csv.DictReader((tmp_path / "log.csv").read_text().splitlines())
    assert float(row["gap"]) == 0 and float(row["lower"]) == pytest.approx(-1 / 18)
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("words", [("solve", "kuhn"), ("tournament", "pig", "baseline", "baseline")])
def test_pictures_need_an_extra_and_say_so_before_the_work(
    ruse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    for module in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    status, out, err = ruse(*words, "--plot", str(tmp_path / "k.png"))
    assert (status, out) == (1, "") and not (tmp_path / "k.png").exists()
    assert err == "ruse: --plot needs matplotlib; install it with pip install 'ruse[plots]'\n"


def test_polish(ruse: Any) -> None:
    found = json.loads(ruse("solve", "kuhn", "--solver", "cfr+", "--iterations", "100", "--polish", "--json")[1])
    assert found["value"]["exact"] == "-1/18" and found["solver"] == "cfr+"


def test_auto_says_what_it_chose_and_why(ruse: Any) -> None:
    found = json.loads(ruse("solve", "kuhn", "--json")[1])
    assert found["solver"] == "lp" and "sequences" in found["why"]
    assert ", chosen because " in ruse("solve", "leduc", "--gap", "1e-3")[1]


@pytest.mark.parametrize(
    ("game", "solver"),
    [(("goofspiel", "--cards", "12"), "mccfr-outcome"), (("liars-dice", "--faces", "13"), "mccfr")],
)
def test_a_game_that_does_not_fit_is_sampled(ruse: Any, tmp_path: Path, game: Any, solver: str) -> None:
    out = str(tmp_path / "g.ruse")
    status, text, _ = ruse("solve", *game, "--iterations", "5", "--json", "--out", out)
    found = json.loads(text)
    assert status == 1 and found["solver"] == solver and "does not fit" in found["why"]  # nothing is proved
    assert certified(found) == Certificate(Fraction(-1), Fraction(1))
    assert all(sum(odds.values()) == 1 for table in load(out).tables for odds in table.values())
    status, _, err = ruse("verify", out)
    assert status == 1 and "is too large to check on arrays" in err and err.count("\n") == 1


def test_files_of_gambit(ruse: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "guess.efg", str(tmp_path / "guess.ruse")
    file.write_text(EFG)
    status, text, _ = ruse("solve", str(file), "--out", out)
    assert status == 0 and "guess: worth -1/3" in text  # by hand: (3·1 - 1·1) / (3 + 1 + 1 + 1)
    file.unlink()
    assert ruse("verify", out)[0] == 0  # the solution holds the game
    file.write_text(EFG.replace("{ -3, 3 }", "{ -3, 4 }"))
    status, _, err = ruse("solve", str(file))
    assert status == 1 and err.count("\n") == 1 and "line 4, column 1" in err


@pytest.mark.parametrize("name", ["kuhn", "matrix"])
def test_exports(ruse: Any, tmp_path: Path, name: str) -> None:
    out = str(tmp_path / "s.ruse")
    ruse("solve", name, *(["--payoffs", "1 -1; -1 2"] if name == "matrix" else []), "--out", out)
    paths = {form: str(tmp_path / f"s.{form}") for form in ("csv", "parquet", "efg", "nfg", "mps")}
    status, text, _ = ruse("export", out, *(word for form, path in paths.items() for word in (f"--{form}", path)))
    assert status == 0 and text.count("Written: ") == len(paths)
    solution = load(out)
    for form in ("csv", "parquet"):
        assert bounds(solution.game, read_table(paths[form])) == solution.certificate
    for form in ("efg", "nfg"):
        found = json.loads(ruse("solve", paths[form], "--json")[1])
        assert certified(found) == solution.certificate
    assert "ENDATA" in Path(paths["mps"]).read_text()


def test_exports_of_games(ruse: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "d.efg")
    found = json.loads(ruse("export", "liars-dice", "--faces", "2", "--efg", path, "--json")[1])
    assert found == {"written": {"efg": path}}
    assert count(find(path)).states == count(make("liars-dice", {"faces": 2})).states


@pytest.mark.soak
@pytest.mark.slow
def test_positions_are_found_in_any_order_of_moves() -> None:
    """Solvers other than backward induction write a game with boards down play by play."""
    game, entry = make("tic-tac-toe"), {"i": Fraction(1)}  # the only cell left
    check_positions(game, 0, {"tic-tac-toe/a/b/c/d/e/g/h/f": entry, "tic-tac-toe/h/b/c/d/e/g/a/f": entry}, seats=False)
    with pytest.raises(VerifyError, match="expected positions of tic-tac-toe where Player 1 moves"):
        check_positions(game, 0, {"tic-tac-toe/a/b/c/d/e/g/h/h": entry}, seats=False)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("oshi-zumo", "--coins", "8", "--solver", "matrix"), "about 10^7850 × about 10^7850"),
        (("oshi-zumo", "--coins", "8", "--solver", "lemke-howson"), "about 10^7850 × about 10^7850"),
        (("matrix", "--payoffs", "1e999"), "a number of at most 300 digits"),
        (("liars-dice", "--faces", "1_0"), "a whole number for --faces, got '1_0'"),
        (("liars-dice", "--faces", "12", "--solver", "backward-induction"), "it has about 10^9 nodes"),
        (("kuhn", "--out", "{}/x", "--log", "{}/x"), "--log and --out name the same file"),
        (("kuhn", "--out", "/proc/x.ruse"), "cannot write to /proc/x.ruse for --out"),
        (("efg", "--text", "x"), "a file that begins with EFG"),
        (("openspiel:chess", "--solver", "lp"), "it has at least"),
    ],
)
def test_refusals_of_one_sentence(ruse: Any, tmp_path: Path, arguments: tuple[str, ...], expected: str) -> None:
    status, out, err = ruse("solve", *(word.format(tmp_path) for word in arguments))
    assert (status, out) == (1, "") and expected in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_sizes_of_games_that_nobody_can_walk(ruse: Any) -> None:
    assert "over 5,000,000" in ruse("sizes", "openspiel:chess")[1]
    assert json.loads(ruse("sizes", "openspiel:chess", "--json")[1])["states"] == {"over": 5_000_000}


def test_an_answer_that_cannot_be_saved_is_still_told(
    ruse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(atomic_files, "replace", full)
    status, out, err = ruse("solve", "kuhn", "--out", str(tmp_path / "k.ruse"), "--json")
    assert status == 1 and json.loads(out)["value"]["exact"] == "-1/18" and "no space left" in err


@pytest.mark.parametrize("solver", ["lp", "auto"])
def test_an_lp_whose_time_is_up_leaves_the_uniform_strategy(
    ruse: Any, solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: Any, **__: Any) -> Any:
        raise TimeIsUp("the time is up")

    monkeypatch.setattr("ruse.solvers.lp.lp", late)
    monkeypatch.setattr("ruse.solving.solve_form.check_compiled", late)  # auto has no time to iterate either
    status, out, _ = ruse("solve", "leduc", "--solver", solver, "--time", "600", "--json")
    found = json.loads(out)
    assert "uniform strategy" in found["note"] and found["gap"] > 1
    assert status == 0 and found["solver_finished"] is False
    status, out, _ = ruse("solve", "leduc", "--solver", solver, "--time", "600")
    assert f"(stopped: {solver} ran out of time)" in out.splitlines()[0]
    assert "Solved" not in out and f"Stopped: {solver} ran out of time" in out and "uniform strategy" in out


def test_exactness_that_was_asked_for_and_is_not_there_is_status_1(ruse: Any) -> None:
    asked = ("solve", "kuhn", "--solver", "cfr+", "--iterations", "3")
    assert ruse(*asked)[0] == 0
    status, text, err = ruse(*asked, "--gap", "0")
    assert status == 1 and "not exact" in text
    assert "the bounds are not equal" in err
    assert ruse(*asked, "--gap", "0", "--json")[0] == 1
    status, text, _ = ruse(*asked, "--polish")
    assert status == 0 and text.startswith("kuhn: worth -1/18") and "Polishing made it exact in " in text
