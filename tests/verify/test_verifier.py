"""Games of ruse's bring their verifier, which says what the plain walk says; anybody else's game is walked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Never

import pytest

import ruse
from ruse.core.game import Game
from ruse.core.own import as_game
from ruse.core.presentation import Presentation
from ruse.core.registry import presentation
from ruse.core.types import Lookup, Odds, StrategyTable, Tables
from ruse.forms.certificate import Certificate
from ruse.games.four_in_a_row.verify import FourInARowVerifier
from ruse.games.kuhn import Kuhn
from ruse.games.phantom.verify import UnseenVerifier
from ruse.games.resistance import Resistance
from ruse.games.resistance.verify import ResistanceVerifier
from ruse.present.rules import score_function, score_rules
from ruse.verify.tree import VerifyError
from ruse.verify.verifier import ReturningVerifier, Verifier, verifier


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (ruse.games.resistance(), ResistanceVerifier),
        (ruse.games.phantom_tic_tac_toe(), UnseenVerifier),
        (ruse.games.four_in_a_row(), FourInARowVerifier),
        (ruse.games.pig(), ReturningVerifier),
        (ruse.games.guess_who(), Verifier),
        (ruse.games.kuhn(), Verifier),
    ],
    ids=lambda one: getattr(one, "title", ""),
)
def test_who_verifies_what(game: Game, kind: type[Verifier[Any]]) -> None:
    assert type(verifier(game)) is kind


@pytest.mark.parametrize(
    "game",
    [ruse.games.phantom_tic_tac_toe("2x2", 2), ruse.games.four_in_a_row(3, 3, 3), ruse.games.guess_who(5, 4)],
    ids=lambda game: game.title,
)
def test_a_verifier_says_what_the_plain_walk_says(game: Game) -> None:
    tables = ruse.solve(game).tables
    own, plain = verifier(game), Verifier(game)
    assert own.bounds(tables) == plain.bounds(tables)
    shares = plain.outcomes(tables)
    assert {payoff: share for payoff, share in own.outcomes(tables).items() if share} == shares
    for side, table in enumerate(tables):
        own.check_positions(side, table)
        plain.check_positions(side, table)
        stray = {**table, f"{game.title}/nowhere": {"a": Fraction(1)}}
        for one in (own, plain):
            with pytest.raises(VerifyError, match="nowhere"):
                one.check_positions(side, stray)


class Believed(Verifier[Game]):
    """Who brings this hopes to be believed."""

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        return Fraction(9)

    def score(self, side: int, lookup: Lookup) -> Fraction:
        return Fraction(9)

    def certify(self, tables: Tables, claimed: Certificate) -> Certificate:
        return claimed


class Lines(Presentation[Kuhn]):
    """One word: what to do when the other side has bet."""

    rules_by_position = False

    def write_rules(self, strategy: StrategyTable, side: int) -> tuple[str, list[str]]:
        return "", []

    def read_rules(self, lines: Sequence[str], side: int) -> Callable[[str], Odds]:
        return lambda position: {lines[0]: Fraction(1)} if "bet" in position else {"check": Fraction(1)}

    def rule_moves(self, position: str, side: int) -> Sequence[str]:
        return ("fold", "call") if "bet" in position else ("check", "bet")


class Believing:
    verifier = Believed


class Boasting(Kuhn):
    """Kuhn's poker of somebody who tells strategies by rules of his own, and would verify them himself."""

    name = title = "boasting"
    parts: ClassVar[Mapping[str, object]] = {"verify": Believing, "presentation": Lines}


class Cheating(Resistance):
    """The Resistance with another payoff, verified as it was before."""

    name = "cheating"

    def payoff(self, state: Any) -> Fraction:
        return Fraction(1)


@pytest.mark.parametrize("game", [Boasting(), as_game(Boasting())], ids=["as it is", "as one's own"])
def test_the_word_of_anybody_elses_game_is_no_proof(game: Game) -> None:
    assert type(verifier(game)) is Verifier
    solution = ruse.solve(game)
    assert solution.verify().lower == Fraction(-1, 18)
    with pytest.raises(VerifyError, match="guarantee at least 9"):
        replace(solution, certificate=Certificate(Fraction(9), Fraction(9))).verify()


def test_a_subclass_in_somebodys_file_is_walked() -> None:
    game = Cheating(ruse.games.resistance(3, 1, (1,) * 5, (1,) * 5).table)
    assert type(verifier(game)) is Verifier


def test_anybody_elses_game_is_scored_by_its_rules() -> None:
    """Who checks and folds to every bet loses an ante for sure."""
    game = Boasting()
    assert type(presentation(game)) is Lines
    folding, kuhn = score_rules(game, "side: first\nfold\n")[0], ruse.games.kuhn()
    meant = "side: first\nkuhn@J: check\notherwise: fold or check\n"
    assert folding.payoff == score_rules(kuhn, meant)[0].payoff == -1

    def calling(position: str, moves: Sequence[str]) -> str:
        return "call" if "call" in moves else "check"

    assert score_function(game, 1, calling).payoff == score_function(kuhn, 1, calling).payoff


def test_a_part_that_nobody_trusts_is_not_even_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(where: str) -> Never:
        raise AssertionError(where)

    monkeypatch.setattr(Boasting, "parts", {"verify": "ruse.nowhere:Verifier"})
    monkeypatch.setattr("ruse.core.registry.imported", refused)
    assert type(verifier(Boasting())) is Verifier
