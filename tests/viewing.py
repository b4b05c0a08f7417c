"""Views of solved games, and what every view must keep to."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

import ruse
from ruse.core.game import END
from ruse.games import make
from ruse.present.model import View, Viewer
from ruse.present.tree import FOLLOWED
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution


@cache
def solved(name: str, *parameters: tuple[str, object]) -> Solution:
    return ruse.solve(make(name, dict(parameters)))


@cache
def viewed(name: str, *parameters: tuple[str, object]) -> Viewer:
    return viewer(solved(name, *parameters))


def check_view(views: Viewer, view: View) -> None:
    """What holds at every position."""
    game, sign = views.solution.game, 1 - 2 * view.side
    where = view.position
    assert 0 <= (view.reach or 0) <= 1 and (view.reach is None or view.reached == (view.reach > 0)), where
    assert view.reached == (view.assumption == FOLLOWED), where
    assert sum(belief.odds for belief in view.beliefs) in (0, 1), where
    assert view.history[0].position == views.start(view.side) and view.history[-1].position == where
    if view.turn == END:
        assert not view.options and view.notes
    if view.options:
        assert sum(option.odds for option in view.options) == 1, where
        mean = sum(option.odds * option.value for option in view.options if option.value is not None)
        assert mean == view.value or (abs(mean - view.value) < Fraction(1, 10**8) and not view.exact), where
    losses = [option.loss for option in view.options if option.loss is not None]
    if view.turn == view.side:
        assert len(losses) == len(view.options) and min(losses) == 0, where
        for option in view.options:
            assert option.value is not None
            assert option.loss == max(sign * other.value for other in view.options if other.value is not None) - (
                sign * option.value
            )
    else:
        assert not losses
    json.dumps(view.to_json(game))
