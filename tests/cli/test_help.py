"""The help of every command ends with examples, which are command lines that ruse understands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pages import DOCS
from regenerate import commands
from ruse.cli.examples import EXAMPLES
from ruse.cli.parser import parser
from ruse.cli.program import read
from ruse.core import named_games
from ruse.core.registry import games, parameters_of

PAGE = (DOCS / "how-to" / "write-a-game.md").read_text(encoding="utf-8")
(ONE_CARD,) = re.findall(r"\$ cat onecard.py\n(.*?)```", PAGE, re.DOTALL)
PARSER = parser()
MINE = ONE_CARD.replace("OneCard", "Auction").replace("cards", "rounds")


def test_each_command_has_examples_and_shows_them() -> None:
    assert set(EXAMPLES) == set(commands())
    for name, command in commands().items():
        assert len(EXAMPLES[name]) >= 2
        shown = command.format_help()
        assert "\nexamples:\n" in shown
        for example, text in EXAMPLES[name]:
            assert f"\n  {example}\n      {text}\n" in shown


@pytest.mark.parametrize(
    ("name", "example"), [(name, example) for name, found in EXAMPLES.items() for example, _ in found]
)
def test_an_example_is_a_command_line(name: str, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mygame.py").write_text(MINE, encoding="utf-8")
    program, called, *words = shlex.split(example)
    assert (program, called) == ("ruse", name)
    with named_games.only_here():
        known = read(PARSER, [called, *words])
        assert known.run == commands()[name].get_default("run")
        game = getattr(known, "game", None)
        if game in games():
            assert set(known.parameters) <= {one.name for one in parameters_of(game)}
