"""The search for balance proves what solving everything shows."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruse import games
from ruse.studio.balance import BalanceError, balance
from ruse.studio.search import VariantBounds, is_free
from ruse.studio.sweep import sweep
from ruse.studio.words import format_balance

FIVE = {"missions": "2..3,2..4,2..3,2..3,3", "sabotages": "1,1..2,1,1..2,1"}


@pytest.mark.cases(3)
@pytest.mark.parametrize("target", ["0", "1/3", "2/5", "1/2", "11/20", "9/10"])
def test_the_search_agrees_with_solving_everything(target: str) -> None:
    found = balance("resistance", FIVE, target=target)
    rows = [*sweep("resistance", FIVE, workers=1, fresh=True)]
    least = min(abs(row.win["resistance"] - Fraction(target)) for row in rows)
    assert found.proved and found.considered == len(rows) == 96
    assert {one.distance for one in found.best} == {least}
    best = [row.parameters for row in rows if abs(row.win["resistance"] - Fraction(target)) == least]
    assert all(one.row.parameters in best for one in found.best)
    assert found.solved < found.distinct and 0 < found.pruned < 1


def test_fewest_changes_and_the_front_agree_with_solving_everything() -> None:
    official = games.resistance().parameters
    rows = [
        (abs(row.measure - Fraction(11, 20)), _changes(row.parameters, official))
        for row in sweep("resistance", FIVE, workers=1)
    ]
    found = balance("resistance", FIVE, target="11/20", near="official")
    assert {(one.distance, one.changes) for one in found.best} == {min(rows)}
    front = {
        (far, changes)
        for far, changes in rows
        if not any(a <= far and b <= changes and (a, b) != (far, changes) for a, b in rows)
    }
    found = balance("resistance", FIVE, target="11/20", near="official", pareto=True)
    assert {(one.distance, one.changes) for one in found.best} == front and len(front) > 1
    assert balance("resistance", FIVE, target="11/20", near="official", changes=2).considered == sum(
        changes <= 2 for _, changes in rows
    )
    one = balance("resistance", FIVE, target="11/20", near="resistance-5", changes=1)
    assert {(c.distance, c.changes) for c in one.best} == {min(pair for pair in rows if pair[1] <= 1)}


def _changes(first: Any, second: Any) -> int:
    return sum(a != b for name in ("missions", "sabotages") for a, b in zip(first[name], second[name], strict=True))


def test_a_game_that_promises_nothing_is_searched_all_the_same() -> None:
    found = balance("matrix", payoffs="0..9 -1; -1 1", target="1/5")
    assert found.proved and found.solved == found.considered == 10
    assert [one.row.parameters["payoffs"] for one in found.best] == ["2 -1; -1 1"]


def test_the_first_parameter_says_which_table_is_official() -> None:
    found = balance("resistance", {"players": "5..6", "spies": "2"}, target="1/3", near="official")
    assert [(one.row.parameters["players"], one.changes) for one in found.best] == [(6, 0)]


def test_constraints_that_only_a_solution_shows() -> None:
    plain = balance("resistance", FIVE, target="1/2")
    shortest = min(one.row.lines or 99 for one in plain.best)
    capped = balance("resistance", FIVE, target="1/2", lines=shortest - 1)
    assert all((one.row.lines or 99) < shortest for one in capped.best) and capped.refused > 0


def test_who_has_a_choice() -> None:
    assert is_free(games.kuhn())
    assert not is_free(games.matrix("1 2; 0 3"))
    assert not is_free(games.resistance(5))  # whose spies have one optimal strategy, and it does not mix


def test_bounds_spread_in_the_declared_directions() -> None:
    tables = [games.resistance(5, missions=(size, 3, 2, 3, 3)) for size in (2, 3, 4)]
    bounds = VariantBounds(tables, ["a", "b", "c"], (Fraction(-1), Fraction(1)))
    bounds.learn(1, Fraction(-1, 2), Fraction(1, 3))
    assert bounds.of(0) == (Fraction(-1, 2), 1)  # a smaller mission
    assert bounds.of(1) == (Fraction(-1, 2), Fraction(1, 3))
    assert bounds.of(2) == (-1, Fraction(1, 3))
    assert bounds.may_be_within(Fraction(1, 2), Fraction(1, 6), False).tolist() == [True, False, False]
    assert bounds.may_be_within(Fraction(1, 2), Fraction(1, 6), True).tolist() == [True, True, True]


PROMISING = """
from fractions import Fraction
from ruse import games
from ruse.core.capabilities import Adjustable

class Promising(type(games.matrix("1"))):
    provides = (Adjustable,)
    name = "promising"
    def __init__(self, stake: int = 1):
        super().__init__([[Fraction(stake), Fraction(0)], [Fraction(0), Fraction(1)]])
        self.name, self.title, self.parameters = "promising", f"promising-{stake}", {"stake": stake}
    def directions(self):
        return {"stake": SIGN}
"""


@pytest.mark.parametrize("sign", [1, -1])
def test_what_a_strangers_game_declares_is_a_condition_and_is_not_believed_against_a_value(
    ruse: Any, tmp_path: Path, sign: int
) -> None:
    """The value is t/(t + 1), which rises with t."""
    (tmp_path / "promising.py").write_text(PROMISING.replace("SIGN", str(sign)))
    status, out, err = ruse("balance", str(tmp_path / "promising.py"), "--stake", "1..9", "--target", "3/4")
    if sign > 0:
        assert status == 0 and "Proved, if its value moves with its parameters as the game declares: none of 9" in out
    else:
        assert status == 1 and "promising declares how its value moves with its parameters" in err


def test_json_is_the_contract(ruse: Any) -> None:
    status, out, _ = ruse("balance", "resistance", "--missions", "2,2..3,2,3,3", "--target", "1/2", "--json")
    found = json.loads(out)
    assert status == 0 and found["proved"] is True and found["considered"] == 2 and found["solved"] <= 2
    assert found["best"][0]["win"] == {"resistance": "1/2", "spies": "1/2"}


def test_the_search_on_the_screen(ruse: Any) -> None:
    status, out, _ = ruse("balance", "resistance", "--target", "1/2", "--near", "official")
    assert status == 0
    assert out.splitlines()[0].startswith(
        "50% (1/2), 0 percentage points from the target, 1 change: players 5, spies 2"
    )
    assert "Proved: none of 1,024 variants is closer." in out and "were ruled out without being solved" in out


BAD = [
    (("--target", "half"), 1, "expected a target such as 1/2, got 'half'"),
    (("--target", "3/2"), 1, "expected a win rate from 0 to 1"),
    ((), 2, "required: --target"),
    (("--target", "1/2", "--changes", "1"), 1, "need --near official"),
    (("--target", "1/2", "--near", "kuhn"), 1, "expected a variant of resistance to stay near, got 'kuhn'"),
    (("--target", "1/2", "--near", "official", "--changes", "-1"), 1, "a number of changes of at least 0"),
    (("--target", "1/2", "--lines", "1", "--missions", "2,2..3,2,3,3"), 1, "meets the constraints; relax one"),
    (("--target", "1/2", "--missions", "5..2,2,2,2,2"), 1, "from the lower end to the higher"),
    (("--target", "1/2", "--missions", ",".join(["1..13"] * 5)), 1, "expected at most 200,000 variants, got 371,293"),
]


@pytest.mark.parametrize(("words", "status", "said"), BAD, ids=[" ".join(words) for words, _, _ in BAD])
def test_bad_input_gets_a_sentence(ruse: Any, words: tuple[str, ...], status: int, said: str) -> None:
    got, out, err = ruse("balance", "resistance", *words)
    assert got == status and said in err and not out


def test_others_are_spoken_of_only_where_there_are_some() -> None:
    found = balance("liars-dice", target="1/2", faces="2..4")
    assert found.solved == found.distinct and format_balance(found).count("not solved") == 0
    assert "Other variants that were not solved may be equally close." in format_balance(replace(found, solved=2))


def test_the_time_of_a_search_leaves_what_was_solved() -> None:
    sweep("liars-dice", faces="4", workers=1)  # compiled, if it was not
    found = balance("liars-dice", target="1/2", faces="2|3|9", time=3)
    assert not found.proved and found.seconds < 300
    assert {one.row.parameters["faces"] for one in found.best} <= {2, 3} and found.best
    with pytest.raises(BalanceError, match="out of time before the first variant"):
        balance("liars-dice", target="1/2", faces="2..4", time=1e-9)
