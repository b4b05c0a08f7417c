"""`ruse bot`: the lines, the errors that change nothing, and the examples of the documentation."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from amounts import some
from processes import run
from ruse.cli.program import main
from ruse.core.game import RuseError
from ruse.games.evening import rules
from ruse.games.evening.line_protocol import MOST_LINE, BotSeat, serve
from ruse.games.evening.models import Models
from ruse.games.evening.record import proposal_json
from ruse.games.evening.rules import GOOD, PLAY, SPIES, VOTE, EveningState
from ruse.games.evening.setting import official
from ruse.games.resistance.notation import seats

ROOT = Path(__file__).parents[2]
OPTIMAL = Models("optimal", "optimal")


def test_the_session_of_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/reference/bot-protocol.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n\$ (.*?)```", page, re.DOTALL)
    command, *lines = block.splitlines()
    typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out.splitlines() == [line[2:] for line in lines if line.startswith("< ")]


def new_bot(seat: int = 2, players: int = 5, roles: tuple[str, ...] = ()) -> BotSeat:
    bot = BotSeat(official(players, roles), seat, OPTIMAL, 1)
    bot.greeting()
    return bot


def say(bot: BotSeat, **line: Any) -> dict[str, Any]:
    return dict(bot.answer(json.dumps(line)))


VOTES = dict.fromkeys("abcde", True)
PROPOSED = {"type": "observe", "event": "proposal", "leader": "a", "team": "ab", "votes": VOTES}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "something else"),
        ("{", "something else"),
        ("[" * 100_000, "something else"),
        ("[1]", r"got \[1\]"),
        ("7", "got 7"),
        ("{}", "expected a type, hello, observe, act, result, got null"),
        ('{"type": ["hello"]}', "expected a type"),
        ('{"type": "hello"}', "expected a role of this table, loyal, minion, got null"),
        ('{"type": "hello", "role": "merlin"}', "expected a role of this table"),
        ('{"type": "hello", "role": "minion"}', "expected the other spies, 1 seat, as shown"),
        ('{"type": "hello", "role": "minion", "shown": "c"}', "expected other seats as shown"),
        ('{"type": "hello", "role": "loyal", "shown": 3}', "expected seats as letters"),
        ('{"type": "hello", "role": "loyal", "leader": "z"}', "different seats from a to e"),
        ('{"type": "observe", "event": "weather"}', "expected an event, draw, proposal, mission"),
        ('{"type": "observe", "event": "draw", "public": 4}', "expected a draw as text"),
        ('{"type": "observe", "event": "mission", "sabotages": 1}', "expected no mission now, but a proposal"),
        (json.dumps({**PROPOSED, "leader": "b"}), "expected seat a to lead, got b"),
        (json.dumps({**PROPOSED, "leader": "ab"}), "expected one seat as leader"),
        (json.dumps({**PROPOSED, "team": "abc"}), "expected a team of 2 seats"),
        (json.dumps({**PROPOSED, "team": "ax"}), "different seats from a to e"),
        (json.dumps({**PROPOSED, "votes": {"a": True}}), "expected votes of the seats abcde"),
        (json.dumps({**PROPOSED, "votes": {**VOTES, "a": 1}}), "expected votes of the seats abcde"),
        ('{"type": "act"}', "expected a phase, propose, vote, play or shoot"),
        ('{"type": "act", "phase": "play"}', "expected a proposal now"),
        ('{"type": "act", "phase": "shoot"}', "expected a proposal now"),
        ('{"type": "act", "phase": "propose"}', "expected seat a to lead"),
        ('{"type": "act", "phase": "vote"}', "expected seats as letters for leader"),
    ],
)
def test_a_line_that_cannot_be_obeyed_changes_nothing(line: str, reason: str) -> None:
    bot = new_bot()
    say(bot, type="hello", role="loyal")
    before = bot.seen
    answer = bot.answer(line)
    assert answer["type"] == "error" and re.search(reason, answer["message"]), answer
    assert bot.seen == before
    assert say(bot, type="act", phase="vote", leader="a", team="ab")["type"] == "act"


def test_nothing_goes_before_hello_and_nothing_after_the_result() -> None:
    bot = new_bot()
    for line in ({"type": "act", "phase": "vote"}, PROPOSED, {"type": "result"}):
        assert "first" in say(bot, **line)["message"]
    say(bot, type="hello", role="loyal")
    assert say(bot, type="result", winner="good") == {"type": "ok"}
    assert "first" in say(bot, **PROPOSED)["message"]


def test_cards_and_shots_at_the_wrong_time() -> None:
    bot = new_bot(roles=("merlin",))
    say(bot, type="hello", role="loyal")
    assert say(bot, **PROPOSED) == {"type": "ok"}
    assert "expected a seat of the mission ab to play" in say(bot, type="act", phase="play")["message"]
    assert "expected no proposal now" in say(bot, **PROPOSED)["message"]
    assert "before the first proposal" in say(bot, type="observe", event="draw", public="x")["message"]
    for count in (-1, 3, True, "1", None):
        assert "expected 0 to 2 sabotages" in say(bot, type="observe", event="mission", sabotages=count)["message"]
    say(bot, type="observe", event="mission", sabotages=0)
    for number, (leader, team) in enumerate((("b", "abc"), ("c", "ab"))):
        say(bot, **{**PROPOSED, "leader": leader, "team": team})
        say(bot, type="observe", event="mission", sabotages=0)
        assert bot.seen is not None and len(bot.seen.missions) == number + 2
    assert "expected a spy who knows the others to shoot" in say(bot, type="act", phase="shoot")["message"]


def test_five_rejections_end_it() -> None:
    bot = new_bot()
    say(bot, type="hello", role="loyal")
    for leader in "abcde":
        say(bot, **{**PROPOSED, "leader": leader, "votes": dict.fromkeys("abcde", False)})
    assert "expected a result or a new hello now" in say(bot, type="act", phase="vote")["message"]


@pytest.mark.parametrize("players", [5, 7])
def test_seats_over_the_protocol_act_as_those_in_the_same_process(players: int) -> None:
    """The same views, so the same acts wherever no own dice are used: loyal seats, and spies' proposals and votes."""
    setting = official(players)
    for seed in range(some(12)):
        evening = EveningState.begin(setting, seed)
        bots = [BotSeat(setting, seat, OPTIMAL, seed) for seat in range(players)]
        for seat, bot in enumerate(bots):
            bot.greeting()
            view = evening.view(seat)
            say(bot, type="hello", role=view.role, shown=seats(view.shown))
        while not evening.over:
            if evening.phase == "propose" and not evening.proposals:
                told = [say(bot, type="observe", event="draw", public=f"{seed}/{evening.leader}") for bot in bots]
                assert told == [{"type": "ok"}] * players
            fields = {"leader": seats([evening.leader]), "team": seats(evening.team or ())}
            answers = {
                seat: say(bots[seat], type="act", phase=evening.phase, **(fields if evening.phase == VOTE else {}))
                for seat in evening.actors
            }
            if evening.phase == VOTE:
                assert {answer["act"] for answer in answers.values()} == {"approve"}  # all follow the plan
            acts = {seat: evening.read_act(seat, answer["act"]) for seat, answer in answers.items()}
            before, evening = evening, evening.step(acts)
            for bot in bots if before.phase == VOTE else ():
                proposal = (evening.proposals or evening.missions[-1].proposals)[-1]
                assert say(bot, type="observe", event="proposal", **proposal_json(proposal)) == {"type": "ok"}
            for bot in bots if before.phase == PLAY else ():
                last = evening.missions[-1].sabotages
                assert say(bot, type="observe", event="mission", sabotages=last) == {"type": "ok"}
        assert evening.winner in (GOOD, SPIES)


def test_without_public_draws_a_loyal_seat_approves_what_the_plan_may_send() -> None:
    bot = new_bot()
    say(bot, type="hello", role="loyal", leader="c")
    proposed = say(bot, type="act", phase="propose")["act"]
    assert say(bot, type="act", phase="propose")["act"] == proposed
    assert say(bot, type="act", phase="vote", leader="c", team="de")["act"] == "approve"
    say(bot, **{**PROPOSED, "leader": "c"})
    say(bot, type="observe", event="mission", sabotages=0)
    assert say(bot, type="act", phase="vote", leader="d", team="abc")["act"] == "approve"
    assert say(bot, type="act", phase="vote", leader="d", team="cde")["act"] == "reject"


def test_any_bytes_get_one_answer_each() -> None:
    random = Random(4)
    bot = new_bot()
    say(bot, type="hello", role="loyal")
    alphabet = '{}[]":,abcde tyehlopv0179\\u00e4\t'
    lines = ["".join(random.choice(alphabet) for _ in range(random.randrange(1, 60))) + "x" for _ in range(some(400))]
    out = io.StringIO()
    long = "x" * (2 * MOST_LINE)
    assert serve(bot, io.StringIO("\n".join([*lines, long, json.dumps(PROPOSED)])), out) == 0
    hello, *answers = map(json.loads, out.getvalue().splitlines())
    assert hello["type"] == "hello" and len(answers) == len(lines) + 2
    assert [answer["type"] for answer in answers] == ["error"] * (len(lines) + 1) + ["ok"]
    assert "lines of at most 65,536 characters" in answers[-2]["message"]


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ("bot kuhn --seat a", 1, "kuhn has no seats"),
        ("bot resistance --seat z", 1, "expected a seat from a to e, got 'z'"),
        ("bot resistance --seat", 2, "expected one argument"),
        ("bot resistance", 2, "--seat"),
        ("bot resistance --seat a --model best", 1, "unknown bots 'best'"),
        ("bot avalon --seat a --players 7 --roles merlin,assassin,oberon --model optimal", 1, "Oberon"),
        ("bot resistance --seat a --players 6 --spies 3", 1, "3 of 6 are not"),
    ],
)
def test_what_cannot_be_seated_is_one_sentence(
    words: str, status: int, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(words.split())
    except SystemExit as left:
        code = int(str(left.code))
    out, err = capsys.readouterr()
    assert (code, out) == (status, "") and reason in err and "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize("seated", ["b", pytest.param("abcde", marks=pytest.mark.soak)])
def test_the_harness_of_the_examples(seated: str) -> None:
    command = [sys.executable, str(ROOT / "examples/bot_harness.py"), "--ruse", seated, "--games", "5"]
    done = run(command, capture_output=True, text=True)
    assert done.returncode == 0 and re.fullmatch(r"good \d, spies \d\n", done.stdout), done


def test_the_openspiel_style_of_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from openspiel_style import EveningState, play  # type: ignore[import-not-found,unused-ignore]

    for seed in range(some(40)):
        assert sorted(play(seed))[:2] in ([-1, -1], [-1, 1], [1, 1])
        assert len(play(seed, ruse_seats="bd")) == 5
    state = EveningState(rules.EveningState.begin(official(5), 1))
    assert state.current_player() == 0 and len(state.legal_actions()) == 10
    assert state.action_to_string(0, 0) == "ab"
    state.apply_action(0)
    assert state.current_player() == 0 and state.action_to_string(0, 0) == "approve"
    state.apply_action(0)
    assert state.current_player() == 1 and not state.is_terminal()


def test_a_refused_model_raises_before_anything_is_solved() -> None:
    with pytest.raises(RuseError, match="Oberon"):
        OPTIMAL.check(official(7, ["merlin", "oberon"]))
