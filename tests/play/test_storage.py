"""Sessions in files: they survive, and what was damaged or forged is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playing import solution_of, solved
from ruse.core.game import RuseError
from ruse.games import GAMES
from ruse.play.session import Session, SessionError, begin, play
from ruse.play.storage import Sessions, default_folder
from ruse.solution.container import StoreError


@pytest.mark.parametrize("name", list(GAMES))
def test_sessions_survive(name: str, tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    session = begin(solved(name), 1, seed=2, coach=True)
    kept.save(session)
    while not session.over:
        session = Sessions(tmp_path).load(session.id, solution_of)  # as after a restart
        move = session.game.label(session.choices[0])
        ahead = play(session, session.number, move)
        session = kept.play(session.id, session.number, move, solution_of)
        assert session.moves == ahead.moves
    again = kept.load(session.id, solution_of)
    assert (again.moves, again.states, again.seed, again.coach) == (session.moves, session.states, 2, True)
    assert [path.name for path in tmp_path.iterdir()] == [f"{session.id}.json"]


def test_of_two_moves_at_once_one_is_refused(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    session = begin(solved("tic-tac-toe"), 0, seed=1)
    kept.save(session)
    kept.play(session.id, 1, "e", solution_of)
    with pytest.raises(SessionError, match="another tab"):
        kept.play(session.id, 1, "a", solution_of)
    assert kept.load(session.id, solution_of).decisions[0].move == "e"


def test_ids_cannot_be_guessed_nor_lead_elsewhere(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    ids = {begin(solved("kuhn"), 0).id for _ in range(200)}
    assert len(ids) == 200 and all(one[0].isalnum() and kept.path(one).parent == tmp_path for one in ids)
    for wrong in ("", "x", "../../etc/passwd-and-more", "a" * 100, "-" * 22, "é" * 20, f"{min(ids)}\n"):
        with pytest.raises(StoreError, match="expected the id of a session"):
            kept.read(wrong)
    with pytest.raises(StoreError, match="there is no saved session"):
        kept.read(min(ids))


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "ruse" / "sessions"
    Sessions().save(begin(solved("kuhn"), 0))
    assert default_folder().stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".local" / "state" / "ruse" / "sessions"
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot save sessions in"):
        Sessions(tmp_path / "file" / "sessions").save(begin(solved("kuhn"), 0))
    folder = Sessions(tmp_path)
    identity = "a" * 22
    folder.path(identity).mkdir()
    with pytest.raises(StoreError, match=r"cannot read the session .*: it is a folder"):
        folder.read(identity)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)

GOOD = {
    "format": 1,
    "id": "a" * 22,
    "game": "kuhn",
    "parameters": {},
    "side": "first",
    "seed": 1,
    "coach": False,
    "source": None,
    "moves": ["JQ"],
    "opening": None,
    "given": 0,
}


def loaded(folder: Path, content: bytes) -> Session | None:
    """The session in a file of such content, or None if it is refused in one sentence."""
    kept = Sessions(folder)
    kept.path(str(GOOD["id"])).write_bytes(content)
    try:
        return kept.load(str(GOOD["id"]), solution_of)
    except RuseError as error:
        assert "\n" not in str(error) and str(error)[:1].islower()
        return None


@pytest.mark.slow
@given(st.data())
def test_damaged_and_forged_files_are_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("sessions")
    content = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    _sound(loaded(folder, bytes(content)))
    _sound(loaded(folder, bytes(content)[: data.draw(st.integers(0, len(content)))]))
    field = data.draw(st.sampled_from(sorted(GOOD)))
    _sound(loaded(folder, json.dumps(GOOD | {field: data.draw(JSON)}).encode()))


def _sound(session: Session | None) -> None:
    """What is not refused is a game that the rules allow, at the person's turn or over."""
    if session is not None:
        assert session.over or session.game.turn(session.states[-1]) == session.side


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"moves": ["QQ"]}, "got 'QQ'"),
        ({"moves": ["JQ", "fold"]}, "expected one of the moves check, bet, got 'fold'"),
        ({"moves": ["JQ", "check", "check", "bet"]}, "kuhn is over before move 4"),
        ({"moves": [1]}, "expected a line of text as a move, got 1"),
        ({"moves": ["x"] * 20_001}, "expected at most 20,000 moves"),
        ({"side": "third"}, "expected a side, first or second"),
        ({"seed": True}, "expected a seed of 0 to"),
        ({"seed": 2**60}, "expected a seed of 0 to"),
        ({"coach": 1}, "expected true or false as coach"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "matrix", "parameters": {"file": "/etc/passwd"}}, "names a file"),
        ({"parameters": {"cards": 3}}, "kuhn has no parameter 'cards'"),
        ({"format": 2}, "expected a session of format 1, got 2"),
        ({"id": "b" * 22}, "holds another one"),
        ({"given": 2}, "expected 0 to 1 moves before the person's first, got 2"),
        ({"given": True}, "expected a whole number of moves as given"),
        ({"opening": 5}, "expected a line of text as opening"),
    ],
)
def test_forged_files(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    kept.path("a" * 22).write_text(json.dumps(GOOD | changed))
    with pytest.raises(RuseError, match=message):
        kept.load("a" * 22, solution_of)


def test_a_session_goes_on_with_a_solution_of_its_own_game(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    session = begin(solved("kuhn"), 0)
    kept.save(session)
    with pytest.raises(StoreError, match="needs a solution of kuhn, not of another game"):
        kept.load(session.id, lambda _: solved("leduc"))
