"""The pages of docs/ as programs: what a page shows is what ruse prints."""

from __future__ import annotations

import doctest
import io
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from amounts import ALL
from ruse.cli.program import main
from test_readme import SECONDS, commands

DOCS = Path(__file__).parent.parent / "docs"


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def run_examples(
    page: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    smaller: Mapping[str, str] | None = None,
) -> int:
    """Run all blocks of a page, here, and say how many commands ran. What is typed after a > is what ruse is told.

    `make test` puts what is `smaller` in the place of large sizes on the page.
    """
    ran = 0
    text = (DOCS / page).read_text(encoding="utf-8")
    for large, small in (smaller or {}).items():
        assert large in text
        text = text if ALL else text.replace(large, small)
    for language, block in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
        if language == "python":
            test = doctest.DocTestParser().get_doctest(block, {}, page, page, 0)
            assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
        for command, shown in commands(block) if language == "console" else ():
            program, *arguments = shlex.split(command)
            if program == "cat":
                Path(arguments[0]).write_text("\n".join(shown) + "\n", encoding="utf-8")
                continue
            type_in(monkeypatch, *(line[2:] for line in shown if line.startswith("> ")))
            assert main(arguments) == 0, command
            printed = SECONDS.sub("… s", capsys.readouterr().out).splitlines()
            wanted = ["> " if line.startswith("> ") else SECONDS.sub("… s", line) for line in shown]
            assert printed[: len(shown)] == wanted, command
            ran += 1
    return ran
