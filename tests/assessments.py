"""Sequential rationality, checked by a walk of the rules: code of its own, without forms, solvers or views.

A solution's tables and the rarity of its mistakes say how likely every way to a state is: odds * epsilon^power. At each
information set the lowest powers give the limit beliefs; against the other side's strategy and these beliefs, no move
may be better than one that is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core.game import CHANCE, END, Game, describe
from ruse.solution.strategy import Solution

Step = tuple[str, str]  # the position of the side that moves, and its move


@dataclass(frozen=True)
class Way:
    """A state, the odds of chance on the way there, and what each side has done."""

    state: Any
    chance: Fraction
    steps: tuple[tuple[Step, ...], tuple[Step, ...]]


def ways(game: Game) -> Iterator[Way]:
    waiting = [Way(game.start(), Fraction(1), ((), ()))]
    while waiting:
        way = waiting.pop()
        yield way
        turn = game.turn(way.state)
        if turn == END:
            continue
        moves = list(game.moves(way.state))
        if turn == CHANCE:
            for move, odds in zip(moves, game.odds(way.state), strict=True):
                if odds:
                    waiting.append(Way(game.play(way.state, move), way.chance * odds, way.steps))
            continue
        position = describe(game, game.knows(way.state, turn))
        for move in moves:
            done = (*way.steps[turn], (position, game.label(move)))
            steps = (done, way.steps[1]) if turn == 0 else (way.steps[0], done)
            waiting.append(Way(game.play(way.state, move), way.chance, steps))


def likely(solution: Solution, side: int, steps: tuple[Step, ...]) -> tuple[int, Fraction]:
    """How likely a side is to have done this: the power of epsilon, and the coefficient."""
    assert solution.mistakes is not None
    power, odds = 0, Fraction(1)
    for position, move in steps:
        if share := solution.tables[side][position][move]:
            odds *= share
        else:
            mistake = solution.mistakes[side][position][move]
            power, odds = power + mistake.power, odds * mistake.coefficient
    return power, odds


class Assessment:
    """All information sets of a side, with limit beliefs and the values of moves against the other side's strategy."""

    def __init__(self, solution: Solution, side: int) -> None:
        self.solution, self.side, self.game = solution, side, solution.game
        self.members: dict[str, list[Way]] = {}
        for way in ways(self.game):
            if self.game.turn(way.state) == side:
                self.members.setdefault(describe(self.game, self.game.knows(way.state, side)), []).append(way)

    def beliefs(self, position: str) -> list[Fraction]:
        """How likely each state of a position is in the limit."""
        found = [
            (likely(self.solution, 1 - self.side, way.steps[1 - self.side]), way) for way in self.members[position]
        ]
        least = min(power for (power, _), _ in found)
        weights = [way.chance * odds if power == least else Fraction(0) for (power, odds), way in found]
        return [weight / sum(weights) for weight in weights]

    def values(self, position: str) -> dict[str, Fraction]:
        """What each move is worth to side 0 with the best play of its own after it."""
        states = [(way.state, odds) for way, odds in zip(self.members[position], self.beliefs(position), strict=True)]
        first = states[0][0]
        return {
            self.game.label(move): self._best([(self.game.play(state, move), odds) for state, odds in states if odds])
            for move in self.game.moves(first)
        }

    def _best(self, states: list[tuple[Any, Fraction]]) -> Fraction:
        """The value of weighed states, if this side answers the other side's strategy best from here on."""
        game, total = self.game, Fraction(0)
        own: dict[Any, list[tuple[Any, Fraction]]] = {}
        waiting = list(states)
        while waiting:
            state, weight = waiting.pop()
            turn = game.turn(state)
            if turn == END:
                total += weight * game.payoff(state)
            elif turn == self.side:
                own.setdefault(game.knows(state, turn), []).append((state, weight))
            else:
                moves = list(game.moves(state))
                if turn == CHANCE:
                    odds = dict(zip(moves, game.odds(state), strict=True))
                else:
                    table = self.solution.tables[turn][describe(game, game.knows(state, turn))]
                    odds = {move: table[game.label(move)] for move in moves}
                waiting += [(game.play(state, move), weight * odds[move]) for move in moves if odds[move]]
        best = max if self.side == 0 else min
        for held in own.values():
            total += best(
                self._best([(game.play(state, move), weight) for state, weight in held])
                for move in game.moves(held[0][0])
            )
        return total

    def outcomes(self, position: str, move: str) -> set[Fraction]:
        """All payoffs that may follow a move, whatever anybody does."""
        found: set[Fraction] = set()
        waiting = []
        for way in self.members[position]:
            taken = next(one for one in self.game.moves(way.state) if self.game.label(one) == move)
            waiting.append(self.game.play(way.state, taken))
        while waiting:
            state = waiting.pop()
            if self.game.turn(state) == END:
                found.add(self.game.payoff(state))
            else:
                waiting += [self.game.play(state, one) for one in self.game.moves(state)]
        return found


def check_rational(solution: Solution, side: int) -> int:
    """Every move that is played is best in limit beliefs, and none loses for sure where another may win.

    Returns how many information sets were looked at.
    """
    assessment = Assessment(solution, side)
    best = max if side == 0 else min
    worst = min if side == 0 else max
    payoffs = {solution.game.payoff(way.state) for way in ways(solution.game) if solution.game.turn(way.state) == END}
    for position in assessment.members:
        odds, values = solution.tables[side][position], assessment.values(position)
        assert sum(odds.values()) == 1
        played = [move for move, share in odds.items() if share]
        assert {values[move] for move in played} == {best(values.values())}, position
        lost = [move for move in odds if assessment.outcomes(position, move) == {worst(payoffs)}]
        if len(lost) < len(odds):
            assert not set(lost) & set(played), position
    return len(assessment.members)
