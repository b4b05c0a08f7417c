"""Our files through Gambit itself, and its files through us: `make test-gambit`, since pygambit builds for minutes.

Gambit's own exact LP has to find our values, and its own catalog is read, or refused where it should be.
"""

from __future__ import annotations

import io
from fractions import Fraction

import pygambit
import pytest
from hypothesis import given, settings

from formats.test_gambit_files import BLUFF, ONE_SPY, PENNIES, PENNIES_BY_OUTCOME, Labelled, same_form
from ruse.core.capabilities import constant
from ruse.core.game import CHANCE, END, Game, Knowledge
from ruse.formats.efg import read_efg, write_efg
from ruse.formats.gambit_text import FormatError, plain
from ruse.formats.nfg import read_nfg, write_nfg
from ruse.forms.sequence_form import plain_form
from ruse.games import make
from ruse.solvers.lp import lp
from test_constant_sum import TABLE, TREE
from toys import Decision, Leaf, TreeGame, random_games


def value(game: Game) -> Fraction:
    certificate = lp(plain_form(game)).certificate
    assert certificate.exact
    return certificate.lower


def read_by_gambit(text: str) -> pygambit.Game:
    read = pygambit.read_efg if text.startswith("EFG") else pygambit.read_nfg
    return read(io.BytesIO(text.encode()))


def value_by_gambit(game: pygambit.Game) -> Fraction:
    """By pygambit's sequence-form LP, or its LP on a table, in rationals.

    Where the value is the least payoff of a tree, the LP of pygambit 16.7 can end with odds of 0 for every move of a
    set, which is no strategy. Its complementarity program then has the answer.
    """
    (equilibrium,) = pygambit.nash.lp_solve(game, rational=True).equilibria
    if game.is_tree and any(sum(share for _, share in odds) != 1 for _, odds in equilibrium.mixed_actions()):
        (equilibrium,) = pygambit.nash.lcp_solve(game, rational=True).equilibria
    return Fraction(str(equilibrium.payoff(next(iter(game.players)))))


def check_tree(theirs: pygambit.Game, ours: Game) -> int:
    """Every node has the same mover, moves, odds and payoffs, and shares its information set with the same nodes."""
    first, second = theirs.players
    assert (theirs.title, first.label, second.label) == (ours.title, *ours.sides)
    known: dict[tuple[int, Knowledge], int] = {}
    nodes, stack = 0, [(theirs.root, ours.start())]
    while stack:
        node, state = stack.pop()
        nodes += 1
        turn = ours.turn(state)
        if turn == END:
            assert node.is_terminal
            payoffs = tuple(Fraction(str(node.outcome[player])) for player in (first, second))
            assert payoffs == (ours.payoff(state), constant(ours) - ours.payoff(state))
            continue
        moves = ours.moves(state)
        actions = list(node.infoset.actions)
        assert [action.label for action in actions] == [ours.label(move) for move in moves]
        if turn == CHANCE:
            assert node.player.is_chance
            assert [Fraction(str(action.prob)) for action in actions] == list(ours.odds(state))
        else:
            assert node.player == (first, second)[turn]
            knowledge = ours.knows(state, turn)
            assert node.infoset.label == ours.format_position(knowledge)
            assert known.setdefault((turn, knowledge), node.infoset.number) == node.infoset.number
        stack.extend(zip(node.children, (ours.play(state, move) for move in moves), strict=True))
    for side, player in enumerate((first, second)):
        numbers = [number for (turn, _), number in known.items() if turn == side]
        assert len(player.infosets) == len(set(numbers)) == len(numbers)
    return nodes


@pytest.mark.parametrize(
    ("name", "parameters", "nodes", "worth"),
    [
        ("kuhn", {}, 55, Fraction(-1, 18)),  # Kuhn 1950
        ("kubicek", {}, 15, Fraction(11, 7)),
        ("mini-poker", {}, 21, Fraction(0)),
        ("rock-paper-scissors", {"paper_beats_rock": Fraction(1, 2)}, 13, Fraction(0)),
        ("matrix", {"payoffs": "1 2 3; 4 5/2 -6"}, 9, Fraction(3, 2)),
        ("resistance", ONE_SPY, None, None),  # too large for Gambit's LP to end soon, as is
        ("leduc", {}, 9457, None),
    ],
)
def test_gambit_reads_our_trees(
    name: str, parameters: dict[str, object], nodes: int | None, worth: Fraction | None
) -> None:
    game = make(name, parameters)
    theirs = read_by_gambit(write_efg(game))
    assert theirs.is_const_sum
    assert theirs.is_perfect_recall
    assert check_tree(theirs, game) == (nodes or len(theirs.nodes))
    again = read_efg(theirs.to_efg())
    assert same_form(game, again)
    if worth is not None:
        assert value_by_gambit(theirs) == value(again) == worth


@settings(max_examples=50, deadline=None)
@given(random_games())
def test_gambit_reads_random_trees(game: TreeGame) -> None:
    theirs = read_by_gambit(write_efg(game))
    check_tree(theirs, game)
    again = read_efg(theirs.to_efg())
    assert same_form(game, again)
    assert value_by_gambit(theirs) == value(again)


@pytest.mark.parametrize("name", ["kuhn", "kubicek", "mini-poker", "rock-paper-scissors"])
def test_gambit_reads_our_tables(name: str) -> None:
    game = make(name)
    theirs = read_by_gambit(write_nfg(game))
    again = read_nfg(theirs.to_nfg())
    assert read_nfg(write_nfg(game)).payoffs == again.payoffs
    assert value_by_gambit(theirs) == value(again) == value(game)


@pytest.mark.parametrize("text", [BLUFF, PENNIES, PENNIES_BY_OUTCOME, TREE, TABLE])
def test_both_read_the_same_in_a_file_by_hand(text: str) -> None:
    theirs = read_by_gambit(text)
    read = read_efg if theirs.is_tree else read_nfg
    written = theirs.to_efg() if theirs.is_tree else theirs.to_nfg()
    assert value_by_gambit(theirs) == value(read(text)) == value(read(written))


def test_gambit_reads_any_label() -> None:
    ends = tuple((str(number), Leaf(Fraction(number))) for number in range(4))
    theirs = read_by_gambit(write_efg(Labelled(TreeGame(Decision(0, "here", ends)))))
    labels = [action.label for action in theirs.root.infoset.actions]
    assert labels == list(map(plain, Labelled.names))
    assert read_efg(theirs.to_efg()).moves(0) == ("a-b", "back", "new-line", "resume-u00bd")


def test_gambits_own_catalog() -> None:
    """Trees of two players, constant-sum and of perfect recall, have Gambit's value; all others are refused."""
    solved = []
    for slug in pygambit.catalog.games()["Game"]:
        theirs = pygambit.catalog.load(slug)
        if not theirs.is_tree:
            continue
        if len(theirs.players) == 2 and theirs.is_perfect_recall and theirs.is_const_sum:
            assert value(read_efg(theirs.to_efg())) == value_by_gambit(theirs)
            solved.append(slug)
        else:
            with pytest.raises(FormatError, match=r"two players|perfect recall|add up to"):
                read_efg(theirs.to_efg())
    assert "books/myerson1991/fig2_1" in solved
    assert len(solved) >= 4
