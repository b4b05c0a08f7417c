"""How much memory sequence forms take: `python -m benchmarks.memory`.

Each game in a process of its own: what is told before its form is written down (`ruse.solving.form_memory`), and what
is taken then, as the system counts it: the most while the form is written down; the most of that, refining, running
CFR+ on the form as it is, certifying, and writing the strategies down. Then the state that a run keeps (the form and
the run's arrays), and how many times that building and running take at most. What Python and the compiled sweeps take
by themselves is in none of them.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.core.game import CHANCE, END

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"Liar's dice {faces}": ("liars-dice", {"faces": faces}) for faces in (6, 7, 8)},
    "Goofspiel 6": ("goofspiel", {"cards": 6}),
    "Battleship 2×3": ("battleship", {"board": "2x3", "shots": 2}),
    "Battleship 2×4": ("battleship", {"board": "2x4", "shots": 2}),
    "Oshi-zumo 7": ("oshi-zumo", {"coins": 7}),
    "Poker 5×3": ("poker", {"ranks": 5, "suits": 3}),
    "Resistance 4": ("resistance", {"players": 4, "spies": 2, "missions": [1, 2, 1, 2, 2]}),
    "Resistance 5": ("resistance", {"players": 5}),
}
LARGE = ("Resistance 5",)  # runs on its classes only, as its whole form takes gigabytes by itself
OWN = ("One card of 300", "Nothing hidden")
HEAD = (
    "game", "nodes", "form: told", "taken", "told / taken", "as it is: told", "taken", "told / taken", "state",
    "times the state",
)  # fmt: skip


class OneCard:
    """Anybody's poker: one card each out of many, ante 1, bet 1. A state is both cards, or -1, and the moves."""

    name = "one-card"
    sides = ("first", "second")
    wins = ()

    def __init__(self, cards: int) -> None:
        self.cards, self.title, self.parameters = cards, f"one-card-{cards}", {"cards": cards}

    def start(self) -> tuple[int, int, str]:
        return (-1, -1, "")

    def turn(self, state: tuple[int, int, str]) -> int:
        return CHANCE if state[1] < 0 else {"": 0, "c": 1, "b": 1, "cb": 0}.get(state[2], END)

    def moves(self, state: tuple[int, int, str]) -> Sequence[int | str]:
        first, second, history = state
        if second < 0:
            return [card for card in range(self.cards) if card != first]
        return ("c", "b") if history in ("", "c") else ("f", "k")

    def odds(self, state: tuple[int, int, str]) -> Sequence[Fraction]:
        count = len(self.moves(state))
        return [Fraction(1, count)] * count

    def play(self, state: tuple[int, int, str], move: int | str) -> tuple[int, int, str]:
        first, second, history = state
        if isinstance(move, str):
            return (first, second, history + move)
        return (move, -1, "") if first < 0 else (first, move, "")

    def knows(self, state: tuple[int, int, str], side: int) -> tuple[int, str]:
        return state[side], state[2]

    def payoff(self, state: tuple[int, int, str]) -> int:
        first, second, history = state
        if history.endswith("f"):
            return -1 if history == "cbf" else 1
        return (2 if history.endswith("k") else 1) * (1 if first > second else -1)

    def label(self, move: int | str) -> str:
        return str(move)

    def format_position(self, knowledge: tuple[int, str]) -> str:
        return f"@{knowledge[0]}/{knowledge[1]}"


class NothingHidden:
    """Anybody's game in which each state is an information set of its own. A state is the moves so far."""

    name = "nothing-hidden"
    sides = ("first", "second")
    wins = ()

    def __init__(self, wide: int, long: int) -> None:
        self.wide, self.long = wide, long
        self.title, self.parameters = f"nothing-hidden-{wide}-{long}", {"wide": wide, "long": long}

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> int:
        return END if len(state) == self.long else len(state) % 2

    def moves(self, state: tuple[int, ...]) -> Sequence[int]:
        return range(self.wide)

    def odds(self, state: tuple[int, ...]) -> Sequence[Fraction]:
        return ()

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def knows(self, state: tuple[int, ...], side: int) -> tuple[int, ...]:
        return state

    def payoff(self, state: tuple[int, ...]) -> int:
        return (sum((place + 1) * move for place, move in enumerate(state)) * 7919) % 11 - 5

    def label(self, move: int) -> str:
        return str(move)

    def format_position(self, knowledge: tuple[int, ...]) -> str:
        return "".join(f"/{move}" for move in knowledge)


def most() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def taken() -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) << 10


def made(name: str) -> Any:
    from ruse.core.contract import checked
    from ruse.core.own import as_game
    from ruse.games import make

    if name not in OWN:
        return make(*GAMES[name])
    return checked(as_game(OneCard(300) if name == OWN[0] else NothingHidden(5, 8)))


def told(name: str) -> dict[str, int]:
    """What is said before the work, in a process that does nothing else."""
    from ruse.solvers import find
    from ruse.solving import form_memory

    form_memory.SMALL_BULK = form_memory.SMALL_WALKED = 0
    written = name not in LARGE and not name.startswith("Resistance")
    estimate = form_memory.estimate_memory(made(name), find("cfr+"), written=written)
    assert estimate.form is not None
    return {"nodes": estimate.form.nodes, "told_form": estimate.building, "told": estimate.most}


def measured(name: str) -> dict[str, int]:
    """What is taken, in a process that has done nothing else."""
    import ruse
    from ruse.forms.integer_form import Compiled
    from ruse.forms.reductions import refined as refining
    from ruse.forms.reductions.refined import refined
    from ruse.forms.sequence_form import sequence_form
    from ruse.solvers.cfr import Cfr
    from ruse.solvers.variants import VARIANTS
    from ruse.solving.writing import as_tables, odds_of

    refining.LARGE = 0  # compiled loops for all
    for small in (ruse.games.liars_dice(3), ruse.games.kuhn()):
        ruse.solve(small, "cfr+", iterations=2)
        refined(sequence_form(small), 1.0)
    game = made(name)
    before, least = taken(), most()
    form = sequence_form(game)
    building = most() - least
    alike = refined(form)
    compiled = Compiled(alike.form if alike is not None and name in LARGE else form)
    run = Cfr(compiled, VARIANTS["cfr+"])
    run.run(2)
    certified = compiled.certify(run.weights())
    state, solving = taken() - before, most() - least
    if not name.startswith("Resistance"):  # whose strategies are written down by class
        plans = certified.fractions()
        del compiled, run, certified, alike
        _ = as_tables(game, odds_of(form, plans))
    return {"form": building, "state": state, "solving": solving, "taken": most() - least}


def line(name: str, row: dict[str, int]) -> str:
    cells = [name, f"{row['nodes']:,}"]
    for said, found in (("told_form", "form"), ("told", "taken")):
        if name in LARGE and said == "told":
            cells += [f"{row[said] / 1e6:,.0f} MB", "–", "–"]
        else:
            cells += [f"{row[key] / 1e6:,.0f} MB" for key in (said, found)] + [f"{row[said] / row[found]:.2f}"]
    cells += [f"{row['state'] / 1e6:,.0f} MB", f"{max(row['form'], row['solving']) / row['state']:.1f}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    everything = (*GAMES, *OWN)
    parser.add_argument("--games", default=",".join(everything), help="some of: " + ", ".join(everything))
    parser.add_argument("--tell", help=argparse.SUPPRESS)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.tell or given.measure:
        print(json.dumps(told(given.tell) if given.tell else measured(given.measure)))
        return
    print(f"| {' | '.join(HEAD)} |\n" + "|---" * len(HEAD) + "|")
    for name in given.games.split(","):
        row: dict[str, int] = {}
        for what in ("--tell", "--measure"):
            command = [sys.executable, "-m", "benchmarks.memory", what, name]
            row |= json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(line(name, row), flush=True)


if __name__ == "__main__":
    main()
