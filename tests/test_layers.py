"""Which room may import which: rooms only look down, late imports included, and none knows a game or its words.

`solution/strategy.py` is the facade that holds the convenience methods of `Solution`; it alone looks up, and late.
Games may look at any room. No room looks at a game: it asks for what any game may have (`ruse.core.capabilities`), how
it is shown (`ruse.core.registry.presentation`), or for a part that the game names (`ruse.core.registry.part`).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks.source_modules import Modules, imported, nodes

import ruse
from ruse.core import capabilities, registry
from ruse.core.declared import CAPABILITIES
from ruse.core.registry import elsewhere, games

ROOMS = (
    "core",
    "kernels",
    "forms",
    "solvers",
    "solution",
    "verify",
    "solving",
    "present",
    "formats",
    "scoring",
    "insight",
    "metrics",
    "exploitation",
    "people",
    "play",
    "contests",
    "reproduce",
    "studio",
    "explorer",
    "cli",
)
FACADE = "solution.strategy"
LEAVES = ("reproduce",)  # of certain games, as papers are; only the command line looks at them

SOURCE = Path(ruse.__path__[0])
COMPILED = {"numba", "cupy"}


MODULES = Modules.under(SOURCE)
OUTSIDE = Modules({name: path for name, path in MODULES.paths.items() if name.partition(".")[0] in ROOMS})


def test_rooms_only_look_down() -> None:
    up = set()
    for name, tree in OUTSIDE.items():
        below = ROOMS[ROOMS.index(name.split(".")[0]) + 1 :]
        rooms = {one.split(".")[1] for one in imported(tree) if one.startswith("ruse.")}
        up |= {(name, room) for room in rooms if room in below and name != FACADE}
    assert up == set()


def test_packages_import_each_other_in_no_circle() -> None:
    """Late imports included. Of games only what is left to mend knows any."""
    graph: dict[str, set[str]] = {}
    for name, tree in MODULES.items():
        room = name.partition(".")[0]
        if room in (*ROOMS, "games") and name != FACADE:
            seen = {one.split(".")[1] for one in imported(tree) if one.startswith("ruse.")} & {*ROOMS, "games"}
            graph.setdefault(room, set()).update(seen - {room})
    assert len(list(TopologicalSorter(graph).static_order())) == len(ROOMS) + 1


# No room knows a game.


def test_only_the_command_line_looks_at_leaves() -> None:
    others = {name: tree for name, tree in OUTSIDE.items() if name.partition(".")[0] not in (*LEAVES, "cli")}
    leaves = tuple(f"ruse.{leaf}" for leaf in LEAVES)
    assert not [name for name, tree in others.items() for one in imported(tree) if one.startswith(leaves)]


def test_no_room_imports_a_game() -> None:
    """Not even for its type."""
    rest = {name: tree for name, tree in OUTSIDE.items() if name.partition(".")[0] not in LEAVES}
    modules = {(name, one) for name, tree in rest.items() for one in imported(tree, types=True)}
    assert {(name, one) for name, one in modules if f"{one}.".startswith("ruse.games.")} == set()


def test_no_room_asks_whether_a_game_is_a_certain_one() -> None:
    rest = {name: tree for name, tree in OUTSIDE.items() if name.partition(".")[0] not in LEAVES}
    assert {place for name, tree in rest.items() for place in checks_of_games(name, tree)} == set()


def test_no_room_compares_the_name_of_a_game() -> None:
    assert {place for name, tree in OUTSIDE.items() for place in comparisons(name, tree)} == set()


def test_no_room_has_a_table_by_the_names_of_games() -> None:
    """But for contests, which are called as their games are."""
    own = {name: tree for name, tree in OUTSIDE.items() if not name.startswith(("contests", "reproduce"))}
    assert {place for name, tree in own.items() for place in tables(name, tree)} == set()


def test_no_room_probes_a_game_for_an_attribute() -> None:
    """Only core does, which finds out what a game is, and the check that runs without ruse."""
    allowed = ("core.", "formats.standalone_check")
    rest = {name: tree for name, tree in OUTSIDE.items() if not name.startswith(allowed)}
    assert {place for name, tree in rest.items() for place in probes(name, tree)} == set()


def test_no_page_knows_a_game() -> None:
    named = re.compile(rf"""\{{[%{{][^}}]*['"]({"|".join(games())})['"]""")
    pages = list(SOURCE.rglob("*.html"))
    assert pages and not [(page.name, one[0]) for page in pages for one in named.finditer(page.read_text())]


WORDS_OF_GAMES = re.compile(
    r"(?<![a-z])(spy|spies|resistance|missions?|sabotages?|merlin|mordred|percival|morgana|oberon|assassin|avalon|dice"
    r"|poker)(?![a-z])",
    re.IGNORECASE,
)
EXAMPLE = re.compile(r"such as [^;]*")  # up to the end of a sentence or clause
OF_GAMES = ("reproduce.", "contests.", "people")  # rooms about certain games
SPEAK_OF_GAMES = {
    "cli.examples": "examples of commands, which name games",
    "cli.parser": "help with examples of parameters; `companion` is a command of two games",
    "present.model": "Seat, whose names are JSON keys of positions (docs/reference/json.md)",
    "present.seats": "what reads Seat",
    "solvers": "two solvers, lazy-lp and orbits, that each belong to one game",
}


def test_no_generic_room_knows_the_words_of_a_game() -> None:
    rest = {name: tree for name, tree in OUTSIDE.items() if not name.startswith(OF_GAMES)}
    places = {name: {*words_of_games(name, tree)} for name, tree in rest.items()}
    assert {name: words for name, words in places.items() if words and name not in SPEAK_OF_GAMES} == {}
    assert not [name for name in SPEAK_OF_GAMES if not places[name]]  # no longer an exception


def test_only_the_registry_and_the_facade_import_by_name() -> None:
    found = {name for name, tree in MODULES.items() if any(calls(tree, "import_module", "__import__"))}
    assert found == {"core.former_modules", "core.registry", "core.named_games", "core.sources", "__init__"}
    told = {name for name, tree in OUTSIDE.items() for text in texts(tree) if re.match(r"ruse\.games[.:]\w", text)}
    assert told <= {"core.registry", "core.contract"}  # which says what comes with ruse


SPOILED = """
from ruse import games
from ruse.games.pig import Pig as Dice

TABLE = {"kuhn": 1, "pig": 2}

def f(game, name):
    from ruse.games import resistance
    if isinstance(game, Dice | str) or issubclass(type(game), (int, resistance.Resistance)):
        return 1
    match game:
        case Dice():
            return 2
    if game.name == "kuhn" or name in ("pig", "x") or "nim" == game.title or type(game).__name__ == "Pig":
        return 3
    if game.title.startswith("resistance"):
        return 4
    return hasattr(game, "table") or getattr(game.game, "cells", None)
"""


def test_the_rules_above_see_what_they_look_for() -> None:
    tree = ast.parse(SPOILED)
    assert {*checks_of_games("x", tree)} == {"x:9", "x:12"}
    assert {*comparisons("x", tree)} == {"x:14", "x:16"}
    assert len([*comparisons("x", tree)]) == 5
    assert [*tables("x", tree)] == ["x:5"]
    assert [*probes("x", tree)] == ["x:18", "x:18"]
    assert len([one for one in imported(tree) if one.startswith("ruse.games")]) == 5


SPEAKING = """
'''A docstring may say spies.'''
GAME = "resistance"

class Page:
    spies: int
    title: str = Field(examples=["resistance-5"])
    '''and so may the description of a field, about Merlin'''

def send(aboard, sabotages, view):
    if view.spy_by_facts:
        raise ValueError("expected a title, such as resistance-5 or avalon")
    return f"{aboard} go on a Mission" + call(dice=2)
"""


def test_the_words_of_games_are_seen() -> None:
    places = [place.partition(" ") for place in words_of_games("x", ast.parse(SPEAKING))]
    assert {(place, word.lower()) for place, _, word in places} == {
        ("x:3", "resistance"),
        ("x:6", "spies"),
        ("x:10", "sabotages"),
        ("x:11", "spy"),
        ("x:13", "mission"),
        ("x:13", "dice"),
    }


def words_of_games(name: str, tree: ast.Module) -> Iterator[str]:
    """Identifiers and texts with a word of one game, but for docstrings and examples."""
    free = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}  # docstrings, also of fields
    for node in nodes(tree):
        if isinstance(node, ast.keyword) and node.arg == "examples":
            free |= {id(inner) for inner in ast.walk(node.value)}
    for node in nodes(tree):
        text = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in free:
            text = EXAMPLE.sub("", node.value)
        for attribute in ("id", "attr", "arg", "name"):
            if isinstance(label := getattr(node, attribute, None), str):
                text = re.sub("([a-z])([A-Z])", r"\1 \2", label)
        if word := WORDS_OF_GAMES.search(text.replace("_", " ")):
            yield f"{name}:{getattr(node, 'lineno', 0)} {word[0]}"


def checks_of_games(name: str, tree: ast.Module) -> Iterator[str]:
    """isinstance, issubclass and `case` of classes that are defined under games/."""
    bound = {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ruse")
        for alias in node.names
    }
    asked = [*((call, call.args[1]) for call in calls(tree, "isinstance", "issubclass"))]
    asked += [(node, node.cls) for node in nodes(tree) if isinstance(node, ast.MatchClass)]
    for place, kinds in asked:
        chains = {ast.unparse(one) for one in ast.walk(kinds) if isinstance(one, ast.Name | ast.Attribute)}
        if any(_is_of_games(bound, chain) for chain in chains):
            yield f"{name}:{place.lineno}"


def _is_of_games(bound: dict[str, str], chain: str) -> bool:
    first, *rest = chain.split(".")
    if first not in bound:
        return False
    module, _, attribute = bound[first].partition(":")
    found = getattr(import_module(module), attribute, None)
    if inspect.isfunction(found):  # a package's factory has the package's name
        found = import_module(f"{module}.{attribute}")
    for one in rest:
        found = getattr(found, one, None)
    return inspect.isclass(found) and found.__module__.startswith("ruse.games.")


def comparisons(name: str, tree: ast.Module) -> Iterator[str]:
    """A name or title, or the name of a type, beside a text that names a game or a class of games/."""
    known = {*games(), *elsewhere(), *_classes()}
    for node in nodes(tree):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "with" in node.func.attr:
            sides = [node.func.value, *node.args]  # startswith, endswith
        told = {text for side in sides for text in texts(side)}
        names = [side for side in sides if isinstance(side, ast.Name | ast.Attribute)]
        if told & known and any(_last(one) in ("name", "title", "game", "__name__", "__qualname__") for one in names):
            yield f"{name}:{node.lineno}"


@cache
def _classes() -> set[str]:
    trees = [tree for name, tree in MODULES.items() if name.startswith("games.")]
    return {node.name for tree in trees for node in nodes(tree) if isinstance(node, ast.ClassDef)}


def tables(name: str, tree: ast.Module) -> Iterator[str]:
    for node in nodes(tree):
        if (
            isinstance(node, ast.Dict)
            and len({text for key in node.keys if key for text in texts(key)} & {*games()}) > 1
        ):
            yield f"{name}:{node.lineno}"


def probes(name: str, tree: ast.Module) -> Iterator[str]:
    """hasattr and getattr with a default, of something that is called a game."""
    for call in calls(tree, "hasattr", "getattr"):
        if _last(call.args[0]) in ("game", "rules") and isinstance(call.args[1], ast.Constant):
            yield f"{name}:{call.lineno}"


def calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in nodes(tree):
        if isinstance(node, ast.Call) and _last(node.func) in names:
            yield node


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def texts(tree: ast.AST) -> Iterator[str]:
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


# Few ideas.

PARTS = {"solve", "verify", "presentation", "companion", "insight"}
CLIENTS = ("games.", "formats.", "core.plain_games.")


def declarations(names: str) -> Iterator[tuple[str, ast.expr]]:
    """What classes of games say under a name in their body, with the game that they are of."""
    for name, tree in MODULES.items():
        if not name.startswith(CLIENTS):
            continue
        game = ".".join(name.split(".")[: 3 if name.startswith("core.") else 2])
        for kind in nodes(tree):
            for node in kind.body if isinstance(kind, ast.ClassDef) else ():
                targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
                if any(isinstance(one, ast.Name) and one.id == names for one in targets):
                    value = getattr(node, "value", None)
                    if isinstance(value, ast.expr):
                        yield game, value


def test_games_bring_five_parts_and_rooms_ask_for_no_others() -> None:
    brought: dict[str, set[str]] = {}
    for game, value in declarations("parts"):
        for key in value.keys if isinstance(value, ast.Dict) else ():
            for text in texts(key) if key is not None else ():
                brought.setdefault(text, set()).add(game)
    assert brought.keys() == PARTS and all(len(games_of) > 1 for games_of in brought.values())
    asked = {
        text for tree in MODULES.values() for call in calls(tree, "part") for text in texts(ast.Tuple(call.args[1:2]))
    }
    assert asked <= PARTS
    assert all(re.search(rf"^    {one} ", registry.__doc__ or "", re.MULTILINE) for one in PARTS)


def test_a_capability_has_several_games_or_a_reason() -> None:
    assert len(CAPABILITIES) <= 12 and len({*CAPABILITIES}) == len(CAPABILITIES)
    clients: dict[str, set[str]] = {one.__name__: set() for one in CAPABILITIES}
    known = {one.__name__: one for one in CAPABILITIES}
    for game, value in declarations("provides"):
        for node in value.elts if isinstance(value, ast.Tuple) else ():
            for one in known[_last(node)].__mro__ if _last(node) in known else ():
                clients.get(one.__name__, set()).add(game)
    alone = {name for name, games_of in clients.items() if len(games_of) < 2}
    assert alone == {*re.findall(r"^    ([A-Z]\w+) ", capabilities.__doc__ or "", re.MULTILINE)}


# Games.


def test_rules_stand_on_core_alone() -> None:
    """The module of a game's factory, and all that is loaded with it; what it imports late is core's or its own."""
    rules = {inspect.unwrap(spec.factory).__module__.removeprefix("ruse.") for spec in games().values()}
    assert {"games.kuhn.rules", "games.resistance", "core.plain_games.matrix"} <= rules
    todo, loaded = sorted(rules), set(rules)
    while todo:
        name = todo.pop()
        below = {one for one in at_load(MODULES[name]) if one in MODULES} - {"games"}
        todo += below - loaded
        loaded |= below
    assert {name.partition(".")[0] for name in loaded} == {"core", "games"}
    for name in loaded:
        late = {one.removeprefix("ruse.") for one in imported(MODULES[name]) if one.startswith("ruse.")}
        assert {one.partition(".")[0] for one in late} <= {"core", "games"}, name


def at_load(tree: ast.Module) -> Iterator[str]:
    """What a module of ruse's imports as it is loaded."""
    top = ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], [])
    return (one.removeprefix("ruse.") for one in imported(top) if one.startswith("ruse."))


VERIFYING = [name for name in MODULES if name.startswith("verify") or ".verify" in name]
STAMPS = {"RULES", "STATES", "GAME_VERIFIER"}  # proofs that only a verifier gives


def test_only_verifiers_call_bounds_verified() -> None:
    """Routes bring bounds of their own representation; `solving.certify` believes no stamp for users' games at all."""
    stamping = {
        name
        for name, tree in MODULES.items()
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "ruse.core.certificate"
        if STAMPS & {alias.name for alias in node.names}
    }
    assert stamping and stamping <= {*VERIFYING, "solving.certify"}


SHARED = {  # what a verifier takes from forms, where decision 5 says why that is safe
    "verify.cyclic": {"ruse.forms.state_graph"},
    "verify.rows": {f"ruse.forms.public_{name}" for name in ("bounds", "check", "layout", "table", "tree")},
    "verify.bids": {f"ruse.forms.bidding{name}" for name in ("", "_bounds")},
}
WRITTEN_FOR_SOLVERS = {"ruse.forms.sequence_form", "ruse.forms.vectorised", "ruse.forms.certificate"}


@pytest.mark.parametrize("name", VERIFYING)
def test_verifying_knows_no_solver_and_no_form(name: str) -> None:
    found = {one for one in imported(MODULES[name]) if one.startswith(("ruse.solving", "ruse.solvers", "ruse.forms"))}
    modules = {one for one in found if one.removeprefix("ruse.") in MODULES}
    assert modules == SHARED.get(name, set())


@pytest.mark.parametrize("name", [name for name in VERIFYING if name not in SHARED])
def test_verifying_loads_nothing_that_writes_forms_down(name: str) -> None:
    """Not even through what it imports; the three that share a representation are in the decision record."""
    todo, loaded = [name], {name}
    while todo:
        below = {one for one in at_load(MODULES[todo.pop()]) if one in MODULES} - loaded
        todo += below
        loaded |= below
    assert not {f"ruse.{one}" for one in loaded} & WRITTEN_FOR_SOLVERS


def test_compiled_code_has_its_rooms() -> None:
    found = [name for name, tree in MODULES.items() if COMPILED & {one.split(".")[0] for one in imported(tree)}]
    assert found and all(name.startswith(("kernels.", "contests.")) or name.endswith(".kernel") for name in found)


def test_nothing_lies_loose() -> None:
    assert {path.name for path in SOURCE.glob("*.py")} == {"__init__.py", "__main__.py", "start.py"}
