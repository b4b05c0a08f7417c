"""How often, as people say it: "two times in three (2/3)", "about one time in eight (12.6%)", "always"."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
USUAL = (2, 3, 4, 5, 6, 8, 10)  # denominators that people use to round
LARGEST = 10  # denominator of odds that are said as they are
NEAR = Fraction(3, 20)  # how far odds may be from those that are said, as a part of them
SELDOM, RARE, HARDLY = Fraction(9, 100), Fraction(1, 20), Fraction(1, 1000)
WHOLE = Fraction(199, 200)  # odds of moves that are nearly all
LONGEST_FRACTION = 7  # characters
Spoken = tuple[str, bool]  # the words, and whether they are exact


def frequency(share: Fraction) -> str:
    """Say how often something is done, with the exact odds, or a share in percent, in brackets."""
    if share in (0, 1):
        return "never" if share == 0 else "always"
    words, exact = _words(share)
    return f"{'' if exact else 'about '}{words} ({brief_odds(share)})" if words else _rare(share)


def brief_odds(share: Fraction) -> str:
    """Odds as a fraction if it is short, else in percent with as many digits as tell it from 0 and 1."""
    text = rationals.write(share)
    if len(text) <= LONGEST_FRACTION:
        return text
    near_end = min(share, 1 - share)
    digits = 0 if near_end >= RARE else 1 if near_end >= HARDLY else 3
    return f"{float(100 * share):.{digits}f}%"


def counted(number: int, noun: str) -> str:
    """A small number of things: one time, two times, 12 times."""
    return f"{_count(number)} {noun}{'s' * (number != 1)}"


def _count(number: int) -> str:
    return COUNTS[number] if 0 <= number < len(COUNTS) else f"{number:,}"


def _words(share: Fraction) -> Spoken:
    """The odds in small numbers; no words where a small number would mislead."""
    if share.denominator <= LARGEST:
        return _times(share), True
    if not SELDOM <= share <= 1 - RARE:
        return "", False
    choices = [Fraction(min(max(round(share * most), 1), most - 1), most) for most in USUAL]
    fitting = [near for near in choices if _error(near, share) <= NEAR]
    nearest = min(fitting or choices, key=lambda near: abs(near - share))
    simple = [near for near in fitting if abs(near - share) <= 2 * abs(nearest - share) + Fraction(1, 100)]
    return _times(min(simple or [nearest], key=lambda near: near.denominator)), False


def _error(near: Fraction, share: Fraction) -> Fraction:
    return abs(near - share) / min(share, 1 - share)


def _times(share: Fraction) -> str:
    if share == Fraction(1, 2):
        return "half the time"
    return f"{counted(share.numerator, 'time')} in {_count(share.denominator)}"


def _rare(share: Fraction) -> str:
    if share > 1 - HARDLY:
        return f"practically always ({brief_odds(share)})"
    if share > 1 - RARE:
        return f"nearly always ({brief_odds(share)})"
    if share < HARDLY:
        return f"hardly ever ({brief_odds(share)})"
    most = round(1 / share)
    if share < RARE:
        most = round(most, 1 - len(str(most)))  # one digit
    return f"about one time in {most:,} ({brief_odds(share)})"


def do(options: list[tuple[str, Fraction]]) -> str:
    """Say what to do: "always check", "check two times in three (2/3), otherwise bet (1/3)".

    `options` are verb phrases with their odds, which need not sum to 1 if some are left out.
    """
    played = sorted(((name, share) for name, share in options if share), key=lambda option: -option[1])
    if len(played) == 1 and played[0][1] == 1:
        return f"always {played[0][0]}"
    odds = {share for _, share in played}
    if len(odds) == 1 and len(played) > 1 and sum(share for _, share in played) == 1:
        names = joined([name for name, _ in played])
        return f"{names}, equally often ({brief_odds(played[0][1])}{' each' * (len(played) > 2)})"
    phrases = [f"{name} {frequency(share)}" for name, share in played]
    if len(played) > 1 and sum(share for _, share in played) > WHOLE:
        name, share = played[-1]
        phrases[-1] = f"otherwise {name} ({brief_odds(share)})"
    return ", ".join(phrases)


def joined(names: list[str], word: str = "or") -> str:
    """A list in a sentence: "a", "a or b", "a, b or c"; what all begin with is said once: "bid 1, 2 or 3"."""
    if len(names) > 1 and any("," in name or " and " in name for name in names):
        names = [names[0], *(name[:1].lower() + name[1:] for name in names[1:])]
    elif len(names) > 1:
        first = names[0].split(" ")
        shared = 0
        while all(
            name.split(" ")[: shared + 1] == first[: shared + 1] and len(name.split(" ")) > shared + 1 for name in names
        ):
            shared += 1
        names = [names[0], *(" ".join(name.split(" ")[shared:]) for name in names[1:])]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
