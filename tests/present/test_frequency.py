"""How often in words, and how to choose at random at a table: every instruction is counted out."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruse.present.at_random import RANK_NAMES, SUIT_NAMES, RandomDevice, draws, split
from ruse.present.frequency import do, frequency


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ("0", "never"),
        ("1", "always"),
        ("1/2", "half the time (1/2)"),
        ("2/3", "two times in three (2/3)"),
        ("27/215", "about one time in eight (27/215)"),
        ("92765/100000", "about nine times in ten (93%)"),
        ("5/679", "about one time in 100 (5/679)"),
        ("1/14", "about one time in 14 (1/14)"),
        ("674/679", "nearly always (674/679)"),
        ("1/100000", "hardly ever (0.001%)"),
    ],
)
def test_frequencies(share: str, text: str) -> None:
    assert frequency(Fraction(share)) == text


@example(Fraction(19, 20))
@example(Fraction(9, 100))
@given(st.fractions(0, 1, max_denominator=10**6))
def test_words_are_near_the_odds(share: Fraction) -> None:
    text = frequency(share)
    words = re.match(r"(about )?(\w+) times? in (\w+) ", text)
    if words:
        numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        top, bottom = (numbers.index(word) if word in numbers else int(word) for word in words.groups()[1:])
        assert abs(Fraction(top, bottom) - share) <= max(Fraction(1, 20), share / 3)
        assert (Fraction(top, bottom) == share) or words[1]
    shown = re.search(r"\(([\d./]+)(%?)\)", text)
    if shown:
        said = Fraction(shown[1]) / (100 if shown[2] else 1)
        assert abs(said - share) <= Fraction(1, 200)


def test_advice() -> None:
    assert (
        do([("check", Fraction(2, 3)), ("bet", Fraction(1, 3))])
        == "check two times in three (2/3), otherwise bet (1/3)"
    )
    assert do([("bid 1", Fraction(1, 2)), ("bid 2", Fraction(1, 2)), ("pass", Fraction(0))]) == (
        "bid 1 or 2, equally often (1/2)"
    )


def values(draw: RandomDevice) -> list[str]:
    """All values of what a draw looks at, by the move that its instruction names for each."""
    moves: list[str] = []
    for part in draw.instruction.split("; "):
        when, _, move = part.rpartition(", ")
        if "coin" in draw.device:
            moves.append(move)
        elif any(suit in when for suit in SUIT_NAMES):
            moves += [move] * len(when.split(" or "))
        elif "card" in draw.device:
            first, _, last = when.partition(" to ")
            moves += [move] * (RANK_NAMES.index(last or first) - RANK_NAMES.index(first) + 1)
        else:
            most = 60 if "watch" in draw.device else 100 if "two" in draw.device else 10
            moves += [move for value in range(most) if _covers(when, value)]
            moves += [""] * (most - len(moves)) if part == draw.instruction.split("; ")[-1] else []
    return moves


def _covers(when: str, value: int) -> bool:
    numbers = [int(number) for number in re.findall(r"\d+", when)]
    if when.startswith("below"):
        return value < numbers[0]
    if when.startswith("from"):
        return value >= numbers[0]
    return numbers[0] <= value <= numbers[-1]


@given(st.lists(st.integers(1, 60), min_size=2, max_size=5))
def test_an_instruction_makes_its_odds(weights: list[int]) -> None:
    odds = {f"move{number}": Fraction(weight, sum(weights)) for number, weight in enumerate(weights)}
    found = draws(odds)
    assert found
    for draw in found:
        drawn = values(draw)
        errors = [abs(Fraction(drawn.count(move), len(drawn)) - share) for move, share in odds.items()]
        assert max(errors) == draw.error
        assert (draw.error == 0) == ("within" not in draw.text())
    assert max(draw.error for draw in found) <= Fraction(1, 60)


def test_what_is_exact() -> None:
    assert draws({"a": Fraction(1, 2), "b": Fraction(1, 2)})[0].device == "Toss a coin"
    thirds = draws({"check": Fraction(2, 3), "bet": Fraction(1, 3), "fold": Fraction(0)})
    assert [draw.text() for draw in thirds] == ["Look at the seconds of a watch: below 40, check; from 40 on, bet."]
    assert (
        draws({"a": Fraction(3, 13), "b": Fraction(10, 13)})[0].text() == "Draw a card: ace to 10, b; jack to king, a."
    )
    assert draws({"a": Fraction(3, 10), "b": Fraction(7, 10)})[1].device == "Take the last digit of a phone number"
    assert draws({"a": Fraction(1)}) == [] and draws({}) == []
    assert draws({str(number): Fraction(1, 12) for number in range(12)}) == []
    assert split([Fraction(1, 3)] * 3, 10) == ([4, 3, 3], Fraction(1, 15))
