"""Bossle 2018, chapter 2: rock, paper, scissors, compact trees, and three theorems on equilibria."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from ruse.core.game import END, Game
from ruse.core.registry import make
from ruse.forms.certificate import certify
from ruse.forms.integer_form import Compiled
from ruse.forms.normal_form import normal_form, strategy_counts
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.papers.bossle_resistance import PICTURE
from ruse.reproduce.report import Outcome, PaperLine, compare, said, shown
from ruse.reproduce.small_games import DecisionNode, DrawnGame
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.plans import CertifiedPlans
from ruse.solving.pipeline import solve


def rock(half: bool) -> Game:
    return make("rock-paper-scissors", {"paper-beats-rock": "1/2"} if half else {})


def equilibria(full: bool) -> Outcome:
    lines = []
    for title, game, printed, alone in (
        ("rock, paper, scissors", rock(False), ("1/3", "1/3", "1/3"), "yes"),
        ("paper beats rock for a half", rock(True), ("2/5", "2/5", "1/5"), ""),
    ):
        solution = solve(game)
        odds = solution.strategy(0).at(game.title)
        lines.append(compare(f"{title}: payoff", "0", solution.certificate.lower))
        for move, theirs in zip(("rock", "paper", "scissors"), printed, strict=True):
            lines.append(said(f"{title}: {move}", theirs, shown(odds[move]), odds[move] == Fraction(theirs)))
        unique = solution.insight().unique()
        lines.append(
            said(
                f"{title}: the only equilibrium",
                alone,
                "yes" if all(side.unique for side in unique) else "no",
                all(side.unique for side in unique) if alone else None,
            )
        )
    return Outcome(
        lines, commands=("ruse solve rock-paper-scissors --paper-beats-rock 1/2", "ruse insight rock-paper-scissors")
    )


TABLES: dict[bool, dict[str, tuple[Fraction | int, ...]]] = {
    False: {"Rock": (0, 1, -1), "Paper": (-1, 0, 1), "Scissors": (1, -1, 0)},
    True: {"Rock": (0, Fraction(1, 2), -1), "Paper": (Fraction(-1, 2), 0, 1), "Scissors": (1, -1, 0)},
}


def table(half: bool) -> Outcome:
    """Rows are player 2's there, and the payoffs are player 1's."""
    payoffs = normal_form(sequence_form(rock(half))).payoffs
    lines = []
    for row, (name, printed) in enumerate(TABLES[half].items()):
        ours = [payoffs[column][row] for column in range(3)]
        lines.append(said(f"player 2: {name}", forms.written([printed]), forms.written([ours]), ours == list(printed)))
    return Outcome(
        lines,
        "Columns are player 1's Rock, Paper, Scissors, with player 1's payoff.",
        commands=("ruse solve rock-paper-scissors --solver matrix",),
    )


def table_plain(full: bool) -> Outcome:
    return table(False)


def table_half(full: bool) -> Outcome:
    return table(True)


def rock_tree(full: bool) -> Outcome:
    form = sequence_form(rock(False))
    return Outcome(
        [PaperLine("information sets of player 2, who moves at three nodes", "", str(form.trees[1].infosets))],
        "Player 2 does not see the move, so its three nodes are one information set.",
        PICTURE,
        pictures=[drawing.tree(rock(False), "Rock–paper–scissors as a tree")],
    )


def compact_game() -> DrawnGame:
    """The shape of Figure 2.2; the payoffs are ours."""
    pays = {"a": (3, -1), "b": (0, 2), "c": (-2, 1)}
    answers = [
        (move, DecisionNode(1, f"saw {move}", (("x", Fraction(x)), ("y", Fraction(y)))))
        for move, (x, y) in pays.items()
    ]
    return DrawnGame("compact", DecisionNode(0, "start", answers))


def compact(full: bool) -> Outcome:
    game = compact_game()
    form = sequence_form(game)
    ends = sum(1 for first, second in product("abc", "xy") if game.turn((first, second)) == END)
    return Outcome(
        [
            compare("leaves", "6", ends),
            compare("pure strategies of player 2", "8", strategy_counts(form)[1]),
            PaperLine("its sequences", "", str(form.trees[1].sequences)),
        ],
        "2ⁿ pure strategies on 2n leaves, but 2n + 1 sequences.",
        f"{PICTURE} Its payoffs are not in the text; these are ours.",
        pictures=[drawing.tree(game, "A tree that is smaller than its normal form")],
    )


def kuhn_equilibria() -> tuple[FormArrays, list[CertifiedPlans]]:
    """Kuhn poker by four ways."""
    form = sequence_form(make("kuhn", {}))
    return form, [lp(form), lp(form, side=1), lcp(form), finish(DoubleOracle(Compiled(form)))]


def same_payoff(full: bool) -> Outcome:
    form, solutions = kuhn_equilibria()
    plans = {tuple(plan) for solved in solutions for plan in solved.plans}
    values = {solved.certificate.lower for solved in solutions}
    crossed = {certify(form, (first.plans[0], other.plans[1])).lower for first, other in product(solutions, repeat=2)}
    return Outcome(
        [
            said(
                f"Kuhn poker by {len(solutions)} ways, {len(plans)} different plans",
                "the same payoff",
                ", ".join(map(shown, sorted(values))),
                len(values) == 1,
            ),
            said(
                "any plan of one with any of another",
                "an equilibrium",
                ", ".join(map(shown, sorted(crossed))),
                crossed == values,
            ),
        ],
        commands=("ruse solve kuhn --solver lcp",),
    )


def against_pure(full: bool) -> Outcome:
    lines = []
    for title, game in (
        ("rock–paper–scissors, modified", rock(True)),
        ("mini-poker", make("mini-poker", {})),
        ("kubicek", make("kubicek", {})),
    ):
        form = sequence_form(game)
        solved = lp(form)
        pure = normal_form(form)
        rows = [_odds(pure.strategies[0], solved.plans[0], form, row) for row in range(len(pure.strategies[0]))]
        pays = [
            sum((rows[row] * pure.payoffs[row][column] for row in range(len(rows))), Fraction(0))
            for column in range(len(pure.strategies[1]))
        ]
        value = solved.certificate.lower
        lines.append(
            said(
                f"{title}: the least against {len(pays)} pure strategies",
                f"at least {shown(value)}",
                shown(min(pays)),
                min(pays) >= value,
            )
        )
    return Outcome(
        lines, "An optimal plan, turned into odds of pure strategies, against each pure strategy of the other side."
    )


def _odds(strategies: Any, plan: Any, form: FormArrays, row: int) -> Fraction:
    """How often a pure strategy is played, if each information set is decided by itself."""
    odds = Fraction(1)
    for (parent, first, end), chosen in zip(form.trees[0].sets(), strategies[row], strict=True):
        odds *= plan[chosen] / plan[parent] if plan[parent] else Fraction(1, end - first)
    return odds


def convex(full: bool) -> Outcome:
    form, solutions = kuhn_equilibria()
    plans = solutions[0].plans
    other = next((solved.plans for solved in solutions if solved.plans != plans), plans)
    value = solutions[0].certificate.lower
    lines = []
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        mixed = tuple(
            [share * a + (1 - share) * b for a, b in zip(x, y, strict=True)] for x, y in zip(plans, other, strict=True)
        )
        bounds = certify(form, (mixed[0], mixed[1]))
        lines.append(
            said(
                f"Kuhn poker: {shown(share)} of one optimal pair and the rest of another",
                "an equilibrium",
                f"{shown(bounds.lower)} to {shown(bounds.upper)}",
                bounds.lower == bounds.upper == value,
            )
        )
    ranges = solve(make("kuhn", {})).insight().at("kuhn@J").moves
    ranges_text = "; ".join(f"{move.move} {_span(move)}" for move in ranges)
    lines.append(PaperLine("how far optimal play may go with a jack", "", ranges_text))
    return Outcome(
        lines,
        f"The plans mixed are {'different' if plans != other else 'the same'}. The whole set is what `ruse insight` "
        "works out.",
        commands=("ruse insight kuhn kuhn@J",),
    )


def _span(move: Any) -> str:
    fields = move.to_json()
    return f"{fields['least']} to {fields['greatest']}"
