"""The double oracle for unseen games (McMahan, Gordon and Blum 2003), on lists up to symmetry.

Each side has some lists; the table of their outcomes is solved, each side's best list in the whole game against the
other's odds is added, until there is none better than the table's value. Renaming the places changes nothing, so some
optimal strategy plays a list and all its images equally often: a row or column stands for such a class, and its payoff
is the mean over the images of one of the two lists.

Where lists are too many to search, play is cut after `limit` stones and counted as lost for the side whose guarantee
is wanted (`rest` is -1 for side 0's, 1 for side 1's). That only takes from what the side is sure of, so

    value(limit, rest = -1)  <=  value of the game  <=  value(limit, rest = 1),

with equality once `limit` fills the board; and a search through lists need not look further than `limit` stones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.games.phantom import kernel as unseen
from ruse.solvers.highs import Highs
from ruse.solvers.lp import lp
from ruse.solvers.sequence_lp import sequence_lp

SCALE = 10**9  # whole weights of a strategy add up to about this
MARGIN = SCALE // 10**7  # what a better list has to gain before it is added
LEAST = 1e-9  # odds below this are none
SPLIT = 2  # places: the best list of each such beginning is added


class UnseenRules(Protocol):
    """An unseen game: `ruse.games.phantom.rules` says what each means."""

    @property
    def places(self) -> str: ...

    @property
    def room(self) -> int: ...

    @property
    def lines(self) -> Sequence[Sequence[int]]: ...

    @property
    def renamings(self) -> Sequence[str]: ...


class SearchTooLarge(Exception):
    """A search through lists that would take too long."""


class Mixed(NamedTuple):
    """A strategy in whole weights, and what the other side can get from it at most, as what side 0 is paid."""

    weights: dict[str, int]  # list -> weight
    bound: Fraction

    def odds(self) -> dict[str, Fraction]:
        total = sum(self.weights.values())
        return {name: Fraction(weight, total) for name, weight in self.weights.items()}


class UnseenOracle:
    """A run on a game that is cut after `limit` stones and pays `rest` then; more rounds until `ended`.

    `best` are the strategies of both sides that guarantee most so far. A search that tries more than `budget`
    beginnings of lists raises SearchTooLarge.
    """

    def __init__(
        self,
        game: UnseenRules,
        limit: int,
        rest: int,
        budget: int,
        start: tuple[Iterable[str], Iterable[str]] = ((), ()),
    ) -> None:
        self.rounds = 0
        self.ended = False
        self.best: list[Mixed | None] = [None, None]
        self._game, self._cut, self._budget = game, (limit, rest), budget
        places = range(len(game.places))
        self._images = np.array([[game.places.index(name) for name in names] for names in game.renamings])
        cells = len(game.places) * game.room
        through = [[sum(1 << cell for cell in line) for line in game.lines if here in line] for here in range(cells)]
        self._many = np.array([len(lines) for lines in through])
        self._through = np.array([lines + [0] * (max(self._many) - len(lines)) for lines in through], dtype=np.int64)
        whole = [place for place in places for _ in range(game.room)]
        usual = [sorted(whole, key=lambda place: (place != first, place)) for first in places]  # one place first
        self._lists = tuple(
            np.unique(np.array([self._least(entries) for entries in (*usual, *map(self._numbers, more))]), axis=0)
            for more in start
        )
        self._table = self._outcomes(*self._lists)

    @property
    def sizes(self) -> tuple[int, int]:
        """How many classes of lists each side has."""
        return len(self._lists[0]), len(self._lists[1])

    def lists(self) -> tuple[list[str], list[str]]:
        first, second = ([self._name(entries) for entries in lists.tolist()] for lists in self._lists)
        return first, second

    def run(self) -> None:
        """One round: solve the table, search both sides' lists, add the best."""
        self.rounds += 1
        first, second = self._odds()
        added = [self._answer(side, mixed) for side, mixed in ((1, first), (0, second))][::-1]
        self.ended = not (len(added[0]) or len(added[1]))
        self.extend(added)

    def extend(self, added: Sequence[Array]) -> None:
        """Make more lists playable."""
        firsts, seconds = self._lists
        self._table = np.hstack([self._table, self._outcomes(firsts, added[1])])
        self._lists = np.concatenate([firsts, added[0]]), np.concatenate([seconds, added[1]])
        self._table = np.vstack([self._table, self._outcomes(added[0], self._lists[1])])

    def add(self, side: int, name: str) -> None:
        """Make one more list playable."""
        more = np.array([self._least(self._numbers(name))])
        none = np.zeros((0, more.shape[1]), dtype=np.int64)
        self.extend((more, none) if side == 0 else (none, more))
        self.ended = False

    def exactly(self) -> tuple[dict[str, Fraction], dict[str, Fraction], Fraction] | None:
        """Optimal odds in the table in fractions, images and all, and its value; None if HiGHS leads astray."""
        solved = lp(self._form())
        if not solved.certificate.exact:
            return None
        tables = []
        for lists, plan in zip(self._lists, solved.plans, strict=True):
            odds: dict[str, Fraction] = {}
            for entries, share in zip(lists, plan[1:], strict=True):
                for image in self._images[:, entries].tolist() if share else ():
                    name = self._name(image)
                    odds[name] = odds.get(name, Fraction(0)) + share / len(self._images)
            tables.append(odds)
        return tables[0], tables[1], solved.certificate.lower

    def _form(self) -> FormArrays:
        rows, columns = np.nonzero(self._table)
        first, second = (Treeplex(np.zeros(1, np.int32), np.array([1, 1 + size], np.int32)) for size in self.sizes)
        payoffs = self._table[rows, columns]
        return FormArrays((first, second), rows + 1, columns + 1, payoffs, len(self._images))

    def _odds(self) -> tuple[Array, Array]:
        """Optimal odds in the table, in floats."""
        optimum = Highs(sequence_lp(self._form())).run()
        first, _ = self.sizes
        return optimum.columns[1 : 1 + first], optimum.duals[-len(self._lists[1]) :]

    def _answer(self, side: int, odds: Array) -> Array:
        """Lists of a side that get more from the other's odds than their own lists do: int64[lists, entries]."""
        support = np.flatnonzero(odds > LEAST)
        lists = np.ascontiguousarray(self._images[:, self._lists[1 - side][support]].transpose(1, 0, 2))
        images = len(self._images)
        each = np.rint(odds[support] * (SCALE // images)).astype(np.int64)
        weights = np.repeat(each, images)
        table = (self._table[:, support] @ each) if side == 0 else -(each @ self._table[support])
        floor = int(table.max()) + MARGIN
        room_for = len(self._game.places) ** SPLIT + 1
        values, best_lists = np.zeros(room_for, np.int64), np.zeros((room_for, lists.shape[2]), np.int64)
        count, tried = unseen.respond(
            side,
            lists.reshape(len(weights), -1),
            weights,
            self._game.room,
            self._through,
            self._many,
            self._images,
            *self._cut,
            floor,
            self._budget,
            SPLIT,
            values,
            best_lists,
        )
        if tried > self._budget:
            raise SearchTooLarge
        most = Fraction(max([floor, *values[:count].tolist()]), int(weights.sum()))
        self._keep(1 - side, lists.reshape(len(weights), -1), weights, -most if side == 1 else most)
        return best_lists[:count]

    def _keep(self, side: int, lists: Array, weights: Array, bound: Fraction) -> None:
        """Remember a strategy that guarantees more than the best so far."""
        best = self.best[side]
        if best is None or (bound > best.bound if side == 0 else bound < best.bound):
            totals: dict[str, int] = {}
            for entries, weight in zip(lists.tolist(), weights.tolist(), strict=True):
                name = self._name(entries)
                totals[name] = totals.get(name, 0) + weight
            self.best[side] = Mixed({name: weight for name, weight in totals.items() if weight}, bound)

    def _outcomes(self, firsts: Array, seconds: Array) -> Array:
        """Outcomes of lists, summed over the images of the second: int64[firsts, seconds]."""
        images = np.ascontiguousarray(self._images[:, seconds].transpose(1, 0, 2))
        out = np.zeros((len(firsts), len(seconds) * len(self._images)), np.int64)
        flat = images.reshape(out.shape[1], firsts.shape[1])
        unseen.outcomes(firsts, flat, self._game.room, self._through, self._many, *self._cut, out)
        totals: Array = out.reshape(len(firsts), len(seconds), len(self._images)).sum(axis=2)
        return totals

    def _least(self, entries: Sequence[int]) -> list[int]:
        """The first of a list's images."""
        return min(self._images[:, np.array(entries)].tolist())

    def _numbers(self, name: str) -> list[int]:
        return [self._game.places.index(place) for place in name]

    def _name(self, entries: Sequence[int]) -> str:
        return "".join(self._game.places[place] for place in entries)
