"""Johansson, chapters 3 and 4: equilibria as conditions, the complementarity problem, and regret."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction

from ruse.core.registry import make
from ruse.forms.certificate import gains
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form
from ruse.games.resistance.table import make_table
from ruse.reproduce.johansson_tree import johansson_nodes
from ruse.reproduce.papers.johansson_game import PRINTED, SEATS, his_form, resistance, win
from ruse.reproduce.report import Chart, Outcome, PaperLine, compare, lasting, rounded, said, shown
from ruse.solvers.cfr import Cfr
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.variants import VARIANTS
from ruse.solving.pipeline import solve


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
    lines = [PaperLine(f"{name}: ε after {looks[-1]:,} iterations", "", rounded(gap)) for name, gap in last.items()]
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


def _reached(label: str, theirs: str, ours: float) -> PaperLine:
    """An ε that is no larger than the printed one, which is rounded."""
    agrees = ours < float(theirs) + 5e-4
    return PaperLine(label, theirs, rounded(ours), "no more" if agrees else f"+{rounded(ours - float(theirs))}", agrees)


def solving(full: bool) -> Outcome:
    lines = []
    for players in SEATS:
        epsilon, rate, iterations, speed, nodes = PRINTED[players]
        counted = johansson_nodes(make_table(players), "supersets")
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
            PaperLine(
                f"{players} players: iterations per second",
                f"{speed:g}",
                f"{(iterations - 1) / took:,.0f}",
                f"{(iterations - 1) / took / speed:,.0f} times as many",
            )
        )
        lines.append(PaperLine(f"{players} players: his tree written down", "", lasting(writing)))
    return Outcome(
        lines,
        "0.030 at five players is a misprint of 0.300, as his theorem says. The first three sizes count the tree that "
        "he describes; that for eight players "
        "counts one that drops only exact repeats of a failed mission, "
        f"{johansson_nodes(make_table(8), 'repeats'):,} nodes. Our ε is the sum of what both sides "
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
        looks = [look for look in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000) if look < most] + [most]
        series: dict[str, list[tuple[float | str, float]]] = {}
        for name in ("cfr", "cfr+", "pcfr+", "pdcfr+"):
            run, done = Cfr(compiled, VARIANTS[name]), 0
            series[name] = []
            for look in looks if name == "cfr" else [look for look in looks if look <= 1000]:
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
            PaperLine(
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


def best_responses(form: FormArrays, side: int, plan: Sequence[Fraction]) -> tuple[Fraction, list[Fraction]]:
    """The dual of a side's best response to the other's plan: its value, and the slack of each of its sequences."""
    tree: Treeplex = form.trees[side]
    sign = 1 if side == 0 else -1
    gain = [sign * Fraction(payoff, form.denominator) for payoff in gains(form, side, plan)]
    slack = [Fraction(0)] * tree.sequences
    for parent, first, end in reversed(list(tree.sets())):
        best = max(gain[first:end])
        slack[first:end] = [best - payoff for payoff in gain[first:end]]
        gain[parent] += best
    return gain[0], slack


def conditions(full: bool) -> Outcome:
    form, _ = his_form(5)
    x, y = lp(form).plans
    (p, first), (q, second) = best_responses(form, 0, y), best_responses(form, 1, x)
    paid = (
        sum((weight * gain for weight, gain in zip(x, gains(form, 0, y), strict=True)), Fraction(0)) / form.denominator
    )
    spare = sum((weight * slack for weight, slack in zip(x, first, strict=True)), Fraction(0))
    other = sum((weight * slack for weight, slack in zip(y, second, strict=True)), Fraction(0))
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
    _, first = best_responses(form, 0, solved.plans[1])
    _, second = best_responses(form, 1, solved.plans[0])
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
            PaperLine("M for his five-player tree", "", f"{rows:,} × {rows:,}"),
            said("z′(Mz + q) of the solution", "0", shown(left), left == 0),
        ],
        "The two rows of payoffs are printed as one: −B′ and −A stand side by side where they belong one below the "
        "other. With six rows it is the "
        "problem of Koller, Megiddo and von Stengel, which `tests/solvers/test_lcp.py` checks block by block.",
        slip="Johansson, §3.3",
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
        result = f"{shown(solved.certificate.lower)} exactly, in {lasting(took)}"
        lines.append(
            said(
                f"his tree, {players} players: {solved.iterations} pivots",
                "failed",
                result,
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
