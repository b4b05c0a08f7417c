"""Kubíček 2023: the programs of the sequence form and how they scale, and the double oracle with default actions."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.registry import make
from ruse.forms.certificate import best_response
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.reproduce import forms
from ruse.reproduce.papers.kubicek_example import SOLVE, example
from ruse.reproduce.report import MINUS, Outcome, PaperLine, compare, lasting, said, shown
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.plans import CertifiedPlans


def oracle(full: bool) -> Outcome:
    """From A, C against g, i, as on the slide."""
    _, form, first, second = example()
    names = first, second
    start = np.zeros(len(first)), np.zeros(len(second))
    for side, chosen in enumerate((("∅", "A", "AC"), ("∅", "g", "i"))):
        for name in chosen:
            start[side][names[side].index(name)] = 1.0
    exactly: list[CertifiedPlans] = []

    def inner(restricted: FormArrays) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        exactly.append(lp(restricted))
        first, other = (np.array([float(weight) for weight in plan]) for plan in exactly[-1].plans)
        return first, other

    run = DoubleOracle(Compiled(form), inner, start)
    lines = []
    while not run.ended and run.rounds < 20:
        before = tuple(mask.copy() for mask in run.playable)
        restricted = run.restricted
        run.run(1)
        solved = exactly[-1]
        whole = restricted.plans(solved.plans)
        answers = best_response(form, 0, whole[1])[0], best_response(form, 1, whole[0])[0]
        added = [
            [names[side][place] for place in np.flatnonzero(run.playable[side] & ~before[side])] for side in (0, 1)
        ]
        may = [" ".join(names[side][place] for place in np.flatnonzero(before[side]) if place) for side in (0, 1)]
        lines.append(
            PaperLine(
                f"round {run.rounds}: 1 may play {may[0]}; 2 may play {may[1]}",
                "",
                f"value {shown(solved.certificate.lower)}; best responses in the whole game get {shown(answers[0])} "
                "and "
                f"{shown(answers[1])}; added {', '.join(added[0] + added[1]) or 'nothing'}",
            )
        )
    value = lp(form).certificate.lower
    ended = lp(run.restricted.form).certificate.lower
    lines.append(
        said(
            "the value of the last restricted game is that of the game",
            "Nash equilibrium",
            shown(ended),
            ended == value,
        )
    )
    need = " + ".join(map(str, run.restricted.sequences))
    lines.append(PaperLine("sequences that were needed", "", f"{need} of {len(first)} + {len(second)}"))
    return Outcome(
        lines,
        "Every information set has a default action from the start, so what is solved is always a game, and its plans "
        "are plans of "
        "the whole game. Where the slides put a leaf with the opponent's best response to the default action, ruse "
        "folds away only "
        "the side without a choice (`docs/explanation/double-oracle.md`).",
        "The slides show this on another tree, as pictures: begin with AC and gi, value −1; best responses BE and hk; "
        "the leaf after "
        "BhE gets −2, as the answer is n. The payoffs of that tree are in the pictures only, so the same steps are "
        "shown on the "
        "running example, from AC and gi.",
        own_example=True,
        commands=("ruse solve kubicek --solver double-oracle",),
    )


MUCH_SMALLER, ALL = "much smaller", "all have to be considered"


def oracle_properties(full: bool) -> Outcome:
    # what the slides lead one to expect: "much smaller", or all of it; of Leduc poker neither
    games: list[tuple[str, str, dict[str, str], str]] = [
        ("liar's dice, 3 faces", "liars-dice", {"faces": "3"}, MUCH_SMALLER),
        ("goofspiel, 4 cards", "goofspiel", {"cards": "4"}, MUCH_SMALLER),
        ("rock–paper–scissors", "rock-paper-scissors", {}, ALL),
    ]
    if full:
        games += [
            ("liar's dice, 4 faces", "liars-dice", {"faces": "4"}, MUCH_SMALLER),
            ("Leduc poker", "leduc", {}, ""),
        ]
    lines = []
    for title, name, parameters, theirs in games:
        form = sequence_form(make(name, parameters))
        run = DoubleOracle(Compiled(form))
        solved = finish(run)
        chosen, whole = sum(run.restricted.sequences), sum(tree.sequences for tree in form.trees)
        lines.append(
            said(
                f"{title}: value {shown(solved.certificate.lower)} in {run.rounds} rounds",
                theirs,
                f"{chosen:,} of {whole:,} sequences chosen ({chosen / whole:.0%})",
                {MUCH_SMALLER: 2 * chosen < whole, ALL: chosen == whole}.get(theirs),
            )
        )
    return Outcome(
        lines,
        "Not every game has a small heart"
        + (", as Leduc poker shows." if full else ": `--full` shows Leduc poker.")
        + " The rest of the slide (harder to implement; needs the sequence-form program inside) holds here too.",
        commands=("python -m benchmarks.exact",),
    )


PROGRAM_ONE = (
    "v(i₁) + v(i₂) ≥ v(root)",
    "3r₁(AC) − 2r₁(AD) ≥ v(i₁)",
    "1r₁(AC) + 3r₁(AD) ≥ v(i₁)",
    "2r₁(BE) + 1r₁(BF) ≥ v(i₂)",
    "0r₁(BE) + 3r₁(BF) ≥ v(i₂)",
)
PROGRAM_TWO = (
    "v(I₂) ≤ v(I₁)",
    "v(I₃) ≤ v(I₁)",
    "3r₂(g) + 1r₂(h) ≤ v(I₂)",
    f"{MINUS}2r₂(g) + 3r₂(h) ≤ v(I₂)",
    "2r₂(i) + 0r₂(j) ≤ v(I₃)",
    "1r₂(i) + 3r₂(j) ≤ v(I₃)",
)


def written_program(side: int) -> list[str]:
    """Eq. 5 for each sequence of the other side, as the slides write it out; both have A's rows in their own order."""
    _, form, *names = example()
    table = forms.payoffs(form)
    other = form.trees[1 - side]
    values, sign, weight = (("i₁", "i₂"), "≥", "r₁") if side == 0 else (("I₁", "I₂", "I₃"), "≤", "r₂")
    lines = []
    if side == 0:
        lines.append(" + ".join(f"v({name})" for name in values) + f" {sign} v(root)")
    for number, (_, first, end) in enumerate(other.sets()):
        for place in range(first, end):
            factors = table_column(table, place) if side == 0 else table[place]
            follows = [values[child] for child, parent in enumerate(other.parent.tolist()) if parent == place]
            # the sequences of the information set that this one meets: the slides print their zeros
            met = [index for index, factor in enumerate(factors) if factor]
            keep = sorted({index for own in met for index in _set_of(form, side, own)})
            left = " + ".join(
                [
                    *(f"v({name})" for name in follows),
                    *([forms.linear(factors, names[side], weight, keep)] if keep else []),
                ]
            )
            lines.append(f"{left} {sign} v({values[number]})")
    return lines


def table_column(table: forms.Table, place: int) -> list[Fraction]:
    return [row[place] for row in table]


def _set_of(form: FormArrays, side: int, sequence: int) -> range:
    return next(range(first, end) for _, first, end in form.trees[side].sets() if first <= sequence < end)


def program(side: int, printed: tuple[str, ...]) -> Outcome:
    _, form, *names = example()
    ours = written_program(side)
    lines = [
        said(f"constraint {number}", line, line if line in ours else "–", line in ours)
        for number, line in enumerate(printed, 1)
    ]
    lines.append(compare("constraints of the other side", str(len(printed)), len(ours)))
    solved = lp(form, side=side)
    lines.append(PaperLine("value", "", shown(solved.certificate.lower)))
    plan = ", ".join(
        f"{name} {shown(weight)}" for name, weight in zip(names[side], solved.plans[side], strict=True) if weight
    )
    lines.append(PaperLine("plan", "", plan))
    return Outcome(
        lines,
        "Constraint by constraint as on the slide, made from the tree; solved by HiGHS and proved in fractions.",
        "The slides do not print the solution.",
        commands=(f"{SOLVE} --side {side}",),
    )


def program_one(full: bool) -> Outcome:
    return program(0, PROGRAM_ONE)


def program_two(full: bool) -> Outcome:
    return program(1, PROGRAM_TWO)


def properties(full: bool) -> Outcome:
    lines = []
    games = [("Kuhn poker", "kuhn", {}), ("liar's dice, 3 faces", "liars-dice", {"faces": "3"})]
    if full:
        games += [("Leduc poker", "leduc", {}), ("liar's dice, 4 faces", "liars-dice", {"faces": "4"})]
    fastest = 0
    for title, name, parameters in games:
        form = sequence_form(make(name, parameters))
        Compiled(form)  # compiled code is loaded before anything is timed
        took, values = {}, set()
        for solver, run in (
            ("lp", lp),
            ("double oracle", lambda form: finish(DoubleOracle(Compiled(form)))),
            ("lcp", lcp),
        ):
            run(form)
            started = time.perf_counter()
            values.add(run(form).certificate.lower)
            took[solver] = time.perf_counter() - started
        fastest += took["lp"] <= min(took.values())
        first, second = form.trees
        size = f"{first.infosets + 1 + second.sequences:,} × {first.sequences + second.infosets + 1:,}"
        times_text = " · ".join(f"{solver} {lasting(seconds)}" for solver, seconds in took.items())
        lines.append(
            PaperLine(f"{title}, a program of {size}; exact, value {shown(values.pop())}", "LP is fastest", times_text)
        )
    lines.append(PaperLine("games here where the LP was fastest", "all", f"{fastest} of {len(games)}"))
    return Outcome(
        lines,
        "Seconds are of this machine and this run, so nothing is judged by them. In larger games whose optima need few "
        "moves the "
        "double oracle is ahead (`docs/benchmarks.md`).",
        commands=("python -m benchmarks.exact",),
    )
