"""Every solution says what proves its bounds, and what a game declares about itself decides no proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import ruse
from public_games import RandomPublic
from ruse.core import clock
from ruse.core.capabilities import Ranged
from ruse.core.certificate import PROOFS, Certificate
from ruse.core.game import END, Game, GameError
from ruse.games import make
from ruse.solving import certify
from ruse.solving.result import SolveResult
from ruse.verify.verifier import Verifier
from toys import LabelGame

USUAL = {
    "kuhn": "form",
    "leduc": "rules",  # its suits were put back, which the verifier walks
    "goofspiel": "arrays",
    "nim": "states",
    "tic-tac-toe": "rules",
    "resistance": "game-verifier",
}


@pytest.mark.parametrize("name", USUAL)
def test_each_solution_says_what_proves_it(name: str) -> None:
    solution = ruse.solve(make(name))
    assert solution.certificate.exact and solution.certificate.proof == USUAL[name]
    assert solution.to_json()["certificate"]["proof"] == USUAL[name]


def test_proofs_do_not_tell_certificates_apart_and_the_weaker_one_counts() -> None:
    half = Fraction(1, 2)
    assert Certificate(-half, half, "rules") == Certificate(-half, half)
    both = Certificate(-half, half, "rules").and_also(Certificate(-1 * half, Fraction(0), "declared"))
    assert both == Certificate(-half, Fraction(0)) and both.proof == "declared"
    assert all(both.and_also(Certificate(-half, half, proof)).proof in PROOFS for proof in PROOFS)


# Games that come with ruse and bring a way of their own.


@pytest.fixture(scope="module")
def small_avalon() -> Game:
    return ruse.games.avalon(players=5, talk="none")


def test_avalon_is_certified_by_its_verifier(small_avalon: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruse.games.hidden_roles import verify

    asked = []
    before = verify.HiddenRolesVerifier.bounds

    def bounds(self: Any, tables: Any) -> Certificate:
        asked.append(tables)
        return before(self, tables)

    monkeypatch.setattr(verify.HiddenRolesVerifier, "bounds", bounds)
    solution = ruse.solve(small_avalon)
    assert solution.certificate.proof == "game-verifier" and asked == [solution.tables]


def test_avalon_that_is_not_verified_says_so(small_avalon: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certify, "MOST_POSITIONS", 0)
    assert ruse.solve(small_avalon).certificate.proof in ("form", "declared")


def test_bounds_that_a_games_own_way_gets_wrong_are_not_announced(small_avalon: Game) -> None:
    right = ruse.solve(small_avalon)
    wrong = SolveResult("orbits", right.tables, Certificate(Fraction(1), Fraction(1), "form"), 1)
    assert certify.by_verifier(small_avalon, wrong, lambda *_: None).certificate == right.certificate


# Anybody else's games.


class Coins:
    """Matching pennies, worth 0; what it declares about itself is up to each test."""

    name = title = "coins"
    sides = ("first", "second")
    wins = ()

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> int:
        return END if len(state) == 2 else len(state)

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def odds(self, state: tuple[int, ...]) -> list[Fraction]:
        return []

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def knows(self, state: tuple[int, ...], side: int) -> tuple[int, ...]:
        return state[side : side + 1]

    def payoff(self, state: tuple[int, ...]) -> int:
        return 1 if state[0] == state[1] else -1

    def label(self, move: int) -> str:
        return "ht"[move]

    def format_position(self, knowledge: tuple[int, ...]) -> str:
        return "".join(f"/{self.label(one)}" for one in knowledge)


def test_a_small_game_of_ones_own_is_walked() -> None:
    solution = ruse.solve(Coins())
    assert solution.value == 0 and solution.certificate.proof == "rules"


def test_a_larger_one_without_declarations_keeps_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certify, "walkable", lambda *_: False)
    solution = ruse.solve(Coins())
    assert solution.value == 0 and solution.certificate.proof == "form"


class SoftDice(type(make("liars-dice"))):  # type: ignore[misc]
    """Liar's dice whose bids pay more than its arrays know: in plays that begin with the highest bid alone."""

    from ruse.core.capabilities import Bulk, Ranged

    provides = (Bulk,)

    def arrays(self) -> Any:
        return super().arrays()

    def payoff(self, state: Any) -> Fraction:
        return Fraction(super().payoff(state), 2)


def soft_dice(monkeypatch: pytest.MonkeyPatch) -> Any:
    game = SoftDice(dice=1, faces=2)
    monkeypatch.setattr("ruse.forms.sequence_form.check", lambda *_: None)  # as if random plays did not reveal it
    return game


def test_arrays_that_contradict_the_rules_are_an_error_that_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        GameError, match=r"arrays\(\) of .* contradicts its rules: .* rules between .*; correct the decl"
    ):
        ruse.solve(soft_dice(monkeypatch), "lp")


def test_arrays_that_are_too_large_to_compare_are_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certify, "walkable", lambda *_: False)
    solution = ruse.solve(soft_dice(monkeypatch), "lp")
    assert solution.certificate.proof == "declared"
    assert solution.headline().endswith("; exact if the game's declarations are true")
    assert solution.to_json()["certificate"]["proof"] == "declared"


class Hidden(RandomPublic):
    """A public tree that pays something else than the rules at one end, which random plays are not asked to find."""

    provides = RandomPublic.provides if hasattr(RandomPublic, "provides") else ()

    def payoff(self, state: Any) -> Any:
        return super().payoff(state) + 1


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random plays reveal nothing."""
    monkeypatch.setattr("ruse.forms.public_check.along_plays", lambda *_: None)


@pytest.mark.usefixtures("unseen")
def test_a_public_tree_that_contradicts_the_rules_is_an_error_that_names_it() -> None:
    with pytest.raises(GameError, match=r"public\(\) of random-public-3 contradicts its rules"):
        ruse.solve(Hidden(3), "cfr+", iterations=20, precision="float32")


@pytest.mark.usefixtures("unseen")
def test_a_public_tree_that_is_too_large_to_compare_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certify, "walkable", lambda *_: False)
    solution = ruse.solve(Hidden(3), "cfr+", iterations=20, precision="float32")
    assert solution.certificate.proof == "declared" and "if the game's declarations are true" in solution.headline()


def test_a_public_tree_that_follows_the_rules_is_proved_by_them() -> None:
    solution = ruse.solve(RandomPublic(3), "cfr+", iterations=20, precision="float32")
    assert solution.certificate.proof == "rules"
    assert solution.certificate == Verifier(solution.game).bounds(solution.tables)


@pytest.mark.usefixtures("unseen")
def test_where_the_time_is_up_before_the_walk_a_declaration_is_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> Certificate:
        raise clock.TimeIsUp("late")

    monkeypatch.setattr(certify, "bounds", late)
    assert ruse.solve(RandomPublic(3), "cfr+", iterations=5, precision="float32").certificate.proof == "declared"


def test_a_symmetry_that_does_not_hold_gives_wider_bounds_and_a_note() -> None:
    class Marked(LabelGame):
        """The labels do matter: one of them pays more."""

        def payoff(self, state: Any) -> Any:
            return super().payoff(state) + (5 if "a" in str(state) else 0)

    pays = (0, 3, -1, 2, 1, -2, 0, 1, 2, -3, 1, 0, -1, 2, 3, -2)
    true = ruse.solve(Marked("abc", 2, pays), symmetry=False).certificate
    found = ruse.solve(Marked("abc", 2, pays))
    assert true.exact and found.certificate.lower <= true.lower <= found.certificate.upper
    assert found.certificate.proof == "rules"
    if not found.certificate.exact:
        assert "do not hold by its rules" in found.note


class Pays(Coins):
    """A game that is too large to solve, with a wrong range of payoffs."""

    provides = (Ranged,)

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(5), Fraction(7)


def test_a_range_of_payoffs_is_a_declaration() -> None:
    """Of a game that is too large to walk, which was sampled."""
    game = Pays()
    lower, upper = game.payoff_range()
    sampled = SolveResult("mccfr", ({}, {}), Certificate(lower, upper), 3, unjudged=True)
    found = certify.certified(game, sampled, lambda *_: None)
    assert found.certificate.proof == "declared"
    solution = ruse.solve(game)
    told = replace(solution, certificate=found.certificate, options={"unjudged": True}).headline()
    assert told == "coins: no bounds proved yet; the game declares payoffs between 5 and 7"
    won = certify.certified(make("liars-dice"), sampled, lambda *_: None)
    assert won.certificate.proof == "none"


def test_a_users_small_game_is_walked_whatever_a_route_says() -> None:
    """A result that calls itself proved by the rules, with bounds that its strategies do not keep."""

    class Pennies:
        def start(self) -> str:
            return ""

        def turn(self, state: str) -> int:
            return len(state) if len(state) < 2 else END

        def moves(self, state: str) -> list[str]:
            return ["h", "t"]

        def odds(self, state: str) -> list[Fraction]:
            return []

        def play(self, state: str, move: str) -> str:
            return state + move

        def knows(self, state: str, side: int) -> int:
            return side

        def payoff(self, state: str) -> int:
            return 1 if state[0] == state[1] else -1

    game = ruse.solve(Pennies()).game
    always_heads = tuple(
        {position: {"h": Fraction(1), "t": Fraction(0)} for position in table} for table in ruse.solve(game).tables
    )
    forged = SolveResult("auto", always_heads, Certificate(Fraction(1), Fraction(1), "rules"), 0)
    announced = certify.certified(game, forged, lambda *_: None).certificate
    assert (announced.lower, announced.upper, announced.proof) == (-1, 1, "rules")
