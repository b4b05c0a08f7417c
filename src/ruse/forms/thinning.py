"""Leaving out a part of what there is by chance, so that what is left tells of all: one in f stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

FEWEST = 32  # sets that are left: fewer would tell little


class Hopeless(Exception):
    """What a side knows leaves too little out: many nodes lie in few sets."""


@dataclass
class Tally:
    """What a walk by one side's sets has come to, each counted as often as its weight says."""

    nodes: float = 0
    ends: float = 0
    entries: float = 0
    sets: float = 0
    sequences: float = 1
    weight: int = 1  # of each node that is still there
    playing: float = 0  # bytes, at most, of what is walked on arrays,
    adding_up: float = 0  # and when payoffs are added up
    set_bytes: float = 0  # of one that is written down by the rules
    entry_bytes: float = 0
    met: bool = False  # whether all sets and sequences were met, although nodes were left out

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return self.weight == 1

    def scaled(self, by: float) -> Tally:
        """The same where there are so many times as many nodes."""
        return replace(
            self,
            nodes=self.nodes * by,
            ends=self.ends * by,
            entries=self.entries * by,
            sets=self.sets if self.met else self.sets * by,
            sequences=self.sequences if self.met else self.sequences * by,
        )


def factor_for(nodes: int, groups: int, most: int) -> int:
    """One in how many groups is to stay, for about `most` of the nodes to be left."""
    return max(1, min(-(-nodes // most), groups // FEWEST))


def one_in(many: int, factor: int, random: Random) -> list[int]:
    """Some of so many things, each with odds of one in `factor`: one of each stretch of so many neighbours."""
    chosen = (begin + random.randrange(factor) for begin in range(0, many, factor))
    return [place for place in chosen if place < many]
