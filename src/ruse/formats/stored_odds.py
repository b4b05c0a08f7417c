"""What a solution does at each information set of a tree: the odds of its moves, however its tables are written.

Most tables are about positions. Where moves that look alike share one entry, the game's manner of play (Presentation.
manner) says which moves each entry stands for, state by state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from ruse.core.capabilities import ByClass
from ruse.core.contract import unchecked
from ruse.core.game import Game, Knowledge, describe
from ruse.core.registry import presentation
from ruse.core.types import Odds
from ruse.core.walk import visits
from ruse.solution.strategy import Solution, Unlisted


def is_by_class(solution: Solution) -> bool:
    """Whether the strategies belong to the game after its reductions by symmetry and teams."""
    return isinstance(solution.game, ByClass) and solution.by_class


def odds_of(game: Game, solution: Solution, side: int) -> Callable[[Knowledge], Odds | None]:
    """A side's odds by what it knows in `game`, the solution's own or reduced; None where the strategy says nothing."""
    strategy, by_state = solution.strategy(side), _by_state(game, solution, side)

    def odds(knowledge: Knowledge) -> Odds | None:
        if by_state is not None:
            return by_state.get(knowledge)
        try:
            return strategy.at(describe(game, knowledge))
        except Unlisted:
            return None

    return odds


def _by_state(game: Game, solution: Solution, side: int) -> Mapping[Knowledge, Odds] | None:
    """The odds at each information set, where the game's manner of play gives them by state."""
    manner = presentation(solution.game).manner()
    if manner is None or unchecked(game) is not unchecked(solution.game):
        return None
    policy = manner(solution).policy(side)
    if policy is None:
        return None
    table: dict[Knowledge, dict[str, Fraction]] = {}
    for state, _, _ in visits(game):
        if game.turn(state) == side and (knowledge := game.knows(state, side)) not in table:
            table[knowledge] = {game.label(move): share for move, share in policy(state).items()}
    return table
