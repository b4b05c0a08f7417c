"""Oshi-zumo, the pushing of wrestlers (Buro 2003), with the rules of OpenSpiel's `oshi_zumo`.

Both sides have so many coins and bid some of them at the same time; the bids are spent and then shown. The
wrestler is pushed one place away from the higher bidder, and not at all by equal bids. There are `size` places on
each side of the middle; whoever pushes him off the far end wins. Without that, when all coins are spent or the
last round is over, the side he has been pushed away from wins; in the middle it is a draw. By the rule `alesia` it
is a draw everywhere. Whoever has less than the least bid bids all. As a tree, side 0 bids first and side 1 without
seeing it: `oshi-zumo/2/1/?` is what side 1 knows after bids of 2 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Bulk
from ruse.core.game import END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.oshi_zumo.arrays import OshiZumoArrays

COINS, SIZE, HORIZON = 4, 1, 4
MOST_COINS = 30
MOST_SIZE = MOST_ROUNDS = 100
PAST_COUNTING = 10**9  # nodes
HIDDEN = "?"

Seen = tuple[int | str, ...]  # all bids, or HIDDEN


class Ring(NamedTuple):
    """A state."""

    bids: tuple[int, ...]  # of side 0 and side 1 in turns
    coins: tuple[int, int]  # before the open round
    place: int  # of the wrestler: above 0 if side 0 has pushed him further


class OshiZumo(Titled):
    name = "oshi-zumo"
    sides = ("first", "second")
    wins = ("first", "second", "draw")
    provides = (Bulk,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.oshi_zumo.presentation:OshiZumoPresentation"}

    def __init__(self, coins: int, size: int, horizon: int, min_bid: int, alesia: bool) -> None:
        for label, value, least, most in (
            ("coins", coins, 1, MOST_COINS),
            ("places on each side", size, 0, MOST_SIZE),
            ("rounds", horizon, 1, MOST_ROUNDS),
            ("coins for the least bid", min_bid, 0, coins),
        ):
            if not least <= value <= most:
                raise GameError(f"expected {least} to {most} {label}, got {value}")
        self.coins, self.size, self.horizon, self.min_bid, self.alesia = coins, size, horizon, min_bid, alesia
        self.parameters: dict[str, object] = {
            "coins": coins,
            "size": size,
            "horizon": horizon,
            "min_bid": min_bid,
            "alesia": alesia,
        }
        usual = (COINS, SIZE, HORIZON, 0, False)
        changed = [
            f"{name.replace('_', '-')}={'yes' if value is True else value}"
            for (name, value), default in zip(self.parameters.items(), usual, strict=True)
            if value != default
        ]
        self.title = f"{self.name}({','.join(changed)})" if changed else self.name

    def start(self) -> Ring:
        return Ring((), (self.coins, self.coins), 0)

    def turn(self, state: Ring) -> int:
        if len(state.bids) % 2:
            return 1
        over = len(state.bids) == 2 * self.horizon or abs(state.place) > self.size or state.coins == (0, 0)
        return END if over else 0

    def moves(self, state: Ring) -> Sequence[int]:
        turn = self.turn(state)
        return self._bids(state.coins[turn]) if turn != END else ()

    def _bids(self, coins: int) -> Sequence[int]:
        return range(min(self.min_bid, coins), coins + 1)

    def odds(self, state: Ring) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Ring, move: int) -> Ring:
        bids = (*state.bids, move)
        if len(bids) % 2:
            return state._replace(bids=bids)
        first, (mine, theirs) = bids[-2], state.coins
        return Ring(bids, (mine - first, theirs - move), state.place + (first > move) - (first < move))

    def knows(self, state: Ring, side: int) -> Seen:
        return (*state.bids[:-1], HIDDEN) if side == 1 and len(state.bids) % 2 else state.bids

    def payoff(self, state: Ring) -> Fraction:
        if self.alesia and abs(state.place) <= self.size:
            return Fraction(0)
        return Fraction((state.place > 0) - (state.place < 0))

    def label(self, move: int) -> str:
        return str(move)

    def format_position(self, knowledge: Seen) -> str:
        return "".join(f"/{bid}" for bid in knowledge)

    def arrays(self) -> OshiZumoArrays:
        from ruse.games.oshi_zumo.arrays import OshiZumoArrays

        return OshiZumoArrays(self.coins, self.size, self.horizon, self.min_bid, self.alesia)

    def nodes(self) -> int:
        """Round by round; plays that come to the same coins and place are counted together."""
        total, plays = 1, {((self.coins, self.coins), 0): 1}
        for _ in range(self.horizon):
            for (coins, _), count in plays.items():
                mine, theirs = map(len, map(self._bids, coins))
                total += count * mine * (1 + theirs)
            if total > PAST_COUNTING:
                break
            following: dict[tuple[tuple[int, int], int], int] = {}
            for (coins, place), count in plays.items():
                for first, second in product(*map(self._bids, coins)):
                    left = coins[0] - first, coins[1] - second
                    after = place + (first > second) - (first < second)
                    if abs(after) <= self.size and left != (0, 0):
                        following[left, after] = following.get((left, after), 0) + count
            plays = following
        return total


@game_factory
def oshi_zumo(
    coins: Annotated[int, "coins of each side"] = COINS,
    size: Annotated[int, "places on each side of the middle"] = SIZE,
    horizon: Annotated[int, "rounds at most"] = HORIZON,
    min_bid: Annotated[int, "the least bid, while there are coins for it"] = 0,
    alesia: Annotated[bool, "whether only a win by pushing off the end counts"] = False,
) -> OshiZumo:
    """Oshi-zumo: secret bids push a wrestler; the value is 0."""
    return OshiZumo(coins, size, horizon, min_bid, alesia)
