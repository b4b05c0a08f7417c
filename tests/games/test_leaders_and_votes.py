"""The two theorems of docs/explanation/leaders-and-votes.md, through the full rules with leaders, votes and cards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import ruse
from amounts import some
from evening_moves import SETTINGS, Sending, approved, branches, sendings_of, with_spies
from ruse.core.game import GameError
from ruse.games.evening.bots import DISRUPTORS, Bot, LoyalConvention, Players, optimal, play_on, play_out
from ruse.games.evening.people_bots import PeopleBot
from ruse.games.evening.plan import (
    PublicPlan,
    SpiesOrder,
    check_optimal,
    check_premises,
    guarantee,
    guarantee_end,
    history_of,
    solved,
)
from ruse.games.evening.rules import GOOD, OVER, VOTE, EveningState
from ruse.games.evening.setting import Seats, official
from ruse.games.resistance.table import make_table


def plan_of(players: int) -> PublicPlan:
    return PublicPlan(solved(SETTINGS[players].table))


# Theorem 1.


SIX = pytest.param(6, marks=pytest.mark.soak)


@pytest.mark.cases(1)
@pytest.mark.parametrize("mission", range(5))
@pytest.mark.parametrize("players", [5, SIX])
def test_whatever_spies_propose_and_vote_the_plans_team_goes(players: int, mission: int) -> None:
    """Every set of spies, every first leader, and everything that spies can propose and vote."""
    setting, plan = SETTINGS[players], plan_of(players)
    size = setting.table.missions[mission]
    for spies in combinations(range(players), setting.table.spies):
        for leader in range(players):
            for team in list(combinations(range(players), size))[:: some(3, 3)]:
                ends = sendings_of(setting, spies, leader, mission, Sending(plan, team))
                assert {end.team for end in ends} == {team}
                assert max(end.proposals for end in ends) <= setting.table.spies + 1


def best_response(evening: EveningState, plan: PublicPlan) -> Fraction:
    """How often the good side wins against spies who know its convention and answer it best.

    Spies choose proposals, votes and cards, and see every draw when it is made, but none before.
    """
    setting, spies = evening.setting, evening.deal.spies

    @cache
    def wins(done: EveningState) -> Fraction:
        if done.phase == OVER:
            return Fraction(done.winner == GOOD)
        total = Fraction(0)
        for team, share in plan.odds(history_of(setting.table, done.missions)).items():
            loyal = Sending(plan, team)
            ends = sendings_of(setting, spies, done.leader, len(done.missions), loyal)
            total += share * min(after(done, loyal, end) for end in ends)
        return total

    def after(done: EveningState, loyal: Sending, end: Any) -> Fraction:
        if end.team is None:
            return Fraction(0)
        out = approved(done, end)
        return min(wins(replace(out.step(cards), saboteurs=())) for cards in branches(out, loyal))

    return wins(evening)


@pytest.mark.cases(1)
@pytest.mark.parametrize("spies", list(combinations(range(6), 2)))
@pytest.mark.parametrize("players", [5, SIX])
def test_spies_who_answer_the_convention_best_win_no_more_than_in_the_mission_game(players: int, spies: Seats) -> None:
    if spies[-1] == players:
        return
    plan = plan_of(players)
    value = (1 + plan.solution.certificate.lower) / 2
    assert best_response(with_spies(SETTINGS[players], spies), plan) == value


def test_a_seat_that_follows_no_convention_lets_the_spies_do_better() -> None:
    """The best response is no tautology: with one loyal seat less than a majority it finds five rejections."""
    plan = plan_of(5)
    setting = SETTINGS[5]

    class Sulking(Sending):
        def vote(self, view: Any) -> bool:
            return view.seat != 4 and super().vote(view)

    ends = sendings_of(setting, (0, 1), 0, 0, Sulking(plan, (2, 3)))
    assert None in {end.team for end in ends}


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"players": 6, "spies": 3, "missions": [2] * 5, "sabotages": [1] * 5}, "3 of 6 are not"),
        ({"players": 11, "spies": 5, "missions": [3] * 5, "sabotages": [1] * 5}, "at most 4 spies"),
    ],
)
def test_tables_without_the_premises_are_refused(parameters: Any, reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        check_premises(make_table(**parameters))


def test_the_premises_are_needed() -> None:
    """With five spies, five leaders in a row may all be spies; with half the table loyal, spies can stop the plan."""
    half = official(6)
    table = make_table(6, 3, [2] * 5, [1] * 5)
    setting = replace(half, table=table)
    ends = sendings_of(setting, (0, 1, 2), 0, 0, Sending(plan_of(6), (3, 4)))
    assert None in {end.team for end in ends}


@pytest.mark.parametrize("players", [5, 6, 7, 8, 9, 10])
def test_official_tables_have_the_premises(players: int) -> None:
    check_optimal(official(players))
    with pytest.raises(GameError, match="Oberon"):
        check_optimal(official(players, ["merlin", "oberon"]))


# Theorem 2.

CONVENTIONS: dict[str, Bot | None] = {"the plan": None, "people": PeopleBot(), **DISRUPTORS}


@pytest.mark.cases(4)
@pytest.mark.parametrize("players", [5, 6, 7])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_proposals_and_votes_of_optimal_spies_do_not_depend_on_who_they_are(convention: str, players: int) -> None:
    """What everybody sees before the first card is the same for any set of spies, draw by draw: the heart of it."""
    setting, solution = SETTINGS[players], solved(SETTINGS[players].table)
    both = optimal(solution, setting, CONVENTIONS[convention])
    seated = Players(CONVENTIONS[convention] or both.good, both.spies)
    for seed in range(some(20, 5)):
        seen = set()
        for spies in combinations(range(players), setting.table.spies):
            evening = with_spies(setting, spies, seed=seed)
            while evening.phase in ("propose", "vote"):
                evening = play_on(evening, seated)
            seen.add((evening.proposals or evening.missions, evening.team))
        assert len(seen) == 1


@pytest.mark.cases(4)
@pytest.mark.parametrize("players", [5, 6, 7])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_optimal_spies_keep_their_guarantee_against_every_convention_that_ships(convention: str, players: int) -> None:
    setting = SETTINGS[players]
    both = optimal(solved(setting.table), setting, CONVENTIONS[convention])
    seated = Players(CONVENTIONS[convention] or both.good, both.spies)
    games = some(2_000, 20)
    won = sum(play_out(EveningState.begin(setting, seed), seated).winner == GOOD for seed in range(games))
    value = float(guarantee(setting, solved(setting.table))[1])
    assert won / games <= value + 4 * (value * (1 - value) / games) ** 0.5


@pytest.mark.cases(4)
@pytest.mark.parametrize("players", [5, 6, 7])
@pytest.mark.parametrize("disruptor", ["people", *DISRUPTORS])
def test_loyal_seats_with_the_plan_keep_theirs_against_every_disruptor(disruptor: str, players: int) -> None:
    setting = SETTINGS[players]
    solution = solved(setting.table)
    seated = Players(LoyalConvention(PublicPlan(solution)), CONVENTIONS[disruptor] or DISRUPTORS[disruptor])
    games = some(2_000, 20)
    won = 0
    for seed in range(games):
        evening = play_out(EveningState.begin(setting, seed), seated)
        won += evening.winner == GOOD
        assert guarantee_end(evening, seated.good.plan) is None  # type: ignore[attr-defined]
    value = float(guarantee(setting, solution)[0])
    assert won / games >= value - 4 * (value * (1 - value) / games) ** 0.5


def test_spies_who_ignore_the_convention_give_themselves_away() -> None:
    """Theorem 2 needs its premise: loyal seats with the plan see who votes otherwise."""
    setting = SETTINGS[5]
    seated = Players(LoyalConvention(plan_of(5)), DISRUPTORS["reject everything"])
    evening = with_spies(setting, (1, 3))
    while evening.phase != VOTE:
        evening = play_on(evening, seated)
    voted = play_on(evening, seated)
    assert {seat for seat, vote in enumerate(voted.proposals[0].votes) if not vote} == {1, 3}


# Avalon without talk.


@pytest.mark.parametrize("players", [5, SIX])
def test_a_silent_table_of_avalon_is_the_mission_game_and_a_blind_shot(players: int) -> None:
    silent = ruse.solve(ruse.games.make("avalon", {"players": players, "talk": "none"}))
    setting = official(players, ["merlin"])
    low, high = guarantee(setting, solved(setting.table))
    assert silent.certificate.lower == 2 * low - 1 and silent.certificate.upper == 2 * high - 1


def test_the_shot_of_optimal_spies_is_at_a_good_seat_that_they_do_not_know() -> None:
    setting = official(5, ["merlin", "percival", "morgana"])
    seated = optimal(solved(setting.table), setting)
    shots = [play_out(EveningState.begin(setting, seed), seated) for seed in range(200)]
    taken = [evening for evening in shots if evening.target is not None]
    assert taken and all(not evening.deal.role(evening.target).evil for evening in taken if evening.target is not None)
    assert {evening.hit for evening in taken} == {True, False}


def test_saboteurs_are_the_first_spies_aboard() -> None:
    order = SpiesOrder(solved(official(7).table))
    assert order.saboteurs(0, (1, 4), (1, 3, 4)) == (1,)
    assert order.saboteurs(3, (1, 2, 3, 4), (1, 3, 4)) == (1, 3)
    assert order.sabotage((), (0, 2), (1, 3, 4)) == 0
