"""The way to large tables: up to the names of seats, regrets for the support, and an LP for each side.

A small form goes to the LP as it is. Of a large one, some thousand iterations of PDCFR+ find bounds, and plans whose
support is nearly that of optimal ones; then each side's exact plan comes from an LP of its own
(`ruse.solvers.one_side`). Whatever is found is certified on the whole form, in whole numbers.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import factorial, inf
from typing import TYPE_CHECKING

import numpy as np

from ruse.core import clock, size_estimate
from ruse.core.game import END, GameError, describe
from ruse.core.interrupts import Interrupts
from ruse.core.types import Report, Tables
from ruse.forms.certificate import Certificate, certify
from ruse.forms.integer_form import Compiled
from ruse.forms.reductions.refined import refined
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.forms.vectorised import Column, bulk_form
from ruse.games.hidden_roles import suspected
from ruse.games.hidden_roles.orbits import Orbits
from ruse.games.hidden_roles.rules import GOOD, POINTING, PRIVATE, SPIES, HiddenRoles, Play
from ruse.games.hidden_roles.suspects import Missions, fits
from ruse.games.hidden_roles.verify import seat_policy
from ruse.solvers.cfr import Cfr
from ruse.solvers.highs import SolverError
from ruse.solvers.one_side import one_side
from ruse.solvers.plans import Plans
from ruse.solvers.variants import VARIANTS
from ruse.solving.auto import SMALL
from ruse.solving.found import UNWRITTEN, Found
from ruse.solving.on_form import solve_form
from ruse.solving.options import INTERRUPTED, Asked, Kept
from ruse.solving.tables import as_tables, odds_of

if TYPE_CHECKING:
    from ruse.games.arrays.hidden_roles import OrbitArrays

SOLVER = "orbits"
WHY = "it is made for games with hidden roles"
SUSPECTED = "missions can do no more here than try three suspicions, so only the talk was left to solve"
ITERATIONS, CLOSE = 10_000, 1e-6  # of PDCFR+, for the support: at most so many, until the bounds are so close
MOST_SEATED = 20_000  # nodes seat by seat, to write the strategies down for all of them
MOST_AT_ONCE = 200  # iterations between looks
LEAVING = 10.0  # seconds, to certify what was found and write it down
LATE = "the time was up before the bounds met"
MOST_NAMES = 3_000_000  # renamings of seats, times what can be said: a minute
NODE_BYTES = 100  # of the form up to the names of seats: measured
TRIES = {SPIES: ((1e-3, 0.05),), GOOD: ((2e-2, 1.0), (1e-3, 1.0))}  # share and nearness (ruse.solvers.one_side)


class WonOnly(Orbits):
    """The same game with payoffs one higher, 2 or 0: most ends pay nothing, and need not be written down."""

    def arrays(self) -> OrbitArrays:
        from ruse.games.arrays.hidden_roles import OrbitArrays

        class Shifted(OrbitArrays):
            def payoff(self, states):  # type: ignore[no-untyped-def]
                return super().payoff(states) + 1

        return Shifted(self)


def refusal(asked: Asked) -> str:
    return "" if asked.reduced else "expected all reductions on for the solver orbits: use lp to switch them off"


def solve(game: HiddenRoles, solver: str, asked: Asked, report: Report) -> Found:
    orbits = Orbits(game)
    _check_names(game)
    if game.talk in POINTING and (found := _suspected(game, report)) is not None:
        return found
    if (needed := NODE_BYTES * orbits.nodes()) > size_estimate.SHARE * size_estimate.free_bytes():
        raise GameError(
            f"expected a table whose form takes at most half of the {size_estimate.free_bytes() / (1 << 30):.1f} GB of "
            f"free memory, got one of about {needed / (1 << 30):.0f} GB in {game.title}: use a smaller table"
        )
    report("writing down the sequence form up to the names of seats", None, None)
    form = won_form(game)
    alike = refined(form, 1.0) if asked.refine else None
    small = form if alike is None else alike.form
    note = "" if alike is None else alike.note
    sequences = sum(tree.sequences for tree in small.trees)
    report(f"solving {small.trees[0].sequences:,} × {small.trees[1].sequences:,} sequences", None, None)
    if sequences <= SMALL and not asked.gap and not asked.iterations:
        found = solve_form(orbits, small, "lp", asked, Kept(), report)
    else:
        found = _iterated(small, asked, report)
        if not asked.gap and not asked.iterations and not found.note:
            found = _exactly(small, found, report)
    assert found.plans is not None
    plans = found.plans if alike is None else alike.grown(found.plans)
    report("certifying", None, None)
    certificate = certify(form, plans)
    report("writing the strategies down", None, None)
    written = tables(orbits, form, plans)
    if size_estimate.walkable(game, MOST_SEATED):
        written = seated(game, written)
    note = "; ".join(filter(None, (note, found.note)))
    return replace(found, solver=SOLVER, tables=written, certificate=certificate, why=WHY, note=note, plans=None)


def _check_names(game: HiddenRoles) -> None:
    """Refuse tables at which what can be said has too many names to go through."""
    players, said = game.table.players, 1
    if game.talk == PRIVATE:
        said = len(game.cast.claims(0)) ** len(game.spies(game.cast.seats))
    elif game.talk in POINTING:
        said = (players - 1) ** players
    if (names := factorial(players) * said) > MOST_NAMES:
        raise GameError(
            f"expected at most {MOST_NAMES:,} ways to name seats and what is said, got {names:,} in {game.title}: "
            "use fewer players, or no talk"
        )


def won_form(game: HiddenRoles) -> SequenceForm:
    """The form up to the names of seats: what is won, and one lost for everybody."""
    form = bulk_form(WonOnly(game))
    return replace(
        form,
        rows=np.append(np.int32(0), form.rows).astype(np.int32),
        columns=np.append(np.int32(0), form.columns).astype(np.int32),
        payoffs=np.append(-form.denominator, form.payoffs),
    )


def _iterated(form: SequenceForm, asked: Asked, report: Report) -> Found:
    """Plans near optimal ones, by PDCFR+; bounds on the way are floats, as those of a large form take long."""
    steps = asked.iterations or (ITERATIONS if not asked.gap else inf)
    report("compiling (kept for next time)", None, None)
    compiled = Compiled(form)
    run, portion, note = Cfr(compiled, VARIANTS["pdcfr+"]), 1, ""
    with Interrupts() as interrupts:
        while run.iterations < steps:
            if clock.left() <= LEAVING and run.iterations:
                note = LATE
                break
            run.run(int(min(portion, steps - run.iterations)))
            lower, upper = compiled.bounds(run.weights())
            report(f"iteration {run.iterations:,}", lower, upper)
            if upper - lower <= (asked.gap or CLOSE):
                break
            if interrupts.came:
                note = INTERRUPTED
                break
            portion = min(MOST_AT_ONCE, 1 + run.iterations // 4)
    certified = compiled.certify(run.weights())
    return Found(SOLVER, UNWRITTEN, certified.certificate, run.iterations, note=note, plans=certified.fractions())


def _exactly(form: SequenceForm, found: Found, report: Report) -> Found:
    """Both sides' exact plans near those that were found; what cannot be had in time stays as it is."""
    assert found.plans is not None
    compiled = Compiled(form)
    weights = np.array(found.plans[0], dtype=float), np.array(found.plans[1], dtype=float)
    plans, bounds = list(found.plans), [found.certificate.lower, found.certificate.upper]
    try:
        for side in (SPIES, GOOD):
            for share, near in TRIES[side]:

                def tell(rounds: int, bound: float, side: int = side) -> None:
                    who = ("the good side", "the spies")[side]
                    report(f"round {rounds} of exact strategies for {who}", *_ordered(bounds, side, bound))

                plan, bound = one_side(compiled, weights, side, share=share, near=near, report=tell)
                if bound > bounds[0] if side == GOOD else bound < bounds[1]:
                    plans[side], bounds[side] = plan, bound
                if bounds[0] == bounds[1]:
                    break
    except (clock.TimeIsUp, SolverError):
        pass
    certificate = Certificate(bounds[0], bounds[1])
    note = "an LP for each side made it exact" if certificate.exact else "an LP for each side brought the bounds closer"
    return replace(found, plans=(plans[0], plans[1]), certificate=certificate, note=note)


def _ordered(bounds: list[Fraction], side: int, bound: float) -> tuple[float, float]:
    lower, upper = map(float, bounds)
    return (max(lower, bound), upper) if side == GOOD else (lower, min(upper, bound))


def tables(orbits: Orbits, form: SequenceForm, plans: Plans) -> Tables:
    """Odds by class, at the positions that each strategy comes to by itself."""
    found: list[dict[str, dict[str, Fraction]]] = []
    for side in (GOOD, SPIES):
        plan, own = plans[side], {}
        reached = [
            (number, parent, first, end)
            for number, (parent, first, end) in enumerate(form.trees[side].sets())
            if plan[parent]
        ]
        column = form.knowledge[side]
        assert isinstance(column, Column)
        sets = column.some([number for number, *_ in reached])
        for (_, parent, first, end), (knowledge, moves) in zip(reached, sets, strict=True):
            clock.tick()
            own[describe(orbits, knowledge)] = {
                orbits.label(move): plan[sequence] / plan[parent]
                for move, sequence in zip(moves, range(first, end), strict=True)
                if plan[sequence]
            }
        found.append(own)
    return found[0], found[1]


def seated(game: HiddenRoles, filed: Tables) -> Tables:
    """The same strategies at every position seat by seat; where one never comes, a best response to the other."""
    form = sequence_form(game)
    states: tuple[dict[Play, Play], dict[Play, Play]] = ({}, {})
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
        policy = seat_policy(game, side, filed[side])
        plan = [Fraction(1)] + [Fraction(0)] * (form.trees[side].sequences - 1)
        for number, (parent, first, end) in enumerate(form.trees[side].sets()):
            odds = policy(states[side][form.knowledge[side][number]]) if plan[parent] else {}
            for sequence, move in zip(range(first, end), form.moves[side][number], strict=True):
                plan[sequence] = plan[parent] * odds.get(move, Fraction(0))
        plans.append(plan)
    return as_tables(game, odds_of(form, (plans[0], plans[1])))


def _suspected(game: HiddenRoles, report: Report) -> Found | None:
    """The strategies where missions can do no more than try three suspicions; None where they may do more."""
    report("solving the missions by themselves", None, None)
    if not fits(game, missions := Missions(game)):
        return None
    report("solving what is said", None, None)
    certificate, written = suspected.solve(game, missions)
    if size_estimate.walkable(game, MOST_SEATED):
        written = seated(game, written)
    return Found(SOLVER, written, certificate, 0, why=WHY, note=SUSPECTED)
