"""Turn solutions into OpenSpiel's policies, so that OpenSpiel can evaluate them.

This works for games loaded from OpenSpiel, and for games of ruse's that OpenSpiel has too. Both games are walked
together, move by move in order, and must agree in odds, payoffs and information sets. So the policy is for the same
game, whatever the names of its positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from ruse.core.game import CHANCE, END, Game, Knowledge, State
from ruse.core.registry import presentation
from ruse.formats.openspiel import OpenSpielError, OpenSpielGame, OpenSpielNode, load, package
from ruse.solution.strategy import Solution
from ruse.verify.tree import table_policy


def mirrored(game: Game) -> str:
    """The name of OpenSpiel's game that claims to have the same rules; `policy` checks this."""
    name = presentation(game).openspiel_name()
    if not name:
        raise OpenSpielError(f"OpenSpiel does not have {game.title}")
    return name


def policy(solution: Solution) -> Any:
    """Both strategies as an `open_spiel.python.policy.TabularPolicy`, whose `.game` is OpenSpiel's."""
    ours = solution.game
    text = mirrored(ours)
    theirs = ours if isinstance(ours, OpenSpielGame) else load(text)
    if not theirs.spiel.get_type().provides_information_state_string:
        raise OpenSpielError(f"expected a game with information states for a policy of OpenSpiel, got {text}")
    plans = [table_policy(ours, table, side) for side, table in enumerate(solution.tables)]
    names: dict[tuple[int, Knowledge], str] = {}  # what a side knows, as OpenSpiel says it
    owners: dict[str, tuple[int, Knowledge]] = {}
    states: dict[str, Any] = {}  # OpenSpiel's, one of each information set
    odds: dict[str, dict[int, float]] = {}
    for state, node in state_pairs(ours, theirs):
        key: str = node.state.information_state_string(node.turn)
        known = (node.turn, ours.knows(state, node.turn))
        if names.setdefault(known, key) != key or owners.setdefault(key, known) != known:
            raise OpenSpielError(
                f"the information states of {text} are not the information sets of {ours.title} at {node!r}"
            )
        if key not in odds:
            shares = plans[node.turn](state)
            pairs = zip(ours.moves(state), theirs.moves(node), strict=True)
            odds[key] = {action.number: float(shares.get(move, 0)) for move, action in pairs}
            states[key] = node.state
    made = package("open_spiel.python.policy", text).TabularPolicy(theirs.spiel, states=states)
    for key, shares_of in odds.items():
        made.policy_for_key(key)[list(shares_of)] = list(shares_of.values())
    return made


def state_pairs(ours: Game, theirs: OpenSpielGame) -> Iterator[tuple[State, OpenSpielNode]]:
    """The states where a side moves, in both games at once. Raises OpenSpielError where the games differ."""
    stack = [*_drawn(ours, theirs, ours.start(), theirs.start())]
    while stack:
        state, node = stack.pop()
        turn, moves, actions = ours.turn(state), list(ours.moves(state)), theirs.moves(node)
        same = turn == node.turn and len(moves) == len(actions)
        if not same or (turn == END and ours.payoff(state) != theirs.payoff(node)):
            raise OpenSpielError(f"{ours.title} and {theirs.title} differ at {node!r}")
        if turn != END:
            yield state, node
        for move, action in zip(moves, actions, strict=True):
            stack.extend(_drawn(ours, theirs, ours.play(state, move), theirs.play(node, action)))


def _drawn(
    ours: Game, theirs: OpenSpielGame, state: State, node: OpenSpielNode
) -> Iterator[tuple[State, OpenSpielNode]]:
    """What chance makes of two states, however many draws that takes."""
    mine, other = list(_draws(ours, state)), list(_draws(theirs, node))
    if [share for _, share in mine] != [share for _, share in other]:
        raise OpenSpielError(f"{ours.title} and {theirs.title} have different odds at {node!r}")
    return zip((end for end, _ in mine), (end for end, _ in other), strict=True)


def _draws(game: Game, state: State) -> Iterator[tuple[State, Fraction]]:
    if game.turn(state) != CHANCE:
        yield state, Fraction(1)
        return
    for move, share in zip(game.moves(state), game.odds(state), strict=True):
        if share:
            for end, part in _draws(game, game.play(state, move)):
                yield end, share * part


# A solution as a bot of OpenSpiel, to play in its matches and evaluations.


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
