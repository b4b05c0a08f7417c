"""Bossle 2018, "Finding Optimal Strategies for Group Deception Games": chapters 2 and 3; the rest is next door."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from ruse.core.game import END, Game, State
from ruse.core.registry import make
from ruse.forms.certificate import best_response, certify
from ruse.forms.integer_form import Compiled
from ruse.forms.normal_form import normal_form, strategy_counts
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.papers import bossle_resistance as chapters
from ruse.reproduce.papers.bossle_resistance import PICTURE
from ruse.reproduce.report import Comparison, Outcome, compare, said, shown
from ruse.reproduce.small_games import Choice, Drawn
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.plans import Solved
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
                "yes" if all(one.unique for one in unique) else "no",
                all(one.unique for one in unique) if alone else None,
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
        [Comparison("information sets of player 2, who moves at three nodes", "", str(form.trees[1].infosets))],
        "Player 2 does not see the move, so its three nodes are one information set.",
        PICTURE,
        pictures=[drawing.tree(rock(False), "Rock–paper–scissors as a tree")],
    )


def compact_game() -> Drawn:
    """The shape of Figure 2.2; the payoffs are ours."""
    pays = {"a": (3, -1), "b": (0, 2), "c": (-2, 1)}
    answers = [
        (move, Choice(1, f"saw {move}", (("x", Fraction(x)), ("y", Fraction(y))))) for move, (x, y) in pays.items()
    ]
    return Drawn("compact", Choice(0, "start", answers))


def compact(full: bool) -> Outcome:
    game = compact_game()
    form = sequence_form(game)
    ends = sum(1 for first, second in product("abc", "xy") if game.turn((first, second)) == END)
    return Outcome(
        [
            compare("leaves", "6", ends),
            compare("pure strategies of player 2", "8", strategy_counts(form)[1]),
            Comparison("its sequences", "", str(form.trees[1].sequences)),
        ],
        "2ⁿ pure strategies on 2n leaves, but 2n + 1 sequences.",
        f"{PICTURE} Its payoffs are not in the text; these are ours.",
        pictures=[drawing.tree(game, "A tree that is smaller than its normal form")],
    )


def kuhn_equilibria() -> tuple[SequenceForm, list[Solved]]:
    """Kuhn poker by four ways."""
    form = sequence_form(make("kuhn", {}))
    return form, [lp(form), lp(form, side=1), lcp(form), finish(DoubleOracle(Compiled(form)))]


def same_payoff(full: bool) -> Outcome:
    form, found = kuhn_equilibria()
    plans = {tuple(plan) for solved in found for plan in solved.plans}
    values = {solved.certificate.lower for solved in found}
    crossed = {certify(form, (one.plans[0], other.plans[1])).lower for one, other in product(found, repeat=2)}
    return Outcome(
        [
            said(
                f"Kuhn poker by {len(found)} ways, {len(plans)} different plans",
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


def _odds(strategies: Any, plan: Any, form: SequenceForm, row: int) -> Fraction:
    """How often a pure strategy is played, if each information set is decided by itself."""
    odds = Fraction(1)
    for (parent, first, end), chosen in zip(form.trees[0].sets(), strategies[row], strict=True):
        odds *= plan[chosen] / plan[parent] if plan[parent] else Fraction(1, end - first)
    return odds


def convex(full: bool) -> Outcome:
    form, found = kuhn_equilibria()
    one = found[0].plans
    other = next((solved.plans for solved in found if solved.plans != one), one)
    value = found[0].certificate.lower
    lines = []
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        mixed = tuple(
            [share * a + (1 - share) * b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)
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
    told = "; ".join(f"{move.move} {_span(move)}" for move in ranges)
    lines.append(Comparison("how far optimal play may go with a jack", "", told))
    return Outcome(
        lines,
        f"The plans mixed are {'different' if one != other else 'the same'}. The whole set is what `ruse insight` "
        "works out.",
        commands=("ruse insight kuhn kuhn@J",),
    )


def _span(move: Any) -> str:
    found = move.to_json()
    return f"{found['least']} to {found['greatest']}"


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
        if DILEMMA[pair][0] == max(DILEMMA[one, pair[1]][0] for one in names)
        and DILEMMA[pair][1] == max(DILEMMA[pair[0], one][1] for one in names)
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

    def worth(state: State) -> int:
        board = frozenset(state[0::2]), frozenset(state[1::2])  # a state is the moves so far
        if board not in known:
            turn = game.turn(state)
            best = max if turn == 0 else min
            known[board] = (
                int(game.payoff(state))
                if turn == END
                else best(worth(game.play(state, move)) for move in game.moves(state))
            )
        return known[board]

    value = worth(game.start())
    firsts = {game.label(move): worth(game.play(game.start(), move)) for move in game.moves(game.start())}
    counts = {payoff: sum(one == payoff for one in known.values()) for payoff in (1, 0, -1)}
    return Outcome(
        [
            compare("payoff of the game", "0", value, within=0),
            said(
                "subgame payoffs",
                "1, 0 or −1",
                ", ".join(f"{shown(payoff)}: {count:,} positions" for payoff, count in counts.items()),
                sum(counts.values()) == len(known),
            ),
            Comparison("after each first move", "", ", ".join(f"{name} {shown(one)}" for name, one in firsts.items())),
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
            f"S₁[{one}]" + (f" S₂[{other}]" if other else ""),
            shown(printed),
            shown(ours[names[0].index(one)][names[1].index(other)]),
            ours[names[0].index(one)][names[1].index(other)] == printed,
        )
        for (one, other), printed in OBJECTIVE.items()
    ]
    passing = [row for row, name in enumerate(names[0]) if name.endswith("pass")]
    doubled = replace(form, payoffs=form.payoffs * [2 if row in passing else 1 for row in form.rows.tolist()])
    honest = [Fraction(name in ("", "0 pass", "1 bet")) for name in names[0]]
    for title, one in (("as it is", form), ("as printed", doubled)):
        value = lp(one).certificate.lower
        sure = best_response(one, 1, honest)[0]
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
