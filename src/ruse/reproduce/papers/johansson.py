"""Johansson, "Optimal Strategies for The Resistance": his theorem, trees, Lemke, CFR and rules of thumb."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from ruse.core.registry import make, part
from ruse.forms.certificate import gains
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import SequenceForm, Treeplex, sequence_form
from ruse.reproduce import drawing
from ruse.reproduce.report import Chart, Comparison, Outcome, compare, lasting, said, shown
from ruse.solvers.cfr import Cfr
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.variants import VARIANTS
from ruse.solving.pipeline import solve
from ruse.text.rules import score_function, score_rules

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
def papers() -> Any:
    """What The Resistance brings for papers."""
    return part(resistance(5), "papers")


@cache
def his_form(players: int) -> tuple[SequenceForm, float]:
    """The sequence form of his tree, and how many seconds it took to write down."""
    started = time.perf_counter()
    form = papers().johansson_form(papers().make_table(players), papers().PRINTED[players][1])
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
    count = papers().sizes(papers().make_table(7)).totals.spies.total
    reduced = papers().johansson_nodes(papers().make_table(7), "supersets")
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
    table = papers().make_table(5)
    tree = papers().JohanssonTree(table)
    start = tree.start()
    picked = tree.play(start, tree.moves(start)[0])
    return Outcome(
        [
            Comparison("first tree, 5 players: spies, then missions", "", f"{table.spy_sets} × {comb(5, 2)} branches"),
            Comparison(
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


def worth(form: SequenceForm, side: int, plan: Sequence[Fraction]) -> tuple[Fraction, list[Fraction]]:
    """The dual of a side's best response to the other's plan: its value, and the slack of each of its sequences."""
    tree: Treeplex = form.trees[side]
    sign = 1 if side == 0 else -1
    gain = [sign * Fraction(one, form.denominator) for one in gains(form, side, plan)]
    slack = [Fraction(0)] * tree.sequences
    for parent, first, end in reversed(list(tree.sets())):
        best = max(gain[first:end])
        slack[first:end] = [best - one for one in gain[first:end]]
        gain[parent] += best
    return gain[0], slack


def conditions(full: bool) -> Outcome:
    form, _ = his_form(5)
    x, y = lp(form).plans
    (p, first), (q, second) = worth(form, 0, y), worth(form, 1, x)
    paid = (
        sum((weight * gain for weight, gain in zip(x, gains(form, 0, y), strict=True)), Fraction(0)) / form.denominator
    )
    spare = sum((weight * one for weight, one in zip(x, first, strict=True)), Fraction(0))
    other = sum((weight * one for weight, one in zip(y, second, strict=True)), Fraction(0))
    return Outcome(
        [
            said(
                "Eq. 2 and 5: no slack below 0",
                "≥ 0",
                f"{shown(min(min(first), min(second)))} at least",
                min(*first, *second) >= 0,
            ),
            said("Eq. 3: y′(A′x + F′q)", "0", shown(other), other == 0),
            said("Eq. 6: x′(−Ay + E′p)", "0", shown(spare), spare == 0),
            said("x′Ay = e′p = −f′q", "equal", f"{shown(paid)}, {shown(p)}, {shown(-q)}", paid == p == -q),
        ],
        f"On his own five-player tree of {form.trees[0].sequences:,} × {form.trees[1].sequences:,} sequences, with "
        "optimal plans of ruse's, in fractions. "
        "(The objective of Eq. 5 is printed as p′f; it is p′e.)",
        commands=("ruse solve resistance --players 5 --solver lp",),
    )


def problem(full: bool) -> Outcome:
    form, _ = his_form(5)
    n, m = (tree.sequences for tree in form.trees)
    k, length = (tree.infosets + 1 for tree in form.trees)
    blocks = (n, m, k, k, length, length)  # x and y, and the values of both sides' information sets, each split in two
    rows = sum(blocks)
    solved = lcp(form)
    _, first = worth(form, 0, solved.plans[1])
    _, second = worth(form, 1, solved.plans[0])
    left = sum(
        (
            a * b
            for plan, slack in zip(solved.plans, (first, second), strict=True)
            for a, b in zip(plan, slack, strict=True)
        ),
        Fraction(0),
    )
    return Outcome(
        [
            compare("block rows of M, printed with five beside six of q", "5", len(blocks)),
            Comparison("M for his five-player tree", "", f"{rows:,} × {rows:,}"),
            said("z′(Mz + q) of the solution", "0", shown(left), left == 0),
        ],
        "The two rows of payoffs are printed as one: −B′ and −A stand side by side where they belong one below the "
        "other. With six rows it is the "
        "problem of Koller, Megiddo and von Stengel, which `tests/solvers/test_lcp.py` checks block by block.",
        slip="Johansson, §3.4",
        commands=("ruse solve kuhn --solver lcp",),
    )


def packages(full: bool) -> Outcome:
    lines = []
    for name in ("kuhn", "mini-poker", "kubicek"):
        solved = lcp(sequence_form(make(name, {})))
        lines.append(
            said(
                f"{name}, {solved.iterations} pivots",
                "inaccurate",
                f"exactly {shown(solved.certificate.lower)}",
                False if solved.certificate.exact else None,
            )
        )
    for players in (5, 6, 7) if full else (5, 6):
        form, _ = his_form(players)
        started = time.perf_counter()
        solved = lcp(form)
        took = time.perf_counter() - started
        told = f"{shown(solved.certificate.lower)} exactly, in {lasting(took)}"
        lines.append(
            said(
                f"his tree, {players} players: {solved.iterations} pivots",
                "failed",
                told,
                False if solved.certificate.exact else None,
            )
        )
    return Outcome(
        lines,
        "It differs for the better: Lemke's algorithm works on these problems. Most pivots change nothing (ties), the "
        "problem as printed starts "
        "outside the plans, and rounding adds up; with a rule for ties, a start at pure plans and an exact last basis "
        "it ends in a second "
        "(`docs/explanation/lcp.md`).",
        "The packages that he tried (Siconos, OpenOpt, a MATLAB file, CVXOPT) are not run here.",
        commands=("ruse solve leduc --solver lcp",),
    )


def regret(full: bool) -> Outcome:
    """His formula literally, on Kuhn poker, beside CFR and CFR+."""
    compiled = Compiled(sequence_form(make("kuhn", {})))
    looks = (1, 10, 100, 1000) if not full else (1, 10, 100, 1000, 10_000)
    series: dict[str, list[tuple[float | str, float]]] = {"as printed": _as_printed(compiled, looks)}
    for name in ("cfr", "cfr+"):
        run, done = Cfr(compiled, VARIANTS[name]), 0
        series[name] = []
        for look in looks:
            run.run(look - done)
            done = look
            series[name].append((look, float(compiled.certify(run.weights()).certificate.gap) / 2))
    last = {name: float(points[-1][1]) for name, points in series.items()}
    lines = [Comparison(f"{name}: ε after {looks[-1]:,} iterations", "", f"{gap:.2g}") for name, gap in last.items()]
    same = [name for name in ("cfr", "cfr+") if abs(last["as printed"] - last[name]) < 1e-9]
    lines.append(said("the formula is that of CFR+ [12]", "yes", "yes" if "cfr+" in same else "no", "cfr+" in same))
    return Outcome(
        lines,
        "CFR clips a sum of regrets when it plays, CFR+ clips the running sum at every step; the printed formula clips "
        "each regret before it "
        "is added, so a bad move is never forgotten. His code may well have done it right.",
        slip="Johansson, §4.2",
        charts=[Chart("Kuhn poker: exploitability by iterations", "iterations", "ε", series, (True, True))],
        commands=("ruse solve kuhn --solver cfr --iterations 1000",),
    )


def _as_printed(compiled: Compiled, looks: Sequence[int]) -> list[tuple[float | str, float]]:
    """Play in proportion to the sums of max(0, regret); averages as in CFR, both sides at once."""
    import numpy as np

    form = compiled.form
    sums = [np.zeros(tree.sequences) for tree in form.trees]
    totals = [np.zeros(tree.sequences) for tree in form.trees]
    points: list[tuple[float | str, float]] = []
    for done in range(1, looks[-1] + 1):
        plans, odds = [], []
        for side, tree in enumerate(form.trees):
            plan, own = np.zeros(tree.sequences), np.zeros(tree.sequences)
            plan[0] = 1.0
            for parent, first, end in tree.sets():
                total = sums[side][first:end].sum()
                own[first:end] = sums[side][first:end] / total if total > 0 else 1 / (end - first)
                plan[first:end] = plan[parent] * own[first:end]
            plans.append(plan)
            odds.append(own)
            totals[side] += plan
        for side, tree in enumerate(form.trees):
            gain = np.array(gains(form, side, plans[1 - side].tolist())) * (1, -1)[side]
            for parent, first, end in reversed(list(tree.sets())):
                value = gain[first:end] @ odds[side][first:end]
                sums[side][first:end] += np.maximum(0.0, gain[first:end] - value)
                gain[parent] += value
        if done in looks:
            points.append((done, float(compiled.certify((totals[0], totals[1])).certificate.gap) / 2))
    return points


def _reached(what: str, theirs: str, ours: float) -> Comparison:
    """An ε that is no larger than the printed one, which is rounded."""
    agrees = ours < float(theirs) + 5e-4
    return Comparison(what, theirs, f"{ours:.2g}", "no more" if agrees else f"+{ours - float(theirs):.2g}", agrees)


def solving(full: bool) -> Outcome:
    lines = []
    for players in SEATS:
        epsilon, rate, iterations, speed, nodes = PRINTED[players]
        counted = papers().johansson_nodes(papers().make_table(players), "supersets")
        lines.append(compare(f"{players} players: tree size", f"{nodes:,}", counted, within=0))
        value = win(solve(resistance(players)).certificate.lower)
        lines.append(compare(f"{players} players: win rate, exact", rate, value, within=float(epsilon)))
        if players > 6 and not full:
            continue
        form, writing = his_form(players)
        compiled = Compiled(form)
        run = Cfr(compiled, VARIANTS["cfr"])
        run.run(1)
        started = time.perf_counter()
        run.run(iterations - 1)
        took = time.perf_counter() - started
        bounds = compiled.certify(run.weights()).certificate
        low, high = float(win(bounds.lower)), float(win(bounds.upper))
        lines.append(_reached(f"{players} players: ε after {iterations:,} iterations of CFR", epsilon, high - low))
        lines.append(
            Comparison(
                f"{players} players: iterations per second",
                f"{speed:g}",
                f"{(iterations - 1) / took:,.0f}",
                f"{(iterations - 1) / took / speed:,.0f} times as many",
            )
        )
        lines.append(Comparison(f"{players} players: his tree written down", "", lasting(writing)))
    return Outcome(
        lines,
        "0.030 at five players is a misprint of 0.300, as his theorem says. The first three sizes count the tree that "
        "he describes; that for eight players "
        "counts one that drops only exact repeats of a failed mission, "
        f"{papers().johansson_nodes(papers().make_table(8), 'repeats'):,} nodes. Our ε is the sum of what both sides "
        "could gain, so no less than his." + ("" if full else " Seven and eight players are run with `--full`."),
        slip="Johansson, Table 2",
        commands=("python -m benchmarks.johansson --players 5",),
    )


def curves(full: bool) -> Outcome:
    charts, lines = [], []
    for players in SEATS if full else (5, 6):
        form, _ = his_form(players)
        compiled = Compiled(form)
        most = PRINTED[players][2]
        looks = [one for one in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000) if one < most] + [most]
        series: dict[str, list[tuple[float | str, float]]] = {}
        for name in ("cfr", "cfr+", "pcfr+", "pdcfr+"):
            run, done = Cfr(compiled, VARIANTS[name]), 0
            series[name] = []
            for look in looks if name == "cfr" else [one for one in looks if one <= 1000]:
                run.run(look - done)
                done = look
                gap = float(compiled.certify(run.weights()).certificate.gap) / 2
                series[name].append((look, max(gap, 1e-16)))
                if gap < 1e-9:
                    break
        his = (float(most), float(PRINTED[players][0]))
        charts.append(
            Chart(
                f"{players} players: exploitability by iterations",
                "iterations",
                "ε (win rate)",
                series,
                (True, True),
                {"his last, Table 2": his},
            )
        )
        ours = dict(series["cfr"])[most]
        lines.append(_reached(f"{players} players, CFR at {most:,} iterations", PRINTED[players][0], ours))
        quick = next((look for look, gap in series["pcfr+"] if gap <= his[1]), None)
        lines.append(
            Comparison(
                f"{players} players: pcfr+ is there after", "", f"{quick:,} iterations" if quick else "more iterations"
            )
        )
    return Outcome(
        lines,
        "CFR as he ran it falls like his; predictive variants are there in a tiny part of the iterations.",
        "The figure is a picture: of its curves the text has only the last points, in Table 2.",
        charts=charts,
        commands=("python -m benchmarks.johansson --plot curves.png",),
    )


def by_size(position: str, moves: Sequence[str]) -> str:
    """Fail exactly the missions with more than two."""
    return "sabotage" if len(position.rpartition("/")[2]) - 1 > 2 else "pass"


def thumb(full: bool) -> Outcome:
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
    told = ", ".join(f"{move} {shown(share)}" for move, share in start.items())
    lines = [
        Comparison("a strategy seen: both spies on the first mission", "no way to visualise", told),
        Comparison("lines of rules that say all of it", "", str(len(solution.words().splitlines()))),
    ]
    if full:
        started = time.perf_counter()
        sampled = solve(game, "mccfr", iterations=3_000, seed=1)
        took = time.perf_counter() - started
        told = f"{float(sampled.certificate.gap) / 2:.2g} in {lasting(took)}"
        lines.append(Comparison(f"Monte Carlo CFR, {sampled.iterations:,} iterations: ε", "may be faster", told))
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


ITEMS = {
    "Table 1": (sizes, 0.1, 0.1),
    "Theorem 2.1": (theorem, 1.0, 1.0),
    "§2.4": (trees, 1.0, 1.0),
    "Figure 1": (starts, 0.1, 0.1),
    "Eqs. 1–6": (conditions, 1.0, 1.0),
    "§3.3": (problem, 2.0, 2.0),
    "§3.4": (packages, 3.0, 60.0),
    "§4.2": (regret, 1.0, 8.0),
    "Table 2": (solving, 18.0, 240.0),
    "Figure 2": (curves, 8.0, 240.0),
    "§4.3": (thumb, 4.0, 4.0),
    "§5.1": (spies_win, 0.2, 0.2),
    "§5.2": (future, 2.0, 110.0),
}
