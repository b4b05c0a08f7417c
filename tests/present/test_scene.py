"""Scenes: what every game draws, whether its texts say all of it, and that a picture keeps a secret."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from random import Random
from xml.etree import ElementTree

import pytest

from ruse.core.game import END, Game
from ruse.core.registry import presentation
from ruse.games import GAMES, make
from ruse.play.cover import cover
from ruse.play.pictures import Picture, read
from ruse.present import scene_svg
from ruse.present.scene import BACK, CARD, CUP, NOTE, SHAPES, Piece, Row, Scene, TableSeat, Token, card_name, cards

SVG = "{http://www.w3.org/2000/svg}"
SCENIC = ("resistance", "avalon", "kuhn", "leduc", "poker", "mini-poker", "liars-dice", "goofspiel", "guess-who", "nim")
PARAMETERS = {"liars-dice": {"dice": 2}, "poker": {"hand": 2, "public": [0, 3]}, "matrix": {"payoffs": "1 0; 0 1"}}


@cache
def game_of(name: str) -> Game:
    return make(name, (GAMES[name].offered or [{}])[0] | PARAMETERS.get(name, {}))


def drawn_on_the_way(name: str, seed: int) -> list[tuple[Game, object, int, Picture]]:
    """What both sides see in each state of a random play, and at its end."""
    game, random = game_of(name), Random(seed)
    state, seen = game.start(), []
    while True:
        turn = game.turn(state)
        for side in (0, 1):
            drawn = presentation(game).picture(game.knows(state, side), side, state if turn == END else None)
            seen.append((game, state, side, read(drawn, ())))
        if turn == END:
            return seen
        state = game.play(state, random.choice(game.moves(state)))


@pytest.mark.cases(6)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SCENIC)
def test_what_a_scene_shows_its_texts_say(name: str, seed: int) -> None:
    """Each text in the SVG is in the words of its picture, but for signs, and for what a token has in its own words."""
    scenes = [drawn.scene for _, _, _, drawn in drawn_on_the_way(name, seed) if drawn.scene is not None]
    assert scenes
    for scene in scenes:
        said = " ".join(scene.text())
        root = ElementTree.fromstring(scene_svg.draw(scene, "The table"))
        assert root.find(f"{SVG}title").text == "The table" and root.find(f"{SVG}desc").text == said  # type: ignore[union-attr]
        named = {card_name(piece.text): piece for row in scene.rows for piece in row.pieces}
        for text in (element.text or "" for element in root.iter(f"{SVG}text")):
            words = re.sub(r"[×♠♥♦♣✓✗…?%]", "", text).strip()
            assert all(word in said or any(word in piece.text for piece in named.values()) for word in words.split()), (
                text,
                said,
            )


@pytest.mark.parametrize("name", SCENIC)
def test_a_scene_shows_no_more_than_its_side_knows(name: str) -> None:
    """States that a side cannot tell apart look the same to it, so its scene depends on its knowledge alone."""
    for seed in range(3):
        for game, state, side, drawn in drawn_on_the_way(name, seed):
            if game.turn(state) != END:
                assert drawn == read(presentation(game).picture(game.knows(state, side), side, None), ())


def test_hidden_cards_and_dice_lie_face_down_until_the_end() -> None:
    for name, shape in (("kuhn", BACK), ("leduc", BACK), ("liars-dice", CUP)):
        for game, state, _, drawn in drawn_on_the_way(name, 1):
            if drawn.scene is not None and game.turn(state) != END:
                assert [piece.text for piece in drawn.scene.rows[0].pieces if piece.shape in (CARD, "die")] == []
                assert shape in [piece.shape for piece in drawn.scene.rows[0].pieces]


def test_the_pot_is_what_both_have_put_in() -> None:
    """A raise of 2 in the first round and of 4 in the second, with an ante of 1."""
    game = make("leduc", {})
    state = game.start()
    for move in ("Qs", "Kh", "raise", "call", "Jh", "call", "raise"):
        state = game.play(state, move)
    drawn = read(presentation(game).picture(game.knows(state, 0), 0, None), ())
    assert drawn.lines == [
        "You hold Qs.", "The public card is Jh.", "The pot has 10 chips: 3 from you, 7 from the other side.",
    ]  # fmt: skip
    assert drawn.scene is not None and drawn.scene.text() == [
        "Other side: a hidden card, 7 chips put in, last did: raise.",
        "On the table: jack of hearts.",
        "You: queen of spades, 3 chips put in, last did: call.",
    ]


def test_seats_are_as_suspect_as_they_are_coloured() -> None:
    seats = [TableSeat(name) for name in "abcde"]
    shares = {"a": Fraction(0), "b": Fraction(1, 3), "c": Fraction(1), "d": Fraction(1, 1000)}
    scene = Scene(seats=seats, tokens=[Token("✓", "Mission 1: ab passed.", "passed", "ab")]).suspecting(shares)
    drawn = scene_svg.draw(scene, "The table")
    assert [scene_svg.suspicion(seat) for seat in scene.seats] == [
        "suspect level0", "suspect level1", "suspect certain", "suspect level0", "suspect",
    ]  # fmt: skip
    assert [text in drawn for text in (">0%<", ">33%<", ">100%<", ">&lt;1%<")] == [True] * 4
    assert scene.text()[1] == "Seat b, 33.33% suspect." and scene.text()[-1] == "Mission 1: ab passed."
    spies = Scene(seats=[TableSeat("a", "spy", evil=True), TableSeat("b"), TableSeat("c")])
    shares = {"a": Fraction(1), "b": Fraction(0), "c": Fraction(1, 2)}
    assert [seat.suspicion for seat in spies.suspecting(shares).seats] == [1, None, Fraction(1, 2)]
    known = TableSeat("a", "spy", evil=True, aboard=True, suspicion=Fraction(1))
    assert known.words() == "Seat a, spy, in the team." and scene_svg.suspicion(known) == "suspect certain"


def test_rows_break_into_lines_within_the_picture() -> None:
    long = Scene([Row("Seen", [Piece(NOTE, f"move number {number}") for number in range(30)]), Row("Empty", [])])
    root = ElementTree.fromstring(scene_svg.draw(long, "x"))
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    boxes = list(root.iter(f"{SVG}rect"))
    assert width <= scene_svg.WIDE and len(boxes) == 31
    for box in boxes:
        assert float(box.get("x", "0")) + float(box.get("width", "0")) <= width + 0.01
        assert float(box.get("y", "0")) + float(box.get("height", "0")) <= height + 0.01


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_drawn_whatever_is_written_on_it(shape: str) -> None:
    for text in ("", "7", "Kh", "2-5", "a long text <b>&", "12345678"):
        root = ElementTree.fromstring(scene_svg.draw(Scene([Row("r", [Piece(shape, text)])]), 'a "name"'))
        assert not [one for one in root.iter() if one.tag not in {f"{SVG}{tag}" for tag in DRAWN}]
    assert cards(["Th"])[0].words == "ten of hearts" and Row("You", []).words() == "You: nothing."


DRAWN = ("svg", "title", "desc", "g", "text", "rect", "circle", "ellipse", "polygon", "line")


@pytest.mark.parametrize("name", [name for name in GAMES if name != "matrix"])
def test_every_game_has_a_picture_in_the_list_of_games(name: str) -> None:
    drawn = cover(game_of(name))
    assert drawn.text() and (drawn.rows or drawn.seats or drawn.board)
    ElementTree.fromstring(scene_svg.draw(drawn, "A position"))
    assert cover(game_of(name)) == drawn  # the same at the next start


def test_a_board_is_drawn_cell_by_cell() -> None:
    drawn = cover(game_of("tic-tac-toe"))
    assert [len(row) for row in drawn.board] == [3, 3, 3]
    root = ElementTree.fromstring(scene_svg.draw(drawn, "A position"))
    assert len([box for box in root.iter(f"{SVG}rect") if box.get("class") == "paper"]) == 9
    assert any("yours" in text for text in drawn.text())
    seas = cover(game_of("battleship"))
    root = ElementTree.fromstring(scene_svg.draw(seas, "A position"))
    assert len([box for box in root.iter(f"{SVG}rect") if box.get("class") == "paper"]) == 8  # two seas of four cells


def test_every_sign_is_drawn() -> None:
    for name in scene_svg.SIGNS:
        assert 'aria-hidden="true"' in scene_svg.sign(name)
