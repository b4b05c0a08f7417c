"""Wording of position pages: conditions of values, costs of moves, beliefs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.game import END, UNNAMED, Game, noun
from ruse.explorer import wording
from ruse.insight.costs import BEST, REFERENCE, STORED, PositionCosts
from ruse.insight.model import NEVER, MoveInsight, PositionInsight, Range, Worst
from ruse.present.model import QUASI_PERFECT_ADVICE, View
from ruse.solution.headline import shares_between
from ruse.solution.strategy import Solution


def primary(view: View, costs: PositionCosts | None) -> tuple[Fraction, str]:
    """Return the value that the headline states and its condition, if that is not the value of the stored strategies.

    The moves of a position are compared against the reference opponent, so the headline is, too. The condition is
    empty where the stored strategies give the same value.
    """
    if costs is not None and costs.basis == REFERENCE and costs.moves:
        best = costs.moves[costs.best[0]].value
        if best != view.value:
            return best, costs.condition
    return view.value, ""


def condition(view: View, start: bool, costs: PositionCosts | None = None) -> str:
    """Return the condition of a position's value; `start` says that nothing has happened yet."""
    if view.turn == END:
        return ""
    if against := primary(view, costs)[1]:
        return against
    if view.advice == QUASI_PERFECT_ADVICE:
        return "if both sides play a quasi-perfect equilibrium from here on"
    if not view.reached:
        return "if both sides play the stored strategies from here on"
    return "if both sides play optimally" if start and view.exact else "if both sides play the stored strategies"


def at_position(
    solution: Solution, view: View, start: bool, standing: str = "", costs: PositionCosts | None = None
) -> wording.ValueText:
    """Put the value of a position and its condition into words."""
    here = f"from here {condition(view, start, costs)}".rstrip()
    return wording.verdict(solution, primary(view, costs)[0], view.exact, here, standing)


@dataclass(frozen=True)
class Term:
    """A value of a position under another condition than its headline."""

    name: str
    """such as From the start"""
    value: str
    """such as First wins 30% (3/10)"""
    why: str
    """on what terms"""


def terms(solution: Solution, view: View, worst: Worst | None = None, costs: PositionCosts | None = None) -> list[Term]:
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
    if primary(view, costs)[1]:
        listed.append(Term("As stored", level(game, view.value, side), "if both sides play the stored strategies"))
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
    plain = wording.won_or_lost(game) and mine in (0, 1)
    return f"{_subject(game, side)} {text if plain else _with_fraction(text, mine)}"


def _with_fraction(text: str, number: Fraction) -> str:
    """Add the fraction to a rounded number, unless it is long."""
    exact = wording.fraction(number)
    return text if exact == text or not wording.short_fraction(number) else f"{text} ({exact})"


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


def cost(game: Game, loss: Fraction, kind: str | None = None) -> str:
    """Format the cost of a move: in percentage points, or in payoff in games with draws, with the fraction.

    Of a move that no optimal strategy makes, not even a cost of 0 is called nothing.
    """
    if not loss:
        return "0" if kind == NEVER else "nothing"
    number = loss / 2 if wording.won_or_lost(game) else loss
    text = f"{wording.points(number)} points" if wording.won_or_lost(game) else wording.decimal(number)
    return _with_fraction(text, number)


def other_cost(game: Game, loss: Fraction | None) -> str:
    """Format another reading of a cost, which is a number even if it is 0."""
    return "–" if loss is None else cost(game, loss) if loss else "0"


def price(game: Game, move: MoveInsight | None) -> str:
    """Format the cost of a move as a fixed habit, or its bounds."""
    if move is None or move.price is None or move.price_at_least is None:
        return "not known yet"
    if move.price == move.price_at_least:
        return other_cost(game, move.price)
    return f"{other_cost(game, move.price_at_least)} to {other_cost(game, move.price)}, bounds only"


def cost_note(game: Game, costs: PositionCosts) -> str:
    """Say what the costs of a position do not prove; empty where they are against the reference opponent."""
    if costs.proved or costs.basis == BEST:
        return ""
    them = others(game, costs.side)
    if costs.basis == STORED:
        return (
            f"These costs are not proved for all optimal strategies: they are {costs.condition}, and another strategy "
            f"of {them} might punish a move that costs nothing here."
        )
    if costs.basis == REFERENCE and "mistake" not in costs.condition:
        return "More moves may be optimal here than the costs show: the comparison of all optimal strategies ran short."
    return f"Optimal play never comes here, so these costs hold {costs.condition}. The best move costs nothing."


def all_alike(game: Game, costs: PositionCosts | None) -> str:
    """Say that all moves do equally well, if they do."""
    if costs is None or len(costs.moves) < 2 or any(move.cost for move in costs.moves.values()):
        return ""
    return f"All moves do equally well {costs.condition}."


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
    return wording.percent(number) if number in (0, 1) else _with_fraction(wording.percent(number), number)


def kind(move: MoveInsight) -> str:
    """Say whether all optimal strategies make a move."""
    if move.range is None:
        return "not reached"
    return move.kind or "not proved"


def no_habit_costs(game: Game, there: PositionInsight) -> str:
    """Explain that no move costs anything as a fixed habit, if that is so."""
    if len(there.moves) < 2 or any(move.price != 0 for move in there.moves):
        return ""
    return (
        "As a fixed habit from the start, no move here costs you any of what you are guaranteed. If "
        f"{others(game, there.side)} could gain from your habit here, it gave away at least as much before."
    )


def why_none(game: Game, trouble: str, asked: bool) -> str:
    """Say why a page has no insight; `asked` if somebody requested it."""
    if isinstance(game, Open):
        return "Nothing is hidden in this game, so the value after each move is all there is to know."
    return wording.sentence(trouble if asked else f"no comparison of all optimal strategies here: {trouble}")
