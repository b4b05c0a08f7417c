"""Renamings of seats, and what they leave as it is: the symmetry of a game with hidden roles.

A renaming p calls seat s p[s]. What a side has seen is filed in the names that make it smallest, and those renamings
that leave it so are a group G: the side cannot tell seats apart that G maps into each other. A mission is then one of
a class, its orbit under G, of which the first member stands for all; the members of G that leave that one as it is are
the group after the mission. So a history is filed step by step, and groups only shrink.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import Play
from ruse.games.resistance.rules import subsets

Renaming = tuple[int, ...]
Group = frozenset[Renaming]


class Step(NamedTuple):
    """What a set of seats is to somebody who cannot tell apart what a group maps into each other."""

    first: Seats  # of its class, which stands for all
    renaming: Renaming  # of the group, from the set to the first
    size: int  # of the class
    group: Group  # what is left of it


def compose(after: Renaming, before: Renaming) -> Renaming:
    """First `before`, then `after`."""
    return tuple(after[seat] for seat in before)


def inverse(renaming: Renaming) -> Renaming:
    return tuple(renaming.index(seat) for seat in range(len(renaming)))


def renamed_seats(seats: Seats, names: Renaming) -> Seats:
    return tuple(sorted(names[seat] for seat in seats))


def renamed(play: Play, names: Renaming) -> Play:
    """The same with every seat s called names[s]."""
    back = inverse(names)
    return Play(
        None if play.deal is None else tuple(play.deal[seat] for seat in back),
        None if play.said is None else renamed_words(play.said, names),
        tuple(mission._replace(seats=renamed_seats(mission.seats, names)) for mission in play.done),
        None if play.out is None else renamed_seats(play.out, names),
        None if play.named is None else names[play.named],
    )


def renamed_words(said: Sequence[Claim | None], names: Renaming) -> tuple[Claim | None, ...]:
    if not said:
        return ()
    claims = [said[seat] for seat in inverse(names)]
    return tuple(claim and Claim(claim.kind, renamed_seats(claim.seats, names)) for claim in claims)


@cache
def everyone(players: int) -> Group:
    """All renamings."""
    return frozenset(permutations(range(players)))


@cache
def smallest(view: Play, players: int) -> tuple[Play, Renaming, Group]:
    """A view before any mission as it is filed, the renaming to that, and the group that leaves it so."""
    found: list[Renaming] = []
    best: Any = None
    for names in permutations(range(players)):
        key = _key(renamed(view, names))
        if best is None or key < best:
            best, found = key, []
        if key == best:
            found.append(names)
    back = inverse(found[0])
    return renamed(view, found[0]), found[0], frozenset(compose(names, back) for names in found)


def _key(view: Play) -> Any:
    words = tuple((-1, ()) if claim is None else (claim.kind, claim.seats) for claim in view.said or ())
    return tuple(-kind for kind in view.deal or ()), words


@cache
def steps(group: Group, players: int, size: int) -> dict[Seats, Step]:
    """Every set of so many seats as a group sees it."""
    found: dict[Seats, Step] = {}
    for first in subsets(players, size):
        if first in found:
            continue
        members: dict[Seats, Renaming] = {}
        for names in sorted(group):
            members.setdefault(renamed_seats(first, names), names)
        left = frozenset(names for names in group if renamed_seats(first, names) == first)
        for seats, names in members.items():
            found[seats] = Step(first, inverse(names), len(members), left)
    return found


def firsts(group: Group, players: int, size: int, allowed: Callable[[Seats], bool] = lambda _: True) -> list[Seats]:
    """One set of each class."""
    found = steps(group, players, size)
    return [seats for seats in subsets(players, size) if found[seats].first == seats and allowed(seats)]
