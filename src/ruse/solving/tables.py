"""From plans on a form to strategies that a person reads: odds at every position, also where the plans never come."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.core.clock import tick, timed
from ruse.core.game import CHANCE, END, Game, Knowledge, Move, State, describe
from ruse.core.types import Policy, Tables
from ruse.forms.reductions import lift
from ruse.forms.sequence_form import SequenceForm
from ruse.solvers.plans import Odds, Plans, policy


def odds_of(form: SequenceForm, plans: Plans) -> tuple[Odds, Odds]:
    """The odds at every information set of a form."""
    odds: tuple[Odds, Odds] = ({}, {})
    for side in (0, 1):
        rows = policy(form, side, plans)
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
    """Tables of the whole game from odds in a smaller one, at every information set, in one walk."""
    lifted = tuple(lift(small, _looked_up(small, odds[side], side), side) for side in (0, 1))
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    seen: tuple[set[Knowledge], set[Knowledge]] = (set(), set())
    stack = [game.start()]
    while stack:
        tick()
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        moves = game.moves(state)
        if turn == CHANCE:
            moves = [move for move, share in zip(moves, game.odds(state), strict=True) if share]
        elif (knowledge := game.knows(state, turn)) not in seen[turn]:
            seen[turn].add(knowledge)
            shares = lifted[turn](state)
            tables[turn][describe(game, knowledge)] = {
                game.label(move): shares.get(move, Fraction(0)) for move in moves
            }
        stack.extend(game.play(state, move) for move in moves)
    return tables


def _looked_up(small: Game, odds: Mapping[Knowledge, Mapping[Move, Fraction]], side: int) -> Policy:
    def looked_up(state: State) -> Mapping[Move, Fraction]:
        found = odds.get(small.knows(state, side))
        if found is None:  # the reduced game never comes here: any move will do
            moves = small.moves(state)
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return found

    return looked_up
