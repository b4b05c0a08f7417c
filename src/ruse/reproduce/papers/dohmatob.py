"""Dohmatob 2015, the slides: the A/K example, Kuhn poker, its saddle point by steps that only clip, and blocks of A."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from ruse.core.registry import make
from ruse.forms.certificate import best_response
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.reproduce import drawing, forms
from ruse.reproduce.report import Chart, Outcome, PaperLine, compare, rounded, said, shown
from ruse.reproduce.small_games import ChanceNode, DecisionNode, DrawnGame, Node
from ruse.solvers.cfr import Cfr
from ruse.solvers.first_order import FirstOrder
from ruse.solvers.lp import lp
from ruse.solvers.pdhg import Pdhg
from ruse.solvers.variants import VARIANTS

SLIP = "Dohmatob 2015, slides"
KUHN = "ruse solve kuhn"
VALUE = Fraction(-1, 18)  # Kuhn 1950


def ace_king(fold: int) -> DrawnGame:
    """Each side gets A or K; the first bets 4 or folds for `fold`, the second then bets too or folds for it."""

    def deal(mine: str, theirs: str) -> tuple[str, Fraction, Node]:
        stake = Fraction(4 * ((mine == "A") - (theirs == "A")))
        answer = DecisionNode(1, theirs, (("B", stake), ("F", Fraction(fold))))
        return mine + theirs, Fraction(1, 4), DecisionNode(0, mine, (("B", answer), ("F", Fraction(-fold))))

    return DrawnGame("ace-king", ChanceNode([deal("K", "K"), deal("K", "A"), deal("A", "K"), deal("A", "A")]))


def in_his_order(form: FormArrays) -> list[int]:
    """S₁: the empty sequence, A bet, A fold, K bet, K fold; the same for side 1."""
    first = {known[0]: start for known, (_, start, _) in zip(form.knowledge[0], form.trees[0].sets(), strict=True)}
    return [0, first["A"], first["A"] + 1, first["K"], first["K"] + 1]


E_PRINTED = [[1, 0, 0, 0, 0], [-1, 1, 1, 0, 0], [-1, 0, 0, 1, 1]]
A_PRINTED = [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0], [0, -1, 0, 0, 0], [0, 0, 0, 0, 0]]


def matrix_of(full: bool) -> Outcome:
    """Eq. 2 and 3 by their definition, leaf by leaf, beside the form that ruse makes."""
    game = make("kuhn", {})
    form = sequence_form(game)
    names = forms.sequences(game, form, 0), forms.sequences(game, form, 1)
    counted = [1 + sum(len(moves) for moves in form.moves[side]) for side in (0, 1)]
    stack: list[tuple[object, Fraction, tuple[object, ...], tuple[object, ...]]] = [(game.start(), Fraction(1), (), ())]
    summed: dict[tuple[object, object], Fraction] = {}
    while stack:
        state, odds, first, second = stack.pop()
        turn = game.turn(state)
        moves = game.moves(state)
        if not moves:
            summed[first, second] = summed.get((first, second), Fraction(0)) + odds * game.payoff(state)
        for place, move in enumerate(moves):
            after = game.play(state, move)
            if turn == 0:
                stack.append((after, odds, (*first, game.knows(state, 0), move), second))
            elif turn == 1:
                stack.append((after, odds, first, (*second, game.knows(state, 1), move)))
            else:
                stack.append((after, odds * game.odds(state)[place], first, second))
    ours = sorted(entry for row in forms.payoffs(form) for entry in row if entry)
    by_definition = sorted(entry for entry in summed.values() if entry)
    return Outcome(
        [
            compare("Eq. 2, Kuhn poker: |S₁| = 1 + choices of Alice", str(counted[0]), len(names[0])),
            compare("Eq. 2: |S₂|", str(counted[1]), len(names[1])),
            said(
                "Eq. 3: entries of A, summed leaf by leaf",
                f"{len(by_definition)} entries, sum {shown(sum(by_definition, Fraction(0)))}",
                f"{len(ours)} entries, sum {shown(sum(ours, Fraction(0)))}",
                ours == by_definition,
            ),
        ],
        "“Theirs” is Eq. 2 and 3 computed as they stand; ours is the form that all of ruse's solvers get.",
        commands=("ruse sizes kuhn",),
    )


def example(full: bool) -> Outcome:
    free, costly = ace_king(0), ace_king(1)
    form = sequence_form(free)
    order = in_his_order(form)
    table = forms.payoffs(form)
    a = [[table[row][column] for column in order] for row in order]
    e = forms.constraints(form, 0)
    arranged = sorted(([line[place] for place in order] for line in e), key=lambda line: (line[0] != 1, line[3]))
    start = [1, *[0] * form.trees[0].infosets]
    others = sequence_form(costly)
    paid = forms.payoffs(others)
    folds = sum(1 for row in paid for entry in row if abs(entry) in (Fraction(1, 2), Fraction(1, 4)))
    return Outcome(
        [
            said(
                "S₁",
                "∅, A bet, A fold, K bet, K fold",
                f"{form.trees[0].sequences} sequences",
                form.trees[0].sequences == 5,
            ),
            said("I₁", "2 sets of 2 nodes", f"{form.trees[0].infosets} sets", form.trees[0].infosets == 2),
            said("E", forms.written(E_PRINTED), forms.written(arranged), arranged == E_PRINTED),
            said("e", "1 0 0", " ".join(map(str, start)), start == [1, 0, 0]),
            said("A, called bets only", forms.written(A_PRINTED), forms.written(a), a == A_PRINTED),
            PaperLine("A with folds that cost 1: entries besides those", "", str(folds)),
            PaperLine(
                "value where folds are free, and where they cost 1",
                "",
                f"{shown(lp(form).certificate.lower)}; {shown(lp(others).certificate.lower)}",
            ),
        ],
        "The printed A has only the bets that are called: folding is free in it. The source of his paper (arXiv "
        "1507.07901) has the "
        "folds, which cost 1; then the first player, who must bet or pay, loses a quarter of a chip a game.",
        "The stakes stand in no text of the slides: a called bet is worth 4, as 4 · 1/4 is the printed 1.",
        slip=f"{SLIP}: the A of the A/K example",
        pictures=[drawing.tree(free, "The A/K example with free folds")],
    )


def kuhn(full: bool) -> Outcome:
    form = sequence_form(make("kuhn", {}))
    sets = [tree.infosets for tree in form.trees]
    e = [1, *[0] * sets[0]]
    return Outcome(
        [
            said("e", "(1, 0, 0, 0, 0, 0, 0)", f"({', '.join(map(str, e))})", e == [1, 0, 0, 0, 0, 0, 0]),
            compare("information sets of Alice: entries of e but one", "6", sets[0]),
            PaperLine(
                "E: rows × columns, entries",
                "",
                f"{sets[0] + 1} × {form.trees[0].sequences}, {len(form.trees[0].constraints()[0])}",
            ),
            PaperLine(
                "A: rows × columns, entries",
                "",
                f"{form.trees[0].sequences} × {form.trees[1].sequences}, {len(form.payoffs)}",
            ),
        ],
        "",
        "On the slide E, F and A are pictures; the text keeps e alone. The matrices of his paper are checked entry by "
        "entry in "
        "`tests/solvers/test_first_order.py`.",
        pictures=[drawing.tree(make("kuhn", {}), "Kuhn poker: the first two moves after the deal", deepest=3, most=60)],
        commands=(f"{KUHN} --solver lp",),
    )


def saddle(full: bool) -> Outcome:
    form = sequence_form(make("kuhn", {}))
    solved = lp(form)
    x, y = solved.plans
    table = forms.payoffs(form)
    at = sum(x[row] * table[row][column] * y[column] for row, column in product(range(len(x)), range(len(y))))
    most, least = best_response(form, 0, y)[0], best_response(form, 1, x)[0]
    transposed = sum(y[row] * table[row][column] * x[column] for row, column in product(range(len(y)), range(len(x))))
    flat = [
        Fraction(entry)
        for line in forms.constraints(form, 0)
        for entry in [sum(a * b for a, b in zip(line, x, strict=True))]
    ]
    return Outcome(
        [
            said(
                "Eq. 5: E x = e and x ≥ 0",
                "Alice's complex",
                "holds exactly" if flat == [1, *[0] * 6] and min(x) >= 0 else "fails",
                flat == [1, *[0] * 6],
            ),
            said(
                "a saddle point is an equilibrium: max, x′Ay, min",
                "equal",
                f"{shown(most)}, {shown(Fraction(at))}, {shown(least)}",
                most == at == least,
            ),
            said("value of Kuhn poker", "−1/18 (Kuhn 1950)", shown(Fraction(at)), at == VALUE),
            said("Eq. 4 as printed, y′Ax with A of Eq. 3", "the payoff", shown(Fraction(transposed)), transposed == at),
        ],
        "Eq. 3 puts Alice's sequences σ into the rows of A, so the payoff is x′Ay. As Eq. 4 prints it, y′Ax, it is "
        "another number; "
        "that both are 13 × 13 in Kuhn poker hides it.",
        slip=f"{SLIP}, eq. (4)",
        commands=(f"{KUHN} --solver lp", f"{KUHN} --solver first-order"),
    )


def answer(full: bool) -> Outcome:
    """A best response by an LP, as Eq. 6 has it, and by a sweep through the tree."""
    from scipy.optimize import linprog

    form = sequence_form(make("kuhn", {}))
    tree = form.trees[1]
    even = [Fraction(0)] * tree.sequences
    even[0] = Fraction(1)
    for parent, first, end in tree.sets():
        even[first:end] = [even[parent] / (end - first)] * (end - first)
    swept, _ = best_response(form, 0, even)
    table = np.array([[float(entry) for entry in row] for row in forms.payoffs(form)])
    e = np.array(forms.constraints(form, 0), dtype=float)
    response = linprog(-table @ np.array([float(weight) for weight in even]), A_eq=e, b_eq=np.eye(1, len(e))[0])
    return Outcome(
        [
            said(
                "Kuhn poker, Bob plays evenly: best response by the program, and by one sweep",
                "equal",
                f"{-response.fun:.9f}; {shown(swept)}",
                abs(-response.fun - float(swept)) < 1e-9,
            )
        ],
        "The slide calls it an LCP; as y₀ is fixed, it is a linear program, and its dual is one sweep through the "
        "tree, which is how "
        "ruse finds all its bounds, in whole numbers.",
    )


LOOKS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000)


def computation(full: bool) -> Outcome:
    compiled = Compiled(sequence_form(make("kuhn", {})))
    lines = []
    series: dict[str, list[tuple[float | str, float]]] = {}
    for name, method in (
        ("first-order (his)", FirstOrder),
        ("pdhg", Pdhg),
        ("cfr", lambda form: Cfr(form, VARIANTS["cfr"])),
        ("pcfr+", lambda form: Cfr(form, VARIANTS["pcfr+"])),
    ):
        run, done = method(compiled), 0
        series[name] = []
        for look in LOOKS if full else LOOKS[:-1]:
            run.run(look - done)
            done = look
            bounds = compiled.certify(run.weights()).certificate
            gap = float(bounds.gap)
            series[name].append((look, max(gap, 1e-16)))
        lines.append(
            PaperLine(
                f"{name}: gap after 1,000 and {done:,} iterations",
                "",
                f"{rounded(dict(series[name])[1000])}; {rounded(gap)}",
            )
        )
    his = dict(series["first-order (his)"])
    fallen = [float(his[look]) for look in (10, 100, 1000)]
    lines.append(
        said(
            "his method converges",
            "to an equilibrium",
            f"gaps {', '.join(rounded(gap) for gap in fallen)}",
            fallen[0] > fallen[1] > fallen[2],
        )
    )
    low, high = bounds.lower, bounds.upper
    lines.append(
        said(
            "the value lies within the bounds",
            "−1/18 (Kuhn 1950)",
            f"{float(low):.9f} to {float(high):.9f}",
            low <= VALUE <= high,
        )
    )
    return Outcome(
        lines,
        "Each step of his method is two products with a sparse matrix and a clip at zero: no projection, no program. "
        "Iterates violate "
        "E x = e slightly, so they are normalised into plans, and the gap is that of the plans, exact. It bounds the "
        "value on both sides.",
        "The slide's curves are a picture. His paper prints 10⁻⁴ after 1,500 iterations; that is a residual, not a gap "
        "between bounds.",
        charts=[Chart("Kuhn poker: gap by iterations", "iterations", "upper − lower bound", series, (True, True))],
        commands=(f"{KUHN} --solver first-order --gap 1e-6", f"{KUHN} --solver pdhg --gap 1e-9"),
    )


def blocks(full: bool) -> Outcome:
    """Kuhn poker's A, sorted by betting and then by card: a Kronecker sum of how it ended and who holds what."""
    form = sequence_form(make("kuhn", {}))
    table = forms.payoffs(form)
    last: list[dict[tuple[str, str], int]] = [{}, {}]
    for side in (0, 1):
        for knowledge, (_, first, _), moves in zip(
            form.knowledge[side], form.trees[side].sets(), form.moves[side], strict=True
        ):
            for place, move in enumerate(moves, first):
                last[side]["/".join((*knowledge.bets, move)), knowledge.cards] = place
    lines_of = [sorted({line for line, _ in last[side]}) for side in (0, 1)]
    cards = sorted({card for _, card in last[0]})
    kinds: dict[str, int] = {"fold": 0, "showdown": 0, "neither": 0}
    met = 0
    pieces: list[list[Fraction]] = []
    for mine, theirs in product(*lines_of):
        block = [[table[last[0][mine, card]][last[1][theirs, other]] for other in cards] for card in cards]
        if any(entry for row in block for entry in row):
            met += 1
            kinds[_kind(block)] += 1
            pieces.append([entry for row in block for entry in row])
    rank = int(np.linalg.matrix_rank(np.array(pieces, dtype=float)))
    return Outcome(
        [
            said(
                "Kuhn poker: pairs of bettings that meet, of all",
                "mostly zeros",
                f"{met} of {len(lines_of[0]) * len(lines_of[1])}",
                met * 2 < len(lines_of[0]) * len(lines_of[1]),
            ),
            said(
                "A = F ⊗ B + S ⊗ W: kinds of blocks",
                "F ⊗ B, S ⊗ W",
                f"{kinds['fold']} folds, {kinds['showdown']} showdowns, {kinds['neither']} others",
                kinds["neither"] == 0,
            ),
            compare("Kronecker rank of A", "2", rank),
            PaperLine("Texas Hold'em: rows and columns", "18 · 10⁹", "not counted here"),
        ],
        "B says which hands can meet, W who wins; F and S say how much a betting line is worth. With one betting round "
        "only A₃ of Eq. 7 is left "
        "in Kuhn poker. ruse finds such factors in any form by itself and takes them in blocks "
        "(`ruse.forms.payoff_blocks`).",
    )


def _kind(block: list[list[Fraction]]) -> str:
    """Whether a block is a multiple of B (hands differ) or of W (who has the higher card wins)."""
    size = range(len(block))
    unit = max((abs(block[i][j]) for i in size for j in size), default=Fraction(0))
    fold = [[Fraction(i != j) for j in size] for i in size]
    show = [[Fraction((i > j) - (i < j)) for j in size] for i in size]
    order = _by_rank(block)
    scaled = [[block[i][j] / unit for j in order] for i in order]
    if scaled == fold or [[-entry for entry in row] for row in scaled] == fold:
        return "fold"
    return "showdown" if scaled == show or [[-entry for entry in row] for row in scaled] == show else "neither"


def _by_rank(block: list[list[Fraction]]) -> list[int]:
    """Cards from low to high: who wins more is higher."""
    return sorted(range(len(block)), key=lambda card: sum(block[card]))


ITEMS = {
    "Eqs. 2–3": (matrix_of, 0.1, 0.1),
    "A/K example": (example, 0.1, 0.1),
    "Kuhn's Poker": (kuhn, 0.1, 0.1),
    "Eqs. 4–5": (saddle, 0.1, 0.1),
    "Eq. 6": (answer, 0.5, 0.5),
    "NE computation": (computation, 3.0, 5.0),
    "Eqs. 7–8": (blocks, 0.1, 0.1),
}
