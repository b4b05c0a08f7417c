"""Views of solved games: numbers by hand, against brute force, and promises that hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from ruse.core.capabilities import Open
from ruse.core.game import CHANCE, END, Game, GameError, PositionError, State, describe
from ruse.forms.certificate import Certificate
from ruse.present.drawing import MOST_NODES, tree
from ruse.present.model import View, Viewer
from ruse.present.nodes import MOST_STATES
from ruse.present.resolve import resolve_subgame
from ruse.present.tree import TreeViewer, step
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution
from ruse.verify import tree as plain
from toys import TreeGame, random_games
from viewing import check_view, viewed

F = Fraction
SVG = "{http://www.w3.org/2000/svg}"
WALKED: list[tuple[str, dict[str, object]]] = [
    ("kuhn", {}),
    ("mini-poker", {}),
    ("kubicek", {}),
    ("rock-paper-scissors", {}),
    ("matrix", {"payoffs": "1 2; 3 0; -1 5"}),
    ("liars-dice", {"faces": 3}),
    ("goofspiel", {"cards": 3}),
    ("oshi-zumo", {"coins": 2}),
    ("battleship", {"board": "1x2", "ships": "1", "values": "1", "shots": 2}),
    ("openspiel", {"game": "kuhn_poker"}),
]


def kuhn(alpha: Fraction) -> Solution:
    """Kuhn 1950: first's optimal strategies are a family; second has one. Bets with J, calls with Q and bets with K."""

    def odds(move: str, other: str, share: Fraction) -> dict[str, Fraction]:
        return {other: 1 - share, move: share}

    first = {
        "kuhn@J": odds("bet", "check", alpha),
        "kuhn@Q": odds("bet", "check", F(0)),
        "kuhn@K": odds("bet", "check", 3 * alpha),
        "kuhn@J/check/bet": odds("call", "fold", F(0)),
        "kuhn@Q/check/bet": odds("call", "fold", alpha + F(1, 3)),
        "kuhn@K/check/bet": odds("call", "fold", F(1)),
    }
    second = {
        "kuhn@J/check": odds("bet", "check", F(1, 3)),
        "kuhn@Q/check": odds("bet", "check", F(0)),
        "kuhn@K/check": odds("bet", "check", F(1)),
        "kuhn@J/bet": odds("call", "fold", F(0)),
        "kuhn@Q/bet": odds("call", "fold", F(1, 3)),
        "kuhn@K/bet": odds("call", "fold", F(1)),
    }
    value = F(-1, 18)
    return Solution(ruse.games.kuhn(), "by hand", (first, second), Certificate(value, value), 0.0, 0)


BOLD, TIMID = TreeViewer(kuhn(F(1, 3))), TreeViewer(kuhn(F(0)))


def options(view: View) -> dict[str, tuple[Fraction, Fraction | None, Fraction | None]]:
    return {option.move: (option.odds, option.value, option.loss) for option in view.options}


def beliefs(view: View) -> dict[str, Fraction]:
    return {belief.what: belief.odds for belief in view.beliefs}


def test_kuhn_by_hand() -> None:
    """First's J: a check loses the ante; a bet wins 1 against two Qs of three and loses 2 to a Q's call and to a K."""
    view = BOLD.at("kuhn@J")
    assert (view.side, view.turn, view.value, view.reach, view.reached, view.exact) == (0, 0, -1, F(1, 3), True, True)
    assert options(view) == {"check": (F(2, 3), F(-1), F(0)), "bet": (F(1, 3), F(-1), F(0))}
    assert beliefs(view) == {"Q": F(1, 2), "K": F(1, 2)}
    assert [(chip.step, chip.position) for chip in view.history] == [("kuhn", "kuhn"), ("J", "kuhn@J")]
    means = [BOLD.at(f"kuhn@{card}", 0).value for card in "JQK"]
    assert means == [-1, F(-1, 3), F(7, 6)] and sum(means) / 3 == F(-1, 18)


def test_beliefs_follow_the_other_sides_strategy() -> None:
    """A bet comes from a K, or from one J in three: a Q that calls it gets -(1/4)(-2) - (3/4)2 = -1, as by folding."""
    view = BOLD.at("kuhn@Q/bet")
    assert view.side == 1 and beliefs(view) == {"J": F(1, 4), "K": F(3, 4)}
    assert options(view) == {"fold": (F(2, 3), F(1), F(0)), "call": (F(1, 3), F(1), F(0))}
    assert BOLD.at("kuhn@K/check").options[0].loss == F(
        2, 5
    )  # a J checks as 2/3, a Q as 1: -1 against -(2/5 + 3/5 5/3)


def test_who_waits_sees_what_may_come() -> None:
    view = BOLD.at("kuhn@Q/check", 0)
    assert view.turn == 1 and options(view) == {"check": (F(1, 3), F(1), None), "bet": (F(2, 3), F(-1), None)}
    assert [option.after for option in view.options] == ["kuhn@Q/check/check", "kuhn@Q/check/bet"]
    start = BOLD.at("kuhn", 1)
    assert start.turn == CHANCE and options(start)["J"] == (F(1, 3), F(1), None) and start.beliefs == []


def test_own_slips_leave_beliefs_as_they_are() -> None:
    view = BOLD.at("kuhn@K/check/bet")
    assert (
        not view.reached and view.reach == 0 and view.assumption.startswith("Player 1's own strategy never leads here")
    )
    assert beliefs(view) == {"J": F(1), "Q": F(0)} and view.value == 2


def test_slips_of_the_other_side_go_to_any_move_alike() -> None:
    """First never bets, so that a bet tells nothing of its card: to call it with a Q is worth 0, to fold 1 to first."""
    view = TIMID.at("kuhn@Q/bet")
    assert not view.reached and view.assumption.startswith("Player 1's strategy never leads here")
    assert beliefs(view) == {"J": F(1, 2), "K": F(1, 2)}
    assert options(view) == {"fold": (F(2, 3), F(1), F(1)), "call": (F(1, 3), F(0), F(0))}


def test_fewest_slips_are_believed() -> None:
    """Nobody is taken to have slipped twice where one slip explains what is seen."""
    views = viewed("liars-dice", ("faces", 3))
    assert isinstance(views, TreeViewer)
    nodes = views.nodes
    for side in (0, 1):
        for states in nodes.members[side].values():
            counts = [nodes.slips[1 - side][nodes.sequence[1 - side][at]][0] for at in states]
            weights = views.beliefs(states, side)
            assert all(count == min(counts) for count, weight in zip(counts, weights, strict=True) if weight)


def test_matrix_games_show_their_table() -> None:
    view = viewed("rock-paper-scissors").at("rock-paper-scissors/?")
    assert view.table[0] == ["", "rock", "paper", "scissors"] and view.table[1] == ["rock", "0", "-1", "1"]
    assert beliefs(view) == dict.fromkeys(("rock", "paper", "scissors"), F(1, 3))
    morra = viewed("morra").at("morra")
    assert len(morra.table) == len(morra.table[0]) == 31 and any("30 rows" in note for note in morra.notes)
    assert viewed("kuhn").at("kuhn").table == []


def check_everything(views: Viewer, positions: Mapping[int, list[str]]) -> None:
    for side, texts in positions.items():
        for position in texts:
            view = views.at(position, side)
            assert (view.position, view.side) == (position, side)
            check_view(views, view)
            for option in view.options:
                assert option.after is None or option.after in positions[side], position
            assert all(chip.position in positions[side] for chip in view.history), position


def positions_of(game: Game) -> dict[int, list[str]]:
    """Every position of both sides, by a plain walk."""
    found: dict[int, dict[str, None]] = {0: {}, 1: {}}
    stack = [game.start()]
    while stack:
        state = stack.pop()
        for side in (0, 1):
            found[side][describe(game, game.knows(state, side))] = None
        if game.turn(state) != END:
            stack += [game.play(state, move) for move in game.moves(state)]
    return {side: list(texts) for side, texts in found.items()}


@pytest.mark.parametrize(("name", "parameters"), WALKED)
def test_every_position_of_small_games(name: str, parameters: dict[str, object]) -> None:
    views = viewed(name, *parameters.items())
    check_everything(views, positions_of(views.solution.game))
    for side in (0, 1):
        assert views.at(views.start(side), side).value == views.solution.value


def test_leduc_here_and_there() -> None:
    views = viewed("leduc")
    assert isinstance(views, TreeViewer)
    random = Random(0)
    for side in (0, 1):
        for position in random.sample(sorted(views.nodes.members[side]), 150):
            check_view(views, views.at(position, side))
    assert set(beliefs(views.at("leduc@Js/raise", 1))) == {"Jh", "Qs", "Qh", "Ks", "Kh"}


def test_views_of_strategies_that_are_not_optimal() -> None:
    """Numbers are floats then, and are said not to be exact; the odds stay as they are stored."""
    loose = replace(kuhn(F(1, 7)), certificate=Certificate(F(-1, 9), F(0)))
    views, exact = TreeViewer(loose), TreeViewer(kuhn(F(1, 7)))
    for side, positions in positions_of(loose.game).items():
        for position in positions:
            view, same = views.at(position, side), exact.at(position, side)
            assert not view.exact and same.exact and abs(view.value - same.value) < F(1, 10**9)
            if view.turn == side:
                assert [option.odds for option in view.options] == [option.odds for option in same.options]
    assert not views.resolve("kuhn@Q/bet").exact


# Against brute force


def brute(game: Game, tables: Solution) -> tuple[dict[str, list[tuple[Fraction, State]]], ...]:
    """The states where each side moves at each position, weighed by chance and the other side."""
    found: tuple[dict[str, list[tuple[Fraction, State]]], ...] = ({}, {})

    def walk(state: State, weights: tuple[Fraction, Fraction]) -> None:
        turn = game.turn(state)
        if turn == END:
            return
        if turn == CHANCE:
            for move, share in zip(game.moves(state), game.odds(state), strict=True):
                walk(game.play(state, move), (weights[0] * share, weights[1] * share))
            return
        position = describe(game, game.knows(state, turn))
        found[turn].setdefault(position, []).append((weights[turn], state))
        for move in game.moves(state):
            share = tables.tables[turn][position][game.label(move)]
            walk(
                game.play(state, move),
                (weights[0] * share, weights[1]) if turn == 1 else (weights[0], weights[1] * share),
            )

    walk(game.start(), (F(1), F(1)))
    return found


def expected(game: Game, solution: Solution, state: State) -> Fraction:
    turn = game.turn(state)
    if turn == END:
        return F(game.payoff(state))
    moves = game.moves(state)
    if turn == CHANCE:
        odds = list(game.odds(state))
    else:
        table = solution.tables[turn][describe(game, game.knows(state, turn))]
        odds = [table[game.label(move)] for move in moves]
    return sum(
        (share * expected(game, solution, game.play(state, move)) for move, share in zip(moves, odds, strict=True)),
        F(0),
    )


@settings(max_examples=some(40), deadline=None)
@given(random_games())
def test_random_games_agree_with_brute_force(game: TreeGame) -> None:
    solution = ruse.solve(game)
    views = TreeViewer(solution)
    assert {views.at(views.start(side), side).value for side in (0, 1)} == {solution.value}
    check_everything(views, positions_of(game))
    for side, positions in enumerate(brute(game, solution)):
        for position, states in positions.items():
            total = sum(weight for weight, _ in states)
            view = views.at(position, side)
            if not total:
                assert not view.reached
                continue
            assert view.value == sum(weight * expected(game, solution, state) for weight, state in states) / total
            for option, move in zip(view.options, game.moves(states[0][1]), strict=True):
                after = sum(weight * expected(game, solution, game.play(state, move)) for weight, state in states)
                assert option.value == after / total


@settings(max_examples=some(40), deadline=None)
@given(random_games(), st.randoms(use_true_random=False))
def test_playing_anew_is_safe(game: TreeGame, random: Random) -> None:
    """A strategy changed in a subgame as re-solved guarantees no less: what the assumption of the view promises."""
    solution = ruse.solve(game)
    views = TreeViewer(solution)
    nodes = views.nodes
    for side, table in enumerate(solution.tables):
        if not table:
            continue
        position = random.choice(sorted(table))
        resolved = resolve_subgame(nodes, position, side)
        changed = dict(table)
        for at in resolved.inside:
            if nodes.turn[at] == side:
                moves = (nodes.step[child] for child in nodes.children(at))
                shares = (resolved.continuation.shares[child] for child in nodes.children(at))
                changed[nodes.known[side][at]] = dict(zip(moves, map(F, shares), strict=True))
        before, after = (plain.guarantee(game, side, plain.table_policy(game, one, side)) for one in (table, changed))
        assert resolved.margin >= 0
        assert after >= before if side == 0 else after <= before
        view = views.resolve(position, side)
        assert view.assumption.startswith("re-solved from here") and view.exact
        check_view(views, replace(view, assumption=views.at(position, side).assumption))


# What is refused


@pytest.mark.parametrize(
    ("name", "parameters", "position"),
    [
        ("kuhn", {}, "kuhn@A"),
        ("kuhn", {}, ""),
        ("tic-tac-toe", {}, "tic-tac-toe/e/e"),
        ("tic-tac-toe", {}, "x" * 5_000),
        ("pig", {"goal": 10}, "pig(goal=10)@first/3,4,1"),
        ("pig", {"goal": 10}, "pig(goal=10)@first/03,4,0"),
        ("pig", {"goal": 10}, "pig(goal=10)@third/3,4,0"),
        ("guess-who", {"mine": 6, "theirs": 5}, "guess-who(mine=6,theirs=5)@first/7,5"),
        ("guess-who", {"mine": 6, "theirs": 5}, "guess-who(mine=6,theirs=5)@first/6,5/4"),
        ("nim", {"heaps": "1,2,3"}, "nim(heaps=1-2-3)@first/9,9,9"),
        ("4-in-a-row", {"rows": 3, "columns": 3, "line": 3}, "4-in-a-row(rows=3,columns=3,line=3)@xxx,xxx,ooo"),
    ],
)
def test_positions_that_do_not_exist(name: str, parameters: dict[str, object], position: str) -> None:
    views = viewed(name, *parameters.items())
    for ask in (views.at, views.resolve):
        with pytest.raises(PositionError, match="expected a position of"):
            ask(position)


def test_positions_of_the_other_side() -> None:
    assert BOLD.at("kuhn@J").side == 0 and BOLD.at("kuhn@J", 1).side == 1 and BOLD.at("kuhn@J/check").side == 1
    with pytest.raises(PositionError, match=r"that Player 1 can be in, such as kuhn@., got 'matrix/\?'"):
        BOLD.at("matrix/?", 0)


def test_sides_that_do_not_exist() -> None:
    for views in (BOLD, viewed("nim", ("heaps", "1,2,3")), viewed("phantom-tic-tac-toe", ("board", "2x3"))):
        with pytest.raises(PositionError, match="expected side 0 or 1, first or second, got 2"):
            views.at(views.start(0), 2)


def test_games_that_are_too_large() -> None:
    large = replace(kuhn(F(0)), game=ruse.games.liars_dice(8))
    with pytest.raises(GameError, match=f"liars-dice.* states, and ruse can display at most {MOST_STATES:,}"):
        viewer(large)
    four = ruse.games.four_in_a_row()
    with pytest.raises(GameError, match="the solution of 4-in-a-row has no strategies to show"):
        viewer(replace(kuhn(F(0)), game=four, tables=({}, {})))
    assert isinstance(four, Open)


# Pictures


def test_the_tree_is_drawn() -> None:
    solution = kuhn(F(1, 3))
    drawing = solution.tree(depth=2)
    root = ElementTree.fromstring(drawing.svg())
    assert root.findtext(f"{SVG}title") == "kuhn: what may follow" and "−1/18" in (root.findtext(f"{SVG}desc") or "")
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "J 1/3 · −1" in texts and "bet 1/3 · −1" in texts and "check never · 7/6" in texts
    wide = [float(path.attrib["stroke-width"]) for path in root.iter(f"{SVG}path")]
    assert len(wide) == 9 and wide[0] == pytest.approx(4) and min(wide) == 1  # J: 1 + 9/3; bets with Q: never
    assert len(root.findall(f".//{SVG}path[@stroke-dasharray]")) == 2
    assert drawing._repr_svg_() in drawing._repr_html_()
    assert len(list(ElementTree.fromstring(solution.tree("kuhn@Q/bet", depth=0).svg()).iter(f"{SVG}circle"))) == 1


def test_pictures_link_and_escape() -> None:
    game = ruse.games.matrix("1 2; 3 4", rows=["<b>", "x&y"], columns=["y", "z"])
    svg = tree(viewer(ruse.solve(game))).svg(lambda position: f'/p/{position}?a=1&b="2"')
    root = ElementTree.fromstring(svg)
    links = [link.attrib["href"] for link in root.iter(f"{SVG}a")]
    assert '/p/matrix/<b>?a=1&b="2"' in links and any("<b>" in (text.text or "") for text in root.iter(f"{SVG}text"))


def test_large_trees_are_drawn_in_part() -> None:
    views = viewed("leduc")
    root = ElementTree.fromstring(tree(views, depth=9).svg())
    nodes = list(root.iter(f"{SVG}circle")) + list(root.iter(f"{SVG}rect"))
    assert len(nodes) == MOST_NODES and any("more" in (text.text or "") for text in root.iter(f"{SVG}text"))


def test_steps() -> None:
    assert step("kuhn", "kuhn@J") == "J" and step("kuhn@J", "kuhn@J/check") == "check"
    assert step("matrix/?", "matrix/r1/c1") == "r1/c1" and step("matrix", "other") == "other"
