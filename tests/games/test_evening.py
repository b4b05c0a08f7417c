"""The full rules of an evening: roles and what they see, proposals, votes, cards, the shot, and the record."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from amounts import some
from evening_moves import with_spies
from ruse.core.game import GameError
from ruse.games.evening.bots import DISRUPTORS, Players, as_loyal, play_out
from ruse.games.evening.record import record
from ruse.games.evening.rules import FAILED, OVER, PASSED, PLAY, PROPOSE, REJECTED, SHOOT, VOTE, ActError, EveningState
from ruse.games.evening.setting import Setting, official, read_roles
from ruse.games.resistance.table import make_table

FIVE = official(5)
FULL = official(10, ["merlin", "percival", "morgana", "mordred", "oberon"])


def vote(evening: EveningState, approve: str) -> EveningState:
    return evening.step({seat: chr(97 + seat) in approve for seat in range(evening.players)})


def send(evening: EveningState, team: str, saboteurs: str = "") -> EveningState:
    """A team that everybody approves, and who sabotages."""
    evening = vote(evening.step({evening.leader: evening.read_act(evening.leader, team)}), "abcdefghij")
    return evening.step({seat: chr(97 + seat) in saboteurs for seat in evening.actors})


def test_more_than_half_approve_and_leaders_rotate() -> None:
    evening = with_spies(FIVE, (1, 3))
    assert (evening.phase, evening.actors) == (PROPOSE, (0,))
    out = evening.step({0: (0, 1)})
    assert (out.phase, out.actors, out.leader) == (VOTE, (0, 1, 2, 3, 4), 0)
    rejected = vote(out, "ab")
    assert (rejected.phase, rejected.leader, len(rejected.proposals)) == (PROPOSE, 1, 1)
    sent = vote(out, "abe")
    assert (sent.phase, sent.actors, sent.leader) == (PLAY, (0, 1), 1)
    done = sent.step({0: False, 1: True})
    assert (done.phase, done.score, done.leader) == (PROPOSE, (0, 1), 1)
    assert done.missions[0].sabotages == 1 and done.saboteurs == ((1,),)
    six = official(6)
    tied = vote(with_spies(six, (1, 3)).step({0: (0, 1)}), "abc")
    assert tied.phase == PROPOSE  # half is not enough


def test_five_rejections_win_for_the_spies() -> None:
    evening = with_spies(FIVE, (1, 3), leader=4)
    for leader in (4, 0, 1, 2, 3):
        assert evening.leader == leader
        evening = vote(evening.step({leader: (0, 1)}), "a")
    assert (evening.phase, evening.ended, evening.winner, evening.score) == (OVER, REJECTED, "spies", (0, 0))
    assert record(evening)["missions"][0]["sabotages"] is None is record(evening)["missions"][0]["saboteurs"]


def test_rejections_are_counted_for_each_mission_anew() -> None:
    evening = with_spies(FIVE, (1, 3))
    for _ in range(4):
        evening = vote(evening.step({evening.leader: (0, 2)}), "")
    evening = send(evening, "ac")
    assert (evening.phase, len(evening.proposals), evening.score) == (PROPOSE, 0, (1, 0))


def test_three_missions_end_it_and_two_sabotages_are_needed_where_the_table_says_so() -> None:
    seven = with_spies(official(7), (0, 1, 2))
    evening = send(send(seven, "ab", "a"), "abd", "ab")
    assert evening.score == (0, 2) and evening.missions[1].sabotages == 2
    evening = send(evening, "def")
    evening = send(evening, "adef", "a")
    assert evening.score == (2, 2)  # one sabotage does not fail mission 4
    assert send(evening, "adef", "a").ended == FAILED
    assert send(evening, "adef").ended == PASSED


def test_the_assassin_shoots_after_three_passed_missions() -> None:
    setting = official(5, ["merlin"])
    kinds = tuple(setting.cast.kinds.index(role) for role in sorted(setting.cast.kinds, key=lambda role: role.name))
    assert [role.name for role in setting.cast.kinds] == ["merlin", "servant", "spy"] and kinds == (0, 1, 2)
    evening = EveningState(setting.dealt((0, 1, 1, 2, 2), 0), 0)
    for team in ("ab", "abc", "ab"):
        evening = send(evening, team)
    assert evening.phase == SHOOT and set(evening.actors) <= {3, 4}
    (assassin,) = evening.actors
    assert evening.legal(assassin) == (0, 1, 2)
    assert evening.step({assassin: 0}).winner == "spies" and evening.step({assassin: 1}).winner == "good"
    with pytest.raises(ActError, match=r"one of a, b, c, got 'd'"):
        evening.read_act(assassin, "d")


def test_what_roles_see() -> None:
    names = [role.name for role in FULL.cast.kinds]
    kinds = [names.index(name) for name in ["merlin", "percival", "morgana", "mordred", "oberon", "spy"]]
    deal = FULL.dealt((*kinds, *[names.index("servant")] * 4), 0)
    merlin, percival, morgana, mordred, oberon, spy, servant = (deal.shown[seat] for seat in range(7))
    assert merlin == (2, 4, 5)  # all but Mordred
    assert percival == (0, 2) and servant == () and oberon == ()
    assert (morgana, mordred, spy) == ((3, 5), (2, 5), (2, 3))  # Oberon is nobody's partner
    assert (
        deal.words(0)
        == "You are Merlin. You see spies: c, e and f. You do not see Mordred. Do not let them find you out."
    )
    assert "You do not know the other spies" in deal.words(4)
    assert deal.words(1) == "You are Percival. One of a and c is Merlin, the other Morgana."
    assert deal.words(6) == "You are loyal."
    assert deal.assassin in (2, 3, 5)
    assert deal.names() == dict(
        zip("abcdefghij", ["merlin", "percival", "morgana", "mordred", "oberon", "minion"] + ["loyal"] * 4, strict=True)
    )


def test_a_view_holds_nothing_that_is_hidden_from_its_seat() -> None:
    evening = send(with_spies(FIVE, (1, 3)), "ab", "b")
    view = evening.view(2)
    assert (view.role, view.evil, view.shown, view.spies, view.pact) == ("loyal", False, (), (), None)
    assert view.missions[0].sabotages == 1 and "1,)" not in repr(view).replace("(0, 1)", "")
    spy = evening.view(3)
    assert spy.spies == (1, 3) and spy.pact == evening.view(1).pact and spy.draw == view.draw
    assert spy.luck != evening.view(1).luck
    assert as_loyal(spy) == replace(view, seat=3, luck=spy.luck)


def test_deals_are_even() -> None:
    deals = [EveningState.begin(FIVE, seed).deal.spies for seed in range(2_000)]
    counts = {spies: deals.count(spies) for spies in set(deals)}
    assert len(counts) == 10 and all(150 < count < 250 for count in counts.values())


@pytest.mark.parametrize(
    ("players", "roles", "reason"),
    [
        (5, ["merlin", "percival", "morgana", "mordred", "oberon"], "at most 2 evil roles"),
        (5, ["merlin", "merlin"], "each role once"),
        (5, ["mrelin"], "did you mean 'merlin'"),
        (5, ["gandalf"], "the roles are merlin, percival"),
    ],
)
def test_role_sets_that_cannot_be_dealt(players: int, roles: list[str], reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        official(players, roles)


def test_roles_in_text() -> None:
    assert read_roles("Merlin, assassin,percival") == ["merlin", "percival"]
    with pytest.raises(GameError, match="merlin beside assassin"):
        read_roles("assassin")
    alone = make_table(4, 1, [2] * 5, [1] * 5)
    with pytest.raises(GameError, match="plays alone"):
        Setting.make(alone, ["oberon"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [("abc", "a team of 2 seats, got 'abc'"), ("az", "got 'az'"), ("", "got ''"), ("ä", "got"), ("aa", "got 'aa'")],
)
def test_nonsense_is_refused(text: str, reason: str) -> None:
    evening = with_spies(FIVE, (1, 3))
    with pytest.raises(ActError, match=reason):
        evening.read_act(0, text)
    out = evening.step({0: evening.read_act(0, " b A")})
    assert out.team == (0, 1)
    with pytest.raises(ActError, match="approve or reject"):
        out.read_act(2, text)
    sent = vote(out, "abcde")
    with pytest.raises(ActError, match="a loyal seat never sabotages"):
        sent.read_act(0, "sabotage")
    assert sent.read_act(1, "S") is True
    with pytest.raises(ActError, match="expected an act of seat b"):
        sent.step({0: False})
    with pytest.raises(ActError, match="got 1"):
        sent.step({0: False, 1: 1})


def test_a_record_has_the_format_of_the_recorded_games() -> None:
    players = Players(DISRUPTORS["only with me"], DISRUPTORS["approve everything"])
    written: dict[str, Any] = json.loads(json.dumps(record(play_out(EveningState.begin(FULL, 5), players))))
    assert set(written) == {"players", "roleset", "roles", "missions", "winner", "ended", "assassin"}
    assert written["roleset"] == ["merlin", "percival", "morgana", "mordred", "oberon"]
    mission = written["missions"][0]
    assert set(mission) == {"proposals", "sabotages", "saboteurs"}
    assert set(mission["proposals"][0]) == {"leader", "team", "votes"}
    assert list(mission["proposals"][0]["votes"]) == list("abcdefghij")


@pytest.mark.parametrize("players", [5, 7, 10])
def test_records_agree_with_themselves(players: int) -> None:
    setting = official(players, ["merlin", "percival", "morgana"])
    for seed in range(some(200)):
        evening = play_out(EveningState.begin(setting, seed), Players(DISRUPTORS["random"], DISRUPTORS["random"]))
        points, leader = [0, 0], 0
        for number, mission in enumerate(evening.missions):
            for proposal in mission.proposals:
                assert proposal.leader == leader and len(proposal.team) == setting.table.missions[number]
                leader = (leader + 1) % players
            assert [proposal.approved for proposal in mission.proposals[:-1]] == [False] * (len(mission.proposals) - 1)
            if mission.sabotages is not None:
                assert set(evening.saboteurs[number]) <= set(mission.team) & set(evening.deal.spies)
                points[mission.sabotages >= setting.table.sabotages[number]] += 1
        assert tuple(points) == evening.score
        assert (evening.ended == REJECTED) == (3 not in points)
        assert (evening.ended in (PASSED, "merlin shot")) == (points[0] == 3)
