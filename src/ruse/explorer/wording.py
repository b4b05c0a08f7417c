"""Numbers and values in words, for all pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.capabilities import Ranged, payoff_to
from ruse.core.certificate import DECLARED, NONE, PROOFS, sureness
from ruse.core.contract import built_in
from ruse.core.game import CHANCE, END, Game, display_name
from ruse.core.registry import call_optional
from ruse.present.model import View
from ruse.present.rules import headed
from ruse.solution.headline import nobody_ahead, shares_between, worths, worths_between
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.core.certificate import Certificate

LONG = 15  # characters of a fraction that people still read


def brief(sentence: str) -> str:
    """Round the percentages of a headline to whole ones, unless that makes them 0% or 100%, and payoffs to 3 digits."""
    rounded = re.sub(r"\d+\.\d+%", lambda match: _whole(match[0]), sentence)
    return re.sub(r"\d+\.\d{3,}(?!%)", lambda match: f"{float(match[0]):.3g}", rounded)


def unbroken(sentence: str) -> str:
    """Keep a number on the line of its noun, as in Player 1."""
    return re.sub(r"(?<=[A-Za-z]) (?=\d+\b)", "\u00a0", sentence)


def _whole(percentage: str) -> str:
    rounded = f"{float(percentage[:-1]):.0f}%"
    return percentage if rounded in ("0%", "100%") else rounded


def fraction(number: Fraction | float) -> str:
    """Format a fraction exactly, unless it is long."""
    if isinstance(number, Fraction) and short_fraction(number):
        return rationals.write(number).replace("-", "−")
    if 0 < number < rationals.TINY:
        return "< 0.00001"
    return f"≈ {rationals.near(number, rationals.USUAL)}".replace("-", "−")


def short_fraction(number: Fraction | float) -> bool:
    """Return whether a number is a fraction that is short enough to read."""
    return isinstance(number, Fraction) and len(rationals.write(number)) <= LONG


def exactly(number: Fraction) -> str:
    """Format the exact number for the tooltip of a rounded one."""
    return rationals.brief(number).replace("-", "−")


def decimal(number: Fraction | float) -> str:
    return rationals.near(number, 4).replace("-", "−")


def equals(number: Fraction) -> str:
    """Format the decimal beside a fraction: = 0.25, ≈ 0.3333; empty for whole numbers."""
    return "" if number.denominator == 1 else rationals.equals(number, 4).replace("-", "−")


def percent(share: Fraction | float) -> str:
    """Format a share as a percentage: 70%, 33.33%."""
    return rationals.percent(Fraction(share))


def points(share: Fraction | float) -> str:
    """Format a difference of win rates in percentage points, without the unit."""
    return rationals.near(100 * share, 3)


def rounded(lower: float, upper: float) -> list[str]:
    """Round the bounds of a running solve outward."""
    return [bound.replace("-", "−") for bound in (rationals.below(lower, 9), rationals.above(upper, 9))]


def bounds(certificate: Certificate) -> tuple[str, str]:
    """Format both bounds: exactly if equal or short, otherwise rounded outward."""
    ends = (certificate.lower, certificate.upper)
    texts = (rationals.bounds if certificate.exact else rationals.outward)(*ends)
    exact = [rationals.write(end) for end in ends]
    lower, upper = (full if len(full) <= LONG else short for full, short in zip(exact, texts, strict=True))
    return lower.replace("-", "−"), upper.replace("-", "−")


def rests_on(proof: str, standing: str) -> str:
    """Say what the bounds rest on."""
    if standing in ("claimed", "refuted"):
        return {"claimed": "Nothing yet: the file claims them.", "refuted": "Nothing: they were refuted."}[standing]
    if proof == NONE:
        return "Not recorded by the version of ruse that solved it. Verify recomputes both bounds."
    text = PROOFS[proof]
    return f"{text[0].upper()}{text[1:]}."


def verifiable(solution: Solution) -> bool:
    """Return whether `ruse verify` can check a solution; some are too large."""
    from ruse.verify.verifier import refusal

    return not refusal(solution)


def won_or_lost(game: Game) -> bool:
    return len(game.wins) == 2


def name_of(game: Game, side: int) -> str:
    return headed(game.sides[side])


def wins(name: str) -> str:
    """Return the verb that agrees with a side's name."""
    return "win" if name.endswith("s") else "wins"


def share_of(value: Fraction, side: int) -> Fraction:
    """Return how often a side wins in a game without draws."""
    return (1 + value) / 2 if side == 0 else (1 - value) / 2


def own(game: Game, value: Fraction, side: int) -> Fraction:
    """Return a value from a side's view: its win rate, or its payoff in games with draws."""
    return share_of(value, side) if won_or_lost(game) else payoff_to(game, side, value)


@dataclass(frozen=True)
class ValueText:
    """A value as a sentence, as a mark and as a bar."""

    sentence: str  # such as "First wins 70% from here"
    mark: str  # "7/10, exact", or "7/10, claimed" if unchecked
    full: str  # the exact number, if the mark rounds it; empty if unknown
    shares: tuple[tuple[str, float, str], ...]  # name, percent, text of the bar; () in games with draws


def verdict(solution: Solution, value: Fraction, exact: bool, here: str, standing: str = "") -> ValueText:
    """Put a value into words: name the side that is ahead. A value that is not exact is that of two strategies."""
    game = solution.game
    if won_or_lost(game):
        ahead = 0 if value >= 0 else 1
        share = share_of(value, ahead)
        name = name_of(game, ahead)
        shares = tuple(
            (display_name(game.sides[side]), 100 * float(share_of(value, side)), percent(share_of(value, side)))
            for side in (0, 1)
        )
        text = f"{name} {wins(name)} {percent(share)} {here}".rstrip()
        return ValueText(text, marked(_mark(solution, share, exact), standing), exactly(share), shares)
    text = f"{value_text(game, value)} {here}".rstrip()
    return ValueText(text, marked(_mark(solution, value, exact), standing), exactly(value), ())


def value_text(game: Game, value: Fraction) -> str:
    """Format a value of a game with draws, at the start of a sentence."""
    return headed(nobody_ahead(game, value)) or f"Worth {worths(game, value, decimal)}"


def _mark(solution: Solution, number: Fraction, exact: bool) -> str:
    if not exact:
        return bounded(solution)
    sure = sureness(solution.certificate) if solution.certificate.proof == DECLARED else "exact"
    return f"{fraction(number)}, {sure}" if short_fraction(number) else sure


def marked(mark: str, standing: str) -> str:
    """Mark a solution from elsewhere as claimed, checked or refuted."""
    if standing in ("claimed", "refuted") and mark.endswith("exact") and mark != "not exact":
        return f"{mark.removesuffix('exact')}{standing}"
    return f"{mark}, {standing}" if standing else mark


def solved(solution: Solution, standing: str = "") -> ValueText:
    """Put the value of a whole game into words, or its bounds."""
    game, bounds = solution.game, solution.certificate
    if bounds.exact:
        return verdict(solution, bounds.lower, True, "", standing)
    if not solution.judged:
        return ValueText("No bounds proved yet", marked(bounded(solution), standing), "", ())
    ends, unit = (bounds.lower, bounds.upper), ""
    ahead = 0 if bounds.lower + bounds.upper >= 0 else 1
    if won_or_lost(game):
        ends, unit = shares_between(bounds, ahead), "%"
    mark = bounded(solution) if rationals.settled(*ends, unit) else "not exact"
    name = name_of(game, ahead)
    text = (
        f"{name} {wins(name)} {rationals.within(*ends, unit)}"
        if unit
        else f"Worth {worths_between(game, *ends, within)}"
    )
    return ValueText(text, marked(mark, standing), "", ())


def within(lower: Fraction, upper: Fraction) -> str:
    return rationals.within(lower, upper).replace("-", "−")


def play(solution: Solution, standing: str) -> str:
    """Name the play of both strategies: "optimal play" only if that is proved."""
    proved = solution.certificate.exact and standing not in ("claimed", "refuted")
    return "optimal play" if proved else "play by these strategies"


def headline(solution: Solution, standing: str) -> str:
    """Return the value of a solution and its mark in one line."""
    value = solved(solution, standing)
    return f"{value.sentence} ({value.mark})"


def known_value(game: Game) -> str:
    """Return the value that ruse has proved for a built-in game before, in one line; empty if none."""
    if not built_in(game) or call_optional(Ranged.known_by, game):
        return ""
    if (value := call_optional(Ranged.known_value, game)) is None:
        return ""
    if not won_or_lost(game):
        return f"{value_text(game, value)} ({fraction(value)}, proved when opened)"
    ahead = 0 if value >= 0 else 1
    name, share = name_of(game, ahead), share_of(value, ahead)
    return f"{name} {wins(name)} {percent(share)} ({fraction(share)}, proved when opened)"


def sentence(text: str) -> str:
    """Turn a clause into a sentence. A sentence stays as it is, since it may begin with a move such as ab."""
    return text if not text or text.endswith((".", "?", "!", "…")) else f"{text[:1].upper()}{text[1:]}."


def bounded(solution: Solution) -> str:
    """Describe the bounds of a value that is not exact."""
    if not solution.judged:
        return "no bounds"
    bounds, owner, unit = solution.certificate, "", ""
    ends = (bounds.lower, bounds.upper)
    if won_or_lost(solution.game):
        ends, owner, unit = shares_between(bounds, 0), f" for {display_name(solution.game.sides[0])}", "%"
    return f"the game bounded {rationals.interval(*ends, unit).replace('-', '−')}{owner}"


def turn(game: Game, view: View) -> str:
    """Say whose turn it is, from the viewer's side."""
    me = name_of(game, view.side)
    if view.turn == END:
        return "The game is over."
    if view.turn == view.side:
        return f"{me} to move."
    if view.turn == CHANCE:
        return f"{me} {waits(me)}: chance decides."
    if view.turn is None:
        return f"{me} {waits(me)}."
    return f"{me} {waits(me)}: {display_name(game.sides[1 - view.side])} to move."


def waits(name: str) -> str:
    return "wait" if name.endswith("s") else "waits"


def heat(table: list[list[str]]) -> list[list[int | None]]:
    """Return a level from 0 to 9 for each number of a table, low to high; None for other cells."""
    numbers = [[_number(cell) for cell in row] for row in table]
    known = [number for row in numbers[1:] for number in row[1:] if number is not None]
    if not known:
        return [[None for _ in row] for row in table]
    low, high = min(known), max(known)
    span = float(high - low) or 1.0
    return [
        [None if number is None else min(9, int(10 * float(number - low) / span)) for number in row] for row in numbers
    ]


def _number(text: str) -> Fraction | None:
    match = re.fullmatch(r"([-−]?\d+(?:\.\d+)?(?:/\d+)?)(%)?", text.strip())
    try:
        return Fraction(match[1].replace("−", "-")) if match else None
    except (ValueError, ZeroDivisionError):
        return None
