"""Numbers of a position in full: those that the page rounds, and all of them as a table for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ruse.core import rationals
from ruse.core.game import Game
from ruse.explorer import say
from ruse.explorer.insights import Looked
from ruse.insight.model import Range
from ruse.present.model import View
from ruse.present.public import PublicState
from ruse.solution.strategy import Solution

MOST_CHARACTERS = 600  # of a number on a page; files have all of it
MOST_AT_ONCE = 1_000  # of all of them, without having been asked for

COLUMNS = (
    "position",
    "side",
    "kind",
    "what",
    "exact",
    "float",
    "value",
    "loss",
    "least",
    "greatest",
    "price",
    "facts",
    "next",
)


class InFull(NamedTuple):
    """A number that the page rounds."""

    what: str
    text: str


def rounded(numbers: Iterable[tuple[str, Fraction]]) -> list[InFull]:
    """Those that people would not read beside a table, exactly."""
    found = []
    for what, number in numbers:
        text = rationals.write(number)
        if len(text) > say.LONG:
            long = len(text) > MOST_CHARACTERS
            shown = f"{len(text):,} characters, which the CSV has" if long else text.replace("-", "−")
            found.append(InFull(what, shown))
    return found


def at_once(numbers: Iterable[InFull]) -> bool:
    """Whether they are few enough to show unasked."""
    return sum(len(one.text) for one in numbers) <= MOST_AT_ONCE


def of_view(solution: Solution, view: View, looked: Looked) -> list[InFull]:
    """The odds, which are exact as they are stored, and values, beliefs and prices where those are exact."""
    return rounded([*_of_view(solution, view), *_of_insight(solution.game, looked)])


def _of_insight(game: Game, looked: Looked) -> Iterator[tuple[str, Fraction]]:
    for move in looked.told.there.moves if looked.told else ():
        if move.range is not None and move.range.exact and move.kind == "may":
            yield f"{move.move}, least", move.range.least.value
            yield f"{move.move}, most", move.range.greatest.value
        if move.price is not None and move.price == move.price_at_least:
            yield f"{move.move}, costs if always played", move.price / 2 if say.won_or_lost(game) else move.price


def _of_view(solution: Solution, view: View) -> Iterator[tuple[str, Fraction]]:
    game = solution.game
    worth = "how often it wins" if say.won_or_lost(game) else "worth"
    if view.exact:
        yield f"this position, {worth}", say.own(game, view.value, view.side)
        yield f"from the start, {worth}", say.own(game, solution.certificate.lower, view.side)
    for option in view.options:
        if view.exact or view.turn == view.side:
            yield f"{option.move}, how often", option.odds
        if view.exact and option.value is not None:
            yield f"{option.move}, {worth}", say.own(game, option.value, view.side)
        if view.exact and option.loss is not None:
            yield f"{option.move}, costs", option.loss / 2 if say.won_or_lost(game) else option.loss
    for belief in view.beliefs if view.exact else ():
        yield f"{belief.what}, how likely", belief.odds


def of_hands(game: Game, state: PublicState, show: str) -> list[InFull]:
    """The same of all hands of a public state, as far as its table has them."""
    return rounded(_of_hands(game, state, show))


def _of_hands(game: Game, state: PublicState, show: str) -> Iterator[tuple[str, Fraction]]:
    for hand in state.hands:
        exact, name = hand.view.exact, hand.name or "any"
        if exact:
            yield f"{name}, how likely", hand.odds
            yield f"{name}, worth", say.own(game, hand.view.value, state.side)
        for option in hand.view.options:
            if show == "odds":
                yield f"{name}, {option.move}", option.odds
            elif exact and option.value is not None:
                yield f"{name}, {option.move}", say.own(game, option.value, state.side)


def sheet(game: Game, view: View, looked: Looked) -> str:
    """A position as CSV: a row for itself, for each move or event, and for each thing that may be hidden.

    `exact` is the value, the odds or the belief; values are payoffs to the first side. Ranges and prices are there
    where insight has been found.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    same = {"position": view.position, "side": game.sides[view.side]}
    writer.writerow({**same, "kind": "position", "what": view.position, **_number(view.value)})
    kind = "move" if view.turn == view.side else "event"
    for option in view.options:
        found = looked.move(option.move)
        price = "" if found is None or found.price is None else rationals.write(found.price)
        row = {"value": _text(option.value), "loss": _text(option.loss), "next": option.after or "", "price": price}
        ends = _ends(None if found is None else found.range)
        writer.writerow({**same, "kind": kind, "what": option.move, **_number(option.odds), **row, **ends})
    for belief in view.beliefs:
        known = looked.belief(belief.what)
        more = {**_ends(known.range), "facts": rationals.write(known.facts)} if known is not None else {}
        writer.writerow({**same, "kind": "belief", "what": belief.what, **_number(belief.odds), **more})
    return text.getvalue()


def _number(number: Fraction) -> dict[str, object]:
    return {"exact": rationals.write(number), "float": float(number)}


def _text(number: Fraction | None) -> str:
    return "" if number is None else rationals.write(number)


def _ends(found: Range | None) -> dict[str, str]:
    if found is None:
        return {}
    return {"least": rationals.write(found.least.value), "greatest": rationals.write(found.greatest.value)}
