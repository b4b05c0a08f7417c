"""Unseen games: both sides put stones on a board by lists of places that they wrote before, without looking.

A place has room for some stones, which lie on each other; its cells are place * room + 0, 1, … from the ground up, and
the bits of an integer are the cells. A side's turn takes the next place of its list that has room; entries that have
none are passed over for good, as a full place stays full. `through[cell]` holds `many[cell]` lines as bits. Play ends
with a line, or else with `limit` stones, which then pays side 0 `rest`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.core.arrays import Array

Bits = Any  # int64, a bit a cell
ONE = np.int64(1)


@njit(cache=True, nogil=True)
def _free_cell(occupied: Bits, place: int, room: int) -> int:
    for cell in range(place * room, (place + 1) * room):
        if not (occupied >> cell) & 1:
            return cell
    return -1


@njit(cache=True, nogil=True)
def _lined(stones: Bits, cell: int, through: Array, many: Array) -> bool:
    lined = False
    for k in range(many[cell]):
        lined |= stones & through[cell, k] == through[cell, k]
    return lined


@njit(cache=True, nogil=True)
def _turn(
    mine: Bits, theirs: Bits, own: Array, at: int, room: int, through: Array, many: Array
) -> tuple[Bits, int, bool]:
    """One turn of a list whose entries before `at` are spent: its stones, the next entry, and whether it has won."""
    cell = _free_cell(mine | theirs, own[at], room)
    at += 1
    while cell < 0:
        cell = _free_cell(mine | theirs, own[at], room)
        at += 1
    mine |= ONE << cell
    return mine, at, _lined(mine, cell, through, many)


@njit(cache=True, nogil=True)
def outcomes(
    firsts: Array, seconds: Array, room: int, through: Array, many: Array, limit: int, rest: int, out: Array
) -> None:
    """out[i, j] = what side 0 is paid when the list firsts[i] meets seconds[j]."""
    for i in range(len(firsts)):
        for j in range(len(seconds)):
            x: Bits = np.int64(0)
            o: Bits = np.int64(0)
            a = b = 0
            out[i, j] = rest
            for stone in range(limit):
                if stone % 2 == 0:
                    x, a, won = _turn(x, o, firsts[i], a, room, through, many)
                else:
                    o, b, won = _turn(o, x, seconds[j], b, room, through, many)
                if won:
                    out[i, j] = 1 - 2 * (stone % 2)
                    break


@njit(cache=True, nogil=True)
def _step(
    place: int,
    level: int,
    boards: Array,
    count: int,
    lists: Array,
    weights: Array,
    room: int,
    through: Array,
    many: Array,
    limit: int,
    rest: int,
    keep: bool,
) -> tuple[Any, Any, int]:
    """What one more place at the end of the prefix does on each board that is still played: gained, alive, boards.

    boards[level] has rows of own stones, their stones, how many there are, their next entry and their list; with
    `keep`, the boards that are played on go to the next level.
    """
    gained = alive = np.int64(0)
    kept = 0
    for k in range(count):
        mine, theirs, stones = boards[level, 0, k], boards[level, 1, k], boards[level, 2, k]
        at, who = boards[level, 3, k], boards[level, 4, k]
        cell = _free_cell(mine | theirs, place, room)
        if cell >= 0:
            mine |= ONE << cell
            if _lined(mine, cell, through, many):
                gained += weights[who]
                continue
            if stones + 1 == limit:
                gained += rest * weights[who]
                continue
            theirs, at, lost = _turn(theirs, mine, lists[who], at, room, through, many)
            if lost:
                gained -= weights[who]
                continue
            stones += 2
            if stones == limit:
                gained += rest * weights[who]
                continue
        alive += weights[who]
        if keep:
            boards[level + 1, 0, kept], boards[level + 1, 1, kept], boards[level + 1, 2, kept] = mine, theirs, stones
            boards[level + 1, 3, kept], boards[level + 1, 4, kept] = at, who
        kept += 1
    return gained, alive, kept


@njit(cache=True, nogil=True)
def _start(side: int, lists: Array, room: int, boards: Array) -> None:
    """Fill in the first board of each list of the other side, which has moved already if `side` is 1."""
    for k in range(len(lists)):
        boards[4, k] = k
        if side == 1:
            boards[1, k], boards[2, k], boards[3, k] = ONE << (lists[k, 0] * room), 1, 1


@njit(cache=True, nogil=True)
def _is_least(prefix: Array, length: int, images: Array) -> bool:
    """Whether no renaming of the places turns a prefix into an earlier one."""
    for g in range(len(images)):
        for k in range(length):
            image = images[g, prefix[k]]
            if image < prefix[k]:
                return False
            if image > prefix[k]:
                break
    return True


@njit(cache=True, nogil=True)
def respond(
    side: int,
    lists: Array,
    weights: Array,
    room: int,
    through: Array,
    many: Array,
    images: Array,
    limit: int,
    rest: int,
    floor: int,
    budget: int,
    split: int,
    values: Array,
    best_lists: Array,
) -> tuple[int, int]:
    """Find lists of a side worth more to it than `floor` against weighted lists of the other, by branch and bound.

    Prefixes grow place by place; a board that is still played counts as won in the bound of its prefix. `weights` are
    whole numbers, alike for lists that `images` turns into each other, so one prefix of each class is enough. The best
    list of each beginning of `split` places goes to `best_lists`, its payoff to `values`; if there is none, no list is
    worth more than `floor`. Returns how many there are, and how many prefixes were tried; stops beyond `budget`.
    """
    places, length = images.shape[1], lists.shape[1]
    rest = rest if side == 0 else -rest
    boards = np.zeros((length + 1, 5, len(lists)), np.int64)
    count = np.zeros(length + 1, np.int64)
    gained = np.zeros(length + 1, np.int64)
    order = np.zeros((length, places), np.int64)  # places to try after each prefix, best first
    options = np.zeros(length, np.int64)  # how many those are
    tried = np.zeros(length, np.int64)
    prefix = np.zeros(length, np.int64)
    used = np.zeros(places, np.int64)
    scores = np.zeros(places, np.int64)
    _start(side, lists, room, boards[0])
    count[0] = len(lists)
    nodes = slots = level = 0
    enough = floor
    fresh = True
    while level >= 0 and nodes <= budget:
        if fresh:
            fresh = False
            tried[level] = options[level] = 0
            for place in range(places):
                prefix[level] = place
                if used[place] == room or not _is_least(prefix, level + 1, images):
                    continue
                nodes += 1
                more, alive, _ = _step(
                    place, level, boards, count[level], lists, weights, room, through, many, limit, rest, False
                )
                if gained[level] + more + alive <= (enough if level >= split else floor):
                    continue
                scores[place] = 2 * more + alive
                at = options[level]
                while at > 0 and scores[order[level, at - 1]] < scores[place]:
                    order[level, at] = order[level, at - 1]
                    at -= 1
                order[level, at] = place
                options[level] += 1
        if tried[level] == options[level]:
            level -= 1
            if level >= 0:
                used[prefix[level]] -= 1
            continue
        place = order[level, tried[level]]
        tried[level] += 1
        prefix[level] = place
        if level + 1 == split:
            enough = floor
        more, alive, kept = _step(
            place, level, boards, count[level], lists, weights, room, through, many, limit, rest, True
        )
        total = gained[level] + more
        if total + alive <= enough:
            continue
        if kept == 0:
            enough = total
            another = slots == 0
            for k in range(min(split, level + 1)):
                another = another or best_lists[slots - 1, k] != prefix[k]
            slots += another
            values[slots - 1] = total
            _complete(prefix, level + 1, room, best_lists[slots - 1])
            continue
        used[place] += 1
        gained[level + 1], count[level + 1] = total, kept
        level += 1
        fresh = True
    return slots, nodes


@njit(cache=True, nogil=True)
def _complete(prefix: Array, length: int, room: int, out: Array) -> None:
    """A whole list that begins with a prefix: what is left follows in order."""
    out[:length] = prefix[:length]
    end = length
    for place in range(len(out) // room):
        left = room
        for k in range(length):
            left -= prefix[k] == place
        out[end : end + left] = place
        end += left
