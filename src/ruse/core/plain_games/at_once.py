"""Games in which both sides choose once, at the same time.

As a tree, side 0 chooses and then side 1, without seeing it: `TITLE/?` is all that side 1 knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruse.core.game import END, PositionError, Titled

Chosen = tuple[str, ...]  # (), then the choice of side 0, then both
HIDDEN = "?"


class AtOnce(Titled):
    """All of the rules but the moves and the payoff."""

    def start(self) -> Chosen:
        return ()

    def turn(self, state: Chosen) -> int:
        return len(state) if len(state) < 2 else END

    def odds(self, state: Chosen) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Chosen, move: str) -> Chosen:
        return (*state, move)

    def knows(self, state: Chosen, side: int) -> Chosen:
        return (HIDDEN,) if side == 1 and len(state) == 1 else state

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Chosen) -> str:
        return "".join(f"/{move}" for move in knowledge)
