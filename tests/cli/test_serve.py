"""`ruse serve --mcp`: an assistant's session over a real process, and the questions themselves."""

from __future__ import annotations

import asyncio
import builtins
import json
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from processes import run
from ruse.cli.assistant import Assistant
from ruse.core.game import RuseError
from ruse.solution import store
from stored import forged, solved

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed")
SOURCE = str(Path(__file__).parents[2] / "src")
LIARS_DICE = {"faces", "dice", "theirs", "wild", "penalty", "exact"}
TOOLS = {"list_games", "solve", "look_up", "best_move", "verify"}
OWN = '''
from fractions import Fraction

from ruse import CHANCE, END


class Pennies:
    """Matching pennies."""

    def start(self): return ()
    def turn(self, state): return len(state) if len(state) < 2 else END
    def moves(self, state): return ["heads", "tails"]
    def odds(self, state): return []
    def play(self, state, move): return (*state, move)
    def knows(self, state, side): return state if side == 0 else ()
    def payoff(self, state): return 1 if state[0] == state[1] else -1
'''


def session(talk: Callable[[Any], Awaitable[None]], *arguments: str, folder: Path | None = None) -> None:
    """Start the program, let a client of the mcp package talk to it, and end both."""
    import mcp  # late, as it takes half a second of every worker

    command = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "ruse", "serve", "--mcp", *arguments],
        env={**os.environ, "PYTHONPATH": SOURCE},
        cwd=folder,
    )

    async def talked() -> None:
        async with mcp.Client(command, read_timeout_seconds=240) as client:
            await talk(client)

    # In a thread of its own: browser tests, which may have run in this one, leave their event loop running.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(talked(), 280))).result()


async def answer(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == found  # for clients that read texts alone
    return found


async def trouble(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


@pytest.mark.slow
def test_a_session() -> None:
    async def talk(client: Any) -> None:
        assert client.server_info.name == "ruse" and "best_move" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        for tool in tools.values():
            assert tool.annotations.read_only_hint and tool.description
            assert all("description" in one for one in tool.input_schema["properties"].values())

        listed = await answer(client, "list_games")
        assert {"kuhn", "resistance", "leduc"} <= {game["name"] for game in listed["games"]}
        described = await answer(client, "list_games", name="liars-dice")
        assert {one["name"] for one in described["parameters"]} == LIARS_DICE and described["rules"]

        found = await answer(client, "solve", game="liars-dice", parameters={"faces": "3"}, seconds=20)
        assert found["value"]["exact"] == "1/9" and found["certificate"]["proof"] != "none"
        found = await answer(client, "solve", game="kuhn")
        assert found["certificate"]["lower"] == found["certificate"]["upper"] == "-1/18"
        assert found["positions"][0] == "kuhn"
        view = await answer(client, "look_up", position="kuhn")
        assert view["turn"] == "chance" and {option["after"] for option in view["options"]} == {
            "kuhn@J",
            "kuhn@Q",
            "kuhn@K",
        }

        best = await answer(client, "best_move", position="kuhn@J")
        assert best["sentence"].startswith("Draw at random: check 2/3 (66.67%), bet 1/3 (33.33%).")
        assert best["sentence"].endswith("This strategy is proved optimal.")
        assert {move["move"]: (move["odds"], move["loss"]) for move in best["moves"]} == {
            "check": ("2/3", "0"),
            "bet": ("1/3", "0"),
        }
        best = await answer(client, "best_move", position="resistance-5@bd/ab+/abc?")
        assert best["side"] == "spies" and best["sentence"].startswith("Play sabotage.")

        checked = await answer(client, "verify", game="kuhn")
        assert checked["verified"] is True and checked["lower"] == "-1/18" and checked["proof"] == "rules"

        assert "expected a game that list_games names" in await trouble(client, "solve", game="chess")
        assert "at most 60 seconds" in await trouble(client, "solve", game="kuhn", seconds=1e9)
        assert "position" in await trouble(client, "best_move", position="kuhn@A")

    session(talk)


@pytest.mark.slow
def test_solutions_in_files(tmp_path: Path, ruse: Any) -> None:
    """Of the user's own game, which only the command line can name."""
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    status, _, err = ruse("solve", str(tmp_path / "mine.py"), "--out", str(tmp_path / "mine.ruse"))
    assert status == 0, err

    async def talk(client: Any) -> None:
        (solution,) = (await answer(client, "list_games"))["solutions"]
        assert solution["title"] == "pennies" and "exact" in solution["headline"]
        assert "from the rules" in solution["proof"]  # as the file was verified
        best = await answer(client, "best_move", position="pennies")
        assert {move["move"]: move["odds"] for move in best["moves"]} == {"heads": "1/2", "tails": "1/2"}
        assert (await answer(client, "verify", game="pennies"))["verified"] is True
        assert "at most 5 seconds" in await trouble(client, "verify", game="pennies", seconds=20)

    session(talk, "mine.ruse", "--game", "mine.py", "--time", "5", folder=tmp_path)


# The questions, asked directly.


@pytest.fixture
def assistant() -> Assistant:
    return Assistant()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda one: one.solve("/etc/passwd"), "expected a game that list_games names"),
        (lambda one: one.solve("mygame.py"), "expected a game that list_games names"),
        (lambda one: one.solve("mygame.py:Auction"), "expected a game that list_games names"),
        (lambda one: one.solve("os.path:join"), "expected a game that list_games names"),
        (lambda one: one.solve("openspiel:kuhn_poker"), "expected a game that list_games names"),
        (lambda one: one.solve("openspiel", {"game": "kuhn_poker"}), "expected a game that list_games names"),
        (lambda one: one.solve("efg", {"file": "/etc/passwd"}), "expected a game|names a file"),
        (lambda one: one.solve("matrix", {"file": "/etc/passwd"}), "names a file"),
        (lambda one: one.look_up("game.efg"), "expected a game that list_games names"),
        (lambda one: one.look_up("matrix(file=/etc/passwd)"), "names a file"),
        (lambda one: one.list_games("mygame.py"), "expected a game that list_games names"),
        (lambda one: one.solve("resistance", {"players": "many"}), "players"),
        (lambda one: one.solve("resistance", {"seats": "5"}), "seats"),
        (lambda one: one.solve("resistance-5", {"players": "6"}), "give its name resistance"),
        (lambda one: one.solve("kuhn", seconds=0), "more than 0"),
        (lambda one: one.solve("kuhn", seconds=float("nan")), "more than 0"),
        (lambda one: one.best_move("kuhn"), "no side moves there; use look_up"),
        (lambda one: one.best_move("kuhn@J/check", "first"), "moves there; use look_up"),
        (lambda one: one.best_move("kuhn@J", "third"), "'third' is not a side of kuhn"),
        (lambda one: one.look_up("kuhn@J/fold"), "expected"),
        (lambda one: one.look_up(""), "expected a game that list_games names"),
    ],
)
def test_what_is_not_answered(assistant: Assistant, ask: Callable[[Assistant], object], sentence: str) -> None:
    with pytest.raises(RuseError, match=sentence) as caught:
        ask(assistant)
    assert "\n" not in str(caught.value)


def test_positions_that_optimal_play_never_comes_to(assistant: Assistant) -> None:
    best = assistant.best_move("kuhn@K/check/bet")
    assert not best["reached_in_optimal_play"] and best["solved_from_here"]
    assert best["sentence"].startswith("Play call. Optimal play never comes here, so no value is proved")


def test_values_are_those_of_the_side_that_moves(assistant: Assistant) -> None:
    (call, fold) = sorted(assistant.best_move("kuhn@Q/bet", "second")["moves"], key=lambda move: move["move"])
    assert (call["move"], fold["move"]) == ("call", "fold")
    assert Fraction(fold["value"]["exact"]) == -1 and Fraction(call["value"]["exact"]) == -1


def test_claims_of_a_file_are_not_called_proved() -> None:
    from dataclasses import replace

    kuhn = solved("kuhn")
    claimed = Assistant([replace(kuhn, certificate=replace(kuhn.certificate, proof="none"))])
    assert "not proved optimal" in claimed.best_move("kuhn@J")["sentence"]


def test_an_unfinished_solution_is_solved_again(assistant: Assistant) -> None:
    short = assistant.solve("leduc", seconds=0.01)
    assert short["certificate"]["exact"] is False or short["solver_finished"]
    assert assistant.solve("leduc", seconds=30)["certificate"]["exact"] is True


def test_a_game_that_takes_too_long_to_look_at(assistant: Assistant) -> None:
    """The odds come in any case, and values with more time."""
    assistant.solve("leduc", seconds=30)
    short = assistant.best_move("leduc@Ks", seconds=0.001)
    assert "allow more seconds" in short["note"] and set(short["odds"]["first"]) == {"call", "raise"}
    assert assistant.best_move("leduc@Ks", seconds=30)["moves"]


def test_the_same_solution_answers_the_next_question(assistant: Assistant) -> None:
    first = assistant.solve("kuhn")
    assert assistant.solve("kuhn")["seconds"] == first["seconds"]
    assert assistant.solve("resistance-5")["game"] == "resistance"
    assert assistant.solve("matrix", {"payoffs": "1 2; 0 1"})["value"]["exact"] == "1"
    assert assistant.look_up("matrix/?")["side"] == "columns"
    assert assistant.solve("matrix", {"payoffs": "3 2; 0 1"})["value"]["exact"] == "2"


# The command.


def test_the_command_line(ruse: Any, tmp_path: Path) -> None:
    status, _, err = ruse("serve")
    assert status == 2 and "choose what to serve: --mcp" in err
    status, _, err = ruse("serve", "--mcp", "--json")
    assert status == 2 and "leave out --json" in err
    status, _, err = ruse("serve", "--mcp", "--time", "0")
    assert status == 1 and "positive number of seconds" in err
    status, _, err = ruse("serve", "--mcp", str(tmp_path / "nowhere.ruse"))
    assert status == 1 and "nowhere.ruse" in err


def test_a_file_that_does_not_hold_what_it_says_is_not_served(ruse: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.ruse"
    path.write_bytes(store.dumps(forged(solved("kuhn"), "kuhn@J", {"bet": Fraction(1)})))
    status, out, err = ruse("serve", "--mcp", str(path))
    assert status == 1 and "as is claimed" in err and out == ""


def test_without_the_package(ruse: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name == "ruse.cli.mcp_server":
            raise ModuleNotFoundError("No module named 'mcp'", name="mcp")
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    status, _, err = ruse("serve", "--mcp")
    assert status == 1 and "pip install 'ruse[mcp]'" in err and "Traceback" not in err


def test_it_ends_when_nobody_listens() -> None:
    done = run(
        [sys.executable, "-m", "ruse", "serve", "--mcp"],
        input="",
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )
    assert (done.returncode, done.stdout) == (0, "") and "Traceback" not in done.stderr
