"""Take a seat at a table: a form to begin, and the page of an evening. Everything is saved after every act."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ruse.core.game import RuseError
from ruse.core.registry import make
from ruse.explorer import pages
from ruse.explorer.errors import NotHere, status_of, wants_json
from ruse.explorer.forms import Fields, FormError, body_of, chosen_move, whole, yes
from ruse.explorer.models import PROBLEMS
from ruse.explorer.seat_models import SeatFormModel, SeatModel
from ruse.explorer.state import Explorer, explorer
from ruse.play.seats import seated, with_seats
from ruse.play.shown import in_rows

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
TEXT = {"type": "string"}
MOST_LEFT = 12  # unfinished evenings in the list
Hinted = Annotated[bool, Query(description="show what optimal play does here")]
BEGIN = ("game", "players", "roles", "seat", "side", "bots", "coach", "seed")


def seat_pages(here: Explorer) -> Any:
    """Return the evenings of the games that have seats, which all share them."""
    return seated(make(with_seats()[0])).SeatPages(here.settings.sessions.with_name("evenings"))


def _at(here: Explorer, identity: str) -> Any:
    evenings = seat_pages(here)
    if not evenings.has(identity):
        raise NotHere(f"there is no saved evening {identity[:40]!r}")
    return evenings


@router.get("/seat", response_class=HTMLResponse, summary="Choose a game, a seat and the others")
def form_page(here: Here, request: Request) -> str:
    """Show the form, filled in from the address."""
    return _form(here, dict(request.query_params))


def _form(here: Explorer, asked: dict[str, str], trouble: str = "") -> str:
    evenings = seat_pages(here)
    return pages.render(
        "seat-form.html",
        path="/seat",
        fields=evenings.form(asked),
        unfinished=evenings.unfinished(MOST_LEFT),
        coach=asked.get("coach") == "yes",
        seed=asked.get("seed", "")[:20],
        trouble=trouble,
    )


@router.get("/seat.json", summary="What can be chosen for an evening, and the evenings that were left")
def form_json(here: Here) -> SeatFormModel:
    evenings = seat_pages(here)
    return SeatFormModel.model_validate(
        {"fields": evenings.form({}), "unfinished": dict(evenings.unfinished(MOST_LEFT))}
    )


@router.post(
    "/seat",
    response_class=Response,
    status_code=201,
    summary="Take a seat",
    openapi_extra=body_of(dict.fromkeys(BEGIN, TEXT), []),
    responses={201: {"model": SeatModel}, 303: {"description": "the page of the evening"}},
)
def begin(request: Request, fields: Fields, here: Here) -> Response:
    evenings = seat_pages(here)
    try:
        identity = evenings.begin(fields, whole(fields, "seed"), yes(fields, "coach"))
    except RuseError as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_form(here, fields, str(error)), status_of(error))
    return _answer(request, evenings, identity, 201)


@router.get("/seat/{identity}.json", summary="An evening, as far as the person at the seat knows it")
def seat_json(identity: str, here: Here, hint: Hinted = False) -> SeatModel:
    return SeatModel.of(_at(here, identity).page(identity, hint))


@router.get("/seat/{identity}", response_class=HTMLResponse, summary="An evening, as a page")
def seat_page(identity: str, here: Here, hint: Hinted = False) -> str:
    return _shown(_at(here, identity).page(identity, hint))


def _shown(page: Any, trouble: str = "", typed: str = "") -> str:
    options = [] if page.ticks else list(page.acts)
    return pages.render(
        "seat.html",
        path=f"/seat/{page.id}",
        page=page,
        picture=page.picture,
        trouble=trouble,
        typed=typed,
        question=page.question,
        ticks=page.ticks,
        picks=None,
        rows=in_rows(options),
        numbers={option: number for number, option in enumerate(options, 1)},
        moves_text="",
        on_board=set(),
    )


@router.post(
    "/seat/{identity}",
    response_class=Response,
    summary="Act",
    openapi_extra=body_of({"number": TEXT, "move": TEXT}, ["number", "move"]),
    responses={200: {"model": SeatModel}, 303: {"description": "the page of the evening"}},
)
def act(identity: str, request: Request, fields: Fields, here: Here) -> Response:
    """Act. It needs the number of the act, so that of two tabs only one can make it."""
    evenings = _at(here, identity)
    chosen = chosen_move(fields)
    try:
        number = whole(fields, "number")
        if number is None or not chosen:
            raise FormError("expected an act and its number")
        evenings.act(identity, number, chosen)
    except RuseError as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(evenings.page(identity), str(error), chosen), status_of(error))
    return _answer(request, evenings, identity, 200)


@router.post(
    "/seat/{identity}/back",
    response_class=Response,
    summary="Take the last act back",
    openapi_extra=body_of({"number": TEXT}, ["number"]),
    responses={200: {"model": SeatModel}, 303: {"description": "the page of the evening"}},
)
def back(identity: str, request: Request, fields: Fields, here: Here) -> Response:
    """Take an act back. It needs the number of the next act, so that of two tabs only one takes it back."""
    evenings = _at(here, identity)
    try:
        number = whole(fields, "number")
        if number is None:
            raise FormError("expected the number of the next act, got none")
        evenings.take_back(identity, number)
    except RuseError as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(evenings.page(identity), str(error)), status_of(error))
    return _answer(request, evenings, identity, 200)


@router.post(
    "/seat/{identity}/forget",
    response_class=Response,
    summary="Delete an evening that was begun",
    responses={200: {"model": SeatFormModel}, 303: {"description": "where evenings are begun"}},
)
def forget(identity: str, request: Request, here: Here) -> Response:
    _at(here, identity).forget(identity)
    if wants_json(request.scope):
        return JSONResponse(form_json(here).model_dump(mode="json"))
    return RedirectResponse("/seat", 303)


def _answer(request: Request, evenings: Any, identity: str, status: int) -> Response:
    if wants_json(request.scope):
        return JSONResponse(SeatModel.of(evenings.page(identity)).model_dump(mode="json"), status)
    return RedirectResponse(f"/seat/{identity}", 303)
