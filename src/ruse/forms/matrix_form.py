"""The sequence form of a game as matrices, for solvers and notebooks: `ruse.sequence_form(game)`.

    max over x, min over y of x' A y    with  E x = e,  F y = f,  x >= 0,  y >= 0

A sequence is the moves that a side has made on the way to one of its information sets, and one move there; sequence 0
is the empty one. A realization plan gives each sequence the product of the odds of its moves (von Stengel 1996).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.certificate import Certificate
from ruse.core.game import Game, PolicyError, RuseError, describe, display_name, possessive
from ruse.core.html import facts_table
from ruse.core.own import as_game
from ruse.core.registry import imported
from ruse.core.sides import side_number
from ruse.core.size_estimate import most_nodes
from ruse.forms import certificate as exact
from ruse.forms import sequence_form as walked
from ruse.forms.sequence_form import Treeplex

EMPTY = "∅"  # the name of the empty sequence
NEAR = 1e-6  # by which weights may miss what they should add up to
Odds = Mapping[str, Mapping[str, Any]]  # by position and move


class BestResponse(NamedTuple):
    """A best response: the payoff to side 0 when it is played, and a realization plan with one move everywhere."""

    value: Any
    plan: Any


class TorchForm(NamedTuple):
    """The matrices of a sequence form as tensors."""

    payoffs: Any
    constraints: tuple[Any, Any]
    right_hand_sides: tuple[Any, Any]


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """The sequence form of a game.

    Arrays are numpy's and are shared with ruse's own solvers without a copy, so they are read-only. Sides may be given
    by number or by any of their names. Payoffs are those of side 0.

    Attributes
    ----------
    game
        The game.
    arrays
        The form as solvers of ruse see it (`ruse.forms.sequence_form.FormArrays`), with whole payoffs.

    Examples
    --------
    >>> import ruse
    >>> form = ruse.sequence_form(ruse.games.kuhn())
    >>> form
    <sequence form of kuhn: 13 × 13 sequences, 6 + 6 information sets, 30 payoffs>
    >>> E, e = form.constraints("first")
    >>> x = form.uniform_plan(0)
    >>> bool((E @ x == e).all()), form.sequences(0)[1]
    (True, 'kuhn@K check')
    >>> round(float(x @ form.payoffs @ form.uniform_plan(1)), 6)
    0.125
    """

    game: Game
    arrays: walked.FormArrays

    @property
    def trees(self) -> tuple[Treeplex, Treeplex]:
        """The tree of information sets of each side."""
        return self.arrays.trees

    @cached_property
    def payoffs(self) -> Any:
        """A: what side 0 gets, odds of chance included (scipy.sparse.csr_array, float64)."""
        from scipy.sparse import coo_array

        form = self.arrays
        shape = tuple(tree.sequences for tree in form.trees)
        matrix = coo_array((form.floats(), (form.rows, form.columns)), shape=shape).tocsr()
        matrix.data.flags.writeable = False
        return matrix

    def exact_payoffs(self) -> dict[tuple[int, int], Fraction]:
        """The payoffs as fractions, by the sequences of side 0 and side 1."""
        form = self.arrays
        places = zip(form.rows.tolist(), form.columns.tolist(), strict=True)
        return {
            place: Fraction(payoff, form.denominator)
            for place, payoff in zip(places, form.payoffs.tolist(), strict=True)
        }

    def constraints(self, side: int | str) -> tuple[Any, Array]:
        """E and e of a side: its realization plans are the x >= 0 with E x = e (scipy.sparse.csr_array, float64)."""
        from scipy.sparse import coo_array

        tree = self.trees[self._side(side)]
        rows, columns, values = tree.constraints()
        matrix = coo_array((values.astype(float), (rows, columns)), shape=(tree.infosets + 1, tree.sequences)).tocsr()
        right = np.zeros(tree.infosets + 1)
        right[0] = 1.0
        return matrix, right

    # Names.

    def information_sets(self, side: int | str) -> list[str]:
        """The position of each information set of a side, in the order of the form."""
        return list(self._positions[self._side(side)])

    def moves(self, side: int | str) -> list[tuple[str, ...]]:
        """The moves at each information set of a side."""
        return list(self._moves[self._side(side)])

    def sequences(self, side: int | str) -> list[str]:
        """The name of each sequence of a side: the position where its last move is made, and that move."""
        number = self._side(side)
        pairs = zip(self._positions[number], self._moves[number], strict=True)
        return [EMPTY, *(f"{position} {move}" for position, moves in pairs for move in moves)]

    @cached_property
    def _positions(self) -> tuple[list[str], list[str]]:
        first, second = ([describe(self.game, knowledge) for knowledge in known] for known in self.arrays.knowledge)
        return first, second

    @cached_property
    def _moves(self) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        label = self.game.label
        first, second = ([tuple(map(label, moves)) for moves in offered] for offered in self.arrays.moves)
        return first, second

    # Plans, behaviour strategies and policies.

    def uniform_plan(self, side: int | str) -> Array:
        """The realization plan of the uniform strategy."""
        return self.to_plan(side, np.ones(self.trees[self._side(side)].sequences))

    def to_plan(self, side: int | str, strategy: Odds | Sequence[Any] | Array) -> Array:
        """A realization plan from a policy or from an array of odds (float64[sequences]).

        An array has one number per sequence; at each information set, odds are in proportion to its numbers there, so a
        behaviour strategy, a realization plan and a sum of plans are all read. Where the numbers are 0, odds are
        uniform.
        """
        number = self._side(side)
        tree, odds = self.trees[number], self.to_behaviour(side, strategy)
        plan = odds.copy()
        for sets in tree.levels():
            for at in sets.tolist():
                first, end = int(tree.first[at]), int(tree.first[at + 1])
                plan[first:end] *= plan[tree.parent[at]]
        return plan

    def to_behaviour(self, side: int | str, strategy: Odds | Sequence[Any] | Array) -> Array:
        """The odds of each sequence's last move at its information set, from a policy or an array (float64[sequences]).

        The odds of the empty sequence are 1. Arrays are read as `to_plan` reads them.
        """
        number = self._side(side)
        tree = self.trees[number]
        weights = self.check_weights(number, self._weights(number, strategy))
        if not tree.infosets:
            return np.ones(1)
        starts, sizes = tree.first[:-1] - 1, np.diff(tree.first)
        totals = np.add.reduceat(weights[1:], starts)
        safe = np.repeat(np.where(totals > 0, totals, 1.0), sizes)
        even = np.repeat(1.0 / sizes, sizes)
        odds = np.where(np.repeat(totals > 0, sizes), weights[1:] / safe, even)
        return np.concatenate([[1.0], odds])

    def to_policy(self, side: int | str, strategy: Odds | Sequence[Any] | Array) -> dict[str, dict[str, float]]:
        """The odds of each move at each position, from a plan or an array of odds."""
        number = self._side(side)
        odds, tree = self.to_behaviour(side, strategy).tolist(), self.trees[number]
        bounds = zip(tree.first[:-1].tolist(), tree.first[1:].tolist(), strict=True)
        pairs = zip(self._positions[number], self._moves[number], bounds, strict=True)
        return {position: dict(zip(moves, odds[first:end], strict=True)) for position, moves, (first, end) in pairs}

    def check_plan(self, side: int | str, plan: Sequence[Any] | Array) -> None:
        """Refuse weights that are not a realization plan, and say at which information set."""
        number = self._side(side)
        weights, tree = self.check_weights(number, plan), self.trees[number]
        if abs(weights[0] - 1) > NEAR:
            raise PolicyError(f"a realization plan has weight 1 for the empty sequence, not {weights[0]:g}")
        totals = np.add.reduceat(weights[1:], tree.first[:-1] - 1) if tree.infosets else weights[:0]
        wrong = np.flatnonzero(np.abs(totals - weights[tree.parent]) > NEAR)
        if len(wrong):
            at = int(wrong[0])
            raise PolicyError(
                f"the weights of {self._positions[number][at]} sum to {totals[at]:g}, but the sequence that leads "
                f"there has weight {weights[tree.parent[at]]:g}"
            )

    def _weights(self, side: int, policy: Odds | Sequence[Any] | Array) -> Any:
        """The odds of a policy by sequence, 0 where it says nothing; an array as it is."""
        if not isinstance(policy, Mapping):
            return policy
        weights, index = np.zeros(self.trees[side].sequences), self._index[side]
        firsts = self.trees[side].first
        for position, odds in policy.items():
            if (at := index.get(position)) is None:
                raise PolicyError(f"{position!r} is not a position where {display_name(self.game.sides[side])} moves")
            for move, share in odds.items():
                if move not in (moves := self._moves[side][at]):
                    raise PolicyError(f"{move!r} is not a move at {position}; its moves are {', '.join(moves)}")
                weights[int(firsts[at]) + moves.index(move)] = share
        return weights

    def index(self, side: int | str) -> Mapping[str, int]:
        """The number of the information set at each position of a side."""
        return self._index[self._side(side)]

    @cached_property
    def _index(self) -> tuple[dict[str, int], dict[str, int]]:
        first, second = ({position: at for at, position in enumerate(positions)} for positions in self._positions)
        return first, second

    def check_weights(self, side: int | str, weights: Any) -> Array:
        """Return weights of all sequences as float64; refuse a wrong shape, NaN, infinite and negative numbers."""
        side = self._side(side)
        given = on_cpu(weights)
        try:
            array = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise PolicyError(
                f"expected numbers for {display_name(self.game.sides[side])}, got {type(weights).__name__}"
            ) from error
        self.check_shape(side, array)
        wrong = np.flatnonzero(~np.isfinite(array) | (array < 0))
        if len(wrong):
            at = int(wrong[0])
            raise PolicyError(
                f"the weight of {self.sequences(side)[at]!r} is {array[at]:g}; use finite numbers of at least 0"
            )
        return array

    def check_shape(self, side: int, array: Any) -> None:
        """Refuse an array that has not one number per sequence of a side."""
        wanted = self.trees[side].sequences
        if array.shape != (wanted,):
            got = " × ".join(map(str, array.shape)) or "a single number"
            raise PolicyError(
                f"expected {wanted:,} numbers, one per sequence of {display_name(self.game.sides[side])}, got {got}"
            )

    # Best responses.

    def gains(self, side: int | str, plan: Sequence[Any] | Array) -> Array:
        """What each sequence brings its side at its own ends against the other side's plan: A y, or −A' x."""
        number = self._side(side)
        other = self.check_weights(1 - number, plan)
        gained = self.payoffs @ other if number == 0 else -(self.payoffs.T @ other)
        return np.asarray(gained)

    def best_response(self, side: int | str, plan: Sequence[Any] | Array) -> BestResponse:
        """A best response of a side to the other side's realization plan, with the payoff to side 0.

        Exact where the plan is a list of fractions; the plan is then one, too.
        """
        number = self._side(side)
        if not isinstance(plan, np.ndarray) and is_exact(plan):
            fractions = [Fraction(weight) for weight in plan]
            self.check_shape(1 - number, np.empty(len(fractions)))
            value, values = exact.best_response(self.arrays, number, fractions)
            chosen = best_moves(self.trees[number], np.array(values, dtype=object), number)
            return BestResponse(value, [Fraction(weight) for weight in pure_plan(self.trees[number], chosen).tolist()])
        gained = (1.0 if number == 0 else -1.0) * self.gains(number, plan)
        exact.add_best(self.trees[number], gained, np.maximum if number == 0 else np.minimum)
        chosen = best_moves(self.trees[number], gained, number)
        return BestResponse(float(gained[0]), pure_plan(self.trees[number], chosen).astype(float))

    def value(self, first: Sequence[Any] | Array, second: Sequence[Any] | Array) -> float:
        """The payoff to side 0 when both sides follow these realization plans: x' A y."""
        return float(self.check_weights(0, first) @ self.payoffs @ self.check_weights(1, second))

    def bounds(self, first: Sequence[Any] | Array, second: Sequence[Any] | Array) -> Certificate:
        """Exact bounds on the value from plans near these: both best responses in fractions."""
        from ruse.forms.integer_form import Compiled

        return Compiled(self.arrays).certify((self.check_weights(0, first), self.check_weights(1, second))).certificate

    def to_torch(self, dtype: Any = None, device: Any = None) -> TorchForm:
        """The matrices as sparse PyTorch tensors (COO), float64 unless told otherwise. Needs the package torch."""
        try:
            torch = imported("torch")
        except ImportError as error:
            raise RuseError("to_torch() needs the package torch; install it with pip install torch") from error

        def tensor(matrix: Any) -> Any:
            entries = matrix.tocoo()
            places = torch.tensor(np.stack([entries.row, entries.col]).astype(np.int64))
            values = torch.tensor(np.array(entries.data), dtype=dtype or torch.float64)
            made = torch.sparse_coo_tensor(places, values, size=matrix.shape, check_invariants=True)
            return made.coalesce().to(device=device)

        (e_matrix, e), (f_matrix, f) = self.constraints(0), self.constraints(1)
        right = tuple(torch.tensor(vector, dtype=dtype or torch.float64, device=device) for vector in (e, f))
        return TorchForm(tensor(self.payoffs), (tensor(e_matrix), tensor(f_matrix)), (right[0], right[1]))

    # Texts.

    def _side(self, side: int | str) -> int:
        return side_number(self.game, side)

    def __repr__(self) -> str:
        return f"<sequence form of {self.game.title}: {self._sizes()}>"

    def _sizes(self) -> str:
        (x, y), entries = self.trees, len(self.arrays.payoffs)
        return (
            f"{x.sequences:,} × {y.sequences:,} sequences, {x.infosets:,} + {y.infosets:,} information sets, "
            f"{entries:,} payoffs"
        )

    def _repr_html_(self) -> str:
        facts = [
            (f"{possessive(name)} tree", f"{tree.sequences:,} sequences, {tree.infosets:,} information sets")
            for name, tree in zip(self.game.sides, self.trees, strict=True)
        ]
        return facts_table(
            f"sequence form of {self.game.title}", [*facts, ("payoffs", f"{len(self.arrays.payoffs):,}")]
        )


def best_moves(tree: Treeplex, values: Array, side: int) -> Array:
    """The best sequence of each information set, the first of equals."""
    if not tree.infosets:
        return np.zeros(0, dtype=np.int64)
    best = np.maximum if side == 0 else np.minimum
    sizes = np.diff(tree.first)
    targets = np.repeat(best.reduceat(values[1:], tree.first[:-1] - 1), sizes)
    owners = np.repeat(np.arange(tree.infosets), sizes)
    matches = np.flatnonzero(values[1:] == targets)
    _, places = np.unique(owners[matches], return_index=True)
    return np.asarray(matches[places] + 1)


def pure_plan(tree: Treeplex, chosen: Array) -> Array:
    """The realization plan that makes the chosen move at each information set: int64[sequences]."""
    plan = np.zeros(tree.sequences, dtype=np.int64)
    plan[0] = 1
    for sets in tree.levels():
        plan[chosen[sets]] = plan[tree.parent[sets]]
    return plan


def is_exact(weights: Sequence[Any]) -> bool:
    """Whether all numbers are whole numbers or fractions."""
    return all(isinstance(weight, int | Fraction) for weight in weights)


def on_cpu(weights: Any) -> Any:
    """A tensor of PyTorch as a numpy array; anything else as it is. Refuses tensors that are not on the CPU."""
    if not (hasattr(weights, "detach") and hasattr(weights, "device")):
        return weights
    if str(weights.device) != "cpu":
        raise PolicyError(f"this tensor is on the device {weights.device}; call .cpu() first")
    return weights.detach().numpy()


def sequence_form(game: Any) -> SequenceForm:
    """Write down the sequence form of a game, without reductions.

    Parameters
    ----------
    game
        The rules: one of `ruse.games`, or any object with the seven methods of `ruse.Rules`.

    Returns
    -------
    SequenceForm
        Matrices, names of sequences and information sets, and conversions of strategies.

    Raises
    ------
    RuseError
        The game has no game tree, or one that is too large for the memory.

    Examples
    --------
    >>> import ruse
    >>> form = ruse.sequence_form(ruse.games.kuhn())
    >>> form.payoffs.shape, form.information_sets("Player 2")[0]
    ((13, 13), 'kuhn@Q/check')
    """
    if isinstance(game, SequenceForm):
        return game
    game = as_game(game)
    if not isinstance(game, Memoryless) and size_estimate.nodes(game, most := most_nodes(game)) > most:
        raise size_estimate.too_large(game, "for a sequence form", "use smaller parameters")
    form = walked.sequence_form(game)
    for tree in form.trees:
        tree.parent.flags.writeable = tree.first.flags.writeable = False
    for array in (form.rows, form.columns, form.payoffs):
        array.flags.writeable = False
    return SequenceForm(game, form)
