"""Drills: practise single decisions, chosen more often the more a mistake costs and the more often you made one.

A deal plays some games against the stored opponent, in which the person's side follows its strategy or sometimes moves
at random. It then draws one of the decisions on the way with weight

    (cost of the worst move there) (1 + 2 wrong answers) / (1 + right answers).

The cost of a move is its cost as a fixed habit (ruse.insight), and an answer is right if some optimal strategy makes
it. If that takes too long, or is 0, the cost is the loss against the stored opponent, times the probability that play
reaches the position, because the other cost is counted from the start of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from ruse.core import rationals
from ruse.core.capabilities import Open
from ruse.core.clock import deadline, left
from ruse.core.game import GameError, PositionError, RuseError, moving
from ruse.insight.model import MUST, NEVER, MoveInsight
from ruse.play import session as sessions
from ruse.play.coach import MoveVerdict, chosen_option, judge, known_prices
from ruse.play.rival import find
from ruse.play.scores import AnswerTally, DrillScore
from ruse.play.session import Decision, Session
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

GAMES = 6  # played for a deal
MOST_DECISIONS = 30  # considered in a game
SLIPS = 0.35  # how often the person's side moves at random in those games
BRIEF = 1.5  # seconds for computing the costs of a deal
MOST_NAMED = 6  # moves
SELDOM = Fraction(1, 100)  # the probability assumed for positions that play reaches only by mistakes
Look = Callable[[str, int], Sequence[MoveInsight]]  # quick insight into the moves at a position; may be empty


@dataclass(frozen=True)
class DrillQuestion:
    """A position where the person is to move."""

    session: Session  # the game at this position
    stake: Fraction  # the cost of the worst move

    @property
    def position(self) -> str:
        return self.session.position


@dataclass(frozen=True)
class Marked:
    """An answer with its verdict."""

    verdict: MoveVerdict
    right: bool
    cost: Fraction  # 0 if the answer is right
    optimal: str  # a sentence on what optimal strategies do there; empty if unknown

    def text(self, solution: Solution) -> str:
        """The verdict in two sentences."""
        head = "Right" if self.right else "Not optimal"
        return f"{head}: {self.verdict.text(solution.game)}. {self.optimal}".rstrip()

    def to_json(self, solution: Solution) -> dict[str, Any]:
        return {
            "right": self.right,
            "cost": rationals.write(self.cost),
            "told": self.text(solution),
            "verdict": self.verdict.to_json(solution.game),
        }


class Drill:
    """A drill of one side of a solution."""

    def __init__(self, solution: Solution, side: int, views: Viewer, look: Look) -> None:
        self.solution, self.side, self.views, self.look = solution, side, views, look

    def deal(self, score: DrillScore, random: Random) -> DrillQuestion:
        """Draw a position by its weight. Raises GameError if no decision of the side matters."""
        questions = self.looked_at(random)
        if not questions:
            game = self.solution.game
            raise GameError(
                f"there is nothing to drill: no decision of {game.sides[self.side]} in {game.title} affects the result"
            )
        (dealt,) = random.choices(questions, [weight(question, score) for question in questions])
        return dealt

    def looked_at(self, random: Random) -> list[DrillQuestion]:
        """The decisions of some random games that matter, each once."""
        decisions = {standing.position: standing for _ in range(GAMES) for standing in self._played(random)}
        with deadline(BRIEF):
            stakes = {position: self._stake(position) for position in decisions}
        return [
            DrillQuestion(standing, stakes[position]) for position, standing in decisions.items() if stakes[position]
        ]

    def at(self, position: str) -> DrillQuestion:
        """The question at a position."""
        standing = sessions.standing(self.solution, self.side, position, self.views)
        if standing.over or standing.game.turn(standing.states[-1]) != self.side:
            side = self.solution.game.sides[self.side]
            raise PositionError(f"expected a position where {moving(side)}, got {position[:80]!r}")
        return DrillQuestion(standing, self._stake(position))

    def mark(self, question: DrillQuestion, move: str) -> Marked:
        """Judge an answer. Raises IllegalMove."""
        session, game = question.session, self.solution.game
        label = session.game.label(find(session.game, session.states[-1], move))
        answered = sessions.play(session, session.number, label)
        insights = {insight.move: insight for insight in self.look(question.position, self.side)}
        prices = known_prices(list(insights.values()))
        verdict = judge(answered, self.views, len(answered.decisions), lambda *_: prices)
        view = self.views.at(question.position, self.side)
        option = chosen_option(game, Decision(question.position, label), view.options)
        kind = insights[option.move].kind if option is not None and option.move in insights else None
        right = not verdict.loss if kind is None else kind != NEVER
        cost = Fraction(0) if right else verdict.price or verdict.loss or Fraction(0)
        return Marked(verdict, right, cost, _optimal_moves(list(insights.values())))

    def _played(self, random: Random) -> list[Session]:
        """Play a random game, and return it at each decision of the person's side."""
        session = sessions.begin(self.solution, self.side, seed=random.randrange(sessions.MOST_SEED))
        strategy, decisions = self.solution.strategy(self.side), list[Session]()
        while not session.over and len(decisions) < MOST_DECISIONS:
            if len(session.choices) > 1:
                decisions.append(session)
            move = session.game.label(random.choice(session.choices))
            if random.random() > SLIPS:
                try:
                    odds = strategy.at(session.position)
                    (move,) = random.choices(list(odds), [float(share) for share in odds.values()])
                except RuseError:
                    pass  # the strategy never comes here by itself
            session = sessions.play(session, session.number, move)
        return decisions

    def _stake(self, position: str) -> Fraction:
        """The cost of the worst move, counted from the start of the game, as far as it is quickly known."""
        try:
            view = self.views.at(position, self.side)
        except RuseError:
            return Fraction(0)
        prices = [move.price for move in self.look(position, self.side) if move.price is not None] if left() > 0 else []
        losses = [option.loss for option in view.options if option.loss is not None]
        open_to_all = isinstance(self.solution.game, Open) or view.reach is None
        often = Fraction(1) if open_to_all else max(view.reach or Fraction(0), SELDOM)
        return max(prices, default=Fraction(0)) or often * max(losses, default=Fraction(0))


def weight(question: DrillQuestion, score: DrillScore) -> float:
    """The weight of a question in a deal."""
    before = score.positions.get(question.position, AnswerTally())
    return float(question.stake) * (1 + 2 * (before.answered - before.right)) / (1 + before.right)


def _optimal_moves(insights: Sequence[MoveInsight]) -> str:
    """Say what optimal strategies do at a position; empty if unknown."""
    moves = [insight for insight in insights if insight.range is not None and insight.kind not in (None, NEVER)]
    if not moves:
        return ""
    if len(moves) == 1 and moves[0].kind == MUST:
        return f"The only optimal move here is {moves[0].move}."
    free = all(_odds(move) == "0 to 1" for move in moves)
    listed = [move.move if free else f"{move.move} {_odds(move)}" for move in moves[:MOST_NAMED]]
    listed += ["…"] * (len(moves) > MOST_NAMED)
    return f"{'Any of these moves is optimal here' if free else 'Optimal odds here'}: {', '.join(listed)}."


def _odds(move: MoveInsight) -> str:
    assert move.range is not None
    least, greatest = rationals.short(move.range.least.value), rationals.short(move.range.greatest.value)
    return least if least == greatest else f"{least} to {greatest}"
