"""Kubíček 2023, the running example: its tree, normal form, sequences, plans and extended utility."""

from __future__ import annotations

from fractions import Fraction

from ruse.core.game import CHANCE, END, Game, Move, State, Titled
from ruse.core.plain_games.matrix import Matrix, read_payoffs
from ruse.core.registry import make
from ruse.forms.normal_form import normal_form
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.report import Outcome, PaperLine, compare, said, shown
from ruse.solvers.lp import lp
from ruse.solving.pipeline import solve

SOLVE = "ruse solve kubicek --solver lp"
PICTURES = "The trees on the slides are pictures, which the text of the slides that we have does not show."


def example() -> tuple[Game, FormArrays, list[str], list[str]]:
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
        own_example=True,
        pictures=[drawing.tree(pennies, "Matching pennies: the answer does not see the move")],
    )


def leaves(game: Game) -> int:
    """Ends of the tree."""
    stack, ends = [game.start()], 0
    while stack:
        state = stack.pop()
        ends += game.turn(state) == END
        stack += [game.play(state, move) for move in game.moves(state)]
    return ends


def running_example(full: bool) -> Outcome:
    game, form, *_ = example()
    counts = (leaves(game), form.trees[0].infosets, form.trees[1].infosets)
    return Outcome(
        [
            PaperLine("leaves, information sets of player 1 and of player 2", "", " · ".join(map(str, counts))),
            PaperLine("value to player 1", "", shown(solve(game).certificate.lower)),
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
    plan = ", ".join(f"{name} {shown(weight)}" for name, weight in zip(names[0], first, strict=True) if weight)
    lines.append(PaperLine("an optimal plan of player 1", "", plan))
    plan = ", ".join(f"{name} {shown(weight)}" for name, weight in zip(names[1], second, strict=True) if weight)
    lines.append(PaperLine("an optimal plan of player 2", "", plan))
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

    def format_position(self, knowledge: object) -> str:
        return self.game.format_position(knowledge) if knowledge else ""


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
            compare(f"g({first_name}, {other})", str(printed), table[first.index(first_name)][second.index(other)])
            for (first_name, other), printed in UTILITIES.items()
        ],
        f"{len(form.payoffs)} of the {len(first) * len(second)} pairs of sequences pay something; all others are 0.",
    )
