"""The page of a public state: every hand that the side to move may hold, with its moves."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from time import monotonic
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, Response

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.explorer import exact_numbers, pages, wording
from ruse.explorer.insights import InsightQuestion, InsightStatus, look_into
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS
from ruse.explorer.pages import download
from ruse.explorer.routes.positions import File, Seconds, Side, look, resolving
from ruse.explorer.state import Explorer, explorer
from ruse.explorer.study_models import HandModel, HandMoveModel, PublicModel, PublicSideModel
from ruse.insight.model import MoveInsight
from ruse.present.model import Chip, Option, View
from ruse.present.public import HandRow, PublicState, public_states

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Ranged = Annotated[bool, Query(description="find the ranges over all optimal strategies")]
STEPS = 10  # of heat

InsightByPosition = dict[str, InsightStatus]


def _states(opened: Opened, position: str, side: int | None) -> tuple[View, list[PublicState]]:
    view = look(opened, position, side, False)
    with resolving:
        return view, public_states(opened.viewer, view.position, view.side)


def _insight(here: Explorer, opened: Opened, states: Sequence[PublicState], ask: bool, limit: int) -> InsightByPosition:
    """Return insight for each hand: what is known already or, with `ask`, what arrives within the limit."""
    until, looked = monotonic() + limit, InsightByPosition()
    for state in states:
        for hand in state.hands:
            asked = InsightQuestion(hand.view.position, state.side)
            left = until - monotonic()
            if ask and left > 0:
                looked[asked.position] = look_into(here.insights, opened, asked, True, max(1, round(left)))
            else:
                looked[asked.position] = InsightStatus(here.insights.known(opened, asked))
    return looked


def _model(opened: Opened, view: View, states: Sequence[PublicState], looked: InsightByPosition) -> PublicModel:
    game = opened.solution.game
    return PublicModel(
        game=game.title,
        identity=opened.entry.identity,
        position=view.position,
        exact=view.exact,
        sides=[
            PublicSideModel(
                side=game.sides[state.side],
                steps=state.steps,
                moves=state.moves,
                hands=[_hand(hand, looked[hand.view.position]) for hand in state.hands],
                together={move: state.often(move) for move in state.moves},
                hands_left_out=state.left_out[0],
                moves_left_out=state.left_out[1],
            )
            for state in states
        ],
    )


def _hand(hand: HandRow, looked: InsightStatus) -> HandModel:
    view = hand.view
    return HandModel(
        what=hand.name,
        position=view.position,
        odds=hand.odds,
        value=view.value,
        reached=view.reached,
        moves={option.move: _move(option, looked.move(option.move)) for option in view.options},
    )


def _move(option: Option, insight: MoveInsight | None) -> HandMoveModel:
    ends = None if insight is None else insight.range
    return HandMoveModel(
        odds=option.odds,
        value=option.value,
        loss=option.loss,
        kind=None if insight is None else insight.kind,
        least=None if ends is None else ends.least.value,
        greatest=None if ends is None else ends.greatest.value,
    )


@router.get("/public/{position:path}.json", summary="A public state: all hands of the side to move, and their moves")
def public_json(
    position: str, here: Here, side: Side = None, file: File = "", insight: Ranged = False, time: Seconds = 20
) -> PublicModel:
    opened = here.opened(position, file)
    view, states = _states(opened, position, side)
    return _model(opened, view, states, _insight(here, opened, states, insight, time))


@router.get(
    "/public/{position:path}.csv", response_class=Response, summary="A public state as a table, one row per move"
)
def public_csv(position: str, here: Here, side: Side = None, file: File = "") -> Response:
    opened = here.opened(position, file)
    view, states = _states(opened, position, side)
    model = _model(opened, view, states, _insight(here, opened, states, False, 0))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("side", "hand", "position", "likely", "hand_value", "move", "odds", "share", "value", "loss"))
    for state in model.sides:
        for hand in state.hands:
            for move, option in hand.moves.items():
                row = (state.side, hand.what, hand.position, hand.odds, hand.value, move)
                writer.writerow(map(_cell, (*row, option.odds, float(option.odds), option.value, option.loss)))
    return download(text.getvalue(), "text/csv", f"{view.position}-hands.csv")


def _cell(value: object) -> object:
    return rationals.write(value) if isinstance(value, Fraction) else value


@router.get("/public/{position:path}", response_class=HTMLResponse, summary="A public state, as a page")
def public_page(
    position: str,
    here: Here,
    side: Side = None,
    file: File = "",
    show: Literal["odds", "worth"] = "odds",
    insight: Ranged = False,
    time: Seconds = 20,
) -> str:
    opened = here.opened(position, file)
    view, states = _states(opened, position, side)
    game = opened.solution.game
    looked = _insight(here, opened, states, insight, time)
    ready = [status for status in looked.values() if status.result]
    return pages.render(
        "public.html",
        path=f"/public/{position}",
        opened=opened,
        game=game,
        view=view,
        chips=_chips(view, states),
        states=states,
        show=show,
        heat={state.side: _heat(opened, state, show) for state in states},
        onward={state.side: _onward(state) for state in states},
        looked=looked,
        long={state.side: exact_numbers.of_hands(game, state, show) for state in states},
        at_once=exact_numbers.at_once,
        ranged=bool(ready),
        ranges_left=len(looked) - len(ready),
        trouble=next((status.trouble for status in looked.values() if status.trouble), ""),
        hidden=not isinstance(game, Open),
        carried={"side": side, "file": opened.entry.carried},
    )


def _chips(view: View, states: Sequence[PublicState]) -> list[Chip]:
    """Return the public steps on the path to here."""
    public = states[0].steps if states else [chip.step for chip in view.history]
    return [view.history[0], *(chip for chip in view.history[1:] if chip.step in public)]


def _onward(state: PublicState) -> dict[str, str]:
    """Return the public state after each move, by a position of any hand that has the move."""
    links: dict[str, str] = {}
    for hand in state.hands:
        for option in hand.view.options:
            if option.after is not None:
                links.setdefault(option.move, option.after)
    return links


def _heat(opened: Opened, state: PublicState, show: str) -> list[list[int | None]]:
    """Return a colour level for each hand and move, by its probability or its payoff to the side that moves."""
    rows = [[_level(opened, state.side, hand.option(move), show) for move in state.moves] for hand in state.hands]
    known = [level for row in rows for level in row if level is not None]
    low, high = (0.0, 1.0) if show == "odds" else (min(known, default=0.0), max(known, default=1.0))
    return [[None if level is None else _step((level - low) / ((high - low) or 1.0)) for level in row] for row in rows]


def _level(opened: Opened, side: int, option: Option | None, show: str) -> float | None:
    if option is None or show == "odds":
        return None if option is None else float(option.odds)
    return None if option.value is None else float(wording.own(opened.solution.game, option.value, side))


def _step(share: float) -> int:
    return min(STEPS - 1, int(STEPS * share))
