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
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import Play
from ruse.games.resistance.rules import subsets

Renaming = tuple[int, ...]
Group = frozenset[Renaming]
MOST_NAMES = 3_000_000  # renamings of seats, times what can be said, to go through: a minute


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
    """A view before any mission as it is filed, the renaming to that, and the group that leaves it so.

    Of all renamings those are left that have the least at the first place, then at the second, and so on: the kinds of
    spies, the last kind first, then what was said.
    """
    every, seats, images, ranks = _renamings(players)
    left = np.arange(len(every))
    for place in range(players if view.deal else 0):
        kinds = np.array(view.deal)[seats[left, place]]
        left = left[kinds == kinds.max()]
    if view.said:
        kinds = np.array([-1 if claim is None else claim.kind for claim in view.said])
        masks = np.array([sum(1 << seat for seat in claim.seats) if claim else 0 for claim in view.said])
        for place in range(players):
            who = seats[left, place]
            words = (kinds[who] + 1) * len(ranks) + ranks[images[left, masks[who]]]
            left = left[words == words.min()]
    found = [tuple(names) for names in every[left].tolist()]
    back = inverse(found[0])
    return renamed(view, found[0]), found[0], frozenset(compose(names, back) for names in found)


@cache
def _renamings(players: int) -> tuple[Array, Array, Array, Array]:
    """All of them [renamings, seats], their inverses, what each makes of a mask, and where a mask stands in order."""
    every = np.array(list(permutations(range(players))), dtype=np.int16)
    sets = [tuple(seat for seat in range(players) if mask >> seat & 1) for mask in range(1 << players)]
    bits = (np.arange(1 << players)[:, None] >> np.arange(players)) & 1
    ranks = np.empty(len(sets), dtype=np.int64)
    ranks[sorted(range(len(sets)), key=sets.__getitem__)] = np.arange(len(sets))
    return every, np.argsort(every, axis=1), ((1 << every.astype(np.int64)) @ bits.T), ranks


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
