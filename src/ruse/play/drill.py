"""Drills: practise single decisions, those first that went wrong before, and no decision twice in a run.

A run deals the decisions that are due (ruse.play.spacing), then others. It plays some games against the stored
opponent, in which the person's side follows its strategy or sometimes moves at random, and draws one of the decisions
on the way with weight

    (cost of the worst move there) (how often the games came there) (1 + 2 wrong answers) / (1 + right answers).

If those games show nothing new, it takes the positions that the stored strategy lists. Once all were seen, it starts
over. Costs are the primary figure of every move (ruse.insight.costs), and an answer is right if it costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.capabilities import Representatives, payoff_to
from ruse.core.game import GameError, PositionError, RuseError, moving
from ruse.insight.model import MoveInsight
from ruse.play import session as sessions
from ruse.play.coach import amount, chosen_option
from ruse.play.hint import hint
from ruse.play.rival import find
from ruse.play.scores import DrillScore, PositionTally
from ruse.play.session import Decision, Session
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.insight.costs import Costs, MoveCost, PositionCosts

GAMES = 6  # played for a deal
ROUNDS = 4  # of such games, before listed positions are looked at
MOST_DECISIONS = 30  # considered in a game
MOST_LISTED = 5_000  # positions of a strategy, to go through
SLIPS = 0.35  # how often the person's side moves at random in those games
MOST_NAMED = 6  # moves
Look = Callable[[str, int], Sequence[MoveInsight]]  # quick insight into the moves at a position; may be empty


@dataclass(frozen=True)
class DrillQuestion:
    """A position where the person is to move."""

    session: Session  # the game at this position
    costs: PositionCosts
    again: bool = False  # whether it comes back because it went wrong before

    @property
    def position(self) -> str:
        return self.session.position

    @property
    def stake(self) -> Fraction:
        """The cost of the worst move."""
        return max((move.cost for move in self.costs.moves.values()), default=Fraction(0))

    @property
    def hint(self) -> str:
        """What the side's strategy does here, in a sentence; what other moves cost is the answer."""
        return f"{hint(self.session)}."


@dataclass(frozen=True)
class Marked:
    """An answer with its cost."""

    move: str
    cost: Fraction
    reason: str  # a sentence on what the answer leads to
    optimal: str  # a sentence on what optimal strategies do there
    condition: str  # against whom the cost is
    proved: bool

    @property
    def right(self) -> bool:
        return not self.cost

    def text(self, solution: Solution) -> str:
        """The verdict, its reason and the optimal moves, in a few sentences."""
        if self.right:
            head = f"Right: {self.move} costs nothing {self.condition}."
        else:
            loss = amount(solution.game, self.cost, solution.certificate.exact)
            head = f"Not optimal: {self.move} costs {loss} {self.condition}."
        return " ".join(filter(None, [head, self.reason, self.optimal]))

    def to_json(self, solution: Solution) -> dict[str, Any]:
        return {
            "move": self.move,
            "right": self.right,
            "cost": rationals.write(self.cost),
            "condition": self.condition,
            "proved": self.proved,
            "told": self.text(solution),
        }


@dataclass
class DrillRun:
    """The positions that came up in a run, and those where nothing is at stake."""

    seen: set[str] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)
    rounds: int = 1  # how many times the run went through all decisions

    def is_new(self, name: str) -> bool:
        return name not in self.seen and name not in self.settled


class Drill:
    """A drill of one side of a solution."""

    def __init__(self, solution: Solution, side: int, views: Viewer, costs: Costs, look: Look) -> None:
        self.solution, self.side, self.views, self.costs, self.look = solution, side, views, costs, look

    def deal(self, score: DrillScore, run: DrillRun, random: Random) -> DrillQuestion:
        """Draw a position that the run has not shown yet. Raises GameError if no decision of the side matters."""
        dealt = self._due(score, run) or self._new(score, run, random)
        if dealt is None:
            run.seen.clear()
            dealt = self._new(score, run, random)
            run.rounds += 1
        if dealt is None:
            game = self.solution.game
            raise GameError(
                f"there is nothing to drill: no decision of {game.sides[self.side]} in {game.title} affects the result"
            )
        run.seen.add(self.name(dealt.position))
        return dealt

    def name(self, position: str) -> str:
        """The position that stands for this one and those like it, under which answers are counted."""
        game = self.solution.game
        if isinstance(game, Representatives):
            return game.representative_position(position, self.side)[0]
        return position

    def at(self, position: str, again: bool = False) -> DrillQuestion:
        """The question at a position."""
        standing = sessions.standing(self.solution, self.side, position, self.views)
        if standing.over or standing.game.turn(standing.states[-1]) != self.side:
            side = self.solution.game.sides[self.side]
            raise PositionError(f"expected a position where {moving(side)}, got {position[:80]!r}")
        return DrillQuestion(standing, self.costs.at(position, self.side), again)

    def mark(self, question: DrillQuestion, move: str) -> Marked:
        """Judge an answer. Raises IllegalMove."""
        session, costs = question.session, question.costs
        label = session.game.label(find(session.game, session.states[-1], move))
        played = self._cost(question, label)
        return Marked(
            label,
            played.cost,
            self._reason(question, played),
            self._optimal_moves(question),
            costs.condition,
            costs.proved,
        )

    def _due(self, score: DrillScore, run: DrillRun) -> DrillQuestion | None:
        """The position that is longest overdue; positions that the game no longer has are left out."""
        for position in score.due_positions:
            if run.is_new(self.name(position)):
                with suppress(RuseError):
                    return self.at(position, again=True)
        return None

    def _new(self, score: DrillScore, run: DrillRun, random: Random) -> DrillQuestion | None:
        for _ in range(ROUNDS):
            often = Counter(self._played(run, random))
            questions = [question for position in often if (question := self._question(position, run))]
            if questions:
                weights = [self.weight(question, score) * often[question.position] for question in questions]
                (dealt,) = random.choices(questions, weights)
                return dealt
        listed = list(islice(self.solution.tables[self.side], MOST_LISTED))
        random.shuffle(listed)
        return next((question for position in listed if (question := self._question(position, run))), None)

    def _question(self, position: str, run: DrillRun) -> DrillQuestion | None:
        """The question at a position; None if the run has had it, or nothing is at stake there."""
        name = self.name(position)
        if run.is_new(name):
            with suppress(RuseError):
                question = self.at(position)
                if question.stake:
                    return question
            run.settled.add(name)
        return None

    def weight(self, question: DrillQuestion, score: DrillScore) -> float:
        """The weight of a question each time that it comes up."""
        before = score.positions.get(self.name(question.position), PositionTally()).tally
        return float(question.stake) * (1 + 2 * (before.answered - before.right)) / (1 + before.right)

    def _played(self, run: DrillRun, random: Random) -> Iterator[str]:
        """Play some random games, and return the new decisions of the person's side in them."""
        strategy = self.solution.strategy(self.side)
        for _ in range(GAMES):
            session = sessions.begin(self.solution, self.side, seed=random.randrange(sessions.MOST_SEED))
            decisions = 0
            while not session.over and decisions < MOST_DECISIONS:
                if len(session.choices) > 1:
                    decisions += 1
                    if run.is_new(self.name(session.position)):
                        yield session.position
                move = session.game.label(random.choice(session.choices))
                if random.random() > SLIPS:
                    with suppress(RuseError):  # the strategy never comes here by itself
                        odds = strategy.at(session.position)
                        (move,) = random.choices(list(odds), [float(share) for share in odds.values()])
                session = sessions.play(session, session.number, move)

    def _cost(self, question: DrillQuestion, label: str) -> MoveCost:
        moves = question.costs.moves
        played = moves.get(label) or chosen_option(
            self.solution.game, Decision(question.position, label), moves.values()
        )
        if played is None:
            raise GameError(f"the cost of {label} at {question.position} is unknown")
        return played

    def _reason(self, question: DrillQuestion, played: MoveCost) -> str:
        """Say what is left after a move, and after the best one."""
        game = self.solution.game
        best = min(question.costs.moves.values(), key=lambda move: move.cost)
        if not played.cost:
            return ""
        after, instead = (payoff_to(game, self.side, move.value) for move in (played, best))
        if len(game.wins) == 2:
            shares = [rationals.percent((1 + payoff) / 2) for payoff in (after, instead)]
            return f"You win {shares[0]} of the time after {played.move}, and {shares[1]} after {best.move}."
        return (
            f"You get {rationals.short(after)} after {played.move}, and {rationals.short(instead)} after {best.move}."
        )

    def _optimal_moves(self, question: DrillQuestion) -> str:
        """Say which moves cost nothing, and how often optimal strategies make them, if that is quickly known."""
        free = [move.move for move in question.costs.moves.values() if not move.cost]
        plural = "teams" if question.session.rival.manner.ticks(question.session) else "moves"
        if len(free) == 1:
            return f"The {'only optimal' if question.costs.proved else 'best'} move here is {free[0]}."
        insights = [known for known in self.look(question.position, self.side) if known.move in free]
        ranges = {known.move: _odds(known) for known in insights if known.range is not None}
        if len(ranges) < len(free):
            return f"These {plural} cost nothing here: {_listed(free)}."
        if all(odds == ANY for odds in ranges.values()):
            return f"Any of these {plural} is optimal here: {_listed(free)}."
        return f"Optimal play mixes here: {_listed([f'{move} {ranges[move]}' for move in free])}."


ANY = "0 to 1"


def _odds(move: MoveInsight) -> str:
    assert move.range is not None
    least, greatest = rationals.short(move.range.least.value), rationals.short(move.range.greatest.value)
    return least if least == greatest else f"{least} to {greatest}"


def _listed(moves: Sequence[str]) -> str:
    return ", ".join(moves[:MOST_NAMED]) + ", …" * (len(moves) > MOST_NAMED)
