"""Play against a solution in the page. Sessions are saved after every move, so a restart loses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ruse.core.capabilities import Open
from ruse.core.game import Game, GameError, RuseError
from ruse.core.identity import identity as identity_of
from ruse.core.registry import presentation, rules_text
from ruse.explorer import pages, wording
from ruse.explorer.board import board
from ruse.explorer.choices import FILE, choice_of, choices
from ruse.explorer.entries import Entry, built_in
from ruse.explorer.errors import NotHere, status_of, wants_json
from ruse.explorer.forms import Fields, FormError, body_of, chosen_move, whole, yes
from ruse.explorer.insights import InsightQuestion
from ruse.explorer.models import PROBLEMS
from ruse.explorer.play_models import LeftModel, PlayModel, SessionModel, UnfinishedModel
from ruse.explorer.plots import line_svg
from ruse.explorer.shelf import names
from ruse.explorer.state import Explorer, Solving, explorer
from ruse.insight.costs import Costs
from ruse.play import session as sessions
from ruse.play import shown
from ruse.play.because import because
from ruse.play.coach import judge, known_prices
from ruse.play.hint import hint as hint_of
from ruse.play.replay import replay
from ruse.play.review import Review, review
from ruse.play.rival import IllegalMove
from ruse.play.session import OPPONENTS, REFERENCE, Session, SessionError
from ruse.play.storage import IDENTITY, SavedSession
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
TEXT = {"type": "string"}
MOST_LEFT = 12  # unfinished games listed on the page
Hinted = Annotated[bool, Query(description="show what your side's strategy does here")]
Step = Annotated[int | None, Query(ge=1, description="for a finished game: show it before your move of this number")]
ASKED = ("game", "file", "side", "coach", "seed", "position", "opponent")


@dataclass(frozen=True)
class GameTable:
    """A session and the solution that it is played against. Only the coach and the review open views."""

    here: Explorer
    entry: Entry
    session: Session

    def coached(self) -> str | None:
        session = self.session
        if not session.coach or not session.decisions or (viewer := self._viewer()) is None:
            return None
        verdict = judge(session, viewer, len(session.decisions), self._prices, self._costs())
        return verdict.text(session.solution.game)

    def because(self) -> str:
        """Say why the person's last move was right or wrong; empty without a coach."""
        if not self.session.coach or self._viewer() is None:
            return ""
        with suppress(RuseError):
            opened = self.here.open(self.entry)
            return because(self.here.insights.explainer(opened, self.here.settings.patience), self.session)
        return ""

    def _prices(self, position: str, side: int) -> Mapping[str, Fraction]:
        """Return what moves cost if they are always made, as far as insight knows within a moment."""
        with suppress(RuseError):
            glance = self.here.settings.glance
            result = self.here.insights.ask(self.here.open(self.entry), InsightQuestion(position, side), glance, glance)
            return {} if result is None else known_prices(result.there.moves)
        return {}

    @cached_property
    def review(self) -> Review | None:
        """The review of a finished game; None if the game is too large for views."""
        if not self.session.over or (viewer := self._viewer()) is None:
            return None
        return review(self.session, viewer, self._costs())

    def _costs(self) -> Costs | None:
        """The costs of moves, if they are found within a moment."""
        with suppress(RuseError):
            return self.here.insights.costs(self.here.open(self.entry), self.here.settings.patience)
        return None

    def page(self, hint: bool = False, step: int | None = None) -> SessionModel:
        """Make the page; with a hint or a step of the replay on request. The replay begins at the end."""
        session = self.session
        played = {**(self.review or session).to_json(), "identity": self.entry.identity}
        more: dict[str, Any] = {"replay": replay(session, step).to_json() if session.over else None}
        more["hint"] = hint_of(session, self._costs()) if hint and not session.over else None
        more |= {"coached": self.coached(), "because": self.because(), "picture": shown.picture(session)}
        return SessionModel.model_validate({**played, **more})

    def _viewer(self) -> Viewer | None:
        """Return the views; None if the game is too large for them. You can still play it."""
        try:
            return self.here.open(self.entry).viewer
        except GameError:
            return None


def _solution(here: Explorer, kept: SavedSession) -> tuple[Entry, Solution]:
    """Return the solution of a session, from its file if that still exists, otherwise of its game."""
    wanted = identity_of(kept.game)
    for entry in here.library.entries():
        if entry.identity == wanted and str(entry.path) == kept.source and not entry.missing:
            return entry, here.library.solution(entry)
    return here.solved_again(kept.game)


def _kept(here: Explorer, identity: str) -> SavedSession:
    if not IDENTITY.fullmatch(identity) or not here.sessions.path(identity).exists():
        raise NotHere(f"there is no saved game {identity[:40]!r}")
    return here.sessions.read(identity)


def _table(here: Explorer, identity: str) -> GameTable:
    """Load a saved session."""
    kept = _kept(here, identity)
    entry, solution = _solution(here, kept)
    return GameTable(here, entry, kept.resume(solution, partial(_reference, here, entry)))


def _reference(here: Explorer, entry: Entry, solution: Solution) -> Solution | None:
    """Return the reference pair of a solution, to play against; None if it takes longer than a page should wait."""
    position_costs = here.insights.costs(here.library.open(entry), here.settings.patience)
    return None if position_costs is None else position_costs.reference


@cache
def _first_title() -> str:
    """Return the title of the first built-in game."""
    return next(built_in())[0].title


@router.get("/play", response_class=HTMLResponse, summary="Choose a game and a side")
def play_page(
    here: Here,
    game: str = "",
    side: Annotated[int, Query(ge=0, le=1)] = 0,
    file: str = "",
    position: Annotated[str, Query(description="the position to start from, instead of the beginning")] = "",
    coach: Annotated[str, Query(max_length=3)] = "",
    seed: Annotated[str, Query(max_length=20)] = "",
) -> str:
    """Show the form, filled in from the address. ruse solves the game only when it begins."""
    title, _, carried = (game or _first_title()).partition(FILE)
    entry = here.find_entry(title, carried or file)
    chosen = choice_of(here.library, entry, names(here.library))
    both = True
    if position:
        entry, solution = here.solved(title, carried or file)
        here.open(entry).viewer.at(position, side)  # raises an error if there is no such position
        both = isinstance(solution.game, Open)
    return pages.render(
        "play.html",
        path="/play",
        choices=choices(here.library),
        unfinished=[] if position else unfinished(here).games,
        chosen=chosen,
        side=side,
        sides=chosen.sides if both else [chosen.sides[side]],
        coach=coach == "yes",
        seed=seed,
        file=entry.carried,
        position=position,
    )


@router.post(
    "/play",
    response_class=Response,
    status_code=201,
    summary="Begin a game",
    openapi_extra=body_of(
        {
            "game": {**TEXT, "examples": ["kuhn"]},
            "file": {**TEXT, "description": "which of the games or solutions of that title"},
            "side": TEXT,
            "coach": TEXT,
            "seed": TEXT,
            "opponent": {**TEXT, "enum": list(OPPONENTS), "description": "the strategy of the other side"},
            "position": {
                **TEXT,
                "description": "the position to start from, instead of the beginning; what is hidden there is drawn",
            },
        },
        ["game"],
    ),
    responses={201: {"model": SessionModel}, 303: {"description": "the page of the game"}},
)
def begin(request: Request, fields: Fields, here: Here) -> Response:
    if stray := [name for name in fields if name not in ASKED]:
        raise FormError(f"expected only the fields {', '.join(ASKED)}, got {stray[0][:40]!r}")
    title, _, chosen = fields.get("game", "").partition(FILE)
    try:
        entry, solution = here.solved(title, chosen or fields.get("file", ""))
    except Solving as waiting:
        raise Solving(waiting.job, fields) from None
    position = fields.get("position") or None
    opponent = fields.get("opponent") or REFERENCE
    if opponent not in OPPONENTS:
        raise FormError(f"expected {' or '.join(OPPONENTS)} as opponent, got {opponent[:40]!r}")
    reference = None
    if opponent == REFERENCE and not isinstance(solution.game, Open) and solution.certificate.exact:
        try:
            here.open(entry)
            reference = _reference(here, entry, solution)
        except Solving as waiting:
            raise Solving(waiting.job, fields) from None
        except GameError:  # too large for views
            pass
    session = sessions.begin(
        solution,
        fields.get("side") or 0,
        seed=whole(fields, "seed"),
        coach=yes(fields, "coach"),
        source=str(entry.path),
        position=position,
        views=here.open(entry).viewer if position else None,
        reference=reference,
    )
    here.sessions.save(session)
    return _answer(request, GameTable(here, entry, session), 201)


@router.get("/play.json", summary="What can be played, and the sides of a game")
def play_json(here: Here, game: str = "", file: str = "") -> PlayModel:
    title, _, chosen = (game or _first_title()).partition(FILE)
    entry, solution = here.solved(title, chosen or file)
    return PlayModel(
        game=entry.title,
        identity=entry.identity,
        sides=list(solution.game.sides),
        headline=wording.headline(solution, here.library.standing(entry)),
        games=[choice.value for choice in choices(here.library)],
    )


@router.get("/play/{identity}.json", summary="A game being played, as far as its human side knows it")
def session_json(identity: str, here: Here, hint: Hinted = False, step: Step = None) -> SessionModel:
    return _table(here, identity).page(hint, step)


@router.get("/play/{identity}", response_class=HTMLResponse, summary="A game being played, as a page")
def session_page(identity: str, here: Here, hint: Hinted = False, step: Step = None) -> str:
    return _shown(_table(here, identity), hint=hint, step=step)


def _shown(table: GameTable, trouble: str = "", typed: str = "", hint: bool = False, step: int | None = None) -> str:
    """Render the page of a game; `trouble` says why the move `typed` was refused."""
    session, game = table.session, table.session.solution.game
    model, reviewed = table.page(hint, step), table.review
    drawn = shown.picture(replay(session, step).then if session.over else session)
    options = model.moves or []
    return pages.render(
        "session.html",
        path=f"/play/{session.id}",
        trouble=trouble,
        step=step,
        typed=typed,
        game=game,
        page=model,
        numbers={option: number for number, option in enumerate(options, 1)} if shown.numbered(options) else {},
        rules=rules_text(game.name),
        model=presentation(game).model(),
        secret=presentation(game).hidden_from(session.states[-1], session.side) if session.over else None,
        whole=wording.solved(session.solution, table.here.library.standing(table.entry)),
        carried={"file": table.entry.carried},
        review=reviewed,
        line=_line(game, reviewed) if reviewed else "",
        **board(session, options, drawn, asked=not session.over),
    )


def _line(game: Game, played: Review) -> str:
    won = wording.won_or_lost(game)
    line = played.line if played.balance is None else played.balance.line
    points = [float((1 + point) / 2) if won else float(point) for point in line]
    return line_svg(points, (0.0, 1.0) if won else None, "percent" if won else "payoff")


@router.post(
    "/play/{identity}",
    response_class=Response,
    summary="Make a move",
    openapi_extra=body_of({"number": TEXT, "move": TEXT}, ["number", "move"]),
    responses={200: {"model": SessionModel}, 303: {"description": "the page of the game"}},
)
def move(identity: str, request: Request, fields: Fields, here: Here) -> Response:
    """Make a move. It needs the number of the move, so that of two tabs only one can make it.

    A refused move leaves the game on the page, with the reason and the text that was typed.
    """
    table = _table(here, identity)
    chosen = chosen_move(fields)
    try:
        number = whole(fields, "number")
        if number is None or not chosen:
            raise FormError("expected a move and its number")
        reference = partial(_reference, here, table.entry)
        session = here.sessions.play(identity, number, chosen, lambda _: table.session.solution, reference)
    except (IllegalMove, SessionError, FormError) as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(_table(here, identity), str(error), chosen), status_of(error))
    return _answer(request, GameTable(here, table.entry, session), 200)


@router.post(
    "/play/{identity}/back",
    response_class=Response,
    summary="Take the last move back",
    openapi_extra=body_of({"number": TEXT}, ["number"]),
    responses={200: {"model": SessionModel}, 303: {"description": "the page of the game"}},
)
def back(identity: str, request: Request, fields: Fields, here: Here) -> Response:
    """Take a move back. It needs the number of the next move, so that of two tabs only one takes it back."""
    table = _table(here, identity)
    try:
        number = whole(fields, "number")
        if number is None:
            raise FormError("expected the number of the next move, got none")
        reference = partial(_reference, here, table.entry)
        session = here.sessions.take_back(identity, number, lambda _: table.session.solution, reference)
    except (SessionError, FormError) as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(_table(here, identity), str(error)), status_of(error))
    return _answer(request, GameTable(here, table.entry, session), 200)


@router.post(
    "/play/{identity}/forget",
    response_class=Response,
    summary="Delete a game that was begun",
    responses={200: {"model": UnfinishedModel}, 303: {"description": "where games are begun"}},
)
def forget(identity: str, request: Request, here: Here) -> Response:
    _kept(here, identity)
    here.sessions.forget(identity)
    if wants_json(request.scope):
        return JSONResponse(unfinished(here).model_dump())
    return RedirectResponse("/play", 303)


@router.get("/unfinished.json", summary="Unfinished games, newest first")
def unfinished(here: Here) -> UnfinishedModel:
    return UnfinishedModel(
        games=[
            LeftModel(
                id=kept.id,
                game=kept.game.title,
                side=kept.game.sides[kept.side],
                coach=kept.coach,
                page=f"/play/{kept.id}",
            )
            for kept in here.sessions.unfinished(MOST_LEFT)
        ]
    )


def _answer(request: Request, table: GameTable, status: int) -> Response:
    if wants_json(request.scope):
        return JSONResponse(table.page().model_dump(mode="json"), status)
    return RedirectResponse(f"/play/{table.session.id}", 303)
