"""The random numbers of an evening: each is drawn from the seed and what it is for, so that a game can be replayed.

The draws for a mission are made when it begins. Nobody who does not know the seed can tell them in advance, whatever
happened before (SHAKE-256).
"""

from __future__ import annotations

from hashlib import shake_256

BYTES = 8


def drawn_number(seed: int, purpose: str) -> int:
    """A number of 64 bits that depends on nothing but the seed and its purpose."""
    return int.from_bytes(shake_256(f"ruse/evening/{seed}/{purpose}".encode()).digest(BYTES), "big")


def deal_order(count: int, seed: int, purpose: str) -> list[int]:
    """The numbers below count in a random order; orders are equally likely but for one part in 2^58."""
    keys = [drawn_number(seed, f"{purpose}/{place}") for place in range(count)]
    return sorted(range(count), key=lambda place: (keys[place], place))
