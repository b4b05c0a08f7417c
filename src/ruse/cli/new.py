"""`ruse new game`: a commented game of one's own to start from, and a test of it."""

from __future__ import annotations

import argparse
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path

from ruse.core import atomic_files, registry
from ruse.core.game import RuseError
from ruse.core.parameters import did_you_mean
from ruse.present.console import print_json

KINDS = {
    "hidden-roles": "a social-deduction game: roles, talk, and a vote",
    "bluffing": "a secret die, a claim, and a doubt",
    "cards": "a card each, and a bet",
    "matrix": "two choices at the same time",
}
PLACEHOLDER, CLASS = "new_game", "NewGame"  # in the templates


def new(given: argparse.Namespace) -> int:
    """Write NAME.py and test_NAME.py into the current folder."""
    paths = write(given.name, given.kind, Path(), given.force)
    if given.json:
        print_json({"kind": given.kind, "files": [str(path) for path in paths]})
        return 0
    rules, test = paths
    print(f"Wrote {rules}, {KINDS[given.kind]}, and {test}.")
    print(f"Next: ruse check {rules}, ruse solve {rules}, then change the rules and run pytest {test}.")
    return 0


def write(name: str, kind: str | None, folder: Path, force: bool = False) -> tuple[Path, Path]:
    """Write a game of a kind and its test into a folder, and return both files."""
    _check(name, kind)
    paths = folder / f"{name}.py", folder / f"test_{name}.py"
    there = [str(path) for path in paths if path.exists()]
    if there and not force:
        verb = "exist" if len(there) > 1 else "exists"
        raise RuseError(f"{' and '.join(there)} already {verb}; choose another name, or overwrite with --force")
    for path, template in zip(paths, (f"{kind}.txt", f"{kind}.test.txt"), strict=True):
        text = (files("ruse.cli") / "templates" / template).read_text(encoding="utf-8")
        try:
            atomic_files.replace(path, text.replace(CLASS, class_name(name)).replace(PLACEHOLDER, name).encode())
        except OSError as error:
            reason = atomic_files.reason(error)
            raise RuseError(f"cannot write {path}: {reason}; choose a folder that you may write to") from error
    return paths


def class_name(name: str) -> str:
    """The name of the class: my_game becomes MyGame."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_") if word)


def _check(name: str, kind: str | None) -> None:
    if kind not in KINDS:
        kinds = ", ".join(KINDS)
        if kind is None:
            raise RuseError(f"say what kind of game with --kind, one of {kinds}")
        raise RuseError(f"expected --kind to be one of {kinds}, got {kind!r}{did_you_mean(kind, list(KINDS))}")
    stem = name.removesuffix(".py")
    if not name.isidentifier() or not name.isascii() or iskeyword(name) or not class_name(name).isidentifier():
        hint = f"; did you mean {stem!r}?" if stem != name and stem.isidentifier() else ""
        raise RuseError(f"expected a name for a Python file, such as my_game, got {name!r}{hint}")
    if name.replace("_", "-").lower() in registry.taken():
        raise RuseError(f"ruse has a game {name.replace('_', '-').lower()!r} already; choose another name")
