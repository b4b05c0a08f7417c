"""The studio: a variant edited in place, with its exact value as you type, and maps over two of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as PathParameter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.core import rationals, registry
from ruse.core.game import RuseError
from ruse.explorer import pages, reports, studio, wording
from ruse.explorer.entries import identified
from ruse.explorer.errors import wants_json
from ruse.explorer.forms import Fields, body_of
from ruse.explorer.models import (
    PROBLEMS,
    ReportDataModel,
    StartedModel,
    StudioMapModel,
    StudioModel,
    StudioVersionModel,
)
from ruse.explorer.own_variants import Stopped
from ruse.explorer.routes.solve import FIRST, by_fields, started
from ruse.explorer.state import Explorer, explorer
from ruse.explorer.studio import StudioField, StudioVariant
from ruse.studio.rows import VariantRow

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Tab = Annotated[
    str, Query(max_length=40, description="an id of the page, so that the server can drop outdated requests")
]
Turn = Annotated[int, Query(ge=0, le=1 << 40, description="number of the request from that page")]
Name = Annotated[str, Query(max_length=60)]
Was = Annotated[
    str,
    Query(
        max_length=60, description="the first parameter before it was changed: what follows from it is filled in again"
    ),
]
EVEN = 0.5  # win rate
ReportId = Annotated[str, PathParameter(pattern=r"^[A-Za-z0-9_-]{6,20}$")]
GLIMPSE = 0.3  # seconds that a request waits for the value of a user's own game
READING = 10.0  # seconds that the files of a user's own game may take to be run


def _given(request: Request, fields: Sequence[StudioField], strict: bool = True) -> dict[str, str]:
    """Read the parameters of an address; entries of a list may come one by one.

    Without `strict`, parameters that the game does not have (any more) are ignored.
    """
    known = [field.name for field in fields]
    parameters: dict[str, str] = {}
    for key, value in request.query_params.multi_items():
        parameter = key.removeprefix("p-")
        if not key.startswith("p-") or not value.strip() or (parameter not in known and not strict):
            continue
        if parameter not in known:
            raise RuseError(f"expected one of the parameters {', '.join(known)}, got {parameter[:40]!r}")
        parameters[parameter] = f"{parameters[parameter]},{value.strip()}" if parameter in parameters else value.strip()
    if sum(map(len, parameters.values())) > studio.MOST_CHARACTERS:
        raise RuseError(f"expected at most {studio.MOST_CHARACTERS:,} characters of parameters")
    return parameters


def _check(here: Explorer, name: str) -> str:
    """Return the name of a game that the studio has; without a name, the first one of the user's own."""
    games = [*here.own.games, *studio.offered()]
    name = name or (next(iter(here.own.games), FIRST))
    if name not in games:
        raise RuseError(f"expected one of the games {', '.join(games)}, got {name[:60]!r}")
    return name


def _refilled(fields: Sequence[StudioField], given: dict[str, str], was: str) -> dict[str, str]:
    """Leave out what the game fills in by its first parameter, if that was changed: the official table of so many."""
    first = fields[0].name if fields else ""
    if not was or given.get(first, was) == was:
        return given
    derived = {field.name for field in fields if field.derived}
    return {name: text for name, text in given.items() if name not in derived}


def _official(fields: Sequence[StudioField], given: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of the official variant: the first one alone, where others follow from it."""
    needed = {field.name for field in fields if not field.default and not field.derived}
    if any(field.derived for field in fields):
        needed.add(fields[0].name)
    return {name: text for name, text in given.items() if name in needed}


def _look(
    here: Explorer, name: str, fields: Sequence[StudioField], given: dict[str, str], tab: str = "", turn: int = 0
) -> StudioModel:
    """Return a built-in variant with its value, or what is wrong with it."""
    official = _official(fields, given)
    try:
        variant = here.bench.variant(name, given, tab, turn)
        try:
            base = here.bench.variant(name, official)
        except RuseError:
            base = None
    except RuseError as error:
        return _wrong(name, fields, given, error)
    return _shown(here, name, fields, variant, base)


def _wrong(name: str, fields: Sequence[StudioField], given: Mapping[str, str], error: RuseError) -> StudioModel:
    return StudioModel(
        game=name,
        page=studio.link(name, given),
        parameters=dict(given),
        trouble=wording.sentence(by_fields(str(error))),
        official=studio.link(name, _official(fields, given)),
    )


def _shown(
    here: Explorer, name: str, fields: Sequence[StudioField], variant: StudioVariant, base: StudioVariant | None
) -> StudioModel:
    row, texts = variant.row, dict(variant.texts)
    return StudioModel(
        game=name,
        title=variant.title,
        line=variant.line,
        page=studio.link(name, texts),
        parameters=dict(variant.parameters),
        row=row.to_json(),
        told=row.format_value(),
        sentence=wording.sentence(variant.sentence(here.bench.moment)),
        exact=row.exact,
        difference=None if base is None else row.measure - base.row.measure,
        changed="" if base is None else _changed(name in here.own.games, base, row, row.measure - base.row.measure),
        solution=studio.link(name, texts, "/studio/strategies"),
        card=studio.link(name, texts, "/studio/card"),
        texts=texts,
        official=studio.link(name, _official(fields, texts)),
    )


def _changed(own: bool, usual: StudioVariant, row: VariantRow, difference: Fraction) -> str:
    if row.parameters == usual.parameters:
        return "The game as your file makes it by default." if own else "Official rules."
    if not difference:
        return f"The same as {usual.title}."
    amount = rationals.points(abs(difference)) if row.wins else rationals.short(abs(difference))
    return f"{amount} {'more' if difference > 0 else 'less'} than {usual.title}."


# Users' own games.


def _look_own(here: Explorer, request: Request, name: str, wait: float, tab: str = "", turn: int = 0) -> StudioModel:
    """Return a variant of a user's own game with its value, how far that is, or what is wrong with it."""
    own = here.own
    try:
        game = own.game(name, READING)
    except RuseError as error:
        last = own.last(name)
        fields = [] if last is None else last.fields
        model = _wrong(name, fields, _given(request, fields, strict=False), error)
        return model.model_copy(update={"broken": True, "version": _short(own.watched(name))})
    given = _given(request, game.fields, strict=False)
    try:
        question = own.variant(name, given, tab, turn)
        variant = own.read(name, question) if question.ended.wait(wait) else None
        if variant is None:
            text = question.text if not question.ended.is_set() else "the file changed; solving it again"
            model = StudioModel(
                game=name,
                page=studio.link(name, given),
                parameters=dict(given),
                pending=wording.sentence(text),
                seconds=round(question.elapsed, 1),
            )
        else:
            model = _shown(here, name, game.fields, variant, _usual(here, name, game.fields, given, variant))
    except Stopped as error:
        model = _wrong(name, game.fields, given, error)
    except RuseError as error:
        model = _wrong(name, game.fields, given, error)
    signature = _short(repr(game.fields))
    return model.model_copy(update={"version": _short(own.watched(name)), "signature": signature})


def _usual(
    here: Explorer, name: str, fields: Sequence[StudioField], given: Mapping[str, str], variant: StudioVariant
) -> StudioVariant | None:
    """Return the variant that differences are counted from, if it is solved as quickly as this one."""
    official = _official(fields, given)
    question = here.own.variant(name, official)
    try:
        if question.ended.wait(2 * variant.row.seconds + GLIMPSE):
            return here.own.read(name, question)
        here.own.drop(question)
    except RuseError:
        pass
    return None


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


@router.get("/studio/version.json", summary="Whether a user's own game has changed")
def version_json(here: Here, game: Name) -> StudioVersionModel:
    name = _check(here, game)
    return StudioVersionModel(version=_short(here.own.watched(name)) if name in here.own.games else "")


@router.post("/studio/stop", status_code=202, response_class=Response, summary="Stop what a page of the studio solves")
def stop(here: Here, tab: Tab) -> Response:
    here.own.stop(tab)
    return Response(status_code=202)


# Pages.


@router.get("/studio.json", summary="A variant of a game, and its exact value if that takes a moment")
def studio_json(
    request: Request, here: Here, game: Name = "", tab: Tab = "", turn: Turn = 0, was: Was = ""
) -> StudioModel:
    """Parameters are p-NAME; the others have their defaults."""
    name = _check(here, game)
    if name in here.own.games:
        return _look_own(here, request, name, GLIMPSE if tab else here.bench.moment, tab, turn)
    fields = studio.fields_of(name)
    return _look(here, name, fields, _refilled(fields, _given(request, fields), was), tab, turn)


@router.get("/studio", response_class=HTMLResponse, summary="The studio, as a page")
def studio_page(request: Request, here: Here, game: Name = "", was: Was = "") -> str:
    name = _check(here, game)
    if name in here.own.games:
        model = _look_own(here, request, name, here.bench.moment)
        last = here.own.last(name)
        known, advice = ([], "") if last is None else (last.fields, last.text)
        given = _given(request, known, strict=False)
    else:
        known, advice = studio.fields_of(name), registry.spec(name).advice
        given = _refilled(known, _given(request, known), was)
        model = _look(here, name, known, given)
    axes = studio.axes_of_texts(known, model.texts) if name in here.own.games else _axes(name, given, model)
    texts = model.texts or {field.name: given.get(field.name, field.default) for field in known}
    return pages.render(
        "studio.html",
        path="/studio",
        model=model,
        fields=[studio.shown_field(field, texts.get(field.name, field.default)) for field in known],
        first=texts.get(known[0].name, "") if any(field.derived for field in known) else "",
        axes=axes,
        games=studio.offered(),
        own=list(here.own.games),
        is_own=name in here.own.games,
        defaults={field.name: field.default for field in known},
        advice=advice,
    )


def _axes(name: str, given: Mapping[str, str], model: StudioModel) -> list[studio.StudioAxis]:
    return [] if model.title is None else studio.axes_of(registry.make(name, given))


@router.get(
    "/studio/strategies",
    response_class=RedirectResponse,
    status_code=303,
    summary="The pages of a variant's strategies, which is solved and saved first",
)
def strategies(request: Request, here: Here, game: Name = "") -> Response:
    title, file = _kept(request, here, game)
    return RedirectResponse(pages.position_url(title, file=file), 303)


@router.get(
    "/studio/card",
    response_class=RedirectResponse,
    status_code=303,
    summary="A variant's rules to print, which is solved and saved first",
)
def rule_card(request: Request, here: Here, game: Name = "") -> Response:
    title, file = _kept(request, here, game)
    return RedirectResponse(pages.url(f"/export/{title}.html", file=file), 303)


def _kept(request: Request, here: Explorer, name: str) -> tuple[str, str]:
    """Solve and save a variant; return its title and source. Raises Solving."""
    name = _check(here, name)
    if name in here.own.games:
        registry.know(here.own.games[name])  # as its files are now
    game = registry.make(name, _given(request, studio.fields_of(name)))
    here.solved_game(game)
    entry = here.library.of(identified(game))
    return game.title, "" if entry is None else entry.carried or ""


# Many variants at once.


@router.post(
    "/studio/search",
    response_class=Response,
    status_code=202,
    summary="Sweep, balance, compare, or try each single change, as on the command line",
    openapi_extra=body_of(
        {
            "game": {"type": "string"},
            "kind": {"type": "string", "enum": list(reports.KINDS)},
            "variant": {"type": "string", "description": "the page of the variant to start from"},
            **{name: {"type": "string"} for name in ("where", "target", "near", "changes", "pareto", "free", "time")},
        },
        ["game"],
    ),
    responses={202: {"model": StartedModel}, 303: {"description": "the page of the job"}},
)
def search(request: Request, here: Here, fields: Fields) -> Response:
    name = _check(here, fields.get("game", ""))
    known = here.own.game(name, READING).fields if name in here.own.games else studio.fields_of(name)
    spec = reports.spec_of(fields, name, [field.name for field in known])
    made = {**spec, "id": token_urlsafe(9), "folder": str(here.settings.reports)}
    if spec["time"] is not None and spec["time"] > here.settings.most_seconds:
        raise RuseError(f"expected a time of at most {here.settings.most_seconds:g} seconds, got {spec['time']:g}")
    job = here.jobs.start("studio", made, f"{name}: {reports.KINDS[spec['ask']]}")
    if wants_json(request.scope):
        return started(request, job)
    return RedirectResponse(pages.url(f"/jobs/{job.id}", back=f"/studio/reports/{made['id']}"), 303)


@router.get("/studio/reports/{report}.html", response_class=Response, summary="A report, as one page to share")
def shared(report: ReportId, here: Here) -> Response:
    content = reports.page(here.settings.reports, report)
    title = str(reports.load(here.settings.reports, report)["title"])
    return pages.download(content, "text/html; charset=utf-8", f"{title}.html")


@router.get("/studio/reports/{report}.json", summary="A report, with the numbers that the command line prints")
def report_json(report: ReportId, here: Here) -> ReportDataModel:
    return ReportDataModel(reports.load(here.settings.reports, report)["data"])


@router.get("/studio/reports/{report}", response_class=HTMLResponse, summary="A report, as a page")
def report_page(report: ReportId, here: Here) -> str:
    saved = reports.load(here.settings.reports, report)
    return pages.render("report.html", path=f"/studio/reports/{report}", report=report, **saved)


@router.get("/studio/map.json", summary="The values of all variants over two entries")
def map_json(request: Request, here: Here, across: Name, down: Name, game: Name = "") -> StudioMapModel:
    name = _check(here, game)
    if name in here.own.games:
        known = here.own.game(name, READING).fields
        texts = {field.name: field.default for field in known} | _given(request, known, strict=False)
        listed = studio.axes_of_texts(known, texts)
    else:
        known = studio.fields_of(name)
        made = registry.make(name, _given(request, known))
        texts, listed = studio.texts_of(made), studio.axes_of(made)
    axes = {axis.name: axis for axis in listed}
    for chosen in (across, down):
        if chosen not in axes:
            raise RuseError(f"expected one of the entries {', '.join(axes)}, got {chosen[:40]!r}")
    if across == down:
        raise RuseError(f"expected two different entries, got {across} twice")
    first, second = axes[across], axes[down]
    if len(first.options) * len(second.options) > studio.MOST_CELLS:
        raise RuseError(f"expected a map of at most {studio.MOST_CELLS} cells")

    target = 0.0

    def solve(changed: Mapping[str, str], left: float) -> VariantRow | None:
        nonlocal target
        if left <= 0:
            return None
        own = name in here.own.games
        row = here.own.row(name, changed, left) if own else here.bench.row(registry.make(name, changed), left)
        target = EVEN if row is not None and row.wins else 0.0
        return row

    official = _official_texts(name, known, texts, name in here.own.games)
    seconds = studio.MOMENTS * here.bench.moment
    cells, complete = studio.cells_of(name, texts, first, second, seconds, solve, official)
    return StudioMapModel(
        game=name,
        across=across,
        down=down,
        columns=list(first.options),
        rows=list(second.options),
        here=[_entry(texts, axis) for axis in (first, second)],
        cells=cells,
        complete=complete,
        target=target,
    )


def _official_texts(name: str, fields: Sequence[StudioField], texts: Mapping[str, str], own: bool) -> dict[str, str]:
    """Return all parameters of the official variant."""
    if own:
        return {field.name: field.default or texts.get(field.name, "") for field in fields}
    try:
        return studio.texts_of(registry.make(name, _official(fields, texts)))
    except RuseError:
        return {}


def _entry(texts: Mapping[str, str], axis: studio.StudioAxis) -> str:
    """Return the option of a variant on an axis."""
    text = texts[axis.parameter]
    return text if axis.entry is None else text.split(",")[axis.entry - 1]
