"""Large games with a public tree: solved, kept, looked up and verified without their sequence form."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import inf
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import processes
import ruse
import ruse.forms.public_tree as public_tree_module
from public_games import RandomPublic
from ruse.core import size_estimate
from ruse.core.capabilities import Public
from ruse.core.game import GameError
from ruse.forms.certificate import Certificate
from ruse.forms.public_table import PublicTable
from ruse.forms.public_tree import public_tree
from ruse.solution import rows, weights
from ruse.solution.checkpoint import CheckpointError
from ruse.solution.container import StoreError
from ruse.solution.store import dumps, load, loads
from ruse.solution.strategy import Solution
from ruse.solvers import UnknownSolver, find
from ruse.solving import form_memory, routes
from ruse.solving.auto import ON_PUBLIC_TREE
from ruse.solving.options import SolveOptions
from ruse.solving.routes import public_tree as public_tree_route
from ruse.verify import VerifyError
from ruse.verify.verifier import bounds


@pytest.fixture(autouse=True)
def every_public_tree_counts_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LARGE", 0)


@pytest.fixture(scope="module")
def dice() -> Solution:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routes, "LARGE", 0)
        return ruse.solve(ruse.games.liars_dice(4), "cfr+", iterations=50)


def test_strategies_are_looked_up_and_as_good_as_certified(dice: Solution) -> None:
    first, second = dice.tables
    assert isinstance(first, PublicTable)
    assert bounds(dice.game, ({**first}, {**second})) == dice.certificate
    assert dice.verify() == dice.certificate
    assert sum(dice.strategy(0).at("liars-dice(faces=4)@2").values()) == 1
    assert 0 < dice.certificate.gap < Fraction(1, 5)
    assert [point.iteration for point in dice.points][-1] == 50


def test_a_wrong_claim_is_found_out(dice: Solution) -> None:
    better = Certificate(dice.certificate.lower + Fraction(1, 10**6), dice.certificate.upper)
    with pytest.raises(VerifyError, match=r"expected the strategy of first .* as is claimed"):
        replace(dice, certificate=better).verify()


def test_a_file_holds_the_weights(dice: Solution, tmp_path: Path) -> None:
    again = load(dice.save(tmp_path / "dice.ruse"))
    assert again.tables == dice.tables
    assert again.identity == dice.identity
    assert again.verify() == dice.certificate
    assert loads(dumps(dice), "bytes").certificate == dice.certificate
    assert [path.name for path in tmp_path.iterdir()] == ["dice.ruse"]


def test_long_strategies_lie_beside_the_file(dice: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_WITHIN", 100)
    file = dice.save(tmp_path / "dice.ruse")
    (beside,) = tmp_path.glob("dice.ruse.*.rows")
    assert load(file).tables == dice.tables
    content = beside.read_bytes()
    beside.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(StoreError, match="do not match their checksum"):
        load(file)
    beside.write_bytes(content[:-8])
    with pytest.raises(StoreError, match=r"expected .* bytes in"):
        load(file)
    beside.unlink()
    with pytest.raises(StoreError, match="cannot read the strategies in"):
        load(file)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "|O"}, "expected weights of a game with a public tree"),
        ({"shapes": [[1, 2]]}, "expected weights of a game with a public tree"),
        ({"shapes": [[1, 2], [3, 4]]}, "expected 14 weights, got"),
        ({"weights": "????"}, "not floats in base 64"),
        ({"sha256": "0"}, "do not match their checksum"),
        ({"beside": "../other.rows"}, "expected strategies in a file beside this one"),
    ],
)
def test_weights_from_strangers_are_checked(dice: Solution, change: dict[str, object], sentence: str) -> None:
    fields = {**rows.fields_of(dice.tables), **change}
    with pytest.raises(StoreError, match=sentence):
        rows.tables_of(dice.game, fields, None)
    with pytest.raises(StoreError, match=r"expected weights of \[.*\] moves and hands for liars-dice"):
        rows.tables_of(ruse.games.liars_dice(5), rows.fields_of(dice.tables), None)


def test_weights_that_are_no_weights_are_refused(dice: Solution) -> None:
    first, second = dice.tables
    assert isinstance(first, PublicTable)
    for bad in (np.nan, -1.0, np.inf):
        broken = PublicTable(first.game, 0, first.bounds, np.full_like(first.sums, bad))
        with pytest.raises(StoreError, match="expected weights of at least 0"):
            rows.tables_of(dice.game, rows.fields_of((broken, second)), None)


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    game, file = ruse.games.leduc(), tmp_path / "run"
    straight = ruse.solve(game, "pdcfr+", iterations=30)
    ruse.solve(game, "pdcfr+", iterations=12, checkpoint=file)
    resumed = ruse.solve(game, "pdcfr+", iterations=30, checkpoint=file, resume=True)
    assert resumed.tables == straight.tables
    with pytest.raises(
        CheckpointError, match=r"expected a checkpoint of a run with precision 'float32', got .*'float64'"
    ):
        ruse.solve(game, "pdcfr+", iterations=30, checkpoint=file, resume=True, precision="float32")


def test_checkpoints_of_other_forms_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = ruse.games.kuhn(), tmp_path / "run"
    monkeypatch.setattr(routes, "LARGE", 1_000)
    ruse.solve(game, "cfr+", iterations=5, checkpoint=file)
    monkeypatch.setattr(routes, "LARGE", 0)
    with pytest.raises(CheckpointError, match="expected a checkpoint of a run with tree 'public', got one with None"):
        ruse.solve(game, "cfr+", iterations=9, checkpoint=file, resume=True)
    ruse.solve(game, "cfr+", iterations=5, checkpoint=tmp_path / "other")
    monkeypatch.setattr(routes, "LARGE", 1_000)
    with pytest.raises(CheckpointError, match="of a run on a sequence form, got one with tree 'public', device 'cpu'"):
        ruse.solve(game, "cfr+", iterations=9, checkpoint=tmp_path / "other", resume=True)


def test_what_does_not_fit_is_refused_with_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 8 << 30)
    with pytest.raises(GameError, match=r"cfr\+ needs .* free memory \(4.00 GB\): .* nodes would fit; use mccfr.* gpu"):
        ruse.solve(ruse.games.liars_dice(13), "cfr+", iterations=1)
    told: list[str] = []
    ruse.solve(ruse.games.liars_dice(3), "cfr+", iterations=1, report=lambda text, *_: told.append(text))
    assert "a public tree of 127 nodes, about 0.00 GB of memory" in told


def test_what_fits_nowhere_is_told_with_what_it_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three dice have more hands than a GPU's sweeps of bids take: that is no reason to refuse a run on a CPU."""
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 8 << 30)
    with pytest.raises(GameError, match=r"^cfr\+ needs .* free memory \(4.00 GB\): .* or smaller parameters$"):
        ruse.solve(ruse.games.liars_dice(6, 3), "cfr+", iterations=1)
    many = ruse.solve(ruse.games.liars_dice(6, 3), iterations=1)
    few = ruse.solve(ruse.games.liars_dice(15), iterations=1)
    assert many.why == "the tree does not fit in memory; its public tree would take 222,720 GB"
    assert few.why == (
        "the tree does not fit in memory; its public tree would take 1,080 GB, or 528 GB on a GPU with --device gpu"
    )


def test_exact_answers_still_come_from_the_form() -> None:
    solution = ruse.solve(ruse.games.liars_dice(3))
    assert solution.certificate.exact
    assert not isinstance(solution.tables[0], PublicTable)
    assert not isinstance(ruse.solve(ruse.games.liars_dice(3), gap=1e-9).tables[0], PublicTable)
    rough = ruse.solve(ruse.games.liars_dice(3), gap=1e-2)
    assert isinstance(rough.tables[0], PublicTable)
    assert (rough.solver, rough.why) == ON_PUBLIC_TREE


def test_half_the_memory_is_for_public_trees_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LARGE", 10**9)
    single = ruse.solve(ruse.games.kuhn(), "cfr+", iterations=50, precision="float32", threads=2)
    assert isinstance(single.tables[0], PublicTable)
    assert single.options == {"iterations": 50, "precision": "float32"}
    assert single.verify() == single.certificate
    for game, solver in ((ruse.games.goofspiel(3), "cfr+"), (ruse.games.kuhn(), "lp"), (ruse.games.nim(), "auto")):
        with pytest.raises(UnknownSolver, match="needs a game with a public tree and a solver that runs on it"):
            ruse.solve(game, solver, precision="float32")
    for asked in ({"threads": 0}, {"precision": "float16"}):
        with pytest.raises(UnknownSolver, match="expected"):
            ruse.solve(ruse.games.kuhn(), "cfr+", **asked)


def test_the_screen_shows_the_first_rules_of_many(dice: Solution) -> None:
    from ruse.present.report import format_solution

    text = format_solution(dice, everything=False, hint="more")
    assert "liars-dice(faces=4)@1: 1-1" in text
    assert f"and {len(dice.tables[0]) - 24:,} more rules: more" in text
    assert list(islice(dice.tables[1], 2)) == ["liars-dice(faces=4)@1/1-1", "liars-dice(faces=4)@2/1-1"]


def test_somebody_elses_public_rules_are_compared_with_the_rules() -> None:
    class Mistaken(RandomPublic):
        provides = (Public,)

        def public(self):  # type: ignore[no-untyped-def]
            rules = super().public()
            whole = rules.matrix
            rules.matrix = lambda name: -whole(name)  # type: ignore[method-assign]
            return rules

    with pytest.raises(GameError, match="contradicts its rules at"):
        ruse.solve(Mistaken(3), "cfr+", iterations=2)
    honest = ruse.solve(RandomPublic(5), "cfr+", iterations=200)
    assert honest.verify() == honest.certificate


def test_battleship_is_kept_with_the_choice_of_fleets(tmp_path: Path) -> None:
    game = ruse.games.battleship("2x1", [1], [3], 2)
    assert not isinstance(ruse.solve(game, "cfr+", iterations=2).tables[0], PublicTable)  # its form is as good
    solution = ruse.solve(game, "cfr+", iterations=20, precision="float32")
    again = load(solution.save(tmp_path / "ships.ruse"))
    assert again.tables == solution.tables
    assert again.verify() == solution.certificate
    assert set(again.strategy(0).at("battleship(board=2x1,ships=1,values=3,shots=2)")) == {"a1", "b1"}


@pytest.mark.soak
def test_a_large_game_is_solved_exactly_where_its_form_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the bound its form would not fit, so a public tree is at hand; by the estimate it does."""
    ships, dice = ruse.games.battleship(), ruse.games.liars_dice(4)
    assert ruse.solve(dice, refine=False).value == Fraction(1, 16)  # while it fits by the bound
    monkeypatch.setattr(form_memory, "SMALL_BULK", 0)
    monkeypatch.setattr(size_estimate, "BULK_BYTES", 1 << 40)
    solution = ruse.solve(ships)
    assert solution.certificate.exact and "after symmetry" in solution.note
    assert ruse.solve(dice).value == Fraction(1, 16)  # without symmetry
    monkeypatch.setattr(form_memory, "SLOWLY_SOLVED", inf)
    monkeypatch.setattr(public_tree_route, "solve_public", Mock(side_effect=GameError("by the public tree")))
    for game, asked in (
        (ships, {"gap": 0.1}),
        (ships, {"refine": False}),
        (ships, {"iterations": 9}),
        (dice, {"time": 1e9}),
    ):
        with pytest.raises(GameError, match="by the public tree"):
            ruse.solve(game, **asked)


def test_chosen_hands_stay_off_the_gpu() -> None:
    tree = public_tree(ruse.games.battleship("1x2", [1], [1], 1))
    with pytest.raises(GameError, match="only games in which chance deals the hands"):
        public_tree_route._on_gpu(tree, find("cfr+"), SolveOptions(device="gpu"), lambda *_: None)


def test_states_that_are_hardly_ever_alike_are_not_all_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_tree_module, "MOST_STATES", 20)
    monkeypatch.setattr(size_estimate, "fits", lambda _: False)
    monkeypatch.setattr(form_memory, "fits", lambda *_: False)
    with pytest.raises(GameError, match="expected at most 20 different public states, got more in leduc: use mccfr"):
        ruse.solve(ruse.games.leduc(), "cfr+", iterations=1)
    assert ruse.solve(ruse.games.leduc(), iterations=1).solver == "mccfr"


UNCOMPILED = """
import ruse
from ruse.kernels import public
solution = ruse.solve(ruse.games.liars_dice(7), "cfr+", time=6)
print(solution.written, solution.judged, len(public.passes.signatures))
"""


@pytest.mark.slow
def test_sweeps_that_take_longer_to_compile_than_there_is_time_are_left_alone(tmp_path: Path) -> None:
    """There are strategies with bounds all the same, on the sequence form."""
    fresh = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = processes.run([sys.executable, "-c", UNCOMPILED], env=fresh, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "0"]
