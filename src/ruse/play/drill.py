"""Drills: single decisions to practise, dealt more often the more a wrong choice costs and the worse they went before.

A deal looks at some games against the stored opponent, in which the person's side moves by its strategy, or now and
then at random; of the decisions on the way one is drawn by its weight

    (what the worst move there costs) (1 + 2 wrong answers) / (1 + right answers).

A move costs its price if it is always made there (ruse.insight), and an answer is right if some optimal strategy makes
it. Where that is not found at once, or the price is 0, a move costs what it loses against the stored opponent; for the
weight that counts as often as play comes there, as a price is counted from the start.
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
from ruse.play.coach import Verdict, chosen_option, judge, known_prices
from ruse.play.rival import find
from ruse.play.scores import Score, Tally
from ruse.play.session import Decision, Session
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

GAMES = 6  # played for a deal
MOST_DECISIONS = 30  # of a game that are looked at
SLIPS = 0.35  # how often the person's side moves at random in those games
BRIEF = 1.5  # seconds to look for what the choices of a deal cost if they are always made
MOST_NAMED = 6  # moves
SELDOM = Fraction(1, 100)  # how often play is taken to come at least where it comes by slips only
Look = Callable[[str, int], Sequence[MoveInsight]]  # what insight says at once of the moves at a position, or nothing


@dataclass(frozen=True)
class Question:
    """A position where the person is to move."""

    session: Session  # as it stands there
    stake: Fraction  # what the worst move costs

    @property
    def position(self) -> str:
        return self.session.position


@dataclass(frozen=True)
class Marked:
    """An answer and what it was worth."""

    verdict: Verdict
    right: bool
    cost: Fraction  # 0 where it is right
    optimal: str  # what optimal strategies do there, as a sentence; empty if unknown

    def told(self, solution: Solution) -> str:
        """Two sentences."""
        head = "Right" if self.right else "Not optimal"
        return f"{head}: {self.verdict.told(solution.game)}. {self.optimal}".rstrip()

    def to_json(self, solution: Solution) -> dict[str, Any]:
        return {
            "right": self.right,
            "cost": rationals.write(self.cost),
            "told": self.told(solution),
            "verdict": self.verdict.to_json(solution.game),
        }


class Drill:
    """Of one side of a solution."""

    def __init__(self, solution: Solution, side: int, views: Viewer, look: Look) -> None:
        self.solution, self.side, self.views, self.look = solution, side, views, look

    def deal(self, score: Score, random: Random) -> Question:
        """A position by its weight. Raises GameError of a side that nothing depends on."""
        found = self.looked_at(random)
        if not found:
            game = self.solution.game
            raise GameError(
                f"there is nothing to drill: no decision of {game.sides[self.side]} in {game.title} affects the result"
            )
        (dealt,) = random.choices(found, [weight(one, score) for one in found])
        return dealt

    def looked_at(self, random: Random) -> list[Question]:
        """The decisions of some games that something depends on, each once."""
        found = {standing.position: standing for _ in range(GAMES) for standing in self._played(random)}
        with deadline(BRIEF):
            stakes = {position: self._stake(position) for position in found}
        return [Question(standing, stakes[position]) for position, standing in found.items() if stakes[position]]

    def at(self, position: str) -> Question:
        """A position that was dealt."""
        standing = sessions.standing(self.solution, self.side, position, self.views)
        if standing.over or standing.game.turn(standing.states[-1]) != self.side:
            side = self.solution.game.sides[self.side]
            raise PositionError(f"expected a position where {moving(side)}, got {position[:80]!r}")
        return Question(standing, self._stake(position))

    def mark(self, question: Question, move: str) -> Marked:
        """Raises IllegalMove."""
        session, game = question.session, self.solution.game
        label = session.game.label(find(session.game, session.states[-1], move))
        answered = sessions.play(session, session.number, label)
        told = {one.move: one for one in self.look(question.position, self.side)}
        prices = known_prices(list(told.values()))
        verdict = judge(answered, self.views, len(answered.decisions), lambda *_: prices)
        view = self.views.at(question.position, self.side)
        option = chosen_option(game, Decision(question.position, label), view.options)
        kind = told[option.move].kind if option is not None and option.move in told else None
        right = not verdict.loss if kind is None else kind != NEVER
        cost = Fraction(0) if right else verdict.price or verdict.loss or Fraction(0)
        return Marked(verdict, right, cost, _optimal_moves(list(told.values())))

    def _played(self, random: Random) -> list[Session]:
        """The decisions of the person's side in a game, each as it stood."""
        session = sessions.begin(self.solution, self.side, seed=random.randrange(sessions.MOST_SEED))
        strategy, found = self.solution.strategy(self.side), list[Session]()
        while not session.over and len(found) < MOST_DECISIONS:
            if len(session.choices) > 1:
                found.append(session)
            move = session.game.label(random.choice(session.choices))
            if random.random() > SLIPS:
                try:
                    odds = strategy.at(session.position)
                    (move,) = random.choices(list(odds), [float(share) for share in odds.values()])
                except RuseError:
                    pass  # the strategy never comes here by itself
            session = sessions.play(session, session.number, move)
        return found

    def _stake(self, position: str) -> Fraction:
        """What the worst move costs from the start of the game, as far as that is known at once."""
        try:
            view = self.views.at(position, self.side)
        except RuseError:
            return Fraction(0)
        prices = [one.price for one in self.look(position, self.side) if one.price is not None] if left() > 0 else []
        losses = [one.loss for one in view.options if one.loss is not None]
        open_to_all = isinstance(self.solution.game, Open) or view.reach is None
        often = Fraction(1) if open_to_all else max(view.reach or Fraction(0), SELDOM)
        return max(prices, default=Fraction(0)) or often * max(losses, default=Fraction(0))


def weight(question: Question, score: Score) -> float:
    """How likely a decision is dealt, beside others."""
    before = score.positions.get(question.position, Tally())
    return float(question.stake) * (1 + 2 * (before.answered - before.right)) / (1 + before.right)


def _optimal_moves(insights: Sequence[MoveInsight]) -> str:
    """A sentence on what optimal strategies do at a position; empty if unknown."""
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
