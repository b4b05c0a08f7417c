"""Rules for a table, read: `ruse score` and whoever else writes a strategy of The Resistance down by hand.

One rule a line, a condition and what to do; the first rule that fits counts. Results are + (passed) and - (failed).
Seats are letters, given out by lot as they are needed: of several seats with the same record, nobody knows
beforehand which of them the next mission takes.

    side: resistance                         side: spies
    mission 1: send ab                       mission 1 or 3: pass
    after +- or -+: send abd                 after +- with 2 aboard: sabotage 1/3
    after ab+/abc-: send abd 1/3 or cde 2/3  missions of more than 2: sabotage
    otherwise: send abe                      otherwise: pass

Once a side has two points the spies sabotage whenever they can, whatever the rules say: anything else loses at
once, or puts off a win.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ruse.core.game import PositionError, RuleError
from ruse.core.types import Odds, StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

SPIES_ORDERS = ("pass", "sabotage")


@dataclass(frozen=True)
class Situation:
    """What the conditions of a rule look at."""

    results: str  # so far
    size: int  # of the mission
    aboard: int  # spies on it; 0 where the resistance moves
    position: str

    @staticmethod
    def of_spies(table: Table, position: str) -> Situation:
        read = notation.read(table, position)
        if read.out is None or read.spies is None:
            raise RuleError(f"expected a mission under way and the spies, got {position!r}")
        results = "".join("-+"[passed] for _, passed in read.done)
        return Situation(results, len(read.out), len(set(read.out).intersection(read.spies)), position)


Test = Callable[[Situation], bool]


@dataclass(frozen=True)
class Rule:
    line: str
    tests: tuple[Test, ...]
    odds: Odds


NUMBERS = re.compile(r"\d+")
CONDITIONS: list[tuple[str, Callable[[re.Match[str]], Test]]] = [
    (r"otherwise|always", lambda said: lambda here: True),
    (r"once a side has two points", lambda said: lambda here: _decided(here.results)),
    (r"missions? (\d+(?:(?:, | or | and |,)\d+)*)", lambda said: lambda here: len(here.results) + 1 in _whole(said[1])),
    (r"missions of more than (\d+)", lambda said: lambda here: here.size > int(said[1])),
    (r"missions of (\d+) or more", lambda said: lambda here: here.size >= int(said[1])),
    (r"missions of (\d+)", lambda said: lambda here: here.size == int(said[1])),
    (r"with (\d+) aboard", lambda said: lambda here: here.aboard == int(said[1])),
    (r"after nothing|start", lambda said: lambda here: here.results == ""),
    (r"after ([-+]+(?: or [-+]+)*)", lambda said: lambda here: here.results in said[1].split(" or ")),
    (r"(?:after|at) (\S*[a-z]\S*)", lambda said: lambda here: _same(here.position, said[1])),
]


def _decided(results: str) -> bool:
    return POINTS_TO_WIN - 1 in (results.count("+"), results.count("-"))


def _whole(text: str) -> list[int]:
    return [int(number) for number in NUMBERS.findall(text)]


def _same(position: str, told: str) -> bool:
    """Whether a position is the one that a rule names, with or without what stands before its missions."""
    return told in (position, position.partition("/")[2], "@" + position.partition("@")[2])


def read(table: Table, side: int, lines: Iterable[str]) -> Callable[[str], Odds]:
    """The strategy that rules describe: the odds at a filed position."""
    rules = [_rule(table, side, line) for line in lines]
    if side == 1:
        return lambda position: _first(rules, Situation.of_spies(table, position)).odds
    strategy = _played_out(table, rules)
    return strategy.__getitem__


def _rule(table: Table, side: int, line: str) -> Rule:
    told, colon, order = (part.strip() for part in line.partition(": "))
    if not colon and line.rstrip().endswith(":"):
        raise RuleError(f"expected what to do after the colon, got {line!r}")
    if not colon:
        raise RuleError(f"expected a condition, a colon and what to do, such as 'mission 1: send ab', got {line!r}")
    tests = []
    rest = told
    while rest:
        for pattern, make in CONDITIONS:
            match = re.match(rf"(?:{pattern})(?:\s+|$)", rest)
            if match:
                _check_condition(table, match[0].strip(), line)
                tests.append(make(match))
                rest = rest[match.end() :].strip()
                break
        else:
            raise RuleError(
                "expected a condition such as 'mission 2', 'after +-', 'missions of more than 2', 'with 2 aboard', "
                f"'at POSITION' or 'otherwise', got {rest!r} in {line!r}"
            )
    if not tests:
        raise RuleError(f"expected a condition before the colon, got {line!r}")
    odds = _missions(table, order, line) if side == 0 else _orders(order, line)

    return Rule(line, tuple(tests), odds)


def _check_condition(table: Table, told: str, line: str) -> None:
    """Refuse what can never fit."""
    kind = re.match(r"missions? \d|with", told)
    for number in _whole(told) if kind else []:
        most = table.spies if told.startswith("with") else ROUNDS
        if not 1 <= number <= most:
            raise RuleError(f"expected a number from 1 to {most}, got {number} in {line!r}")
    if told.startswith("at "):
        position = told[3:] if told[3:].startswith(table.title) else table.title + told[3:]
        try:
            notation.read(table, position)
        except PositionError as error:
            raise RuleError(f"{error} in {line!r}") from error


def _missions(table: Table, order: str, line: str) -> Odds:
    verb, _, rest = order.partition(" ")
    if verb != "send" or not rest:
        raise RuleError(f"expected 'send' and the seats, such as 'send abd', got {order!r} in {line!r}")
    options = [part.split() for part in rest.split(" or ")]
    odds: dict[str, Fraction] = {}
    for words in options:
        if not 1 <= len(words) <= 2:
            raise RuleError(f"expected seats and their odds, such as 'abd 1/3', got {' '.join(words)!r} in {line!r}")
        mission = notation.seats(notation.read_seats(words[0], table))
        share = _fraction(words[1], line) if len(words) == 2 else Fraction(1, len(options))
        odds[mission] = odds.get(mission, Fraction(0)) + share
    if sum(odds.values(), Fraction(0)) != 1:
        raise RuleError(f"expected odds that sum to 1, got {sum(odds.values(), Fraction(0))} in {line!r}")
    return odds


def _orders(order: str, line: str) -> Odds:
    verb, *share = order.split()
    if verb not in SPIES_ORDERS or len(share) > 1:
        raise RuleError(f"expected 'pass', 'sabotage' or 'sabotage 1/3', got {order!r} in {line!r}")
    likely = _fraction(share[0], line) if share else Fraction(1)
    if not 0 <= likely <= 1:
        raise RuleError(f"expected odds from 0 to 1, got {likely} in {line!r}")
    other = SPIES_ORDERS[1 - SPIES_ORDERS.index(verb)]
    return {verb: likely, other: 1 - likely}


def _fraction(text: str, line: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise RuleError(f"expected odds such as 1/3, got {text!r} in {line!r}") from error


def _first(rules: Sequence[Rule], here: Situation) -> Rule:
    for rule in rules:
        if all(test(here) for test in rule.tests):
            return rule
    raise RuleError(f"expected a rule for {here.position}, got none (end with 'otherwise: …')")


def _played_out(table: Table, rules: Sequence[Rule]) -> StrategyTable:
    """Follow the rules from the start; positions that are alike but for names share one entry."""
    weights: dict[str, dict[str, Fraction]] = {}

    def follow(position: str, results: str, weight: Fraction) -> None:
        rule = _first(rules, Situation(results, table.missions[len(results)], 0, position))
        for mission, share in rule.odds.items():
            if len(mission) != table.missions[len(results)]:
                raise RuleError(
                    f"expected {table.missions[len(results)]} seats on mission {len(results) + 1}, "
                    f"got {mission!r} in {rule.line!r}"
                )
            if not share:
                continue
            filed, name = notation.filed_move(table, position, mission)
            here = weights.setdefault(filed, {})
            here[name] = here.get(name, Fraction(0)) + weight * share
            for result in "+-":
                longer = results + result
                if len(longer) < ROUNDS and longer.count(result) < POINTS_TO_WIN:
                    follow(f"{position}/{mission}{result}", longer, weight * share)

    follow(table.title, "", Fraction(1))
    return {
        position: {mission: weight / sum(odds.values(), Fraction(0)) for mission, weight in odds.items()}
        for position, odds in weights.items()
    }
