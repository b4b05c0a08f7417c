"""Views of unseen games: each side draws one list, so there are few positions and many moves.

Lists that the board's renamings turn into each other are told as one where both strategies treat them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from ruse.core.game import END, PositionError
from ruse.core.plain_games.at_once import HIDDEN
from ruse.games.phantom.rules import Unseen
from ruse.games.phantom.verify import odds_in
from ruse.present.model import Belief, Chip, Draw, Held, Option, View, check_side
from ruse.present.tree import FOLLOWED
from ruse.solution.strategy import Solution

MOST_LISTS = 40  # told at a position
MOST_PLAYED = 100_000  # pairs of lists, to find a value: seconds
OUTCOMES = {1: "{} wins", -1: "{} wins", 0: "a draw"}


class UnseenViewer:
    def __init__(self, solution: Solution) -> None:
        assert isinstance(solution.game, Unseen)
        self.solution, self.game = solution, solution.game
        self._odds = [odds_in(self.game, side, solution.tables[side]) for side in (0, 1)]
        self.value_of = lru_cache(maxsize=10_000)(self._value_of)
        for side in (0, 1):
            self.at(self.game.position(side))  # so that no view has to wait

    def start(self, side: int) -> str:
        return self.game.title

    def at(self, position: str, side: int | None = None) -> View:
        game = self.game
        check_side(game, side)
        lists = read_lists(game, position)
        if not lists:
            return self._choice(position, (int(position != game.title)) if side is None else side)
        if len(lists) == 1:
            if side == 1:
                raise PositionError(f"expected a position that {game.sides[1]} can be in, got {position!r}")
            return self._waiting(position, lists[0])
        value = Fraction(game.outcome(*lists))
        reach = self._share(0, lists[0]) * self._share(1, lists[1])
        return self._view(position, side or 0, END, value, reach, [], notes=["The game is over here."])

    def _view(
        self,
        position: str,
        side: int,
        turn: int,
        value: Fraction,
        reach: Fraction,
        options: Sequence[Option],
        beliefs: Sequence[Belief] = (),
        notes: Sequence[str] = (),
    ) -> View:
        steps = position.removeprefix(self.game.title).lstrip("/")
        history = [Chip(self.game.title, self.game.title), *([Chip(steps, position)] if steps else [])]
        exact, assumption = self.solution.certificate.exact, FOLLOWED
        if not reach:
            assumption = f"{FOLLOWED}, except for the lists that have been played here"
        return View(
            position, side, turn, value, exact, reach > 0, reach, assumption, history, options, beliefs, notes=notes
        )

    def _share(self, side: int, name: str) -> Fraction:
        return self._odds[side].get(name, Fraction(0))

    def _value_of(self, side: int, name: str) -> Fraction:
        """The payoff to side 0 if a side plays a list and the other follows its strategy."""
        other = self._odds[1 - side].items()
        pairs = (((name, two) if side == 0 else (two, name), share) for two, share in other)
        return sum((share * self.game.outcome(*pair) for pair, share in pairs if share), Fraction(0))

    @cached_property
    def _alike(self) -> bool:
        """Whether both strategies play a list and its images equally often."""
        return all(
            odds.get(image) == share
            for odds in self._odds
            for other, share in odds.items()
            for image in self.game.images(other)
        )

    @cached_property
    def _classes(self) -> tuple[list[tuple[str, int, Fraction]], list[tuple[str, int, Fraction]]]:
        """The lists that each side plays, most often first: one of a class, how many there are, and their odds."""
        return self._classed(0), self._classed(1)

    def _classed(self, side: int) -> list[tuple[str, int, Fraction]]:
        left = {name: share for name, share in self._odds[side].items() if share}
        options = []
        for name in sorted(left):
            if name in left:
                images = set(self.game.images(name)) if self._alike else {name}
                options.append((name, len(images), sum((left.pop(image) for image in images), Fraction(0))))
        return sorted(options, key=lambda entry: -entry[2])

    @cached_property
    def _guessed(self) -> bool:
        """Whether the value of two strategies that are not optimal takes too long to find."""
        return not self.solution.certificate.exact and len(self._classes[0]) * len(self._odds[1]) > MOST_PLAYED

    @cached_property
    def _value(self) -> Fraction:
        """What both strategies lead to; in the middle of the bounds if that takes too long to find."""
        bounds = self.solution.certificate
        if bounds.exact or self._guessed:
            return (bounds.lower + bounds.upper) / 2
        return sum((share * self.value_of(0, name) for name, _, share in self._classes[0]), Fraction(0))

    def _choice(self, position: str, side: int) -> View:
        """Where a side draws its list, or, at the start, where the other side waits."""
        game = self.game
        if position != game.position(side):
            if side == 0:
                raise PositionError(f"expected a position that {game.sides[0]} can be in, got {position!r}")
            seen = Option(HIDDEN, Fraction(1), self._value, None, game.position(1))
            return self._view(position, 1, 0, self._value, Fraction(1), [seen])
        bounds = self.solution.certificate
        best = bounds.upper if side == 0 else bounds.lower  # what the other side's strategy allows at most
        options = []
        for name, count, share in self._classes[side][:MOST_LISTS]:
            value = self.value_of(side, name)
            images = "its image" if count == 2 else f"one of its {count - 1} images"
            gloss = "" if count == 1 else f"or {images}, equally likely"
            after = f"{game.title}/{name}" if side == 0 else None
            options.append(Option(name, share, value, max(abs(best - value), Fraction(0)), after, gloss))
        more = len(self._classes[side]) - MOST_LISTS
        notes = [f"{more} more lists are played, less often."] if more > 0 else []
        if self._guessed:
            notes.append(
                "Computing the value of both strategies takes too long: the value here is the middle of the bounds."
            )
        beliefs = [] if side == 0 else [Belief(name, share) for name, _, share in self._classes[0]]
        return self._view(position, side, side, self._value, Fraction(1), options, beliefs, notes)

    def _waiting(self, position: str, name: str) -> View:
        """A list of side 0 is being played."""
        odds = dict.fromkeys((1, -1, 0), Fraction(0))
        for two, share in self._odds[1].items():
            odds[self.game.outcome(name, two)] += share
        names = dict(zip((1, -1), self.game.sides, strict=True))
        options = [
            Option(OUTCOMES[result].format(names.get(result)), share, Fraction(result), None, None)
            for result, share in odds.items()
        ]
        return self._view(position, 0, 1, self.value_of(0, name), self._share(0, name), options)

    def resolve(self, position: str, side: int | None = None) -> View:
        """Return the view unchanged: after one choice there is nothing to solve again."""
        return self.at(position, side)

    def unlisted(self, view: View, move: str) -> Option:
        """A list that no strategy plays."""
        value, sign = self.value_of(view.side, move), 1 - 2 * view.side
        known = [
            sign * option.value + option.loss
            for option in view.options
            if option.value is not None and option.loss is not None
        ]
        return Option(move, Fraction(0), value, max(max(known) - sign * value, Fraction(0)), None)

    def hands(self, position: str, side: int | None = None) -> list[Held]:
        """Nobody holds anything before the lists are drawn."""
        view = self.at(position, side)
        return [Held(self.game.position(view.turn), view.turn, Fraction(1))] if view.turn in (0, 1) else []

    def way(self, position: str, side: int, draw: Draw) -> list[str]:
        lists = self.at(position, side).position.removeprefix(self.game.title).split("/")[1:]
        return [name for name in lists if name != HIDDEN]  # a list that is hidden has yet to be drawn


def read_lists(game: Unseen, position: str) -> list[str]:
    """The lists that a position tells: none before it is chosen, one or two. Raises PositionError."""
    lists = position.removeprefix(game.title).split("/")[1:] if position.startswith(game.title) else ["", "", ""]
    if position in (game.title, game.position(1)):
        return []
    known = all(name in game.lists for name in lists)
    if not known or not 1 <= len(lists) <= 2 or position != "/".join((game.title, *lists)):
        raise PositionError(
            f"expected {game.title}, {game.position(1)} or a list after the first, such as "
            f"{game.title}/{game.lists[0]}, got {position!r}"
        )
    return lists
