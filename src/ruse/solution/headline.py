"""A solution in one line: who wins how often, or the value of the game, and how certain that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.capabilities import Open, constant, payoff_to
from ruse.core.certificate import DECLARED, NONE, sureness
from ruse.core.game import Game, display_name, with_article

if TYPE_CHECKING:
    from ruse.core.certificate import Certificate
    from ruse.solution.strategy import Solution

DRAW = "a draw"
READABLE = 30  # characters of a fraction beside its percentage


def headline(solution: Solution) -> str:
    """Format the line."""
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
    """Format a value that is known within bounds: rounded if both bounds round alike, else as an interval."""
    bounds, unit = (certificate.lower, certificate.upper), ""
    if len(game.wins) == 2:  # shown as how often each side wins
        bounds, unit = shares_between(certificate, 0), "%"
        second = rationals.within(*shares_between(certificate, 1), unit)
        text = _won({game.wins[0]: rationals.within(*bounds, unit), game.wins[1]: second})
    else:
        text = f"worth {worths_between(game, *bounds)}"
    settled = rationals.settled(*bounds, unit)
    known = f"bounded {rationals.interval(*bounds, unit)}" if settled else "not exact"
    trusted = {NONE: ", claimed", DECLARED: ", if the game's declarations are true"}.get(certificate.proof, "")
    return f"{text}; {known}{trusted}"


def shares_between(certificate: Certificate, side: int) -> tuple[Fraction, Fraction]:
    """The least and the greatest share of games that a side wins, in a game without draws."""
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
    """The word for a value of 0 in a game with draws: "a draw" if nothing is hidden, else "even"."""
    if value or len(game.wins) != 3:
        return ""
    return DRAW if isinstance(game, Open) else "even"


def worths(game: Game, value: Fraction, format_payoff: Callable[[Fraction], str] = _exactly) -> str:
    """Format a value as the payoff to side 0, and in a constant-sum game to both sides: "3 to Ann, 7 to Bob"."""
    sides = (0, 1) if constant(game) else (0,)
    return ", ".join(
        f"{format_payoff(payoff_to(game, side, value))} to {with_article(game.sides[side])}" for side in sides
    )


def worths_between(
    game: Game, lower: Fraction, upper: Fraction, format_bounds: Callable[[Fraction, Fraction], str] = rationals.within
) -> str:
    """Format a value within bounds as the payoff to side 0, and in a constant-sum game to both sides."""
    first = f"{format_bounds(lower, upper)} to {with_article(game.sides[0])}"
    if not constant(game):
        return first
    second = format_bounds(payoff_to(game, 1, upper), payoff_to(game, 1, lower))
    return f"{first}, {second} to {with_article(game.sides[1])}"


def _percent(share: Fraction, most: int) -> str:
    """Format a share as a percentage, with the fraction if that has at most so many characters."""
    text = rationals.percent(share)
    if share.denominator == 1:
        return text
    return f"{text} ({exactly})" if len(exactly := rationals.write(share)) <= most else f"about {text}"
