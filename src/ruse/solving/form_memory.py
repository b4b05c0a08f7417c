"""The memory that a game's sequence form takes: reported before the form is built, and refused where it does not fit.

Small games need no report. For larger ones a part is walked (`ruse.forms.memory_estimate`). The report says what it
takes to build the form, and to solve it as it is: the solver's arrays beside it, or the strategies, whichever is more.
Symmetry may leave less to solve, which nobody knows before the form is there.
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
    from ruse.forms.sequence_form import SequenceForm

ESTIMATED_BULK, ESTIMATED_WALKED = 1_250_000, 500_000  # nodes from which memory is estimated
REPORTED, REPORTED_BOUND = 200e6, 750e6  # bytes from which a report names them: estimated, or a bound
NAMED_APART = 1.1  # times the memory of a form, from which solving it is reported apart
MOST_SEEN = 60_000_000  # nodes on arrays, to see in seconds whether symmetry leaves little of them
SLOWLY = 4e-6  # seconds of the time that is left for a node on arrays, which takes a tenth of a microsecond
SLOWLY_SOLVED = 1e-5  # and to solve it: on quiet cores liar's dice with 9 faces takes half of that
ROOM = 1.5  # times as many nodes as estimated may be walked
VISITS = 2_000  # states of random plays, to see how large the strategies at an information set are

# What solvers keep of an entry and of a sequence, in bytes, both sides together.
COMPILED = (2 * (4 + 8 + 8), 4)  # column, value and whole payoff of each side; where a row starts
LAID_OUT = (4 + 1, 8 + 4)  # of one side, beside the other: column and value in strips; places and parents
BLOCKS = (8 + 8 + 1 + 2 * (8 + 4 + 4), 4 * 8)  # rows, columns, what blocks are found from; places in parts
MOVING = (0, 2 * 8)  # regrets and odds so far: the others come when what was needed for blocks is let go
LP = "lp"
HIGHS = 350  # of a number in an LP: measured, as HiGHS has its own copies, presolved and in factors
ADVICE = "use mccfr, which never builds the tree, or smaller parameters"
PLAN = 2 * (FRACTION + PLACE)  # of a sequence: its weight and its odds in fractions


@dataclass(frozen=True)
class Needs:
    """The bytes that it takes to build a form, to solve it as it is, and to write its strategies down.

    Without an estimate of the form, because it is small, far too large or takes too long, all are bounds by the nodes.
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
        """The memory as the report before the work names it."""
        if self.form is None:
            return f"at most {gigabytes(self.building)} of memory"
        building = f"about {gigabytes(self.building)} of memory"
        if self.most <= NAMED_APART * self.building:
            return building
        return f"{building}, {gigabytes(self.most)} to solve it without reductions"

    def __str__(self) -> str:
        if self.form is None:
            return f"a tree of about {_rounded(self.nodes):,} nodes"
        counts = (*self.form.sequences, self.form.entries)
        first, second, entries = (f"{count:,}" if self.form.exact else f"{_rounded(count):,}" for count in counts)
        return f"{'' if self.form.exact else 'about '}{first} + {second} sequences and {entries} payoffs"

    def to_json(self) -> dict[str, Any]:
        """Return the estimate for programs, if there is one."""
        if self.form is None:
            return {}
        counts = {"sequences": list(self.form.sequences), "payoffs": self.form.entries}
        return {"about": counts | {"building_bytes": self.building, "solving_bytes": self.most}}


def needs(game: Game, solver: SolverSpec, written: bool = True) -> Needs:
    """Estimate what a game's form takes, and its strategies if they are to be written down."""
    bulk = isinstance(game, Bulk)
    most = int(
        size_estimate.SHARE
        * size_estimate.free_bytes()
        / (size_estimate.LEAST_BULK if bulk else size_estimate.LEAST_WALKED)
    )
    nodes = size_estimate.nodes(game, most)
    form: FormEstimate | None = None
    if min(ESTIMATED_BULK if bulk else ESTIMATED_WALKED, size_estimate.most_nodes(game)) < nodes <= most:
        from ruse.forms.memory_estimate import estimate_form

        form = estimate_form(game, nodes)
    if form is None:
        bound = nodes * (size_estimate.BULK_BYTES if bulk else size_estimate.WALKED_BYTES)
        return Needs(nodes, None, bound, bound, bound)
    arrays = solver_bytes(solver, form.entries, sum(form.sequences), sum(form.sets))
    strategies = PLAN * sum(form.sequences) + _strategies(game, form.sets) if written else 0
    return Needs(nodes, form, form.building, form.built + arrays, form.built + strategies)


def fits(needed: Needs, refine: bool = True) -> bool:
    """Whether a form can be written down, and be solved as it is where it is not refined."""
    return _least(needed, refine) <= size_estimate.SHARE * size_estimate.free_bytes()


def soon_seen(game: Game, estimate: Needs) -> bool:
    """Whether an estimated form fits, and is built in seconds, and in a part of the time that is left."""
    if not isinstance(game, Bulk) or estimate.form is None or estimate.form.nodes > MOST_SEEN:
        return False
    return fits(estimate) and SLOWLY * estimate.form.nodes < clock.left()


def solved_as_it_is(estimate: Needs) -> bool:
    """Whether an estimated form can be solved without symmetry, and there is time for it."""
    return fits(estimate, refine=False) and SLOWLY_SOLVED * estimate.nodes < clock.left()


def too_large(game: Game, estimate: Needs, advice: str = ADVICE, refine: bool = True) -> GameError:
    """Return the error that a form does not fit: what it would take, what there is, and what would fit."""
    if estimate.form is None:
        return size_estimate.too_large(game, "for a sequence form", advice)
    most, needed = size_estimate.SHARE * size_estimate.free_bytes(), _least(estimate, refine)
    fit = _rounded(int(estimate.form.nodes * most / needed))
    return GameError(
        f"the sequence form of {game.title} ({estimate}) needs about {gigabytes(needed)}, more than half of the free "
        f"memory ({gigabytes(most)}): about {fit:,} nodes would fit; {advice}"
    )


def _least(estimate: Needs, refine: bool) -> int:
    """Bytes that are needed in any case: symmetry may leave little to solve."""
    return estimate.building if refine else max(estimate.building, estimate.solving)


def report_building(game: Game, estimate: Needs, report: Report) -> int:
    """Report that a form is built, with what it takes where that is much. Return how many nodes may be walked."""
    much = estimate.most >= (REPORTED_BOUND if estimate.form is None else REPORTED)
    report(f"building the sequence form{f' ({estimate.memory}): {estimate}' if much else ''}", None, None)
    most = size_estimate.most_nodes(game)
    return most if estimate.form is None else max(most, int(ROOM * estimate.form.nodes))


def solver_bytes(solver: SolverSpec, entries: int, sequences: int, sets: int) -> int:
    """Bytes that a solver takes at most beside the form; 0 where it checks that itself, or nobody knows."""
    if solver.name == LP:
        return HIGHS * (entries + sequences + sets)
    if not solver.iterates and solver.name != AUTO:
        return 0
    parts = (COMPILED, LAID_OUT, BLOCKS, MOVING)
    return sum(entry for entry, _ in parts) * entries + sum(sequence for _, sequence in parts) * sequences


def check_solver(form: SequenceForm, game: Game, solver: SolverSpec) -> None:
    """Refuse to solve a form that is built, where the solver's arrays do not fit beside it."""
    sequences, sets = (sum(getattr(tree, count) for tree in form.trees) for count in ("sequences", "infosets"))
    needed = solver_bytes(solver, len(form.payoffs), sequences, sets)
    if needed >= REPORTED:
        other = "pdcfr+ or mccfr" if solver.name == LP else "mccfr"
        size_estimate.check_bytes(needed, game, solver.name, f"use {other}, or smaller parameters")


def _strategies(game: Game, sets: tuple[int, int]) -> int:
    """Bytes of strategies but for their fractions, measured at the last information sets of random plays."""
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
    return round(sum(count * (each(sampled) + 2 * SLOT) for count, sampled in zip(sets, named, strict=True)))


def _rounded(count: int) -> int:
    """Round to two digits."""
    return int(float(f"{count:.2g}"))
