"""Guess Who: Nica's formula, the paper's strategies scored exactly, rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ruse
from ruse.core.game import RuleError, RuseError
from ruse.games import guess_who
from ruse.games.guess_who.rules import nica
from ruse.present.rules import score_function, score_rules
from ruse.reproduce import guess_who as paper
from ruse.verify import VerifyError
from ruse.verify import tree as plain

ONE = Fraction(1)


def test_dynamic_programming_is_nicas_formula() -> None:
    """reference.md: for all 2 <= n, m <= 128; his questions are among the best."""
    best = paper.optimum(128)
    for n in range(2, 129):
        for m in range(2, 129):
            assert Fraction(best.scaled[n][m], n * m) == nica(n, m)
            assert best.question[n][m] == max(1, min(n // 2, 2 ** ((m - 1).bit_length() - 1)))
    for n, p in ((24, 0.631944), (96, 0.629774), (128, 0.666748)):
        assert float(nica(n, n)) == pytest.approx(p, abs=5e-7)


@pytest.mark.parametrize("n", range(2, 12))
@pytest.mark.parametrize("m", range(2, 12, 3))
def test_solutions_are_nicas_formula(n: int, m: int) -> None:
    solution = ruse.solve(guess_who(n, m))
    assert solution.win == {"first": nica(n, m), "second": 1 - nica(n, m)}


def test_one_character_left_has_won() -> None:
    assert ruse.solve(guess_who(1, 5)).win["first"] == 1
    assert ruse.solve(guess_who(5, 1)).win["first"] == 0
    assert len(ruse.solve(guess_who(5, 1)).strategy(0)) == 0


def test_guess_who_in_words_and_back() -> None:
    solution = ruse.solve(guess_who(13, 11))
    text = solution.words()
    assert "\n13: 1 if 2" not in text and "\n13: 6\n" in text  # only against 11
    assert "\n11: 1 if 2, 2 if 3-4, 4 if 5-8, 5 if 9+\n" in text
    assert [score.payoff for score in score_rules(solution.game, text)] == [solution.value] * 2


def test_dichotomy_is_scored_exactly() -> None:
    game = guess_who(16, 16)
    halves = [score.payoff for score in score_rules(game, "side: first\n2-16: half\nside: second\n2+: half\n")]
    assert halves[0] < ruse.solve(game).value < halves[1]
    asked = score_function(game, 0, lambda position, moves: moves[0])  # the first move offered is to ask about half
    assert asked.payoff == halves[0]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("2-9: 1 if 3", "expected a rule for 5 of mine and 5 of theirs, got none"),
        ("half", "expected a rule such as .*, got 'half'"),
        ("2+: 4", "expected one of the moves 2, 1 at guess-who.*@first/5,5, got '4'"),
        ("2+: one two", "expected a rule such as"),
    ],
)
def test_bad_rules_of_guess_who(rules: str, message: str) -> None:
    with pytest.raises((RuleError, VerifyError), match=message):
        score_rules(guess_who(5, 5), f"side: first\n{rules}\n")


@pytest.mark.soak
@pytest.mark.slow
def test_the_papers_strategies() -> None:
    """method.md: with δ = max(n - m, 0), ONL beats OL (.539 at 128) and Best beats ONL (.522); as printed, neither."""
    known, printed = paper.strategies(), paper.strategies(printed=True)
    assert float(paper.curve(known["ONL"], known["OL"])[-1]) == pytest.approx(0.539, abs=5e-4)
    assert float(paper.curve(known["Best"], known["ONL"])[-1]) == pytest.approx(0.522, abs=5e-4)
    assert paper.curve(printed["ONL"], printed["OL"])[-1] < Fraction(1, 2)
    assert paper.curve(known["OL"], known["God"])[-1] == Fraction(1, 2)  # "only OL reaches 50%"


def test_the_papers_equations() -> None:
    known = paper.strategies()
    assert [known["dichotomy"](n, 5) for n in (2, 3, 24, 25)] == [1, 1, 12, 12]
    assert [known["OL"](n, m) for n, m in ((24, 24), (24, 10), (24, 2), (10, 24))] == [12, 5, 1, 5]
    assert known["ONL"](128, 64) == 48  # 64 + 8 - 24
    assert paper.asked(Fraction(-9), Fraction(0), Fraction(0), Fraction(0), 8, 2) == 7  # at most n - 1


@given(st.integers(2, 12), st.integers(2, 12))
def test_win_rates_add_up_and_nobody_beats_the_optimum(n: int, m: int) -> None:
    best = paper.optimal(12)
    assert paper.win_rate(best, best, n, m) == nica(n, m)
    for strategy in paper.strategies().values():
        assert paper.win_rate(strategy, best, n, m) <= nica(n, m) <= paper.win_rate(best, strategy, n, m)


def test_win_rates_are_what_the_rules_give() -> None:
    """Both policies in the game itself, state by state."""
    game, first, second = guess_who(9, 7), paper.strategies()["dichotomy"], paper.strategies()["ONL"]

    def policy(state: Any) -> Mapping[int, Fraction]:
        c = (first, second)[state.turn](state.mine, state.theirs)
        return {min(c, state.mine - c): ONE}

    shares = plain.outcomes(game, (policy, policy))
    assert shares[ONE] == paper.win_rate(first, second, 9, 7)


def test_figure_1_and_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ONL - OL" in paper.table(24) and len(paper.table(24).splitlines()) == 3 + len(paper.SAID)
    paper.draw(tmp_path / "fig.svg", most=8)
    assert (tmp_path / "fig.svg").read_text().startswith("<?xml")
    with pytest.raises(RuseError, match="expected a picture"):
        paper.draw(tmp_path / "fig.bmp", most=8)


@pytest.mark.parametrize(("mine", "theirs"), [(1, 5), (5, 1), (1, 1), (2, 2), (7, 5)])
def test_the_game_tells_its_value_by_the_formula(mine: int, theirs: int) -> None:
    game = guess_who(mine, theirs)
    assert game.known_value() == ruse.solve(game).value
