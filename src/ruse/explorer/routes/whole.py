"""A solution as a whole: its bounds, how they converged, and the strategies at its positions, however large the game.

The page of a position needs every state of the game in memory; this page needs none, so it works for games of any size.
"""

from __future__ import annotations

from heapq import nsmallest
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse

from ruse.core.game import PositionError
from ruse.explorer import exact_numbers, pages, wording
from ruse.explorer.entries import rules_and_table
from ruse.explorer.jobs import RunPoint
from ruse.explorer.models import PROBLEMS, CertificateModel, ExploitedModel, OddsModel, WholeModel
from ruse.explorer.plots import bounds_svg
from ruse.explorer.state import Explorer, explorer
from ruse.present.viewer import too_large
from ruse.solution.strategy import Solution

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
File = Annotated[str, Query(max_length=16, description="the solution to show, if the library has several of a game")]
At = Annotated[str, Query(max_length=4000, description="a position, or the start of the positions to list")]

MOST_POSITIONS = 20  # listed for each side
MOST_MOVES = 8  # listed for a position


def _strategies(solution: Solution, at: str) -> list[OddsModel]:
    """Return the odds at a position, or at the first positions of each side that begin with it."""
    exact = []
    for side, name in enumerate(solution.game.sides):
        try:
            exact.append(OddsModel(side=name, position=at, odds=solution.strategy(side).at(at)))
        except PositionError:
            continue
    return exact or [odds for side in (0, 1) for odds in _beginning(solution, side, at)]


def _beginning(solution: Solution, side: int, at: str) -> list[OddsModel]:
    """Return the odds at the earliest positions that begin with a text."""
    table, name = solution.tables[side], solution.game.sides[side]
    matching = (position for position in table if position.startswith(at))
    first = nsmallest(MOST_POSITIONS, matching, key=lambda position: (position.count("/"), position))
    return [OddsModel(side=name, position=position, odds=table[position]) for position in first]


def _whole(here: Explorer, title: str, file: str, at: str) -> tuple[WholeModel, Solution]:
    entry, solution = here.solved(title, file)
    standing, game = here.library.standing(entry), solution.game
    verdict = wording.solved(solution, standing)
    model = WholeModel(
        game=game.title,
        identity=entry.identity,
        sentence=verdict.sentence,
        mark=verdict.mark,
        certificate=CertificateModel.of(here.library.certificate(entry, solution), standing),
        solver=solution.solver,
        seconds=solution.seconds,
        exploitability={
            game.sides[exploited.side]: ExploitedModel.of(exploited) for exploited in solution.exploitability
        },
        too_large=too_large(game),
        positions=[len(table) for table in solution.tables],
        points=[RunPoint(point.seconds, point.lower, point.upper) for point in solution.points],
        strategies=_strategies(solution, at or game.title),
    )
    return model, solution


@router.get("/whole/{title:path}.json", summary="A solution as a whole: bounds, how they converged, odds")
def whole_json(title: str, here: Here, file: File = "", at: At = "") -> WholeModel:
    return _whole(here, title, file, at)[0]


@router.get("/whole/{title:path}", response_class=HTMLResponse, summary="A solution as a whole, as a page")
def whole_page(title: str, here: Here, file: File = "", at: At = "") -> str:
    model, solution = _whole(here, title, file, at)
    entry = here.find_entry(title, file)
    return pages.render(
        "whole.html",
        path=f"/whole/{title}",
        whole=model,
        solution=solution,
        game=solution.game,
        long=exact_numbers.rounded(
            (move, share)
            for strategy in model.strategies
            if strategy.position == at
            for move, share in strategy.odds.items()
        ),
        at_once=exact_numbers.at_once,
        most_moves=MOST_MOVES,
        most_positions=MOST_POSITIONS,
        plot=bounds_svg(model.points) if len(model.points) > 1 else "",
        line=rules_and_table(solution.game)[1],
        at=at,
        carried={"file": entry.carried},
    )
