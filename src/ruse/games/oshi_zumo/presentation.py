"""How oshi-zumo is shown: the ring, where the wrestler stands, and the coins that are left."""

from __future__ import annotations

from collections.abc import Sequence

from ruse.core.game import State
from ruse.core.presentation import Presentation, Situation
from ruse.games.oshi_zumo.rules import OshiZumo, Ring, Seen
from ruse.play.pictures import Cell, Grid, Picture

MOST_PLACES = 15  # on each side of the middle, of a ring that is drawn


class OshiZumoPresentation(Presentation[OshiZumo]):
    cover_moves = 2

    def openspiel_name(self) -> str:
        game = self.game
        return (
            f"oshi_zumo(coins={game.coins},size={game.size},horizon={game.horizon},min_bid={game.min_bid},"
            f"alesia={game.alesia})"
        )

    def move_phrase(self, position: str, move: str) -> str:
        return f"bid {move}"

    def situations(self, knowledge: Seen, side: int) -> Sequence[Situation]:
        """The place and all coins; then who has more of them."""
        state = self._after_rounds(knowledge)
        you, other = state.coins[side], state.coins[1 - side]
        pushed = state.place if side == 0 else -state.place
        heading = "The wrestler stands in the middle" if not pushed else f"The wrestler stands {_describe(pushed)}"
        when = "When you have fewer coins" if you < other else "When you have more coins"
        return [
            Situation(heading, f"With {you} {'coin' if you == 1 else 'coins'} against {other}"),
            Situation(heading, "When both have as many coins" if you == other else when, _by_size(you)),
        ]

    def _after_rounds(self, bids: Seen) -> Ring:
        """The state after the rounds that are over."""
        shown = [bid for bid in bids if isinstance(bid, int)]  # the last may be hidden
        state = self.game.start()
        for bid in shown[: len(shown) // 2 * 2]:
            state = self.game.play(state, bid)
        return state

    def picture(self, bids: Seen, side: int, end: State | None) -> Picture:
        """The person stands on the left, and pushes to the right."""
        game = self.game
        shown = [bid for bid in bids if isinstance(bid, int)]  # the last may be hidden
        state = self._after_rounds(bids)
        you, other = state.coins[side], state.coins[1 - side]
        number = min(len(shown) // 2 + 1, game.horizon)
        lines = [f"Coins: you {you}, other side {other}.", f"Round {number} of at most {game.horizon}."]
        pushed = state.place if side == 0 else -state.place
        if game.size > MOST_PLACES:
            distance = (
                f"{abs(pushed)} from the middle, {'away from' if pushed > 0 else 'towards'} you" if pushed else ""
            )
            return Picture(
                [*lines, f"The wrestler stands {distance or 'in the middle'}; {game.size + 1} is off the ring."]
            )
        places = range(-game.size - 1, game.size + 2)
        ring = [_place(place, place == pushed, abs(place) > game.size) for place in places]
        heads = [Cell("", "ring"), *(Cell("", _describe(place)) for place in places), Cell("", "far end")]
        return Picture(lines, Grid("", heads, [[Cell("you"), *ring, Cell("other side")]], "board ring"))


def _place(place: int, here: bool, off: bool) -> Cell:
    if here:
        return Cell("W", "the wrestler", "out", sign="wrestler")
    return Cell("|", "off the ring") if off else Cell(".", "free")


def _by_size(coins: int) -> dict[str, str]:
    """What bids are called by how much of the coins they are."""
    sizes: list[tuple[float, str]] = [(0, "bid nothing"), (coins / 3, "bid up to a third of your coins")]
    sizes += [(2 * coins / 3, "bid up to two thirds"), (coins, "bid nearly all or all")]
    return {str(bid): next(name for most, name in sizes if bid <= most) for bid in range(coins + 1)}


def _describe(place: int) -> str:
    return "middle" if not place else f"{abs(place)} towards {'the other side' if place > 0 else 'you'}"
