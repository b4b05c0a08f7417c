"""Change the package in one small place at a time, and count how many changes the tests notice.

    python soak/mutants.py record build/mutants            # which tests cover which line, and the branch coverage
    python soak/mutants.py run build/mutants --sample 200  # the share of changes that these tests notice

`make mutants` does both. Each change is tried on a copy of the tree with at most ten of the tests that cover its line,
the fastest first. Results lie in FOLDER/results.json, and another run goes on from there. To compare two commits, copy
FOLDER/sample.json of the first to the folder of the second.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
PACKAGE = Path("src") / "ruse"
MOST_TESTS = 10
SECONDS = 300.0  # that the tests of one change may take; longer counts as noticed
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True, order=True)
class Mutant:
    """A change of one expression: the place of the old text, in bytes of its line, and the new text."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    new: str

    def applied(self, source: str) -> str:
        lines = [line.encode() for line in source.splitlines(keepends=True)]
        before = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.column]
        after = lines[self.end_line - 1][self.end_column :] + b"".join(lines[self.end_line :])
        return (before + self.new.encode() + after).decode()


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Every change of a file that is tried: operators swapped, conditions negated, integers increased by one."""
    tree = ast.parse(source)
    left_out = {id(part) for node in ast.walk(tree) for part in _left_out(node)}
    for node in ast.walk(tree):
        for changed in _changes(node) if id(node) not in left_out else ():
            target = node.test if isinstance(node, ast.If | ast.While | ast.IfExp) else node
            assert isinstance(target, ast.expr) and target.end_lineno and target.end_col_offset is not None
            text = f"({ast.unparse(changed)})"
            yield Mutant(path, target.lineno, target.col_offset, target.end_lineno, target.end_col_offset, text)


def _left_out(node: ast.AST) -> Iterator[ast.AST]:
    """Annotations, which nothing depends on, and parts of f-strings, whose places Python 3.11 does not tell."""
    for root in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if isinstance(root, ast.AST):
            yield from ast.walk(root)
    if isinstance(node, ast.JoinedStr):
        yield from ast.walk(node)


def _changes(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        yield ast.Compare(node.left, [SWAPS[type(node.ops[0])]()], node.comparators)  # type: ignore[list-item]
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)  # type: ignore[arg-type]
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(SWAPS[type(node.op)](), node.values)  # type: ignore[arg-type]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)


def record(folder: Path, tests: list[str]) -> None:
    """Run the tests with branch coverage, one context a test, and print the coverage."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "RUSE_COVERED": str(folder.resolve()), "PYTHONPATH": os.pathsep.join(paths)}
    subprocess.run([sys.executable, "-m", "pytest", "-p", "covered", *tests], cwd=ROOT, env=environment, check=False)
    import covered

    print(covered.combine(folder))


def covering(folder: Path) -> dict[str, dict[int, list[str]]]:
    """The tests that cover each line of each file, the fastest first."""
    from coverage import CoverageData

    seconds = json.loads((folder / "seconds.json").read_text())
    data = CoverageData(str(folder / "coverage"))
    data.read()
    found: dict[str, dict[int, list[str]]] = {}
    for name in sorted(name for name in data.measured_files() if name.endswith(".py")):  # not templates
        tests = {
            line: sorted(set(contexts) & seconds.keys(), key=lambda test: (seconds[test], test))
            for line, contexts in data.contexts_by_lineno(name).items()
        }
        path = name[name.index(f"/{PACKAGE}/") + 1 :]
        found[path] = {line: chosen[:MOST_TESTS] for line, chosen in tests.items() if chosen}
    return found


def drawn(folder: Path, tests: dict[str, dict[int, list[str]]], number: int, seed: int) -> list[Mutant]:
    """A sample of the changes in lines that some test covers; the one of FOLDER/sample.json where there is one."""
    kept = folder / "sample.json"
    if not kept.exists():
        possible = [
            mutant
            for path in sorted(tests)
            for mutant in sorted(set(mutants(path, (ROOT / path).read_text(encoding="utf-8"))))
            if tests[path].get(mutant.line)
        ]
        sample = Random(seed).sample(possible, min(number, len(possible)))
        kept.write_text(json.dumps([list(vars(mutant).values()) for mutant in sorted(sample)]))
    return [Mutant(*fields) for fields in json.loads(kept.read_text())]


class Copy:
    """A copy of the tree in which one change at a time is tried, by a process forked from this one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        left_out = shutil.ignore_patterns(".git", ".venv", "build", ".hypothesis", ".*_cache")
        shutil.copytree(ROOT, folder, ignore=left_out, symlinks=True)
        self.process, self.until = 0, 0.0

    def failing(self, tests: list[str]) -> list[str]:
        """Those of the tests that fail here without any change."""
        told = self.folder / "failing.json"
        process = os.fork()
        if not process:
            _test(self.folder, tests, Failures(told))
        os.waitpid(process, 0)
        _kill_group(process)
        return list(json.loads(told.read_text()))

    def start(self, tests: list[str], mutant: Mutant) -> None:
        self.changed = self.folder / mutant.path
        self.source = self.changed.read_text(encoding="utf-8")
        self.changed.write_text(mutant.applied(self.source), encoding="utf-8")
        self.until = time.monotonic() + SECONDS
        self.process = os.fork()
        if not self.process:
            _test(self.folder, tests, "-x")

    def outcome(self) -> str | None:
        """What became of the change, once it is known; the copy is then as it was."""
        ended, status = os.waitpid(self.process, os.WNOHANG)
        if not ended and time.monotonic() < self.until:
            return None
        _kill_group(self.process)
        if not ended:
            os.waitpid(self.process, 0)
        self.changed.write_text(self.source, encoding="utf-8")
        self.process = 0
        return "timeout" if not ended else "killed" if status else "survived"


def _kill_group(leader: int) -> None:
    """Kill a child process and all that it started, pools of workers too, which know nothing of `os._exit`."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


class Failures:
    """A pytest plugin that writes down which tests fail."""

    def __init__(self, path: Path) -> None:
        self.path, self.failed = path, set[str]()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_unconfigure(self) -> None:
        self.path.write_text(json.dumps(sorted(self.failed)))


def _test(folder: Path, tests: list[str], how: str | Failures) -> None:
    """Run tests in a child process, which ends here."""
    os.setsid()
    with Path(os.devnull).open("r+b") as nothing:
        for stream in (0, 1, 2):
            os.dup2(nothing.fileno(), stream)
    os.chdir(folder)
    os.environ |= {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder / "src"))
    import pytest

    already_imported = "ignore::pytest.PytestAssertRewriteWarning"
    options = ["-n", "0", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-W", already_imported]
    options += [how] if isinstance(how, str) else []
    os._exit(int(pytest.main([*options, *tests], plugins=[] if isinstance(how, str) else [how])))


def _load_packages() -> None:
    """Import what tests need from elsewhere before any fork, which saves most of the time of starting."""
    for name in ("pytest", "hypothesis.strategies", "httpx", "numpy", "scipy.sparse", "scipy.optimize", "numba"):
        __import__(name)
    for name in ("highspy", "fastapi", "uvicorn", "jinja2", "joblib", "threadpoolctl", "playwright.sync_api"):
        __import__(name)
    assert "ruse" not in sys.modules


def try_all(folder: Path, number: int, seed: int, copies: int) -> None:
    results_path = folder / "results.json"
    results: dict[str, Any] = json.loads(results_path.read_text()) if results_path.exists() else {}
    tests = covering(folder)
    sample = drawn(folder, tests, number, seed)
    chosen = {mutant: tests.get(mutant.path, {}).get(mutant.line, []) for mutant in sample}
    keys = {mutant: json.dumps([*vars(mutant).values(), chosen[mutant]]) for mutant in sample}
    waiting = [mutant for mutant in reversed(sample) if keys[mutant] not in results]
    _load_packages()
    shutil.rmtree(folder / "copies", ignore_errors=True)
    places = [Copy(folder.resolve() / "copies" / str(number)) for number in range(copies)]
    all_chosen = sorted({test for mutant in waiting for test in chosen[mutant]})
    failing = places[0].failing(all_chosen) if all_chosen else []
    print(f"{len(failing)} tests fail without any change and are left out: {failing}", flush=True)
    chosen = {mutant: [test for test in found if test not in failing] for mutant, found in chosen.items()}
    results |= {keys[mutant]: "survived" for mutant in sample if not chosen[mutant]}
    waiting = [mutant for mutant in waiting if chosen[mutant]]
    running: dict[Mutant, Copy] = {}
    while waiting or running:
        for place in places:
            if not place.process and waiting:
                mutant = waiting.pop()
                place.start(chosen[mutant], mutant)
                running[mutant] = place
        for mutant, place in list(running.items()):
            if outcome := place.outcome():
                results[keys[mutant]] = outcome
                results_path.write_text(json.dumps(results))
                print(f"{outcome:9} {mutant.path}:{mutant.line}: {mutant.new}", flush=True)
                del running[mutant]
        time.sleep(0.05)
    noticed = sum(results[keys[mutant]] != "survived" for mutant in sample)
    print(f"{noticed} of {len(sample)} changes noticed ({noticed / len(sample):.1%})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--copies", type=int, default=2, help="changes tried at the same time")
    asked, more = parser.parse_known_args()
    if asked.action == "record":
        record(asked.folder, more)
    else:
        try_all(asked.folder, asked.sample, asked.seed, asked.copies)


if __name__ == "__main__":
    main()
