"""Ctrl-C from the first moment of the program to its last: one sentence at most, never a traceback."""

from __future__ import annotations

import sys

import pytest

import processes
from stderr import said

STOP = """
import os, signal, sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
"""
BEGIN = """
from ruse.start import main
sys.argv = ["ruse", *{words!r}]
sys.exit(main())
"""


def run(before: str, *words: str) -> tuple[int, str, str]:
    script = "import sys" + before + BEGIN.format(words=words)
    done = processes.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.cases(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["ruse.cli.program", "argparse", "ruse.games", "ruse.present.report", "numpy", "ruse.solving.pipeline", "highspy"],
)
def test_ctrl_c_in_the_middle_of_an_import_is_one_sentence(name: str) -> None:
    status, out, err = run(STOP.format(name=name), "solve", "kuhn")
    assert (status, out, len(said(err))) == (1, "", 1) and said(err)[0].startswith("ruse: stopped before the end")


def test_ctrl_c_where_nobody_can_raise_it_is_heard() -> None:
    """As in a callback of the import system, whose exceptions Python only prints."""
    hidden = """
class Lost:
    def __del__(self):
        raise KeyboardInterrupt
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "ruse.solving.pipeline":
            Lost()
sys.meta_path.insert(0, Stop())
"""
    status, out, err = run(hidden, "solve", "kuhn")
    assert (status, out, said(err)) == (1, "", ["ruse: stopped before the end"])


def test_ctrl_c_that_a_compiled_module_makes_an_import_error_of_is_one_sentence() -> None:
    turned = """
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "highspy":
            raise ImportError("initialization failed") from KeyboardInterrupt()
sys.meta_path.insert(0, Stop())
"""
    status, out, err = run(turned, "solve", "kuhn")
    assert (status, out, len(said(err))) == (1, "", 1) and said(err)[0].startswith("ruse: stopped before the end")


def test_ctrl_c_once_the_answer_is_out_changes_nothing() -> None:
    late = "\nimport atexit, os, signal; atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))\n"
    status, out, err = run(late, "solve", "kuhn")
    assert (status, said(err)) == (0, []) and "worth -1/18" in out


def test_nothing_that_takes_time_is_imported_before_ctrl_c_is_heard() -> None:
    script = "import sys; before = set(sys.modules); import ruse.start; print(*set(sys.modules) - before)"
    done = processes.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"ruse", "ruse.core", "ruse.core.former_modules", "ruse.start", "__future__"}


def test_whoever_wants_ctrl_c_ignored_has_it_ignored() -> None:
    ignored = "\nimport os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGINT)\n"
    assert run(ignored + STOP.format(name="ruse.solving.pipeline"), "solve", "kuhn")[0] == 0
