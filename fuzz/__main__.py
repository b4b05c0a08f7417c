"""`python -m fuzz`: random games against the oracle. Status 0: no contradiction; 1: some; 2: wrong usage."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from time import monotonic

from fuzz.checks import KINDS
from fuzz.growing import PAYOFFS
from fuzz.working import Found, Task, is_like, kind_of, outcomes

APART = 1_000_000  # seeds of games from one --seed to the next


def main() -> int:
    given = _parser().parse_args()
    started = monotonic()
    counts: Counter[str] = Counter()
    abouts: Counter[str] = Counter()
    done = 0
    told = 0.0
    games = outcomes(_tasks(given, started, abouts), 1 if given.game_seed is not None else given.workers)
    try:
        for found in games:
            done += 1
            counts[found.task.kind] += 1
            if found.about:
                abouts[f"{found.task.kind}: {found.about}"] += 1
                if abouts[f"{found.task.kind}: {found.about}"] <= given.show:
                    print(_report(found), flush=True)
                if not given.keep_going:
                    break
            if monotonic() - told > 2:
                told = monotonic()
                _progress(done, abouts.total(), told - started)
    finally:
        games.close()
    _progress(done, abouts.total(), monotonic() - started)
    print(file=sys.stderr)
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())
    print(f"{done:,} games ({kinds}) in {monotonic() - started:.0f} s: {abouts.total() or 'no'} contradictions")
    for about, count in abouts.most_common():
        print(f"{count:7,} {about}")
    return 1 if abouts else 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m fuzz", description="Random games, by ruse and by an oracle.")
    made.add_argument("--games", type=int, default=300, metavar="N", help="how many (300)")
    made.add_argument("--minutes", type=float, metavar="M", help="stop after so many")
    made.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same games")
    kinds = "; ".join(f"{name}: {kind.about}" for name, kind in KINDS.items())
    made.add_argument("--only", choices=KINDS, metavar="KIND", help=kinds)
    made.add_argument("--like", action="append", default=[], metavar="TEXT", help="drawn with TEXT, such as leduc")
    made.add_argument("--payoffs", choices=PAYOFFS, metavar="KIND", help=", ".join(PAYOFFS))
    made.add_argument("--game-seed", type=int, metavar="N", help="one game, by the seed that was printed")
    made.add_argument("--keep-going", action="store_true", help="do not end at the first contradiction")
    made.add_argument("--show", type=int, default=1, metavar="N", help="of each sort of contradiction, tell so many")
    made.add_argument("--workers", type=int, default=2, metavar="N", help="processes (2)")
    return made


def _tasks(given: argparse.Namespace, started: float, abouts: Counter[str]) -> Iterator[Task]:
    if given.game_seed is not None:
        yield Task(given.only or kind_of(given.game_seed), given.game_seed, given.payoffs)
        return
    for seed in islice(_seeds(given), given.games):
        if given.minutes is not None and monotonic() - started > 60 * given.minutes:
            return
        kind = given.only or kind_of(seed)
        known = frozenset(about.partition(": ")[2] for about, count in abouts.items() if count >= given.show)
        yield Task(kind, seed, given.payoffs, known)


def _seeds(given: argparse.Namespace) -> Iterator[int]:
    """The seeds of games in whose description all of `--like` stands."""
    for seed in range(given.seed * APART, (given.seed + 1) * APART):
        if not given.like or is_like(Task(given.only or kind_of(seed), seed, given.payoffs), given.like):
            yield seed


def _report(found: Found) -> str:
    task = found.task
    payoffs = f" --payoffs {task.payoffs}" if task.payoffs else ""
    again = f"python -m fuzz --only {task.kind}{payoffs} --game-seed {task.seed}"
    return f"\nCONTRADICTION in {task.kind}, seed {task.seed}: {found.told}\n  again: {again}"


def _progress(done: int, wrong: int, seconds: float) -> None:
    rate = done / max(seconds, 1e-9)
    print(f"\r{done:,} games, {wrong:,} contradictions, {rate:.1f} games a second", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
