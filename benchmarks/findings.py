"""What docs/explanation/findings.md says of the maps of The Resistance.

    python -m benchmarks.findings [--players 5-7]

sweeps over all tables with the official number of spies, missions of 2 seats to all but 2 in any order, which take a
sabotage or two, and counts. What is in the library of solved variants is not solved again: five and six players take a
minute on two cores, seven half an hour the first time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction

import ruse
from ruse.core.rationals import percent
from ruse.games.resistance import fixed_plan
from ruse.games.resistance.table import OFFICIAL, make_table
from ruse.present.console import Progress
from ruse.studio.sweep import Sweep, sweep

HALF = Fraction(1, 2)
Rounds = tuple[tuple[int, int], ...]  # of each mission: its size, and the sabotages that it takes


def whole_map(players: int) -> Sweep:
    span = ruse.games.resistance(players).span()
    with Progress(sys.stderr, f"{players} players") as progress:
        return sweep("resistance", {"players": players, **span}, report=progress.report)


def beside(rounds: Rounds, won: dict[Rounds, Fraction]) -> Iterator[Rounds]:
    """The tables of the map that differ by one step."""
    for place, (size, fails) in enumerate(rounds):
        for other in ((size - 1, fails), (size + 1, fails), (size, fails - 1), (size, fails + 1)):
            changed = (*rounds[:place], other, *rounds[place + 1 :])
            if changed in won:
                yield changed


def rule_is_optimal(players: int, rounds: Rounds, share: Fraction) -> bool:
    """Whether spies who pass two missions and sabotage three concede no more than the value."""
    sizes, fails = zip(*rounds, strict=True)
    table = make_table(players, None, sizes, fails)
    return Fraction(fixed_plan.bounds(table)[1], table.spy_sets) == share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", default="5-7", help="a number, or two with a dash between")
    first, _, last = parser.parse_args().players.partition("-")
    for players in range(int(first), int(last or first) + 1):
        found = whole_map(players)
        won: dict[Rounds, Fraction] = {}
        keys: dict[Rounds, str] = {}
        simple = 0
        for number, row in found.rows.items():
            rounds = tuple(zip(row.parameters["missions"], row.parameters["sabotages"], strict=True))
            won[rounds], keys[rounds] = row.win["resistance"], found.variants.items[number].key
            simple += bool(row.simple)
        shares = list(won.values())
        official = tuple(zip(*OFFICIAL[players][1:], strict=True))
        here = won[official]
        print(f"{players} players: {len(won):,} tables, {len({*keys.values()}):,} that differ, all exact")
        print(f"  the resistance wins from {min(shares)} to {max(shares)}, {len({*shares})} different values")
        print(f"  always: {shares.count(Fraction(1)):,}, never: {shares.count(Fraction(0)):,}, ", end="")
        print(f"less than half: {sum(one < HALF for one in shares):,}, exactly half: {shares.count(HALF):,}")
        print(f"  official {here}: {sum(one < here for one in shares):,} tables are worse for it, ", end="")
        print(f"{shares.count(here):,} as good, {sum(one > here for one in shares):,} better")
        steps = [won[other] - here for other in beside(official, won)]
        print(f"  of {len(steps)} single steps from it {sum(one > 0 for one in steps)} help the resistance, ", end="")
        print(f"{sum(one < 0 for one in steps)} hurt it")
        near = min(abs(one - HALF) for one in shares)
        nearest = [rounds for rounds, share in won.items() if abs(share - HALF) == near]
        print(f"  nearest to even: {won[nearest[0]]}, at {len(nearest):,} of them")
        orders: dict[Rounds, list[Fraction]] = {}
        for rounds, share in won.items():
            orders.setdefault(tuple(sorted(rounds)), []).append(share)
        matters = {rounds: max(some) - min(some) for rounds, some in orders.items() if len({*some}) > 1}
        print(f"  order matters in {len(matters):,} of {len(orders):,} sets of missions", end="")
        print(f", by {percent(max(matters.values()))} at most" if matters else "")
        optimal: dict[str, bool] = {}
        for rounds, key in keys.items():
            if key not in optimal:
                optimal[key] = rule_is_optimal(players, rounds, won[rounds])
        ruled = sum(optimal[key] for key in keys.values())
        print(
            f"  passing two and sabotaging three is optimal at {ruled:,} ({percent(Fraction(ruled, len(won)))}), ",
            end="",
        )
        print(f"and a fixed plan with it at {simple:,} ({percent(Fraction(simple, len(won)))})", flush=True)


if __name__ == "__main__":
    main()
