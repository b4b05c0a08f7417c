"""Who may be what, in lines for a terminal."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.present.model import View


def seats_told(view: View) -> list[str]:
    """How likely each seat is a spy and has a role: as stored, and by the facts alone where that differs."""
    heads = ["seat", "spy", *map(str.capitalize, view.seats[0].roles)]
    rows = [heads]
    for seat in view.seats:
        pairs = [(seat.spy, seat.spy_by_facts), *((one.odds, one.by_facts) for one in seat.roles.values())]
        rows.append([seat.name, *(_share(*pair) for pair in pairs)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    head = "Who may be what, if both sides play the stored strategies (and by the facts alone):"
    return [head, *(f"  {'  '.join(row)}".rstrip() for row in padded)]


def _share(odds: Fraction, facts: Fraction) -> str:
    return rationals.percent(odds) + ("" if odds == facts else f" ({rationals.percent(facts)})")
