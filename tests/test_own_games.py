"""Games of people's own, in a file or in an installed package, are treated as ruse's own by every command; nothing that
is opened or sent, but only their name on the command line, ever runs them; what is wrong with one is one sentence."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import processes
import ruse as package
from amounts import ALL
from installing import install
from pages import DOCS, run_examples, type_in
from ruse.core import clock, entry_points, interrupts
from ruse.core import named_games as own
from ruse.core.game import GameError, RuseError
from ruse.core.own import as_game, name_of, position, written
from ruse.play.storage import Sessions
from ruse.solution import container
from ruse.solution.container import StoreError
from ruse.solving import routes
from serving import PATIENCE, begin, play_on, serving

Ruse = Callable[..., tuple[int, str, str]]  # the command line, as conftest.py has it

PAGE = (DOCS / "how-to" / "write-a-game.md").read_text(encoding="utf-8")
(ONE_CARD,) = re.findall(r"\$ cat onecard.py\n(.*?)```", PAGE, re.DOTALL)
VALUE = "-1/18"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, where nothing is named yet and what is kept is kept."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("onecard.py").write_text(ONE_CARD, encoding="utf-8")
    with own.only_here():
        yield tmp_path


def test_one_card_poker_is_at_most_forty_lines_and_needs_two_names_of_ruse() -> None:
    assert len(ONE_CARD.splitlines()) <= 40
    assert re.findall(r"^.*ruse.*$", ONE_CARD, re.MULTILINE) == ["from ruse import CHANCE, END"]


@pytest.mark.cases(1)
@pytest.mark.slow
@pytest.mark.parametrize("how", ["file", "package"])
def test_a_game_of_ones_own_goes_everywhere(how: str, here: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    spelled, name = "onecard.py", "one-card"
    if how == "package":
        Path("onecard.py").unlink()
        spelled = name = "tiny-poker"
        install(here, monkeypatch, {"tiny-poker": "throwaway_cards:OneCard"}, throwaway_cards=ONE_CARD)
        assert "tiny-poker           One-card poker" in ruse("games")[1]
    status, out, err = ruse("solve", spelled, "--out", "x.ruse")
    assert (status, err) == (0, "") and out.startswith(f"{name}: worth {VALUE} ")
    assert json.loads(ruse("solve", spelled, "--cards", "4", "--json")[1])["parameters"] == {"cards": 4}
    assert "--cards N" in ruse("games", spelled)[1]
    named = ("--game", spelled)
    assert ruse("verify", "x.ruse", *named)[0] == 0
    assert f"{name}@1: Player 1 to move" in ruse("show", "x.ruse", f"{name}@1", *named)[1]
    Path("fold.py").write_text("side = 'second'\ndef strategy(position, moves):\n    return moves[0]\n")
    assert "Player 2's strategy concedes Player 1 at most 1 " in ruse("score", spelled, "fold.py")[1]
    assert ruse("export", "x.ruse", *named, "--efg", "x.efg", "--csv", "x.csv")[0] == 0
    assert json.loads(ruse("solve", "x.efg", "--json")[1])["value"]["exact"] == VALUE
    assert json.loads(ruse("sizes", spelled, "--json")[1])["states"]["all"] == 55
    type_in(monkeypatch, "check", "call", "call")
    status, out, _ = ruse("play", spelled, "--seed", "4")
    assert status == 0 and "You lose 2." in out
    for opened in ((spelled,), ("x.ruse", *named)):
        with serving(here, *opened) as server, httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
            (entry,) = (one for one in server.told("/library.json")["entries"] if one["origin"] == "given")
            found = server.told(f"/p/{name}@1.json?file={entry['file']}")
            assert found["position"] == f"{name}@1" and [one["move"] for one in found["options"]] == ["check", "bet"]
            assert "both ante 1" in server.shown(f"/?file={entry['file']}")
            if opened[0] == spelled:
                assert play_on(client, begin(client, name, "first", 4), Random(1))["over"]
    status, _, err = ruse("show", "x.ruse")
    assert status == 1 and "name the rules of" in err


def test_the_examples_of_the_pages_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    for page in ("how-to/write-a-game.md", "how-to/write-a-game-more.md"):
        assert run_examples(page, monkeypatch, capsys)


def test_the_examples_of_public_trees_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    if not ALL:
        monkeypatch.setattr(routes, "LARGE", 1000)  # nodes, so that a smaller game goes by its public tree too
    smaller = {"--cards 400": "--cards 40", "(cards=400)": "(cards=40)"}
    assert run_examples("how-to/public-trees.md", monkeypatch, capsys, smaller)
    assert package.load("many.ruse", game="manycards.py").solver == "pdcfr+"


def test_strategies_for_a_game_of_ones_own_are_scored_from_python() -> None:
    namespace: dict[str, Callable[[], object]] = {}
    exec(ONE_CARD, namespace)
    game = namespace["OneCard"]()
    assert package.score_function(game, 1, lambda position, moves: moves[0]).payoff == 1
    (score,) = package.score_rules(game, "side: second\notherwise: fold or check")
    assert score.payoff == 1


BROKEN = ONE_CARD.partition("    def payoff")[0]
BAD = {
    "not Python": ("def class", "", r"SyntaxError: invalid syntax \(bad.py, line 1\)"),
    "bytes": ("x = '\0'", "", r"SyntaxError: .*null bytes \(bad.py\)"),
    "no game": ("x = 1\n", "", r"bad.py has no class with the methods start, "),
    "nearly": (BROKEN, "", r"class OneCard in bad.py has no payoff \(line 7\); a game needs start, "),
    "nearly named": (BROKEN, ":OneCard", r"class OneCard in bad.py has no payoff \(line 7\); a game needs start, "),
    "several": (
        ONE_CARD + "class Other(OneCard):\n    pass\n",
        "",
        r"bad.py has several games, OneCard, Other: .* bad.py:OneCard",
    ),
    "another name": (ONE_CARD, ":Two", r"bad.py has no class or function 'Two'; its games are: OneCard"),
    "a value": (ONE_CARD + "two = 2\n", ":two", r"a function that returns a game, got int \(bad.py:two\)"),
    "raises": ("x = 1\n\nx / 0\n", "", r"cannot import bad.py: ZeroDivisionError: division by zero \(bad.py, line 3\)"),
    "leaves": ("import sys\nsys.exit(3)\n", "", r"cannot import bad.py: SystemExit: 3 \(bad.py, line 2\)"),
    "needs": ("import no_such_package\n", "", r"imports no_such_package, which is not installed \(bad.py, line 1\)"),
    "taken": (
        ONE_CARD.replace("OneCard", "Kuhn"),
        "",
        r"ruse already has a game 'kuhn': rename the class of bad.py:Kuhn",
    ),
    "parameter": (ONE_CARD.replace("cards: int = 3", "cards=0.5"), "", r"as the type of cards of OneCard, got 0.5"),
    "annotation": (ONE_CARD.replace("cards: int", "cards: float"), "", r"as the type of cards of OneCard, got float"),
    "odds": (ONE_CARD.replace("[Fraction(1, ", "[(1 / "), "", r"expected exact odds .*\(bad.py, line 25\)$"),
    "payoff": (ONE_CARD.replace("return 1 if", "return 0.5 if"), "", r"exact payoff.* got 0\.5 \(bad.py, line 36\)$"),
    "error": (ONE_CARD.replace('(2 if "call"', '(None + 2 if "call"'), "", r"TypeError: .*\(bad.py, line 40\)$"),
    "recall": (
        ONE_CARD.replace(", *bets)  # its", ",)  # its"),
        "",
        r"Player [12] forgets its own move \(imperfect recall\)",
    ),
    "makes none": (
        ONE_CARD + "def f(): return 3\n",
        ":f",
        r"expected a game from bad.py:f, got int, which has no start",
    ),
    "cannot be made": (ONE_CARD.replace("self.deals =", "1 / 0,"), "", r"ZeroDivisionError.*\(bad.py, line 11\)"),
    "needs more": (ONE_CARD.replace("cards: int = 3", "cards: int"), "", r"one-card needs --cards"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_wrong_with_a_file_is_one_sentence(kind: str, ruse: Ruse) -> None:
    content, name, sentence = BAD[kind]
    Path("bad.py").write_text(content, encoding="utf-8")
    status, out, err = ruse("check", f"bad.py{name}")
    said = out + err
    assert status == 1 and len(said.splitlines()) == 1 and re.search(sentence, said), said
    debugged = ruse("solve", f"bad.py{name}", "--debug")
    assert debugged[0] == 1 and "Traceback" in debugged[2]
    assert "Traceback" not in ruse("solve", f"bad.py{name}")[2]


@pytest.mark.slow
def test_rules_that_never_answer_are_stopped_by_time_and_by_ctrl_c(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "perf_counter", lambda: 0.0)  # nobody but the rules is late
    monkeypatch.setattr(interrupts, "PATIENCE", 0.2)
    head, _, tail = ONE_CARD.partition("    def moves(self, state):\n")
    Path("loop.py").write_text(f"{head}    def moves(self, state):\n        while True:\n            pass\n{tail}")
    for command in ("solve", "check"):
        status, out, err = ruse(command, "loop.py", "--time", "0.1")
        assert status == 1 and re.search(r"did not answer in time \(loop.py, line 2[23]\)", out + err)
    command = [sys.executable, "-m", "ruse", "solve", "loop.py"]
    with processes.started(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and "solving" in process.stderr.readline()  # it is under way
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=PATIENCE)[1]
    assert "stopped before the end" in told and "Traceback" not in told
    assert process.returncode in (1, -signal.SIGINT)  # Python ends so where Ctrl-C came while C code ran Python's


def test_play_that_never_ends_is_told_where(ruse: Ruse) -> None:
    """At most two bets are remembered, and checks may follow each other for ever."""
    forgets = ONE_CARD.replace("(*bets, move)", "(*bets[1:], move)").replace('bets == ("check", "check")', "False")
    Path("bad.py").write_text(forgets, encoding="utf-8")
    status, out, _ = ruse("check", "bad.py")
    assert status == 1 and "which returns to state" in out


COINS = """from ruse import END

class Coins:
    start = tuple
    def turn(self, state): return len(state) % 2 if len(state) < 20 else END
    def moves(self, state): return (0, 1)
    def odds(self, state): return ()
    def play(self, state, move): return (*state, move)
    def knows(self, state, side): return state
    def payoff(self, state): return sum(state)
"""


def test_a_check_says_how_large_a_game_is_and_whether_it_saw_all(ruse: Ruse) -> None:
    assert json.loads(ruse("check", "onecard.py", "--json")[1])["size"]["states"]["all"] == 55
    Path("coins.py").write_text(COINS)
    status, out, _ = ruse("check", "coins.py")
    assert status == 0 and "at 20,000 states of random games" in out
    Path("bad.py").write_text(BROKEN + "    def payoff(self, state):\n        return 0.5\n")
    found = json.loads(ruse("check", "bad.py", "--json")[1])
    assert found["keeps"] is False and found["reason"].endswith("got 0.5 (bad.py, line 36)")


def test_files_and_modules_that_are_not_there_are_one_sentence(ruse: Ruse) -> None:
    assert re.search(r"cannot read the game .*none.py: no such file", ruse("solve", "none.py")[2])
    assert re.search(r"cannot import 'no_such_package': it is not installed", ruse("solve", "no_such_package:Game")[2])
    assert re.search(r"unknown game 'no-such-name'; `ruse games` lists", ruse("solve", "no-such-name")[2])


def test_a_module_of_the_folder_is_found_by_its_name(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("modules_of_mine.py").write_text(ONE_CARD + "\n\ndef deck(cards: int):\n    return OneCard(cards)\n")
    status, out, _ = ruse("solve", "modules_of_mine:deck", "--cards=4")
    assert status == 0 and out.startswith("deck(cards=4): worth -1/24 ")
    del sys.modules["modules_of_mine"]


def test_entry_points_that_fail_are_told_once_and_left_out(
    here: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"breaks": "throwaway_bad:Game", "kuhn": "throwaway_good:OneCard", "works": "throwaway_good:OneCard"}
    install(here, monkeypatch, points, throwaway_bad="1 / 0\n", throwaway_good=ONE_CARD)
    entry_points.warn_once.cache_clear()
    status, out, err = ruse("games")
    assert status == 0 and re.search(r"^works ", out, re.MULTILINE) and not re.search("^breaks ", out, re.MULTILINE)
    assert "ruse already has a game 'kuhn': give throwaway_good:OneCard another name" in err
    assert "the entry point breaks (throwaway_bad:Game)" in err and len(err.splitlines()) == 2
    assert ruse("solve", "works")[2] == ""
    assert "ZeroDivisionError" in ruse("solve", "breaks")[2]
    assert ruse("solve", "kuhn")[1].startswith("kuhn: worth")


# Files never run code.


def rewritten(path: Path, **changed: object) -> Path:
    path.write_bytes(container.pack({**container.unpack(path.read_bytes()), **changed}))
    return path


@pytest.mark.cases(2)
@pytest.mark.parametrize("called", ["evil", "evil:Game", "evil.py:Game", "./evil.py", "tiny-evil"])
def test_a_file_that_names_a_module_does_not_make_anybody_import_it(
    called: str, here: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = f"from pathlib import Path\nPath({str(here / 'marker')!r}).touch()\n{ONE_CARD.replace('OneCard', 'Game')}"
    install(here, monkeypatch, {"tiny-evil": "evil:Game"}, evil=marks)
    Path("evil.py").write_text(marks, encoding="utf-8")
    assert ruse("solve", "onecard.py", "--out", "x.ruse")[0] == 0
    for origin in ("evil:Game", "evil.py:Game"):
        rewritten(Path("x.ruse"), game=called, source={"from": origin, "digest": None})
        for command in (("show", "x.ruse"), ("verify", "x.ruse"), ("play", "x.ruse"), ("explore", "x.ruse")):
            status, _, err = ruse(*command)
            assert status == 1 and "--game" in err and len(err.splitlines()) == 1, err
        assert ruse("export", "x.ruse", "--csv", "x.csv")[0] == 1
        assert ruse("show", "x.ruse", "--game", "onecard.py")[0] == 1
        with pytest.raises(StoreError, match="ruse runs only code that you name"):
            package.load("x.ruse")
    assert not Path("marker").exists()
    assert ruse("solve", "evil.py")[0] == 0 and Path("marker").exists()  # it would have


def test_pages_do_not_import_what_requests_name(here: Path) -> None:
    marks = f"from pathlib import Path\nPath({str(here / 'marker')!r}).touch()\n"
    Path("evil.py").write_text(marks, encoding="utf-8")
    with serving(here) as server, httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
        for name in ("evil.py", "evil:Game", str(here / "evil.py"), "evil.py:Game"):
            assert client.post("/solve", json={"game": name}).status_code >= 400
            assert client.post("/play", json={"game": name, "side": "first"}).status_code >= 400
            assert client.get(f"/p/{name}").status_code >= 400
            assert client.get("/solve", params={"game": name}).status_code >= 400
    assert not Path("marker").exists()


def test_a_source_that_changed_is_told_and_verified_by_the_rules_of_now(ruse: Ruse) -> None:
    ruse("solve", "onecard.py", "--out", "x.ruse")
    fields = container.unpack(Path("x.ruse").read_bytes())
    assert fields["source"]["from"] == "onecard.py:OneCard" and len(fields["source"]["digest"]) == 64
    assert ruse("show", "x.ruse", "--game", "onecard.py")[2] == ""
    Path("onecard.py").write_text(f"{ONE_CARD}\n# more\n", encoding="utf-8")
    status, out, err = ruse("verify", "x.ruse", "--game", "onecard.py")
    assert status == 0 and "verified" in out and err == ""  # the rules do the same
    Path("onecard.py").write_text(ONE_CARD.replace('(2 if "call"', '(3 if "call"'), encoding="utf-8")
    status, out, err = ruse("verify", "x.ruse", "--game", "onecard.py")
    assert status == 1 and "NOT verified" in out and "the rules of one-card have changed since" in err


def test_a_session_goes_on_only_where_its_game_is_named(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "check", "q")
    last = ruse("play", "onecard.py", "--seed", "4")[1].splitlines()[-1]
    command = shlex.split(last.partition("To continue: ruse ")[2])
    assert command[:2] == ["play", "--resume"] and command[3] == "--game"
    assert "name the rules of" in ruse(*command[:3])[2]
    with pytest.raises(StoreError, match=r"name the rules of .* ruse runs only code that you name"):
        Sessions().read(command[2])
    type_in(monkeypatch, "call")
    status, out, _ = ruse(*command)
    assert status == 0 and "You lose 2." in out
    with serving(Path.cwd()) as server:
        assert "--game" in server.told(f"/play/{command[2]}.json", 400)["error"]


# From Python.


def test_from_python_a_class_an_object_or_a_spelling_will_do() -> None:
    names: dict[str, object] = {}
    exec(ONE_CARD, names)
    kind = names["OneCard"]
    assert isinstance(kind, type)
    kind.__module__ = "a_notebook"
    solution = package.solve(kind())
    assert (solution.value, solution.game.title, solution.game.sides) == (
        Fraction(-1, 18),
        "one-card",
        ("first", "second"),
    )
    solution.save("x.ruse")
    assert package.load("x.ruse", game=kind()).verify().exact
    made = package.solve(package.games.find(kind, {"cards": 4}))
    assert made.game.title == "one-card(cards=4)"
    made.save("four.ruse")
    assert package.load("four.ruse", game=kind).value == Fraction(-1, 24)
    with pytest.raises(StoreError, match="expected a solution of kuhn, got one of one-card"):
        package.load("four.ruse", game=package.games.kuhn())
    with pytest.raises(RuseError, match="got the class OneCard: call it"):
        package.solve(kind)


class Sided:
    sides = ("cat", "mouse")
    wins = ("cat", "mouse", "draw")
    start = turn = moves = odds = play = knows = payoff = lambda self, *_: 0

    def __init__(self, depth: int = 2, names: tuple[str, ...] = ("a", "b"), share: Fraction | None = None) -> None:
        self.depth, self.names, self.share = depth, names, share

    def board(self, state: object) -> object:
        return state


def test_what_a_class_says_of_itself_is_taken_and_the_rest_has_defaults() -> None:
    game = as_game(Sided(3))
    assert (game.name, game.title, game.sides, game.wins) == ("sided", "sided(depth=3)", Sided.sides, Sided.wins)
    assert not isinstance(game, package.core.capabilities.Open)  # whatever its methods are called
    hints = {one.name: one.hint for one in package.games.parameters_of(own.name(Sided).name)}
    assert hints == {"depth": "N", "names": "TEXT,TEXT,…", "share": "P/Q"}
    made = package.games.make("sided", {"names": "x,y", "share": "1/2"})
    assert made.parameters == {"depth": 2, "names": ["x", "y"], "share": "1/2"}
    assert made.title == "sided(names=x-y,share=1:2)"
    assert [name_of(type(name, (), {})) for name in ("OneCard", "Auction2", "HTTPGame", "snake_case")] == [
        "one-card",
        "auction2",
        "http-game",
        "snake-case",
    ]


TEXTS = st.text(max_size=4) | st.sampled_from(["1", "-1", "None", "~", "a,b"])
LEAVES = st.none() | st.integers() | st.fractions() | TEXTS


def held(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=2)


VALUES = LEAVES | held(LEAVES) | held(LEAVES | held(LEAVES))


@given(VALUES, VALUES)
def test_texts_of_knowledge_are_one_to_one_and_safe_in_addresses(one: object, other: object) -> None:
    for text in (position, written):
        assert (text(one) == text(other)) == (one == other)
        assert re.fullmatch(r"[A-Za-z0-9_~(),:@/-]*", text(one))
    assert "/" not in written(one)


def test_a_value_without_a_text_of_its_own_is_refused() -> None:
    with pytest.raises(GameError, match="expected plain values"):
        position((object(),))
