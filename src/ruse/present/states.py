"""Views of games without hidden information, where a position is one state.

The value of a state is the payoff of the stored strategies from there on. If a strategy leaves a state out, the view
assumes that both sides play optimally from there on. If play can return to a state, values are iterated and not exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ruse.core.capabilities import Memoryless, Open
from ruse.core.contract import checked
from ruse.core.game import CHANCE, END, GameError, PositionError, State, describe
from ruse.core.registry import part, presentation
from ruse.present.finding import Finder
from ruse.present.model import BEST_ADVICE, Chip, Draw, Held, Option, View, check_side
from ruse.present.tree import FOLLOWED, step
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.present.iterated import Iterated

MOST_VALUED = 300_000  # boards to visit for one value, which takes seconds
LONGEST = 12  # positions of a line
BEST = "both sides play optimally from here on"
BY_STATES = ("backward-induction", "value-iteration", "alpha-beta")  # whose strategies are best at every position


class TooFar(GameError):
    """A value that would take too long to compute."""


class ValueSearch(Protocol):
    """A game's own search for values, which is its part `values`."""

    most: str  # the most that it visits for one value, such as "2,000,000 positions"

    def best(self, state: State) -> Fraction | None:
        """The payoff to side 0 if both sides play optimally; None if that takes too long to compute."""


class StateViewer:
    """Views of one solution, by states."""

    def __init__(self, solution: Solution) -> None:
        game = checked(solution.game)
        assert isinstance(game, Open)
        self.solution, self.game = solution, game
        if not any(solution.tables):
            raise GameError(f"the solution of {self.game.title} has no strategies to show")
        self.finder = Finder(self.game)
        self.returning = isinstance(self.game, Memoryless) and self.game.returns()
        self.exact = solution.certificate.exact and not self.returning
        self._strategies = solution.strategy(0), solution.strategy(1)
        self._stored: dict[Hashable, Fraction] = {}  # values by board, under the stored strategies
        self._best: dict[Hashable, Fraction] = {}  # values by board, if both play best
        self.value(self.game.start())
        presentation(self.game).board(self, self.game.start())  # now, so that no view has to wait for these values

    def start(self, side: int) -> str:
        return self._text(self.game.start())

    def _text(self, state: State) -> str:
        return describe(self.game, self.game.knows(state, 0))

    def odds(self, state: State) -> Mapping[str, Fraction] | None:
        """The odds of each move by its label; None if the strategy of the side to move has no odds here."""
        if (turn := self.game.turn(state)) == CHANCE:
            labels = map(self.game.label, self.game.moves(state))
            return dict(zip(labels, self.game.odds(state), strict=True))
        try:
            return self._strategies[turn].at(self._text(state))
        except PositionError:
            return None

    def after(self, state: State) -> list[tuple[str, State]]:
        """Each move and the state that it leads to."""
        return [(self.game.label(move), self.game.play(state, move)) for move in self.game.moves(state)]

    # Values

    def value(self, state: State) -> Fraction:
        """The payoff to side 0 if both sides follow the stored strategies."""
        return self._iterated.value(state) if self.returning else self._valued(state, self._stored)

    def best(self, state: State) -> Fraction:
        """The payoff to side 0 if both sides play optimally."""
        if self.returning:
            return self.value(state)
        if self._search is None:
            return self._valued(state, self._best)
        value = self._search.best(state)
        if value is None:
            raise self._too_far()
        return value

    def _valued(self, state: State, known: dict[Hashable, Fraction]) -> Fraction:
        """Compute values from the ends up to a state: by best moves for `_best`, by the stored odds otherwise."""
        game, enough = self.game, len(known) + MOST_VALUED
        stack = [state]
        while stack:
            here = stack[-1]
            board, turn = game.board(here), game.turn(here)
            if board in known:
                stack.pop()
                continue
            if turn == END:
                known[board] = Fraction(game.payoff(here))
                continue
            odds = self.odds(here) if turn == CHANCE or known is self._stored else None
            if odds is None and known is self._stored:
                known[board] = self.best(here)
                continue
            following = [(label, after) for label, after in self.after(here) if odds is None or odds.get(label)]
            if waiting := [after for _, after in following if game.board(after) not in known]:
                stack += waiting
                if len(known) > enough:
                    raise self._too_far()
                continue
            values = [(label, known[game.board(after)]) for label, after in following]
            if odds is None:
                known[board] = (max if turn == 0 else min)(value for _, value in values)
            else:
                known[board] = sum((odds[label] * value for label, value in values), Fraction(0))
        return known[game.board(state)]

    def _too_far(self) -> TooFar:
        most = f"{MOST_VALUED:,} states" if self._search is None else self._search.most
        return TooFar(f"{self.game.title} has more than {most} below this position; choose a later one")

    @cached_property
    def _search(self) -> ValueSearch | None:
        brought = part(self.game, "solve", "values")
        return None if brought is None else brought(self.game)

    @cached_property
    def _iterated(self) -> Iterated:
        from ruse.present.iterated import Iterated  # compiled

        assert isinstance(self.game, Memoryless)
        return Iterated(self.game, self.solution.tables)

    @cached_property
    def _reach(self) -> dict[State, Fraction] | None:
        """How often play reaches each state that both strategies ever reach; None if there are too many."""
        order: dict[State, None] = {}  # each state after all that follow it
        following: dict[State, list[tuple[Fraction, State]]] = {}
        stack = [self.game.start()]
        while stack:
            state = stack.pop()
            if state in following:  # and so has been all that follows
                order.setdefault(state)
                continue
            odds = {} if self.game.turn(state) == END else self.odds(state) or {}
            following[state] = [(odds[label], after) for label, after in self.after(state) if odds.get(label)]
            stack.append(state)
            stack += [after for _, after in following[state] if after not in following]
            if len(following) > MOST_VALUED:
                return None
        reach = dict.fromkeys(order, Fraction(0))
        reach[self.game.start()] = Fraction(1)
        for state in reversed(order):
            for share, after in following[state]:
                reach[after] += reach[state] * share
        return reach

    def _reached(self, state: State) -> tuple[bool, Fraction | None]:
        if self.returning:
            return self._iterated.reached(state), None
        if self._reach is None:
            return True, None
        reach = self._reach.get(state, Fraction(0))
        return reach > 0, reach

    # Views

    def at(self, position: str, side: int | None = None) -> View:
        state = self.finder.find(position)
        ended, (reached, _) = self.game.turn(state) == END, self._reached(state)
        odds = None if ended else self.odds(state)
        if odds is None and not ended:
            return self._view(state, side, None, f"the stored strategy has no odds here: {BEST}")
        assumption = FOLLOWED if reached else f"{FOLLOWED} from here on, though they never lead here"
        return self._view(state, side, odds, assumption)

    def resolve(self, position: str, side: int | None = None) -> View:
        state = self.finder.find(position)
        odds = self.odds(state) if self.returning and self.game.turn(state) != END else None
        return self._view(state, side, odds, f"re-solved from here: {BEST}, and neither can do better alone")

    def _view(self, state: State, side: int | None, odds: Mapping[str, Fraction] | None, assumption: str) -> View:
        """The view under the stored strategies, or without odds under optimal play."""
        turn = self.game.turn(state)
        check_side(self.game, side)
        side = (turn if turn in (0, 1) else 0) if side is None else side
        best = odds is None
        value = self.best(state) if best else self.value(state)
        following = [] if turn == END else self.after(state)
        if turn == CHANCE:
            odds = self.odds(state)
        options = self._options(side, turn, following, odds, best)
        reached, reach = self._reached(state)
        position = self._text(state)
        table, note = presentation(self.game).board(self, state)
        notes = ["The game is over here."] if turn == END else []
        if note:
            notes.append(note)
        rational = best or self.solution.solver in BY_STATES
        return View(
            position, side, turn, value, self.exact, reached, reach, assumption, self._history(position), options,
            table=table, notes=notes, advice=BEST_ADVICE if rational and not reached else "",
        )  # fmt: skip

    def _options(
        self,
        side: int,
        turn: int,
        following: Sequence[tuple[str, State]],
        odds: Mapping[str, Fraction] | None,
        best: bool,
    ) -> list[Option]:
        values = [self._value_if_near(after, best) for _, after in following]
        known = [value for value in values if value is not None]
        top = (max if turn == 0 else min)(known, default=Fraction(0))
        if odds is None:
            good = [label for (label, _), value in zip(following, values, strict=True) if value == top]
            odds = dict.fromkeys(good, Fraction(1, max(len(good), 1)))
        chosen = turn == side and len(known) == len(values)
        return [
            Option(
                label,
                odds.get(label, Fraction(0)),
                value,
                abs(top - value) if chosen and value is not None else None,
                self._text(after),
            )
            for (label, after), value in zip(following, values, strict=True)
        ]

    def _value_if_near(self, state: State, best: bool) -> Fraction | None:
        """The value of a state, or None if it is too far from the end."""
        try:
            return self.best(state) if best else self.value(state)
        except TooFar:
            return None

    def _history(self, position: str) -> list[Chip]:
        start = self.start(0)
        chips = [Chip(start, start)]
        steps = position.split("/")
        for count in range(1, len(steps) + 1):
            before = "/".join(steps[:count])
            if before != start and self.finder.knows(before):
                chips.append(Chip(step(chips[-1].position, before), before))
        return chips

    def unlisted(self, view: View, move: str) -> None:
        return None

    def hands(self, position: str, side: int | None = None) -> list[Held]:
        """The position itself, because everything is public."""
        state = self.finder.find(position)
        turn = self.game.turn(state)
        return [Held(self._text(state), turn, Fraction(1))] if turn in (0, 1) else []

    def way(self, position: str, side: int, draw: Draw) -> list[str]:
        """No moves: a position is a state, where play can begin."""
        return []

    def _line(self, state: State, move: str) -> list[str]:
        """The positions after a move, always by the likeliest next move."""
        line = [self._text(state)]
        while len(line) < LONGEST:
            state = dict(self.after(state))[move]
            line.append(self._text(state))
            if self.game.turn(state) == END:
                break
            odds = self.odds(state) or {option.move: option.odds for option in self.at(line[-1]).options}
            move = max(odds, key=odds.__getitem__)
        return line
