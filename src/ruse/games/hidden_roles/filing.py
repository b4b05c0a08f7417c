"""Positions of games with hidden roles under the names by which strategies file them, and back.

A strategy up to the names of seats lists one position of each class (`ruse.games.hidden_roles.classes`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ruse.core.types import StrategyTable
from ruse.games.hidden_roles.classes import Representative, RepresentativeFinder, call, seats_alike, words_alike
from ruse.games.hidden_roles.notation import read, read_words
from ruse.games.hidden_roles.rules import GOOD, SPIES, HiddenRoles, RolesPlay, Words
from ruse.games.hidden_roles.suspects import settled
from ruse.games.resistance.notation import read_seats
from ruse.games.resistance.notation import seats as letters

SOME = 100  # positions of a table that tell how it is written: of every one, half or more have other names


@lru_cache(maxsize=8)
def filing_of(game: HiddenRoles) -> RepresentativeFinder:
    """One for each game in memory."""
    return RepresentativeFinder(game)


def is_filed(game: HiddenRoles, tables: Sequence[StrategyTable]) -> bool:
    """Whether strategies list one position of each class, rather than every one, as those of small tables do."""
    filing = filing_of(game)
    for side in (GOOD, SPIES):
        sample = list(tables[side])[:: max(1, len(tables[side]) // SOME)]
        if any(representative_position(game, filing, position, side)[0] != position for position in sample):
            return False
    return True


def filed_choice(game: HiddenRoles, filing: RepresentativeFinder, side: int, known: RolesPlay) -> Representative:
    """What a side knows where it chooses: a guess that is settled when all have spoken is filed under that."""
    settled_then = game.guesses(known) and settled(game)
    return filing.known(known._replace(done=(), out=None, named=None) if settled_then else known, side)


def representative_position(
    game: HiddenRoles, filing: RepresentativeFinder, position: str, side: int
) -> tuple[str, Callable[[str], str]]:
    """The position that one is filed under, and how its moves are called here: the first of those that look alike.

    Raises PositionError.
    """
    owner, known = read(game, position)
    if owner != side:  # which its strategy does not list
        return position, str
    seen = filed_choice(game, filing, side, known)

    def first(text: str) -> str:
        return letters(seats_alike(seen, read_seats(text, game.table))[0])

    def here(move: str) -> str:
        if move.startswith("name-"):
            return f"name-{first(move.removeprefix('name-'))}"
        if known.said is None:
            return game.label(_said(game, known, move, seen))
        return move if side == SPIES else first(move)

    return seen.text + "?" * (known.out is not None), here


def _said(game: HiddenRoles, known: RolesPlay, move: str, seen: Representative) -> Words:
    """What the spies say, in the names of seats here."""
    assert known.deal is not None
    spies = game.spies(known.deal)
    alike = words_alike(seen, read_words(game, move, call(spies, seen.renamings[0])))
    return next(lie for lie in game.lies(spies) if lie in alike)
