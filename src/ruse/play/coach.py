"""Judge a person's moves by their cost, after each move.

The view of the position (`ruse.present`) gives the value under both stored strategies, with the person's knowledge,
and the loss of each move compared with the best one. `ruse.insight` gives the cost of a move as a fixed habit, if that
is quick. All numbers are from the person's side: payoffs, or how often the person wins in a game without draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ruse.core import rationals
from ruse.core.capabilities import Open, payoff_to
from ruse.core.clock import deadline
from ruse.core.game import Game, RuseError
from ruse.core.jsonable import jsonable
from ruse.core.registry import presentation
from ruse.play.session import Decision, Session
from ruse.present.model import Option, View
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.insight.costs import MoveCost
    from ruse.insight.model import Insight, MoveInsight

MOST_BEST = 4  # best moves to name
NOISE = Fraction(1, 10**9)  # smaller losses count as none if values are not exact
QUICK = 1.0  # seconds for computing what a move costs as a fixed habit

Moved = TypeVar("Moved", "Option", "MoveCost")
Prices = Callable[[str, int], Mapping[str, Fraction]]  # the known costs of moves as fixed habits, by position and side


class Views(Protocol):
    """The methods of a viewer (`ruse.present.model.Viewer`) that the coach needs."""

    def at(self, position: str, side: int | None = None) -> View: ...

    def unlisted(self, view: View, move: str) -> Option | None: ...


@dataclass(frozen=True)
class MoveVerdict:
    """The value of one move of the person. Numbers are None if they are unknown."""

    number: int
    position: str
    move: str
    before: Fraction | None  # the person's expected payoff before the move
    after: Fraction | None  # the expected payoff after the move
    loss: Fraction | None  # how much worse the move is than the best one
    best: Sequence[str]  # the moves that lose nothing
    exact: bool
    note: str  # an unusual assumption behind the numbers, or the reason why there are none
    alike: bool = False  # whether all moves do equally well against this opponent
    price: Fraction | None = None  # the cost of the move as a fixed habit, counted from the start of the game

    def text(self, game: Game) -> str:
        """The coach's sentence."""
        if self.loss is None:
            return f"{self.move} cannot be judged" + (f": {self.note}" if self.note else "")
        if not self.loss:
            return f"{self.move} cost nothing {self._against(game)}{self._always(game)}"
        best = f" (best: {self.named()})" if self.best else ""
        return f"{self.move} cost {amount(game, self.loss, self.exact)} against this opponent{best}{self._always(game)}"

    def _against(self, game: Game) -> str:
        """Say why nothing was lost."""
        if not self.alike:
            return "against this opponent"
        if len(game.wins) == 2 and self.before in (-1, 1):
            was = "lost" if self.before == -1 else "won"
            return f"because the game was already {was} against this opponent"
        return "because all moves do equally well against this opponent"

    def _always(self, game: Game) -> str:
        if self.price is None:
            return ""
        if self.price:
            return f". As a fixed habit it would cost {amount(game, self.price, self.exact)}"
        return ". As a fixed habit it would cost nothing" + " either" * (not self.loss)

    def named(self) -> str:
        """List the best moves, or the first of them."""
        return ", ".join(self.best[:MOST_BEST]) + ", …" * (len(self.best) > MOST_BEST)

    def to_json(self, game: Game) -> dict[str, Any]:
        fields: dict[str, Any] = jsonable(self)
        if len(game.wins) == 2:
            fields["win"] = {
                "before": None if self.before is None else float((1 + self.before) / 2),
                "after": None if self.after is None else float((1 + self.after) / 2),
                "loss": None if self.loss is None else float(self.loss / 2),
            }
        return fields


def judge(session: Session, views: Views, number: int, prices: Prices | None = None) -> MoveVerdict:
    """Judge the person's move of that number, counted from 1."""
    if not 1 <= number <= len(session.decisions):
        raise RuseError(f"expected the number of one of your moves, 1 to {len(session.decisions)}, got {number}")
    decision = session.decisions[number - 1]
    try:
        view = views.at(decision.position, session.side)
    except RuseError as error:
        return MoveVerdict(number, decision.position, decision.move, None, None, None, (), False, str(error))
    game = session.solution.game
    option = chosen_option(game, decision, view.options) or views.unlisted(view, decision.move)
    least = NOISE if not view.exact else Fraction(0)
    best = [option.move for option in view.options if option.loss is not None and option.loss <= least]
    loss = None if option is None else option.loss
    return MoveVerdict(
        number,
        decision.position,
        decision.move,
        payoff_to(game, session.side, view.value),
        None if option is None or option.value is None else payoff_to(game, session.side, option.value),
        loss if loss is None or loss > least else Fraction(0),
        best,
        view.exact,
        "" if view.reached else view.assumption,
        len(view.options) > 1 and all(option.loss is not None and option.loss <= least for option in view.options),
        None if option is None or prices is None else prices(decision.position, session.side).get(option.move),
    )


class QuickInsight:
    """Insight into the moves at a position, if it takes at most QUICK seconds and the game has hidden information."""

    def __init__(self, solution: Solution, views: Views, file: Path | None = None) -> None:
        """Use answers saved beside the solution's `file`, if there are any."""
        self._solution, self._views, self._file = solution, views, file
        self._engine: Insight | None = None

    def __call__(self, position: str, side: int) -> Sequence[MoveInsight]:
        if not isinstance(self._solution.game, Open):
            with suppress(RuseError), deadline(QUICK):
                return self._made().moves(position, side)
        return []

    def prices(self, position: str, side: int) -> Mapping[str, Fraction]:
        """The costs of moves as fixed habits."""
        return known_prices(self(position, side))

    def keep(self) -> None:
        """Save the answers beside the solution's file."""
        if self._engine is not None:
            self._engine.keep()

    def _made(self) -> Insight:
        from ruse.insight import insight
        from ruse.present.tree import TreeViewer

        if self._engine is None:
            views = self._views if isinstance(self._views, TreeViewer) else None
            self._engine = insight(self._solution, viewer=views, file=self._file)
        return self._engine


def known_prices(moves: Sequence[MoveInsight]) -> Mapping[str, Fraction]:
    """The proved costs of moves as fixed habits."""
    return {move.move: move.price for move in moves if move.price is not None and move.price == move.price_at_least}


class _Blind:
    """Views of a game that is too large to view: each raises the reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def at(self, position: str, side: int | None = None) -> View:
        raise RuseError(self.reason)

    def unlisted(self, view: View, move: str) -> Option | None:
        raise RuseError(self.reason)


def views_of(solution: Solution) -> Views:
    """Return the views for the coach. A game that is too large to view can be played without verdicts."""
    from ruse.present.viewer import viewer

    try:
        return viewer(solution)
    except RuseError as error:
        return _Blind(str(error))


def chosen_option(game: Game, decision: Decision, options: Iterable[Moved]) -> Moved | None:
    """Find the option of a move, or an equivalent one: views list one mission of each class."""
    options = list(options)
    for option in options:
        if option.move == decision.move:
            return option
    shown = presentation(game)
    if meant := shown.explain_move(decision.position, decision.move):
        for option in options:
            if shown.explain_move(decision.position, option.move) == meant:
                return option
    return None


def amount(game: Game, loss: Fraction, exact: bool = True) -> str:
    """Write a loss: in percentage points of winning in a game without draws, else as a payoff."""
    about = "" if exact else "about "
    if len(game.wins) == 2:
        return f"{about}{rationals.points(loss / 2)}"
    if not exact or len(text := rationals.write(loss)) > 9:
        return f"about {rationals.near(loss, 4)}"
    return f"{text} {rationals.equals(loss, 3)}" if "/" in text else text
