"""`ruse cache`: what is kept is listed, entries of older versions are named, and clearing leaves the user's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ruse
from ruse.cli.program import main


def test_what_is_kept_is_listed_and_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["cache", "list"]) == 0
    assert "Nothing is saved" in capsys.readouterr().out
    ruse.sweep("liars-dice", faces="2..3")
    file = tmp_path / "ruse" / "variants" / "liars-dice.jsonl"
    with file.open("a") as old:
        old.write('{"key": "0", "row": {}, "check": "0123456789abcdef"}\n')  # as 0.5.0 wrote it
    session = tmp_path / "ruse" / "sessions" / "mine.json"
    session.parent.mkdir()
    session.write_text("{}")
    assert main(["cache", "list"]) == 0
    assert "2 solved variants, and 1 from an older version" in capsys.readouterr().out
    assert main(["cache", "list", "--json"]) == 0
    (kept,) = json.loads(capsys.readouterr().out)["caches"]
    assert (kept["kind"], kept["name"], kept["entries"], kept["older"]) == ("variants", "liars-dice", 2, 1)
    assert [row.exact for row in ruse.sweep("liars-dice", faces="2..3")] == [True, True]
    sent = tmp_path / "ruse" / "solutions" / "mine.ruse"
    sent.parent.mkdir()
    sent.write_text("not a solution")
    assert main(["cache", "clear", "solutions"]) == 0 and file.exists() and sent.exists()
    assert main(["cache", "clear"]) == 0 and not file.exists() and session.exists()
    with pytest.raises(SystemExit, match="2"):
        main(["cache", "tidy"])
