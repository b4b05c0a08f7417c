"""Kubíček 2023, the double oracle with default actions, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ruse.core.registry import make
from ruse.forms.certificate import best_response
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.reproduce.papers.kubicek_example import example
from ruse.reproduce.report import Outcome, PaperLine, said, shown
from ruse.solvers.double_oracle import DoubleOracle, finish
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
