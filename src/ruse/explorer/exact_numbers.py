"""Exact numbers of a position: those that the page rounds, and all of them as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ruse.core import rationals
from ruse.core.game import Game
from ruse.explorer import wording
from ruse.explorer.insights import InsightStatus
from ruse.insight.costs import PositionCosts
from ruse.insight.model import Range
from ruse.present.model import View
from ruse.present.public import PublicState
from ruse.solution.strategy import Solution

MOST_CHARACTERS = 600  # of a number on a page; the CSV has all of it
MOST_AT_ONCE = 1_000  # of all numbers together, shown without a click

COLUMNS = (
    "position",
    "side",
    "kind",
    "what",
    "exact",
    "float",
    "value",
    "cost",
    "loss",
    "least",
    "greatest",
    "price",
    "facts",
    "next",
)


class ExactNumber(NamedTuple):
    """A number that the page rounds."""

    label: str
    text: str


def rounded(numbers: Iterable[tuple[str, Fraction]]) -> list[ExactNumber]:
    """Return the exact numbers that are too long for a table."""
    result = []
    for label, number in numbers:
        text = rationals.write(number)
        if len(text) > wording.LONG:
            long = len(text) > MOST_CHARACTERS
            shown = f"{len(text):,} characters, which the CSV has" if long else text.replace("-", "−")
            result.append(ExactNumber(label, shown))
    return result


def at_once(numbers: Iterable[ExactNumber]) -> bool:
    """Return whether the numbers are short enough to show without a click."""
    return sum(len(number.text) for number in numbers) <= MOST_AT_ONCE


def of_view(
    solution: Solution, view: View, looked: InsightStatus, costs: PositionCosts | None = None
) -> list[ExactNumber]:
    """Return the odds, and the values, costs, beliefs and prices that are exact."""
    return rounded(
        [*_of_view(solution, view), *_of_costs(solution.game, view, costs), *_of_insight(solution.game, looked)]
    )


def _of_costs(game: Game, view: View, costs: PositionCosts | None) -> Iterator[tuple[str, Fraction]]:
    if costs is None or not view.exact:
        return
    for move in costs.moves.values():
        yield f"{move.move}, costs {costs.condition}", move.cost / 2 if wording.won_or_lost(game) else move.cost


def _of_insight(game: Game, looked: InsightStatus) -> Iterator[tuple[str, Fraction]]:
    for move in looked.result.there.moves if looked.result else ():
        if move.range is not None and move.range.exact and move.kind == "may":
            yield f"{move.move}, least", move.range.least.value
            yield f"{move.move}, most", move.range.greatest.value
        if move.price is not None and move.price == move.price_at_least:
            yield f"{move.move}, costs if always played", move.price / 2 if wording.won_or_lost(game) else move.price


def _of_view(solution: Solution, view: View) -> Iterator[tuple[str, Fraction]]:
    game = solution.game
    measure = "how often it wins" if wording.won_or_lost(game) else "payoff"
    if view.exact:
        yield f"this position, {measure}", wording.own(game, view.value, view.side)
        yield f"from the start, {measure}", wording.own(game, solution.certificate.lower, view.side)
    for option in view.options:
        if view.exact or view.turn == view.side:
            yield f"{option.move}, how often", option.odds
        if view.exact and option.value is not None:
            yield f"{option.move}, {measure}", wording.own(game, option.value, view.side)
        if view.exact and option.loss is not None:
            yield (
                f"{option.move}, costs against the stored opponent",
                option.loss / 2 if wording.won_or_lost(game) else option.loss,
            )
    for belief in view.beliefs if view.exact else ():
        yield f"{belief.what}, how likely", belief.odds


def of_hands(game: Game, state: PublicState, show: str) -> list[ExactNumber]:
    """Return the exact numbers of all hands of a public state that its table shows."""
    return rounded(_of_hands(game, state, show))


def _of_hands(game: Game, state: PublicState, show: str) -> Iterator[tuple[str, Fraction]]:
    for hand in state.hands:
        exact, name = hand.view.exact, hand.name or "any"
        if exact:
            yield f"{name}, how likely", hand.odds
            yield f"{name}, payoff", wording.own(game, hand.view.value, state.side)
        for option in hand.view.options:
            if show == "odds":
                yield f"{name}, {option.move}", option.odds
            elif exact and option.value is not None:
                yield f"{name}, {option.move}", wording.own(game, option.value, state.side)


def sheet(game: Game, view: View, looked: InsightStatus, costs: PositionCosts | None = None) -> str:
    """Return a position as CSV: one row for itself, for each move or event, and for each belief.

    `exact` is the value, the probability or the belief; values are payoffs to the first side. `cost` is the primary
    figure, `loss` the cost against the stored opponent. Ranges and prices are included if insight has found them.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    same = {"position": view.position, "side": game.sides[view.side]}
    writer.writerow({**same, "kind": "position", "what": view.position, **_number(view.value)})
    kind = "move" if view.turn == view.side else "event"
    for option in view.options:
        move = looked.move(option.move)
        price = "" if move is None or move.price is None else rationals.write(move.price)
        row = {"value": _text(option.value), "loss": _text(option.loss), "next": option.after or "", "price": price}
        row["cost"] = _text(None if costs is None else costs.cost(option.move))
        ends = _ends(None if move is None else move.range)
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


def _ends(bounds: Range | None) -> dict[str, str]:
    if bounds is None:
        return {}
    return {"least": rationals.write(bounds.least.value), "greatest": rationals.write(bounds.greatest.value)}
