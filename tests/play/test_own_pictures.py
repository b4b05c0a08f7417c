"""Pictures of games of people's own: drawn as ruse's are, and where one fails, a sentence and no end of the game."""

from __future__ import annotations

import io
import re
import sys
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import httpx
import pytest

from ruse.core import named_games as own
from ruse.core.game import GameError
from ruse.core.jsonable import jsonable
from ruse.core.presentation import Presentation
from ruse.core.registry import find, presentation
from ruse.games import kuhn
from ruse.games.kuhn import Kuhn
from ruse.play.pictures import Cell, Grid, Picture, read
from ruse.play.session import Session, begin, play
from ruse.play.shown import picture
from ruse.solving.pipeline import solve
from serving import PATIENCE, play_on, serving
from serving import begin as begin_there

Ruse = Callable[..., tuple[int, str, str]]
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-game-more.md"
(COIN,) = re.findall(r"\$ cat coin.py\n(.*?)\$ ruse", PAGE.read_text(encoding="utf-8"), re.DOTALL)
DRAWN = COIN[COIN.index("        coin, looked") : COIN.index("\n\nclass Coin")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with own.only_here():
        yield tmp_path


def coin(body: str = DRAWN) -> Session:
    """The seeker's game, with another body of `picture`."""
    Path("coin.py").write_text(COIN.replace(DRAWN, body), encoding="utf-8")
    return begin(solve(find("coin.py")), 0, seed=1)


def test_a_board_of_ones_own_is_drawn_and_its_cells_are_the_moves() -> None:
    session = coin()
    drawn = picture(session)
    assert drawn.text() == ["Where is the coin?", "  a b", "  c d"] and drawn.moves() == {"a", "b", "c", "d"}
    assert drawn.grid is not None and drawn.grid.kind == "board"
    assert all(cell.text or cell.says for cell in (*drawn.grid.heads, *(row[0] for row in drawn.grid.rows)))
    session = play(session, 1, "b")
    assert picture(session).text() == ["Where is the coin?", "  a x", "  c d"]
    assert picture(session).moves() == {"a", "c", "d"}


def test_a_picture_is_told_what_the_side_knows() -> None:
    session = coin("        return [repr(knowledge), repr(side)]\n")
    assert picture(session).lines == ["('?',)", "0"] and session.states[-1] != ("?",)


def test_rows_that_begin_with_nothing_have_heads() -> None:
    drawn = read([["", "you", "other side"], ["coins", 3, Fraction(1, 2)], ["pot", Decimal("1.5")]], ["3", "4"])
    assert drawn.text() == ["        you other side", "  coins   3        1/2", "  pot   1.5"]
    assert drawn.grid is not None and drawn.grid.kind == "" and not drawn.moves()
    assert drawn.grid.heads == [Cell("", "row"), Cell("you"), Cell("other side")]


def test_cells_are_moves_only_where_each_move_has_one() -> None:
    assert read([["1", "2"]], ["1", "2"]).moves() == {"1", "2"}
    assert not read([["1", "2"]], ["1", "2", "3"]).moves()
    assert not read([["1", "2"], ["1", "x"]], ["1", "2"]).moves()
    assert not read([["1"]], []).moves()


def test_lines_alone_and_nothing_at_all() -> None:
    assert read("one\ntwo", []) == read(["one\ntwo"], []) == Picture(["one", "two"])
    assert read([], []) == Picture([]) and read([["", ""]], []).grid is None
    assert read([["a\nb"]], []).text() == ["  a b"]


BAD = {
    "raises": ("        return [1 / 0]\n", r"ZeroDivisionError: division by zero \(coin.py, line 9\)"),
    "nothing": ("        pass\n", r"expected a picture, which is a list of lines and rows of texts, got None"),
    "a number": ("        return 3\n", r"expected a picture, which is a list .*, got 3"),
    "a set": ("        return {'a'}\n", r"expected a picture, which is a list .*, got \{'a'\}"),
    "a number as a line": ("        return [3]\n", r"expected a line or a row of texts in a picture, got 3"),
    "a list in a row": ("        return [[['a']]]\n", r"expected a text or an exact number in a picture, got \['a'\]"),
    "a float": ("        return [['a', 0.5]]\n", r"expected a text or an exact number in a picture, got 0.5"),
    "too wide": (
        "        return [['a'] * 101]\n",
        r"a picture has more than 100 lines, rows or columns",
    ),
    "too tall": ("        return ['a'] * 101\n", r"a picture has more than 100 lines, rows or columns"),
    "too long": (
        "        return ['a' * 1001]\n",
        r"expected texts of at most 1,000 characters .*, got 1,001",
    ),
    "endless": ("        return self.picture(knowledge, side, end)\n", r"RecursionError: .*\(coin.py, line 9\)"),
    "arguments": ("        pass\n    def picture(self):\n        return []\n", r"TypeError: .*picture\(\) takes 1 .*"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_picture_that_fails_is_a_sentence_and_the_game_goes_on(kind: str) -> None:
    body, sentence = BAD[kind]
    session = coin(body)
    while True:
        drawn = picture(session)
        (line,) = drawn.lines
        assert drawn.grid is None and re.fullmatch(rf"ruse cannot draw this position: {sentence}\.", line), line
        if session.over:
            break
        session = play(session, session.number, session.game.label(session.choices[0]))


SCENES = {
    "of shapes that cannot be drawn": "Scene([Row('r', [Piece('note', 3)])])",
    "with too much on it": "Scene([Row('r', [Piece('note', 'a')] * 101)])",
    "that is none": "3",
}


@pytest.mark.parametrize("kind", SCENES)
def test_a_scene_that_cannot_be_drawn_is_a_sentence(kind: str) -> None:
    body = f"""        from ruse.play.pictures import Picture
        from ruse.present.scene import Piece, Row, Scene
        return Picture([], None, {SCENES[kind]})
"""
    (line,) = picture(coin(body)).lines
    assert line.startswith("ruse cannot draw this position: ") and "\n" not in line


def test_a_picture_that_never_returns_is_a_sentence_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop is stopped, so that it does not take the processor for ever."""
    monkeypatch.setattr("ruse.play.shown.PATIENCE", 0.2)
    session = coin("        while True:\n            pass\n")
    before = set(threading.enumerate())
    assert picture(session).lines == ["ruse cannot draw this position: the game took longer than 0.2 seconds."]
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_scene_of_ones_own_is_drawn() -> None:
    body = """        from ruse.play.pictures import Picture
        from ruse.present.scene import Row, Scene, cards
        return Picture(["You see Kh."], None, Scene([Row("You", cards(["Kh"]))]))
"""
    drawn = picture(coin(body))
    assert drawn.scene is not None and drawn.scene.text() == ["You: king of hearts."]


def test_strange_letters_can_be_written_everywhere() -> None:
    session = coin("        return ['\\ud800', ['\\ud800<b>']]\n")
    assert "\n".join(picture(session).text()).encode()


def test_terminal_and_page_draw_it(here: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    coin()
    monkeypatch.setattr(sys, "stdin", io.StringIO("b\nq\n"))
    status, out, _ = ruse("play", "coin.py", "--seed", "1")
    assert status == 0 and "Where is the coin?\n  a x\n  c d\n" in out
    with serving(here, "coin.py") as server, httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
        session = begin_there(client, "coin", "seeker", 1)
        assert session["picture"]["lines"] == ["Where is the coin?"]
        page = server.shown(f"/play/{session['id']}")
        assert '<table class="picture board">' in page and page.count('<button class="square" name="move"') == 4
        assert play_on(client, session, Random(1))["over"]


def test_a_failing_picture_is_a_sentence_on_the_page(here: Path) -> None:
    coin("        return [1 / 0]\n")
    with serving(here, "coin.py") as server, httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
        session = begin_there(client, "coin", "hider", 1)
        assert "ruse cannot draw this position: ZeroDivisionError" in server.shown(f"/play/{session['id']}")
        assert play_on(client, session, Random(1))["over"]


class Another(Presentation[Kuhn]):
    def picture(self, knowledge: object, side: int, end: object) -> list[str]:
        return ["Another picture."]


class Redrawn(Kuhn):
    """Somebody's relative of a game of ruse's, with a picture of its own."""

    presentation = Another


class Broken(Presentation[Kuhn]):
    def picture(self, knowledge: object, side: int, end: object) -> list[str]:
        return [str(1 / 0)]


class Failing(Kuhn):
    parts = {"presentation": Broken}  # noqa: RUF012


class Plain(Kuhn):
    """One that says nothing of how it is shown."""


def test_ones_own_picture_comes_before_an_inherited_one() -> None:
    assert type(presentation(Redrawn())) is Another
    assert picture(begin(solve(Plain()), 0, seed=3)).lines == ["You know: Q."]
    assert picture(begin(solve(Redrawn()), 0, seed=1)).lines == ["Another picture."]
    assert picture(begin(solve(kuhn()), 0, seed=3)).lines[0] == "You hold Q."


def test_a_part_that_fails_is_a_sentence_too() -> None:
    (line,) = picture(begin(solve(Failing()), 0, seed=1)).lines
    assert line.startswith(
        "ruse cannot draw this position: ZeroDivisionError: division by zero (test_own_pictures.py, line"
    )


def test_a_whole_picture_is_taken_as_it_is() -> None:
    whole = Picture(["a"], Grid("", [Cell("", "row")], []))
    assert read(whole, []) is whole
    with pytest.raises(GameError, match="expected a picture"):
        read(jsonable(whole), [])
