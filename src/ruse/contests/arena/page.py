"""What people want to know of a contest: its rules, the best strategy found in words, what it wins, the exact optimum.

The strategies that were found are kept in `found/`, one learned strategy a contest, with the method, seed and time that
found them; every rate on a page is played afresh, and every exact value solved afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.contests import arena
from ruse.contests.arena.contest import Contest, Optimum
from ruse.contests.exploit import Exploited, exploited
from ruse.contests.learned import Learned, Score, load
from ruse.contests.search import score
from ruse.contests.tournament import Tournament, hold
from ruse.core import rationals

FOUND = Path(__file__).parent / "found"
PLAYED = 1 << 59  # the seed of a page's matches

Report = Callable[[str, float | None, float | None], None]


@dataclass(frozen=True)
class Page:
    contest: Contest
    found: Learned | None
    against: Mapping[str, Score]  # the baseline, in fresh matches: the found strategy and those with names
    meetings: Tournament | None  # of all of them with each other
    optimum: Optimum | None
    exploited: Exploited | None  # what a perfect opponent wins against the found strategy

    def to_json(self) -> dict[str, Any]:
        contest = self.contest
        return {
            "contest": contest.name,
            "rules": contest.rules,
            "parameters": {"count": contest.parameters, "meaning": contest.meaning, "ours": contest.ours},
            "cut": contest.cut or None,
            "best": None if self.found is None else self.found.to_json(),
            "against_the_baseline": {name: score._asdict() for name, score in self.against.items()},
            "meetings": None if self.meetings is None else self.meetings.to_json(),
            "exact": None if self.optimum is None else self.optimum._asdict(),
            "exploited": None if self.exploited is None else self.exploited.to_json(),
            "paper": dict(contest.paper),
        }

    def told(self) -> str:
        contest = self.contest
        blocks = [f"{contest.name}\n{contest.rules}" + (f" Matches are cut {contest.cut}." if contest.cut else "")]
        whose = "chosen by ruse, as many as in the paper" if contest.ours else "as in the paper"
        number = "1 parameter" if contest.parameters == 1 else f"{contest.parameters} parameters"
        blocks.append(f"A strategy has {number} ({whose}): {contest.meaning}.")
        if self.found is not None:
            best = self.found
            blocks.append(
                f"Best strategy found ({best.method}, seed {best.seed}, {best.seconds:.0f} s): {best.words()}\n"
                f"It wins {self.against['found'].told()} against the baseline."
            )
        if self.meetings is not None:
            blocks.append(self.meetings.told())
        if contest.paper:
            theirs = ", ".join(f"{method} {rate}" for method, rate in contest.paper.items())
            blocks.append(f"Cauwet & Teytaud 2018, Table II, winning rates against their baseline: {theirs}.")
        if self.optimum is not None:
            sure = "Exact optimum" if self.optimum.exact is not None else "Optimum"
            blocks.append(f"{sure}: {self.optimum.told} ({self.optimum.command}).")
        if self.exploited is not None:
            blocks.append(self.exploited.told())
        if self.optimum is None:
            blocks.append("Exact optimum: not known here.")
        return "\n\n".join(blocks)


def _optimum(contest: Contest, report: Report) -> Optimum | None:
    """The exact answer, where there is one: known, or solved for."""
    if contest.optimum is not None:
        return contest.optimum()
    if contest.game is None:
        return None
    from ruse.core.registry import make
    from ruse.solving.pipeline import solve

    solution = solve(make(contest.game.name, contest.game.parameters), report=report)
    exact = rationals.write(solution.value) if isinstance(solution.value, Fraction) else None
    return Optimum(solution.headline(), f"ruse solve {contest.game.name}", exact)


def page(name: str, report: Report = lambda *_: None) -> Page:
    """The page of a contest: plays some ten thousand matches and solves the game, where that is possible."""
    contest = arena.find(name)
    path = FOUND / f"{name}.ruse"
    found = load(path) if path.exists() else None
    strategies = {} if found is None else {"found": contest.strategy(found.parameters)}
    strategies |= {one: contest.strategy(row) for one, row in contest.named.items()}
    against = {}
    for one, strategy in strategies.items():
        report(f"playing {one} against the baseline", None, None)
        against[one] = score(contest, strategy, contest.baseline, seed=PLAYED)
    report("playing the named strategies against each other", None, None)
    everybody = {**strategies, "baseline": contest.baseline}
    meetings = hold(name, everybody, contest.series, seed=PLAYED, report=report) if len(everybody) > 1 else None
    optimum = _optimum(contest, report)
    report("computing the best response", None, None)
    perfect = None if found is None else exploited(contest, found.parameters)
    return Page(contest, found, against, meetings, optimum, perfect)
