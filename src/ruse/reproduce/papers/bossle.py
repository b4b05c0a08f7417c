"""Bossle 2018, "Finding Optimal Strategies for Group Deception Games": every chapter."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ruse.core.game import END, State
from ruse.core.registry import make
from ruse.forms.certificate import best_response
from ruse.forms.normal_form import normal_form, strategy_counts
from ruse.forms.sequence_form import sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.papers import bossle_resistance as chapters
from ruse.reproduce.papers.bossle_equilibria import (
    against_pure,
    compact,
    convex,
    equilibria,
    rock,
    rock_tree,
    same_payoff,
    table_half,
    table_plain,
)
from ruse.reproduce.papers.bossle_resistance import PICTURE
from ruse.reproduce.report import Outcome, PaperLine, compare, said, shown
from ruse.solvers.lp import lp
from ruse.solving.pipeline import solve

DILEMMA = {
    ("Cooperate", "Cooperate"): (1, 1),
    ("Cooperate", "Defect"): (-1, 2),
    ("Defect", "Cooperate"): (2, -1),
    ("Defect", "Defect"): (0, 0),
}


def dilemma(full: bool) -> Outcome:
    names = ("Cooperate", "Defect")
    stable = [
        pair
        for pair in DILEMMA
        if DILEMMA[pair][0] == max(DILEMMA[name, pair[1]][0] for name in names)
        and DILEMMA[pair][1] == max(DILEMMA[pair[0], name][1] for name in names)
    ]
    better = [pair for pair in DILEMMA if all(a > b for a, b in zip(DILEMMA[pair], DILEMMA[stable[0]], strict=True))]
    return Outcome(
        [
            said(
                "pure equilibria",
                "all defect",
                "; ".join(" – ".join(pair) for pair in stable),
                stable == [("Defect", "Defect")],
            ),
            said(
                "better for both",
                "all cooperate",
                "; ".join(" – ".join(pair) for pair in better),
                better == [("Cooperate", "Cooperate")],
            ),
        ],
        "The game is not zero-sum, so it is outside ruse, as it is outside the thesis: `ruse solve` refuses its file "
        "and says why.",
    )


def tic_tac_toe(full: bool) -> Outcome:
    game = make("tic-tac-toe", {})
    known: dict[object, int] = {}

    def payoff_of(state: State) -> int:
        board = frozenset(state[0::2]), frozenset(state[1::2])  # a state is the moves so far
        if board not in known:
            turn = game.turn(state)
            best = max if turn == 0 else min
            known[board] = (
                int(game.payoff(state))
                if turn == END
                else best(payoff_of(game.play(state, move)) for move in game.moves(state))
            )
        return known[board]

    value = payoff_of(game.start())
    firsts = {game.label(move): payoff_of(game.play(game.start(), move)) for move in game.moves(game.start())}
    counts = {payoff: sum(value == payoff for value in known.values()) for payoff in (1, 0, -1)}
    return Outcome(
        [
            compare("payoff of the game", "0", value, within=0),
            said(
                "subgame payoffs",
                "1, 0 or −1",
                ", ".join(f"{shown(payoff)}: {count:,} positions" for payoff, count in counts.items()),
                sum(counts.values()) == len(known),
            ),
            PaperLine(
                "after each first move", "", ", ".join(f"{name} {shown(value)}" for name, value in firsts.items())
            ),
            said(
                "the same by ruse, certified",
                shown(value),
                shown(solve(game).certificate.lower),
                solve(game).certificate.lower == value,
            ),
        ],
        "Backward induction over all positions.",
        f"{PICTURE} It shows a small part of the tree; every position of it is counted here.",
        commands=("ruse solve tic-tac-toe", "ruse explore tic-tac-toe"),
    )


def misled(full: bool) -> Outcome:
    payoffs = normal_form(sequence_form(rock(False))).payoffs
    seen = {min(row) for row in payoffs}
    value = solve(rock(False)).certificate.lower
    return Outcome(
        [
            said(
                "rock–paper–scissors once the first has moved",
                "−1",
                ", ".join(map(shown, seen)),
                seen == {Fraction(-1)},
            ),
            compare("rock–paper–scissors as a whole", "0", value),
        ],
        "What follows a move depends on what was never played, so subgames have no worth of their own.",
    )


def normal_lp(full: bool) -> Outcome:
    lines = []
    for name in ("rock-paper-scissors", "mini-poker", "kubicek", "kuhn"):
        form = sequence_form(make(name, {}))
        rows, columns = strategy_counts(form)
        by_table, by_sequences = solve(make(name, {}), "matrix").certificate.lower, lp(form).certificate.lower
        size = f"{form.trees[0].sequences} × {form.trees[1].sequences}"
        lines.append(
            said(
                f"{name}: {rows} × {columns} strategies, {size} sequences",
                shown(by_sequences),
                shown(by_table),
                by_table == by_sequences,
            )
        )
    return Outcome(
        lines,
        "The program of the normal form on the right, that of the sequence form (§5.2) on the left.",
        commands=("ruse solve kuhn --solver matrix",),
    )


# §3.5: coefficients of the objective, by sequences of both sides; "" is the empty one.
OBJECTIVE = {
    ("0 pass", ""): Fraction(-1, 2),
    ("1 pass", ""): Fraction(1, 2),
    ("0 bet", "0 fold"): Fraction(1, 4),
    ("0 bet", "1 fold"): Fraction(1, 4),
    ("1 bet", "0 fold"): Fraction(1, 4),
    ("1 bet", "1 fold"): Fraction(1, 4),
    ("0 bet", "1 call"): Fraction(-1, 2),
    ("1 bet", "0 call"): Fraction(1, 2),
}


def mini_poker(full: bool) -> Outcome:
    form = sequence_form(make("mini-poker", {}))
    names = [
        [
            "",
            *(
                f"{known.cards} {move}"
                for known, moves in zip(form.knowledge[side], form.moves[side], strict=True)
                for move in moves
            ),
        ]
        for side in (0, 1)
    ]
    ours = forms.payoffs(form)
    lines = [
        said(
            f"S₁[{own}]" + (f" S₂[{other}]" if other else ""),
            shown(printed),
            shown(ours[names[0].index(own)][names[1].index(other)]),
            ours[names[0].index(own)][names[1].index(other)] == printed,
        )
        for (own, other), printed in OBJECTIVE.items()
    ]
    passing = [row for row, name in enumerate(names[0]) if name.endswith("pass")]
    doubled = replace(form, payoffs=form.payoffs * [2 if row in passing else 1 for row in form.rows.tolist()])
    honest = [Fraction(name in ("", "0 pass", "1 bet")) for name in names[0]]
    for title, objective in (("as it is", form), ("as printed", doubled)):
        value = lp(objective).certificate.lower
        sure = best_response(objective, 1, honest)[0]
        lines.append(compare(f"value, objective {title}", "0", value))
        lines.append(
            said(f"bet with 1, pass with 0: sure of, objective {title}", "0: optimal", shown(sure), sure == value)
        )
    return Outcome(
        lines,
        "Passing shows the cards for an ante of 1: with a 0 it loses 1 in one of four deals, −1/4. The thesis prints "
        "−0.5 there, and with that its own "
        "“quite trivial” strategy is not optimal; with −1/4 it is.",
        slip="Bossle 2018, §3.5",
        commands=("ruse solve mini-poker --solver lcp", "ruse solve mini-poker"),
    )


def poker_trees(full: bool) -> Outcome:
    game = make("mini-poker", {})
    states = [game.start()]
    for state in states:
        states += [game.play(state, move) for move in game.moves(state)]
    nodes = [len({game.knows(state, side) for state in states}) for side in (0, 1)]
    return Outcome(
        [
            compare("nodes of the first player's tree, by the names in its program", "11", nodes[0]),
            compare("nodes of the second player's tree", "7", nodes[1]),
        ],
        "The second player's tree leaves out what it cannot influence: that there was a bet (2 nodes, as its program "
        "has a choice with each card at once) and "
        "that the other passed (2). ruse's rules tell it both.",
        f"{PICTURE} What it names is in the program of §3.5.",
        pictures=[drawing.tree(game, "The poker-like game as one tree")],
        commands=("ruse explore mini-poker",),
    )


ITEMS = {
    "§2.3": (equilibria, 1.0, 1.0),
    "Table 2.1": (table_plain, 0.1, 0.1),
    "Table 2.2": (table_half, 0.1, 0.1),
    "Figure 2.1": (rock_tree, 0.1, 0.1),
    "Figure 2.2": (compact, 0.1, 0.1),
    "Theorem 1": (same_payoff, 0.5, 0.5),
    "Theorem 2": (against_pure, 0.2, 0.2),
    "Theorem 3": (convex, 0.5, 0.5),
    "Table 3.1": (dilemma, 0.1, 0.1),
    "Figure 3.1": (tic_tac_toe, 3.0, 3.0),
    "§3.2": (misled, 0.1, 0.1),
    "§3.4": (normal_lp, 0.5, 0.5),
    "§3.5": (mini_poker, 0.2, 0.2),
    "Figure 3.2": (poker_trees, 0.1, 0.1),
    "Table 4.1": (chapters.missions, 0.1, 0.1),
    "§4.1": (chapters.evening, 0.5, 0.5),
    "Figure 4.1": (chapters.tree_sizes, 1.0, 1.0),
    "§5.2": (chapters.programs, 25.0, 150.0),
    "§5.3": (chapters.aboard, 0.1, 0.1),
    "Figure 5.1": (chapters.symmetric_rounds, 1.5, 1.5),
    "Figure 5.2": (chapters.symmetric_totals, 2.0, 2.0),
    "Table 6.1": (chapters.payoffs, 1.0, 1.0),
    "Table 6.2": (chapters.first_resistance, 0.5, 0.5),
    "Table 6.3": (chapters.first_spies, 0.5, 0.5),
    "Figure 6.1": (chapters.iterations, 0.5, 0.5),
    "Abstract": (chapters.nodes, 2.0, 2.0),
    "§7": (chapters.oracle, 3.0, 20.0),
    "§4.3": (chapters.beyond, 4.0, 4.0),
}
