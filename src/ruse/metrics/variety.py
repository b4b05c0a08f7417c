"""How many courses play takes, and whether one move is always made."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import GameError, display_name
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.pair import STORED, Pair
from ruse.metrics.plays import Number, PlayTree
from ruse.solution.strategy import Solution

MOST_LISTED = 8  # moves of a course
MOST_LOOKED = 20_000  # histories, to see whether play varies


def variety(play: MeasuredPlay) -> Measure:
    """How often play departs from its most frequent course: the sequence of moves that the sides make."""
    courses = _courses(play)
    course, share = max(courses.items(), key=lambda item: item[1])
    listed = ", ".join(course[:MOST_LISTED]) + (" …" if len(course) > MOST_LISTED else "")
    more = {"courses": len(courses), "course": list(course), "always": always(play)}
    text = f"{len(courses):,} courses of play; the most frequent one, {rationals.percent(Fraction(share))}, is {listed}"
    if len(courses) == 1:
        text = f"every game goes the same way: {listed}" if course else "nobody has a move to make"
    return Measure(1 - share, text=text, more=more)


def _courses(play: PlayTree) -> dict[tuple[str, ...], Number]:
    """The probability of every sequence of moves that the sides make, whatever chance does."""
    taken: list[tuple[str, ...]] = [()] * len(play)
    for node in range(1, len(play)):
        parent = play.parent[node]
        by_side = play.turn[parent] in (0, 1)
        taken[node] = (*taken[parent], play.step[node]) if by_side else taken[parent]
    courses: dict[tuple[str, ...], Number] = {}
    for end in play.ends:
        courses[taken[end]] = courses.get(taken[end], play.number(0)) + play.reach[end]
    return courses


def always(play: PlayTree) -> dict[str, str]:
    """The move that a side always makes, by side, if it has decisions and makes no other move in any of them."""
    only: dict[str, str] = {}
    for side in (0, 1):
        made = {move for choice in play.choices if choice.side == side and choice.is_decision for move in choice.used}
        if len(made) == 1:
            only[display_name(play.original.sides[side])] = made.pop()
    return only


def is_lively(solution: Solution) -> bool:
    """Whether both sides make several moves, and play several courses, under the stored strategies."""
    try:
        play = PlayTree(Pair(solution, STORED), MOST_LOOKED)
    except GameError:  # more histories than a game has that plays itself
        return True
    return len(_courses(play)) > 1 and not always(play)
