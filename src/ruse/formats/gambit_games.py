"""Games of Gambit's files, by name: what `ruse solve game.efg` and `game.nfg` make."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ruse.core.game import GameError
from ruse.core.parameters import game_factory
from ruse.core.plain_games.matrix import Matrix
from ruse.core.plain_games.tree import ExplicitTree


@game_factory
def efg(
    text: Annotated[str | None, "the text of a Gambit .efg file"] = None,
    file: Annotated[str | None, "a Gambit .efg file"] = None,
    title: Annotated[str | None, "what to call the game in positions"] = None,
) -> ExplicitTree:
    """Any two-sided tree, zero-sum or constant-sum, in Gambit's .efg format: `ruse solve game.efg`."""
    from ruse.formats.efg import read_efg  # slow to import, as is the other

    return read_efg(_source(text, file), title)


@game_factory
def nfg(
    text: Annotated[str | None, "the text of a Gambit .nfg file"] = None,
    file: Annotated[str | None, "a Gambit .nfg file"] = None,
    title: Annotated[str | None, "what to call the game in positions"] = None,
) -> Matrix:
    """Any two-sided table, zero-sum or constant-sum, in Gambit's .nfg format: `ruse solve game.nfg`."""
    from ruse.formats.nfg import read_nfg

    return read_nfg(_source(text, file), title)


def _source(text: str | None, file: str | None) -> str | Path:
    if text is not None and file is None:
        return text
    if file is not None and text is None:
        return Path(file)
    raise GameError(f"expected either --text or --file, got {'neither' if text is None else 'both'}")
