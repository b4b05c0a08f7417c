"""A position as plain text: something to send that opens anywhere, where a link opens on this machine only."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends
from starlette.responses import PlainTextResponse, Response

from ruse.core.game import Game, display_name
from ruse.explorer import say, tell
from ruse.explorer.models import PROBLEMS
from ruse.explorer.routes.positions import File, Side, look
from ruse.explorer.state import Explorer, explorer
from ruse.present.model import View

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
MOST = 40  # moves or beliefs that are told


@router.get("/text/{position:path}.txt", response_class=Response, summary="A position as plain text, to send")
def text(position: str, here: Here, side: Side = None, file: File = "") -> Response:
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    game, standing = opened.solution.game, here.library.standing(opened.entry)
    start = view.position == opened.viewer.start(view.side)
    verdict = tell.at_position(opened.solution, view, start, standing)
    lines = [view.position, f"{verdict.sentence} ({verdict.mark})"]
    lines += [] if start else [f"{one.name}: {one.value}, {one.why}." for one in tell.terms(opened.solution, view)]
    lines += [say.turn(game, view), *_told(game, view)]
    name = quote(f"{view.position.replace('/', '_')}.txt", safe="")
    headers = {"content-disposition": f"inline; filename*=UTF-8''{name}"}
    return PlainTextResponse("\n".join([*lines, "", _how(opened.entry.carried, view.position), ""]), headers=headers)


def _told(game: Game, view: View) -> list[str]:
    """Moves, beliefs and what they rest on, in columns."""
    lines: list[str] = []
    rows: list[tuple[str, ...]]
    if view.options:
        name = display_name(game.sides[view.side])
        head = ("move" if view.turn == view.side else "event", "how often")
        rows = [(*head, f"{name} {say.wins(name)}" if say.won_or_lost(game) else f"worth to {name}")]
        for option in view.options[:MOST]:
            mine = None if option.value is None else say.own(game, option.value, view.side)
            level = "" if mine is None else say.percent(mine) if say.won_or_lost(game) else say.decimal(mine)
            rows.append((option.move, f"{say.percent(option.odds)} ({say.fraction(option.odds)})", level))
        lines += ["", *_columns(rows)]
    if view.beliefs:
        told = [(one.what, f"{say.percent(one.odds)} ({say.fraction(one.odds)})") for one in view.beliefs[:MOST]]
        lines += ["", *_columns([("it may be", "how likely"), *told])]
    return [*lines, "", say.sentence(view.assumption)] if view.assumption else lines


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _how(carried: str | None, position: str) -> str:
    """How somebody else sees the same."""
    if carried is None:
        return f"See it with: ruse explore {shlex.quote(position)}"
    return "See it with the solution file that this comes from: ruse explore FILE.ruse"
