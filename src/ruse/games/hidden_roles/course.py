"""How a game with hidden roles goes if both sides follow their strategies: every play, up to the names of seats.

All deals are alike, so the spies sit on the first seats; what they do not know is dealt, and all weights sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ruse.games.hidden_roles.rules import SPIES, Words
from ruse.games.hidden_roles.ways import Way
from ruse.games.hidden_roles.worth import Worth
from ruse.games.resistance.table import POINTS_TO_WIN


@dataclass
class Played:
    """A mission with spies aboard."""

    score: tuple[int, int]
    aboard: tuple[int, ...]  # the kinds of the spies aboard, sorted
    weight: Fraction
    failed: Fraction  # of it
    free: bool  # whether they had a choice


@dataclass
class Course:
    lies: list[tuple[Words, Fraction]] = field(default_factory=list)  # one of each class
    played: list[Played] = field(default_factory=list)
    guessed: list[list[Way]] = field(default_factory=list)  # the ways of each of the spies' last guesses


def course(worth: Worth) -> Course:
    """Of exact strategies, in fractions; else in floats."""
    found = Course(worth.stored_lies())
    seen = worth.seen(worth.first)
    starts: list[tuple[Words | None, Fraction]] = [*found.lies] or [(None, Fraction(1))]
    for lie, share in starts:
        groups = worth.after_lie(seen, lie)
        total = sum(way.weight for ways in groups.values() for way in ways)
        for ways in groups.values():
            _walk(worth, [replace(way, weight=way.weight * share / total) for way in ways], found)
    return found


def _walk(worth: Worth, ways: Sequence[Way], found: Course) -> None:
    """What follows ways that are alike to the spies; of missions that look alike to them, one stands for all."""
    state = ways[0].state
    if POINTS_TO_WIN in state.score:
        if worth.game.guesses(state):
            found.guessed.append(list(ways))
        return
    classes: dict[str, list[list[Way]]] = {}
    for gone in worth.coming(ways).values():
        classes.setdefault(gone[0].filed[SPIES].text, []).append(gone)
    for alike in classes.values():
        first = [replace(way, weight=way.weight * len(alike)) for way in alike[0]]
        for after in _results(worth, first, found):
            _walk(worth, after, found)


def _results(worth: Worth, ways: Sequence[Way], found: Course) -> Iterator[list[Way]]:
    """A mission, and what the spies may see of it."""
    state = ways[0].state
    groups: dict[str, list[Way]] = {}
    if state.out is None:
        for way in ways:
            groups.setdefault(way.filed[SPIES].text, []).append(way)
    else:
        game = worth.game
        aboard = tuple(sorted(ways[0].deal[seat] for seat in state.out if ways[0].deal[seat] in game.cast.known))
        total = failed = Fraction(0)
        for way in ways:
            for cards, share in worth.sabotaged(way.filed[SPIES], state.score, len(aboard)).items():
                left = worth.over(replace(way, weight=way.weight * share), cards)
                groups.setdefault(left.filed[SPIES].text, []).append(left)
                total += Fraction(left.weight)
                failed += Fraction(left.weight) * (not left.state.done[-1].passed)
        free = len(worth.strategies.worth(state.score, len(aboard))) > 1
        found.played.append(Played(state.score, aboard, total, failed, free))
    yield from ([way for way in group if way.weight] for group in groups.values() if any(way.weight for way in group))
