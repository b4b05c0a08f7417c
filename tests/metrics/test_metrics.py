"""Every metric against enumeration by code of its own, and against simulated games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

import ruse
from amounts import ALL
from enumerated import ByHand, drawn, lines, public_figures, public_tree
from ruse.core.capabilities import payoff_range
from ruse.core.game import describe
from ruse.core.registry import presentation
from ruse.games.resistance.verify import seat_policy
from ruse.insight.costs import Costs, costs
from ruse.metrics import Metrics, measure
from ruse.metrics.pair import pair_of
from ruse.solving.pipeline import solve


@dataclass
class Case:
    game: Any
    measured: Metrics
    by_hand: ByHand
    policies: Any


PUBLIC: Mapping[str, Callable[[Any], Any]] = {  # what everybody has seen at a state
    "kuhn": lambda state: (bool(state.cards), state.bets),
    "leduc": lambda state: (len(state.cards) == 2, state.public, state.rounds),
    "liar's dice": lambda state: (len(state.rolls) == 2, state.bids),
}
GAMES: Mapping[str, Callable[[], Any]] = {
    "kuhn": ruse.games.kuhn,
    "leduc": ruse.games.leduc,
    "liar's dice": lambda: ruse.games.liars_dice(3),
}


def table_policy(game: Any, table: Mapping[str, Mapping[str, Fraction]], side: int) -> Callable[[Any], Any]:
    @cache
    def odds(knowledge: Any, moves: tuple[Any, ...]) -> dict[Any, Fraction]:
        listed = table[describe(game, knowledge)]
        return {move: Fraction(listed.get(game.label(move), 0)) for move in moves}

    return lambda state: odds(game.knows(state, side), tuple(game.moves(state)))


def cost_of(game: Any, found: Costs) -> Callable[[Any], Mapping[str, Fraction]]:
    @cache
    def at(position: str, side: int) -> dict[str, Fraction]:
        return {name: move.cost for name, move in found.at(position, side).moves.items()}

    return lambda state: at(describe(game, game.knows(state, game.turn(state))), game.turn(state))


@cache
def case(name: str) -> Case:
    game = GAMES[name]()
    solution = solve(game)
    found = costs(solution)
    assert found.reference is not None
    policies = tuple(table_policy(game, found.reference.tables[side], side) for side in (0, 1))
    by_hand = ByHand(
        game,
        PUBLIC[name],
        cost_of(game, found),
        presentation(game).bluff,
        payoff_range(game),
        len(game.wins) == 2,
        lambda state: sum(share > 0 for share in policies[game.turn(state)](state).values()),
    )
    return Case(game, measure(solution), by_hand, policies)


def compare(measured: Metrics, means: Mapping[str, Fraction], won: bool) -> None:
    assert measured["length"] == means["length"]
    assert measured["decisions"] == means["decisions"]
    assert measured["matter"] == means["matter"]
    assert measured["mixing"] == means["mixed"] / means["decisions"]
    assert measured["bluffing"] == means["bluffs"] / means["claims"]
    assert measured["drama"] == means["drama"]
    assert measured["lead_changes"] == means["lead_changes"]
    assert measured["decided"] == means["decided"]
    assert measured["first_mover"] == means["first"] / (2 if won else 1)


@pytest.mark.parametrize("name", GAMES)
def test_metrics_agree_with_enumeration(name: str) -> None:
    given = case(name)
    every = lines(given.game, given.policies)
    assert sum(line.odds for line in every) == 1
    given.by_hand.learn(every)
    means = given.by_hand.means(every)
    compare(given.measured, means, len(given.game.wins) == 2)
    made = {name.removeprefix("move "): share for name, share in means.items() if name.startswith("move ")}
    shares = given.measured.measures["moves"].fields
    assert {move: share for move, share in shares.items() if share} == {
        move: share / means["length"] for move, share in made.items()
    }
    courses: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    lengths: dict[int, Fraction] = defaultdict(Fraction)
    for line in every:
        moves = [given.game.label(move) for state, move in line.steps if given.game.turn(state) in (0, 1)]
        courses[tuple(moves)] += line.odds
        lengths[len(moves)] += line.odds
    assert given.measured["variety"] == 1 - max(courses.values())
    assert given.measured.measures["variety"].more["courses"] == len(courses)
    assert given.measured.measures["length"].fields["distribution"] == lengths
    curve = given.measured.measures["drama"].more["drama_curve"]
    assert sum(curve) == given.measured["drama"]


def slipped(policy: Callable[[Any], Mapping[Any, Fraction]], rate: Fraction) -> Callable[[Any], dict[Any, Fraction]]:
    def odds(state: Any) -> dict[Any, Fraction]:
        shares = policy(state)
        return {move: (1 - rate) * share + rate / len(shares) for move, share in shares.items()}

    return odds


def favourite(policy: Callable[[Any], Mapping[Any, Fraction]]) -> Callable[[Any], dict[Any, Fraction]]:
    def odds(state: Any) -> dict[Any, Fraction]:
        shares = policy(state)
        best = next(move for move, share in shares.items() if share == max(shares.values()))
        return {move: Fraction(move == best) for move in shares}

    return odds


@pytest.mark.parametrize("name", ["kuhn", "liar's dice"])
def test_skill_agrees_with_enumeration(name: str) -> None:
    given = case(name)
    won = len(given.game.wins) == 2

    def gets(side: int, policy: Callable[[Any], Any]) -> Fraction:
        both = [given.policies[0], given.policies[1]]
        both[side] = policy
        payoff = sum(
            (line.odds * given.game.payoff(line.end) for line in lines(given.game, (both[0], both[1]))), Fraction(0)
        )
        own = payoff if side == 0 else -payoff
        return (1 + own) / 2 if won else own

    for side, label in enumerate(given.game.sides):
        own = given.measured.measures["skill"].fields[label]
        policy = given.policies[side]
        assert own["optimal"] == gets(side, policy)
        assert own["uniform"] == gets(side, slipped(policy, Fraction(1)))
        assert own["slips"] == {rate: gets(side, slipped(policy, Fraction(rate))) for rate in ("1/20", "1/10", "1/4")}
        assert own["never_mixes"] == gets(side, favourite(policy))

        strategy = pair_of(solve(given.game)).solution.strategy(side)

        def favoured(position: str, moves: Any, strategy: Any = strategy) -> Any:
            return max(moves, key=strategy.at(position).__getitem__)

        response = ruse.best_response(given.game, favoured, 1 - side)
        policies = (favoured, response) if side == 0 else (response, favoured)
        payoff = Fraction(ruse.value(given.game, policies))
        guaranteed = payoff if side == 0 else -payoff
        assert own["never_mixes_guarantees"] == ((1 + guaranteed) / 2 if won else guaranteed)


# The Resistance, whose metrics are computed up to the names of seats.


def resistance(players: int) -> Case:
    game = ruse.games.resistance(players) if players > 3 else ruse.games.resistance(players, 1, [2, 2, 2, 2, 2])
    solution = solve(game)
    found = costs(solution)
    assert found.reference is not None
    tables = found.reference.tables

    def odds(side: int) -> Callable[[str], Mapping[str, Fraction]]:
        strategy = found.reference.strategy(side) if found.reference is not None else None
        assert strategy is not None
        return lambda position: tables[side].get(position) or strategy.at(position)

    policies = tuple(seat_policy(game, side, odds(side)) for side in (0, 1))

    def public(state: Any) -> Any:
        done = [(mission.seats, sum(mission.cards)) for mission in state.done]
        return state.spies is not None, tuple(done)

    def used(state: Any) -> int:
        if game.turn(state) == 1:
            return sum(share > 0 for share in policies[1](state).values())
        position = describe(game, game.knows(state, 0))
        listed, _ = game.representative_position(position, 0)
        return sum(share > 0 for share in odds(0)(listed).values())

    by_hand = ByHand(game, public, None, presentation(game).bluff, payoff_range(game), True, used)
    return Case(game, measure(solution), by_hand, policies)


def check_resistance(given: Case) -> None:
    """Compare what does not depend on how moves are counted: seats act one by one here, and spies as a team there."""
    every = lines(given.game, given.policies)
    given.by_hand.learn(every)
    means = given.by_hand.means(every)
    assert sum(line.odds for line in every) == 1
    assert given.measured["drama"] == means["drama"]
    assert given.measured["lead_changes"] == means["lead_changes"]
    missions = sum((line.odds * len(line.end.done) for line in every), Fraction(0))
    orders = bluffs = Fraction(0)
    for line in every:
        for mission, fails in zip(line.end.done, given.game.table.sabotages, strict=False):
            if len(set(mission.seats).intersection(line.end.spies)) >= fails:
                orders += line.odds
                bluffs += line.odds * (sum(mission.cards) < fails)
    assert given.measured["length"] == missions + orders
    assert given.measured["bluffing"] == bluffs / orders
    shares = given.measured.measures["moves"].fields
    assert shares["pass"] * (missions + orders) == bluffs
    assert shares["sabotage"] * (missions + orders) == orders - bluffs


@pytest.mark.slow
def test_a_small_table_agrees_with_enumeration_seat_by_seat() -> None:
    given = resistance(3)
    check_resistance(given)
    figures = public_figures(public_tree(given.game, given.policies, (0, 1)))
    assert given.measured["drama"] == figures["drama"] and given.measured["lead_changes"] == figures["lead_changes"]


@pytest.mark.soak
def test_the_table_of_five_agrees_with_enumeration_of_all_public_histories() -> None:
    given = resistance(5)
    figures = public_figures(public_tree(given.game, given.policies, (0, 1)))
    assert given.measured["drama"] == figures["drama"]
    assert given.measured["lead_changes"] == figures["lead_changes"]
    length = figures["missions"] + figures["orders"]
    assert given.measured["length"] == length
    assert given.measured["bluffing"] == figures["passes"] / figures["orders"]
    shares = given.measured.measures["moves"].fields
    assert shares["pass"] * length == figures["passes"]
    assert shares["sabotage"] * length == figures["orders"] - figures["passes"]


# Simulated games.


GAMES_DRAWN = 200_000 if ALL else 4_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_metrics_agree_with_simulated_games(name: str) -> None:
    given = case(name)
    given.by_hand.learn(lines(given.game, given.policies))
    check_simulated(given, GAMES_DRAWN)


def check_simulated(given: Case, many: int) -> None:
    """Compare means of drawn games with the metrics: within four standard errors."""
    random, sums, squares = Random(1), defaultdict[str, float](float), defaultdict[str, float](float)
    for _ in range(many):
        figures = given.by_hand.of(drawn(given.game, given.policies, random))
        for name, amount in figures.items():
            sums[name] += float(amount)
            squares[name] += float(amount) ** 2
    won = len(given.game.wins) == 2
    expected = {name: given.measured[name] for name in ("length", "decisions", "drama", "lead_changes", "decided")}
    advantage, mixing = given.measured["first_mover"], given.measured["mixing"]
    assert advantage is not None and mixing is not None and expected["decisions"] is not None
    expected["first"] = advantage * (2 if won else 1)
    expected["mixed"] = mixing * expected["decisions"]
    bluffs = given.measured.measures["bluffing"].more["bluffs"]
    expected |= {"bluffs": bluffs["per_game"], "claims": bluffs["claims_per_game"]}
    if "matter" in sums:
        expected["matter"] = given.measured["matter"]
    for name, figure in expected.items():
        mean = sums[name] / many
        error = sqrt(max(squares[name] / many - mean**2, 0) / many)
        assert figure is not None and abs(mean - float(figure)) <= 4 * error + 1e-12, name
