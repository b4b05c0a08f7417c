"""Estimate how much memory a game's sequence form takes, report it, and refuse forms that do not fit.

For a small game the number of nodes gives a bound. For a larger one a sampled walk gives an estimate
(`ruse.forms.memory_estimate`) of the memory for the form itself, and for solving it without reductions: the solver's
arrays or the strategies, whichever is more. Symmetry may leave less to solve, but only the finished form shows that.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from ruse.core import clock, size_estimate
from ruse.core.capabilities import Bulk
from ruse.core.game import Game, GameError, State, describe
from ruse.core.object_bytes import FRACTION, PLACE, SLOT, each
from ruse.core.size_estimate import gigabytes
from ruse.core.types import Report
from ruse.core.walk import sampled_visits
from ruse.solvers import AUTO, SolverSpec

if TYPE_CHECKING:
    from ruse.forms.memory_estimate import FormEstimate
    from ruse.forms.sequence_form import FormArrays

SMALL_BULK, SMALL_WALKED = 1_250_000, 500_000  # nodes of a game that fits on any machine
REPORTED, REPORTED_BOUND = 200e6, 750e6  # bytes from which the memory is reported: by an estimate, by a bound
MUCH_MORE = 1.1  # times the memory of a form, from which the memory for solving it is reported apart
MOST_SEEN = 60_000_000  # nodes on arrays from which symmetry is found in seconds
SLOWLY = 4e-6  # seconds to allow for a node on arrays, which takes a tenth of a microsecond
SLOWLY_SOLVED = 1e-5  # seconds to allow for solving it: liar's dice with 9 faces takes half of that on quiet cores
ROOM = 1.5  # times as many nodes as estimated may be walked
VISITS = 2_000  # states of random plays from which the size of strategies is estimated

# Bytes that solvers need for each entry and for each sequence, both sides included.
COMPILED = (2 * (4 + 8 + 8), 4)  # column, value and whole payoff of each side; the start of a row
LAID_OUT = (4 + 1, 8 + 4)  # of one side at a time: column and value in strips; places and parents
BLOCKS = (8 + 8 + 1 + 2 * (8 + 4 + 4), 4 * 8)  # rows, columns and input of the blocks; places in parts
MOVING = (0, 2 * 8)  # regrets and odds; the rest is allocated after the input of the blocks is freed
LP = "lp"
HIGHS = 350  # bytes for each number of an LP, measured: HiGHS has its own copies, presolved and factorized
ADVICE = "use mccfr, which never builds the tree, or smaller parameters"
PLAN = 2 * (FRACTION + PLACE)  # bytes of a sequence: its weight and its odds as fractions


@dataclass(frozen=True)
class MemoryEstimate:
    """The bytes for building a form, for solving it without reductions, and for writing the strategies down.

    Without an estimate of the form (of a small or far too large game) these are bounds from the number of nodes.
    """

    nodes: int
    form: FormEstimate | None
    building: int
    solving: int
    writing: int

    @property
    def most(self) -> int:
        return max(self.building, self.solving, self.writing)

    @property
    def memory(self) -> str:
        """The memory as a text for people."""
        if self.form is None:
            return f"at most {gigabytes(self.building)} of memory"
        building = f"about {gigabytes(self.building)} of memory"
        if self.most <= MUCH_MORE * self.building:
            return building
        return f"{building}, {gigabytes(self.most)} to solve it without reductions"

    def __str__(self) -> str:
        if self.form is None:
            return f"a tree of about {_rounded(self.nodes):,} nodes"
        counts = (*self.form.sequences, self.form.entries)
        first, second, entries = (f"{count:,}" if self.form.exact else f"{_rounded(count):,}" for count in counts)
        return f"{'' if self.form.exact else 'about '}{first} + {second} sequences and {entries} payoffs"

    def to_json(self) -> dict[str, Any]:
        """The estimate for programs; empty if there are only bounds."""
        if self.form is None:
            return {}
        counts = {"sequences": list(self.form.sequences), "payoffs": self.form.entries}
        return {"about": counts | {"building_bytes": self.building, "solving_bytes": self.most}}


def estimate_memory(game: Game, solver: SolverSpec, written: bool = True) -> MemoryEstimate:
    """Estimate the memory of a game's form, and of its strategies if they are to be written down."""
    bulk = isinstance(game, Bulk)
    most = int(
        size_estimate.SHARE
        * size_estimate.free_bytes()
        / (size_estimate.LEAST_BULK if bulk else size_estimate.LEAST_WALKED)
    )
    nodes, form = size_estimate.nodes(game, most), None
    if min(SMALL_BULK if bulk else SMALL_WALKED, size_estimate.most_nodes(game)) < nodes <= most:
        from ruse.forms.memory_estimate import estimate_form

        form = estimate_form(game, nodes)
    if form is None:
        bound = nodes * (size_estimate.BULK_BYTES if bulk else size_estimate.WALKED_BYTES)
        return MemoryEstimate(nodes, None, bound, bound, bound)
    arrays = solver_bytes(solver, form.entries, sum(form.sequences), sum(form.sets))
    strategies = PLAN * sum(form.sequences) + _strategies(game, form.sets) if written else 0
    return MemoryEstimate(nodes, form, form.building, form.built + arrays, form.built + strategies)


def fits(estimate: MemoryEstimate, refine: bool = True) -> bool:
    """Whether memory suffices to build a form, and to solve it without reductions if it is not refined."""
    return _least(estimate, refine) <= size_estimate.SHARE * size_estimate.free_bytes()


def is_soon_built(game: Game, estimate: MemoryEstimate) -> bool:
    """Whether an estimated form fits, and is built within seconds and within a part of the time that is left."""
    if not isinstance(game, Bulk) or estimate.form is None or estimate.form.nodes > MOST_SEEN:
        return False
    return fits(estimate) and SLOWLY * estimate.form.nodes < clock.left()


def can_solve_unreduced(estimate: MemoryEstimate) -> bool:
    """Whether memory and time suffice to solve an estimated form without symmetry."""
    return fits(estimate, refine=False) and SLOWLY_SOLVED * estimate.nodes < clock.left()


def too_large(game: Game, estimate: MemoryEstimate, advice: str = ADVICE, refine: bool = True) -> GameError:
    """The error for a form that does not fit: the memory it needs, the free memory, and what would fit."""
    if estimate.form is None:
        return size_estimate.too_large(game, "for a sequence form", advice)
    most, needed = size_estimate.SHARE * size_estimate.free_bytes(), _least(estimate, refine)
    fit = _rounded(int(estimate.form.nodes * most / needed))
    return GameError(
        f"the sequence form of {game.title} ({estimate}) needs about {gigabytes(needed)}, more than half of the free "
        f"memory ({gigabytes(most)}): about {fit:,} nodes would fit; {advice}"
    )


def _least(estimate: MemoryEstimate, refine: bool) -> int:
    """The memory needed in any case: with refinement, little may be left to solve."""
    return estimate.building if refine else max(estimate.building, estimate.solving)


def report_memory(game: Game, estimate: MemoryEstimate, report: Report) -> int:
    """Report that a form is being built, with its memory if that is much; return how many nodes may be walked."""
    much = estimate.most >= (REPORTED_BOUND if estimate.form is None else REPORTED)
    report(f"building the sequence form{f' ({estimate.memory}): {estimate}' if much else ''}", None, None)
    most = size_estimate.most_nodes(game)
    return most if estimate.form is None else max(most, int(ROOM * estimate.form.nodes))


def solver_bytes(solver: SolverSpec, entries: int, sequences: int, sets: int) -> int:
    """The most memory that a solver takes beside the form; 0 if it checks this itself, or if it is unknown."""
    if solver.name == LP:
        return HIGHS * (entries + sequences + sets)
    if not solver.iterates and solver.name != AUTO:
        return 0
    parts = (COMPILED, LAID_OUT, BLOCKS, MOVING)
    return sum(entry for entry, _ in parts) * entries + sum(sequence for _, sequence in parts) * sequences


def check_solver(form: FormArrays, game: Game, solver: SolverSpec) -> None:
    """Refuse to solve a form if the solver's arrays do not fit beside it."""
    sequences, sets = sum(tree.sequences for tree in form.trees), sum(tree.infosets for tree in form.trees)
    needed = solver_bytes(solver, len(form.payoffs), sequences, sets)
    if needed >= REPORTED:
        other = "pdcfr+ or mccfr" if solver.name == LP else "mccfr"
        size_estimate.check_bytes(needed, game, solver.name, f"use {other}, or smaller parameters")


def _strategies(game: Game, sets: tuple[int, int]) -> int:
    """The memory of strategies without their fractions, estimated from the last information sets of random plays."""
    named: tuple[list[Any], list[Any]] = ([], [])
    share = Fraction(1, 2)
    last: dict[int, State] = {}
    for state, depth, _ in sampled_visits(game, VISITS, Random(0)):
        if depth == 0:
            for side, before in last.items():
                knowledge, moves = game.knows(before, side), tuple(game.moves(before))
                odds, labels = dict.fromkeys(moves, share), {game.label(move): share for move in moves}
                named[side].append((knowledge, moves, odds, describe(game, knowledge), labels))
            last = {}
        if (turn := game.turn(state)) in (0, 1):
            last[turn] = state
    return round(sum(many * (each(strategies) + 2 * SLOT) for many, strategies in zip(sets, named, strict=True)))


def _rounded(count: int) -> int:
    """Round to two digits."""
    return int(float(f"{count:.2g}"))
