"""The README's examples run, and print what it says. A console block may stop early: what it shows must come first."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from regenerate import COMMANDS
from regenerate import commands as commands_of_the_program
from ruse.cli.parser import parser
from ruse.cli.program import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
SECONDS = re.compile(r"\d+\.\d+ s\b")


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Each `$ command` of a block with the lines that the README shows after it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def test_console_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    ran = 0
    for language, block in BLOCKS:
        if language != "console":
            continue
        for command, shown in commands(block):
            program, *arguments = shlex.split(command)
            if program == "cat":
                Path(arguments[0]).write_text("\n".join(shown) + "\n", encoding="utf-8")
                continue
            assert program == "ruse"
            assert main(arguments) == 0, command
            printed = SECONDS.sub("… s", capsys.readouterr().out).splitlines()
            assert printed[: len(shown)] == [SECONDS.sub("… s", line) for line in shown], command
            ran += 1
    assert ran >= 8


def test_python_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block for language, block in BLOCKS if language == "python"]
    assert blocks
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
        assert test.examples
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_the_first_commands_are_make_targets() -> None:
    assert BLOCKS[0][1].split()[:2] == ["make", "solve"]
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"solve", "test"} <= set(targets)
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1] == "make test"


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\((?!https:)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_modules_that_pages_name_are_there() -> None:
    """`ruse.core.rationals`, or something in one: a file, and a name that occurs in it."""
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for name in set(re.findall(r"`(ruse(?:\.[a-z_]+)+(?:\.[A-Za-z_]+)?)`", page.read_text(encoding="utf-8"))):
            *path, last = name.split(".")
            module = ROOT.joinpath("src", *path)
            files = [module.with_suffix(".py"), module / "__init__.py"]
            inside = [file for file in files if file.exists() and re.search(rf"\b{last}\b", file.read_text())]
            there = (module / f"{last}.py").exists() or (module / last / "__init__.py").exists()
            assert there or inside, f"{page.name}: {name}"


def test_every_command_and_option_is_documented() -> None:
    """After a change that is meant: python tests/regenerate.py, and read the diff."""
    page = COMMANDS.read_text(encoding="utf-8")
    for name, command in commands_of_the_program().items():
        assert f"## ruse {name}" in page and command.format_help()  # which completes the texts
        for action in command._actions:
            assert all(option in page for option in action.option_strings), action.option_strings
            assert " ".join((action.help or "").split()) in " ".join(page.split())
    assert str(parser().epilog) in " ".join(page.split())


def test_the_images_are_there_small_and_described() -> None:
    images = re.findall(r'<img src="([^"]+)" width="\d+%" alt="([^"]+)">', README)
    assert len(images) == 4
    for path, described in images:
        assert len(described) > 20 and (ROOT / path).stat().st_size < 150_000
