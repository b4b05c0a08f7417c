"""Policies of OpenSpiel as strategies of ruse: tabular ones, those of its algorithms, and functions of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ruse.core.entry_points import theirs
from ruse.core.game import Game, PolicyError, describe
from ruse.core.own import as_game
from ruse.formats.openspiel import OpenSpielError, OpenSpielGame, load
from ruse.formats.openspiel_policy import mirrored, state_pairs
from ruse.scoring.odds import read_row
from ruse.solution.strategy import Strategy


def is_policy(thing: Any) -> bool:
    """Whether something is a policy of OpenSpiel, in Python or in C++."""
    return callable(getattr(thing, "action_probabilities", None))


def from_openspiel(policy: Any, game: Any = None) -> tuple[Strategy, Strategy]:
    """Read a policy of OpenSpiel as a strategy for each side.

    Parameters
    ----------
    policy
        A policy of `open_spiel.python.policy` or `pyspiel`, tabular or not, or a function from a state of OpenSpiel to
        the probability of each action.
    game
        The game in ruse: one that was loaded from OpenSpiel, or one of ruse's own that OpenSpiel has, too. Without it,
        the game that the policy says it is for.

    Returns
    -------
    tuple of Strategy
        One strategy for each side. Probabilities are divided by their sum, and `Strategy.rounding` bounds what that
        changed.

    Raises
    ------
    RuseError
        OpenSpiel is not installed, the policy is for another game, or it gives no probabilities somewhere.

    Examples
    --------
    >>> import ruse, pyspiel
    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> first, second = ruse.from_openspiel(UniformRandomPolicy(pyspiel.load_game("kuhn_poker")))
    >>> second["openspiel:kuhn_poker@2b"]
    {'Pass': Fraction(1, 2), 'Bet': Fraction(1, 2)}
    >>> round(ruse.exploitability(second.game, (first, second)), 6)
    0.458333
    """
    ours = _game(policy, game)
    other = ours if isinstance(ours, OpenSpielGame) else load(mirrored(ours))
    ask = _asker(policy)
    tables: tuple[dict[Any, dict[str, Fraction]], dict[Any, dict[str, Fraction]]] = ({}, {})
    moved = [Fraction(0), Fraction(0)]
    for state, node in state_pairs(ours, other):
        side = node.turn
        known = ours.knows(state, side)
        if known in tables[side]:
            continue
        position = describe(ours, known)
        with theirs("the OpenSpiel policy", f"give probabilities at {position}"):
            given = dict(ask(node.state))
        moves, actions = [ours.label(move) for move in ours.moves(state)], other.moves(node)
        numbers = [action.number for action in actions]
        if unknown := [action for action in given if action not in numbers]:
            raise PolicyError(f"the OpenSpiel policy gives the illegal action {unknown[0]} at {position}")
        row = read_row([given.get(number, 0.0) for number in numbers], position, moves)
        tables[side][known] = dict(zip(moves, row.shares, strict=True))
        moved[side] = max(moved[side], row.moved)
    first, second = (
        Strategy(ours, side, {describe(ours, known): odds for known, odds in table.items()}, rounding=moved[side])
        for side, table in enumerate(tables)
    )
    return first, second


def _game(policy: Any, game: Any) -> Game:
    if game is not None:
        return as_game(game)
    said = getattr(policy, "game", None)
    if said is None:
        raise OpenSpielError(
            f"this policy ({type(policy).__name__}) does not say which game it is for; "
            "give it as game=, such as ruse.games.find('openspiel:kuhn_poker')"
        )
    return load(str(said))


def _asker(policy: Any) -> Callable[[Any], Mapping[int, float]]:
    if is_policy(policy):
        return lambda state: policy.action_probabilities(state)
    if callable(policy):
        return lambda state: policy(state)
    raise OpenSpielError(f"expected a policy of OpenSpiel or a function of its states, got {type(policy).__name__}")
