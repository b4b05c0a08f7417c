"""An exact plan of one side: from a nearly optimal pair, whichever the side."""

from __future__ import annotations

import numpy as np
import pytest

import ruse
from ruse.forms.certificate import best_response, check_plan
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.cfr import VARIANTS, Cfr
from ruse.solvers.lp import lp
from ruse.solvers.one_side import one_side


@pytest.mark.cases(2)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("near", [1e-6, 1.0])
def test_each_side_alone_guarantees_the_value(side: int, near: float) -> None:
    """However few answers it begins with."""
    form = sequence_form(ruse.games.leduc())
    compiled = Compiled(form)
    run = Cfr(compiled, VARIANTS["pdcfr+"])
    run.run(2000)
    rounds: list[float] = []
    plan, bound = one_side(
        compiled, run.weights(), side, share=1e-9, near=near, report=lambda _, found: rounds.append(found)
    )
    check_plan(form.trees[side], plan)
    assert bound == best_response(form, 1 - side, plan)[0] == lp(form).certificate.lower
    assert np.isclose(rounds[-1], float(bound))
    assert len(rounds) > 1 or near == 1.0


def test_a_support_that_is_too_small_guarantees_less_and_says_so() -> None:
    form = sequence_form(ruse.games.kuhn())
    compiled = Compiled(form)
    pure = np.zeros(form.trees[0].sequences)
    pure[0] = 1
    pure[form.trees[0].first[:-1]] = 1  # always the first move
    plan, bound = one_side(compiled, (pure, np.ones(form.trees[1].sequences)), 0, share=1e-3, near=1.0)
    assert bound == best_response(form, 1, plan)[0] < lp(form).certificate.lower
