"""The command line: what it prints, how it exits, and nonsense. Never a traceback."""

from __future__ import annotations

import json
import os
import shlex
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import processes
from ruse.games import ELSEWHERE, GAMES
from ruse.solution import store
from ruse.verify import VerifyError
from stderr import only_progress, said

RUSE = [sys.executable, "-m", "ruse"]


def test_solve_json_is_the_contract(ruse: Any) -> None:
    status, out, _ = ruse("solve", "resistance", "--players", "10", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["game"] == "resistance"
    assert found["parameters"] == {
        "players": 10,
        "spies": 4,
        "missions": [3, 4, 4, 5, 5],
        "sabotages": [1, 1, 1, 2, 1],
    }
    assert found["value"] == {"exact": "-2/3", "float": pytest.approx(-2 / 3)}
    assert found["certificate"] == {"lower": "-2/3", "upper": "-2/3", "exact": True, "proof": "game-verifier"}
    assert found["win"] == {"resistance": "1/6", "spies": "5/6"}
    assert found["gap"] == 0 and found["solver"] == "simple-rules"
    assert found["why"] == "simple strategies prove each other optimal"
    assert found["seconds"] > 0 and found["iterations"] >= 0


def test_games_without_a_draw_and_with_one(ruse: Any) -> None:
    assert json.loads(ruse("solve", "tic-tac-toe", "--json")[1])["win"] == {"first": "0", "second": "0", "draw": "1"}
    assert "win" not in json.loads(ruse("solve", "kuhn", "--json")[1])


SMALLER = {
    "matrix": ["--payoffs", "1 -1; -1 2"],
    "liars-dice": ["--faces", "3"],
    "poker": ["--ranks", "2"],
    "battleship": ["--shots", "2"],
    "guess-who": ["--mine", "9", "--theirs", "8"],
    "pig": ["--goal", "12"],
    "phantom-tic-tac-toe": ["--board", "2x3"],
    "phantom-4-in-a-row": ["--board", "3x3", "--line", "3"],
    "avalon": ["--players", "3", "--spies", "1", "--missions", "1,1,1,1,1"],
    "4-in-a-row": ["--rows", "4", "--columns", "4"],
}


@pytest.mark.cases(7)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_solves_shows_and_verifies(ruse: Any, tmp_path: Path, name: str) -> None:
    file = str(tmp_path / "game.ruse")
    status, out, err = ruse("solve", name, *SMALLER.get(name, []), "--out", file)
    found = "; bounded" if name == "pig" else "; exact"  # play can come back to a state there
    assert status == 0 and only_progress(err) and found in out.splitlines()[0]
    assert ruse("verify", file)[0] == 0
    status, out, _ = ruse("show", file)
    assert status == 0 and "Certificate" in out
    shown = json.loads(ruse("show", file, "--json")[1])
    first = next(iter(shown["strategies"].values()))
    position, odds = next(iter(first.items()))
    status, out, _ = ruse("show", file, position)
    assert status == 0 and "to move" in out
    moves = json.loads(ruse("show", file, position, "--json")[1])["moves"]
    assert odds in [side["odds"] for side in moves.values()]
    assert sum(Fraction(share) for share in odds.values()) == 1


def test_options_of_solve(ruse: Any) -> None:
    small = ["resistance", "--players", "3", "--spies", "1", "--missions=1,1,1,1,1"]
    for options in ([], ["--no-teams"], ["--no-symmetry", "--no-forced"], ["--solver", "lp", "--method", "ipm"]):
        status, out, _ = ruse("solve", *small, *options, "--json")
        assert status == 0 and json.loads(out)["value"]["exact"] == "1"
    assert json.loads(ruse("solve", "kuhn", "--side", "1", "--json")[1])["options"] == {"side": 1}


def test_show_says_what_a_mission_stands_for_and_what_is_advice(ruse: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "five.ruse")
    ruse("solve", "resistance", "--out", file)
    out = ruse("show", file, "resistance-5")[1]
    assert "2 of abcde" in out
    assert "never reaches this position" in ruse("show", file, "resistance-5/ab+/cde+")[1]
    assert "never reaches this position" not in out


def test_sizes_and_games(ruse: Any) -> None:
    assert "12,162 nodes, as he prints" in ruse("sizes", "resistance", "--players", "5")[1]
    found = json.loads(ruse("sizes", "resistance", "--players", "7", "--json")[1])
    assert found["programs"]["the same with impossible spy sets"] == {"rows": 3_032_386, "columns": 1_570_740}
    assert json.loads(ruse("sizes", "leduc", "--json")[1])["information_sets"] == {"first": 468, "second": 468}
    found = json.loads(ruse("sizes", "liars-dice", "--faces", "13", "--json")[1])
    assert found["states"] == {"all": 22_682_795_877}  # 1 + 13 + 13² (2²⁷ - 1): sets of 26 bids, called or not
    assert "too many to visit them all" in ruse("sizes", "liars-dice", "--faces", "13")[1]
    listed = json.loads(ruse("games", "--json")[1])["games"]
    assert [game["name"] for game in listed] == [*GAMES, *ELSEWHERE]
    assert all(name in ruse("games")[1] for name in GAMES)
    assert "the higher card wins the pot" in ruse("games", "kuhn")[1].lower()
    assert "--players N" in ruse("games", "resistance")[1]
    assert json.loads(ruse("games", "goofspiel", "--json")[1])["parameters"][0]["default"] == 4


def test_score(ruse: Any, tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("side: spies\nmissions of more than 2: sabotage\notherwise: pass\n")
    assert "76.78% (43/56)" in ruse("score", "resistance", str(rules), "--players", "8")[1]
    assert "76.78% (43/56)" in ruse("score", "resistance", "--players", "8", str(rules))[1]
    found = json.loads(ruse("score", "resistance", "--players=8", str(rules), "--json")[1])
    assert found["scores"][0]["win"] == {"spies": "43/56"}


def test_the_game_is_found_wherever_it_stands(ruse: Any) -> None:
    status, out, _ = ruse("solve", "--json", "--solver", "lp", "--method", "ipm", "kuhn")
    assert status == 0 and json.loads(out)["game"] == "kuhn"
    status, out, _ = ruse("solve", "--solver", "matrix", "--payoffs=1 2; 3 4", "matrix", "--json")
    assert status == 0 and json.loads(out)["value"]["exact"] == "3"


BAD = [
    ((), 2, "required: COMMAND"),
    (("dance",), 2, "invalid choice: 'dance'"),
    (("solve",), 2, "required: GAME"),
    (("solve", "kuhnn"), 1, "did you mean 'kuhn'?"),
    (("solve", "kuhn", "--flavour", "3"), 1, "kuhn has no parameter 'flavour'"),
    (("solve", "resistance", "--colour", "3"), 1, "resistance has no parameter 'colour'"),
    (("solve", "resistance", "--players"), 2, "argument --players: expected a value"),
    (("solve", "resistance", "--players", "5", "--players", "6"), 2, "given twice"),
    (("solve", "resistance", "extra"), 2, "unrecognized argument: extra"),
    (("games", "--players", "5"), 2, "unrecognized arguments: --players"),
    (("solve", "resistance", "--players", "five"), 1, "expected a whole number for --players, got 'five'"),
    (("solve", "resistance", "--spies", "6"), 1, "expected 1 to 4 spies among 5 players, got 6"),
    (("solve", "resistance", "--sabotages", "1,1"), 1, "expected 5 sabotage counts, one for each mission, got 2"),
    (("solve", "resistance", "--missions", "2,3,2,3,9"), 1, "expected mission 5 to send 1 to 5 seats, got 9"),
    (("solve", "resistance", "--sabotages", "1,1,9,1,1"), 1, "expected mission 3 to fail at 1 to 2 sabotages"),
    (("solve", "kuhn", "--solver", "magic"), 1, "expected one of the solvers auto"),
    (("solve", "kuhn", "--solver", "lazy-lp"), 1, "lazy-lp solves only resistance, not kuhn"),
    (("solve", "kuhn", "--method", "guess"), 2, "invalid choice: 'guess'"),
    (("solve", "matrix"), 1, "expected either --payoffs or --file"),
    (("solve", "matrix", "--payoffs", "1 2; 3"), 1, "expected 2 payoffs in every row"),
    (("solve", "matrix", "--file", "/no/such/table.csv"), 1, "/no/such/table.csv"),
    (("solve", "kuhn", "--out", "/no/such/folder/k.ruse"), 1, "for --out does not exist"),
    (("solve", "kuhn", "--out", ""), 1, "the folder of '' for --out does not exist"),
    (
        ("sizes", "resistance", "--players", "20", "--spies", "6", "--missions", "5,6,7,8,9"),
        1,
        "expected at most 16 players",
    ),
    (("solve", "kuhn", "--plot", "/no/such/folder/k.png"), 1, "for --plot does not exist"),
    (("solve", "kuhn", "--plot", "k.bmp"), 1, "expected a picture that ends in .png, .svg, .pdf, got 'k.bmp'"),
    (("solve", "kuhn", "--gap", "-1"), 1, "expected a gap of at least 0, got -1"),
    (("solve", "kuhn", "--gap", "small"), 2, "argument --gap: invalid"),
    (("solve", "kuhn", "--gap", "1e9999999999"), 2, "argument --gap: invalid"),
    (("solve", "kuhn", "--gap", "1_0"), 2, "argument --gap: invalid"),
    (("solve", "kuhn", "--gap", "1/0"), 2, "argument --gap: invalid"),
    (("solve", "kuhn", "--time", "0"), 1, "expected a time of more than 0 seconds, got 0"),
    (("solve", "kuhn", "--time", "1e999"), 2, "argument --time: invalid"),
    (("solve", "kuhn", "--iterations", "0"), 1, "expected 1 to 1,000,000,000,000,000 iterations, got 0"),
    (("solve", "kuhn", "--iterations", "1.5"), 2, "argument --iterations: invalid"),
    (("solve", "kuhn", "--seed", "-3"), 1, "expected a seed from 0 to"),
    (("solve", "kuhn", "--solver", "cfr", "--resume"), 1, "--resume needs --checkpoint FILE"),
    (("solve", "kuhn", "--solver", "lp", "--checkpoint", "c"), 1, "lp does not iterate and cannot use a checkpoint"),
    (("solve", "goofspiel", "--cards", "12", "--solver", "cfr+"), 1, "use mccfr, which never builds the tree"),
    (("solve", "liars-dice", "--faces", "0"), 1, "expected"),
    (("solve", "/no/such/game.efg"), 1, "cannot read the game /no/such/game.efg: no such file or directory"),
    (("solve", "openspiel:kuhn_pokr"), 1, "did you mean 'kuhn_poker'?"),
    (("export", "kuhn"), 2, "choose at least one format: --csv"),
    (("export", "kuhn", "--csv", "k.csv"), 1, "expected a solution (FILE.ruse) for --csv, got the game kuhn"),
    *(
        (
            ("export", "phantom-4-in-a-row", "--board", "3x3", "--line", "3", f"--{form}", "never"),
            1,
            f"expected a game of at most 1,000,000 nodes to write as .{form}, got at least 1,0",
        )
        for form in ("efg", "nfg", "mps")
    ),
    (("export", "/no/such.ruse", "--csv", "k.csv"), 1, "/no/such.ruse"),
    (("show", "/no/such/file.ruse"), 1, "/no/such/file.ruse"),
    (("verify", "/"), 1, "it is a folder"),
    (("verify", __file__), 1, "this is not a ruse solution file"),
    (("score", "kuhn", "/no/such/rules.txt"), 1, "cannot read the rule file /no/such/rules.txt: no such file"),
    (("score", "kuhn", "/no/such/rules.py"), 1, "there is no file"),
    (("solve", "guess-who", "--solver", "lazy-lp"), 1, "not guess-who: use auto"),
    (("solve", "4-in-a-row", "--solver", "lp"), 1, "use alpha-beta, backward-induction, value-iteration or auto"),
    (
        ("solve", "4-in-a-row", "--solver", "value-iteration"),
        1,
        "at most 16 cells for the solver value-iteration, got 42",
    ),
    (("solve", "4-in-a-row", "--checkpoint", "never"), 1, "the solvers of 4-in-a-row do not iterate"),
]


@pytest.mark.parametrize(
    ("words", "example"),
    [
        (("kuhn",), "kuhn@J: check 2/3 or bet 1/3"),
        (("nim",), "nim@first/1,3,5,7: a1 2/3 or b1 1/3"),
        (("guess-who",), "24: 12 if 17+, 8 if 9-16"),
        (("pig", "--goal", "12"), "0-79: 20 if 0-70, 25 if 71+"),
    ],
)
def test_examples_of_rules_are_of_the_game(ruse: Any, tmp_path: Path, words: tuple[str, ...], example: str) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("side: first\nnonsense\n")
    status, out, err = ruse("score", *words, str(rules))
    assert (status, out) == (1, "") and f"such as {example!r}, got 'nonsense'" in err
    rules.write_text(f"side: first\n{example}\n")
    assert "such as" not in ruse("score", *words, str(rules))[2]  # it is one, though it may not be enough


SMALL_BOARD = ("4-in-a-row", "--rows", "3", "--columns", "4", "--line", "3")
FOUR = "4-in-a-row(rows=3,columns=4,line=3)"
GUESS = "guess-who(mine=5,theirs=6)"
PIG = "pig(goal=12)"


@pytest.mark.parametrize(
    ("words", "position", "sentence"),
    [
        (
            ("4-in-a-row", "--rows", "3", "--columns", "4", "--line", "3"),
            f"{FOUR}@xo,-,-,-",
            "Player 1's strategy never reaches",
        ),
        (
            ("4-in-a-row", "--rows", "3", "--columns", "4", "--line", "3"),
            f"{FOUR}@xox,-,-,-",
            "Player 2's strategy never reaches",
        ),
        (SMALL_BOARD, f"{FOUR}@x,x,-,-", f"such as {FOUR}@-,-,-,-"),
        (SMALL_BOARD, f"{FOUR}@x,x,x,oo", "nobody moves at"),
        (("guess-who", "--mine", "5", "--theirs", "6"), f"{GUESS}@second/9,9", f"position of {GUESS}, such as"),
        (("pig", "--goal", "12"), f"{PIG}@second/50,50", f"such as {PIG}@first/0,0,0 or {PIG}@second/0,0,0"),
        (("kuhn",), "kuhn@K/bet/raise", "of kuhn where a side moves, such as kuhn@J, got 'kuhn@K/bet/raise'"),
    ],
)
def test_positions_that_no_strategy_comes_to(
    ruse: Any, tmp_path: Path, words: tuple[str, ...], position: str, sentence: str
) -> None:
    file = str(tmp_path / "s.ruse")
    assert ruse("solve", *words, "--out", file)[0] == 0
    status, out, err = ruse("show", file, position)
    assert (status, out) == (1, "") and sentence in err and err.count("\n") == 1


@pytest.mark.parametrize(("arguments", "status", "sentence"), BAD, ids=[" ".join(one[0])[-40:] for one in BAD])
def test_nonsense(ruse: Any, arguments: tuple[str, ...], status: int, sentence: str) -> None:
    found, out, err = ruse(*arguments)
    assert (found, out) == (status, "")
    assert sentence in err
    assert status == 2 or err.count("\n") == 1, "one sentence"
    assert "Traceback" not in err


@pytest.mark.parametrize("position", ["nonsense", "kuhn", "resistance-5/abc+", "resistance-5/ab", "resistance-6/ab+"])
def test_positions_that_do_not_exist(ruse: Any, tmp_path: Path, position: str) -> None:
    file = str(tmp_path / "five.ruse")
    ruse("solve", "resistance", "--out", file)
    status, out, err = ruse("show", file, position)
    assert (status, out) == (1, "") and err.startswith("ruse: expected") and err.count("\n") == 1


def test_verify_fails_on_a_wrong_claim(ruse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sound checksum and a false value, the mathematics says no, on stdout, with status 1."""
    file = tmp_path / "kuhn.ruse"
    ruse("solve", "kuhn", "--out", str(file))
    header, _, payload = file.read_bytes().partition(b"\n")
    solution = store.load(file)
    object.__setattr__(solution.certificate, "lower", Fraction(-1, 19))
    object.__setattr__(solution.certificate, "upper", Fraction(-1, 19))
    solution.save(file)
    with pytest.raises(VerifyError):
        store.load(file).verify()
    status, out, err = ruse("verify", str(file))
    assert status == 1 and only_progress(err) and "NOT verified" in out and "-1/19" in out and "-1/18" in out
    assert json.loads(ruse("verify", str(file), "--json")[1])["verified"] is False
    file.write_bytes(header + b"\n" + payload[:-1])
    status, _, err = ruse("verify", str(file))
    assert status == 1 and err.startswith("ruse: expected")


def test_a_typo_in_the_first_line_of_a_table_is_no_name(ruse: Any, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("2.5,O\n3,1\n")
    status, out, err = ruse("solve", "matrix", "--file", str(table))
    assert (status, out) == (1, "") and "not both, got 'O'" in err
    table.write_text("−1,½\n3,1\n")
    assert ruse("solve", "matrix", "--file", str(table))[0] == 1
    table.write_text(",left,right\nup,−1,1/2\ndown,3,1\n")
    assert json.loads(ruse("solve", "matrix", "--file", str(table), "--json")[1])["value"]["exact"] == "1"
    status, _, err = ruse("solve", "matrix", "--file", "/dev/zero")
    assert status == 1 and "a device or pipe" in err


def test_output_survives_poor_terminals(ruse: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "kuhn.ruse")
    ruse("solve", "kuhn", "--out", file)
    poor = {**os.environ, "PYTHONIOENCODING": "ascii"}
    found = processes.run([*RUSE, "show", file, "kuhn@J"], capture_output=True, env=poor, check=True)
    assert b"check" in found.stdout and b"####" in found.stdout and b"?" not in found.stdout
    closed = processes.run(["sh", "-c", f"{shlex.join(RUSE)} solve kuhn >&-"], capture_output=True, check=False)
    assert b"Traceback" not in closed.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "poor",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["ascii asked for", "no locale"],
)
def test_nothing_is_lost_where_only_ascii_can_be_shown(ruse: Any, tmp_path: Path, poor: dict[str, str]) -> None:
    """JSON in escapes, text with signs that resemble those that are missing."""
    game = tmp_path / "zoe.efg"
    tree = 'p "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1/3 -1/3 }\nt "" 2 "" { 0 0 }'
    game.write_text(f'EFG 2 R "Zoë’s game" {{ "Zoë" "Bo" }}\n{tree}\n', encoding="utf-8")

    def said(*words: str) -> str:
        found = processes.run(
            [*RUSE, "solve", str(game), *words],
            capture_output=True,
            env={**os.environ, **poor},
            check=True,
        )
        assert b"Traceback" not in found.stderr
        return found.stdout.decode("ascii")

    escaped, plain = json.loads(said("--json")), json.loads(ruse("solve", str(game), "--json")[1])
    assert {**escaped, "seconds": 0} == {**plain, "seconds": 0} and "Zoë" in json.dumps(plain, ensure_ascii=False)
    text = said()
    assert "worth 1/3 ~ 0.333333 to Zoe; exact" in text and "?" not in text


def test_a_strategy_file_that_prints_or_exits(ruse: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "print('hello')\nside = 'spies'\ndef strategy(position, moves):\n    print(moves)\n    return 'pass'\n"
    )
    assert "win" in json.loads(ruse("score", "resistance", str(file), "--json")[1])["scores"][0]
    file.write_text("import sys\nsys.exit(0)\n")
    status, out, err = ruse("score", "resistance", str(file), "--side", "spies")
    assert (status, out) == (1, "") and "SystemExit" in err


@pytest.mark.parametrize(
    ("commands", "heavy"),
    [
        (["--help"], {"numpy", "scipy", "highspy", "ruse.solving.pipeline"}),
        (["solve kuhn", "solve resistance"], {"scipy", "numba"}),  # which took half of a small solve
    ],
)
def test_little_is_imported(commands: list[str], heavy: set[str]) -> None:
    """`ruse --help` has to feel instant, and a small solve nearly so."""
    code = (
        "import sys; from ruse.cli import main\n"
        f"for command in {commands}:\n    try: main(command.split())\n    except SystemExit: pass\n"
        f"print({heavy} & set(sys.modules))"
    )
    found = processes.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.splitlines()[-1] == "set()"


def test_stdout_is_for_results_and_pipes_may_close() -> None:
    shell = f"{shlex.join(RUSE)} solve leduc | head -n 1"
    found = processes.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("leduc: worth") and only_progress(found.stderr)


INTERRUPTED = """
import os, signal
from ruse.games.resistance.program import ResistanceProgram
from ruse.start import run

ResistanceProgram.separate = lambda *_: os.kill(os.getpid(), signal.SIGINT)  # in the search for the first cut
run()
"""


@pytest.mark.slow
def test_an_interrupted_solve_writes_nothing(tmp_path: Path) -> None:
    table = ["--players", "12", "--spies", "5", "--missions", "3,4,5,6,6", "--sabotages", "1,1,1,2,1"]
    done = processes.run(
        [sys.executable, "-c", INTERRUPTED, "solve", "resistance", *table, "--out", str(tmp_path / "twelve.ruse")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert said(done.stderr) == ["ruse: stopped before the end; no solution was written"]
    assert list(tmp_path.iterdir()) == []
