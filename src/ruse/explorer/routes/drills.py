"""Drills in the page: one decision at a time, its cost, and how it went over days."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from secrets import randbits
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ruse.core.capabilities import Open
from ruse.core.game import RuseError
from ruse.explorer import pages, wording
from ruse.explorer.board import board
from ruse.explorer.choices import FILE, choices
from ruse.explorer.entries import Entry
from ruse.explorer.errors import status_of, wants_json
from ruse.explorer.forms import MOVE, Fields, FormError, body_of, chosen_move, whole
from ruse.explorer.insights import InsightQuestion
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS
from ruse.explorer.play_models import DrilledModel, DrillsModel, MarkedModel, QuestionModel, ScoreModel
from ruse.explorer.plots import line_svg
from ruse.explorer.state import Explorer, explorer
from ruse.insight.model import MoveInsight
from ruse.play import shown
from ruse.play.drill import Drill, DrillQuestion, Marked
from ruse.play.rival import IllegalMove
from ruse.play.scores import DrillScore, Scores
from ruse.play.session import SessionError, side_of

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Side = Annotated[int, Query(ge=0, le=1)]
Position = Annotated[str, Query(description="a position that was dealt before; without it, ruse deals one")]
TEXT = {"type": "string"}
ASKED = ("game", "file", "side", "position", "number", *MOVE)


@dataclass(frozen=True)
class DrillTable:
    """A side of a game in a drill."""

    here: Explorer
    opened: Opened
    side: int

    @property
    def entry(self) -> Entry:
        return self.opened.entry

    @property
    def drill(self) -> Drill:
        return Drill(self.opened.solution, self.side, self.opened.viewer, self._look)

    @property
    def scores(self) -> Scores:
        return Scores(self.here.settings.drills)

    @property
    def score(self) -> DrillScore:
        return self.scores.of(self.opened.solution.game, self.side)

    def question(self, position: str) -> DrillQuestion:
        return self.drill.at(position) if position else self.drill.deal(self.score, Random(randbits(64)))

    def _look(self, position: str, side: int) -> Sequence[MoveInsight]:
        if not isinstance(self.opened.solution.game, Open):
            with suppress(RuseError):
                glance = self.here.settings.glance
                result = self.here.insights.ask(self.opened, InsightQuestion(position, side), glance, glance)
                return [] if result is None else result.there.moves
        return []

    def address(self, position: str = "") -> str:
        return pages.url("/drill", game=self.entry.title, file=self.entry.carried, side=self.side, position=position)

    def page(self, question: DrillQuestion) -> QuestionModel:
        session, score = question.session, self.score
        return QuestionModel(
            game=self.entry.title,
            identity=self.entry.identity,
            side=self.entry.sides[self.side],
            position=question.position,
            number=score.total.answered + 1,
            stake=question.stake,
            moves=session.options,
            example=session.game.label(session.choices[0]),
            picture=shown.picture(session),
            score=ScoreModel.model_validate(score),
        )


def _table(here: Explorer, game: str, side: int, file: str) -> DrillTable:
    title, _, chosen = game.partition(FILE)
    return DrillTable(here, here.opened(title, chosen or file), side)


@router.get("/drills.json", summary="How drills went, over days")
def drills_json(here: Here) -> DrillsModel:
    drills = Scores(here.settings.drills).all()
    return DrillsModel(drills=[DrilledModel.model_validate(drill) for drill in drills])


@router.get("/drills", response_class=HTMLResponse, summary="Choose what to drill, and how it went over days")
def drills_page(here: Here, game: str = "kuhn") -> str:
    drills, offered = Scores(here.settings.drills).all(), choices(here.library)
    return pages.render(
        "drills.html",
        path="/drills",
        choices=offered,
        chosen=next((choice for choice in offered if choice.value == game), offered[0]),
        drilled=[(drill, _line(drill.score)) for drill in drills],
    )


def _line(score: DrillScore) -> str:
    """The share of right answers, day by day."""
    shares = [tally.right / tally.answered for tally in score.days.values() if tally.answered]
    return line_svg(shares, (0.0, 1.0), "percent", "Right answers, day by day") if len(shares) > 1 else ""


@router.get("/drill.json", summary="A decision to practise")
def question_json(here: Here, game: str, side: Side = 0, file: str = "", position: Position = "") -> QuestionModel:
    table = _table(here, game, side, file)
    return table.page(table.question(position))


@router.get("/drill", response_class=HTMLResponse, summary="A decision to practise, as a page")
def question_page(here: Here, game: str, side: Side = 0, file: str = "", position: Position = "") -> Response:
    table = _table(here, game, side, file)
    question = table.question(position)
    if not position:
        return RedirectResponse(table.address(question.position), 303)
    return HTMLResponse(_shown(table, question))


def _shown(
    table: DrillTable, question: DrillQuestion, marked: Marked | None = None, trouble: str = "", typed: str = ""
) -> str:
    """Render the page of a question or its answer; `trouble` says why the move `typed` was refused."""
    session, model = question.session, table.page(question)
    return pages.render(
        "drill.html",
        path="/drill",
        table=table,
        page=model,
        marked=marked,
        trouble=trouble,
        typed=typed,
        numbers={},
        won=wording.won_or_lost(session.solution.game),
        carried={"file": table.entry.carried},
        **board(session, model.moves or [], model.picture, asked=marked is None),
    )


@router.post(
    "/drill",
    response_class=Response,
    summary="Answer a decision",
    openapi_extra=body_of(
        {
            "game": {**TEXT, "examples": ["kuhn"]},
            "file": {**TEXT, "description": "which of the games or solutions of that title"},
            "side": TEXT,
            "position": TEXT,
            "number": {**TEXT, "description": "of the answer, so that none counts twice"},
            "move": TEXT,
        },
        ["game", "position", "number", "move"],
    ),
    responses={200: {"model": MarkedModel}},
)
def answer(request: Request, fields: Fields, here: Here) -> Response:
    """Mark an answer; a refused move leaves the question on the page, with the reason."""
    if stray := [name for name in fields if name not in ASKED]:
        raise FormError(f"expected only the fields {', '.join(ASKED)}, got {stray[0][:40]!r}")
    table = _table(here, fields.get("game", ""), 0, fields.get("file", ""))
    table = replace(table, side=side_of(table.opened.solution.game, fields.get("side") or 0))
    if not fields.get("position"):
        raise FormError("the position is missing; send the one that was dealt")
    question = table.question(fields["position"])
    move = chosen_move(fields)
    solution, game = table.opened.solution, table.opened.solution.game
    try:
        number = whole(fields, "number")
        if number is None or not move:
            raise FormError("expected a move and the number of the answer")
        marked = table.drill.mark(question, move)
        score = table.scores.add(game, table.side, number, question.position, marked.right, marked.cost)
    except (IllegalMove, SessionError, FormError) as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(table, question, trouble=str(error), typed=move), status_of(error))
    if wants_json(request.scope):
        content = {
            **vars(marked),
            "told": marked.text(solution),
            "verdict": marked.verdict.to_json(game),
            "score": score,
        }
        return JSONResponse(MarkedModel.model_validate(content).model_dump(mode="json"))
    return HTMLResponse(_shown(table, question, marked))
