"""The tools that watch a redesign (counts, traces, commands on two checkouts), and the table of solvers."""

from __future__ import annotations

import copy
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path
from shlex import quote
from typing import Any

import pytest
from benchmarks import compare_commits, solvers
from benchmarks.command_output import content_of, data_differences, differences
from benchmarks.compare_commits import LISTED, compared, run_all, units
from benchmarks.counts import counts
from benchmarks.path import Trace

import ruse
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.solvers import SOLVERS

ROOT = Path(__file__).parent.parent
SOURCE = {
    "__init__.py": '__all__ = ["Table"]\n',
    "core/__init__.py": "",
    "core/kinds.py": """
from typing import Protocol


class Capability(type): ...


class Open(Protocol, metaclass=Capability): ...


class Plain(Protocol): ...


class Table:
    parts = {"view": "ruse.core.views:view", "solve": "ruse.core.views"}
""",
    "core/views.py": '''
from ruse.core.kinds import Open


class Table(Open):
    """The same as the other."""


def view(one, file):
    _told = [some for some in one]
    return _told


def file():
    """The same file."""
''',
    "core/found.py": "def decide(x):\n"
    + "".join(f"    if x == {number} or x is None:\n        x += 1\n" for number in range(10)),
}


@pytest.fixture
def tiny(tmp_path: Path) -> dict[str, Any]:
    """The counts of a package of five modules."""
    for name, text in SOURCE.items():
        path = tmp_path / "src" / "ruse" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return counts(tmp_path)


def test_counts_of_a_tiny_package(tiny: dict[str, Any]) -> None:
    assert (tiny["files"], tiny["classes"], tiny["protocols"]) == (5, 5, 2)
    assert tiny["lines"] == sum(len(text.splitlines()) for text in SOURCE.values())
    assert tiny["capabilities"] == ["Open"] and tiny["parts"] == ["solve", "view"]
    assert [*tiny["repeated class names"]] == [*tiny["repeated exported class names"]] == ["Table"]
    assert tiny["docstrings that begin with The same"] == ["core.views:5", "core.views:14"]
    assert tiny["functions over complexity 20"] == {"core.found:decide": 21}


def test_counts_of_names_and_importers(tiny: dict[str, Any]) -> None:
    places = {name: len(listed) for name, listed in tiny["names to replace"].items()}
    assert places == {"file": 1, "found": 1, "one": 1, "some": 1, "told": 1}  # a parameter may be called file
    assert tiny["modules with one importer"] == ["core.kinds", "core.views"]


def test_a_trace_has_calls_and_no_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "__init__": "",
        "upper/__init__": "def begin(then):\n    from traced_toy.lower import work\n    return work(then)\n",
        "lower/__init__": "from traced_toy.loaded import make\nmake()\ndef work(key):\n    return max([2], key=key)\n",
        "loaded": "def make():\n    return 1\n",
        "upper/keys": "def key(number):\n    return -number\n",
    }
    for name, text in texts.items():
        path = tmp_path / "traced_toy" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    from traced_toy.upper import begin, keys  # type: ignore[import-not-found]

    with Trace("traced_toy") as trace:
        begin(keys.key)
    assert "traced_toy.loaded" in trace.imported()
    assert [*trace.executed] == ["traced_toy.upper", "traced_toy.lower", "traced_toy.upper.keys"]
    assert [*trace.edges] == [("traced_toy.upper", "traced_toy.lower"), ("traced_toy.lower", "traced_toy.upper.keys")]
    assert trace.rooms() == ["upper", "lower"] and [*trace.back_and_forth()] == [("lower", "upper")]
    for name in [name for name in sys.modules if name.startswith("traced_toy")]:
        del sys.modules[name]


ANSWER: dict[str, Any] = {
    "game": "kuhn",
    "why": "it is small",
    "rules": {"first": {"price": "1/6"}},
    "seconds": 0.1,
    "took": "lp 0.2 s",
    "value": {"exact": "-1/18"},
    "rows": [1, 2.0],
    "points": [[1, 0.5, "1/2"]],
}


@pytest.mark.parametrize(
    ("changed", "place", "wording"),
    [
        ({"value": {"exact": "-1/17"}}, "value.exact", False),
        ({"rows": [1, 2]}, "rows[1]", False),  # 2.0 is another text
        ({"rows": [1]}, "rows", False),
        ({"more": None}, "more", False),
        ({"why": "the game is small"}, "why", True),
        ({"rules": {"first": {"price": "1/7"}}}, "rules.first.price", False),
        ({"seconds": 3}, None, False),
        ({"took": "lp under 0.01 s"}, None, False),
        ({"points": [[1, 0.7, "1/2"]]}, None, False),  # its second column is seconds
        ({"points": [[1, 0.5, "1/3"]]}, "points[0][1]", False),
    ],
)
def test_differences_of_json(changed: dict[str, Any], place: str | None, wording: bool) -> None:
    found = [(one.place, one.wording) for one in data_differences(ANSWER, copy.deepcopy(ANSWER) | changed)]
    assert found == ([] if place is None else [(place, wording)])


def test_a_key_that_is_gone_counts_even_if_its_words_do_not() -> None:
    (found,) = data_differences(ANSWER, {name: value for name, value in ANSWER.items() if name != "why"})
    assert (found.place, found.wording) == ("why", False)


def test_differences_of_commands() -> None:
    old = {"status": 0, "out": "a\nb", "error": "", "files": {"x.csv": [{"seconds": "1", "gap": "2"}]}}
    new = {"status": 1, "out": "a\nc", "error": "", "files": {"x.csv": [{"seconds": "5", "gap": "3"}], "y.efg": ["t"]}}
    assert [*differences(old, old)] == []
    assert [(one.place, one.wording) for one in differences(old, new)] == [
        ("exit status", False),
        ("stdout:2", True),
        ("x.csv[0].gap", False),
        ("y.efg", False),
    ]
    assert [*compared({"a": old}, {"a": old, "b": old})] == ["b"]


def test_every_command_is_listed_once() -> None:
    listed = units(tomllib.loads(LISTED.read_text(encoding="utf-8")))
    names = Counter(unit.name(command) for unit in listed for command in unit.commands)
    assert len(names) > 300 and names.most_common(1)[0][1] == 1
    assert {name for unit in listed for name in unit.uses} <= {unit.group for unit in listed if unit.keep}
    assert not [name for name in names if "--time" in name]


LIST = {
    "group": [
        {"name": "made", "keep": True, "commands": ["solve kuhn --out kuhn.ruse --json"]},
        {
            "name": "read",
            "uses": ["made"],
            "each": {"what": ["show", "verify"]},
            "commands": ["{what} kept/made/kuhn.ruse --json"],
        },
        {"name": "refused", "commands": ["solve nothing", "solve kuhn --checkpoint"]},
    ],
    "files": {"any.txt": "x"},
}


@pytest.mark.slow
def test_a_planted_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run for real, and a solution file that OLD wrote is what NEW reads."""
    checkout = tmp_path / "checkout"
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").write_text(f'#!/bin/sh\nexec {quote(sys.executable)} "$@"\n')
    (checkout / ".venv" / "bin" / "python").chmod(0o755)
    monkeypatch.setitem(compare_commits.SURROUNDINGS, "PYTHONPATH", str(ROOT / "src"))
    kept: dict[str, dict[str, str]] = {}
    old = run_all(checkout, LIST, units(LIST), 1, kept)
    assert [result["status"] for result in old.values()] == [0, 0, 0, 1, 2]
    assert [*kept] == ["made"] and "kuhn.ruse" in kept["made"]
    assert not compared(old, run_all(checkout, LIST, units(LIST), 1, kept))
    planted = json.loads(json.dumps(old))
    planted["read: ruse show kept/made/kuhn.ruse --json"]["out"]["strategies"]["first"]["kuhn@J"]["bet"] = "1/7"
    (found,) = compared(old, planted).items()
    assert [one.place for one in found[1]] == ["strategies.first.kuhn@J.bet"]


def test_solution_files_are_compared_by_what_they_hold() -> None:
    found = content_of(ROOT / "tests" / "solutions-0.4.0" / "kuhn.ruse")
    assert isinstance(found, dict) and not [*data_differences(found, found)]


def test_the_table_of_solvers() -> None:
    """A cell says when each gap was reached, and the time beside that of cfr+."""
    game = ruse.games.kuhn()
    compiled = Compiled(sequence_form(game))
    rows = {"Kuhn": {name: solvers.measure(SOLVERS[name], game, compiled, 0.3) for name in ("cfr+", "mmd", "mccfr")}}
    quick, sampled = rows["Kuhn"]["mmd"], rows["Kuhn"]["mccfr"]
    assert quick.reached[1e-3].iterations < quick.reached[1e-4].iterations and quick.gap < 1e-4
    assert 1e-6 not in sampled.reached and 0 < sampled.gap < 0.5
    lines = solvers.table(rows, ["cfr+", "mmd"], 1e-3, solvers.in_iterations)
    assert lines[0] == "| | Kuhn |" and lines[3] == f"| `mmd` | {quick.reached[1e-3].iterations} |"
    assert solvers.table(rows, ["cfr+"], 1e-3, solvers.in_time)[2] == "| `cfr+` | 1 |"
    assert solvers.in_iterations(sampled, quick, 1e-6) == "–"
    assert {"sapcfr+", "mmd", "xdo", "mccfr-baseline"} <= {spec.name for spec in solvers.solvers()}
