"""Strategies of The Resistance in words: rules short enough to read out, which `rulebook` reads back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from ruse.core import rationals
from ruse.core.types import Odds, StrategyTable
from ruse.games.resistance import fixed_plan, notation
from ruse.games.resistance.rulebook import SPIES_ORDERS, Situation
from ruse.games.resistance.table import Table

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
    """How many rules `write` takes for spies who pass these rounds: told without listing their decisions.

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
    return "send " + " or ".join(f"{mission} {rationals.write(share)}" for mission, share in options)


def _write_spies(table: Table, strategy: StrategyTable) -> list[str]:
    """The coarsest conditions that tell the odds apart: mission, results, spies aboard, position."""
    decisions = [
        (Situation.of_spies(table, position), odds["sabotage"])
        for position, odds in strategy.items()
        if _comes_to(table, strategy, position)
    ]
    levels: list[Callable[[Situation], str]] = [
        lambda decision: f"mission {len(decision.results) + 1}",
        lambda decision: f"after {decision.results or 'nothing'}",
        lambda decision: f"after {decision.results or 'nothing'} with {decision.aboard} aboard",
        lambda decision: f"at {decision.position.removeprefix(table.title)}",
    ]
    lines: list[str] = []

    def tell(group: Sequence[tuple[Situation, Fraction]], level: int) -> None:
        if level == len(levels) or len({share for _, share in group}) == 1:
            decision, share = group[0]
            lines.append(f"{levels[level - 1](decision)}: {_order(share)}")
            return
        parts: dict[str, list[tuple[Situation, Fraction]]] = {}
        for decision, share in group:
            parts.setdefault(levels[level](decision), []).append((decision, share))
        for part in parts.values():
            tell(part, level + 1)

    by_mission: dict[int, list[tuple[Situation, Fraction]]] = {}
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
    return ["once a side has two points: sabotage", *told, *lines]  # first, as the first rule that fits counts


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
    return f"sabotage {rationals.write(share)}"
