"""Bots that play as people: what they know, that they draw from the model, and how their evenings end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from amounts import some
from evening_moves import with_spies
from ruse import people
from ruse.core.game import GameError
from ruse.games.evening.bots import play_on, play_out
from ruse.games.evening.models import Models, models_for, read_models
from ruse.games.evening.people_bots import PeopleBot, beliefs, bits, clean_odds, record_of, seen_by, state_of
from ruse.games.evening.record import record
from ruse.games.evening.rules import GOOD, SHOOT, VOTE, EveningState
from ruse.games.evening.setting import Setting, official
from ruse.games.resistance.table import make_table

PEOPLE = Models("people", "people")


def test_a_bot_draws_from_the_odds_of_the_model() -> None:
    evening = with_spies(official(6), (1, 4)).step({0: (1, 2)})
    view = evening.view(1)
    share = people.model().vote_odds(state_of(view), 0, bits((1, 2)), 1, people.Seen("spy", bits((1, 4))))
    votes = [PeopleBot().vote(replace(view, luck=luck)) for luck in range(2_000)]
    assert abs(sum(votes) / 2_000 - share) < 4 * (share * (1 - share) / 2_000) ** 0.5
    teams = Counter(PeopleBot().propose(replace(view, team=None, luck=luck)) for luck in range(2_000))
    odds = people.model().team_odds(state_of(view), 1, seen_by(view))
    best = max(odds, key=lambda team: odds[team])
    assert abs(teams[people.members(best)] / 2_000 - odds[best]) < 4 * (odds[best] / 2_000) ** 0.5


def test_spies_sabotage_together_as_often_as_people_do() -> None:
    evening = with_spies(official(5), (1, 3))
    views = [replace(evening.view(seat), team=(0, 1, 3), phase="play") for seat in (1, 3)]
    odds = people.model().card_odds(state_of(views[0]), 2)
    played = Counter(sum(PeopleBot().play(replace(view, pact=pact)) for view in views) for pact in range(3_000))
    for count, share in enumerate(odds):
        assert abs(played[count] / 3_000 - share) < 4 * (share * (1 - share) / 3_000) ** 0.5


@pytest.mark.parametrize("roles", [[], ["merlin", "percival", "morgana"], ["merlin", "mordred", "oberon"]])
def test_a_view_becomes_what_the_model_knows(roles: list[str]) -> None:
    """The state of a view is that of the record, and what a seat sees is what its role is shown."""
    setting = official(7, roles)
    players = PEOPLE.players(setting)
    evening = EveningState.begin(setting, 3)
    while not evening.over and evening.phase != SHOOT:
        for seat in range(7) if evening.phase == VOTE else ():
            view = evening.view(seat)
            names = [*evening.deal.names().values()]
            assert seen_by(view) == people.Seen.of(names, seat)
            assert state_of(view) == people.TableState.of(record_of(view))
        evening = play_on(evening, players)
    ended = play_out(evening, players)
    assert people.read_record(record(ended)).roles == tuple(ended.deal.names().values())


def test_beliefs_of_a_seat_are_those_of_its_record() -> None:
    setting = official(5, ["merlin"])
    evening = EveningState.begin(setting, 1)
    players = PEOPLE.players(setting)
    while len(evening.missions) < 2:
        evening = play_on(evening, players)
    for seat in range(5):
        view = evening.view(seat)
        found = beliefs(view)
        spies = evening.deal.spies
        assert found.spies[seat] == (1 if view.evil else 0)
        if view.evil or view.role == "merlin":
            assert [round(share, 9) for share in found.spies] == [float(other in spies) for other in range(5)]
            assert clean_odds(view, found, spies) == 0
        else:
            assert sum(found.spies) > 0 and abs(sum(found.spies) - 2) < 1e-9
            assert found.spies == tuple(people.beliefs(record_of(view), seat, view.role).values())


def test_the_assassin_shoots_as_people_do_and_never_a_spy_whom_he_knows() -> None:
    for roles in (["merlin"], ["merlin", "percival", "morgana", "mordred"], ["merlin", "mordred", "oberon"]):
        setting = official(7, roles)
        players = PEOPLE.players(setting)
        shots = 0
        for seed in range(60):
            evening = play_out(EveningState.begin(setting, seed), players)
            if evening.target is not None and evening.deal.assassin is not None:
                shots += 1
                assert evening.target not in (evening.deal.assassin, *evening.deal.shown[evening.deal.assassin])
        assert shots


# Resistance wins, and their counts, of the train half: people.md, "Who wins".
WHO_WINS = {
    (5, ()): (105, 190),
    (6, ()): (72, 140),
    (7, ()): (26, 65),
    (5, ("merlin",)): (98, 229),
    (6, ("merlin",)): (87, 187),
    (7, ("merlin",)): (30, 86),
    (5, ("merlin", "percival", "morgana")): (268, 604),
    (6, ("merlin", "percival", "morgana")): (261, 544),
    (7, ("merlin", "percival", "morgana")): (191, 413),
}


@pytest.mark.cases(2)
@pytest.mark.parametrize("table", WHO_WINS, ids=str)
def test_people_win_as_often_as_in_the_records(table: tuple[int, tuple[str, ...]]) -> None:
    """Within four standard errors of both; `python -m benchmarks.evenings people` has the figures."""
    won, of = WHO_WINS[table]
    setting = official(*table)
    players = PEOPLE.players(setting)
    games = some(800, 8)
    good = sum(play_out(EveningState.begin(setting, seed), players).winner == GOOD for seed in range(games))
    share = won / of
    error = (share * (1 - share) / of + 0.25 / games) ** 0.5
    assert abs(good / games - share) < 4 * error


def test_models_by_name() -> None:
    assert read_models("people,optimal") == Models("people", "optimal") and str(Models("people", "people")) == "people"
    assert models_for(official(5), None) == PEOPLE
    small = Setting.make(make_table(4, 1, [2] * 5, [1] * 5))
    assert models_for(small, "") == Models("optimal", "optimal")
    with pytest.raises(GameError, match="only the official tables"):
        models_for(small, "people")
