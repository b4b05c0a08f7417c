"""The page of a position: its value, moves, beliefs, tree and proof."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.certificate import Certificate
from ruse.core.clock import TimeIsUp, deadline
from ruse.core.game import Game, GameError, PositionError, RuseError
from ruse.core.registry import part, presentation
from ruse.explorer import exact_numbers, pages, position_wording, wording
from ruse.explorer.entries import rules_and_table
from ruse.explorer.insights import QUICK, InsightQuestion, InsightStatus, look_into
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS, CertificateModel, InsightModel, PositionModel, TreeModel, WhyModel
from ruse.explorer.pages import download
from ruse.explorer.state import Explorer, explorer
from ruse.insight.costs import PositionCosts, add_costs
from ruse.insight.reasons import Explanation, Reason
from ruse.play.shown import picture_at
from ruse.present.at_random import RandomDevice
from ruse.present.drawing import Link, tree
from ruse.present.edited import Editable
from ruse.present.model import NO_ADVICE, RESOLVED_ADVICE, View, Viewer
from ruse.present.off_path import advised
from ruse.present.strategy_words import draw_odds
from ruse.present.tree import TreeViewer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
Side = Annotated[
    int | None, Query(ge=0, le=1, description="the side whose view to show, if both sides know the position")
]
File = Annotated[str, Query(max_length=16, description="the solution to show, if the library has several of a game")]
Explained = Annotated[str | None, Query(max_length=400, description="a move to explain")]
Again = Annotated[bool, Query(description="solve again from here, if optimal play never leads here")]

Slip = Annotated[str, Query(max_length=40, description="how often the other side slips, such as 1/10")]
Own = Annotated[str, Query(max_length=40, description="what one player knows beyond the team, such as the own seat")]
Seconds = Annotated[int, Query(ge=1, le=600, description="seconds that insight may take")]

DECIMAL = re.compile(r"-?[0-9]{0,20}\.[0-9]{1,20}")
MOST_OPTIONS = 40  # rows, unless all are asked for
MOST_DEPTH = 6  # of a tree
EXPLAINING = 10.0  # seconds for the reasons of a move
MOST_COUNTERPARTS = 12  # offered on a page
Depth = Annotated[int, Query(ge=1, le=MOST_DEPTH, description="steps ahead")]
resolving = threading.Semaphore(2)  # solves within a request, at a time


def look(opened: Opened, position: str, side: int | None, again: bool) -> View:
    """Return the view at a position, with the most frequent moves first, and advice where that is quick to find."""
    view = _find(opened.viewer, position, side, opened.entry.title)
    if not view.reached:
        with resolving:
            if again:
                view = replace(opened.viewer.resolve(view.position, view.side), advice=RESOLVED_ADVICE)
            else:
                view = advised(opened.viewer, view)
    return replace(view, options=sorted(view.options, key=lambda option: -option.odds))


def _find(viewer: Viewer, position: str, side: int | None, title: str) -> View:
    """Find a position; a title means the start, and a final ? that browsers drop from addresses is tried too."""
    try:
        return viewer.at(position, side)
    except PositionError:
        if position == title:
            return viewer.at(viewer.start(side or 0), side or 0)
        with suppress(PositionError):
            return viewer.at(f"{position}?", side)
        raise


def is_start(opened: Opened, view: View) -> bool:
    return view.position == opened.viewer.start(view.side)


@dataclass(frozen=True)
class WhyBox:
    """What the page says about a move that somebody asks about."""

    move: str
    explanation: Explanation | None = None
    habit: Reason | None = None  # which may come later than the page
    trouble: str = ""  # why there is no explanation
    waiting: bool = False  # whether one may come


def explain(
    here: Explorer, opened: Opened, view: View, move: str, costs: PositionCosts | None, patience: float
) -> Explanation:
    """Explain a move at a position with these costs. Raises TimeIsUp while ruse is working on costs."""
    explainer = here.insights.explainer(opened, patience)
    with resolving, deadline(EXPLAINING):
        return explainer.explain(view.position, move, view.side, given=None if costs is None else (view, costs))


def why_box(
    here: Explorer, opened: Opened, view: View, move: str | None, costs: PositionCosts | None, looked: InsightStatus
) -> WhyBox | None:
    """Explain a move on a page; if there is no explanation, the box says so and the page stays."""
    if not move:
        return None
    patience = here.settings.patience
    try:
        explanation = explain(here, opened, view, move, costs, patience)
        known = looked.result.there.moves if looked.result else ()
        explainer = here.insights.explainer(opened, patience)
        habit = explainer.habit(view.position, move, view.side, known) if known else None
        return WhyBox(move, explanation, habit)
    except TimeIsUp:
        return WhyBox(move, trouble="ruse is comparing all optimal strategies; the reasons follow", waiting=True)
    except RuseError as error:
        return WhyBox(move, trouble=str(error))


@dataclass(frozen=True)
class Counterpart:
    """A position of the other side."""

    secret: str  # that the other side would know, in words; empty if there is only one position
    odds: Fraction | None  # probability of that secret, if both sides play the stored strategies
    to: str  # the address


def counterparts_of(opened: Opened, view: View, carried: dict[str, Any]) -> list[Counterpart]:
    """List positions of the other side here, a typical one first: one that play reaches most often."""
    other, viewer = 1 - view.side, opened.viewer
    counterparts: list[tuple[Fraction, Counterpart]] = []
    for secret, odds, position in _counterparts(opened.solution.game.title, view):
        with suppress(RuseError):
            there = viewer.at(position, other)
            link = pages.position_url(there.position, {**carried, "side": there.side})
            counterparts.append((there.reach or Fraction(0), Counterpart(secret, odds, link)))
    if counterparts:
        typical = max(
            range(len(counterparts)),
            key=lambda number: (counterparts[number][0], counterparts[number][1].odds or 0, -number),
        )
        return [counterpart for _, counterpart in [counterparts.pop(typical), *counterparts]]
    seen = [view.position, _public(opened.solution.game.title, view), viewer.start(other)]
    if view.beliefs:  # the same text would mean the same secret
        seen.append(seen.pop(0))
    for position in seen:
        with suppress(RuseError):
            there = viewer.at(position, other)
            return [Counterpart("", None, pages.position_url(there.position, {**carried, "side": there.side}))]
    return [Counterpart("", None, pages.position_url(view.position, carried))]


def _counterparts(title: str, view: View) -> Iterator[tuple[str, Fraction, str]]:
    """Yield positions with the same public steps for each secret of the other side, likeliest first."""
    steps = view.position.removeprefix(title).partition("/")[2]
    public = f"/{steps}" if steps else ""
    likely = sorted(view.beliefs, key=lambda belief: -belief.odds)
    alike = [belief for belief in likely if belief.odds == likely[0].odds]
    if len(alike) > MOST_COUNTERPARTS:
        likely = [alike[place * len(alike) // MOST_COUNTERPARTS] for place in range(MOST_COUNTERPARTS)]
    for belief in likely[:MOST_COUNTERPARTS]:
        yield belief.what, belief.odds, belief.there or f"{title}@{belief.what.split()[-1]}{public}"


def _public(title: str, view: View) -> str:
    """Return the public steps of a position, without a secret."""
    steps = view.position.removeprefix(title).partition("/")[2]
    return f"{title}/{steps}" if steps else title


def costs_of(here: Explorer, opened: Opened, view: View, patience: float) -> PositionCosts | None:
    """Return the costs of moves at a position; None if ruse is still working on them."""
    with resolving:
        return here.insights.costs_at(opened, view, patience)


def position_model(
    opened: Opened,
    view: View,
    why: Explanation | None,
    certificate: Certificate,
    standing: str,
    costs: PositionCosts | None,
) -> PositionModel:
    start = is_start(opened, view)
    verdict = position_wording.at_position(opened.solution, view, start, standing, costs)
    game = opened.solution.game
    page = {
        **vars(view),
        **view.named(game),
        **({"moves": {}, "costs": None} if costs is None else costs.to_json()),
        "game": game.title,
        "identity": opened.entry.identity,
        "sentence": verdict.sentence,
        "mark": verdict.mark,
        "condition": position_wording.condition(view, start, costs),
        "terms": position_wording.terms(opened.solution, view, costs=costs),
        "solver": opened.solution.solver,
        "certificate": CertificateModel.of(certificate, standing),
        "why": {} if why is None else {why.move: WhyModel.of(why)},
        "at_random": _draws(game, view),
    }
    return PositionModel.model_validate(page)


def _draws(game: Game, view: View) -> Sequence[RandomDevice]:
    """How to choose at random here; nothing where the odds are no advice."""
    if view.turn != view.side or (not view.reached and view.advice == NO_ADVICE):
        return []
    return draw_odds(game, view.position, {option.move: option.odds for option in view.options})


def a_slip(text: str) -> Fraction:
    """Read the probability of a slip: 0, 1/10 or 0.1. Raise PositionError if malformed."""
    try:
        slip = Fraction(text) if DECIMAL.fullmatch(text) else rationals.read(text)
    except ValueError as error:
        raise PositionError(f"expected a probability such as 1/10, got {text[:40]!r}") from error
    if not 0 <= slip <= 1:
        raise PositionError(f"expected a slip from 0 to 1, got {text[:40]}")
    return slip


@router.get("/p/{position:path}.insight.json", summary="A position: what holds for all optimal strategies")
def insight_json(
    position: str, here: Here, side: Side = None, file: File = "", slip: Slip = "0", own: Own = "", time: Seconds = 20
) -> InsightModel:
    """Return ranges over all optimal strategies, prices and beliefs."""
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    result = here.insights.ask(opened, InsightQuestion(view.position, view.side, a_slip(slip), own), time, time)
    if result is None:
        raise TimeIsUp(f"there is no insight after {time} seconds yet; ruse is still working, so try again")
    game = opened.solution.game
    content: dict[str, Any] = {
        **result.there.to_json(game.sides),
        "game": game.title,
        "identity": opened.entry.identity,
        "own": own,
        "own_facts": dict(result.own_facts),
        "worst": result.worst,
        "seconds": result.seconds,
    }
    add_costs(content, costs_of(here, opened, view, time))
    return InsightModel.model_validate(content)


@router.get("/p/{position:path}.json", summary="A position: value, moves, beliefs")
def position_json(
    position: str, here: Here, side: Side = None, file: File = "", why: Explained = None, resolve: Again = False
) -> PositionModel:
    """Return the numbers of the page."""
    opened = here.opened(position, file)
    view = look(opened, position, side, resolve)
    certificate, standing = here.library.certificate(opened.entry, opened.solution), here.library.standing(opened.entry)
    costs = costs_of(here, opened, view, here.settings.patience)
    reasons = explain(here, opened, view, why, costs, here.settings.patience) if why else None
    return position_model(opened, view, reasons, certificate, standing, costs)


@router.get(
    "/p/{position:path}.csv", response_class=Response, summary="A position as a table, one row per move or belief"
)
def position_csv(position: str, here: Here, side: Side = None, file: File = "") -> Response:
    """Return exact fractions, with ranges and prices if insight is already known."""
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    looked = InsightStatus(here.insights.known(opened, InsightQuestion(view.position, view.side)))
    costs = costs_of(here, opened, view, here.settings.patience)
    sheet = exact_numbers.sheet(opened.solution.game, view, looked, costs)
    return download(sheet, "text/csv", f"{view.position}.csv")


@router.get("/p/{position:path}", response_class=HTMLResponse, summary="A position, as a page")
def position_page(
    position: str,
    here: Here,
    side: Side = None,
    file: File = "",
    tab: Literal["strategy", "beliefs", "tree", "proof"] = "strategy",
    why: Explained = None,
    resolve: Again = False,
    every: Annotated[bool, Query(description="list all moves, however many")] = False,
    depth: Depth = 3,
    insight: Annotated[bool, Query(description="wait for insight into all optimal strategies")] = False,
    slip: Slip = "0",
    own: Own = "",
    time: Seconds = 20,
) -> Response:
    try:
        opened = here.opened(position, file)
    except GameError:  # too large for views
        entry = here.find_entry(position, file)
        at = None if position == entry.title else position
        return RedirectResponse(pages.url(f"/whole/{entry.title}", file=entry.carried, at=at), 303)
    view = look(opened, position, side, resolve)
    carried = {"side": side, "file": opened.entry.carried}
    game, standing = opened.solution.game, here.library.standing(opened.entry)
    asked = InsightQuestion(view.position, view.side, a_slip(slip), own)
    wait = insight or own != "" or asked.slip > 0
    looked = look_into(here.insights, opened, asked, wait, time, here.settings.ahead)
    costs = costs_of(here, opened, view, time if wait else QUICK if here.settings.ahead else 0.0)
    start = is_start(opened, view)
    certificate = here.library.certificate(opened.entry, opened.solution)
    html = pages.render(
        "position.html",
        page=position_model(opened, view, None, certificate, standing, costs),
        why=why_box(here, opened, view, why, costs, looked),
        costs=costs,
        path=f"/p/{position}",
        opened=opened,
        game=game,
        view=view,
        verdict=position_wording.at_position(opened.solution, view, start, standing, costs),
        start=start,
        terms=position_wording.terms(opened.solution, view, looked.result.worst if looked.result else None, costs),
        looked=looked,
        question=asked,
        slip=slip,
        every=every,
        time=time,
        whole=wording.solved(opened.solution, standing),
        standing=standing,
        carried=carried,
        hidden=not isinstance(game, Open),
        by_state=isinstance(opened.viewer, TreeViewer),
        can_edit=isinstance(opened.viewer, Editable),
        tab=tab,
        asked=why,
        resolved=resolve,
        options=view.options if every else view.options[:MOST_OPTIONS],
        counterparts=counterparts_of(opened, view, carried),
        tree=_tree(opened, view, depth, lambda to: pages.position_url(to, carried, tab=tab)) if tab == "tree" else "",
        depth=depth,
        most_depth=MOST_DEPTH,
        line=rules_and_table(game)[1],
        picture=picture_at(opened.solution, view, opened.viewer),
        model=presentation(game).model(),
        has_evening=part(game, "companion", "asked") is not None,
        heat=wording.heat([list(row) for row in view.table]),
        long=exact_numbers.of_view(opened.solution, view, looked, costs) if tab in ("strategy", "beliefs") else [],
        at_once=exact_numbers.at_once,
    )
    return HTMLResponse(html)


def _tree(opened: Opened, view: View, depth: int, link: Link | None = None) -> str:
    with resolving:
        return tree(opened.viewer, view.position, depth, view.side).svg(link)


@router.get("/tree/{position:path}.json", summary="The tree from a position")
def tree_json(position: str, here: Here, side: Side = None, file: File = "", depth: Depth = 3) -> TreeModel:
    """Return the positions and numbers of the picture."""
    opened = here.opened(position, file)
    view = look(opened, position, side, False)
    with resolving:
        drawn = tree(opened.viewer, view.position, depth, view.side)
    return TreeModel.model_validate(drawn.root).model_copy(update={"identity": opened.entry.identity})


@router.get("/tree/{position:path}.svg", response_class=Response, summary="The tree from a position, as a picture")
def tree_svg(
    position: str,
    here: Here,
    side: Side = None,
    file: File = "",
    depth: Depth = 3,
) -> Response:
    opened = here.opened(position, file)
    picture = _tree(opened, look(opened, position, side, False), depth)
    return download(picture, "image/svg+xml", f"{position}.svg", "inline")
