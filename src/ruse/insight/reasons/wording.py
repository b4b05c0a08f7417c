"""Numbers and names as explanations write them: "about two times in three (2/3)", "70% (7/10)", "the spies"."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.capabilities import payoff_to
from ruse.core.game import UNNAMED, Game, noun

SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_TIMES = 6  # "five times in six", but "1 time in 7"
NEAR = Fraction(1, 40)  # how far a frequency in words may be from the number beside it
IRREGULAR = {"have": "has", "do": "does", "are": "is"}
FINEST = 100  # fractions with larger denominators are not written beside a number


class Wording:
    """How sentences about one side of a game are written; `you` are that side."""

    def __init__(self, game: Game, side: int, exact: bool) -> None:
        self.game, self.side, self.exact = game, side, exact
        name = game.sides[1 - side]
        self.them = "the other side" if name in UNNAMED else f"the {noun(name)}"
        self.they_are_many = self.them.endswith("s")
        self.won_or_lost = len(game.wins) == 2

    def they(self, verb: str) -> str:
        """Return the other side with a verb: "the spies send", "the other side sends"."""
        return f"{self.them} {self.verb(verb)}"

    def verb(self, verb: str) -> str:
        """Return a verb as it follows the other side's name."""
        if self.they_are_many:
            return verb
        return IRREGULAR.get(verb) or f"{verb}{'es' if verb.endswith(('s', 'ch')) else 's'}"

    def to_me(self, value: Fraction) -> Fraction:
        return payoff_to(self.game, self.side, value)

    def payoff_text(self, payoff: Fraction) -> str:
        """Say what a payoff to you means: "you win 70% (7/10) of the time", "you lose 0.17 (1/6) on average"."""
        if self.won_or_lost:
            chance = (1 + payoff) / 2
            if chance in (0, 1):
                return f"you {'win' if chance else 'lose'} for sure"
            return f"you win {self.percent(chance)} of the time"
        if not payoff:
            return "you break even"
        average = " on average" * (payoff.denominator > 1)
        return f"you {'win' if payoff > 0 else 'lose'} {self.amount(abs(payoff))}{average}"

    def instead(self, payoff: Fraction, usual: Fraction) -> str:
        """Compare what you would get with the usual: "you would win 61% instead of 70%"."""
        if self.won_or_lost:
            return f"you would win {self.level(payoff)} of the time instead of {self.level(usual)}"
        verbs = ["win" if number >= 0 else "lose" for number in (payoff, usual)]
        again = "" if verbs[0] == verbs[1] else f"{verbs[1]}ning " if verbs[1] == "win" else "losing "
        return f"you would {verbs[0]} {self.amount(abs(payoff))} on average instead of {again}{self.amount(abs(usual))}"

    def level(self, payoff: Fraction) -> str:
        """Write a payoff to you: "70% (7/10)", "0.17 (1/6)"."""
        return self.percent((1 + payoff) / 2) if self.won_or_lost else self.amount(payoff)

    def gap(self, difference: Fraction) -> str:
        """Write a difference of payoffs: "10 percentage points", "0.17 (1/6)"."""
        return points(difference / 2, self.exact) if self.won_or_lost else self.amount(difference)

    def amount(self, number: Fraction) -> str:
        return amount(number, self.exact)

    def percent(self, share: Fraction) -> str:
        return percent(share, self.exact)

    def does(self, subject: str, verb: str, share: Fraction, rest: str = "") -> str:
        """Say how often something is so: "it always folds", "it folds two times in three (2/3)"."""
        if share in (0, 1):
            before = f"{verb} {often(share)}" if verb in ("is", "are") else f"{often(share)} {verb}"
            return f"{subject} {before}{f' {rest}' * bool(rest)}"
        return f"{subject} {verb}{f' {rest}' * bool(rest)} {self.often(share)}"

    def points(self, difference: Fraction) -> str:
        return points(difference, self.exact)

    def often(self, share: Fraction) -> str:
        return often(share, self.exact)

    def at_least(self, share: Fraction) -> str:
        """Write the least frequency that will do: "at least one time in four (1/4)", "at least 15.4% of the time"."""
        times = self.often(share)
        return f"at least {f'{self.percent(share)} of the time' if times.startswith('about') else times}"


def _beside(number: Fraction, exact: bool) -> str:
    """Return the fraction to write beside a rounded number; empty if nobody would read it."""
    text = rationals.write(number)
    return f" ({text})" if exact and 1 < number.denominator < FINEST else ""


def decimal(number: Fraction, digits: int) -> str:
    """Round a number to so many digits after the point, without zeros at the end."""
    text = f"{float(round(number, digits)):.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def amount(number: Fraction, exact: bool = True) -> str:
    """Write a payoff: "2", "0.17 (1/6)"."""
    text = decimal(number, 2)
    if text == "0" and number:
        text = rationals.near(number, 2)
    return ("" if exact else "about ") + text + _beside(number, exact and Fraction(text) != number)


def percent(share: Fraction, exact: bool = True) -> str:
    """Write a share: "70% (7/10)", "22.2% (2/9)", "44.4%"."""
    beside = _beside(share, exact)
    text = decimal(100 * share, 2 if beside and (10_000 * share).denominator == 1 else 1)
    if text in ("0", "100") and share not in (0, 1):
        text = rationals.near(100 * share, 3)
    if text == "100" and share != 1:
        return "almost 100%"
    return ("" if exact else "about ") + f"{text}%" + (beside if share not in (0, 1) else "")


def points(difference: Fraction, exact: bool = True) -> str:
    """Write a difference of chances: "10 percentage points"."""
    text = decimal(100 * difference, 1)
    if text == "0" and difference:
        text = rationals.near(100 * difference, 2)
    return ("" if exact else "about ") + f"{text} percentage point{'s' * (text != '1')}"


def often(share: Fraction, exact: bool = True) -> str:
    """Write a frequency: "never", "two times in three (2/3)", "about two times in three (66%)"."""
    if share in (0, 1):
        return "always" if share else "never"
    near = share.limit_denominator(MOST_TIMES)
    if near in (0, 1) or abs(near - share) > NEAR:
        return f"{percent(share, exact)} of the time"
    if near == Fraction(1, 2):
        times = "half the time"
    else:
        times = f"{SMALL_NUMBERS[near.numerator]} time{'s' * (near.numerator > 1)} in {SMALL_NUMBERS[near.denominator]}"
    if near == share and exact:
        return f"{times} ({rationals.write(share)})"
    return f"about {times} ({decimal(100 * share, 1)}%)"


def count(number: int) -> str:
    """Write a small whole number as a word."""
    return SMALL_NUMBERS[number] if 0 <= number < len(SMALL_NUMBERS) else str(number)


def listed(names: Sequence[str]) -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def sentence(text: str) -> str:
    """Begin a text with a capital and end it with a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + "." * (not text.endswith("."))
