"""From a game to a certified solution: reduce, solve, lift, certify. The only place that knows games and solvers."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol, runtime_checkable

from threadpoolctl import threadpool_limits

from ruse.certificate import Certificate
from ruse.game import CHANCE, END, Filed, Game, GameError, Knowledge, Move, RuseError, State, describe
from ruse.reductions import Policy, lift, reduce
from ruse.sequence_form import SequenceForm, sequence_form
from ruse.solvers.backward_induction import Open, backward_induction
from ruse.solvers.lazy_lp import LazyProgram, LazySolved, lazy_lp
from ruse.solvers.lp import Solved, lp, policy
from ruse.solvers.matrix import matrix
from ruse.strategy import Solution, StrategyTable
from ruse.verify.solution import bounds

MOST_NODES = 1_000_000  # of a tree, to walk it state by state
MOST_POSITIONS = 300_000  # of an unreduced game, to write a strategy down for
ROUNDS_PER_START = 8  # seen at tables of 9 to 13 seats: 4 to 12
Report = Callable[[str, float | None, float | None], None]  # what is being done, and the bounds so far

Tables = tuple[StrategyTable, StrategyTable]

METHODS = ("simplex", "ipm")
SOLVERS: dict[str, str] = {
    "auto": "the quickest of these that gives an exact answer",
    "lp": "the sequence-form LP of Koller, Megiddo and von Stengel, for any game",
    "lazy-lp": "an LP whose rows are found as they are needed, for The Resistance at any size",
    "backward-induction": "for games without secrets",
    "matrix": "the normal-form LP, for payoff tables and very small trees",
}


class UnknownSolver(RuseError):
    """No solver has that name, or it cannot take this game."""


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


def solve(
    game: Game,
    solver: str = "auto",
    *,
    teams: bool = True,
    symmetry: bool = True,
    forced: bool = True,
    method: str = "simplex",
    side: int = 0,
    shortcuts: bool = True,
    report: Report = lambda *_: None,
) -> Solution:
    """Optimal strategies for both sides, with exact bounds on the value.

    `teams`, `symmetry` and `forced` switch the reductions; `method` ("simplex" or "ipm") and `side` say how
    and from whose point of view an LP is written; without `shortcuts` an LP is solved even where simple strategies
    prove each other optimal. `report` hears what is being done.
    """
    if not isinstance(game, Game):
        raise UnknownSolver(f"expected a game, such as ruse.games.kuhn(), got {game!r}")
    for what, value, known in (("solver", solver, SOLVERS), ("method", method, METHODS), ("side", side, (0, 1))):
        if value not in known:
            raise UnknownSolver(f"expected a {what} out of {', '.join(map(str, known))}, got {value!r}")
    started = time.perf_counter()
    whole = teams and symmetry and forced
    chosen = solver if solver != "auto" else _choose(game, whole)
    options = {
        name: value
        for name, value, usual in (
            ("teams", teams, True),
            ("symmetry", symmetry, True),
            ("forced", forced, True),
            ("method", method, "simplex"),
            ("side", side, 0),
            ("shortcuts", shortcuts, True),
        )
        if value != usual
    }
    tables: Tables
    if chosen == "lazy-lp":
        if not isinstance(game, Lazy):
            raise UnknownSolver(f"expected resistance for the solver lazy-lp, got {game.name}: use lp or auto")
        if not whole:
            raise UnknownSolver("expected all reductions on for the solver lazy-lp: use lp to switch them off")
        with threadpool_limits(1):  # many small products: more threads only wait for each other
            tables, certificate, iterations = _solve_lazily(game, shortcuts, report)
    elif chosen == "backward-induction":
        tables, iterations = _induce(game)
        certificate = bounds(game, tables)
    else:
        if isinstance(game, Lazy):
            _check_walk(game, symmetry)
        report("reducing the game and writing down its sequence form", None, None)
        small = reduce(game, teams=teams, symmetry=symmetry, forced=forced)
        form = sequence_form(small)
        if solver == "auto" and all(tree.infosets <= 1 for tree in form.trees):
            chosen = "matrix"
        report(f"solving {form.trees[0].sequences:,} × {form.trees[1].sequences:,} sequences", None, None)
        solved = (matrix if chosen == "matrix" else lp)(form, side=side, method=method)
        filed = teams and symmetry
        if isinstance(game, Lazy) and not filed and game.nodes(symmetry=False) > MOST_POSITIONS:
            options["filed"] = filed = True
            tables = _filed_instead(game, solved.certificate, report)
        else:
            report("writing the strategies down", None, None)
            tables = _write_down(game, small, form, solved, filed)
        report("certifying", None, None)
        certificate, iterations = bounds(game, tables, seats=not filed), solved.iterations
    return Solution(game, chosen, tables, certificate, time.perf_counter() - started, iterations, options, _versions())


def _choose(game: Game, whole: bool) -> str:
    if isinstance(game, Lazy) and whole:
        return "lazy-lp"
    return "backward-induction" if isinstance(game, Open) and isinstance(game, Filed) else "lp"


def _solve_lazily(game: Lazy, shortcuts: bool, report: Report) -> tuple[Tables, Certificate, int]:
    """Try what is simple; else cut until the bounds meet and take the first candidates that certify, side by side."""
    report("trying simple strategies", None, None)
    if shortcuts and (simple := game.shortcut()) is not None:
        report("certifying", None, None)
        certificate = Certificate(*game.bounds(simple))
        if certificate.exact:
            return simple, certificate, 0
    begun = time.perf_counter()
    report("building the linear program", None, None)
    program = game.lazy_program()
    for _ in program.starts():  # the search for good starts is a fair sample of the work to come
        report(f"about {ROUNDS_PER_START * (time.perf_counter() - begun):.0f} s of cuts ahead", None, None)
    solved = lazy_lp(
        program,
        lambda rounds, low, high: report(
            f"round {rounds} of cuts, where 5 to 40 are usual", low / program.unit, high / program.unit
        ),
    )
    best: tuple[Tables, Certificate] | None = None
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
            break
    assert best is not None
    tables, certificate = best
    report("looking for the simplest strategy", None, None)
    return game.simplify(program, tables, certificate.lower), certificate, solved.rounds


def _check_walk(game: Lazy, symmetry: bool) -> None:
    """Refuse to write down trees that would take hours and gigabytes."""
    nodes = game.nodes(symmetry)
    if nodes > MOST_NODES:
        advice = "use the solver lazy-lp" if symmetry else "leave the symmetry on, or use a smaller table"
        raise GameError(f"expected at most {MOST_NODES:,} nodes to walk, got {nodes:,} in {game.title}: {advice}")


def _filed_instead(game: Lazy, certificate: Certificate, report: Report) -> Tables:
    """Strategies by class for a tree that was solved seat by seat, where those would fill millions of lines.

    The seat-by-seat solution has the certificate; strategies by class that guarantee the same are as good.
    """
    tables, by_class, _ = _solve_lazily(game, True, report)
    if by_class != certificate:
        raise GameError(f"expected {by_class} without reductions too, got {certificate}: please report this table")
    return tables


def _induce(game: Game) -> tuple[Tables, int]:
    induced = backward_induction(game)
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    for side, best in enumerate(induced.best):
        for state, move in best:
            position = describe(game, game.knows(state, side))
            if isinstance(game, Filed):
                position, _ = game.file(position, side)
            tables[side][position] = {game.label(option): Fraction(option == move) for option in game.moves(state)}
    return tables, induced.boards


def _write_down(game: Game, small: Game, form: SequenceForm, solved: Solved, filed: bool) -> Tables:
    """Both strategies as tables: of the filed positions where the game has them, else of the whole game."""
    odds: tuple[dict[Knowledge, dict[Move, Fraction]], ...] = ({}, {})
    for side in (0, 1):
        rows = policy(form, side, solved.plans)
        for knowledge, moves, shares in zip(form.knowledge[side], form.moves[side], rows, strict=True):
            odds[side][knowledge] = dict(zip(moves, shares, strict=True))
    if filed and isinstance(game, Lazy):
        first, second = (
            {
                describe(small, knowledge): {small.label(move): share for move, share in shares.items()}
                for knowledge, shares in odds[side].items()
            }
            for side in (0, 1)
        )
        return game.complete((first, second))
    lifted = tuple(lift(small, _looked_up(small, odds[side], side), side) for side in (0, 1))
    return _table(game, lifted[0], 0), _table(game, lifted[1], 1)


def _looked_up(small: Game, odds: Mapping[Knowledge, Mapping[Move, Fraction]], side: int) -> Policy:
    def looked_up(state: State) -> Mapping[Move, Fraction]:
        found = odds.get(small.knows(state, side))
        if found is None:  # the reduced game never comes here: any move will do
            moves = small.moves(state)
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return found

    return looked_up


def _table(game: Game, odds: Policy, side: int) -> StrategyTable:
    """A policy at every information set of the whole game."""
    table: dict[str, dict[str, Fraction]] = {}
    seen: set[Knowledge] = set()
    stack, states = [game.start()], 0
    while stack:
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        states += 1
        if states > MOST_POSITIONS:
            raise GameError(
                f"expected a game of at most {MOST_POSITIONS:,} states to write a strategy down for, "
                f"got more in {game.title}: leave the reductions on"
            )
        if turn == side and (knowledge := game.knows(state, side)) not in seen:
            seen.add(knowledge)
            shares = odds(state)
            table[describe(game, knowledge)] = {
                game.label(move): shares.get(move, Fraction(0)) for move in game.moves(state)
            }
        for move in game.moves(state):
            if turn != CHANCE or game.odds(state)[list(game.moves(state)).index(move)]:
                stack.append(game.play(state, move))
    return table


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("ruse", "numpy", "scipy", "highspy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "source"
    return found
