"""Luck and skill apart: the lines add up to the result, and luck has a mean of 0 by full enumeration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from amounts import some
from playing import solved, solved_costs, table, table_costs
from ruse.core.game import CHANCE, END, Game, State
from ruse.play.luck import Prospects, balance
from ruse.play.session import Session, begin, play, resume
from ruse.solution.strategy import Solution

SIX = ("kuhn", "leduc", "liars-dice", "resistance", "avalon", "oshi-zumo")


@cache
def prospects(name: str) -> Prospects:
    return Prospects(solved_costs(name))


def ended(solution: Solution, side: int, labels: list[str]) -> Session:
    session = resume(solution, side, 1, labels, False, "a" * 22, None)
    assert session.over and len(session.moves) == len(labels)
    return session


def at_random(game: Game, random: Random) -> list[str]:
    """A game to its end in which everybody moves at random."""
    state, labels = game.start(), list[str]()
    while game.turn(state) != END:
        moves = list(game.moves(state))
        if game.turn(state) == CHANCE:
            moves = [move for move, odds in zip(moves, game.odds(state), strict=True) if odds]
        move = random.choice(moves)
        labels.append(game.label(move))
        state = game.play(state, move)
    return labels


@pytest.mark.slow
@pytest.mark.parametrize("name", SIX)
def test_the_lines_add_up_to_the_result(name: str) -> None:
    """In games of anybody against anybody, exactly; nobody's mistake is worth less than nothing."""
    solution, random = solved(name), Random(26)
    played = begin(solution, 0, seed=1).game  # in which a team may move as one
    mistakes = 0
    for number in range(some(1_000, 12) // len(SIX) + 1):
        session = ended(solution, number % 2, at_random(played, random))
        found = balance(session, prospects(name))
        assert found.start + found.luck - found.lost + found.given == found.result == session.gain
        assert all(turn.cost >= 0 for turn in found.turns) and min(found.mistakes) >= 0
        assert len(found.turns) == len(session.decisions) == len(found.steps) - 1
        told = found.to_json()
        sums = [Fraction(told[key]) for key in ("start", "luck", "costs", "mistakes", "result")]
        assert sums[0] + sums[1] - sums[2] + sums[3] == sums[4]
        mistakes += found.given > 0
    assert mistakes, name


def plays(game: Game, side: int, opponent: Solution) -> Iterator[tuple[list[str], Fraction]]:
    """Every play with its odds: chance and the opponent by theirs, the side at random."""
    waiting: list[tuple[State, list[str], Fraction]] = [(game.start(), [], Fraction(1))]
    while waiting:
        state, labels, weight = waiting.pop()
        turn = game.turn(state)
        if turn == END:
            yield labels, weight
            continue
        moves = game.moves(state)
        if turn == CHANCE:
            odds = [Fraction(share) for share in game.odds(state)]
        elif turn == side:
            odds = [Fraction(1, len(moves))] * len(moves)
        else:
            position = game.title + game.format_position(game.knows(state, turn))
            table = opponent.strategy(turn).table[position]
            odds = [table.get(game.label(move), Fraction(0)) for move in moves]
        for move, share in zip(moves, odds, strict=True):
            if share:
                waiting.append((game.play(state, move), [*labels, game.label(move)], weight * share))


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", ["kuhn", pytest.param("liars-dice", marks=pytest.mark.slow), "goofspiel"])
def test_luck_has_a_mean_of_zero_after_every_move(name: str, side: int) -> None:
    """Whatever the person does, and whatever it knows by then, mistakes included."""
    solution = solved(name)
    reference = prospects(name).pair
    assert reference is not solution and solution.certificate.exact
    total, whole = Fraction(0), Fraction(0)
    after: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    met: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for labels, weight in plays(solution.game, side, reference):
        session = ended(solution, side, labels)
        found = balance(session, prospects(name))
        assert found.fair and found.given == 0
        known = [("", ""), *((decision.position, decision.move) for decision in session.decisions)]
        for place, luck in zip(known, found.steps, strict=True):
            after[place] += weight * luck
            met[place] += abs(weight * luck)
        total, whole = total + weight * found.luck, whole + weight
    assert whole == 1 and total == 0
    assert not any(after.values())
    assert sum(amount > 0 for amount in met.values()) > 1  # there is luck


def test_a_fold_is_a_mistake_and_a_called_bluff_is_none() -> None:
    """With K, Player 2 folds a sure win: a mistake that Player 1 gets, not luck."""
    kuhn = solved("kuhn")
    given = balance(ended(kuhn, 0, ["JK", "bet", "fold"]), prospects("kuhn"))
    assert (given.result, given.given) == (1, 3)  # J wins 1, and would have lost 2
    own = balance(ended(kuhn, 1, ["JK", "bet", "fold"]), prospects("kuhn"))
    assert (own.result, own.lost, own.given) == (-1, 3, 0)
    bluffed = balance(ended(kuhn, 0, ["JQ", "bet", "call"]), prospects("kuhn"))
    assert bluffed.given == bluffed.lost == 0 and bluffed.luck == -2 - Fraction(-1, 18)


def test_the_resistance_by_class_adds_up_with_any_names_of_seats() -> None:
    five = Prospects(table_costs(5))
    for side, labels in (
        (0, ["cd", "de", "pass", "ace", "sabotage", "be"]),
        (1, ["ab", "ab", "pass", "abc", "sabotage", "ab"]),
    ):
        session = resume(table(5), side, 1, labels, False, "a" * 22, None)
        while not session.over:
            session = play(session, session.number, session.game.label(session.choices[0]))
        found = balance(session, five)
        assert found.start + found.luck - found.lost + found.given == session.gain
