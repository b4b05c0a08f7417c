"""The command line on files with odd names: right answers, right statuses, no traceback, on any terminal."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from fuzz import growing, texts
from fuzz.case import Case, Contradiction, expect
from fuzz.checks.solutions import BOUNDED
from fuzz.checks.tables import layout
from fuzz.oracle import Choice, Flat, nodes, solve_table
from ruse.cli.program import main


def draw(random: Random, payoffs: str | None) -> Case:
    _, pay = growing.payoffs(random, payoffs)
    tree = growing.tree(random, random.choice((1, 5, 10, 20, 30)), pay)
    return Case(tree, random.getrandbits(32))


class Ran:
    """What a command said, and its status."""

    def __init__(self, words: Sequence[str], typed: str = "", encoding: str = "utf-8") -> None:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding, errors="strict", newline="\n") for _ in range(2))
        streams = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(typed), out, err
        try:
            self.status = main(list(words))
        except SystemExit as left:  # how argparse ends
            self.status = int(left.code or 0)
        except Exception as error:
            raise Contradiction(f"ruse {words[0]}", repr(error), "no traceback") from error
        finally:
            sys.stdin, sys.stdout, sys.stderr = streams
        for stream in (out, err):
            stream.flush()
        self.out, self.err = (stream.buffer.getvalue().decode(encoding) for stream in (out, err))
        if "Traceback" in self.err:
            raise Contradiction(f"ruse {words[0]}", self.err, "no traceback")

    def ok(self, words: Sequence[str]) -> Ran:
        if self.status != 0:
            raise Contradiction(f"ruse {' '.join(words[:1])}", f"status {self.status}: {self.err}", "status 0")
        return self


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for files and for what ruse keeps."""
    before = os.environ.get("XDG_STATE_HOME")
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_STATE_HOME"] = str(Path(name, "state"))
        try:
            yield Path(name)
        finally:
            os.environ.pop("XDG_STATE_HOME")
            if before is not None:
                os.environ["XDG_STATE_HOME"] = before


def check(case: Case) -> None:
    assert case.tree is not None
    random, tree = case.random, case.tree
    names = growing.names(random)
    value = Flat(tree).value()
    encoding = random.choice(("utf-8", "ascii", "latin-1"))
    with _folder() as folder:
        file, out = folder / "game.efg", folder / "game.ruse"
        file.write_text(texts.efg(growing.renamed(tree, random), names), encoding="utf-8")
        words = ["solve", str(file), "--json", "--out", str(out)]
        told = _check_json(Ran(words, encoding=encoding).ok(words), value)
        if encoding != "utf-8":
            expect("the text of a file in JSON", told["parameters"]["text"], file.read_text(encoding="utf-8"))
        for words in (["verify", str(out)], ["show", str(out), "--all"], ["show", str(out), "--json"]):
            Ran(words, encoding=encoding).ok(words)
        words = ["solve", str(file)]
        said = Ran(words).ok(words).out
        _check_screen(said, value, names)
        words = ["export", str(out), "--efg", str(folder / "again.efg"), "--csv", str(folder / "again.csv")]
        Ran(words).ok(words)
        words = ["solve", str(folder / "again.efg"), "--json"]
        _check_json(Ran(words).ok(words), value)
        side = random.choice(((), ("--side", "0"), ("--side", "1")))
        words = ["play", str(file), "--seed", "1", *side]
        typed = "".join(random.choice(("1\n", "2\n", "hint\n", "?\n")) for _ in range(60)) + "q\n"
        ran = Ran(words, typed)
        if any(isinstance(node, Choice) for node in nodes(tree)):  # else there is nothing to play
            ran.ok(words)
        _check_typed(random)


def _check_json(ran: Ran, value: Fraction | None) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(ran.out)
    except ValueError as error:
        raise Contradiction("ruse solve --json", f"{error}: {ran.out[:200]!r}", "JSON") from error
    expect("the value that ruse solve --json prints", told["value"]["exact"], str(value))
    return told


def _check_screen(said: str, value: Fraction | None, names: texts.Names) -> None:
    if BOUNDED.search(said.splitlines()[0]) or "; exact" not in said:
        raise Contradiction("ruse solve", said.splitlines()[0], f"{value}, exact")
    for name in names.players if len(set(names.players)) == 2 else ():  # equal names are numbered
        if not (name.isalnum() and name.isascii() and len(name) < 100):
            continue
        headed = {"first": "Player 1", "second": "Player 2"}.get(name, f"{name[0].upper()}{name[1:]}")
        if f"\n{headed}." not in said:
            raise Contradiction("the name that heads a strategy", said, f"{name} as it is written")


def _check_typed(random: Random) -> None:
    """Payoffs as people type or paste them."""
    payoffs = growing.cells(growing.table(random, growing.PAYOFFS["whole"], 4))
    words = ["solve", "matrix", f"--payoffs={layout(payoffs, random)}", "--json"]
    _check_json(Ran(words).ok(words), solve_table(payoffs)[0])
