"""Which reports are worth hearing: those of seats that both sides know to be spies can be left out.

Once everybody has reported, join the mediator's reports c to what the spies know, their own deal and lies t, wherever a
deal has both. In a part that hangs together, a seat that is a spy in every deal is one by common knowledge: the
mediator knows it, the spies know that he does, and so on. Let G leave the reports of such seats out. All that is joined
to c loses the same reports, so G(c) is what the mediator would have heard had the spies kept quiet there. Hence

    whatever the spies do, they do no worse by keeping those seats quiet and going on as before: the mediator then sees
    G(c) instead of c, and he could have worked that out from c.

So lies that G shortens need not be tried, and the mediator may play by G(c). With fewer lies more is known, and so on,
until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ruse.games.hidden_roles.roles import Claim

if TYPE_CHECKING:
    from ruse.games.hidden_roles.rules import HiddenRoles, Words

Deal = tuple[int, ...]


class Reports:
    """What the mediator of a game with private talk heeds."""

    def __init__(self, game: HiddenRoles) -> None:
        self._game = game
        self._heeded: list[dict[Words, Words]] = []  # by round

    def heeded(self, said: Words) -> Words:
        """G of what everybody has reported."""
        for number in range(self._rounds):
            said = self._shortened(said, number)
        return said

    def believable(self, lie: Words, known: Deal) -> bool:
        """Whether spies who say this are heard out, where they know so much of the deal."""
        return self._alive(self._reports(self._alike[known][0], lie), self._rounds)

    @cached_property
    def _rounds(self) -> int:
        """After how many nothing changes any more."""
        deal = self._game.cast.seats
        spies = self._game.spies(deal)
        lies = [self._reports(deal, lie) for lie in self._game.lies(spies)]
        number = 0
        while True:
            self._heeded.append({})
            left = [said for said in lies if self._shortened(said, number) == said]
            if len(left) == len(lies):
                return number
            lies, number = left, number + 1

    @cached_property
    def _quiet(self) -> Claim:
        return Claim(self._game.cast.quiet)

    @cached_property
    def _truth(self) -> dict[Deal, tuple[Claim, ...]]:
        cast = self._game.cast
        return {deal: tuple(cast.true_claim(deal, seat) for seat in range(len(deal))) for deal in cast.deals}

    @cached_property
    def _alike(self) -> dict[Deal, list[Deal]]:
        """Deals by what the spies know of them."""
        deals: dict[Deal, list[Deal]] = {}
        for deal in self._game.cast.deals:
            deals.setdefault(self._known(deal), []).append(deal)
        return deals

    def _known(self, deal: Deal) -> Deal:
        return tuple(kind if kind in self._game.cast.known else -1 for kind in deal)

    def _reports(self, deal: Deal, lie: Words) -> Words:
        return tuple(claim or truth for claim, truth in zip(lie, self._truth[deal], strict=True))

    @cached_property
    def _may_say(self) -> list[dict[Claim, int]]:
        """By seat and report, the deals in which it may come: where it is true, and where a spy sits there."""
        by_seat: list[dict[Claim, int]] = []
        for seat in range(self._game.table.players):
            free = sum(1 << at for at, deal in enumerate(self._truth) if deal[seat] in self._game.cast.known)
            own = dict.fromkeys(self._game.cast.claims(seat), free)
            for at, (deal, truth) in enumerate(self._truth.items()):
                if deal[seat] not in self._game.cast.known:
                    own[truth[seat]] |= 1 << at
            by_seat.append(own)
        return by_seat

    def _worlds(self, said: Words, number: int) -> Iterator[Deal]:
        """The deals in which this may be said in a round: good seats tell the truth, spies what is still heeded."""
        deals = -1
        for own, claim in zip(self._may_say, said, strict=True):
            assert claim is not None
            deals &= own[claim]
        while deals and self._alive(said, number):
            last = deals.bit_length() - 1
            yield self._game.cast.deals[last]
            deals -= 1 << last

    def _alive(self, said: Words, number: int) -> bool:
        """Whether no round before would have shortened what is said, or anything that hangs together with it."""
        return all(self._shortened(said, earlier) == said for earlier in range(number))

    def _shortened(self, said: Words, number: int) -> Words:
        """G of a round, until it changes nothing."""
        known = self._heeded[number]
        if said not in known:
            exposed = self._exposed(said, number)
            left = tuple(self._quiet if seat in exposed else claim for seat, claim in enumerate(said))
            known[said] = said if left == said else self._shortened(left, number)
        return known[said]

    def _exposed(self, said: Words, number: int) -> set[int]:
        """The seats that are spies in every deal of what hangs together with this."""
        seats = set(range(len(said)))
        waiting, heard = [said], {said}
        met: set[tuple[Deal, Words]] = set()
        while waiting and seats:
            said = waiting.pop()
            for deal in self._worlds(said, number):
                spies = self._game.spies(deal)
                seats.intersection_update(spies)
                lie = tuple(claim if seat in spies else None for seat, claim in enumerate(said))
                if not seats or (self._known(deal), lie) in met:
                    continue
                met.add((self._known(deal), lie))
                for alike in self._alike[self._known(deal)]:
                    other = self._reports(alike, lie)
                    if other not in heard:
                        heard.add(other)
                        waiting.append(other)
        return seats
