"""Rules for games in which a choice depends on two numbers, mine and theirs, as lines that people can read out.

`24: 12 if 17+, 8 if 9-16, 4 if 5-8` says what to choose with 24 of mine, by the number of theirs: `9-16` both included,
`17+` from there on, and no `if` for any number. The number of mine may be a span too: `0-99: 20`. The first line and
the first choice in it that fit are the rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from ruse.core.game import RuleError

SPAN = re.compile(r"(\d{1,9})(?:(\+)|-(\d{1,9}))?", re.ASCII)
Choice = Callable[[int, int], str]


def only_move(strategy: Mapping[str, Mapping[str, Fraction]], position: str) -> str:
    """Return the only move of a pure strategy at a position."""
    moves = [move for move, share in strategy[position].items() if share]
    if len(moves) != 1:
        raise RuleError(f"expected one move at {position}, got {len(moves)}")
    return moves[0]


def write(choices: Mapping[tuple[int, int], str], down: bool = False) -> list[str]:
    """Write one line per own number, in rising order, or falling if `down`; spans include numbers that never occur."""
    lines = []
    for mine, cells in groupby(sorted(choices, reverse=down), key=lambda cell: cell[0]):
        runs = [
            (choice, [theirs for _, theirs in run])
            for choice, run in groupby(sorted(cells), key=lambda cell: choices[cell])
        ]
        if len(runs) == 1:
            lines.append(f"{mine}: {runs[0][0]}")
            continue
        parts = [f"{choice} if {_span(run)}" for choice, run in runs[:-1]]
        choice, run = runs[-1]
        lines.append(f"{mine}: {', '.join([*parts, f'{choice} if {run[0]}+'])}")
    return lines


def _span(run: Sequence[int]) -> str:
    return str(run[0]) if run[0] == run[-1] else f"{run[0]}-{run[-1]}"


def read(lines: Sequence[str], example: str) -> Choice:
    """Read a choice from lines such as the example; the choice raises RuleError if no line fits."""
    rules = [rule for line in lines for rule in _rules(line, example)]

    def choice(mine: int, theirs: int) -> str:
        for own, other, chosen in rules:
            if mine in own and theirs in other:
                return chosen
        raise RuleError(f"expected a rule for {mine} of mine and {theirs} of theirs, got none")

    return choice


def _rules(line: str, example: str) -> list[tuple[range, range, str]]:
    head, colon, listed = (part.strip() for part in line.partition(":"))
    rules = []
    for part in listed.split(","):
        choice, _, other = part.strip().partition(" if ")
        own, theirs = numbers(head), numbers(other.strip() or "0+")
        if not colon or own is None or theirs is None or not choice or " " in choice:
            raise RuleError(f"expected a rule such as {example!r}, got {line!r}")
        rules.append((own, theirs, choice))
    return rules


def numbers(text: str) -> range | None:
    """The numbers of a span, or None if it is no span."""
    match = SPAN.fullmatch(text)
    if match is None:
        return None
    low, onwards, high = match.groups()
    return range(int(low), 10**9 if onwards else int(high or low) + 1)
