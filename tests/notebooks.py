"""The notebooks of docs/notebooks/, run without Jupyter: a cell shows what it prints and what its last line is."""

from __future__ import annotations

import ast
import io
import json
import os
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

from pages import DOCS
from ruse.core import named_games

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
RICH = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def run(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of each code cell, all in one empty folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        mock.patch.dict(os.environ, XDG_STATE_HOME=folder),
        named_games.only_here(),
    ):
        return [_outputs("".join(cell["source"]), names) for cell in code(notebook)]


def code(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    *before, last = ast.parse(source).body
    printed, shown = io.StringIO(), None
    with redirect_stdout(printed):
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(before, []), "cell", "exec"), names)
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(source, "cell", "exec"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if shown is not None:
        rich = {kind: _lines(getattr(shown, name)()) for kind, name in RICH.items() if hasattr(shown, name)}
        if "image/svg+xml" in rich:  # which says it all
            rich = {"image/svg+xml": rich["image/svg+xml"]}
        plain = repr(shown)
        if " at 0x" not in plain:
            rich["text/plain"] = _lines(plain)
        outputs.append({"data": rich, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def rewrite(path: Path) -> None:
    """Write what the cells show now into a notebook."""
    found = read(path)
    for cell, outputs in zip(code(found), run(found), strict=True):
        cell["outputs"], cell["execution_count"] = outputs, None
    path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
