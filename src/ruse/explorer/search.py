"""Games and positions by words: "resistance 5", "poker", "kuhn K check bet".

Every word must match: numbers exactly, other words as a prefix of a word in the game's description. If the first words
name a game, the rest is also tried as a position of that game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ruse.contests.arena import CONTESTS
from ruse.core import size_estimate
from ruse.core.capabilities import Open, Representatives
from ruse.core.game import RuseError
from ruse.core.jsonable import HIDDEN
from ruse.core.registry import game_of, games, names, rules_text, summary
from ruse.explorer import pages
from ruse.explorer.choices import headline_of
from ruse.explorer.entries import Entry, named_by
from ruse.explorer.library import Library
from ruse.explorer.shelf import label
from ruse.present.finding import check_position

WORD = re.compile(r"\w+")
MOST_WALKED = 20_000  # nodes of a game that is walked to see whether it has a position
MOST_WORDS = 40


@dataclass(frozen=True)
class Hit:
    """A search result."""

    kind: str
    """position, game, contest, or to solve"""
    title: str
    text: str
    page: str
    near: int = field(default=2, metadata=HIDDEN)
    """0 if the words are its title or a position, 1 if they are in its title"""


def words_in(text: str) -> list[str]:
    return WORD.findall(text.lower().replace("_", " "))


def matches(asked: Sequence[str], said: str) -> bool:
    """Return whether every word matches: numbers and letters exactly, longer words as prefixes."""
    known = words_in(said)
    return all(
        word in known or (len(word) > 1 and not word.isdigit() and any(other.startswith(word) for other in known))
        for word in asked
    )


def said_of(name: str, *more: str) -> str:
    """Return all text that describes a game and its table."""
    known = (summary(name), rules_text(name)) if name in names() else ()
    return " ".join((name, *more, *known))


def search(library: Library, asked: str, given: Mapping[str, str]) -> list[Hit]:
    """Search: positions first, then games by title, then by description."""
    words = words_in(asked)[:MOST_WORDS]
    if not words:
        return []
    entries = [entry for entry in library.entries() if not entry.missing]
    hits = [*_positions(library, entries, asked)]
    for entry in entries:
        table = entry.summary.table if entry.summary else ""
        if matches(words, said_of(entry.name, label(entry, given), entry.title, table)):
            near = min(_near(words, label(entry, given)), _near(words, entry.title))
            text = headline_of(entry, library.standing(entry)) or summary(entry.name)
            page = pages.position_url(entry.title, file=entry.carried)
            hits.append(Hit("game", label(entry, given), text, page, near))
    for name in games():
        if not any(entry.name == name for entry in entries) and matches(words, said_of(name)):
            hits.append(Hit("to solve", name, summary(name), pages.url("/solve", game=name), _near(words, name)))
    for name in CONTESTS:
        if matches(words, f"{name} contest"):
            hits.append(Hit("contest", name, "a contest of learned strategies", f"/contests/{name}", 1))
    return sorted(hits, key=lambda hit: hit.near)


def _near(words: Sequence[str], title: str) -> int:
    return 0 if words == words_in(title) else 1 if matches(words, title) else 2


def _positions(library: Library, entries: Sequence[Entry], asked: str) -> Iterator[Hit]:
    """Yield positions whose first words are a title: `kuhn K check bet` is kuhn@K/check/bet."""
    steps = asked.replace("/", " ").replace("@", " ").split()
    for entry in entries:
        title = words_in(entry.title)
        for count in range(1, len(steps)):
            if words_in(" ".join(steps[:count])) == title:
                yield from _spelled(library, entry, steps[count:])


def _spelled(library: Library, entry: Entry, steps: Sequence[str]) -> Iterator[Hit]:
    first, rest = steps[0], "".join(f"/{step}" for step in steps[1:])
    for position in (f"{entry.title}@{first}{rest}", f"{entry.title}/{first}{rest}"):
        if _exists(library, entry, position):
            yield Hit("position", position, "a position", pages.position_url(position, file=entry.carried), 0)
            return


def _exists(library: Library, entry: Entry, position: str) -> bool:
    """Return whether a position exists, if that is quick to check."""
    try:
        if entry.path is not None and library.is_open(entry):
            library.open(entry).viewer.at(position)
            return True
        if named_by(entry.title) != entry.identity:
            return False
        game = game_of(entry.title)
        if not isinstance(game, Open | Representatives) and not size_estimate.walkable(game, MOST_WALKED):
            return False
        check_position(game, position)
    except RuseError:
        return False
    return True
