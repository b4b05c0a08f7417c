"""An empty or relative HOME or XDG_… counts as unset; without any home folder, ruse goes on and keeps nothing."""

from __future__ import annotations

import io
import os
import pwd
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ruse.core.machine import home
from ruse.solution.container import StoreError
from ruse.solution.state_folder import state_folder
from ruse.start import FOLDERS, forget_unusable_folders

UNUSABLE = ["", "relative", "./here", "~"]


@pytest.fixture
def in_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder that the password database has, with no other named."""
    for name in FOLDERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", lambda user: SimpleNamespace(pw_dir=str(tmp_path)))
    return tmp_path


@pytest.fixture
def homeless(in_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(user: int) -> None:
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setenv("HOME", "")


@pytest.mark.parametrize("wrong", UNUSABLE)
def test_an_unusable_home_counts_as_unset(wrong: str, in_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", wrong)
    monkeypatch.setenv("XDG_STATE_HOME", wrong)
    assert home() == in_database
    assert state_folder() == in_database / ".local" / "state" / "ruse"
    monkeypatch.setenv("HOME", str(in_database / "mine"))
    assert state_folder() == in_database / "mine" / ".local" / "state" / "ruse"


@pytest.mark.parametrize("wrong", UNUSABLE)
def test_libraries_and_children_look_there_too(wrong: str, in_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FOLDERS:
        monkeypatch.setenv(name, wrong)
    forget_unusable_folders()
    assert not set(FOLDERS) & set(os.environ)
    assert Path("~/.cache").expanduser() == in_database / ".cache"


def test_usable_folders_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FOLDERS:
        monkeypatch.setenv(name, str(tmp_path))
    forget_unusable_folders()
    assert [os.environ[name] for name in FOLDERS] == [str(tmp_path)] * len(FOLDERS)


def test_nothing_is_written_to_the_root(ruse: Any, in_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep keeps its rows where the password database says."""
    monkeypatch.setenv("HOME", "")
    status, _, err = ruse("sweep", "goofspiel", "--cards", "2..3")
    assert status == 0 and "without" not in err
    assert list(in_database.glob(".local/state/ruse/variants/*"))


def test_no_home_at_all_is_no_trouble(ruse: Any, homeless: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match="there is no home folder to save to; set HOME or XDG_STATE_HOME"):
        state_folder()
    status, _, err = ruse("sweep", "goofspiel", "--cards", "2..3")
    assert status == 0 and err.count("there is no home folder") == 1
    for words in (["--seed", "1"], ["--drill", "--seed", "1"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        status, out, err = ruse("play", "kuhn", *words)
        assert status == 0 and err.count("there is no home folder") == 1
        assert "is saved" not in out
