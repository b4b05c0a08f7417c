"""The tree of a game's states: with information sets joined, any state as root, and a search."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, Response

from ruse.core.game import GameError, PositionError
from ruse.explorer import pages
from ruse.explorer.library import Opened
from ruse.explorer.models import PROBLEMS
from ruse.explorer.pages import download
from ruse.explorer.routes.positions import File, Side, look, resolving
from ruse.explorer.state import Explorer, explorer
from ruse.explorer.study_models import StatesModel
from ruse.present import state_picture
from ruse.present.state_tree import ShownState, StateTree, TreeSelection
from ruse.present.tree import TreeViewer

router = APIRouter(responses=PROBLEMS)
Here = Annotated[Explorer, Depends(explorer)]
State = Annotated[int | None, Query(ge=0, description="the number of a state")]
Numbers = Annotated[str, Query(max_length=4000, pattern=r"^[0-9,]*$", description="numbers of states, with commas")]
Steps = Annotated[int, Query(ge=0, le=8, description="number of steps that are open at first")]
Find = Annotated[str, Query(max_length=200, description="a move, several moves in a row, or part of a position")]


def _numbers(text: str) -> frozenset[int]:
    try:
        return frozenset(int(number) for number in text.split(",") if number)
    except ValueError as error:  # more digits than Python reads
        raise PositionError(f"expected numbers of states, got {text[:40]!r}") from error


def _tree(here: Explorer, position: str, side: int | None, file: str, asked: TreeSelection) -> tuple[Opened, StateTree]:
    opened = here.opened(position, file)
    viewer = opened.viewer
    if not isinstance(viewer, TreeViewer):
        raise GameError(
            f"the game tree of {opened.entry.title} cannot be shown, as its positions stand for many states; "
            "each position's page has a tree"
        )
    view = look(opened, position, side, False)
    with resolving:
        return opened, StateTree(viewer, replace(asked, position=view.position, side=view.side))


def asked(
    root: State = None,
    depth: Steps = 2,
    opened: Annotated[str, Query(alias="open", max_length=4000, pattern=r"^[0-9,]*$", description="open states")] = "",
    shut: Numbers = "",
    every: Numbers = "",
    at: State = None,
) -> TreeSelection:
    return TreeSelection("", None, root, depth, _numbers(opened), _numbers(shut), _numbers(every), at)


Question = Annotated[TreeSelection, Depends(asked)]


@router.get("/states/{position:path}.json", summary="The tree of states: whose turn, odds, information sets")
def states_json(position: str, here: Here, asked: Question, side: Side = None, file: File = "") -> StatesModel:
    opened, tree = _tree(here, position, side, file, asked)
    return StatesModel(
        game=opened.entry.title,
        identity=opened.entry.identity,
        position=tree.selection.position,
        root=tree.root,
        nodes=tree.listed(),
    )


@router.get("/states/{position:path}.svg", response_class=Response, summary="The tree of states, as a picture")
def states_svg(position: str, here: Here, asked: Question, side: Side = None, file: File = "") -> Response:
    _, tree = _tree(here, position, side, file, asked)
    return download(state_picture.picture(tree), "image/svg+xml", f"{position}-states.svg")


class Addresses:
    """The addresses of the page's links, which keep open states, the selected state and the search."""

    def __init__(self, tree: StateTree, file: str | None, find: str) -> None:
        self.tree, self.file, self.find = tree, file, find

    def to(self, asked: TreeSelection, kind: str = "") -> str:
        """Return the address of the page with other options."""
        depth = None if asked.depth == TreeSelection.depth else asked.depth
        numbers = {"open_": asked.opened, "shut": asked.shut, "every": asked.every}
        lists = {name: ",".join(map(str, sorted(states))) for name, states in numbers.items()}
        query = {"root": asked.root, "depth": depth, **lists, "at": asked.at, "find": self.find if not kind else ""}
        return pages.url(f"/states/{asked.position}{kind}", side=asked.side, file=self.file, **query)

    def node(self, node: ShownState) -> str:
        """Return the address that opens or closes a state, and selects it."""
        asked, at = self.tree.selection, node.state
        opened, shut = frozenset(asked.opened) - {at}, frozenset(asked.shut) - {at}
        if node.is_open:
            shut |= {at}
        elif self.tree.nodes.children(at):
            opened |= {at}
        return self.to(replace(asked, root=self.tree.root, opened=opened, shut=shut, at=at))

    def hit(self, at: int) -> str:
        """Return the address of a search result, under the current root if possible."""
        path = self.tree.path(at)
        root = self.tree.root if self.tree.root in path else 0
        return self.to(
            replace(self.tree.selection, root=root, shut=frozenset(self.tree.selection.shut) - {*path}, at=at)
        )

    def root(self, at: int) -> str:
        asked = self.tree.selection
        return self.to(replace(asked, root=at, at=at, opened=frozenset(), shut=frozenset(), every=frozenset()))

    def every(self, at: int) -> str:
        return self.to(
            replace(self.tree.selection, root=self.tree.root, every=frozenset(self.tree.selection.every) | {at})
        )

    def deeper(self, depth: int) -> str:
        asked = self.tree.selection
        return self.to(replace(asked, root=self.tree.root, depth=depth, shut=frozenset(), opened=frozenset()))


@router.get("/states/{position:path}", response_class=HTMLResponse, summary="The tree of states, as a page")
def states_page(position: str, here: Here, asked: Question, side: Side = None, file: File = "", find: Find = "") -> str:
    opened, tree = _tree(here, position, side, file, asked)
    addresses = Addresses(tree, opened.entry.carried, find)
    hits, total = tree.find(find)
    return pages.render(
        "states.html",
        path=f"/states/{position}",
        opened=opened,
        game=tree.game,
        tree=tree,
        to=addresses,
        picture=state_picture.picture(tree, addresses.node),
        key=state_picture.key(tree),
        here=None if asked.at is None else next((node for node in tree.shown if node.state == asked.at), None),
        hits=hits,
        total=total,
        find=find,
        hidden=True,
        carried={"side": tree.selection.side, "file": opened.entry.carried},
    )
