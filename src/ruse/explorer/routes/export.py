"""Solutions for other programs, as downloads."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from ruse.core import size_estimate
from ruse.explorer.entries import Entry
from ruse.explorer.errors import RequestTooLarge
from ruse.explorer.models import PROBLEMS
from ruse.explorer.routes.positions import Side, look
from ruse.explorer.state import Explorer, explorer
from ruse.formats import ExportError
from ruse.formats.export import RULES, export
from ruse.formats.notebook import notebook
from ruse.present.card import card
from ruse.present.report import texts
from ruse.present.viewer import too_large
from ruse.solution import store
from ruse.solution.strategy import Solution

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
KINDS = {
    "csv": "text/csv",
    "json": "application/json",
    "efg": "text/plain",
    "nfg": "text/plain",
    "ipynb": "application/x-ipynb+json",
    "html": "text/html; charset=utf-8",
    "ruse": "application/octet-stream",
}
MOST_NODES = 300_000  # of an exported game


@router.get("/export/{title:path}.{form}", response_class=Response, summary="A solution in a file of some format")
def download(
    title: str,
    form: str,
    here: Here,
    file: Annotated[str, Query(max_length=16)] = "",
    at: Annotated[str, Query(max_length=4000, description="the position that a notebook is about")] = "",
    side: Side = None,
) -> Response:
    if form not in KINDS:
        raise ExportError(f"expected one of the formats {', '.join(KINDS)}, got {form[:20]!r}")
    entry, solution = here.solved(title, file)
    which = f"-{entry.source}" if entry.carried else ""
    name = quote(f"{solution.game.title}{which}.{form}", safe="")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    if form == "ipynb":
        content = _notebook(here, entry, solution, f"{solution.game.title}{which}.ruse", at, side)
    else:
        content = _content(solution, form)
    return Response(content, media_type=KINDS[form], headers=headers)


def _notebook(here: Explorer, entry: Entry, solution: Solution, name: str, at: str, side: int | None) -> bytes:
    """Make a notebook about the downloaded solution file, at an existing position."""
    if not at:
        return notebook(solution, name).encode()
    if too_large(solution.game):
        side = next((owner for owner in (0, 1) if at in solution.tables[owner]), side or 0)
        solution.strategy(side).at(at)  # which says if there is none
        return notebook(solution, name, at, side).encode()
    view = look(here.open(entry), at, side, False)
    return notebook(solution, name, view.position, view.side).encode()


def _content(solution: Solution, form: str) -> bytes:
    if form == "ruse":
        return store.dumps(solution)
    if form == "html":
        return card(solution).encode()
    if form == "json":
        strategies = {
            name: {position: texts(odds) for position, odds in table.items()}
            for name, table in zip(solution.game.sides, solution.tables, strict=True)
        }
        whole = {**solution.to_json(), "versions": dict(solution.versions), "strategies": strategies}
        return json.dumps(whole, ensure_ascii=False, indent=1).encode()
    if form in RULES and not size_estimate.walkable(solution.game, MOST_NODES):
        raise RequestTooLarge(
            f"this game has more than {MOST_NODES:,} nodes, too many to write as .{form} in a page: "
            f"use ruse export --{form}"
        )
    with tempfile.TemporaryDirectory() as folder:
        return export(solution, form, Path(folder) / f"solution.{form}").read_bytes()
