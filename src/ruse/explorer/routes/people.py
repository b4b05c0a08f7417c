"""How people play, from recorded games, as a page."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from ruse.explorer import pages
from ruse.explorer.models import PROBLEMS, HabitsModel
from ruse.people.habits import habits, source

router = APIRouter(responses=PROBLEMS)


@router.get("/people.json", summary="How people play, with counts")
def people_json() -> HabitsModel:
    return HabitsModel.model_validate({"source": source(), "habits": [asdict(habit) for habit in habits()]})


@router.get("/people", response_class=HTMLResponse, summary="How people play, and what to do about it")
def people_page() -> str:
    return pages.render("people.html", path="/people", source=source(), habits=habits())
