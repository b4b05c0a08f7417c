"""Run some 600 commands of `ruse` on two checkouts, and compare exit status, JSON and files.

    python -m benchmarks.compare_commits OLD NEW [--only GLOB] [--workers 2] [--json FILE]
    python -m benchmarks.compare_commits OLD --record FILE      # run OLD once …
    python -m benchmarks.compare_commits NEW --against FILE     # … and compare with it often

OLD and NEW are folders with a `.venv`. The commands are in commands.toml; --only takes those whose group or text
matches a pattern. Both sides work in temporary folders with a home of their own, and NEW reads solution files, insight
and checkpoints that OLD wrote. The exit status is 1 where the content of an answer differs. Prose (PROSE in
benchmarks/command_output.py, lines of text on stdout and stderr) is listed apart and does not count; timings, dates,
versions and paths (VOLATILE) are not compared.
"""

from __future__ import annotations

import argparse
import base64
import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.command_output import Difference, content_of, differences

HERE = Path(__file__).parent
LISTED = HERE / "commands.toml"
OLDER = HERE.parent / "tests" / "solutions-0.4.0"
LIMIT = 120  # seconds of one command
SURROUNDINGS = {
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "",
}
PROGRESS = re.compile(r"^ *[\d.,]+ s: .*\n|^\n", re.MULTILINE)

Files = dict[str, str]  # relative path -> base64
Kept = dict[str, Files]  # group -> its files, those of its home under ../home
Results = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Unit:
    """Commands that run one after the other in one folder."""

    group: str
    commands: tuple[str, ...]
    stdin: str
    keep: bool
    uses: tuple[str, ...]

    def name(self, command: str) -> str:
        return f"{self.group}: ruse {command}"


def units(listed: dict[str, Any], pattern: str | None = None) -> list[Unit]:
    """The groups of commands.toml, one unit for every combination of values, and what those use that match."""
    found = [unit for group in listed["group"] for unit in _combinations(group)]
    if pattern is None:
        return found
    wanted = [unit for unit in found if any(fnmatch.fnmatch(unit.name(one), f"*{pattern}*") for one in unit.commands)]
    used = {name for unit in wanted for name in unit.uses}
    return [unit for unit in found if unit in wanted or unit.group in used]


def _combinations(group: dict[str, Any]) -> Iterator[Unit]:
    each: dict[str, list[str]] = group.get("each", {})
    for values in product(*each.values()):
        given = dict(zip(each, values, strict=True))
        given |= {f"{name}_file": re.sub(r"[^\w.:=]+", "_", value) for name, value in given.items()}
        commands = tuple(command.format_map(given) for command in group["commands"])
        yield Unit(
            group["name"], commands, group.get("stdin", ""), group.get("keep", False), tuple(group.get("uses", ()))
        )


class Runner:
    """A process of one checkout that runs commands (command_runner.py)."""

    def __init__(self, checkout: Path) -> None:
        self.process = subprocess.Popen(
            [str(checkout / ".venv" / "bin" / "python"), "-P", str(HERE / "command_runner.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | SURROUNDINGS,
        )

    def run(self, unit: Unit, files: dict[str, str], kept: Kept) -> tuple[Results, Files]:
        """The results of a unit's commands, and all files that are there in the end."""
        with TemporaryDirectory(prefix="ruse-compare-") as name:
            root = Path(name).resolve()
            folder, home = root / "work", root / "home"
            folder.mkdir()
            home.mkdir()
            _prepare(unit, folder, files, kept)
            results = {}
            for command in unit.commands:
                results[unit.name(command)] = self._command(command, unit.stdin, folder, home)
            left = {_relative(path, folder): _packed(path) for path in _files(folder, home)} if unit.keep else {}
        return results, {name: content for name, content in left.items() if name not in files}

    def _command(self, command: str, stdin: str, folder: Path, home: Path) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        before = {path: path.stat().st_mtime_ns for path in _files(folder)}
        job = {
            "folder": str(folder),
            "home": str(home),
            "arguments": shlex.split(command),
            "stdin": stdin,
            "limit": LIMIT,
        }
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        out, error = (
            (folder.parent / name).read_text(encoding="utf-8", errors="replace").replace(str(folder.parent), "…")
            for name in ("stdout", "stderr")
        )
        changed = [path for path in _files(folder) if before.get(path) != path.stat().st_mtime_ns]
        return {
            **answer,
            "out": _parsed(out) if "--json" in job["arguments"] and out.strip() else out,
            "error": PROGRESS.sub("", error),
            "files": {_relative(path, folder): content_of(path) for path in changed},
        }

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def _prepare(unit: Unit, folder: Path, files: dict[str, str], kept: Kept) -> None:
    """What lies in the folder of a unit, and in its home, before its commands run."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if any("0.4.0/" in command for command in unit.commands):
        shutil.copytree(OLDER, folder / "0.4.0")
    for group in unit.uses:
        for name, content in kept[group].items():
            path = folder / name if name.startswith("../home/") else folder / "kept" / group / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(content))


def _files(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path, folder)


def _packed(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def _parsed(out: str) -> Any:
    try:
        return json.loads(out)
    except ValueError:
        return {"stdout is not JSON": out}


def run_all(checkout: Path, listed: dict[str, Any], wanted: Sequence[Unit], workers: int, kept: Kept) -> Results:
    """All commands on one checkout. What groups keep is added to `kept`, unless it is there already."""
    results: Results = {}
    runners: SimpleQueue[Runner] = SimpleQueue()
    for _ in range(workers):
        runners.put(Runner(checkout))

    def run(unit: Unit) -> tuple[Unit, Results, Files]:
        runner = runners.get()
        try:
            return unit, *runner.run(unit, listed["files"], kept)
        finally:
            runners.put(runner)

    own: Kept = {}
    with ThreadPoolExecutor(workers) as pool:
        for keepers in (True, False):  # first what others use
            for unit, found, files in pool.map(run, [unit for unit in wanted if unit.keep is keepers]):
                results |= found
                if unit.keep:
                    own.setdefault(unit.group, {}).update(files)
                if sys.stderr.isatty():
                    print(f"\r{len(results)} commands on {checkout}", end="", file=sys.stderr, flush=True)
            for group, files in own.items():
                kept.setdefault(group, files)
    print(f"\r{len(results)} commands on {checkout}", file=sys.stderr)
    while not runners.empty():
        runners.get().close()
    return results


def compared(old: Results, new: Results) -> dict[str, list[Difference]]:
    """The differences of every command that has some; a command that one side lacks is one."""
    found = {}
    for name in [*new, *(name for name in old if name not in new)]:
        if name not in old or name not in new:
            found[name] = [Difference("command", name in old, name in new)]
        elif listed := [*differences(old[name], new[name])]:
            found[name] = listed
    return found


def report(found: dict[str, list[Difference]], commands: int) -> int:
    """Print what differs; how many commands differ in content."""
    counted = {name: [one for one in listed if not one.wording] for name, listed in found.items()}
    reworded = {name: [one for one in listed if one.wording] for name, listed in found.items()}
    for heading, chosen in (("Wording (does not count)", reworded), ("Content", counted)):
        print(f"{heading}: {sum(map(bool, chosen.values()))} of {commands} commands differ")
        for name, listed in chosen.items():
            if listed:
                print(f"  {name}")
            for one in listed[:5]:
                print(f"      {one}")
            if len(listed) > 5:
                print(f"      and {len(listed) - 5} more")
    return sum(map(bool, counted.values()))


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("checkouts", type=Path, nargs="+", metavar="CHECKOUT")
    reader.add_argument("--only", metavar="GLOB", help="only commands whose group or text matches")
    reader.add_argument("--workers", type=int, default=2, metavar="N")
    reader.add_argument("--json", type=Path, metavar="FILE", help="write all differences, and seconds by command")
    which = reader.add_mutually_exclusive_group()
    which.add_argument("--record", type=Path, metavar="FILE", help="run one checkout and save its answers")
    which.add_argument("--against", type=Path, metavar="FILE", help="compare one checkout with saved answers")
    given = reader.parse_args()
    if len(given.checkouts) != (1 if given.record or given.against else 2):
        reader.error("expected OLD and NEW, or one of them with --record or --against")
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))
    wanted = units(listed, given.only)
    kept: Kept = {}
    if given.against:
        saved = json.loads(given.against.read_text(encoding="utf-8"))
        old, kept = saved["results"], saved["kept"]
        if given.only:
            names = {unit.name(command) for unit in wanted for command in unit.commands}
            old = {name: result for name, result in old.items() if name in names}
    else:
        old = run_all(given.checkouts[0], listed, wanted, given.workers, kept)
    if given.record:
        given.record.write_text(json.dumps({"results": old, "kept": kept}), encoding="utf-8")
        print(f"{len(old)} commands recorded in {given.record}")
        return 0
    new = run_all(given.checkouts[-1], listed, wanted, given.workers, kept)
    found = compared(old, new)
    if given.json:
        told = {
            "commands": len(new),
            "differences": {name: [vars(one) for one in each] for name, each in found.items()},
            "seconds": {name: [old.get(name, {}).get("seconds"), result["seconds"]] for name, result in new.items()},
        }
        given.json.write_text(json.dumps(told, indent=1, default=repr), encoding="utf-8")
    return 1 if report(found, len(new)) else 0


if __name__ == "__main__":
    sys.exit(main())
