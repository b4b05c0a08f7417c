"""Play against a solution in the page. A session is kept in a file after every move, so a restart loses nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ruse.core.capabilities import Open
from ruse.core.game import Game, GameError
from ruse.core.identity import identity as identity_of
from ruse.core.registry import moves_text, rules_text
from ruse.explorer import pages, say
from ruse.explorer.entries import Entry
from ruse.explorer.entries import told as table_told
from ruse.explorer.errors import NotHere, wants_json
from ruse.explorer.forms import Fields, FormError, body_of, whole, yes
from ruse.explorer.models import PROBLEMS, PlayModel, SessionModel
from ruse.explorer.plot import line_svg
from ruse.explorer.state import Explorer, explorer
from ruse.play import session as sessions
from ruse.play import shown
from ruse.play.coach import Review, judge, review
from ruse.play.session import Session
from ruse.play.storage import IDENTITY, Kept
from ruse.solution.strategy import Solution
from ruse.view.model import Viewer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
TEXT = {"type": "string"}
FILE = "?file="  # between a title and what tells games and files of that title apart
ASKED = ("game", "file", "side", "coach", "seed", "position")


@dataclass(frozen=True)
class Table:
    """A session and the solution that it is played against. Views are opened only for the coach and the review."""

    here: Explorer
    entry: Entry
    session: Session

    def coached(self) -> str | None:
        session = self.session
        if not session.coach or not session.decisions or (viewer := self._viewer()) is None:
            return None
        return judge(session, viewer, len(session.decisions)).told(session.solution.game)

    def review(self) -> Review | None:
        if not self.session.over or (viewer := self._viewer()) is None:
            return None
        return review(self.session, viewer)

    def to_json(self) -> dict[str, Any]:
        found = self.review()
        drawn = shown.picture(self.session).to_json()
        played = {**(found or self.session).to_json(), "identity": self.entry.identity}
        return {**played, "coached": self.coached(), "picture": drawn}

    def _viewer(self) -> Viewer | None:
        """None where a game is too large to look at; it can be played even so."""
        try:
            return self.here.open(self.entry).viewer
        except GameError:
            return None


def _solution(here: Explorer, kept: Kept) -> tuple[Entry, Solution]:
    """What a session is played against: the solution in its file if that is still there, else that of its game."""
    wanted = identity_of(kept.game)
    for entry in here.library.entries():
        if entry.identity == wanted and str(entry.path) == kept.source and not entry.gone:
            return entry, here.library.solution(entry)
    return here.solved_again(kept.game)


def _table(here: Explorer, identity: str) -> Table:
    """A session as it is kept."""
    if not IDENTITY.fullmatch(identity) or not here.sessions.path(identity).exists():
        raise NotHere(f"expected a game that was begun here, got {identity[:40]!r}")
    kept = here.sessions.read(identity)
    entry, solution = _solution(here, kept)
    return Table(here, entry, kept.resume(solution))


@router.get("/play", response_class=HTMLResponse, summary="Choose a game and a side")
def play_page(
    here: Here,
    game: str = "resistance-5",
    side: Annotated[int, Query(ge=0, le=1)] = 0,
    file: str = "",
    position: Annotated[str, Query(description="where to begin, if not at the start")] = "",
) -> str:
    title, _, chosen = game.partition(FILE)
    entry, solution = here.solved(title, chosen or file)
    standing = here.library.standing(entry)
    if position:
        here.open(entry).viewer.at(position, side)  # says what is wrong with it
    return pages.render(
        "play.html",
        path="/play",
        choices=_choices(here),
        chosen=_choice(entry),
        line=table_told(solution.game)[1],
        solution=solution,
        headline=say.headline(solution, standing),
        exact=solution.certificate.exact and standing in ("", "checked"),
        rules=rules_text(solution.game.name),
        side=side,
        sides=solution.game.sides if not position or isinstance(solution.game, Open) else [solution.game.sides[side]],
        file=entry.carried,
        position=position,
    )


def _choice(entry: Entry) -> str:
    """A game or file as a form names it."""
    return entry.title if entry.carried is None else f"{entry.title}{FILE}{entry.carried}"


def _choices(here: Explorer) -> list[tuple[str, str]]:
    """Each, and what people read: where several have one title, which of them it is."""
    entries = {_choice(entry): entry for entry in here.library.entries() if not entry.gone}
    return [
        (choice, entry.title if entry.carried is None else f"{entry.title} ({entry.name} {entry.carried})")
        for choice, entry in entries.items()
    ]


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
            "position": {**TEXT, "description": "where to begin, if not at the start; what is hidden there is drawn"},
        },
        ["game"],
    ),
    responses={201: {"model": SessionModel}, 303: {"description": "the page of the game"}},
)
def begin(request: Request, fields: Fields, here: Here) -> Response:
    if stray := [name for name in fields if name not in ASKED]:
        raise FormError(f"expected fields out of {', '.join(ASKED)}, got {stray[0][:40]!r}")
    title, _, chosen = fields.get("game", "").partition(FILE)
    entry, solution = here.solved(title, chosen or fields.get("file", ""))
    position = fields.get("position") or None
    session = sessions.begin(
        solution,
        fields.get("side") or 0,
        seed=whole(fields, "seed"),
        coach=yes(fields, "coach"),
        source=str(entry.path),
        position=position,
        views=here.open(entry).viewer if position else None,
    )
    here.sessions.save(session)
    return _answer(request, Table(here, entry, session), 201)


@router.get("/play.json", summary="What can be played, and the sides of a game")
def play_json(here: Here, game: str = "resistance-5", file: str = "") -> PlayModel:
    title, _, chosen = game.partition(FILE)
    entry, solution = here.solved(title, chosen or file)
    return PlayModel(
        game=entry.title,
        identity=entry.identity,
        sides=list(solution.game.sides),
        headline=say.headline(solution, here.library.standing(entry)),
        games=[choice for choice, _ in _choices(here)],
    )


@router.get("/play/{identity}.json", summary="A game being played, as far as its human side knows it")
def session_json(identity: str, here: Here) -> SessionModel:
    return SessionModel.model_validate(_table(here, identity).to_json())


@router.get("/play/{identity}", response_class=HTMLResponse, summary="A game being played, as a page")
def session_page(identity: str, here: Here) -> str:
    table = _table(here, identity)
    session, game = table.session, table.session.solution.game
    told, found, drawn = table.to_json(), table.review(), shown.picture(session)
    manner = session.rival.manner
    options = told["moves"] or []
    return pages.render(
        "session.html",
        path=f"/play/{identity}",
        session=session,
        game=game,
        told=told,
        steps=session.position.removeprefix(game.title),
        picture=drawn,
        on_board=set(options) & drawn.moves(),
        rows=[] if set(options) <= drawn.moves() else shown.in_rows(options),
        numbers={option: number for number, option in enumerate(options, 1)} if shown.numbered(options) else {},
        question="" if session.over else manner.ask(session),
        news=shown.news(session),
        rules=rules_text(game.name),
        moves_text=moves_text(game.name),
        ticks=manner.ticks(session),
        whole=say.solved(session.solution, here.library.standing(table.entry)),
        carried={"file": table.entry.carried},
        review=found,
        line=_line(game, found) if found else "",
    )


def _line(game: Game, found: Review) -> str:
    won = say.won_or_lost(game)
    points = [float((1 + point) / 2) if won else float(point) for point in found.line]
    return line_svg(points, (0.0, 1.0) if won else None, "per cent" if won else "payoff")


@router.post(
    "/play/{identity}",
    response_class=Response,
    summary="Make a move",
    openapi_extra=body_of({"number": TEXT, "move": TEXT}, ["number", "move"]),
    responses={200: {"model": SessionModel}, 303: {"description": "the page of the game"}},
)
def move(identity: str, request: Request, fields: Fields, here: Here) -> Response:
    """The number of the move says which one is meant, so that of two tabs only one can make it."""
    number = whole(fields, "number")
    chosen = fields.get("move") or fields.get("seat", "")
    if number is None or not chosen:
        raise FormError("expected a move and its number, got less")
    entry = _table(here, identity).entry
    session = here.sessions.play(identity, number, chosen.strip(), lambda _: here.library.solution(entry))
    return _answer(request, Table(here, entry, session), 200)


def _answer(request: Request, table: Table, status: int) -> Response:
    if wants_json(request.scope):
        return JSONResponse(SessionModel.model_validate(table.to_json()).model_dump(), status)
    return RedirectResponse(f"/play/{table.session.id}", 303)
