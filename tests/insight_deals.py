"""Deals of a game against an opponent who slips, drawn one after another: what beliefs should come to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from insight_oracle import Oracle
from ruse.core.game import describe
from ruse.present.tree import unseen
from ruse.solution.strategy import Solution

ERRORS = 4  # standard errors that a share may be off by


def facts_at(game: Any, oracle: Oracle, side: int, known: Any) -> dict[Any, str]:
    """What is hidden from a side at each state of what it knows."""
    states = [state for state, *_ in oracle.seen[side, known]]
    theirs = [describe(game, game.knows(state, 1 - side)) for state in states]
    return dict(zip(states, unseen(game, side, describe(game, known), states, theirs), strict=True))


def dealt(solution: Solution, oracle: Oracle, side: int, known: Any, slip: Fraction, deals: int, random: Random) -> Any:
    """How often each hidden fact was so, when the side came to what it knows by its own moves."""
    game, found = solution.game, Counter[str]()
    path = dict(oracle.sets[side][known][0])
    rival = solution.strategy(1 - side)
    odds: dict[Any, tuple[list[Any], list[float]]] = {}
    facts = facts_at(game, oracle, side, known)
    for _ in range(deals):
        state = game.start()
        while True:
            turn = game.turn(state)
            if turn == -2:
                break
            if turn == side:
                own = game.knows(state, side)
                if own == known:
                    found[facts[state]] += 1
                    break
                if own not in path:
                    break
                state = game.play(state, path[own])
                continue
            moves = list(game.moves(state))
            if turn == -1:
                state = game.play(state, random.choices(moves, [float(share) for share in game.odds(state)])[0])
                continue
            if random.random() < slip:
                state = game.play(state, random.choice(moves))
                continue
            other = game.knows(state, turn)
            if other not in odds:
                shares = rival.at(describe(game, other))
                odds[other] = moves, [float(shares.get(game.label(move), 0)) for move in moves]
            state = game.play(state, random.choices(*odds[other])[0])
    return found


def check_beliefs(
    solution: Solution, positions: list[tuple[int, Any]], slip: Fraction, deals: int, random: Random
) -> int:
    """That beliefs are the shares of facts among deals; returns how many positions had enough deals to tell."""
    insight, oracle, told = solution.insight(), Oracle(solution.game), 0
    for side, known in positions:
        found = dealt(solution, oracle, side, known, slip, deals, random)
        there = insight.at(describe(solution.game, known), side, slip)
        total = sum(found.values())
        if total < 100 or not there.beliefs:
            continue
        told += 1
        for one in there.beliefs:
            assert one.slip is not None
            share = float(one.slip)
            error = sqrt(share * (1 - share) / total)
            assert abs(found["" if one.fact == "nothing yet" else one.fact] / total - share) <= ERRORS * error + 1e-9
    return told
