"""What a single change does, and variants side by side."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruse import games, solve
from ruse.studio.around import around
from ruse.studio.compare import aligned, compare


def test_every_single_change_is_solved_and_sorted() -> None:
    found = around("resistance", players=5, workers=1)
    assert found.base.win["resistance"] == Fraction(3, 10)
    sizes = [abs(one.difference) for one in found.effects]
    assert sizes == sorted(sizes, reverse=True)
    changes = {one.change: one for one in found.effects}
    assert changes["missions 2: 3 → 2"].difference == Fraction(1, 5)
    assert changes["spies: 2 → 1"].row.win["resistance"] == 1
    for one in found.effects:
        value = solve(games.resistance(**one.row.parameters)).win["resistance"]
        assert one.difference == value - Fraction(3, 10)
    assert found.sweep.variants.impossible == 5  # no mission fails without a sabotage


def test_the_price_of_the_simple_rule() -> None:
    found = around("resistance", players=5, workers=1)
    assert found.rule == 0 and all(one.rule is not None and one.rule >= 0 for one in found.effects)


def test_around_on_the_screen(ruse: Any) -> None:
    status, out, _ = ruse("sweep", "resistance", "--around")
    assert status == 0 and out.startswith("resistance-5: resistance wins 30% (3/10)\n")
    assert "missions 2: 3 → 2 +20 pp 50% (1/2)" in [" ".join(line.split()) for line in out.splitlines()]
    assert "impossible and were skipped, such as sabotages 1: 1 → 0" in out
    found = json.loads(ruse("sweep", "resistance", "--around", "--json")[1])
    assert found["base"]["simple_price"] == "0" and found["changes"][0]["difference"] == "7/10"
    assert "there is a range for --spies" in ruse("sweep", "resistance", "--spies", "1..2", "--around")[2]
    assert ruse("sweep", "resistance", "--around", "--where", "spies > 1")[0] == 2


def test_lines_are_aligned_and_marked() -> None:
    found = aligned([["a", "b", "c"], ["a", "x", "c"], ["a", "c", "d"]])
    assert [line.text for line in found] == ["a", "b", "x", "c", "d"]
    assert [line.held for line in found] == [
        (True, True, True),
        (True, False, False),
        (False, True, False),
        (True, True, True),
        (False, False, True),
    ]


def test_variants_side_by_side(ruse: Any, tmp_path: Path) -> None:
    file = tmp_path / "five.ruse"
    solve(games.resistance(5)).save(file)
    fair = "resistance(players=5,missions=2-2-2-3-3)"
    status, out, _ = ruse("compare", str(file), fair)
    assert status == 0 and "2  resistance(players=5,missions=2-2-2-3-3)  resistance wins 50% (1/2)" in out
    assert "+20 pp" in out and "Changed: missions 2 3 2 3 3 → 2 2 2 3 3." in out
    assert "Spies: 1 of 4 rules are the same in all. Only in 1: mission 1 or 3: pass" in out
    assert len(out.splitlines()) <= 10 and out.endswith("add --full.\n")
    out = ruse("compare", str(file), fair, "--full")[1]
    assert "\n  1    mission 1 or 3: pass\n" in out and "\n       mission 1: send ab\n" in out
    assert "cd 0, costs 10 percentage points" in out
    found = json.loads(ruse("compare", str(file), fair, "--at", "resistance-5/ab+", "--json")[1])
    assert [one["difference"] for one in found["variants"]] == ["0", "1/5"]
    assert [list(one["moves"]) for one in found["positions"]["/ab+"]] == [["abc", "acd", "cde"], ["ab", "ac", "cd"]]
    assert {"rule": "mission 1: send ab", "in": [True, True]} in found["words"]["resistance"]


def test_rules_by_position_are_compared_by_their_steps() -> None:
    found = compare([solve(games.rock_paper_scissors(pay)) for pay in (1, "3/2", 1)], look=False)
    assert {line.held for line in found.words["first"]} == {(True, False, True), (False, True, False)}
    found = compare([solve(games.liars_dice(faces=faces)) for faces in (2, 3)], look=False)
    assert any(all(line.held) for lines in found.words.values() for line in lines)
    assert not found.positions


BAD = [
    (("kuhn",), "expected at least two variants"),
    (("kuhn", "resistance-5"), "the same kind of result"),
    (("kuhn", "nothing"), "unknown game 'nothing'"),
    (("kuhn", "kuhn", "--at", "leduc@Js"), "expected a position of kuhn, the first variant"),
    (("kuhn", "/no/such.ruse"), "no such file"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_gets_a_sentence(ruse: Any, words: tuple[str, ...], said: str) -> None:
    status, out, err = ruse("compare", *words)
    assert status == 1 and said in err and not out
