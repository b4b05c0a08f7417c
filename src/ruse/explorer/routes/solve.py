"""Solve in the page: a form for any game, and jobs with their progress as it comes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse

from ruse.core.game import RuseError
from ruse.core.registry import UnknownGame, games, make, names, parameters_of, spec, summary
from ruse.explorer import pages
from ruse.explorer.errors import Problem, problem_response, status_of, wants_json
from ruse.explorer.forms import Fields, FormError, body_of, number, whole, yes
from ruse.explorer.jobs import Job
from ruse.explorer.models import PROBLEMS, JobModel, JobsModel, ParameterModel, SolveModel, StartedModel
from ruse.explorer.plots import bounds_svg
from ruse.explorer.solution_files import tag_of
from ruse.explorer.state import Explorer, explorer, spec_of
from ruse.solvers import SOLVERS
from ruse.solving.options import SolveOptions

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
FIRST = next(iter(games()))  # of the list
FORBIDDEN = ("file",)  # a page must not make the server open files
TEXT = {"type": "string"}
ASKED = ("game", "solver", "gap", "time", "iterations", "seed", "size")  # and parameters, p-NAME in a form
MOST_CHECKED = 20_000  # characters of parameters from which a game is made at once; more is work for a worker
SPACED = re.compile(r"[\s,]+")  # between numbers of a list
OPTION = re.compile(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)")
WATCH = 0.2  # seconds between two checks of a job
WITHIN = re.compile(r"/(?![/\\])")  # an address on this server
HEARTBEAT = 50  # checks without news before a heartbeat


def _form(game: str) -> SolveModel:
    if game not in names():
        raise UnknownGame(f"unknown game {game[:60]!r}; `ruse games` lists the games")
    asked = [
        ParameterModel(
            name=parameter.name,
            hint=parameter.hint,
            default=None if parameter.default is None else _shown(parameter.default),
            help=parameter.help,
        )
        for parameter in parameters_of(game)
        if parameter.name not in FORBIDDEN
    ]
    return SolveModel(
        game=game, summary=summary(game), advice=spec(game).advice, parameters=asked, solvers=list(SOLVERS)
    )


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, list | tuple):
        return ",".join(str(entry) for entry in default)
    return "" if "empty" in repr(default) else str(default)


@router.get("/solve.json", summary="The parameters and solvers of a game")
def solve_json(game: str = FIRST) -> SolveModel:
    return _form(game)


@router.get("/solve", response_class=HTMLResponse, summary="The form to solve a game")
def solve_page(request: Request, here: Here, game: str = FIRST) -> str:
    """The address may fill in fields, by the names that the form sends."""
    return _show_form(here, game, dict(request.query_params))


def _show_form(here: Explorer, game: str, given: dict[str, str], trouble: str = "") -> str:
    return pages.render(
        "solve.html",
        path="/solve",
        form=_form(game),
        forms=[_form(name) for name in names()],
        given=given,
        trouble=trouble,
        jobs=here.jobs.recent()[:10],
    )


@router.post(
    "/solve",
    response_class=Response,
    status_code=202,
    summary="Start a solve, or with size=yes only estimate it",
    openapi_extra=body_of(
        {
            "game": {**TEXT, "examples": ["kuhn"]},
            "solver": TEXT,
            "gap": TEXT,
            "time": TEXT,
            "iterations": TEXT,
            "seed": TEXT,
            "size": {"type": "string", "enum": ["yes", "no"]},
            "parameters": {"type": "object"},
        },
        ["game"],
    ),
    responses={202: {"model": StartedModel}, 303: {"description": "the page of the job"}},
)
def start(request: Request, fields: Fields, here: Here) -> Response:
    name = fields.get("game", "")
    try:
        kind = "size" if yes(fields, "size") else "solve"
        job = here.jobs.start(kind, _spec(fields, here), name)
    except UnknownGame:
        raise
    except RuseError as error:
        trouble = by_fields(str(error))
        if wants_json(request.scope):
            return problem_response(request.scope, Problem(status_of(error), trouble))
        return HTMLResponse(_show_form(here, name, fields, trouble), status_of(error))
    return started(request, job)


def _spec(fields: dict[str, str], here: Explorer) -> dict[str, Any]:
    """Make the job of a worker; quick checks happen here."""
    form = _form(fields.get("game", ""))
    known = {parameter.name: parameter for parameter in form.parameters}
    if stray := [name for name in fields if name not in ASKED and not name.startswith("p-")]:
        raise FormError(f"unknown field {stray[0][:40]!r}; the fields are {', '.join(ASKED)} and p-NAME")
    parameters = {}
    for field, value in fields.items():
        name, text = field.removeprefix("p-").replace("_", "-"), value.strip()
        if not field.startswith("p-") or not text:
            continue
        if name not in known:
            one_of = f"one of the parameters of {form.game}, {', '.join(sorted(known))}" if known else "no parameters"
            raise FormError(f"expected {one_of}, got {name[:40]!r}")
        parameters[name] = SPACED.sub(",", text) if known[name].hint.startswith("N,") else text
    if (refuse := spec(form.game).refuse) is not None:
        refuse(parameters)
    solver = fields.get("solver") or "auto"
    if solver not in SOLVERS:
        raise FormError(f"expected one of the solvers {', '.join(SOLVERS)}, got {solver[:40]!r}")
    limits: dict[str, Any] = {"gap": number(fields, "gap"), "time": number(fields, "time")}
    limits |= {"iterations": whole(fields, "iterations"), "seed": whole(fields, "seed", 0)}
    SolveOptions(**limits).check()
    most = here.settings.most_seconds
    if limits["time"] is not None and limits["time"] > most:
        raise FormError(f"expected a time of at most {most:g} seconds, got {limits['time']:g}")
    if refuse is None and sum(map(len, parameters.values())) <= MOST_CHECKED:
        make(form.game, parameters)
    asked = {"name": form.game, "parameters": parameters, "solver": solver, "limits": limits}
    return {**asked, "folder": str(here.library.folder), "tag": tag_of(json.dumps(asked, sort_keys=True).encode())}


def by_fields(sentence: str) -> str:
    """Reword a sentence about command-line options for the fields of the form."""
    return OPTION.sub(r"\1", sentence)


def started(request: Request, job: Job) -> Response:
    page = f"/jobs/{job.id}"
    if wants_json(request.scope):
        return JSONResponse({"id": job.id, "page": page}, 202)
    return RedirectResponse(page, 303)


@router.get("/jobs.json", summary="Recent jobs")
def jobs_json(here: Here) -> JobsModel:
    return JobsModel(jobs=[JobModel.model_validate(job) for job in here.jobs.recent()])


@router.get("/jobs/{job}.json", summary="The progress of a job")
def job_json(job: str, here: Here) -> JobModel:
    return JobModel.model_validate(here.jobs.find(job))


@router.get("/jobs/{job}/plot.svg", response_class=Response, summary="The bounds of a job, as a picture")
def plot(job: str, here: Here) -> Response:
    return Response(bounds_svg(list(here.jobs.find(job).points)), media_type="image/svg+xml")


@router.get("/jobs/{job}/events", response_class=StreamingResponse, summary="The progress of a job, as it comes")
async def events(job: str, request: Request, here: Here) -> Response:
    """Stream server-sent events: `progress` with job.json without its points, and finally `end`."""
    watched = here.jobs.find(job)

    async def stream() -> AsyncIterator[str]:
        seen, quiet = -1, 0
        while not here.jobs.closing and not await request.is_disconnected():
            ended = watched.ended.is_set()
            if watched.version != seen or ended:
                seen, quiet = watched.version, 0
                progress = JobModel.model_validate(watched).model_dump_json(exclude={"points"})
                yield f"event: {'end' if ended else 'progress'}\ndata: {progress}\n\n"
            if ended:
                return
            quiet += 1
            if quiet % HEARTBEAT == 0:
                yield ": still there\n\n"
            await asyncio.sleep(WATCH)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})


@router.post(
    "/jobs/{job}/stop", response_class=Response, status_code=202, summary="Stop a job and keep the best so far"
)
def stop(job: str, request: Request, here: Here) -> Response:
    return started(request, here.jobs.stop(job))


@router.get("/jobs/{job}", response_class=HTMLResponse, summary="The progress of a job, as a page")
def job_page(job: str, here: Here, back: Annotated[str, Query(max_length=4000)] = "") -> str:
    return show_job(here.jobs.find(job), back)


def show_job(job: Job, back: str = "", sent: Mapping[str, str] = MappingProxyType({})) -> str:
    """Render a job; `back` is the page that waits for it, with the form that was `sent`, if any."""
    return pages.render(
        "job.html",
        path=f"/jobs/{job.id}",
        job=job,
        model=JobModel.model_validate(job),
        plot=bounds_svg(list(job.points)),
        back=back if WITHIN.match(back) else "",
        sent=sent,
    )


@router.post(
    "/verify/{title:path}",
    response_class=Response,
    status_code=202,
    summary="Recompute both best responses of a solution",
    responses={202: {"model": StartedModel}, 303: {"description": "the page of the job"}},
)
def verify(title: str, request: Request, here: Here, file: Annotated[str, Query(max_length=16)] = "") -> Response:
    entry, _ = here.solved(title, file)
    after = here.library.checking(entry)
    return started(request, here.jobs.start("verify", spec_of(entry), entry.title, after=after))
