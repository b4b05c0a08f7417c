"""`ruse new game` writes a game that ruse takes, and a test that passes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from processes import run
from ruse.cli.new import KINDS
from ruse.cli.program import main


@pytest.mark.cases(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_solved_swept_and_tested(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"own_{kind.replace('-', '_')}"
    assert main(["new", "game", "--kind", kind, name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == [f"{name}.py", f"test_{name}.py"]
    assert main(["check", f"{name}.py"]) == 0
    checked = capsys.readouterr().out
    assert "the rules are valid (checked at every state)" in checked and "Note" not in checked
    text = Path(f"{name}.py").read_text(encoding="utf-8")
    command = next(line for line in text.splitlines() if "ruse sweep" in line).replace("'", "").split()[1:]
    assert main(command) == 0
    assert "all exact" in capsys.readouterr().out
    tested = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test_{name}.py"], cwd=tmp_path)
    assert tested.returncode == 0, tested.stdout


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("precious", encoding="utf-8")
    assert main(["new", "game", "--kind", "cards", "mine"]) == 1
    assert "mine.py already exists; choose another name, or overwrite with --force" in capsys.readouterr().err
    assert Path("mine.py").read_text(encoding="utf-8") == "precious" and not Path("test_mine.py").exists()
    assert main(["new", "game", "--kind", "cards", "mine", "--force"]) == 0
    assert "class Mine" in Path("mine.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--kind", "card", "mine"], "got 'card'; did you mean 'cards'?"),
        (["mine"], "say what kind of game with --kind, one of hidden-roles, bluffing, cards, matrix"),
        (["--kind", "cards", "my-game"], "expected a name for a Python file, such as my_game, got 'my-game'"),
        (["--kind", "cards", "my.py"], "did you mean 'my'?"),
        (["--kind", "cards", "class"], "got 'class'"),
        (["--kind", "cards", "kuhn"], "ruse has a game 'kuhn' already; choose another name"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "game", *arguments]) == 1
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
