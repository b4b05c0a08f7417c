"""What it costs to know a game by what its rules do: building its sequence form with and without that digest.

    python -m benchmarks.identity [--cards N] [--rounds R]

One-card poker of the manual as somebody's own game, in processor seconds; the least of some rounds.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from ruse import games
from ruse.core.behaviour import digest
from ruse.core.contract import checked
from ruse.core.game import Game
from ruse.forms import sequence_form

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "write-a-game.md"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--cards", type=int, default=60)
    reader.add_argument("--rounds", type=int, default=9)
    given = reader.parse_args()
    (text,) = re.findall(r"\$ cat onecard.py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "onecard.py"
        path.write_text(text, encoding="utf-8")
        game = games.find(str(path), {"cards": given.cards})
        rounds = [(_form(game, False), _form(game, True), _walk(game)) for _ in range(given.rounds + 1)][1:]
    plain, traced, walked = (min(column) for column in zip(*rounds, strict=True))
    print(f"building the form          {plain:.3f} s")
    print(f"the same with the digest   {traced:.3f} s, {traced / plain - 1:.1%} more")
    print(f"the digest by a walk alone {walked:.3f} s")


def _form(game: Game, traced: bool) -> float:
    own = sequence_form.Own
    sequence_form.Own = own if traced else type("Nobody", (), {})  # type: ignore[misc]
    begun = process_time()
    sequence_form.plain_form(checked(game))
    sequence_form.Own = own  # type: ignore[misc]
    return process_time() - begun


def _walk(game: Game) -> float:
    begun = process_time()
    digest(game)
    return process_time() - begun


if __name__ == "__main__":
    main()
