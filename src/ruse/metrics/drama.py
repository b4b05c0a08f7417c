"""How the winning chance moves in a game, as somebody sees it who knows only what is public."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ruse.core import rationals
from ruse.core.capabilities import constant
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.plays import Number

EVEN = Fraction(1, 2)


def drama(play: MeasuredPlay) -> Measure:
    """The mean total variation of the winning chance given public information, and the part of each move in it."""
    curve: dict[int, Number] = {}
    for moves, reach, swing in swings(play):
        curve[moves] = curve.get(moves, play.number(0)) + reach * swing
    total = sum(curve.values(), play.number(0))
    listed = [curve.get(moves, play.number(0)) for moves in range(max(curve, default=0) + 1)]
    text = f"the winning chance moves by {_points(total)} in a game, up and down together"
    return Measure(total, text=text, more={"drama_curve": listed})


def swings(play: MeasuredPlay) -> Iterator[tuple[int, Number, Number]]:
    """Each change of the winning chance: after how many moves, how often play comes there, and how large it is."""
    public = play.public
    for node in range(1, len(play)):
        before, after = public.at(play.parent[node]), public.at(node)
        if before != after:
            yield play.depth[node], play.reach[node], max(after - before, before - after)
    for end, payoff in play.payoff.items():
        before, after = public.at(end), play.chance(payoff)
        yield play.depth[end], play.reach[end], max(after - before, before - after)


def leads(play: MeasuredPlay) -> tuple[list[int], list[int]]:
    """For every end, how often the lead changed on the way, and after how many moves the last leader took it."""
    public, half = play.public, _half(play)
    leader = [0] * len(play)
    changed = [0] * len(play)
    since = [0] * len(play)
    for node in range(len(play)):
        parent = play.parent[node]
        if node:
            leader[node], changed[node], since[node] = leader[parent], changed[parent], since[parent]
        _follow(leader, changed, since, node, _sign(public.at(node) - half), play.depth[node])
        if node in play.payoff:
            _follow(leader, changed, since, node, _sign(play.chance(play.payoff[node]) - half), play.depth[node])
    return changed, since


def _follow(leader: list[int], changed: list[int], since: list[int], node: int, ahead: int, moves: int) -> None:
    if ahead and ahead != leader[node]:
        changed[node] += leader[node] != 0
        leader[node], since[node] = ahead, moves


def _half(play: MeasuredPlay) -> Number:
    """The winning chance at which nobody leads."""
    return play.number(EVEN) if play.is_won else play.chance(play.number(constant(play.original) / 2))


def lead_changes(play: MeasuredPlay) -> Measure:
    """The mean number of times in a game that the other side takes the lead, given public information."""
    changed, _ = leads(play)
    mean = play.mean(lambda end: changed[end])
    return Measure(mean, text=f"{rationals.near(Fraction(mean), 4)} a game")


def decided(play: MeasuredPlay) -> Measure:
    """The mean share of a game's moves after which the side that comes out ahead leads for good."""
    _, since = leads(play)
    half = _half(play)

    def share(end: int) -> Number:
        moves = play.depth[end]
        if not moves or play.chance(play.payoff[end]) == half:
            return play.number(1)  # nobody comes out ahead before the end
        return play.number(Fraction(since[end], moves))

    mean = play.mean(share)
    return Measure(mean, text=f"after {rationals.percent(Fraction(mean))} of the moves, the winner leads for good")


def _sign(number: Number) -> int:
    return (number > 0) - (number < 0)


def _points(change: Number) -> str:
    return rationals.points(Fraction(change))
