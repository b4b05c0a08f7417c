"""Matches a second against nevergrad's own War, Batawaf, Flip and Guess Who, and two cores against one, in one run.

    python -m benchmarks.contests

The gain of all cores over one is a median of rounds. Beside it: what the machine itself gives to that many processes
that share nothing, measured in the same rounds. Where the cores are shared with others, that is less than their number.

Random policies on both sides, new ones every so often. The rules differ: nevergrad stops War at 500 steps (ours goes on
to a million rounds), its Flip accepts only an equal card or one above and has its own value function (ours: one above
or below, in a circle), its Guess Who begins with 24 characters and splits with probability (c + 1)/n (ours 128, c/n).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Any

import numpy as np
from nevergrad.functions.games.game import _Game

from ruse.contests import arena
from ruse.contests.arena.chance import Array
from ruse.contests.arena.contest import Contest
from ruse.contests.matches import cores, play

SECONDS = 3.0
LEAST = 0.25  # seconds of a series: threads take some time to begin
ROUNDS = 11
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


def ours(name: str, processes: ProcessPoolExecutor) -> tuple[float, float, float]:
    """Matches a second on one core, and how many times that all of them play: as threads, and as processes."""
    contest, many = arena.find(name), cores()
    count = contest.series
    while _seconds(contest, count) < LEAST:
        count *= 2
    list(processes.map(part, repeat(name), range(many), repeat(many), repeat(0), repeat(contest.series)))  # compiles
    alone, gains, ideal = [], [], []
    for seed in range(ROUNDS):
        first, second = policies(contest, seed)
        alone.append(_timed(play, contest, first, second, seed, count, threads=1))
        gains.append(alone[-1] / _timed(play, contest, first, second, seed, count, threads=many))
        asked = processes.map(part, repeat(name), range(many), repeat(many), repeat(seed), repeat(count))
        ideal.append(alone[-1] / max(asked))
    return count / statistics.median(alone), statistics.median(gains), statistics.median(ideal)


def part(name: str, number: int, parts: int, seed: int, count: int) -> float:
    """Seconds that a process takes for its part of a series."""
    contest = arena.find(name)
    first, second = policies(contest, seed)
    return _timed(contest.play, first, second, seed, number * count // parts, count // parts)


def policies(contest: Contest, seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    return random.standard_normal(contest.parameters), random.standard_normal(contest.parameters)


def _seconds(contest: Contest, count: int) -> float:
    contest.play(contest.baseline, contest.baseline, 0, 0, 1)  # compiles
    return _timed(contest.play, contest.baseline, contest.baseline, 0, 0, count)


def _timed(work: Callable[..., object], *given: Any, **named: Any) -> float:
    started = time.perf_counter()
    work(*given, **named)
    return time.perf_counter() - started


def main() -> None:
    many = cores()
    print(f"matches a second; gain of {many} cores, and of {many} processes that share nothing")
    print(f"{'contest':<20}{'nevergrad':>12}{'ruse, 1 core':>14}{'ratio':>8}{'asked':>8}{'gain':>7}{'apart':>7}")
    with ProcessPoolExecutor(many) as processes:
        for name in arena.CONTESTS:
            single, gain, apart = ours(name, processes)
            peer = theirs(name) if name in NAMES else None
            compared = [f"{peer:,.0f}", f"{single:,.0f}", f"{single / peer:,.0f}", f"{ASKED[name]:,}"] if peer else []
            peers, speed, ratio, asked = compared or ["", f"{single:,.0f}", "", ""]
            print(f"{name:<20}{peers:>12}{speed:>14}{ratio:>8}{asked:>8}{gain:>7.2f}{apart:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
