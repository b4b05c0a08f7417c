"""What the other side may know at a position: where "switch side" leads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core.game import RuseError
from ruse.explorer import pages
from ruse.explorer.library import Opened
from ruse.present.model import View

MOST_DEALS = 12  # that are offered


@dataclass(frozen=True)
class Deal:
    """Where "switch side" may lead."""

    what: str  # what the other side would know, in words; empty where there is only one
    odds: Fraction | None  # how likely that is, if both sides play the stored strategies
    to: str  # the address


def deals(opened: Opened, view: View, carried: dict[str, Any]) -> list[Deal]:
    """What the other side may know here, a typical one first: one where play comes most often, up to names."""
    other, viewer = 1 - view.side, opened.viewer
    found: list[tuple[Fraction, Deal]] = []
    for what, odds, position in _counterparts(opened.solution.game.title, view):
        with suppress(RuseError):
            there = viewer.at(position, other)
            link = pages.position_url(there.position, {**carried, "side": there.side})
            found.append((there.reach or Fraction(0), Deal(what, odds, link)))
    if found:
        typical = max(range(len(found)), key=lambda number: (found[number][0], found[number][1].odds or 0, -number))
        return [deal for _, deal in [found.pop(typical), *found]]
    seen = [view.position, _public(opened.solution.game.title, view), viewer.start(other)]
    if view.beliefs:  # the same text would mean the same secret
        seen.append(seen.pop(0))
    for position in seen:
        with suppress(RuseError):
            there = viewer.at(position, other)
            return [Deal("", None, pages.position_url(there.position, {**carried, "side": there.side}))]
    return [Deal("", None, pages.position_url(view.position, carried))]


def _counterparts(title: str, view: View) -> Iterator[tuple[str, Fraction, str]]:
    """The same public steps with secrets that the other side may have, the likeliest first; of many alike, some."""
    steps = view.position.removeprefix(title).partition("/")[2]
    public = f"/{steps}" if steps else ""
    likely = sorted(view.beliefs, key=lambda one: -one.odds)
    alike = [one for one in likely if one.odds == likely[0].odds]
    if len(alike) > MOST_DEALS:
        likely = [alike[place * len(alike) // MOST_DEALS] for place in range(MOST_DEALS)]
    for belief in likely[:MOST_DEALS]:
        yield belief.what, belief.odds, belief.there or f"{title}@{belief.what.split()[-1]}{public}"


def _public(title: str, view: View) -> str:
    """The same public steps without a secret."""
    steps = view.position.removeprefix(title).partition("/")[2]
    return f"{title}/{steps}" if steps else title
