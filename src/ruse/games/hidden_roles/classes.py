"""Positions of games with hidden roles up to the names of seats, as strategies list them.

A position is filed in the names that make it smallest: roles of spies first, then what was said, then the missions one
after the other. Let R be the renamings that lead there. A filed strategy plays, for any r of R alike, the seats that r
calls by the filed names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import PRIVATE, HiddenRoles, Play
from ruse.games.resistance.notation import seats as letters

Renaming = tuple[int, ...]


class Filed(NamedTuple):
    """How somebody files what he has seen: the text so far, and all renamings that lead to it."""

    text: str
    renamings: tuple[Renaming, ...]


def call(seats: Iterable[int], names: Renaming) -> Seats:
    """Some seats by other names."""
    return tuple(sorted([names[seat] for seat in seats]))


def words_in(said: Sequence[Claim | None], names: Renaming) -> tuple[Claim | None, ...]:
    """What was said, in other names."""
    claims = [said[seat] for seat in sorted(range(len(names)), key=names.__getitem__)]  # in the order of new names
    return tuple(claim and Claim(claim.kind, call(claim.seats, names)) for claim in claims)


def seats_alike(filed: Filed, called: Seats) -> list[Seats]:
    """All that some seats in filed names stand for. They look alike, and the first is told for all of them."""
    return sorted({call(called, _back(names)) for names in filed.renamings})


def words_alike(filed: Filed, said: Sequence[Claim | None]) -> set[tuple[Claim | None, ...]]:
    """The same of what is said."""
    return {words_in(said, _back(names)) for names in filed.renamings}


def _back(names: Renaming) -> Renaming:
    return tuple(sorted(range(len(names)), key=names.__getitem__))


def _least(left: list[tuple[Renaming, Seats]], keys: list[Any]) -> list[tuple[Renaming, Seats]]:
    """Those with the smallest key."""
    least = min(keys)
    return [one for one, key in zip(left, keys, strict=True) if key == least]


class Filing:
    """The names of positions."""

    def __init__(self, game: HiddenRoles) -> None:
        self.game = game
        self.heard, self._dealt = cache(self._heard), cache(self._by_deal)

    def begin(self, view: Play) -> Filed:
        """What a strategy files when the missions begin or the spies are to speak: of a mediator what he heeds."""
        if view.deal is None and view.said and self.game.talk == PRIVATE:
            view = view._replace(said=self.game.reports.heeded(view.said))
        return self.heard(view)

    def _heard(self, view: Play) -> Filed:
        """The same of all that a side has heard."""
        left = self._dealt(view.deal or ())
        for place in range(self.game.table.players if view.said else 0):
            assert view.said is not None
            left = _least(left, [self._word(view.said[seats[place]], names) for names, seats in left])
        (names, seats), *_ = left
        deal = None if view.deal is None else tuple(view.deal[seat] for seat in seats)
        filed = view._replace(deal=deal, said=words_in(view.said, names) if view.said else ())
        return Filed(self.game.title + notation.tell(self.game, filed), tuple(names for names, _ in left))

    def _by_deal(self, deal: tuple[int, ...]) -> list[tuple[Renaming, Seats]]:
        """The renamings that make a deal smallest, with the seats in the order of their new names."""
        everybody = range(self.game.table.players)
        left = [(names, tuple(sorted(everybody, key=names.__getitem__))) for names in permutations(everybody)]
        for place in range(len(deal)):
            left = _least(left, [-deal[seats[place]] for _, seats in left])
        return left

    @staticmethod
    def _word(claim: Claim | None, names: Renaming) -> tuple[int, Seats]:
        return (-1, ()) if claim is None else (claim.kind, call(claim.seats, names))

    @staticmethod
    def sent(filed: Filed, team: Seats) -> tuple[Filed, Seats]:
        """The same after a mission is out, and what it is called there."""
        called = [call(team, names) for names in filed.renamings]
        first = min(called)
        left = tuple(names for names, seats in zip(filed.renamings, called, strict=True) if seats == first)
        return Filed(f"{filed.text}/{letters(first)}", left), first

    def over(self, filed: Filed, number: int, passed: bool, cards: int | None) -> Filed:
        """The same after its result; `cards` where the side knows them."""
        usual = 0 if passed else self.game.table.sabotages[number]
        return Filed(filed.text + "-+"[passed] + ("" if cards in (None, usual) else str(cards)), filed.renamings)
