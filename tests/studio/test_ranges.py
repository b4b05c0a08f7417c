"""Ranges as people type them, and conditions on variants."""

from __future__ import annotations

import pytest

from ruse.studio.ranges import RangeError, space
from ruse.studio.variants import Condition, ConditionError, VariantError, make_variants, parameter_space


def texts(**given: str) -> list[dict[str, str]]:
    found = space(given)
    made = [found.at(choice) for choice in found]
    assert len(made) == len(found)
    return made


def test_a_range_spans_its_numbers() -> None:
    assert texts(players="5..7") == [{"players": "5"}, {"players": "6"}, {"players": "7"}]
    assert texts(players="5|8|5") == [{"players": "5"}, {"players": "8"}]
    assert [one["pay"] for one in texts(pay="0..1..1/4")] == ["0", "1/4", "1/2", "3/4", "1"]
    assert [one["pay"] for one in texts(pay="-1..1|5")] == ["-1", "0", "1", "5"]
    assert [one["pay"] for one in texts(pay="0.5..1.5..0.5")] == ["1/2", "1", "3/2"]


def test_entries_of_lists_and_tables_are_axes() -> None:
    found = space({"missions": "2,2..3,2,3,3|4", "spies": "1..2"})
    assert [axis.name for axis in found.axes] == ["missions 2", "missions 5", "spies"]
    assert len(found) == 8
    assert found.at(("3", "4", "1")) == {"missions": "2,3,2,3,4", "spies": "1"}
    assert [one["payoffs"] for one in texts(payoffs="0..1 -1; -1 1|2")] == [
        "0 -1; -1 1",
        "0 -1; -1 2",
        "1 -1; -1 1",
        "1 -1; -1 2",
    ]


def test_a_list_varies_as_a_whole() -> None:
    found = space({"roles": "merlin,assassin; merlin, assassin ,mordred", "payoffs": "1 -1; -1 1"}, ["roles"])
    assert [axis.name for axis in found.axes] == ["roles"]
    assert [found.at(choice)["roles"] for choice in found] == ["merlin,assassin", "merlin,assassin,mordred"]
    found = space({"missions": "2,2..3; 2 2; 3,3,3"}, ["missions"])
    assert [found.at(choice)["missions"] for choice in found] == ["2,2", "2,3", "3,3,3"]
    assert not space({"missions": "2,3; 2,3"}, ["missions"]).axes
    with pytest.raises(RangeError, match="a list on both sides of each ; for --missions"):
        space({"missions": "2,3;"}, ["missions"])


def test_lists_of_lists_are_alternatives() -> None:
    for given in ([["merlin", "assassin"], ["merlin", "assassin", "oberon"]], ["merlin,assassin", "merlin,oberon"]):
        (axis,) = parameter_space("avalon", {"roles": given}).axes
        assert len(axis.options) == 2
    kept = make_variants("avalon", parameter_space("avalon", {"roles": given}), "'oberon' in roles")
    assert [variant.parameters["roles"] for variant in kept] == ["merlin,oberon"]
    assert Condition("len(roles) == 2 and roles == 'a, b' and 'c' not in roles")({"roles": ["a", "b"]})
    with pytest.raises(ConditionError, match="expected a list after `in`"):
        Condition("1 in talk")({"talk": "none"})


def test_what_is_no_range_stays_as_it_is() -> None:
    for text in ("2-3-2-3-3", "../table.csv", "3 -1; -2 1", "1/2", "2x3", ""):
        assert texts(value=text) == [{"value": text}]


@pytest.mark.parametrize("text", ["7..5", "5..", "..5", "5...7", "1|", "|", "2,3||4", "1..2..0", "1..2..-1", "1..9..x"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(RangeError, match="for --players, got"):
        space({"players": text})


def test_a_range_without_end_is_refused_before_it_is_counted() -> None:
    with pytest.raises(RangeError, match=r"at most 100,000 values of --players, got about 10\^30"):
        space({"players": f"1..{10**30}"})


TABLE = {"players": 7, "spies": 3, "missions": [2, 3, 3, 4, 4], "paper_beats_rock": "1/2", "alesia": True}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("spies*2 < players", True),
        ("spies * 2 + 1 < players", False),
        ("missions[1] == 2 and missions[5] >= missions[4]", True),
        ("missions == sorted(missions)", True),
        ("sorted(missions) == [2, 3, 3, 4, 4]", True),
        ("missions == [2, 3]", False),
        ("sum(missions) / len(missions) > 16/5", False),
        ("max(missions) - min(missions) == 2 or alesia", True),
        ("not alesia", False),
        ("2 <= spies <= 3", True),
        ("paper_beats_rock + 0.5 == 1", True),
        ("-spies % 2 == 1", True),
        ("players // 2 == 3", True),
    ],
)
def test_conditions(text: str, holds: bool) -> None:
    assert Condition(text)(TABLE) is holds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "spies",
        "spies <",
        "agents > 2",
        "missions[0] > 1",
        "missions[6] > 1",
        "spies[1] > 1",
        "1/0 > spies",
        "2**9**9 > spies",
        "missions + missions == 2",
        "missions < 3",
        "__import__('os').system('true') == 0",
        "(lambda: 1)() == 1",
        "players.__class__ == 1",
        "[one for one in missions] == 1",
        "open('x') == 1",
        "max(missions, 3) > 1",
        "(spies := 3) == 3",
        "f'{spies}' == '3'",
        "1e999999 > spies",
        "9" * 51 + " > spies",
        "spies > 1" + " and spies > 1" * 100,
    ],
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(ConditionError):
        Condition(text)(TABLE)


def test_impossible_variants_are_counted_with_a_reason() -> None:
    found = make_variants("resistance", parameter_space("resistance", {"players": "5", "spies": "1..6"}), "spies != 2")
    assert [one.game.parameters["spies"] for one in found] == [1, 3, 4]
    assert (found.impossible, found.excluded) == (2, 1)
    assert "such as spies = 5: expected 1 to 4 spies among 5 players, got 5" in found.left_out()[0]


def test_a_condition_that_excludes_everything_says_so() -> None:
    with pytest.raises(VariantError, match="no variant is left to solve: 3 are excluded by --where"):
        make_variants("resistance", parameter_space("resistance", {"spies": "1..3"}), "spies > 3")


def test_variants_that_are_worth_the_same_have_one_key() -> None:
    span = parameter_space("resistance", {"missions": "2,2,2,2|3,2|3", "spies": "2"})
    keys = [one.key for one in make_variants("resistance", span)]
    assert keys[1] == keys[2] and len({*keys}) == 3  # missions 4 and 5 may be swapped
    always = make_variants("resistance", parameter_space("resistance", {"missions": "4..5,2,2,2,2", "spies": "2"}))
    assert len({one.key for one in always}) == 1  # there is a spy aboard whoever goes
