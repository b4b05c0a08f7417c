"""Who may be a spy or have a role at a table of hidden roles: lines for a terminal, tables for pages."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.present.model import Seat, View


def format_seats(view: View) -> list[str]:
    """Format how likely each seat is a spy and has each role: as stored, and by the facts alone where that differs."""
    heads = ["seat", "spy", *map(str.capitalize, view.seats[0].roles)]
    rows = [heads]
    for seat in view.seats:
        pairs = [(seat.spy, seat.spy_by_facts), *((role.odds, role.by_facts) for role in seat.roles.values())]
        rows.append([seat.name, *(_format_odds(*pair) for pair in pairs)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    head = "Who may be what, if both sides play the stored strategies (and by the facts alone):"
    return [head, *(f"  {'  '.join(row)}".rstrip() for row in padded)]


def _format_odds(odds: Fraction, facts: Fraction) -> str:
    return rationals.percent(odds) + ("" if odds == facts else f" ({rationals.percent(facts)})")


def secrets_in_words(view: View) -> list[tuple[str, Fraction, Fraction | None]]:
    """Return what may be hidden, with its probability under the view's assumption and by the facts alone."""
    if view.seats:
        spies = [(f"{seat.name} is a spy", seat.spy, seat.spy_by_facts) for seat in view.seats]
        roles = [
            (f"{seat.name} is {role.capitalize()}", odds.odds, odds.by_facts)
            for seat in view.seats
            for role, odds in seat.roles.items()
        ]
        return [*spies, *roles]
    return [(belief.what, belief.odds, None) for belief in view.beliefs]


def suspicions(view: View) -> dict[str, Fraction]:
    """Return how likely each seat is a spy, by name, under the view's assumption."""
    return {seat.name: seat.spy for seat in view.seats}


def has_roles(view: View) -> bool:
    """Return whether seats may have roles that the viewer's side does not see."""
    return any(seat.roles for seat in view.seats)


def role_names(view: View) -> list[str]:
    """Return the columns of the table of roles, without a column for a side that everybody knows."""
    return [*(["Spy"] if _sides_hidden(view) else []), *map(str.capitalize, view.seats[0].roles)]


def role_odds(view: View, seat: Seat) -> list[tuple[Fraction, Fraction]]:
    """Return the probability of each column for a seat, as assumed and by the facts alone."""
    spy = [(seat.spy, seat.spy_by_facts)] if _sides_hidden(view) else []
    return [*spy, *((role_share.odds, role_share.by_facts) for role_share in seat.roles.values())]


def _sides_hidden(view: View) -> bool:
    return any(seat.spy_by_facts not in (0, 1) for seat in view.seats) or view.side == 0
