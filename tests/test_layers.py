"""Which room may import which: rooms only look down, late imports included, and none below `solution` knows a game.

`solution/strategy.py` is the facade that holds the convenience methods of `Solution`; it alone looks up, and late.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ruse

ROOMS = (
    "core",
    "kernels",
    "forms",
    "solvers",
    "solution",
    "verify",
    "solving",
    "text",
    "formats",
    "view",
    "insight",
    "play",
    "contests",
    "reproduce",
    "explorer",
    "cli",
)
GAMELESS = ("core", "kernels", "forms", "solvers")
FACADE = "solution.strategy"

SOURCE = Path(ruse.__path__[0])
COMPILED = {"numba", "cupy"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    """Everything that runs: not what only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from imported(node)


MODULES = dict(modules())


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] in ROOMS])
def test_rooms_only_look_down(name: str) -> None:
    room = name.split(".")[0]
    allowed = {*ROOMS[: ROOMS.index(room) + 1]}
    found = {one.split(".")[1] for one in imported(MODULES[name]) if one.startswith("ruse.")} & {*ROOMS, "games"}
    if name != FACADE:
        assert found - {"games"} <= allowed
    if room in GAMELESS:
        assert "games" not in found


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("verify") or name.endswith(".verify")])
def test_verifying_knows_no_solver_and_no_reduction(name: str) -> None:
    assert not [one for one in imported(MODULES[name]) if one.startswith(("ruse.solv", "ruse.forms.reductions"))]


def test_compiled_code_has_its_rooms() -> None:
    found = [name for name, tree in MODULES.items() if COMPILED & {one.split(".")[0] for one in imported(tree)}]
    assert found and all(name.startswith(("kernels.", "contests.")) or name.endswith(".kernel") for name in found)


def test_nothing_lies_loose() -> None:
    assert {path.name for path in SOURCE.glob("*.py")} == {"__init__.py", "__main__.py", "start.py"}
