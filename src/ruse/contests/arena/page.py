"""A report on a contest: its rules, the best learned strategy in words, its results, and the exact optimum.

The learned strategies are in `found/`, one per contest, with the method, seed and time that produced them. Every rate
is played afresh, and every exact value is solved afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.contests import arena
from ruse.contests.arena.contest import Contest, KnownOptimum
from ruse.contests.learned import Learned, WinningRate, load
from ruse.contests.learned_in_game import ExploitedStrategy, exploited
from ruse.contests.search import score
from ruse.contests.tournament import Tournament, hold
from ruse.core import rationals

FOUND = Path(__file__).parent / "found"
PLAYED = 1 << 59  # the seed of a page's matches

Report = Callable[[str, float | None, float | None], None]


@dataclass(frozen=True)
class ContestPage:
    """The results of a contest."""

    contest: Contest
    learned: Learned | None
    against: Mapping[str, WinningRate]  # the baseline, in fresh matches
    meetings: Tournament | None  # of all of them with each other
    optimum: KnownOptimum | None
    exploited: ExploitedStrategy | None  # what a perfect opponent wins against the learned strategy

    def to_json(self) -> dict[str, Any]:
        contest = self.contest
        return {
            "contest": contest.name,
            "rules": contest.rules,
            "parameters": {"count": contest.parameters, "meaning": contest.meaning, "ours": contest.ours},
            "cut": contest.cut or None,
            "best": None if self.learned is None else self.learned.to_json(),
            "against_the_baseline": {name: score._asdict() for name, score in self.against.items()},
            "meetings": None if self.meetings is None else self.meetings.to_json(),
            "exact": None if self.optimum is None else self.optimum.to_json(),
            "exploited": None if self.exploited is None else self.exploited.to_json(),
            "paper": dict(contest.paper),
        }

    def format(self) -> str:
        contest = self.contest
        blocks = [f"{contest.name}\n{contest.rules}" + (f" Matches are cut {contest.cut}." if contest.cut else "")]
        source = "chosen by ruse, as many as in the paper" if contest.ours else "as in the paper"
        number = "1 parameter" if contest.parameters == 1 else f"{contest.parameters} parameters"
        blocks.append(f"A strategy has {number} ({source}): {contest.meaning}.")
        if self.learned is not None:
            best = self.learned
            blocks.append(
                f"Best strategy found ({best.method}, seed {best.seed}, {best.seconds:.0f} s): {best.words()}\n"
                f"It wins {self.against['found'].format()} against the baseline."
            )
        if self.meetings is not None:
            blocks.append(self.meetings.format())
        if contest.paper:
            theirs = ", ".join(f"{method} {rate}" for method, rate in contest.paper.items())
            blocks.append(f"Cauwet & Teytaud 2018, Table II, win rates against their baseline: {theirs}.")
        if self.optimum is not None:
            sure = "Exact optimum" if self.optimum.exact is not None else "Optimum"
            blocks.append(f"{sure}: {self.optimum.text} ({self.optimum.command}).")
        if self.exploited is not None:
            blocks.append(self.exploited.format())
        if self.optimum is None:
            blocks.append("Exact optimum: not known here.")
        return "\n\n".join(blocks)


def _optimum(contest: Contest, report: Report) -> KnownOptimum | None:
    """Return the exact optimum if there is one: known, or solved for."""
    if contest.optimum is not None:
        return contest.optimum()
    if contest.game is None:
        return None
    from ruse.core.registry import make
    from ruse.solving.pipeline import solve

    solution = solve(make(contest.game.name, contest.game.parameters), report=report)
    exact = rationals.write(solution.value) if isinstance(solution.value, Fraction) else None
    return KnownOptimum(solution.headline(), f"ruse solve {contest.game.name}", exact)


def page(name: str, report: Report = lambda *_: None) -> ContestPage:
    """Make the report on a contest: play ten thousand matches, and solve its game if possible."""
    contest = arena.find(name)
    path = FOUND / f"{name}.ruse"
    learned = load(path) if path.exists() else None
    strategies = {} if learned is None else {"found": contest.strategy(learned.parameters)}
    strategies |= {label: contest.strategy(row) for label, row in contest.named.items()}
    against = {}
    for label, strategy in strategies.items():
        report(f"playing {label} against the baseline", None, None)
        against[label] = score(contest, strategy, contest.baseline, seed=PLAYED)
    report("playing the named strategies against each other", None, None)
    everybody = {**strategies, "baseline": contest.baseline}
    meetings = hold(name, everybody, contest.series, seed=PLAYED, report=report) if len(everybody) > 1 else None
    optimum = _optimum(contest, report)
    report("computing the best response", None, None)
    perfect = None if learned is None else exploited(contest, learned.parameters)
    return ContestPage(contest, learned, against, meetings, optimum, perfect)
