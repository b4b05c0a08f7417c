"""Numbers in words: the same everywhere on the pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ruse import digits
from ruse.game import CHANCE, END, Game
from ruse.strategy import Solution
from ruse.view.model import View

LONG = 15  # characters of a fraction that people still read


def fraction(number: Fraction | float) -> str:
    """A fraction as people read it: exactly, unless it is long."""
    if isinstance(number, Fraction) and len(text := digits.write(number)) <= LONG:
        return text.replace("-", "−")
    return f"≈ {float(number):.6g}".replace("-", "−")


def exactly(number: Fraction) -> str:
    """What a tooltip says where `fraction` rounds."""
    return digits.brief(number).replace("-", "−")


def decimal(number: Fraction | float) -> str:
    return f"{float(number):.4g}".replace("-", "−")


def percent(share: Fraction | float) -> str:
    """A share of at least 0: 70 %, 33.33 %."""
    return f"{100 * float(share):.4g} %"


def points(share: Fraction | float) -> str:
    """A difference of two shares of winning, in percentage points."""
    return f"{100 * float(share):.3g}"


def won_or_lost(game: Game) -> bool:
    return len(game.wins) == 2


def name_of(game: Game, side: int) -> str:
    name = game.sides[side]
    return name[:1].upper() + name[1:]


def wins(name: str) -> str:
    """A verb that fits: spies win, resistance wins."""
    return "win" if name.endswith("s") else "wins"


def share_of(value: Fraction, side: int) -> Fraction:
    """How often a side wins in a game that is won or lost."""
    return (1 + value) / 2 if side == 0 else (1 - value) / 2


def payoff_to(value: Fraction, side: int) -> Fraction:
    return value if side == 0 else -value


@dataclass(frozen=True)
class Verdict:
    """Who is ahead, in a sentence and as a bar."""

    sentence: str  # "Spies win 70 % from here"
    mark: str  # "7/10, exact"; "7/10, claimed" where nobody has checked that
    full: str  # the exact number, where the mark rounds
    shares: tuple[tuple[str, float, str], ...]  # name, per cent, what the bar says; () where nobody wins or loses


def verdict(solution: Solution, value: Fraction, exact: bool, here: str = "from here", standing: str = "") -> Verdict:
    """A value in a sentence. Of two sides, the one ahead is named."""
    game = solution.game
    if won_or_lost(game):
        ahead = 0 if value >= 0 else 1
        share = share_of(value, ahead)
        name = name_of(game, ahead)
        shares = tuple(
            (game.sides[side], 100 * float(share_of(value, side)), percent(share_of(value, side))) for side in (0, 1)
        )
        told = f"{name} {wins(name)} {percent(share)} {here}".rstrip()
        return Verdict(told, marked(_mark(solution, share, exact), standing), exactly(share), shares)
    told = f"Worth {decimal(value)} to {game.sides[0]} {here}".rstrip()
    return Verdict(told, marked(_mark(solution, value, exact), standing), exactly(value), ())


def _mark(solution: Solution, number: Fraction, exact: bool) -> str:
    return f"{fraction(number)}, exact" if exact else bounded(solution)


def marked(mark: str, standing: str) -> str:
    """A mark of a solution from elsewhere, which says so until it was checked here, or that it was refuted."""
    if standing in ("claimed", "refuted") and mark.endswith(", exact"):
        return f"{mark.removesuffix('exact')}{standing}"
    return f"{mark}, {standing}" if standing else mark


def solved(solution: Solution, standing: str = "") -> Verdict:
    """What a whole game is worth; where only bounds are known, the middle of them."""
    value = solution.value
    middle = value if isinstance(value, Fraction) else (solution.certificate.lower + solution.certificate.upper) / 2
    return verdict(solution, middle, solution.certificate.exact, "", standing)


def headline(solution: Solution, standing: str) -> str:
    """The same in a line: what the solution says of itself, and how that stands."""
    worth = solved(solution, standing)
    return f"{worth.sentence} ({worth.mark})"


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!", "…")) or not text else ".")


def bounded(solution: Solution) -> str:
    """How sure the value of a game is that is not exact."""
    if not solution.judged:
        return "estimated, no bounds"
    lower, upper = solution.certificate.lower, solution.certificate.upper
    whose = ""
    if won_or_lost(solution.game):
        lower, upper, whose = (1 + lower) / 2, (1 + upper) / 2, f" for {solution.game.sides[0]}"
    digits = next((count for count in range(4, 13) if f"{float(lower):.{count}g}" != f"{float(upper):.{count}g}"), 12)
    return f"the game bounded [{float(lower):.{digits}g}, {float(upper):.{digits}g}]{whose}".replace("-", "−")


def turn(game: Game, view: View) -> str:
    """Who is to move, to the side that looks."""
    me = name_of(game, view.side)
    if view.turn == END:
        return "The play is over."
    if view.turn == view.side:
        return f"{me} to move."
    if view.turn == CHANCE:
        return f"{me} {waits(me)}: chance decides."
    if view.turn is None:
        return f"{me} {waits(me)}."
    return f"{me} {waits(me)}: {game.sides[1 - view.side]} to move."


def waits(name: str) -> str:
    return "wait" if name.endswith("s") else "waits"


def heat(table: list[list[str]]) -> list[list[int | None]]:
    """A step from 0 to 9 for each number of a table, low to high; None for what is no number."""
    numbers = [[_number(cell) for cell in row] for row in table]
    known = [number for row in numbers[1:] for number in row[1:] if number is not None]
    if not known:
        return [[None for _ in row] for row in table]
    low, high = min(known), max(known)
    span = float(high - low) or 1.0
    return [[None if one is None else min(9, int(10 * float(one - low) / span)) for one in row] for row in numbers]


def _number(text: str) -> Fraction | None:
    found = re.fullmatch(r"([-−]?\d+(?:\.\d+)?(?:/\d+)?)( ?%)?", text.strip())
    try:
        return Fraction(found[1].replace("−", "-")) if found else None
    except (ValueError, ZeroDivisionError):
        return None
