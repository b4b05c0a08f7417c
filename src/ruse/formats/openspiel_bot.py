"""A solution as a bot of OpenSpiel, to play in its matches and evaluations."""

from __future__ import annotations

from random import Random
from typing import Any

from ruse.formats.openspiel import OpenSpielError, package
from ruse.formats.openspiel_policy import mirrored, policy
from ruse.solution.strategy import Solution


def bot(solution: Solution, seed: int | None = None) -> Any:
    """Make a `pyspiel.Bot` that plays a solution, for whichever player is to move.

    Parameters
    ----------
    solution
        A solution of a game that OpenSpiel has, loaded by its name or one of ruse's own.
    seed
        A seed for its random moves; the same seed and the same states give the same moves.

    Returns
    -------
    pyspiel.Bot
        `step(state)` draws a move by the odds of the solution; `get_policy(state)` returns all moves with their odds.
        `bot.game` is OpenSpiel's game, in which simultaneous moves are made one after the other.

    Raises
    ------
    RuseError
        OpenSpiel does not have this game, its rules differ, or the package open_spiel is missing.

    Examples
    --------
    >>> import pyspiel, ruse
    >>> bot = ruse.bot(ruse.solve(ruse.games.kuhn()), seed=1)
    >>> state = bot.game.new_initial_state()
    >>> while not state.is_terminal():
    ...     move = state.legal_actions()[0] if state.is_chance_node() else bot.step(state)
    ...     state.apply_action(move)
    >>> sum(state.returns())
    0.0
    """
    if not isinstance(solution, Solution):
        raise OpenSpielError(f"expected a solution, such as ruse.solve(game), got {solution!r}")
    table = policy(solution)
    spiel: Any = package("pyspiel", mirrored(solution.game))

    class SolutionBot(spiel.Bot):  # type: ignore[misc]
        """A bot that draws its moves by the odds of a solution."""

        def __init__(self) -> None:
            super().__init__()
            self.game = table.game
            self._random = Random(seed)

        def provides_policy(self) -> bool:
            return True

        def get_policy(self, state: Any) -> list[tuple[int, float]]:
            key = state.information_state_string(state.current_player())
            if key not in table.state_lookup:
                raise OpenSpielError(f"expected a state of {table.game}, got the information state {key!r}")
            return [(int(move), float(odds)) for move, odds in table.action_probabilities(state).items()]

        def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
            odds = self.get_policy(state)
            (move,) = self._random.choices([move for move, _ in odds], [share for _, share in odds])
            return odds, move

        def step(self, state: Any) -> int:
            return self.step_with_policy(state)[1]

        def restart(self) -> None:
            """Begin a new game; nothing of the last one is remembered."""

        def restart_at(self, state: Any) -> None:
            """Go on at another state; nothing of earlier ones is remembered."""

        def inform_action(self, state: Any, player: int, action: int) -> None:
            """Hear of a move; the state says it all."""

    return SolutionBot()
