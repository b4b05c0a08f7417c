"""What missions cost in the companion: one continuation for all of them, checked by brute force seat by seat."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from amounts import ALL
from companions import solution
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Place
from ruse.games.resistance.companion import ResistanceCompanion
from ruse.games.resistance.companion_record import Evening, OwnSeat, Round
from ruse.games.resistance.evaluator import Evaluator
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.resistance.table import POINTS_TO_WIN, make_table

Seats = tuple[int, ...]
EVENINGS = ["", "ab0", "ab1", "ab0 abc0", "ab0 abc1", "ab0 acd0", "ab1 cde0", "ab0 abc0 ab1", "ab1 acd1 bc0"]
SLIPS = [Fraction(1, 10), Fraction(1, 2), Fraction(0)]
CASES = [  # evenings of less than two missions take seconds each
    (text, slip) for text in EVENINGS for slip in SLIPS if ALL or " " in text or (text, slip) == ("ab0", SLIPS[0])
]


def companion(text: str, slip: Fraction, players: int = 5) -> ResistanceCompanion:
    made = Evening.begin(make_table(players))
    for word in text.split():
        made = made.add(Round(tuple(ord(letter) - ord("a") for letter in word[:-1]), int(word[-1])))
    return ResistanceCompanion(replace(made, slip=slip), solution(players).tables)


class BruteForce:
    """Every team, result and deal, seat by seat: the spies by their strategy, the resistance as well as it can."""

    def __init__(self, found: ResistanceCompanion) -> None:
        self.table, self.evaluator = found.table, Evaluator(found.table, found.tables or ({}, {}))

    def best(self, done: tuple[tuple[Seats, bool], ...], weights: dict[Seats, Fraction]) -> Fraction:
        passed = sum(result for _, result in done)
        if POINTS_TO_WIN in (passed, len(done) - passed):
            return sum(weights.values(), Fraction(0)) * (passed == POINTS_TO_WIN)
        size = self.table.missions[len(done)]
        return max(self.sent(done, weights, team) for team in combinations(range(self.table.players), size))

    def sent(self, done: tuple[tuple[Seats, bool], ...], weights: dict[Seats, Fraction], team: Seats) -> Fraction:
        place = Place(self.table, notation.MissionHistory(None, done, team), RESISTANCE)
        shares = {spies: self.evaluator.sabotage(place.cells, place.counts(spies)) for spies in weights}
        total = Fraction(0)
        for passes in (True, False):
            left = {
                spies: weight * (1 - shares[spies] if passes else shares[spies]) for spies, weight in weights.items()
            }
            if left := {spies: weight for spies, weight in left.items() if weight}:
                total += self.best((*done, (team, passes)), left)
        return total


@pytest.mark.parametrize(("text", "slip"), CASES, ids=str)
def test_missions_are_worth_what_brute_force_finds(text: str, slip: Fraction) -> None:
    found = companion(text, slip)
    _, weights = found._weights(found.deals, slip)
    total = sum(weights.values(), Fraction(0))
    brute = BruteForce(found)
    missions = found.missions()
    expected = {one.team: brute.sent(found.evening.position.done, weights, one.team) / total for one in missions}
    assert {one.team: one.win for one in missions} == expected
    assert {one.team: one.loss for one in missions} == {
        team: max(expected.values()) - worth for team, worth in expected.items()
    }


@pytest.mark.parametrize("players", [5, 6, 7])
@pytest.mark.parametrize("role", [None, OwnSeat(0), OwnSeat(3)], ids=["nobody", "a", "d"])
def test_no_cost_is_negative_and_the_best_costs_nothing(players: int, role: OwnSeat | None) -> None:
    for slip in SLIPS:
        for text in ("", "ab0", "ab0 abc0", "ab0 abc1", "ab1 cde0"):
            losses = [one.loss for one in companion(text, slip, players).missions(role)]
            assert min(losses) == losses[0] == 0


def test_equal_missions_cost_the_same() -> None:
    """Issue 23: ab cost half a point beside ac, as the one went on by the stored strategy and the other did not."""
    missions = {notation.seats(one.team): one for one in companion("ab0 abc0", Fraction(1, 10)).missions()}
    assert missions["ab"].win == missions["ac"].win
    assert missions["ab"].loss == missions["ac"].loss == 0 and missions["ab"].sent == 1
