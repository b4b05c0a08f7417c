"""Insight that the pages found lies beside its solution, and outlives the server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import ruse
from ruse.explorer.solution_files import keep
from ruse.games.resistance.insight_program import OptimalProgram
from ruse.insight import insight_file
from ruse.insight.check import check
from served import Served
from serving import PATIENCE


def ask(served: Served, position: str, file: str = "") -> dict[str, object]:
    asked = served.get(f"/p/{position}.insight.json?time=120{f'&file={file}' if file else ''}")
    found: dict[str, object] = asked.json()["moves"]
    return found


def held(path: Path, symmetry: bool, *positions: str) -> bytes:
    """What is kept beside a solution, once it is about these positions."""
    until = time.monotonic() + PATIENCE
    while not {key.position for key in insight_file.InsightFile(path).load(symmetry).guarantees} >= set(positions):
        assert time.monotonic() < until, f"expected insight into {positions} beside {path}"
        time.sleep(0.05)
    return insight_file.insight_path(path).read_bytes()


def test_two_servers_keep_what_each_has_found_and_a_third_need_not_look_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("resistance-5/ab+", "resistance-5/ab-")
    first = Served(tmp_path)
    told = [ask(first, asked[0])]
    second = Served(tmp_path)
    (solution,) = (tmp_path / "solutions").glob("resistance-5*.ruse")
    before = solution.read_bytes()
    told.append(ask(second, asked[1]))
    content = held(solution, True, *asked)
    assert solution.read_bytes() == before and check(content).certificates > 20
    for one in (first, second):
        one.close()
    monkeypatch.setattr(OptimalProgram, "find", lambda *_: pytest.fail("looked for again"))
    third = Served(tmp_path)
    assert [ask(third, position) for position in asked] == told
    third.close()


def test_insight_into_a_file_lies_beside_it_until_the_file_is_another(tmp_path: Path) -> None:
    path = ruse.solve(ruse.games.kuhn()).save(tmp_path / "kuhn.ruse")
    served = Served(tmp_path, (str(path),))
    (given,) = (one for one in served.get("/library.json").json()["entries"] if one["origin"] == "given")
    ask(served, "kuhn@J", given["file"])
    content = held(path, False, "kuhn@J")
    other = insight_file.InsightFile(path, "0" * 64)  # of somebody who has read what the file was before
    found = ruse.load(path).insight(file=path)
    found.at("kuhn@Q")
    found.file = other
    found.keep()
    served.close()
    assert insight_file.insight_path(path).read_bytes() == content


def test_what_is_kept_goes_with_the_solution(tmp_path: Path) -> None:
    path = keep(tmp_path, ruse.solve(ruse.games.kuhn(), solver="cfr+", iterations=20))
    found = ruse.load(path).insight(file=path)
    found.at("kuhn@J")
    found.keep()
    assert insight_file.insight_path(path).exists()
    again = keep(tmp_path, ruse.solve(ruse.games.kuhn(), solver="cfr+", iterations=30))
    assert again != path and not path.exists() and not insight_file.insight_path(path).exists()
