"""Pictures of ruse's games: what is on them, and that they show what the person's side knows and nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from ruse.core.game import describe
from ruse.core.registry import find, make
from ruse.play.pictures import Picture
from ruse.play.session import Session, begin, play, resume
from ruse.play.shown import picture
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve

SMALL = {"phantom-tic-tac-toe": {"board": "2x2", "line": 2}, "phantom-4-in-a-row": {"board": "2x3", "line": 3}}
HIDING = ("kuhn", "leduc", "liars-dice", "mini-poker", "battleship", "goofspiel", "oshi-zumo", *SMALL)


@cache
def solved(name: str) -> Solution:
    return solve(make(name, SMALL.get(name, {"faces": 3} if name == "liars-dice" else {})))


def at(name: str, side: int, *moves: str) -> Session:
    return resume(solved(name), side, 1, moves, False, "a" * 22, None)


def test_both_seas_of_battleship() -> None:
    placed = ("a1", "a2", "a2-b2", "a1-b1")
    session = at("battleship", 0)
    assert picture(session).text() == ["Your next ship takes 1 cell.", "Your sea:", "    a b", "  1 . .", "  2 . ."]
    assert picture(session).moves() == {"a1", "b1", "a2", "b2"} == set(session.options or ())
    session = at("battleship", 0, *placed[:2])
    assert picture(session).lines == ["Your next ship takes 2 cells in a line."]
    session = at("battleship", 0, *placed, "a1", "a2", "b2", "b1")
    assert picture(session).text() == [
        "Shots left: you 1, other side 1.",
        "Signs: o a miss, x a hit, X a hit that sank a ship, S a ship of yours.",
        "Their sea and yours:",
        "    a b | a b",
        "  1 x . | S o",
        "  2 . o | x S",
    ]
    assert picture(session).moves() == {"b1", "a2"} == set(session.options or ())
    assert "X" in picture(at("battleship", 0, *placed, "a2", "a2")).text()[-1]


def test_rounds_of_goofspiel() -> None:
    assert picture(at("goofspiel", 1, "1", "4", "3")).text() == [
        "Points: you 4, other side 0.",
        "Your last card is played automatically.",
        "  round prize your card result",
        "      1     4         4 won",
        "      2     3",
        "      3     2",
        "      4     1",
    ]


@pytest.mark.parametrize(("side", "ring"), [(0, "  you | W . . | other side"), (1, "  you | . . W | other side")])
def test_the_person_pushes_the_wrestler_to_the_right(side: int, ring: str) -> None:
    session = at("oshi-zumo", side, "1", "2", *(["3"] if side else []))
    coins = ("you 3, other side 2", "you 2, other side 3")[side]
    assert picture(session).text() == [f"Coins: {coins}.", "Round 2 of at most 4.", ring]


def test_a_wrestler_who_is_off_the_ring() -> None:
    session = at("oshi-zumo", 0, "1", "0", "1", "0")
    assert session.over and picture(session).text()[-1] == "  you | . . . W other side"


def test_a_long_ring_is_told_in_words() -> None:
    long = solve(make("oshi-zumo", {"coins": 2, "size": 20, "horizon": 2}))
    drawn = picture(resume(long, 0, 1, ["1", "0"], False, "a" * 22, None))
    assert drawn.grid is None
    assert drawn.lines[-1] == "The wrestler stands 1 from the middle, away from you; 21 is off the ring."


def test_boards_of_unseen_games_are_empty_until_the_end() -> None:
    session = at("phantom-tic-tac-toe", 1, "abcd")
    assert picture(session).text() == ["You are O and place the second stone.", "  a b", "  c d"]
    assert picture(play(session, 1, "abcd")).text()[1:] == ["  X O", "  X d"]
    session = at("phantom-4-in-a-row", 0)
    assert picture(session).text() == ["You are X and place the first stone.", "  a b c", "  . . .", "  . . ."]
    session = at("phantom-4-in-a-row", 0, "abcabc", "aabbcc")
    assert picture(session).text()[1:] == ["  a b c", "  O O .", "  X X X"]


def test_tables_of_payoffs(tmp_path: Path) -> None:
    """Any that is small enough is drawn; of a constant amount that is shared out, nobody pays anybody."""
    small, large = (picture(begin(solve(make("morra", {"fingers": count})), 0, seed=1)) for count in (1, 2))
    assert small.text()[1] == "What Player 2 pays Player 1:" and large.grid is None
    file = tmp_path / "shares.nfg"
    file.write_text('NFG 1 R "shares" { "first" "second" } { 2 2 }\n\n7 3 4 6 5 5 8 2\n', encoding="utf-8")
    drawn = picture(begin(solve(find(str(file))), 1, seed=1))
    assert drawn.text()[:2] == ["You choose a column.", "What Player 1 gets:"]


@pytest.mark.parametrize("name", HIDING)
def test_pictures_show_what_the_side_knows_and_nothing_else(name: str) -> None:
    """Whatever is hidden from a side, one position has one picture."""
    seen: dict[tuple[int, str], tuple[Picture, set[str]]] = {}
    for seed in range(80):
        random, side = Random(seed), seed % 2
        session = begin(solved(name), side, seed=seed)
        while not session.over:
            drawn, hidden = picture(session), describe(session.game, session.game.knows(session.states[-1], 1 - side))
            kept = seen.setdefault((side, session.position), (drawn, set()))
            assert kept[0] == drawn
            kept[1].add(hidden)
            session = play(session, session.number, random.choice(session.options or []))
    assert any(len(hidden) > 1 for _, hidden in seen.values())
