"""Bossle 2018, "Finding Optimal Strategies for Group Deception Games": from rock–paper–scissors to The Resistance."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from ruse.core.game import END, Game, State
from ruse.core.registry import make, part
from ruse.forms.certificate import best_response, certify
from ruse.forms.integer_form import Compiled
from ruse.forms.normal_form import normal_form, strategy_counts
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.papers.johansson import papers, resistance
from ruse.reproduce.report import Chart, Comparison, Outcome, compare, lasting, said, shown, times
from ruse.reproduce.small_games import Choice, Drawn
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.highs import Highs
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.plans import Solved
from ruse.solving.pipeline import solve

SEATS = (5, 6, 7, 8)
SIZES = {5: "2 3 2 3 3", 6: "2 3 4 3 4", 7: "2 3 3 4* 4", 8: "3 4 4 5* 5"}
PAYOFFS = {5: "-0.4", 6: "-0.333", 7: "-0.486", 8: "-0.679"}
# Tables 6.2 and 6.3: seconds, megabytes and iterations of CPLEX, on eight cores
RESISTANCE_FIRST = {5: (2.82, 311, 31_114), 6: (13.62, 1_057, 118_370), 7: (441.2, 7_491, 1_019_223), 8: (35_252.0, 31_720, 7_216_077)}
SPIES_FIRST = {5: (1.91, 214, 3_156), 6: (10.08, 691, 8_156), 7: (178.65, 5_352, 265_379), 8: (4_074.0, 31_748, 1_864_616)}
PICTURE = "The figure is a picture, of which the text has the caption only."


def rock(half: bool) -> Game:
    return make("rock-paper-scissors", {"paper-beats-rock": "1/2"} if half else {})


def equilibria(full: bool) -> Outcome:
    lines = []
    for title, game, printed in (
        ("rock, paper, scissors", rock(False), ("1/3", "1/3", "1/3")),
        ("paper beats rock for a half", rock(True), ("2/5", "2/5", "1/5")),
    ):
        solution = solve(game)
        odds = solution.strategy(0).at(game.title)
        lines.append(compare(f"{title}: payoff", "0", solution.certificate.lower))
        for move, theirs in zip(("rock", "paper", "scissors"), printed, strict=True):
            lines.append(said(f"{title}: {move}", theirs, shown(odds[move]), odds[move] == Fraction(theirs)))
        unique = solution.insight().unique()
        lines.append(said(f"{title}: the only equilibrium", "yes" if game.title == "rock-paper-scissors" else "", "yes" if all(one.unique for one in unique) else "no", all(one.unique for one in unique) if game.title == "rock-paper-scissors" else None))
    return Outcome(lines, commands=("ruse solve rock-paper-scissors --paper-beats-rock 1/2", "ruse insight rock-paper-scissors"))


TABLES = {
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
    return Outcome(lines, "Columns are player 1's Rock, Paper, Scissors, with player 1's payoff.", commands=("ruse solve rock-paper-scissors --solver matrix",))


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
    answers = [(move, Choice(1, f"saw {move}", (("x", Fraction(x)), ("y", Fraction(y))))) for move, (x, y) in pays.items()]
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
            said(f"Kuhn poker by {len(found)} ways, {len(plans)} different plans", "the same payoff", ", ".join(map(shown, sorted(values))), len(values) == 1),
            said("any plan of one with any of another", "an equilibrium", ", ".join(map(shown, sorted(crossed))), crossed == values),
        ],
        commands=("ruse solve kuhn --solver lcp",),
    )


def against_pure(full: bool) -> Outcome:
    lines = []
    for title, game in (("rock–paper–scissors, modified", rock(True)), ("mini-poker", make("mini-poker", {})), ("kubicek", make("kubicek", {}))):
        form = sequence_form(game)
        solved = lp(form)
        pure = normal_form(form)
        rows = [_odds(pure.strategies[0], solved.plans[0], form, row) for row in range(len(pure.strategies[0]))]
        pays = [sum((rows[row] * pure.payoffs[row][column] for row in range(len(rows))), Fraction(0)) for column in range(len(pure.strategies[1]))]
        value = solved.certificate.lower
        lines.append(said(f"{title}: the least against {len(pays)} pure strategies", f"at least {shown(value)}", shown(min(pays)), min(pays) >= value))
    return Outcome(lines, "An optimal plan, turned into odds of pure strategies, against each pure strategy of the other side.")


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
        mixed = tuple([share * a + (1 - share) * b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True))
        bounds = certify(form, (mixed[0], mixed[1]))
        lines.append(said(f"Kuhn poker: {shown(share)} of one optimal pair and the rest of another", "an equilibrium", f"{shown(bounds.lower)} to {shown(bounds.upper)}", bounds.lower == bounds.upper == value))
    ranges = solve(make("kuhn", {})).insight().at("kuhn@J").moves
    told = "; ".join(f"{move.move} {_span(move)}" for move in ranges)
    lines.append(Comparison("how far optimal play may go with a jack", "", told))
    return Outcome(lines, f"The plans mixed are {'different' if one != other else 'the same'}. The whole set is what `ruse insight` works out.", commands=("ruse insight kuhn kuhn@J",))


def _span(move: Any) -> str:
    found = move.to_json()
    return f"{found['least']} to {found['greatest']}"


DILEMMA = {("Cooperate", "Cooperate"): (1, 1), ("Cooperate", "Defect"): (-1, 2), ("Defect", "Cooperate"): (2, -1), ("Defect", "Defect"): (0, 0)}


def dilemma(full: bool) -> Outcome:
    names = ("Cooperate", "Defect")
    stable = [
        pair
        for pair in DILEMMA
        if DILEMMA[pair][0] == max(DILEMMA[one, pair[1]][0] for one in names) and DILEMMA[pair][1] == max(DILEMMA[pair[0], one][1] for one in names)
    ]
    better = [pair for pair in DILEMMA if all(a > b for a, b in zip(DILEMMA[pair], DILEMMA[stable[0]], strict=True))]
    return Outcome(
        [
            said("pure equilibria", "all defect", "; ".join(" – ".join(pair) for pair in stable), stable == [("Defect", "Defect")]),
            said("better for both", "all cooperate", "; ".join(" – ".join(pair) for pair in better), better == [("Cooperate", "Cooperate")]),
        ],
        "The game is not zero-sum, so it is outside ruse, as it is outside the thesis: `ruse solve` refuses its file and says why.",
    )


def tic_tac_toe(full: bool) -> Outcome:
    game = make("tic-tac-toe", {})
    known: dict[object, int] = {}

    def worth(state: State) -> int:
        board = frozenset(state[0::2]), frozenset(state[1::2])  # a state is the moves so far
        if board not in known:
            turn = game.turn(state)
            best = max if turn == 0 else min
            known[board] = int(game.payoff(state)) if turn == END else best(worth(game.play(state, move)) for move in game.moves(state))
        return known[board]

    value = worth(game.start())
    firsts = {game.label(move): worth(game.play(game.start(), move)) for move in game.moves(game.start())}
    counts = {payoff: sum(one == payoff for one in known.values()) for payoff in (1, 0, -1)}
    return Outcome(
        [
            compare("payoff of the game", "0", value, within=0),
            said("subgame payoffs", "1, 0 or −1", ", ".join(f"{shown(payoff)}: {count:,} positions" for payoff, count in counts.items()), sum(counts.values()) == len(known)),
            Comparison("after each first move", "", ", ".join(f"{name} {shown(one)}" for name, one in firsts.items())),
            said("the same by ruse, certified", shown(value), shown(solve(game).certificate.lower), solve(game).certificate.lower == value),
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
            said("rock–paper–scissors once the first has moved", "−1", ", ".join(map(shown, seen)), seen == {Fraction(-1)}),
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
        lines.append(said(f"{name}: {rows} × {columns} strategies, {size} sequences", shown(by_sequences), shown(by_table), by_table == by_sequences))
    return Outcome(lines, "The program of the normal form on the right, that of the sequence form (§5.2) on the left.", commands=("ruse solve kuhn --solver matrix",))


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
    names = [["", *(f"{known.cards} {move}" for known, moves in zip(form.knowledge[side], form.moves[side], strict=True) for move in moves)] for side in (0, 1)]
    ours = forms.payoffs(form)
    lines = [
        said(f"S₁[{one}]" + (f" S₂[{other}]" if other else ""), shown(printed), shown(ours[names[0].index(one)][names[1].index(other)]), ours[names[0].index(one)][names[1].index(other)] == printed)
        for (one, other), printed in OBJECTIVE.items()
    ]
    passing = [row for row, name in enumerate(names[0]) if name.endswith("pass")]
    doubled = replace(form, payoffs=form.payoffs * [2 if row in passing else 1 for row in form.rows.tolist()])
    honest = [Fraction(name in ("", "0 pass", "1 bet")) for name in names[0]]
    for title, one in (("as it is", form), ("as printed", doubled)):
        value = lp(one).certificate.lower
        sure = best_response(one, 1, honest)[0]
        lines.append(compare(f"value, objective {title}", "0", value))
        lines.append(said(f"bet with 1, pass with 0: sure of, objective {title}", "0: optimal", shown(sure), sure == value))
    return Outcome(
        lines,
        "Passing shows the cards for an ante of 1: with a 0 it loses 1 in one of four deals, −1/4. The thesis prints −0.5 there, and with that its own "
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
        "The second player's tree leaves out what it cannot influence: that there was a bet (2 nodes, as its program has a choice with each card at once) and "
        "that the other passed (2). ruse's rules tell it both.",
        f"{PICTURE} What it names is in the program of §3.5.",
        pictures=[drawing.tree(game, "The poker-like game as one tree")],
        commands=("ruse explore mini-poker",),
    )


def missions(full: bool) -> Outcome:
    lines = []
    for players, printed in SIZES.items():
        ours = resistance(players).table
        told = " ".join(f"{size}{'*' * (fails - 1)}" for size, fails in zip(ours.missions, ours.sabotages, strict=True))
        lines.append(said(f"{players} players", printed, told, told == printed))
    return Outcome(lines, commands=("ruse games resistance",))


STEPS = (("ab", "pass", "no sabotages"), ("abc", "sabotage", "player 2 sabotages"), ("ab", "sabotage", "player 2 sabotages"), ("acd", "sabotage", "player 4 sabotages"))


def evening(full: bool) -> Outcome:
    """Spies b and d. What optimal spies do at each step, and who has won."""
    game = resistance(5)
    strategy = solve(game).strategy("spies")
    check: Any = part(game, "check")
    lines, position = [], "resistance-5@bd"
    points = {"+": 0, "-": 0}
    for number, (mission, move, theirs) in enumerate(STEPS, 1):
        at = f"{position}/{mission}?"
        check(game, at)
        odds = strategy.at(at)
        result = "+" if move == "pass" else "-"
        points[result] += 1
        lines.append(Comparison(f"round {number}: {mission} goes", theirs, f"optimal spies {' and '.join(f'{name} {shown(share)}' for name, share in odds.items() if share)}"))
        position = f"{position}/{mission}{result}"
    lines.append(said("score", "spies win", f"{points['+']} to {points['-']}", points["-"] == 3))
    return Outcome(
        lines,
        f"The game reads `{position}`. In round 3 ruse's spies would have passed: they fail missions of three only, unless a side has two points.",
        commands=("ruse show FILE.ruse resistance-5@bd/ab?", "ruse companion --players 5"),
    )


def counts(players: int) -> Any:
    return papers().sizes(papers().make_table(players))


def tree_sizes(full: bool) -> Outcome:
    eight = counts(8)
    rounds: dict[str, list[tuple[float | str, float]]] = {
        "resistance": [(f"round {one.round}", one.resistance.total) for one in eight.rounds],
        "spies": [(f"round {one.round}", one.spies.total) for one in eight.rounds],
    }
    totals = {players: counts(players).totals for players in SEATS}
    everything: dict[str, list[tuple[float | str, float]]] = {
        "resistance": [(f"{players} players", one.resistance.total) for players, one in totals.items()],
        "spies": [(f"{players} players", one.spies.total) for players, one in totals.items()],
    }
    grows = all(one.resistance.total > other.resistance.total for one, other in zip(eight.rounds[1:], eight.rounds, strict=False))
    return Outcome(
        [
            *(Comparison(f"{players} players: resistance, spies", "", f"{one.resistance.total:,}; {one.spies.total:,}") for players, one in totals.items()),
            said("8 players: it grows with every round", "exponentially as rounds pass", "it does" if grows else "it does not", grows),
        ],
        "Counted exactly by class, without listing a node (`docs/explanation/sizes.md`).",
        f"{PICTURE} Neither its numbers nor its scale are in the text, but for the 8.5 · 10¹¹ of the abstract.",
        charts=[
            Chart("(a) 8 players: nodes of the knowledge trees", "", "nodes", rounds, (False, True)),
            Chart("(b) All rounds", "", "nodes", everything, (False, True)),
        ],
        commands=("ruse sizes resistance --players 8",),
    )


def symmetric_rounds(full: bool) -> Outcome:
    eight = counts(8)
    series: dict[str, list[tuple[float | str, float]]] = {}
    for name in ("resistance", "spies", "resistance_symmetric", "spies_symmetric"):
        title = name.replace("_symmetric", ", by class")
        series[title] = [(f"round {one.round}", getattr(one, name).total) for one in eight.rounds]
    return Outcome(
        [Comparison(f"round {one.round}: resistance, spies, by class", "", f"{one.resistance_symmetric.total:,}; {one.spies_symmetric.total:,}") for one in eight.rounds],
        "Seats that have been on the same missions are one cell, and what differs by names only is one node.",
        PICTURE,
        charts=[Chart("8 players: nodes of the knowledge trees", "", "nodes", series, (False, True))],
        commands=("ruse sizes resistance --players 8",),
    )


def symmetric_totals(full: bool) -> Outcome:
    series: dict[str, list[tuple[float | str, float]]] = {"both trees": [], "both trees, by class": []}
    lines = []
    for players in (*SEATS, 9, 10):
        one = counts(players).totals
        plain, classes = one.resistance.total + one.spies.total, one.resistance_symmetric.total + one.spies_symmetric.total
        series["both trees"].append((f"{players} players", plain))
        series["both trees, by class"].append((f"{players} players", classes))
        lines.append(Comparison(f"{players} players: both trees, by class", "", f"{plain:,}; {classes:,}"))
    return Outcome(
        lines,
        "9 and 10 players, which the thesis could not reach, are counted as well.",
        PICTURE,
        charts=[Chart("Nodes of both knowledge trees", "", "nodes", series, (False, True))],
        commands=("ruse sizes resistance --players 10",),
    )


class Run(NamedTuple):
    seconds: float
    payoff: float  # to the resistance
    iterations: int
    rows: int
    columns: int


@cache
def thesis(players: int) -> tuple[Run, Run]:
    """His program as written, built and solved by HiGHS' interior point with crossover; either side first."""
    form = papers().thesis_form(papers().make_table(players))
    found = []
    for side in (0, 1):
        program = papers().thesis_lp(form, side)
        highs = Highs(program, "ipm")
        started = time.perf_counter()
        value = float(highs.run().value) / form.denominator
        found.append(Run(time.perf_counter() - started, value if side else -value, highs.iterations, len(program.rows), len(program.cost)))
    return found[0], found[1]


@cache
def solved(players: int) -> tuple[Any, float]:
    started = time.perf_counter()
    solution = solve(resistance(players))
    return solution, time.perf_counter() - started


def programs(full: bool) -> Outcome:
    lines = []
    for players in (5, 6, 7) if full else (5, 6):
        value = solved(players)[0].certificate.lower
        for name, run in zip(("resistance", "spies"), thesis(players), strict=True):
            lines.append(compare(f"{players} players, {name} first: {run.rows:,} × {run.columns:,}", PAYOFFS[players], run.payoff))
        lines.append(Comparison(f"{players} players: certified by ruse", "", shown(value)))
    for players in SEATS:
        rows, columns = papers().lp_size(papers().make_table(players))
        lines.append(Comparison(f"{players} players: rows and columns, only what can be reached", "", f"{rows:,} × {columns:,}"))
    return Outcome(
        lines,
        "Built as §5.2 and §5.3 have it, node by node of the knowledge trees by class; nodes at which nothing is chosen share a variable, which is what a "
        "presolve makes of them." + ("" if full else " Seven players are built and solved with `--full`."),
        commands=("python -m benchmarks.resistance",),
    )


def aboard(full: bool) -> Outcome:
    tree = papers().JohanssonTree(papers().make_table(5))
    picked = tree.play(tree.start(), tree.moves(tree.start())[0])
    odds = {sum(placed): share for placed, share in zip(tree.moves(picked), tree.odds(picked), strict=True)}
    return Outcome(
        [compare(f"{spies} spies on the first mission", printed, 100 * odds[spies], unit="%") for spies, printed in ((0, "30"), (1, "60"), (2, "10"))],
        "Of the 10 pairs of spies 3, 6 and 1.",
    )


def payoffs(full: bool) -> Outcome:
    return Outcome(
        [compare(f"{players} players", PAYOFFS[players], solved(players)[0].certificate.lower) for players in SEATS],
        "Ours are exact, proved by both sides' strategies in fractions.",
        commands=("ruse solve resistance --players 8",),
    )


def resources(side: int, printed: dict[int, tuple[float, int, int]], full: bool) -> Outcome:
    lines = []
    for players in SEATS:
        seconds, memory, iterations = printed[players]
        solution, took = solved(players)
        lines.append(times(f"{players} players: ruse, rules to certificate ({solution.solver})", seconds, took))
        if players < 7 or (full and players == 7):
            run = thesis(players)[side]
            lines.append(times(f"{players} players: his program, HiGHS on one core", seconds, run.seconds))
            lines.append(Comparison(f"{players} players: iterations, CPLEX and HiGHS", f"{iterations:,}", f"{run.iterations:,}"))
        lines.append(Comparison(f"{players} players: memory", f"{memory:,} MB", "not measured"))
    return Outcome(
        lines,
        "Other machines, another solver: his had eight cores of 2011. Seconds of ours are of this run. Iterations of different solvers are different things; "
        "HiGHS' are of its interior point, and of the simplex that cleans up after it.",
        commands=("python -m benchmarks.resistance",),
    )


def first_resistance(full: bool) -> Outcome:
    return resources(0, RESISTANCE_FIRST, full)


def first_spies(full: bool) -> Outcome:
    return resources(1, SPIES_FIRST, full)


def iterations(full: bool) -> Outcome:
    series: dict[str, list[tuple[float | str, float]]] = {
        "CPLEX, resistance first (theirs)": [(f"{players} players", one[2]) for players, one in RESISTANCE_FIRST.items()],
        "CPLEX, spies first (theirs)": [(f"{players} players", one[2]) for players, one in SPIES_FIRST.items()],
    }
    lines = []
    for side, name in enumerate(("resistance", "spies")):
        ours = [(players, thesis(players)[side].iterations) for players in ((5, 6, 7) if full else (5, 6))]
        series[f"HiGHS, {name} first (ours)"] = [(f"{players} players", count) for players, count in ours]
        lines += [Comparison(f"{players} players, {name} first", f"{(RESISTANCE_FIRST, SPIES_FIRST)[side][players][2]:,}", f"{count:,}") for players, count in ours]
    fewer = all(SPIES_FIRST[players][2] < RESISTANCE_FIRST[players][2] for players in SEATS)
    ratio = max(RESISTANCE_FIRST[players][0] / SPIES_FIRST[players][0] for players in SEATS)
    lines.append(said("his: fewer iterations with the spies first", "yes", "yes" if fewer else "no", fewer))
    lines.append(said("his: “up to 9 times faster” with the spies first, by Tables 6.2 and 6.3", "9", f"{ratio:.2f}", 8.5 <= ratio < 9.5))
    return Outcome(
        lines,
        "One program is the other's dual, so a solver that looks at both needs neither twice; ruse takes both sides' strategies from one solve.",
        PICTURE + " Its numbers are those of Tables 6.2 and 6.3.",
        charts=[Chart("Iterations to solve", "", "iterations", series, (False, True))],
    )


def nodes(full: bool) -> Outcome:
    ways = papers().explain_thesis_count()
    whole = next(way for way in ways if way.says == "both trees")
    lines = [said("8 players, both trees by Definition 5", "8.5 · 10¹¹", f"{whole.nodes:,}", whole.fits)]
    lines += [Comparison(way.says, "8.5 · 10¹¹", f"{way.nodes:,}", f"{way.ratio:.3f} times") for way in ways[-4:]]
    return Outcome(
        lines,
        "Two other readings come out at 8.5 · 10¹¹; two digits cannot tell which was meant (`docs/explanation/sizes.md`).",
        slip="Bossle 2018, abstract and §7",
        commands=("ruse sizes resistance --players 8",),
    )


def oracle(full: bool) -> Outcome:
    lines = []
    for title, form in _double_oracle_forms(full):
        started = time.perf_counter()
        run = DoubleOracle(Compiled(form))
        found = finish(run)
        took = time.perf_counter() - started
        chosen, whole = sum(run.restricted.sequences), sum(tree.sequences for tree in form.trees)
        told = f"exactly {shown(found.certificate.lower)}; {run.rounds} rounds, {chosen:,} of {whole:,} sequences, {lasting(took)}"
        lines.append(said(title, "inconsistent, no results", told, False if found.certificate.exact else None))
    return Outcome(
        lines,
        "It differs for the better. A restricted game in which some information set has no move left is no game: the ends behind it belong to nobody. Here every "
        "set has a default action, so every restricted game is one (`docs/explanation/double-oracle.md`).",
        commands=("ruse solve leduc --solver double-oracle",),
    )


def _double_oracle_forms(full: bool) -> Any:
    yield "The Resistance, 5 players, Johansson's tree", papers().johansson_form(papers().make_table(5))
    yield "6 players, Johansson's tree", papers().johansson_form(papers().make_table(6))
    if full:
        yield "5 players, the thesis's own trees", papers().thesis_form(papers().make_table(5))


def beyond(full: bool) -> Outcome:
    lines = []
    for players in (9, 10):
        solution, took = solved(players)
        told = f"{shown(solution.certificate.lower)}, the resistance wins {shown((1 + solution.certificate.lower) / 2)}"
        lines.append(said(f"{players} players", "could not generate any results", f"{told}; {lasting(took)}", None))
        lines.append(said(f"{players} players: verified again from the rules", "", "exact" if solution.verify().exact else "not exact", None))
    return Outcome(
        lines,
        "Simple strategies prove each other optimal. A blog series by Christiano (2018) claims these values too, so ours are independently certified, not first.",
        commands=("ruse solve resistance --players 10", "ruse verify FILE.ruse"),
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
    "Figure 3.1": (tic_tac_toe, 1.0, 1.0),
    "§3.2": (misled, 0.1, 0.1),
    "§3.4": (normal_lp, 0.5, 0.5),
    "§3.5": (mini_poker, 0.2, 0.2),
    "Figure 3.2": (poker_trees, 0.1, 0.1),
    "Table 4.1": (missions, 0.1, 0.1),
    "§4.1": (evening, 0.5, 0.5),
    "Figure 4.1": (tree_sizes, 3.0, 3.0),
    "§5.2": (programs, 30.0, 150.0),
    "§5.3": (aboard, 0.1, 0.1),
    "Figure 5.1": (symmetric_rounds, 1.5, 1.5),
    "Figure 5.2": (symmetric_totals, 4.0, 4.0),
    "Table 6.1": (payoffs, 1.0, 1.0),
    "Table 6.2": (first_resistance, 0.5, 0.5),
    "Table 6.3": (first_spies, 0.5, 0.5),
    "Figure 6.1": (iterations, 0.5, 0.5),
    "Abstract": (nodes, 2.0, 2.0),
    "§7": (oracle, 4.0, 40.0),
    "§4.3": (beyond, 4.0, 4.0),
}
