"""Teams: many seats, one coordinator (Bossle 2018, §4.2).

Where the seats of a side share what they know and their dice, only what they bring about together
matters. The game declares the orders that a coordinator can give at a state and the moves that carry
each of them out; the reduced game offers the orders. Lossless if every other way to play is matched by
an order that tells the opponent no more and brings about the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from ruse.core.capabilities import ConstantSum, Symmetric, Teamed
from ruse.core.game import Move, State
from ruse.forms.reductions.wrapper import Wrapper

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
