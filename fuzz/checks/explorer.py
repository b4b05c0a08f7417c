"""Games of one name in one folder of the explorer: what is shown is always the game that was asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from random import Random
from time import sleep
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx

import ruse
from fuzz import growing, texts
from fuzz.case import Case, Contradiction, expect
from fuzz.oracle import Flat, Node, solve_table

SOURCE = Path(ruse.__file__).resolve().parents[1]  # the same ruse as in this process
ACCEPT = {"accept": "application/json"}
POSITIONS = {
    "kuhn@K/check/bet": True,
    "kuhn@J": True,
    "kuhn@Z": False,
    "kuhn@K/raise": False,
    "kuhn@": False,
    "kuhn/x": False,
}


def draw(random: Random, payoffs: str | None) -> Case:
    """Two games that look alike: two tables, or two trees of one title."""
    pay = growing.PAYOFFS["whole"]
    how = random.choice(("tables", "tables", "edited", "kuhn", "unknown-position", "twins"))
    while True:
        if how == "tables":
            games = [growing.table(random, pay, 3) for _ in range(2)]
        else:
            games = [growing.tree(random, 12, pay) for _ in range(2)]
        first, second = (Flat(game).value() for game in games)
        if first != second:
            return Case(None, random.getrandbits(32), {"how": how, "games": games})


class Refused(Exception):
    """`ruse explore` that says why not."""


class Page:
    """What `ruse explore` opens, as a program sees it."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.client = httpx.Client(base_url=f"{parts.scheme}://{parts.netloc}", timeout=60)
        self.path, self.query = parts.path, parts.query
        self.title = unquote(parts.path.removeprefix("/p/"))
        self.file = parse_qs(parts.query).get("file", [""])[0]

    def read(self, path: str, query: str) -> Any:
        address = f"{path}.json" + f"?{query}" * bool(query)
        while (answer := self.client.get(address, headers=ACCEPT)).status_code == 202:
            sleep(0.1)
        if answer.status_code != 200:
            raise Contradiction(f"the page {address!r}", f"{answer.status_code}: {answer.text[:300]}", "its value")
        return answer.json()

    def value(self, path: str | None = None, query: str | None = None) -> Fraction:
        told = self.read(self.path if path is None else path, self.query if query is None else query)
        expect("what the page calls exact", told["certificate"]["exact"], True)
        return Fraction(told["certificate"]["lower"])

    def send(self, path: str, sent: dict[str, Any], status: int) -> Any:
        answer = self.client.post(path, json=sent, headers=ACCEPT)
        if answer.status_code != status:
            raise Contradiction(f"what is sent to {path}", f"{answer.status_code}: {answer.text[:300]}", status)
        return answer.json()


@contextmanager
def _exploring(folder: Path, *words: str) -> Iterator[Page]:
    """`ruse explore`, as people start it, with one state folder for all starts."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ruse", "explore", *words, "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(SOURCE)},
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise Refused(process.stderr.read())
        page = Page(address)
        with page.client:
            yield page
    finally:
        process.kill()
        process.communicate()


def check(case: Case) -> None:
    games: list[Node] = case.more["games"]
    values = [Flat(game).value() for game in games]
    how, random = case.more["how"], case.random
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if how == "tables":
            _check_tables(folder, games)
        elif how == "edited":
            _check_edited(folder, games, values, growing.names(random))
        elif how == "kuhn":
            _check_built_in(folder, games[0], values[0])
        elif how == "unknown-position":
            _check_position(folder, random.choice(list(POSITIONS)))
        else:
            _check_twins(folder, games, values)


def _check_tables(folder: Path, games: list[Node]) -> None:
    """One table after the other, and a game begun against it."""
    for game in games:
        payoffs = growing.cells(game)
        typed = "; ".join(" ".join(map(str, row)) for row in payoffs)
        with _exploring(folder, "matrix", f"--payoffs={typed}") as page:
            expect("the value that the page shows of a table", page.value(), solve_table(payoffs)[0])
            asked = {"game": page.title, "side": "rows", "seed": 1} | ({"file": page.file} if page.file else {})
            moves = page.send("/play", asked, 201)["moves"]
            expect("the moves of a game begun in the page", len(moves or ()), len(payoffs))


def _check_edited(folder: Path, games: list[Node], values: list[Any], names: texts.Names) -> None:
    """A file that is changed between two starts."""
    for game, value in zip(games, values, strict=True):
        path = folder / "game.efg"
        path.write_text(texts.efg(game, names), encoding="utf-8")
        with _exploring(folder, str(path)) as page:
            expect("the value that the page shows of an edited file", page.value(), value)


def _check_built_in(folder: Path, game: Node, value: Any) -> None:
    """A file that calls itself kuhn, and then kuhn."""
    path = folder / "poker.efg"
    path.write_text(texts.efg(game, texts.Names("kuhn")), encoding="utf-8")
    with _exploring(folder, str(path)) as page:
        expect("the value that the page shows of a file called kuhn", page.value(), value)
    with _exploring(folder, "kuhn") as page:
        expect("the value that the page shows of kuhn", page.value(), Fraction(-1, 18))


def _check_position(folder: Path, position: str) -> None:
    """A position that does not exist is refused at the start, one that does is shown."""
    known = POSITIONS[position]
    try:
        with _exploring(folder, position) as page:
            if not known:
                raise Contradiction("ruse explore of no position", f"opened {page.path}", "refused")
            page.value()
    except Refused as error:
        if known or "Traceback" in str(error):
            raise Contradiction(f"ruse explore {position}", error, "the position" if known else "refused") from error


def _check_twins(folder: Path, games: list[Node], values: list[Any]) -> None:
    """Two trees of one title, sent by the page's form, then both looked at."""
    shown = []
    with _exploring(folder, "kuhn") as page:
        for game in games:
            sent = {"game": "efg", "parameters": {"text": texts.efg(game, texts.Names("twins"))}}
            job = page.send("/solve", sent, 202)["id"]
            while (told := page.read(f"/jobs/{job}", ""))["state"] in ("waiting", "running"):
                sleep(0.05)
            if told["state"] != "done":
                raise Contradiction("a job of the page", told, "done")
            shown.append(told["open"].partition("?"))
        for (path, _, query), value in zip(shown, values, strict=True):
            expect("the value that the page shows of one of two twins", page.value(path, query), value)
