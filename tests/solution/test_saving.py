"""Saving: whole or not at all, also when the process is killed."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import processes
from ruse import games
from ruse.core import atomic_files
from ruse.core.game import Game
from ruse.solution import store
from ruse.solution.store import StoreError
from stored import content, solved


def test_saving_keeps_to_the_umask_and_to_links(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        (tmp_path / "link.ruse").symlink_to(tmp_path / "real.ruse")
        solved("kuhn").save(tmp_path / "link.ruse")
    finally:
        os.umask(before)
    assert (tmp_path / "link.ruse").is_symlink()
    assert (tmp_path / "real.ruse").stat().st_mode & 0o777 == 0o640
    long = tmp_path / ("x" * 250 + ".ruse")
    assert store.load(solved("kuhn").save(long)).tables == solved("kuhn").tables


def test_what_cannot_be_saved_says_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, complaint in (
        (tmp_path, "it is a folder"),
        (tmp_path / "pipe", "it is a device or pipe"),
        (tmp_path / "none" / "x.ruse", "no such file or directory"),
        (tmp_path / "nul\0", "embedded null byte"),
        (tmp_path / ("x" * 300), "file name too long"),
    ):
        with pytest.raises(StoreError, match=f"cannot save to .*: {complaint}"):
            store.save(solved("kuhn"), path)
    kuhn = solved("kuhn")
    floats: Any = ({"kuhn@K": {"bet": 0.5, "check": 0.5}}, {})
    for solution, complaint in (
        (replace(kuhn, options={"seed": object()}), "cannot be written as JSON"),
        (replace(kuhn, options={"gap": float("nan")}), "cannot be written as JSON"),
        (replace(kuhn, solver="\ud800"), "cannot be written as JSON"),
        (replace(kuhn, tables=floats), "cannot be written as JSON: 0.5 is not a fraction"),
        (replace(kuhn, solver="two\nlines"), "expected a line of text as solver"),
        (replace(kuhn, game=renamed("kuhn", "kuhn-13")), "expected the identity .* of kuhn"),
    ):
        with pytest.raises(StoreError, match=complaint):
            store.save(solution, tmp_path / "x.ruse")
    assert {path.name for path in tmp_path.iterdir()} == {"pipe"}


def test_a_game_of_another_name_is_nobodys_but_whose_who_opens_it_with_it(tmp_path: Path) -> None:
    other = renamed("patience", "patience")
    path = store.save(replace(solved("kuhn"), game=other), tmp_path / "x.ruse")
    with pytest.raises(StoreError, match=r'name the rules of "patience" .*with --game'):
        store.load(path)
    assert store.load(path, other).game is other


def renamed(name: str, title: str) -> Game:
    game: Any = games.kuhn()
    game.name, game.title = name, title
    assert isinstance(game, Game)
    return game


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, trouble: BaseException
) -> None:
    path = solved("kuhn").save(tmp_path / "x.ruse")

    def fail(*_: object) -> None:
        raise trouble

    with monkeypatch.context() as patch:
        patch.setattr(step, fail)
        expected = StoreError if isinstance(trouble, OSError) else KeyboardInterrupt
        with pytest.raises(expected):
            store.save(solved("matrix"), path)
    assert path.read_bytes() == content("kuhn")
    assert list(tmp_path.iterdir()) == [path]


# Forks from a process of its own, so that nothing of the test run is in it. Each child saves two solutions in turn
# until it is killed: at a certain step of a save, or, with no step given, whenever the parent gets round to it.
KILLED = """
import os, signal, sys, time
from pathlib import Path
from ruse.solution import store

one, two, path = map(Path, sys.argv[1:])
solutions = store.load(one), store.load(two)
whole = [store.dumps(solution) for solution in solutions]  # what a file says is claimed, also when it is saved again
steps = [(owner, name, late) for owner, name in ((os, "fsync"), (Path, "replace")) for late in (False, True)]
seen = []
for number in range(48):
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        store.save(solutions[number % 2], path)
        os.write(tell, b".")
        if number < 16:
            owner, name, late = steps[number % 4]
            step = getattr(owner, name)
            def killed(*arguments):
                if late:
                    step(*arguments)
                os.kill(os.getpid(), signal.SIGKILL)
            setattr(owner, name, killed)
        while True:
            for solution in solutions[::-1] if number % 2 == 0 else solutions:
                store.save(solution, path)
    os.read(told, 1)
    if number >= 16:
        until = time.perf_counter() + number * 2e-4
        while time.perf_counter() < until:
            pass
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, status
    os.close(told), os.close(tell)
    found = path.read_bytes()
    assert found in whole, (number, found)
    store.load(path)
    if number < 16:
        seen.append(found == whole[number % 2])
print(seen[:4], seen == seen[:4] * 4)
"""


@pytest.mark.slow
def test_a_killed_save_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    one, two = solved("kuhn").save(tmp_path / "one"), solved("resistance").save(tmp_path / "two")
    folder = tmp_path / "folder"
    folder.mkdir()
    arguments = [sys.executable, "-c", KILLED, str(one), str(two), str(folder / "x.ruse")]
    run = processes.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("]")[0] == "[True, True, True, False", "the old file until it is replaced, then the new one"
    assert run.stdout.endswith("True\n")


def test_what_killed_runs_have_left_is_cleared_but_nothing_that_is_being_written(tmp_path: Path) -> None:
    left, held, fresh = (tmp_path / f".ruse-{name}.tmp" for name in ("left", "held", "fresh"))
    for path in (left, held, fresh):
        path.write_bytes(b"half a file")
    for path in (left, held):
        os.utime(path, (0, 0))
    with held.open("ab") as file:
        atomic_files._hold(file)
        atomic_files.replace(tmp_path / "next", b"whole")
    assert not left.exists() and held.exists() and fresh.exists()
    assert (tmp_path / "next").read_bytes() == b"whole"
