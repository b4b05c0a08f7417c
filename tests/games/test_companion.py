"""The companion for a real evening: what a record proves, what to believe, and the command."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from companions import solution
from ruse.cli import main
from ruse.games.resistance.companion import After, ResistanceCompanion, packed
from ruse.games.resistance.companion_record import Evening, OwnSeat, Round, from_json, read
from ruse.games.resistance.table import make_table
from ruse.games.resistance.view import ResistanceViewer
from ruse.people import RecordError

NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina"]
HALF, NONE, SURE = Fraction(1, 2), Fraction(0), Fraction(1)


def evening(players: int, *rounds: tuple[str, int]) -> Evening:
    made = Evening.begin(make_table(players), NAMES[:players])
    for team, sabotages in rounds:
        made = made.add(Round(tuple(ord(letter) - ord("a") for letter in team), sabotages))
    return made


def companion(of: Evening, slip: Fraction = Fraction(1, 10)) -> ResistanceCompanion:
    return ResistanceCompanion(replace(of, slip=slip), solution(of.table.players).tables)


def test_two_sabotages_aboard_a_team_of_two_prove_both() -> None:
    found = companion(evening(5, ("ab", 2)))
    assert found.facts().seats == (1, 1, 0, 0, 0) and found.facts().deals == 1
    for slip in (NONE, HALF, SURE):
        assert found.beliefs(slip).seats == (1, 1, 0, 0, 0)
    assert found.odd_counts() == [0] and found.beliefs(NONE).slips == 2
    assert found.missions()[0].team == (2, 3, 4)  # whoever wins as often with a proved spy aboard comes later


@pytest.mark.parametrize(
    ("rounds", "why"),
    [
        ([("ab", 3)], "at most 2 sabotages on mission 1, as there are only 2 spies, got 3"),
        ([("abc", 1)], "2 seats on mission 1, got 3"),
        ([("ab", 2), ("cde", 1)], "sabotages that 2 spies could cause, got 2 on mission 1 and 1 on mission 2"),
        ([("ab", 0), ("abc", 0), ("ab", 0), ("abc", 0)], "no mission once a side has 3 points, got mission 4"),
        ([("ah", 0)], "different seats of this table on mission 1"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(rounds: list[tuple[str, int]], why: str) -> None:
    with pytest.raises(RecordError, match=f"^expected {re.escape(why)}"):
        evening(5, *rounds)


def test_editing_keeps_to_the_same_rules() -> None:
    made = evening(7, ("ab", 0), ("abc", 1), ("acg", 2))
    assert made.edit(0, Round((0, 2), 2)).results == "---"
    with pytest.raises(RecordError, match="that 3 spies could cause"):
        made.edit(0, Round((3, 4), 2))
    with pytest.raises(RecordError, match="that was recorded, got mission 4"):
        made.edit(3, Round((0, 1, 2, 3), 0))


def test_a_role_that_the_missions_rule_out_is_refused() -> None:
    made = evening(5, ("ab", 2))
    with pytest.raises(RecordError, match="got Ann as loyal"):
        replace(made, role=OwnSeat(0)).checked()
    with pytest.raises(RecordError, match="got Ann and Cleo as spies"):
        replace(made, role=OwnSeat(0, False, (2,))).checked()
    assert replace(made, role=OwnSeat(0, False, (1,))).checked()


@pytest.mark.parametrize("slip", [Fraction(-1, 2), Fraction(3, 2)])
def test_slips_are_a_chance(slip: Fraction) -> None:
    with pytest.raises(RecordError, match="chance of slips from 0 to 1"):
        replace(evening(5), slip=slip).checked()


def test_random_cards_are_not_the_bare_facts() -> None:
    found = companion(evening(5, ("ab", 0)))
    assert found.facts().seats == (Fraction(2, 5),) * 5
    # Two spies aboard pass with odds 1/4, one with 1/2: P(a) = (1/4 + 3 * 1/2) / (1/4 + 6 * 1/2 + 3).
    assert found.beliefs(SURE).seats == (Fraction(7, 25), Fraction(7, 25), *[Fraction(12, 25)] * 3)


def test_solved_spies_are_believed_as_the_position_pages_say() -> None:
    viewer = ResistanceViewer(solution(5))
    made = evening(5, ("ab", 0), ("abc", 0))
    seats = viewer.at("resistance-5/ab+/abc+").seats
    found = companion(made, NONE)
    assert found.beliefs(NONE).seats == tuple(seat.spy for seat in seats) == (0, 0, 0, 1, 1)
    assert found.facts().seats == tuple(seat.spy_by_facts for seat in seats)
    assert 0 < found.beliefs(Fraction(1, 10)).seats[0] < found.beliefs(HALF).seats[0] < Fraction(2, 5)


@pytest.mark.parametrize(("players", "solver"), [(5, "auto"), (5, "lazy-lp"), (6, "lazy-lp"), (7, "auto")])
def test_missions_are_worth_what_the_position_pages_say(players: int, solver: str) -> None:
    solved, random = solution(players, solver), Random(players)
    viewer = ResistanceViewer(solved)
    table = make_table(players)
    for _ in range(12):
        made = Evening.begin(table)
        for number in range(random.randrange(3)):
            team = tuple(sorted(random.sample(range(players), table.missions[number])))
            made = made.add(Round(team, random.choice((0, table.sabotages[number]))))
        view = viewer.at(made.position.text(table))
        found = ResistanceCompanion(replace(made, slip=NONE), solved.tables)
        if found.beliefs(NONE).slips:
            continue
        worths = {one.team: 2 * one.win - 1 for one in found.missions()}
        assert sorted(worths.values()) == sorted(option.value for option in view.options if option.value is not None)
        assert {one.sent for one in found.missions()} <= {option.odds for option in view.options} | {0}


@pytest.mark.soak
def test_beliefs_with_slips_agree_with_deals_that_are_played() -> None:
    """Spies are dealt, follow the stored strategy and slip; among the deals that show what was seen, who was a spy?"""
    table, tables, random = make_table(5), solution(5, "lazy-lp").tables, Random(13)
    teams, slip, deals = [(0, 1), (0, 2, 3), (1, 4)], Fraction(3, 10), 100_000
    seen: dict[tuple[int, ...], list[int]] = {}
    odds: dict[tuple[object, ...], Fraction] = {}
    for _ in range(deals):
        spies = tuple(sorted(random.sample(range(5), 2)))
        counts: tuple[int, ...] = ()
        for team in teams:
            key = (spies, counts)
            if key not in odds:
                made = replace(Evening.begin(table), rounds=tuple(map(Round, teams, counts)))
                odds[key] = ResistanceCompanion(made, tables).sabotage(team, spies)
            aboard = sum(seat in spies for seat in team)
            told = int(random.random() < odds[key])  # all missions here take one sabotage
            cards = [random.random() < 0.5 if random.random() < slip else card < told for card in range(aboard)]
            counts = (*counts, sum(cards))
        kept = seen.setdefault(counts, [0] * 6)
        kept[5] += 1
        for seat in spies:
            kept[seat] += 1
    assert len(seen) > 10
    for counts, kept in seen.items():
        if kept[5] < 200:
            continue
        made = replace(Evening.begin(table), rounds=tuple(map(Round, teams, counts))).checked()
        for seat, belief in enumerate(ResistanceCompanion(made, tables).beliefs(slip).seats):
            error = (float(belief * (1 - belief)) / kept[5]) ** 0.5
            assert abs(kept[seat] / kept[5] - float(belief)) <= 4 * error + 1e-12, (counts, seat)


def test_a_loyal_seat_knows_more_than_the_table() -> None:
    found = companion(evening(5, ("ab", 1)))
    assert found.facts(OwnSeat(0)).seats == (0, 1, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    missions = found.missions(OwnSeat(0))
    assert 1 not in missions[0].team and {one.proved for one in missions if 1 in one.team} == {1}


def test_spies_hear_what_the_strategy_does_with_a_team() -> None:
    found = companion(evening(5), NONE)
    order = found.order((0, 1), (0, 2))
    assert (order.aboard, order.sabotage) == (1, 0)  # solved spies pass mission 1
    assert found.order((0, 1), (2, 3)).failing is None
    orders = [found.order((0, 1), spies) for spies in found.deals]
    wins = [one.passing if one.failing is None or not one.sabotage else one.failing for one in orders]
    assert sum(wins) / 10 == found.missions()[0].win == Fraction(3, 10)


def test_an_evening_is_read_again_as_it_was_written() -> None:
    made = replace(evening(7, ("ab", 0), ("abc", 1)), role=OwnSeat(2, False, (5, 6)), title="<b>", revealed=(2, 5, 6))
    made = replace(made, rounds=(replace(made.rounds[0], leader=3, against=(4, 5)), *made.rounds[1:]))
    assert from_json(made.to_json()) == read(json.dumps(made.to_json())) == made


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "not JSON"),
        ("[]", "not a saved evening"),
        ('{"kind": "ruse evening", "version": 2}', "version 1, got 2"),
        ('{"kind": "ruse evening", "version": 1}', "its table cannot be read"),
    ],
)
def test_files_that_hold_no_evening_say_why(text: str, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        read(text)


def test_strategies_are_packed_without_loss() -> None:
    for solver in ("auto", "lazy-lp"):
        solved = solution(6, solver)
        found = packed(solved)
        for position, odds in solved.tables[1].items():
            steps = position.removeprefix("resistance-6")
            assert found["spies"].get(steps, found["usual"][steps.count("/") - 1]) == float(odds["sabotage"])


def test_what_the_counts_say_is_not_forgotten_later() -> None:
    """Two sabotages on mission 1: no later position brings back deals that they ruled out."""
    found = companion(evening(5, ("ab", 2)))
    after = found.after
    assert isinstance(after, After)
    cells = found.place.cells
    for mission in after.values(cells):
        for result in "+-":
            child = cells.send(mission).then(result)
            assert len(list(after.fitting(child))) <= 1


# The command.


def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: list[str], *given: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(["companion", *given]) == 0
    return capsys.readouterr().out


def test_an_evening_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "evening.json"
    lines = ["ab 2", "undo", "ab 1 leader c against de", "abc 3", "edit 1 ab 0", "me c spy d", "order acd", "me nobody"]
    told = typed(monkeypatch, capsys, [*lines, f"save {kept}", "q"], "--names", "Ann,Ben,Cleo,Dan,Eve")
    for sentence in (
        "Proved: Ann and Ben are spies.",
        "Solved spies show exactly 1 or none",
        "expected at most 2 sabotages on mission 2, as there are only 2 spies, got 3",
        "Votes prove nothing",
        "solved strategy sabotages this team 100% of the time",
        f"Saved to {kept}",
    ):
        assert re.sub(r"\s+", " ", sentence) in re.sub(r"\s+", " ", told)
    assert "not saved" not in told
    assert read(kept.read_text()).rounds == (Round((0, 1), 0),)
    again = typed(monkeypatch, capsys, ["abd 1", "q", "q"], "--from", str(kept))
    assert "Mission 3 of 5" in again and "not saved" in again.lower()


def test_an_evening_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "evening.json"
    kept.write_text(json.dumps(evening(5, ("ab", 1)).to_json()))
    assert main(["companion", "--from", str(kept), "--slip", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["deals"] == 7 and told["seats"]["Ann"] == {"facts": "4/7", "slip": "5/8"} and told["slips"] == 1
    assert told["missions"][0]["team"] == "acd" and told["missions"][0]["price"] is None


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--slip", "2", "--json"], "from 0 to 1, got 2"),
        (["--slip", "often", "--json"], "expected a chance such as 10%"),
        (["--names", "Ann,Ann,C,D,E"], "different names"),
        (["--names", "Ann,Ben"], "expected 5 names, got 2"),
        (["--players", "11"], "no official table has 11 players"),
        (["--from", "nowhere.json"], "No such file"),
        (["--out", "nowhere/evening.html"], "for --out does not exist"),
        (["--names", "Ann,Ben", "--out", "evening.html"], "expected 5 names, got 2"),
        (["leduc", "--out", "evening.html"], "has no companion"),
        (
            ["kuhn", "--out", "evening.html"],
            "kuhn has no companion; choose another game, such as resistance",
        ),
    ],
)
def test_wrong_input_is_one_sentence(given: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["companion", *given]) == 1
    error = capsys.readouterr().err
    assert why in error and "Traceback" not in error


def test_the_one_file_asks_nobody_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "evening.html"
    assert main(["companion", "--players", "7", "--out", str(out), "--json"]) == 0
    assert [one["players"] for one in json.loads(capsys.readouterr().out)["tables"]] == [7]
    text = out.read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy and "default-src &#39;none&#39;" in policy[1]
    inline = re.findall(r"^<(?:style|script)>(.*?)</(?:style|script)>$", text, re.DOTALL | re.MULTILINE)
    assert len(inline) == 3
    for one in inline:
        assert base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() in policy[1]
    assert not re.findall(r"(?:src|href)=\"(?!#)", text) and "https:" not in text


def test_the_file_for_avalon_begins_with_its_roles(tmp_path: Path) -> None:
    out = tmp_path / "evening.html"
    assert main(["companion", "avalon", "--players", "6", "--roles", "merlin,assassin,mordred", "--out", str(out)]) == 0
    begun = re.search(r'id="companion-setting">(.*?)</script>', out.read_text(encoding="utf-8"))
    assert begun
    found = json.loads(begun[1])
    assert found["roleset"] == ["merlin", "mordred"] and found["players"] == 6 and len(found["strategies"]) == 6


def test_one_file_of_a_solution_has_its_table_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = solution(6).save(tmp_path / "six.ruse")
    assert main(["companion", str(kept), "--out", str(tmp_path / "evening.html"), "--json"]) == 0
    assert [table["players"] for table in json.loads(capsys.readouterr().out)["tables"]] == [6]
