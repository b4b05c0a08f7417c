"""Rules for a table, read and written: strategies of The Resistance as sentences that people can follow.

One rule a line, a condition and what to do; the first rule that fits counts. Results are + (passed) and - (failed).
Seats are letters, drawn by lot as they are needed: of several seats with the same record, nobody knows beforehand which
of them the next mission takes.

    side: resistance                         side: spies
    mission 1: send ab                       mission 1 or 3: pass
    after +- or -+: send abd                 after +- with 2 aboard: sabotage 1/3
    after ab+/abc-: send abd 1/3 or cde 2/3  missions of more than 2: sabotage
    otherwise: send abe                      otherwise: pass

Once a side has two points the spies sabotage whenever they can, whatever the rules say: anything else loses at
once, or puts off a win. `read` turns rules into a strategy, and `write` turns a strategy into rules that guarantee as
much.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from ruse.core import rationals
from ruse.core.game import PositionError, RuleError
from ruse.core.types import Odds, StrategyTable
from ruse.games.resistance import fixed_plan, notation
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

SPIES_ORDERS = ("pass", "sabotage")


@dataclass(frozen=True)
class RuleSituation:
    """What the conditions of a rule look at."""

    results: str  # so far
    size: int  # of the mission
    aboard: int  # spies on it; 0 where the resistance moves
    position: str

    @staticmethod
    def of_spies(table: Table, position: str) -> RuleSituation:
        read = notation.read(table, position)
        if read.out is None or read.spies is None:
            raise RuleError(f"expected a mission under way and the spies, got {position!r}")
        results = "".join("-+"[passed] for _, passed in read.done)
        return RuleSituation(results, len(read.out), len(set(read.out).intersection(read.spies)), position)


Test = Callable[[RuleSituation], bool]


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


def _same(position: str, named: str) -> bool:
    """Whether a position is the one that a rule names, with or without what stands before its missions."""
    return named in (position, position.partition("/")[2], "@" + position.partition("@")[2])


def read(table: Table, side: int, lines: Iterable[str]) -> Callable[[str], Odds]:
    """The strategy that rules describe: the odds at a representative position."""
    rules = [_rule(table, side, line) for line in lines]
    if side == 1:
        return lambda position: _first(rules, RuleSituation.of_spies(table, position)).odds
    strategy = _played_out(table, rules)
    return strategy.__getitem__


def _rule(table: Table, side: int, line: str) -> Rule:
    condition, colon, order = (part.strip() for part in line.partition(": "))
    if not colon and line.rstrip().endswith(":"):
        raise RuleError(f"expected what to do after the colon, got {line!r}")
    if not colon:
        raise RuleError(f"expected a condition, a colon and what to do, such as 'mission 1: send ab', got {line!r}")
    tests = []
    rest = condition
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


def _check_condition(table: Table, condition: str, line: str) -> None:
    """Refuse what can never fit."""
    kind = re.match(r"missions? \d|with", condition)
    for number in _whole(condition) if kind else []:
        most = table.spies if condition.startswith("with") else ROUNDS
        if not 1 <= number <= most:
            raise RuleError(f"expected a number from 1 to {most}, got {number} in {line!r}")
    if condition.startswith("at "):
        position = condition[3:] if condition[3:].startswith(table.title) else table.title + condition[3:]
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


def _first(rules: Sequence[Rule], here: RuleSituation) -> Rule:
    for rule in rules:
        if all(test(here) for test in rule.tests):
            return rule
    raise RuleError(f"expected a rule for {here.position}, got none (end with 'otherwise: …')")


def _played_out(table: Table, rules: Sequence[Rule]) -> StrategyTable:
    """Follow the rules from the start; positions that are alike but for names share one entry."""
    weights: dict[str, dict[str, Fraction]] = {}

    def follow(position: str, results: str, weight: Fraction) -> None:
        rule = _first(rules, RuleSituation(results, table.missions[len(results)], 0, position))
        for mission, share in rule.odds.items():
            if len(mission) != table.missions[len(results)]:
                raise RuleError(
                    f"expected {table.missions[len(results)]} seats on mission {len(results) + 1}, "
                    f"got {mission!r} in {rule.line!r}"
                )
            if not share:
                continue
            representative, name = notation.representative_move(table, position, mission)
            here = weights.setdefault(representative, {})
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


ONE = Fraction(1)


def write(table: Table, strategy: StrategyTable, side: int) -> tuple[str, list[str]]:
    """What to know first, and the rules, which `rulebook.read` turns into a strategy that guarantees as much."""
    if side == 1:
        return (
            "Sabotage only if enough spies are on the mission, with just as many cards as needed: the first spies on "
            "it in seat order. + passed, - failed.",
            _write_spies(table, strategy),
        )
    last = notation.seats([table.players - 1])
    plan = fixed_plan.find(table)
    if plan is not None and fixed_plan.plan_table(table, plan.plan) == strategy:
        return (
            f"Label the seats a to {last} at random; the spies may know the labels. + passed, - failed.",
            plan_rules(plan.plan),
        )
    by_results: dict[str, dict[str, Odds]] = {}
    for position, odds in reached(table, strategy).items():
        steps = position[len(table.title) + 1 :].split("/") if "/" in position else []
        by_results.setdefault("".join(step[-1] for step in steps), {})["/".join(steps)] = odds
    return (
        f"Label the seats a to {last} only as you need to: when a mission takes some of several seats that have been "
        "on the same missions, draw lots at that moment. + passed, - failed.",
        _write_resistance(by_results),
    )


def plan_rules(plan: fixed_plan.Plan) -> list[str]:
    """The rules of a fixed plan."""
    return _write_resistance({results: {"": {notation.seats(seats): ONE}} for results, seats in plan.items()})


def rule_lines(table: Table, passes: frozenset[int]) -> int:
    """How many rules `write` takes for spies who pass these rounds, counted without listing their decisions.

    Missions 1 and 2 they always decide on, mission 3 if one of those passed and the other failed.
    """
    orders = {number in passes for number in (0, 1)}
    loyal = table.players - table.spies
    may_be_clean = any(size - loyal < fails for size, fails in zip(table.missions[:2], table.sabotages, strict=False))
    if len(orders) == 1 and may_be_clean and orders == {False}:
        orders.add(2 in passes)
    return 1 + len(orders)


def reached(table: Table, strategy: StrategyTable) -> dict[str, Odds]:
    """The part of a resistance's strategy that its own choices lead to, early positions first."""
    live: dict[str, Odds] = {}
    level = [table.title]
    while level:
        here = {position: strategy[position] for position in level if position in strategy}
        live.update(here)
        level = [
            f"{position}/{mission}{result}"
            for position, odds in here.items()
            for mission, share in odds.items()
            if share
            for result in "+-"
        ]
    return live


def _write_resistance(by_results: Mapping[str, Mapping[str, Odds]]) -> list[str]:
    """Rules from the odds after each run of results and, where that is not enough, each list of missions."""
    lines = []
    for number, runs in groupby(sorted(by_results, key=lambda results: (len(results), results)), key=len):
        alike: dict[str, list[str]] = {}
        apart: list[str] = []
        for results in runs:
            paths = by_results[results]
            orders = {_send(odds) for odds in paths.values()}
            if len(orders) == 1:
                alike.setdefault(orders.pop(), []).append(results)
            else:
                apart.extend(f"after {path}: {_send(odds)}" for path, odds in paths.items())
        if len(alike) == 1 and not apart:
            lines.append(f"mission {number + 1}: {next(iter(alike))}")
        else:
            lines.extend(f"after {' or '.join(results)}: {orders}" for orders, results in alike.items())
            lines.extend(apart)
    return lines


def _send(odds: Odds) -> str:
    options = [(mission, share) for mission, share in odds.items() if share]
    if len(options) == 1:
        return f"send {options[0][0]}"
    return "send " + " or ".join(f"{mission} {rationals.write(share)}" for mission, share in options)


def _write_spies(table: Table, strategy: StrategyTable) -> list[str]:
    """The coarsest conditions that tell the odds apart: mission, results, spies aboard, position."""
    decisions = [
        (RuleSituation.of_spies(table, position), odds["sabotage"])
        for position, odds in strategy.items()
        if _comes_to(table, strategy, position)
    ]
    levels: list[Callable[[RuleSituation], str]] = [
        lambda decision: f"mission {len(decision.results) + 1}",
        lambda decision: f"after {decision.results or 'nothing'}",
        lambda decision: f"after {decision.results or 'nothing'} with {decision.aboard} aboard",
        lambda decision: f"at {decision.position.removeprefix(table.title)}",
    ]
    lines: list[str] = []

    def refine(group: Sequence[tuple[RuleSituation, Fraction]], level: int) -> None:
        if level == len(levels) or len({share for _, share in group}) == 1:
            decision, share = group[0]
            lines.append(f"{levels[level - 1](decision)}: {_order(share)}")
            return
        parts: dict[str, list[tuple[RuleSituation, Fraction]]] = {}
        for decision, share in group:
            parts.setdefault(levels[level](decision), []).append((decision, share))
        for part in parts.values():
            refine(part, level + 1)

    by_mission: dict[int, list[tuple[RuleSituation, Fraction]]] = {}
    for decision, share in decisions:
        by_mission.setdefault(len(decision.results), []).append((decision, share))
    plain: dict[Fraction, list[str]] = {}
    for number, group in sorted(by_mission.items()):
        shares = {share for _, share in group}
        if len(shares) == 1:
            plain.setdefault(shares.pop(), []).append(str(number + 1))
        else:
            refine(group, 1)
    by_order = [f"mission {' or '.join(numbers)}: {_order(share)}" for share, numbers in plain.items()]
    return ["once a side has two points: sabotage", *by_order, *lines]  # first, as the first rule that fits counts


def _comes_to(table: Table, strategy: StrategyTable, position: str) -> bool:
    """Whether spies who follow the strategy ever face a decision: not if they would have decided otherwise before."""
    read = notation.read(table, position)
    for number, (mission, passed) in enumerate(read.done):
        aboard = len(set(mission).intersection(read.spies or ()))
        if aboard >= table.sabotages[number]:
            before = notation.MissionHistory(read.spies, read.done[:number], mission)
            representative = before.renamed(before.names(table.players)).text(table)
            if not strategy[representative][SPIES_ORDERS[not passed]]:
                return False
    return True


def _order(share: Fraction) -> str:
    if share in (0, 1):
        return SPIES_ORDERS[int(share)]
    return f"sabotage {rationals.write(share)}"
