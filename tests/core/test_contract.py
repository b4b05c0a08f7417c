"""Rules that break the contract are refused where a game is solved and where it is verified; exact numbers of any kind
are taken; and trees of any size are solved, written down and verified in no more walks than they need."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

import ruse
from amounts import ALL, some
from random_play import random_games as played_at_random
from ruse.core import size_estimate
from ruse.core.capabilities import Ranged, Symmetric
from ruse.core.contract import Checked, checked
from ruse.core.game import CHANCE, END, Game, GameError, RuseError
from ruse.core.plain_games.tree import ExplicitTree, Node, TreeChoice
from ruse.formats.efg import read_efg, write_efg
from ruse.formats.export import export
from ruse.formats.nfg import write_nfg
from ruse.forms.sequence_form import sequence_form
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution
from ruse.verify.tree import guarantee
from toys import Card, OneCard, TreeGame, label_games, random_games

Rule = Callable[..., Any]
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class Broken(OneCard):
    """One-card poker, but for some rules, which are given the true game first."""

    def __init__(self, rules: dict[str, Rule]) -> None:
        super().__init__(3)
        for name, rule in rules.items():
            setattr(self, name, self._bound(rule))

    @staticmethod
    def _bound(rule: Rule) -> Rule:
        return lambda *values: rule(OneCard(3), *values)


def first_draw(odds: list[Any]) -> dict[str, Rule]:
    return {"odds": lambda game, state: odds if state[0] < 0 else game.odds(state)}


def ending(payoff: object) -> dict[str, Rule]:
    return {"payoff": lambda game, state: payoff}


def counting(turn: Rule) -> dict[str, Rule]:
    return {
        "start": lambda game: 0,
        "turn": turn,
        "moves": lambda game, state: ["on", "over"],
        "play": lambda game, state, move: state + 1 if move == "on" else -1,
        "knows": lambda game, state, side: state,
        "payoff": lambda game, state: 1,
        "format_position": lambda game, knowledge: f"/{knowledge}",
    }


START = r"at state \(-1, -1, ''\) of one-card-3"
BROKEN: dict[str, tuple[dict[str, Rule], str]] = {
    "negative odds": (first_draw([Fraction(2), Fraction(-1), Fraction(0)]), f"odds of at least 0 {START}, got -1"),
    "odds of 4/9": (first_draw([Fraction(4, 27)] * 3), f"odds that add up to 1 {START}, got 4/9"),
    "odds of more than 1": (first_draw([Fraction(1)] * 3), f"odds that add up to 1 {START}, got 3"),
    "too few odds": (first_draw([HALF, HALF]), f"the odds of 3 moves {START}, got 2"),
    "odds as floats": (first_draw([0.5, 0.25, 0.25]), rf"exact odds \(.*\) {START}, got 0.5 among"),
    "odds that are none": (first_draw(None), f"a list of odds {START}, got None"),  # type: ignore[arg-type]
    "payoffs as floats": (ending(0.5), r"an exact payoff \(.*\) at state .* of one-card-3, got 0\.5"),
    "payoffs of yes or no": (ending(True), r"an exact payoff \(.*\) at state .*, got True"),
    "payoffs past counting": (ending(Decimal("Infinity")), r"an exact payoff \(.*\) at state .*Infinity"),
    "payoffs as texts": (ending("1"), r"an exact payoff \(.*\) at state .*, got '1'"),
    "two sets, one text": (
        {"format_position": lambda game, knowledge: f"@{knowledge.history}"},
        r"a different position for each information set, got 'one-card-3@[cb]' for two, at state \(.*\) and at ",
    ),
    "a text that is none": (
        {"format_position": lambda game, knowledge: None},
        r"a position for Card\(.*\) .* as text, got None",
    ),
    "a list for a state": (
        {"play": lambda game, state, move: list(game.play(tuple(state), move))},
        r"a state to be hashable at state \[., -1, ''\] of one-card-3, got list",
    ),
    "a list for knowledge": (
        {"knows": lambda game, state, side: list(game.knows(state, side))},
        r"what (first|second) knows to be hashable at state \(., ., '.*'\) of one-card-3, got list",
    ),
    "a turn for nobody": (
        {"turn": lambda game, state: "first"},
        f"turn to be 0, 1, CHANCE or END {START}, got 'first'",
    ),
    "a turn of none": ({"turn": lambda game, state: None}, f"turn to be 0, 1, CHANCE or END {START}, got None"),
    "moves that are none": ({"moves": lambda game, state: None}, f"a list of moves {START}, got None"),
    "moves one by one": ({"moves": lambda game, state: iter("ab")}, f"a list of moves {START}, got <str_"),
    "no moves": ({"moves": lambda game, state: []}, f"at least one move {START}, got none"),
    "a move twice": ({"moves": lambda game, state: [1, 1, 2]}, f"different moves {START}, got "),
    "a label twice": ({"label": lambda game, move: "x"}, f"different labels of moves {START}, got x, x, x"),
    "rules that raise": (
        {"knows": lambda game, state, side: state.hand},
        r"rules fail to say what (first|second) knows at state \(., ., '.*'\) of one-card-3: AttributeError: .*'hand'",
    ),
    "a state of none": (
        {"play": lambda game, state, move: None},
        r"rules fail to say whose turn it is at state None of one-card-3: TypeError",
    ),
    "a side that forgets": (
        {"knows": lambda game, state, side: Card(state[side], "x" * (len(state[2]) % 2))},
        r"(Player 1 forgets its own move \(imperfect recall\)|imperfect recall|different moves are offered)",
    ),
    "back to the start": (
        {"play": lambda game, state, move: game.start() if move == "k" else game.play(state, move)},
        r"a game that never returns to a state, got one-card-3, which returns to state \(-1, -1, ''\)",
    ),
    "chance goes round": (
        {"play": lambda game, state, move: game.start() if move == 1 else game.play(state, move)},
        r"a game that never returns to a state, got one-card-3, which returns to state \(-1, -1, ''\)",
    ),
    "play without end": (
        counting(lambda game, state: END if state < 0 else state % 2),
        r"play in one-card-3 goes on for more than 10,000 moves at state 1\d{4}",
    ),
    "draws without end": (
        counting(lambda game, state: END if state < 0 else CHANCE)
        | {"odds": lambda game, state: [Fraction(1, 2), Fraction(1, 2)]},
        r"play in one-card-3 goes on for more than 10,000 moves at state 1\d{4}",
    ),
}


@cache
def solved() -> Solution:
    return ruse.solve(OneCard(3))


@pytest.mark.cases(30)
@pytest.mark.parametrize("solver", ["auto", "mccfr", "backward-induction"])
@pytest.mark.parametrize("fault", BROKEN)
def test_broken_rules_are_not_solved(fault: str, solver: str) -> None:
    rules, message = BROKEN[fault]
    if solver == "backward-induction":  # which may also find that the game has secrets
        message = f"{message}|backward-induction needs perfect information"
    with pytest.raises(GameError, match=message) as caught:
        ruse.solve(Broken(rules), solver, iterations=1 if solver == "mccfr" else None)
    assert "\n" not in str(caught.value)


NOT_SEEN = ("a label twice",)  # by a table, in which one label is one move


@pytest.mark.parametrize("fault", [fault for fault in BROKEN if fault not in NOT_SEEN])
def test_nothing_of_broken_rules_is_verified(fault: str) -> None:
    rules, message = BROKEN[fault]
    with pytest.raises(RuseError, match=f"{message}|expected odds at one-card-3") as caught:
        replace(solved(), game=Broken(rules)).verify()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "fault", ["negative odds", "odds of 4/9", "odds as floats", "payoffs as floats", "two sets, one text"]
)
def test_what_a_strategy_guarantees_is_not_said_of_broken_rules(fault: str) -> None:
    rules, message = BROKEN[fault]
    game = Broken(rules)
    with pytest.raises(GameError, match=message):
        guarantee(game, 0, lambda state: dict.fromkeys(OneCard(3).moves(state), HALF))


def test_the_sentence_comes_to_the_terminal_too() -> None:
    """A tree whose odds do not add up, which no file can hold, by hand."""
    choices = [TreeChoice(CHANCE, "", ("heads", "tails"), (Fraction(2), Fraction(-1)))]
    ends = [Node(END, [], ((), ()), Fraction(payoff)) for payoff in (1, 7)]
    tree = ExplicitTree("efg", "coin", ("first", "second"), {}, choices, [Node(0, [1, 2], ((), ()), None), *ends])
    with pytest.raises(GameError, match="odds of at least 0 at state 0 of coin, got -1"):
        ruse.solve(tree)


def test_a_cycle_that_random_plays_miss() -> None:
    """Two hundred moves that end the play, and one that does not."""
    rules = counting(lambda game, state: END if state < 0 else 0) | {
        "moves": lambda game, state: [*range(200), "on"],
        "play": lambda game, state, move: 0 if state == 3 else state + 1 if move == "on" else -1,
    }
    with pytest.raises(GameError, match=r"play that never comes back to a state, .* state 0|imperfect recall"):
        ruse.solve(Broken(rules))


class OfThree(OneCard):
    """The same numbers of another kind."""

    def __init__(self, odds: Callable[[Fraction], Any], payoff: Callable[[Fraction], Any]) -> None:
        super().__init__(3)
        self._kinds = odds, payoff

    def odds(self, state: Any) -> Any:
        return [self._kinds[0](share) for share in ((HALF, HALF, Fraction(0)) if state[0] < 0 else (HALF, HALF))]

    def payoff(self, state: Any) -> Any:
        return self._kinds[1](super().payoff(state))


@pytest.mark.parametrize(
    "payoff", [int, lambda worth: Decimal(int(worth)), Fraction], ids=["int", "Decimal", "Fraction"]
)
@pytest.mark.parametrize("odds", [lambda share: Decimal(str(float(share))), Fraction], ids=["Decimal", "Fraction"])
def test_exact_numbers_of_every_kind(odds: Any, payoff: Any) -> None:
    plain, other = OfThree(Fraction, Fraction), OfThree(odds, payoff)
    for solver in ("auto", "cfr+"):
        solution = ruse.solve(other, solver, iterations=50 if solver == "cfr+" else None)
        assert solution.tables == ruse.solve(plain, solver, iterations=50 if solver == "cfr+" else None).tables
        assert solution.game is other
        assert solution.verify() == solution.certificate
    solution = ruse.solve(other)
    views = viewer(solution)
    assert views.at(views.start(0), 0).value == solution.value
    assert sum(played_at_random(solution, 0, 20, 1).values()) == 20
    assert ruse.solve(read_efg(write_efg(other))).value == solution.value


def test_whole_numbers_as_odds() -> None:
    sure = Broken({"odds": lambda game, state: [1, 0, 0] if state[0] < 0 else [0, 1]})
    assert ruse.solve(sure).value == ruse.solve(Broken(first_draw([Fraction(1), Fraction(0), Fraction(0)]))).value == -1


def test_only_games_from_elsewhere_are_checked() -> None:
    for game in (ruse.games.kuhn(), ruse.games.matrix("0 1; 1 0"), ruse.games.resistance()):
        assert checked(game) is game
    mine, tree = OneCard(3), read_efg(write_efg(ruse.games.kuhn()))
    for other in (mine, tree, type("Mine", (type(ruse.games.kuhn()),), {"__module__": "mine"})()):
        assert isinstance(checked(other), Checked) and isinstance(checked(other), Game)
        assert checked(checked(other)) is not other and isinstance(checked(checked(other)), Checked)
    assert not isinstance(checked(mine), Symmetric)


@settings(max_examples=some(20), deadline=None)
@given(label_games())
def test_a_checked_game_can_do_what_it_could(game: Any) -> None:
    assert isinstance(checked(game), Symmetric)
    assert ruse.solve(game).certificate == ruse.solve(game, symmetry=False).certificate


def test_a_game_that_is_won_or_lost_pays_no_more() -> None:
    class Won(OneCard):
        wins = ("first", "second")  # type: ignore[assignment]

    with pytest.raises(
        GameError,
        match=r"a payoff from -1 to 1 in a game .* lost, at state \(., ., '.*k'\) .*, got Fraction",
    ):
        ruse.solve(Won(3))


@pytest.mark.parametrize("given", [(-2.0, 2.0), (2, -2), (None, 1)])
def test_a_payoff_range_is_exact(given: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is said of a game that does not fit."""
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 1 << 20)

    class Paying(OneCard):
        provides = (Ranged,)

        def payoff_range(self) -> tuple[Any, Any]:
            return given

    game: Any = Paying(60)
    with pytest.raises(
        GameError, match="expected payoff_range\\(\\) of one-card-60 to give two exact numbers in order, got"
    ):
        ruse.solve(game, iterations=1)


def test_a_game_that_is_too_large_and_says_nothing_of_its_payoffs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 1 << 20)
    sentence = r"^one-card-60 is too large to solve: its tree has (?s:.*) write payoff_range\(\), or set wins to"
    with pytest.raises(GameError, match=sentence):
        ruse.solve(OneCard(60), iterations=1)


# Walks.


class Counted(OneCard):
    """Counts how often it is asked."""

    def __init__(self, cards: int) -> None:
        super().__init__(cards)
        self.asked: Counter[str] = Counter()

    def play(self, state: Any, move: Any) -> Any:
        self.asked["play"] += 1
        return super().play(state, move)

    def moves(self, state: Any) -> Any:
        self.asked["moves"] += 1
        return super().moves(state)


def test_the_check_is_no_walk_of_its_own() -> None:
    game, cards = Counted(9), 9
    sequence_form(game)
    inner, ends = 1 + cards + 4 * cards * (cards - 1), 5 * cards * (cards - 1)
    assert game.asked["play"] == inner + ends - 1
    assert game.asked["moves"] == inner + 1 + cards  # once more where there are odds


def test_forced_moves_cost_no_walk() -> None:
    counts = []
    for forced in (True, False):
        game = Counted(12)
        ruse.solve(game, forced=forced)
        counts.append(game.asked)
    assert counts[0] == counts[1]


@settings(max_examples=some(60), deadline=None)
@given(random_games())
def test_forced_moves_change_no_answer(game: TreeGame) -> None:
    with_them, without = ruse.solve(game, "lp", forced=False), ruse.solve(game, "lp")
    assert with_them.value == without.value
    assert without.verify() == without.certificate
    assert [set(table) for table in with_them.tables] == [set(table) for table in without.tables]


@pytest.mark.skipif(not ALL, reason="ten seconds: in `make soak`")
def test_a_tree_of_more_than_300_000_states() -> None:
    """Until 0.4.0 such games were solved and then refused, but with --no-forced."""
    game = OneCard(276)  # 303,877 states before the end
    solution = ruse.solve(game)
    assert solution.certificate.exact
    assert len(solution.tables[0]) == len(solution.tables[1]) == 2 * 276
    assert solution.verify() == solution.certificate


def test_what_does_not_fit_is_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Counted(60)
    solution = replace(ruse.solve(OneCard(60)), game=game)
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 1 << 20)
    sentence = "is too large .*: it has at least .* nodes, and at most 349 fit in half of the 0.0 GB of free memory; "
    with pytest.raises(GameError, match=sentence):
        solution.verify()
    with pytest.raises(GameError, match=sentence):
        ruse.solve(game, "lp")
    assert game.asked["play"] < 2000  # random plays, but no walk


# What the command line refuses to write, the library refuses.


@pytest.mark.parametrize("game", [ruse.games.pig(goal=3), ruse.games.nim()], ids=str)
def test_games_without_a_tree_are_not_written(game: Game) -> None:
    for write, form in ((write_efg, "efg"), (write_nfg, "nfg")):
        sentence = f"{game.title} is solved by states, without a tree, so ruse cannot write it as .{form}"
        with pytest.raises(RuseError) as caught:
            write(game)
        assert str(caught.value) == sentence
        with pytest.raises(RuseError) as caught:
            export(game, form, os.devnull)  # type: ignore[arg-type]
        assert str(caught.value) == sentence
    with pytest.raises(GameError, match="has no game tree, and so no sequence form"):
        sequence_form(game)


def test_games_that_are_too_large_are_not_written() -> None:
    game = ruse.games.phantom_four_in_a_row(board="3x3", line=3)
    with pytest.raises(RuseError, match=r"expected a game of at most 1,000,000 nodes to write as \.efg, got at least"):
        write_efg(game)
