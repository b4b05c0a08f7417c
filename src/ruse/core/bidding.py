"""Games of rising bids, in plain numbers: hands are dealt, and then all moves are seen.

The sides bid in turns, side 0 first, each time higher than the last bid, or call it. A bid is true where what both
hands count towards it is enough; who bid wins then, else who called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruse.core.game import GameError


@dataclass(frozen=True)
class Bidding:
    """A side's hand is dealt by `weights`, whatever the other's: both sides' hands are the same."""

    hands: Sequence[str]  # as positions name them
    bids: Sequence[str]  # the same, lowest first
    call: str
    weights: Sequence[int]  # of each hand, in proportion
    counts: Sequence[Sequence[int]]  # of each bid, what each hand counts towards it
    needs: Sequence[int]  # of each bid, what it takes to be true

    def check(self) -> None:
        """Raise GameError where these are not numbers of such a game."""
        if not self.weights or min(self.weights) < 1:
            raise GameError(f"expected hands of a weight of at least 1, got {list(self.weights)}")
        if len(self.hands) != len(self.weights):
            raise GameError(f"expected a weight for each of {len(self.hands)} hands, got {len(self.weights)}")
        if not len(self.counts) == len(self.needs) == len(self.bids) or not self.needs:
            raise GameError(f"expected as many needs as bids, at least 1, got {len(self.needs)} for {len(self.bids)}")
        for bid, (row, need) in enumerate(zip(self.counts, self.needs, strict=True)):
            if len(row) != len(self.weights) or min(row) < 0:
                raise GameError(f"expected a count of at least 0 for each of {len(self.weights)} hands, got {row}")
            if need < 1:
                raise GameError(f"expected bid {bid} to need at least 1, got {need}")
