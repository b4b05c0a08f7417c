"""Sweeps over the states of a graph (`forms.state_graph.Arrays`), in whole numbers, that stop when nothing changes.

Layers are settled from the last, states within a layer from the last, each with what is already known of the others.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ruse.core.arrays import Array

CHANCE, END = -1, -2


@njit(cache=True, nogil=True, error_model="numpy")
def settle(
    turn: Array,
    first: Array,
    child: Array,
    share: Array,
    whole: Array,
    layers: Array,
    choice: Array,
    fixed: int,
    up: bool,
    value: Array,
    begin: int,
    most: int,
) -> tuple[int, int]:
    """Replace each value by that of its best move, of the choice of the side `fixed`, or expected, rounded.

    Rounded down if values go `up`, from too low ones, else rounded up: values that rise stay below those of their
    moves, and those that fall stay above. In place, from the layer `begin` on, until about `most` states were looked
    at; returns the layer to go on from, below 0 where all are settled, and how many sweeps of layers there were.
    """
    sweeps = looked = 0
    for layer in range(begin, -1, -1):
        changed = True
        while changed:
            if looked >= most:
                return layer, sweeps
            looked += layers[layer + 1] - layers[layer]
            changed = False
            sweeps += 1
            for s in range(layers[layer + 1] - 1, layers[layer] - 1, -1):
                if turn[s] == END:
                    continue
                if turn[s] == CHANCE:
                    total = np.int64(0)
                    for e in range(first[s], first[s + 1]):
                        total += np.int64(share[e]) * value[child[e]]
                    result = total // whole[s] if up else -((-total) // whole[s])
                elif turn[s] == fixed:
                    result = value[child[first[s] + choice[s]]]
                else:
                    result = value[child[first[s]]]
                    for e in range(first[s] + 1, first[s + 1]):
                        other = value[child[e]]
                        result = max(result, other) if turn[s] == 0 else min(result, other)
                if result != value[s]:
                    value[s] = result
                    changed = True
    return -1, sweeps


@njit(cache=True, nogil=True, error_model="numpy")
def best_moves(turn: Array, first: Array, child: Array, value: Array, choice: Array) -> None:
    """The first best move of each side's states, into choice."""
    for s in range(len(turn)):
        if turn[s] >= 0:
            for e in range(first[s] + 1, first[s + 1]):
                gain = value[child[e]] - value[child[first[s] + choice[s]]]
                if (gain > 0 and turn[s] == 0) or (gain < 0 and turn[s] == 1):
                    choice[s] = e - first[s]


@njit(cache=True, nogil=True, error_model="numpy")
def ends(turn: Array, first: Array, child: Array, layers: Array, sure: Array) -> None:
    """Mark the states from which no pair of strategies can keep off the end: by chance some way leads to one, and
    whatever a side does does. Play that is at such states only ends with certainty, as there are finitely many."""
    for layer in range(len(layers) - 2, -1, -1):
        changed = True
        while changed:
            changed = False
            for s in range(layers[layer + 1] - 1, layers[layer] - 1, -1):
                if sure[s]:
                    continue
                any_child, every = False, True
                for e in range(first[s], first[s + 1]):
                    any_child |= sure[child[e]]
                    every &= sure[child[e]]
                if turn[s] == END or (any_child if turn[s] == CHANCE else every):
                    sure[s] = True
                    changed = True
