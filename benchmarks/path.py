"""Trace a command: which modules of ruse it imports and runs, and which rooms call which.

python -m benchmarks.path [--json] solve leduc
PYTHONPATH=OTHER/src python -m benchmarks.path solve resistance --players 7     # another checkout

imported         modules of ruse in sys.modules at the end
executed         modules of which at least one function ran; what runs while a module is imported does not count
edges            pairs of modules where a function of the first called one of the second, other libraries between
                 them passed over (sys.setprofile, so compiled sweeps are not seen)
rooms            top packages in the order in which they are first called
back and forth   pairs of rooms that call each other, with the calls of modules that make them one
"""

from __future__ import annotations

import inspect
import json
import sys
import threading
from contextlib import redirect_stdout
from io import StringIO
from types import CodeType, FrameType
from typing import Any


class Trace:
    """The calls between modules of a package, from sys.setprofile."""

    def __init__(self, package: str = "ruse") -> None:
        self.package = package
        self.executed: dict[str, None] = {}  # in the order of their first calls, as are edges
        self.edges: dict[tuple[str, str], None] = {}
        self._seen: set[tuple[CodeType | None, CodeType]] = set()

    def __enter__(self) -> Trace:
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]

    def _profile(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or (module := self._module(frame)) is None or not _is_function(frame):
            return
        caller = frame.f_back
        while caller is not None and self._module(caller) is None:
            if caller.f_globals.get("__name__", "").startswith("importlib"):
                return  # a finder of modules, which Python calls
            caller = caller.f_back
        pair = (None if caller is None else caller.f_code, frame.f_code)
        if pair in self._seen or self._importing(caller):
            return
        self._seen.add(pair)
        self.executed[module] = None
        if caller is not None and (other := self._module(caller)) not in (None, module):
            self.edges[str(other), module] = None

    def _module(self, frame: FrameType) -> str | None:
        name: str = frame.f_globals.get("__name__", "")
        return name if name.partition(".")[0] == self.package else None

    def _importing(self, frame: FrameType | None) -> bool:
        """Whether the package's modules or classes are being made further up."""
        while frame is not None:
            if self._module(frame) is not None and not _is_function(frame):
                return True
            frame = frame.f_back
        return False

    def imported(self) -> list[str]:
        return sorted(name for name in sys.modules if name.partition(".")[0] == self.package)

    def rooms(self) -> list[str]:
        return [*dict.fromkeys(map(_room, self.executed))]

    def back_and_forth(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """Pairs of rooms that call each other, with the edges between them."""
        between: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for one, other in self.edges:
            between.setdefault((_room(one), _room(other)), []).append((one, other))
        return {
            (first, second): between[first, second] + between[second, first]
            for first, second in between
            if first < second and (second, first) in between
        }


def _is_function(frame: FrameType) -> bool:
    """Whether a frame is of a function, and not of the body of a module or class."""
    return bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED)


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def traced(arguments: list[str]) -> Trace:
    """Run a command with its output thrown away."""
    from ruse.cli import main

    with redirect_stdout(StringIO()), Trace() as trace:
        status = main(arguments)
    if status:
        sys.exit(status)
    return trace


def main() -> None:
    arguments = sys.argv[1:]
    as_json = arguments[:1] == ["--json"]
    if not arguments[as_json:] or arguments[0] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if arguments[:1] in (["-h"], ["--help"]) else 2)
    trace = traced(arguments[as_json:])
    imported, pairs = trace.imported(), trace.back_and_forth()
    if as_json:
        told = {
            "imported": imported,
            "executed": [*trace.executed],
            "edges": [*trace.edges],
            "rooms": trace.rooms(),
            "back and forth": {" ".join(rooms): edges for rooms, edges in pairs.items()},
        }
        print(json.dumps(told, indent=1))
        return
    print(f"{len(imported)} modules imported, {len(trace.executed)} executed, {len(trace.edges)} edges between them")
    print(f"rooms in the order of their first calls: {', '.join(trace.rooms())}")
    print(f"{len(pairs)} pairs of rooms call back and forth")
    for (first, second), edges in pairs.items():
        print(f"  {first} and {second}")
        for one, other in edges:
            print(f"      {one} -> {other}")
    print("edges")
    for one, other in trace.edges:
        print(f"  {one} -> {other}")


if __name__ == "__main__":
    main()
