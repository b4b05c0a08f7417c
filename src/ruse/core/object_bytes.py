"""How much memory Python's objects take."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

MOST_OBJECTS = 200_000  # to look at
GRAIN = 16  # bytes: small objects take a multiple of it
SLOT = 45  # bytes of an entry of a large dict, which has room for up to twice as many: from 30 to 60
PLACE = 9  # bytes of a place in a list that has grown
PAIR = 64  # bytes of a tuple of two
NUMBER = 32  # bytes of a whole number
FRACTION = 48 + 2 * NUMBER
_NO_OBJECTS = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)


def each(objects: Sequence[Any]) -> float:
    """Bytes of one of some objects, with all that it is made of; what several share counts once."""
    seen: set[int] = set()
    stack, total = list(objects), 0
    while stack and len(seen) < MOST_OBJECTS:
        item = stack.pop()
        if id(item) in seen or isinstance(item, _NO_OBJECTS):
            continue
        seen.add(id(item))
        total += -(-sys.getsizeof(item) // GRAIN) * GRAIN
        stack += gc.get_referents(item)
    return total / max(len(objects), 1)
