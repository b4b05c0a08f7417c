"""Count what a reader of `src/ruse` has to hold in mind, by the syntax trees alone.

    python -m benchmarks.counts [CHECKOUT] [--json] [--names] [--rooms]

--names lists every place of a name that a standard term replaces (RENAMED below); --json prints one object with all
lists. Nothing is imported, so any commit can be counted. --rooms prints files and lines of each room instead, and of
modules that hold an ability that ruse 0.5.0 did not have (ADDED).

    protocols      classes with the base Protocol, capabilities included
    capabilities   classes with `metaclass=Capability`, and subclasses of these that are protocols themselves
    parts          keys of the `parts` that classes of games declare
    exported       classes that an `__all__` names, or that docs/reference/python*.md describes, alone or as a module
    complexity     1 + if, loop, except, case, and, or, comprehension in a function, inner functions included
                   Two kernels stay above 20, as calls cost time (microseconds on one core, before and
                   after a split into inlined helpers, numbers bit for bit the same):

                       kernels.public:sweep   an iteration of PDCFR+: Leduc 12 to 58, liar's dice with 6 faces 77 to
                                              130, poker with 6 ranks and 3 suits 111 to 218
                       kernels.public_bounds:best_response   a certificate: Leduc 150 to 184, liar's dice the same
    one importer   modules, not packages, that exactly one other module imports, or names as "ruse.module:attribute"
    names          variables, arguments, attributes, functions, classes and modules, without underscores in front;
                   not fields of page models (classes that end in Model), which are JSON keys, and not PUBLIC
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from benchmarks.source_modules import Modules, imported, nodes

COMPLEX = 20
RENAMED = frozenset(
    (
        *("Asked", "Kept", "Found", "found", "told", "tell", "say", "spoken", "called", "whose", "one", "some", "what"),
        *(
            "where",
            "reckoned",
            "foretold",
            "thinning",
            "together",
            "in_pieces",
            "meeting",
            "lanes",
            "grounds",
            "proofs",
        ),
        *("thumb", "worth", "dear", "filed", "gone", "go", "even_odds"),
    )
)
PUBLIC = (
    frozenset(  # names that scripts use: arguments of ruse.sweep, ruse.balance and games, a JSON key, a former method
        (
            "studio.sweep:where",
            "studio.balance:where",
            "games.policy_deck:worth",
            "present.model:what",
            "core.game:tell",
        )
    )
)
RENAMED_FUNCTIONS = frozenset({"file"})  # a name like others, unless it is that of a function
ADDED = {  # what ruse can do since 0.5.0, and the modules that do nothing else
    "seats, votes and bots": ("games.evening.*", "play.seats", "explorer.seat_*", "explorer.routes.seats"),
    "exploiting a model": ("exploitation.*", "cli.exploit", "games.resistance.exploit*", "games.resistance.model_play",
                           "games.resistance.spies_model"),
    "how people play": ("people.*", "games.resistance.companion_people", "games.resistance.people_odds",
                        "explorer.routes.people"),
    "reasons of moves": ("insight.reasons.*", "insight.reasons", "games.*.reasons", "games.card_reasons", "cli.why",
                         "play.because"),
    "costs of moves": ("insight.costs", "insight.reference", "games.resistance.insight_costs",
                       "explorer.exact_numbers"),
    "strategies in words, pictures of tables": ("present.strategy_words", "present.frequency", "present.at_random",
                                                "present.scene*", "present.off_path", "present.seats"),
    "lessons and reviews": ("play.lesson*", "play.review", "play.luck", "explorer.routes.learn", "explorer.teaching"),
    "metrics": ("metrics.*", "cli.metrics", "studio.contributions"),
    "scores of brought policies": ("scoring.*", "cli.score", "formats.stored_odds"),
    "solvers and steps": ("solvers.mmd", "solvers.xdo", "solvers.quasi_perfect", "solvers.mccfr_baseline",
                          "kernels.mirror", "solving.quantal_response", "solving.steps", "solution.mistakes",
                          "solving.routes.quasi_perfect"),
    "proofs for others, the form in matrices": ("formats.vipr", "formats.standalone*", "forms.matrix_form",
                                                "formats.openspiel_open"),
    "environments and assistants": ("play.aec", "play.environments", "cli.assistant", "cli.mcp_server", "cli.serve"),
    "identity, seals, caches": ("core.behaviour", "core.sources", "core.seals", "core.declared",
                                "solving.declarations", "verify.levels", "cli.cache", "core.former_*"),
    "own games in the studio": ("explorer.own_*", "studio.saved_variants"),
}  # fmt: skip
DECISIONS = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = re.compile(r"^::: ruse\.([\w.]+)", re.MULTILINE)


def counts(checkout: Path) -> dict[str, Any]:
    """All counts of a checkout: numbers, and lists where the places matter."""
    source = checkout / "src" / "ruse"
    modules = Modules.under(source)
    classes = [(name, node) for name, tree in modules.items() for node in nodes(tree) if isinstance(node, ast.ClassDef)]
    places = defaultdict(list)
    for name, node in classes:
        if not node.name.startswith("_"):
            places[node.name].append(f"{name}:{node.lineno}")
    repeated = {name: listed for name, listed in sorted(places.items()) if len(listed) > 1}
    exported = _exported(checkout, modules)
    return {
        "files": len(modules),
        "lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in modules.paths.values()),
        "classes": len(classes),
        "protocols": sum("Protocol" in _bases(node) for _, node in classes),
        "capabilities": sorted(_capabilities([node for _, node in classes])),
        "parts": sorted(_parts([node for _, node in classes])),
        "repeated class names": repeated,
        "repeated exported class names": {name: listed for name, listed in repeated.items() if name in exported},
        "docstrings that begin with The same": [*_docstrings(modules, "The same")],
        "functions over complexity 20": dict(_complex(modules)),
        "modules with one importer": _one_importer(modules),
        "names to replace": dict(sorted(_renamed(modules).items())),
    }


def rooms(checkout: Path) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Files and lines of each room, and of each ability of ADDED."""
    by_room: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    by_ability: dict[str, list[int]] = {ability: [0, 0] for ability in ADDED}
    for name, path in Modules.under(checkout / "src" / "ruse").paths.items():
        amount = len(path.read_text(encoding="utf-8").splitlines())
        parts = name.split(".")
        folder = len(parts) > 2 or path.name == "__init__.py"
        room = ".".join(parts[:2]) if parts[0] == "games" and len(parts) > 1 and folder else parts[0]
        abilities = [ability for ability, globs in ADDED.items() if any(fnmatch(name, one) for one in globs)]
        for counted in (by_room[room], *(by_ability[ability] for ability in abilities[:1])):
            counted[0] += 1
            counted[1] += amount
    return dict(sorted(by_room.items())), by_ability


def _bases(node: ast.ClassDef) -> list[str]:
    return [_last(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]


def _last(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _capabilities(classes: list[ast.ClassDef]) -> set[str]:
    found = {node.name for node in classes if any(_last(word.value) == "Capability" for word in node.keywords)}
    while more := {
        node.name
        for node in classes
        if "Protocol" in _bases(node) and found & {*_bases(node)} and node.name not in found
    }:
        found |= more
    return found


def _parts(classes: list[ast.ClassDef]) -> set[str]:
    found: set[str] = set()
    for statement in (one for node in classes for one in node.body if isinstance(one, ast.Assign | ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if "parts" in map(_last, targets) and isinstance(statement.value, ast.Dict):
            found |= {key.value for key in statement.value.keys if isinstance(key, ast.Constant)}
    return found


def _exported(checkout: Path, modules: Modules) -> set[str]:
    """Names that an `__all__` lists, or the reference describes, alone or with their module."""
    listed = [
        node.value
        for tree in modules.values()
        for node in tree.body
        if isinstance(node, ast.Assign) and "__all__" in map(_last, node.targets)
    ]
    named = {node.value for tree in listed for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    pages = (checkout / "docs" / "reference").glob("python*.md")
    described = {name for page in pages for name in DOCUMENTED.findall(page.read_text(encoding="utf-8"))}
    whole = {
        node.name for name in described & {*modules} for node in modules[name].body if isinstance(node, ast.ClassDef)
    }
    return {name for name in named if isinstance(name, str)} | {name.rpartition(".")[2] for name in described} | whole


def _docstrings(modules: Modules, beginning: str) -> Iterator[str]:
    for name, tree in modules.items():
        for node in nodes(tree):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
                text = ast.get_docstring(node) or ""
                if text.startswith(beginning):
                    yield f"{name}:{getattr(node, 'lineno', 1)}"


def complexity(function: ast.AST) -> int:
    found = 1
    for node in ast.walk(function):
        found += isinstance(node, DECISIONS)
        found += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        found += 1 + len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return found


def _complex(modules: Modules) -> Iterator[tuple[str, int]]:
    for name, tree in modules.items():
        for node in nodes(tree):
            if isinstance(node, FUNCTIONS) and (found := complexity(node)) > COMPLEX:
                yield f"{name}:{node.name}", found


def _one_importer(modules: Modules) -> list[str]:
    importers = defaultdict(set)
    for name, tree in modules.items():
        named = [node.value for node in nodes(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        texts = [text.partition(":")[0] for text in named if text.startswith("ruse.")]
        for one in {
            one.removeprefix("ruse.") for one in (*imported(tree, types=True), *texts) if one.startswith("ruse.")
        }:
            if one != name and one in modules:
                importers[one].add(name)
    return [name for name, path in modules.paths.items() if path.name != "__init__.py" and len(importers[name]) == 1]


def _renamed(modules: Modules) -> dict[str, list[str]]:
    found = defaultdict(list)
    for module, tree in modules.items():
        if (last := module.rpartition(".")[2]) in RENAMED:
            found[last].append(f"{module}:1")
        keys = _page_fields(tree)
        for node in nodes(tree):
            for name in () if node in keys else _assigned(node):
                bare = name.lstrip("_")
                if f"{module}:{bare}" in PUBLIC:
                    continue
                if bare in RENAMED or (bare in RENAMED_FUNCTIONS and isinstance(node, FUNCTIONS)):
                    found[bare].append(f"{module}:{getattr(node, 'lineno', 1)}")
    return found


def _page_fields(tree: ast.Module) -> set[ast.AST]:
    """The names that page models declare in their bodies: keys of JSON."""
    models = (node for node in nodes(tree) if isinstance(node, ast.ClassDef) and node.name.endswith("Model"))
    return {field.target for node in models for field in node.body if isinstance(field, ast.AnnAssign)}


def _assigned(node: ast.AST) -> Iterator[str]:
    """The names that a node of the tree gives to something."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("checkout", type=Path, nargs="?", default=Path(__file__).parents[1])
    reader.add_argument("--json", action="store_true", help="print one JSON object, with all lists")
    reader.add_argument("--names", action="store_true", help="list the places of names to replace")
    reader.add_argument("--rooms", action="store_true", help="print files and lines by room and by newer ability")
    given = reader.parse_args()
    if given.rooms:
        for heading, counted in zip(("room", "newer than 0.5.0"), rooms(given.checkout), strict=True):
            print(f"{heading:<42}{'files':>8}{'lines':>9}")
            for name, (files, lines) in [
                *counted.items(),
                ("together", [*map(sum, zip(*counted.values(), strict=True))]),
            ]:
                print(f"{name:<42}{files:>8,}{lines:>9,}")
            print()
        return
    found = counts(given.checkout)
    if given.json:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        print(f"{name:<38}{_amount(value):>8,}")
    print("\nfunctions over complexity 20")
    for place, amount in sorted(found["functions over complexity 20"].items(), key=lambda item: -item[1]):
        print(f"  {amount:>4}  {place}")
    print("\nclass names defined most often")
    often = Counter({name: len(listed) for name, listed in found["repeated class names"].items()})
    print("  " + ", ".join(f"{name} × {amount}" for name, amount in often.most_common(12)))
    print("\nnames to replace")
    for name, listed in sorted(found["names to replace"].items(), key=lambda item: -len(item[1])):
        print(f"  {len(listed):>4}  {name}")
        for place in listed if given.names else ():
            print(f"          {place}")


def _amount(value: Any) -> int:
    """How many there are: of names, how many times one is given."""
    if isinstance(value, dict) and value and all(isinstance(one, list) for one in value.values()):
        first = next(iter(value))
        return sum(map(len, value.values())) if first in RENAMED | RENAMED_FUNCTIONS else len(value)
    return value if isinstance(value, int) else len(value)


if __name__ == "__main__":
    main()
