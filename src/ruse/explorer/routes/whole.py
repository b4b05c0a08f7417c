"""A solution as a whole: its bounds, how they came together, and the odds at its positions, however large the game.

The page of a position needs every state of the game in memory. This one needs none: it is what a game that is too large
for that can still show, and it never refuses.
"""

from __future__ import annotations

from heapq import nsmallest
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse

from ruse.core.game import PositionError
from ruse.explorer import in_full, pages, say
from ruse.explorer.entries import told
from ruse.explorer.jobs import Point
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
MOST_MOVES = 8  # told of a position


def _strategies(solution: Solution, at: str) -> list[OddsModel]:
    """The position itself, where a side moves there; else those that begin so, a screenful for each side."""
    exact = []
    for side, name in enumerate(solution.game.sides):
        try:
            exact.append(OddsModel(side=name, position=at, odds=solution.strategy(side).at(at)))
        except PositionError:
            continue
    return exact or [one for side in (0, 1) for one in _beginning(solution, side, at)]


def _beginning(solution: Solution, side: int, at: str) -> list[OddsModel]:
    """The earliest of those that begin so."""
    table, name = solution.tables[side], solution.game.sides[side]
    found = (position for position in table if position.startswith(at))
    first = nsmallest(MOST_POSITIONS, found, key=lambda position: (position.count("/"), position))
    return [OddsModel(side=name, position=position, odds=table[position]) for position in first]


def _whole(here: Explorer, title: str, file: str, at: str) -> tuple[WholeModel, Solution]:
    entry, solution = here.solved(title, file)
    standing, game = here.library.standing(entry), solution.game
    verdict = say.solved(solution, standing)
    model = WholeModel(
        game=game.title,
        identity=entry.identity,
        sentence=verdict.sentence,
        mark=verdict.mark,
        certificate=CertificateModel.of(here.library.certificate(entry, solution), standing),
        solver=solution.solver,
        seconds=solution.seconds,
        exploitability={game.sides[one.side]: ExploitedModel.of(one) for one in solution.exploitability},
        too_large=too_large(game),
        positions=[len(table) for table in solution.tables],
        points=[Point(one.seconds, one.lower, one.upper) for one in solution.points],
        strategies=_strategies(solution, at or game.title),
    )
    return model, solution


@router.get("/whole/{title:path}.json", summary="A solution as a whole: bounds, how they came together, odds")
def whole_json(title: str, here: Here, file: File = "", at: At = "") -> WholeModel:
    return _whole(here, title, file, at)[0]


@router.get("/whole/{title:path}", response_class=HTMLResponse, summary="A solution as a whole, as a page")
def whole_page(title: str, here: Here, file: File = "", at: At = "") -> str:
    model, solution = _whole(here, title, file, at)
    entry = here.found(title, file)
    return pages.render(
        "whole.html",
        path=f"/whole/{title}",
        whole=model,
        solution=solution,
        game=solution.game,
        long=in_full.rounded(
            (move, share) for one in model.strategies if one.position == at for move, share in one.odds.items()
        ),
        at_once=in_full.at_once,
        most_moves=MOST_MOVES,
        most_positions=MOST_POSITIONS,
        plot=bounds_svg(model.points) if len(model.points) > 1 else "",
        line=told(solution.game)[1],
        at=at,
        carried={"file": entry.carried},
    )
