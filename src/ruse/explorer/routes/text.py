"""A position as plain text: to send, because links open only on this machine."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends
from starlette.responses import PlainTextResponse, Response

from ruse.core.game import Game, display_name
from ruse.explorer import position_wording, wording
from ruse.explorer.models import PROBLEMS
from ruse.explorer.routes.positions import File, Side, look
from ruse.explorer.state import Explorer, explorer
from ruse.present.model import View

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
MOST = 40  # moves or beliefs listed


@router.get("/text/{position:path}.txt", response_class=Response, summary="A position as plain text, to send")
def text(position: str, here: Here, side: Side = None, file: File = "") -> Response:
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    game, standing = opened.solution.game, here.library.standing(opened.entry)
    start = view.position == opened.viewer.start(view.side)
    verdict = position_wording.at_position(opened.solution, view, start, standing)
    lines = [view.position, f"{verdict.sentence} ({verdict.mark})"]
    lines += (
        []
        if start
        else [f"{term.name}: {term.value}, {term.why}." for term in position_wording.terms(opened.solution, view)]
    )
    lines += [wording.turn(game, view), *_table_lines(game, view)]
    name = quote(f"{view.position.replace('/', '_')}.txt", safe="")
    headers = {"content-disposition": f"inline; filename*=UTF-8''{name}"}
    return PlainTextResponse("\n".join([*lines, "", _how(opened.entry.carried, view.position), ""]), headers=headers)


def _table_lines(game: Game, view: View) -> list[str]:
    """Format moves, beliefs and their assumption in columns."""
    lines: list[str] = []
    rows: list[tuple[str, ...]]
    if view.options:
        name = display_name(game.sides[view.side])
        head = ("move" if view.turn == view.side else "event", "how often")
        rows = [(*head, f"{name} {wording.wins(name)}" if wording.won_or_lost(game) else f"payoff to {name}")]
        for option in view.options[:MOST]:
            mine = None if option.value is None else wording.own(game, option.value, view.side)
            level = (
                "" if mine is None else wording.percent(mine) if wording.won_or_lost(game) else wording.decimal(mine)
            )
            rows.append((option.move, f"{wording.percent(option.odds)} ({wording.fraction(option.odds)})", level))
        lines += ["", *_columns(rows)]
    if view.beliefs:
        beliefs = [
            (belief.what, f"{wording.percent(belief.odds)} ({wording.fraction(belief.odds)})")
            for belief in view.beliefs[:MOST]
        ]
        lines += ["", *_columns([("it may be", "how likely"), *beliefs])]
    return [*lines, "", wording.sentence(view.assumption)] if view.assumption else lines


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _how(carried: str | None, position: str) -> str:
    """Say how somebody else can see the position."""
    if carried is None:
        return f"See it with: ruse explore {shlex.quote(position)}"
    return "See it with the solution file that this comes from: ruse explore FILE.ruse"
