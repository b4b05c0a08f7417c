"""What a move costs: how much it loses to the side that moves, compared with the best move there.

Where the reference opponent (`ruse.insight.reference`), chance and some optimal strategy of one's own let play come,
the cost is against that opponent. Elsewhere it is against another continuation, which `basis` names. All definitions
and proofs are in docs/explanation/costs.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.clock import TimeIsUp, deadline
from ruse.core.game import Game, GameError, noun, with_article
from ruse.insight.insight_file import InsightFile
from ruse.insight.model import MAY, MUST, NEVER
from ruse.present.model import (
    BEST_ADVICE,
    NO_ADVICE,
    QUASI_PERFECT_ADVICE,
    RESOLVED_ADVICE,
    STORED_ADVICE,
    View,
    Viewer,
)
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.insight.model import Insight

WORTH_SAVING = 2.0  # seconds that a reference pair took
PATIENCE = 60.0  # seconds that a command waits for a reference pair
REFERENCE = "reference"  # the basis of costs against the reference opponent; the others are the advice of a view
QUASI_PERFECT, RESOLVED, BEST, STORED = QUASI_PERFECT_ADVICE, RESOLVED_ADVICE, BEST_ADVICE, STORED_ADVICE
FEWEST_MISTAKES = "fewest-mistakes"  # against the reference opponent, after as few mistakes of its own as possible
AGAINST = "against {}"
AFTER_OWN_MISTAKE = "against {}, after a mistake of yours"
AFTER_THEIR_MISTAKE = "if {} made as few mistakes as possible and {} well from here on"
CONDITIONS = {
    QUASI_PERFECT: "if both sides play well from here on and mistakes are very rare",
    RESOLVED: "if both sides play on as re-solved from here",
    BEST: "if both sides play their best from here on",
}


@dataclass(frozen=True)
class MoveCost:
    """The cost of one move."""

    move: str
    cost: Fraction  # at least 0, in payoff units of the side that moves; 0 for some move
    value: Fraction  # the payoff to side 0 after the move, if the side that moves then plays its best
    kind: str | None = None  # must, may or never, over all optimal strategies; None where that is not proved

    def to_json(self) -> dict[str, Any]:
        return {"cost": rationals.write(self.cost), "kind": self.kind}


@dataclass(frozen=True)
class PositionCosts:
    """The costs of all moves at a position; no moves where the side does not move."""

    position: str
    side: int
    moves: Mapping[str, MoveCost] = field(default_factory=dict)  # in the order of the game's moves
    basis: str = STORED
    condition: str = ""  # against whom or what the costs are, in a short phrase
    proved: bool = False  # whether exactly the moves that some optimal strategy makes here cost 0

    def cost(self, move: str) -> Fraction | None:
        """The cost of a move; None for a move that is not listed."""
        listed = self.moves.get(move)
        return None if listed is None else listed.cost

    @property
    def best(self) -> list[str]:
        """The moves that cost nothing."""
        return [move.move for move in self.moves.values() if not move.cost]

    def conditions(self) -> dict[str, Any] | None:
        """What the costs rest on, as JSON; None where there are none."""
        return {"basis": self.basis, "condition": self.condition, "proved": self.proved} if self.moves else None

    def to_json(self) -> dict[str, Any]:
        """The costs by move, and what they rest on."""
        return {"moves": {move.move: move.to_json() for move in self.moves.values()}, "costs": self.conditions()}


class Costs(Protocol):
    """The costs of moves in one solved game."""

    solution: Solution

    @property
    def reference(self) -> Solution | None:
        """The reference pair as a solution of the same game; None where there is none."""

    def at(self, position: str, side: int | None = None) -> PositionCosts:
        """The costs at a position; give `side` if both sides know the same text. Raises PositionError."""

    def met(self, position: str, side: int) -> PositionCosts | None:
        """The costs against the reference opponent wherever it lets play come, also after a mistake of one's own."""

    def reached(self, position: str, side: int) -> Mapping[str, Fraction]:
        """The cost of every move at a position where a side moves and that the pair is known to reach; no checks."""

    def keep(self) -> None:
        """Save the reference pair beside the file of the solution, if there is one."""


def costs(solution: Solution, viewer: Viewer | None = None, file: str | Path | InsightFile | None = None) -> Costs:
    """Return the costs of moves in a solved game; make it once, and ask it often.

    `viewer` is the solution's viewer, if there is one already. `file` is the file of the solution, beside which the
    reference pair may be saved. Raises GameError for a game that is too large to view.
    """
    if solution.certificate.exact and solution.written and not isinstance(solution.game, Open):
        from ruse.insight import insight

        with suppress(GameError):
            return costs_of(insight(solution, file=file, viewer=viewer), viewer)
    return stored_costs(solution, viewer)


def costs_in_time(solution: Solution, file: str | Path | InsightFile | None = None) -> Costs | None:
    """Return the costs of moves with their reference pair, which is saved beside the `file` if it took a while.

    None if the pair takes longer than PATIENCE. Raises GameError for a game too large to view.
    """
    try:
        with deadline(PATIENCE):
            made, began = costs(solution, file=file), perf_counter()
            _ = made.reference
            if perf_counter() - began > WORTH_SAVING:
                made.keep()
            return made
    except TimeIsUp:
        return None


def costs_of(insight: Insight, viewer: Viewer | None = None) -> Costs:
    """Return the costs of moves that belong to an insight, which are made once."""
    return insight.costs or stored_costs(insight.solution, viewer)


def add_costs(fields: dict[str, Any], here: PositionCosts | None) -> None:
    """Add the cost of each move to the JSON of an insight, and what the costs rest on."""
    for name, move in fields["moves"].items():
        cost = None if here is None else here.cost(name)
        move["cost"] = None if cost is None else rationals.write(cost)
    fields["costs"] = None if here is None else here.conditions()


def stored_costs(solution: Solution, viewer: Viewer | None = None) -> Costs:
    """Return the costs of moves against the stored strategies, which is what there is without a reference pair."""
    from ruse.present.viewer import viewer as new_viewer

    return ViewCosts(solution, new_viewer(solution) if viewer is None else viewer)


class ViewCosts:
    """The costs of moves in the views of a solution, where there is no reference pair."""

    reference = None

    def __init__(self, solution: Solution, viewer: Viewer) -> None:
        self.solution, self.viewer = solution, viewer

    def at(self, position: str, side: int | None = None) -> PositionCosts:
        from ruse.present.off_path import advised

        return costs_in(self.solution, advised(self.viewer, self.viewer.at(position, side)))

    def met(self, position: str, side: int) -> None:
        return None

    def reached(self, position: str, side: int) -> Mapping[str, Fraction]:
        return {name: move.cost for name, move in self.at(position, side).moves.items()}

    def keep(self) -> None:
        pass


def costs_in(solution: Solution, view: View) -> PositionCosts:
    """The costs of the moves that a view lists: how much worse each is than the best, if both sides then play on."""
    side, game = view.side, solution.game
    if view.turn != side:
        return PositionCosts(view.position, side)
    moves = {
        option.move: MoveCost(option.move, option.loss, option.value)
        for option in view.options
        if option.loss is not None and option.value is not None
    }
    basis = BEST if isinstance(game, Open) and view.exact else STORED if view.advice == NO_ADVICE else view.advice
    condition = CONDITIONS.get(basis) or f"against the stored strategy of {with_article(game.sides[1 - side])}"
    return PositionCosts(view.position, side, moves, basis, condition)


def against_reference(
    game: Game, position: str, side: int, values: Mapping[str, Fraction], own: Mapping[str, Fraction] | None
) -> PositionCosts:
    """The costs of moves against the reference opponent.

    `values` are the payoffs to side 0 after each move, with a best response to that opponent afterwards. `own` are the
    odds of the moves in the side's own reference strategy, or None if that never comes here.
    """
    tight = {move for move, payoff in values.items() if payoff == _best(side, values)}
    proved = own is not None and tight == {move for move, odds in own.items() if odds}
    condition = AFTER_OWN_MISTAKE if own is None else AGAINST
    return PositionCosts(
        position,
        side,
        _moves(side, values, tight if proved else None),
        REFERENCE,
        condition.format(optimal_players(game.sides[1 - side])),
        proved,
    )


def after_fewest_mistakes(game: Game, position: str, side: int, values: Mapping[str, Fraction]) -> PositionCosts:
    """The costs of moves where the reference opponent never lets play come, if it made as few mistakes as possible."""
    other = with_article(game.sides[1 - side])
    condition = AFTER_THEIR_MISTAKE.format(other, "play" if other.endswith("s") else "plays")
    return PositionCosts(position, side, _moves(side, values, None), FEWEST_MISTAKES, condition)


def _best(side: int, values: Mapping[str, Fraction]) -> Fraction:
    return max(values.values()) if side == 0 else min(values.values())


def _moves(side: int, values: Mapping[str, Fraction], optimal: Set[str] | None) -> dict[str, MoveCost]:
    """The costs of moves with these payoffs to side 0; `optimal` moves are those of optimal strategies, if proved."""
    best = _best(side, values)
    return {
        move: MoveCost(move, abs(best - payoff), payoff, None if optimal is None else _kind(move, optimal))
        for move, payoff in values.items()
    }


def _kind(move: str, optimal: Set[str]) -> str:
    if move not in optimal:
        return NEVER
    return MUST if len(optimal) == 1 else MAY


def optimal_players(side: str) -> str:
    """Return what a sentence calls a side that plays optimally: optimal spies, an optimal Player 2."""
    return f"optimal {noun(side)}" if noun(side).endswith("s") else f"an optimal {noun(side)}"
