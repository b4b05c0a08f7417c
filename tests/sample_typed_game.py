"""A game of somebody's own with type annotations. Nobody imports it: `make types` checks it."""

from __future__ import annotations

from fractions import Fraction

import ruse

State = tuple[str, ...]


class Pennies:
    """Matching pennies, with the seven methods and no base class."""

    def start(self) -> State:
        return ()

    def turn(self, state: State) -> int:
        return len(state) if len(state) < 2 else ruse.END

    def moves(self, state: State) -> tuple[str, ...]:
        return ("heads", "tails")

    def odds(self, state: State) -> tuple[int, ...]:
        return ()

    def play(self, state: State, move: str) -> State:
        return (*state, move)

    def knows(self, state: State, side: int) -> State:
        return state[side : side + 1]

    def payoff(self, state: State) -> int:
        return 1 if state[0] == state[1] else -1


solution: ruse.Solution = ruse.solve(Pennies(), "cfr+", gap=0.01)
odds: dict[str, Fraction] = solution.strategy("Player 1")["pennies"]
gap: Fraction | float = ruse.exploitability(Pennies(), solution)
form: ruse.SequenceForm = ruse.sequence_form(Pennies())
for step in ruse.iterate(Pennies(), iterations=3):
    lower: Fraction = step.bounds().lower
ruse.solve("pennies")  # type: ignore[arg-type]  # which mypy calls unused if it finds no error here
