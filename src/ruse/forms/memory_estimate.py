"""The size of a sequence form, and the memory that building it takes, estimated before it is built.

Counts come from a sampled walk (`ruse.forms.sampled_walk`). Bytes follow from them by one formula per representation:

    a form              its entries and its sets, with what the sets are in the rules
    a walk on arrays    for the level that takes most: what is kept of all levels before it, the nodes of the level, and
                        either the keys of its sets or the nodes that follow; at the end, the payoffs that are added up
    a walk by rules     Python's objects for a set and for a payoff, measured on those that the sample has met
"""

from __future__ import annotations

from dataclasses import dataclass

from ruse.core import size_estimate
from ruse.core.capabilities import Bulk, Memoryless
from ruse.core.contract import checked
from ruse.core.game import Game, GameError
from ruse.forms.sampled_walk import ArraySample, RulesSample, Sample, TooLargeToSample

NODES_OF_LEVEL = 10_000  # that a sample on arrays looks at
MOVES_AT_ONCE = 1_000  # that a sample by the rules looks at, or
PART = 400  # that part of all nodes, if that is more
MOST_MOVES = 80_000  # after which a sample by the rules gives up, or
SHARE = 6  # that part of all nodes, if that is more
PROBES = 2_000  # random plays, and
SURE = 0.05  # how wrong they may be, to be better than a sampled number of nodes
SLACK = 1.2  # times the bytes in use, that a process takes while a form is built: measured

ENTRY_BYTES = 4 + 4 + 8  # of a form: row, column and payoff
SET_BYTES = 4 + 4  # of a set in it: its parent and its first sequence
WAY_BYTES = 4 + 4  # of a node that was walked on arrays: where it came from, by which move
MET_BYTES = 4  # of a set that was met there: at which node


@dataclass(frozen=True)
class FormEstimate:
    """About how large a form is, and how many bytes it takes: at most while it is built, and from then on."""

    nodes: int
    ends: int
    entries: int
    sets: tuple[int, int]
    sequences: tuple[int, int]
    building: int
    built: int
    exact: bool  # whether the sample left nothing out: the counts are those of the form


def estimate_form(game: Game, nodes: int) -> FormEstimate | None:
    """Estimate the form of a game of about so many nodes; None where too little can be left out of a sample."""
    if isinstance(game, Memoryless):
        return None
    try:
        return estimate_on_arrays(game) if isinstance(game, Bulk) else estimate_by_rules(game, nodes)
    except (TooLargeToSample, GameError):  # faults of rules are reported by the walk that builds the form
        return None


def estimate_on_arrays(game: Bulk, most: int = NODES_OF_LEVEL) -> FormEstimate:
    """Estimate the form of a game with rules on arrays, by samples of about so many nodes of each level."""
    first, second = (ArraySample(game, side, most).walk() for side in (0, 1))
    inner = (first.nodes + second.nodes - first.ends - second.ends) / 2
    replayed = inner * WAY_BYTES + (first.sets + second.sets) * MET_BYTES
    return _combined(first, second, (first.building + second.building) / 2, replayed)


def estimate_by_rules(game: Game, nodes: int, most: int | None = None) -> FormEstimate:
    """Estimate the form of any other game, of about so many nodes, by samples of about so many moves at once."""
    game = checked(game)
    wide, moves = max(MOVES_AT_ONCE, nodes // PART) if most is None else most, max(MOST_MOVES, nodes // SHARE)
    sample = RulesSample(game, 0, wide, moves)
    first = sample.walk()
    second = sample.other_side() or RulesSample(game, 1, wide, moves).walk()
    if not (first.complete and second.complete):
        probed = size_estimate.probed(game, PROBES, SURE)
        if probed is not None:
            first, second = (estimate.scaled(probed / estimate.nodes) for estimate in (first, second))
    sets = first.sets * first.set_bytes + second.sets * second.set_bytes
    entries = first.entries * first.entry_bytes + second.entries * second.entry_bytes
    return _combined(first, second, entries / 2 + sets, sets)


def _combined(first: Sample, second: Sample, building: float, named: float) -> FormEstimate:
    """Combine the samples of both sides, with the bytes of what the sets are in the rules."""
    nodes, ends, entries = (
        round(sum(pair) / 2)
        for pair in ((first.nodes, second.nodes), (first.ends, second.ends), (first.entries, second.entries))
    )
    sets, sequences = (round(first.sets), round(second.sets)), (round(first.sequences), round(second.sequences))
    built = entries * ENTRY_BYTES + sum(sets) * SET_BYTES + round(named)
    exact = first.complete and second.complete
    return FormEstimate(nodes, ends, entries, sets, sequences, max(round(SLACK * building), built), built, exact)
