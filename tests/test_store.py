"""Solution files: what is saved comes back, what was tampered with does not, and a killed save leaves a whole file."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruse import container, digits, games, store
from ruse.certificate import Certificate
from ruse.game import Game
from ruse.run import solve
from ruse.store import StoreError
from ruse.strategy import Solution
from ruse.verify import VerifyError, plain, verify

ODD_TABLE = (3, 2, (1, 2, 1, 2, 2), (1, 2, 1, 2, 1))
GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": games.kuhn,
    "leduc": games.leduc,
    "tic-tac-toe": games.tic_tac_toe,
    "rock-paper-scissors": lambda: games.rock_paper_scissors("1/2"),
    "matrix": lambda: games.matrix("0 1/3 -1; 2 0 0.5", rows=["up", "down"]),
    "resistance": games.resistance,
    "resistance of three": lambda: games.resistance(*ODD_TABLE),
}
TRUST_TWO = ["ab", "abc", "ab", "abd", "abe"]  # Johansson, Theorem 2.1
Change = Callable[[dict[str, Any]], object]


@cache
def solved(name: str) -> Solution:
    return solve(GAMES[name]())


@cache
def content(name: str) -> bytes:
    return store.dumps(solved(name))


def unpacked(packed: bytes) -> dict[str, Any]:
    fields = json.loads(gzip.decompress(packed.partition(b"\n")[2]))
    assert isinstance(fields, dict)
    return fields


def packed(text: bytes, version: bytes = b"ruse/1.0") -> bytes:
    """The container, as docs/reference/solution-file.md describes it."""
    return sealed(gzip.compress(text), version)


def sealed(payload: bytes, version: bytes = b"ruse/1.0") -> bytes:
    checksum = hashlib.sha256(version + b"\n" + payload).hexdigest().encode()
    return version + b" sha256:" + checksum + b" bytes:" + str(len(payload)).encode() + b"\n" + payload


def tampered(name: str, change: Change, version: bytes = b"ruse/1.0") -> bytes:
    """A file whose content was changed, and its checksum recomputed."""
    fields = unpacked(content(name))
    change(fields)
    return packed(json.dumps(fields).encode(), version)


# Round trips


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_comes_back_as_it_was_and_verifies(name: str, tmp_path: Path) -> None:
    solution = solved(name)
    path = solution.save(tmp_path / "here.ruse")
    again = store.load(str(path))
    assert again == replace(solution, game=again.game)
    assert (again.game.title, again.game.parameters) == (solution.game.title, solution.game.parameters)
    assert again.verify() == solution.certificate
    assert again.win == solution.win
    assert [entry.name for entry in tmp_path.iterdir()] == ["here.ruse"]


@pytest.mark.parametrize("options", [{"teams": False}, {"symmetry": False}, {"forced": False}, {"side": 1}])
def test_strategies_of_any_reduction_verify(options: dict[str, Any]) -> None:
    """Without teams or symmetry the tables are about single seats."""
    solution = solve(games.resistance(3, 1, (1,) * 5, (1,) * 5), "lp", **options)
    again = store.loads(store.dumps(solution), "here")
    assert again.options == options
    assert verify(again) == solution.certificate == Certificate(Fraction(1), Fraction(1))


def test_forced_missions_are_written_down() -> None:
    """The reduced game leaves out the first mission, sure wins, and what only follows a blunder of the spies."""
    solution = solve(games.resistance(*ODD_TABLE), "lp")
    assert solution.game.title in solution.tables[0]
    assert verify(solution) == solved("resistance of three").certificate
    first, second = solution.tables
    left = next(position for position in first if position.endswith("/a+"))
    gone = {position: odds for position, odds in first.items() if position != left}
    with pytest.raises(VerifyError, match=r"expected odds at resistance\(.*\)/a\+, got none"):
        verify(replace(solution, tables=(gone, second)))


def test_the_same_solution_gives_the_same_bytes() -> None:
    solution = solved("kuhn")
    first = solution.tables[0]
    backwards = {position: dict(reversed(list(first[position].items()))) for position in reversed(list(first))}
    assert store.dumps(replace(solution, tables=(backwards, solution.tables[1]))) == content("kuhn")


def test_a_shell_can_read_the_file(tmp_path: Path) -> None:
    solved("kuhn").save(tmp_path / "kuhn.ruse")
    shell = "tail -n +2 kuhn.ruse | gunzip; { echo ruse/1.0; tail -n +2 kuhn.ruse; } | sha256sum; head -n 1 kuhn.ruse"
    out = subprocess.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    text, checksum, header = out.splitlines()
    assert json.loads(text)["value"] == "-1/18"
    assert header.startswith(f"ruse/1.0 sha256:{checksum.split()[0]} bytes:")


def test_bounds_that_do_not_meet_have_no_value() -> None:
    tables = {"matrix": {"up": Fraction(1)}}, solved("matrix").tables[1]
    solution = replace(solved("matrix"), tables=tables, certificate=Certificate(Fraction(-1), Fraction(1, 5)))
    assert unpacked(store.dumps(solution))["value"] is None
    again = store.loads(store.dumps(solution), "here")
    assert again.certificate == solution.certificate and isinstance(again.value, float)


@given(st.fractions(), st.integers(0, 9000))
def test_fractions_of_any_length(number: Fraction, zeros: int) -> None:
    """Python itself stops at 4,300 digits."""
    long = number + Fraction(1, 10**zeros)
    assert digits.read(digits.write(long)) == long
    assert digits.write(number) == str(number)
    assert len(digits.brief(long)) <= 200


def test_a_long_fraction_is_stored_and_its_lack_is_said() -> None:
    tiny = Fraction(1, 3**20_000)
    table = {"matrix": {"up": tiny, "down": 1 - tiny}}
    solution = replace(solved("matrix"), tables=(table, solved("matrix").tables[1]))
    again = store.loads(store.dumps(solution), "here")
    assert again.tables[0] == table
    with pytest.raises(VerifyError, match=r"strategy of rows .* 1/11, as is claimed, got about 1\.2525\d*E-9543$"):
        verify(again)


# Damage: every bit counts


def test_every_flipped_bit_is_noticed() -> None:
    whole = content("rock-paper-scissors")
    for place in range(len(whole)):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            with pytest.raises(StoreError):
                store.loads(bytes(damaged), "here")


def test_every_cut_and_every_addition_is_noticed() -> None:
    whole = content("rock-paper-scissors")
    for place in range(len(whole)):
        for damaged in (whole[:place], whole[place + 1 :], whole[:place] + b"0" + whole[place:], whole + whole[:place]):
            if damaged != whole:
                with pytest.raises(StoreError):
                    store.loads(damaged, "here")


def test_upper_case_and_spare_zeros_are_not_the_same_header() -> None:
    header, _, payload = content("kuhn").partition(b"\n")
    version, checksum, count = header.split(b" ")
    for line in (
        b" ".join([version, checksum.upper().replace(b"SHA", b"sha"), count]),
        b" ".join([version, checksum, count.replace(b":", b":0")]),
        b" ".join([version.replace(b"/", b"/0"), checksum, count]),
        header + b" ",
        header + b"\r",
    ):
        with pytest.raises(StoreError, match="first line"):
            store.loads(line + b"\n" + payload, "here")


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        (b"", r"expected a ruse solution file, got an empty one \(x.ruse\)"),
        (PNG, r"expected a ruse solution file, got one that begins with b'\\x89PNG"),
        (b"PK\x03\x04" + bytes(99), r"expected a ruse solution file, got one that begins with b'PK"),
        (b"ruse/", r"expected a ruse solution file, got one that begins with b'ruse/'"),
        (b"ruse/1.0 " + b"x" * 10**6, r"expected a version, a checksum and a length in the first line"),
        (b"ruse/" + b"9" * 10**6, r"expected a ruse solution file"),
        (sealed(b"no gzip"), r"expected content packed by gzip, got something else \(x.ruse\)"),
        (sealed(gzip.compress(b"{}")[:-1]), r"expected one whole piece of gzip, got less or more"),
        (sealed(gzip.compress(b"{}") + b"."), r"expected one whole piece of gzip, got less or more"),
        (packed(b"\xff\xfe"), r"expected content in JSON"),
        (packed(b"{"), r"expected content in JSON"),
        (packed(b"[" * 10**6), r"expected content in JSON"),
        (packed(b"1" * 10**6), r"expected content in JSON"),
        (packed(b'{"a":1,"a":2}'), r"expected different names in every object, got one twice"),
        (packed(b'{"seconds":NaN}'), r"expected finite numbers, got NaN"),
        (packed(b"[]"), r"expected an object as the content, got a list"),
        (packed(b"{}"), r"expected a field 'game', got none \(x.ruse\)"),
    ],
)
def test_what_is_no_solution_is_refused_in_one_sentence(found: bytes, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint) as caught:
        store.loads(found, "x.ruse")
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def test_what_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed(b"[" + b"0," * 10**7)
    assert len(bomb) < 10**5
    monkeypatch.setattr(container, "MOST_BYTES", 10**5)
    with pytest.raises(StoreError, match="expected at most 100,000 bytes of JSON, got more"):
        store.loads(bomb, "x.ruse")
    with pytest.raises(StoreError, match="expected a ruse solution file of at most 100,000 bytes, got more"):
        store.loads(bytes(10**5 + 1), "x.ruse")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"expected a ruse solution file, got a folder \(/"):
        store.load(tmp_path)
    with pytest.raises(StoreError, match=r"got no such file or directory \(.*none.ruse\)"):
        store.load(tmp_path / "none.ruse")
    with pytest.raises(StoreError, match=r"got not a directory"):
        (tmp_path / "file").touch()
        store.load(tmp_path / "file" / "none.ruse")
    with pytest.raises(StoreError, match="got embedded null byte"):
        store.load("nul\0.ruse")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="got a device or pipe"):
        store.load(tmp_path / "pipe")


def set_field(*path: Any) -> Change:
    """`set_field("certificate", "lower", "1/2")` puts "1/2" there."""
    *keys, last, value = path

    def change(fields: dict[str, Any]) -> None:
        place: Any = fields
        for key in keys:
            place = place[key]
        place[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (set_field("game", "chess"), r"expected a game, one of resistance, kuhn.* got 'chess' \(x.ruse\)"),
        (set_field("game", 1), r"expected a line of text as game, got 1"),
        (set_field("parameters", {"players": 7}), r"expected no parameter of kuhn, got 'players'"),
        (set_field("parameters", [[]]), r"expected an object as parameters, got a list"),
        (set_field("sides", ["second", "first"]), r"expected the sides first and second of kuhn, got others"),
        (set_field("solver", "a\nb"), r'expected a line of text as solver, got "a\\nb"'),
        (set_field("solver", "\ud800"), r"expected a line of text as solver"),
        (set_field("options", None), r"expected an object as options, got null"),
        (set_field("seconds", True), r"expected a number of at least 0 as seconds, got true"),
        (set_field("seconds", -1), r"expected a number of at least 0 as seconds, got -1"),
        (set_field("seconds", 10**400), r"expected a number of at least 0 as seconds, got 1000"),
        (set_field("iterations", 0.5), r"expected a whole number of at least 0 as iterations, got 0.5"),
        (set_field("versions", {"ruse": 1}), r"expected a line of text as ruse, got 1"),
        (set_field("value", "-1/17"), r'expected the value "-1/18" that the certificate proves, got "-1/17"'),
        (set_field("value", None), r'expected the value "-1/18" that the certificate proves, got null'),
        (set_field("certificate", "upper", "0"), r'expected the value "null" .* got "-1/18"'),
        (set_field("certificate", {}), r"expected a field 'lower', got none"),
        (set_field("certificate", "lower", "1/0"), r'expected a fraction such as 2/3 as lower, got "1/0"'),
        (set_field("certificate", "lower", "1e999999"), r"expected a fraction such as 2/3 as lower"),
        (set_field("certificate", "lower", "1" * 100_001), r"expected a fraction such as 2/3 as lower, got \"1+…"),
        (set_field("certificate", "lower", 0.5), r"expected a fraction such as 2/3 as lower, got 0.5"),
        (set_field("strategies", []), r"expected two strategies, got 0"),
        (set_field("strategies", 0, "kuhn@J", []), r"expected an object as odds at kuhn@J, got a list"),
        (set_field("strategies", 1, "kuhn@J/bet", "call", " 1"), r"as odds of call at kuhn@J/bet, got \" 1\""),
        (set_field("strategies", 1, "kuhn@J/bet", "call", "١"), r"as odds of call at kuhn@J/bet"),
        (set_field("strategies", 1, "kuhn@J/bet", "call", {}), r"as odds of call at kuhn@J/bet, got an object"),
        (set_field("strategies", 1, "x" * 10**5, {}), r"expected a line of text as position of second"),
    ],
)
def test_malformed_fields_are_refused_in_one_sentence(change: Change, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint) as caught:
        store.loads(tampered("kuhn", change), "x.ruse")
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def test_every_field_is_needed() -> None:
    for name in unpacked(content("kuhn")):
        fields = unpacked(content("kuhn"))
        del fields[name]
        with pytest.raises(StoreError, match=f"expected a field '{name}', got none"):
            store.loads(packed(json.dumps(fields).encode()), "x.ruse")


def test_a_file_opens_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("hush")
    with pytest.raises(StoreError, match="expected a game whose parameters are all in the file") as caught:
        store.loads(tampered("matrix", set_field("parameters", {"file": str(tmp_path / "secret.csv")})), "x.ruse")
    assert "hush" not in str(caught.value)


# Versions


def test_a_newer_minor_version_is_read_and_its_fields_left_alone() -> None:
    def add(fields: dict[str, Any]) -> None:
        fields["comment"] = {"by": ["somebody"]}
        fields["certificate"]["proof"] = None

    assert store.loads(tampered("kuhn", add, b"ruse/1.17"), "here").tables == solved("kuhn").tables


@pytest.mark.parametrize("version", ["2.0", "10.3", "0.9"])
def test_another_major_version_is_refused(version: str) -> None:
    with pytest.raises(StoreError, match=f"expected a solution file of format 1, got format {version}, which"):
        store.loads(tampered("kuhn", lambda _: None, f"ruse/{version}".encode()), "here")


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
    assert said == "expected a move out of fold, call at kuhn@Q/bet, got 'raise'"
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
    said = verdict("matrix", set_field("parameters", "payoffs", "9 9 9; 9 9 9"))
    assert said.startswith("expected the strategy of rows in matrix to guarantee at least")
    pay = set_field("parameters", "paper_beats_rock", "1/3")
    assert verdict("rock-paper-scissors", pay).startswith("expected odds at rock-paper-scissors(paper-beats-rock=1:3)")
    assert verdict("resistance", set_field("options", {"teams": False})).startswith("expected odds at resistance-5")


def test_checking_a_file_needs_no_solver(tmp_path: Path) -> None:
    solved("resistance").save(tmp_path / "a.ruse")
    solved("kuhn").save(tmp_path / "b.ruse")
    script = """
import sys
import ruse.store, ruse.verify
for path in sys.argv[1:]:
    print(ruse.verify.verify(ruse.store.load(path)).lower)
print([name for name in sys.modules if name.startswith(("ruse.solve", "ruse.reductions", "highspy"))])
"""
    arguments = [sys.executable, "-c", script, str(tmp_path / "a.ruse"), str(tmp_path / "b.ruse")]
    out = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
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
        assert str(error).startswith("expected ") and str(error).endswith(" (here)")
        return
    try:
        verify(solution)
    except VerifyError as error:
        assert str(error).startswith("expected ")


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


@settings(max_examples=300, deadline=None)
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


# Saving


def test_saving_keeps_to_the_umask_and_to_links(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        (tmp_path / "link.ruse").symlink_to(tmp_path / "real.ruse")
        solved("kuhn").save(tmp_path / "link.ruse")
    finally:
        os.umask(before)
    assert (tmp_path / "link.ruse").is_symlink()
    assert (tmp_path / "real.ruse").stat().st_mode & 0o777 == 0o640
    long = tmp_path / ("x" * 250 + ".ruse")
    assert store.load(solved("kuhn").save(long)).tables == solved("kuhn").tables


def test_what_cannot_be_saved_says_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, complaint in (
        (tmp_path, "got a folder"),
        (tmp_path / "pipe", "got a device or pipe"),
        (tmp_path / "none" / "x.ruse", "got no such file or directory"),
        (tmp_path / "nul\0", "got embedded null byte"),
        (tmp_path / ("x" * 300), "got file name too long"),
    ):
        with pytest.raises(StoreError, match=f"expected a file to save to, {complaint}"):
            store.save(solved("kuhn"), path)
    kuhn = solved("kuhn")
    floats: Any = ({"kuhn@K": {"bet": 0.5, "check": 0.5}}, {})
    for solution, complaint in (
        (replace(kuhn, options={"seed": object()}), "expected a solution that JSON can hold"),
        (replace(kuhn, options={"gap": float("nan")}), "expected a solution that JSON can hold"),
        (replace(kuhn, solver="\ud800"), "expected a solution that JSON can hold"),
        (replace(kuhn, tables=floats), "got one where 0.5 is not a fraction"),
        (replace(kuhn, solver="two\nlines"), "expected a line of text as solver"),
        (replace(kuhn, game=renamed("patience", "patience")), "expected a game, one of .* got 'patience'"),
        (replace(kuhn, game=renamed("kuhn", "kuhn-13")), "expected a solution that reads as it was written"),
    ):
        with pytest.raises(StoreError, match=complaint):
            store.save(solution, tmp_path / "x.ruse")
    assert {path.name for path in tmp_path.iterdir()} == {"pipe"}


def renamed(name: str, title: str) -> Game:
    game: Any = games.kuhn()
    game.name, game.title = name, title
    assert isinstance(game, Game)
    return game


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, trouble: BaseException
) -> None:
    path = solved("kuhn").save(tmp_path / "x.ruse")

    def fail(*_: object) -> None:
        raise trouble

    with monkeypatch.context() as patch:
        patch.setattr(step, fail)
        expected = StoreError if isinstance(trouble, OSError) else KeyboardInterrupt
        with pytest.raises(expected):
            store.save(solved("matrix"), path)
    assert path.read_bytes() == content("kuhn")
    assert list(tmp_path.iterdir()) == [path]


# Forks from a process of its own, so that nothing of the test run is in it. Each child saves two solutions in turn
# until it is killed: at a certain step of a save, or, with no step given, whenever the parent gets round to it.
KILLED = """
import os, signal, sys, time
from pathlib import Path
from ruse import store

one, two, path = map(Path, sys.argv[1:])
solutions = store.load(one), store.load(two)
whole = {one.read_bytes(), two.read_bytes()}
steps = [(owner, name, late) for owner, name in ((os, "fsync"), (Path, "replace")) for late in (False, True)]
seen = []
for number in range(48):
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        store.save(solutions[number % 2], path)
        os.write(tell, b".")
        if number < 16:
            owner, name, late = steps[number % 4]
            step = getattr(owner, name)
            def killed(*arguments):
                if late:
                    step(*arguments)
                os.kill(os.getpid(), signal.SIGKILL)
            setattr(owner, name, killed)
        while True:
            for solution in solutions[::-1] if number % 2 == 0 else solutions:
                store.save(solution, path)
    os.read(told, 1)
    if number >= 16:
        until = time.perf_counter() + number * 2e-4
        while time.perf_counter() < until:
            pass
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, status
    os.close(told), os.close(tell)
    found = path.read_bytes()
    assert found in whole, (number, found)
    store.load(path)
    if number < 16:
        seen.append(found == [one, two][number % 2].read_bytes())
print(seen[:4], seen == seen[:4] * 4)
"""


def test_a_killed_save_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    one, two = solved("kuhn").save(tmp_path / "one"), solved("resistance").save(tmp_path / "two")
    folder = tmp_path / "folder"
    folder.mkdir()
    arguments = [sys.executable, "-c", KILLED, str(one), str(two), str(folder / "x.ruse")]
    run = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("]")[0] == "[True, True, True, False", "the old file until it is replaced, then the new one"
    assert run.stdout.endswith("True\n")


@pytest.mark.parametrize(
    ("side", "position", "odds", "sentence"),
    [
        (1, "resistance-5@ab/ab+/abc+/ab?", {"pass": 1}, "expected a sabotage at resistance-5@ab/ab+/abc+/ab?"),
        (1, "resistance-5@zz/ab?", {"pass": 1}, "expected different seats from a to e, got 'zz'"),
        (1, "resistance-5@bc/ab?", {"pass": 1}, "expected filed positions, got 'resistance-5@bc/ab?'"),
        (1, "resistance-5@cd/ab?", {"pass": 1}, "where enough spies are aboard"),
        (1, "resistance-5/ab+", {"pass": 1}, "expected positions where spies moves"),
        (1, "resistance-5@ac/ab-/acd?", {"dance": 1}, "got 'dance'"),
        (0, "resistance-5@ab/ab+", {"abc": 1}, "expected positions where resistance moves"),
        (0, "resistance-5/ab+/abd+", {"ab": 1}, "expected filed positions"),
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
    with pytest.raises(VerifyError, match="expected positions of kuhn where first moves, got 'kuhn@A'"):
        verify(replace(solution, tables=(more, solution.tables[1])))
    off = {**solution.tables[0], "kuhn@K/check/bet": {"raise": Fraction(1)}}
    with pytest.raises(VerifyError, match="expected a move out of fold, call at kuhn@K/check/bet, got 'raise'"):
        verify(replace(solution, tables=(off, solution.tables[1])))
