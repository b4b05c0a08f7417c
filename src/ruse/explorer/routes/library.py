"""The library: every game with its rules and what is known of it; and strategies in words."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.core.identity import identity
from ruse.core.registry import games, names, rules_text, summary
from ruse.explorer import pages, say
from ruse.explorer.entries import Entry, example, told
from ruse.explorer.errors import Gone, NotHere
from ruse.explorer.forms import Body
from ruse.explorer.keeping import sent_path, source_of
from ruse.explorer.models import PROBLEMS, EntryModel, LibraryModel, RulesModel, StartedModel, WordsModel
from ruse.explorer.state import Explorer, explorer
from ruse.solution import store
from ruse.solution.strategy import Solution
from ruse.text.report import short
from ruse.text.rules import rules_of
from ruse.text.rules import told as told_rules

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]


def _entry(entry: Entry, standing: str) -> EntryModel:
    """An entry as it is listed."""
    summary = entry.summary
    brief, table = (summary.rules, summary.table) if summary else told(example(entry))
    headline = None if summary is None else f"{summary.sentence} ({say.marked(summary.mark, standing)})"
    if entry.gone:
        headline = "expected the file as it was, got none or another: it was deleted or damaged"
    return EntryModel(
        title=entry.title,
        game=entry.name,
        identity=entry.identity,
        origin=entry.origin,
        rules=brief,
        table=table,
        solved=summary is not None and not entry.gone,
        name=None if entry.path is None else entry.path.name,
        file=entry.source,
        headline=headline,
        solver=None if summary is None else summary.solver,
        exact=None if summary is None else summary.exact,
        standing=standing,
        positions=None if summary is None else list(summary.positions),
        page=pages.position_url(entry.title, file=entry.carried),
    )


def _library(here: Explorer) -> LibraryModel:
    entries = here.library.entries()
    found = [_entry(entry, here.library.standing(entry)) for entry in entries]
    return LibraryModel(entries=found, games=names())


@router.get("/library.json", summary="Every game and solution there is")
def library_json(here: Here) -> LibraryModel:
    return _library(here)


@router.get("/library", response_class=HTMLResponse, include_in_schema=False)
@router.get("/", response_class=HTMLResponse, summary="The library, as a page")
def library_page(here: Here) -> str:
    found = _library(here)
    others = [(name, summary(name)) for name in games() if not any(entry.game == name for entry in found.entries)]
    tabled = {name: spec.tables for name, spec in games().items() if spec.tables}
    return pages.render("library.html", path="/library", library=found, others=others, tabled=tabled)


@router.post(
    "/open",
    status_code=201,
    summary="Add a solution file to the library",
    openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": {}}}},
)
def open_file(body: Body, here: Here) -> StartedModel:
    """The body is the file itself, as ruse solve --out writes it."""
    solution = store.loads(body, "the file that was sent")
    path = sent_path(here.library.folder, solution.game, body)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.replace(path, body)
    except OSError as error:
        raise RuseError(f"expected a folder to keep solutions in, got {atomic_files.reason(error)}") from error
    return StartedModel(id=source_of(path), page=pages.position_url(solution.game.title, file=source_of(path)))


def _words(solution: Solution, standing: str) -> WordsModel:
    sides = []
    for side, name in enumerate(solution.game.sides):
        preface, lines = rules_of(solution, side)
        sides.append(RulesModel(side=name, preface=preface, rules=lines))
    game, headline = solution.game, say.headline(solution, standing)
    return WordsModel(game=game.title, identity=identity(game), headline=headline, sides=sides)


@router.get("/words/{title:path}.json", summary="Both strategies in words")
def words_json(title: str, here: Here, file: str = "") -> WordsModel:
    entry, solution = here.solved(title, file)
    return _words(solution, here.library.standing(entry))


@router.get("/words/{title:path}", response_class=HTMLResponse, summary="Both strategies in words, as a page to print")
def words_page(title: str, here: Here, file: str = "") -> str:
    entry, solution = here.solved(title, file)
    standing = here.library.standing(entry)
    _, line = told(solution.game)
    return pages.render(
        "words.html",
        path=f"/words/{title}",
        words=_words(solution, standing),
        sides=[told_rules(solution, side) for side in (0, 1)],
        short=short,
        solution=solution,
        verdict=say.solved(solution, standing),
        standing=standing,
        line=line,
        brief=rules_text(solution.game.name),
        carried={"file": entry.carried},
    )


@router.get("/go", response_class=Response, summary="Go to a position by its name")
def go(to: str, here: Here, file: Annotated[str, Query(max_length=16)] = "") -> Response:
    """The form behind the key g: works without scripts. Within a game or file, its own positions stay there."""
    position = to.strip()[:2000].lstrip("/")
    try:
        carried = here.library.find(position, file).carried if file else None
    except (NotHere, Gone):
        carried = None
    return RedirectResponse(pages.position_url(position, file=carried), 303)
