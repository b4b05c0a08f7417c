"""Large games are checked by their rules on arrays, with the same answers as by the plain rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import ruse
from ruse.core import size_estimate
from ruse.core.game import Game, GameError
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Certificate
from ruse.games import make
from ruse.solution.strategy import Solution
from ruse.verify import VerifyError
from ruse.verify.arrays import ArraysVerifier
from ruse.verify.dispatch import verifier
from ruse.verify.verifier import Verifier

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
        (FIRST, {"9-9": ONE}, "expected a move out of"),
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
    with pytest.raises(GameError, match="half of the free memory, got liars-dice"):
        dice.verify()
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 1_000)
    monkeypatch.setattr("ruse.forms.reckoned.reckoned", lambda *_: pytest.fail("looked at"))
    with pytest.raises(GameError, match="to walk by its rules, which is what fits"):
        dice.verify()
