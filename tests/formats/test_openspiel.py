"""OpenSpiel's games solved by name, and ruse's strategies judged by OpenSpiel itself."""

from __future__ import annotations

import doctest
import re
import sys
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote_plus

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python import policy as python_policy
from open_spiel.python.algorithms.exploitability import exploitability

import ruse
from golden import games
from ruse.core.game import Game, GameError
from ruse.core.walk import check
from ruse.formats import openspiel
from ruse.formats.openspiel import OpenSpielError, game_of, load
from ruse.formats.openspiel_policy import policy
from ruse.forms.sequence_form import sequence_form
from ruse.games.battleship import battleship
from ruse.games.goofspiel import goofspiel
from ruse.games.liars_dice import liars_dice
from ruse.games.oshi_zumo import oshi_zumo
from ruse.solution.strategy import Solution
from ruse.verify.verifier import bounds

NOTHING = 1e-12  # what OpenSpiel's floats may leave of an exploitability of 0
VALUES = {title: value for title, _, value, _ in games()}
SMALL_POKER = (
    "universal_poker(betting=limit,numRounds=2,blind=1 1,raiseSize=1 1,firstPlayer=1 1,maxRaises=1 1,"
    "numSuits=1,numRanks=3,numHoleCards=1,numBoardCards=0 1)"
)
SIMULTANEOUS = "goofspiel(imp_info=True,num_cards=4,points_order=descending)"

# The value where it is known: Kuhn and Leduc as ruse's own; others are even, or follow from the rules.
GAMES: dict[str, Fraction | None] = {
    "kuhn_poker": VALUES["kuhn"],
    "leduc_poker": VALUES["leduc"],
    "liars_dice(dice_sides=3,numdice=1)": None,
    SIMULTANEOUS: Fraction(0),
    "goofspiel(num_cards=3)": Fraction(0),
    "oshi_zumo(coins=3,horizon=3,size=1)": Fraction(0),
    "matrix_rps": Fraction(0),
    "matrix_mp": Fraction(0),
    "blotto(coins=4)": Fraction(0),
    "coordinated_mp": Fraction(0),
    "dark_hex(board_size=2)": Fraction(1),
    "nim(pile_sizes=1;2;3)": Fraction(-1),  # misère: equal to normal play here, and 1 ^ 2 ^ 3 = 0 (Bouton 1901)
    SMALL_POKER: None,
}


def judged(solution: Solution) -> float:
    """How much OpenSpiel could win from a solution, by its algorithms in Python and in C++."""
    made = policy(solution)
    assert isinstance(made, python_policy.TabularPolicy)
    compiled = pyspiel.exploitability(made.game, python_policy.python_policy_to_pyspiel_policy(made))
    return max(float(exploitability(made.game, made)), float(compiled))


@pytest.mark.cases(6)
@pytest.mark.parametrize("text", GAMES)
def test_a_game_by_name_is_solved_exactly_and_openspiel_agrees(text: str) -> None:
    game = load(text)
    assert isinstance(game, Game)
    solution = ruse.solve(game, "lp")
    assert solution.certificate.exact
    assert GAMES[text] in (None, solution.value)
    assert judged(solution) < NOTHING


TELLING = [text for text in GAMES if not text.startswith("dark_hex")]  # there one cannot tell that one is to wait


@pytest.mark.cases(6)
@pytest.mark.parametrize("text", [*TELLING, "goofspiel(num_cards=4,points_order=descending)"])
def test_the_rules_keep_the_contract(text: str) -> None:
    check(load(text), limit=3_000)


OWN: list[Game] = [
    ruse.games.kuhn(),
    ruse.games.leduc(),
    ruse.games.rock_paper_scissors(),
    liars_dice(faces=3),
    goofspiel(cards=3),
    oshi_zumo(coins=3, size=1, horizon=2),
    battleship(board="2x1", ships=[1], values=[1], shots=2),
    battleship(board="1x2", ships=[1], values=[3], shots=1),
]


@pytest.mark.cases(4)
@pytest.mark.parametrize("game", OWN, ids=[game.title for game in OWN])
def test_solutions_of_our_own_games_are_handed_over(game: Game) -> None:
    assert judged(ruse.solve(game)) < NOTHING


def test_openspiel_sees_a_bad_strategy() -> None:
    """Always fold, never bet: the exploitability is not 0 by construction."""
    game = ruse.games.kuhn()
    tables = [
        {position: {move: Fraction(not number) for number, move in enumerate(odds)} for position, odds in table.items()}
        for table in ruse.solve(game).tables
    ]
    certificate = bounds(game, (tables[0], tables[1]))
    timid = Solution(game, "by hand", (tables[0], tables[1]), certificate, 0.0, 0)
    assert judged(timid) == pytest.approx(float(certificate.gap) / 2)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (ruse.games.rock_paper_scissors(paper_beats_rock="1/2"), "openspiel:matrix_rps differ at"),
        (ruse.games.mini_poker(), "OpenSpiel does not have mini-poker"),
        (load("pig(diceoutcomes=2,horizon=4,winscore=2)"), "with information states for a policy"),
    ],
)
def test_a_policy_is_only_of_the_same_game(game: Game, reason: str) -> None:
    with pytest.raises(OpenSpielError, match=re.escape(reason)):
        policy(ruse.solve(game))


def test_what_is_open_is_known_without_an_information_state() -> None:
    """Pig has none in OpenSpiel, but no secrets either: a side knows the moves so far."""
    game = load("pig(diceoutcomes=2,horizon=6,winscore=3)")
    check(game)
    solution = ruse.solve(game, "backward-induction")
    assert solution.certificate == ruse.solve(game, "lp").certificate
    assert solution.certificate.exact


def test_open_games_with_simultaneous_moves_forget_nothing() -> None:
    """OpenSpiel's information state of this one is the same after other bids, which its policies then cannot be."""
    game = load("goofspiel(num_cards=4,points_order=descending)")
    solution = ruse.solve(game, "lp")
    assert solution.certificate.exact and solution.value == 0
    assert f"{game.title}/[P0]Bid:+1/[P1]Bid:+4/?" in solution.tables[1]
    with pytest.raises(OpenSpielError, match="the information states"):
        policy(solution)


def test_positions_and_titles() -> None:
    solution = ruse.solve(load("kuhn_poker()"), "lp")
    assert solution.game.title == "openspiel:kuhn_poker"
    assert solution.strategy(0).at("openspiel:kuhn_poker@2pb") == {"Pass": 0, "Bet": 1}  # K never folds
    assert game_of("openspiel:kuhn_poker@2pb").title == solution.game.title
    poker = load(SMALL_POKER)
    assert game_of(poker.title + "@x/y").parameters == poker.parameters
    assert load(str(poker.parameters["game"])).title == poker.title
    tic_tac_toe = load("tic_tac_toe")
    after = tic_tac_toe.play(tic_tac_toe.start(), tic_tac_toe.moves(tic_tac_toe.start())[4])
    assert (
        tic_tac_toe.title + tic_tac_toe.format_position(tic_tac_toe.knows(after, 1)) == "openspiel:tic_tac_toe/x(1,1)"
    )


@given(st.text())
def test_texts_of_openspiel_are_safe_in_positions(text: str) -> None:
    safe = openspiel._safe(text)
    assert safe.isprintable() and not re.search(r"[\s/@]", safe)
    assert unquote_plus(safe.replace("|", "%0A")) == text


def test_a_solution_is_stored_and_made_anew(tmp_path: Path) -> None:
    game = ruse.games.make("openspiel", {"game": SIMULTANEOUS})
    solution = ruse.solve(game, "lp")
    again = ruse.load(solution.save(tmp_path / "goofspiel.ruse"))
    assert again.game.title == game.title and again.tables == solution.tables
    assert again.verify().exact


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("kuhn_pokr", "expected the name of an OpenSpiel game, got 'kuhn_pokr'; did you mean 'kuhn_poker'?"),
        ("", "expected the name of an OpenSpiel game, got ''"),
        ("kuhn_poker(players=3)", "expected a game of two players, got openspiel:kuhn_poker(players=3) with 3"),
        ("matching_pennies_3p", "expected a game of two players"),
        ("goofspiel(players=3)", "expected a game of two players"),
        (
            "kuhn_poker(players=99)",
            "expected parameters that OpenSpiel takes, got 'kuhn_poker(players=99)': num_players_",
        ),
        ("kuhn_poker(foo=1)", "Unknown parameter 'foo'"),
        ("kuhn_poker(players=2", "Missing closing bracket"),
        ("turn_based_simultaneous_game", "Missing parameter game"),
        ("misere(game=nope())", "Unknown game 'nope'"),
        ("goofspiel(num_cards=0)", "there is a state without moves"),
        ("goofspiel(num_cards=-1)", "expected parameters that OpenSpiel takes"),
        ("universal_poker(numRounds=0)", "it crashed"),
        ("universal_poker(numSuits=99)", "it crashed"),
        ("kuhn_poker(" + "9" * 2000, "expected a line of at most 1,000 characters"),
        ("kuhn_poker(players=2\0)", "expected a line of at most 1,000 characters"),
        ("efg_game(filename=/etc/passwd)", "expected parameters that name no file"),
        ("matrix_pd", "expected a zero-sum game, got openspiel:matrix_pd, which pays "),
        ("bargaining", "expected a zero-sum game"),
        ("tiny_hanabi", "a common-payoff game"),
        ("negotiation", "expected chance with known odds"),
        ("gin_rummy", "which has no information state"),
    ],
)
def test_refusals(text: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    """One sentence each, and OpenSpiel's own complaints stay out of sight."""
    with pytest.raises(OpenSpielError) as caught:
        load(text)
    assert reason in str(caught.value) and "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_refused_once_the_walk_finds_out() -> None:
    with pytest.raises(GameError, match="imperfect recall"):
        sequence_form(load("liars_dice_ir(dice_sides=3,numdice=1,recall_length=1)"))
    with pytest.raises(OpenSpielError, match="expected odds and payoffs that are fractions"):
        sequence_form(load("add_noise(epsilon=0.1,game=kuhn_poker(),seed=1)"))
    with pytest.raises(OpenSpielError, match="such as openspiel:kuhn_poker, got none"):
        openspiel.openspiel()


def test_a_game_that_never_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel, "TRIAL_SECONDS", 0.5)
    with pytest.raises(OpenSpielError, match=r"did not load .* within 0\.5 s"):
        load("normal_form_extensive_game(game=chess())")


@pytest.mark.parametrize("odds", [[(0, 0.5), (1, 0.4)], [(0, 1.5), (1, -0.5)], [(0, 2**-0.5), (1, 1 - 2**-0.5)]])
def test_odds_that_are_none(odds: list[tuple[int, float]]) -> None:
    class Draw:
        def is_terminal(self) -> bool:
            return False

        def is_chance_node(self) -> bool:
            return True

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return odds

    with pytest.raises(OpenSpielError, match="expected odds"):
        load("kuhn_poker").odds(openspiel.OpenSpielNode(Draw(), (), 0))


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 2**0.5])
def test_payoffs_that_are_no_fractions(number: float) -> None:
    with pytest.raises(OpenSpielError, match="denominators up to 1,000,000, got"):
        openspiel._fraction(number)


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(OpenSpielError, match=re.escape("install it with pip install 'ruse[openspiel]'")):
        load("kuhn_poker")


def test_the_page_about_it() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "openspiel.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "openspiel.md", "openspiel.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
