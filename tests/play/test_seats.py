"""A person at a seat, in the terminal: `ruse play resistance --seat c`."""

from __future__ import annotations

import io
import json
import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from amounts import some
from ruse.core.game import RuseError
from ruse.games.evening.bots import act
from ruse.games.evening.judge import judge_of, plan_left, review
from ruse.games.evening.models import Models, read_models
from ruse.games.evening.page import page_of
from ruse.games.evening.rules import PLAY, ActError
from ruse.games.evening.session import SeatSession, begin
from ruse.games.evening.setting import official
from ruse.games.evening.storage import FOLDER, SeatSessions
from ruse.games.evening.words import known_roles, scene

OPTIMAL = Models("optimal", "optimal")


SEAT_C = {"seat": "c", "bots": "optimal"}
OTHER = {"bots": "optimal"}


def planned(session: SeatSession) -> str:
    """What a person does who follows the plan, or the spies' order."""
    evening = session.evening
    players = session.players
    bot = players.of(evening, session.seat)
    return evening.written(act(bot, session.view))


def to_the_end(session: SeatSession, choose: Any = planned) -> SeatSession:
    while not session.over:
        session = session.act(session.number, choose(session))
    return session


@pytest.mark.parametrize(("side", "seed"), [("good", 1), ("spies", 2), (None, 3)])
def test_an_evening_by_text(by_text: Any, side: str | None, seed: int) -> None:
    acts = to_the_end(begin(official(5), OPTIMAL, "c", side=side, seed=seed)).acts
    status, out, err = by_text("\n".join(acts) + "\n", "resistance", **SEAT_C, seed=seed, side=side, coach=True)
    assert (status, err) == (0, "")
    words = " ".join(out.split())
    assert "5 seats: a Ada, b Ben, c you, d Dan, e Eve." in words
    assert "the resistance wins 30% of the evenings" in words
    assert re.search(r"You are (loyal|a spy\. The other spy is [abde])\.", words)
    assert words.count("Coach: ") == len(acts) and "not planned" not in words
    assert re.search(r"Three missions have (passed|failed)\. You (win|lose)\.", words) and "were spies." in words
    assert "Mission 1, proposal 1: a proposed" in words
    assert by_text("\n".join(acts) + "\n", "resistance", **SEAT_C, seed=seed, side=side, coach=True)[1] == out


def test_help_hints_nonsense_and_taking_back(by_text: Any) -> None:
    _, out, _ = by_text(
        "?\n\nhint\nrole\ntable\nback\nzz\nreject\nback\nq\n",
        "resistance",
        seat="c",
        bots="optimal",
        side="loyal",
        seed=4,
    )
    words = " ".join(out.split())
    assert "quit; the evening is saved" in words and "Type what you do, or ? for help." in words
    assert re.search(r"The plan sends [a-e]{2}: (approve|reject)\.", words)
    assert words.count("You are loyal.") == 2 and "No team yet." in words
    assert "There is no act to take back yet." in words and "Expected approve or reject, got 'zz'." in words
    assert words.count("Approve or reject? (y/n)") == 3  # at first, after the vote, and after it was taken back


@pytest.mark.parametrize("typed", ["y", "yes", "YES", "a", "appr", "n", "no", "r"])
def test_a_vote_may_be_short(by_text: Any, tmp_path: Path, typed: str) -> None:
    _, out, _ = by_text(f"{typed}\nq\n", "resistance", **SEAT_C, side="resistance", seed=4)
    saved = SeatSessions(tmp_path / "ruse" / FOLDER).read(out.rpartition("--resume ")[2].strip())
    assert saved.acts == ("approve" if typed[0] in "yYa" else "reject",)


def test_a_card_may_be_short(by_text: Any) -> None:
    """Spies on the mission pass or sabotage by a letter; votes have other letters."""
    session = begin(official(5), OPTIMAL, "a", side="spies", seed=2)
    while not session.over and session.evening.phase != PLAY:
        session = session.act(session.number, planned(session))
    for letter, act_made in (("p", "pass"), ("s", "sabotage")):
        assert session.act(session.number, letter).acts[-1] == act_made
    with pytest.raises(ActError):
        session.act(session.number, "y")
    _, out, _ = by_text("\n".join(session.acts) + "\nq\n", "resistance", seat="a", bots="optimal", side="spies", seed=2)
    assert "Pass or sabotage? (p/s)" in " ".join(out.split())


def test_leaving_and_going_on(by_text: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("approve\nq\n", "approve\n"):
        status, out, _ = by_text(text, "resistance", **SEAT_C, side="resistance", seed=4)
        kept = out.rpartition("--resume ")[2].strip()
        assert status == 0 and SeatSessions(tmp_path / "ruse" / FOLDER).read(kept).acts == ("approve",)
        status, out, _ = by_text("q\n", resume=kept)
        assert status == 0 and "Mission 1, proposal 1" in out and kept in out

    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    monkeypatch.setattr("io.StringIO", Interrupted)
    status, out, _ = by_text("", "resistance", seat="", bots="optimal")
    assert status == 0 and "The evening is saved. To continue: ruse play --resume " in out


def test_json_is_a_record_and_a_review(by_text: Any) -> None:
    session = to_the_end(begin(official(5), OPTIMAL, "b", side="spies", seed=8))
    status, out, err = by_text(
        "\n".join(session.acts) + "\n", "resistance", seat="b", bots="optimal", side="spies", seed=8, json=True
    )
    written = json.loads(out)
    assert status == 0 and "Approve or reject? (y/n)" in err
    assert written["record"]["players"] == 5 and written["record"]["roles"]["b"] == "minion"
    assert [verdict["act"] for verdict in written["review"]["acts"]] == list(session.acts)


def test_one_loyal_seat_that_leaves_the_plan_ends_the_guarantee_only_with_the_spies_help(by_text: Any) -> None:
    """Optimal spies act as loyal seats would, so against them a lone deviation changes nothing."""

    def against(session: SeatSession) -> str:
        text = planned(session)
        return {"approve": "reject", "reject": "approve"}.get(text, "ab")

    for seed in range(6):
        session = to_the_end(begin(official(5), OPTIMAL, "c", side="good", seed=seed), against)
        followed = to_the_end(begin(official(5), OPTIMAL, "c", side="good", seed=seed))
        assert [mission.team for mission in session.evening.missions] == [
            mission.team for mission in followed.evening.missions
        ]
        assert session.won == followed.won
    acts = "\n".join(session.acts) + "\n"
    _, out, _ = by_text(acts, "resistance", **SEAT_C, side="good", seed=session.seed)
    assert "not planned" in out and "guarantee ended" not in out


def test_the_proposal_where_the_guarantee_ended_is_named(by_text: Any) -> None:
    """A loyal seat that approves anything lets spies who do the same send another team than the plan's."""

    def careless(session: SeatSession) -> str:
        return {"vote": "approve", "propose": "cd", "play": "pass"}[session.evening.phase]

    for seed in range(40):
        session = begin(official(5), Models("optimal", "people"), "c", side="good", seed=seed)
        with suppress(ActError):  # a later mission takes more seats
            session = to_the_end(session, careless)
        if session.over and plan_left(session):
            break
    typed = "\n".join(session.acts) + "\n"
    _, out, _ = by_text(typed, "resistance", seat="c", side="good", bots="optimal,people", seed=session.seed)
    words = " ".join(out.split())
    left = plan_left(session)
    assert words.count(left) == 1
    assert re.fullmatch(
        r"The plan's guarantee ended with mission \d: "
        r"([a-e]+ went instead of [a-e]+: [a-e] proposed it, and .+ approved it \(proposal \d\)|five teams were .+)\.",
        left,
    )
    with_left = review(session).to_json()
    assert with_left["left"] == left


def test_a_plan_that_is_followed_is_never_said_to_end() -> None:
    for seed in range(10):
        session = to_the_end(begin(official(5), Models("optimal", "people"), "c", side="good", seed=seed))
        assert plan_left(session) == ""


def test_avalon_has_a_shot_and_says_what_optimal_means(by_text: Any) -> None:
    for seed in range(40):
        session = to_the_end(
            begin(official(5, ["merlin"]), OPTIMAL, "a", side="spies", seed=seed), anything_but_failing
        )
        if session.deal.assassin == 0:
            break
    status, out, _ = by_text(
        "\n".join(session.acts) + "\n",
        "avalon",
        seat="a",
        bots="optimal",
        side="spies",
        seed=session.seed,
        parameters={"players": 5},
    )
    words = " ".join(out.split())
    assert (
        status == 0 and "the Assassin" in words and "nobody says anything" in words and "20% of the evenings" in words
    )
    assert "whom do you take for Merlin?" in words


def anything_but_failing(session: SeatSession) -> str:
    text = planned(session)
    return "pass" if session.evening.phase == PLAY else text


def test_a_person_sees_only_what_the_role_shows() -> None:
    for seed in range(30):
        session = begin(official(7, ["merlin", "percival", "morgana"]), OPTIMAL, "d", seed=seed)
        roles, spies = known_roles(session)
        shown = session.deal.shown[3]
        assert [seat for seat, text in enumerate(roles) if text] == sorted((3, *shown))
        assert set(spies) <= set(session.deal.spies)
        drawn = scene(session).text()
        assert sum("spy" in text for text in drawn) <= 3


@pytest.mark.parametrize(
    ("game", "options", "reason"),
    [
        ("kuhn", {}, "kuhn has no seats; leave out --seat, or choose resistance or avalon"),
        ("resistance", {"seat": "z"}, "expected a seat from a to e, got 'z'"),
        ("resistance", {"seat": "resistance"}, "expected a seat from a to e"),
        ("resistance", {"bots": "optimul"}, "did you mean 'optimal'"),
        ("resistance", {"bots": "optimal,optimal,optimal"}, "one model, or one of the good seats"),
        ("resistance", {"side": "merlin"}, "expected a side, resistance or spies, got 'merlin'"),
        ("resistance", {"seed": -1}, "expected a seed of 0"),
        ("resistance", {"at": "resistance-5/ab+"}, "--at does not work with --seat"),
        ("resistance", {"resume": "x"}, "--resume does not work with --seat"),
        ("resistance", {"drill": True}, "--drill does not work with --seat"),
        ("resistance", {"bots": "people", "parameters": {"players": 6, "spies": 3}}, "knows only the official tables"),
        ("resistance", {"parameters": {"players": 6, "spies": 3}}, "3 of 6 are not"),
        ("avalon", {"parameters": {"players": 7, "roles": "merlin,assassin,oberon"}, "bots": "optimal"}, "Oberon"),
        ("avalon", {"bots": "people,optimal"}, "do not act on what a role shows them"),
        (
            "resistance",
            {"parameters": {"players": 20, "spies": 4, "missions": "3,3,3,3,3", "sabotages": "1,1,1,1,1"}},
            "at most 12 seats",
        ),
        ("file.ruse", {}, "name the game with --seat"),
        (None, {}, "name a game with --seat"),
    ],
)
def test_what_cannot_be_is_one_sentence(by_text: Any, game: str | None, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(RuseError, match=re.escape(reason)):
        by_text("", game, **({"seat": "a", "bots": "optimal"} | options))


def test_a_game_after_the_option_is_a_game(by_text: Any) -> None:
    status, out, _ = by_text("q\n", None, seat="avalon", bots="optimal", parameters={"players": 6})
    assert status == 0 and out.startswith("6 seats, with Merlin and the Assassin:")


def test_bots_go_with_seats_only(by_text: Any) -> None:
    with pytest.raises(RuseError, match="--bots works only with --seat"):
        by_text("", "kuhn", bots="optimal")


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "[]",
        '{"kind": "ruse seat", "version": 2}',
        '{"acts": ["frobnicate"]}',
        '{"acts": 3}',
        '{"seed": -4}',
        '{"seat": "x"}',
        '{"seat": ""}',
        '{"bots": "nobody"}',
        '{"setting": {"table": {}, "roles": []}}',
        '{"setting": {"table": {"players": 5, "spies": 9, "missions": [2, 3, 2, 3, 3], "sabotages": [1, 1, 1, 1, 1]}}}',
        '{"coach": 1}',
        '{"id": "000000000000000000000000"}',
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, broken: str) -> None:
    sessions = SeatSessions(tmp_path)
    session = begin(official(5), OPTIMAL, "a", seed=1)
    sessions.save(session)
    path = sessions.path(session.id)
    changed = json.loads(broken) if broken != "{" else None
    path.write_text(broken if not isinstance(changed, dict) else json.dumps(json.loads(path.read_text()) | changed))
    with pytest.raises(RuseError):
        sessions.read(session.id)


def test_of_two_acts_at_once_one_is_refused(tmp_path: Path) -> None:
    sessions = SeatSessions(tmp_path)
    session = begin(official(5), OPTIMAL, "c", side="good", seed=4)
    sessions.save(session)
    sessions.act(session.id, 1, "approve")
    with pytest.raises(RuseError, match="you made it in another tab"):
        sessions.act(session.id, 1, "reject")
    assert sessions.take_back(session.id, 2).acts == ()
    with pytest.raises(RuseError, match="no saved evening"):
        sessions.read("0" * 24)
    with pytest.raises(RuseError, match="the id of an evening"):
        sessions.read("../x")


@pytest.mark.cases(4)
@pytest.mark.parametrize("models", ["optimal,optimal", "optimal,people", "people,people", "people,optimal"])
@pytest.mark.parametrize("players", [5, 6, 7, pytest.param(10, marks=pytest.mark.soak)])
def test_whatever_a_person_does_the_evening_goes_on(players: int, models: str) -> None:
    """Random legal acts, with hints and verdicts on the way: positions that no plan leads to, with any bots."""
    roles = ["merlin", "percival", "morgana"] if models != "people,optimal" else []
    setting, random = official(players, roles), Random(players)
    for seed in range(some(12, 6)):
        session = begin(setting, read_models(models), "b", seed=seed)
        judge = judge_of(setting.table)
        while not session.over:
            assert judge.hint(session)
            evening = session.evening
            act_here = evening.written(random.choice(evening.legal(session.seat)))
            session = session.act(session.number, act_here)
            assert judge.verdict(session, len(session.acts)).text
            assert page_of(session).title
        assert len(review(session).verdicts) == len(session.acts)
        assert session.take_back(session.number).evening == session.moments[-2]


# Among people.


def test_a_spy_hears_that_a_team_cannot_fail_where_that_ends_the_missions() -> None:
    session = begin(official(5, []), Models("people", "people"), seed=4)
    for text in ("approve", "reject", "approve", "reject"):
        session = session.act(session.number, text)
    *earlier, last = (verdict.text for verdict in judge_of(session.setting.table).verdicts(session))
    assert last.endswith("too few spies that you know are in cd to fail it, and one more pass ends the missions")
    assert not any("one more pass" in text for text in earlier)


@pytest.mark.parametrize("side", ["good", "spies"])
def test_an_evening_among_people(by_text: Any, side: str) -> None:
    """People are the default; hints and the review go by what a person there may believe."""
    session = to_the_end(begin(official(6, ["merlin"]), Models("people", "people"), "b", side=side, seed=3))
    typed = "".join(f"hint\n{act}\n" for act in session.acts)
    given = {"players": 6, "roles": "merlin,assassin"}
    _, out, _ = by_text(typed, "avalon", seat="b", side=side, seed=3, coach=True, parameters=given)
    words = " ".join(out.split())
    assert "Loyal seats play as people did in recorded games. Spies play as people did" in words
    if session.evil:
        assert re.search(r"As a loyal person in your seat, by the model of people: approve \d+% of the time", words)
        assert re.search(r"(usual|unusual); a loyal person in your seat would do so \d+% of the time", words)
    else:
        assert re.search(r"By the model of people a spy is [a-f] \(\d+%\), [a-f] \(\d+%\)", words)
        assert re.search(r"too few spies to fail (it|the mission) \d+% of the time|for sure", words)
    assert "guarantee" not in words


def test_optimal_spies_among_people_act_as_loyal_people(by_text: Any) -> None:
    _, out, _ = by_text("q\n", "resistance", seat="c", side="good", bots="people,optimal", seed=1)
    assert "Spies are optimal: in public they act as loyal seats would" in " ".join(out.split())
    assert "public draw" not in out


def test_tables_without_records_have_optimal_bots(by_text: Any) -> None:
    table = {"players": 4, "spies": 1, "missions": "2,2,2,2,2", "sabotages": "1,1,1,1,1"}
    _, out, _ = by_text("q\n", "resistance", seat="c", parameters=table)
    assert "one public plan" in " ".join(out.split())
