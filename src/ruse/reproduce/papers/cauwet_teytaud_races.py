"""Cauwet & Teytaud 2018, §II: races and their error rate, and the four algorithms."""

from __future__ import annotations

from math import comb

import numpy as np

from ruse.contests.methods import DOWN, METHODS, UP
from ruse.contests.race import PRECISION, RISK, Race
from ruse.reproduce.papers.cauwet_teytaud_tables import percent, searches
from ruse.reproduce.report import Outcome, PaperLine, compare, lasting, said


def wrong_of(games: int, better: float) -> float:
    """How often the worse of two wins most of an odd number of games."""
    worse = 1 - better
    return sum(comb(games, won) * worse**won * better ** (games - won) for won in range(games // 2 + 1, games + 1))


def race_verdicts(rate: float, races: int, risk: float) -> tuple[float, float]:
    """Wrong verdicts among decided races between coins, and matches in a race."""
    chance = np.random.default_rng(1)
    wrong = matches = 0
    for _ in range(races):
        race = Race(risk=risk)
        while not race.over:
            race.add((chance.random(race.next_batch()) < rate).astype(float))
        matches += race.count
        wrong += race.decided and not race.better
    return wrong / races, matches / races


def peeking(rate: float, trials: int, tests: int, risk: float) -> float:
    """How often repeated tests without a correction decide for the worse: after every 50 games, `tests` times."""
    chance = np.random.default_rng(2)
    edge = -_quantile(risk / 2)
    wrong = 0
    for _ in range(trials):
        games = np.cumsum((chance.random(50 * tests) < rate).astype(float) - 0.5)
        looks = games[49::50] / np.sqrt(np.arange(50, 50 * tests + 1, 50) / 4)
        decided = np.flatnonzero(np.abs(looks) > edge)
        wrong += len(decided) > 0 and looks[decided[0]] < 0
    return wrong / trials


def _quantile(share: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(share))


def races(full: bool) -> Outcome:
    tests, risk = 20, 0.01
    exactly = 1 - (1 - risk) ** tests
    count = 1000 if full else 200
    peeked = peeking(0.5001, count, 400, 0.05)
    lines = [
        said(
            "101 games, the better one wins 50.1%: the worse is selected",
            "arbitrarily close to 50%",
            percent(wrong_of(101, 0.501)),
            0.45 < wrong_of(101, 0.501) < 0.5,
        ),
        said(
            f"{tests} tests of risk {risk}: 1 − (1 − δ)²⁰",
            "≈ 20 δ = 0.2",
            f"{exactly:.3f}",
            abs(exactly - tests * risk) < 0.02,
        ),
        said(
            "400 tests of risk 0.05 without correction, the better one wins 50.01%: wrong",
            "arbitrarily close to 50%",
            percent(peeked),
            peeked > 0.2,
        ),
    ]
    for rate in (0.55, 0.52):
        wrong, matches = race_verdicts(rate, count, RISK)
        lines.append(
            said(
                f"{count} limited Bernstein races, the better one wins {percent(rate)}: wrong",
                f"at most {percent(RISK)}",
                f"{percent(wrong)}, {matches:,.0f} matches a race",
                wrong <= RISK,
            )
        )
    wrong, matches = race_verdicts(0.5, 20, RISK)
    lines.append(
        PaperLine(f"equals: called off at a precision of {PRECISION}", "stopped", f"after {matches:,.0f} matches")
    )
    return Outcome(
        lines,
        "The paper says what a race guarantees and gives no formula; ours is the empirical Bernstein bound with a "
        "share of the risk for each look (`ruse.contests.race`).",
    )


def algorithms(full: bool) -> Outcome:
    learned_strategies = searches(full)
    lines = [
        compare("a step is widened after success by", "2", UP),
        compare("and narrowed after failure by", "0.84", DOWN),
        compare("precision of a limited race", "0.01", PRECISION),
    ]
    for method in METHODS:
        learned = learned_strategies["war", method]
        lines.append(
            PaperLine(
                f"{method} on War, {learned.iterations:,} iterations, {learned.matches:,} matches",
                "",
                f"{percent(learned.baseline.rate)} against the baseline; {learned.words()}",
            )
        )
    spent, matches = (
        sum(search.seconds for search in learned_strategies.values()),
        sum(search.matches for search in learned_strategies.values()),
    )
    contests = len({name for name, _ in learned_strategies})
    lines.append(
        PaperLine(
            f"{len(learned_strategies)} searches, {len(METHODS)} for each of {contests} contests",
            "24 h each",
            f"{lasting(spent)} of one core, {matches:,} matches",
        )
    )
    return Outcome(
        lines,
        "All four loops as printed, and the seed method. The seconds below are those of the last run: searches that an "
        "earlier one had ended are not made again.",
        commands=("ruse evolve war --method iterative",),
    )
