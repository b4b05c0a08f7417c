"""Find games and positions by their names and by words."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.explorer import pages
from ruse.explorer.errors import Gone, NotHere
from ruse.explorer.models import PROBLEMS, FoundModel
from ruse.explorer.search import search
from ruse.explorer.shelf import names
from ruse.explorer.state import Explorer, explorer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Words = Annotated[str, Query(max_length=2000, description="words, such as resistance 5")]


@router.get("/go", response_class=Response, summary="Go to a position by its name, or to what the words describe")
def go_to(to: Words, here: Here, file: Annotated[str, Query(max_length=16)] = "") -> Response:
    """Redirect to a position, or search; the form behind the key g, which works without scripts.

    Text that is no position is searched for; if there is one result, it opens. Positions of the current game or file
    keep it.
    """
    position = to.strip().lstrip("/")
    for source in dict.fromkeys((file, "")):
        with suppress(NotHere, Gone):
            entry = here.library.find(position, source)
            return RedirectResponse(pages.position_url(position, file=entry.carried if source else None), 303)
    hits = search(here.library, position, names(here.library))
    meant = [hit for hit in hits if hit.near == 0] or hits
    page = meant[0].page if len(meant) == 1 else pages.url("/find", words=position)
    return RedirectResponse(page, 303)


def _results(here: Explorer, words: str) -> FoundModel:
    return FoundModel(words=words, hits=search(here.library, words, names(here.library)))


@router.get("/find.json", summary="Games and positions by words")
def find_json(here: Here, words: Words = "") -> FoundModel:
    return _results(here, words)


@router.get("/find", response_class=HTMLResponse, summary="Games and positions by words, as a page")
def find_page(here: Here, words: Words = "") -> str:
    return pages.render("find.html", path="/find", results=_results(here, words))
