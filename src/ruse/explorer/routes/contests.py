"""The contests: rules, the best learned strategy in words, its results, and playing against it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from ruse.contests import arena
from ruse.contests.arena.page import FOUND
from ruse.contests.learned import Learned, load
from ruse.contests.learned_in_game import NO_TABLE, WHY_NOT
from ruse.core import atomic_files
from ruse.explorer import pages
from ruse.explorer.models import PROBLEMS, ContestModel, ContestsModel, StartedModel
from ruse.explorer.routes.solve import started
from ruse.explorer.state import Explorer, explorer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
MOST_BYTES = 4 << 20


def _learned(name: str) -> Learned | None:
    path = FOUND / f"{name}.ruse"
    return load(path) if path.exists() else None


def measured_path(here: Explorer, name: str) -> Path:
    """Return the path of the saved results."""
    return here.library.folder / "contests" / f"{name}.json"


def _measured(here: Explorer, name: str) -> dict[str, Any] | None:
    """Return the results of a contest's latest matches here; None if none were played."""
    try:
        record = json.loads(atomic_files.read(measured_path(here, name), MOST_BYTES).decode())
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and record.get("contest") == name else None


def _contest(here: Explorer, name: str) -> ContestModel:
    contest, best, measured = arena.find(name), _learned(name), _measured(here, name)
    play = None if measured is None else measured.get("play")
    why_not = WHY_NOT if contest.game is None else NO_TABLE if measured is not None and play is None else None
    fields = {
        "contest": name,
        "cut": contest.cut or None,
        "best": None if best is None else best.to_json(),
        "score": None if best is None else best.baseline.format(),
        "named": list(contest.named),
        "game": None if contest.game is None else contest.game.name,
        "measured": measured,
        "play": play,
        "why_not": why_not,
        "page": f"/contests/{name}",
    }
    return ContestModel.model_validate({**vars(contest), **fields})


@router.get("/contests.json", summary="Every contest of learned strategies")
def contests_json(here: Here) -> ContestsModel:
    return ContestsModel(contests=[_contest(here, name) for name in arena.CONTESTS])


@router.get("/contests", response_class=HTMLResponse, summary="Every contest, as a page")
def contests_page(here: Here) -> str:
    return pages.render("contests.html", path="/contests", contests=contests_json(here).contests)


@router.get("/contests/{name}.json", summary="A contest: rules, strategies, tables")
def contest_json(name: str, here: Here) -> ContestModel:
    return _contest(here, name)


@router.get("/contests/{name}", response_class=HTMLResponse, summary="A contest, as a page")
def contest_page(name: str, here: Here) -> str:
    return pages.render("contest.html", path=f"/contests/{name}", one=_contest(here, name))


@router.post(
    "/contests/{name}",
    response_class=Response,
    status_code=202,
    summary="Play the matches of a contest, and make the learned strategy available to play against",
    responses={202: {"model": StartedModel}, 303: {"description": "the page of the job"}},
)
def measure(name: str, request: Request, here: Here) -> Response:
    arena.find(name)
    spec = {"name": name, "file": str(measured_path(here, name)), "folder": str(here.library.folder)}
    return started(request, here.jobs.start("contest", spec, name))
