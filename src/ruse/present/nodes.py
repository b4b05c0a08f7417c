"""Every state of a solved game, with the odds of chance and of both stored strategies. Views are read from this.

States are numbered so that parents come first and the children of a state stand side by side. Each side's sequences
are numbered too (forms/sequence_form.py), so that best responses to changed strategies need no second walk. Numbers
are exact if the solution is; otherwise they are floats, because rounded odds have denominators that multiply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from ruse.core import rationals, size_estimate
from ruse.core.clock import tick
from ruse.core.contract import checked
from ruse.core.game import CHANCE, END, Game, GameError, PositionError, State
from ruse.solution.mistakes import Mistake, Mistakes
from ruse.solution.strategy import Solution, Strategy

MOST_STATES = 300_000  # a larger game takes longer than seconds to view
FINEST = 10**12  # floats are rounded to parts of this

Number = Fraction | float
Plan = Sequence[Number]  # a weight for each sequence of a side


def as_fraction(number: Number) -> Fraction:
    """Return a number as a fraction, rounding floats to twelve digits."""
    return number if isinstance(number, Fraction) else Fraction(round(number * FINEST), FINEST)


class PlanResponse(NamedTuple):
    """A side's best response to a plan."""

    payoff: Number  # to side 0
    moves: list[int]  # int[sets]
    better: list[bool]  # bool[sets], whether the stored odds do worse there


@dataclass
class SideSets:
    """One side's information sets. Set i owns sequences first[i]:first[i+1]; parents come first."""

    index: dict[str, int] = field(default_factory=dict)  # the number of the set of a position
    parent: list[int] = field(default_factory=list)  # int[sets], the sequence that leads to the set
    first: list[int] = field(default_factory=lambda: [1])  # int[sets + 1]
    moves: list[tuple[str, ...]] = field(default_factory=list)
    odds: list[list[Fraction]] = field(default_factory=list)  # the stored odds

    def __iter__(self) -> Iterator[tuple[int, range]]:
        """The parent sequence and the sequences of every set."""
        return ((parent, range(self.first[i], self.first[i + 1])) for i, parent in enumerate(self.parent))

    def add(self, position: str, parent: int, moves: tuple[str, ...], odds: Mapping[str, Fraction]) -> int:
        number = self.index[position] = len(self.parent)
        self.parent.append(parent)
        self.first.append(self.first[-1] + len(moves))
        self.moves.append(moves)
        self.odds.append([odds.get(move, Fraction(0)) for move in moves])
        return number


@dataclass(frozen=True)
class Continuation:
    """Play from every state on: the value of each state, and the odds of the move that leads to it."""

    values: Sequence[Number]
    shares: Sequence[Number]


class SolvedNodes:
    def __init__(self, solution: Solution) -> None:
        game = self.game = checked(solution.game)
        if (error := refusal(game)) is not None:
            raise error
        self.exact = solution.certificate.exact
        self.mistakes: Mistakes = solution.mistakes or ({}, {})
        self.states: list[State] = [game.start()]
        self.turn: list[int] = []
        self.parent = [0]
        self.first: list[int] = []  # the children of state i are first[i]:first[i+1]
        self.step = [""]  # the move that led here
        self.share: list[Number] = [self.number(Fraction(1))]  # the odds of that move
        self.chance: list[Number] = [self.number(Fraction(1))]  # the odds of all chance moves on the way here
        self.payoff: dict[int, Number] = {}  # the payoffs of end states
        self.known: tuple[list[str], list[str]] = ([], [])  # each side's position
        self.sequence: tuple[list[int], list[int]] = ([0], [0])
        self.sets = (SideSets(), SideSets())
        self._walk(solution)
        self.plans = (self.plan(0), self.plan(1))

    def number(self, share: Fraction) -> Number:
        return share if self.exact else float(share)

    def _walk(self, solution: Solution) -> None:
        game, title = self.game, self.game.title
        texts: dict[str, str] = {}  # one object for each text
        labels: dict[object, str] = {}
        strategies = solution.strategy(0), solution.strategy(1)
        for at, state in enumerate(self.states):  # which grow
            tick()
            turn = game.turn(state)
            self.turn.append(turn)
            self.first.append(len(self.states))
            for side in (0, 1):
                text = title + game.format_position(game.knows(state, side))
                self.known[side].append(texts.setdefault(text, text))
            if turn == END:
                self.payoff[at] = self.number(Fraction(game.payoff(state)))
                continue
            moves = game.moves(state)
            for move in moves:
                if move not in labels:
                    labels[move] = game.label(move)
            names = [labels[move] for move in moves]
            if turn == CHANCE:
                odds, sequence = game.odds(state), 0
            else:
                odds, sequence = self._odds(strategies[turn], at, names)
            self._append(at, [game.play(state, move) for move in moves], names, odds, sequence)
            if len(self.states) > MOST_STATES:
                raise _too_large(game, f"more than {MOST_STATES:,}")
        self.first.append(len(self.states))

    def _odds(self, strategy: Strategy, at: int, names: list[str]) -> tuple[Sequence[Fraction], int]:
        """The stored odds where a side moves (uniform if the strategy has none), and its first sequence there."""
        side, sets = strategy.side, self.sets[strategy.side]
        position = self.known[side][at]
        number = sets.index.get(position)
        if number is None:
            try:
                odds = strategy.at(position)
            except PositionError:
                odds = dict.fromkeys(names, Fraction(1, len(names)))
            number = sets.add(position, self.sequence[side][at], tuple(names), odds)
        return sets.odds[number], sets.first[number]

    def _append(self, at: int, states: list[State], names: list[str], odds: Sequence[Fraction], sequence: int) -> None:
        """Append the states that follow one, except by chance moves of probability 0."""
        turn, chance = self.turn[at], self.chance[at]
        first, second = self.sequence[0][at], self.sequence[1][at]
        for place, (state, name, share) in enumerate(zip(states, names, odds, strict=True)):
            if turn == CHANCE and not share:
                continue
            self.states.append(state)
            self.parent.append(at)
            self.step.append(name)
            number = self.number(share)
            self.share.append(number)
            self.chance.append(chance * number if turn == CHANCE else chance)
            self.sequence[0].append(sequence + place if turn == 0 else first)
            self.sequence[1].append(sequence + place if turn == 1 else second)

    def __len__(self) -> int:
        return len(self.states)

    def children(self, at: int) -> range:
        return range(self.first[at], self.first[at + 1])

    @cached_property
    def value(self) -> list[Number]:
        """The payoff to side 0 of every state, if both sides follow the stored strategies from there on."""
        values: list[Number] = [0.0] * len(self)
        for at in range(len(self) - 1, -1, -1):
            if at in self.payoff:
                values[at] = self.payoff[at]
            else:
                values[at] = sum(
                    (self.share[child] * values[child] for child in self.children(at) if self.share[child]),
                    self.number(Fraction(0)),
                )
        return values

    @cached_property
    def members(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """The states of each position of a side: those where it moves, or else those where it first knows as much."""
        members: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for side in (0, 1):
            known, moving, waiting = self.known[side], members[side], defaultdict[str, list[int]](list)
            for at, text in enumerate(known):
                if self.turn[at] == side:
                    moving.setdefault(text, []).append(at)
                elif at == 0 or known[self.parent[at]] is not text:
                    waiting[text].append(at)
            for text, states in waiting.items():
                moving.setdefault(text, states)
        return members

    @cached_property
    def alike(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """All states with each knowledge of a side."""
        alike: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for known, states in zip(self.known, alike, strict=True):
            for at, text in enumerate(known):
                states.setdefault(text, []).append(at)
        return alike

    def joined(self, states: Iterable[int]) -> set[int]:
        """The closure of some states: with every state, those that one of the sides cannot distinguish from it."""
        joined: set[int] = set()
        seen: set[tuple[int, str]] = set()
        waiting = list(states)
        while waiting:
            at = waiting.pop()
            joined.add(at)
            for side in (0, 1):
                known = self.known[side][at]
                if (side, known) not in seen:
                    seen.add((side, known))
                    waiting += (other for other in self.alike[side][known] if other not in joined)
        return joined

    # Strategies on sequences

    def plan(self, side: int, changed: Mapping[int, int] | None = None) -> list[Number]:
        """The weights of a side's sequences; `changed` makes a set always play one of its moves."""
        sets = self.sets[side]
        plan: list[Number] = [self.number(Fraction(1))] + [self.number(Fraction(0))] * (sets.first[-1] - 1)
        for number, (parent, sequences) in enumerate(sets):
            if plan[parent]:
                for place, sequence in enumerate(sequences):
                    odds = sets.odds[number][place]
                    if changed is not None and number in changed:
                        odds = Fraction(place == changed[number])
                    plan[sequence] = plan[parent] * self.number(odds)
        return plan

    @cached_property
    def slips(self) -> tuple[list[tuple[int, Number]], list[tuple[int, Number]]]:
        """How rare the mistakes in each sequence are, and its odds beside sequences with as rare mistakes.

        In a quasi-perfect equilibrium each mistake is as rare as that says. Otherwise each counts one, and is drawn
        evenly.
        """
        return self._slips(0), self._slips(1)

    def _slips(self, side: int) -> list[tuple[int, Number]]:
        sets = self.sets[side]
        slips: list[tuple[int, Number]] = [(0, self.number(Fraction(1)))] * sets.first[-1]
        for position, number in sets.index.items():
            count, weight = slips[sets.parent[number]]
            known = self.mistakes[side].get(position, {})
            even = Mistake(1, Fraction(1, len(sets.moves[number])))
            for place, (move, odds) in enumerate(zip(sets.moves[number], sets.odds[number], strict=True)):
                rare = Mistake(0, odds) if odds else known.get(move, even)
                share = weight * self.number(rare.coefficient)
                slips[sets.first[number] + place] = count + rare.power, share
        return slips

    def likely(self, states: Sequence[int], side: int) -> list[Number]:
        """The weight of each state by chance and one side's moves on the way, up to a common factor.

        If the strategy leads to none of them, only those that take the least rare mistakes count: the limit of mistakes
        that become rare together, as in a sequential equilibrium (Kreps and Wilson 1982).
        """
        return self._likely(states, (side,))

    def likely_to_all(self, states: Sequence[int]) -> list[Number]:
        """The weight of each state by chance and both sides' moves, as somebody sees it who knows what is public."""
        return self._likely(states, (0, 1))

    def _likely(self, states: Sequence[int], sides: Sequence[int]) -> list[Number]:
        weights = [self.chance[at] for at in states]
        for side in sides:
            sequence, plan = self.sequence[side], self.plans[side]
            weights = [weight * plan[sequence[at]] for weight, at in zip(weights, states, strict=True)]
        if any(weights):
            return weights
        slips = [[self.slips[side][self.sequence[side][at]] for at in states] for side in sides]
        counts = [sum(count for count, _ in made) for made in zip(*slips, strict=True)]
        weights = [
            self.chance[at] if count == min(counts) else self.number(Fraction(0))
            for at, count in zip(states, counts, strict=True)
        ]
        for made in slips:
            weights = [weight * odds for weight, (_, odds) in zip(weights, made, strict=True)]
        return weights

    @cached_property
    def payoffs(self) -> dict[tuple[int, int], Number]:
        """The payoff of each pair of sequences, times the odds of chance."""
        payoffs: dict[tuple[int, int], Number] = {}
        for at, payoff in self.payoff.items():
            if payoff:
                pair = self.sequence[0][at], self.sequence[1][at]
                payoffs[pair] = payoffs.get(pair, 0) + self.chance[at] * payoff
        return payoffs

    def answer(self, side: int, plan: Plan) -> PlanResponse:
        """The best response of `side` to the other side's plan; of equally good moves, one that its strategy plays."""
        sets = self.sets[side]
        values: list[Number] = [self.number(Fraction(0))] * sets.first[-1]
        for pair, payoff in self.payoffs.items():
            if weight := plan[pair[1 - side]]:
                values[pair[side]] += payoff * weight
        sign = 1 if side == 0 else -1
        moves, better = [0] * len(sets.parent), [False] * len(sets.parent)
        for number, (parent, sequences) in reversed(list(enumerate(sets))):
            odds = sets.odds[number]
            best = max(sequences, key=lambda sequence: (sign * values[sequence], odds[sequence - sequences[0]]))
            values[parent] += values[best]
            moves[number] = best - sequences[0]
            better[number] = any(
                share and values[sequence] != values[best] for sequence, share in zip(sequences, odds, strict=True)
            )
        return PlanResponse(values[0], moves, better)

    @cached_property
    def guarantees(self) -> tuple[Number, Number]:
        """The payoff to side 0 that each side's stored strategy guarantees, or concedes at most."""
        return self.answer(1, self.plans[0]).payoff, self.answer(0, self.plans[1]).payoff


def refusal(game: Game) -> GameError | None:
    """The error for a game that is too large to view state by state, estimated before a walk; None if it fits."""
    size = size_estimate.nodes(game, MOST_STATES)
    return _too_large(game, rationals.count(size)) if size > MOST_STATES else None


def _too_large(game: Game, size: str) -> GameError:
    return GameError(
        f"{game.title} has {size} states, and ruse can display at most {MOST_STATES:,}: "
        "use smaller parameters; ruse show prints the odds at any one position"
    )
