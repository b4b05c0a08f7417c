"""Games of one name in one folder of the explorer: what is shown is always the game that was asked for."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path
from random import Random
from time import sleep
from typing import Any
from urllib.parse import quote

import httpx
import uvicorn

from fuzz import growing, texts
from fuzz.case import Case, Contradiction, expect
from fuzz.oracle import Flat, Node, solve_table
from ruse.explorer.app import create_app
from ruse.explorer.library import Library
from ruse.explorer.serve import listen
from ruse.explorer.settings import Settings
from ruse.game import RuseError

ACCEPT = {"accept": "application/json"}


def draw(random: Random, payoffs: str | None) -> Case:
    """Two games that look alike: two tables, or two trees of one title."""
    pay = growing.PAYOFFS["whole"]
    while True:
        if random.random() < 0.4:
            games = [growing.table(random, pay, 3) for _ in range(2)]
            how = "tables"
        else:
            games = [growing.tree(random, 12, pay) for _ in range(2)]
            how = random.choice(("edited", "kuhn", "unknown-position", "solved-by-form"))
        first, second = (Flat(game).value() for game in games)
        if first != second:
            return Case(None, random.getrandbits(32), {"how": how, "games": games})


@contextmanager
def _exploring(
    folder: Path, given: str, parameters: Mapping[str, object] | None = None
) -> Iterator[tuple[httpx.Client, str]]:
    """The explorer as `ruse explore` starts it, on a port of its own, and the position that it opens."""
    with closing(listen("127.0.0.1", 0)) as socket:
        port = socket.getsockname()[1]
        settings = Settings(folder / "solutions", folder / "sessions", port=port, patience=60.0)
        library = Library(settings.folder, [given], None, parameters or {})
        config = uvicorn.Config(create_app(library, settings), log_level="critical", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
        thread.start()
        try:
            while not server.started:
                sleep(0.01)
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=90) as client:
                yield client, library.asked_for[0]
        finally:
            server.should_exit = True
            thread.join()


def _value(client: Any, position: str) -> Fraction:
    return _read(client, f"/p/{quote(position)}.json")


def _read(client: Any, address: str) -> Fraction:
    answer = client.get(address)
    if answer.status_code != 200:
        raise Contradiction(f"the page {address!r}", f"{answer.status_code}: {answer.text[:300]}", "its value")
    told = answer.json()
    expect("what the page calls exact", told["certificate"]["exact"], True)
    return Fraction(told["certificate"]["lower"])


def check(case: Case) -> None:
    random, how = case.random, case.more["how"]
    games: list[Node] = case.more["games"]
    values = [Flat(game).value() for game in games]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "solutions").mkdir()
        if how == "tables":
            _check_tables(folder, games, random)
        elif how == "edited":
            _check_edited(folder, games, values, random)
        elif how == "kuhn":
            _check_built_in(folder, games[0], values[0])
        elif how == "unknown-position":
            _check_unknown(folder, random)
        else:
            _check_forms(folder, games, values)


def _check_tables(folder: Path, games: list[Node], random: Random) -> None:
    """One table after the other, and a game begun against it."""
    for game in games:
        payoffs = growing.cells(game)
        typed = "; ".join(" ".join(map(str, row)) for row in payoffs)
        with _exploring(folder, "matrix", {"payoffs": typed}) as (client, position):
            expect("the value that the page shows of a table", _value(client, position), solve_table(payoffs)[0])
            answer = client.post("/play", json={"game": position, "side": "rows", "seed": 1}, headers=ACCEPT)
            if answer.status_code != 201:
                raise Contradiction("a game begun in the page", f"{answer.status_code}: {answer.text[:200]}", "begun")
            moves = answer.json()["moves"]
            expect("the moves of a game begun in the page", len(moves or ()), len(payoffs))


def _check_edited(folder: Path, games: list[Node], values: list[Any], random: Random) -> None:
    """A file that is changed between two starts."""
    names = growing.names(random)
    for game, value in zip(games, values, strict=True):
        path = folder / "game.efg"
        path.write_text(texts.efg(game, names), encoding="utf-8")
        with _exploring(folder, str(path)) as (client, position):
            expect("the value that the page shows of an edited file", _value(client, position), value)


def _check_built_in(folder: Path, game: Node, value: Any) -> None:
    """A file that calls itself kuhn, and then kuhn."""
    path = folder / "kuhn.efg"
    path.write_text(texts.efg(game, texts.Names("kuhn")), encoding="utf-8")
    with _exploring(folder, str(path)) as (client, position):
        expect("the value that the page shows of a file called kuhn", _value(client, position), value)
    with _exploring(folder, "kuhn") as (client, position):
        expect("the value that the page shows of kuhn", _value(client, position), Fraction(-1, 18))


def _check_unknown(folder: Path, random: Random) -> None:
    """A position that does not exist is refused at the start, one that does is shown."""
    position = random.choice(("kuhn@Z", "kuhn@K/raise", "kuhn@", "kuhn@K/check/bet", "kuhn@J", "kuhn/x"))
    known = position in ("kuhn@K/check/bet", "kuhn@J")
    try:
        with _exploring(folder, position) as (client, asked):
            status = client.get(f"/p/{quote(asked)}.json").status_code
    except RuseError as error:
        if known:
            raise Contradiction(f"ruse explore {position}", error, "the position") from error
        return
    if not known:
        raise Contradiction("ruse explore of no position", f"opened {asked!r}, with status {status}", "refused")
    expect(f"the page of {position}", status, 200)


def _check_forms(folder: Path, games: list[Node], values: list[Any]) -> None:
    """Two trees of one title, sent by the page's form, then both looked at."""
    shown = []
    with _exploring(folder, "kuhn") as (client, _):
        for game in games:
            sent = {"game": "efg", "parameters": {"text": texts.efg(game, texts.Names("twins"))}}
            answer = client.post("/solve", json=sent, headers=ACCEPT)
            if answer.status_code != 202:
                raise Contradiction("a form that is sent", f"{answer.status_code}: {answer.text[:300]}", "a job")
            job = answer.json()["id"]
            while (told := client.get(f"/jobs/{job}.json").json())["state"] in ("waiting", "running"):
                sleep(0.05)
            if told["state"] != "done":
                raise Contradiction("a job of the page", told, "done")
            path, _, query = told["open"].partition("?")
            shown.append(f"{path}.json?{query}")
        for address, value in zip(shown, values, strict=True):
            expect("the value that the page shows of one of two twins", _read(client, address), value)
