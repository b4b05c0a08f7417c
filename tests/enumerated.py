"""Metrics by enumeration, apart from ruse.metrics: every play seat by seat, and what the public sees by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from ruse.core.game import CHANCE, END

Policy = Callable[[Any], Mapping[Any, Fraction]]  # state -> odds of moves
Public = Callable[[Any], Hashable]  # state -> what everybody has seen
Costs = Callable[[Any], Mapping[str, Fraction]]  # state -> the cost of every move
HALF = Fraction(1, 2)


@dataclass
class Line:
    """One play: its probability, and at every state on the way the state itself and the move that followed."""

    odds: Fraction
    steps: list[tuple[Any, Any]] = field(default_factory=list)  # state, move
    end: Any = None


def lines(game: Any, policies: tuple[Policy, Policy]) -> list[Line]:
    """Every play with positive probability."""
    found: list[Line] = []

    def go(state: Any, odds: Fraction, steps: list[tuple[Any, Any]]) -> None:
        turn = game.turn(state)
        if turn == END:
            found.append(Line(odds, steps, state))
            return
        shares = (
            dict(zip(game.moves(state), game.odds(state), strict=True)) if turn == CHANCE else policies[turn](state)
        )
        for move, share in shares.items():
            if share:
                go(game.play(state, move), odds * share, [*steps, (state, move)])

    go(game.start(), Fraction(1), [])
    return found


def drawn(game: Any, policies: tuple[Policy, Policy], random: Random) -> Line:
    """One play, drawn at random."""
    line, state = Line(Fraction(1)), game.start()
    while (turn := game.turn(state)) != END:
        if turn == CHANCE:
            moves, shares = list(game.moves(state)), list(game.odds(state))
        else:
            odds = policies[turn](state)
            moves, shares = list(odds), list(odds.values())
        move = moves[0] if len(moves) == 1 else random.choices(moves, [float(share) for share in shares])[0]
        line.steps.append((state, move))
        state = game.play(state, move)
    line.end = state
    return line


class ByHand:
    """The figures of single plays, from which all metrics are means."""

    def __init__(
        self,
        game: Any,
        public: Public,
        costs: Costs | None,
        bluff: Callable[[Any, str], bool | None],
        span: tuple[Fraction, Fraction],
        won: bool,
        used: Callable[[Any], int],
    ) -> None:
        self.game, self.public, self.costs, self.bluff, self.used = game, public, costs, bluff, used
        self.low, self.high = span
        self.half = HALF if won else self.chance(Fraction(0))
        self.chances: dict[Hashable, Fraction] = {}

    def chance(self, payoff: Fraction) -> Fraction:
        return (payoff - self.low) / (self.high - self.low)

    def learn(self, every: list[Line]) -> None:
        """The winning chance for whoever has seen what is public: a mean over all plays that look so."""
        weight: dict[Hashable, Fraction] = defaultdict(Fraction)
        value: dict[Hashable, Fraction] = defaultdict(Fraction)
        for line in every:
            seen = {self.public(state): None for state, _ in line.steps} | {self.public(line.end): None}
            for sight in seen:
                weight[sight] += line.odds
                value[sight] += line.odds * self.game.payoff(line.end)
        self.chances = {sight: self.chance(value[sight] / weight[sight]) for sight in weight}

    def decisions(self, line: Line) -> list[tuple[Any, Any]]:
        return [
            (state, move)
            for state, move in line.steps
            if self.game.turn(state) in (0, 1) and len(self.game.moves(state)) > 1
        ]

    def of(self, line: Line) -> dict[str, Fraction]:
        """Figures of one play."""
        game = self.game
        made = [(state, move) for state, move in line.steps if game.turn(state) in (0, 1)]
        choices = self.decisions(line)
        claims = [self.bluff(state, game.label(move)) for state, move in made]
        states = [state for state, _ in line.steps] + [line.end]
        chances = [self.chances[self.public(state)] for state in states] + [self.chance(game.payoff(line.end))]
        figures = {
            "length": Fraction(len(made)),
            "decisions": Fraction(len(choices)),
            "mixed": Fraction(sum(self.used(state) > 1 for state, _ in choices)),
            "claims": Fraction(sum(claim is not None for claim in claims)),
            "bluffs": Fraction(sum(claim is True for claim in claims)),
            "drama": sum((abs(after - before) for before, after in pairwise(chances)), Fraction(0)),
        }
        figures |= self._leads(states, chances)
        if self.costs is not None:
            least = (self.high - self.low) / 100
            figures["matter"] = Fraction(sum(max(self.costs(state).values()) > least for state, _ in choices))
        for _, move in made:
            figures[f"move {game.label(move)}"] = figures.get(f"move {game.label(move)}", Fraction(0)) + 1
        first = next((game.turn(state) for state, _ in made), None)
        figures["first"] = game.payoff(line.end) * (1 if first == 0 else -1)
        return figures

    def _leads(self, states: list[Any], chances: list[Fraction]) -> dict[str, Fraction]:
        done, moves = [], 0
        for state in states:
            done.append(moves)
            moves += self.game.turn(state) in (0, 1)
        done.append(moves)
        ahead = [(chance > self.half) - (chance < self.half) for chance in chances]
        spells = [(lead, when) for lead, when in zip(ahead, done, strict=True) if lead]
        changes = [when for (before, _), (after, when) in pairwise(spells) if before != after]
        since = changes[-1] if changes else spells[0][1] if spells else moves
        decided = Fraction(1) if not ahead[-1] or not moves else Fraction(since, moves)
        return {"lead_changes": Fraction(len(changes)), "decided": decided}

    def means(self, every: list[Line]) -> dict[str, Fraction]:
        """The mean of each figure over all plays."""
        totals: dict[str, Fraction] = defaultdict(Fraction)
        for line in every:
            for name, amount in self.of(line).items():
                totals[name] += line.odds * amount
        return dict(totals)


# The Resistance, by what is public: all spy sets at once.


@dataclass
class PublicNode:
    """What everybody has seen, with the state for each spy set and the probability of both."""

    states: dict[Any, tuple[Any, Fraction]]
    missions: int = 0
    orders: Fraction = Fraction(0)  # how often spies could decide the mission that led here
    passes: Fraction = Fraction(0)  # how often they could, and passed
    children: list[PublicNode] = field(default_factory=list)
    weight: Fraction = Fraction(0)
    value: Fraction = Fraction(0)

    @property
    def chance(self) -> Fraction:
        return (1 + self.value / self.weight) / 2


def public_tree(game: Any, policies: tuple[Policy, Policy], first: tuple[int, ...]) -> PublicNode:
    """All public histories that begin with one mission, which stands for all that differ by names of seats."""
    dealt = {spies: game.play(game.start(), spies) for spies in game.moves(game.start())}
    root = PublicNode({spies: (state, Fraction(1, len(dealt))) for spies, state in dealt.items()})
    _grow(game, policies, root, first)
    return root


def _grow(game: Any, policies: tuple[Policy, Policy], node: PublicNode, only: tuple[int, ...] | None = None) -> None:
    state, _ = next(iter(node.states.values()))
    node.weight = sum((weight for _, weight in node.states.values()), Fraction(0))
    if game.turn(state) == END:
        node.value = node.weight * game.payoff(state)
        return
    odds = {only: Fraction(1)} if only is not None else policies[0](state)
    for team, share in odds.items():
        if not share:
            continue
        out = PublicNode({s: (game.play(there, team), weight * share) for s, (there, weight) in node.states.items()})
        out.weight = node.weight * share
        node.children.append(out)
        results: dict[bool, PublicNode] = {}
        fails = game.table.sabotages[len(state.done)]
        for spies, (sent, weight) in out.states.items():
            could = len(set(team).intersection(spies)) >= fails
            sabotage = policies[1](sent).get(1, Fraction(0)) if could else Fraction(0)
            for passed, part in ((True, 1 - sabotage), (False, sabotage)):
                if part:
                    after = results.setdefault(passed, PublicNode({}, missions=1))
                    after.states[spies] = _carried_out(game, sent, 0 if passed else fails), weight * part
                    after.orders += weight * part * could
                    after.passes += weight * part * (could and passed)
        for child in results.values():
            out.children.append(child)
            _grow(game, policies, child)
            out.value += child.value
        node.value += out.value


def _carried_out(game: Any, state: Any, sabotages: int) -> Any:
    """The state after all cards of a mission, the first of them sabotages."""
    number = len(state.done)
    while len(state.done) == number and state.out is not None:
        state = game.play(state, int(len(state.out.cards) < sabotages))
    return state


def public_figures(root: PublicNode) -> dict[str, Fraction]:
    """Means over all plays: missions, orders, passes, drama and lead changes."""
    totals: dict[str, Fraction] = defaultdict(Fraction)
    stack = [(root, 0, root.chance)]
    while stack:
        node, leader, before = stack.pop()
        chance = node.chance
        totals["drama"] += node.weight * abs(chance - before)
        ahead = (chance > HALF) - (chance < HALF)
        totals["lead_changes"] += node.weight * (ahead != 0 and leader not in (0, ahead))
        totals["missions"] += node.weight * node.missions
        totals["orders"] += node.orders
        totals["passes"] += node.passes
        stack += [(child, ahead or leader, chance) for child in node.children]
    return dict(totals)
