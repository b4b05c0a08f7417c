"""Strategies changed by hand, and best responses to them, against the verifier's walk of the rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from ruse.core.game import PositionError
from ruse.present.edited import Editor
from ruse.present.edited_classes import ClassEditor
from ruse.present.tree import TreeViewer
from ruse.solving.pipeline import solve
from ruse.verify.verifier import verifier
from viewing import solved, viewed

F = Fraction


def of(name: str, *parameters: tuple[str, object]) -> Editor:
    views = viewed(name, *parameters)
    assert isinstance(views, TreeViewer)
    return views.editor


def test_the_best_response_to_always_betting_a_jack() -> None:
    """Kuhn's poker: why a bluff must not be certain. The second side calls with Q, and gains 2/9 (see Insight)."""
    made = of("kuhn")
    found = made.answer(0, {"kuhn@J": {"bet": F(1)}})
    assert found.before == F(-1, 18)
    verified = verifier(made.game).guarantee(0, found.tables[0])
    assert found.answered == verified < found.before
    assert found.before - found.answered == F(2, 9)
    assert (found.deviations[0].position, found.deviations[0].move) == ("kuhn@Q/bet", "call")
    assert found.gain == sum(one.gain for one in found.deviations)  # one deviation a play


@pytest.mark.parametrize(
    "game", [("kuhn",), ("kubicek",), ("goofspiel", ("cards", 3)), ("liars-dice", ("faces", 3)), ("mini-poker",)]
)
def test_random_changes_are_answered_as_the_rules_say(game: tuple[object, ...]) -> None:
    random, made = Random(13), of(*game)  # type: ignore[arg-type]
    for side in (0, 1):
        for _ in range(4):
            changes = {}
            for position in random.sample(made.positions[side], min(3, len(made.positions[side]))):
                weights = {move: random.randint(0, 4) for move in made.stored(side, position)}
                weights[next(iter(weights))] += 1
                changes[position] = {move: F(one, sum(weights.values())) for move, one in weights.items()}
            found = made.answer(side, changes)
            assert found.answered == verifier(made.game).guarantee(side, found.tables[side])
            shares = verifier(made.game).outcomes(found.tables)
            assert found.answered == sum(payoff * share for payoff, share in shares.items())
            stored = [made.answer(1 - side, {}).tables[1 - side], found.tables[side]]
            both = (stored[0], stored[1]) if side == 1 else (stored[1], stored[0])
            shares = verifier(made.game).outcomes(both)
            assert found.kept == sum(payoff * share for payoff, share in shares.items())
            sign = 1 - 2 * side
            assert sign * found.answered <= sign * found.kept and bool(found.deviations) == bool(found.gain)


def test_without_changes_the_best_response_is_what_the_certificate_says() -> None:
    loose = solve(solved("kuhn").game, "cfr+", iterations=20)
    made = Editor(TreeViewer(loose))  # whose views are rounded
    for side, bound in ((0, loose.certificate.lower), (1, loose.certificate.upper)):
        found = made.answer(side, {})
        assert found.before == found.answered == bound
        assert found.gain == loose.exploitability[side].gain


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"kuhn@J/bet": {"fold": F(1)}}, "a position where Player 1 moves"),
        ({"kuhn@J": {"fold": F(1)}}, "one of the moves check, bet"),
        ({"kuhn@J": {"bet": F(1, 2)}}, "sum to 1"),
        ({"kuhn@J": {"bet": F(2), "check": F(-1)}}, "at least 0"),
    ],
)
def test_changes_that_are_no_odds(changes: dict[str, dict[str, Fraction]], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        of("kuhn").answer(0, changes)


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
def test_random_changes_of_strategies_by_class(side: int) -> None:
    """The Resistance: the best response is the verifier's, and nothing is gained by changing an optimal strategy."""
    random, made = Random(5), ClassEditor(viewed("resistance"))
    sign, certificate = 1 - 2 * side, made.solution.certificate
    assert made.answer(side, {}).answered == certificate.lower == certificate.upper
    gained = 0
    for _ in range(4):
        changes = {}
        for position in random.sample(made.positions[side], 3):
            moves = list(made.stored(side, position))
            changes[position] = {random.choice(moves): F(1)}
        found = made.answer(side, changes)
        assert sign * found.answered <= sign * found.kept and sign * found.answered <= sign * found.before
        assert found.gain or not found.deviations
        gained += bool(found.deviations)
    assert gained


def test_changes_by_class_that_are_none() -> None:
    made = ClassEditor(viewed("resistance"))
    for position, odds, why in (
        ("resistance-5/cd+", {"cd": F(1)}, "is stored as"),
        ("resistance-5/ab+", {"ab": F(1)}, "one of the moves"),
        ("resistance-5/ab+", {"abc": F(1, 2)}, "sum to 1"),
    ):
        with pytest.raises(PositionError, match=why):
            made.answer(0, {position: odds})
