"""Positions in text: they read back, bad ones are refused in one sentence, and renamings are filed under one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruse.core.capabilities import Representatives
from ruse.core.game import END, Game, PositionError, RuseError, describe
from ruse.core.walk import visits
from ruse.forms.reductions import reduce
from ruse.games import UnknownGame, UnknownParameter, game_of, leduc, make, resistance, tic_tac_toe
from ruse.games.resistance.notation import MissionHistory, read, representative_position, seats
from ruse.games.resistance.table import OFFICIAL, POINTS_TO_WIN, ROUNDS, Table, make_table

FIVE = make_table(5)


def test_bossles_example_reads_as_told() -> None:
    """Bossle 2018, §4.1: spies 2 and 4; {1,2} pass, {1,2,3} fail, {1,2} fail, {1,3,4} fail; the spies win."""
    text = "resistance-5@bd/ab+/abc-/ab-/acd-"
    position = read(FIVE, text)
    assert position == MissionHistory(
        (1, 3), (((0, 1), True), ((0, 1, 2), False), ((0, 1), False), ((0, 2, 3), False)), None
    )
    assert position.score == (1, POINTS_TO_WIN)
    assert position.text(FIVE) == text

    game = resistance()
    state = game.play(game.start(), (1, 3))
    for mission, card in (((0, 1), 0), ((0, 1, 2), 1), ((0, 1), 1), ((0, 2, 3), 1)):
        state = game.play(game.play(state, mission), card)
    assert game.turn(state) == END
    assert describe(game, game.knows(state, 1)) == text
    assert describe(game, game.knows(state, 0)) == "resistance-5/ab+/abc-/ab-/acd-"


@pytest.mark.parametrize(
    "text",
    ["resistance-5", "resistance-5@bd", "resistance-5/ab+/abc-", "resistance-5/ab+/abc?", "resistance-5@bd/ab+/abc?"],
)
def test_positions_of_the_contract_read_back(text: str) -> None:
    assert read(FIVE, text).text(FIVE) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("resistance-6/ab+", "a position of resistance-5"),
        ("resistance-5x/ab+", "@ and the spies"),
        ("resistance-5/ab", "seats and .*such as 'ab\\+', got 'ab'"),
        ("resistance-5/", "seats and .*, got ''"),
        ("resistance-5/AB+", "seats and .*, got 'AB\\+'"),
        ("resistance-5/af+", "different seats from a to e, got 'af'"),
        ("resistance-5/aa+", "different seats from a to e, got 'aa'"),
        ("resistance-5/abc+", "2 seats on mission 1, got 'abc\\+'"),
        ("resistance-5@b/ab+", "2 spies after @, got 'b'"),
        ("resistance-5@/ab+", "different seats from a to e, got ''"),
        ("resistance-5@de/ab-", "1 spies aboard a failed mission, got 'ab-'"),
        ("resistance-5/ab?/abc+", "nothing after a mission under way, got 'abc\\+'"),
        ("resistance-5/ab+/abc+/ab+/abc+", "no mission once a side has 3 points, got 'abc\\+'"),
    ],
)
def test_bad_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        read(FIVE, text)


def test_a_failed_mission_needs_enough_spies() -> None:
    """The fourth mission of seven players takes two sabotages (Bossle 2018, Table 4.1)."""
    table = make_table(7)
    start = "resistance-7@abc/ab+/abc-/abd-/"
    assert read(table, start + "abde-").score == (1, 3)
    with pytest.raises(PositionError, match="2 spies aboard a failed mission, got 'adef-'"):
        read(table, start + "adef-")


@st.composite
def positions(draw: st.DrawFn) -> tuple[Table, MissionHistory]:
    """A table and a history of it, with spies or without; every failed mission has enough spies aboard."""
    table = make_table(draw(st.sampled_from(sorted(OFFICIAL))))
    order = st.permutations(range(table.players))
    spies = tuple(sorted(draw(order)[: table.spies]))
    done: list[tuple[tuple[int, ...], bool]] = []
    out = None
    for number in range(draw(st.integers(0, ROUNDS))):
        if POINTS_TO_WIN in MissionHistory(None, tuple(done), None).score:
            break
        mission = tuple(sorted(draw(order)[: table.missions[number]]))
        can_fail = len(set(mission).intersection(spies)) >= table.sabotages[number]
        if can_fail and draw(st.integers(0, 5)) == 0:
            out = mission
            break
        done.append((mission, not (can_fail and draw(st.booleans()))))
    return table, MissionHistory(spies if draw(st.booleans()) else None, tuple(done), out)


@given(positions())
def test_positions_read_back(drawn: tuple[Table, MissionHistory]) -> None:
    table, position = drawn
    assert read(table, position.text(table)) == position
    assert game_of(position.text(table)).title == table.title


@given(positions(), st.data())
def test_renamed_positions_are_filed_under_one(drawn: tuple[Table, MissionHistory], data: st.DataObject) -> None:
    """The representative position does not depend on the names of the seats, and its moves are the same people here."""
    table, position = drawn
    names = dict(enumerate(data.draw(st.permutations(range(table.players)))))
    renamed = position.renamed(names)
    side = data.draw(st.integers(0, 0 if position.spies is None else 1))
    filed, here = representative_position(table, position.text(table), side)
    assert representative_position(table, renamed.text(table), side)[0] == filed
    again, same = representative_position(table, filed, side)
    assert again == filed
    move = seats(sorted(data.draw(st.permutations(range(table.players)))[:2]))
    assert same(move) == move
    seen = position if side == 1 else MissionHistory(None, position.done, position.out)
    told = read(table, filed)
    for letter in move:
        there, seat = ord(letter) - ord("a"), ord(here(letter)) - ord("a")
        assert [there in mission for mission in told.missions] == [seat in mission for mission in seen.missions]
        if seen.spies is not None and told.spies is not None:
            assert (there in told.spies) == (seat in seen.spies)
    assert here("pass") == "pass"


@pytest.mark.parametrize("game", [resistance(3, 2, [2, 1, 2, 2, 1], [2, 1, 1, 2, 1]), leduc()])
def test_reduced_games_keep_filed_positions(game: Game) -> None:
    """Where the reduced game has a position, it is the one that all its renamings are filed under."""
    assert isinstance(game, Representatives)
    reduced = reduce(game)
    texts: tuple[set[str], set[str]] = (set(), set())
    for state, _, _ in visits(reduced):
        turn = reduced.turn(state)
        if turn >= 0:
            text = describe(reduced, reduced.knows(state, turn))
            assert game.representative_position(text, turn)[0] == text
            texts[turn].add(text)
    whole = reduce(game, symmetry=False)
    filed: tuple[set[str], set[str]] = (set(), set())
    for state, _, _ in visits(whole):
        turn = whole.turn(state)
        if turn >= 0:
            filed[turn].add(game.representative_position(describe(whole, whole.knows(state, turn)), turn)[0])
    assert filed == texts


@pytest.mark.parametrize(
    ("text", "filed"),
    [
        ("leduc", "leduc"),
        ("leduc@Kh", "leduc@Ks"),
        ("leduc@Ks/call/raise/call/Qh/raise", "leduc@Ks/call/raise/call/Qs/raise"),
        ("leduc@Kh/call/call/Ks", "leduc@Ks/call/call/Kh"),
    ],
)
def test_leduc_is_filed_by_rank(text: str, filed: str) -> None:
    assert leduc().representative_position(text, 0)[0] == filed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leduc@As", "expected leduc@ and one of Js, .*, got 'leduc@As'"),
        ("leduc/call", "expected leduc@ and one of Js"),
        ("Ks", "expected leduc@ and one of Js"),
        ("leduc@Ks/fold", "expected one of call, raise, got 'fold'"),
        ("leduc@Ks/call/call/Ks", "expected one of Js, Jh, Qs, Qh, Kh, got 'Ks'"),
        ("leduc@Ks/raise/fold/call", "expected no step after the end, got 'call'"),
    ],
)
def test_bad_leduc_positions(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        leduc().representative_position(text, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chess/e4", "expected tic-tac-toe and cells"),
        ("tic-tac-toe/z", "a free cell of a, b, .*, got 'z'"),
        ("tic-tac-toe/a/a", "a free cell of b, .*, got 'a'"),
        ("tic-tac-toe/a/d/b/e/c/f", "no cell after the end, got 'f'"),
    ],
)
def test_bad_tic_tac_toe_positions(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        tic_tac_toe().representative_position(text, 0)


@pytest.mark.parametrize(
    ("position", "title", "parameters"),
    [
        ("kuhn@K/check/bet", "kuhn", {}),
        ("leduc@Ks/call", "leduc", {}),
        ("tic-tac-toe/e/a", "tic-tac-toe", {}),
        ("rock-paper-scissors/rock", "rock-paper-scissors", {"paper_beats_rock": "1"}),
        (
            "rock-paper-scissors(paper-beats-rock=1:2)/?",
            "rock-paper-scissors(paper-beats-rock=1:2)",
            {"paper_beats_rock": "1/2"},
        ),
        ("resistance-10", "resistance-10", make_table(10).parameters),
        ("resistance(players=7,spies=2)@ab/cd+", "resistance(players=7,spies=2)", make_table(7, 2).parameters),
        (
            "resistance(players=3,spies=1,missions=1-1-2-1-1)/a+",
            "resistance(players=3,spies=1,missions=1-1-2-1-1)",
            make_table(3, 1, (1, 1, 2, 1, 1)).parameters,
        ),
    ],
)
def test_the_game_of_a_position(position: str, title: str, parameters: dict[str, object]) -> None:
    game = game_of(position)
    assert game.title == title
    assert game.parameters == {key: list(x) if isinstance(x, tuple) else x for key, x in parameters.items()}


@pytest.mark.parametrize("sabotages", ["1,1,1,1,1", "1,2,1,2,1"])
@pytest.mark.parametrize("missions", ["2,3,2,3,3", "3,3,3,3,3"])
@pytest.mark.parametrize("players", [4, 5, 6])
def test_titles_lead_back_to_their_game(players: int, missions: str, sabotages: str) -> None:
    game = make("resistance", {"players": players, "spies": "2", "missions": missions, "sabotages": sabotages})
    assert game_of(game.title + "/ab+").parameters == game.parameters


@pytest.mark.parametrize(
    ("position", "error", "message"),
    [
        ("", PositionError, "a game and steps, such as resistance-5/ab\\+, got ''"),
        ("/ab+", PositionError, "a game and steps"),
        ("resistance-5 /ab+", PositionError, "a game and steps"),
        ("chess/e4", UnknownGame, "unknown game 'chess'"),
        ("resistence-5/ab+", UnknownGame, "did you mean 'resistance'"),
        ("kuhn-3@K", PositionError, "kuhn without a number, got 'kuhn-3'"),
        ("rock-paper-scissors-2/rock", PositionError, "without a number"),
        ("resistance(5)/ab+", PositionError, "a name, = and a value between the brackets, got '5'"),
        ("resistance(seats=5)/ab+", UnknownParameter, "has no parameter 'seats'"),
        ("resistance(players=five)/ab+", UnknownParameter, "a whole number for --players, got 'five'"),
        (
            "resistance(players=5)/ab+",
            PositionError,
            "the title 'resistance-5' for this game, got 'resistance\\(players=5\\)'",
        ),
        ("resistance/ab+", PositionError, "the title 'resistance-5' for this game, got 'resistance'"),
        ("resistance-11/ab+", RuseError, "no official table has 11 players"),
    ],
)
def test_positions_of_no_game(position: str, error: type[RuseError], message: str) -> None:
    with pytest.raises(error, match=message):
        game_of(position)
