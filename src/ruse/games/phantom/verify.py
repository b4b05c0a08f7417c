"""What a strategy of an unseen game guarantees, by a search through all lists of the other side.

The other side's list grows place by place; all boards, one for each list that the strategy may play, grow with it. A
beginning is worth at most

    what it has won  -  what it has lost  +  what is still played,

in whole numbers, so whoever promises that no list gets more than some bound has it checked by dropping beginnings worth
no more. Nothing here comes from a solver, and the rules are plain operations on arrays: bits of an integer are cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ruse.core import rationals
from ruse.core.arrays import Array
from ruse.core.certificate import GAME_VERIFIER, Certificate
from ruse.core.clock import tick, timed
from ruse.core.exact import common_denominator
from ruse.core.types import Lookup, StrategyTable, Tables
from ruse.games.phantom.rules import Unseen
from ruse.verify.tree import VerifyError, check_odds
from ruse.verify.verifier import Verifier

DIGIT = 30  # bits of a weight that are added up at a time: floats hold the sum of a million such
CHUNK = 1 << 18  # boards at a time
MOST_BEGINNINGS = 20_000_000  # to look at, before giving up


class _Boards(NamedTuple):
    """Boards that are still played, grouped by beginning."""

    group: Array  # int64[boards], numbers of the beginnings
    who: Array  # int64[boards], which of the strategy's lists is met
    at: Array  # int64[boards], the next entry of that list
    mine: Array  # int64[boards], stones of the side that searches
    theirs: Array  # int64[boards], stones of the strategy

    def select(self, mask: Array) -> _Boards:
        return _Boards(*(field[mask] for field in self))


_Beginnings = tuple[Array, Array, _Boards]  # prefixes int64[beginnings, entries], what they have gained, boards


class _Rules:
    """The rules on arrays."""

    def __init__(self, game: Unseen) -> None:
        self.room = game.room
        self.full = (1 << game.room) - 1
        self.whole = (1 << len(game.places) * game.room) - 1
        self.lines = [sum(1 << cell for cell in line) for line in game.lines]

    def column(self, occupied: Array, place: Any) -> Any:
        return (occupied >> (place * self.room)) & self.full

    def drop(self, occupied: Array, place: Any) -> Any:
        """The bit of the lowest free cell of a place that has room."""
        return (self.column(occupied, place) + 1) << (place * self.room)

    def lined(self, stones: Array) -> Array:
        won = np.zeros(len(stones), dtype=bool)
        for line in self.lines:
            won |= stones & line == line
        return won

    def turn(self, lists: Array, who: Array, at: Array, mine: Array, theirs: Array) -> tuple[Array, Array]:
        """One turn of the lists: their next entries and their stones."""
        occupied, at = mine | theirs, at.copy()
        while (passed := self.column(occupied, lists[who, at]) == self.full).any():
            at += passed
        return at + 1, mine | self.drop(occupied, lists[who, at])


def by_best_answers(lower: Fraction, upper: Fraction) -> Certificate:
    """The certificate of bounds that `best_answer` or `guarantee` has proved."""
    return Certificate(lower, upper, GAME_VERIFIER)


class UnseenVerifier(Verifier[Unseen]):
    """Best answers by the search, which never writes the table of all lists down."""

    proof, attained = GAME_VERIFIER, False

    def check_size(self) -> None:
        pass  # the search gives up by itself

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        return guarantee(self.game, side, odds_in(self.game, side, table))

    def score(self, side: int, lookup: Lookup) -> Fraction:
        return guarantee(self.game, side, lookup(self.game.position(side), self.game.lists))

    def check_positions(self, side: int, table: StrategyTable) -> None:
        odds_in(self.game, side, table)

    def certify(self, tables: Tables, claimed: Certificate) -> Certificate:
        """The bounds claimed, if no list of the other side breaks them; else a VerifyError that names one."""
        game = self.game
        for side, (table, claim) in enumerate(zip(tables, (claimed.lower, claimed.upper), strict=True)):
            sign = 1 - 2 * side
            best = best_answer(game, side, odds_in(game, side, table), -sign * claim)
            if best is not None:
                payoff, answer = best
                raise VerifyError(
                    f"expected the strategy of {game.sides[side]} in {game.title} to keep to {rationals.brief(claim)}, "
                    f"got {rationals.brief(-sign * payoff)} against the list {answer}"
                )
        return replace(claimed, proof=self.proof)

    def outcomes(self, tables: Tables) -> Mapping[Fraction, Fraction]:
        return outcomes(self.game, tables)


def odds_in(game: Unseen, side: int, table: StrategyTable) -> Mapping[str, Fraction]:
    """The odds of a side's lists in its table, which has to hold them and nothing else."""
    position = game.position(side)
    if set(table) != {position}:
        raise VerifyError(f"expected odds at {position} alone, got {', '.join(sorted(table)) or 'none'}")
    _check_lists(game, side, table[position])
    return table[position]


def _check_lists(game: Unseen, side: int, odds: Mapping[str, Fraction]) -> None:
    for name in odds:
        if name not in game.lists:
            raise VerifyError(f"expected lists such as {game.lists[0]} in {game.title}, got {name!r}")
    check_odds(odds, None, lambda: game.position(side))


def guarantee(game: Unseen, side: int, odds: Mapping[str, Fraction]) -> Fraction:
    """The payoff to side 0 when the other side answers a strategy as well as it can."""
    best = best_answer(game, side, odds, Fraction(-2))
    assert best is not None
    return -best[0] if side == 0 else best[0]


def best_answer(game: Unseen, side: int, odds: Mapping[str, Fraction], floor: Fraction) -> tuple[Fraction, str] | None:
    """What the other side gets at most from a strategy of `side`, and by which list; None if at most `floor`."""
    _check_lists(game, side, odds)
    played = [name for name, share in odds.items() if share]
    whole, scale = common_denominator([odds[name] for name in played])
    search = _Search(game, 1 - side, np.array([[game.places.index(place) for place in name] for name in played]), whole)
    result = search.run(floor * scale)
    return None if result is None else (Fraction(result[0], scale), "".join(game.places[place] for place in result[1]))


class _Search:
    """Beginnings of one side's lists against weighted lists of the other."""

    def __init__(self, game: Unseen, side: int, lists: Array, weights: list[int]) -> None:
        self.rules, self.side, self.lists = _Rules(game), side, lists
        self.places, self.room = len(game.places), game.room
        self.digits = [
            np.array([weight >> shift & (1 << DIGIT) - 1 for weight in weights], dtype=float)
            for shift in range(0, max(weights).bit_length(), DIGIT)
        ]

    def run(self, floor: Fraction) -> tuple[int, list[int]] | None:
        """The most that a list is worth, if that is more than `floor`, with such a list. Depth first, many at once."""
        best: tuple[int, list[int]] | None = None
        enough: Fraction | int = floor
        looked = 0
        stack = [self._start()]
        while stack:
            tick()
            prefixes, gained, boards = stack.pop()
            grown = []
            for place in range(self.places):
                room = (prefixes == place).sum(axis=1) < self.room
                longer = np.column_stack([prefixes, np.full(len(prefixes), place)])
                more, alive, after = self._step(boards.select(room[boards.group]), place, len(prefixes))
                total = gained + more
                looked += int(room.sum())
                if looked > MOST_BEGINNINGS:
                    raise VerifyError(f"there are more than {MOST_BEGINNINGS:,} beginnings of lists to check")
                good = room & (total + alive > enough)
                for ended in np.flatnonzero(good & (alive == 0)).tolist():
                    if total[ended] > enough:
                        enough = total[ended]
                        best = total[ended], self._completed(longer[ended].tolist())
                good &= alive > 0
                after = after.select(good[after.group])
                grown.append((longer[good], total[good], after._replace(group=(np.cumsum(good) - 1)[after.group])))
            stack.extend(_parts(grown))
        return best

    def _start(self) -> _Beginnings:
        count = len(self.lists)
        zeros = np.zeros(count, dtype=np.int64)
        boards = _Boards(zeros, np.arange(count), zeros, zeros, zeros)
        if self.side == 1:
            at, theirs = self.rules.turn(self.lists, boards.who, boards.at, boards.theirs, boards.mine)
            boards = boards._replace(at=at, theirs=theirs)
        return np.zeros((1, 0), dtype=np.int64), np.zeros(1, dtype=object), boards

    def _step(self, boards: _Boards, place: int, groups: int) -> tuple[Array, Array, _Boards]:
        """What a place more gains each beginning, what is still played then, and those boards."""
        has_room = self.rules.column(boards.mine | boards.theirs, place) != self.rules.full
        passed, played = boards.select(~has_room), boards.select(has_room)
        played = played._replace(mine=played.mine | self.rules.drop(played.mine | played.theirs, place))
        won = self.rules.lined(played.mine)
        gained = self._sums(played.select(won), groups)
        played = played.select(~won & (played.mine | played.theirs != self.rules.whole))
        at, theirs = self.rules.turn(self.lists, played.who, played.at, played.theirs, played.mine)
        played = played._replace(at=at, theirs=theirs)
        lost = self.rules.lined(theirs)
        gained = gained - self._sums(played.select(lost), groups)
        played = played.select(~lost & (played.mine | played.theirs != self.rules.whole))
        after = _Boards(*(np.concatenate(pair) for pair in zip(passed, played, strict=True)))
        return gained, self._sums(after, groups), after

    def _sums(self, boards: _Boards, groups: int) -> Array:
        """The weights of the boards of each beginning, exactly: object[groups]."""
        total = np.zeros(groups, dtype=object)
        for digit, weights in enumerate(self.digits):
            part = np.bincount(boards.group, weights[boards.who], groups).astype(np.int64).astype(object)
            total = total + part * (1 << DIGIT * digit)
        return total

    def _completed(self, prefix: list[int]) -> list[int]:
        left = [place for place in range(self.places) for _ in range(self.room - prefix.count(place))]
        return prefix + left


def _parts(grown: list[_Beginnings]) -> Iterator[_Beginnings]:
    """Beginnings put together, and cut into parts of about CHUNK boards."""
    offset = np.cumsum([0, *(len(gained) for _, gained, _ in grown)])
    prefixes = np.concatenate([prefix for prefix, _, _ in grown])
    gained = np.concatenate([gain for _, gain, _ in grown])
    parts = [part._replace(group=part.group + start) for (_, _, part), start in zip(grown, offset[:-1], strict=True)]
    boards = _Boards(*(np.concatenate(field) for field in zip(*parts, strict=True)))
    boards = boards.select(np.argsort(boards.group, kind="stable"))
    ends = np.searchsorted(boards.group, np.arange(len(gained)), side="right")  # where each beginning's boards end
    start = done = 0
    while start < len(gained):
        stop = max(start + 1, int(np.searchsorted(ends, done + CHUNK)))
        part = _Boards(*(field[done : ends[stop - 1]] for field in boards))
        yield prefixes[start:stop], gained[start:stop], part._replace(group=part.group - start)
        start, done = stop, int(ends[stop - 1])


def outcomes(game: Unseen, tables: Tables) -> dict[Fraction, Fraction]:
    """How likely each payoff is when both sides follow their strategies."""
    odds = [odds_in(game, side, tables[side]) for side in (0, 1)]
    firsts, seconds = (
        np.array([[game.places.index(place) for place in name] for name in side], dtype=np.int64) for side in odds
    )
    lists, rules = (firsts, seconds), _Rules(game)
    who = np.divmod(np.arange(len(firsts) * len(seconds)), len(seconds))
    at, stones = [np.zeros_like(who[0])] * 2, [np.zeros_like(who[0])] * 2
    payoff = np.zeros(len(who[0]), dtype=np.int64)
    going = np.arange(len(payoff))
    for turn in range(firsts.shape[1]):
        tick()
        side = turn % 2
        at[side], stones[side] = rules.turn(lists[side], who[side][going], at[side], stones[side], stones[1 - side])
        won = rules.lined(stones[side])
        payoff[going[won]] = 1 - 2 * side
        going, at, stones = going[~won], [rows[~won] for rows in at], [bits[~won] for bits in stones]
    shares = [list(side.values()) for side in odds]
    totals: dict[Fraction, Fraction] = {}
    for result in (1, -1, 0):
        rows, columns = np.divmod(np.flatnonzero(payoff == result), len(seconds))
        totals[Fraction(result)] = sum(
            (
                shares[0][row] * sum((shares[1][column] for column in columns[rows == row].tolist()), Fraction(0))
                for row in timed(np.unique(rows).tolist())
            ),
            Fraction(0),
        )
    return totals


verifier = UnseenVerifier
