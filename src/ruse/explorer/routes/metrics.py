"""Metrics of play: how a game goes under its optimal strategies, with pictures, and what each rule change does."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse

from ruse.core import rationals
from ruse.core.clock import deadline
from ruse.core.game import Game, RuseError, display_name
from ruse.explorer import pages, wording
from ruse.explorer.entries import Entry
from ruse.explorer.models import PROBLEMS
from ruse.explorer.state import Explorer, explorer
from ruse.explorer.study_models import ChangeModel, MetricModel, MetricsModel
from ruse.insight.insight_file import InsightFile
from ruse.metrics import pictures
from ruse.metrics.metric import metrics
from ruse.metrics.results import Metrics, measure
from ruse.solution.strategy import Solution
from ruse.studio.around import Sensitivity, around

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
File = Annotated[str, Query(max_length=16, description="the solution to measure, if the library has several of a game")]
Changes = Annotated[bool, Query(description="also solve the game with each single change of its rules")]
EACH = 10.0  # seconds for a variant with one change
LONGEST = 300.0  # seconds for all of them, and for the metrics
MEASURING, CHANGING = "measuring how the game plays", "solving the game with each single change of its rules"


def _measured(here: Explorer, title: str, file: str) -> tuple[Entry, Solution, Metrics]:
    entry, solution = here.solved(title, file)
    beside = None if entry.path is None else InsightFile(entry.path, entry.digest)

    def work() -> Metrics:
        with deadline(LONGEST):
            return measure(solution, file=beside)

    key = f"{entry.identity} {entry.digest}"
    return entry, solution, here.worked_out(entry, here.metrics, key, work, MEASURING)


def _neighbours(here: Explorer, entry: Entry, game: Game) -> Sensitivity:
    work = partial(around, game.name, dict(game.parameters), time=LONGEST, time_each=EACH, workers=1)
    return here.worked_out(entry, here.changes, entry.identity, work, CHANGING)


def _model(entry: Entry, game: Game, measured: Metrics, effects: Sensitivity | None) -> MetricsModel:
    known = metrics(game)
    shown = [
        MetricModel(
            name=name,
            title=name.replace("_", " "),
            what=known[name].text if name in known else "",
            figure=None if measure.scalar is None else float(measure.scalar),
            text=measure.text or ("" if measure.scalar is None else rationals.near(Fraction(measure.scalar), 4)),
            reason=wording.sentence(measure.reason) if measure.reason else "",
            of=measure.of,
        )
        for name, measure in measured.measures.items()
    ]
    return MetricsModel(
        game=game.title,
        identity=entry.identity,
        headline=measured.headline,
        basis=measured.basis,
        sentence=measured.sentence,
        warnings=list(measured.warnings),
        complete=measured.complete,
        figures=shown,
        failed=dict(measured.failed),
        metrics=measured.fields(),
        changes=None if effects is None else _changes(effects),
    )


def _changes(effects: Sensitivity) -> list[ChangeModel]:
    won = bool(effects.base.wins)
    return [
        ChangeModel(
            change=effect.change,
            difference=effect.difference,
            value=effect.row.format_value(),
            amount=_amount(effect.difference, won),
        )
        for effect in effects.effects
    ]


def _amount(difference: Fraction, won: bool) -> str:
    size = f"{rationals.near(100 * abs(difference), 3)} pp" if won else rationals.near(abs(difference), 3)
    return f"{'+' if difference > 0 else '−' if difference < 0 else ''}{size}"


def _page_model(here: Explorer, title: str, file: str, changes: bool) -> tuple[MetricsModel, Entry, Solution, Metrics]:
    entry, solution, measured = _measured(here, title, file)
    effects = _neighbours(here, entry, solution.game) if changes else None
    return _model(entry, solution.game, measured, effects), entry, solution, measured


@router.get("/metrics/{title:path}.json", summary="How a game plays under its optimal strategies")
def metrics_json(title: str, here: Here, file: File = "", changes: Changes = False) -> MetricsModel:
    return _page_model(here, title, file, changes)[0]


@router.get("/metrics/{title:path}", response_class=HTMLResponse, summary="How a game plays, as a page")
def metrics_page(title: str, here: Here, file: File = "", changes: Changes = False) -> str:
    wrong = ""
    try:
        model, entry, solution, measured = _page_model(here, title, file, changes)
    except RuseError as error:
        if not changes:
            raise
        wrong = wording.sentence(str(error))
        model, entry, solution, measured = _page_model(here, title, file, False)
    sides = [display_name(side) for side in solution.game.sides]
    fields = measured.fields()
    lengths = {int(moves): _number(share) for moves, share in fields.get("length", {}).get("distribution", {}).items()}
    curve = [_number(swing) for swing in fields.get("drama_curve", ())]
    by_side = {name: made for name in sides if (made := _made(fields, name))}
    effects = [(each.change, float(each.difference), each.amount) for each in model.changes or ()]
    return pages.render(
        "metrics.html",
        path=f"/metrics/{title}",
        model=model,
        game=solution.game,
        lengths=lengths,
        lengths_picture=pictures.lengths_svg(lengths) if lengths else "",
        curve=curve,
        curve_picture=pictures.drama_svg(curve) if curve else "",
        moves=by_side,
        moves_pictures={name: pictures.moves_svg(made, name) for name, made in by_side.items()},
        most=pictures.MOST_BARS,
        verdict=wording.solved(solution, here.library.standing(entry)),
        changes_picture=pictures.changes_svg(effects) if effects else "",
        wrong=wrong,
        carried={"file": entry.carried},
        show=_show,
    )


def _made(fields: dict[str, object], side: str) -> dict[str, Fraction]:
    """The share of each move of a side, the most frequent first."""
    sides = fields.get("moves_by_side", {})
    made = sides.get(side, {}) if isinstance(sides, dict) else {}
    return dict(sorted(((move, _number(share)) for move, share in made.items()), key=lambda item: -item[1]))


def _number(written: str | float) -> Fraction:
    return Fraction(written)


def _show(share: Fraction) -> str:
    return f"{rationals.near(100 * share, 3)}%"


__all__: Sequence[str] = ["router"]
