"""XDO: its restricted game, what it carries over when that grows, and its runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from ruse.core.game import Game
from ruse.forms.certificate import certify
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.lp import lp
from ruse.solvers.xdo import CARRIED, Xdo, _carried
from toys import random_games


@pytest.mark.parametrize(
    ("game", "gap", "share"),
    [
        (ruse.games.goofspiel(4), 1e-5, 0.3),
        (ruse.games.liars_dice(4), 1e-5, 0.4),
        (ruse.games.goofspiel(5), 1e-3, 0.2),
        (ruse.games.leduc(), 1e-2, 0.8),
    ],
    ids=lambda value: getattr(value, "title", None),
)
def test_part_of_a_game_is_enough(game: Game, gap: float, share: float) -> None:
    compiled = Compiled(sequence_form(game))
    run = Xdo(compiled)
    run.run(1000)
    assert run.rounds > 3
    assert compiled.certify(run.weights()).certificate.gap < gap
    assert sum(run.restricted.sequences) < share * sum(side.sequences for side in compiled.sides)


@settings(max_examples=some(40))
@given(game=random_games())
def test_random_games_converge(game: Game) -> None:
    """Moves that are missing would leave a gap, however many iterations there are."""
    form = sequence_form(game)
    compiled = Compiled(form)
    run, value = Xdo(compiled), lp(form).certificate.lower
    run.run(3000)
    certified = compiled.certify(run.weights())
    assert certified.certificate.lower <= value <= certified.certificate.upper
    assert certified.certificate == certify(form, certified.fractions())
    assert certified.certificate.gap <= 2e-3 * max(compiled.largest, 1.0)


def test_a_game_that_grows_is_played_as_before() -> None:
    """The plan is the same, and new moves are not played yet."""
    compiled = Compiled(sequence_form(ruse.games.leduc()))
    run = Xdo(compiled)
    grown = 0
    while grown < 6:
        before, small = run.restricted, run._small
        state = {
            name: [run._inner.state()[f"{name}{side}"][run._inner._trees[side].place] for side in (0, 1)]
            for name in CARRIED
        }
        rounds = run.rounds
        run._compare()
        if run.rounds > rounds:
            grown += 1
            for side in (0, 1):
                old = {name: state[name][side] for name in CARRIED}
                new = _carried(before, run.restricted, side, old)
                plans = [
                    np.where(restricted.images[side] >= 0, plan[restricted.images[side]], 0.0)
                    for restricted, plan in ((before, old["plan"]), (run.restricted, new["plan"]))
                ]
                assert np.array_equal(*plans)
                played = run._small.sides[side].plan(new["odds"])
                assert played[new["plan"] > 0] == pytest.approx(new["plan"][new["plan"] > 0])
                assert len(new["regret"]) == run.restricted.sequences[side]
            assert sum(run.restricted.sequences) > sum(side.sequences for side in small.sides)
        run._compare_at = run.iterations + 3
        run.run(3)


@pytest.mark.cases(2)
@pytest.mark.parametrize("game", [ruse.games.kuhn(), ruse.games.liars_dice(4), ruse.games.leduc()])
@settings(max_examples=some(10, 3), deadline=None)
@given(portions=st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_portions_and_resumes_do_not_matter(game: Game, portions: list[int]) -> None:
    compiled = Compiled(sequence_form(game))
    whole, parts = Xdo(compiled), Xdo(compiled)
    whole.run(sum(portions))
    for portion in portions:
        parts.run(portion)
        again = Xdo(compiled)
        again.restore({name: array.copy() for name, array in parts.state().items()})
        parts = again
    assert whole.iterations == parts.iterations == sum(portions)
    assert all((parts.state()[name] == array).all() for name, array in whole.state().items())
    assert all((mine == its).all() for mine, its in zip(whole.weights(), parts.weights(), strict=True))


def test_states_of_another_run_are_refused() -> None:
    run = Xdo(Compiled(sequence_form(ruse.games.kuhn())))
    run.run(30)
    for name, change in (("playable0", 0), ("inner.regret1", np.nan)):
        broken = run.state()
        broken[name][1:] = change
        with pytest.raises(ValueError, match="expected"):
            run.restore(broken)
    with pytest.raises(ValueError, match="expected 13 flags"):
        run.restore({**run.state(), "playable0": np.ones(3, dtype=bool)})
