"""A solution of ruse's against the oracle: its strategies are answered anew, and all that is printed is read back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from fuzz.case import Contradiction, expect
from fuzz.oracle import Chance, Choice, Flat, Leaf, Node
from ruse.core.game import RuseError
from ruse.explorer import wording
from ruse.present import report
from ruse.solution.strategy import Solution

EXACT = ("auto", "lp", "lcp", "double-oracle", "matrix", "lemke-howson")
TABLES = ("matrix", "lemke-howson")  # which need a normal form
ITERATING = (
    "cfr", "cfr+", "dcfr", "hs-dcfr", "pcfr+", "sapcfr+", "pdcfr+", "mccfr", "mccfr-baseline", "mccfr-outcome",
    "first-order", "pdhg", "mmd", "xdo",
)  # fmt: skip
BOUNDED = re.compile(r"bounded \[([^,\]]+), ([^,\]]+)\]")
BETWEEN = re.compile(r"between ([^ ]+) and ([^ ]+)")
MIDPOINT = re.compile(r"worth [-−\d.e+]+ to ")
PROVED = re.compile(r"(?:gets|wins) at least (\S+) against .* concedes at most (\S+) against", re.DOTALL)
Policies = tuple[dict[str, list[Fraction]], dict[str, list[Fraction]]]


def pairs(tree: Node, game: Any) -> Iterator[tuple[Node, Any]]:
    """Every node that chance allows, and the state of ruse's game that it is."""
    stack = [(tree, game.start())]
    while stack:
        node, state = stack.pop()
        turn = game.turn(state)
        expected = -2 if isinstance(node, Leaf) else -1 if isinstance(node, Chance) else node.side
        expect("the turn of a state", turn, expected)
        yield node, state
        if isinstance(node, Leaf):
            expect("the payoff of an end", Fraction(game.payoff(state)), node.payoff)
            continue
        moves = game.moves(state)
        expect("how many moves there are", len(moves), len(node.moves))
        if isinstance(node, Chance):
            expect("the odds of chance", tuple(game.odds(state)), node.odds)
        for place, (move, after) in enumerate(zip(moves, node.after, strict=True)):
            if not isinstance(node, Chance) or node.odds[place]:
                stack.append((after, game.play(state, move)))


def position(game: Any, state: Any, side: int) -> str:
    text: str = game.title + game.format_position(game.knows(state, side))
    return text


def policies(tree: Node, solution: Solution) -> Policies:
    """The strategies of a solution, by the oracle's information sets."""
    game = solution.game
    found: Policies = ({}, {})
    called: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for node, state in pairs(tree, game):
        if not isinstance(node, Choice):
            continue
        here = position(game, state, node.side)
        expect(f"the position of information set {node.known}", called[node.side].setdefault(node.known, here), here)
        if node.known in found[node.side]:
            continue
        try:
            odds = solution.strategy(node.side).at(here)
        except RuseError as error:
            raise Contradiction(f"odds at {here!r}", error, "odds at every position that chance allows") from error
        labels = [game.label(move) for move in game.moves(state)]
        found[node.side][node.known] = shares = [odds.get(label, Fraction(0)) for label in labels]
        if sum(shares) != 1 or min(shares) < 0 or not set(odds) <= set(labels):
            raise Contradiction(f"odds at {here!r}", odds, "odds of at least 0 that sum to 1, of moves that there are")
    for names in called:
        if len(set(names.values())) < len(names):
            raise Contradiction("positions", names, "one position for each information set")
    return found


class Judge:
    """Judges solutions of one game, and at the end what is printed of them, so that one fault hides no other."""

    def __init__(self, tree: Node, value: Fraction | None = None, flat: Flat | None = None) -> None:
        self.tree, self.flat, self.value = tree, flat or Flat(tree), value
        self.logs: list[str] = []
        self._judged: list[tuple[Solution, Fraction, Fraction]] = []

    def judge(self, solution: Solution, exact: bool) -> None:
        """The certificate is what the oracle's own answers give, holds the value, and is exact where it has to be."""
        by = f"by {solution.solver} {dict(solution.options) or ''}".rstrip()
        lower, upper = self.flat.guarantees(policies(self.tree, solution))
        expect(f"the lower bound {by}", solution.certificate.lower, lower)
        expect(f"the upper bound {by}", solution.certificate.upper, upper)
        if self.value is not None and not lower <= self.value <= upper:
            raise AssertionError(f"the oracle contradicts itself: {lower} <= {self.value} <= {upper}")
        if exact and lower != upper:
            told = f"[{lower}, {upper}], which is inexact: {solution.headline()}"
            raise Contradiction(f"the value {by}", told, "an exact value" if self.value is None else self.value)
        if lower == upper:
            self.value = lower  # which answers to both strategies have proved
        self._judged.append((solution, lower, upper))

    def check_printed(self) -> None:
        payoffs = [payoff for *_, payoff in self.flat.leaves]
        for solution, lower, upper in self._judged:
            check_far(solution, payoffs)
            printed(solution, lower, upper)
        for log in self.logs:
            for row in csv.DictReader(io.StringIO(log)):
                if self.value is not None and not Fraction(row["lower"]) <= self.value <= Fraction(row["upper"]):
                    raise Contradiction("bounds in a log", (row["lower"], row["upper"]), self.value)


def printed(solution: Solution, lower: Fraction, upper: Fraction) -> None:
    """Whatever is shown of the bounds holds them, and nothing is called exact that is not."""
    exact = lower == upper
    headline, page, told = solution.headline(), wording.solved(solution), solution.to_json()
    expect("what JSON calls exact", told["certificate"]["exact"], exact)
    expect("the exact value in JSON", told["value"]["exact"], str(lower) if exact else None)
    expect("the bounds in JSON", (told["certificate"]["lower"], told["certificate"]["upper"]), (str(lower), str(upper)))
    if Fraction(told["gap"]) < upper - lower:
        raise Contradiction("the gap in JSON", told["gap"], upper - lower)
    if headline.endswith("; exact") != exact or (page.mark.rpartition(", ")[2] == "exact") != exact:
        raise Contradiction("what is called exact", f"{headline} | {page.mark}", f"{lower} to {upper}")
    first, second = lower, upper
    if len(solution.game.wins) == 2:
        first, second = (1 + lower) / 2, (1 + upper) / 2
    if not exact:
        for text in (headline, page.sentence, page.mark, wording.bounded(solution)):
            for shown in (BOUNDED.search(text), BETWEEN.search(text)):
                if shown is not None:
                    scale = 100 if "%" in shown[0] else 1
                    _outward(text, shown, first * scale, second * scale)
    if (shown := PROVED.search(report.proof(solution))) is not None:
        _outward(shown[0], shown, first, second)
    for point in solution.points:
        if Fraction(point.lower) > Fraction(point.upper) or Fraction(point.gap) < 0:
            raise Contradiction("a look at a run", point, "bounds in order")


def check_far(solution: Solution, payoffs: Sequence[Fraction]) -> None:
    """No midpoint is a headline where the bounds are far apart: by half of their size, and a tenth of the stakes."""
    lower, upper = solution.certificate.lower, solution.certificate.upper
    stakes, most = max(payoffs) - min(payoffs), max(abs(lower), abs(upper))
    if 2 * (upper - lower) > most and 10 * (upper - lower) > stakes and MIDPOINT.search(solution.headline()):
        raise Contradiction("a midpoint as a headline", solution.headline(), f"[{lower}, {upper}]")


def _outward(text: str, shown: re.Match[str], lower: Fraction, upper: Fraction) -> None:
    low, high = (Fraction(number.replace("−", "-").strip("≈ %;.,")) for number in shown.groups())
    if low > lower or high < upper:
        raise Contradiction("bounds as they are shown", text, f"[{lower!s}, {upper!s}]")
