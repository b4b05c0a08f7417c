"""Numbers below 0 are values, however they are written: `--target -1/12` as well as `--target=-1/12`."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from amounts import ALL
from ruse.cli.commands import UsageError
from ruse.cli.parser import parser
from ruse.cli.program import read

PARSER = parser()
COMMANDS: dict[str, argparse.ArgumentParser] = next(
    action.choices  # type: ignore[misc]
    for action in PARSER._actions
    if isinstance(action, argparse._SubParsersAction)
)
OPTIONS = [
    (command, action.option_strings[-1])
    for command, made in COMMANDS.items()
    for action in made._actions
    if action.option_strings and action.nargs is None and action.metavar
]

VALUES = ("-1/12", "-1", "-.5", "-1e-3", "-1..1")


def understood(words: list[str]) -> Any:
    try:
        return read(PARSER, words)
    except (UsageError, SystemExit) as error:
        return str(error)


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_every_option_takes_a_number_below_0(command: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    needed = ["--target=0"] if command == "balance" and option != "--target" else []
    places = [
        action
        for action in COMMANDS[command]._actions
        if not action.option_strings and action.nargs in (None, "+") and action.dest != "shell"
    ]
    words = [command, *["kuhn" for _ in places], *(["bash"] if command == "completion" else []), *needed]
    for value in VALUES if ALL or option in ("--target", "--time", "--seed") else VALUES[:1]:
        apart = understood([*words, option, value])
        said = capsys.readouterr().err
        assert apart == understood([*words, f"{option}={value}"])
        assert said == capsys.readouterr().err
        assert "expected one argument" not in said


def test_balance_of_a_target_below_0(ruse: Any) -> None:
    words = ["balance", "rock-paper-scissors", "--paper-beats-rock", "-1/2..1/2..1/2", "--target", "-1/12", "--json"]
    status, out, _ = ruse(*words)
    assert status == 0
    assert json.loads(out)["target"] == "-1/12"


def test_a_number_below_0_stands_for_no_option(ruse: Any) -> None:
    status, _, err = ruse("solve", "kuhn", "-1/12")
    assert status == 2 and "unrecognized argument" in err
