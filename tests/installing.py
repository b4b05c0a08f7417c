"""Packages as an installer leaves them behind, for as long as a test runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, points: dict[str, str], group: str = "ruse.games", **modules: str
) -> None:
    """A package with entry points of a group."""
    site = folder / "site"
    about = site / "throwaway-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: throwaway\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]) + "\n")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    for name in modules:
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.setitem(sys.modules, name, sys)  # so that it is forgotten at the end
        del sys.modules[name]
