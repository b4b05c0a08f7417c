"""What is compared, by kind of game. KINDS says how often each kind is drawn, and how long one may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from random import Random

from fuzz.case import Case


@dataclass(frozen=True)
class Kind:
    module: str  # in this folder, with `draw` and `check`
    share: float  # of all games
    seconds: float  # after which a game counts as hanging
    about: str

    def draw(self, random: Random, payoffs: str | None) -> Case:
        draw: Callable[[Random, str | None], Case] = import_module(f"fuzz.checks.{self.module}").draw
        return draw(random, payoffs)

    def check(self, case: Case) -> None:
        """Raises Contradiction."""
        check: Callable[[Case], None] = import_module(f"fuzz.checks.{self.module}").check
        check(case)


KINDS: dict[str, Kind] = {
    "own": Kind("own_games", 180, 60, "somebody's own games with settings that hide, through all that keeps or trusts"),
    "trees": Kind("trees", 50, 60, "small trees by every solver, exported, reread, saved, verified, viewed"),
    "public": Kind("public", 12, 60, "the same for games whose hands are hidden and whose moves are seen"),
    "tables": Kind("tables", 16, 60, "payoff tables, typed and in files, by every solver"),
    "large": Kind("large", 4, 120, "trees of about 400 nodes by the solver that ruse chooses"),
    "broken": Kind("broken", 12, 20, "rules that break the contract: refused in a sentence"),
    "seats": Kind("seats", 1.5, 120, "small tables of The Resistance, with and without reductions"),
    "commands": Kind("commands", 2, 60, "the command line on files with odd names"),
    "listed": Kind("listed", 1, 20, "the games that come with ruse, written out and read again"),
    "threads": Kind("threads", 0.5, 120, "many solves at once"),
    "resumed": Kind("resumed", 0.5, 60, "checkpoints that a later run must not lose"),
    "explorer": Kind("explorer", 0.5, 120, "games of one name in one folder of the explorer"),
}
