"""The companion for a real evening: its page, the strategies that its scripts ask for, and the page as one file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, Response

from ruse.core.registry import make, part
from ruse.explorer import pages
from ruse.explorer.companion import GAME, CompanionError, in_one_file, one_file, setting
from ruse.explorer.models import PROBLEMS, CompanionModel, StrategyModel
from ruse.explorer.state import Explorer, explorer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Numbers = Annotated[str, Query(max_length=100, description="five numbers, such as 2,3,2,3,3")]
MOST_TYPED = 100  # characters of a field
Number = Annotated[str, Query(max_length=4, examples=["7"])]


@router.get("/companion.json", summary="The tables that the companion knows by themselves")
def companion_json() -> CompanionModel:
    return CompanionModel.model_validate({"tables": list(in_one_file(make(GAME))[0].values())})


@router.get("/companion", response_class=HTMLResponse, summary="The companion for a real evening, as a page")
def companion_page() -> str:
    settings = setting(in_one_file(make(GAME))[0], address="/companion/strategy.json")
    return pages.render("companion.html", path="/companion", setting=settings)


@router.get("/companion/strategy.json", summary="Both strategies at a table, as the companion's scripts read them")
def strategy_json(
    here: Here, players: Number = "5", spies: Number = "", missions: Numbers = "", sabotages: Numbers = ""
) -> StrategyModel:
    """Parameters that are left out are official."""
    asked = {"players": players, "spies": spies, "missions": missions, "sabotages": sabotages}
    return StrategyModel.model_validate(_packed(here, {name: text for name, text in asked.items() if text}))


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
    official, _ = in_one_file(make(GAME))
    page = one_file([_packed(here, table) for table in official.values()], official)
    return Response(
        page, media_type="text/html", headers={"content-disposition": 'attachment; filename="companion.html"'}
    )


def _packed(here: Explorer, parameters: dict[str, Any]) -> dict[str, Any]:
    game = make(GAME, parameters)
    return in_one_file(game)[1](here.solved_game(game))
