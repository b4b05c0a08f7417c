"""The library: every game with its rules and value; and strategies in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ruse.core import atomic_files
from ruse.core.game import GameError, RuseError
from ruse.core.registry import elsewhere, games, groups, names, presentation, rules_text
from ruse.explorer import home, pages, shelf, wording
from ruse.explorer.choices import headline_of
from ruse.explorer.entries import Entry, example, identified, rules_and_table
from ruse.explorer.errors import status_of, wants_json
from ruse.explorer.forms import Body, FormError
from ruse.explorer.library import Library
from ruse.explorer.models import PROBLEMS, EntryModel, LibraryModel, RulesModel, StartedModel, WordsModel
from ruse.explorer.routes import solve
from ruse.explorer.search import matches, said_of, words_in
from ruse.explorer.solution_files import sent_path, source_of
from ruse.explorer.state import Explorer, explorer
from ruse.present.report import readable
from ruse.present.rules import SideRules, outline, rules_of, side_rules
from ruse.solution import store
from ruse.solution.strategy import Solution

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]


def _entry(library: Library, entry: Entry, given: Mapping[str, str]) -> EntryModel:
    """Make the model of an entry; `given` maps sources to the names that people gave."""
    summary, standing = entry.summary, library.standing(entry)
    brief, table = (summary.rules, summary.table) if summary else rules_and_table(example(entry))
    headline = headline_of(entry, standing) or None
    if entry.missing:
        headline = "this file was deleted or damaged"
    return EntryModel(
        title=entry.title,
        label=shelf.label(entry, given),
        game=entry.name,
        identity=entry.identity,
        origin=entry.origin,
        rules=brief,
        table=table,
        solved=summary is not None and not entry.missing,
        name=None if entry.path is None else entry.path.name,
        file=entry.source,
        headline=headline,
        known=None if summary else wording.known_value(example(entry)) or None,
        kept=shelf.is_kept(library, entry),
        written=_written(entry),
        too_large=summary is not None and summary.too_large,
        solver=None if summary is None else summary.solver,
        exact=None if summary is None else summary.exact,
        standing=standing,
        positions=None if summary is None else list(summary.positions),
        page=pages.position_url(entry.title, file=entry.carried),
    )


def _written(entry: Entry) -> str | None:
    """Return when the file was written, by the clock of this machine."""
    try:
        seconds = entry.path.stat().st_mtime if entry.path else None
    except OSError:
        return None
    return None if seconds is None else datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def _library(here: Explorer) -> LibraryModel:
    given = shelf.names(here.library)
    entries = [_entry(here.library, entry, given) for entry in here.library.entries()]
    return LibraryModel(entries=entries, games=names(), cards=home.cards(here.library))


SORTS: Mapping[str, Callable[[EntryModel], Any]] = {
    "newest": lambda entry: entry.written or "",
    "name": lambda entry: entry.label.lower(),
    "size": lambda entry: sum(entry.positions or ()),
}


@router.get("/library.json", summary="All games and solutions")
def library_json(here: Here) -> LibraryModel:
    return _library(here)


@router.get("/library", response_class=HTMLResponse, include_in_schema=False)
@router.get("/", response_class=HTMLResponse, summary="The library, as a page")
def library_page(
    here: Here,
    find: Annotated[str, Query(max_length=200, description="words to search for in titles, rules and values")] = "",
    sort: Literal["newest", "name", "size"] = "newest",
) -> str:
    return _shown(here, find, sort)


def _shown(
    here: Explorer,
    find: str = "",
    sort: str = "newest",
    chosen: Mapping[str, str] = MappingProxyType({}),
    trouble: str = "",
) -> str:
    """Render the page; `trouble` says why what was `chosen` on a card does not open."""
    listed, words = _library(here), words_in(find)
    files = [entry for entry in listed.entries if entry.origin != "built in"]
    said = {entry.page: said_of(entry.game, entry.label, entry.title, entry.table) for entry in files}
    shown = [entry for entry in files if matches(words, said[entry.page])]
    cards = [card for card in listed.cards if matches(words, card.said)]
    grouped = {name for named in groups().values() for name in named}
    return pages.render(
        "library.html",
        path="/library",
        groups=list(groups()),
        cards=cards,
        files=sorted(shown, key=SORTS[sort], reverse=sort != "name"),
        said=said,
        others=[spec for name, spec in {**games(), **elsewhere()}.items() if name not in grouped],
        find=find,
        sort=sort,
        sorts=list(SORTS),
        count=len(cards) + len(shown),
        total=len(listed.cards) + len(files),
        chosen=chosen,
        trouble=solve.by_fields(trouble),
    )


@router.get("/choose", response_class=Response, summary="Open a game of the home page as chosen on its card")
def choose(request: Request, here: Here, game: str, to: Literal["learn", "play", "explore"] = "explore") -> Response:
    """Redirect to the page of a table; the parameters of the game are in the address."""
    try:
        made = home.chosen(game, request.query_params)
    except (GameError, FormError) as error:
        if wants_json(request.scope):
            raise
        return HTMLResponse(_shown(here, chosen=request.query_params, trouble=str(error)), status_of(error))
    here.library.find(made.title)
    return RedirectResponse(home.way_url(to, made), 303)


@router.post(
    "/open",
    status_code=201,
    summary="Add a solution file to the library",
    openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": {}}}},
)
def open_file(body: Body, here: Here) -> StartedModel:
    """Add a solution file; the body is the file itself, as ruse solve --out writes it."""
    solution = store.loads(body, "the file that was sent")
    path = sent_path(here.library.folder, solution.game, body)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.replace(path, body)
    except OSError as error:
        raise RuseError(f"cannot save {path.name}: {atomic_files.reason(error)}") from error
    return StartedModel(id=source_of(path), page=pages.position_url(solution.game.title, file=source_of(path)))


def _words(solution: Solution, standing: str, by_side: Sequence[SideRules]) -> WordsModel:
    sides = []
    for side, name in enumerate(solution.game.sides):
        preface, lines = rules_of(solution, side)
        outlined = outline(solution, side)
        reached = None if solution.on_path is None else solution.on_path[side]
        off_path = (
            [] if reached is None else [position for position in solution.tables[side] if position not in reached]
        )
        in_words = by_side[side].in_words
        sides.append(
            RulesModel(
                side=name,
                preface=preface,
                outline=list(outlined),
                spoken=[] if in_words is None else in_words.sections,
                rules=list(lines),
                off_path=off_path,
            )
        )
    game, headline = solution.game, wording.headline(solution, standing)
    return WordsModel(game=game.title, identity=identified(game), headline=headline, sides=sides)


@router.get("/words/{title:path}.json", summary="Both strategies in words")
def words_json(title: str, here: Here, file: str = "") -> WordsModel:
    entry, solution = here.solved(title, file)
    return _words(solution, here.library.standing(entry), side_rules(solution))


@router.get("/words/{title:path}", response_class=HTMLResponse, summary="Both strategies in words, as a page to print")
def words_page(title: str, here: Here, file: str = "") -> str:
    entry, solution = here.solved(title, file)
    standing = here.library.standing(entry)
    _, line = rules_and_table(solution.game)
    sides = side_rules(solution)
    return pages.render(
        "words.html",
        path=f"/words/{title}",
        words=_words(solution, standing, sides),
        sides=sides,
        readable=readable,
        solution=solution,
        verdict=wording.solved(solution, standing),
        standing=standing,
        line=line,
        brief=rules_text(solution.game.name),
        model=presentation(solution.game).model(),
        carried={"file": entry.carried},
        lessons=[] if entry.carried else here.lessons.on(solution.game.title, here),
    )
