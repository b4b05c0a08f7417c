"""What a solution comes to in a line: who wins how often, or what the game is worth, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.capabilities import Open, constant, payoff_to
from ruse.core.certificate import DECLARED, NONE, sureness
from ruse.core.game import Game, display_name

if TYPE_CHECKING:
    from ruse.core.certificate import Certificate
    from ruse.solution.strategy import Solution

DRAW = "a draw"
READABLE = 30  # characters of a fraction beside its percentage


def headline(solution: Solution) -> str:
    """The line."""
    game, certificate = solution.game, solution.certificate
    if not solution.judged:
        least, most = rationals.bounds(certificate.lower, certificate.upper)
        if certificate.proof == DECLARED:
            return f"{game.title}: no bounds proved yet; the game declares payoffs between {least} and {most}"
        return f"{game.title}: no bounds proved yet; payoffs lie between {least} and {most}"
    if not certificate.exact:
        return f"{game.title}: {_between(game, certificate)}"
    win, text = solution.win, nobody_ahead(game, certificate.lower) or f"worth {worths(game, certificate.lower)}"
    if len(win) == 2:
        text = _won({name: _percent(Fraction(share), rationals.MOST_IN_SENTENCES) for name, share in win.items()})
    elif win and (text != DRAW or win[game.wins[2]] != 1):
        text = "even" if text == DRAW else text  # the shares are of these strategies: others may draw more or less
        shares = _won({name: _percent(Fraction(share), READABLE) for name, share in win.items()})
        text += f" ({shares} with these strategies)"
    return f"{game.title}: {text}; {sureness(certificate)}"


def _between(game: Game, certificate: Certificate) -> str:
    """A value that is known within bounds: about what, if they agree in all that is shown, else between which."""
    bounds, unit = (certificate.lower, certificate.upper), ""
    if len(game.wins) == 2:  # told as how often each side wins
        bounds, unit = shares_between(certificate, 0), "%"
        second = rationals.within(*shares_between(certificate, 1), unit)
        text = _won({game.wins[0]: rationals.within(*bounds, unit), game.wins[1]: second})
    else:
        text = f"worth {worths_between(game, *bounds)}"
    settled = rationals.settled(*bounds, unit)
    known = f"bounded {rationals.interval(*bounds, unit)}" if settled else "not exact"
    trusted = {NONE: ", claimed", DECLARED: ", if what the game declares holds"}.get(certificate.proof, "")
    return f"{text}; {known}{trusted}"


def shares_between(certificate: Certificate, side: int) -> tuple[Fraction, Fraction]:
    """How often a side wins at least and at most, in a game that is won or lost."""
    if side == 0:
        return (1 + certificate.lower) / 2, (1 + certificate.upper) / 2
    return (1 - certificate.upper) / 2, (1 - certificate.lower) / 2


def _won(shares: Mapping[str, str]) -> str:
    (first, share), *others = shares.items()
    return f"{display_name(first)} wins {share}" + "".join(f", {display_name(name)} {more}" for name, more in others)


def _exactly(value: Fraction) -> str:
    exact = rationals.brief(value)
    return exact if value.denominator == 1 or exact.startswith("about") else f"{exact} {rationals.equals(value)}"


def nobody_ahead(game: Game, value: Fraction) -> str:
    """What a value of 0 is called in a game that can be drawn: "a draw" where nothing is hidden, else "even"."""
    if value or len(game.wins) != 3:
        return ""
    return DRAW if isinstance(game, Open) else "even"


def worths(game: Game, value: Fraction, told: Callable[[Fraction], str] = _exactly) -> str:
    """What a value is to side 0, and to side 1 too where both share out a constant: "3 to Ann, 7 to Bob"."""
    sides = (0, 1) if constant(game) else (0,)
    return ", ".join(f"{told(payoff_to(game, side, value))} to {display_name(game.sides[side])}" for side in sides)


def worths_between(
    game: Game, lower: Fraction, upper: Fraction, told: Callable[[Fraction, Fraction], str] = rationals.within
) -> str:
    """The same of a value that is known within bounds."""
    first = f"{told(lower, upper)} to {display_name(game.sides[0])}"
    if not constant(game):
        return first
    second = told(payoff_to(game, 1, upper), payoff_to(game, 1, lower))
    return f"{first}, {second} to {display_name(game.sides[1])}"


def _percent(share: Fraction, most: int) -> str:
    """Percent, with the fraction if that has at most so many characters; files and --json have it in any case."""
    text = rationals.percent(share)
    if share.denominator == 1:
        return text
    return f"{text} ({exactly})" if len(exactly := rationals.write(share)) <= most else f"about {text}"
