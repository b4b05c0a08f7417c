"""Change a strategy in the page and see the best response to it.

The changes are only in the address, as JSON; no file is changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, Response

from ruse.core import rationals
from ruse.core.game import PositionError
from ruse.explorer import pages, wording
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS
from ruse.explorer.pages import download
from ruse.explorer.routes.positions import DECIMAL, File, Side, look, resolving
from ruse.explorer.state import Explorer, explorer
from ruse.explorer.study_models import EditModel
from ruse.formats.frames import csv_of
from ruse.present.edited import Answered
from ruse.present.edited import Editor as StateEditor
from ruse.present.edited_classes import ClassEditor
from ruse.present.model import View
from ruse.present.report import texts

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Text = Annotated[str, Query(max_length=20_000, description='odds by position and move: {"kuhn@J": {"bet": "1/2"}}')]
Find = Annotated[str, Query(max_length=200, description="part of a position, to list others")]

MOST_LISTED = 12  # positions
MOST_DEVIATIONS = 12
Changes = dict[str, dict[str, Fraction]]
Editor = StateEditor | ClassEditor


def _open(here: Explorer, position: str, side: int | None, file: str) -> tuple[Opened, View, Editor]:
    opened = here.opened(position, file)
    view, made = look(opened, position, side, False), here.editor(opened)
    mine = view.side if side is None else side
    if view.side != mine or view.turn != mine:  # the title, or a position where it waits
        view = opened.viewer.at(made.positions[mine][0], mine)
    elif (representative := made.representative_position(mine, view.position)) != view.position:
        view = opened.viewer.at(representative, mine)
    return opened, view, made


def read(text: str) -> Changes:
    """Read changes from JSON. Raise PositionError if malformed."""
    try:
        changes = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise PositionError(f"expected changes as a JSON object, got {text[:40]!r}") from error
    if not isinstance(changes, dict) or not all(isinstance(odds, dict) for odds in changes.values()):
        raise PositionError("expected changes as odds by position and move")
    return {place: {move: share(str(odds)) for move, odds in at.items()} for place, at in changes.items()}


def share(text: str) -> Fraction:
    """Read a probability as people write it: 1/3, 0.25, 25%. Raise PositionError if malformed."""
    stripped = text.strip()
    bare, parts = (stripped[:-1].strip(), 100) if stripped.endswith("%") else (stripped, 1)
    try:
        if len(bare) > 400:
            raise ValueError
        return (Fraction(bare) if DECIMAL.fullmatch(bare) else rationals.read(bare)) / parts
    except ValueError as error:
        raise PositionError(f"expected odds such as 1/3, 0.25 or 25%, got {text[:40]!r}") from error


def written(changes: Mapping[str, Mapping[str, Fraction]]) -> str:
    by_position = {position: texts(odds) for position, odds in changes.items()}
    return json.dumps(by_position, ensure_ascii=False, separators=(",", ":")) if by_position else ""


def entered(query: Mapping[str, str], moves: list[str], position: str) -> dict[str, Fraction] | None:
    """Return the odds that the form sends, scaled to sum to 1; None if it sends none. Raise PositionError."""
    sent = {move: query[f"odds-{place}"] for place, move in enumerate(moves) if f"odds-{place}" in query}
    if not sent:
        return None
    parts = {move: share(sent.get(move, "0") or "0") for move in moves}
    total = sum(parts.values(), Fraction(0))
    if min(parts.values()) < 0 or not total:
        raise PositionError(f"expected odds of at least 0, not all of them 0, at {position}")
    return {move: part / total for move, part in parts.items()}


def _model(opened: Opened, view: View, made: Editor, changes: Changes, answered: Answered) -> EditModel:
    stored = made.stored(view.side, view.position)
    return EditModel(
        game=opened.entry.title,
        identity=opened.entry.identity,
        position=view.position,
        side=made.game.sides[view.side],
        odds={**dict.fromkeys(stored, Fraction(0)), **changes.get(view.position, stored)},
        stored=stored,
        changes=changes,
        before=answered.before,
        kept=answered.kept,
        answered=answered.answered,
        gain=answered.gain,
        deviations=answered.deviations,
    )


def _answer(made: Editor, side: int, changes: Changes) -> Answered:
    with resolving:
        return made.answer(side, changes)


@router.get("/edit/{position:path}.json", summary="A strategy changed by hand, and the best response to it")
def edit_json(position: str, here: Here, side: Side = None, file: File = "", changes: Text = "") -> EditModel:
    opened, view, made = _open(here, position, side, file)
    changed = read(changes)
    return _model(opened, view, made, changed, _answer(made, view.side, changed))


@router.get("/edit/{position:path}.csv", response_class=Response, summary="The changed strategy and the best response")
def edit_csv(position: str, here: Here, side: Side = None, file: File = "", changes: Text = "") -> Response:
    """Write both strategies as `ruse export --csv` does, the stored one if there is no best response."""
    opened, view, made = _open(here, position, side, file)
    answered = _answer(made, view.side, read(changes))
    return download(csv_of(answered.tables), "text/csv", f"{opened.entry.title}-changed.csv")


@router.get("/edit/{position:path}", response_class=HTMLResponse, summary="Change a strategy, as a page")
def edit_page(
    position: str,
    request: Request,
    here: Here,
    side: Side = None,
    file: File = "",
    changes: Text = "",
    find: Find = "",
) -> str:
    """The form sends the odds of the moves as odds-0, odds-1, …; they are scaled to sum to 1."""
    opened, view, made = _open(here, position, side, file)
    changed, trouble = read(changes), ""
    stored = made.stored(view.side, view.position)
    try:
        odds = entered(request.query_params, list(stored), view.position)
    except PositionError as error:
        odds, trouble = None, str(error)
    if odds is not None:
        changed = {**changed, view.position: odds}
        if odds == stored:
            del changed[view.position]
    answered = _answer(made, view.side, changed)
    model = _model(opened, view, made, changed, answered)
    listed = [place for place in made.positions[view.side] if find.strip().lower() in place.lower()]
    carried: dict[str, Any] = {"side": view.side, "file": opened.entry.carried}

    def to(place: str, other: Changes | None = None, kind: str = "") -> str:
        return pages.url(f"/edit/{place}{kind}", **carried, changes=written(changed if other is None else other))

    return pages.render(
        "edit.html",
        path=f"/edit/{position}",
        opened=opened,
        game=made.game,
        view=view,
        edit=model,
        whole=answered.whole,
        most_deviations=MOST_DEVIATIONS,
        own=lambda value: wording.own(made.game, value, 1 - view.side),
        trouble=trouble,
        written=written(changed),
        listed=sorted(listed, key=lambda place: (place not in changed, place.count("/"), place))[:MOST_LISTED],
        total=len(listed),
        find=find,
        to=to,
        without=lambda place: {other: odds for other, odds in changed.items() if other != place},
        odds_at=lambda place: changed.get(place) or made.stored(view.side, place),
        hidden=True,
        carried=carried,
    )
