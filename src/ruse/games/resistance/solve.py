"""How ruse solves The Resistance: by simple strategies if they are optimal, else by an LP with rows added as needed."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any

from threadpoolctl import threadpool_limits

from ruse.core import clock
from ruse.core.certificate import Certificate
from ruse.core.types import Report, Tables
from ruse.games.resistance import fixed_plan
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.program import ResistanceProgram
from ruse.games.resistance.rulebook import plan_rules, rule_lines
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.tables import candidates, simplify
from ruse.games.resistance.verify import certificate_by_class
from ruse.solvers.lazy_lp import lazy_lp
from ruse.solving.options import STOPPED, SolveOptions
from ruse.solving.result import SolveResult

if TYPE_CHECKING:
    from ruse.core.game import Game
    from ruse.exploitation.response import Exploiter
    from ruse.solution.strategy import Solution
    from ruse.studio.solving import Quick

SOLVER, SIMPLE = "lazy-lp", "simple-rules"
WHY, PROVED = "it is made for this game", "simple strategies prove each other optimal"
ROUNDS_PER_START = 8  # seen at tables of 9 to 13 seats: 4 to 12


def refusal(options: SolveOptions) -> str:
    return "" if options.reduced else "expected all reductions on for the solver lazy-lp: use lp to switch them off"


def solve(game: Resistance, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """Whoever asks for the LP hears why there was none, where simple strategies were enough."""
    with threadpool_limits(1):  # many small products: more threads only wait for each other
        return _simple(game, solver, options, report) or _lazily(game, options, report)


def _simple(game: Resistance, solver: str, options: SolveOptions, report: Report) -> SolveResult | None:
    """Simple strategies, if they are optimal already."""
    report("trying simple strategies", None, None)
    if not options.shortcuts or (simple := fixed_plan.strategies(game.table)) is None:
        return None
    report("certifying", None, None)
    certificate = certificate_by_class(game.table, simple)
    note = f"{PROVED}, so no LP was needed" * (solver == SOLVER)
    return SolveResult(SIMPLE, simple, certificate, 0, PROVED, note) if certificate.exact else None


def _lazily(game: Resistance, options: SolveOptions, report: Report) -> SolveResult:
    """Cut until the bounds meet and take the first candidates that certify, side by side.

    Where the time is up or somebody interrupts, what the cuts so far prove is certified in the same way, in the half
    of the time that is left for it.
    """
    building = perf_counter()
    report("building the linear program", None, None)
    program: Any = ResistanceProgram(game.table)
    for _ in program.starts():  # the search for good starts is a fair sample of the work to come
        report(f"about {ROUNDS_PER_START * (perf_counter() - building):.0f} s of cuts left", None, None)
    with clock.leaving(clock.left()):
        solved = lazy_lp(
            program,
            lambda rounds, low, high: report(
                f"round {rounds} of cuts (usually 5 to 40)",
                2 * low / program.unit - 1,
                2 * high / program.unit - 1,
            ),
            gap=(options.gap or 0.0) / 2 * program.unit,
        )
    best: tuple[Tables, Certificate] | None = None
    stopped = solved.ended if solved.ended in STOPPED else ""
    try:
        for tables in candidates(program, solved):
            report("certifying", None, None)
            certificate = certificate_by_class(game.table, tables)
            if best is not None:
                (first, second), other = best
                tables = (
                    tables[0] if certificate.lower > other.lower else first,
                    tables[1] if certificate.upper < other.upper else second,
                )
                certificate = certificate.and_also(other)
            best = tables, certificate
            if certificate.exact:
                if options.tidy:
                    report("looking for the simplest strategy", None, None)
                    simpler = simplify(program, tables[RESISTANCE], certificate.lower)
                    best = (simpler, tables[SPIES]), certificate
                break
    except clock.TimeIsUp:
        if best is None:
            raise
        stopped = stopped or ("" if best[1].exact else "time")
    assert best is not None
    return SolveResult(SOLVER, *best, solved.rounds, WHY, STOPPED.get(stopped, ""), stopped=stopped)


def quick(game: Resistance) -> Quick:
    """Bounds on the payoff to the resistance that simple strategies prove in a millisecond.

    A fixed plan, and spies who pass two missions: the search for them counts spy sets, in whole numbers. `lines` is how
    long both strategies are where they are optimal.
    """
    from ruse.studio.solving import Quick

    table = game.table
    least, most, simple = fixed_plan.bounds(table)
    lines = None if simple is None else len(plan_rules(simple.plan)) + rule_lines(table, simple.passes)
    lower, upper = (2 * Fraction(won, table.spy_sets) - 1 for won in (least, most))
    return Quick(lower, upper, lines)


def exploiter(solution: Solution, side: int, against: Any) -> Exploiter:
    """How ruse exploits a model of the other side (ruse.exploitation)."""
    if side == SPIES:
        from ruse.games.resistance.exploit_spies import SpiesExploiter

        return SpiesExploiter(solution, against)
    from ruse.games.resistance.exploit import ResistanceExploiter

    return ResistanceExploiter(solution, against)


def plays(solution: Solution) -> Game | None:
    """The game up to the names of seats, with the spies as one player, if the strategies are written for that."""
    from ruse.forms.reductions import reduce

    return reduce(solution.game) if solution.by_class else None
