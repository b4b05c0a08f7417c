"""Solution files: what is saved comes back, what was tampered with does not, and a killed save leaves a whole file."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import processes
from ruse import games
from ruse.core import rationals
from ruse.forms.certificate import Certificate
from ruse.solution import container, store
from ruse.solution.store import StoreError
from ruse.solving.pipeline import solve
from ruse.verify import VerifyError, verify
from stored import GAMES, ODD_TABLE, Change, content, packed, sealed, set_field, solved, tampered, unpacked

# Round trips


@pytest.mark.cases(3)
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
    out = processes.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
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
    assert rationals.read(rationals.write(long)) == long
    assert rationals.write(number) == str(number)
    assert len(rationals.brief(long)) <= 200


def test_a_long_fraction_is_stored_and_its_lack_is_said() -> None:
    tiny = Fraction(1, 3**20_000)
    table = {"matrix": {"up": tiny, "down": 1 - tiny}}
    solution = replace(solved("matrix"), tables=(table, solved("matrix").tables[1]))
    again = store.loads(store.dumps(solution), "here")
    assert again.tables[0] == table
    with pytest.raises(VerifyError, match=r"strategy of rows .* 1/11, as is claimed, got about 1\.2525\d*e-9543$"):
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
        (b"", r"the solution file is empty \(x.ruse\)"),
        (PNG, r"this is not a ruse solution file: it begins with b'\\x89PNG"),
        (b"PK\x03\x04" + bytes(99), r"this is not a ruse solution file: it begins with b'PK"),
        (b"ruse/", r"this is not a ruse solution file: it begins with b'ruse/'"),
        (b"ruse/1.0 " + b"x" * 10**6, r"the first line is damaged"),
        (b"ruse/" + b"9" * 10**6, r"this is not a ruse solution file"),
        (sealed(b"no gzip"), r"the content is not packed by gzip \(x.ruse\)"),
        (sealed(gzip.compress(b"{}")[:-1]), r"the content is not one whole piece of gzip"),
        (sealed(gzip.compress(b"{}") + b"."), r"the content is not one whole piece of gzip"),
        (packed(b"\xff\xfe"), r"the content is not JSON"),
        (packed(b"{"), r"the content is not JSON"),
        (packed(b"[" * 10**6), r"the content is not JSON"),
        (packed(b"1" * 10**6), r"the content is not JSON"),
        (packed(b'{"a":1,"a":2}'), r"an object has the same name twice"),
        (packed(b'{"seconds":NaN}'), r"expected finite numbers, got NaN"),
        (packed(b"[]"), r"expected an object as the content, got a list"),
        (packed(b"{}"), r"expected a field 'game', got none \(x.ruse\)"),
    ],
)
def test_what_is_no_solution_is_refused_in_one_sentence(found: bytes, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint) as caught:
        store.loads(found, "x.ruse")
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


def test_what_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed(b"[" + b"0," * 10**7)
    assert len(bomb) < 10**5
    monkeypatch.setattr(container, "MOST_BYTES", 10**5)
    with pytest.raises(StoreError, match="the content has more than 100,000 bytes of JSON"):
        store.loads(bomb, "x.ruse")
    with pytest.raises(StoreError, match="the solution file has more than 100,000 bytes"):
        store.loads(bytes(10**5 + 1), "x.ruse")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot read the solution file /.*: it is a folder"):
        store.load(tmp_path)
    with pytest.raises(StoreError, match=r"none.ruse: no such file or directory"):
        store.load(tmp_path / "none.ruse")
    with pytest.raises(StoreError, match=r": not a directory"):
        (tmp_path / "file").touch()
        store.load(tmp_path / "file" / "none.ruse")
    with pytest.raises(StoreError, match="embedded null byte"):
        store.load("nul\0.ruse")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="it is a device or pipe"):
        store.load(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (set_field("game", "chess"), r"unknown game 'chess'; .* \(x.ruse\)"),
        (set_field("game", 1), r"expected a line of text as game, got 1"),
        (set_field("parameters", {"players": 7}), r"kuhn has no parameter 'players'"),
        (set_field("parameters", [[]]), r"expected an object as parameters, got a list"),
        (set_field("sides", ["second", "first"]), r"the sides are not those of kuhn"),
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
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


def test_every_field_is_needed() -> None:
    for name in set(unpacked(content("kuhn"))) - {"identity"}:  # which files of 0.4.0 do not have
        fields = unpacked(content("kuhn"))
        del fields[name]
        with pytest.raises(StoreError, match=f"expected a field '{name}', got none"):
            store.loads(packed(json.dumps(fields).encode()), "x.ruse")


def test_a_file_opens_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("hush")
    with pytest.raises(StoreError, match="a parameter of this game names another file") as caught:
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
