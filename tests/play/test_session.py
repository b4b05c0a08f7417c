"""Sessions: what a side is shown, moves that cannot be made, and the same game again."""

from __future__ import annotations

import doctest
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from playing import played, solved, table
from ruse.games import make
from ruse.play import session as sessions
from ruse.play.rival import IllegalMove
from ruse.play.session import SessionError, begin, play, resume
from ruse.play.shown import news
from ruse.solution.strategy import Solution


def test_only_what_the_side_knows_is_shown() -> None:
    session = begin(table(5), "resistance", seed=3)
    assert session.position == "resistance-5"
    assert "seed" not in session.to_json() and "secret" not in session.to_json()
    with pytest.raises(SessionError, match="this game is not over yet"):
        _ = session.secret
    with pytest.raises(SessionError, match="this game is not over yet"):
        _ = session.gain
    spies = begin(table(5), "spies", seed=3)
    assert spies.position.startswith(f"resistance-5@{spies.moves[0]}/")
    assert spies.options == ["pass", "sabotage"]


def test_numbers_and_steps_do_not_tell_who_is_aboard() -> None:
    """A mission without spies takes a move less than one on which they pass; that must not be seen."""
    seen = set()
    for seed in range(60):
        session = play(begin(table(5), "resistance", seed=seed), 1, "ab")
        if session.position == "resistance-5/ab+":
            seen.add((len(session.moves), json.dumps(session.to_json() | {"id": ""})))
    assert len({count for count, _ in seen}) == 2
    assert len({shown for _, shown in seen}) == 1


def test_two_tabs() -> None:
    session = begin(solved("tic-tac-toe"), 0, seed=1)
    later = play(session, 1, "e")
    with pytest.raises(SessionError, match="expected move 2 of this game, got move 1: you made it in another tab"):
        play(later, 1, "a")
    with pytest.raises(SessionError, match="expected move 2 of this game, got move 5: the moves before it are missing"):
        play(later, 5, "a")


def test_moves_that_cannot_be_made() -> None:
    session = begin(solved("tic-tac-toe"), 0, seed=1)
    with pytest.raises(IllegalMove, match="expected one of the moves a, b, c, d, e, f, g, h, i, got 'z'"):
        play(session, 1, "z")
    over = played(solved("kuhn"), 0, 1)
    with pytest.raises(SessionError, match="this game is over"):
        play(over, over.number, "bet")
    with pytest.raises(SessionError, match="'third' is not a side of kuhn; use 0, 1, Player 1"):
        begin(solved("kuhn"), "third")
    with pytest.raises(SessionError, match="expected a seed of 0 to"):
        begin(solved("kuhn"), 0, seed=-1)
    with pytest.raises(IllegalMove, match="expected one of 21 moves such as ab, got 'abz'"):
        play(begin(table(7), 0, seed=1), 1, "abz")
    lists = begin(ruse_phantom(), 0, seed=1)
    assert lists.options is None and lists.to_json()["example"] == "abcdefghi"
    with pytest.raises(IllegalMove, match="expected one of 362,880 moves such as abcdefghi, got 'abc'"):
        play(lists, 1, "abc")


def test_seats_come_in_any_order_and_are_kept_in_one() -> None:
    session = begin(table(7), 0, seed=1)
    for typed in ("ga", "GA", "ag"):
        after = play(session, 1, typed)
        assert after.decisions[0].move == "ag" and after.moves == play(session, 1, "ag").moves
    with pytest.raises(IllegalMove, match="expected one of 21 moves such as ab, got 'aa'"):
        play(session, 1, "aa")
    asked = begin(solved("guess-who"), 0, seed=1)
    with pytest.raises(IllegalMove, match="got '10'"):  # and digits do not
        play(asked, 1, "10")
    assert asked.options == ["1", "2", "3", "4"]


def ruse_phantom() -> Solution:
    """Lists of nine cells, which are too many to list; any strategy will do."""
    game = make("phantom-tic-tac-toe")
    one = {"abcdefghi": Fraction(1)}
    tables = {game.title: one}, {f"{game.title}/?": one}
    return replace(solved("phantom-tic-tac-toe"), game=game, tables=tables)


def test_what_happened_is_told_by_moves_or_by_steps() -> None:
    session = play(begin(solved("tic-tac-toe"), 0, seed=1), 1, "e")
    assert session.happened() == [f"second: {session.moves[-1]}"]
    spies = begin(table(5), "spies", seed=3)
    assert [step[-1] for step in spies.happened()][-1] == "?"
    bid = play(begin(solved("goofspiel"), 0, seed=1), 1, "3")
    assert bid.happened()[0] == "3" and bid.happened()[1] in ("won", "lost", "tied")


def test_news_is_true_before_the_first_move() -> None:
    spies = begin(table(5), "spies", seed=3)
    assert re.fullmatch(r"So far: (\w+ passed, )*\w+ are on the mission\.", news(spies))
    assert news(begin(table(5), "resistance", seed=3)) == ""
    session = play(begin(solved("tic-tac-toe"), 0, seed=1), 1, "e")
    assert news(session) == f"Then: Player 2 plays {session.moves[-1]}."
    bet = play(begin(solved("kuhn"), 0, seed=3), 1, "bet")
    assert news(bet) == "Then: bet, call."


def test_what_chance_cannot_do_is_no_move() -> None:
    game = _WithNever()
    with pytest.raises(SessionError, match="chance never plays 'JQ', which is move 1"):
        resume(replace(solved("kuhn"), game=game), 0, 1, ["JQ"], False, "a" * 22, None)


class _WithNever(type(ruse.games.kuhn())):  # type: ignore[misc]
    def odds(self, state: Any) -> list[Fraction]:
        return [Fraction(0), *[Fraction(1, 5)] * 5]


def test_a_session_is_replayed_as_it_was() -> None:
    session = played(solved("leduc"), 1, 9)
    again = sessions.resume(solved("leduc"), 1, 9, session.moves, False, session.id, None)
    assert again.states == session.states


def test_unfinished_sessions_go_on_with_the_same_draws() -> None:
    whole = played(solved("pig"), 0, 4)
    for cut in range(len(whole.moves)):
        begun = resume(solved("pig"), 0, 4, whole.moves[:cut], False, "a" * 22, None)
        assert begun.moves == whole.moves[: len(begun.moves)]


def test_the_how_to_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "play.md").read_text(encoding="utf-8")
    examples = "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "play.md", "play.md", 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
