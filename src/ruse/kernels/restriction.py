"""Sweeps over a tree of which only some moves may be played: one flag a sequence, at least one set at each set."""

from __future__ import annotations

from numba import njit

from ruse.core.arrays import Array


@njit(cache=True, nogil=True)
def best_moves(first: Array, values: Array, best: Array) -> None:
    """The sequence worth most at each information set; of equals, the first."""
    for i in range(len(best)):
        best[i] = first[i]
        for s in range(first[i] + 1, first[i + 1]):
            if values[s] > values[best[i]]:
                best[i] = s


@njit(cache=True, nogil=True)
def fold(parent: Array, first: Array, playable: Array, image: Array, chosen: Array, sets: Array) -> tuple[int, int]:
    """Number the sequences that are chosen, and the information sets where, in a restricted tree; return how many.

    Where one move only may be played there is nothing to choose: it is one with the sequence that leads to it. So
    image[s] is the sequence that s has become, or -1 where s is never played; `chosen` and `sets` lead back.
    """
    image[0] = chosen[0] = 0
    sequences, count = 1, 0
    for i in range(len(parent)):
        here = image[parent[i]]
        moves = 0
        for s in range(first[i], first[i + 1]):
            moves += playable[s]
        for s in range(first[i], first[i + 1]):
            if here < 0 or not playable[s]:
                image[s] = -1
            elif moves == 1:
                image[s] = here
            else:
                image[s] = sequences
                chosen[sequences] = s
                sequences += 1
        if here >= 0 and moves > 1:
            sets[count] = i
            count += 1
    return sequences, count


@njit(cache=True, nogil=True)
def extend(parent: Array, first: Array, values: Array, margin: float, playable: Array) -> int:
    """Wherever playable moves lead, make the best move playable too if it beats them all by more than the margin.

    `values` are those of a best response (`sweeps.best_response`). Returns how many moves were added.
    """
    reached = playable.copy()
    added = 0
    for i in range(len(parent)):
        best, kept = first[i], -1
        for s in range(first[i], first[i + 1]):
            reached[s] = playable[s] and reached[parent[i]]
            if values[s] > values[best]:
                best = s
            if playable[s] and (kept < 0 or values[s] > values[kept]):
                kept = s
        if reached[parent[i]] and values[best] > values[kept] + margin:
            playable[best] = reached[best] = True
            added += 1
    return added
