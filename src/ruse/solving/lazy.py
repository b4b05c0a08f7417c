"""The lazy way to The Resistance: try simple strategies, else an LP whose rows are found as they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import perf_counter
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ruse.core import clock
from ruse.core.game import Game, GameError
from ruse.core.types import Tables
from ruse.forms.certificate import Certificate
from ruse.solvers.lazy_lp import LazyProgram, LazySolved, lazy_lp
from ruse.solving.options import INTERRUPTED, Asked, Report

LAZY, SIMPLE = "lazy-lp", "simple-rules"
PROVED = "simple strategies prove each other optimal"
MOST_NODES = 1_000_000  # of a tree, to walk it state by state
MOST_POSITIONS = 300_000  # of a tree, to write strategies down for seat by seat
LATE = "the time was up before the bounds met"
ROUNDS_PER_START = 8  # seen at tables of 9 to 13 seats: 4 to 12


@runtime_checkable
class Lazy(Game, Protocol):
    """A game that writes its own lazy program and reads strategies out of its answers."""

    def nodes(self, symmetry: bool) -> int:
        """How many nodes there are to walk, at least, by class or seat by seat."""

    def shortcut(self) -> Tables | None:
        """Simple strategies that may be optimal already."""

    def lazy_program(self) -> LazyProgram: ...

    def complete(self, tables: Tables) -> Tables:
        """Filed strategies, also at positions that the reductions leave out."""

    def candidates(self, program: Any, solved: LazySolved) -> Iterator[Tables]:
        """Strategies in fractions, the simplest first: rounded, then from the exact basis."""

    def bounds(self, tables: Tables) -> tuple[Fraction, Fraction]:
        """What the tables guarantee, in exact arithmetic."""

    def simplify(self, program: Any, tables: Tables, lower: Fraction) -> Tables:
        """Strategies that guarantee as much and are easier to remember."""


class Lazily(NamedTuple):
    """Strategies with what they are certified for, after so many rounds of cuts."""

    tables: Tables
    certificate: Certificate
    rounds: int
    note: str = ""
    solver: str = LAZY  # what was done: SIMPLE where no LP was needed


def solve_lazily(game: Lazy, asked: Asked, report: Report) -> Lazily:
    """Try what is simple; else cut until the bounds meet and take the first candidates that certify, side by side.

    Where the time is up or somebody interrupts, what the cuts so far prove is certified in the same way, in the half
    of the time that is left for it.
    """
    report("trying simple strategies", None, None)
    if asked.shortcuts and (simple := game.shortcut()) is not None:
        report("certifying", None, None)
        certificate = Certificate(*game.bounds(simple))
        if certificate.exact:
            return Lazily(simple, certificate, 0, solver=SIMPLE)
    building = perf_counter()
    report("building the linear program", None, None)
    program = game.lazy_program()
    for _ in program.starts():  # the search for good starts is a fair sample of the work to come
        report(f"about {ROUNDS_PER_START * (perf_counter() - building):.0f} s of cuts ahead", None, None)
    with clock.leaving(clock.left()):
        solved = lazy_lp(
            program,
            lambda rounds, low, high: report(
                f"round {rounds} of cuts, where 5 to 40 are usual",
                2 * low / program.unit - 1,
                2 * high / program.unit - 1,
            ),
            gap=(asked.gap or 0.0) / 2 * program.unit,
        )
    best: tuple[Tables, Certificate] | None = None
    note = {"interrupted": INTERRUPTED, "time": LATE}.get(solved.ended, "")
    try:
        for tables in game.candidates(program, solved):
            report("certifying", None, None)
            certificate = Certificate(*game.bounds(tables))
            if best is not None:
                (first, second), other = best
                tables = (
                    tables[0] if certificate.lower > other.lower else first,
                    tables[1] if certificate.upper < other.upper else second,
                )
                certificate = Certificate(max(certificate.lower, other.lower), min(certificate.upper, other.upper))
            best = tables, certificate
            if certificate.exact:
                report("looking for the simplest strategy", None, None)
                best = game.simplify(program, tables, certificate.lower), certificate
                break
    except clock.TimeIsUp:
        if best is None:
            raise
        note = note or ("" if best[1].exact else LATE)
    assert best is not None
    return Lazily(*best, solved.rounds, note)


def check_walk(game: Lazy, symmetry: bool) -> None:
    """Refuse to write down trees that would take hours and gigabytes."""
    nodes = game.nodes(symmetry)
    if nodes > MOST_NODES:
        advice = "use the solver lazy-lp" if symmetry else "leave the symmetry on, or use a smaller table"
        raise GameError(f"expected at most {MOST_NODES:,} nodes to walk, got {nodes:,} in {game.title}: {advice}")


def filed_instead(game: Lazy, certificate: Certificate, report: Report) -> Tables:
    """Strategies by class for a tree that was solved seat by seat, where those would fill millions of lines.

    The seat-by-seat solution has the certificate; strategies by class that guarantee the same are as good.
    """
    found = solve_lazily(game, Asked(), report)
    if found.certificate != certificate:
        raise GameError(
            f"expected {found.certificate} without reductions too, got {certificate}: please report this table"
        )
    return found.tables
