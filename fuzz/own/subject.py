"""A game of somebody's own, once for ruse, by file or as a class, and once for the oracle, which loads its own copy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from fuzz.own import writing
from fuzz.own.walking import Worth, returning_value, walk
from fuzz.own.writing import VARIABLE, Spec

LIVE = ("global", "class-attribute", "private-dict", "private-list", "private-array")
FOLDERS = ("helper", "file-read")  # settings that another folder can hold
MODULE = "my_games"


class Subject:
    """A game whose setting can be turned while ruse looks on.

    `typed`: the class is handed to ruse as it is, as from a notebook; else ruse loads the file. `folders`: each setting
    has a folder of its own, with files of the same names; else the files of one folder are rewritten.
    """

    def __init__(self, spec: Spec, folder: Path, typed: bool, folders: bool) -> None:
        self.spec, self.folder, self.typed = spec, folder, typed
        self.folders = folders and (spec.hidden in FOLDERS or spec.twin is not None)
        self.setting = 0
        self._copy: dict[str, Any] = {}
        self._loaded: ModuleType | None = None  # ruse's
        self._worths: dict[tuple[int, int], Worth | float] = {}
        self._undo: Callable[[], None] = lambda: None

    @property
    def now(self) -> Spec:
        """The game of the setting."""
        return self.spec.twin if self.spec.twin is not None and self.setting % 2 == 0 else self.spec

    @property
    def path(self) -> Path:
        return (self.folder / str(self.setting) if self.folders else self.folder) / "mygame.py"

    def turn_to(self, setting: int) -> None:
        """Make the setting another, as its game reads it."""
        live = self.spec.hidden in LIVE and self.spec.twin is None
        first = not self._copy
        self.setting = setting
        os.environ[VARIABLE] = str(setting)
        if live and not first:
            self._set(self._copy)
            if self._loaded is not None:
                self._set(vars(self._loaded))
            return
        if self.spec.hidden == "shared-list" and self.spec.twin is None and not first:
            self._copy["SETTINGS"][0] = setting
            if self._loaded is not None:
                self._loaded.SETTINGS[0] = setting
            return
        kept = 1 if live else setting
        text = writing.file_text(self.now, kept)
        _write(self.path, text)
        if self.now.hidden == "helper":
            _write(self.path.with_name("helper.py"), writing.helper_text(self.now, setting))
        if self.now.hidden == "file-read":
            _write(self.path.with_name("setting.txt"), str(setting))
        self._copy = run(self.path, text)
        if live:
            self._set(self._copy)

    def _set(self, names: dict[str, Any]) -> None:
        if self.spec.hidden == "class-attribute":
            if self.spec.shape == "subclass":
                names["Mine"].SETTING = self.setting
        elif "SETTING" in names:
            names["SETTING"] = self.setting

    @property
    def turns(self) -> bool:
        """Whether another setting is another game."""
        return self.spec.twin is not None or not (
            self.spec.hidden == "class-attribute" and self.spec.shape == "closure"
        )

    def given(self) -> Any:
        """What ruse is given: how the file is spelled, or the class or function."""
        if self.typed:
            return self._copy[self.now.name]
        return f"{self.path}:{self.now.name}"

    def loaded(self, module: ModuleType) -> None:
        """Note which module ruse has made of the file, whose globals somebody may change."""
        if module is not self._loaded and self.spec.twin is None:
            self._loaded = module
            if self.spec.hidden in LIVE:
                self._set(vars(module))

    def fresh(self, p: int) -> Any:
        """The game as the oracle's own copy of the file makes it."""
        made = self._copy[self.now.name]
        return made(p)

    def worth(self, p: int) -> Worth | float:
        """What the game is worth: exactly, or about where play can return to a state."""
        key = self.setting, p
        if key not in self._worths:
            self._worths[key] = worth_of(self.fresh(p), self.now)
        return self._worths[key]


def worth_of(rules: Any, spec: Spec) -> Worth | float:
    seen = spec.tree is None and spec.of.seen
    return returning_value(rules) if seen and spec.of.returns else Worth(walk(rules, seen))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(path: Path, text: str) -> dict[str, Any]:
    """The names of a file, with its own helper, whatever else is called so."""
    names: dict[str, Any] = {"__name__": MODULE, "__file__": str(path)}
    sys.path.insert(0, str(path.parent))
    sys.modules.pop("helper", None)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        exec(compile(text, str(path), "exec"), names)
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(path.parent))
        sys.modules.pop("helper", None)
    return names
