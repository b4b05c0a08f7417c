"""Completion: all that a command line may say is offered, in the shells themselves too; nobody's code is run for it."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import processes
from regenerate import commands
from ruse import solvers
from ruse.cli.completion import SCRIPTS, Offer, offer
from ruse.cli.parser import parser
from ruse.core.registry import games, parameters_of

Ruse = Callable[..., tuple[int, str, str]]  # the command line, as conftest.py has it


def after(*words: str) -> Offer:
    return offer(parser(), words)


def test_each_command_and_option_is_offered_with_its_help() -> None:
    assert after("").words == _summaries()
    assert set(after("-").words) == {"--help", "--version"}
    for name, command in commands().items():
        wanted = {action.option_strings[-1]: action.help for action in command._actions if action.option_strings}
        assert after(name, "-").words == wanted


def _summaries() -> dict[str, str | None]:
    (action,) = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))
    return {one.dest: one.help for one in action._choices_actions}


def test_only_what_begins_like_the_word_is_offered_and_an_option_only_once() -> None:
    assert set(after("so").words) == {"solve"}
    assert "--out" in after("solve", "kuhn", "--").words
    assert "--out" not in after("solve", "kuhn", "--out", "kuhn.ruse", "--").words


def test_games_are_offered_and_then_their_parameters() -> None:
    found = after("solve", "")
    assert set(found.words) == set(games()) and found.files
    for game in games():
        wanted = {f"--{one.name}" for one in parameters_of(game)}
        assert wanted <= set(after("solve", game, "--").words)
    assert "--players" not in after("solve", "kuhn", "--").words
    assert "--players" not in after("show", "resistance", "--").words
    assert after("solve", "resistance", "--players", "") == Offer()
    assert "resistance" not in after("score", "resistance", "--players", "5", "").words  # now comes the strategy


def test_values_of_options_and_arguments_are_offered() -> None:
    assert set(after("solve", "kuhn", "--solver", "").words) == set(solvers.names())
    assert set(after("solve", "kuhn", "--method", "").words) == {"simplex", "ipm"}
    assert after("solve", "kuhn", "--out", "") == Offer(files=True)
    assert after("show", "") == Offer(files=True)
    assert {"war", "pig"} <= set(after("evolve", "").words)
    assert after("tournament", "pig", "baseline", "") == Offer(files=True)
    assert set(after("completion", "").words) == set(SCRIPTS)
    for nothing in (("nonsense", ""), ("show", "five.ruse", "kuhn@J", ""), ("solve", "--", "")):
        assert after(*nothing) == Offer()


def test_a_game_of_ones_own_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruse: Ruse) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    status, out, err = ruse("completion", "bash", "--words=solve\tmine.py\t--se")
    assert (status, err) == (0, "") and out.startswith("--seed\t")


def test_scripts_and_words_as_json(ruse: Ruse) -> None:
    assert json.loads(ruse("completion", "zsh", "--json")[1]) == {"shell": "zsh", "script": SCRIPTS["zsh"]}
    told = json.loads(ruse("completion", "zsh", "--words=show\t", "--json")[1])
    assert told == {"words": {}, "files": True}
    assert ruse("completion", "tcsh")[0] == 2


ASKED = {  # how a shell is asked what it would offer, without a terminal
    "bash": """
eval "$(ruse completion bash)"
compopt() { :; }
try() { COMP_WORDS=(ruse "$@"); COMP_CWORD=$#; _ruse; printf '%s\\n' "${COMPREPLY[@]}"; }
try solve lia; try verify my; try solve resistance --pla
""",
    "zsh": """
compdef() { : }
eval "$(ruse completion zsh)"
compadd() { print -rl -- $found }
_files() { print -rl -- ${~words[CURRENT]}*(N) }
try() { words=(ruse "$@"); CURRENT=$#words; _ruse }
try solve lia; try verify my; try solve resistance --pla
""",
    "fish": """
ruse completion fish | source
for line in "solve lia" "verify my" "solve resistance --pla"
    complete -C "ruse $line" | string split -f 1 \\t
end
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_shell_itself_offers_it(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "ruse"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ruse "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "my game.ruse").touch()
    done = processes.run(
        [shell, *(["-f"] if shell == "zsh" else []), "-c", ASKED[shell]],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [line.replace("\\ ", " ") for line in done.stdout.splitlines() if line]
    assert found == ["liars-dice", "my game.ruse", "--players"], done.stderr
