"""The games that can be played, as a form offers them: what each is called, what it is worth, and its sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruse.explorer import say
from ruse.explorer.entries import Entry, example, told
from ruse.explorer.library import Library
from ruse.explorer.shelf import label, names

FILE = "?file="  # between a title and what tells games and files of that title apart


@dataclass(frozen=True)
class Choice:
    """A game or file of the library."""

    value: str  # as a form names it
    shown: str  # what people read: where several have one title, which of them it is
    title: str
    sides: tuple[str, str]
    headline: str  # empty where that is not known and it has yet to be solved
    rules: str
    table: str


def choice_of(library: Library, entry: Entry, given: Mapping[str, str]) -> Choice:
    """`given` are the names that people gave to files."""
    summary = entry.summary
    rules, table = (summary.rules, summary.table) if summary else told(example(entry))
    headline = headline_of(entry, library.standing(entry)) or say.foretold(example(entry))
    value = entry.title if entry.carried is None else f"{entry.title}{FILE}{entry.carried}"
    shown = label(entry, given)
    if entry.carried is not None and entry.source not in given:
        shown += f" ({entry.carried})"
    return Choice(value, shown, entry.title, entry.sides, headline, rules, table)


def choices(library: Library) -> list[Choice]:
    """Each once."""
    given = names(library)
    found = (choice_of(library, entry, given) for entry in library.entries() if not entry.gone)
    return list({choice.value: choice for choice in found}.values())


def headline_of(entry: Entry, standing: str) -> str:
    """What a solution is worth, in a line; nothing of a game that has yet to be solved."""
    summary = entry.summary
    return "" if summary is None else f"{summary.sentence} ({say.marked(summary.mark, standing)})"
