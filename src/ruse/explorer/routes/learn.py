"""Lessons as pages: one screen at a time, with a question and its answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse

from ruse.explorer import pages
from ruse.explorer.models import PROBLEMS
from ruse.explorer.play_models import LessonModel, LessonsModel, ListedLessonModel
from ruse.explorer.state import Explorer, explorer
from ruse.play.lessons import Lesson, UnknownLesson, sources
from ruse.play.pictures import Picture

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Screen = Annotated[int, Query(ge=1, le=99, description="the screen, from 1; the last one has the rules to remember")]
Chosen = Annotated[str, Query(max_length=200, description="the key of an answer to the question of the screen")]


@router.get("/learn.json", summary="All lessons")
def lessons_json() -> LessonsModel:
    return LessonsModel(lessons=[ListedLessonModel.model_validate(lesson) for lesson in sources().values()])


@router.get("/learn", response_class=HTMLResponse, summary="All lessons, as a page")
def lessons_page() -> str:
    return pages.render("learn.html", path="/learn", lessons=list(sources().values()))


@router.get("/learn/{lesson}.json", summary="A lesson: facts, screens with questions, and rules with their price")
def lesson_json(lesson: str, here: Here) -> LessonModel:
    return LessonModel.model_validate(_content(here.lessons.of(lesson, here)))


def _content(lesson: Lesson) -> dict[str, Any]:
    game = lesson.main.game
    return {
        "name": lesson.source.name,
        "title": lesson.source.title,
        "game": game.title,
        "side": game.sides[lesson.source.side],
        "facts": lesson.facts,
        "screens": lesson.screens,
        "rules": lesson.rules,
    }


@router.get("/learn/{lesson}", response_class=HTMLResponse, summary="A screen of a lesson, as a page")
def lesson_page(lesson: str, here: Here, screen: Screen = 1, answer: Chosen = "") -> str:
    taught = here.lessons.of(lesson, here)
    last = len(taught.screens) + 1
    if screen > last:
        raise UnknownLesson(f"expected a screen from 1 to {last}, got {screen}")
    shown = taught.screens[screen - 1] if screen < last else None
    game = taught.main.game
    return pages.render(
        "lesson.html",
        path=f"/learn/{lesson}",
        lesson=taught.source,
        number=screen,
        last=last,
        screen=shown,
        picture=Picture() if shown is None else taught.picture(shown, answered=bool(answer)),
        feedback=taught.mark(shown, answer) if shown is not None and answer else None,
        answer=answer,
        rules=taught.rules if shown is None else [],
        rules_note=taught.rules_note,
        title=game.title,
        drill=pages.url("/drill", game=game.title, side=taught.source.side),
        others=[other for other in sources().values() if other.name != lesson],
    )
