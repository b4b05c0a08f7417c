"""Explain how often a move is played: by what the other side would gain if it were always played.

Change a strategy x at one information set so that it always makes one move there. The other side's best response to
the changed x gains

    guarantee(x) - guarantee(changed x)      (with the sign of the side that moves).

This is never negative if x is optimal; it is what mixing protects.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.game import CHANCE, END, Game, PositionError, display_name, moving
from ruse.present.model import Option, Why
from ruse.present.nodes import Number, PlanResponse, as_fraction

if TYPE_CHECKING:
    from ruse.present.tree import TreeViewer

SMALL = Fraction(1, 10**6)  # differences that do not matter where numbers are not exact


def why(viewer: TreeViewer, position: str, move: str, side: int) -> Why:
    """Explain how often a move is played. Raises PositionError."""
    nodes, game = viewer.nodes, viewer.solution.game
    sets, other = nodes.sets[side], display_name(game.sides[1 - side])
    number = sets.index.get(position)
    if number is None:
        raise PositionError(f"expected a position where {moving(game.sides[side])}, got {position!r}")
    if move not in sets.moves[number]:
        raise PositionError(f"expected one of the moves {', '.join(sets.moves[number])} at {position}, got {move!r}")
    options = viewer.at(position, side).options
    place = sets.moves[number].index(move)
    here = options[place]
    follow = _Line(viewer, position, side, place)
    if len(options) == 1:
        return Why(f"{move} is the only move here.", follow.line(nodes.answer(1 - side, nodes.plans[side])), None)
    if not nodes.plans[side][sets.parent[number]]:
        never = (
            f"{display_name(game.sides[side])}'s strategy never reaches this position, so its guarantee does not "
            "depend on this move. "
        )
        line = follow.line(nodes.answer(1 - side, nodes.plans[side]))
        return Why(never + against(game, options, here, side), line, None)
    answer = nodes.answer(1 - side, nodes.plan(side, {number: place}))
    before, after = as_fraction(nodes.guarantees[side]), as_fraction(answer.payoff)
    gain = before - after if side == 0 else after - before
    line = follow.line(answer)
    if here.odds == 1:
        return Why(f"{move} is always played. {against(game, options, here, side)}", line, Fraction(0))
    matters = gain > (0 if nodes.exact else SMALL)
    if matters:
        change, line = follow.change(answer)
        always = f"{other} would {change} and {gained(game, gain)} ({course(game, before, after)})"
    else:
        always = f"{other} could not exploit it"
    begin = _begin(game, options, here, side, matters)
    return Why(f"{begin} If it were always played, {always}.", line, max(gain, Fraction(0)))


def _begin(game: Game, options: Sequence[Option], here: Option, side: int, matters: bool) -> str:
    """Say how often the move is played, and what it costs if the other side does not react."""
    assert here.loss is not None
    if here.odds:
        return f"{here.move} is played {rationals.short(here.odds)} of the time" + (
            "." if matters else "; the exact frequency does not matter."
        )
    if here.loss > 0:
        return f"{here.move} is never played. {against(game, options, here, side)}"
    though = "though it costs nothing" if matters else "but it would do equally well"
    return f"{here.move} is never played, {though} against {display_name(game.sides[1 - side])}'s strategy."


def openly(game: Game, options: Sequence[Option], here: Option, side: int) -> str:
    """Explain a move where nothing is hidden, so that only its consequences count."""
    if len(options) == 1:
        return f"{here.move} is the only move here."
    often = f"played {rationals.short(here.odds)} of the time"
    played = "never played" if not here.odds else "always played" if here.odds == 1 else often
    return f"{here.move} is {played}. {against(game, options, here, side)}"


def against(game: Game, options: Sequence[Option], here: Option, side: int) -> str:
    """Say what a move costs against the other side's stored strategy, or what the next best move would cost."""
    other = display_name(game.sides[1 - side])
    assert here.loss is not None and here.value is not None
    if here.loss > 0:
        best = next(option for option in options if option.loss == 0)
        assert best.value is not None
        return (
            f"Against {other}'s strategy it loses {amount(game, here.loss)}: {course(game, best.value, here.value)}, "
            f"compared with {best.move}."
        )
    rivals = [option for option in options if option is not here and option.loss is not None]
    near = min(rivals, key=lambda option: option.loss or 0)
    assert near.loss is not None
    if near.loss == 0:
        return f"{near.move} would do equally well against {other}'s strategy."
    return f"The next best, {near.move}, loses {amount(game, near.loss)} against {other}'s strategy."


def amount(game: Game, loss: Fraction) -> str:
    return rationals.points(loss / 2) if len(game.wins) == 2 else rationals.short(loss)


def gained(game: Game, gain: Fraction) -> str:
    return f"win {rationals.points(gain / 2)} more" if len(game.wins) == 2 else f"gain {rationals.short(gain)}"


def course(game: Game, before: Fraction, after: Fraction) -> str:
    if len(game.wins) == 2:
        shares = [rationals.percent((1 + value) / 2) for value in (after, before)]
        return f"{display_name(game.sides[0])} wins {shares[0]} instead of {shares[1]}"
    return f"the value to {display_name(game.sides[0])} goes from {rationals.short(before)} to {rationals.short(after)}"


class _Line:
    """Play after a move at a position, against a response of the other side that never mixes."""

    def __init__(self, viewer: TreeViewer, position: str, side: int, place: int) -> None:
        self.viewer, self.position, self.side, self.place = viewer, position, side, place
        self.nodes = viewer.nodes
        self.members = self.nodes.members[side][position]

    def line(self, answer: PlanResponse) -> list[str]:
        """The side's positions from here on: each time the most likely next one."""
        return self._follow(self.position, self._begin(answer), answer)

    def _follow(self, start: str, group: list[tuple[int, Number]], answer: PlanResponse) -> list[str]:
        line = [start]
        while group:
            known = self._likeliest(group)
            if known != line[-1]:
                line.append(known)
            here = [(at, weight) for at, weight in group if self.nodes.known[self.side][at] == known]
            group = [following for at, weight in here for following in self._next(at, weight, answer)]
        return line

    def change(self, answer: PlanResponse) -> tuple[str, list[str]]:
        """Say where the best response first differs from the other side's strategy, and return that line of play.

        It may differ after the move, before it, so that play avoids this position, or elsewhere.
        """
        nodes, rival = self.nodes, 1 - self.side
        met: list[int] = []
        past: list[int] = []
        group = self._begin(answer)
        while group:
            met += [at for at, _ in group]
            group = [following for at, weight in group for following in self._next(at, weight, answer)]
        for at in self.members:
            while at:
                at = nodes.parent[at]
                past.append(at)
        sets = nodes.sets[rival]
        places = {at: sets.index[nodes.known[rival][at]] for at in (*met, *past) if nodes.turn[at] == rival}
        in_order = (*places.values(), *range(len(sets.parent)))
        number = next((candidate for candidate in in_order if answer.better[candidate]), None)
        if number is None:
            return "go on as it does", self.line(answer)
        chosen = answer.moves[number]
        odds, move = sets.odds[number][chosen], sets.moves[number][chosen]
        now = f"now {rationals.short(odds)} of the time" if odds else "now never"
        change = f"always play {move} at {list(sets.index)[number]} ({now})"
        turned = [at for at in past if places.get(at) == number]
        if not turned or number in [places[at] for at in met if at in places]:
            return change, self.line(answer)
        at = turned[0]
        return change, self._follow(nodes.known[self.side][at], [(nodes.first[at] + chosen, nodes.chance[at])], answer)

    def _begin(self, answer: PlanResponse) -> list[tuple[int, Number]]:
        nodes, rival = self.nodes, 1 - self.side
        plan = nodes.plan(rival, dict(enumerate(answer.moves)))
        weights = [nodes.chance[at] * plan[nodes.sequence[rival][at]] for at in self.members]
        if not any(weights):  # the best response avoids this position
            weights = self.viewer.beliefs(self.members, self.side)
        pairs = zip(self.members, weights, strict=True)
        return [(nodes.first[at] + self.place, weight) for at, weight in pairs if weight]

    def _next(self, at: int, weight: Number, answer: PlanResponse) -> list[tuple[int, Number]]:
        nodes, turn = self.nodes, self.nodes.turn[at]
        if turn == self.side and nodes.known[turn][at] == self.position:  # the move is always played here
            return [(nodes.first[at] + self.place, weight)]
        if turn in (CHANCE, self.side):
            return [(child, weight * nodes.share[child]) for child in nodes.children(at) if nodes.share[child]]
        if turn == END:
            return []
        number = nodes.sets[turn].index[nodes.known[turn][at]]
        return [(nodes.first[at] + answer.moves[number], weight)]

    def _likeliest(self, group: Sequence[tuple[int, Number]]) -> str:
        odds: dict[str, Number] = {}
        for at, weight in group:
            known = self.nodes.known[self.side][at]
            odds[known] = odds.get(known, 0) + weight
        return max(odds, key=odds.__getitem__)
