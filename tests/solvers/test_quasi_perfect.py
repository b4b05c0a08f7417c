"""Quasi-perfect equilibria: rational at every information set, by code of its own; known games; perturbed games."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

import ruse
from amounts import some
from assessments import Assessment, check_rational
from ruse.core.game import Game, RuseError
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solvers.quasi_perfect import PerturbedPlans, depths, quasi_perfect
from ruse.verify.verifier import bounds
from toys import Chance, Decision, Leaf, TreeGame, random_games

F = Fraction
TINY = F(1, 10**40)
GAMES = [
    (ruse.games.kuhn(), 12),
    (ruse.games.mini_poker(), 4),
    (ruse.games.liars_dice(3), 192),
    (ruse.games.goofspiel(3), 16),
    (ruse.games.goofspiel(4), 162),
    (ruse.games.oshi_zumo(3), None),
]
LARGE = [
    pytest.param(ruse.games.liars_dice(4), 1024, id="liar's dice of 4 faces"),
    pytest.param(ruse.games.leduc(), 936, id="leduc", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("game", "sets"), GAMES, ids=[game.title for game, _ in GAMES])
def test_every_information_set_is_played_rationally(game: Game, sets: int | None) -> None:
    _check(game, sets)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "sets"), LARGE)
def test_every_information_set_of_larger_games_is_played_rationally(game: Game, sets: int) -> None:
    _check(game, sets)


def _check(game: Game, sets: int | None) -> None:
    solution = ruse.solve(game, "quasi-perfect")
    assert solution.certificate.exact
    assert solution.value == ruse.solve(game, "lp").value
    assert bounds(game, solution.tables) == solution.certificate
    seen = sum(check_rational(solution, side) for side in (0, 1))
    assert sets in (None, seen)


def test_the_lp_alone_is_not_rational_off_the_path() -> None:
    """What this is for: the check fails for an equilibrium whose play off the path is filler."""
    game = ruse.games.liars_dice(3)
    refined, plain = ruse.solve(game, "quasi-perfect"), ruse.solve(game, "lp")
    values = Assessment(refined, 0).values("liars-dice(faces=3)@1/1-1/1-2")
    assert values["2-3"] == -1 < max(values.values())
    assert plain.strategy(0).at("liars-dice(faces=3)@1/1-1/1-2")["2-3"] > 0


@pytest.mark.parametrize("faces", [3, 4])
def test_nobody_with_a_one_bids_two_of_the_highest_face(faces: int) -> None:
    """That claim cannot be true, and whoever hears it can only call."""
    solution = ruse.solve(ruse.games.liars_dice(faces), "quasi-perfect")
    bids = [
        odds[f"2-{faces}"]
        for table in solution.tables
        for position, odds in table.items()
        if "@1" in position and f"2-{faces}" in odds
    ]
    assert len(bids) > 10
    assert not any(bids)


# Games whose quasi-perfect play is known


def guess_the_ace() -> TreeGame:
    """Miltersen and Sørensen 2010, figure 1: the owner of a shuffled deck may let the other side guess its top card."""

    def guess(ace: int, other: int) -> Decision:
        return Decision(1, "guess", (("ace", Leaf(F(ace))), ("other", Leaf(F(other)))))

    offer = Chance((("ace", F(1, 52), guess(-1000, 0)), ("other", F(51, 52), guess(0, -1000))))
    return TreeGame(Decision(0, "owner", (("stop", Leaf(F(0))), ("offer", offer))), "guess-the-ace")


def test_guess_the_ace() -> None:
    """Any guess is part of an equilibrium, as the owner stops. Quasi-perfect play bets on the 51 other cards."""
    solution = ruse.solve(guess_the_ace(), "quasi-perfect")
    assert solution.value == 0
    assert solution.tables[0]["guess-the-ace@owner"] == {"stop": 1, "offer": 0}
    assert solution.tables[1]["guess-the-ace@guess"] == {"ace": 0, "other": 1}


def christmas_morning() -> TreeGame:
    """Matching pennies on Christmas morning (Miltersen and Sørensen 2010): whoever hides the penny may add a gift of 1.

    Side 0 hides; side 1 gets 1 for a right guess, and the gift in any case.
    """

    def guess(penny: str, gift: int) -> Decision:
        known = "gift" if gift else "no-gift"
        return Decision(1, known, tuple((side, Leaf(F(-gift - (penny == side)))) for side in ("heads", "tails")))

    hide = ((f"{penny}{'-gift' * gift}", guess(penny, gift)) for penny in ("heads", "tails") for gift in (0, 1))
    return TreeGame(Decision(0, "hide", tuple(hide)), "christmas")


def test_matching_pennies_on_christmas_morning() -> None:
    """No gift is given; after one, both pennies are as likely, because both mistakes are.

    So any guess is rational there, and quasi-perfection asks for no more (proper equilibria would).
    """
    solution = ruse.solve(christmas_morning(), "quasi-perfect")
    assert solution.value == F(-1, 2)
    half = F(1, 2)
    assert solution.tables[0]["christmas@hide"] == {"heads": half, "heads-gift": 0, "tails": half, "tails-gift": 0}
    assert solution.tables[1]["christmas@no-gift"] == {"heads": half, "tails": half}
    assert Assessment(solution, 1).beliefs("christmas@gift") == [half, half]
    check_rational(solution, 1)


def test_dominated_moves_are_not_played_even_where_they_cost_nothing() -> None:
    """Side 1 always answers c; a and b are then alike, but b is better after the mistake d."""

    def answer(after_mistake: int) -> Decision:
        return Decision(1, "answer", (("c", Leaf(F(0))), ("d", Leaf(F(after_mistake)))))

    game = TreeGame(Decision(0, "start", (("a", answer(1)), ("b", answer(2)))), "dominated")
    solution = ruse.solve(game, "quasi-perfect")
    assert solution.tables[0]["dominated@start"] == {"a": 0, "b": 1}
    assert solution.mistakes == ({"dominated@start": {"a": (1, 1)}}, {"dominated@answer": {"d": (1, 1)}})


@pytest.mark.parametrize("moves", [3, 40])
def test_payoff_tables(moves: int) -> None:
    """Also where all mistakes of the first epsilon together would be more than certain."""
    rows = "; ".join(" ".join(str((3 * row + 5 * column) % 7 - 3) for column in range(moves)) for row in range(moves))
    game = ruse.games.matrix(rows)
    solution = ruse.solve(game, "quasi-perfect")
    assert solution.value == ruse.solve(game, "lp").value
    assert check_rational(solution, 0) == check_rational(solution, 1) == 1


def test_payoffs_that_floats_cannot_hold_are_refused() -> None:
    game = TreeGame(Decision(0, "start", (("a", Leaf(F(10) ** 400)), ("b", Leaf(F(1, 10**400))))), "huge")
    with pytest.raises(RuseError, match="no quasi-perfect equilibrium found"):
        ruse.solve(game, "quasi-perfect")


# Random games


@settings(max_examples=some(60, 12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(game=random_games())
def test_random_games(game: TreeGame) -> None:
    """Rational everywhere, an exact equilibrium, and the limit of exact equilibria of perturbed games."""
    solution = ruse.solve(game, "quasi-perfect")
    assert solution.certificate.exact
    assert bounds(game, solution.tables) == solution.certificate
    assert sum(check_rational(solution, side) for side in (0, 1)) == sum(map(len, solution.tables))
    form = sequence_form(game)
    found = quasi_perfect(form)
    for epsilon in (TINY, TINY**2):
        plans = [_at(found, side, epsilon) for side in (0, 1)]
        for side in (0, 1):
            assert all(weight >= least for weight, least in zip(plans[side], _least(form, side, epsilon), strict=True))
            assert all(
                abs(weight - end) < F(1, 10**20) for weight, end in zip(plans[side], found.limit(side), strict=True)
            )
        assert _best_answer(form, 0, plans[1], epsilon) == _best_answer(form, 1, plans[0], epsilon)


@pytest.mark.slow
@settings(max_examples=some(100, 10), deadline=None, suppress_health_check=list(HealthCheck))
@given(game=random_games(depth=6))
def test_larger_random_games(game: TreeGame) -> None:
    """Also where payoffs have large common denominators, which floats must be scaled by."""
    solution = ruse.solve(game, "quasi-perfect")
    assert solution.certificate.exact
    for side in (0, 1):
        check_rational(solution, side)


def _at(found: PerturbedPlans, side: int, epsilon: Fraction) -> list[Fraction]:
    return [sum((one * epsilon**power for power, one in enumerate(weight)), F(0)) for weight in found.weights[side]]


def _least(form: FormArrays, side: int, epsilon: Fraction) -> list[Fraction]:
    deep = depths(form.trees[side]).tolist()
    return [epsilon**depth if depth else F(0) for depth in deep]


def _best_answer(form: FormArrays, side: int, plan: Sequence[Fraction], epsilon: Fraction) -> Fraction:
    """The payoff of the best answer among plans that keep the least weights, by a sweep up the tree.

    Each unit of weight is best given to the best move; what other moves must get, and so lose, is added up.
    """
    tree, least = form.trees[side], _least(form, side, epsilon)
    own, other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
    worth = [F(0)] * tree.sequences
    for mine, theirs, payoff in zip(own.tolist(), other.tolist(), form.payoffs.tolist(), strict=True):
        worth[mine] += payoff * plan[theirs]
    best, forced = max if side == 0 else min, F(0)
    for parent, first, end in reversed(list(tree.sets())):
        top = best(worth[first:end])
        forced += sum(
            ((one - top) * weight for one, weight in zip(worth[first:end], least[first:end], strict=True)), F(0)
        )
        worth[parent] += top
    return worth[0] + forced


# Refusals


@pytest.mark.parametrize("game", [ruse.games.resistance(), ruse.games.pig(10)], ids=["by class", "no tree"])
def test_games_that_do_not_fit_are_refused(game: Game) -> None:
    with pytest.raises(RuseError, match="quasi-perfect needs a game tree"):
        ruse.solve(game, "quasi-perfect")


def test_large_games_are_refused() -> None:
    with pytest.raises(RuseError, match="30,000 that quasi-perfect accepts"):
        ruse.solve(ruse.games.liars_dice(6), "quasi-perfect")
