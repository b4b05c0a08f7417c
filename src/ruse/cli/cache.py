"""`ruse cache`: list or clear the variants and solutions that ruse has saved."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from ruse.present.console import print_json


@dataclass(frozen=True)
class Cache:
    """A file of solved variants, or all solutions that the explorer has saved."""

    kind: str
    name: str
    used: int  # entries that ruse reads
    older: int  # entries of an older version or another machine, or damaged ones
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.files if path.exists())

    def to_json(self) -> dict[str, object]:
        return {"kind": self.kind, "name": self.name, "entries": self.used, "older": self.older, "bytes": self.size}

    def text(self) -> str:
        noun = "solved variant" if self.kind == "variants" else "solution"
        older = f", and {self.older:,} from an older version or another machine" * bool(self.older)
        entries = f"{self.used:>7,} {noun}{'s' * (self.used != 1)}{older}"
        return f"{self.kind:<10} {self.name:<24} {entries}, {self.size:,} bytes"


def cache(given: argparse.Namespace) -> int:
    """List the caches, or empty them."""
    from ruse.solution.state_folder import state_folder

    folder = state_folder()
    caches = [listed for listed in _caches(folder) if given.kind in (None, listed.kind)]
    kept = [listed.to_json() for listed in caches]
    if given.action == "clear":
        for path in (path for listed in caches for path in listed.files):
            path.unlink(missing_ok=True)
    if given.json:
        print_json({"folder": str(folder), "cleared": given.action == "clear", "caches": kept})
        return 0
    if not caches:
        print(f"Nothing is saved in {folder}.")
    elif given.action == "clear":
        print(f"Removed {sum(len(listed.files) for listed in caches):,} files from {folder}.")
    else:
        print(f"Saved in {folder}:")
        for listed in caches:
            print(f"  {listed.text()}")
        print("Clear it with: ruse cache clear")
    return 0


def _caches(folder: Path) -> list[Cache]:
    from ruse.explorer.solution_files import was_sent
    from ruse.studio.saved_variants import counted

    caches = [
        Cache("variants", path.stem, *counted(path), (path,)) for path in sorted((folder / "variants").glob("*.jsonl"))
    ]
    solutions = [path for path in sorted((folder / "solutions").glob("*.ruse")) if not was_sent(path)]
    ours = tuple(path for path in solutions if _is_ours(path))
    if solutions:  # only what ruse has solved itself is ever removed
        caches.append(Cache("solutions", "the explorer's", len(ours), len(solutions) - len(ours), ours))
    return caches


def _is_ours(path: Path) -> bool:
    from ruse.explorer.solution_files import is_sealed
    from ruse.solution import container

    try:
        return is_sealed(path, container.read(path))
    except container.StoreError:
        return False
