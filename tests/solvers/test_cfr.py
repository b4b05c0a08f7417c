"""The variants of CFR against a textbook recursion over the tree, and against exact certificates."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ruse
import ruse.forms.cfr_layout as cfr_layout
import ruse.solvers.cfr as cfr
from ruse.core.game import CHANCE, END, Game, State
from ruse.forms.integer_form import Compiled
from ruse.forms.reductions.games import Wrapper
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.cfr import Cfr
from ruse.solvers.variants import VARIANTS, CfrVariant
from toys import random_games

Rows = dict[Any, dict[Any, float]]


class Textbook:
    """CFR as its papers write it: recursion over the tree, one dict entry a move. Slow and plain."""

    def __init__(self, game: Game, variant: CfrVariant, planned: int) -> None:
        self.game, self.variant, self.planned = game, variant, planned
        self.t = 0
        self.regret: tuple[Rows, Rows] = ({}, {})
        self.odds: tuple[Rows, Rows] = ({}, {})
        self.total: tuple[Rows, Rows] = ({}, {})
        self.close = False  # whether a move was so near to being played, or not, that rounding could decide

    def iterate(self) -> None:
        self.t += 1
        if self.variant.alternate:
            for side in (0, 1):
                self.learn(side, self.worths(side))
        else:
            worths = [self.worths(side) for side in (0, 1)]
            for side in (0, 1):
                self.learn(side, worths[side])

    def row(self, state: State, side: int) -> dict[Any, float]:
        moves = self.game.moves(state)
        return self.odds[side].setdefault(self.game.knows(state, side), dict.fromkeys(moves, 1 / len(moves)))

    def worths(self, side: int) -> Rows:
        """The counterfactual worth of each move at each set: weighted by everybody's odds but the side's own."""
        found: Rows = defaultdict(lambda: defaultdict(float))

        def visit(state: State, reach: float) -> float:
            turn = self.game.turn(state)
            if turn == END:
                return reach * float(self.game.payoff(state)) * (1 if side == 0 else -1)
            moves = self.game.moves(state)
            if turn == CHANCE:
                shares = zip(moves, self.game.odds(state), strict=True)
                return sum(visit(self.game.play(state, move), reach * float(share)) for move, share in shares)
            row = self.row(state, turn)
            if turn != side:
                return sum(visit(self.game.play(state, move), reach * row[move]) for move in moves)
            worth = 0.0
            for move in moves:
                below = visit(self.game.play(state, move), reach)
                found[self.game.knows(state, side)][move] += below
                worth += row[move] * below
            return worth

        visit(self.game.start(), 1.0)
        return found

    def learn(self, side: int, worths: Rows) -> None:
        t, variant = self.t, self.variant

        def exponent(line: Any) -> float:
            return float(line.start + line.change * min(t / self.planned, 1))

        def discount(time: int, line: Any) -> float:
            if line is None:
                return 1.0
            if time == 1:
                return 0.0  # of regrets that are zero
            power = float(time - 1) ** exponent(line)
            return power / (power + 1)

        for knowledge, worth in worths.items():
            row = self.odds[side][knowledge]
            value = sum(row[move] * worth[move] for move in row)
            regret = self.regret[side].setdefault(knowledge, dict.fromkeys(row, 0.0))
            shares = {}
            for move in row:
                r = worth[move] - value
                old = regret[move]
                regret[move] = old * discount(t, variant.alpha if old > 0 else variant.beta) + r
                near = [regret[move], regret[move] + r, old]
                if variant.floor:
                    regret[move] = max(regret[move], 0.0)
                ahead = (
                    regret[move] * discount(t + 1, variant.alpha) + variant.predict * r
                    if variant.predict
                    else regret[move]
                )
                shares[move] = max(ahead, 0.0)
                self.close |= any(worth.values()) and any(0 < abs(number) < 1e-9 for number in (*near, ahead))
            whole = sum(shares.values())
            self.odds[side][knowledge] = {
                move: share / whole if whole > 0 else 1 / len(row) for move, share in shares.items()
            }
        fade = ((t - 1) / t) ** exponent(variant.gamma)
        seen = set()

        def add(state: State, reach: float) -> None:
            turn = self.game.turn(state)
            if turn == END:
                return
            knowledge = self.game.knows(state, side) if turn == side else None
            if turn == side and knowledge not in seen:
                seen.add(knowledge)
                total = self.total[side].setdefault(knowledge, dict.fromkeys(self.row(state, side), 0.0))
                for move, share in self.row(state, side).items():
                    total[move] = total[move] * fade + reach * share
            for number, move in enumerate(self.game.moves(state)):
                if turn == CHANCE and not self.game.odds(state)[number]:
                    continue
                add(self.game.play(state, move), reach * self.row(state, side)[move] if turn == side else reach)

        add(self.game.start(), 1.0)


class Uneven(Wrapper):
    """A game whose payoffs are all different: where moves are equally good, rounding would decide what is played."""

    def payoff(self, state: State) -> Fraction:
        payoff: Fraction = self.game.payoff(state)
        return payoff + Fraction(crc32(repr(state).encode()) % 10007, 10007)


def averages(form: Any, weights: Any) -> list[list[float]]:
    """Average odds at every information set."""
    rows = []
    for side in (0, 1):
        for _, first, end in form.trees[side].sets():
            part = weights[side][first:end]
            rows.append((part / part.sum() if part.sum() > 0 else part).tolist())
    return rows


def compare(game: Game, variant: CfrVariant, iterations: int, planned: int = 10) -> bool:
    """Whether rounding could not decide; the averages are then the same."""
    form = sequence_form(game)
    run, textbook = Cfr(Compiled(form), variant, planned=planned), Textbook(game, variant, planned)
    for _ in range(iterations):
        run.run(1)
        textbook.iterate()
    theirs = []
    for side in (0, 1):
        for knowledge, moves in zip(form.knowledge[side], form.moves[side], strict=True):
            part = [textbook.total[side][knowledge][move] for move in moves]
            theirs.append([share / sum(part) if sum(part) > 0 else share for share in part])
    if not textbook.close:
        for our_row, their_row in zip(averages(form, run.weights()), theirs, strict=True):
            assert our_row == pytest.approx(their_row, abs=1e-9)
    return not textbook.close


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("alternate", [True, False])
def test_variants_play_as_the_textbook_on_kuhn(name: str, alternate: bool) -> None:
    assert compare(Uneven(ruse.games.kuhn()), replace(VARIANTS[name], alternate=alternate), 12)


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=15)
@given(game=random_games())
def test_variants_play_as_the_textbook_on_random_games(name: str, game: Game) -> None:
    assume(compare(Uneven(game), VARIANTS[name], 3))


REACHED = {
    "cfr": 3e-2,
    "cfr+": 5e-4,
    "dcfr": 5e-4,
    "hs-dcfr": 5e-3,
    "pcfr+": 5e-3,
    "sapcfr+": 5e-4,
    "pdcfr+": 5e-3,
}  # leduc, 1000


@pytest.mark.parametrize("name", VARIANTS)
def test_a_thousand_iterations_on_leduc(name: str) -> None:
    compiled = Compiled(sequence_form(ruse.games.leduc()))
    run = Cfr(compiled, VARIANTS[name])
    run.run(1000)
    certificate = compiled.certify(run.weights()).certificate
    assert certificate.gap < REACHED[name]
    assert certificate.lower <= Fraction(-0.08560642407800) <= certificate.upper  # OpenSpiel's test constant
    assert compiled.bounds(run.weights()) == pytest.approx((float(certificate.lower), float(certificate.upper)))


def test_predictive_variants_are_quick_on_kuhn() -> None:
    """Farina et al. 2021: prediction makes small games converge like no other variant."""
    compiled = Compiled(sequence_form(ruse.games.kuhn()))
    for name, gap in (("pcfr+", 1e-7), ("pdcfr+", 1e-11)):
        run = Cfr(compiled, VARIANTS[name])
        run.run(1000)
        assert compiled.certify(run.weights()).certificate.gap < gap


@given(portions=st.lists(st.integers(1, 40), min_size=1, max_size=6), name=st.sampled_from(sorted(VARIANTS)))
def test_portions_do_not_matter(portions: list[int], name: str) -> None:
    compiled = Compiled(sequence_form(ruse.games.kuhn()))
    whole, parts = Cfr(compiled, VARIANTS[name]), Cfr(compiled, VARIANTS[name])
    whole.run(sum(portions))
    for portion in portions:
        parts.run(portion)
        again = Cfr(compiled, VARIANTS[name], planned=7)
        again.restore({name: array.copy() for name, array in parts.state().items()})
        parts = again
    for side in (0, 1):
        assert np.array_equal(whole.weights()[side], parts.weights()[side])


@pytest.mark.parametrize("game", [ruse.games.goofspiel(4), ruse.games.liars_dice(4), ruse.games.leduc()])
@pytest.mark.parametrize("name", ["cfr", "cfr+", "pdcfr+"])
def test_threads_give_the_same_bits_as_one(name: str, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cfr, "WORTH_SHARING", 0)
    monkeypatch.setattr(cfr_layout, "PART", 20)
    compiled = Compiled(sequence_form(game))
    one, two, three = (Cfr(compiled, VARIANTS[name], workers=workers) for workers in (1, 2, 3))
    one.run(30)
    for portion in (1, 7, 22):
        two.run(portion)
    three.run(30)
    monkeypatch.setattr(cfr_layout, "PART", 1 << 14)
    whole = Cfr(compiled, VARIANTS[name])
    whole.run(30)
    for run in (two, three, whole):
        assert all((one.state()[array] == numbers).all() for array, numbers in run.state().items())


def test_sides_updated_at_once_are_the_same_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cfr, "WORTH_SHARING", 0)
    monkeypatch.setattr(cfr_layout, "PART", 20)
    compiled, variant = Compiled(sequence_form(ruse.games.leduc())), replace(VARIANTS["cfr"], alternate=False)
    one, three = (Cfr(compiled, variant, workers=workers) for workers in (1, 3))
    one.run(20)
    three.run(20)
    assert all((one.state()[array] == numbers).all() for array, numbers in three.state().items())


def test_sides_may_be_of_very_different_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Compiled(sequence_form(ruse.games.resistance(3, 1, [1, 2, 1, 2, 2])))
    one, two = sorted(side.sequences for side in compiled.sides)
    alike = Cfr(compiled, VARIANTS["cfr+"])
    monkeypatch.setattr(cfr_layout, "MOST_SHORT", (one + two) // 2)
    run = Cfr(compiled, VARIANTS["cfr+"])
    alike.run(5)
    run.run(5)
    assert one < two and all((mine == its).all() for mine, its in zip(alike.weights(), run.weights(), strict=True))
