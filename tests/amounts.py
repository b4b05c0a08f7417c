"""How many cases a test tries: some of them in `make test`, all in `make soak`.

Random cases: `range(some(100))` or `@settings(max_examples=some(100))`. Cases of `pytest.mark.parametrize`: mark the
test with `@pytest.mark.cases(4)`, or with `@pytest.mark.soak` if it is to run in `make soak` alone.
"""

from __future__ import annotations

import os
from collections import defaultdict
from zlib import crc32

import pytest

ALL = os.environ.get("RUSE_ALL") == "yes"


def some(many: int, part: int = 4) -> int:
    """One of so many parts, rounded up, or all of it."""
    return many if ALL else -(-many // part)


def leave_to_soak(items: list[pytest.Item]) -> list[pytest.Item]:
    """Cases that only `make soak` tries, by the marks `cases` and `soak`."""
    if ALL:
        return []
    left = [item for item in items if item.get_closest_marker("soak")]
    tests = defaultdict(list)
    for item in items:
        if item.get_closest_marker("cases") and not item.get_closest_marker("soak"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        mark = cases[0].get_closest_marker("cases")
        assert mark is not None
        kept = representatives(cases, mark.args[0])
        left += [item for item in cases if item not in kept]
    return left


def representatives(cases: list[pytest.Item], number: int) -> list[pytest.Item]:
    """So many cases, of which each next one has the most parameter values that none before it has."""
    rest = sorted(cases, key=lambda case: crc32(case.nodeid.encode()))
    values = {case: set(case.callspec.indices.items()) for case in rest}  # type: ignore[attr-defined]
    kept: list[pytest.Item] = []
    seen: set[tuple[str, int]] = set()
    while rest and len(kept) < number:
        case = max(rest, key=lambda case: len(values[case] - seen))
        seen |= values[case]
        kept.append(case)
        rest.remove(case)
    return kept
