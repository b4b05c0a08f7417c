"""Kubíček 2023, "Solving Imperfect Information EFGs": the slides' running example, its programs and double oracle."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.game import CHANCE, END, Game, Move, State, Titled
from ruse.core.plain_games.matrix import Matrix, read_payoffs
from ruse.core.registry import make
from ruse.forms.certificate import best_response
from ruse.forms.integer_form import Compiled
from ruse.forms.normal_form import normal_form
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.report import MINUS, Comparison, Outcome, compare, lasting, said, shown
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.plans import Solved
from ruse.solving.pipeline import solve

SOLVE = "ruse solve kubicek --solver lp"
PICTURES = "The trees on the slides are pictures, which the text of the slides that we have does not show."


def example() -> tuple[Game, SequenceForm, list[str], list[str]]:
    game = make("kubicek", {})
    form = sequence_form(game)
    return game, form, forms.sequences(game, form, 0), forms.sequences(game, form, 1)


def problems(full: bool) -> Outcome:
    pennies = Matrix(read_payoffs("1 -1; -1 1"), rows=("H", "T"), columns=("h", "t"))
    value = solve(pennies).certificate.lower
    seen = max(min(row) for row in ((1, -1), (-1, 1)))  # backward induction, as if the answer saw the move
    return Outcome(
        [
            said(
                "H or T, then h or t unseen: backward induction",
                "will not work",
                f"gives {shown(seen)}, the value is {shown(value)}",
                value != seen,
            )
        ],
        "What H and T are worth depends on how often the answer is h, and that on how often H was played.",
        f"{PICTURES} Its payoffs are not in the text, so they are those of matching pennies here.",
        pictures=[drawing.tree(pennies, "Matching pennies: the answer does not see the move")],
    )


def leaves(game: Game) -> int:
    """Ends of the tree."""
    stack, found = [game.start()], 0
    while stack:
        state = stack.pop()
        found += game.turn(state) == END
        stack += [game.play(state, move) for move in game.moves(state)]
    return found


def running_example(full: bool) -> Outcome:
    game, form, *_ = example()
    counts = (leaves(game), form.trees[0].infosets, form.trees[1].infosets)
    return Outcome(
        [
            Comparison("leaves, information sets of player 1 and of player 2", "", " · ".join(map(str, counts))),
            Comparison("value to player 1", "", shown(solve(game).certificate.lower)),
        ],
        "Player 1 picks A or B in the open, then C or D, or E or F, in secret. Each branch is a matrix game: A's is "
        "worth "
        "11/7, B's 3/2, so A is played.",
        f"{PICTURES} The payoffs are those of the printed normal form; the value is not printed.",
        pictures=[drawing.tree(game, "Kubíček's running example")],
        commands=(SOLVE,),
    )


PRINTED = {
    "ACE": (3, 3, 1, 1),
    "ACF": (3, 3, 1, 1),
    "ADE": (-2, -2, 3, 3),
    "ADF": (-2, -2, 3, 3),
    "BCE": (2, 0, 2, 0),
    "BCF": (1, 3, 1, 3),
    "BDE": (2, 0, 2, 0),
    "BDF": (1, 3, 1, 3),
}


def normal(full: bool) -> Outcome:
    game, form, *names = example()
    table = normal_form(form)
    rows = ["".join(names[0][place][-1] for place in pure) for pure in table.strategies[0]]
    columns = ["".join(names[1][place][-1] for place in pure) for pure in table.strategies[1]]
    ours = dict(zip(rows, table.payoffs, strict=True))
    lines = [said("columns", "gi gj hi hj", " ".join(columns), columns == ["gi", "gj", "hi", "hj"])]
    for name, printed in PRINTED.items():
        lines.append(said(name, forms.written([printed]), forms.written([ours[name]]), ours[name] == list(printed)))
    return Outcome(
        lines,
        f"“Can include the same leaf multiple times”: {leaves(game)} leaves fill {len(rows) * len(columns)} places.",
        commands=("ruse solve kubicek --solver matrix",),
    )


def sequences(full: bool) -> Outcome:
    _, _, first, second = example()
    return Outcome(
        [
            said("Σ₁", "∅ A B AC AD BE BF", " ".join(first), first == ["∅", "A", "B", "AC", "AD", "BE", "BF"]),
            said("Σ₂", "∅ g h i j", " ".join(second), second == ["∅", "g", "h", "i", "j"]),
        ],
        "Eight pure strategies of player 1, but seven sequences; sequences grow with the tree, strategies with its "
        "power set.",
        commands=("ruse sizes kubicek",),
    )


PLANS = (
    ("r₁(∅) = 1", "r₁(A) + r₁(B) = r₁(∅)", "r₁(AC) + r₁(AD) = r₁(A)", "r₁(BE) + r₁(BF) = r₁(B)"),
    ("r₂(∅) = 1", "r₂(g) + r₂(h) = r₂(∅)", "r₂(i) + r₂(j) = r₂(∅)"),
)


def plans(full: bool) -> Outcome:
    _, form, *names = example()
    lines = []
    for side, printed in enumerate(PLANS):
        ours = forms.equations(form, side, names[side], ("r₁", "r₂")[side])
        lines += [said(f"player {side + 1}", line, line if line in ours else "–", line in ours) for line in printed]
        lines.append(compare(f"equations of player {side + 1}", str(len(printed)), len(ours)))
    solved = lp(form)
    first, second = solved.plans
    told = ", ".join(f"{name} {shown(weight)}" for name, weight in zip(names[0], first, strict=True) if weight)
    lines.append(Comparison("an optimal plan of player 1", "", told))
    told = ", ".join(f"{name} {shown(weight)}" for name, weight in zip(names[1], second, strict=True) if weight)
    lines.append(Comparison("an optimal plan of player 2", "", told))
    return Outcome(
        lines,
        "Where r(σ) is 0 the slides set the behaviour to 0, which is no behaviour at all: ruse plays a best response "
        "there, so "
        "that its strategies also answer an opponent who slips.",
        commands=(SOLVE,),
    )


class Tossed(Titled):
    """A game before which a coin is tossed that nobody sees; at the end it adds or takes 1."""

    wins = ()

    def __init__(self, game: Game) -> None:
        self.game, self.sides = game, game.sides
        self.name = self.title = f"tossed-{game.name}"
        self.parameters: dict[str, object] = {}

    def start(self) -> State:
        return None

    def turn(self, state: State) -> int:
        return CHANCE if state is None else self.game.turn(state[1])

    def moves(self, state: State) -> list[Move]:
        return ["up", "down"] if state is None else list(self.game.moves(state[1]))

    def odds(self, state: State) -> list[Fraction]:
        return [Fraction(1, 2)] * 2

    def play(self, state: State, move: Move) -> State:
        if state is None:
            return (1 if move == "up" else -1, self.game.start())
        return (state[0], self.game.play(state[1], move))

    def knows(self, state: State, side: int) -> object:
        return () if state is None else self.game.knows(state[1], side)

    def payoff(self, state: State) -> Fraction:
        return self.game.payoff(state[1]) + Fraction(state[0])

    def label(self, move: Move) -> str:
        return move if move in ("up", "down") else self.game.label(move)

    def tell(self, knowledge: object) -> str:
        return self.game.tell(knowledge) if knowledge else ""


def chance(full: bool) -> Outcome:
    game, form, *_ = example()
    tossed = Tossed(game)
    with_chance = sequence_form(tossed)
    same = forms.payoffs(with_chance) == forms.payoffs(form)
    kuhn = sequence_form(make("kuhn", {}))
    folded = sum(1 for row in forms.payoffs(kuhn) for entry in row if entry)
    return Outcome(
        [
            said(
                "a coin that nobody sees, before the game",
                "pruned away completely",
                f"A is {'the same' if same else 'another'}",
                same,
            ),
            said(
                "Kuhn poker: probabilities in the leaves",
                "propagated",
                f"{folded} entries of A, each a sixth of a payoff",
                all((6 * entry).denominator == 1 for row in forms.payoffs(kuhn) for entry in row),
            ),
        ],
        "The coin adds or takes 1 at the end. Its two leaves share a place in A, and their sum there is what it was "
        "before.",
        PICTURES,
        pictures=[drawing.tree(tossed, "The running example after a coin that nobody sees", most=60)],
    )


UTILITIES = {("∅", "∅"): 0, ("AC", "i"): 0, ("BF", "j"): 3, ("AD", "∅"): 0, ("∅", "g"): 0, ("A", "g"): 0}


def utility(full: bool) -> Outcome:
    _, form, first, second = example()
    table = forms.payoffs(form)
    return Outcome(
        [
            compare(f"g({one}, {other})", str(printed), table[first.index(one)][second.index(other)])
            for (one, other), printed in UTILITIES.items()
        ],
        f"{len(form.payoffs)} of the {len(first) * len(second)} pairs of sequences pay something; all others are 0.",
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
            follows = [values[one] for one, parent in enumerate(other.parent.tolist()) if parent == place]
            # the sequences of the information set that this one meets: the slides print their zeros
            met = [one for one, factor in enumerate(factors) if factor]
            keep = sorted({one for own in met for one in _set_of(form, side, own)})
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


def _set_of(form: SequenceForm, side: int, sequence: int) -> range:
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
    lines.append(Comparison("value", "", shown(solved.certificate.lower)))
    told = ", ".join(
        f"{name} {shown(weight)}" for name, weight in zip(names[side], solved.plans[side], strict=True) if weight
    )
    lines.append(Comparison("plan", "", told))
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
        told = " · ".join(f"{solver} {lasting(seconds)}" for solver, seconds in took.items())
        lines.append(
            Comparison(f"{title}, a program of {size}; exact, value {shown(values.pop())}", "LP is fastest", told)
        )
    lines.append(Comparison("games here where the LP was fastest", "all", f"{fastest} of {len(games)}"))
    return Outcome(
        lines,
        "Seconds are of this machine and this run, so nothing is judged by them. In larger games whose optima need few "
        "moves the "
        "double oracle is ahead (`docs/benchmarks.md`).",
        commands=("python -m benchmarks.exact",),
    )


def oracle(full: bool) -> Outcome:
    """From A, C against g, i, as on the slide."""
    _, form, first, second = example()
    names = first, second
    start = np.zeros(len(first)), np.zeros(len(second))
    for side, chosen in enumerate((("∅", "A", "AC"), ("∅", "g", "i"))):
        for name in chosen:
            start[side][names[side].index(name)] = 1.0
    exactly: list[Solved] = []

    def inner(restricted: SequenceForm) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        exactly.append(lp(restricted))
        one, other = (np.array([float(weight) for weight in plan]) for plan in exactly[-1].plans)
        return one, other

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
            Comparison(
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
    lines.append(Comparison("sequences that were needed", "", f"{need} of {len(first)} + {len(second)}"))
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


ITEMS = {
    "Problems": (problems, 0.1, 0.1),
    "Running example": (running_example, 0.1, 0.1),
    "Normal form": (normal, 0.1, 0.1),
    "Sequences": (sequences, 0.1, 0.1),
    "Realization plans": (plans, 0.1, 0.1),
    "Chance nodes": (chance, 0.1, 0.1),
    "Extended utility": (utility, 0.1, 0.1),
    "Eqs. 1–5": (program_one, 0.1, 0.1),
    "Program of player 2": (program_two, 0.1, 0.1),
    "Sequence-form properties": (properties, 2.0, 15.0),
    "Double oracle": (oracle, 0.3, 0.3),
    "Double oracle properties": (oracle_properties, 2.0, 8.0),
}
