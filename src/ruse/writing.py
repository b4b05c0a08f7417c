"""From plans on a form to strategies that a person reads: odds at every position, also where the plans never come."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.clock import tick, timed
from ruse.game import CHANCE, END, Game, GameError, Knowledge, Move, State, describe
from ruse.reductions import Policy, lift
from ruse.sequence_form import SequenceForm
from ruse.solvers.lp import Solved, policy
from ruse.strategy import StrategyTable

MOST_POSITIONS = 300_000  # of an unreduced game, to write a strategy down for

Tables = tuple[StrategyTable, StrategyTable]
Odds = dict[Knowledge, dict[Move, Fraction]]


def odds_of(form: SequenceForm, solved: Solved) -> tuple[Odds, Odds]:
    """The odds at every information set of a form."""
    odds: tuple[Odds, Odds] = ({}, {})
    for side in (0, 1):
        rows = policy(form, side, solved.plans)
        for knowledge, moves, shares in zip(form.knowledge[side], form.moves[side], rows, strict=True):
            tick()
            odds[side][knowledge] = dict(zip(moves, shares, strict=True))
    return odds


def as_tables(game: Game, odds: tuple[Odds, Odds]) -> Tables:
    """Odds by what a side knows in this very game, as a table a side."""
    first, second = (
        {
            describe(game, knowledge): {game.label(move): share for move, share in shares.items()}
            for knowledge, shares in timed(odds[side].items())
        }
        for side in (0, 1)
    )
    return first, second


def lifted_tables(game: Game, small: Game, odds: tuple[Odds, Odds]) -> Tables:
    """Tables of the whole game from odds in a smaller one."""
    lifted = tuple(lift(small, _looked_up(small, odds[side], side), side) for side in (0, 1))
    return _table(game, lifted[0], 0), _table(game, lifted[1], 1)


def _looked_up(small: Game, odds: Mapping[Knowledge, Mapping[Move, Fraction]], side: int) -> Policy:
    def looked_up(state: State) -> Mapping[Move, Fraction]:
        found = odds.get(small.knows(state, side))
        if found is None:  # the reduced game never comes here: any move will do
            moves = small.moves(state)
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return found

    return looked_up


def _table(game: Game, odds: Policy, side: int) -> StrategyTable:
    """A policy at every information set of the whole game."""
    table: dict[str, dict[str, Fraction]] = {}
    seen: set[Knowledge] = set()
    stack, states = [game.start()], 0
    while stack:
        tick()
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        states += 1
        if states > MOST_POSITIONS:
            raise GameError(
                f"expected a game of at most {MOST_POSITIONS:,} states to write a strategy down for, "
                f"got more in {game.title}: leave the reductions on"
            )
        if turn == side and (knowledge := game.knows(state, side)) not in seen:
            seen.add(knowledge)
            shares = odds(state)
            table[describe(game, knowledge)] = {
                game.label(move): shares.get(move, Fraction(0)) for move in game.moves(state)
            }
        for move in game.moves(state):
            if turn != CHANCE or game.odds(state)[list(game.moves(state)).index(move)]:
                stack.append(game.play(state, move))
    return table
