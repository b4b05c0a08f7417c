"""Review a game: the chance of winning move by move, a grade for each move, and luck and skill apart."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, cast

from ruse.core import rationals
from ruse.core.capabilities import payoff_range
from ruse.core.game import Game, GameError, RuseError, possessive
from ruse.core.jsonable import jsonable
from ruse.insight.costs import Costs, PositionCosts
from ruse.insight.reasons import Explainer
from ruse.play.coach import MoveVerdict, Views, amount, judge, missed_win
from ruse.play.luck import Balance, Prospects, balance, listed_move
from ruse.play.session import Session
from ruse.present.model import Viewer
from ruse.present.screen import columns

HEIGHT, WIDTH = 7, 60  # of the plot of a game
MARGIN = 9  # columns beside it, for the scale
BEST, SLIP, MISTAKE, BLUNDER = "best", "slip", "mistake", "blunder"
MOST_SLIP, MOST_MISTAKE = Fraction(1, 50), Fraction(1, 10)  # costs of a slip and of a mistake are below these
MOMENTS = 2  # decisions that are explained
MOST_BEST = 4  # best moves to name


@dataclass(frozen=True)
class Grade:
    """How good a move of the person was, by what it cost."""

    number: int
    cost: Fraction  # as everywhere (docs/explanation/costs.md)
    worst: Fraction  # the cost of the worst move there
    best: Sequence[str]  # the moves that cost nothing
    word: str  # best, slip, mistake or blunder
    here: PositionCosts
    missed: str = ""  # a move that would have won at once

    def named(self) -> str:
        """List the best moves, or the first of them."""
        return ", ".join(self.best[:MOST_BEST]) + ", …" * (len(self.best) > MOST_BEST)

    def text(self) -> str:
        """The word, with what would have been better."""
        if self.missed:
            return f"{self.word} ({self.missed} wins at once)"
        return f"{self.word} (best: {self.named()})" if self.cost else self.word

    def to_json(self) -> dict[str, Any]:
        return {
            "cost": rationals.write(self.cost),
            "grade": self.word,
            "basis": self.here.basis,
            "condition": self.here.condition,
        }


@dataclass(frozen=True)
class Moment:
    """A decision that mattered, in words."""

    number: int
    text: str


@dataclass(frozen=True)
class Review:
    """A game that was played, move by move."""

    session: Session
    verdicts: Sequence[MoveVerdict]
    grades: Sequence[Grade | None]  # None where a move has no cost
    balance: Balance | None  # of a finished game whose positions have values
    moments: Sequence[Moment]

    @property
    def total(self) -> Fraction:
        """The loss of all moves."""
        return sum((verdict.loss for verdict in self.verdicts if verdict.loss is not None), Fraction(0))

    @property
    def line(self) -> list[Fraction]:
        """The person's expected payoff before and after each of its moves, and the payoff at the end."""
        points = [point for verdict in self.verdicts for point in (verdict.before, verdict.after) if point is not None]
        return [*points, self.session.gain] if self.session.over else points

    def text(self) -> str:
        """One line per move, the decisions that mattered, where the result came from, and a plot."""
        game = self.session.solution.game
        lines = [line.rstrip() for line in _aligned([("move", "", "before", "after", "cost", ""), *self._rows()])]
        if notes := self.notes():
            lines += ["", *notes]
        lines += ["", *(moment.text for moment in self.moments)] if self.moments else []
        lines += ["", *_aligned(self.origin(), right=(1,))] if self.balance is not None else [self.lost()]
        if self.balance is not None and not self.balance.fair:
            lines.append(self.unfair)
        return "\n".join([*lines, *self._picture(game)])

    def _rows(self) -> list[tuple[str, ...]]:
        game = self.session.solution.game
        rows: list[tuple[str, ...]] = []
        for verdict, grade, (before, after) in zip(self.verdicts, self.grades, self.values, strict=True):
            cost = verdict.loss if grade is None else grade.cost
            word = "" if grade is None else grade.text()
            numbers = level(game, before), level(game, after), _cost(game, cost)
            rows.append((str(verdict.number), verdict.move, *numbers, word))
        return rows

    unfair: ClassVar[str] = "Some of these positions have no proved costs, so luck may contain more than luck here."

    @property
    def values(self) -> list[tuple[Fraction | None, Fraction | None]]:
        """What the person could expect before and after each of its moves."""
        if self.balance is not None:
            return [(turn.before, turn.after) for turn in self.balance.turns]
        return [(verdict.before, verdict.after) for verdict in self.verdicts]

    def notes(self) -> list[str]:
        """Say of which moves the costs are not against the reference opponent, or unknown."""
        notes: dict[str, list[str]] = {}
        for verdict, grade in zip(self.verdicts, self.grades, strict=True):
            note = verdict.note if grade is None else "" if grade.here.proved else grade.here.condition
            notes.setdefault(note, []).append(str(verdict.number))
        return [f"Move {', '.join(numbers)}: {note}." for note, numbers in notes.items() if note]

    def lost(self) -> str:
        """Say what all moves lost against the stored strategy, where their costs are not known."""
        exact = all(verdict.exact for verdict in self.verdicts)
        judged = all(verdict.loss is not None for verdict in self.verdicts)
        lost = amount(self.session.solution.game, self.total, exact) if self.total else "nothing"
        return f"Lost in total{'' if judged else ', counting the moves that could be judged'}: {lost}."

    def origin(self) -> list[tuple[str, str]]:
        """Where the result came from: rows of a name and a number, which add up to the last."""
        game, balance = self.session.solution.game, self.balance
        assert balance is not None
        other = possessive(game.sides[self.session.rival.side])
        return [
            ("Expected at the start", level(game, balance.start)),
            ("Luck", change(game, balance.luck)),
            ("Your mistakes", change(game, -balance.lost)),
            (f"{other[:1].upper()}{other[1:]} mistakes", change(game, balance.given)),
            ("Result", level(game, balance.result)),
        ]

    def _picture(self, game: Game) -> list[str]:
        line = self.line if self.balance is None else self.balance.line
        if len(line) < 2:
            return []
        points = [float(point) for point in line]
        bounds = (-1.0, 1.0) if game.wins else (min(points), max(points))
        head = "Your chance of winning" if len(game.wins) == 2 else "Your expected payoff"
        begin = "" if self.balance is None else "at the start, "
        return ["", f"{head}, {begin}before and after each move, and at the end:", *picture(points, *bounds, game)]

    def to_json(self) -> dict[str, Any]:
        game = self.session.solution.game
        fields = self.session.to_json()
        graded = [{} if grade is None else grade.to_json() for grade in self.grades]
        fields["review"] = {
            "moves": [{**verdict.to_json(game), **more} for verdict, more in zip(self.verdicts, graded, strict=True)],
            "total": jsonable(self.total),
            "line": jsonable(self.line),
            "balance": None if self.balance is None else self.balance.to_json(),
            "moments": jsonable(self.moments),
        }
        if len(game.wins) == 2:
            fields["review"]["win"] = {
                "total": float(self.total / 2),
                "line": [float((1 + point) / 2) for point in self.line],
            }
        return fields


def review(session: Session, views: Views, costs: Costs | None = None) -> Review:
    """Judge all moves of the person so far. With the costs of moves, grade them and take luck and skill apart."""
    verdicts = [judge(session, views, number) for number in range(1, len(session.decisions) + 1)]
    if costs is None:
        return Review(session, verdicts, [None] * len(verdicts), None, ())
    grades = [_grade(session, costs, number) for number in range(1, len(session.decisions) + 1)]
    balanced: Balance | None = None
    if session.over:
        with suppress(RuseError):
            balanced = balance(session, Prospects(costs))
    return Review(session, verdicts, grades, balanced, _moments(session, costs, views, grades))


def _grade(session: Session, costs: Costs, number: int) -> Grade | None:
    """Grade the person's move of that number; None where it has no cost."""
    decision, game = session.decisions[number - 1], session.solution.game
    try:
        here = costs.at(decision.position, session.side)
    except RuseError:
        return None
    name = listed_move(game, decision.position, decision.move, here.moves)
    if name is None:
        return None
    every = [move.cost for move in here.moves.values()]
    best = [move.move for move in here.moves.values() if not move.cost]
    cost, missed = here.moves[name].cost, missed_win(session, number)
    word = grade_word(game, cost)
    return Grade(number, cost, max(every), best, SLIP if missed and word == BEST else word, here, missed)


def grade_word(game: Game, cost: Fraction) -> str:
    """Name a cost by its share of the range of payoffs; without a range, every cost is a mistake."""
    if not cost:
        return BEST
    try:
        least, most = payoff_range(game)
    except GameError:
        return MISTAKE
    share = cost / (most - least)
    return SLIP if share < MOST_SLIP else MISTAKE if share < MOST_MISTAKE else BLUNDER


def _moments(session: Session, costs: Costs, views: Views, grades: Sequence[Grade | None]) -> list[Moment]:
    """Explain the decisions that mattered most: the costliest mistakes, then those where most was at stake."""
    weighed = [grade for grade in grades if grade is not None and grade.worst]
    weighed.sort(key=lambda grade: (-grade.cost, -grade.worst, grade.number))
    if not weighed:
        return []
    explainer = Explainer(costs, cast(Viewer, views))  # games that have costs have whole viewers
    return [_moment(session, explainer, grade) for grade in sorted(weighed[:MOMENTS], key=lambda grade: grade.number)]


def _moment(session: Session, explainer: Explainer, grade: Grade) -> Moment:
    decision, game = session.decisions[grade.number - 1], session.solution.game
    if grade.cost:
        text = (
            f"Move {grade.number}, {decision.move}, was a {grade.word}: it cost {amount(game, grade.cost)} "
            f"{grade.here.condition}. Best: {grade.named()}."
        )
    else:
        text = (
            f"Move {grade.number}, {decision.move}, was right where most was at stake: the worst move costs "
            f"{amount(game, grade.worst)} {grade.here.condition}."
        )
    explained = explainer.explain(decision.position, decision.move, session.side)
    return Moment(grade.number, " ".join([text, *(reason.text for reason in explained.reasons[1:])]))


def level(game: Game, value: Fraction | None) -> str:
    """Write what the person could expect: as a chance of winning in a game without draws, else as a payoff."""
    if value is None:
        return "?"
    return f"{50 * float(1 + value):.1f}%" if len(game.wins) == 2 else f"{float(value):+.3f}"


def change(game: Game, difference: Fraction) -> str:
    """Write a difference of what the person could expect."""
    if len(game.wins) == 2:
        return f"{50 * float(difference):+.1f} points" if difference else "0 points"
    return f"{float(difference):+.3f}" if difference else "0"


def _cost(game: Game, cost: Fraction | None) -> str:
    if cost is None:
        return "?"
    if not cost:
        return "0"
    return f"{50 * float(cost):.1f} points" if len(game.wins) == 2 else f"{float(cost):.3f}"


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = (0, 2, 3, 4)) -> list[str]:
    """Set rows in columns, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            f"{text:>{width}}" if column in right else f"{text:<{width}}"
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def picture(points: Sequence[float], low: float, high: float, game: Game) -> list[str]:
    """Plot points over a scale, one column per point; a long game is thinned out."""
    width = min(WIDTH, columns(sys.stdout) - MARGIN)
    if len(points) > width:
        points = [points[round(place * (len(points) - 1) / (width - 1))] for place in range(width)]
    span = high - low or 1.0
    rows = [round((point - low) / span * (HEIGHT - 1)) for point in points]
    step = max(1, min(4, width // len(points)))
    lines = []
    for row in reversed(range(HEIGHT)):
        level = low + span * row / (HEIGHT - 1)
        scale_text = f"{50 * (1 + level):.0f}%" if len(game.wins) == 2 else f"{level:+.2f}"
        head = scale_text if row in (0, HEIGHT // 2, HEIGHT - 1) else ""
        marks = "".join(("●" if point_row == row else " ") + " " * (step - 1) for point_row in rows)
        lines.append(f"{head:>6} │{marks}".rstrip())
    return lines
