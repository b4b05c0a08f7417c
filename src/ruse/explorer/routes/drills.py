"""Drills in the page: one decision at a time, its cost, and how it went over days."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from secrets import randbits
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ruse.explorer import pages, wording
from ruse.explorer.board import board
from ruse.explorer.choices import FILE, choices
from ruse.explorer.drilling import OpenDrill
from ruse.explorer.entries import Entry
from ruse.explorer.errors import status_of, wants_json
from ruse.explorer.forms import MOVE, Fields, FormError, body_of, chosen_move, whole, yes
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS
from ruse.explorer.play_models import DrilledModel, DrillsModel, MarkedModel, QuestionModel, ScoreModel
from ruse.explorer.plots import line_svg
from ruse.explorer.state import Explorer, explorer
from ruse.play import shown
from ruse.play.drill import DrillQuestion, Marked
from ruse.play.rival import IllegalMove
from ruse.play.scores import DrillScore, Scores
from ruse.play.session import SessionError, side_of

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Side = Annotated[int, Query(ge=0, le=1)]
Position = Annotated[str, Query(description="a position that was dealt before; without it, ruse deals one")]
TEXT = {"type": "string"}
ASKED = ("game", "file", "side", "position", "number", "hinted", *MOVE)


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
    def open(self) -> OpenDrill:
        return self.here.drills.of(self.opened, self.side)

    @property
    def scores(self) -> Scores:
        return Scores(self.here.settings.drills)

    @property
    def score(self) -> DrillScore:
        return self.scores.of(self.opened.solution.game, self.side)

    def question(self, position: str) -> DrillQuestion:
        """The question at a position, or the next one of the run."""
        score, open_drill = self.score, self.open
        with open_drill.lock:
            if position:
                again = open_drill.drill.name(position) in score.due_positions
                return open_drill.drill.at(position, again)
            open_drill.run.seen |= score.answered_today() if open_drill.run.rounds == 1 else set()
            return open_drill.drill.deal(score, open_drill.run, Random(randbits(64)))

    def answer(self, question: DrillQuestion, move: str, number: int, hinted: bool) -> tuple[Marked, DrillScore]:
        """Judge an answer and count it."""
        open_drill = self.open
        with open_drill.lock:
            marked = open_drill.drill.mark(question, move)
        score = self.scores.add(
            self.opened.solution.game,
            self.side,
            open_drill.drill.name(question.position),
            marked.right,
            marked.cost,
            hinted=hinted,
            number=number,
        )
        return marked, score

    def address(self, position: str = "", hint: str = "") -> str:
        file, side = self.entry.carried, self.side
        return pages.url("/drill", game=self.entry.title, file=file, side=side, position=position, hint=hint)

    def page(self, question: DrillQuestion, hint: bool) -> QuestionModel:
        session, score = question.session, self.score
        return QuestionModel(
            game=self.entry.title,
            identity=self.entry.identity,
            side=self.entry.sides[self.side],
            position=question.position,
            number=score.total.answered + 1,
            stake=question.stake,
            again=question.again,
            hint=question.hint if hint else None,
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


@router.post(
    "/drills/forget",
    response_class=Response,
    summary="Clear the score of a side of a game",
    openapi_extra=body_of({"identity": {**TEXT, "description": "of the game"}, "side": TEXT}, ["identity", "side"]),
    responses={200: {"model": DrillsModel}, 303: {"description": "where drills are chosen"}},
)
def forget(fields: Fields, request: Request, here: Here) -> Response:
    Scores(here.settings.drills).forget(fields.get("identity", ""), fields.get("side", ""))
    if wants_json(request.scope):
        return JSONResponse(drills_json(here).model_dump(mode="json"))
    return RedirectResponse("/drills", 303)


@router.get("/drill.json", summary="A decision to practise")
def question_json(
    here: Here, game: str, side: Side = 0, file: str = "", position: Position = "", hint: bool = False
) -> QuestionModel:
    table = _table(here, game, side, file)
    return table.page(table.question(position), hint)


@router.get("/drill", response_class=HTMLResponse, summary="A decision to practise, as a page")
def question_page(
    here: Here, game: str, side: Side = 0, file: str = "", position: Position = "", hint: bool = False
) -> Response:
    table = _table(here, game, side, file)
    question = table.question(position)
    if not position:
        return RedirectResponse(table.address(question.position), 303)
    return HTMLResponse(_shown(table, question, hint))


def _shown(
    table: DrillTable,
    question: DrillQuestion,
    hint: bool = False,
    marked: Marked | None = None,
    trouble: str = "",
    typed: str = "",
) -> str:
    """Render the page of a question or its answer; `trouble` says why the move `typed` was refused."""
    session, model = question.session, table.page(question, hint)
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
            "hinted": {**TEXT, "description": "yes after a hint: then the position comes back"},
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
    question, hinted = table.question(fields["position"]), yes(fields, "hinted")
    move = chosen_move(fields)
    solution = table.opened.solution
    try:
        number = whole(fields, "number")
        if number is None or not move:
            raise FormError("expected a move and the number of the answer")
        marked, score = table.answer(question, move, number, hinted)
    except (IllegalMove, SessionError, FormError) as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(table, question, hinted, trouble=str(error), typed=move), status_of(error))
    if wants_json(request.scope):
        content = {**vars(marked), "right": marked.right, "told": marked.text(solution), "score": score}
        return JSONResponse(MarkedModel.model_validate(content).model_dump(mode="json"))
    return HTMLResponse(_shown(table, question, marked=marked))
