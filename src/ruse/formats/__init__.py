"""Other programs' files: one module a format."""

from __future__ import annotations

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import Bulk, Memoryless
from ruse.core.game import Game, RuseError

MOST_WRITTEN = 1_000_000  # nodes of a game that is walked state by state: half a minute


class ExportError(RuseError):
    """Something that cannot be written in that format."""


def check_written(game: Game, form: str) -> None:
    """Refuse a game whose rules cannot be written as a file of that format: it has no tree, or too large a tree."""
    if isinstance(game, Memoryless):
        raise ExportError(f"{game.title} is solved by states, without a tree, so ruse cannot write it as .{form}")
    if not size_estimate.fits(game):
        raise size_estimate.too_large(game, f"to write as .{form}")
    if not isinstance(game, Bulk) and not size_estimate.walkable(game, MOST_WRITTEN):
        count = rationals.count(size_estimate.nodes(game, MOST_WRITTEN))
        raise ExportError(
            f"expected a game of at most {MOST_WRITTEN:,} nodes to write as .{form}, "
            f"got at least {count} in {game.title}: use smaller parameters"
        )
