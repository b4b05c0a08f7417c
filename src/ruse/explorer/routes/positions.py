"""The page of a position: what it is worth, what to do, what to believe, where it leads, and why that is so."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.certificate import Certificate
from ruse.core.clock import TimeIsUp
from ruse.core.game import GameError, PositionError
from ruse.core.registry import part, presentation
from ruse.explorer import in_full, pages, say, tell
from ruse.explorer.deals import deals
from ruse.explorer.entries import told
from ruse.explorer.insights import Looked, Question, look_into
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS, CertificateModel, InsightModel, PositionModel, TreeModel
from ruse.explorer.pages import download
from ruse.explorer.state import Explorer, explorer
from ruse.play.shown import picture_at
from ruse.present.drawing import Link, tree
from ruse.present.edited import Editable
from ruse.present.model import View, Viewer, Why
from ruse.present.tree import TreeViewer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Side = Annotated[
    int | None, Query(ge=0, le=1, description="the side whose view to show, if both sides know the position")
]
File = Annotated[str, Query(max_length=16, description="the solution to show, if the library has several of a game")]
Asked = Annotated[str | None, Query(max_length=400, description="a move to explain")]
Again = Annotated[bool, Query(description="solve again from here, where optimal play never leads")]

Slip = Annotated[str, Query(max_length=40, description="how often the other side slips, such as 1/10")]
Own = Annotated[str, Query(max_length=40, description="what one player knows beyond the team, such as the own seat")]
Seconds = Annotated[int, Query(ge=1, le=600, description="seconds that insight may take")]

DECIMAL = re.compile(r"-?[0-9]{0,20}\.[0-9]{1,20}")
MOST_OPTIONS = 40  # rows, unless all are asked for
MOST_DEPTH = 6  # of a tree
Depth = Annotated[int, Query(ge=1, le=MOST_DEPTH, description="steps ahead")]
resolving = threading.Semaphore(2)  # solves within a request, at a time


def look(opened: Opened, position: str, side: int | None, again: bool) -> View:
    """The view at a position, with what is likeliest first."""
    view = _find(opened.viewer, position, side, opened.entry.title)
    if again and not view.reached:
        with resolving:
            view = opened.viewer.resolve(view.position, view.side)
    return replace(view, options=sorted(view.options, key=lambda option: -option.odds))


def _find(viewer: Viewer, position: str, side: int | None, title: str) -> View:
    """A title alone stands for the start; a ? at the end of an address is not part of it, so one is tried too."""
    try:
        return viewer.at(position, side)
    except PositionError:
        if position == title:
            return viewer.at(viewer.start(side or 0), side or 0)
        with suppress(PositionError):
            return viewer.at(f"{position}?", side)
        raise


def is_start(opened: Opened, view: View) -> bool:
    return view.position == opened.viewer.start(view.side)


def explain(opened: Opened, view: View, move: str | None) -> Why | None:
    if not move:
        return None
    with resolving:
        return opened.viewer.why(view.position, move, view.side)


def position_model(
    opened: Opened, view: View, why: Why | None, certificate: Certificate, standing: str
) -> PositionModel:
    verdict = tell.at_position(opened.solution, view, is_start(opened, view), standing)
    game = opened.solution.game
    page = {
        **vars(view),
        **view.named(game),
        "game": game.title,
        "identity": opened.entry.identity,
        "sentence": verdict.sentence,
        "mark": verdict.mark,
        "condition": tell.condition(view, is_start(opened, view)),
        "terms": tell.terms(opened.solution, view),
        "solver": opened.solution.solver,
        "certificate": CertificateModel.of(certificate, standing),
        "why": why,
    }
    return PositionModel.model_validate(page)


def a_slip(text: str) -> Fraction:
    """How often somebody slips: 0, 1/10 or 0.1. Raises PositionError."""
    try:
        found = Fraction(text) if DECIMAL.fullmatch(text) else rationals.read(text)
    except ValueError as error:
        raise PositionError(f"expected a probability such as 1/10, got {text[:40]!r}") from error
    if not 0 <= found <= 1:
        raise PositionError(f"expected a slip from 0 to 1, got {text[:40]}")
    return found


@router.get("/p/{position:path}.insight.json", summary="A position: what holds for all optimal strategies")
def insight_json(
    position: str, here: Here, side: Side = None, file: File = "", slip: Slip = "0", own: Own = "", time: Seconds = 20
) -> InsightModel:
    """Ranges over all optimal strategies, prices and beliefs: the same numbers as on the page, once it has them."""
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    told = here.insights.ask(opened, Question(view.position, view.side, a_slip(slip), own), time, time)
    if told is None:
        raise TimeIsUp(f"there is no insight after {time} seconds yet; ruse is still working, so try again")
    game = opened.solution.game
    found: dict[str, Any] = {
        **told.there.to_json(game.sides),
        "game": game.title,
        "identity": opened.entry.identity,
        "own": own,
        "own_facts": dict(told.own_facts),
        "worst": told.worst,
        "seconds": told.seconds,
    }
    return InsightModel.model_validate(found)


@router.get("/p/{position:path}.json", summary="A position: value, moves, beliefs")
def position_json(
    position: str, here: Here, side: Side = None, file: File = "", why: Asked = None, resolve: Again = False
) -> PositionModel:
    """The same numbers as on the page."""
    opened = here.opened(position, file)
    view = look(opened, position, side, resolve)
    certificate = here.library.certificate(opened.entry, opened.solution)
    return position_model(opened, view, explain(opened, view, why), certificate, here.library.standing(opened.entry))


@router.get("/p/{position:path}.csv", response_class=Response, summary="A position as a table, a row a move or belief")
def position_csv(position: str, here: Here, side: Side = None, file: File = "") -> Response:
    """Exact fractions; with ranges and prices where insight has been found already."""
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    looked = Looked(here.insights.known(opened, Question(view.position, view.side)))
    return download(in_full.sheet(opened.solution.game, view, looked), "text/csv", f"{view.position}.csv")


@router.get("/p/{position:path}", response_class=HTMLResponse, summary="A position, as a page")
def position_page(
    position: str,
    here: Here,
    side: Side = None,
    file: File = "",
    tab: Literal["strategy", "beliefs", "tree", "proof"] = "strategy",
    why: Asked = None,
    resolve: Again = False,
    every: Annotated[bool, Query(description="list all moves, however many")] = False,
    depth: Depth = 3,
    insight: Annotated[bool, Query(description="wait for insight into all optimal strategies")] = False,
    slip: Slip = "0",
    own: Own = "",
    time: Seconds = 20,
) -> Response:
    try:
        opened = here.opened(position, file)
    except GameError:  # too large to look at
        entry = here.found(position, file)
        at = None if position == entry.title else position
        return RedirectResponse(pages.url(f"/whole/{entry.title}", file=entry.carried, at=at), 303)
    view = look(opened, position, side, resolve)
    carried = {"side": side, "file": opened.entry.carried}
    game, standing = opened.solution.game, here.library.standing(opened.entry)
    asked = Question(view.position, view.side, a_slip(slip), own)
    wait = insight or own != "" or asked.slip > 0
    looked = look_into(here.insights, opened, asked, wait, time, here.settings.ahead)
    start = is_start(opened, view)
    certificate = here.library.certificate(opened.entry, opened.solution)
    html = pages.render(
        "position.html",
        page=position_model(opened, view, explain(opened, view, why), certificate, standing),
        path=f"/p/{position}",
        opened=opened,
        game=game,
        view=view,
        verdict=tell.at_position(opened.solution, view, start, standing),
        start=start,
        terms=tell.terms(opened.solution, view, looked.told.worst if looked.told else None),
        looked=looked,
        question=asked,
        slip=slip,
        every=every,
        time=time,
        whole=say.solved(opened.solution, standing),
        standing=standing,
        carried=carried,
        hidden=not isinstance(game, Open),
        by_state=isinstance(opened.viewer, TreeViewer),
        can_edit=isinstance(opened.viewer, Editable),
        tab=tab,
        asked=why,
        resolved=resolve,
        options=view.options if every else view.options[:MOST_OPTIONS],
        deals=deals(opened, view, carried),
        tree=_tree(opened, view, depth, lambda to: pages.position_url(to, carried, tab=tab)) if tab == "tree" else "",
        depth=depth,
        most_depth=MOST_DEPTH,
        line=told(game)[1],
        picture=picture_at(opened.solution, view.side, view.position, opened.viewer),
        model=presentation(game).model(),
        has_evening=part(game, "companion", "asked") is not None,
        heat=say.heat([list(row) for row in view.table]),
        long=in_full.of_view(opened.solution, view, looked) if tab in ("strategy", "beliefs") else [],
        at_once=in_full.at_once,
    )
    return HTMLResponse(html)


def _tree(opened: Opened, view: View, depth: int, link: Link | None = None) -> str:
    with resolving:
        return tree(opened.viewer, view.position, depth, view.side).svg(link)


@router.get("/tree/{position:path}.json", summary="The tree from a position")
def tree_json(position: str, here: Here, side: Side = None, file: File = "", depth: Depth = 3) -> TreeModel:
    """The same positions and numbers as in the picture."""
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    with resolving:
        drawn = tree(opened.viewer, view.position, depth, view.side)
    return TreeModel.model_validate(drawn.root).model_copy(update={"identity": opened.entry.identity})


@router.get("/tree/{position:path}.svg", response_class=Response, summary="The tree from a position, as a picture")
def tree_svg(
    position: str,
    here: Here,
    side: Side = None,
    file: File = "",
    depth: Depth = 3,
) -> Response:
    opened = here.opened(position, file)
    picture = _tree(opened, look(opened, position, side, False), depth)
    return download(picture, "image/svg+xml", f"{position}.svg", "inline")
