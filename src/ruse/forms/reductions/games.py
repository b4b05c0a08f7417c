"""Reductions of a game to a smaller one: the seats of a team as one side, and positions that differ only by names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from ruse.core.capabilities import ConstantSum, Symmetric, Teamed, constant
from ruse.core.game import CHANCE, Game, Knowledge, Move, State, Titled


class Wrapper(Titled):
    """A game that is another game, but for what a reduction changes."""

    provides: ClassVar[tuple[type, ...]] = (ConstantSum,)

    def __init__(self, game: Game) -> None:
        self.game: Any = game
        self.name = game.name
        self.title = game.title
        self.parameters = game.parameters
        self.sides = game.sides
        self.wins = game.wins

    def start(self) -> State:
        return self.game.start()

    def turn(self, state: State) -> int:
        turn: int = self.game.turn(state)
        return turn

    def moves(self, state: State) -> Sequence[Move]:
        moves: Sequence[Move] = self.game.moves(state)
        return moves

    def odds(self, state: State) -> Sequence[Fraction]:
        odds: Sequence[Fraction] = self.game.odds(state)
        return odds

    def play(self, state: State, move: Move) -> State:
        return self.game.play(state, move)

    def knows(self, state: State, side: int) -> Knowledge:
        knowledge: Knowledge = self.game.knows(state, side)
        return knowledge

    def payoff(self, state: State) -> Fraction:
        payoff: Fraction = self.game.payoff(state)
        return payoff

    def constant(self) -> Fraction:
        return constant(self.game)

    def label(self, move: Move) -> str:
        label: str = self.game.label(move)
        return label

    def format_position(self, knowledge: Knowledge) -> str:
        text: str = self.game.format_position(knowledge)
        return text


# Symmetry: renaming labels changes nothing (Bossle 2018, §5.3), declared by a game, applied here.
#
# Averaging a strategy over all renamings keeps what it guarantees, so each side may choose among classes
# of moves that look alike to it, and the member of the class is drawn at random. States are kept in one
# canonical naming. A mover who picks a class does not pick what it cannot see, so the draw shows up as a
# chance move with exact odds: that is Johansson's tree, in which spies are placed as missions split them.


class Drawn(NamedTuple):
    """A class of moves has been chosen; chance draws what becomes of it."""

    before: State
    ends: tuple[tuple[State, Fraction], ...]


class ChanceMove(NamedTuple):
    """A move of chance: to the state that all its plays lead to, up to renaming."""

    number: int
    end: State


class Symmetry(Wrapper):
    provides: ClassVar[tuple[type, ...]] = (ConstantSum,)

    def __init__(self, game: Symmetric) -> None:
        super().__init__(game)
        self._classes = game.labels()
        self.alike = lru_cache(maxsize=1 << 16)(self._group_moves)

    def _names(self, state: State, side: int | None, move: Move = None) -> dict[Any, Any]:
        """The renaming that puts labels in the order of their records, then of what a move does to them."""
        names: dict[Any, Any] = {}
        for labels in self._classes:

            def order(label: Any) -> Any:
                return (self.game.record(state, label, side), move is not None and self.game.mark(move, label), label)

            names.update(zip(sorted(labels, key=order), labels, strict=True))
        return names

    def canonical(self, state: State, side: int | None) -> State:
        """The state as it is filed: renamed in the order of its labels' records."""
        return self.game.relabel(state, self._names(state, side))

    def knows(self, state: State, side: int) -> Knowledge:
        if isinstance(state, Drawn):
            state = state.before
        knowledge: Knowledge = self.game.knows(self.canonical(state, side), side)
        return knowledge

    def _group_moves(self, state: State) -> dict[Move, list[Move]]:
        """Moves that look alike to the mover, under the name that the representative position gives them."""
        side = self.game.turn(state)
        alike: dict[Move, list[Move]] = {}
        for move in self.game.moves(state):
            name = self.game.rename(move, self._names(state, side, move))
            alike.setdefault(name, []).append(move)
        return alike

    def start(self) -> State:
        return self.canonical(self.game.start(), None)

    def turn(self, state: State) -> int:
        return CHANCE if isinstance(state, Drawn) else self.game.turn(state)

    def moves(self, state: State) -> Sequence[Move]:
        if self.turn(state) == CHANCE:
            return [ChanceMove(number, end) for number, (end, _) in enumerate(self._drawn(state), 1)]
        return sorted(self.alike(state), key=self.game.label)  # in an order that tells nothing about the state

    def odds(self, state: State) -> Sequence[Fraction]:
        return [odds for _, odds in self._drawn(state)]

    def label(self, move: Move) -> str:
        return f"draw{move.number}" if isinstance(move, ChanceMove) else super().label(move)

    def play(self, state: State, move: Move) -> State:
        if isinstance(move, ChanceMove):
            return move.end
        members = self.alike(state)[move]
        ends = self._ends(state, members, [Fraction(1, len(members))] * len(members))
        return ends[0][0] if len(ends) == 1 else Drawn(state, ends)

    def _drawn(self, state: State) -> tuple[tuple[State, Fraction], ...]:
        """What chance draws from, with the odds of each."""
        if isinstance(state, Drawn):
            return state.ends
        return self._ends(state, self.game.moves(state), self.game.odds(state))

    def _ends(
        self, state: State, moves: Sequence[Move], odds: Sequence[Fraction]
    ) -> tuple[tuple[State, Fraction], ...]:
        """What the moves lead to, up to renaming, with the odds of each."""
        ends: dict[State, Fraction] = {}
        for move, share in zip(moves, odds, strict=True):
            end = self.canonical(self.game.play(state, move), None)
            ends[end] = ends.get(end, Fraction(0)) + share
        return tuple(ends.items())

    def lift(
        self, policy: Callable[[State], Mapping[Move, Fraction]], side: int
    ) -> Callable[[State], Mapping[Move, Fraction]]:
        """Within a class, every member is as likely."""

        def lifted(state: State) -> Mapping[Move, Fraction]:
            odds = policy(state)
            alike = self.alike(state)
            return {move: odds[name] / len(members) for name, members in alike.items() for move in members}

        return lifted


# Teams: many seats, one coordinator (Bossle 2018, §4.2).
#
# Where the seats of a side share what they know and their dice, only what they bring about together matters. The game
# declares the orders that a coordinator can give at a state and the moves that carry each of them out; the reduced
# game offers the orders. Lossless if every other way to play is matched by an order that tells the opponent no more
# and brings about the same.

TEAM = 1  # the side whose seats act as one


class Teams(Wrapper):
    @property
    def provides(self) -> tuple[type, ...]:  # type: ignore[override]
        """Symmetry stays the game's own."""
        return (ConstantSum, Symmetric) if isinstance(self.game, Symmetric) else (ConstantSum,)

    def __init__(self, game: Teamed) -> None:
        super().__init__(game)
        if isinstance(game, Symmetric):
            for name in ("labels", "record", "relabel", "rename", "mark"):
                setattr(self, name, getattr(game, name))

    def moves(self, state: State) -> Sequence[Move]:
        return list(self.game.orders(state)) if self.turn(state) == TEAM else super().moves(state)

    def play(self, state: State, move: Move) -> State:
        if self.turn(state) == TEAM:
            for card in self.game.orders(state)[move]:
                state = self.game.play(state, card)
        else:
            state = self.game.play(state, move)
        while self.turn(state) == TEAM and len(self.moves(state)) == 1:  # nothing to decide
            state = self.play(state, self.moves(state)[0])
        return state

    def label(self, move: Move) -> str:
        return move if isinstance(move, str) else super().label(move)

    def lift(
        self, policy: Callable[[State], Mapping[Move, Fraction]], side: int
    ) -> Callable[[State], Mapping[Move, Fraction]]:
        """Follow the orders card by card; take uncoordinated play by others for its nearest order."""

        def lifted(state: State) -> Mapping[Move, Fraction]:
            ordered = self.game.coordinated(state)
            if side != TEAM:
                return policy(ordered)
            orders = self.game.orders(ordered)
            weights = policy(ordered) if len(orders) > 1 else {next(iter(orders)): Fraction(1)}
            played = tuple(self.game.played(state))
            following = {name: cards for name, cards in orders.items() if tuple(cards[: len(played)]) == played}
            total = sum((weights[name] for name in following), Fraction(0))
            odds: dict[Move, Fraction] = dict.fromkeys(self.game.moves(state), Fraction(0))
            for name, cards in following.items():
                share = weights[name] / total if total else Fraction(1, len(following))
                odds[cards[len(played)]] += share
            if not following:  # off every order: go on as the first of them ends
                odds[self.game.moves(state)[0]] = Fraction(1)
            return odds

        return lifted
