"""Polynomials, and values that are followed along a parameter."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruse import games, solve
from ruse.core.clock import TimeIsUp
from ruse.studio import crossings as crossings_module
from ruse.studio import words
from ruse.studio.bases import ValuePiece
from ruse.studio.crossings import Crossing, CrossingError, Crossings, crossings
from ruse.studio.polynomials import (
    Root,
    add,
    at,
    common,
    count,
    divide,
    format_polynomial,
    interpolate,
    multiply,
    polynomial,
    roots,
    simple,
)

small = st.integers(-6, 6)


@given(st.lists(small, min_size=1, max_size=5))
def test_the_roots_of_a_product_are_its_factors(numbers: list[int]) -> None:
    product = polynomial([1])
    for number in numbers:
        product = multiply(product, polynomial([-number, 1]))
    found = roots(product, Fraction(-7), Fraction(7))
    assert [root.rational for root in found] == sorted({*map(Fraction, numbers)})
    assert [root.multiplicity(product) for root in found] == [numbers.count(one) for one in sorted({*numbers})]
    assert count(product, Fraction(-7), Fraction(7)) == len({*numbers}) == len(simple(product)) - 1


@given(st.lists(small, max_size=6), st.lists(small, min_size=1, max_size=4))
def test_division_and_common_divisors(first: list[int], second: list[int]) -> None:
    p, q = polynomial(first), polynomial(second)
    if not q:
        return
    quotient, rest = divide(p, q)
    assert add(multiply(quotient, q), rest) == p and len(rest) < len(q)
    shared = common(multiply(p, q), q)
    assert not divide(q, shared)[1]


@given(st.lists(small, max_size=5))
def test_a_polynomial_through_its_points(coefficients: list[int]) -> None:
    p = polynomial(coefficients)
    assert interpolate([(Fraction(x), at(p, Fraction(x))) for x in range(6)]) == p


def test_irrational_roots_are_isolated_and_compared() -> None:
    low, high = roots(polynomial([-2, 0, 1]), Fraction(-3), Fraction(3))
    assert low.rational is None and low.compare(high) == -1 and high.compare(low) == 1
    also = roots(polynomial([0, -2, 0, 1]), Fraction(1), Fraction(3))[0]
    assert also.compare(high) == 0 and high.compare(also) == 0
    assert high.compare(Root.exactly(Fraction(141421356237, 10**11))) == 1
    assert high.compare(Root.exactly(Fraction(141421356238, 10**11))) == -1
    narrow = high.within(Fraction(1, 10**20))
    assert narrow.low**2 < 2 <= narrow.high**2 and narrow.high - narrow.low <= Fraction(1, 10**20)
    assert roots(polynomial([Fraction(-1, 3), 1]), Fraction(0), Fraction(1))[0].rational == Fraction(1, 3)
    assert format_polynomial(polynomial([2, -4, 1])) == "t^2 - 4t + 2" and format_polynomial(()) == "0"


def holds(stretch: ValuePiece | Crossing, t: Fraction) -> bool:
    here = Root.exactly(t)
    return stretch.first.compare(here) <= 0 <= stretch.last.compare(here)


def value(found: Crossings, t: Fraction) -> Fraction:
    piece = next(
        one for one in found.pieces if one.first.compare(Root.exactly(t)) <= 0 <= one.last.compare(Root.exactly(t))
    )
    return at(piece.top, t) / at(piece.bottom, t)


def test_the_example() -> None:
    found = crossings("matrix", payoffs="-3~5 -1; -1 1", target=Fraction(1, 5))
    traced = [(format_polynomial(piece.top), format_polynomial(piece.bottom)) for piece in found.pieces]
    assert traced == [("-1", "1"), ("t - 1", "t + 3")]
    assert [one.to_json() for one in found.crossings] == [{"at": "2"}]


def test_a_break_even_may_be_irrational() -> None:
    found = crossings("matrix", payoffs="1~9 0; 1 1~9", target=Fraction(2))
    (one,) = found.crossings
    number: Any = one.to_json()["at"]
    assert number["polynomial"] == ["2", "-4", "1"] and isclose(number["float"], 2 + sqrt(2))
    low, high = map(Fraction, number["interval"])
    assert low < high and count(polynomial([2, -4, 1]), low, high) == 1


@settings(max_examples=12)
@given(st.lists(st.lists(small, min_size=3, max_size=3), min_size=3, max_size=3), small)
def test_pieces_are_the_value(table: list[list[int]], target: int) -> None:
    def text(entry: str) -> str:
        rows = [
            [entry if (i, j) in ((0, 0), (1, 2)) else str(one) for j, one in enumerate(r)] for i, r in enumerate(table)
        ]
        return "; ".join(" ".join(row) for row in rows)

    found = crossings("matrix", payoffs=text("-4~4"), target=Fraction(target))
    assert found.pieces[0].first.rational == -4 and found.pieces[-1].last.rational == 4
    for first, second in zip(found.pieces, found.pieces[1:], strict=False):
        assert first.last.compare(second.first) == 0
    for t in (Fraction(-4), Fraction(-7, 3), Fraction(0), Fraction(1, 2), Fraction(19, 7), Fraction(4)):
        exact = solve(games.matrix(text(str(t)))).value
        assert value(found, t) == exact
        inside = [
            one
            for one in found.crossings
            if one.first.compare(Root.exactly(t)) <= 0 <= one.last.compare(Root.exactly(t))
        ]
        assert bool(inside) == (exact == target)


POKER = '''
from fractions import Fraction
from ruse import CHANCE, END

class OneCard:
    """A high or a low card; bet so much, which the other side calls or folds."""

    def __init__(self, bet: Fraction = Fraction(1)) -> None:
        self.bet = Fraction(bet)

    def start(self): return ()
    def turn(self, s):
        if not s: return CHANCE
        if len(s) == 1: return 0
        if len(s) == 2 and s[1] == "bet": return 1
        return END
    def moves(self, s): return {0: ("high", "low"), 1: ("check", "bet"), 2: ("fold", "call")}[len(s)]
    def odds(self, s): return [Fraction(1, 2)] * 2
    def play(self, s, m): return (*s, m)
    def knows(self, s, side): return s if side == 0 else s[1:]
    def payoff(self, s):
        if s[-1] == "fold": return Fraction(1)
        size = 1 + self.bet if s[-1] == "call" else Fraction(1)
        return size if s[0] == "high" else -size
'''


def test_the_size_of_a_bet_in_a_game_of_ones_own(ruse: Any, tmp_path: Path) -> None:
    (tmp_path / "poker.py").write_text(POKER)
    words = ("balance", str(tmp_path / "poker.py"), "--bet", "0~4", "--target", "1/2")
    status, out, _ = ruse(*words)
    assert status == 0 and "The value is 1/2 where bet is 2." in out
    assert "from 0 to 4: (t) / (t + 2)" in out  # the value of a bluffing game with such a bet
    found = json.loads(ruse(*words, "--json")[1])
    assert found["crossings"] == [{"at": "2"}] and found["proved"] is True
    assert f"if {found['condition']}" in out  # which nobody can see from outside


def test_a_value_that_stays_at_the_target(ruse: Any) -> None:
    out = ruse("balance", "rock-paper-scissors", "--paper-beats-rock", "1/2~3", "--target", "0")[1]
    assert "The value is 0 for every paper-beats-rock from 1/2 to 3." in out
    out = ruse("balance", "matrix", "--payoffs", "0~1 -1; -1 1", "--target", "5")[1]
    assert "The value is never 5; it ranges from -1/3 to 0." in out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"payoffs": "3~1 -1; -1 1"}, "from the lower end to the higher"),
        ({"payoffs": "1~x -1; -1 1"}, "expected an interval such as 0~2"),
        ({"payoffs": "1~2 0~1; -1 1"}, "expected one interval"),
        ({"payoffs": "1~2 0..1; -1 1"}, "cannot combine an interval with a range"),
    ],
)
def test_bad_intervals_are_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(CrossingError, match=said):
        crossings("matrix", given, target=Fraction(0))


def test_a_whole_number_is_not_any_number(ruse: Any) -> None:
    assert "expected a whole number for --faces" in ruse("balance", "liars-dice", "--faces", "2~3", "--target", "0")[2]
    assert ruse("balance", "matrix", "--payoffs", "0~1 1", "--target", "0", "--near", "official")[0] == 2


def test_pieces_that_there_was_time_for_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the interval is a gap, and nothing is proved of all of it."""
    whole = crossings("matrix", payoffs="-3~5 -1; -1 1", target=Fraction(1, 5))
    follow = crossings_module._Line._piece
    pieces = 0

    def once(*given: Any) -> Any:
        nonlocal pieces
        pieces += 1
        if pieces > 1:
            raise TimeIsUp("the time is up")
        return follow(*given)

    monkeypatch.setattr(crossings_module._Line, "_piece", once)
    part = crossings("matrix", payoffs="-3~5 -1; -1 1", target=Fraction(1, 5))
    assert len(part.pieces) == 1 and part.gaps and not part.proved and part.to_json()["proved"] is False
    assert {"from", "to"} == set(part.to_json()["gaps"][0])
    for low, high in part.gaps:
        piece = part.pieces[0]
        assert high.compare(piece.first) <= 0 or piece.last.compare(low) <= 0
    assert "Stopped before these parts" in words.format_crossings(part)
    assert whole.proved and "gaps" not in whole.to_json()


def test_an_interval_takes_a_time_limit(ruse: Any) -> None:
    command = ("balance", "matrix", "--payoffs=-3~5 -1; -1 1", "--target", "1/5", "--json", "--time")
    status, out, _ = ruse(*command, "60")
    assert status == 0 and json.loads(out)["crossings"] == [{"at": "2"}]
    status, out, error = ruse(*command, "1e-9")
    assert status == 1 and ("time" in error or not json.loads(out)["proved"])
