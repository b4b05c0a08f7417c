"""Games in the terminal."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from playing import ONE_MOVES, played, solved, table
from ruse.core.game import RuseError
from ruse.core.registry import moves_text, rules_text
from ruse.forms.certificate import Certificate
from ruse.games import GAMES
from ruse.play import terminal
from ruse.play.rival import IllegalMove
from ruse.play.session import SessionError, begin
from ruse.play.storage import Sessions


def test_a_game_that_only_the_person_moves_in_is_played_to_its_end(by_text: Any, tmp_path: Path) -> None:
    path = tmp_path / "one.efg"
    path.write_text(ONE_MOVES)
    status, out, err = by_text("down\n", str(path), side="McRae", coach=True)
    assert (
        (status, err) == (0, "")
        and "Coach: down cost 1 against an optimal Bo (best: up)." in out
        and "Nobody wins." in out
    )


def test_rules_and_moves_are_said_at_the_start(by_text: Any) -> None:
    for name in ("morra", "kuhn", "nim"):
        _, out, _ = by_text("q\n", name, seed=1)
        told = " ".join(out.split())
        assert rules_text(name) in told and moves_text(name) in told
    assert "shows two fingers and guesses that there are five in all" in moves_text("morra")


def test_a_game_by_text(by_text: Any) -> None:
    status, out, _ = by_text("che\ncall\n", "kuhn", seed=3, coach=True)
    assert status == 0
    assert "You are Player 1, against the strategy of Player 2." in out
    assert "You hold Q." in out and "1 check   2 bet" in out
    assert "kuhn@Q/check/bet/call" in out and "The other side's view: kuhn@K/check/bet/call" in out
    assert "Coach: check cost nothing against an optimal Player 2." in out and "You lose 2." in out
    assert re.search(r"Your mistakes +0\n", out) and "--side first --seed 3" in out
    assert by_text("1\n2\n", "kuhn", seed=3, coach=True)[1] == out.replace("che\n", "1\n")


def test_a_game_from_a_position_by_text(by_text: Any) -> None:
    _, out, _ = by_text("abc\nq\n", "resistance", at="resistance-5/ab+", seed=3)
    assert "Mission 2: send 3 seats" in out and "resistance-5/ab+/abc" in out
    with pytest.raises(RuseError, match="expected a position of kuhn"):
        by_text("", "kuhn", at="kuhn@X")


def test_the_coach_speaks_after_the_move_only(by_text: Any) -> None:
    _, out, _ = by_text("q\n", "kuhn", seed=3, coach=True)
    assert "Coach" not in out and "best" not in out
    _, out, _ = by_text("bet\n", "kuhn", seed=3, coach=True)
    assert "Coach: bet cost 1/6 ≈ 0.167 against an optimal Player 2 (best: check)." in out
    assert "Coach" not in by_text("bet\n", "kuhn", seed=3)[1]


def test_leaving_and_going_on(by_text: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("3\nq\n", "3\n", "3\nquit\n"):
        status, out, _ = by_text(text, "goofspiel", seed=1)
        assert status == 0
        kept = out.rpartition("--resume ")[2].strip()
        status, out, _ = by_text("q\n", resume=kept)
        assert status == 0 and "goofspiel/3/" in out and kept in out

    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    monkeypatch.setattr("io.StringIO", Interrupted)
    status, out, _ = by_text("", "kuhn", seed=1)
    assert status == 0 and "The game is saved. To continue: ruse play --resume " in out


def test_a_move_made_elsewhere_is_seen(by_text: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = by_text("q\n", "goofspiel", seed=1)
    kept = out.rpartition("--resume ")[2].strip()

    class Meanwhile(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            line = super().readline(-1)
            if line == "2\n":
                Sessions().play(kept, 1, "3", lambda one: ruse.solve(one.game))
            return line

    monkeypatch.setattr("io.StringIO", Meanwhile)
    _, out, _ = by_text("2\nq\n", resume=kept)
    assert "expected move 2 of this game, got move 1: you made it in another tab" in out
    assert "goofspiel/3/" in out.partition("another tab")[2]


def test_help_hints_and_mistakes(by_text: Any) -> None:
    _, out, _ = by_text("?\n\nhint\nzzz\nq\n", "kuhn", seed=3)
    assert terminal.HELP in out and "Type your move, or ? for help." in out
    assert "Optimal play: always check" in out
    assert "expected one of the moves check, bet, got 'zzz'" in out
    _, out, _ = by_text("q\n", "kuhn", seed=3)
    assert "Optimal play" not in out


@pytest.mark.parametrize(
    ("game", "parameters", "told"),
    [
        ("kuhn", {}, "A move: its number in the list, its name, or the start of"),
        ("tic-tac-toe", {}, "A move: its name, or the start of"),
        ("phantom-tic-tac-toe", {"board": "2x4"}, "A move: its whole name, such as abcdefgh."),
        ("resistance", {}, "in any order"),
    ],
)
def test_help_is_about_the_game_at_hand(by_text: Any, game: str, parameters: dict[str, str], told: str) -> None:
    _, out, _ = by_text("?\nq\n", game, parameters=parameters, seed=3)
    assert told in out and ("in any order" in out) == (game == "resistance")


def test_hints_promise_no_more_than_is_proved(by_text: Any, tmp_path: Path) -> None:
    near = ruse.solve(ruse.games.kuhn(), "cfr+", iterations=50)
    assert near.certificate.gap > 0
    for solution, told in (
        (near, f"The strategy found, within {float(near.certificate.gap):.2g} of optimal: "),
        (replace(near, options={"unjudged": True}), "The strategy found, with no proved bounds: "),
    ):
        _, out, _ = by_text("hint\nq\n", str(solution.save(tmp_path / "k.ruse")), seed=3)
        assert told in out


def test_moves_past_counting_are_not_counted(by_text: Any, tmp_path: Path) -> None:
    game = ruse.games.phantom_four_in_a_row()
    odds = {game.lists[0]: Fraction(1)}
    tables = ({game.position(0): odds}, {game.position(1): odds})
    solution = ruse.Solution(game, "by hand", tables, Certificate(Fraction(-1), Fraction(1)), 0.0, 0)
    _, out, _ = by_text("abc\nq\n", str(solution.save(tmp_path / "p.ruse")))
    assert "expected a move such as aaaabbbbccccddddeeeeffffgggg, got 'abc'" in out


def test_large_boards_are_refused_before_they_are_searched(by_text: Any) -> None:
    with pytest.raises(SessionError, match=r"a board of at most 25 cells .*, got 42 in 4-in-a-row: use smaller"):
        by_text("", "4-in-a-row")


def test_missions_are_letters_in_any_order(by_text: Any) -> None:
    _, out, _ = by_text("ba\n", "resistance", seed=3)
    assert "Mission 1: send 2 seats, such as ab." in out and "resistance-5/ab" in out
    assert "Mission 2: send 3 seats, such as abc." in out


def test_a_review_as_json(by_text: Any, tmp_path: Path) -> None:
    status, out, err = by_text("check\ncall\n", "kuhn", seed=3, json=True)
    found = json.loads(out)
    assert status == 0 and found["over"] and found["gain"] == "-2"
    assert [one["move"] for one in found["review"]["moves"]] == ["check", "call"]
    assert found["review"]["line"][-1] == "-2"
    assert "You hold Q." in err
    status, out, _ = by_text("check\n", "kuhn", seed=3, json=True)
    unfinished = json.loads(out)
    assert status == 0 and not unfinished["over"] and len(unfinished["review"]["moves"]) == 1


def test_against_a_file(by_text: Any, tmp_path: Path) -> None:
    file = solved("kuhn").save(tmp_path / "kuhn.ruse")
    for options in ({"source": str(file)}, {"source": str(file), "game": "kuhn"}, {"game": str(file)}):
        status, out, _ = by_text("q\n", **options)
        kept = out.rpartition("--resume ")[2].strip()
        assert status == 0 and "These are the file's own claims" in out
        assert by_text("q\n", resume=kept)[0] == 0
    with pytest.raises(RuseError, match="expected a solution of leduc"):
        by_text("", "leduc", source=str(file))
    with pytest.raises(RuseError, match="name a game to play, or give --from"):
        by_text("")
    with pytest.raises(RuseError, match="--resume already knows the seed; leave out --seed"):
        by_text("", resume=kept, seed=1)
    with pytest.raises(RuseError, match="name a game before --cards"):
        by_text("", source=str(file), parameters={"cards": "3"})
    file.unlink()
    with pytest.raises(RuseError, match="no such file"):
        by_text("", resume=kept)


@pytest.mark.cases(10)
@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_shown(name: str, tmp_path: Path, by_text: Any) -> None:
    file = solved(name).save(tmp_path / "game.ruse")
    session = played(solved(name), 0, 1)
    moves = "".join(f"{one.move}\n" for one in session.decisions)
    status, out, _ = by_text(moves, source=str(file), seed=1, side=session.game.sides[0], opponent="stored")
    assert status == 0 and session.position in out and "--seed 1" in out


def test_meant_moves() -> None:
    session = begin(solved("leduc"), 0, seed=1)
    assert session.options == ["call", "raise"]
    for typed, meant in (("raise", "raise"), ("2", "raise"), ("RA", "raise"), ("c", "call"), ("3", "3"), ("12", "12")):
        assert terminal.chosen(session, typed) == meant
    mission = begin(table(7), 0, seed=1)
    with pytest.raises(IllegalMove, match="'a' could be ab, ac"):
        terminal.chosen(mission, "a")
