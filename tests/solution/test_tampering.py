"""Solution files with their checksum recomputed: the mathematics notices, and nothing breaks the reader."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import processes
from amounts import some
from ruse import games
from ruse.forms.certificate import Certificate
from ruse.solution import store
from ruse.solution.store import StoreError
from ruse.solving.pipeline import solve
from ruse.verify import VerifyError, verify
from ruse.verify import tree as plain
from stored import TRUST_TWO, Change, content, packed, sealed, set_field, solved, tampered, unpacked

# Tampering, with the checksum recomputed: the mathematics notices


def verdict(name: str, change: Change) -> str:
    """What the verifier says of a tampered file."""
    solution = store.loads(tampered(name, change), "here")
    with pytest.raises(VerifyError) as caught:
        verify(solution)
    return str(caught.value)


def test_one_changed_probability_is_found_wherever_it_is() -> None:
    for name in ("kuhn", "resistance"):
        for side, table in enumerate(unpacked(content(name))["strategies"]):
            for position, odds in table.items():
                for move in odds:
                    said = verdict(name, set_field("strategies", side, position, move, "1/7"))
                    assert said.startswith(f"expected odds that sum to 1 at {position}, got a sum of ")


def test_negative_odds_are_found() -> None:
    said = verdict("kuhn", set_field("strategies", 0, "kuhn@J/check/bet", {"call": "-1", "fold": "2"}))
    assert said == "expected odds of at least 0 at kuhn@J/check/bet, got -1 for 'call'"


def test_unknown_moves_and_missing_positions_are_found() -> None:
    said = verdict("kuhn", set_field("strategies", 1, "kuhn@Q/bet", {"call": "1/3", "raise": "2/3"}))
    assert said == "expected one of the moves fold, call at kuhn@Q/bet, got 'raise'"
    said = verdict("kuhn", lambda fields: fields["strategies"][1].pop("kuhn@Q/bet"))
    assert said == "expected odds at kuhn@Q/bet, got none"
    said = verdict("resistance", lambda fields: fields["strategies"][1].pop("resistance-5@ab/ab?"))
    assert said == "expected odds at resistance-5@ab/ab?, got none"


def test_odds_that_were_shifted_are_found() -> None:
    """Kuhn 1950: the second side must call with Q a third of the time; always calling concedes 1/18."""
    said = verdict("kuhn", set_field("strategies", 1, "kuhn@Q/bet", {"fold": "0", "call": "1"}))
    assert said == "expected the strategy of second in kuhn to concede at most -1/18, as is claimed, got 1/18"
    said = verdict("kuhn", set_field("strategies", 0, "kuhn@J", {"bet": "1", "check": "0"}))
    assert said.startswith("expected the strategy of first in kuhn to guarantee at least -1/18, as is claimed, got -")
    said = verdict("resistance", set_field("strategies", 1, "resistance-5@ab/ab?", {"pass": "0", "sabotage": "1"}))
    assert said.startswith("expected the strategy of spies in resistance-5 to concede at most -2/5, as is claimed, got")


def test_a_resistance_that_stops_trusting_is_found() -> None:
    """Johansson, Theorem 2.1: trust a and b, and win 3 times in 10. To send cde at last gives one of these away."""
    trusting = {
        "resistance-5" + "".join(f"/{mission}{result}" for mission, result in zip(TRUST_TWO, results, strict=False)): {
            TRUST_TWO[len(results)]: Fraction(1)
        }
        for rounds in range(5)
        for results in product("+-", repeat=rounds)
        if results.count("+") < 3 and results.count("-") < 3
    }
    solution = replace(solved("resistance"), tables=(trusting, solved("resistance").tables[1]))
    assert verify(solution) == Certificate(Fraction(-2, 5), Fraction(-2, 5))
    changed = trusting | {"resistance-5/ab+/abc-/ab+/abd-": {"cde": Fraction(1)}}
    with pytest.raises(VerifyError) as caught:
        verify(replace(solution, tables=(changed, solution.tables[1])))
    assert str(caught.value) == (
        "expected the strategy of resistance in resistance-5 to guarantee at least -2/5, as is claimed, got -3/5"
    )


def test_another_claim_is_found() -> None:
    for name, true in (("kuhn", "-1/18"), ("resistance", "-2/5"), ("tic-tac-toe", "0")):

        def claim(fields: dict[str, Any]) -> None:
            fields["value"] = fields["certificate"]["lower"] = fields["certificate"]["upper"] = "1/99"

        assert verdict(name, claim).endswith(f"to guarantee at least 1/99, as is claimed, got {true}")

        def widen(fields: dict[str, Any]) -> None:
            fields["value"], fields["certificate"]["upper"] = None, "2"

        assert verdict(name, widen).endswith(f"to concede at most 2, as is claimed, got {true}")


def test_another_game_is_found() -> None:
    def unnamed(change: Change) -> Change:
        """As a forger would, or 0.4.0: nothing in the file says which game it was solved for."""
        return lambda fields: (fields.pop("identity"), change(fields))

    change = set_field("parameters", "payoffs", "9 9 9; 9 9 9")
    with pytest.raises(StoreError, match=r"other rules or another game: expected the identity .* of matrix"):
        store.loads(tampered("matrix", change), "here")
    said = verdict("matrix", unnamed(change))
    assert said.startswith("expected the strategy of rows in matrix to guarantee at least")
    pay = unnamed(set_field("parameters", "paper_beats_rock", "1/3"))
    assert verdict("rock-paper-scissors", pay).startswith("expected odds at rock-paper-scissors(paper-beats-rock=1:3)")
    assert verdict("resistance", set_field("options", {"teams": False})).startswith("expected odds at resistance-5")


def test_checking_a_file_needs_no_solver(tmp_path: Path) -> None:
    solved("resistance").save(tmp_path / "a.ruse")
    solved("kuhn").save(tmp_path / "b.ruse")
    script = """
import sys
import ruse.solution.store, ruse.verify
for path in sys.argv[1:]:
    print(ruse.verify.verify(ruse.solution.store.load(path)).lower)
print([name for name in sys.modules if name.startswith(("ruse.solve", "ruse.forms.reductions", "highspy"))])
"""
    arguments = [sys.executable, "-c", script, str(tmp_path / "a.ruse"), str(tmp_path / "b.ruse")]
    out = processes.run(arguments, capture_output=True, text=True, check=True).stdout
    assert out.splitlines() == ["-2/5", "-1/18", "[]"]


def test_how_likely_each_payoff_is() -> None:
    """Against itself the optimal play of tic-tac-toe is a draw; Kuhn's outcomes average to -1/18."""
    for name in ("tic-tac-toe", "kuhn"):
        solution = solved(name)
        first, second = (plain.table_policy(solution.game, solution.tables[side], side) for side in (0, 1))
        likely = plain.outcomes(solution.game, (first, second))
        assert sum(likely.values()) == 1
        assert sum(payoff * share for payoff, share in likely.items()) == solution.value
        assert set(likely) <= {Fraction(payoff) for payoff in (-2, -1, 0, 1, 2)}
    with pytest.raises(VerifyError, match="expected odds that sum to 1 at kuhn@"):
        plain.outcomes(games.kuhn(), (lambda state: {}, lambda state: {}))


# Fuzz: whatever a file holds, the reader and the verifier answer in their own words


def answered(found: bytes) -> None:
    """A solution that verifies or not, or a StoreError: anything else is a bug."""
    try:
        solution = store.loads(found, "here")
    except StoreError as error:
        assert str(error)[:1].islower() and str(error).endswith(" (here)")
        return
    try:
        verify(solution)
    except VerifyError as error:
        assert str(error)[:1].islower()


@given(st.binary(max_size=200), st.sampled_from([b"", b"ruse/1.0 ", b"ruse/1.0 sha256:" + b"0" * 64 + b" bytes:"]))
def test_random_bytes(found: bytes, start: bytes) -> None:
    with pytest.raises(StoreError):
        store.loads(start + found, "here")


@given(st.binary(max_size=200))
def test_random_content(found: bytes) -> None:
    for whole in (sealed(found), packed(found)):
        with pytest.raises(StoreError):
            store.loads(whole, "here")


@given(st.sampled_from(["kuhn", "rock-paper-scissors"]), st.integers(0), st.integers(0, 40), st.binary(max_size=40))
def test_mutated_files(name: str, place: int, length: int, put: bytes) -> None:
    whole = content(name)
    place %= len(whole)
    mutated = whole[:place] + put + whole[place + length :]
    if mutated != whole:
        with pytest.raises(StoreError):
            store.loads(mutated, "here")


def places(found: Any) -> list[tuple[Any, Any]]:
    """Every list or object in a JSON value, with each index or name in it."""
    inside = list(found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ())
    return [(found, key) for key, _ in inside] + [place for _, value in inside for place in places(value)]


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)
FRACTIONS = st.sampled_from(["0", "1", "-1", "1/2", "2/4", "1/3", "-0", "1/0", "1.5", "9" * 5000, "-7/" + "3" * 5000])
VALUES = FRACTIONS | st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


@settings(max_examples=some(300), deadline=None)
@given(st.sampled_from(["kuhn", "matrix", "rock-paper-scissors", "resistance of three"]), st.data())
def test_mutated_content_with_its_checksum_recomputed(name: str, data: st.DataObject) -> None:
    fields = unpacked(content(name))
    for _ in range(data.draw(st.integers(1, 3))):
        inside = places(fields)
        place, key = inside[data.draw(st.integers(0, len(inside) - 1))]
        if isinstance(place, dict) and data.draw(st.booleans()):
            place[data.draw(st.text(max_size=9))] = place.pop(key)
        else:
            place[key] = data.draw(VALUES)
    answered(packed(json.dumps(fields).encode()))


@pytest.mark.parametrize(
    ("side", "position", "odds", "sentence"),
    [
        (1, "resistance-5@ab/ab+/abc+/ab?", {"pass": 1}, "expected a sabotage at resistance-5@ab/ab+/abc+/ab?"),
        (1, "resistance-5@zz/ab?", {"pass": 1}, "expected different seats from a to e, got 'zz'"),
        (1, "resistance-5@bc/ab?", {"pass": 1}, "expected representative positions, got 'resistance-5@bc/ab?'"),
        (1, "resistance-5@cd/ab?", {"pass": 1}, "where enough spies are aboard"),
        (1, "resistance-5/ab+", {"pass": 1}, "expected positions where the spies move"),
        (1, "resistance-5@ac/ab-/acd?", {"dance": 1}, "got 'dance'"),
        (0, "resistance-5@ab/ab+", {"abc": 1}, "expected positions where the resistance moves"),
        (0, "resistance-5/ab+/abd+", {"ab": 1}, "expected representative positions"),
        (0, "resistance-5/ab+/cde+", {"bc": 1}, "expected 'ac' at resistance-5/ab+/cde+"),
        (0, "resistance-5/ab+/cde+", {"abc": 1}, "expected a mission of 2 seats"),
        (0, "nonsense", {"ab": 1}, "expected a position of resistance-5, got 'nonsense'"),
    ],
)
def test_entries_that_are_no_moves_do_not_verify(side: int, position: str, odds: dict[str, int], sentence: str) -> None:
    """Also where play never comes, and where the spies have nothing to decide."""
    solution = solve(games.resistance(5))
    tables = [dict(table) for table in solution.tables]
    tables[side][position] = {move: Fraction(share) for move, share in odds.items()}
    with pytest.raises(VerifyError) as caught:
        verify(replace(solution, tables=(tables[0], tables[1])))
    assert sentence in str(caught.value)


def test_entries_of_other_games_do_not_verify() -> None:
    solution = solved("kuhn")
    more = {**solution.tables[0], "kuhn@A": {"bet": Fraction(1)}}
    with pytest.raises(VerifyError, match="expected positions of kuhn where Player 1 moves, got 'kuhn@A'"):
        verify(replace(solution, tables=(more, solution.tables[1])))
    off = {**solution.tables[0], "kuhn@K/check/bet": {"raise": Fraction(1)}}
    with pytest.raises(VerifyError, match="expected one of the moves fold, call at kuhn@K/check/bet, got 'raise'"):
        verify(replace(solution, tables=(off, solution.tables[1])))
