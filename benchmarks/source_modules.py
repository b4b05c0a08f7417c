"""The modules of a package as syntax trees: what tests/test_layers.py and benchmarks.counts look at."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


class Modules(Mapping[str, ast.Module]):
    """Some modules by name, each parsed when it is first looked at."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self.paths = paths

    @classmethod
    def under(cls, source: Path) -> Modules:
        """All modules of the package in a folder, by their names within it: `core.game`."""
        return cls(
            {
                ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__"): path
                for path in sorted(source.rglob("*.py"))
            }
        )

    def __getitem__(self, name: str) -> ast.Module:
        return parsed(self.paths[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@cache
def nodes(tree: ast.Module) -> Sequence[ast.AST]:
    return list(ast.walk(tree))


@cache
def imported(tree: ast.Module, types: bool = False) -> Sequence[str]:
    """Everything that runs; with `types` also what only a type checker reads."""
    found: list[str] = []
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if not types and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif not isinstance(node, ast.expr):  # which holds no statements
            left += ast.iter_child_nodes(node)
    return found
