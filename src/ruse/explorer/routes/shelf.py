"""Rename and delete saved solutions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from ruse.explorer import shelf
from ruse.explorer.errors import wants_json
from ruse.explorer.forms import Fields, FormError, body_of
from ruse.explorer.models import PROBLEMS, KeptModel
from ruse.explorer.state import Explorer, explorer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
TEXT = {"type": "string"}
DONE: dict[int | str, dict[str, object]] = {200: {"model": KeptModel}, 303: {"description": "the library"}}


@router.post(
    "/library/name",
    response_class=Response,
    summary="Rename a saved solution; an empty name restores its own",
    openapi_extra=body_of({"file": TEXT, "name": TEXT}, ["file"]),
    responses=DONE,
)
def name(request: Request, fields: Fields, here: Here) -> Response:
    shelf.rename(here.library, _file_of(fields), fields.get("name", ""))
    return _done(request, here, fields)


@router.post(
    "/library/delete",
    response_class=Response,
    summary="Delete a saved solution",
    openapi_extra=body_of({"file": TEXT}, ["file"]),
    responses=DONE,
)
def delete(request: Request, fields: Fields, here: Here) -> Response:
    shelf.delete(here.library, _file_of(fields))
    return _done(request, here, fields)


def _file_of(fields: dict[str, str]) -> str:
    if not fields.get("file"):
        raise FormError("the file is missing; send one that library.json names")
    return fields["file"]


def _done(request: Request, here: Explorer, fields: dict[str, str]) -> Response:
    if wants_json(request.scope):
        return JSONResponse({"file": fields["file"], "label": shelf.names(here.library).get(fields["file"])})
    return RedirectResponse("/library#on-disk", 303)
