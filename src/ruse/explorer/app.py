"""The explorer as an ASGI app: pages, their JSON twins, and the guard around them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from ruse.core.named_games import OWN
from ruse.explorer import errors
from ruse.explorer.drilling import Drills
from ruse.explorer.insights import Insights
from ruse.explorer.jobs import Jobs
from ruse.explorer.library import Library
from ruse.explorer.own_variants import OwnVariants
from ruse.explorer.routes import (
    companion,
    contests,
    convergence,
    drills,
    edit,
    export,
    learn,
    library,
    metrics,
    people,
    play,
    positions,
    public,
    search,
    seats,
    shelf,
    solve,
    states,
    studio,
    text,
    whole,
)
from ruse.explorer.safety import Guard
from ruse.explorer.settings import Settings
from ruse.explorer.state import Explorer, Solving
from ruse.explorer.studio import Bench
from ruse.explorer.teaching import Lessons
from ruse.play.storage import Sessions
from ruse.present.site import PAGE

STATIC = Path(__file__).parent / "static"


def create_app(known: Library, settings: Settings) -> FastAPI:
    jobs = Jobs(settings.most_running, settings.most_waiting, settings.most_seconds)
    own = OwnVariants({name: game.spelled for name, game in OWN.items()})

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        threading.Thread(target=known.entries, daemon=True).start()  # reads the files, so that nobody waits for that
        yield
        jobs.close()
        own.close()

    app = FastAPI(
        title="ruse explorer",
        version="1",
        description="Optimal strategies for zero-sum games with hidden information. "
        "Every page is also available as JSON, with the same numbers.",
        docs_url=None,  # its pages would load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    kept, bench = Sessions(settings.sessions), Bench(settings.moment)
    insights = Insights()
    app.state.explorer = Explorer(
        known, jobs, kept, settings, insights, bench, own, Drills(insights, settings.glance), Lessons()
    )
    looking = (positions, public, states, edit, text, whole, metrics)
    solving = (solve, convergence, studio)
    playing = (play, seats, drills, learn)
    for topic in (library, contests, shelf, search, *looking, *playing, *solving, export, companion, people):
        app.include_router(topic.router)
    app.mount("/static/report", StaticFiles(directory=PAGE), "report")
    app.mount("/static", StaticFiles(directory=STATIC), "static")
    errors.handle(app)

    @app.exception_handler(Solving)
    async def wait(request: Request, waiting: Solving) -> Response:
        """Show the progress of the solve that the answer needs; the page reloads by itself."""
        job = waiting.job
        if errors.wants_json(request.scope):
            return JSONResponse({"id": job.id, "page": f"/jobs/{job.id}"}, 202)
        query = request.url.query or urlencode(waiting.sent)
        back = request.url.path + (f"?{query}" if query else "")
        return HTMLResponse(solve.show_job(job, back, waiting.sent), 202)

    app.add_middleware(Guard, settings=settings)
    return app
