"""The companion for a real evening: its page, the strategies that its scripts ask for, and the page as one file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from ruse.core.registry import make, parameters_of, part
from ruse.explorer import pages
from ruse.explorer.companion import CompanionError, default_game, in_one_file, one_file, setting
from ruse.explorer.models import PROBLEMS, CompanionModel, StrategyModel
from ruse.explorer.state import Explorer, explorer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
MOST_TYPED = 100  # characters of a field


@router.get("/companion.json", summary="The tables that the companion knows by themselves")
def companion_json() -> CompanionModel:
    return CompanionModel.model_validate({"tables": list(in_one_file(make(default_game()))[0].values())})


@router.get("/companion", response_class=HTMLResponse, summary="The companion for a real evening, as a page")
def companion_page() -> str:
    settings = setting(in_one_file(make(default_game()))[0], address="/companion/strategy.json")
    return pages.render("companion.html", path="/companion", setting=settings)


@router.get("/companion/strategy.json", summary="Both strategies at a table, as the companion's scripts read them")
def strategy_json(here: Here, request: Request) -> StrategyModel:
    """The query has the game's parameters by name; those that are left out are official."""
    known = {parameter.name for parameter in parameters_of(default_game())}
    given = {name: text[:MOST_TYPED] for name, text in request.query_params.items() if name in known and text}
    return StrategyModel.model_validate(_packed(here, given))


@router.get(
    "/companion/{title:path}", response_class=HTMLResponse, summary="The companion of a solved table with roles"
)
def asked_page(title: str, here: Here, request: Request, file: str = "") -> str:
    """Show an evening that the address describes: seats, missions, claims, and what you know."""
    entry, solution = here.solved(title, file)
    evening = part(solution.game, "companion", "asked")
    if evening is None:
        raise CompanionError(f"{title} has no roles; use the page /companion")
    fields = {name: text[:MOST_TYPED] for name, text in request.query_params.items()}
    return pages.render(
        "companion-asked.html",
        path=f"/companion/{title}",
        game=solution.game,
        told=evening(solution, fields),
        carried={"file": entry.carried},
    )


@router.get("/companion.html", response_class=Response, summary="The companion as one file that needs no server")
def companion_file(here: Here) -> Response:
    """With the strategies of all official tables."""
    official, _ = in_one_file(make(default_game()))
    page = one_file([_packed(here, table) for table in official.values()], official)
    return Response(
        page, media_type="text/html", headers={"content-disposition": 'attachment; filename="companion.html"'}
    )


def _packed(here: Explorer, parameters: dict[str, Any]) -> dict[str, Any]:
    game = make(default_game(), parameters)
    return in_one_file(game)[1](here.solved_game(game))
