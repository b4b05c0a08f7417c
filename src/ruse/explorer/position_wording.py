"""Wording of position pages: conditions of values, costs of moves, beliefs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.game import END, UNNAMED, Game, noun
from ruse.explorer import wording
from ruse.insight.model import MoveInsight, PositionInsight, Range, Worst
from ruse.present.model import QUASI_PERFECT_ADVICE, View
from ruse.solution.headline import shares_between
from ruse.solution.strategy import Solution


def condition(view: View, start: bool) -> str:
    """Return the condition of a position's value; `start` says that nothing has happened yet."""
    if view.turn == END:
        return ""
    if view.advice == QUASI_PERFECT_ADVICE:
        return "if both sides play a quasi-perfect equilibrium from here on"
    if not view.reached:
        return "if both sides play the stored strategies from here on"
    return "if both sides play optimally" if start and view.exact else "if both sides play the stored strategies"


def at_position(solution: Solution, view: View, start: bool, standing: str = "") -> wording.ValueText:
    """Put the value of a position and its condition into words."""
    return wording.verdict(solution, view.value, view.exact, f"from here {condition(view, start)}".rstrip(), standing)


@dataclass(frozen=True)
class Term:
    """A value of a position under another condition than its headline."""

    name: str
    """such as From the start"""
    value: str
    """such as First wins 30% (3/10)"""
    why: str
    """on what terms"""


def terms(solution: Solution, view: View, worst: Worst | None = None) -> list[Term]:
    """Return the value of the game from the start, and of the position at worst, for the viewer's side."""
    game, side, bounds = solution.game, view.side, solution.certificate
    if bounds.exact:
        value = level(game, bounds.lower, side)
    elif wording.won_or_lost(game):
        value = f"{_subject(game, side)} {rationals.within(*shares_between(bounds, side), '%')}"
    else:
        lower, upper = sorted(wording.own(game, end, side) for end in (bounds.lower, bounds.upper))
        value = f"{_subject(game, side)} {wording.within(lower, upper)}"
    listed = [Term("From the start", value, "at the start of the game, if both sides play optimally")]
    if worst is not None and view.turn != END:
        them = others(game, side)
        hidden = worst.fact if " " in worst.fact else f"the secret is {worst.fact}"
        play = "play" if them.endswith("s") else "plays"
        why = f"if {hidden}, and {them} {play} a best response to the stored strategy"
        listed.append(Term("At worst from here", level(game, worst.value, side), why))
    return listed


def _subject(game: Game, side: int) -> str:
    name = wording.name_of(game, side)
    return (
        f"{name} {wording.wins(name)}"
        if wording.won_or_lost(game)
        else f"{name} {'get' if name.endswith('s') else 'gets'}"
    )


def level(game: Game, value: Fraction, side: int) -> str:
    """Format a value from a side's view, with its fraction: First wins 30% (3/10), First gets −0.0556 (−1/18)."""
    mine = wording.own(game, value, side)
    text = wording.percent(mine) if wording.won_or_lost(game) else wording.decimal(mine)
    exact = wording.fraction(mine)
    plain = exact == text or (wording.won_or_lost(game) and mine in (0, 1))
    return f"{_subject(game, side)} {text}" + ("" if plain else f" ({exact})")


def opponent(game: Game, side: int) -> str:
    """Name the stored strategy of the other side, such as "these hunters" or "this opponent"."""
    name = noun(game.sides[1 - side])
    if name in UNNAMED.values():
        return "this opponent"
    return f"these {name}" if name.endswith("s") else f"this {name}"


def others(game: Game, side: int) -> str:
    """Name the other side within a sentence."""
    name = game.sides[1 - side]
    return "the other side" if name in UNNAMED else f"the {noun(name)}"


def cost(game: Game, loss: Fraction) -> str:
    """Format the cost of a move: in percentage points, or in payoff in games with draws, with the fraction."""
    if not loss:
        return "nothing"
    number = loss / 2 if wording.won_or_lost(game) else loss
    text = f"{wording.points(number)} points" if wording.won_or_lost(game) else wording.decimal(number)
    exact = wording.fraction(number)
    return text if exact == text else f"{text} ({exact})"


def price(game: Game, move: MoveInsight) -> str:
    """Format the cost of a move as a fixed habit, or its bounds."""
    if move.price is None or move.price_at_least is None:
        return "not known yet"
    if move.price == move.price_at_least:
        return cost(game, move.price)
    return f"{cost(game, move.price_at_least)} to {cost(game, move.price)}, bounds only"


def spread(odds: Range | None) -> str:
    """Format the range of a probability over all optimal strategies."""
    if odds is None:
        return "–"
    least, greatest = odds.least.value, odds.greatest.value
    text = share(least) if least == greatest else f"{share(least)} to {share(greatest)}"
    return text if odds.exact else f"{text}, bounds only"


def ends(odds: Range) -> str:
    """Format the range of a probability as fractions, for a cell beside the stored odds."""
    least, greatest = (wording.fraction(end.value) for end in (odds.least, odds.greatest))
    text = "at no other odds" if odds.least.value == odds.greatest.value else f"{least} to {greatest}"
    return text if odds.exact else f"{text}, bounds only"


def share(number: Fraction) -> str:
    """Format a share with its fraction: 33.33% (1/3), 100%."""
    return wording.percent(number) if number in (0, 1) else f"{wording.percent(number)} ({wording.fraction(number)})"


def kind(move: MoveInsight) -> str:
    """Say whether all optimal strategies make a move."""
    if move.range is None:
        return "never reached"
    return move.kind or "not proved"


def no_habit_costs(game: Game, there: PositionInsight) -> str:
    """Explain that no move costs anything as a fixed habit, if that is so."""
    if len(there.moves) < 2 or any(move.price != 0 for move in there.moves):
        return ""
    return (
        "As a fixed habit, no move here costs you any of what you are guaranteed from the start. If "
        f"{others(game, there.side)} could gain from your habit here, it gave away at least as much before."
    )


def why_none(game: Game, trouble: str, asked: bool) -> str:
    """Say why a page has no insight; `asked` if somebody requested it."""
    if isinstance(game, Open):
        return "Nothing is hidden in this game, so the value after each move is all there is to know."
    return wording.sentence(trouble if asked else f"no comparison of all optimal strategies here: {trouble}")


def all_alike(view: View) -> bool:
    """Return whether all moves have the same value."""
    chosen = view.turn == view.side and len(view.options) > 1
    return chosen and all(option.loss == 0 for option in view.options)


def no_difference(game: Game, view: View) -> str:
    """Explain that no move costs anything against the stored opponent, if that is so."""
    if not all_alike(view):
        return ""
    them, mine = opponent(game, view.side), wording.own(game, view.value, view.side)
    if wording.won_or_lost(game) and mine in (0, 1):
        return f"Against {them} this is {'lost' if mine == 0 else 'won'} whatever you do, so no move costs anything."
    return f"Against {them} all moves do equally well, so none costs anything."
