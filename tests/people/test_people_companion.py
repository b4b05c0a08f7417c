"""`ruse companion --from FILE --seat c`: beliefs after each mission, from records and from saved evenings."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evenings_of_people import evening
from ruse import people
from ruse.cli import main
from ruse.games.resistance.companion_record import Evening, OwnSeat, Round
from ruse.games.resistance.table import make_table
from ruse.people import EveningRecord, beliefs


def kept(folder: Path, record: dict[str, Any]) -> str:
    path = folder / "evening.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return str(path)


def without_roles(record: EveningRecord) -> EveningRecord:
    return EveningRecord(record.table, record.roleset, record.missions)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["companion", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("option", ["--from", "--record"])
def test_beliefs_after_each_mission_as_json(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = without_roles(evening(Random(2), 5, ("merlin",)))
    found = printed(capsys, option, kept(tmp_path, record.to_json()), "--seat", "c", "--model", "people")
    assert (found["seat"], found["role"], found["model"]) == ("c", "loyal", "people")
    assert [row["mission"] for row in found["after"]] == [*range(1, len(record.played) + 1)]
    for number, row in enumerate(found["after"], 1):
        expected = beliefs(record.before(number), 2)
        assert row["spies"] == pytest.approx({"abcde"[seat]: share for seat, share in expected.items()})
        assert sum(row["merlin"].values()) == pytest.approx(1)
    assert "review" not in found


@pytest.mark.slow
def test_solved_spies_are_the_companions_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`perfect` and `slips` agree with the beliefs of `--slip` in the companion's own format."""
    whole = evening(Random(6), 5)
    assert whole.roles is not None
    record, loyal = without_roles(whole), whole.roles.index("loyal")
    seat = "abcde"[loyal]
    rounds = tuple(Round(people.members(mission.team), mission.sabotages or 0) for mission in record.played)
    saved = Evening(make_table(5), (*"ABCDE",), rounds, OwnSeat(loyal)).checked()
    for model, slip in (("perfect", "0"), ("slips", "1/10")):
        path = kept(tmp_path, record.to_json())
        mine = printed(capsys, "--from", path, "--seat", seat, "--model", model)["after"][-1]["spies"]
        path = kept(tmp_path, saved.to_json())
        theirs = printed(capsys, "--from", path, "--slip", slip)["seats"]
        again = printed(capsys, "--from", path, "--seat", seat, "--model", model)["after"][-1]["spies"]
        for name, share in theirs.items():
            top, _, bottom = share["slip"].partition("/")
            assert mine[name.lower()] == pytest.approx(int(top) / int(bottom or 1)) == again[name.lower()]


def test_a_saved_evening_with_its_votes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = (Round((0, 1), 1, 0, (2, 4)),)
    saved = Evening(make_table(5), ("Ann", "Ben", "Cleo", "Dan", "Eve"), rounds, OwnSeat(3)).checked()
    found = printed(capsys, "--from", kept(tmp_path, saved.to_json()), "--model", "people")
    assert found["seat"] == "d" and found["after"][0]["spies"]["d"] == 0
    other = Evening(saved.table, saved.names, (Round((0, 1), 1, 0, (2,)),), OwnSeat(3)).checked()
    assert found != printed(capsys, "--from", kept(tmp_path, other.to_json()), "--model", "people")


def test_in_words_with_the_review_once_roles_are_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = evening(Random(2), 7)
    assert main(["companion", "--from", kept(tmp_path, record.to_json()), "--model", "people"]) == 0
    text = capsys.readouterr().out
    assert "Probability of being a spy for anybody" in text and "The spies were" in text
    assert "After mission 1" in text


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--seat", "z"], "there is a view of seat 'z'"),
        (["--seat", "ab"], "expected one seat after --seat"),
        (["--seat", "c", "--model", "guess"], "unknown model 'guess'; expected one of facts, people, perfect, slips"),
        (["--seat", "c", "--role", "wizard"], "unknown role 'wizard'"),
        (["--seat", "c", "--role", "merlin"], "this game has no merlin"),
        (["--seat", "c", "--model", "slips", "--slip", "2"], "expected a chance of slips from 0 to 1"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept(tmp_path, without_roles(evening(Random(1), 5)).to_json())
    assert main(["companion", "--from", path, *words]) == 1
    assert reason in (said := capsys.readouterr().err) and said.count("\n") == 1


def test_a_seat_needs_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["companion", "--seat", "c"]) == 1
    assert "add --from FILE" in capsys.readouterr().err
    assert main(["companion", "--from", "missing.json", "--seat", "c"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
