"""Explain moves: `explain(costs, position, move)` says what a move costs and the strongest reasons for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial

from ruse.core.capabilities import Open
from ruse.core.contract import built_in, said
from ruse.core.game import END, Game, PositionError, RuseError, moving
from ruse.core.interrupts import in_time
from ruse.core.registry import presentation
from ruse.insight.costs import BEST, QUASI_PERFECT, REFERENCE, RESOLVED, STORED, Costs, MoveCost, PositionCosts
from ruse.insight.model import MoveInsight
from ruse.insight.reasons.generic import (
    Policy,
    answers_reason,
    cost_reason,
    habit_reason,
    reveals_reason,
    seen_reason,
)
from ruse.insight.reasons.model import COST, FAILED, HABIT, REVEALS, Explanation, Question, Reason
from ruse.insight.reasons.play import ReferencePlay, StoredPlay, TreePlay
from ruse.insight.reasons.wording import Wording
from ruse.insight.reference import TreeCosts
from ruse.present.model import View, Viewer
from ruse.present.off_path import refined
from ruse.present.tree import TreeViewer
from ruse.present.viewer import viewer as new_viewer
from ruse.solution.strategy import Solution

ELSEWHERE = (QUASI_PERFECT, RESOLVED, BEST, STORED)  # bases of costs that are not against the reference opponent
PATIENCE = 1.5  # seconds that a user's game may take for its reasons
MOST_REASONS = 2  # beside the cost
LONGEST_LINE = 4  # positions
MOST_VIEWS = 60  # kept
MOST_NAMED = 12  # moves, where a move does not exist


class Explainer:
    """Explanations of moves in one solved game; make it once, and ask it often."""

    def __init__(self, costs: Costs, viewer: Viewer | None = None) -> None:
        """Use the viewer of the solution if there is one already. Raises GameError if the game is too large."""
        self.costs, self.solution = costs, costs.solution
        self.game: Game = self.solution.game
        self.viewer = new_viewer(self.solution) if viewer is None else viewer
        self._views: dict[tuple[int, int, str], View] = {}

    def explain(
        self,
        position: str,
        move: str,
        side: int | None = None,
        habits: Sequence[MoveInsight] = (),
        given: tuple[View, PositionCosts] | None = None,
    ) -> Explanation:
        """Explain a move. `habits` holds what insight knows of the moves here. Raises PositionError.

        The price of the move as a habit is a reason only if `habits` lists the move. `given` are the view and the costs
        to explain, where they are there already, or are others than usual.
        """
        view, costs = self._there(position, side, given)
        listed, costs = self._listed(view, costs, move)
        question = self._question(view, costs, listed)
        head, *further = self._reasons(question, habits)
        others = sorted(_consistent(question, further), key=lambda reason: -reason.strength)
        chosen = others[:MOST_REASONS]
        chosen += [reason for reason in others[MOST_REASONS:] if reason.kind == FAILED]
        return Explanation(
            view.position,
            view.side,
            move,
            costs.moves[listed].cost,
            self._condition(costs),
            [head, *chosen],
            self._line(question),
            waiting=not any(known.move == listed for known in habits),
        )

    def habit(self, position: str, move: str, side: int, habits: Sequence[MoveInsight]) -> Reason | None:
        """The price of a move as a habit, if insight knows it and it is a reason: for pages, where it comes later."""
        view, costs = self._there(position, side)
        listed, costs = self._listed(view, costs, move)
        question = self._question(view, costs, listed)
        strong = [reason for reason in self._habits(question, habits) if reason.strength]
        return next(iter(_consistent(question, strong)), None)

    def asked(self, position: str, side: int | None = None) -> list[str]:
        """The moves to explain if none is named: the best one, and the wrong one that costs least."""
        view, costs = self._there(position, side)
        in_order = sorted(costs.moves.values(), key=lambda move: (move.cost, _risks(view, move.move)))
        wrong = next((move for move in in_order if move.cost), None)
        return [move.move for move in (in_order[0], wrong) if move is not None]

    def _there(
        self, position: str, side: int | None, given: tuple[View, PositionCosts] | None = None
    ) -> tuple[View, PositionCosts]:
        if given is not None:
            view = given[0]
        else:
            view = self.viewer.at(position, side) if side is None else self._look(self.viewer, side, position)
        if view.turn != view.side:
            mover = moving(self.game.sides[view.side])
            raise PositionError(f"there is no move to explain at {view.position}: choose a position where {mover}")
        costs = self.costs.at(view.position, view.side) if given is None else given[1]
        if not costs.moves:
            raise PositionError(f"the costs of the moves at {view.position} are not known, so ruse cannot explain them")
        return view, costs

    def _listed(self, view: View, costs: PositionCosts, move: str) -> tuple[str, PositionCosts]:
        """The move of the list that a move is, or is like; a list that leaves it out is returned with it."""
        if move in costs.moves:
            return move, costs
        shown = presentation(self.game)
        with suppress(PositionError):
            if meant := shown.explain_move(view.position, move):
                for name in costs.moves:
                    if shown.explain_move(view.position, name) == meant:
                        return name, costs
        unlisted = None if costs.basis == REFERENCE else self.viewer.unlisted(view, move)
        if unlisted is not None and unlisted.loss is not None and unlisted.value is not None:
            added = MoveCost(move, unlisted.loss, unlisted.value)
            return move, replace(costs, moves={**costs.moves, move: added})
        names = list(costs.moves)
        more = f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED)
        named = ", ".join(names[:MOST_NAMED])
        raise PositionError(f"there is no move {move[:40]!r} at {view.position}; choose {named}{more}")

    def _condition(self, costs: PositionCosts) -> str:
        proved = self.solution.certificate.exact
        return costs.condition if proved else f"{costs.condition}, which is not proved optimal"

    def _question(self, view: View, costs: PositionCosts, move: str) -> Question:
        exact = self.solution.certificate.exact
        wording = Wording(self.game, view.side, exact)
        viewer, solution, play = self._course(costs)
        costs = replace(costs, condition=self._condition(costs))
        look = partial(self._look, viewer, view.side)
        return Question(view.position, view.side, move, costs, solution, viewer, look, wording, play)

    def _look(self, viewer: Viewer, side: int, position: str) -> View:
        """A view, kept: in a large game a view off the path takes seconds."""
        key = id(viewer), side, position
        if key not in self._views:
            while len(self._views) >= MOST_VIEWS:
                self._views.pop(next(iter(self._views)))
            self._views[key] = viewer.at(position, side)
        return self._views[key]

    def _course(self, costs: PositionCosts) -> tuple[Viewer, Solution, TreePlay | None]:
        """How both sides play where the costs come from: views, strategies and the tree."""
        if costs.basis not in ELSEWHERE and (reference := self.costs.reference) is not None:
            return self.viewer, reference, self._reference_play
        viewer = self.viewer
        if costs.basis == QUASI_PERFECT:
            viewer = refined(self.viewer) or self.viewer
        play = StoredPlay(viewer) if isinstance(viewer, TreeViewer) else None
        return viewer, viewer.solution, play

    @cached_property
    def _reference_play(self) -> TreePlay | None:
        return ReferencePlay(self.costs.pair) if isinstance(self.costs, TreeCosts) else None

    def _reasons(self, question: Question, habits: Sequence[MoveInsight]) -> Iterator[Reason]:
        """The cost of the move first; a reason of the game's own takes the place of a generic one of its kind."""
        own = self._own(question)
        kinds = {reason.kind for reason in own}
        if COST not in kinds:
            yield cost_reason(question)
        yield from sorted(own, key=lambda reason: reason.kind != COST)
        if len(question.costs.moves) == 1:
            return
        for reason in self._generic(question, habits):
            if reason.kind not in kinds:
                yield reason

    def _generic(self, question: Question, habits: Sequence[MoveInsight]) -> Iterator[Reason]:
        play = question.play
        candidates = (
            [seen_reason(question)]
            if play is None
            else [answers_reason(question, play), reveals_reason(question, play)]
        )
        yield from (reason for reason in candidates if reason is not None)
        yield from self._habits(question, habits)

    def _habits(self, question: Question, habits: Sequence[MoveInsight]) -> Iterator[Reason]:
        habit = next((known for known in habits if known.move == question.move), None)
        if habit is not None and not isinstance(self.game, Open):
            value = self.solution.certificate.lower
            reason = habit_reason(question, habit, value, Policy(question.solution.tables[1 - question.side]))
            if reason is not None:
                yield reason

    def _own(self, question: Question) -> list[Reason]:
        """The reasons that the game finds; if a user's game fails to or takes too long, a sentence says so."""
        shown = presentation(self.game)
        if built_in(self.game):
            return list(shown.reasons(question))
        try:
            return in_time(lambda: _checked(shown.reasons(question)), PATIENCE)
        except TimeoutError:
            text = f"The game's own reasons are left out, because they took longer than {PATIENCE:g} seconds."
        except Exception as error:  # of a user's code
            text = f"The game's own reasons are left out: {error if isinstance(error, RuseError) else said(error)}."
        return [Reason(FAILED, text)]

    def _line(self, question: Question) -> list[str]:
        """Positions of the side after the move, each time the likeliest."""
        line, view = [question.position], question.look(question.position)
        after = next((option.after for option in view.options if option.move == question.move), None)
        while after is not None and len(line) < LONGEST_LINE:
            line.append(after)
            if not view.reached and question.play is None:
                break  # in a large game, where views off the path take seconds
            view = question.look(after)
            if view.turn == END or not view.options:
                break
            after = max(view.options, key=lambda option: option.odds).after
        return line


def explain(
    costs: Costs, position: str, move: str, side: int | None = None, habits: Sequence[MoveInsight] = ()
) -> Explanation:
    """Explain a move with the costs of its game (`ruse.insight.costs`). Raises PositionError."""
    return Explainer(costs).explain(position, move, side, habits)


def _risks(view: View, move: str) -> int:
    """How many certain spies a team has aboard; 0 for a move that is no team."""
    if not set(move) <= {seat.name for seat in view.seats}:
        return 0
    return sum(seat.spy == 1 for seat in view.seats if seat.name in move)


def _consistent(question: Question, reasons: Sequence[Reason]) -> list[Reason]:
    """Leave out what speaks for a move that costs something, and against one that costs nothing."""
    contrary = question.costs.moves[question.move].cost > 0
    idle = (REVEALS, HABIT) if _decided(question) else ()
    return [reason for reason in reasons if reason.favours is not contrary and reason.kind not in idle]


def _decided(question: Question) -> bool:
    """Whether the game is won or lost for sure with the move, so that nobody cares what it gives away."""
    return len(question.solution.game.wins) == 2 and abs(question.value) == 1


def _checked(reasons: object) -> list[Reason]:
    reason_list = list(reasons) if isinstance(reasons, (list, tuple)) else [reasons]
    checked: list[Reason] = []
    for reason in reason_list:
        if not isinstance(reason, Reason):
            raise RuseError(f"`reasons` of a Presentation must return Reasons, got {type(reason).__name__}")
        checked.append(reason)
    return checked
