"""Matches a second against nevergrad's own War, Batawaf, Flip and Guess Who, and two cores against one, in one run.

    python -m benchmarks.contests

Random policies on both sides, new ones every so often. The rules differ: nevergrad stops War at 500 steps (ours goes on
to a million rounds), its Flip accepts only an equal card or one above and has its own value function (ours: one above
or below, in a circle), its Guess Who begins with 24 characters and splits with probability (c + 1)/n (ours 128, c/n).
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from nevergrad.functions.games.game import _Game

from ruse import arena
from ruse.arena.contest import Contest
from ruse.evolve.matches import cores, play

SECONDS = 3.0
LEAST = 0.1  # seconds of a series: threads take some time to begin
NAMES = {"war": "war", "batawaf": "batawaf", "flip": "flip", "guess-who-deter": "guesswho"}
ASKED = {"war": 1000, "batawaf": 1000, "flip": 1000, "guess-who-deter": 200}


def rate(once: Callable[[np.random.Generator], int]) -> float:
    """Matches a second of something that plays some and says how many."""
    random = np.random.default_rng(0)
    once(random)  # compiles
    matches, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS:
        matches += once(random)
    return matches / spent


def theirs(name: str) -> float:
    games = _Game()
    parameters = games.play_game(NAMES[name])

    def once(random: np.random.Generator) -> int:
        policies = [random.random(parameters) for _ in range(2)]
        for _ in range(10):
            games.play_game(NAMES[name], *policies)
        return 10

    np.random.seed(0)
    return rate(once)


def ours(name: str) -> tuple[float, float]:
    """On one core and on all of them, the same matches in turn."""
    contest = arena.find(name)
    count = contest.series
    while _seconds(contest, count) < LEAST:
        count *= 2
    random, spent, played = np.random.default_rng(0), [0.0, 0.0], 0
    while sum(spent) < 2 * SECONDS:
        first, second = (random.standard_normal(contest.parameters) for _ in range(2))
        for place, threads in enumerate((1, cores())):
            started = time.perf_counter()
            play(contest, first, second, played, count, threads=threads)
            spent[place] += time.perf_counter() - started
        played += count
    return played / spent[0], played / spent[1]


def _seconds(contest: Contest, count: int) -> float:
    started = time.perf_counter()
    contest.play(contest.baseline, contest.baseline, 0, 0, count)
    return time.perf_counter() - started


def main() -> None:
    many = cores()
    print(f"matches a second, {SECONDS:g} s each")
    print(
        f"{'contest':<20}{'nevergrad':>12}{'ruse, 1 core':>15}{'ratio':>10}{'asked':>8}{f'{many} cores':>14}{'gain':>7}"
    )
    for name in arena.CONTESTS:
        single, several = ours(name)
        peer = theirs(name) if name in NAMES else None
        compared = [f"{single / peer:,.0f}", f"{ASKED[name]:,}"] if peer else ["", ""]
        columns = [f"{single:,.0f}", *compared, f"{several:,.0f}", f"{several / single:.2f}"]
        print(f"{name:<20}{f'{peer:,.0f}' if peer else '':>12}" + "".join(f"{one:>14}" for one in columns), flush=True)


if __name__ == "__main__":
    main()
