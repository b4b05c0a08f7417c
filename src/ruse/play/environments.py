"""`ruse.env`: games for programs that learn by playing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core.contract import checked
from ruse.core.game import Game, RuseError, side_number
from ruse.core.identity import identity
from ruse.core.own import as_game
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.play.aec import Environment

RENDERED = (None, "ansi", "human")


def env(
    game: Game, *, opponent: Solution | None = None, side: int | str = 0, render_mode: str | None = None
) -> Environment:
    """Make a PettingZoo environment of a game, in which agents take turns (AEC).

    Parameters
    ----------
    game
        The rules: one of `ruse.games`, or any object with the seven methods of `ruse.Game`.
    opponent
        A solution of this game that plays the other side. Without one there are two agents.
    side
        Your side against an opponent, by number or name.
    render_mode
        None, "ansi" (`render()` returns a text) or "human" (it prints the text).

    Returns
    -------
    Environment
        A `pettingzoo.AECEnv`. An observation is a dict with `observation` and `action_mask`, both arrays of 0 and 1;
        `features` and `moves` say what their entries mean.

    Raises
    ------
    RuseError
        The game is too large, the opponent is of another game, or pettingzoo is missing.

    Examples
    --------
    >>> import ruse
    >>> kuhn = ruse.games.kuhn()
    >>> env = ruse.env(kuhn, opponent=ruse.solve(kuhn), side="second")
    >>> env.reset(seed=1)
    >>> env.agents, env.moves
    (['player_1'], ('check', 'bet', 'fold', 'call'))
    """
    from ruse.play.rival import Rival

    try:
        from ruse.play.aec import Environment
    except ModuleNotFoundError as error:
        if error.name not in ("pettingzoo", "gymnasium"):
            raise
        raise RuseError(
            "ruse.env needs the package pettingzoo; install it with pip install 'ruse[pettingzoo]'"
        ) from error
    if render_mode not in RENDERED:
        raise RuseError(f"expected None, 'ansi' or 'human' as render_mode, got {render_mode!r}")
    game = as_game(game)
    number = side_number(game, side)
    if opponent is None:
        return Environment(checked(game), None, render_mode)
    if not isinstance(opponent, Solution):
        raise RuseError(f"expected a solution as the opponent, such as ruse.solve(game), got {opponent!r}")
    if opponent.game is not game and identity(opponent.game) != identity(game):
        raise RuseError(f"the opponent is a solution of {opponent.game.title}, not of {game.title}")
    rival = Rival(opponent, 1 - number)
    return Environment(rival.game, rival, render_mode)
