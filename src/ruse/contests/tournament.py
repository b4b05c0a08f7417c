"""Tournaments: every strategy meets every other, and what that says about who is best.

Superiority need not be transitive (Cauwet & Teytaud 2018, §VI: the Elo model does not apply), so a tournament ends in a
table of winning rates, and cycles (a beats b, b beats c, c beats a, each significantly) are named.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from ruse.contests import arena
from ruse.contests.arena.contest import Contest
from ruse.contests.engine import run
from ruse.contests.learned import WinningRate, load
from ruse.contests.matches import play
from ruse.contests.search import score_of
from ruse.core import atomic_files
from ruse.core.arrays import Array
from ruse.core.game import RuseError
from ruse.core.types import Report
from ruse.present import figures

PORTION = 5_000  # matches of a job
MOST_CYCLES = 20  # that are named
MOST_CONTESTANTS = 200
MOST_MATCHES = 10**9

Strategies = Mapping[str, Array]


class TournamentError(RuseError):
    """Contestants that cannot meet."""


@dataclass(frozen=True)
class Tournament:
    """Strategies for a contest that played each other, all against all."""

    contest: str
    names: tuple[str, ...]
    scores: Mapping[tuple[int, int], WinningRate]  # of the first against the second, for all first < second
    seed: int
    complete: bool  # whether every match was played

    def rate(self, first: int, second: int) -> float | None:
        """Return the winning rate of one strategy against another; 1/2 against itself; None if they never met."""
        if first == second:
            return 0.5
        if first < second:
            met = self.scores.get((first, second))
            return None if met is None else met.rate
        met = self.scores.get((second, first))
        return None if met is None else 1 - met.rate

    def beats(self, first: int, second: int) -> bool:
        """Return whether one strategy wins more than two standard errors above a half against another."""
        met = self.scores.get((min(first, second), max(first, second)))
        rate = self.rate(first, second)
        return met is not None and rate is not None and rate - 0.5 > met.error

    def averages(self) -> list[float]:
        """Return the mean winning rate of each strategy against all others it met."""
        numbers = range(len(self.names))
        averages = []
        for number in numbers:
            rates = [rate for other in numbers if other != number and (rate := self.rate(number, other)) is not None]
            averages.append(float(np.mean(rates)) if rates else 0.5)
        return averages

    def cycles(self) -> list[tuple[str, ...]]:
        """Return cycles in which each beats the next: all of length three, otherwise a shortest one."""
        numbers = range(len(self.names))
        after = {number: [other for other in numbers if self.beats(number, other)] for number in numbers}
        cycles = [way for number in numbers for way in _threes(after, number)]
        if not cycles:
            ways = [way for number in numbers if (way := _shortest(after, number)) is not None]
            cycles = [min(ways, key=len)] if ways else []
        return [tuple(self.names[number] for number in way) for way in cycles[:MOST_CYCLES]]

    def undefeated(self) -> list[str]:
        """Return the strategies that no other beats."""
        numbers = range(len(self.names))
        met = [number for number in numbers if all(self.rate(number, other) is not None for other in numbers)]
        return [self.names[number] for number in met if not any(self.beats(other, number) for other in numbers)]

    def to_json(self) -> dict[str, Any]:
        return {
            "contest": self.contest,
            "names": list(self.names),
            "seed": self.seed,
            "complete": self.complete,
            "matches": [
                {"first": self.names[first], "second": self.names[second], **score._asdict()}
                for (first, second), score in sorted(self.scores.items())
            ],
            "averages": dict(zip(self.names, self.averages(), strict=True)),
            "undefeated": self.undefeated(),
            "cycles": [list(cycle) for cycle in self.cycles()],
        }

    def format(self) -> str:
        """Format a table of winning rates, rows against columns."""
        width = max(8, *(len(name) for name in self.names)) + 1
        averages = self.averages()
        order = sorted(range(len(self.names)), key=lambda number: -averages[number])
        lines = [f"{self.contest}: win rates in percent, rows against columns"]
        lines.append(
            " " * width + "".join(f"{self.names[number]:>{width}}" for number in order) + f"{'average':>{width}}"
        )
        for number in order:
            cells = "".join(f"{_cell(self, number, other):>{width}}" for other in order)
            lines.append(f"{self.names[number]:<{width}}{cells}{100 * averages[number]:>{width}.1f}")
        worst = max((score.error for score in self.scores.values()), default=0.0)
        count = max((score.matches for score in self.scores.values()), default=0)
        cut = max((score.cut for score in self.scores.values()), default=0.0)
        lines.append(f"{count:,} matches per pair, ± {100 * worst:.1f} at most" + f", up to {cut:.1%} cut" * (cut > 0))
        lines += (
            [f"Nobody beats {' or '.join(self.undefeated())}."]
            if self.undefeated()
            else ["Every strategy loses to another one."]
        )
        lines += [f"Not transitive: {' beats '.join((*cycle, cycle[0]))}." for cycle in self.cycles()]
        return "\n".join(lines)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair."""
        return [
            {"first": self.names[first], "second": self.names[second], **score._asdict()}
            for (first, second), score in sorted(self.scores.items())
        ]

    def write(self, path: Path, form: str = "csv") -> Path:
        """Write the pairs to a CSV or Parquet file."""
        if form == "parquet":
            from ruse.formats.frames import parquet_of

            content = parquet_of(self.rows())
        else:
            text = io.StringIO()
            writer = csv.DictWriter(text, ["first", "second", *WinningRate._fields], lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows())
            content = text.getvalue().encode()
        atomic_files.replace(path, content)
        return path

    def plot(self, path: Path | None = None) -> Any:
        """Draw a heat map of the winning rates into a file; without a path, return the matplotlib figure."""
        return heat_map(self, path)


def _cell(tournament: Tournament, row: int, other: int) -> str:
    rate = tournament.rate(row, other)
    if row == other or rate is None:
        return "·"
    return f"{100 * rate:.1f}" + ("*" if tournament.beats(row, other) else "")


def _threes(after: Mapping[int, list[int]], first: int) -> list[tuple[int, ...]]:
    """Return the cycles of three that begin with their smallest number."""
    return [
        (first, second, other)
        for second in after[first]
        if second > first
        for other in after[second]
        if other > first and first in after[other]
    ]


def _shortest(after: Mapping[int, list[int]], first: int) -> tuple[int, ...] | None:
    """Find a shortest cycle through a number, by breadth-first search."""
    ways: dict[int, tuple[int, ...]] = {first: (first,)}
    waiting = [first]
    for number in waiting:
        for other in after[number]:
            if other == first:
                return ways[number]
            if other not in ways:
                ways[other] = (*ways[number], other)
                waiting.append(other)
    return None


def contestants(contest: Contest, spelled: list[str]) -> dict[str, Array]:
    """Return strategies by name: from files of `ruse evolve`, or named strategies of the contest."""
    known = {"baseline": contest.baseline, **{name: contest.strategy(row) for name, row in contest.named.items()}}
    strategies: dict[str, Array] = {}
    for text in spelled:
        name = text
        if text in known:
            strategy = known[text]
        elif text.endswith(".ruse"):
            learned = load(text)
            if learned.contest != contest.name:
                raise TournamentError(f"expected strategies for {contest.name}, got one for {learned.contest} ({text})")
            strategy, name = contest.strategy(learned.parameters), Path(text).stem
        else:
            raise TournamentError(f"expected FILE.ruse or one of the strategies {', '.join(known)}, got {text!r}")
        if name in strategies:
            raise TournamentError(f"expected contestants of different names, got {name!r} twice")
        strategies[name] = strategy
    return strategies


def hold(
    name: str,
    strategies: Strategies,
    games: int = 10_000,
    *,
    seed: int = 0,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    report: Report = lambda *_: None,
) -> Tournament:
    """Let every pair of strategies play `games` matches. Ctrl-C keeps the finished pairs."""
    contest = arena.find(name)
    if not 2 <= len(strategies) <= MOST_CONTESTANTS:
        raise TournamentError(f"expected 2 to {MOST_CONTESTANTS} strategies, got {len(strategies)}")
    if not 0 < games <= MOST_MATCHES:
        raise TournamentError(f"expected 1 to {MOST_MATCHES:,} games, got {games:,}")
    if not 0 <= seed < 1 << 60:
        raise TournamentError(f"expected a seed from 0 to 2^60 - 1, got {seed}")
    rows = [contest.strategy(row) for row in strategies.values()]
    pairs = list(combinations(range(len(rows)), 2))
    parts = [(begin, min(PORTION, games - begin)) for begin in range(0, games, PORTION)]
    jobs = [
        (series, (name, rows[first].tolist(), rows[second].tolist(), seed + number, begin, count))
        for number, (first, second) in enumerate(pairs)
        for begin, count in parts
    ]
    arrived: dict[int, list[Array | None]] = {number: [None] * len(parts) for number in range(len(pairs))}
    done = 0
    with suppress(KeyboardInterrupt):  # a second one, which does not wait for portions under way
        for number, outcomes in run(jobs, engine, address, workers, threads=True):
            arrived[number // len(parts)][number % len(parts)] = outcomes
            done += 1
            report(f"{done:,} of {len(jobs):,} portions of matches", None, None)
    if not done:
        raise KeyboardInterrupt
    scores = {
        pairs[number]: score_of(np.concatenate(played))
        for number, portions in arrived.items()
        if (played := [portion for portion in portions if portion is not None])
    }
    return Tournament(name, tuple(strategies), scores, seed, done == len(jobs))


def series(name: str, first: list[float], second: list[float], seed: int, begin: int, count: int) -> Array:
    """Play a portion of a series on one core."""
    return play(arena.find(name), np.array(first), np.array(second), seed, count, begin=begin, threads=1)


# Pictures of tournaments.

MOST_NUMBERED = 20  # contestants whose rates fit in their cells


def heat_map(tournament: Tournament, path: Path | None) -> Any:
    """Winning rates, rows against columns, the best average on top; every cell also says its number."""
    averages = tournament.averages()
    order = sorted(range(len(tournament.names)), key=lambda number: -averages[number])
    rates = np.array([[_rate(tournament, row, other) for other in order] for row in order])
    side = 2.5 + 0.6 * len(order)
    figure = figures.new_figure(path, side + 1, side)
    axes = figure.add_subplot()
    image = axes.imshow(100 * rates, vmin=0, vmax=100, cmap="PuOr")
    names = [tournament.names[number] for number in order]
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    if len(names) <= MOST_NUMBERED:
        figures.number_cells(axes, 100 * rates, "{:.0f}".format, lambda rate: abs(rate - 50) > 35)
    figure.colorbar(image, label="winning rate of the row, percent")
    axes.set_title(f"{tournament.contest}: rows against columns")
    return figures.save(figure, path)


def _rate(tournament: Tournament, row: int, other: int) -> float:
    rate = tournament.rate(row, other)
    return float("nan") if rate is None else rate
