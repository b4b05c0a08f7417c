"""Johansson, the game: his theorem, his trees, rules of thumb, and what he wished to see."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from ruse.core.registry import make
from ruse.forms.sequence_form import FormArrays
from ruse.games.resistance.sizes import sizes as knowledge_tree_sizes
from ruse.games.resistance.table import make_table
from ruse.present.rules import score_function, score_rules
from ruse.reproduce import drawing, johansson_tree
from ruse.reproduce.johansson_form import johansson_form
from ruse.reproduce.johansson_tree import JohanssonTree, johansson_nodes
from ruse.reproduce.report import Outcome, PaperLine, compare, lasting, rounded, said, shown
from ruse.solving.pipeline import solve

SEATS = (5, 6, 7, 8)
SIZES = {5: "2 3 2 3 3", 6: "2 3 4 3 4", 7: "2 3 3 4* 4", 8: "3 4 4 5* 5"}
# Table 2: ε, win rate, iterations, iterations per second, tree size
PRINTED = {
    5: ("0.002", "0.030", 11_080, 22.1, 12_162),
    6: ("0.002", "0.332", 11_920, 8.55, 42_438),
    7: ("0.002", "0.257", 1_950, 1.19, 369_869),
    8: ("0.003", "0.160", 500, 0.213, 4_110_657),
}
THEOREM = """side: resistance
mission 1 or 3: send ab
mission 2: send abc
mission 4: send abd
mission 5: send abe
side: spies
missions of 2: pass
missions of 3: sabotage
"""


def resistance(players: int) -> Any:
    return make("resistance", {"players": str(players)})


@cache
def his_form(players: int) -> tuple[FormArrays, float]:
    """The sequence form of his tree, and how many seconds it took to write down."""
    started = time.perf_counter()
    form = johansson_form(make_table(players), johansson_tree.PRINTED[players][1])
    return form, time.perf_counter() - started


def win(payoff: Fraction | float) -> Any:
    return (1 + payoff) / 2


def sizes(full: bool) -> Outcome:
    lines = []
    for players, printed in SIZES.items():
        table = resistance(players).table
        ours = " ".join(
            f"{size}{'*' * (fails - 1)}" for size, fails in zip(table.missions, table.sabotages, strict=True)
        )
        lines.append(said(f"{players} players", printed, ours, ours == printed))
    return Outcome(lines, "* takes two sabotages to fail.", commands=("ruse games resistance",))


def theorem(full: bool) -> Outcome:
    game = resistance(5)
    solution = solve(game)
    trusting, spies = (Fraction(score.win or 0) for score in score_rules(game, THEOREM))
    return Outcome(
        [
            compare("value: the resistance wins", "0.3", win(solution.certificate.lower)),
            compare("trusting two at random wins at least", "0.3", trusting),
            compare("passing missions of two and failing those of three wins at least", "0.7", spies),
        ],
        "Both strategies are written as rules and scored against every answer, in fractions. The bounds meet, so both "
        "are optimal; ruse "
        "proves the value by strategies of its own as well.",
        commands=("ruse solve resistance --players 5", "ruse score resistance STRATEGY --players 5"),
    )


def trees(full: bool) -> Outcome:
    formula = comb(4, 2) * comb(7, 2) * comb(7, 3) * comb(7, 4) ** 2
    count = knowledge_tree_sizes(make_table(7)).totals.spies.total
    reduced = johansson_nodes(make_table(7), "supersets")
    return Outcome(
        [
            said("7 players, C(4,2) C(7,2) C(7,3) C(7,4)²", "≈ 10¹⁰", f"{formula:,}", 10**9.5 <= formula <= 10**10.5),
            said(
                "7 players, nodes of the first tree that the spies see, counted",
                "≈ 10¹⁰",
                f"{count:,}",
                10**9.5 <= count <= 10**10.5,
            ),
            said("7 players, reduced", "3.7 · 10⁵", f"{reduced:,}", round(reduced, -4) == 370_000),
        ],
        "The number is right and the product is not: as printed it is 5.4 million. What the tree multiplies by at each "
        "of five missions is the "
        "missions (21, 35, 35, 35, 35) and, where spies are aboard, two results.",
        slip="Johansson, §2.4",
        commands=("ruse sizes resistance --players 7",),
    )


def starts(full: bool) -> Outcome:
    table = make_table(5)
    tree = JohanssonTree(table)
    start = tree.start()
    picked = tree.play(start, tree.moves(start)[0])
    return Outcome(
        [
            PaperLine("first tree, 5 players: spies, then missions", "", f"{table.spy_sets} × {comb(5, 2)} branches"),
            PaperLine(
                "reduced tree: missions, then spies among them",
                "",
                f"{len(tree.moves(start))} × {len(tree.moves(picked))} branches",
            ),
        ],
        "Any first mission is as good as any other, so there is one; then chance says how many spies are aboard: none "
        "3/10, one 6/10, "
        "two 1/10.",
        "The figure is a picture, of which the text has the caption only.",
        pictures=[drawing.tree(tree, "The start of the reduced tree for five players", deepest=4, most=40)],
    )


def by_size(position: str, moves: Sequence[str]) -> str:
    """Fail exactly the missions with more than two."""
    return "sabotage" if len(position.rpartition("/")[2]) - 1 > 2 else "pass"


def rules_of_thumb(full: bool) -> Outcome:
    lines = []
    for players in (*SEATS, 9, 10):
        game = resistance(players)
        value = 1 - win(solve(game).certificate.lower)
        kept = score_function(game, 1, by_size).win
        lines.append(
            said(
                f"{players} players: spies are sure of",
                "optimal" if players < 9 else "",
                f"{shown(kept or 0)} of {shown(value)}",
                kept == value if players < 9 else None,
            )
        )
    return Outcome(
        lines,
        "At 5, 6 and 7 players the rule is optimal. At 8 every mission has more than two, so the rule fails all of "
        "them, and the first failure "
        "says too much: the resistance then wins 13/56 instead of 9/56.",
        slip="Johansson, §4.3",
        commands=("ruse score resistance RULES --players 8",),
    )


def spies_win(full: bool) -> Outcome:
    value = 1 - win(solve(resistance(5)).certificate.lower)
    return Outcome(
        [compare("5 players: spies win", "0.7", value)],
        "That people and bots win far more often as the resistance is said of other programs and evenings, and is not "
        "computed here. "
        "`ruse companion` keeps such evenings, with an opponent who slips.",
        commands=("ruse solve resistance --players 5",),
    )


def future(full: bool) -> Outcome:
    game = resistance(5)
    solution = solve(game)
    start = solution.strategy("spies").at("resistance-5@ab/ab?")
    result = ", ".join(f"{move} {shown(share)}" for move, share in start.items())
    lines = [
        PaperLine("a strategy seen: both spies on the first mission", "no way to visualise", result),
        PaperLine("lines of rules that say all of it", "", str(len(solution.words().splitlines()))),
    ]
    if full:
        started = time.perf_counter()
        sampled = solve(game, "mccfr", iterations=3_000, seed=1)
        took = time.perf_counter() - started
        result = f"{rounded(float(sampled.certificate.gap) / 2)} in {lasting(took)}"
        lines.append(PaperLine(f"Monte Carlo CFR, {sampled.iterations:,} iterations: ε", "may be faster", result))
    for players in SEATS:
        solution = solve(resistance(players))
        exact = solution.certificate.exact
        lines.append(
            said(
                f"{players} players: exact equilibrium",
                "seems possible",
                f"resistance wins {shown(win(solution.certificate.lower))}",
                exact,
            )
        )
    return Outcome(
        lines,
        "All three wishes came true: `ruse explore` shows every position, sampling is there (`--solver mccfr`, timed "
        "with `--full`), though predictive "
        "CFR and the lazy LP are quicker here, and every official table has exact optimal strategies.",
        commands=("ruse explore resistance --players 8", "ruse show FILE.ruse POSITION"),
    )
