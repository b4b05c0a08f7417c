"""Quantal response equilibria: how people play who make costly mistakes more rarely than cheap ones.

In the agent quantal response equilibrium of McKelvey and Palfrey (1998), with logit errors, the odds of a move s at an
information set I are proportional to exp(rationality * u(s)). Here u(s) is what s is worth to its side if both sides
play on like this, given the beliefs at I that follow from how the other side plays. At rationality 0 all odds are
uniform; as it grows, play approaches a sequential equilibrium.

ruse follows the branch of equilibria that starts at 0 by pseudo-arclength continuation, in logarithms of odds (Turocy
2005 and 2010): odds may become tiny, and a branch may turn back before it goes on. With x and y the plans, A the
payoffs and C the odds of chance of each information set and sequence of the other side,

    worth W = P A y,     P[s, t] = x[t] / x[s] for t that follow s,     reach R = C y,     u(s) = W[s] / R[set of s].

All derivatives by log odds are products of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy.linalg import LinAlgError, LinAlgWarning, solve
from threadpoolctl import threadpool_limits

from ruse.core import clock
from ruse.core.arrays import Array
from ruse.core.capabilities import ByClass
from ruse.core.contract import checked
from ruse.core.game import CHANCE, END, Game, GameError, RuseError, describe, with_article
from ruse.core.own import as_game
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solvers.spec import has_plain_tree

MOST_SEQUENCES = 2_500  # of both sides: dense matrices of this size are solved many times
MOST_NODES = 300_000
MOST_RATIONAL = 1e12  # floats tell payoffs apart up to there
FIRST_STEP, SMALLEST_STEP = 0.1, 1e-9  # along the branch
GROWTH, SHRINKAGE = 1.4, 0.5
MOST_CORRECTIONS = 8  # Newton steps at a point of the branch
NEAR = 1e-10  # residual at which a point is on the branch
MOST_STEPS = 2_000

OddsTable = Mapping[str, Mapping[str, float]]  # position -> move -> odds


class NoQuantalResponse(RuseError):
    """The branch of quantal response equilibria could not be followed so far."""


@dataclass(frozen=True)
class QuantalResponse:
    """A logit agent quantal response equilibrium, in floats."""

    game: Game
    rationality: float
    tables: tuple[OddsTable, OddsTable]
    """the odds of each side's moves, by position"""
    value: float
    """the expected payoff to side 0"""
    residual: float
    """how far the logarithms of odds are off the logit formula, at most"""
    steps: int
    """points of the branch that were computed on the way"""

    def __repr__(self) -> str:
        return (
            f"<quantal response equilibrium of {self.game.title} at rationality {self.rationality:g}: "
            f"worth {self.value:.6g} to {with_article(self.game.sides[0])}>"
        )


def quantal_response(game: Any, rationality: float) -> QuantalResponse:
    """Compute how two sides play who make costly mistakes more rarely than cheap ones.

    This is the logit agent quantal response equilibrium of McKelvey and Palfrey (1998), on the branch that starts with
    uniform odds.

    Parameters
    ----------
    game
        The rules: one of `ruse.games`, or any object with the seven methods of `ruse.Game`. It may have up to 2,500
        sequences.
    rationality
        How strongly odds depend on payoffs (often called lambda), from 0 to 10^12. If one move is worth 1 more than
        another, its odds are e^rationality times as high. 0 means uniform odds.

    Returns
    -------
    QuantalResponse
        Odds of all moves at all positions, the expected payoff, and the residual of the equations that define them.

    Raises
    ------
    RuseError
        The game is too large or has no tree, or the rationality is too high for floats.

    Examples
    --------
    >>> import ruse
    >>> found = ruse.quantal_response(ruse.games.kuhn(), 5)
    >>> round(found.tables[1]["kuhn@Q/bet"]["call"], 4), found.residual < 1e-9
    (0.5269, True)
    """
    game = as_game(game)
    if not 0 <= rationality <= MOST_RATIONAL:
        raise NoQuantalResponse(f"expected a rationality from 0 to {MOST_RATIONAL:g}, got {rationality:g}")
    if not has_plain_tree(game):
        reason = "its strategies are stored by class" if isinstance(game, ByClass) else "it has no game tree"
        raise GameError(f"ruse cannot compute quantal responses of {game.title}, because {reason}")
    form = sequence_form(game, MOST_NODES)
    if (sequences := sum(tree.sequences for tree in form.trees)) > MOST_SEQUENCES:
        raise GameError(
            f"{game.title} has {sequences:,} sequences, and quantal_response accepts at most {MOST_SEQUENCES:,}; "
            "use smaller parameters"
        )
    branch = _Branch(_Logit(form, _reaches(game, form)))
    with np.errstate(all="ignore"), threadpool_limits(1):  # many small systems: more threads only wait for each other
        logs = branch.at(float(rationality))
        there = branch.logit.at(logs, float(rationality))
    first, second = (
        {
            describe(game, knowledge): {
                game.label(move): float(odds) for move, odds in zip(moves, np.exp(logs[side][begin:end]), strict=True)
            }
            for knowledge, moves, (_, begin, end) in zip(
                form.knowledge[side], form.moves[side], form.trees[side].sets(), strict=True
            )
        }
        for side in (0, 1)
    )
    residual = float(np.abs(there.residual).max(initial=0.0))
    return QuantalResponse(game, float(rationality), (first, second), there.value, residual, branch.steps)


def _reaches(game: Game, form: FormArrays) -> tuple[Array, Array]:
    """How likely chance makes each set after each sequence of the other side: float64[sets, sequences], for each side.

    Each entry is a sum over states.
    """
    game = checked(game)
    numbers = tuple({knowledge: number for number, knowledge in enumerate(form.knowledge[side])} for side in (0, 1))
    first, second = form.trees
    reaches = np.zeros((first.infosets, second.sequences)), np.zeros((second.infosets, first.sequences))
    waiting: list[tuple[Any, float, tuple[int, int]]] = [(game.start(), 1.0, (0, 0))]
    while waiting:
        clock.tick()
        state, chance, played = waiting.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        moves = game.moves(state)
        if turn == CHANCE:
            waiting += [
                (game.play(state, move), chance * float(odds), played)
                for move, odds in zip(moves, game.odds(state), strict=True)
                if odds
            ]
            continue
        number = numbers[turn][game.knows(state, turn)]
        reaches[turn][number, played[1 - turn]] += chance
        begin = int(form.trees[turn].first[number])
        for place, move in enumerate(moves):
            after = (begin + place, played[1]) if turn == 0 else (played[0], begin + place)
            waiting.append((game.play(state, move), chance, after))
    return reaches


class _Side:
    """One side's tree as matrices."""

    def __init__(self, form: FormArrays, side: int, reach: Array) -> None:
        tree = form.trees[side]
        self.tree, self.reach = tree, reach
        self.size = tree.sequences
        self.owner = np.repeat(np.arange(tree.infosets), np.diff(tree.first))  # of sequence 1 on
        self.before = np.eye(self.size, dtype=bool)  # [t, s]: s comes before t, or is t
        for parent, first, end in tree.sets():
            self.before[first:end] |= self.before[parent]
        self.head = tree.first[:-1][self.owner]  # the first sequence of the set of each

    def logs(self, odds: Array) -> Array:
        """The logarithm of the weight of each sequence, from those of odds."""
        totals = odds.copy()
        for parent, first, end in self.tree.sets():
            totals[first:end] += totals[parent]
        return totals


class _Point(NamedTuple):
    """The equations at a point: what is left of them, their derivatives, and the payoff there."""

    residual: Array  # float64[unknowns]
    by_logs: Array  # float64[unknowns, unknowns]
    by_rationality: Array  # float64[unknowns]
    value: float


class _Logit:
    """The equations of a quantal response equilibrium, in the logarithms of the odds of all moves of both sides.

    For the first move of each information set: all odds of the set add up to 1. For each other move: the logarithm of
    its odds beside the first move's is the rationality times what it is worth more.
    """

    def __init__(self, form: FormArrays, reaches: tuple[Array, Array]) -> None:
        self.sides = tuple(_Side(form, side, reaches[side]) for side in (0, 1))
        self.payoffs = np.zeros((self.sides[0].size, self.sides[1].size))
        np.add.at(self.payoffs, (form.rows, form.columns), form.floats())
        self.unknowns = [side.size - 1 for side in self.sides]

    def uniform(self) -> Array:
        """The logarithms of uniform odds."""
        parts = [-np.log(np.diff(side.tree.first))[side.owner] for side in self.sides]
        return np.concatenate(parts)

    def split(self, unknowns: Array) -> tuple[Array, Array]:
        """Each side's logarithms of odds, with 0 for the empty sequence."""
        cut = self.unknowns[0]
        return np.concatenate([[0.0], unknowns[:cut]]), np.concatenate([[0.0], unknowns[cut:]])

    def at(self, odds: tuple[Array, Array], rationality: float) -> _Point:
        plans = [np.exp(side.logs(side_odds)) for side, side_odds in zip(self.sides, odds, strict=True)]
        cut, total = self.unknowns[0], sum(self.unknowns)
        residual, by_rationality = np.zeros(total), np.zeros(total)
        by_logs = np.zeros((total, total))
        for number, side in enumerate(self.sides):
            mine = slice(0, cut) if number == 0 else slice(cut, total)
            theirs = slice(cut, total) if number == 0 else slice(0, cut)
            values, by_own, by_other = self._move_values(number, odds, plans)
            rest = side.head != np.arange(1, side.size)
            head = side.head - 1
            share = np.exp(odds[number][1:])
            logs = odds[number][1:]
            sums = np.bincount(side.owner, share, minlength=side.tree.infosets)[side.owner] - 1
            more = values - values[head]
            residual[mine] = np.where(rest, logs - logs[head] - rationality * more, sums)
            by_rationality[mine] = np.where(rest, -more, 0.0)
            own = -rationality * (by_own - by_own[head])
            places = np.arange(side.size - 1)
            own[places, places] += 1
            own[places, head] -= 1
            same_set = side.owner[:, None] == side.owner[None, :]
            by_logs[mine, mine] = np.where(rest[:, None], own, np.where(same_set, share[None, :], 0.0))
            by_logs[mine, theirs] = np.where(rest[:, None], -rationality * (by_other - by_other[head]), 0.0)
        value = float(plans[0] @ self.payoffs @ plans[1])
        return _Point(residual, by_logs, by_rationality, value)

    def _move_values(self, number: int, odds: tuple[Array, Array], plans: list[Array]) -> tuple[Array, Array, Array]:
        """What each move is worth to its side, and the derivatives by the logarithms of its own and the other odds."""
        side, other = self.sides[number], self.sides[1 - number]
        payoffs = self.payoffs if number == 0 else -self.payoffs.T
        plan = plans[1 - number]
        logs = side.logs(odds[number])
        follows = np.where(side.before.T, np.exp(np.where(side.before.T, logs[None, :] - logs[:, None], 0.0)), 0.0)
        reach = (side.reach @ plan)[side.owner]
        values = follows @ (payoffs @ plan)
        by_plan = plan[:, None] * other.before  # by the other side's logarithms of odds
        by_other = follows[1:] @ (payoffs @ by_plan)
        by_reach = (side.reach @ by_plan)[side.owner]
        move_values = values[1:] / reach
        strict = follows - np.eye(side.size)
        by_own = (strict * values[None, :])[1:, 1:] / reach[:, None]
        return move_values, by_own, ((by_other - move_values[:, None] * by_reach) / reach[:, None])[:, 1:]


class _Branch:
    """The equilibria that are connected with uniform odds, followed from there."""

    def __init__(self, logit: _Logit) -> None:
        self.logit, self.steps = logit, 0
        self.point, self.rationality = logit.uniform(), 0.0
        self.tangent = np.zeros(len(self.point) + 1)
        self.tangent[-1] = 1.0

    def at(self, target: float) -> tuple[Array, Array]:
        """Each side's logarithms of odds at a rationality."""
        step = FIRST_STEP
        while self.rationality < target:
            clock.tick()
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise self._lost(target)
            tangent = self._tangent()
            step = min(step, (target - self.rationality) / tangent[-1]) if tangent[-1] > 0 else step
            moved = self._corrected(tangent, step)
            if moved is None:
                step *= SHRINKAGE
                if step < SMALLEST_STEP:
                    raise self._lost(target)
                continue
            point, rationality, corrections = moved
            if rationality > target:  # it overshot by a correction: come down to the target itself
                point = self._fixed(point, target)
                rationality = target
            self.point, self.rationality, self.tangent = point, rationality, tangent
            step *= GROWTH if corrections <= MOST_CORRECTIONS // 2 else 1.0
            if target - self.rationality < NEAR * max(1.0, target):
                self.point, self.rationality = self._fixed(self.point, target), target
        return self.logit.split(self.point)

    def _lost(self, target: float) -> NoQuantalResponse:
        return NoQuantalResponse(
            f"the quantal responses could not be followed beyond a rationality of {self.rationality:.4g} in floats: "
            f"choose less than {target:g}"
        )

    def _equations(self, point: Array, rationality: float) -> _Point:
        return self.logit.at(self.logit.split(point), rationality)

    def _tangent(self) -> Array:
        """The direction of the branch, on from where it came."""
        here = self._equations(self.point, self.rationality)
        system = np.vstack([np.column_stack([here.by_logs, here.by_rationality]), self.tangent])
        right = np.zeros(len(self.tangent))
        right[-1] = 1.0
        direction = _solved(system, right)
        if direction is None:
            raise self._lost(inf)
        return np.asarray(direction / np.linalg.norm(direction))

    def _corrected(self, tangent: Array, step: float) -> tuple[Array, float, int] | None:
        """The point of the branch that is a step ahead, with the number of corrections; None if it is not found."""
        point = self.point + step * tangent[:-1]
        rationality = self.rationality + step * tangent[-1]
        for corrections in range(MOST_CORRECTIONS):
            here = self._equations(point, rationality)
            size = np.abs(here.residual).max(initial=0.0)
            if not np.isfinite(size):
                return None
            if size < NEAR * max(1.0, rationality):
                return (point, float(rationality), corrections) if rationality >= 0 else None
            system = np.vstack([np.column_stack([here.by_logs, here.by_rationality]), tangent])
            change = _solved(system, np.concatenate([-here.residual, [0.0]]))
            if change is None or np.abs(change).max() > 10 * max(1.0, step):
                return None
            point, rationality = point + change[:-1], rationality + change[-1]
        return None

    def _fixed(self, point: Array, rationality: float) -> Array:
        """The equilibrium at a rationality, from a point near it."""
        for _ in range(MOST_CORRECTIONS):
            here = self._equations(point, rationality)
            if np.abs(here.residual).max(initial=0.0) < NEAR:
                break
            change = _solved(here.by_logs, -here.residual)
            if change is None:
                break
            point = point + change
        return point


def _solved(system: Array, right: Array) -> Array | None:
    """The solution of a linear system; None if it is singular or not finite."""
    if not np.all(np.isfinite(system)):
        return None
    try:
        with catch_warnings():
            simplefilter("ignore", LinAlgWarning)  # where odds are tiny; what is found is judged by its residual
            solution: Array = solve(system, right)
    except LinAlgError:
        return None
    return solution if bool(np.all(np.isfinite(solution))) else None
