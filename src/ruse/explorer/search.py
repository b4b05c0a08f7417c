"""Games and positions by words: "resistance 5", "poker", "kuhn K check bet".

Every word must be found: numbers as they are, other words at the beginning of one that is said of the game. Whoever
names a game and then something else may mean a position, and gets it if there is such a one.
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
    """Something that was found."""

    kind: str
    """position, game, contest, or to solve"""
    title: str
    text: str
    page: str
    near: int = field(default=2, metadata=HIDDEN)
    """0 where the words are its title or a position, 1 where they are in its title"""


def words_in(text: str) -> list[str]:
    return WORD.findall(text.lower().replace("_", " "))


def matches(asked: Sequence[str], said: str) -> bool:
    """Whether every word is said: numbers and letters as they are, other words at the beginning of one."""
    known = words_in(said)
    return all(
        word in known or (len(word) > 1 and not word.isdigit() and any(one.startswith(word) for one in known))
        for word in asked
    )


def said_of(name: str, *more: str) -> str:
    """All that is said of a game, with more that is said of its table."""
    known = (summary(name), rules_text(name)) if name in names() else ()
    return " ".join((name, *more, *known))


def search(library: Library, asked: str, given: Mapping[str, str]) -> list[Hit]:
    """What the words may mean: positions first, then games by title, then by what is said of them."""
    words = words_in(asked)[:MOST_WORDS]
    if not words:
        return []
    entries = [entry for entry in library.entries() if not entry.gone]
    found = [*_positions(library, entries, asked)]
    for entry in entries:
        table = entry.summary.table if entry.summary else ""
        if matches(words, said_of(entry.name, label(entry, given), entry.title, table)):
            near = min(_near(words, label(entry, given)), _near(words, entry.title))
            text = headline_of(entry, library.standing(entry)) or summary(entry.name)
            page = pages.position_url(entry.title, file=entry.carried)
            found.append(Hit("game", label(entry, given), text, page, near))
    for name in games():
        if not any(entry.name == name for entry in entries) and matches(words, said_of(name)):
            found.append(Hit("to solve", name, summary(name), pages.url("/solve", game=name), _near(words, name)))
    for name in CONTESTS:
        if matches(words, f"{name} contest"):
            found.append(Hit("contest", name, "a contest of learned strategies", f"/contests/{name}", 1))
    return sorted(found, key=lambda hit: hit.near)


def _near(words: Sequence[str], title: str) -> int:
    return 0 if words == words_in(title) else 1 if matches(words, title) else 2


def _positions(library: Library, entries: Sequence[Entry], asked: str) -> Iterator[Hit]:
    """Positions that begin with the words of a title: `kuhn K check bet` is kuhn@K/check/bet."""
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
    """Whether there is such a position, as far as that is quick to see."""
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
