"""Notebooks: their cells run, with nothing but ruse and the solution file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruse import games
from ruse.cli.program import main
from ruse.core.game import Game
from ruse.formats.notebook import notebook
from ruse.solution.store import save
from ruse.solving.pipeline import solve


def executed(text: str) -> dict[str, Any]:
    """All code cells, one after another, as a kernel runs them."""
    found = json.loads(text)
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    names: dict[str, Any] = {}
    cells = found["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        assert set(cell) - {"execution_count", "outputs"} == {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    return names


@pytest.mark.parametrize(
    ("make", "position", "side"),
    [
        (games.kuhn, "kuhn@J", 0),
        (games.kuhn, "kuhn@K/check", 1),
        (games.resistance, "resistance-5/ab+", 0),
        (games.nim, None, 0),
        (lambda: games.matrix("0 1/3 -1; 2 0 0.5", rows=["it's", 'a "row"']), None, 1),
    ],
)
def test_its_cells_run(
    make: Callable[[], Game],
    position: str | None,
    side: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    solution = solve(make())
    save(solution, tmp_path / "one.ruse")
    monkeypatch.chdir(tmp_path)
    names = executed(notebook(solution, "one.ruse", position, side))
    assert names["solution"].certificate == solution.certificate
    told = capsys.readouterr().out
    assert f"{len(names['rows'])} rows" in told and names["view"].position == (position or names["position"])
    for option in names["view"].options[:3]:
        assert option.move in told and str(option.odds) in told


def test_a_game_too_large_to_look_at_tells_odds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = solve(games.goofspiel(3))
    save(solution, tmp_path / "small.ruse")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ruse.present.nodes.MOST_STATES", 10)
    names = executed(notebook(solution, "small.ruse"))
    assert "view" not in names and solution.strategy(0).at(names["position"]) and capsys.readouterr().out


def test_it_is_exported_beside_the_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    save(solve(games.kuhn()), tmp_path / "kuhn.ruse")
    path = tmp_path / "notes" / "kuhn.ipynb"
    assert main(["export", str(tmp_path / "kuhn.ruse"), "--ipynb", str(path)]) == 0
    monkeypatch.chdir(path.parent)
    assert executed(path.read_text())["solution"].game.name == "kuhn"
    assert main(["export", "kuhn", "--ipynb", str(path)]) == 1  # a game has no strategies
