"""Write again, to be reviewed as a diff: transcripts, reference of commands, what notebooks show.

python tests/regenerate.py
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from ruse.cli.parser import parser
from ruse.core.game import Game
from ruse.core.walk import transcript
from ruse.forms.reductions import reduce
from ruse.games import (
    avalon,
    battleship,
    goofspiel,
    guess_who,
    holdem,
    kubicek,
    kuhn,
    leduc,
    liars_dice,
    mafia,
    matrix,
    mini_poker,
    morra,
    nim,
    oshi_zumo,
    pig,
    poker,
    policy_deck,
    resistance,
    rock_paper_scissors,
    tic_tac_toe,
)

TRANSCRIPTS = Path(__file__).parent / "transcripts"
COMMANDS = Path(__file__).parent.parent / "docs" / "reference" / "cli.md"

# The game and the seed of each transcript.
PLAYS: dict[str, tuple[Callable[[], Game], int]] = {
    "avalon": (avalon, 5),
    "battleship": (battleship, 1),
    "goofspiel": (goofspiel, 1),
    "guess-who": (lambda: guess_who(theirs=17), 1),
    "holdem": (lambda: holdem("TsJsQhKh", "AA,KQ", "TT+", 10, 20, "50%", "a", deck="5x2"), 2),
    "kubicek": (kubicek, 1),
    "kuhn": (kuhn, 2),
    "leduc": (leduc, 4),
    "liars-dice": (liars_dice, 1),
    "mafia": (lambda: mafia(6, 1, detective=True), 1),
    "matrix": (lambda: matrix("3 1; -2 3"), 1),
    "mini-poker": (mini_poker, 1),
    "morra": (lambda: morra(2), 1),
    "nim": (nim, 1),
    "oshi-zumo": (lambda: oshi_zumo(6, alesia=True), 3),
    "poker": (lambda: poker(hand=2, public=[0, 2]), 2),
    "policy-deck": (policy_deck, 4),
    "pig": (lambda: pig(15), 3),
    "resistance-5": (resistance, 8),
    "resistance-7-reduced": (lambda: reduce(resistance(7)), 3),
    "rock-paper-scissors": (lambda: rock_paper_scissors("1/2"), 1),
    "tic-tac-toe": (tic_tac_toe, 1),
}


def text(name: str) -> str:
    make, seed = PLAYS[name]
    return transcript(make(), seed)


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    (choices,) = (action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(choices)


def reference() -> str:
    """The help of every command, as a page."""
    pages = [parser(), *commands().values()]
    blocks = [f"## {page.prog}\n\n```\n{page.format_help().strip()}\n```" for page in pages]
    return "# Commands\n\n" + "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    from notebooks import NOTEBOOKS, rewrite

    os.environ["COLUMNS"] = "100"
    COMMANDS.write_text(reference(), encoding="utf-8")
    TRANSCRIPTS.mkdir(exist_ok=True)
    for name in PLAYS:
        (TRANSCRIPTS / f"{name}.txt").write_text(text(name), encoding="utf-8")
    for notebook in NOTEBOOKS:
        rewrite(notebook)
