"""What a position page says of a value's terms, of what moves cost and of what may be believed, in words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.game import END, UNNAMED, Game, noun
from ruse.explorer import say
from ruse.insight.model import MoveInsight, PositionInsight, Range, Worst
from ruse.present.model import Seat, View
from ruse.solution.headline import shares_between
from ruse.solution.strategy import Solution


def condition(view: View, start: bool) -> str:
    """On what terms the value of a position holds; `start` says that nothing has happened yet."""
    if view.turn == END:
        return ""
    if not view.reached:
        return "if both sides play the stored strategies from here on"
    return "if both sides play optimally" if start and view.exact else "if both sides play the stored strategies"


def at_position(solution: Solution, view: View, start: bool, standing: str = "") -> say.Verdict:
    """What a position is worth, and on what terms, in a sentence."""
    return say.verdict(solution, view.value, view.exact, f"from here {condition(view, start)}".rstrip(), standing)


@dataclass(frozen=True)
class Term:
    """A value of a position on other terms than those of its headline."""

    name: str
    """such as From the start"""
    value: str
    """such as Resistance wins 30% (3/10)"""
    why: str
    """on what terms"""


def terms(solution: Solution, view: View, worst: Worst | None = None) -> list[Term]:
    """What the game is worth from the start, and what the position is at worst, to the side that looks."""
    game, side, bounds = solution.game, view.side, solution.certificate
    if bounds.exact:
        value = level(game, bounds.lower, side)
    elif say.won_or_lost(game):
        value = f"{_subject(game, side)} {rationals.within(*shares_between(bounds, side), '%')}"
    else:
        lower, upper = sorted(say.own(game, end, side) for end in (bounds.lower, bounds.upper))
        value = f"{_subject(game, side)} {say.within(lower, upper)}"
    found = [Term("From the start", value, "at the start of the game, if both sides play optimally")]
    if worst is not None and view.turn != END:
        them = others(game, side)
        told = worst.fact if " " in worst.fact else f"what is hidden is {worst.fact}"
        why = f"if {told}, and {them} {'do' if them.endswith('s') else 'does'} what hurts the stored strategy most"
        found.append(Term("At worst from here", level(game, worst.value, side), why))
    return found


def _subject(game: Game, side: int) -> str:
    name = say.name_of(game, side)
    return f"{name} {say.wins(name)}" if say.won_or_lost(game) else f"{name} {'get' if name.endswith('s') else 'gets'}"


def level(game: Game, value: Fraction, side: int) -> str:
    """A value as a side counts it, with its fraction: Resistance wins 30% (3/10), First gets −0.0556 (−1/18)."""
    mine = say.own(game, value, side)
    text = say.percent(mine) if say.won_or_lost(game) else say.decimal(mine)
    exact = say.fraction(mine)
    plain = exact == text or (say.won_or_lost(game) and mine in (0, 1))
    return f"{_subject(game, side)} {text}" + ("" if plain else f" ({exact})")


def opponent(game: Game, side: int) -> str:
    """The stored strategy of the other side, as a person meets it: these spies, this resistance."""
    name = noun(game.sides[1 - side])
    if name in UNNAMED.values():
        return "this opponent"
    return f"these {name}" if name.endswith("s") else f"this {name}"


def others(game: Game, side: int) -> str:
    """The other side in a sentence about what it may do."""
    name = game.sides[1 - side]
    return "the other side" if name in UNNAMED else f"the {noun(name)}"


def cost(game: Game, loss: Fraction) -> str:
    """What a move costs: percentage points where one of two sides wins, else in payoff, with the fraction."""
    if not loss:
        return "nothing"
    number = loss / 2 if say.won_or_lost(game) else loss
    text = f"{say.points(number)} points" if say.won_or_lost(game) else say.decimal(number)
    exact = say.fraction(number)
    return text if exact == text else f"{text} ({exact})"


def price(game: Game, move: MoveInsight) -> str:
    """What a move costs if it is always made, between which bounds where it is not proved."""
    if move.price is None or move.price_at_least is None:
        return "not found in time"
    if move.price == move.price_at_least:
        return cost(game, move.price)
    return f"{cost(game, move.price_at_least)} to {cost(game, move.price)}, bounds only"


def spread(found: Range | None) -> str:
    """Odds over all optimal strategies that come here, as fractions; bounds say that they are bounds."""
    if found is None:
        return "–"
    least, greatest = found.least.value, found.greatest.value
    text = share(least) if least == greatest else f"{share(least)} to {share(greatest)}"
    return text if found.exact else f"{text}, bounds only"


def ends(found: Range) -> str:
    """The same in a cell beside the stored odds: as fractions alone."""
    least, greatest = (say.fraction(end.value) for end in (found.least, found.greatest))
    text = "at no other odds" if found.least.value == found.greatest.value else f"{least} to {greatest}"
    return text if found.exact else f"{text}, bounds only"


def share(number: Fraction) -> str:
    """A share with its fraction: 33.33% (1/3), 100%."""
    return say.percent(number) if number in (0, 1) else f"{say.percent(number)} ({say.fraction(number)})"


def kind(move: MoveInsight) -> str:
    """Whether all optimal strategies make a move."""
    if move.range is None:
        return "never reached"
    return move.kind or "not proved"


def never_dear(game: Game, there: PositionInsight) -> str:
    """Why no move costs anything even if it is always made, where that is so; else nothing."""
    if len(there.moves) < 2 or any(move.price != 0 for move in there.moves):
        return ""
    return (
        "As a fixed habit, no move here costs you any of what you are guaranteed from the start. If "
        f"{others(game, there.side)} could gain from your habit here, it gave away at least as much before."
    )


def why_none(game: Game, trouble: str, asked: bool) -> str:
    """Why a page has no insight, or why the answer to what a person `asked` of it is no."""
    if isinstance(game, Open):
        return "Nothing is hidden in this game, so the value after each move is all there is to know."
    return say.sentence(trouble if asked else f"no comparison of all optimal strategies here: {trouble}")


def told_in_words(view: View) -> list[tuple[str, Fraction, Fraction | None]]:
    """What is hidden, as insight names it too: how likely under the view's assumption, and by the facts alone."""
    if view.seats:
        spies = [(f"{seat.name} is a spy", seat.spy, seat.spy_by_facts) for seat in view.seats]
        roles = [
            (f"{seat.name} is {role.capitalize()}", one.odds, one.by_facts)
            for seat in view.seats
            for role, one in seat.roles.items()
        ]
        return [*spies, *roles]
    return [(belief.what, belief.odds, None) for belief in view.beliefs]


def has_roles(view: View) -> bool:
    """Whether seats may have roles that the side that looks does not see."""
    return any(seat.roles for seat in view.seats)


def role_names(view: View) -> list[str]:
    """The columns of the table of roles: where nobody's side is hidden, spies have none."""
    return [*(["Spy"] if _sides_hidden(view) else []), *map(str.capitalize, view.seats[0].roles)]


def role_odds(view: View, seat: Seat) -> list[tuple[Fraction, Fraction]]:
    """How likely a seat is each of those, as assumed and by the facts alone."""
    spy = [(seat.spy, seat.spy_by_facts)] if _sides_hidden(view) else []
    return [*spy, *((one.odds, one.by_facts) for one in seat.roles.values())]


def _sides_hidden(view: View) -> bool:
    return any(seat.spy_by_facts not in (0, 1) for seat in view.seats) or view.side == 0


def all_alike(view: View) -> bool:
    """Whether it makes no difference to the value which move is made."""
    chosen = view.turn == view.side and len(view.options) > 1
    return chosen and all(option.loss == 0 for option in view.options)


def no_difference(game: Game, view: View) -> str:
    """Why no move costs anything against the stored opponent, where that is so; else nothing."""
    if not all_alike(view):
        return ""
    them, mine = opponent(game, view.side), say.own(game, view.value, view.side)
    if say.won_or_lost(game) and mine in (0, 1):
        return f"Against {them} this is {'lost' if mine == 0 else 'won'} whatever you do, so no move costs anything."
    return f"Against {them} all moves do equally well, so none costs anything."
