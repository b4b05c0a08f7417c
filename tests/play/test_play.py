"""Playing against solutions: sessions, exact draws, files, the coach, the review and the terminal."""

from __future__ import annotations

import argparse
import doctest
import io
import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import lcm
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import ruse
from ruse.core.game import CHANCE, END, Game, RuseError
from ruse.core.registry import moves_text, rules_text
from ruse.formats.efg import read_efg
from ruse.forms.certificate import Certificate
from ruse.games import GAMES, make
from ruse.games.resistance.table import OFFICIAL
from ruse.play import rival as rivals
from ruse.play import session as sessions
from ruse.play import terminal
from ruse.play.coach import Views, amount, judge, review, views_of
from ruse.play.coach import picture as plot
from ruse.play.random_games import random_games
from ruse.play.rival import IllegalMove, Rival, below, drawn
from ruse.play.session import Session, SessionError, begin, play, resume
from ruse.play.shown import in_rows, news, numbered, picture
from ruse.play.storage import Kept, Sessions, default_folder
from ruse.solution.container import StoreError
from ruse.solution.strategy import Solution
from ruse.verify import tree as plain
from ruse.view import viewer

# Every game, small where its usual size takes seconds.
SMALL: dict[str, dict[str, Any]] = {
    "matrix": {"payoffs": "0 1 -1; -1 0 1; 1 -1 0"},
    "liars-dice": {"faces": 3},
    "goofspiel": {"cards": 3},
    "battleship": {"ships": [1], "values": [1], "shots": 2},
    "oshi-zumo": {"coins": 3},
    "guess-who": {"mine": 8, "theirs": 8},
    "pig": {"goal": 15},
    "phantom-tic-tac-toe": {"board": "2x2", "line": 2},
    "phantom-4-in-a-row": {"board": "2x3", "line": 2},
    "4-in-a-row": {"rows": 3, "columns": 4, "line": 3},
    "resistance": {"players": 4, "spies": 1, "missions": [1, 2, 2, 2, 2], "sabotages": [1] * 5},
}


@cache
def solved(name: str) -> Solution:
    return ruse.solve(make(name, SMALL.get(name, {})))


@cache
def table(players: int) -> Solution:
    return ruse.solve(ruse.games.resistance(players))


@cache
def views(name: str) -> Views:
    return views_of(solved(name))


def played(solution: Solution, side: int, seed: int, pick: int = 0) -> Session:
    """A game to its end, in which the person takes moves by some rule."""
    session = begin(solution, side, seed=seed)
    while not session.over:
        move = session.choices[(pick + session.number) % len(session.choices)]
        session = play(session, session.number, session.game.label(move))
    return session


# Draws


@given(st.integers(1, 10**30), st.integers(0, 2**53 - 1), st.integers(0, 1000))
def test_a_draw_is_below_its_limit_and_the_same_again(most: int, seed: int, ply: int) -> None:
    assert 0 <= below(most, seed, ply) < most
    assert below(most, seed, ply) == below(most, seed, ply)


def test_draws_are_even_and_streams_differ() -> None:
    counts = Counter(below(3, 7, ply) for ply in range(3000))
    assert min(binomtest(counts[face], 3000, 1 / 3).pvalue for face in range(3)) > 1e-6
    assert len({below(10**12, seed, ply) for seed in range(20) for ply in range(20)}) == 400


@given(st.lists(st.fractions(0, 1, max_denominator=12), min_size=1, max_size=5).filter(any))
def test_moves_are_drawn_in_exactly_their_share_of_cases(weights: list[Fraction]) -> None:
    odds = {number: weight / sum(weights) for number, weight in enumerate(weights)}
    unit = lcm(*(share.denominator for share in odds.values()))
    with pytest.MonkeyPatch.context() as patch:
        found: Counter[int] = Counter()
        for case in range(unit):
            patch.setattr(rivals, "below", lambda most, *_, case=case: case if most == unit else -1)
            found[drawn(odds, 0, 0)] += 1
    assert {number: Fraction(found[number], unit) for number in odds} == odds


# The computer's moves

GUARANTEED = [name for name in GAMES if name not in ("pig", "phantom-tic-tac-toe", "phantom-4-in-a-row", "4-in-a-row")]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", [name for name in GUARANTEED if name not in ("leduc", "morra", "tic-tac-toe")])
def test_what_the_computer_plays_guarantees_the_certified_value(name: str, side: int) -> None:
    """An exact best response, by the rules, to the very odds that the computer draws its moves by."""
    solution = solved(name)
    rival = Rival(solution, side)
    bound = solution.certificate.lower if side == 0 else solution.certificate.upper
    assert plain.guarantee(rival.game, side, rival.odds) == bound


def test_missions_are_drawn_among_all_that_are_alike() -> None:
    """Spies who could foresee which of two alike seats is sent would know more than they should."""
    rival = Rival(table(7), 0)
    game = rival.game
    first = rival.odds(game.play(game.start(), (0, 1, 2)))
    assert set(first.values()) == {Fraction(1, 21)}
    sent = game.play(game.play(game.start(), (4, 5, 6)), (0, 1))  # no spy aboard: passes
    odds = rival.odds(sent)
    for names in permutations(range(2, 7)):
        new = dict(zip(range(2, 7), names, strict=True)) | {0: 0, 1: 1}
        assert {tuple(sorted(new[seat] for seat in mission)): share for mission, share in odds.items()} == odds


def test_a_strategy_card_by_card_is_played_card_by_card() -> None:
    game = make("resistance", SMALL["resistance"])
    solution = ruse.solve(game, "lp", teams=False, symmetry=False, forced=False)
    rival = Rival(solution, 1)
    assert rival.game is solution.game
    assert plain.guarantee(rival.game, 1, rival.odds) == solution.value
    assert played(solution, 0, 1).over


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_played_to_its_end_from_both_sides(name: str, side: int) -> None:
    solution = solved(name)
    for seed in range(4):
        session = played(solution, side, seed, pick=seed)
        assert session.gain == session.game.payoff(session.states[-1]) * (1 - 2 * side)
        state, game = session.game.start(), session.game
        for label in session.moves:  # every move is one that the rules allow
            assert game.turn(state) != END
            state = game.play(state, rivals.find(game, state, label))
        assert state == session.states[-1]
        assert played(solution, side, seed, pick=seed).moves == session.moves


def test_seeds_differ_and_the_human_decides() -> None:
    assert len({played(table(5), 0, seed).moves for seed in range(10)}) > 5
    assert len({begin(table(5), 0).seed for _ in range(5)}) == 5
    assert begin(solved("kuhn"), "second", seed=5).moves == begin(solved("kuhn"), 1, seed=5).moves


@pytest.mark.parametrize("players", list(OFFICIAL))
@pytest.mark.parametrize("side", [0, 1])
def test_random_games_win_no_less_than_certified(players: int, side: int) -> None:
    solution = table(players)
    results = random_games(solution, side, 40, seed=1)
    won = results[Fraction(1 if side == 1 else -1)]
    share = float(solution.win[solution.game.sides[1 - side]])
    assert results.total() == 40
    assert binomtest(won, 40, share, alternative="less").pvalue > 1e-4


def test_solutions_without_strategies_are_refused() -> None:
    with pytest.raises(RuseError, match="expected strategies to play by"):
        begin(replace(solved("kuhn"), tables=({}, {})), 0)


ONE_MOVES = """EFG 2 R "one moves" { "McRae" "Bo" }
p "" 1 1 "" { "up" "down" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
"""
NOBODY_MOVES = """EFG 2 R "nobody moves" { "McRae" "Bo" }
c "" 1 "" { "h" 1/2 "t" 1/2 } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
"""


NEVER_COMES = """EFG 2 R "never comes" { "McRae" "Bo" }
c "" 1 "" { "never" 0 "always" 1 } 0
p "" 2 1 "" { "up" "down" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
t "" 3 "" { 1 -1 }
"""


@pytest.mark.parametrize("text", [ONE_MOVES, NOBODY_MOVES, NEVER_COMES])
@pytest.mark.parametrize("side", ["McRae", "Bo"])
def test_a_side_that_never_moves_needs_no_strategy(text: str, side: str) -> None:
    session = begin(ruse.solve(read_efg(text)), side, seed=1)
    while not session.over:
        session = play(session, session.number, (session.options or [])[0])
    assert abs(session.gain) in (0, 1) and session.to_json()["over"]


def test_a_game_that_only_the_person_moves_in_is_played_to_its_end(by_text: Any, tmp_path: Path) -> None:
    path = tmp_path / "one.efg"
    path.write_text(ONE_MOVES)
    status, out, err = by_text("down\n", str(path), side="McRae", coach=True)
    assert (status, err) == (0, "") and "Coach: down cost 1; best was up." in out and "Nobody wins." in out


def test_sampled_strategies_play_evenly_where_they_have_not_been() -> None:
    solution = solved("kuhn")
    left_out = {position: odds for position, odds in solution.tables[1].items() if position == "kuhn@J/bet"}
    with pytest.raises(RuseError, match="expected a position of kuhn"):
        Rival(replace(solution, tables=(solution.tables[0], left_out)), 1).odds(_deal("QK", "check"))
    sampled = replace(solution, tables=(solution.tables[0], left_out), options={"unjudged": True})
    assert Rival(sampled, 1).odds(_deal("QK", "check")) == {"check": Fraction(1, 2), "bet": Fraction(1, 2)}


def _deal(cards: str, *bets: str) -> Any:
    game = solved("kuhn").game
    state = game.play(game.start(), cards)
    for bet in bets:
        state = game.play(state, bet)
    return state


@pytest.mark.parametrize(
    ("odds", "message"),
    [
        ({"check": "1/2", "bet": "1/3"}, "sum of 5/6"),
        ({"check": "3/2", "bet": "-1/2"}, "at least 0"),
        ({"jump": "1"}, "got 'jump'"),
    ],
)
def test_forged_strategies_are_noticed(odds: dict[str, str], message: str) -> None:
    solution = solved("kuhn")
    forged = {"kuhn@K/check": {move: Fraction(share) for move, share in odds.items()}}
    rival = Rival(replace(solution, tables=(solution.tables[0], forged)), 1)
    with pytest.raises(RuseError, match=message):
        rival.odds(_deal("QK", "check"))


# Sessions


def test_only_what_the_side_knows_is_shown() -> None:
    session = begin(table(5), "resistance", seed=3)
    assert session.position == "resistance-5"
    assert "seed" not in session.to_json() and "secret" not in session.to_json()
    with pytest.raises(SessionError, match="expected a game that is over"):
        _ = session.secret
    with pytest.raises(SessionError, match="expected a game that is over"):
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
    with pytest.raises(SessionError, match="expected move 2 of this game, got move 1: it was made in another tab"):
        play(later, 1, "a")
    with pytest.raises(SessionError, match="expected move 2 of this game, got move 5: the moves before it are missing"):
        play(later, 5, "a")


def test_moves_that_cannot_be_made() -> None:
    session = begin(solved("tic-tac-toe"), 0, seed=1)
    with pytest.raises(IllegalMove, match="expected a move out of a, b, c, d, e, f, g, h, i, got 'z'"):
        play(session, 1, "z")
    over = played(solved("kuhn"), 0, 1)
    with pytest.raises(SessionError, match="expected no move after the end of kuhn, got 'bet'"):
        play(over, over.number, "bet")
    with pytest.raises(SessionError, match="expected a side, first or second, got 'third'"):
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
    assert re.fullmatch(r"So far: (\w+ passed, then )*\w+ is out\.", news(spies))
    assert news(begin(table(5), "resistance", seed=3)) == ""
    session = play(begin(solved("tic-tac-toe"), 0, seed=1), 1, "e")
    assert news(session) == f"Since your last move: second plays {session.moves[-1]}."
    bet = play(begin(solved("kuhn"), 0, seed=3), 1, "bet")
    assert news(bet) == "From your last move on: bet, then call."


# Pictures, which the terminal and the page share


def test_pictures_in_a_terminal() -> None:
    session = resume(table(5), 1, 1, ["cd", "ab", "acd", "sabotage", "bc"], False, "a" * 22, None)
    assert picture(session).text() == [
        "You are the spies: c and d.",
        "5 seats, 2 of them spies.",
        "Points: resistance 1, spies 1; three win.",
        "  mission           1 2 3 4 5",
        "  seats sent        2 3 2 3 3",
        "  sabotages to fail 1 1 1 1 1",
        "  a                 + - .",
        "  b                 + . ?",
        "  c spy             . - ?",
        "  d spy             . - .",
        "  e                 . . .",
    ]
    board = resume(solved("tic-tac-toe"), 0, 1, ["e", "a"], False, "a" * 22, None)
    assert picture(board).text() == ["You are X.", "  O b c", "  d X f", "  g h i"]
    heaps = resume(solved("nim"), 0, 1, [], False, "a" * 22, None)
    assert picture(heaps).text() == [
        "  heap left", "  a       1 |", "  b       3 |||", "  c       5 |||||", "  d       7 |||||||",
    ]  # fmt: skip
    table_of = resume(solved("rock-paper-scissors"), 1, 1, [], False, "a" * 22, None)
    assert picture(table_of).text()[:3] == [
        "You choose a column.", "What second pays first:", "           rock paper scissors",
    ]  # fmt: skip


def test_spies_are_drawn_for_the_resistance_at_the_end_only() -> None:
    session = begin(table(5), 0, seed=1)
    while not session.over:
        assert "spy" not in str(picture(session)) and "were" not in str(picture(session))
        session = play(session, session.number, session.game.label(session.choices[0]))
    first, second = session.moves[0]
    assert picture(session).lines[0] == f"The spies were {first} and {second}."


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_pictures_are_tables_with_heads_and_legal_buttons(name: str, side: int) -> None:
    session = begin(solved(name), side, seed=2)
    while True:
        drawn = picture(session)
        if drawn.grid is not None:
            assert all(cell.text or cell.says for cell in drawn.grid.heads)
            for row in drawn.grid.rows:
                assert len(row) == len(drawn.grid.heads) and (row[0].text or row[0].says)
        if name in ("tic-tac-toe", "4-in-a-row"):
            assert set(session.options or ()) <= drawn.moves()
        if session.over:
            break
        session = play(session, session.number, session.game.label(session.choices[0]))


def test_rules_and_moves_are_said_at_the_start(by_text: Any) -> None:
    for name in ("morra", "kuhn", "nim"):
        _, out, _ = by_text("q\n", name, seed=1)
        told = " ".join(out.split())
        assert rules_text(name) in told and moves_text(name) in told
    assert "shows two fingers and guesses that there are five in all" in moves_text("morra")


def test_moves_are_listed_in_rows() -> None:
    assert in_rows(["a1", "b1", "b2"]) == [["a1"], ["b1", "b2"]]
    assert in_rows(["1-1", "1-2", "2-1", "liar"]) == [["1-1", "1-2"], ["2-1"], ["liar"]]
    assert in_rows(["call", "raise"]) == [["call", "raise"]]
    assert numbered(["call", "raise"]) and not numbered(["1", "2"]) and not numbered(["a", "b"]) and not numbered([])


# From a position


def test_a_game_from_a_position_of_the_resistance() -> None:
    """Spies are drawn by the odds of the position's view: Bossle's table of five, one mission passed, one failed."""
    solution, look = table(5), viewer(table(5))
    for position in ("resistance-5/ab+/abc-", "resistance-5/ab-/acd?"):
        begun = [begin(solution, 0, seed=seed, position=position, views=look) for seed in range(300)]
        counts = Counter(session.moves[0] for session in begun)
        odds = {belief.what.split()[-1]: float(belief.odds) for belief in look.at(position, 0).beliefs}
        assert set(counts) == {spies for spies, share in odds.items() if share}
        assert min(binomtest(counts[spies], 300, share).pvalue for spies, share in odds.items()) > 1e-5
    session = begin(solution, "resistance", seed=1, position="resistance-5/ab+/abc-", views=look)
    assert (session.position, session.number, session.decisions) == ("resistance-5/ab+/abc-", 1, [])
    assert news(session) == "So far: ab passed, then abc failed."
    after = play(session, 1, "ed")
    assert [one.position for one in after.decisions] == ["resistance-5/ab+/abc-"]
    spies = begin(solution, "spies", seed=1, position="resistance-5@bd/ab+/abc?", views=look)
    assert spies.position == "resistance-5@bd/ab+/abc?" and spies.options == ["pass", "sabotage"]


def test_a_game_from_a_position_of_poker() -> None:
    """Kuhn 1950: after a check, K always bets and J bluffs one time in three, so a bet against Q is K's in 3 of 4."""
    begun = [begin(solved("kuhn"), 0, seed=seed, position="kuhn@Q/check/bet") for seed in range(200)]
    counts = Counter(session.moves[0] for session in begun)
    assert set(counts) == {"QJ", "QK"} and binomtest(counts["QK"], 200, 3 / 4).pvalue > 1e-5
    assert {session.position for session in begun} == {"kuhn@Q/check/bet"}
    waits = begin(solved("kuhn"), 0, seed=1, position="kuhn@K/bet")
    assert waits.over and waits.decisions == []  # the other side answers, and that is the end


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_played_from_where_another_one_was(name: str, side: int, tmp_path: Path) -> None:
    for seed in range(3):
        whole = played(solved(name), side, seed, pick=seed)
        if not whole.decisions:
            continue
        position = whole.decisions[-1].position
        session = begin(solved(name), side, seed=seed, position=position)
        assert (session.position, session.number, session.opening) == (position, 1, position)
        assert begin(solved(name), side, seed=seed, position=position).moves == session.moves
        kept = Sessions(tmp_path)
        kept.save(session)
        session = kept.play(session.id, 1, session.game.label(session.choices[0]), solution_of)
        assert len(session.decisions) == 1 and kept.load(session.id, solution_of).states == session.states
        assert len(review(session, views(name)).verdicts) == 1


@pytest.mark.parametrize(
    ("name", "position", "message"),
    [
        ("kuhn", "kuhn@Z", "expected a position of kuhn that first can be in"),
        ("kuhn", "kuhn@Q/check/check", "expected a position where kuhn goes on, got its end"),
        ("tic-tac-toe", "tic-tac-toe/a/b/c/d/e/f/g", "expected a position where tic-tac-toe goes on, got its end"),
        ("tic-tac-toe", "tic-tac-toe/z", "expected a position of tic-tac-toe"),
        ("phantom-tic-tac-toe", "phantom-tic-tac-toe(board=2x2,line=2)/abcd/abcd", "goes on, got its end"),
        ("kuhn", "leduc@Js", "expected a position of kuhn"),
    ],
)
def test_positions_that_no_game_begins_at(name: str, position: str, message: str) -> None:
    with pytest.raises(RuseError, match=message):
        begin(solved(name), 0, seed=1, position=position)


# Files


def solution_of(kept: Kept) -> Solution:
    return solved(kept.game.name)


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
    with pytest.raises(StoreError, match="expected the id of a session that was kept"):
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
    with pytest.raises(StoreError, match="expected a folder to keep sessions in"):
        Sessions(tmp_path / "file" / "sessions").save(begin(solved("kuhn"), 0))
    folder = Sessions(tmp_path)
    identity = "a" * 22
    folder.path(identity).mkdir()
    with pytest.raises(StoreError, match="expected a session, got a folder"):
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
        assert "\n" not in str(error) and str(error).startswith("expected")
        return None


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
        ({"moves": ["JQ", "fold"]}, "expected a move out of check, bet, got 'fold'"),
        ({"moves": ["JQ", "check", "check", "bet"]}, "expected no move after the end of kuhn, got move 4"),
        ({"moves": [1]}, "expected a line of text as a move, got 1"),
        ({"moves": ["x"] * 20_001}, "expected at most 20,000 moves"),
        ({"side": "third"}, "expected a side, first or second"),
        ({"seed": True}, "expected a seed of 0 to"),
        ({"seed": 2**60}, "expected a seed of 0 to"),
        ({"coach": 1}, "expected true or false as coach"),
        ({"game": "chess"}, "expected a game"),
        ({"game": "matrix", "parameters": {"file": "/etc/passwd"}}, "got a file's name among them"),
        ({"parameters": {"cards": 3}}, "expected no parameter of kuhn"),
        ({"format": 2}, "expected a session of format 1, got 2"),
        ({"id": "b" * 22}, "got another under its name"),
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


def test_what_chance_cannot_do_is_no_move() -> None:
    game = _WithNever()
    with pytest.raises(SessionError, match="expected something that can happen, got 'JQ' by chance as move 1"):
        resume(replace(solved("kuhn"), game=game), 0, 1, ["JQ"], False, "a" * 22, None)


class _WithNever(type(ruse.games.kuhn())):  # type: ignore[misc]
    def odds(self, state: Any) -> list[Fraction]:
        return [Fraction(0), *[Fraction(1, 5)] * 5]


def test_a_session_goes_on_with_a_solution_of_its_own_game(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    session = begin(solved("kuhn"), 0)
    kept.save(session)
    with pytest.raises(StoreError, match="expected a solution of kuhn to go on with, got one of another game"):
        kept.load(session.id, lambda _: solved("leduc"))


# The coach. The second side's strategy in Kuhn's poker is unique (Kuhn 1950): J bluffs 1/3 after a check and folds,
# Q checks and calls 1/3, K bets and calls. Against it, by hand:


@pytest.mark.parametrize(
    ("moves", "number", "before", "after", "loss", "best"),
    [
        # Q bets: J folds (1), K calls (-2): -1/2. Q checks: -1/3, as J checks 2/3 of the time and K bets.
        (["QJ", "bet"], 1, "-1/3", "-1/2", "1/6", ["check"]),
        (["QJ", "check"], 1, "-1/3", "-1/3", "0", ["check"]),
        # J bets: Q calls 1/3, so 0; K calls: -2; on average -1, as much as by check and fold.
        (["JQ", "bet"], 1, "-1", "-1", "0", ["check", "bet"]),
        # K bets: J folds, Q calls 1/3, on average 7/6. K checks: J bluffs 1/3 and Q checks, 7/6 too.
        (["KJ", "check"], 1, "7/6", "7/6", "0", ["check", "bet"]),
        # K folds to a bluff: -1 instead of 2.
        (["KJ", "check", "bet", "fold"], 2, "2", "-1", "3", ["call"]),
        # J calls a bet of K: -2 instead of -1.
        (["JK", "check", "bet", "call"], 2, "-1", "-2", "1", ["fold"]),
    ],
)
def test_the_coach_in_kuhn_poker(
    moves: list[str], number: int, before: str, after: str, loss: str, best: list[str]
) -> None:
    session = resume(solved("kuhn"), 0, 1, moves, True, "a" * 22, None)
    verdict = judge(session, views("kuhn"), number)
    assert (verdict.after, verdict.loss, list(verdict.best)) == (Fraction(after), Fraction(loss), best)
    assert verdict.before == Fraction(before)
    assert verdict.exact


def test_the_second_side_hears_its_own_gains() -> None:
    session = resume(solved("kuhn"), 1, 1, ["JK", "bet", "fold"], True, "a" * 22, None)
    verdict = judge(session, views("kuhn"), 1)
    assert (verdict.after, verdict.loss, list(verdict.best)) == (-1, 3, ["call"])
    assert verdict.told(session.game) == "fold cost 3; best was call"
    with pytest.raises(RuseError, match="expected a move that was made, 1 to 1, got 2"):
        judge(session, views("kuhn"), 2)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_reviews_of_every_game(name: str, side: int) -> None:
    for seed in range(2):
        session = played(solved(name), side, seed, pick=seed)
        found = review(session, views(name))
        assert len(found.verdicts) == len(session.decisions)
        assert all(verdict.loss is not None and verdict.loss >= 0 for verdict in found.verdicts)
        assert found.total == sum(verdict.loss or 0 for verdict in found.verdicts) >= 0
        assert found.line[-1] == session.gain
        told = found.to_json()
        assert json.loads(json.dumps(told)) == told
        assert told["review"]["total"] == str(found.total)
        assert str(session.decisions[0].move) in found.told() if session.decisions else found.told()


@pytest.mark.parametrize("players", [5, 7])
def test_reviews_of_the_resistance_know_missions_that_are_alike(players: int) -> None:
    judged = views_of(table(players))
    for side in (0, 1):
        session = played(table(players), side, 1, pick=3)
        for verdict in review(session, judged).verdicts:
            assert verdict.loss is not None and verdict.loss >= 0
            assert verdict.before is not None and -1 <= verdict.before <= 1


def test_optimal_moves_cost_nothing() -> None:
    """A person who follows its own strategy loses nothing on the way."""
    for side in (0, 1):
        for seed in range(8):
            session = begin(solved("kuhn"), side, seed=seed)
            while not session.over:
                odds = solved("kuhn").strategy(side).at(session.position)
                session = play(session, session.number, max(odds, key=lambda move: odds[move]))
            assert review(session, views("kuhn")).total == 0


def test_what_cannot_be_judged_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(solution: Solution) -> Views:
        raise RuseError("expected a smaller game, got a large one")

    session = resume(solved("kuhn"), 0, 1, ["KJ", "check", "bet", "fold"], True, "a" * 22, None)
    monkeypatch.setattr("ruse.view.viewer", too_large)
    found = review(session, views_of(session.solution))
    assert found.verdicts[0].told(session.game) == "check cannot be judged: expected a smaller game, got a large one"
    assert found.total == 0 and found.line == [-1]
    assert found.to_json()["review"]["moves"][0]["loss"] is None
    assert "Lost in all, where it could be told: nothing." in found.told()


def test_amounts() -> None:
    kuhn, five = ruse.games.kuhn(), ruse.games.resistance(5)
    assert amount(kuhn, Fraction(1, 6)) == "1/6 ≈ 0.167"
    assert amount(kuhn, Fraction(3)) == "3"
    assert amount(kuhn, Fraction(1, 3), exact=False) == "about 0.3333"
    assert amount(kuhn, Fraction(123456, 654321)) == "about 0.1887"
    assert amount(five, Fraction(1, 5)) == "10 % of winning"


def test_the_picture_of_a_line() -> None:
    lines = plot([-1.0, 0.0, 1.0], -1, 1, ruse.games.resistance(5))
    assert lines[0] == " 100 % │        ●"
    assert lines[3] == "  50 % │    ●"
    assert lines[6] == "   0 % │●"
    long = plot([0.0] * 500, 0, 0, ruse.games.kuhn())
    assert max(map(len, long)) < 80


# The terminal


@pytest.fixture
def by_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """Play by text: (status, stdout, stderr)."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def call(text: str, game: str | None = None, **options: Any) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        usual = {"side": None, "seed": None, "coach": False, "source": None, "resume": None, "at": None, "json": False}
        asked = argparse.Namespace(game=game, **({"parameters": {}, "own": None} | usual | options))
        status = terminal.play(asked)
        return status, *capsys.readouterr()

    return call


def test_a_game_by_text(by_text: Any) -> None:
    status, out, _ = by_text("che\ncall\n", "kuhn", seed=3, coach=True)
    assert status == 0
    assert "You are first, against the strategy of second." in out
    assert "You hold Q." in out and "1 check   2 bet" in out
    assert "kuhn@Q/check/bet/call" in out and "What the other side knew: kuhn@K/check/bet/call" in out
    assert "Coach: check cost nothing." in out and "You lose 2." in out
    assert "Lost in all: nothing." in out and "--side first --seed 3" in out
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
    assert "Coach: bet cost 1/6 ≈ 0.167; best was check." in out
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
    assert status == 0 and "The game is kept. Go on with: ruse play --resume " in out


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
    assert "expected move 2 of this game, got move 1: it was made in another tab" in out
    assert "goofspiel/3/" in out.partition("another tab")[2]


def test_help_hints_and_mistakes(by_text: Any) -> None:
    _, out, _ = by_text("?\n\nhint\nzzz\nq\n", "kuhn", seed=3)
    assert terminal.HELP in out and "Your move, or ? for help." in out
    assert "Optimal play: always check" in out
    assert "expected a move out of check, bet, got 'zzz'" in out
    _, out, _ = by_text("q\n", "kuhn", seed=3)
    assert "Optimal play" not in out


@pytest.mark.parametrize(
    ("game", "parameters", "told"),
    [
        ("kuhn", {}, "A move: its number in the list, its name, or the beginning"),
        ("tic-tac-toe", {}, "A move: its name, or the beginning"),
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
        (replace(near, options={"unjudged": True}), "The strategy found, which nothing is proved of: "),
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
        assert status == 0 and "That is what the file says" in out
        assert by_text("q\n", resume=kept)[0] == 0
    with pytest.raises(RuseError, match="expected a solution of leduc"):
        by_text("", "leduc", source=str(file))
    with pytest.raises(RuseError, match="expected a game to play, --from"):
        by_text("")
    with pytest.raises(RuseError, match="expected nothing about the seed with --resume"):
        by_text("", resume=kept, seed=1)
    with pytest.raises(RuseError, match="expected a game's name before its parameters, got --cards alone"):
        by_text("", source=str(file), parameters={"cards": "3"})
    file.unlink()
    with pytest.raises(RuseError, match="no such file"):
        by_text("", resume=kept)


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_shown(name: str, tmp_path: Path, by_text: Any) -> None:
    file = solved(name).save(tmp_path / "game.ruse")
    session = played(solved(name), 0, 1)
    moves = "".join(f"{one.move}\n" for one in session.decisions)
    status, out, _ = by_text(moves, source=str(file), seed=1, side=session.game.sides[0])
    assert status == 0 and session.position in out and "--seed 1" in out


def test_meant_moves() -> None:
    session = begin(solved("leduc"), 0, seed=1)
    assert session.options == ["call", "raise"]
    for typed, meant in (("raise", "raise"), ("2", "raise"), ("RA", "raise"), ("c", "call"), ("3", "3"), ("12", "12")):
        assert terminal.chosen(session, typed) == meant
    mission = begin(table(7), 0, seed=1)
    with pytest.raises(IllegalMove, match="expected one move, got 'a', which begins ab, ac"):
        terminal.chosen(mission, "a")


def test_a_session_is_replayed_as_it_was() -> None:
    session = played(solved("leduc"), 1, 9)
    again = sessions.resume(solved("leduc"), 1, 9, session.moves, False, session.id, None)
    assert again.states == session.states


def test_unfinished_sessions_go_on_with_the_same_draws() -> None:
    whole = played(solved("pig"), 0, 4)
    for cut in range(len(whole.moves)):
        begun = resume(solved("pig"), 0, 4, whole.moves[:cut], False, "a" * 22, None)
        assert begun.moves == whole.moves[: len(begun.moves)]


def test_the_game_as_played_keeps_to_the_protocol() -> None:
    for players in (5, 7):
        assert isinstance(Rival(table(players), 0).game, Game)
        assert Rival(table(players), 0).game.turn(Rival(table(players), 0).game.start()) == CHANCE


def test_the_how_to_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "play.md").read_text(encoding="utf-8")
    examples = "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "play.md", "play.md", 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
