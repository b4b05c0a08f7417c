"""Monte-Carlo CFR: judged by exact certificates, by the means of its estimates, and by what it saves."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import processes
import ruse
from amounts import some
from ruse.core.game import CHANCE, END, Game, GameError, RuseError
from ruse.forms.certificate import Certificate, certify
from ruse.forms.reductions.games import Wrapper
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.lp import lp
from ruse.solvers.mccfr import Array, Mccfr, Sampling, TableFull
from ruse.solvers.plans import rounded_plan
from toys import Chance, Decision, Leaf, TreeGame, figure_2_2, random_games

SAMPLINGS: tuple[Sampling, ...] = ("external", "outcome")
both = pytest.mark.parametrize("sampling", SAMPLINGS)


def certificate(solver: Mccfr) -> Certificate:
    """Exact bounds from the average policy, in a plan of fractions."""
    form = sequence_form(solver.game)
    first, second = (
        rounded_plan(tree, weights, 10**6) for tree, weights in zip(form.trees, solver.weights(form), strict=True)
    )
    return certify(form, (first, second))


class Swapped(Wrapper):
    """The same game with the sides exchanged."""

    def turn(self, state: object) -> int:
        turn = super().turn(state)
        return 1 - turn if turn in (0, 1) else turn

    def knows(self, state: object, side: int) -> object:
        return super().knows(state, 1 - side)

    def payoff(self, state: object) -> Fraction:
        return -super().payoff(state)


GAPS: dict[str, tuple[Callable[[], Game], tuple[int, float], tuple[int, float]]] = {
    # iterations and gap, external and outcome sampling: above what each of seeds 1 to 5 reaches, far below even odds
    "kuhn": (ruse.games.kuhn, (3_000, 0.07), (10_000, 0.11)),
    "kuhn-swapped": (lambda: Swapped(ruse.games.kuhn()), (3_000, 0.07), (10_000, 0.11)),
    "rock-paper-scissors": (lambda: ruse.games.rock_paper_scissors("1/2"), (3_000, 0.05), (10_000, 0.06)),
    "matrix": (lambda: ruse.games.matrix("3 -1 0; -2 4 1; 0 1 -1/2"), (3_000, 0.06), (10_000, 0.12)),
    "mini-poker": (ruse.games.mini_poker, (3_000, 0.001), (10_000, 0.07)),
    "kubicek": (ruse.games.kubicek, (3_000, 0.1), (10_000, 0.16)),
    "figure-2-2": (figure_2_2, (3_000, 0.0001), (10_000, 0.0001)),
    "leduc": (ruse.games.leduc, (1_500, 2.2), (8_000, 2.6)),
}


@pytest.mark.cases(8)
@both
@pytest.mark.parametrize("name", GAPS)
def test_the_gap_closes(name: str, sampling: Sampling) -> None:
    make, external, outcome = GAPS[name]
    iterations, most = external if sampling == "external" else outcome
    solver = Mccfr(make(), sampling=sampling, seed=1)
    solver.run(iterations)
    assert certificate(solver).gap < most


@both
@settings(max_examples=some(20), derandomize=True)  # an unlucky seed is no error
@given(game=random_games(), seed=st.integers(0, 2**32))
def test_random_games(sampling: Sampling, game: TreeGame, seed: int) -> None:
    """Payoffs are within ±3, so any policies at all have a gap below 6; the bounds hold the exact value."""
    solver = Mccfr(game, sampling=sampling, seed=seed)
    solver.run(1_000 if sampling == "external" else 3_000)
    found, value = certificate(solver), lp(sequence_form(game)).certificate.lower
    assert found.lower <= value <= found.upper
    assert found.gap < (0.2 if sampling == "external" else 0.4)


# What is sampled is right on average.


def learnt(game: Game, sampling: Sampling, times: int) -> tuple[Mccfr, list[Array], list[Array]]:
    """A run at uneven odds, and what side 0's learning adds to its regrets and averages: means and their errors."""
    solver = Mccfr(game, sampling=sampling, seed=5)
    solver.run(100)
    shares_of_first = np.linspace(0.2, 0.8, len(solver._listed)).tolist()  # every set has two moves
    odds = [[share, 1.0 - share] for share in shares_of_first]
    regrets, totals = [], []
    for _ in range(times):
        for known, shares in zip(solver._listed, odds, strict=True):
            known.regrets, known.totals, known.odds = [0.0] * len(shares), [0.0] * len(shares), shares
        solver._learn(0, 1.0)
        regrets.append([regret for known in solver._listed for regret in known.regrets])
        totals.append([total for known in solver._listed for total in known.totals])
    for known, shares in zip(solver._listed, odds, strict=True):
        known.odds = shares
    means = [np.mean(added, axis=0) for added in (regrets, totals)]
    return solver, means, [np.std(added, axis=0) / np.sqrt(times) for added in (regrets, totals)]


def split(solver: Mccfr, side: int, numbers: Array) -> dict[object, Array]:
    """Slots of the saved arrays by what the side knows."""
    slots, first = {}, 0
    for known in solver._listed:
        end = first + len(known.moves)
        slots.update({key: numbers[first:end] for key, other in solver._sets[side].items() if other is known})
        first = end
    return slots


@pytest.mark.cases(2)
@both
@pytest.mark.parametrize("game", [ruse.games.kuhn(), Swapped(ruse.games.kuhn())], ids=["kuhn", "swapped"])
def test_samples_are_right_on_average(game: Game, sampling: Sampling) -> None:
    """Against the exact counterfactual regrets of side 0, and the exact reach of side 1's averages.

    The error of a mean is so small that weights that are wrong by a fourth are noticed.
    """
    solver, (regrets, totals), (error, totals_error) = learnt(game, sampling, 20_000)
    form = sequence_form(game)
    odds = [
        np.concatenate([[1.0], *(solver._sets[side][known].odds for known in form.knowledge[side])]) for side in (0, 1)
    ]
    plans, even = [np.ones_like(shares) for shares in odds], np.ones_like(odds[0])
    for plan, shares, tree in zip(plans, odds, form.trees, strict=True):
        for parent, first, end in tree.sets():
            plan[first:end] = plan[parent] * shares[first:end]
    for parent, first, end in form.trees[0].sets():
        even[first:end] = even[parent] / (end - first)

    worth = np.zeros_like(plans[0])
    np.add.at(worth, form.rows, form.floats() * plans[1][form.columns])
    expected: dict[object, Array] = {}
    for number, (parent, first, end) in reversed(list(enumerate(form.trees[0].sets()))):
        value = odds[0][first:end] @ worth[first:end]
        worth[parent] += value
        scale = even[parent] if sampling == "outcome" else 1.0
        expected[form.knowledge[0][number]] = scale * (worth[first:end] - value)
    errors = split(solver, 0, error)
    for known, mean in split(solver, 0, regrets).items():
        assert mean == pytest.approx(expected[known], abs=4.5 * errors[known].max() + 1e-9)
    assert error.max() < 0.05 * max(abs(regret).max() for regret in expected.values())

    reached = reach(game, 0 if sampling == "outcome" else None)
    errors = split(solver, 1, totals_error)
    for number, (_, first, end) in enumerate(form.trees[1].sets()):
        known = form.knowledge[1][number]
        mean = split(solver, 1, totals)[known]
        assert mean == pytest.approx(reached[known] * plans[1][first:end], abs=4.5 * errors[known].max() + 1e-9)


def reach(game: Game, even: int | None) -> dict[object, float]:
    """How likely side 1's sets are by chance alone, and by one side playing even odds if it is named."""
    found: dict[object, float] = {}
    stack = [(game.start(), 1.0)]
    while stack:
        state, weight = stack.pop()
        turn = game.turn(state)
        if turn == 1:
            known = game.knows(state, 1)
            found[known] = found.get(known, 0.0) + weight
        moves = game.moves(state)
        shares = [float(share) for share in game.odds(state)] if turn == CHANCE else [1.0] * len(moves)
        if turn == even:
            shares = [1.0 / len(moves)] * len(moves)
        stack += [(game.play(state, move), weight * share) for move, share in zip(moves, shares, strict=True)]
    return found


# The same numbers, whatever happens on the way.


def same(one: Mccfr, other: Mccfr) -> bool:
    saved, found = one.state(), other.state()
    return all(np.array_equal(saved[name], found[name]) for name in saved.keys() | found.keys())


@both
@given(portions=st.lists(st.integers(0, 40), max_size=5), kept=st.integers(0, 300))
@settings(max_examples=8)
def test_portions_saves_and_kept_nodes_change_nothing(sampling: Sampling, portions: list[int], kept: int) -> None:
    game = ruse.games.leduc()
    whole = Mccfr(game, sampling=sampling, seed=3)
    whole.run(sum(portions))
    parts = Mccfr(game, sampling=sampling, seed=3, kept=kept)
    for portion in portions:
        parts.run(portion)
        saved = parts.state()
        parts = Mccfr(game, sampling=sampling, seed=4, kept=kept)
        parts.restore(saved)
    assert parts.iterations == whole.iterations
    assert parts.policy(0) == whole.policy(0) and parts.policy(1) == whole.policy(1)
    whole.run(10)
    parts.run(10)
    for name in ("regrets", "totals", "random"):
        assert np.array_equal(whole.state()[name], parts.state()[name])


RESUME = """
import sys, numpy as np, ruse
from ruse.solvers.mccfr import Mccfr
solver = Mccfr(ruse.games.leduc(), sampling=sys.argv[1], seed=0)
with np.load(sys.argv[2]) as saved:
    solver.restore(saved)
solver.run(50)
np.savez(sys.argv[3], **solver.state())
"""


def save(path: Path, solver: Mccfr) -> None:
    state: dict[str, Any] = {**solver.state()}
    np.savez(path, **state)


@both
def test_another_process_goes_on_bit_for_bit(sampling: Sampling, tmp_path: Path) -> None:
    """Hashes of strings, and with them the order of sets, differ between processes; the numbers do not."""
    solver = Mccfr(ruse.games.leduc(), sampling=sampling, seed=9)
    solver.run(50)
    save(tmp_path / "half.npz", solver)
    solver.run(50)
    files = [str(tmp_path / name) for name in ("half.npz", "whole.npz")]
    processes.run([sys.executable, "-c", RESUME, sampling, *files], check=True)
    other = Mccfr(solver.game, sampling=sampling, seed=0)
    with np.load(tmp_path / "whole.npz") as saved:
        other.restore(saved)
    assert other.iterations == 100
    assert same(solver, other)


def test_another_seed_is_another_run() -> None:
    one, other = (Mccfr(ruse.games.kuhn(), sampling="external", seed=seed) for seed in (1, 2))
    one.run(5)
    other.run(5)
    assert not same(one, other)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("ups", lambda ups: ups + 10_000),
        ("ups", lambda ups: ups - 1),
        ("numbers", lambda numbers: numbers + 7),
        ("numbers", lambda numbers: numbers[:-1]),
        ("regrets", lambda regrets: regrets[:-1]),
        ("regrets", lambda regrets: regrets * np.nan),
        ("totals", lambda totals: -totals - 1),
        ("random", lambda random: random[:-1]),
        ("random", lambda random: random * 0.5),
        ("iterations", lambda iterations: iterations * np.nan),
        ("iterations", lambda iterations: -iterations),
        ("ups", lambda ups: np.arange(-1, len(ups) - 1)),  # on and on, beyond the end of a play
    ],
)
def test_a_broken_save_is_refused(name: str, change: Callable[[Array], Array]) -> None:
    solver = Mccfr(ruse.games.kuhn(), sampling="external", seed=1)
    solver.run(20)
    saved = solver.state()
    with pytest.raises(RuseError, match="this saved run does not fit kuhn"):
        solver.restore({**saved, name: change(saved[name])})
    with pytest.raises(RuseError, match="does not fit"):
        solver.restore({key: value for key, value in saved.items() if key != name})


# Games that no tree can hold.


class Digits:
    """Chance deals each side six digits, one by one; then both bid three times in turn, and the sums are compared.

    There are 10^12 deals and 4^6 ways to bid after each of them.
    """

    name = title = "digits"
    sides = ("first", "second")
    wins = ()

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> str:
        return ""

    def turn(self, state: str) -> int:
        if len(state) < 12:
            return CHANCE
        return END if len(state) == 18 else len(state) % 2

    def moves(self, state: str) -> Sequence[str]:
        return "0123456789" if len(state) < 12 else "abcd" if self.turn(state) != END else ""

    def odds(self, state: str) -> Sequence[Fraction]:
        return [Fraction(1, 10)] * 10

    def play(self, state: str, move: str) -> str:
        return state + move

    def knows(self, state: str, side: int) -> tuple[str, str]:
        return state[side:12:2], state[12:]

    def payoff(self, state: str) -> Fraction:
        sums = [sum(map(int, state[side:12:2])) for side in (0, 1)]
        bids = [sum(map("abcd".index, state[12 + side :: 2])) for side in (0, 1)]
        return Fraction((bids[0] + 1) * (bids[1] + 1) * ((sums[0] > sums[1]) - (sums[0] < sums[1])))

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[str, str]) -> str:
        return "@" + "/".join(knowledge)


@both
def test_a_game_of_ten_to_the_fifteen_plays(sampling: Sampling) -> None:
    game = Digits()
    solver = Mccfr(game, sampling=sampling, seed=1)
    solver.run(100)
    for side in (0, 1):
        policy = solver.policy(side)
        assert len(policy) == solver.information_sets[side] > 200
        for known, odds in policy.items():
            assert len(known[0]) == 6 and len(known[1]) % 2 == side
            assert list(odds) == list("abcd")
            assert min(odds.values()) >= 0 and sum(odds.values()) == pytest.approx(1)
    assert solver.entries < 100_000
    assert solver._used < 250_000


def test_goofspiel_with_all_cards_takes_little_memory() -> None:
    """13!^2 = 4 * 10^19 plays. What is visited is all that takes memory, about what `entries` says."""
    tracemalloc.start()
    try:
        solver = Mccfr(ruse.games.make("goofspiel", {"cards": 13}), sampling="outcome", seed=1)
        solver.run(150)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.1 < sum(solver.information_sets) / (150 * 2 * 24) < 1  # most plays lead to new sets
    assert used < 1_000 * solver.entries < 100_000_000  # with the kept nodes
    for odds in solver.policy(1).values():
        assert min(odds.values()) >= 0 and sum(odds.values()) == pytest.approx(1)


@both
def test_the_table_stops_growing_with_an_error(sampling: Sampling) -> None:
    solver = Mccfr(Digits(), sampling=sampling, seed=1, most=3_000)
    with pytest.raises(TableFull, match=r"more than 3,000 entries in digits at iteration"):
        solver.run(100_000)
    assert solver.entries <= 3_100
    assert all(sum(odds.values()) == pytest.approx(1) for odds in solver.policy(0).values())


class Ladder:
    """On each of many rungs a side, the two in turn, steps off and is paid 1, or climbs; the last to climb pays 1."""

    name = title = "ladder"
    sides = ("first", "second")
    wins = ()

    def __init__(self, rungs: int) -> None:
        self.rungs = rungs
        self.parameters: dict[str, object] = {}

    def start(self) -> tuple[int, bool]:
        return 0, False

    def turn(self, state: tuple[int, bool]) -> int:
        rung, off = state
        return END if off or rung == self.rungs else rung % 2

    def moves(self, state: tuple[int, bool]) -> Sequence[str]:
        return ("climb", "off") if self.turn(state) != END else ()

    def odds(self, state: tuple[int, bool]) -> Sequence[Fraction]:
        raise AssertionError("there is no chance here")

    def play(self, state: tuple[int, bool], move: str) -> tuple[int, bool]:
        return state[0] + 1, move == "off"

    def knows(self, state: tuple[int, bool], side: int) -> tuple[int, bool]:
        return state

    def payoff(self, state: tuple[int, bool]) -> Fraction:
        rung, off = state
        return Fraction(1 if (rung % 2 == 1) == off else -1)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[int, bool]) -> str:
        return f"/{knowledge[0]}"


@both
def test_plays_of_thousands_of_moves(sampling: Sampling) -> None:
    solver = Mccfr(Ladder(3_000), sampling=sampling, seed=1)
    solver.run(30)
    assert solver.policy(0)[0, False]["off"] > 0.8  # stepping off at once wins
    saved = solver.state()
    assert np.isfinite(saved["regrets"]).all() and np.isfinite(saved["totals"]).all()
    other = Mccfr(solver.game, sampling=sampling, seed=2)
    other.restore(saved)
    assert same(solver, other)


class Blind(Ladder):
    """Ten ways to climb and no way off. Only the last matters, and sides forget the others: this is about floats."""

    def turn(self, state: tuple[int, bool]) -> int:
        return END if state[0] == self.rungs else state[0] % 2

    def moves(self, state: tuple[int, bool]) -> Sequence[str]:
        return (*"abcdefghi", "off") if self.turn(state) != END else ()

    def knows(self, state: tuple[int, bool], side: int) -> tuple[int, bool]:
        return state[0], False

    def payoff(self, state: tuple[int, bool]) -> Fraction:
        return super().payoff(state) * 10**100


def test_importance_weights_stay_in_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """Side 1 explores the same losing moves for ever (0.6^1500), side 0 wins by its own (ratios of (10 / 4.6)^1500)."""
    solver = Mccfr(Blind(3_000), sampling="outcome", seed=1)
    monkeypatch.setattr(solver._random, "random", lambda: 0.0)
    solver.run(3)
    assert np.isfinite(solver.state()["regrets"]).all() and np.isfinite(solver.state()["totals"]).all()
    for side, share in ((0, 1.0), (1, 0.0)):
        for known in solver._sets[side].values():
            assert known.odds[0] == share and sum(known.odds) == pytest.approx(1)


# Rules and wishes that are refused.


def test_what_is_refused() -> None:
    with pytest.raises(RuseError, match="expected external or outcome sampling, got 'average'"):
        Mccfr(ruse.games.kuhn(), sampling="average", seed=1)  # type: ignore[arg-type]
    payoff = Leaf(Fraction(10) ** 5_000)
    with pytest.raises(GameError, match=r"expected payoffs of at most 10\^100 for sampling, got about 1e\+5000"):
        Mccfr(TreeGame(Decision(0, "start", (("a", payoff), ("b", payoff)))), sampling="external", seed=1).run(1)
    half, leaf = Fraction(1, 2), Leaf(Fraction(1))
    uneven = Chance(
        (
            ("x", half, Decision(0, "dark", (("a", leaf), ("b", leaf)))),
            ("y", half, Decision(0, "dark", (("a", leaf), ("c", leaf)))),
        )
    )
    with pytest.raises(GameError, match="different moves are offered within the information set toy@dark"):
        Mccfr(TreeGame(uneven), sampling="outcome", seed=1).run(50)


@both
def test_forced_moves_and_draws_of_no_odds_take_no_room(sampling: Sampling) -> None:
    only = Decision(1, "forced", (("a", Leaf(Fraction(1))),))
    never = Decision(1, "never", (("a", Leaf(Fraction(9))), ("b", Leaf(Fraction(9)))))
    draws = (("x", Fraction(0), never), ("y", Fraction(1), only), ("z", Fraction(0), never))
    game = TreeGame(Decision(0, "start", (("draw", Chance(draws)), ("end", Leaf(Fraction(0))))))
    solver = Mccfr(game, sampling=sampling, seed=1)
    solver.run(200)
    assert solver.information_sets == (1, 0)
    assert solver.policy(1) == {}
    assert solver.policy(0)["start",]["draw"] > 0.95
