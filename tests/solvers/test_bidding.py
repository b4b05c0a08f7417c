"""The sweeps for games of rising bids, as the CPU build of their source runs them: against CFR on the sequence form."""

from __future__ import annotations

import shutil
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ruse.core.capabilities import Bidding
from ruse.core.game import GameError
from ruse.forms.bidding import units
from ruse.forms.bidding_bounds import BiddingBounds
from ruse.forms.certificate import certify
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.games.liars_dice import LiarsDice
from ruse.kernels.gpu.machines import Cpu
from ruse.solvers.bidding import BiddingRun
from ruse.solvers.cfr import Cfr
from ruse.solvers.spec import NotANumber
from ruse.solvers.variants import VARIANTS

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="there is no C++ compiler to build the kernels with"
)

Array = np.ndarray[Any, np.dtype[Any]]
LIAR = "liar"


def started(game: LiarsDice, variant: str, kind: str = "float64") -> BiddingRun:
    return BiddingRun(game.bidding(), VARIANTS[variant], kind=kind, machine=Cpu)


def bids_at(game: LiarsDice, knowledge: Any) -> list[int]:
    return [game.bids.index(bid) for bid in knowledge.bids]


def sets_of(game: LiarsDice, form: FormArrays, side: int) -> list[tuple[list[int], int, int, list[Any]]]:
    """Of each information set: the bids so far, the hand, its first sequence and its moves."""
    places = zip(form.knowledge[side], form.trees[side].first.tolist(), form.moves[side], strict=False)
    return [
        (bids_at(game, known), game.rolls[0].index(known.rolls[0]), first, list(moves))
        for known, first, moves in places
    ]


def at_random(game: LiarsDice, form: FormArrays, run: BiddingRun, predict: bool) -> Cfr:
    """Both solvers at the same random regrets, where no two moves are exactly as good as each other.

    From even odds they often are: what is a regret of 0 to one is one of 1e-17 to the other, who plays that move alone.
    The sequence form counts a win as 1 and a loss as -1, times the weights of both hands: twice what it is here.
    """
    random = np.random.default_rng(5)
    cfr = Cfr(Compiled(form), run._variant)
    state, theirs = run.state(), cfr.state()
    hands = run.shape.hands
    names = [("bids", "calls", "lean_bids", "lean_calls"), ("bids", "calls", "bids", "calls")][0 if predict else 1]
    for side in (0, 1):
        tree = form.trees[side]
        regret, odds, plan = np.zeros(tree.sequences), np.ones(tree.sequences), np.ones(tree.sequences)
        for parent, (bids, hand, first, moves) in zip(tree.parent.tolist(), sets_of(game, form, side), strict=True):
            end = first + len(moves)
            regret[first:end] = random.random(len(moves)) * 2 * game.ways[0][hand]
            share = random.random(len(moves)) if predict else regret[first:end]
            odds[first:end] = share / share.sum()
            plan[first:end] = plan[parent] * odds[first:end]
            for number, move in enumerate(moves if len(moves) > 1 else ()):  # a call that is forced has no row
                row = run.shape.call_row(bids) if move == LIAR else run.shape.row([*bids, game.bids.index(move)])
                own = regret[first + number] / (2 * game.ways[0][hand])
                state[names[move == LIAR]][row * hands + hand] = own
                state[names[2 + (move == LIAR)]][row * hands + hand] = share[number] if predict else own
        for name, array in (("regret", regret), ("odds", odds), ("plan", plan)):
            theirs[f"{name}{side}"] = cfr._trees[side].laid_out(array)
    state["done"][0] = theirs["done"][0] = 5  # discounts leave nothing of what was there before the first iteration
    run.restore(state)
    cfr.restore(theirs)
    return cfr


@pytest.mark.cases(4)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("faces", "dice"), [(3, 1), (2, 2)])
def test_iterates_are_those_of_the_sequence_form(variant: str, faces: int, dice: int) -> None:
    game = LiarsDice(faces, dice)
    form, run = sequence_form(game), started(game, variant)
    cfr, hands = at_random(game, form, run, VARIANTS[variant].predicts), run.shape.hands
    for _ in range(12):
        cfr.run(1)
        run.run(1)
        for side in (0, 1):
            totals = cfr.weights()[side]
            for bids, hand, first, moves in sets_of(game, form, side):
                for number, move in enumerate(moves):
                    if move != LIAR:
                        start = run.shape.row([*bids, game.bids.index(move)]) * hands
                        ours = run.part(start, start + hands)[hand] / game.ways[0][hand]
                        assert ours == pytest.approx(totals[first + number], rel=1e-9, abs=1e-10)


def plans_of(game: LiarsDice, form: FormArrays, run: BiddingRun) -> list[list[Fraction]]:
    """What the run would play, as plans of the sequence form."""
    plans = []
    for side in (0, 1):
        plan = [Fraction(1)] * form.trees[side].sequences
        for bids, hand, first, moves in sets_of(game, form, side):
            _, taken = units(run.bidding, run.shape, run, bids)
            for number in range(len(moves)):
                plan[first + number] = Fraction(taken[number][hand], game.ways[0][hand] << 50)
        plans.append(plan)
    return plans


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("faces", "dice", "variant", "kind"),
    [(2, 1, "cfr", "float32"), (3, 1, "pdcfr+", "float64"), (4, 1, "dcfr", "float32"), (2, 2, "cfr+", "float64")],
)
def test_bounds_are_what_best_responses_to_the_same_plans_prove(faces: int, dice: int, variant: str, kind: str) -> None:
    game = LiarsDice(faces, dice)
    form, run = sequence_form(game), started(game, variant, kind)
    for iterations in (1, 3, 60):
        run.run(iterations)
        first, second = plans_of(game, form, run)
        assert run.certificate() == certify(form, (first, second))
    assert run.certificate().gap < Fraction(1, 10)


@pytest.mark.parametrize(("variant", "kind"), [("cfr+", "float32"), ("pdcfr+", "float64")])
def test_a_run_that_is_taken_up_goes_on_as_if_nothing_had_happened(variant: str, kind: str) -> None:
    game = LiarsDice(5)
    whole, first, second = (started(game, variant, kind) for _ in range(3))
    whole.run(40)
    first.run(7)
    first.certificate()  # which must change nothing
    first.run(10)
    second.restore(first.state())
    second.run(23)
    assert second.iterations == 40
    assert all(np.array_equal(array, second.state()[name]) for name, array in whole.state().items())
    assert whole.certificate() == second.certificate()


def test_arrays_of_another_precision_or_game_are_refused() -> None:
    run = started(LiarsDice(4), "cfr+")
    for other in (started(LiarsDice(4), "cfr+", "float32"), started(LiarsDice(5), "cfr+")):
        with pytest.raises(ValueError, match=r"expected .* finite numbers of type float64"):
            run.restore(other.state())


@pytest.mark.parametrize("name", ["bids", "calls", "totals"])
def test_numbers_that_are_none_are_noticed(name: str) -> None:
    run = started(LiarsDice(4), "dcfr", "float32")
    run.run(5)
    run.machine.fill(run._state[name], np.array([np.nan], dtype=np.float32), start=9)
    with pytest.raises(NotANumber, match="after 5 iterations in float32, got some that are not: use float64"):
        run.certificate()


def test_flows_that_do_not_add_up_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(LiarsDice(4), "cfr+")
    run.run(3)
    best = BiddingBounds._best

    def wrong(self: BiddingBounds, totals: Any, amounts: Any, side: int, mode: int) -> list[int]:
        return [one - (mode == -1) for one in best(self, totals, amounts, side, mode)]

    monkeypatch.setattr(BiddingBounds, "_best", wrong)
    with pytest.raises(GameError, match="flows of side 1's plan do not add up"):
        run.certificate()


@pytest.mark.parametrize(
    ("weights", "bids", "sentence"),
    [
        ([1] * 33, 8, "at most 32 hands"),
        ([32, 32], 8, r"total weight below 2\^6"),
        ([1, 1], 3, "4 to 40 bids"),
    ],
)
def test_hands_and_bids_that_do_not_fit_are_refused(weights: list[int], bids: int, sentence: str) -> None:
    names = list(map(str, range(40)))
    hands = names[: len(weights)]
    bidding = Bidding(hands, names[:bids], "call", weights, [[1] * len(weights)] * bids, [1] * bids)
    with pytest.raises(GameError, match=sentence):
        BiddingRun(bidding, VARIANTS["cfr+"], machine=Cpu)
