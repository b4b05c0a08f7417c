"""Compare runs: how the bounds of several solvers converged, as a plot and a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, Response

from ruse.explorer import pages, plots, shelf
from ruse.explorer.entries import Entry
from ruse.explorer.errors import NotHere
from ruse.explorer.jobs import Job
from ruse.explorer.models import PROBLEMS
from ruse.explorer.pages import download
from ruse.explorer.plots import MOST_RUNS
from ruse.explorer.state import Explorer, explorer
from ruse.explorer.study_models import ConvergenceModel, MomentModel, RunModel

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
LIMITS = ("gap", "time", "iterations")  # that the plot shows itself
By = Annotated[Literal["seconds", "iterations"], Query(description="the horizontal axis")]


class RunSelection(NamedTuple):
    """The runs to compare: by their keys, or all runs of a game."""

    keys: Sequence[str]
    game: str


def run_selection(
    run: Annotated[
        list[str] | None, Query(max_length=MOST_RUNS, description="file:… or job:…, as the page lists them")
    ] = None,
    game: Annotated[str, Query(max_length=80, description="the identity of a game, to choose all of its runs")] = "",
) -> RunSelection:
    return RunSelection(list(dict.fromkeys(run or [])), game)


Selected = Annotated[RunSelection, Depends(run_selection)]


def _listed(here: Explorer) -> dict[str, Entry | Job]:
    """Return the runs that recorded several bounds: solutions of the library, and jobs without a file yet."""
    runs: dict[str, Entry | Job] = {}
    for entry in here.library.entries():
        if entry.path is not None and entry.summary is not None and entry.summary.looks > 1 and not entry.missing:
            runs.setdefault(f"file:{entry.source}", entry)
    for job in here.jobs.recent():
        if job.kind == "solve" and len(job.points) > 1 and job.page is None:
            runs[f"job:{job.id}"] = job
    return runs


def _run(here: Explorer, key: str, run: Entry | Job) -> RunModel:
    if isinstance(run, Job):
        points: Sequence[object] = run.points
        solver, page = run.spec["solver"], f"/jobs/{run.id}"
        name = f"{solver}, a job that is {run.state}"
    else:
        solution = here.library.solution(run)
        points = solution.points
        solver, page = solution.solver, pages.url(f"/whole/{run.title}", file=run.carried)
        options = ", ".join(f"{name} {value}" for name, value in solution.options.items() if name not in LIMITS)
        name = f"{solver}{f' ({options})' if options else ''}"
    moments = [MomentModel.model_validate(point) for point in points]
    return RunModel(key=key, game=run.title, identity=run.identity, name=name, solver=solver, page=page, points=moments)


def _chosen(here: Explorer, asked: RunSelection) -> tuple[dict[str, Entry | Job], list[RunModel]]:
    listed, keys = _listed(here), asked.keys
    if asked.game and not keys:
        keys = [key for key, run in listed.items() if run.identity == asked.game][:MOST_RUNS]
    for key in keys:
        if key not in listed:
            raise NotHere(
                f"there are no recorded bounds of the run {key[:40]!r}; it was deleted, or solved in one step"
            )
    return listed, [_run(here, key, listed[key]) for key in keys]


@router.get("/convergence.json", summary="How the bounds of several runs converged")
def convergence_json(here: Here, asked: Selected) -> ConvergenceModel:
    return ConvergenceModel(runs=_chosen(here, asked)[1])


@router.get(
    "/convergence.csv", response_class=Response, summary="The bounds of several runs as a table, one row per record"
)
def convergence_csv(here: Here, asked: Selected) -> Response:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("run", "game", "solver", "iteration", "seconds", "lower", "upper", "gap"))
    for run in _chosen(here, asked)[1]:
        for at in run.points:
            writer.writerow((run.key, run.game, run.solver, at.iteration, at.seconds, at.lower, at.upper, at.gap))
    return download(text.getvalue(), "text/csv", "convergence.csv")


@router.get("/convergence.svg", response_class=Response, summary="The gaps of several runs as a plot")
def convergence_svg(here: Here, asked: Selected, by: By = "seconds") -> Response:
    return download(plots.gaps_svg(_chosen(here, asked)[1], by), "image/svg+xml", "convergence.svg")


@router.get("/convergence", response_class=HTMLResponse, summary="Compare runs, as a page")
def convergence_page(here: Here, asked: Selected, by: By = "seconds") -> str:
    listed, runs = _chosen(here, asked)
    given = shelf.names(here.library)
    titles: dict[str, list[tuple[str, str]]] = {}
    for key, run in listed.items():
        text = f"{run.spec['solver']}, a job that is {run.state}" if isinstance(run, Job) else _text(run, given)
        titles.setdefault(run.title, []).append((key, text))
    keys = [run.key for run in runs]

    def to(kind: str = "", **more: str) -> str:
        return f"/convergence{kind}?{urlencode([*(('run', key) for key in keys), *{'by': by, **more}.items()])}"

    return pages.render(
        "convergence.html",
        path="/convergence",
        titles=titles,
        runs=list(zip(plots.letters(), map(plots.sample, range(MOST_RUNS)), runs, strict=False)),
        chosen=set(keys),
        most=MOST_RUNS,
        mixed=len({run.identity for run in runs}) > 1,
        picture=plots.gaps_svg(runs, by) if runs else "",
        by=by,
        to=to,
    )


def _text(entry: Entry, given: Mapping[str, str]) -> str:
    assert entry.summary is not None
    return f"{entry.summary.solver}, {shelf.label(entry, given)}, {entry.summary.looks} points"
