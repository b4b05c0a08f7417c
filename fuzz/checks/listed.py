"""Games that come with ruse: written as a file and read again, or refused in a sentence, but never without end."""

from __future__ import annotations

from random import Random
from typing import Any

import ruse
from fuzz import texts
from fuzz.case import Case, Contradiction, expect
from fuzz.oracle import Flat, pruned, solve_table
from ruse.core.game import RuseError
from ruse.formats.efg import write_efg
from ruse.formats.nfg import write_nfg

SMALL: dict[str, list[dict[str, Any]]] = {
    "kuhn": [{}],
    "mini-poker": [{}],
    "kubicek": [{}],
    "rock-paper-scissors": [{}, {"paper_beats_rock": "1/2"}],
    "liars-dice": [{"faces": 2}, {"faces": 3}],
    "goofspiel": [{"cards": 2}, {"cards": 3}],
    "oshi-zumo": [{"coins": 2}],
    "battleship": [{"board": "1x2", "ships": [1], "values": [1], "shots": 1}],
    "guess-who": [{"mine": 2, "theirs": 2}, {"mine": 3, "theirs": 2}],
    "nim": [{}, {"heaps": [1, 2]}, {"heaps": [1, 1, 2]}],
    "pig": [{"goal": 3}, {"goal": 10}],
    "morra": [{}],
    "resistance": [{"players": 2, "spies": 1, "missions": [1, 1, 1, 1, 1]}],
}
MOST_ENTRIES = 2_000


def draw(random: Random, payoffs: str | None) -> Case:
    name = random.choice(list(SMALL))
    return Case(None, random.getrandbits(32), {"name": name, "parameters": random.choice(SMALL[name])})


def check(case: Case) -> None:
    name, parameters = case.more["name"], case.more["parameters"]
    game = ruse.games.make(name, parameters)
    value = ruse.solve(game).value
    for write in (write_efg, write_nfg):
        try:
            text = write(game)
        except RuseError:
            continue
        try:
            again = ruse.games.efg(text=text) if write is write_efg else ruse.games.nfg(text=text)
        except RuseError as error:
            raise Contradiction(f"what ruse wrote of {name}", error, "a file that ruse reads") from error
        expect(f"the value of {game.title}, written and read again", ruse.solve(again).value, value)
        if write is write_efg:
            flat = Flat(pruned(texts.read_efg(text)))
            found = flat.value(100) if len(flat.leaves) <= MOST_ENTRIES else None
        else:
            table = texts.read_nfg(text)
            found = solve_table(table)[0] if len(table) * len(table[0]) <= MOST_ENTRIES else None
        if found is not None:
            expect(f"the value of {game.title}", value, found)
