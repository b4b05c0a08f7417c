"""Errors as pages or JSON, each with one sentence and a status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from ruse.core.game import PositionError, RuseError
from ruse.core.registry import UnknownGame
from ruse.explorer import pages
from ruse.play.lessons import UnknownLesson
from ruse.play.rival import IllegalMove
from ruse.play.session import SessionError

NAMES = {
    400: "Invalid request",
    401: "Token required",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Out of date",
    410: "No longer available",
    413: "Too large",
    421: "Wrong address",
    422: "Invalid request",
    429: "Busy",
    500: "Internal error",
}


class NotHere(RuseError):
    """Something that the explorer does not have."""


class Gone(RuseError):
    """Something that the explorer had and lost. `again` is the page that makes it again, if there is one."""

    def __init__(self, sentence: str, again: str = "") -> None:
        super().__init__(sentence)
        self.again = again


class Late(RuseError):
    """A request that came too late: another tab was quicker, or a job has ended."""


class Busy(RuseError):
    """More work than the explorer takes on at once."""


class RequestTooLarge(RuseError):
    """A request or an answer with too many bytes."""


OF_GAMES = (  # pages that name a game
    "/p/", "/public/", "/states/", "/edit/", "/whole/", "/tree/", "/words/", "/export/", "/play", "/solve",
)  # fmt: skip

STATUS: Mapping[type[RuseError], int] = {
    IllegalMove: 400,  # though it is a PositionError
    SessionError: 409,
    NotHere: 404,
    UnknownLesson: 404,
    PositionError: 404,
    UnknownGame: 404,
    Late: 409,
    Gone: 410,
    RequestTooLarge: 413,
    Busy: 429,
}


@dataclass(frozen=True)
class Problem:
    """An error as a page shows it."""

    status: int
    sentence: str
    again: str = ""  # a page that solves the problem


def status_of(error: RuseError) -> int:
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)


def problem_response(scope: Scope, problem: Problem) -> Response:
    if wants_json(scope):
        return JSONResponse({"error": problem.sentence, "status": problem.status}, problem.status)
    name = NAMES.get(problem.status, "Invalid request")
    sentence = problem.sentence[:1].upper() + problem.sentence[1:]
    links = _ways_on(scope["path"], problem)
    page = pages.render(
        "error.html", path=scope["path"], name=name, sentence=sentence, status=problem.status, links=links
    )
    return HTMLResponse(page, problem.status)


def _ways_on(path: str, problem: Problem) -> list[tuple[str, str]]:
    """Return links that may help after an error."""
    links = [("To the library", "/")]
    if problem.again:
        links.insert(0, ("Solve it again", problem.again))
    elif problem.status == 409 and path.startswith("/jobs/"):  # overtaken: see how it stands
        links.insert(0, ("Back", path.removesuffix("/stop")))
    elif problem.status == 404 and path.startswith(OF_GAMES):
        links.append(("Solve a game", "/solve"))
    return links


def wants_json(scope: Scope) -> bool:
    """Return whether a request wants JSON: browsers accept HTML explicitly, programs do not."""
    return scope["path"].endswith(".json") or "text/html" not in Headers(scope=scope).get("accept", "")


def handle(app: FastAPI) -> None:
    """Register the error handlers of an app."""

    @app.exception_handler(RuseError)
    async def ours(request: Request, error: RuseError) -> Response:
        again = error.again if isinstance(error, Gone) else ""
        return problem_response(request.scope, Problem(status_of(error), str(error), again))

    @app.exception_handler(RequestValidationError)
    async def misread(request: Request, error: RequestValidationError) -> Response:
        return problem_response(request.scope, Problem(422, _first(error)))

    @app.exception_handler(HTTPException)
    async def routed(request: Request, error: HTTPException) -> Response:
        path = request.scope["path"]
        sentence = {
            404: f"there is no page {path[:80]!r}",
            405: f"{path[:80]} does not accept {request.method}",
        }.get(error.status_code, str(error.detail))
        return problem_response(request.scope, Problem(error.status_code, sentence))


def _first(error: RequestValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or "a value"
    wish = str(first["msg"]).removeprefix("Value error, ")
    return f"invalid {place}: {wish[:1].lower()}{wish[1:]}, got {str(first.get('input'))[:60]!r}"
