"""Gambit's files: read exactly, written so that they read back the same, and refused with the line and column."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from ruse.core.game import Game, GameError
from ruse.core.plain_games.matrix import Matrix
from ruse.core.walk import check, count
from ruse.formats.efg import efg_lines, read_efg, write_efg
from ruse.formats.gambit_games import efg, nfg
from ruse.formats.gambit_text import FormatError, distinct
from ruse.formats.nfg import read_nfg, write_nfg
from ruse.forms.reductions.games import Wrapper
from ruse.forms.sequence_form import plain_form
from ruse.games import make
from toys import Chance, Decision, Leaf, TreeGame, random_games

# Ann sees a coin and says yes or no; Bob believes or doubts a yes. A "no" costs her 1, a yes wins 1 and is worth 2 if
# doubted: to the one who is right. She bluffs 1/3 of the time, he doubts 2/3: 1/3 to Ann, and 1/4 that she is given.
BLUFF = r"""EFG 2 R "Bluff, \"yes\" or no" { "Ann" "Bob, her rival" }
"Ann is given 1/4 at the start, and 1 for saying yes."

c "toss" 1 "coin" { "heads" 1/2 "tails" .5 } 1 "gift" { 1/4 -0.25 }
p "" 1 1 "saw heads" { "say \"yes\"" "say no" } 0
p "" 2 1 "" { "believe" "doubt" } 2 "said yes" { 1, -1 }
t "" 0
t "" 3 "doubted in vain" { 1e0, -1 }
t "" 4 "" { -1 1 }
p "" 1 2 "saw tails" { "say \"yes\"" "say no" } 0
p "" 2 1 2
t "" 0
t "" 5 "caught" { -3, 3 }
t "" 4
"""

# The value of [[2, -1], [-1, 1]] is (2 * 1 - 1) / (2 + 1 + 1 + 1).
PENNIES = """NFG 1 R "Pennies" { "Even" "Odd" }
{ { "heads" "tails" } { "heads" "tails" } } ""
2 -2 -1 1
-1 1 1 -1
"""
PENNIES_BY_OUTCOME = """NFG 1 D "Pennies" { "Even" "Odd" } { 2 2 }
{ { "both heads" 2, -2 } { "unlike" -1, 1 } { "both tails" 1.0, -1.0 } }
1 2 2 3
"""

HEAD = 'EFG 2 R "t" { "a" "b" } '
TWO = HEAD + 'p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 } '


def same_form(one: Game, other: Game) -> bool:
    """Whether two games have the same arrays."""
    a, b = plain_form(one), plain_form(other)
    pairs = [(x.parent, y.parent) for x, y in zip(a.trees, b.trees, strict=True)]
    pairs += [(x.first, y.first) for x, y in zip(a.trees, b.trees, strict=True)]
    pairs += [(a.rows, b.rows), (a.columns, b.columns), (a.payoffs, b.payoffs)]
    return a.denominator == b.denominator and all(np.array_equal(x, y) for x, y in pairs)


def test_a_tree_is_read_exactly() -> None:
    game = read_efg(BLUFF)
    check(game)
    assert isinstance(game, Game)
    assert (game.name, game.title, game.sides) == ("efg", "bluff-yes-or-no", ("Ann", "Bob-her-rival"))
    assert count(game).kinds == (1, 2, 2, 6)
    assert count(game).information_sets == (2, 1)
    solution = ruse.solve(game)
    assert solution.certificate.exact
    assert solution.value == Fraction(1, 3) + Fraction(1, 4)
    bluff = solution.strategy("Ann").at("bluff-yes-or-no@saw-tails")
    assert bluff == {"say-yes": Fraction(1, 3), "say-no": Fraction(2, 3)}
    doubt = solution.strategy(1).at("bluff-yes-or-no@Bob-her-rival-1")
    assert doubt == {"believe": Fraction(1, 3), "doubt": Fraction(2, 3)}


@pytest.mark.parametrize("text", [PENNIES, PENNIES_BY_OUTCOME])
def test_tables_are_read_in_both_versions(text: str) -> None:
    game = read_nfg(text)
    check(game)
    assert (game.name, game.title, game.sides) == ("nfg", "pennies", ("Even", "Odd"))
    assert ruse.solve(game).value == Fraction(1, 5)


def test_the_first_players_strategies_run_fastest() -> None:
    game = read_nfg('NFG 1 R "t" { "a" "b" } { 2 3 } 1 -1 2 -2  3 -3 4 -4  5 -5 6 -6')
    assert game.payoffs["1", "3"] == 5
    assert game.payoffs["2", "1"] == 2


@pytest.mark.parametrize(
    "changed",
    [
        "\ufeff" + BLUFF,
        BLUFF.replace("\n", "\r\n"),
        BLUFF.replace("\n", " "),
        BLUFF.replace("EFG 2 R", "\n\tEFG\n2\nD"),
        re.sub(r"([{},])", r" \1 ", BLUFF),
        re.sub(r'" "(.*) }', r'" , "\1, }', BLUFF),
        re.sub(r"\s*([{},])\s*", r"\1", BLUFF),
    ],
)
def test_blanks_and_byte_order_marks_mean_nothing(changed: str) -> None:
    assert same_form(read_efg(changed), read_efg(BLUFF))


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("-.25", Fraction(-1, 4)),
        ("+2.", Fraction(2)),
        ("-3/6", Fraction(-1, 2)),
        ("007", Fraction(7)),
        ("1e3", Fraction(1000)),
        ("1.5E-2", Fraction(3, 200)),
        ("-0", Fraction(0)),
        ("9" * 300, Fraction(10**300 - 1)),
        ("1e299", Fraction(10**299)),
    ],
)
def test_numbers_are_exact(word: str, number: Fraction) -> None:
    game = read_efg(f'{HEAD} t "" 1 "" {{ {word} {-number} }}')
    assert game.payoff(0) == number
    game = read_efg(write_efg(game))
    assert game.payoff(0) == number


def test_every_label_becomes_a_step_of_its_own() -> None:
    labels = ["", "a b", "a/b", "a-b", "a_1", '"', "?", "\u0007", "  ", "x" * 300, "x" * 301, "é→", "@:#()"]
    listed = " ".join('"' + label.replace('"', '\\"') + '"' for label in labels)
    ends = " ".join(f't "" {number} "" {{ {number} -{number} }}' for number in range(1, len(labels) + 1))
    game = read_efg(f'EFG 2 R "" {{ "" "" }} p "" 1 7 "" {{ {listed} }} 0 {ends}')
    check(game)
    moves = game.moves(0)
    assert moves[:9] == ("1", "a-b_1", "a-b_2", "a-b_3", "a_1", "6", "7", "8", "9")
    assert moves[9:] == ("x" * 200 + "_1", "x" * 200 + "_2", "é→", "13")
    assert (game.title, game.sides, game.format_position(0)) == ("efg", ("player-1", "player-2"), "@player-1-7")


def test_information_sets_have_names_of_their_own() -> None:
    """Sets that share a name, within a side or between sides, are numbered; none of them is lost."""
    text = HEAD + 'p "" 1 1 "x" { "l" "r" } 0 '
    text += 'p "" 2 1 "x" { "l" } 0 t "" 0 p "" 2 2 "@x_1" { "l" } 0 p "" 1 4 "/y/?" { "l" } 0 t "" 0'
    game = read_efg(text)
    check(game)
    assert [choice.position for choice in game.choices] == ["@x_2", "@x_3", "@x_1", "/y/?"]


@given(st.lists(st.sampled_from(["", "a", "a_1", "a_2", "a_1_1", "b"]), max_size=8))
@example(["a", "a", "a_1"])
def test_distinct_names(names: list[str]) -> None:
    found = distinct(names)
    assert len(set(found)) == len(found) == len(names)
    assert all(one == name for one, name in zip(found, names, strict=True) if names.count(name) == 1)
    assert all(one.startswith(name) for one, name in zip(found, names, strict=True))


# Written and read back


ONE_SPY = {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]}


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn", {}),
        ("leduc", {}),
        ("kubicek", {}),
        ("mini-poker", {}),
        ("rock-paper-scissors", {"paper_beats_rock": Fraction(1, 2)}),
        ("matrix", {"payoffs": "1 2 3; 4 5/2 -6", "rows": ["up", "down"]}),
        ("resistance", ONE_SPY),
    ],
)
def test_games_read_back_the_same(name: str, parameters: dict[str, object]) -> None:
    game = make(name, parameters)
    again = read_efg(write_efg(game))
    check(again)
    assert same_form(game, again)
    assert (again.title, again.sides) == (game.title, game.sides)
    assert write_efg(again).count("\n") == write_efg(game).count("\n")


def test_kuhn_keeps_its_positions() -> None:
    game = ruse.games.kuhn()
    again, first = ruse.solve(read_efg(write_efg(game))), ruse.solve(game)
    assert again.tables == first.tables
    assert again.value == Fraction(-1, 18)  # Kuhn 1950


@given(random_games())
def test_random_games_read_back_the_same(game: TreeGame) -> None:
    again = read_efg(write_efg(game))
    check(again)
    assert same_form(game, again)
    assert write_efg(read_efg(write_efg(again))) == write_efg(again)


@settings(max_examples=some(25))
@given(random_games(depth=3))
def test_random_games_are_worth_the_same_in_every_format(game: TreeGame) -> None:
    value = ruse.solve(game).value
    assert ruse.solve(read_efg(write_efg(game))).value == value
    try:
        text = write_nfg(game)
    except GameError as error:
        assert "normal form" in str(error)
        return
    assert ruse.solve(read_nfg(text)).value == value


@given(
    st.lists(st.lists(st.fractions(-9, 9, max_denominator=9), min_size=2, max_size=2), min_size=1, max_size=4),
    st.lists(st.text("aB1_+", max_size=4), min_size=2, max_size=2),
)
def test_tables_read_back_the_same(payoffs: list[list[Fraction]], names: list[str]) -> None:
    game = Matrix(payoffs, columns=distinct([f"c{name}" for name in names]))
    again = read_nfg(write_nfg(game))
    check(again)
    assert again.payoffs == game.payoffs
    assert read_nfg(write_nfg(again)).payoffs == again.payoffs


def test_normal_forms_are_worth_as_much_as_their_trees() -> None:
    for game, value in ((ruse.games.kuhn(), Fraction(-1, 18)), (ruse.games.kubicek(), Fraction(11, 7))):
        assert ruse.solve(read_nfg(write_nfg(game))).value == value
    with pytest.raises(GameError, match="normal form of at most"):
        write_nfg(ruse.games.leduc())


def test_large_games_are_written_as_they_are_walked() -> None:
    lines = list(islice(efg_lines(ruse.games.tic_tac_toe()), 1000))
    assert lines[0] == 'EFG 2 R "tic-tac-toe" { "first" "second" }\n'
    assert lines[2].startswith('p "" 1 1 "" { "a" "b" ')


class Labelled(Wrapper):
    """A game whose moves are called something else."""

    names = ('a "b"', "back\\", "new\n line ", "résumé ½")

    def label(self, move: str) -> str:
        return self.names[int(move)]


def test_labels_are_quoted() -> None:
    ends = tuple((str(number), Leaf(Fraction(number))) for number in range(4))
    text = write_efg(Labelled(TreeGame(Decision(0, "here", ends))))
    assert r'{ "a \"b\"" "back/" "new line" "resume u00bd" } 0' in text
    assert read_efg(text).moves(0) == ("a-b", "back", "new-line", "resume-u00bd")


def test_chance_moves_that_never_happen_are_left_out() -> None:
    game = TreeGame(Chance((("never", Fraction(0), Leaf(Fraction(9))), ("ever", Fraction(1), Leaf(Fraction(1))))))
    assert 'c "" 1 "" { "ever" 1 } 0\n' in write_efg(game)
    read = read_efg(HEAD + 'c "" 1 "" { "never" 0 "ever" 1 } 0 t "" 1 "" { 9 -9 } t "" 2 "" { 1 -1 }')
    assert same_form(game, read)


def test_sets_with_different_moves_are_not_written() -> None:
    def here(*moves: str) -> Decision:
        return Decision(0, "same", tuple((move, Leaf(Fraction(0))) for move in moves))

    half = Fraction(1, 2)
    game = TreeGame(Chance((("x", half, here("l", "r")), ("y", half, here("l")))))
    with pytest.raises(GameError, match="different moves are offered within the information set toy@same"):
        write_efg(game)


@pytest.mark.soak
def test_a_hundred_thousand_levels() -> None:
    levels = some(100_000)
    text = HEAD + 'c "" 1 "" { "on" 1 } 1 "" { 1 -1 } ' + 'c "" 1 1 ' * (levels - 1) + 't "" 0'
    game = read_efg(text)
    assert len(game.nodes) == levels + 1
    assert game.payoff(levels) == levels
    assert sum(1 for _ in efg_lines(game)) == levels + 3


# Files


@pytest.mark.parametrize(("name", "text"), [("efg", BLUFF), ("nfg", PENNIES)])
def test_a_solution_is_verified_without_the_file(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / f"My game.{name}"
    file.write_text(re.sub('"[^"]*"', '""', text, count=1) if name == "nfg" else text, encoding="utf-8")
    solution = ruse.solve(make(name, {"file": str(file)}))
    solution.save(tmp_path / "s.ruse")
    file.unlink()
    again = ruse.load(tmp_path / "s.ruse")
    assert again.verify().exact
    assert again.game.title == solution.game.title == ("my-game" if name == "nfg" else "bluff-yes-or-no")
    assert again.game.sides == solution.game.sides
    assert again.tables == solution.tables


def test_factories_take_a_text_or_a_file() -> None:
    assert efg(text=BLUFF, title="Other").title == "other"
    with pytest.raises(GameError, match="expected either --text or --file, got neither"):
        efg()
    with pytest.raises(GameError, match="expected either --text or --file, got both"):
        nfg(text=PENNIES, file="pennies.nfg")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"expected a file that begins with EFG, got the end of the file \(.*g\.efg, line 1, column 1\)"),
        (b"\xef\xbb\xbf \n", r"begins with EFG, got the end of the file \(.*, line 2, column 1\)"),
        (b'EFG 2 R "\xe9t\xe9"', r"expected text in UTF-8, got the byte 0xe9 \(.*g\.efg, line 1, column 10\)"),
        (b'EFG 2 R\n"t\xc3', r"expected text in UTF-8, got the byte 0xc3 \(.*g\.efg, line 2, column 3\)"),
        (b"\xff\xfeE\0F\0G\0", r"expected text in UTF-8, got the byte 0xff \(.*g\.efg, line 1, column 1\)"),
        (b'EFG 2 R "a\0b"', r"expected text, got the character '\\x00' \(.*g\.efg, line 1, column 11\)"),
        (b"PK\x03\x04", r"expected a file that begins with EFG, got 'PK.*' \(.*g\.efg, line 1, column 1\)"),
    ],
)
def test_files_that_are_no_text_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "g.efg"
    file.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_efg(file)


def test_paths_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cannot read the game .*: it is a folder"):
        read_efg(tmp_path)
    with pytest.raises(FormatError, match=r"cannot read the game /dev/zero: it is a device or pipe"):
        read_nfg(Path("/dev/zero"))
    with pytest.raises(FormatError, match=r"cannot read the game .*none\.efg: no such file or directory"):
        read_efg(tmp_path / "none.efg")
    with pytest.raises(FormatError, match=r"cannot read the game .*: embedded null byte"):
        read_efg(Path("a\0b"))
    with pytest.raises(FormatError, match=r"cannot read the game x+: file name too long"):
        read_efg(Path("x" * 5000))
    with pytest.raises(
        FormatError, match=r"got 'game\.efg'; give a Path to read a file \(the text, line 1, column 1\)"
    ):
        read_efg("game.efg")


WRONG_TREES = {
    "another format": (PENNIES, "a file that begins with EFG, got 'NFG'", 1, 1),
    "another version": ('EFG 1 R "t"', "version 2 of the format, got '1'", 1, 5),
    "another kind of number": ('EFG 2 Q "t"', "R or D, got 'Q'", 1, 7),
    "no title": ("EFG 2 R { }", "the title in quotes, got '{'", 1, 9),
    "no players": ('EFG 2 R "t"', "'{', got the end of the file", 1, 12),
    "one player": ('EFG 2 R "t" { "a" } t "" 0', "two players, got 1", 1, 13),
    "three players": ('EFG 2 R "t"\n { "a" "b" "c" } t "" 0', "two players, got 3", 2, 2),
    "players without end": ('EFG 2 R "t" { "a" "b"', "'}', got the end of the file", 1, 22),
    "a text without end": ('EFG 2 R "t" {\n "a" "b }\n', "a quote that ends this text, got none", 2, 6),
    "a text that ends in a backslash": ('EFG 2 R "t\\" { }', "a quote that ends this text, got none", 1, 9),
    "no tree": (HEAD, "a node that begins with c, p or t, got the end of the file", 1, 25),
    "an unknown node": (HEAD + 'q "" 0', "a node that begins with c, p or t, got 'q'", 1, 25),
    "a truncated tree": (TWO, "a node that begins with c, p or t, got the end of the file", 1, 70),
    "too many nodes": (TWO + 't "" 0\nt "" 0', "the end of the file after the last node of the tree, got 't'", 2, 1),
    "a node without a name": (HEAD + "t 0", "the name of a node in quotes, got '0'", 1, 27),
    "player three": (HEAD + 'p "" 3 1 "" { "l" } 0', "player 1 or 2, got 3", 1, 30),
    "player zero": (HEAD + 'p "" 0 1 "" { "l" } 0', "player 1 or 2, got 0", 1, 30),
    "a set without a number": (
        HEAD + 'p "" 1 "x"',
        "the number of an information set, a whole number, got the text",
        1,
        32,
    ),
    "a set without moves": (HEAD + 'p "" 1 1 0', "the moves of information set 1 of player 1, which was not", 1, 34),
    "an empty list of moves": (HEAD + 'p "" 1 1 "" { } 0', "at least one move, got none", 1, 37),
    "fewer moves than before": (
        TWO + '\np "" 1 1 "" { "l" } 0 t "" 0',
        "2 moves, as before, of information set 1 of player 1, got 1",
        2,
        8,
    ),
    "other moves than before": (
        TWO + '\np "" 1 1 "" { "l" "m" } 0',
        "the same moves as before of information set 1 of player 1, got l, m",
        2,
        8,
    ),
    "other odds than before": (
        HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0',
        "the same odds as before of information set 1 of chance, got 1/3, 2/3",
        2,
        6,
    ),
    "a move without odds": (HEAD + 'c "" 1 "" { "x" } 0', "the odds of a chance move, a number such as", 1, 41),
    "odds below 1": (HEAD + 'c "" 1 "" { "x" 1/2 "y" 0.4 } 0', "odds that add up to 1, got 9/10", 1, 35),
    "odds above 1": (HEAD + 'c "" 1 "" { "x" 1 "y" 1e-9 } 0', "odds that add up to 1, got 1000000001/1", 1, 35),
    "odds rounded to decimals": (HEAD + 'c "" 1 "" { "x" 0.333 "y" 0.667 "z" 0 } 0 ', "a node that begins", 1, 67),
    "negative odds": (HEAD + 'c "" 1 "" { "x" 3/2 "y" -1/2 } 0', "odds of at least 0, got -1/2", 1, 49),
    "no outcome": (HEAD + 't ""', "the number of an outcome, or 0 for none, a whole number, got the end", 1, 29),
    "an outcome without payoffs": (HEAD + 't "" 1', "the payoffs of outcome 1, which was not mentioned", 1, 31),
    "one payoff": (HEAD + 't "" 1 "" { 1 }', "the payoffs of two players, got 1", 1, 35),
    "three payoffs": (HEAD + 't "" 1 "" { 1, -1, 0 }', "the payoffs of two players, got 3", 1, 35),
    "payoffs of no outcome": (HEAD + 't "" 0 "" { 1 -1 }', "an outcome above 0 where there are payoffs, got 0", 1, 30),
    "other payoffs than before": (
        TWO + '\nt "" 1 "" { 2 -2 }',
        "the payoffs of outcome 1 as before, got 2 and -2",
        2,
        11,
    ),
    "a payoff that is no number": (
        HEAD + 't "" 1 "" { ten -1 }',
        "a payoff, a number such as -1, 0.25 or 1/2, got 'ten'",
        1,
        37,
    ),
    "a payoff over zero": (HEAD + 't "" 1 "" { 1/0 -1 }', "a payoff, a number such as", 1, 37),
    "a payoff of digits from elsewhere": (HEAD + 't "" 1 "" { ٣ -3 }', "a payoff, a number such as", 1, 37),
    "not a number": (HEAD + 't "" 1 "" { nan -1 }', "a payoff, a number such as", 1, 37),
    "two points": (HEAD + 't "" 1 "" { 1.2.3 -1 }', "a payoff, a number such as", 1, 37),
    "a huge payoff": (HEAD + f't "" 1 "" {{ {"9" * 10**5} -1 }}', "a payoff, a number of at most 300 digits", 1, 37),
    "a huge exponent": (HEAD + 't "" 1 "" { 1e999999999 -1 }', "a payoff, a number of at most 300 digits", 1, 37),
    "an exponent without end": (HEAD + f't "" 1 "" {{ 1e-{"9" * 10**5} 1 }}', "a payoff, a number of at most", 1, 37),
    "a huge set": (HEAD + f'p "" 1 {"9" * 5000} "" {{ "l" }} 0', "the number of an information set, a whole", 1, 32),
    "not zero-sum": (
        TWO + '\nt "" 2 "" { 3, -1 }',
        "payoffs that add up to 0, as they do at line 1, column 51 (the same at every end: a zero-sum or constant-sum "
        "game), got 3 and -1, which add up to 2",
        2,
        1,
    ),
    "imperfect recall": (
        HEAD + 'p "" 1 1 "" { "l" "r" } 0\np "" 1 2 "" { "l" } 0 t "" 0\np "" 1 2 "" { "l" } 0 t "" 0',
        "player 1 to remember its own moves (perfect recall), got several ways to come to information set 2",
        3,
        8,
    ),
    "absent-mindedness": (
        HEAD + 'p "" 2 1 "" { "l" "r" } 0\np "" 2 1 0 t "" 0 t "" 0 t "" 0',
        "player 2 to remember its own moves (perfect recall), got several ways to come to information set 1",
        2,
        8,
    ),
}


@pytest.mark.parametrize("case", WRONG_TREES)
def test_wrong_trees_are_refused(case: str) -> None:
    text, message, line, column = WRONG_TREES[case]
    with pytest.raises(FormatError) as caught:
        read_efg(text)
    assert str(caught.value).startswith(f"expected {message}")
    assert str(caught.value).endswith(f"(the text, line {line}, column {column})")
    assert len(str(caught.value)) < 400


NFG = 'NFG 1 R "t" { "a" "b" } '
WRONG_TABLES = {
    "another format": (BLUFF, "a file that begins with NFG, got 'EFG'", 1, 1),
    "three players": ('NFG 1 R "t" { "a" "b" "c" } { 1 1 1 } 0 0 0', "two players, got 3", 1, 13),
    "no strategies": (NFG, "'{', got the end of the file", 1, 25),
    "one player's strategies": (NFG + "{ 2 } 1", "the strategies of two players, got those of 1", 1, 25),
    "none of one's strategies": (NFG + '{ { "l" } { } }', "at least one strategy of each player, got none", 1, 25),
    "zero strategies": (NFG + "{ 0 2 }", "at least one strategy of each player, got none", 1, 25),
    "strategies that are no number": (NFG + "{ 2 x }", "strategies in braces, or how many there are, a whole", 1, 29),
    "too few payoffs": (NFG + "{ 1 2 } 1 -1 1", "4 payoffs, a number such as -1, 0.25 or 1/2, got the end", 1, 39),
    "far too few payoffs": (NFG + "{ 99999999 99999999 } 1 -1", "19,999,999,600,000,002 payoffs, a number", 1, 51),
    "too many payoffs": (NFG + "{ 1 1 } 1 -1 1", "the end of the file after 1 × 1 cells, got '1'", 1, 38),
    "not zero-sum": (NFG + "{ 1 2 }\n1 -1\n1 1", "payoffs that add up to 0, as they do at line 2", 3, 1),
    "an outcome of one payoff": (NFG + '{ 1 1 } { { "o" 1 } } 1', "the payoffs of two players, got 1", 1, 35),
    "an outcome without a name": (NFG + "{ 1 1 } { { 1 -1 } } 1", "the name of an outcome in quotes, got '1'", 1, 37),
    "an unknown outcome": (
        NFG + '{ 1 1 } { { "o" 1 -1 } } 2',
        "the number of one of 1 outcomes, or 0 for none, got 2",
        1,
        50,
    ),
    "too few outcomes": (
        NFG + '{ 1 2 } { { "o" 1 -1 } } 1',
        "2 numbers of outcomes, a whole number, got the end",
        1,
        51,
    ),
    "not zero-sum outcomes": (NFG + '{ 1 2 } { { "o" 1 1 } } 0 1', "payoffs that add up to 0, as they do at", 1, 51),
}


@pytest.mark.parametrize("case", WRONG_TABLES)
def test_wrong_tables_are_refused(case: str) -> None:
    text, message, line, column = WRONG_TABLES[case]
    with pytest.raises(FormatError) as caught:
        read_nfg(text)
    assert str(caught.value).startswith(f"expected {message}")
    assert str(caught.value).endswith(f"(the text, line {line}, column {column})")


def test_numbers_without_a_common_denominator_are_refused() -> None:
    """Their sums would be as long as the file, at every node."""
    ends = " ".join(f't "" {n} "" {{ 1/{10**290 + n} -1/{10**290 + n} }}' for n in range(1, 80))
    moves = " ".join(f'"{n}"' for n in range(1, 80))
    with pytest.raises(FormatError, match="expected numbers with a common denominator of at most 10,000 digits"):
        read_efg(HEAD + f'p "" 1 1 "" {{ {moves} }} 0 {ends}')


# Whatever a text is, it is a game or a FormatError.

TEXTS = [BLUFF, PENNIES, PENNIES_BY_OUTCOME, TWO + 't "" 0', write_efg(ruse.games.kuhn())]
PARTS = [*'{},"\\', "0", "1", "2", "-1", "1/2", "1e9", '""', '"x"', "c", "p", "t", "EFG", "\n", "\ufeff", "\0", "é"]


def read_either(text: str) -> None:
    for read in (read_efg, read_nfg):
        try:
            game = read(text)
        except FormatError as error:
            assert re.search(r"^expected .*, got .* \(the text, line \d+, column \d+\)$", str(error), re.DOTALL)
        else:
            check(game)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PARTS)).map(" ".join), st.sampled_from(TEXTS)))
def test_any_text_is_a_game_or_refused(text: str) -> None:
    read_either(text)


@given(st.binary(max_size=60), st.sampled_from([b"", b"EFG 2 R ", b'NFG 1 R "t" { "a" "b" } ']))
def test_any_file_is_a_game_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes, head: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.efg"
    file.write_bytes(head + content)
    for read in (read_efg, read_nfg):
        try:
            check(read(file))
        except FormatError as error:
            assert "any.efg, line " in str(error)


@settings(max_examples=some(300))
@given(st.data())
def test_damaged_files_are_games_or_refused(data: st.DataObject) -> None:
    """Tokens or characters deleted, inserted, swapped, or all from somewhere on."""
    text = data.draw(st.sampled_from(TEXTS))
    parts = re.findall(r'"[^"]*"|[{},]|[^\s{},"]+|\s+', text) if data.draw(st.booleans()) else list(text)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(parts) - 1))
        kind = data.draw(st.sampled_from(["delete", "insert", "swap", "replace", "truncate"]))
        other = data.draw(st.integers(0, len(parts) - 1))
        if kind == "delete":
            del parts[place : place + data.draw(st.integers(1, 5))]
        elif kind == "insert":
            parts.insert(place, data.draw(st.sampled_from([*PARTS, parts[other]])))
        elif kind == "swap":
            parts[place], parts[other] = parts[other], parts[place]
        elif kind == "replace":
            parts[place] = data.draw(st.sampled_from(PARTS))
        else:
            del parts[place + 1 :]
        if not parts:
            break
    read_either("".join(parts))
