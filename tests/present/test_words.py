"""Strategies in words: written, read back, scored; and rules that make no sense."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import ruse
from golden import games, tables
from ruse.core import rationals
from ruse.core.game import Game, RuleError, RuseError
from ruse.explorer import wording
from ruse.formats.efg import read_efg
from ruse.present import report
from ruse.present.rules import Score, load_function, score_file, score_function, score_rules, words

THEOREM_2_1 = """
# Johansson, Theorem 2.1: trust two people, and try each of the others with them in turn.
side: resistance
mission 1 or 3: send ab
mission 2: send abc
mission 4: send abd
mission 5: send abe

side: spies
missions of 2: pass
missions of 3: sabotage
"""
MORE_THAN_TWO = """
side: spies
missions of more than 2: sabotage
otherwise: pass
"""


def wins(scores: list[Score]) -> dict[str, Fraction | None]:
    return {score.game.sides[score.side]: score.win for score in scores}


@pytest.mark.cases(3)
@pytest.mark.parametrize(("players", "win"), tables())
def test_printed_rules_certify_to_the_value(players: int, win: Fraction) -> None:
    game = ruse.games.resistance(players)
    text = words(ruse.solve(game))
    assert wins(score_rules(game, text)) == {"resistance": win, "spies": 1 - win}
    rules = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(rules) <= 22  # short enough to read out: both sides on half a page


@pytest.mark.soak
def test_printed_rules_of_a_mixed_table_certify_too() -> None:
    game = ruse.games.resistance(9, 4, (2, 5, 3, 3, 5), (1, 2, 1, 1, 2))
    solution = ruse.solve(game)
    assert "draw lots then, not before" in words(solution)
    assert [score.payoff for score in score_rules(game, words(solution))] == [solution.value] * 2


@pytest.mark.cases(3)
@pytest.mark.parametrize("title", ["kuhn", "leduc", "kubicek", "mini-poker", "rock-paper-scissors"])
def test_rules_of_other_games_certify(title: str) -> None:
    game, value = next((game, value) for name, game, value, _ in games() if name == title)
    assert [score.payoff for score in score_rules(game, words(ruse.solve(game)))] == [value, value]


def test_johansson_theorem_2_1() -> None:
    scores = score_rules(ruse.games.resistance(5), THEOREM_2_1)
    assert wins(scores) == {"resistance": Fraction(3, 10), "spies": Fraction(7, 10)}


@pytest.mark.parametrize(
    ("players", "win"),
    [(5, Fraction(3, 10)), (6, Fraction(1, 3)), (7, Fraction(9, 35)), (8, Fraction(13, 56))],
)
def test_failing_the_missions_with_more_than_two(players: int, win: Fraction) -> None:
    """Johansson §4.3: it "seems to apply to the other player sizes as well". At 8 it does not: 13/56 > 9/56."""
    assert wins(score_rules(ruse.games.resistance(players), MORE_THAN_TWO)) == {"spies": 1 - win}


def test_mixed_rules() -> None:
    game = ruse.games.resistance(5)
    text = "side: spies\nafter nothing with 2 aboard: pass 1/3\nafter + or -: sabotage 1/2\notherwise: pass"
    assert 0 < (score_rules(game, text)[0].win or 0) < Fraction(7, 10)
    text = "side: resistance\nmission 1: send ab or cd\notherwise: send abc\nmission 3: send ab"
    with pytest.raises(RuleError, match="expected 2 seats on mission 3, got 'abc'"):
        score_rules(game, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the rule file is empty"),
        ("mission 1: send ab", "expected 'side: resistance' or 'side: spies' first"),
        ("side: dragons", "expected side resistance or spies on line 1, got 'dragons'"),
        ("side: spies\nsabotage always", "expected a condition, a colon and what to do"),
        ("side: spies\nmission 1:", "expected what to do after the colon"),
        ("side: spies\nwhen it rains: pass", "got 'when it rains' in 'when it rains: pass'"),
        ("side: spies\notherwise: dance", "expected 'pass', 'sabotage' or 'sabotage 1/3', got 'dance'"),
        ("side: spies\notherwise: sabotage 1/0", "expected odds such as 1/3, got '1/0'"),
        ("side: spies\notherwise: sabotage 3/2", "expected odds from 0 to 1, got 3/2"),
        ("side: spies\nmission 1: pass", "expected a rule for resistance-5@"),
        ("side: resistance\notherwise: pass", "expected 'send' and the seats"),
        ("side: resistance\notherwise: send az", "expected different seats from a to e, got 'az'"),
        ("side: resistance\nmission 1: send ab 1/2 or ac 1/3", "expected odds that sum to 1, got 5/6"),
        ("side: resistance\nmission 1: send ab 1/2 x", "expected seats and their odds"),
    ],
)
def test_rules_that_make_no_sense(text: str, sentence: str) -> None:
    with pytest.raises(RuseError) as caught:
        score_rules(ruse.games.resistance(5), text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("side: first\nkuhn@K bet", "expected a position, a colon and odds"),
        ("side: first\nkuhn@K: bet 1/0", "expected odds such as 1/3, got '1/0'"),
        ("side: first\nkuhn@K: bet", "no rule covers kuhn@"),
        ("side: first\notherwise: raise", "no rule covers kuhn@"),
        ("side: first\nkuhn@K: bet 1/2\notherwise: evenly", "expected odds that sum to 1 at kuhn@K, got a sum of 1/2"),
        (
            "side: first\nkuhn@K: raise\notherwise: evenly",
            "expected one of the moves check, bet at kuhn@K, got 'raise'",
        ),
    ],
)
def test_rules_for_poker_that_make_no_sense(text: str, sentence: str) -> None:
    with pytest.raises(RuseError) as caught:
        score_rules(ruse.games.kuhn(), text)
    assert sentence in str(caught.value)


def test_names_of_sides_keep_their_letters() -> None:
    text = 'EFG 2 R "m" { "McRae" "deGroot" }\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 0 0 }'
    told = report.format_solution(ruse.solve(read_efg(text)), everything=True, hint="")
    assert "\nMcRae." in told and "\nDeGroot." in told


def test_even_play_and_the_first_possible_move() -> None:
    game = ruse.games.kuhn()
    even = score_rules(game, "side: first\notherwise: evenly\nside: second\notherwise: evenly")
    assert [score.payoff for score in even] == [Fraction(-5, 12), Fraction(1, 2)]
    timid = score_rules(game, "side: first\notherwise: check or fold")[0]
    assert timid.payoff == -1
    assert timid.text() == "Player 1's strategy gets at least -1 against any opponent"


def johansson(position: str, moves: list[str]) -> str:
    """Spies: fail exactly the missions with more than two."""
    return "sabotage" if len(position.rpartition("/")[2]) - 1 > 2 else "pass"


def test_functions_are_scored() -> None:
    game = ruse.games.resistance(8)
    assert score_function(game, 1, johansson).win == Fraction(43, 56)
    first = score_function(ruse.games.resistance(5), 0, lambda position, moves: moves[0])
    assert first.win is not None and 0 <= first.win <= Fraction(3, 10)
    half = score_function(ruse.games.kuhn(), 0, lambda position, moves: dict.fromkeys(moves, Fraction(1, 2)))
    assert half.payoff == Fraction(-5, 12)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("strategy = 3", "there is no function 'strategy'"),
        ("def strategy(position, moves): return 'fly'", "expected one of the moves pass, sabotage at resistance-5@"),
        ("def strategy(position, moves): return {'pass': 'x'}", "expected odds that are numbers"),
        ("def strategy(position, moves): return {'pass': float('nan')}", "expected odds that are numbers"),
        ("def strategy(position, moves): return 1 / 0", "raises ZeroDivisionError"),
        ("import nothing_of_that_name", "raises ModuleNotFoundError"),
        ("def strategy(position, moves): return {'pass': 0.3}", "sum to 1"),
    ],
)
def test_functions_that_make_no_sense(tmp_path: Path, code: str, sentence: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(code)
    game: Game = ruse.games.resistance(5)
    with pytest.raises(RuseError) as caught:
        score_file(game, str(file), "spies")
    assert sentence in str(caught.value)


def test_a_function_by_name_with_its_side(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("side = 'spies'\ndef never(position, moves): return 'pass'\n")
    function, side = load_function(f"{file}:never")
    assert side == "spies" and function("", []) == "pass"
    (score,) = score_file(ruse.games.resistance(5), f"{file}:never")
    assert score.win is not None and score.win < Fraction(7, 10)


def test_odds_that_nobody_reads_are_told_to_be_small() -> None:
    assert (
        report.short(f"raise {Fraction(1, 10**9)} or call {Fraction(10**9 - 1, 10**9)}") == "raise <0.00001 or call ≈1"
    )
    assert wording.fraction(Fraction(1, 10**20)) == "< 0.00001"


def test_moves_that_hardly_ever_come_up_are_left_out_of_a_rule_to_be_read() -> None:
    odds = {"fold": Fraction(1, 10**9), "call": Fraction(2, 3), "raise": Fraction(10**9 - 3, 3 * 10**9)}
    rule = "poker@K/bet: " + " or ".join(f"{move} {share}" for move, share in odds.items())
    assert report.readable(rule) == "poker@K/bet: call 2/3 or raise ≈0.333333 or rarely another"
    assert (
        report.readable("poker@K/bet: call 1/2000 or raise 1999/2000") == "poker@K/bet: call 1/2000 or raise 1999/2000"
    )
    sentence = "after + or -: send " + " or ".join("abcdefghijkl")
    assert report.readable("liar") == "liar" and report.readable(sentence) == sentence
    nine = "a: " + " or ".join(f"m{i} {i}/45" for i in range(1, 10))
    assert report.readable(nine, 8) == nine.replace("m1 1/45 or ", "") + " or another"
    assert report.readable(nine) == nine  # a card, or a page, that somebody plays by
    even = "a: " + " or ".join([f"m{i} 1/36" for i in range(9)] + ["liar 27/36"])
    assert report.readable(even, 3) == "a: m0 1/36 or m1 1/36 or liar 27/36 or 7 others"
    long = 10**5000  # more digits than Python reads as a number
    assert report.readable(
        f"a: b 1/{rationals.write(long)} or c {rationals.write(long - 1)}/{rationals.write(long)}"
    ) == ("a: c ≈1 or rarely another")


def test_a_score_has_its_text_under_the_former_name_too() -> None:
    score = Score(ruse.games.kuhn(), 0, Fraction(-1, 18))
    with pytest.warns(DeprecationWarning, match="told of a Score is now text"):
        assert score.told() == score.text()
    with pytest.raises(AttributeError, match="no attribute 'tell'"):
        score.tell()
