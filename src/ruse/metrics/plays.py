"""One pass over all plays of a game that have positive probability under a pair of strategies.

Every metric is a fold over `PlayTree`. In games with many names for the same thing, such as seats, plays that differ
only by names are one: the pass goes over the smaller game that the solution was found in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import Memoryless, payoff_range
from ruse.core.clock import tick
from ruse.core.contract import checked
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, PositionError, State, describe
from ruse.core.registry import part
from ruse.core.walk import visits
from ruse.metrics.pair import Pair
from ruse.solution.strategy import Solution, Strategy

Number = Fraction | float
MOST_HISTORIES = 400_000  # that both strategies reach
MOST_ENDS = 300_000  # nodes of a game, to look at all its payoffs
MOST_MOVES = 10_000  # in a play; a longer one returns to a state for ever


@dataclass(frozen=True, slots=True)
class TurnChoice:
    """A history at which a side moves."""

    node: int
    side: int
    position: str  # what the side knows, as positions are written
    reach: Number  # the probability that play comes here
    odds: Mapping[str, Number]  # of every legal move, by its name
    state: State
    depth: int  # how many moves the sides have made before

    @property
    def is_decision(self) -> bool:
        """Whether there is more than one legal move."""
        return len(self.odds) > 1

    @property
    def used(self) -> list[str]:
        """The moves that are made with positive probability."""
        return [move for move, share in self.odds.items() if share]


class PlayTree:
    """All histories that a pair of strategies reaches, with their probabilities; parents come first."""

    def __init__(self, pair: Pair, most: int = MOST_HISTORIES) -> None:
        """Walk the game. Raises GameError if play can go on for ever, or reaches more than `most` histories."""
        self.pair = pair
        self.solution: Solution = pair.solution
        self.original: Game = self.solution.game
        smaller = smaller_game(self.solution)
        self.by_class = smaller is not None
        self.game: Game = checked(self.original) if smaller is None else smaller
        self.states: list[State] = [self.game.start()]
        self.turn: list[int] = []
        self.parent: list[int] = [0]
        self.step: list[str] = [""]  # the move that led here
        self.reach: list[Number] = [self.number(1)]
        self.depth: list[int] = [0]  # how many moves the sides have made on the way
        self.own: tuple[list[Number], list[Number]] = ([self.number(1)], [self.number(1)])  # each side's part of reach
        self.choices: list[TurnChoice] = []
        self.payoff: dict[int, Number] = {}  # of each end, to side 0
        self.known: dict[int, Knowledge] = {}  # what the side that moves knows, by node
        self._odds: tuple[dict[Any, tuple[str, dict[str, Number]]], ...] = ({}, {})
        self._strategies: tuple[Strategy, Strategy] = (self.solution.strategy(0), self.solution.strategy(1))
        self._walk(most)
        self._check()

    def number(self, number: Fraction | int) -> Number:
        """A number as metrics compute with it: exact if the strategies are."""
        return Fraction(number) if self.pair.exact else float(number)

    # The walk.

    def _walk(self, most: int) -> None:
        game, labels = self.game, dict[Any, str]()
        if isinstance(game, Memoryless) and game.returns():
            raise GameError(f"play of {game.title} can return to a state, so it has no list of plays to measure")
        for node, state in enumerate(self.states):  # which grow
            tick()
            turn = game.turn(state)
            self.turn.append(turn)
            if turn == END:
                self.payoff[node] = self.number(Fraction(game.payoff(state)))
                continue
            if self.depth[node] > MOST_MOVES:
                raise GameError(f"play of {game.title} can go on for ever, so it has no metrics of length")
            moves = game.moves(state)
            if turn == CHANCE:
                for move, odds_of_chance in zip(moves, game.odds(state), strict=True):
                    if odds_of_chance:
                        share = self.number(odds_of_chance)
                        self._append(node, game.play(state, move), game.label(move), share, None)
            else:
                self.known[node] = game.knows(state, turn)
                position, odds = self._odds_at(turn, self.known[node], moves, labels)
                choice = TurnChoice(node, turn, position, self.reach[node], odds, state, self.depth[node])
                self.choices.append(choice)
                for move in moves:
                    if share := odds[labels[move]]:
                        self._append(node, game.play(state, move), labels[move], share, turn)
            if len(self.states) > most:
                raise GameError(
                    f"optimal play of {game.title} reaches more than {most:,} histories, too many for metrics: "
                    "use smaller parameters"
                )

    def _append(self, node: int, state: State, step: str, share: Number, side: int | None) -> None:
        self.states.append(state)
        self.parent.append(node)
        self.step.append(step)
        self.reach.append(self.reach[node] * share)
        self.depth.append(self.depth[node] + (side is not None))
        for mover in (0, 1):
            own = self.own[mover]
            own.append(own[node] * share if mover == side else own[node])

    def _odds_at(
        self, side: int, knowledge: Knowledge, moves: Sequence[Any], labels: dict[Any, str]
    ) -> tuple[str, dict[str, Number]]:
        """The position of a side that moves, and the odds of every legal move."""
        for move in moves:
            if move not in labels:
                labels[move] = self.game.label(move)
        known = self._odds[side].get(knowledge)
        if known is None:
            position = describe(self.game, knowledge)
            shares = self.odds_of(side, position)
            if shares is None:
                raise GameError(f"the strategy leaves out {position}, which play reaches; solve the game again")
            odds = {labels[move]: self.number(Fraction(shares.get(labels[move], 0))) for move in moves}
            known = self._odds[side][knowledge] = position, odds
        return known

    def odds_of(self, side: int, position: str) -> Mapping[str, Fraction] | None:
        """What a side's strategy says at a position; None where it says nothing."""
        strategy = self._strategies[side]
        listed = strategy.table.get(position)
        if listed is None and self.by_class and strategy.otherwise is not None:  # positions represent their class
            listed = strategy.otherwise(position)
        if listed is not None:
            return listed
        try:
            return strategy.at(position)
        except PositionError:
            return None

    def _check(self) -> None:
        """Compare the expected payoff with the certified value, so that no figure rests on another game."""
        if not self.pair.exact:
            return
        total = sum((self.reach[node] for node in self.payoff), Fraction(0))
        expected = sum((self.reach[node] * payoff for node, payoff in self.payoff.items()), Fraction(0))
        value = self.solution.certificate.lower
        if total != 1 or expected != value:
            raise GameError(
                f"the strategies for {self.original.title} get {rationals.short(Fraction(expected))} where the value "
                f"is {rationals.short(value)}: verify the solution"
            )

    # What folds use.

    @property
    def ends(self) -> Sequence[int]:
        """The nodes at which play ends."""
        return list(self.payoff)

    def __len__(self) -> int:
        return len(self.states)

    def mean(self, measured: Callable[[int], Number | int]) -> Number:
        """The expected value of a number that each end has, such as `lambda end: plays.depth[end]`."""
        return sum((self.reach[end] * measured(end) for end in self.payoff), self.number(0))

    def share(self, counts: Callable[[TurnChoice], bool], among: Callable[[TurnChoice], bool]) -> Number | None:
        """How many of some choices count, in proportion, by how often play comes to them; None if there are none."""
        every = [choice for choice in self.choices if among(choice)]
        total = sum((choice.reach for choice in every), self.number(0))
        counted = sum((choice.reach for choice in every if counts(choice)), self.number(0))
        return counted / total if total else None

    def moves_made(self) -> Iterator[tuple[TurnChoice, str, Number]]:
        """Every move that a side makes: the choice, the move, and the probability that play comes there and on."""
        for choice in self.choices:
            for move, share in choice.odds.items():
                if share:
                    yield choice, move, choice.reach * share

    def path(self, end: int) -> list[int]:
        """The nodes on the way to a node, the start first."""
        nodes = [end]
        while nodes[-1]:
            nodes.append(self.parent[nodes[-1]])
        return nodes[::-1]

    @cached_property
    def value(self) -> list[Number]:
        """The expected payoff to side 0 from every node, times the probability that play comes there."""
        values = [self.number(0)] * len(self)
        for node in range(len(self) - 1, -1, -1):
            if node in self.payoff:
                values[node] = self.reach[node] * self.payoff[node]
            if node:
                values[self.parent[node]] += values[node]
        return values

    @cached_property
    def span(self) -> tuple[Number, Number]:
        """The least and the greatest payoff to side 0 in any play of the game, reached or not.

        Of a game that is too large to look, and does not say: of those that these strategies reach.
        """
        try:
            low, high = payoff_range(self.original)
        except GameError:
            low, high = self._payoffs()
        return self.number(low), self.number(high)

    def _payoffs(self) -> tuple[Fraction, Fraction]:
        game = checked(self.original)
        if isinstance(game, Memoryless) or size_estimate.nodes(game, MOST_ENDS) <= MOST_ENDS:
            paid = [Fraction(game.payoff(visit.state)) for visit in visits(game) if game.turn(visit.state) == END]
        else:
            paid = [Fraction(payoff) for payoff in self.payoff.values()]
        return min(paid), max(paid)

    @property
    def is_won(self) -> bool:
        """Whether the game is won or lost, so that payoffs are win rates."""
        return len(self.original.wins) == 2

    def chance(self, payoff: Number) -> Number:
        """A payoff as a winning chance from 0 to 1; in games with other payoffs, its place in their range."""
        low, high = self.span
        return (payoff - low) / (high - low) if high > low else self.number(Fraction(1, 2))


def smaller_game(solution: Solution) -> Game | None:
    """The game with the same plays up to names, in which a solution's strategies are written; None if they are not."""
    brought = part(solution.game, "solve", "plays")
    smaller: Game | None = None if brought is None else brought(solution)
    return smaller
