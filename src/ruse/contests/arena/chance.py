"""Chance inside compiled matches: a stream of its own for every match, so that the order of play changes nothing.

SplitMix64 (Steele, Lea & Flood 2014): the state grows by an odd constant and is scrambled into 64 bits. A stream is an
array of one number; match i of a seed begins at a scramble of both, so matches can be played anywhere in any order.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt
from typing import Any

import numpy as np
from numba import njit

from ruse.core.arrays import Array

Stream = Array  # uint64[1]

GROWTH = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32, S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)
UNIT = 1.0 / (1 << 53)


@njit(cache=True, nogil=True)
def scrambled(word: Any) -> Any:
    word = (word ^ (word >> S30)) * FIRST
    word = (word ^ (word >> S27)) * SECOND
    return word ^ (word >> S31)


@njit(cache=True, nogil=True)
def begin(stream: Stream, seed: int, number: int) -> None:
    """Set a stream to the beginning of a match."""
    stream[0] = scrambled(scrambled(np.uint64(seed) + GROWTH) ^ (np.uint64(number) * GROWTH + FIRST))


@njit(cache=True, nogil=True)
def bits(stream: Stream) -> Any:
    """64 random bits."""
    stream[0] += GROWTH
    return scrambled(stream[0])


@njit(cache=True, nogil=True)
def share(stream: Stream) -> float:
    """Uniform in [0, 1)."""
    return np.float64(bits(stream) >> S11) * UNIT


@njit(cache=True, nogil=True)
def below(stream: Stream, count: int) -> Any:
    """A whole number from 0 to count - 1."""
    return np.int64(((bits(stream) >> S32) * np.uint64(count)) >> S32)


@njit(cache=True, nogil=True)
def normal(stream: Stream) -> float:
    """Standard Gaussian (Box and Muller 1958)."""
    return sqrt(-2.0 * log(1.0 - share(stream))) * cos(2.0 * pi * share(stream))


@njit(cache=True, nogil=True)
def shuffle(stream: Stream, cards: Array, count: int) -> None:
    """Put the first `count` entries in random order (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
