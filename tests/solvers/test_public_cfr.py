"""Runs on public trees agree with those on sequence forms, and do not depend on how many threads there are."""

from __future__ import annotations

import gc
from fractions import Fraction
from itertools import pairwise
from random import Random
from threading import enumerate as enumerate_threads
from time import sleep
from typing import Any

import numpy as np
import pytest

import ruse.forms.chunked as chunked
import ruse.forms.public_layout as public_layout
import ruse.solvers.public_cfr as public_cfr
from public_games import RandomPublic
from ruse.core.capabilities import Public
from ruse.core.game import END, GameError, describe
from ruse.forms.integer_form import Compiled
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_check import against_rules
from ruse.forms.public_layout import Layout, _factors, laid_out
from ruse.forms.public_table import PublicTable
from ruse.forms.public_tree import node_of, public_tree
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.games import battleship, kuhn, leduc, liars_dice
from ruse.games.battleship import Battleship
from ruse.games.liars_dice.rules import LIAR
from ruse.solvers.cfr import Cfr
from ruse.solvers.lp import lp
from ruse.solvers.public_cfr import NotANumber, PublicCfr
from ruse.solvers.variants import VARIANTS
from ruse.verify.verifier import bounds

Array = np.ndarray[Any, np.dtype[Any]]
SEEDS = range(16)


@pytest.fixture(params=[(4096, 10**6), (6, 10**6), (6, -(10**6))], ids=["whole", "cut", "factors"])
def most(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees in one piece, and in many; matrices as they are, and in factors."""
    most, factor = request.param
    monkeypatch.setattr(public_layout, "MOST", most)
    monkeypatch.setattr(public_layout, "FACTOR", factor)


def rows_of(game: Public, layout: Layout, form: FormArrays, side: int) -> list[int | None]:
    """Where the sums of each sequence of a form lie; None where nobody chooses."""
    rules, tree, width = game.public(), layout.tree, layout.sides[side].width
    place: dict[Any, list[int | None]] = {}
    stack = [game.start()]
    while stack:
        state = stack.pop()
        turn, options = game.turn(state), list(game.moves(state))
        if turn == side:
            *hands, moves = rules.place(state) or ()
            node, public = node_of(tree, rules, moves)
            first, every = int(tree.first[node]), list(rules.moves(public))
            rows = [int(layout.row[first + every.index(move)]) for move in options]
            place[game.knows(state, side)] = [row * width + hands[side] if row >= 0 else None for row in rows]
        stack += [game.play(state, move) for move in options if turn != END]
    return [None, *(at for known in form.knowledge[side] for at in place[known])]


def as_sums(game: Public, layout: Layout, form: FormArrays, side: int, sums: Array) -> Array:
    return np.array([1.0 if at is None else float(sums[at]) for at in rows_of(game, layout, form, side)])


@pytest.mark.cases(12)
@pytest.mark.usefixtures("most")
@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_give_the_iterates_of_their_sequence_forms(seed: int) -> None:
    game = RandomPublic(seed)
    against_rules(game)
    layout, form = laid_out(public_tree(game)), sequence_form(game)
    for name in ("cfr", "cfr+", "dcfr", "sapcfr+", "pdcfr+"):
        plain, public = Cfr(Compiled(form), VARIANTS[name]), PublicCfr(layout, VARIANTS[name])
        for portion in (1, 1, 6):
            plain.run(portion)
            public.run(portion)
            for side in (0, 1):
                expected, found = plain.weights()[side], as_sums(game, layout, form, side, public.weights()[side])
                chosen = [number for number, at in enumerate(rows_of(game, layout, form, side)) if at is not None]
                assert found[chosen] == pytest.approx(expected[chosen], rel=1e-9, abs=1e-9 * (1 + expected.max()))


@pytest.mark.cases(12)
@pytest.mark.usefixtures("most")
@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_are_those_of_the_rules_and_hold_the_value(seed: int) -> None:
    """Whatever the weights are: the table that they stand for is walked by the rules, in fractions."""
    game = RandomPublic(seed)
    layout, random = laid_out(public_tree(game)), np.random.default_rng(seed)
    judge = Bounds(layout, 1)
    weights = [
        random.random(side.rows * side.width) * (random.random(side.rows * side.width) < 0.7) for side in layout.sides
    ]
    certified = judge.certify((weights[0], weights[1]))
    tables = PublicTable(game, 0, judge, weights[0]), PublicTable(game, 1, judge, weights[1])
    walked = bounds(game, ({**tables[0]}, {**tables[1]}))
    assert certified.certificate == walked
    value = lp(sequence_form(game)).certificate.lower
    assert certified.certificate.lower <= value <= certified.certificate.upper


@pytest.mark.parametrize("game", [kuhn(), leduc(), liars_dice(3), liars_dice(2, 2)], ids=lambda game: game.title)
def test_runs_come_to_the_value_of_a_game(game: Public) -> None:
    layout = laid_out(public_tree(game))
    value = lp(sequence_form(game)).certificate.lower
    for precision, close in (("float64", 2e-3), ("float32", 2e-2)):
        run = PublicCfr(layout, VARIANTS["pdcfr+"], precision=precision)
        run.run(1500)
        found = Bounds(layout).certify(run.weights()).certificate
        assert found.lower <= value <= found.upper
        assert found.gap < close * (1 + abs(value))


def test_a_table_has_every_position_of_a_side_once() -> None:
    game = leduc()
    layout, form = laid_out(public_tree(game)), sequence_form(game)
    run = PublicCfr(layout, VARIANTS["cfr+"])
    run.run(10)
    weights, judge = run.weights(), Bounds(layout)
    for side in (0, 1):
        table = PublicTable(game, side, judge, weights[side])
        assert sorted(table) == sorted(game.title + game.format_position(known) for known in form.knowledge[side])
        assert len(table) == form.trees[side].infosets
        assert all(sum(odds.values()) == 1 for odds in table.values())
        assert all(table[position] == odds for position, odds in table.items())
        assert "leduc@Ks/raise/fold" not in table
        assert "leduc@Ks/call/call/Ks" not in table
        assert "kuhn@K" not in table
    assert set(PublicTable(game, 0, judge, weights[0])["leduc@Ks"]) == {"call", "raise"}


@pytest.mark.parametrize("solver", ["cfr+", "pdcfr+"])
def test_two_threads_give_the_same_bits_as_one(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_layout, "MOST", 100)
    monkeypatch.setattr(chunked, "ROWS", 100)
    monkeypatch.setattr(chunked, "WORTH_SHARING", 0)
    layout = laid_out(public_tree(liars_dice(4)))
    one, two, three = (PublicCfr(layout, VARIANTS[solver], workers=workers) for workers in (1, 2, 3))
    one.run(30)
    for portion in (1, 7, 22):
        two.run(portion)
        two.weights()  # which settles the average early
    three.run(30)
    for run in (two, three):
        assert all((mine == its).all() for mine, its in zip(one.weights(), run.weights(), strict=True))
        assert all((one.state()[name] == numbers).all() for name, numbers in run.state().items())
    first, second = (Bounds(layout, workers).certify(one.weights()).certificate for workers in (1, 3))
    assert first == second


def test_a_run_goes_on_from_its_state_bit_for_bit() -> None:
    layout = laid_out(public_tree(leduc()))
    straight, before, after = (PublicCfr(layout, VARIANTS["pdcfr+"]) for _ in range(3))
    straight.run(20)
    before.run(9)
    after.restore({name: numbers.copy() for name, numbers in before.state().items()})
    after.run(11)
    assert after.iterations == 20
    assert all((mine == its).all() for mine, its in zip(straight.weights(), after.weights(), strict=True))
    with pytest.raises(ValueError, match=r"expected .* finite numbers in regret0"):
        after.restore({**before.state(), "regret0": np.full_like(before.state()["regret0"], np.nan)})


def test_numbers_that_are_none_are_noticed() -> None:
    run = PublicCfr(laid_out(public_tree(kuhn())), VARIANTS["cfr+"], precision="float32")
    run.run(3)
    run.state()["regret0"][:] = np.inf
    run.run(1)
    with pytest.raises(NotANumber, match=r"expected finite regrets after 4 iterations in float32, .*: use float64"):
        run.weights()


def test_payoffs_too_long_for_64_bits_are_refused() -> None:
    layout = laid_out(public_tree(kuhn()))
    object.__setattr__(layout.tree, "largest", 1 << 40)
    with pytest.raises(GameError, match="expected payoffs that leave 32 of 62 bits for a plan, got 22"):
        _ = Bounds(layout).bits


def test_the_whole_plan_loses_no_unit() -> None:
    """Shares are whole and add up, also where weights are all zero, tiny or of very different sizes."""
    layout = laid_out(public_tree(liars_dice(3)))
    judge, side = Bounds(layout), layout.sides[0]
    random = Random(1)
    for low, k, row in side.runs[:, [0, 2, 3]].tolist():
        sums = np.zeros(side.rows * side.width)
        for number in range(len(sums)):
            sums[number] = random.choice((0.0, 1e-300, 1.0, 1e300))
        for whole in (0, 1, 7, 1 << judge.bits):
            parts = judge.shares(0, sums, 1, row, k, whole)
            assert sum(parts) == whole
            assert min(parts) >= 0
        assert low >= 0


def test_matrices_are_the_sums_of_their_factors() -> None:
    rules = liars_dice(6, 2).public()
    every = np.stack([rules.matrix((bid, LIAR)) for bid in range(1, 25)])
    for tables in (every, every.transpose(0, 2, 1)):
        span, counts, patterns = _factors(tables, 24, 24, np.float64)
        assert (np.diff(span) > 0).all() and span[-1] <= 3 * len(tables)
        counts, patterns = counts.reshape(-1, 24), patterns.reshape(-1, 24)
        for number, (low, high) in enumerate(pairwise(span)):
            assert (counts[low:high].T @ patterns[low:high])[:21, :21] == pytest.approx(tables[number])


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (battleship("1x2", [1], [1], 1), Fraction(1, 4)),
        (battleship("2x1", [1], [3], 2), Fraction(3, 2)),
        (battleship("3x1", [1, 1], [3, 0], 2), None),
        (battleship(shots=1), Fraction(0)),
    ],
    ids=lambda found: getattr(found, "title", "value"),
)
def test_hands_that_are_chosen_are_learned_too(game: Battleship, value: Fraction | None) -> None:
    """Fleets are placed, not dealt, and answer for themselves: their odds are part of the plan."""
    tree = public_tree(game)
    against_rules(game, tree)
    layout = laid_out(tree)
    judge = Bounds(layout)
    for name in ("cfr+", "pdcfr+"):
        run = PublicCfr(layout, VARIANTS[name])
        run.run(40)
        again = PublicCfr(layout, VARIANTS[name])
        again.restore({key: numbers.copy() for key, numbers in run.state().items()})
        for one in (run, again):
            one.run(160)
        weights = run.weights()
        assert all((mine == its).all() for mine, its in zip(weights, again.weights(), strict=True))
        tables = [PublicTable(game, side, judge, weights[side]) for side in (0, 1)]
        found = judge.certify(weights).certificate
        assert found == bounds(game, ({**tables[0]}, {**tables[1]}))
        assert found.gap < Fraction(1, 10)
        if value is not None:
            assert found.lower <= value <= found.upper
    form = sequence_form(game)
    for side in (0, 1):
        positions = {describe(game, known) for known in form.knowledge[side]}
        assert set(tables[side]) == positions and len(tables[side]) == len(positions)
        assert all(tables[side][position] == odds for position, odds in tables[side].items())
        assert "battleship@z9" not in tables[side]


def test_threads_that_wait_are_let_go_where_the_first_one_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_layout, "MOST", 100)
    monkeypatch.setattr(chunked, "WORTH_SHARING", 0)
    layout = laid_out(public_tree(liars_dice(4)))
    alone, run = (PublicCfr(layout, VARIANTS["cfr+"], workers=workers) for workers in (1, 3))
    whole = public_cfr.kernel.passes

    def interrupted(*given: Any) -> None:
        if given[-1] == 0:
            raise KeyboardInterrupt
        whole(*given)

    alone.run(3)
    run.run(3)
    with monkeypatch.context() as patched:
        patched.setattr(public_cfr.kernel, "passes", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.run(5)
    assert all((mine == its).all() for mine, its in zip(alone.weights(), run.weights(), strict=True))


def test_errors_in_threads_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_layout, "MOST", 100)
    monkeypatch.setattr(chunked, "ROWS", 100)
    monkeypatch.setattr(chunked, "WORTH_SHARING", 0)
    before = set(enumerate_threads())
    team = chunked.ChunkTeam(laid_out(public_tree(liars_dice(4))), 3)
    helpers = [one for one in enumerate_threads() if one not in before and "_help" in one.name]
    second = team.stretches[1]
    assert team.workers == 3 == 1 + len(helpers)

    def work(stretch: tuple[int, int], worker: int) -> None:
        if stretch == second:
            raise GameError("the second stretch")
        sleep(0.001)

    for _ in range(3):
        with pytest.raises(GameError, match="the second stretch"):
            team(work)
    done: list[tuple[int, int]] = []
    team(lambda stretch, _: done.append(stretch))
    assert sorted(done) == team.stretches
    del team
    gc.collect()  # what was raised knows who raised it
    for one in helpers:
        one.join(120)  # seconds, on a busy machine
    assert not any(one.is_alive() for one in helpers)
