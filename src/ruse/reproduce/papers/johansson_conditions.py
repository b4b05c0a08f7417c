"""Johansson, chapter 3: equilibria as conditions, and the complementarity problem that no package solved."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction

from ruse.core.registry import make
from ruse.forms.certificate import gains
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form
from ruse.reproduce.papers.johansson_game import his_form
from ruse.reproduce.report import Outcome, PaperLine, compare, lasting, said, shown
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp


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
