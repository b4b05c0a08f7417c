"""Insight into The Resistance, kept beside its solution, and the check of every certificate from the rules alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

import ruse as package
from ruse.games.resistance.insight import ResistanceInsight
from ruse.games.resistance.insight_program import OptimalProgram
from ruse.insight import check, insight_file
from ruse.insight.costs import costs_of
from ruse.insight.model import Range
from ruse.solution import container
from ruse.verify import VerifyError

Ruse = Callable[..., tuple[int, str, str]]
THREE = (3, 2, (1, 2, 1, 2, 1))
STARRED = (4, 2, (2, 3, 2, 3, 3), (1, 2, 1, 2, 1))
ASKED = (
    "resistance-5",
    "resistance-5/ab+/abc-",
    "resistance-5/ab+/abc+",  # which no optimal resistance leads to
    "resistance-5/ab+/abc-/ac+/acd-",  # one mission is left
    "resistance-5/ab+/acd?",
    "resistance-5@ac/ab?",
    "resistance-5@ac/ab-/abc?",  # which no optimal spies lead to
)


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A solution file of five players, and what is kept beside it."""
    path = package.solve(package.games.resistance(5)).save(tmp_path_factory.mktemp("kept") / "five.ruse")
    found = package.load(path).insight(file=path)
    assert isinstance(found, ResistanceInsight)
    for position in ASKED:
        assert found.at(position).exact
        costs_of(found).at(position)
    found.at("resistance-5/ab+/abc-", own="c")
    found.team("resistance-5/ab-", "ac", loyal="d")
    found.unique()
    found.simplest(1)
    found.keep()
    return path.read_bytes(), insight_file.insight_path(path).read_bytes()


@pytest.fixture
def five(tmp_path: Path, whole: tuple[bytes, bytes]) -> Path:
    path = tmp_path / "five.ruse"
    path.write_bytes(whole[0])
    insight_file.insight_path(path).write_bytes(whole[1])
    return path


def test_verify_checks_every_certificate_beside_a_solution(ruse: Ruse, five: Path) -> None:
    status, out, _ = ruse("verify", str(five), "--json")
    many = json.loads(out)["insight"]["certificates"]
    assert status == 0 and many > 60
    assert f"verified. All {many} certificates" in ruse("verify", str(insight_file.insight_path(five)))[1]


def test_what_is_kept_is_not_looked_for_again(ruse: Ruse, five: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = five.read_bytes()
    monkeypatch.setattr(OptimalProgram, "find", lambda *_: pytest.fail("looked for again"))
    for position in ASKED:
        status, out, _ = ruse("insight", str(five), position, "--json")
        assert status == 0 and json.loads(out)["exact"]
    assert five.read_bytes() == before


def changes(part: dict[str, Any]) -> list[tuple[str, Callable[[], object]]]:
    """Claims that are not so, each with nothing else changed."""

    def first(where: str, wanted: Callable[[Any], bool]) -> Any:
        """A row, which is checked before the others."""
        found = next(one for one in part[where] if wanted(one))
        part[where].sort(key=lambda one: one is not found)
        return found

    def row(where: str, kind: str, position: str, name: str) -> Any:
        return first(where, lambda one: [one[0], *one[2:4]] == [kind, position, name])

    def edited(place: list[Any], number: int, to: Any) -> Callable[[], object]:
        return lambda: place.__setitem__(number, to)

    spied = row("ranges", "belief", "resistance-5/ab+/abc-", "a is a spy")
    last = "resistance-5/ab+/abc-/ac+/acd-"
    sent = first("ranges", lambda one: one[:3] == ["move", 0, last] and len(one) == 6 and one[5][0] != "1")
    order = row("ranges", "move", "resistance-5@ac/ab?", "sabotage")
    always = row("guarantees", "always", "resistance-5@ac/ab?", "sabotage")
    priced = first("guarantees", lambda one: one[:3] == ["always", 0, "resistance-5/ab+/abc-"])
    never = row("ranges", "move", "resistance-5@ac/ab-/abc?", "sabotage")
    loyal = row("ranges", "belief", "resistance-5/ab+/abc-", "a is a spy, c loyal")
    spies = next(one for one in part["unique"] if one["side"] == 1)
    resistance = next(one for one in part["unique"] if one["side"] == 0)
    assert len(never) == 5 and spies["unique"] and not resistance["unique"]
    return [
        ("a lower greatest belief", edited(spied[5], 0, "1/100")),
        ("a higher least belief", edited(spied[4], 0, "99/100")),
        ("a witness that believes something else", edited(spied[4], 1, "1/7")),
        ("a lower greatest of a mission", edited(sent[5], 0, "-1")),
        ("a witness that sends something else", edited(sent[5], 1, "1/7")),
        ("a sabotage that must be", edited(order[4], 0, "1")),
        ("a weight below 0", edited(order[4], 2, "-1")),
        ("an order that costs less", edited(always, 4, "1")),
        ("an order that costs more", edited(always, 5, "-1")),
        ("a mission that costs less", edited(priced, 4, "1")),
        ("a mission that costs more", edited(priced, 5, "-1")),
        ("somewhere else where nobody comes", edited(never, 2, "resistance-5@ac/ab+/abc?")),
        ("somebody else who is loyal", edited(loyal, 3, "a is a spy, b loyal")),
        ("a fact that there is not", edited(spied, 3, "a is a fool")),
        ("a seat that there is not", edited(spied, 3, "z is a spy")),
        ("a position that is not filed", edited(sent, 2, "resistance-5/bc+/abc-/ac+/acd-")),
        ("a position of the other side", edited(order, 2, "resistance-5/ab?")),
        ("an order where nothing is decided", edited(order, 2, "resistance-5@de/ab?")),
        ("another value", lambda: part.__setitem__("value", "0")),
        ("a unique resistance", lambda: resistance.update(unique=True, plans=resistance["plans"][:1])),
        ("two spies that are one", lambda: resistance.update(plans=resistance["plans"][:1] * 2)),
        ("unique by an answer that does not tell", lambda: spies.update(answer=part["proof"][0])),
        ("a simpler strategy", lambda: part["simplest"][0].__setitem__("mixed", 7)),
        ("a position that has to be mixed", lambda: part["simplest"][0]["must_mix"].append("resistance-5@ac/ab?")),
    ]


def test_no_claim_can_be_changed_unnoticed(ruse: Ruse, five: Path) -> None:
    whole = insight_file.insight_path(five).read_bytes()
    assert check.check(whole).value == Fraction(-2, 5)
    for number, (name, _) in enumerate(changes(container.unpack(whole)["symmetric"])):
        fields = container.unpack(whole)
        changes(fields["symmetric"])[number][1]()
        with pytest.raises(VerifyError):
            print(name, check.check(container.pack(fields)))
    insight_file.insight_path(five).write_bytes(container.pack(fields))
    status, out, _ = ruse("verify", str(five))
    assert status == 1 and "NOT verified" in out and "five.insight" in out


def test_damaged_insight_is_refused_and_that_of_another_file_is_passed_over(ruse: Ruse, five: Path) -> None:
    path = insight_file.insight_path(five)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    status, out, _ = ruse("verify", str(five))
    assert status == 1 and "five.insight" in out
    fields = container.unpack(whole)
    fields["digest"] = "0" * 64
    path.write_bytes(container.pack(fields))
    status, out, err = ruse("verify", str(five), "--json")
    assert status == 0 and json.loads(out)["insight"] is None and "another solution" in err


@pytest.mark.parametrize("table", [THREE, STARRED])
def test_no_end_can_be_moved_by_a_hair(table: Any) -> None:
    """Each certificate of some positions holds; as each end is attained, the same one proves nothing beyond it."""
    found = package.solve(package.games.resistance(*table)).insight()
    assert isinstance(found, ResistanceInsight)
    positions, hair = list(found.positions()), Fraction(1, 10**9)
    for side, position in Random(4).sample(positions, min(14, len(positions))):
        assert found.at(position, side).exact
    found.unique()
    fields = insight_file._Writer(found.value, found.optimal.tables, found.memory).fields()
    checked = check._Check(found.game, True, found.value, fields)
    assert checked.all() > 30
    moved = 0
    for key, odds in checked.memory.ranges.items():
        for end, sign in ((odds.least, 1), (odds.greatest, -1)) if isinstance(odds, Range) else ():
            asked = (end.weight, checked.values[checked.checker.owner(key)], checked._answer(0, end))
            assert checked.checker.slack(key, sign, end.value + sign * hair, *asked) < 0
            moved += end.weight > 0
    assert moved > 5


def test_two_who_keep_answers_at_the_same_time_lose_nothing(five: Path) -> None:
    insight_file.insight_path(five).unlink()
    solution = package.load(five)
    asked = ["resistance-5/ab+", "resistance-5/ab-", "resistance-5@ac/ab?", "resistance-5@ab/ab?"]
    found = [solution.insight(file=five) for _ in asked]
    for one, position in zip(found, asked, strict=True):
        one.at(position)
    keeping = [Thread(target=one.keep) for one in found]
    for thread in keeping:
        thread.start()
    for thread in keeping:
        thread.join()
    assert {key.position for key in insight_file.InsightFile(five).load(True).guarantees} == set(asked)
