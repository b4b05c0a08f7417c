"""Large games are checked by their rules on arrays, with the same answers as by the plain rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.core import size_estimate
from ruse.core.certificate import Certificate
from ruse.core.game import CHANCE, Game, GameError
from ruse.core.types import StrategyTable
from ruse.games import make
from ruse.solution.strategy import Solution
from ruse.verify import VerifyError
from ruse.verify.arrays import ArraysVerifier
from ruse.verify.tree import decisions
from ruse.verify.verifier import Verifier, refusal, verifier

GAMES = [
    make("liars-dice", {"faces": 3}),
    make("goofspiel", {"cards": 4}),
    make("battleship", {"board": "1x3", "shots": 2}),
    make("leduc"),
    make("oshi-zumo", {"coins": 4}),
]


@pytest.fixture(autouse=True)
def every_game_is_too_large_to_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size_estimate, "MOST_WALKED", 0)


@pytest.fixture(scope="module")
def dice() -> Solution:
    return ruse.solve(make("liars-dice", {"faces": 3}), "cfr+", iterations=30)


@pytest.mark.cases(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_as_by_the_plain_rules(game: Game) -> None:
    solution = ruse.solve(game, "cfr+", iterations=30)
    way = verifier(game)
    assert isinstance(way, ArraysVerifier)
    assert solution.verify() == solution.certificate == Verifier(game).bounds(solution.tables)
    for side in (0, 1):
        assert way.guarantee(side, solution.tables[side]) == Verifier(game).guarantee(side, solution.tables[side])
        way.check_positions(side, solution.tables[side])


@pytest.mark.parametrize("game", [ruse.games.kuhn(), ruse.games.resistance(5)], ids=str)
def test_games_without_arrays_or_with_a_verifier_of_their_own_keep_their_way(game: Game) -> None:
    assert not isinstance(verifier(game), ArraysVerifier)


def tampered(solution: Solution, position: str, odds: dict[str, Fraction] | None) -> Solution:
    table: StrategyTable = {**solution.tables[0]}
    kept = {key: value for key, value in table.items() if key != position}
    return replace(solution, tables=(kept | ({} if odds is None else {position: odds}), solution.tables[1]))


FIRST = "liars-dice(faces=3)@1"
ONE = Fraction(1)


@pytest.mark.parametrize(
    ("position", "odds", "reason"),
    [
        (FIRST, {"1-1": ONE}, "expected the strategy of"),
        (FIRST, {"1-1": ONE / 2}, "expected odds that sum to 1"),
        (FIRST, {"9-9": ONE}, "expected one of the moves"),
        (FIRST, None, "liars-dice\\(faces=3\\)@1"),
        ("liars-dice(faces=3)@7", {"1-1": ONE}, "expected positions of .* where Player 1 moves"),
        ("liars-dice(faces=3)@1/1-1", {"liar": ONE}, "expected positions of .* where Player 1 moves"),
    ],
)
def test_what_is_not_as_claimed_is_refused(
    dice: Solution, position: str, odds: dict[str, Fraction] | None, reason: str
) -> None:
    with pytest.raises(VerifyError, match=reason):
        tampered(dice, position, odds).verify()


def test_claims_that_are_too_good_are_refused_and_too_large_games(
    dice: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    better = Certificate(dice.certificate.lower + Fraction(1, 10**12), dice.certificate.upper)
    with pytest.raises(VerifyError, match="as is claimed"):
        replace(dice, certificate=better).verify()
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 50_000)
    with pytest.raises(GameError, match=r"liars-dice.* is too large .* half of the free memory"):
        dice.verify()
    assert "is too large to check on arrays" in refusal(dice)
    monkeypatch.undo()
    assert refusal(dice) == ""


def random_table(game: Game, side: int, seed: int, most: int) -> StrategyTable:
    random, table = Random(seed), {}
    for position, labels in decisions(game, side, by_class=False):
        parts = [random.randrange(most) if random.random() < 0.7 else 0 for _ in labels]
        parts[random.randrange(len(parts))] += 1
        table[position] = {label: Fraction(part, sum(parts)) for label, part in zip(labels, parts, strict=True)}
    return table


@pytest.mark.parametrize("most", [3, 10**30])  # whose best responses do not fit into machine numbers
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_random_strategies_get_the_same_as_by_the_plain_rules(game: Game, most: int) -> None:
    tables = random_table(game, 0, 1, most), random_table(game, 1, 2, most)
    certificate = ArraysVerifier(game, False).bounds(tables)
    assert certificate == Verifier(game, False).bounds(tables)
    assert certificate.proof == "arrays"


class ArraysOfAnother:
    """The array rules of liar's dice, one of them replaced."""

    def __init__(self, rules: Any, name: str, rule: Any) -> None:
        self._rules = rules
        setattr(self, name, rule)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def paid_more(rules: Any) -> Any:
    return lambda states: rules.payoff(states) * 2


def unseen(rules: Any) -> Any:
    return lambda states, moves, turn, side: 0 if turn != CHANCE else rules.sees(states, moves, turn, side)


def loaded_dice(rules: Any) -> Any:
    def legal(states: Any, turn: int) -> Any:
        found = rules.legal(states, turn)
        return found + (np.arange(len(found)) == 0)[:, None] if turn == CHANCE else found

    return legal


def one_move_less(rules: Any) -> Any:
    def legal(states: Any, turn: int) -> Any:
        found = rules.legal(states, turn)
        return found & (np.arange(len(found)) != 1)[:, None] if turn == 1 else found

    return legal


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("payoff", paid_more), ("sees", unseen), ("legal", loaded_dice), ("legal", one_move_less)],
    ids=["payoff", "sees", "odds", "moves"],
)
def test_array_rules_that_are_not_the_rules_prove_nothing(
    dice: Solution, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = dice.game.arrays()  # type: ignore[attr-defined]
    other = ArraysOfAnother(rules, name, wrong(rules))
    monkeypatch.setattr(dice.game, "arrays", lambda: other)
    with pytest.raises(VerifyError, match=r"the array rules of liars-dice.* do not say what its rules say"):
        ArraysVerifier(dice.game).bounds(dice.tables)
