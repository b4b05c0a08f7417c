"""Strategies of The Resistance as rules to read out at a table, and such rules read back into strategies.

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from ruse.game import RuleError
from ruse.games.resistance import fixed_plan, notation
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

Odds = Mapping[str, Fraction]
StrategyTable = Mapping[str, Odds]
SPIES_ORDERS = ("pass", "sabotage")
ONE = Fraction(1)


# ---- writing


def write(table: Table, strategy: StrategyTable, side: int) -> tuple[str, list[str]]:
    """What to know first, and the rules, which `read` turns into a strategy that guarantees as much."""
    if side == 1:
        return (
            "Sabotage with just enough cards, those of the first spies aboard in seat order. + passed, - failed.",
            _write_spies(table, strategy),
        )
    last = notation.seats([table.players - 1])
    plan = fixed_plan.find(table)
    if plan is not None and fixed_plan.plan_table(table, plan.plan) == strategy:
        return (
            f"Give the seats the letters a to {last} at random; it does no harm if the spies know them. "
            "+ passed, - failed.",
            _write_resistance({results: {"": {notation.seats(seats): ONE}} for results, seats in plan.plan.items()}),
        )
    by_results: dict[str, dict[str, Odds]] = {}
    for position, odds in reached(table, strategy).items():
        steps = position[len(table.title) + 1 :].split("/") if "/" in position else []
        by_results.setdefault("".join(step[-1] for step in steps), {})["/".join(steps)] = odds
    return (
        f"Seats get the letters a to {last} as they are needed: when a mission takes some of several seats that have "
        "been on the same missions, draw lots then, not before. + passed, - failed.",
        _write_resistance(by_results),
    )


def reached(table: Table, strategy: StrategyTable) -> dict[str, Odds]:
    """The part of a resistance's strategy that its own choices lead to, early positions first."""
    found: dict[str, Odds] = {}
    level = [table.title]
    while level:
        here = {position: strategy[position] for position in level if position in strategy}
        found.update(here)
        level = [
            f"{position}/{mission}{result}"
            for position, odds in here.items()
            for mission, share in odds.items()
            if share
            for result in "+-"
        ]
    return found


def _write_resistance(by_results: Mapping[str, Mapping[str, Odds]]) -> list[str]:
    """Rules from the odds after each run of results and, where that is not enough, each list of missions."""
    lines = []
    for number, runs in groupby(sorted(by_results, key=lambda results: (len(results), results)), key=len):
        alike: dict[str, list[str]] = {}
        apart: list[str] = []
        for results in runs:
            paths = by_results[results]
            told = {_send(odds) for odds in paths.values()}
            if len(told) == 1:
                alike.setdefault(told.pop(), []).append(results)
            else:
                apart.extend(f"after {path}: {_send(odds)}" for path, odds in paths.items())
        if len(alike) == 1 and not apart:
            lines.append(f"mission {number + 1}: {next(iter(alike))}")
        else:
            lines.extend(f"after {' or '.join(results)}: {told}" for told, results in alike.items())
            lines.extend(apart)
    return lines


def _send(odds: Odds) -> str:
    options = [(mission, share) for mission, share in odds.items() if share]
    if len(options) == 1:
        return f"send {options[0][0]}"
    return "send " + " or ".join(f"{mission} {share}" for mission, share in options)


@dataclass(frozen=True)
class _Decision:
    """A decision of the spies, as rules see it."""

    results: str
    size: int
    aboard: int
    position: str

    @staticmethod
    def at(table: Table, position: str) -> _Decision:
        read = notation.read(table, position)
        if read.out is None or read.spies is None:
            raise RuleError(f"expected a mission that is out and the spies, got {position!r}")
        results = "".join("-+"[passed] for _, passed in read.done)
        aboard = len(set(read.out).intersection(read.spies))
        return _Decision(results, len(read.out), aboard, position)


def _write_spies(table: Table, strategy: StrategyTable) -> list[str]:
    """The coarsest conditions that tell the odds apart: mission, results, spies aboard, position."""
    decisions = [
        (_Decision.at(table, position), odds["sabotage"])
        for position, odds in strategy.items()
        if _comes_to(table, strategy, position)
    ]
    levels: list[Callable[[_Decision], str]] = [
        lambda decision: f"mission {len(decision.results) + 1}",
        lambda decision: f"after {decision.results or 'nothing'}",
        lambda decision: f"after {decision.results or 'nothing'} with {decision.aboard} aboard",
        lambda decision: f"at {decision.position.removeprefix(table.title)}",
    ]
    lines: list[str] = []

    def tell(group: Sequence[tuple[_Decision, Fraction]], level: int) -> None:
        if level == len(levels) or len({share for _, share in group}) == 1:
            decision, share = group[0]
            lines.append(f"{levels[level - 1](decision)}: {_order(share)}")
            return
        parts: dict[str, list[tuple[_Decision, Fraction]]] = {}
        for decision, share in group:
            parts.setdefault(levels[level](decision), []).append((decision, share))
        for part in parts.values():
            tell(part, level + 1)

    by_mission: dict[int, list[tuple[_Decision, Fraction]]] = {}
    for decision, share in decisions:
        by_mission.setdefault(len(decision.results), []).append((decision, share))
    plain: dict[Fraction, list[str]] = {}
    for number, group in sorted(by_mission.items()):
        shares = {share for _, share in group}
        if len(shares) == 1:
            plain.setdefault(shares.pop(), []).append(str(number + 1))
        else:
            tell(group, 1)
    told = [f"mission {' or '.join(numbers)}: {_order(share)}" for share, numbers in plain.items()]
    return [*told, *lines, "once a side has two points: sabotage"]


def _comes_to(table: Table, strategy: StrategyTable, position: str) -> bool:
    """Whether spies who follow the strategy ever face a decision: not if they would have decided otherwise before."""
    read = notation.read(table, position)
    for number, (mission, passed) in enumerate(read.done):
        aboard = len(set(mission).intersection(read.spies or ()))
        if aboard >= table.sabotages[number]:
            before = notation.Position(read.spies, read.done[:number], mission)
            filed = before.renamed(before.names(table.players)).text(table)
            if not strategy[filed][SPIES_ORDERS[not passed]]:
                return False
    return True


def _order(share: Fraction) -> str:
    if share in (0, 1):
        return SPIES_ORDERS[int(share)]
    return f"sabotage {share}"


# ---- reading


@dataclass(frozen=True)
class Rule:
    line: str
    fits: Callable[[str, int, int, str], bool]  # results, mission size, spies aboard (0: resistance), position
    odds: Odds


NUMBERS = re.compile(r"\d+")
CONDITIONS: list[tuple[str, Callable[[re.Match[str]], Callable[[str, int, int, str], bool]]]] = [
    (r"otherwise|always", lambda match: lambda results, size, aboard, position: True),
    (r"once a side has two points", lambda match: lambda results, size, aboard, position: _decided(results)),
    (
        r"missions? (\d+(?:(?:, | or | and |,)\d+)*)",
        lambda match: lambda results, size, aboard, position: len(results) + 1 in _whole(match[1]),
    ),
    (r"missions of more than (\d+)", lambda match: lambda results, size, aboard, position: size > int(match[1])),
    (r"missions of (\d+) or more", lambda match: lambda results, size, aboard, position: size >= int(match[1])),
    (r"missions of (\d+)", lambda match: lambda results, size, aboard, position: size == int(match[1])),
    (r"with (\d+) aboard", lambda match: lambda results, size, aboard, position: aboard == int(match[1])),
    (r"after nothing|start", lambda match: lambda results, size, aboard, position: results == ""),
    (
        r"after ([-+]+(?: or [-+]+)*)",
        lambda match: lambda results, size, aboard, position: results in match[1].split(" or "),
    ),
    (r"(?:after|at) (\S*[a-z]\S*)", lambda match: lambda results, size, aboard, position: _same(position, match[1])),
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
        return lambda position: _spies_odds(table, rules, position)
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

    def fits(results: str, size: int, aboard: int, position: str) -> bool:
        return all(test(results, size, aboard, position) for test in tests)

    return Rule(line, fits, odds)


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


def _first(rules: Sequence[Rule], results: str, size: int, aboard: int, position: str) -> Rule:
    for rule in rules:
        if rule.fits(results, size, aboard, position):
            return rule
    raise RuleError(f"expected a rule for {position}, got none (end with 'otherwise: …')")


def _spies_odds(table: Table, rules: Sequence[Rule], position: str) -> Odds:
    decision = _Decision.at(table, position)
    return _first(rules, decision.results, decision.size, decision.aboard, position).odds


def _played_out(table: Table, rules: Sequence[Rule]) -> StrategyTable:
    """Follow the rules from the start; positions that are alike but for names share one entry."""
    weights: dict[str, dict[str, Fraction]] = {}

    def follow(position: str, results: str, weight: Fraction) -> None:
        rule = _first(rules, results, table.missions[len(results)], 0, position)
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
