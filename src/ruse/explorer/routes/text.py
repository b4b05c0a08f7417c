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
from ruse.explorer.routes.positions import File, Side, costs_of, look
from ruse.explorer.state import Explorer, explorer
from ruse.insight.costs import PositionCosts
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
    costs = costs_of(here, opened, view, here.settings.patience)
    verdict = position_wording.at_position(opened.solution, view, start, standing, costs)
    terms = () if start else position_wording.terms(opened.solution, view, costs=costs)
    lines = [view.position, f"{verdict.sentence} ({verdict.mark})"]
    lines += [f"{term.name}: {term.value}, {term.why}." for term in terms]
    lines += [wording.turn(game, view), *_table_lines(game, view, costs)]
    name = quote(f"{view.position.replace('/', '_')}.txt", safe="")
    headers = {"content-disposition": f"inline; filename*=UTF-8''{name}"}
    return PlainTextResponse("\n".join([*lines, "", _how(opened.entry.carried, view.position), ""]), headers=headers)


def _table_lines(game: Game, view: View, costs: PositionCosts | None) -> list[str]:
    """Format moves, beliefs and their assumption in columns."""
    lines: list[str] = []
    rows: list[tuple[str, ...]]
    if view.options:
        name = display_name(game.sides[view.side])
        head = ("move" if view.turn == view.side else "event", "how often")
        moves = costs.moves if costs is not None else {}
        column = f"{name} {wording.wins(name)}" if wording.won_or_lost(game) else f"payoff to {name}"
        rows = [(*head, column, "cost" if moves else "")]
        for option in view.options[:MOST]:
            value = moves[option.move].value if option.move in moves else option.value
            mine = None if value is None else wording.own(game, value, view.side)
            level = (
                "" if mine is None else wording.percent(mine) if wording.won_or_lost(game) else wording.decimal(mine)
            )
            cost = position_wording.cost(game, moves[option.move].cost) if option.move in moves else ""
            often = f"{wording.percent(option.odds)} ({wording.fraction(option.odds)})"
            rows.append((option.move, often, level, cost))
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
