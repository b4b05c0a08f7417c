"""Every game keeps the contract, has the size it should, and plays as its transcript says."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial, partialmethod
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import Phase, find, given, settings

import processes
import ruse.games
from regenerate import PLAYS, TRANSCRIPTS, text
from ruse.core.capabilities import Symmetric
from ruse.core.game import END, Game, GameError, Move, State
from ruse.core.walk import check, count
from ruse.forms.reductions import reduce
from ruse.forms.reductions.games import Wrapper
from ruse.forms.sequence_form import sequence_form
from ruse.games import GAMES, UnknownGame, UnknownParameter, make, parameters_of
from ruse.games.resistance import Resistance
from ruse.games.resistance.rules import ResistancePlay, Seats
from ruse.games.resistance.table import OFFICIAL, make_table
from toys import TreeGame, figure_2_2, random_games, random_perfect_information_games

ONE_SPY = {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]}
TWO_SPIES = {"players": 3, "spies": 2, "missions": [2, 1, 2, 2, 1], "sabotages": [2, 1, 1, 2, 1]}
SMALL: list[tuple[str, Mapping[str, object]]] = [
    ("resistance", ONE_SPY),
    ("resistance", TWO_SPIES),
    ("avalon", ONE_SPY),
    ("kuhn", {}),
    ("leduc", {}),
    ("mini-poker", {}),
    ("mafia", {"players": 5, "mafia": 1}),
    ("policy-deck", {"liberal": 1, "fascist": 2, "players": 2, "fascists": 1}),
    ("rock-paper-scissors", {}),
    ("rock-paper-scissors", {"paper_beats_rock": Fraction(1, 2)}),
    ("matrix", {"payoffs": "1 2 3; 4 5/2 -6", "rows": ["up", "down"]}),
    ("kubicek", {}),
    ("tic-tac-toe", {}),
    ("liars-dice", {"faces": 3}),
    ("poker", {"ranks": 2, "hand": 2, "suits": 3}),
    ("holdem", {}),
    ("goofspiel", {}),
    ("battleship", {"shots": 2}),
    ("oshi-zumo", {"min_bid": 1, "alesia": True}),
    ("guess-who", {"mine": 6, "theirs": 5}),
    ("pig", {"goal": 7}),
    ("nim", {"heaps": [1, 2, 3]}),
    ("morra", {"fingers": 1}),
    ("phantom-tic-tac-toe", {"board": "2x2", "line": 2}),
    ("phantom-4-in-a-row", {"board": "2x2", "line": 2}),
    ("4-in-a-row", {"rows": 2, "columns": 3, "line": 3}),
]
MOST_STATES = 4000  # of games with more, so many states of random plays are checked
PERFT = tomllib.loads((Path(__file__).parents[1] / "perft.toml").read_text(encoding="utf-8"))["perft"]
PERFT_CASES = [
    pytest.param(stanza, marks=pytest.mark.soak) if sum(stanza["states"]) > 100_000 else stanza for stanza in PERFT
]


def test_every_game_is_tried() -> None:
    assert {name for name, _ in SMALL} == {stanza["name"] for stanza in PERFT} == set(GAMES)


@pytest.mark.cases(12)
@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_contract(name: str, parameters: Mapping[str, object]) -> None:
    game = make(name, parameters)
    assert isinstance(game, Game)
    check(game, MOST_STATES if name in ("tic-tac-toe", "resistance", "avalon", "battleship") else None)


@pytest.mark.cases(5)
@pytest.mark.slow
@pytest.mark.parametrize("switches", list(product((False, True), repeat=2)))
@pytest.mark.parametrize(
    ("name", "parameters"), [("kuhn", {}), ("leduc", {}), ("resistance", ONE_SPY), ("resistance", TWO_SPIES)]
)
def test_contract_of_reduced_games(name: str, parameters: Mapping[str, object], switches: tuple[bool, ...]) -> None:
    teams, symmetry = switches
    game = reduce(make(name, parameters), teams=teams, symmetry=symmetry)
    check(game, MOST_STATES // 2)


@given(random_games())
def test_contract_of_random_games(game: TreeGame) -> None:
    check(game)
    check(reduce(game))


@given(random_perfect_information_games())
def test_random_games_of_perfect_information_hide_nothing(game: TreeGame) -> None:
    check(game)
    counts = count(game)
    assert counts.information_sets == (counts.kinds.first, counts.kinds.second)


def test_random_games_can_hide_something() -> None:
    def hides(game: TreeGame) -> bool:
        counts = count(game)
        return sum(counts.information_sets) < counts.kinds.first + counts.kinds.second

    assert hides(find(random_games(), hides, settings=settings(phases=[Phase.generate], derandomize=True)))


def test_figure_2_2_has_more_pure_strategies_than_leaves() -> None:
    """Bossle 2018, §2.4: the second player has 8 pure strategies, the tree 6 leaves."""
    game = figure_2_2()
    check(game)
    assert count(game).kinds.ends == 6
    options = {game.knows(state, 1): len(game.moves(state)) for state in [("a",), ("b",), ("c",)]}
    assert 8 == 2 ** len(options) == options[("saw-a",)] * options[("saw-b",)] * options[("saw-c",)]


# Broken games: Kuhn's poker or Leduc with some rule replaced. Each is refused by a sentence that names where.


def kuhn_but(**rules: Callable[..., Any]) -> Game:
    """Kuhn's poker, but for these methods, which are given the true game first."""
    return _but(Wrapper(ruse.games.kuhn()), ruse.games.kuhn(), rules)


def leduc_but(**rules: Callable[..., Any]) -> Game:
    """Leduc poker, but for these methods, and declared to be symmetric all the same."""
    true = ruse.games.leduc()
    methods = {name: partialmethod(_asking, true, rule) for name, rule in rules.items()}
    made: Game = type("Leduc", (type(true),), {"provides": (Symmetric,), **methods})()
    return made


def _asking(game: Game, true: Game, rule: Callable[..., Any], *asked: object) -> Any:
    return rule(true, *asked)


def _but(game: Game, true: Game, rules: Mapping[str, Callable[..., Any]]) -> Game:
    for method, rule in rules.items():
        setattr(game, method, partial(rule, true))
    return game


def any_text(game: Game, knowledge: object) -> str:
    return f"@{knowledge!r}"


BROKEN: dict[str, tuple[Game, str]] = {
    "no moves": (
        kuhn_but(turn=lambda g, s: 1 if s.bets == ("bet", "fold") else g.turn(s)),
        r"at least one move at state Deal\(cards='JQ', bets=\('bet', 'fold'\)\) of kuhn, got none",
    ),
    "a move twice": (
        kuhn_but(moves=lambda g, s: [*g.moves(s), *g.moves(s)]),
        r"different moves at state Deal\(cards='', bets=\(\)\)",
    ),
    "moves as lists": (
        kuhn_but(moves=lambda g, s: [[move] for move in g.moves(s)]),
        r"a move to be hashable at state Deal\(cards='', bets=\(\)\) of kuhn, got list",
    ),
    "a label twice": (
        kuhn_but(label=lambda g, move: move[0]),
        r"different labels of moves at state Deal\(cards='', bets=\(\)\) of kuhn, got J, J, Q, Q, K, K",
    ),
    "odds below one": (
        kuhn_but(odds=lambda g, s: [Fraction(1, 7)] * 6),
        r"odds that add up to 1 at state Deal\(cards='', bets=\(\)\) of kuhn, got 6/7",
    ),
    "negative odds": (
        kuhn_but(odds=lambda g, s: [Fraction(x) for x in (2, -1, 0, 0, 0, 0)]),
        r"odds of at least 0 at state Deal\(cards='', bets=\(\)\) of kuhn, got -1",
    ),
    "odds as floats": (
        kuhn_but(odds=lambda g, s: [1 / 6] * 6),
        r"exact odds \(.*\) at state Deal\(cards='', bets=\(\)\) of kuhn, got 0\.1666",
    ),
    "odds missing": (
        kuhn_but(odds=lambda g, s: [Fraction(1, 5)] * 5),
        r"odds of 6 moves at state Deal\(cards='', bets=\(\)\) of kuhn, got 5",
    ),
    "an unknown turn": (
        kuhn_but(turn=lambda g, s: 2 if s.bets else g.turn(s)),
        r"the turn to be .* at state Deal\(cards='JQ', bets=\('check',\)\) of kuhn, got 2",
    ),
    "a payoff as float": (
        kuhn_but(payoff=lambda g, s: float(g.payoff(s))),
        r"exact payoff \(.*\) at state Deal\(cards='JQ', bets=\('check', 'check'\)\) of kuhn, got -1\.0",
    ),
    "a payoff of True": (
        kuhn_but(payoff=lambda g, s: True),
        r"exact payoff \(.*\) at state Deal\(cards='JQ', bets=\('check', 'check'\)\) of kuhn, got True",
    ),
    "states as lists": (
        kuhn_but(start=lambda g: ["deal"], turn=lambda g, s: END, payoff=lambda g, s: 0),
        r"a state to be hashable at state \['deal'\] of kuhn, got list",
    ),
    "knowledge as lists": (
        kuhn_but(knows=lambda g, s, side: [s] if s.cards else s),
        r"what first knows to be hashable at state Deal\(cards='JQ', bets=\(\)\) of kuhn, got list",
    ),
    "the first forgets that it bet": (
        kuhn_but(knows=lambda g, s, side: (s.cards[side], s.bets if side else ()), format_position=any_text),
        r"Player 1 forgets its own move \(imperfect recall\) at kuhn@.* \(state Deal\(cards='JQ'",
    ),
    "a check looks like a bet": (
        kuhn_but(knows=lambda g, s, side: (s.cards[side], s.bets[side:], len(s.bets)), format_position=any_text),
        r"information set kuhn@.*, \('check', 'bet'\) and \('fold', 'call'\) \(state Deal\(cards='J.', bets=\('bet',\)",
    ),
    "the second does not see the first move": (
        kuhn_but(knows=lambda g, s, side: g.knows(s._replace(bets=s.bets[side:]), side)),
        r"information set kuhn@Q, \('check', 'bet'\) and \('fold', 'call'\) \(state Deal\(cards='JQ', bets=\('bet',\)",
    ),
    "a position twice": (
        kuhn_but(format_position=lambda g, knowledge: "/".join(("", *knowledge.bets))),
        r"position for each information set, got 'kuhn/check' for two, at state Deal\(cards='JK', bets=\('check',\)\)",
    ),
    "cards of equal records that differ": (
        leduc_but(record=lambda g, s, card, side: (card == s.public,)),
        r"'Js' and 'Jh' have equal records but are not interchangeable at state Hand\(cards=\('Js',\)",
    ),
    "a side that sees more than its records": (
        leduc_but(record=lambda g, s, card, side: g.record(s, card, None) if side is None else ()),
        r"first can tell 'Js' from 'Jh', although their records are equal at state Hand\(cards=\('Js',\)",
    ),
    "a suit that matters for the payoff": (
        leduc_but(payoff=lambda g, s: 1 if s.cards[0] == "Ks" else g.payoff(s)),
        r"same payoff after renaming .* at state Hand\(cards=\('Ks'",
    ),
    "a suit that matters for the turn": (
        leduc_but(turn=lambda g, s: END if s.cards == ("Qs",) else g.turn(s), payoff=lambda g, s: 0),
        r"same turn after renaming .* at state Hand\(cards=\('Q[sh]'",
    ),
    "a suit that matters for the moves": (
        leduc_but(moves=lambda g, s: ["call"] if s.cards[:1] == ("Ks",) and g.turn(s) >= 0 else g.moves(s)),
        r"same moves after renaming .* at state Hand\(cards=\('K[sh]'",
    ),
    "a suit that matters for the odds": (
        leduc_but(odds=lambda g, s: [Fraction(x, 10) for x in (5, 1, 1, 1, 1, 1)] if not s.cards else g.odds(s)),
        r"same odds of 'J[sh]' after renaming .* at state Hand\(cards=\(\)",
    ),
    "a move that is not renamed": (
        leduc_but(rename=lambda g, move, names: move),
        r"expected '[JQK][sh]' to lead to the same after renaming .* at state Hand\(cards=\(\)",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_games_are_refused(fault: str) -> None:
    game, message = BROKEN[fault]
    with pytest.raises(GameError, match=message):
        check(game)


def test_forgetting_while_one_waits_is_noted() -> None:
    knows = kuhn_but(
        knows=lambda g, s, side: (s.cards[side], s.bets[2 - 2 * side :], len(s.bets)), format_position=any_text
    )
    assert [note.partition(" at ")[0] for note in check(knows)] == [
        "while Player 1 waits, it does not know its own moves"
    ]


# Sizes.


@pytest.mark.parametrize("stanza", PERFT_CASES, ids=lambda stanza: stanza["name"])
def test_perft(stanza: dict[str, Any]) -> None:
    counts = count(make(stanza["name"], stanza.get("parameters", {})))
    assert [sum(depth) for depth in counts.depths] == stanza["states"]
    assert counts.states == sum(stanza["states"])
    assert counts.kinds.ends == stanza["ends"]
    assert list(counts.information_sets) == stanza["information-sets"]
    assert list(counts.sequences) == stanza["sequences"]


@given(random_games())
def test_counts_agree_with_the_sequence_form(game: TreeGame) -> None:
    counts, form = count(game), sequence_form(game)
    assert counts.information_sets == (form.trees[0].infosets, form.trees[1].infosets)
    assert counts.sequences == (form.trees[0].sequences, form.trees[1].sequences)


class JohanssonTable(Resistance):
    """Johansson §2.4 also removes "options that contain a previously failed mission"."""

    provides = Resistance.provides

    def moves(self, state: ResistancePlay) -> Any:
        options = super().moves(state)
        if self.turn(state) != 0:
            return options
        failed = [set(mission.seats) for mission in state.done if sum(mission.cards)]
        return [move for move in options if not any(map(set(cast(Seats, move)).issuperset, failed))]


class JohanssonTree(Wrapper):
    """His tree: no spy node once a side has two points."""

    def __init__(self, players: int) -> None:
        super().__init__(reduce(JohanssonTable(make_table(players))))

    def play(self, state: State, move: Move) -> State:
        state = super().play(state, move)
        while self.turn(state) == 1 and 2 in state.score:
            state = super().play(state, "sabotage")
        return state


@pytest.mark.soak
@pytest.mark.slow
def test_johanssons_tree() -> None:
    """Johansson, Table 2, column "tree size". He places no spies before the first mission: one chance node less.

    Six players give his 42,438 in the same way, in some ten seconds.
    """
    assert count(JohanssonTree(5)).states - 1 == 12162


@pytest.mark.parametrize("name", PLAYS)
def test_transcripts(name: str) -> None:
    """After a change that is meant: python tests/regenerate.py, and read the diff."""
    assert text(name) == (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8")


def test_every_transcript_has_a_play() -> None:
    assert {path.stem for path in TRANSCRIPTS.glob("*.txt")} == set(PLAYS)


# The registry.


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_parameters_rebuild_the_game_on_another_machine(name: str, parameters: Mapping[str, object]) -> None:
    game = make(name, parameters)
    again = make(game.name, json.loads(json.dumps(game.parameters)))
    assert (again.title, again.parameters) == (game.title, game.parameters)


def test_parameters_as_on_the_command_line() -> None:
    given_ = {"players": "7", "spies": "2", "missions": "2,3,3,4,4", "sabotages": None}
    assert make("resistance", given_).parameters == {
        "players": 7,
        "spies": 2,
        "missions": [2, 3, 3, 4, 4],
        "sabotages": [1, 1, 1, 2, 1],
    }
    assert make("rock-paper-scissors", {"paper-beats-rock": "0.5"}).parameters == {"paper_beats_rock": "1/2"}
    assert make("matrix", {"payoffs": "1 0; 0 1", "rows": "up,down"}).moves(()) == ("up", "down")


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("whist", {}, "unknown game 'whist'"),
        ("resistence", {}, "did you mean 'resistance'"),
        ("resistance", {"player": 5}, "resistance has no parameter 'player'; did you mean 'players'"),
        ("kuhn", {"cards": 3}, "kuhn has no parameter 'cards'"),
        ("resistance", {"players": "five"}, "expected a whole number for --players, got 'five'"),
        ("resistance", {"players": 5.5}, "expected a whole number for --players, got 5.5"),
        ("resistance", {"players": True}, "expected a whole number for --players, got True"),
        ("resistance", {"missions": "2,x"}, "expected whole numbers such as 2,3,2 for --missions, got '2,x'"),
        ("resistance", {"missions": 3}, "expected whole numbers such as 2,3,2 for --missions, got 3"),
        ("rock-paper-scissors", {"paper_beats_rock": "1/0"}, "expected a number such as 1/2 for --paper-beats-rock"),
        ("rock-paper-scissors", {"paper_beats_rock": 0.5}, "expected a number such as 1/2 for --paper-beats-rock"),
        ("matrix", {"payoffs": 3}, "expected a text for --payoffs, got 3"),
    ],
)
def test_unknown_games_and_parameters(name: str, parameters: Mapping[str, object], message: str) -> None:
    with pytest.raises((UnknownGame, UnknownParameter), match=message):
        make(name, parameters)


def test_parameters_are_documented() -> None:
    for name in GAMES:
        assert GAMES[name].factory.__doc__
        for parameter in parameters_of(name):
            assert parameter.help, f"{name} --{parameter.name} has no help"
    assert parameters_of("rock-paper-scissors")[0][:3] == ("paper-beats-rock", "P/Q", 1)
    assert [parameter.hint for parameter in parameters_of("resistance")] == ["N", "N", "N,N,…", "N,N,…", "N", "yes|no"]


def test_the_factories_are_functions_of_the_package() -> None:
    """Modules such as ruse.games.kuhn carry the name of their factory; the function is what the package offers."""
    for name, spec in GAMES.items():
        assert getattr(ruse.games, name.replace("-", "_").replace("4", "four")) is spec.factory


def test_a_game_is_imported_when_it_is_used() -> None:
    code = (
        "import sys, ruse.games.kuhn.rules; games = sys.modules['ruse.games']; games.kuhn(), games.find('nim');"
        "print(*sorted(name.split('.')[2] for name in sys.modules if name.startswith('ruse.games.')))"
    )
    assert {*processes.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()} == {
        "kuhn",
        "nim",
    }
    assert "leduc" in dir(ruse.games) and not hasattr(ruse.games, "chess")


def test_the_resistance_is_offered_at_every_official_size() -> None:
    assert [table["players"] for table in GAMES["resistance"].offered] == list(OFFICIAL)


def test_games_import_nothing_heavy() -> None:
    code = "import ruse.games, ruse.core.walk, sys; sys.exit(bool({'numpy', 'scipy'} & set(sys.modules)))"
    assert processes.run([sys.executable, "-c", code], check=False).returncode == 0
