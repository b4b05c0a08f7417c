"""Bossle 2018, chapters 4 to 7: The Resistance, its trees, programs, values and what the thesis could not do."""

from __future__ import annotations

import time
from functools import cache
from typing import Any, NamedTuple, cast

from ruse.core.registry import presentation
from ruse.forms.integer_form import Compiled
from ruse.games.resistance.cells import Counts
from ruse.games.resistance.sizes import lp_size, sizes
from ruse.games.resistance.table import make_table
from ruse.reproduce.johansson_form import johansson_form
from ruse.reproduce.johansson_tree import JohanssonTree
from ruse.reproduce.paper_sizes import explain_thesis_count
from ruse.reproduce.papers.johansson_game import resistance
from ruse.reproduce.report import Chart, Outcome, PaperLine, compare, lasting, said, shown, times
from ruse.reproduce.thesis_lp import thesis_form, thesis_lp
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.highs import Highs
from ruse.solving.pipeline import solve

SEATS = (5, 6, 7, 8)
SIZES = {5: "2 3 2 3 3", 6: "2 3 4 3 4", 7: "2 3 3 4* 4", 8: "3 4 4 5* 5"}
PAYOFFS = {5: "-0.4", 6: "-0.333", 7: "-0.486", 8: "-0.679"}
# Tables 6.2 and 6.3: seconds, megabytes and iterations of CPLEX, on eight cores
RESISTANCE_FIRST = {
    5: (2.82, 311, 31_114),
    6: (13.62, 1_057, 118_370),
    7: (441.2, 7_491, 1_019_223),
    8: (35_252.0, 31_720, 7_216_077),
}
SPIES_FIRST = {
    5: (1.91, 214, 3_156),
    6: (10.08, 691, 8_156),
    7: (178.65, 5_352, 265_379),
    8: (4_074.0, 31_748, 1_864_616),
}
PICTURE = "The figure is a picture, of which the text has the caption only."


def missions(full: bool) -> Outcome:
    lines = []
    for players, printed in SIZES.items():
        ours = resistance(players).table
        sizes_text = " ".join(
            f"{size}{'*' * (fails - 1)}" for size, fails in zip(ours.missions, ours.sabotages, strict=True)
        )
        lines.append(said(f"{players} players", printed, sizes_text, sizes_text == printed))
    return Outcome(lines, commands=("ruse games resistance",))


STEPS = (
    ("ab", "pass", "no sabotages"),
    ("abc", "sabotage", "player 2 sabotages"),
    ("ab", "sabotage", "player 2 sabotages"),
    ("acd", "sabotage", "player 4 sabotages"),
)


def evening(full: bool) -> Outcome:
    """Spies b and d. What optimal spies do at each step, and who has won."""
    game = resistance(5)
    strategy = solve(game).strategy("spies")
    lines, position = [], "resistance-5@bd"
    points = {"+": 0, "-": 0}
    for number, (mission, move, theirs) in enumerate(STEPS, 1):
        at = f"{position}/{mission}?"
        presentation(game).check_position(at)
        odds = strategy.at(at)
        result = "+" if move == "pass" else "-"
        points[result] += 1
        lines.append(
            PaperLine(
                f"round {number}: {mission} goes",
                theirs,
                f"optimal spies {' and '.join(f'{name} {shown(share)}' for name, share in odds.items() if share)}",
            )
        )
        position = f"{position}/{mission}{result}"
    lines.append(said("score", "spies win", f"{points['+']} to {points['-']}", points["-"] == 3))
    return Outcome(
        lines,
        f"The game reads `{position}`. In round 3 ruse's spies would have passed: they fail missions of three only, "
        "unless a side has two points.",
        commands=("ruse show FILE.ruse resistance-5@bd/ab?", "ruse companion --players 5"),
    )


def counts(players: int) -> Any:
    return sizes(make_table(players))


def tree_sizes(full: bool) -> Outcome:
    eight = counts(8)
    rounds: dict[str, list[tuple[float | str, float]]] = {
        "resistance": [(f"round {row.round}", row.resistance.total) for row in eight.rounds],
        "spies": [(f"round {row.round}", row.spies.total) for row in eight.rounds],
    }
    totals = {players: counts(players).totals for players in SEATS}
    everything: dict[str, list[tuple[float | str, float]]] = {
        "resistance": [(f"{players} players", row.resistance.total) for players, row in totals.items()],
        "spies": [(f"{players} players", row.spies.total) for players, row in totals.items()],
    }
    grows = all(
        later.resistance.total > earlier.resistance.total
        for later, earlier in zip(eight.rounds[1:], eight.rounds, strict=False)
    )
    return Outcome(
        [
            *(
                PaperLine(f"{players} players: resistance, spies", "", f"{row.resistance.total:,}; {row.spies.total:,}")
                for players, row in totals.items()
            ),
            said(
                "8 players: it grows with every round",
                "exponentially as rounds pass",
                "it does" if grows else "it does not",
                grows,
            ),
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
        series[title] = [(f"round {row.round}", getattr(row, name).total) for row in eight.rounds]
    return Outcome(
        [
            PaperLine(
                f"round {row.round}: resistance, spies, by class",
                "",
                f"{row.resistance_symmetric.total:,}; {row.spies_symmetric.total:,}",
            )
            for row in eight.rounds
        ],
        "Seats that have been on the same missions are one cell, and what differs by names only is one node.",
        PICTURE,
        charts=[Chart("8 players: nodes of the knowledge trees", "", "nodes", series, (False, True))],
        commands=("ruse sizes resistance --players 8",),
    )


def symmetric_totals(full: bool) -> Outcome:
    series: dict[str, list[tuple[float | str, float]]] = {"both trees": [], "both trees, by class": []}
    lines = []
    for players in (*SEATS, 9, 10):
        row = counts(players).totals
        plain, classes = (
            row.resistance.total + row.spies.total,
            row.resistance_symmetric.total + row.spies_symmetric.total,
        )
        series["both trees"].append((f"{players} players", plain))
        series["both trees, by class"].append((f"{players} players", classes))
        lines.append(PaperLine(f"{players} players: both trees, by class", "", f"{plain:,}; {classes:,}"))
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
    form = thesis_form(make_table(players))
    runs = []
    for side in (0, 1):
        program = thesis_lp(form, side)
        highs = Highs(program, "ipm")
        started = time.perf_counter()
        value = float(highs.run().value) / form.denominator
        runs.append(
            Run(
                time.perf_counter() - started,
                value if side else -value,
                highs.iterations,
                len(program.rows),
                len(program.cost),
            )
        )
    return runs[0], runs[1]


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
            lines.append(
                compare(
                    f"{players} players, {name} first: {run.rows:,} × {run.columns:,}", PAYOFFS[players], run.payoff
                )
            )
        lines.append(PaperLine(f"{players} players: certified by ruse", "", shown(value)))
    for players in SEATS:
        rows, columns = lp_size(make_table(players))
        lines.append(
            PaperLine(f"{players} players: rows and columns, only what can be reached", "", f"{rows:,} × {columns:,}")
        )
    return Outcome(
        lines,
        "Built as §5.2 and §5.3 have it, node by node of the knowledge trees by class; nodes at which nothing is "
        "chosen share a variable, which is what a "
        "presolve makes of them." + ("" if full else " Seven players are built and solved with `--full`."),
        commands=("python -m benchmarks.resistance",),
    )


def aboard(full: bool) -> Outcome:
    tree = JohanssonTree(make_table(5))
    picked = tree.play(tree.start(), tree.moves(tree.start())[0])
    odds = {
        sum(cast(Counts, placed)): share for placed, share in zip(tree.moves(picked), tree.odds(picked), strict=True)
    }
    return Outcome(
        [
            compare(f"{spies} spies on the first mission", printed, 100 * odds[spies], unit="%")
            for spies, printed in ((0, "30"), (1, "60"), (2, "10"))
        ],
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
            lines.append(
                PaperLine(f"{players} players: iterations, CPLEX and HiGHS", f"{iterations:,}", f"{run.iterations:,}")
            )
        lines.append(PaperLine(f"{players} players: memory", f"{memory:,} MB", "not measured"))
    return Outcome(
        lines,
        "Other machines, another solver: his had eight cores of 2011. Seconds of ours are of this run. Iterations of "
        "different solvers are different things; "
        "HiGHS' are of its interior point, and of the simplex that cleans up after it.",
        commands=("python -m benchmarks.resistance",),
    )


def first_resistance(full: bool) -> Outcome:
    return resources(0, RESISTANCE_FIRST, full)


def first_spies(full: bool) -> Outcome:
    return resources(1, SPIES_FIRST, full)


def iterations(full: bool) -> Outcome:
    series: dict[str, list[tuple[float | str, float]]] = {
        "CPLEX, resistance first (theirs)": [
            (f"{players} players", row[2]) for players, row in RESISTANCE_FIRST.items()
        ],
        "CPLEX, spies first (theirs)": [(f"{players} players", row[2]) for players, row in SPIES_FIRST.items()],
    }
    lines = []
    for side, name in enumerate(("resistance", "spies")):
        ours = [(players, thesis(players)[side].iterations) for players in ((5, 6, 7) if full else (5, 6))]
        series[f"HiGHS, {name} first (ours)"] = [(f"{players} players", count) for players, count in ours]
        lines += [
            PaperLine(
                f"{players} players, {name} first",
                f"{(RESISTANCE_FIRST, SPIES_FIRST)[side][players][2]:,}",
                f"{count:,}",
            )
            for players, count in ours
        ]
    fewer = all(SPIES_FIRST[players][2] < RESISTANCE_FIRST[players][2] for players in SEATS)
    ratio = max(RESISTANCE_FIRST[players][0] / SPIES_FIRST[players][0] for players in SEATS)
    lines.append(said("his: fewer iterations with the spies first", "yes", "yes" if fewer else "no", fewer))
    lines.append(
        said(
            "his: “up to 9 times faster” with the spies first, by Tables 6.2 and 6.3",
            "9",
            f"{ratio:.2f}",
            8.5 <= ratio < 9.5,
        )
    )
    return Outcome(
        lines,
        "One program is the other's dual, so a solver that looks at both needs neither twice; ruse takes both sides' "
        "strategies from one solve.",
        PICTURE + " Its numbers are those of Tables 6.2 and 6.3.",
        charts=[Chart("Iterations to solve", "", "iterations", series, (False, True))],
    )


def nodes(full: bool) -> Outcome:
    ways = explain_thesis_count()
    whole = next(way for way in ways if way.says == "both trees")
    lines = [said("8 players, both trees by Definition 5", "8.5 · 10¹¹", f"{whole.nodes:,}", whole.fits)]
    lines += [PaperLine(way.says, "8.5 · 10¹¹", f"{way.nodes:,}", f"{way.ratio:.3f} times") for way in ways[-4:]]
    return Outcome(
        lines,
        "Two other readings come out at 8.5 · 10¹¹; two digits cannot tell which was meant "
        "(`docs/explanation/sizes.md`).",
        slip="Bossle 2018, abstract and §7",
        commands=("ruse sizes resistance --players 8",),
    )


def oracle(full: bool) -> Outcome:
    lines = []
    for title, form in _double_oracle_forms(full):
        started = time.perf_counter()
        run = DoubleOracle(Compiled(form))
        solution = finish(run)
        took = time.perf_counter() - started
        chosen, whole = sum(run.restricted.sequences), sum(tree.sequences for tree in form.trees)
        text = f"exactly {shown(solution.certificate.lower)}; {run.rounds} rounds, "
        text += f"{chosen:,} of {whole:,} sequences, {lasting(took)}"
        lines.append(said(title, "inconsistent, no results", text, False if solution.certificate.exact else None))
    return Outcome(
        lines,
        "It differs for the better. A restricted game in which some information set has no move left is no game: the "
        "ends behind it belong to nobody. Here every "
        "set has a default action, so every restricted game is one (`docs/explanation/double-oracle.md`).",
        commands=("ruse solve leduc --solver double-oracle",),
    )


def _double_oracle_forms(full: bool) -> Any:
    yield "The Resistance, 5 players, Johansson's tree", johansson_form(make_table(5))
    yield "6 players, Johansson's tree", johansson_form(make_table(6))
    yield "5 players, the thesis's own trees", thesis_form(make_table(5))
    if full:
        yield "6 players, the thesis's own trees", thesis_form(make_table(6))


def beyond(full: bool) -> Outcome:
    lines = []
    for players in (9, 10):
        solution, took = solved(players)
        text = f"{shown(solution.certificate.lower)}, the resistance wins {shown((1 + solution.certificate.lower) / 2)}"
        lines.append(said(f"{players} players", "could not generate any results", f"{text}; {lasting(took)}", None))
        lines.append(
            said(
                f"{players} players: verified again from the rules",
                "",
                "exact" if solution.verify().exact else "not exact",
                None,
            )
        )
    return Outcome(
        lines,
        "Simple strategies prove each other optimal. A blog series by Christiano (2018) claims these values too, so "
        "ours are independently certified, not first.",
        commands=("ruse solve resistance --players 10", "ruse verify FILE.ruse"),
    )
