"""The way to large tables: up to the names of seats, regrets for the support, and an LP for each side.

A small form goes to the LP as it is. Of a large one, some thousand iterations of PDCFR+ find bounds, and plans whose
support is nearly that of optimal ones; then each side's exact plan comes from an LP of its own
(`ruse.solvers.one_side`). Plans that are not exact lose their small odds first, as far as that costs next to nothing.
Whatever is found is certified as it is written down, in whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb, factorial, inf, prod
from typing import TYPE_CHECKING

from ruse.core import clock, rationals, size_estimate
from ruse.core.certificate import DECLARED, FORM, Certificate
from ruse.core.game import END, Game, GameError
from ruse.core.interrupts import Interrupts
from ruse.core.types import Report, Tables
from ruse.forms.integer_form import Compiled, Weights
from ruse.forms.reductions.refined import RefinedForm, refined
from ruse.forms.sequence_form import sequence_form
from ruse.games.hidden_roles import suspects
from ruse.games.hidden_roles.array_sets import WrittenForm
from ruse.games.hidden_roles.arrays import ArrayWalk, TooManyPlays
from ruse.games.hidden_roles.classes import is_by_class, seat_policy
from ruse.games.hidden_roles.notation import cast_told
from ruse.games.hidden_roles.orbits import MOST_NAMES, Orbits
from ruse.games.hidden_roles.rules import GOOD, POINTING, PRIVATE, SPIES, HiddenRoles, RolesPlay, Words
from ruse.games.hidden_roles.suspects import Missions, fits
from ruse.games.resistance.rules import LOST, WON
from ruse.solvers import find
from ruse.solvers.cfr import Cfr
from ruse.solvers.highs import SolverError
from ruse.solvers.one_side import one_side
from ruse.solvers.plans import why_stopped
from ruse.solvers.variants import VARIANTS
from ruse.solving.auto import SMALL
from ruse.solving.options import STOPPED, SolveOptions
from ruse.solving.result import UNWRITTEN, SolveResult
from ruse.solving.solve_form import solve_form
from ruse.solving.writing import as_tables, odds_of

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution

PlanWeights = Sequence[Fraction | int]

SOLVER = "orbits"
WHY = "it is made for games with hidden roles"
SUSPECTED = "missions can do no more here than try three suspicions, so only the talk was left to solve"
ITERATIONS, CLOSE = 10_000, 1e-6  # of PDCFR+, for the support: at most so many, until the bounds are so close
MOST_SEATED = 20_000  # nodes seat by seat, to write the strategies down for all of them
MOST_AT_ONCE = 200  # iterations between looks
MOST_PLAYERS, MOST_SAID = 8, 20_000  # to go through all renamings of seats, and all that spies can report: minutes
MOST_LIED = 500_000  # plays that are won, of the spies' game where the whole one is too large
PLAY_BYTES = 250  # of a play that is won, up to the names of seats, until all is solved: measured
TRIES = {SPIES: ((1e-3, 0.05),), GOOD: ((2e-2, 1.0), (1e-3, 1.0))}  # share and nearness (ruse.solvers.one_side)
SMALLEST = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-9)  # weights to leave out, most first
PRICE = 0.05  # of the gap between the bounds, that leaving out may cost a side
WRITING = 5e-5  # seconds, for a position: measured


def refusal(options: SolveOptions) -> str:
    return "" if options.reduced else "expected all reductions on for the solver orbits: use lp to switch them off"


def solve(game: HiddenRoles, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    check_size(game)
    orbits = Orbits(game)
    if game.talk in POINTING and (tried := _suspected(game, report)) is not None:
        return tried
    most = size_estimate.SHARE * size_estimate.free_bytes() / PLAY_BYTES
    if orbits.won() > most:
        return _bounded(orbits, options, report, most)
    report("building the sequence form up to symmetry of the seats", None, None)
    written = ArrayWalk(orbits).written()
    alike = refined(written.form, 1.0, options.threads) if options.refine else None
    small = written.form if alike is None else alike.form
    sequences = sum(tree.sequences for tree in small.trees)
    report(f"solving {small.trees[0].sequences:,} × {small.trees[1].sequences:,} sequences", None, None)
    plans: tuple[PlanWeights, PlanWeights]
    if sequences <= SMALL and not options.gap and not options.iterations:
        result = solve_form(orbits, small, find("lp"), options, report)
        assert result.plans is not None
        plans = result.plans()
    else:
        result, plans = _large(Compiled(small), options, report)
    note = "; ".join(filter(None, ("" if alike is None else alike.note, result.note)))
    result = replace(result, solver=SOLVER, why=WHY, note=note, plans=None)
    report("writing the strategies", None, None)
    with clock.regardless():  # time was left for it
        own: Tables = table(written, alike, GOOD, plans[GOOD]), table(written, alike, SPIES, plans[SPIES])
        if size_estimate.walkable(game, MOST_SEATED):
            own = seated(game, own)
    return replace(result, tables=own)


def check_size(game: HiddenRoles) -> None:
    """Refuse tables with too many seats to rename, or at which too much can be said to go through all of it."""
    players, said, most = game.table.players, 1, inf
    if game.talk == PRIVATE:
        said, most = len(game.cast.claims(0)) ** len(game.spies(game.cast.seats)), MOST_SAID
    elif game.talk in POINTING:
        said, most = (players - 1) ** players, MOST_NAMES // factorial(players)
    if players > MOST_PLAYERS:
        deals = factorial(players) // prod(map(factorial, Counter(game.cast.seats).values()))
        ways = said * deals * prod(comb(players, size) for size in game.table.missions) // factorial(players)
        raise GameError(
            f"a table of {players} players is too large to solve: they can talk and go on missions in "
            f"{rationals.magnitude(ways)} ways; choose at most {MOST_PLAYERS} players"
        )
    if said > most:
        who = "the spies can report to the mediator" if game.talk == PRIVATE else "the players can point at each other"
        fewer = "fewer players or fewer roles" if game.talk == PRIVATE else "fewer players"
        raise GameError(
            f"a table of {players} players with {cast_told(game)} is too large to solve: {who} in "
            f"{rationals.count(said)} ways, and ruse goes through at most {most:,}; choose {fewer}, or no talk "
            "(--talk none)"
        )


def _bounded(orbits: Orbits, options: SolveOptions, report: Report, most: float) -> SolveResult:
    """Bounds on a table that is too large: for each side a game in which it has fewer moves, and the other all of them.

    What a side guarantees there, it guarantees in the whole game, where the other can do no more against it.
    """
    few = Orbits(orbits.game)
    few.lies = _cheap_lies(orbits, min(most, MOST_LIED))
    bounds, iterations, sizes, stopped = [LOST, WON], 0, [], ""
    tables: list[dict[str, dict[str, Fraction]]] = [{}, {}]
    for side in (GOOD, SPIES):
        report(f"writing down a smaller form for {orbits.sides[side]}", None, None)

        def report_side(step: str, lower: float | None, upper: float | None, side: int = side) -> None:
            known = lower if side == GOOD else upper
            known_bounds = (None, None) if known is None else _ordered(bounds, side, known)
            report(f"{orbits.sides[side]}: {step}", *known_bounds)

        try:
            with clock.deadline(clock.left() / (2 - side)):
                written = _honest(orbits, most) if side == GOOD else ArrayWalk(few, most=most).written()
                alike = refined(written.form, 1.0, options.threads)
                small = written.form if alike is None else alike.form
                result, plans = _large(Compiled(small), options, report_side, (side,))
                bounds[side], iterations = (result.certificate.lower, result.certificate.upper)[side], result.iterations
                sizes.append(" + ".join(f"{tree.sequences:,}" for tree in small.trees))
                tables[side] = table(written, alike, side, plans[side])
        except clock.TimeIsUp:
            stopped = "time"
            continue
        stopped = stopped or result.stopped
        if result.interrupted:
            break
    note_text = (
        f"{orbits.won():,} plays are too many, so these are bounds by smaller games of {' and '.join(sizes)} sequences"
    )
    own = (tables[0], tables[1]) if all(tables) else UNWRITTEN
    certificate = Certificate(bounds[0], bounds[1], FORM)
    note = STOPPED.get(stopped, note_text)
    return SolveResult(SOLVER, own, certificate, iterations, WHY, note, unwritten=own is UNWRITTEN, stopped=stopped)


def _honest(orbits: Orbits, most: float) -> WrittenForm:
    """The form with honest missions; without feigned ones where there would be too many plays."""
    try:
        return ArrayWalk(orbits, honest=True, most=most).written()
    except TooManyPlays:
        return ArrayWalk(orbits, honest=True, feigned=False, most=most).written()


def _cheap_lies(orbits: Orbits, most: float) -> list[Words]:
    """Lies with the fewest plays, as many as are worth no more than so many plays together, and one at least."""
    lies: list[Words] = []
    for won, lie in sorted(((orbits.won([lie]), lie) for lie in orbits.lies), key=lambda each: each[0]):
        most -= won
        if most < 0 and lies:
            break
        lies.append(lie)
    return lies


def _large(
    compiled: Compiled, options: SolveOptions, report: Report, sides: Sequence[int] = (SPIES, GOOD)
) -> tuple[SolveResult, tuple[PlanWeights, PlanWeights]]:
    """Plans of a large form: near optimal ones, or those of some sides optimal, if asked for and there is time."""
    weights, iterations, stopped = _iterated(compiled, options, report)
    report("leaving small odds out", None, None)
    certified = compiled.certify(_pruned(compiled, weights))
    note = STOPPED.get(stopped, "")
    result = SolveResult(SOLVER, UNWRITTEN, certified.certificate, iterations, note=note, stopped=stopped)
    first, second = certified.plans
    plans: list[PlanWeights] = [first.tolist(), second.tolist()]
    if not options.gap and not options.iterations and not stopped:
        with clock.leaving(_writing_takes(plans)):
            result = _exactly(compiled, weights, result, plans, sides, report)
    return result, (plans[0], plans[1])


def _writing_takes(plans: Sequence[PlanWeights]) -> float:
    """Seconds, if there are no more positions than moves that are played."""
    return WRITING * sum(sum(map(bool, plan)) for plan in plans)


def _iterated(compiled: Compiled, options: SolveOptions, report: Report) -> tuple[Weights, int, str]:
    """Weights near those of optimal plans, by PDCFR+, how many iterations it took, and what stopped it."""
    steps = options.iterations or (ITERATIONS if not options.gap else inf)
    enough = CLOSE if options.gap is None else options.gap * (1 - 2 * PRICE)
    report("compiling (cached for next time)", None, None)
    run, portion, stopped = Cfr(compiled, VARIANTS["pdcfr+"]), 1, ""
    writing = WRITING * sum(side.sequences for side in compiled.sides) / 3  # fewer are left
    with Interrupts() as interrupts, clock.leaving(writing):
        while run.iterations < steps:
            if clock.left() <= 0 and run.iterations:
                stopped = "time"
                break
            run.run(int(min(portion, steps - run.iterations)))
            lower, upper = compiled.bounds(run.weights())
            report(f"iteration {run.iterations:,}", lower, upper)
            if upper - lower <= enough:
                break
            if interrupts.came:
                stopped = "interrupted"
                break
            portion = min(MOST_AT_ONCE, 1 + run.iterations // 4)
    return run.weights(), run.iterations, stopped


def _pruned(compiled: Compiled, weights: Weights) -> Weights:
    """Leave out small odds, as many as cost only a small part of the gap between the bounds."""
    bounds = compiled.bounds(weights)
    pruned = list(weights)
    for side, sign in ((GOOD, 1), (SPIES, -1)):
        for smallest in SMALLEST:
            tried = list(weights)
            tried[side] = compiled.sides[side].without_small(weights[side], smallest)
            if sign * (bounds[side] - compiled.bounds((tried[0], tried[1]))[side]) <= PRICE * (bounds[1] - bounds[0]):
                pruned[side] = tried[side]
                break
    return pruned[0], pruned[1]


def _exactly(
    compiled: Compiled,
    weights: Weights,
    result: SolveResult,
    plans: list[PlanWeights],
    sides: Sequence[int],
    report: Report,
) -> SolveResult:
    """Sides' exact plans near those that were found; what cannot be had in time stays as it is."""
    bounds, stopped = [result.certificate.lower, result.certificate.upper], ""
    try:
        for side in sides:
            for share, near in TRIES[side]:

                def report_round(rounds: int, bound: float, side: int = side) -> None:
                    who = ("the good side", "the spies")[side]
                    report(f"round {rounds} of exact strategies for {who}", *_ordered(bounds, side, bound))

                plan, bound = one_side(compiled, weights, side, share=share, near=near, report=report_round)
                if bound > bounds[0] if side == GOOD else bound < bounds[1]:
                    plans[side], bounds[side] = plan, bound
                if bounds[0] == bounds[1]:
                    break
    except (clock.TimeIsUp, SolverError, KeyboardInterrupt) as error:
        stopped = why_stopped(error)
    certificate = Certificate(bounds[0], bounds[1], FORM)
    note = STOPPED.get(stopped, "an LP for each side brought the bounds closer")
    if certificate.exact:
        note, stopped = "an LP for each side made it exact", ""
    return replace(result, certificate=certificate, note=note, stopped=stopped)


def _ordered(bounds: list[Fraction], side: int, bound: float) -> tuple[float, float]:
    lower, upper = map(float, bounds)
    return (max(lower, bound), upper) if side == GOOD else (lower, min(upper, bound))


def table(
    written: WrittenForm, alike: RefinedForm | None, side: int, plan: PlanWeights
) -> dict[str, dict[str, Fraction]]:
    """Odds by class, at the positions that a side's strategy comes to by itself."""
    tree, entries = written.form.trees[side], {}
    classes = range(tree.sequences) if alike is None else alike.classes[side].tolist()
    spread = [1] * len(plan) if alike is None else alike.spread[side]
    for number, (parent, first, end) in enumerate(tree.sets()):
        if not plan[before := classes[parent]]:
            continue
        clock.tick()
        entries[written.position(side, number)] = {
            label: Fraction(plan[class_number] * spread[before], plan[before] * spread[class_number])
            for label, class_number in zip(written.labels(side, number), classes[first:end], strict=True)
            if plan[class_number]
        }
    return entries


def seated(game: HiddenRoles, tables: Tables) -> Tables:
    """Strategies by class at every position seat by seat; where one never comes, a best response to the other."""
    form = sequence_form(game)
    states: tuple[dict[RolesPlay, RolesPlay], dict[RolesPlay, RolesPlay]] = ({}, {})
    stack = [game.start()]
    while stack:
        clock.tick()
        state = stack.pop()
        turn = game.turn(state)
        if turn in (GOOD, SPIES):
            states[turn].setdefault(game.knows(state, turn), state)
        if turn != END:
            stack.extend(game.play(state, move) for move in game.moves(state))
    plans = []
    for side in (GOOD, SPIES):
        policy = seat_policy(game, side, tables[side])
        plan = [Fraction(1)] + [Fraction(0)] * (form.trees[side].sequences - 1)
        for number, (parent, first, end) in enumerate(form.trees[side].sets()):
            odds = policy(states[side][form.knowledge[side][number]]) if plan[parent] else {}
            for sequence, move in zip(range(first, end), form.moves[side][number], strict=True):
                plan[sequence] = plan[parent] * odds.get(move, Fraction(0))
        plans.append(plan)
    return as_tables(game, odds_of(form, (plans[0], plans[1])))


def _suspected(game: HiddenRoles, report: Report) -> SolveResult | None:
    """The strategies where missions can do no more than try three suspicions; None where they may do more."""
    report("solving the missions by themselves", None, None)
    if not fits(game, missions := Missions(game)):
        return None
    report("solving what is said", None, None)
    certificate, written = suspects.solve(game, missions)
    certificate = replace(certificate, proof=DECLARED)  # that missions can do no more is an argument, not a walk
    if size_estimate.walkable(game, MOST_SEATED):
        written = seated(game, written)
    return SolveResult(SOLVER, written, certificate, 0, why=WHY, note=SUSPECTED)


def plays(solution: Solution) -> Game | None:
    """The game up to the names of seats, if a solution's strategies list one position of each class."""
    game = solution.game
    assert isinstance(game, HiddenRoles)
    return Orbits(game) if is_by_class(game, solution.tables) else None
