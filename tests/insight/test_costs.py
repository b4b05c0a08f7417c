"""What a move costs: against the reference opponent on the path, and marked as something else elsewhere."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import ruse
from amounts import some
from insight_checks import trees
from responding import Response, payoff
from ruse.core.game import CHANCE
from ruse.insight.costs import BEST, QUASI_PERFECT, REFERENCE, STORED, Costs, costs
from ruse.insight.model import MAY, MUST, NEVER
from ruse.solving.pipeline import solve

GAMES = {
    "kuhn": ruse.games.kuhn,
    "kubicek": ruse.games.kubicek,
    "goofspiel": lambda: ruse.games.goofspiel(4),
    "rock-paper-scissors": ruse.games.rock_paper_scissors,
    "liar's dice 3": lambda: ruse.games.liars_dice(3),
    "liar's dice 4": lambda: ruse.games.liars_dice(4),
    "leduc": ruse.games.leduc,
}


def check_against_responses(game: Any) -> int:
    """Compare all costs on the path with independent best responses; how many positions there are."""
    solution = solve(game)
    found = costs(solution)
    assert found.reference is not None
    tables, checked = found.reference.tables, 0
    for side in (0, 1):
        response = Response(game, side, tables[1 - side])
        assert response.value == (solution.value if side == 0 else -solution.value)  # the opponent is optimal
        checked += sum(check_position(found, response, position, side) for position in tables[side])
    return checked


def check_position(found: Costs, response: Response, position: str, side: int) -> bool:
    assert found.reference is not None
    there, own = found.at(position, side), found.reference.tables[side][position]
    assert list(there.moves) == list(own)
    assert min(move.cost for move in there.moves.values()) == 0 and there.condition
    if there.basis != REFERENCE or not there.proved:
        return False
    expected, values = response.costs(position), response.moves(position)
    assert {name: move.cost for name, move in there.moves.items()} == expected
    sign = 1 if side == 0 else -1
    for name, move in there.moves.items():
        assert move.value == sign * values[name] / response.reach(position)
        assert (move.cost == 0) == (own[name] > 0) == (move.kind in (MUST, MAY))
        assert (move.kind == MUST) == (own[name] == 1)
    return True


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", GAMES)
def test_costs_are_those_of_independent_best_responses(name: str) -> None:
    assert check_against_responses(GAMES[name]()) >= 2


def test_costs_in_random_games_are_those_of_independent_best_responses() -> None:
    assert sum(check_against_responses(game) for _, game in trees(range(some(200)), 40)) >= some(400)


def test_kinds_are_those_of_insight() -> None:
    solution = solve(ruse.games.kuhn())
    found, insight = costs(solution), solution.insight()
    for side, position in insight.positions():
        kinds = {name: move.kind for name, move in found.at(position, side).moves.items()}
        assert kinds == insight.kinds(position, side)


def test_weighted_costs_add_up_to_what_a_strategy_loses() -> None:
    """The performance difference: over all positions that the strategy and the reference opponent reach."""
    random, games = Random(5), 0
    for _, game in trees(range(some(120)), 40):
        solution = solve(game)
        found = costs(solution)
        assert found.reference is not None
        for side in (0, 1):
            check_sum(found, game, side, random)
        games += 1
    assert games >= some(80)


def check_sum(found: Any, game: Any, side: int, random: Random) -> None:
    tables = found.reference.tables
    own = {}
    for position, moves in tables[side].items():
        shares = [random.randint(0, 2) for _ in moves]
        shares[random.randrange(len(shares))] += 1
        own[position] = {move: Fraction(share, sum(shares)) for move, share in zip(moves, shares, strict=True)}
    loss = payoff(game, (tables[0], tables[1])) - payoff(game, (own, tables[1]) if side == 0 else (tables[0], own))
    meeting = Response(game, 1 - side, own)  # how often the strategy and chance lead anywhere
    total = Fraction(0)
    for position, odds in own.items():
        response = Response(game, side, tables[1 - side])
        if not response.reach(position):
            continue
        there = found.against_reference(position, side)
        state = response.met[position][0][0]
        weight = response.reach(position) * own_weight(game, state, side, meeting)
        total += weight * sum(odds[name] * move.cost for name, move in there.moves.items())
    assert total == (loss if side == 0 else -loss)


def own_weight(game: Any, wanted: Any, side: int, meeting: Response) -> Fraction:
    """The product of a side's own odds on the way to a state, which are the same for all that it cannot tell apart."""

    def going(state: Any, weight: Fraction) -> Fraction | None:
        if state == wanted:
            return weight
        if game.turn(state) < -1:
            return None
        shares = meeting.others(state) if game.turn(state) == side else {}
        possible = list(game.moves(state))
        if game.turn(state) == CHANCE:
            possible = [move for move, odds in zip(possible, game.odds(state), strict=True) if odds]
        for move in possible:
            if (there := going(game.play(state, move), weight * shares.get(move, Fraction(1)))) is not None:
                return there
        return None

    weight = going(game.start(), Fraction(1))
    assert weight is not None
    return weight


def test_kuhn_by_hand() -> None:
    """Player 2 passes a K after a check: never, and it costs what Player 1 would have called and lost."""
    there = costs(solve(ruse.games.kuhn())).at("kuhn@K/check")
    assert there.basis == REFERENCE and there.proved and there.condition == "against an optimal Player 1"
    assert there.moves["bet"].kind == MUST and there.moves["bet"].cost == 0
    assert there.moves["check"].kind == NEVER and there.moves["check"].value == -1
    assert there.moves["check"].cost == -1 - there.moves["bet"].value > 0
    assert there.cost("check") == there.moves["check"].cost and there.cost("fold") is None


def test_positions_off_the_path_are_marked() -> None:
    there = costs(solve(ruse.games.kubicek())).at("kubicek/B")
    assert there.basis == QUASI_PERFECT and not there.proved
    assert [move.kind for move in there.moves.values()] == [None] * len(there.moves)


def test_nothing_is_listed_where_the_side_does_not_move() -> None:
    assert not costs(solve(ruse.games.kuhn())).at("kuhn@K", 1).moves


def test_games_with_perfect_information_have_the_values_of_moves() -> None:
    found = costs(solve(ruse.games.nim()))
    there = found.at("nim@second/0,3,5,7")
    assert there.basis == BEST and found.reference is None
    assert sorted({move.cost for move in there.moves.values()}) == [0, 2]


def test_strategies_without_proof_are_judged_as_stored() -> None:
    found = costs(solve(ruse.games.kuhn(), "cfr", iterations=20))
    there = found.at("kuhn@Q")
    assert found.reference is None
    assert there.basis == STORED and there.condition == "against the stored strategy of Player 2"
    assert min(move.cost for move in there.moves.values()) == 0


def test_the_reference_pair_is_a_solution() -> None:
    found = costs(solve(ruse.games.leduc()))
    assert found.reference is not None and found.reference.verify().exact
