"""The studio: a variant edited in place, with its exact value as you type, and maps over two of its entries."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.core import rationals, registry
from ruse.core.game import Game, RuseError
from ruse.explorer import pages, studio, wording
from ruse.explorer.entries import identified
from ruse.explorer.models import PROBLEMS, StudioMapModel, StudioModel
from ruse.explorer.routes.solve import FIRST, by_fields
from ruse.explorer.state import Explorer, explorer
from ruse.studio.rows import VariantRow

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Tab = Annotated[
    str, Query(max_length=40, description="an id of the page, so that the server can drop outdated requests")
]
Turn = Annotated[int, Query(ge=0, le=1 << 40, description="number of the request from that page")]
Name = Annotated[str, Query(max_length=60)]


def _given(request: Request, name: str) -> dict[str, str]:
    """Read the parameters of an address; entries of a list may come one by one."""
    known = studio.asked(name)
    parameters: dict[str, str] = {}
    for key, value in request.query_params.multi_items():
        parameter = key.removeprefix("p-")
        if not key.startswith("p-") or not value.strip():
            continue
        if parameter not in known:
            raise RuseError(f"expected one of the parameters of {name}, {', '.join(known)}, got {parameter[:40]!r}")
        parameters[parameter] = f"{parameters[parameter]},{value.strip()}" if parameter in parameters else value.strip()
    if sum(map(len, parameters.values())) > studio.MOST_CHARACTERS:
        raise RuseError(f"expected at most {studio.MOST_CHARACTERS:,} characters of parameters")
    return parameters


def _check(name: str) -> str:
    if name not in studio.offered():
        raise RuseError(f"expected one of the games {', '.join(studio.offered())}, got {name[:60]!r}")
    return name


def _look(here: Explorer, name: str, given: dict[str, str], tab: str = "", turn: int = 0) -> StudioModel:
    """Return a variant with its value, or what is wrong with it."""
    try:
        game = registry.make(name, given)
        row = here.bench.row(game, tab=tab, turn=turn)
        usual = _usual(name, given)
        base = None if usual is None else here.bench.row(usual)
    except RuseError as error:
        trouble = wording.sentence(by_fields(str(error)))
        return StudioModel(game=name, page=studio.link(name, given), parameters=dict(given), trouble=trouble)
    texts = studio.texts_of(game)
    return StudioModel(
        game=name,
        title=game.title,
        line=studio.in_a_line(game),
        page=studio.link(name, texts),
        parameters=dict(game.parameters),
        row=row.to_json(),
        told=row.format_value(),
        sentence=wording.sentence(studio.sentence(game, row, here.bench.moment)),
        exact=row.exact,
        difference=None if base is None else row.measure - base.measure,
        changed="" if base is None or usual is None else _changed(usual, row, row.measure - base.measure),
        solution=studio.link(name, texts, "/studio/strategies"),
        card=studio.link(name, texts, "/studio/card"),
    )


def _usual(name: str, given: dict[str, str]) -> Game | None:
    """Return the official variant for the first parameter alone; None if that is not enough."""
    first = studio.asked(name)[0]
    try:
        return registry.make(name, {key: text for key, text in given.items() if key == first})
    except RuseError:
        return None


def _changed(usual: Game, row: VariantRow, difference: Fraction) -> str:
    if row.parameters == usual.parameters:
        return "Official rules."
    if not difference:
        return f"The same as {usual.title}."
    amount = rationals.points(abs(difference)) if row.wins else rationals.short(abs(difference))
    return f"{amount} {'more' if difference > 0 else 'less'} than {usual.title}."


@router.get("/studio.json", summary="A variant of a game, and its exact value if that takes a moment")
def studio_json(request: Request, here: Here, game: Name = FIRST, tab: Tab = "", turn: Turn = 0) -> StudioModel:
    """Parameters are p-NAME; the others have their defaults."""
    name = _check(game)
    return _look(here, name, _given(request, name), tab, turn)


@router.get("/studio", response_class=HTMLResponse, summary="The studio, as a page")
def studio_page(request: Request, here: Here, game: Name = FIRST) -> str:
    name = _check(game)
    given = _given(request, name)
    model = _look(here, name, given)
    shown = given
    axes: list[studio.StudioAxis] = []
    if model.title is not None:
        made = registry.make(name, given)
        shown, axes = studio.texts_of(made), studio.axes_of(made)
    fields = []
    for parameter in registry.parameters_of(name):
        if parameter.name in studio.asked(name):
            text = shown.get(parameter.name, "")
            entries = text.split(",") if parameter.hint.startswith("N,") and text else []
            field = {"name": parameter.name, "hint": parameter.hint, "help": parameter.help}
            fields.append({**field, "text": text, "entries": entries})
    return pages.render(
        "studio.html",
        path="/studio",
        model=model,
        fields=fields,
        axes=axes,
        games=studio.offered(),
        advice=registry.spec(name).advice,
    )


@router.get(
    "/studio/strategies",
    response_class=RedirectResponse,
    status_code=303,
    summary="The pages of a variant's strategies, which is solved and saved first",
)
def strategies(request: Request, here: Here, game: Name = FIRST) -> Response:
    title, file = _kept(request, here, game)
    return RedirectResponse(pages.position_url(title, file=file), 303)


@router.get(
    "/studio/card",
    response_class=RedirectResponse,
    status_code=303,
    summary="A variant's rules to print, which is solved and saved first",
)
def rule_card(request: Request, here: Here, game: Name = FIRST) -> Response:
    title, file = _kept(request, here, game)
    return RedirectResponse(pages.url(f"/export/{title}.html", file=file), 303)


def _kept(request: Request, here: Explorer, name: str) -> tuple[str, str]:
    """Solve and save a variant; return its title and source. Raises Solving."""
    game = registry.make(_check(name), _given(request, name))
    here.solved_game(game)
    entry = here.library.of(identified(game))
    return game.title, "" if entry is None else entry.carried or ""


@router.get("/studio/map.json", summary="The values of all variants over two entries")
def map_json(request: Request, here: Here, across: Name, down: Name, game: Name = FIRST) -> StudioMapModel:
    name = _check(game)
    made = registry.make(name, _given(request, name))
    axes = {axis.name: axis for axis in studio.axes_of(made)}
    for chosen in (across, down):
        if chosen not in axes:
            raise RuseError(f"expected one of the entries {', '.join(axes)}, got {chosen[:40]!r}")
    if across == down:
        raise RuseError(f"expected two different entries, got {across} twice")
    first, second = axes[across], axes[down]
    if len(first.options) * len(second.options) > studio.MOST_CELLS:
        raise RuseError(f"expected a map of at most {studio.MOST_CELLS} cells")
    cells, complete = here.bench.map(name, studio.texts_of(made), first, second)
    here_at = [_entry(made, axis) for axis in (first, second)]
    return StudioMapModel(
        game=name,
        across=across,
        down=down,
        columns=list(first.options),
        rows=list(second.options),
        here=here_at,
        cells=cells,
        complete=complete,
    )


def _entry(game: Game, axis: studio.StudioAxis) -> str:
    """Return the option of a variant on an axis."""
    text = studio.texts_of(game)[axis.parameter]
    return text if axis.entry is None else text.split(",")[axis.entry - 1]
