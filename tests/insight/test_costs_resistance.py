"""What moves of The Resistance cost, against an enumeration of seats, missions and spy sets by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import ruse
from amounts import some
from playing import table
from ruse.insight import insight
from ruse.insight.check import check
from ruse.insight.costs import FEWEST_MISTAKES, REFERENCE, STORED, Costs, costs
from ruse.insight.insight_file import insight_path
from ruse.insight.model import MAY, MUST, NEVER
from ruse.solution import container

MISSIONS = (2, 3, 2, 3, 3)  # of five players; one sabotage fails each
SEATS, SPIES = range(5), 2
Seats = frozenset[int]
History = tuple[tuple[Seats, bool], ...]  # missions so far, and whether each passed


@cache
def judged() -> Costs:
    return costs(table(5))


def letters(seats: Seats) -> str:
    return "".join("abcde"[seat] for seat in sorted(seats))


def text(history: History, spies: Seats | None = None, out: Seats | None = None) -> str:
    steps = [f"/{letters(mission)}{'+' if passed else '-'}" for mission, passed in history]
    known = "" if spies is None else f"@{letters(spies)}"
    return f"resistance-5{known}{''.join(steps)}" + ("" if out is None else f"/{letters(out)}?")


def record(history: History, seats: Seats) -> tuple[tuple[tuple[bool, ...], int], ...]:
    """How many of some seats were aboard the same missions: what makes missions alike."""
    records = [tuple(seat in mission for mission, _ in history) for seat in seats]
    return tuple(sorted((one, records.count(one)) for one in set(records)))


@cache
def sent(history: History) -> dict[Seats, Fraction]:
    """The odds of each mission, member by member, from the class that the strategy names."""
    pair = judged().reference
    assert pair is not None
    teams = [frozenset(team) for team in combinations(SEATS, MISSIONS[len(history)])]
    odds: dict[Seats, Fraction] = {}
    for name, share in pair.strategy(0).at(text(history)).items():
        named = frozenset("abcde".index(letter) for letter in name)
        alike = [team for team in teams if record(history, team) == record(history, named)]
        for team in alike:
            odds[team] = odds.get(team, Fraction(0)) + share / len(alike)
    return odds


@cache
def sabotage(history: History, out: Seats, spies: Seats) -> Fraction:
    if not out & spies:
        return Fraction(0)
    if 2 in (sum(passed for _, passed in history), sum(not passed for _, passed in history)):
        return Fraction(1)
    pair = judged().reference
    assert pair is not None
    return pair.strategy(1).at(text(history, spies, out))["sabotage"]


def ended(history: History) -> int | None:
    """The payoff to the resistance of a game that is over."""
    won = sum(passed for _, passed in history)
    return 1 if won == 3 else -1 if len(history) - won == 3 else None


def against_resistance(history: History, spies: Seats) -> Fraction:
    """The least that the resistance of the pair gets against spies who know all."""
    if (payoff := ended(history)) is not None:
        return Fraction(payoff)
    total = Fraction(0)
    for team, share in sent(history).items():
        results = (True, False) if team & spies else (True,)
        total += share * min(against_resistance((*history, (team, result)), spies) for result in results)
    return total


def against_spies(history: History, likely: dict[Seats, Fraction]) -> Fraction:
    """The most that the resistance gets against the spies of the pair, times how likely the spy sets are."""
    if (payoff := ended(history)) is not None:
        return payoff * sum(likely.values(), Fraction(0))
    return max(after_mission(history, likely, frozenset(team)) for team in classes(history))


def classes(history: History) -> list[tuple[int, ...]]:
    """One mission of each class: the others are worth as much."""
    seen: dict[object, tuple[int, ...]] = {}
    for team in combinations(SEATS, MISSIONS[len(history)]):
        seen.setdefault(record(history, frozenset(team)), team)
    return list(seen.values())


def after_mission(history: History, likely: dict[Seats, Fraction], team: Seats) -> Fraction:
    total = Fraction(0)
    for result in (True, False):
        follow = {}
        for spies, weight in likely.items():
            share = sabotage(history, team, spies)
            if weight * (1 - share if result else share):
                follow[spies] = weight * (1 - share if result else share)
        if follow:
            total += against_spies((*history, (team, result)), follow)
    return total


def likely_spies(history: History) -> dict[Seats, Fraction]:
    likely = {}
    for chosen in combinations(SEATS, SPIES):
        weight, spies = Fraction(1, 10), frozenset(chosen)
        for number, (team, passed) in enumerate(history):
            if weight:  # otherwise these spies cannot have done it
                share = sabotage(history[:number], team, spies)
                weight *= 1 - share if passed else share
        if weight:
            likely[spies] = weight
    return likely


def histories(random: Random, count: int, least: int) -> Iterator[History]:
    """Random histories that some spies could cause, with missions sent."""
    while count:
        history: History = ()
        spies = frozenset(random.sample(list(SEATS), SPIES))
        for _ in range(random.randint(least, 4)):
            team = frozenset(random.sample(list(SEATS), MISSIONS[len(history)]))
            history = (*history, (team, not (team & spies) or random.random() < 0.5))
            if ended(history) is not None:
                break
        if ended(history) is None:
            count -= 1
            yield history


def test_costs_to_the_resistance_are_those_of_an_enumeration() -> None:
    met = 0
    for history in histories(Random(3), some(240), 2):
        here, likely = judged().at(text(history)), likely_spies(history)
        assert (here.basis == REFERENCE) == bool(likely)
        if not likely:
            assert here.basis == FEWEST_MISTAKES and not here.proved and min(map(here.cost, here.moves)) == 0
            continue
        met += 1
        values = {}
        for name in here.moves:
            team = frozenset("abcde".index(letter) for letter in name)
            values[name] = after_mission(history, likely, team) / sum(likely.values())
        assert {name: move.value for name, move in here.moves.items()} == values
        assert {name: max(values.values()) - value for name, value in values.items()} == {
            name: move.cost for name, move in here.moves.items()
        }
    assert met >= some(100)


def test_costs_to_the_spies_are_those_of_an_enumeration() -> None:
    random, met = Random(4), 0
    for history in histories(random, some(320), 2):
        spies = frozenset(random.sample(list(SEATS), SPIES))
        team = frozenset(random.sample(list(SEATS), MISSIONS[len(history)]))
        if any(not passed and not mission & spies for mission, passed in history):
            continue
        here = judged().at(text(history, spies, team))
        steps = [(history[:number], mission) for number, (mission, _) in enumerate(history)]
        if not all(mission in sent(before) for before, mission in [*steps, (history, team)]):
            assert here.basis == FEWEST_MISTAKES and not here.proved
            continue
        assert here.basis == REFERENCE
        met += 1
        values = {
            order: against_resistance((*history, (team, order == "pass")), spies)
            for order in (("pass", "sabotage") if team & spies else ("pass",))
        }
        assert {name: move.value for name, move in here.moves.items()} == values
        assert {name: value - min(values.values()) for name, value in values.items()} == {
            name: move.cost for name, move in here.moves.items()
        }
    assert met >= some(80)


SOAK = (7, 8)


@pytest.mark.parametrize("players", [5, 6, *(pytest.param(players, marks=pytest.mark.soak) for players in SOAK)])
def test_costs_agree_with_what_all_optimal_strategies_do(players: int) -> None:
    """On the path, may and must cost nothing, and never costs something; so does the comparison by linear programs."""
    judged, found, random = costs(table(players)), insight(table(players)), Random(players)
    assert judged.reference is not None and judged.reference.verify().exact
    positions, proved = list(found.positions()), 0
    random.shuffle(positions)
    for side, position in positions:
        if proved == some(200):
            break
        here = judged.at(position, side)
        assert min(map(here.cost, here.moves), default=0) == 0
        if not here.proved:
            continue
        proved += 1
        kinds = found.kinds(position, side)
        assert {name: move.kind for name, move in here.moves.items()} == kinds
        for name, move in here.moves.items():
            assert (move.cost == 0) == (kinds[name] in (MUST, MAY)) and (move.cost > 0) == (kinds[name] == NEVER)
    assert proved == some(200)


def test_what_the_spies_lose_is_the_sum_of_costs() -> None:
    """Against the reference resistance, whatever they do: the performance difference, by class of spies."""
    judged_, random = judged(), Random(8)

    def walk(history: History, spies: Seats, weight: Fraction) -> tuple[Fraction, Fraction]:
        """The payoff to the resistance from here on, and the costs on the way, both by how likely play comes here."""
        if (payoff := ended(history)) is not None:
            return weight * payoff, Fraction(0)
        value = lost = Fraction(0)
        for team, odds in sent(history).items():
            here, share = judged_.at(text(history, spies, team)), Fraction(0)
            if team & spies:
                share = Fraction(random.randint(0, 2), 2)
            for passed, chance in ((True, 1 - share), (False, share)):
                if chance:
                    cost = here.cost("pass" if passed else "sabotage")
                    assert cost is not None and here.basis == REFERENCE
                    lost += weight * odds * chance * cost
                    more = walk((*history, (team, passed)), spies, weight * odds * chance)
                    value, lost = value + more[0], lost + more[1]
        return value, lost

    spies, start = frozenset({0, 1}), ((frozenset({0, 1}), True),)
    value, lost = walk(start, spies, Fraction(1))
    assert lost > 0 and value - against_resistance(start, spies) == lost


def test_the_pair_is_kept_and_checked(tmp_path: Path) -> None:
    path = table(5).save(tmp_path / "five.ruse")
    made = costs(ruse.load(path), file=path)
    there = made.at("resistance-5@bd/ab+/abc?")
    made.keep()
    assert check(container.read(insight_path(path))).certificates >= 2
    again = insight(ruse.load(path), file=path)
    assert again.memory.pair is not None  # type: ignore[attr-defined]
    assert again.costs is not None and again.costs.at("resistance-5@bd/ab+/abc?") == there


def test_a_pair_that_takes_too_long_leaves_the_stored_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ruse.games.resistance.insight_costs"), "LONGEST", 0.0)
    late = costs(table(5))
    there = late.at("resistance-5@bd/ab+/abc?")
    assert late.reference is None and there.basis == STORED and not there.proved
    assert there.condition == "against the stored strategy of the resistance"
    assert min(map(there.cost, there.moves)) == 0
