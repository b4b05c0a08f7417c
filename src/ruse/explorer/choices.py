"""The games that a form offers to play: names, values and sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruse.explorer import wording
from ruse.explorer.entries import Entry, example, rules_and_table
from ruse.explorer.library import Library
from ruse.explorer.shelf import label, names

FILE = "?file="  # between a title and the source of one game or file with that title


@dataclass(frozen=True)
class GameChoice:
    """A game or file of the library."""

    value: str  # as a form names it
    shown: str  # what people read; tells entries with the same title apart
    title: str
    sides: tuple[str, str]
    headline: str  # empty if not solved and not known
    rules: str
    table: str


def choice_of(library: Library, entry: Entry, given: Mapping[str, str]) -> GameChoice:
    """Make the choice of an entry; `given` maps sources to the names that people gave."""
    summary = entry.summary
    rules, table = (summary.rules, summary.table) if summary else rules_and_table(example(entry))
    headline = headline_of(entry, library.standing(entry)) or wording.known_value(example(entry))
    value = entry.title if entry.carried is None else f"{entry.title}{FILE}{entry.carried}"
    shown = label(entry, given)
    if entry.carried is not None and entry.source not in given:
        shown += f" ({entry.carried})"
    return GameChoice(value, shown, entry.title, entry.sides, headline, rules, table)


def choices(library: Library) -> list[GameChoice]:
    """Return all choices, each once."""
    given = names(library)
    chosen = (choice_of(library, entry, given) for entry in library.entries() if not entry.missing)
    return list({choice.value: choice for choice in chosen}.values())


def headline_of(entry: Entry, standing: str) -> str:
    """Return the value of a solution in one line; empty if the game is not solved yet."""
    summary = entry.summary
    return "" if summary is None else f"{summary.sentence} ({wording.marked(summary.mark, standing)})"
