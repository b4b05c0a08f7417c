"""Guess Who in Cauwet and Teytaud 2018, §V-B: their strategies against each other and the optimum, and Fig. 1.

    python -m ruse.reproduce.guess_who [--plot fig1.svg]

All of it is exact. Let P(n, m) be how often the mover wins with n characters left against m, and a(n, m) = n m P(n, m).
A question about c leaves k = c with odds c/n and k = n - c else, so n P(n, m) adds up k (1 - P'(m, k)) over both, where
P' is the other side's, or 1 where k = 1 and the mover has won. Times m:

    a(n, m) = f(c) + f(n - c),      f(1) = m,      f(k) = k m - a'(m, k),

in whole numbers, without a division. The optimum takes the best c. (The same values come from `ruse solve guess-who`.)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import NamedTuple

from ruse.present import figures

MOST = 128
Strategy = Callable[[int, int], int]  # characters left to the mover and to the other side -> how many to ask about
Whole = list[list[int]]  # [n][m]


def asked(
    alpha: Fraction, gamma: Fraction, zeta: Fraction, iota: Fraction, n: int, m: int, *, printed: bool = False
) -> int:
    """Eq. 3, which has Eq. 1 and 2 without their dice as special cases; at least 1 and at most n - 1.

    The paper prints δ as max(n - m, 0) / 2 but its results are those of δ = max(n - m, 0): with `printed`, as printed.
    """
    delta = Fraction(max(n - m, 0), 2 if printed else 1)
    share = delta / n
    aim = n - alpha * delta + gamma * n * share**2 + zeta * n * share**3 + iota * (n - m)
    return min(max(1, floor(aim / 2)), n - 1)


def parametric(alpha: str, gamma: str = "0", zeta: str = "0", iota: str = "0", *, printed: bool = False) -> Strategy:
    parameters = [Fraction(text) for text in (alpha, gamma, zeta, iota)]
    return cache(lambda n, m: asked(parameters[0], parameters[1], parameters[2], parameters[3], n, m, printed=printed))


def strategies(printed: bool = False) -> dict[str, Strategy]:
    """Those of Fig. 1, by the paper's names. Dichotomy and OL are Eq. 1, which has no δ."""
    return {
        "dichotomy": parametric("0"),
        "OL": parametric("1"),
        "ONL": parametric("-1/4", "-3/2", printed=printed),
        "Best": parametric("-0.56", "-1.58", "-0.06", "-0.022", printed=printed),
        "God": optimal(),
    }


class OptimalPlay(NamedTuple):
    scaled: Whole  # n m times how often the mover wins
    question: Whole  # the largest best c of at most n/2


def optimum(most: int = MOST) -> OptimalPlay:
    """Dynamic programming for all 2 <= n, m <= most."""
    scaled, question = _zeros(most), _zeros(most)
    for total in range(4, 2 * most + 1):  # a question lowers n + m
        for n in range(max(2, total - most), min(most, total - 2) + 1):
            m = total - n
            left = [0, m, *(k * m - scaled[m][k] for k in range(2, n))]  # f
            scaled[n][m], question[n][m] = max((left[c] + left[n - c], c) for c in range(1, n // 2 + 1))
    return OptimalPlay(scaled, question)


def _zeros(most: int) -> Whole:
    return [[0] * (most + 1) for _ in range(most + 1)]


@cache
def optimal(most: int = MOST) -> Strategy:
    question = optimum(most).question
    return lambda n, m: question[n][m]


def _matched(first: Strategy, second: Strategy, most: int) -> tuple[Whole, Whole]:
    """a(n, m) of both strategies against each other, for all 2 <= n, m <= most; each as the mover."""
    pair = (first, second)
    scaled = _zeros(most), _zeros(most)
    for total in range(4, 2 * most + 1):
        for n in range(max(2, total - most), min(most, total - 2) + 1):
            m = total - n
            for mover, strategy in enumerate(pair):
                c = strategy(n, m)
                scaled[mover][n][m] = sum(m if k == 1 else k * m - scaled[1 - mover][m][k] for k in (c, n - c))
    return scaled


def win_rate(first: Strategy, second: Strategy, n: int, m: int) -> Fraction:
    """How often `first` wins, which begins with n characters left against m."""
    return Fraction(_matched(first, second, max(n, m))[0][n][m], n * m)


def curve(strategy: Strategy, opponent: Strategy, most: int = MOST) -> list[Fraction]:
    """Fig. 1: how often a strategy wins, over both who may begin, from 2, 3, … characters each."""
    mine, theirs = _matched(strategy, opponent, most)
    return [Fraction(mine[n][n] + n * n - theirs[n][n], 2 * n * n) for n in range(2, most + 1)]


PANELS = ("God", "ONL", "dichotomy")  # opponents, from left to right
SHOWN = ("OL", "ONL", "Best", "dichotomy")


def draw(path: Path, most: int = MOST, printed: bool = False) -> None:
    """Fig. 1, redrawn."""
    figure, known = figures.new_figure(path, 13, 4), strategies(printed)
    for axes, opponent in zip(figure.subplots(1, len(PANELS), sharey=True), PANELS, strict=True):
        for name in SHOWN:
            axes.plot(range(2, most + 1), list(map(float, curve(known[name], known[opponent], most))), label=name)
        axes.axhline(0.5, color="grey", linewidth=0.5)
        axes.set(title=f"against {opponent}", xlabel="characters at the start", ylim=(0.2, 0.8))
    figure.axes[0].set_ylabel("winning rate")
    figure.axes[0].legend()
    figures.save(figure, path)


# Whose win rate over whom at 128 characters, and what the paper's text says of it.
SAID = (
    ("OL", "God", "reaches 50%"),
    ("ONL", "God", "does not reach 50%"),
    ("Best", "God", "does not reach 50%"),
    ("dichotomy", "God", "performs very poorly"),
    ("ONL", "OL", "wins"),
    ("Best", "ONL", "wins"),
    ("OL", "dichotomy", "wins"),
    ("ONL", "dichotomy", "wins"),
    ("Best", "dichotomy", "wins"),
)


def table(most: int = MOST) -> str:
    """Ours beside what the paper says, with δ as its results have it and as it is printed."""
    readings = [strategies(), strategies(printed=True)]
    lines = [f"Guess Who, {most} characters each, average over who begins; δ = max(n - m, 0), or half that, as printed"]
    lines.append(f"{'':<22}{'δ':>8}{'δ / 2':>9}   the paper says")
    for name, other, said in SAID:
        rates = [100 * float(curve(known[name], known[other], most)[-1]) for known in readings]
        lines.append(f"{name + ' - ' + other:<22}{rates[0]:>6.2f}%{rates[1]:>7.2f}%   {name} {said}")
    best = optimum(most)
    lines.append(f"Optimal play on both sides: the mover wins {100 * best.scaled[most][most] / most**2:.4f}%.")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ruse.reproduce.guess_who", description=__doc__.partition("\n")[0])
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw Fig. 1 (PNG, SVG or PDF)")
    given = parser.parse_args()
    print(table())
    if given.plot:
        draw(given.plot)


if __name__ == "__main__":
    main()
