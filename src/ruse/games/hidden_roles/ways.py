"""The plays that may be under way in a game with hidden roles, and how likely each is under stored strategies.

What a side knows fits some plays, its *ways*: a deal, what was said, the missions and the cards. A way weighs as much
as chance and the other side's strategy make it likely; the side's own moves are known to it, and cancel. If the other
side's strategy leads to none, those ways count that take fewest slips, each slip to any of its moves alike.

Strategies are by class (`ruse.games.hidden_roles.classes`): a move of a class is drawn among all that look alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

from ruse.core.game import CHANCE, PositionError, describe
from ruse.core.types import StrategyTable
from ruse.games.hidden_roles.classes import ClassStrategies, Representative
from ruse.games.hidden_roles.notation import read_words
from ruse.games.hidden_roles.orbits import MOST_NAMES
from ruse.games.hidden_roles.roles import SERVANT, SPY, Seats
from ruse.games.hidden_roles.rules import GOOD, SPIES, UNKNOWN, Dealt, HiddenRoles, RolesPlay, Words
from ruse.games.resistance.notation import seats as letters
from ruse.present.model import RoleOdds, Seat
from ruse.present.nodes import Number, as_fraction

MOST_KEPT = 200_000  # representative positions, in memory


@dataclass(frozen=True)
class Way:
    """A play that may be under way."""

    state: RolesPlay
    seen: tuple[Representative, Representative]  # the representative of what each side knows
    weight: Number
    slips: int = 0  # moves on the way that the other side's strategy never makes

    @property
    def deal(self) -> tuple[int, ...]:
        assert self.state.deal is not None
        return self.state.deal


class Ways:
    """Under stored strategies; odds are fractions, or floats where those need not be exact."""

    def __init__(self, game: HiddenRoles, tables: Sequence[StrategyTable], exact: bool = True) -> None:
        self.game, self.tables, self.exact = game, tables, exact
        self.strategies = ClassStrategies(game)
        self.finder = self.strategies.finder
        self.missions = lru_cache(MOST_KEPT)(self._missions)
        self._lies = lru_cache(None)(self._lies_at)

    def number(self, share: Fraction) -> Number:
        return share if self.exact else float(share)

    # What strategies do; None where one has no entry.

    def _missions(self, good: Representative) -> dict[Seats, Number] | None:
        if good.text not in self.tables[GOOD]:
            return None
        odds = self.strategies.missions(self.tables[GOOD].__getitem__, good)
        return {team: self.number(share) for team, share in odds.items() if share}

    def sent(self, good: Representative, number: int) -> Mapping[Seats, Number]:
        """The odds of missions to somebody who faces the good side."""
        odds = self.missions(good)
        return self._uniform(self.strategies.teams[number]) if odds is None else odds

    def _uniform(self, moves: Collection[Any]) -> dict[Any, Number]:
        return dict.fromkeys(moves, self.number(Fraction(1, len(moves))))

    def cards(self, spies: Representative, score: tuple[int, int], aboard: int) -> dict[int, Number] | None:
        """The odds of cards for the mission that `spies` has seen last."""
        if len(self.strategies.useful_sabotages(score, aboard)) > 1 and f"{spies.text}?" not in self.tables[SPIES]:
            return None
        odds = self.strategies.cards(self.tables[SPIES].__getitem__, spies, score, aboard)
        return {cards: self.number(share) for cards, share in odds.items()}

    def sabotaged(self, spies: Representative, score: tuple[int, int], aboard: int) -> Mapping[int, Number]:
        """The odds of cards to somebody who faces the spies."""
        odds = self.cards(spies, score, aboard)
        return self._uniform(self.strategies.useful_sabotages(score, aboard)) if odds is None else odds

    def named(self, way: Way) -> dict[int, Number] | None:
        """Whom the spies name in the end; where all is said in the open, that may be listed when it is said."""
        seen = way.seen[SPIES]
        if seen.text not in self.tables[SPIES]:
            seen = self.finder.begin(self.game.knows(RolesPlay(way.deal, way.state.said), SPIES))
        if seen.text not in self.tables[SPIES]:
            return None
        odds = self.strategies.named(self.tables[SPIES].__getitem__, seen, way.deal)
        return {seat: self.number(share) for seat, share in odds.items()}

    def guesses(self, way: Way) -> Mapping[int, Number]:
        """Whom the spies name, to somebody who faces them."""
        odds = self.named(way)
        if odds is not None:
            return odds
        return self._uniform([seat for seat, kind in enumerate(way.deal) if kind not in self.game.cast.known])

    def lies(self, state: RolesPlay) -> Mapping[Words, Number]:
        """What the spies say, and how often."""
        return self._lies(self.game.knows(state, SPIES))

    def _lies_at(self, known: RolesPlay) -> Mapping[Words, Number]:
        assert known.deal is not None
        state = known._replace(said=tuple(None for _ in known.deal))
        text = self.finder.begin(known).text
        if text not in self.tables[SPIES]:
            return self._uniform(self.game.lies(self.game.spies(known.deal)))
        odds = self.strategies.lies(self.tables[SPIES].__getitem__, state)
        return {lie: self.number(share) for lie, share in odds.items() if share}

    # Ways.

    def begun(self, deal: tuple[int, ...]) -> RolesPlay:
        return self.game.play(self.game.start(), Dealt(deal))

    def after_talk(self, side: int, known: RolesPlay) -> list[Way]:
        """The ways that fit what a side knows once all is said, before any mission."""
        assert known.said is not None
        ways = []
        share = self.number(Fraction(1, len(self.game.cast.deals)))
        for deal in self.game.cast.deals:
            if known.deal is not None and self.seen(deal) != known.deal:
                continue
            state, weight, slips = self.begun(deal), share, 0
            spies = self.game.spies(deal)
            if self.game.turn(state) == CHANCE:  # good seats speak by chance
                heard = tuple(None if seat in spies else claim for seat, claim in enumerate(known.said))
                odds = dict(zip(self.game.moves(state), self.game.odds(state), strict=True)).get(heard)
                if not odds:
                    continue
                state, weight = self.game.play(state, heard), weight * self.number(odds)
            if None in (state.said or ()):
                lie = tuple(known.said[seat] if seat in spies else None for seat in range(len(deal)))
                if side == GOOD:
                    lies = self.lies(state)
                    slips += lie not in lies
                    every = len(self.game.lies(spies)) if lie not in lies else 1
                    weight *= lies.get(lie, self.number(Fraction(1, every)))
                state = self.game.play(state, lie)
            if self.game.knows(state, side).said == known.said:
                ways.append(Way(state, self._begin(state), weight, slips))
        return ways

    def _begin(self, state: RolesPlay) -> tuple[Representative, Representative]:
        """What both sides know when the missions begin."""
        return self.finder.begin(self.game.knows(state, GOOD)), self.finder.begin(self.game.knows(state, SPIES))

    def seen(self, deal: Iterable[int]) -> tuple[int, ...]:
        """What the spies see of a deal."""
        return tuple(kind if kind in self.game.cast.known else UNKNOWN for kind in deal)

    def ways(self, side: int, known: RolesPlay) -> list[Way]:
        """All that fit what a side knows; those weigh that take fewest slips. Raises PositionError if none does."""
        ways = self.after_talk(side, known)
        for number, mission in enumerate(known.done):
            ways = self.out(side, ways, mission.seats)
            wanted = None if side == GOOD else mission.cards
            ways = [way for before in ways for way in self._ended(side, before, number, mission.passed, wanted)]
        if known.out is not None:
            ways = [way for way in self.out(side, ways, known.out) if way.state.out is not None]
        if known.named is not None:
            ways = [self._after_guess(side, way, known.named) for way in ways if self.may_name(way.deal, known.named)]
        if not ways:
            raise PositionError(
                f"expected a position of {self.game.title} that some roles allow, got "
                f"{describe(self.game, known)[:80]!r}: nobody can have been dealt, said and done that"
            )
        least = min(way.slips for way in ways)
        return [way if way.slips == least else replace(way, weight=self.number(Fraction(0))) for way in ways]

    def may_name(self, deal: Sequence[int], seat: int) -> bool:
        return deal[seat] not in self.game.cast.known

    def _after_guess(self, side: int, way: Way, seat: int) -> Way:
        named = way.state._replace(named=seat)
        if side == SPIES:
            return replace(way, state=named)
        odds = self.guesses(way)
        share = odds.get(seat) or self.number(Fraction(1, len(way.deal)))
        return replace(way, state=named, weight=way.weight * share, slips=way.slips + (seat not in odds))

    def out(self, side: int, ways: Sequence[Way], team: Seats) -> list[Way]:
        """Ways after a mission is sent; one without a spy is over at once, and has `state.out` None."""
        sent = []
        for way in ways:
            weight, slips = way.weight, way.slips
            if side == SPIES:
                number = len(way.state.done)
                odds = self.sent(way.seen[GOOD], number)
                slips += team not in odds
                weight *= odds.get(team) or self.number(Fraction(1, len(self.strategies.teams[number])))
            seen = self.finder.sent(way.seen[GOOD], team)[0], self.finder.sent(way.seen[SPIES], team)[0]
            sent.append(Way(way.state._replace(out=team), seen, weight, slips))
        return [self._at_once(way) for way in sent]

    def _at_once(self, way: Way) -> Way:
        assert way.state.out is not None
        if self.game.aboard(way.deal, way.state.out):
            return way
        return self.over(way, 0)

    def over(self, way: Way, cards: int) -> Way:
        """A way after the cards of a mission."""
        number = len(way.state.done)
        state = self.game.play(way.state, cards)
        passed = state.done[-1].passed
        seen = (
            self.finder.over(way.seen[GOOD], number, passed, None),
            self.finder.over(way.seen[SPIES], number, passed, cards),
        )
        return replace(way, state=state, seen=seen)

    def _ended(self, side: int, way: Way, number: int, passed: bool, cards: int | None) -> list[Way]:
        """A way after a result: with these cards, or with any that somebody who sees the result may think of."""
        if way.state.out is None:
            return [way] if way.state.done[-1].passed == passed and cards in (None, 0) else []
        if cards is not None:
            left = self.over(way, cards)
            return [left] if left.state.done[-1].passed == passed else []
        aboard = self.game.aboard(way.deal, way.state.out)
        odds = self.sabotaged(way.seen[SPIES], way.state.score, aboard)
        ended = []
        for many in self._any(number, aboard):
            left = self.over(way, many)
            if left.state.done[-1].passed == passed:
                share = odds.get(many) or self.number(Fraction(1, aboard + 1))
                ended.append(replace(left, weight=way.weight * share, slips=way.slips + (many not in odds)))
        return ended

    def _any(self, number: int, aboard: int) -> list[int]:
        """Cards that make a difference, had nobody two points."""
        fails, lone = self.game.table.sabotages[number], self.game.cast.alone is not None
        return [0, *(many for many in range(1, min(aboard, fails) + 1) if many + lone >= fails)]

    # What is said.

    def after_lie(self, seen: tuple[int, ...], lie: Words | None) -> dict[RolesPlay, list[Way]]:
        """The ways once the spies who see so much of a deal have spoken, by what they know then."""
        ways_by_view: dict[RolesPlay, list[Way]] = {}
        for deal in self.game.cast.deals:
            if self.seen(deal) != seen:
                continue
            for heard, odds in self._heard(deal):
                state = heard if lie is None else self.game.play(heard, lie)
                way = Way(state, self._begin(state), odds / len(self.game.cast.deals))
                ways_by_view.setdefault(self.game.knows(state, SPIES), []).append(way)
        return ways_by_view

    def _heard(self, deal: tuple[int, ...]) -> list[tuple[RolesPlay, Number]]:
        """What may have been said before the spies speak."""
        state = self.begun(deal)
        if self.game.turn(state) != CHANCE:
            return [(state, self.number(Fraction(1)))]
        moves = zip(self.game.moves(state), self.game.odds(state), strict=True)
        return [(self.game.play(state, move), self.number(odds)) for move, odds in moves]

    def stored_lies(self) -> list[tuple[Words, Fraction]]:
        """What the spies say on the seats that strategies list, one of each class, and how often."""
        own = self.finder.begin(RolesPlay(self.seen(self.first)))
        spies = self.game.spies(self.first)
        odds = self.tables[SPIES].get(own.text, {})
        by_class: dict[str, tuple[Words, Fraction]] = {}
        for move, share in odds.items():
            lie = read_words(self.game, move, spies)
            text = self.finder.begin(RolesPlay(self.seen(self.first), lie)).text
            first, before = by_class.get(text, (lie, Fraction(0)))
            by_class[text] = first, before + share
        return sorted((entry for entry in by_class.values() if entry[1]), key=lambda entry: -entry[1])

    @property
    def first(self) -> tuple[int, ...]:
        """A deal with the spies on the seats that strategies list."""
        return max(self.game.cast.deals)

    def lie_classes(self, seen: tuple[int, ...]) -> dict[str, list[Words]]:
        """All that the spies can say, by its representative; at a large table, what they do say."""
        by_class: dict[str, list[Words]] = {}
        if factorial(self.game.table.players) * len(self.game.lies(self.game.spies(seen))) > MOST_NAMES:
            return {self.finder.begin(RolesPlay(seen, lie)).text: [lie] for lie in self.lies(RolesPlay(seen))}
        for lie in self.game.lies(self.game.spies(seen)):
            by_class.setdefault(self.finder.begin(RolesPlay(seen, lie)).text, []).append(lie)
        return by_class

    def reports(self) -> list[tuple[RolesPlay, Number]]:
        """What the good side may hear, one of each class, and how likely that is."""
        by_class: dict[str, tuple[RolesPlay, Number]] = {}
        hidden = [deal for deal in self.game.cast.deals if self.seen(deal) == self.seen(self.first)]
        for state, odds in (heard for deal in hidden for heard in self._heard(deal)):
            asked = None in (state.said or ())
            for lie, share in self.stored_lies() if asked else [(None, Fraction(1))]:
                known = self.game.knows(state if lie is None else self.game.play(state, lie), GOOD)
                text = self.finder.begin(known).text
                first, before = by_class.get(text, (known, self.number(Fraction(0))))
                by_class[text] = first, before + odds * self.number(share) / len(hidden)
        return list(by_class.values())


def seats_of(game: HiddenRoles, side: int, known: RolesPlay, weights: Mapping[tuple[int, ...], Number]) -> list[Seat]:
    """How likely each seat is a spy, and has a role that the side does not see.

    Each by the weights of the deals that fit, and with all of them equally likely.
    """
    total = sum(weights.values())
    kinds = [kind for kind, role in enumerate(game.cast.kinds) if role not in (SERVANT, SPY)]
    if side == SPIES:
        kinds = [kind for kind in kinds if kind not in game.cast.known]

    def odds(holds: Sequence[tuple[int, ...]]) -> tuple[Fraction, Fraction]:
        mass = sum((weights[deal] for deal in holds), Fraction(0))
        return as_fraction(mass / total), Fraction(len(holds), len(weights))

    teams = [(mission.seats, "-+"[mission.passed]) for mission in known.done]
    teams += [] if known.out is None else [(known.out, "?")]
    seats = []
    for seat in range(game.table.players):
        record = [mark if seat in team else "" for team, mark in teams]
        spy = odds([deal for deal in weights if game.cast.kinds[deal[seat]].evil])
        roles = {
            game.cast.kinds[kind].name: RoleOdds(*odds([deal for deal in weights if deal[seat] == kind]))
            for kind in kinds
        }
        seats.append(Seat(letters([seat]), record, *spy, roles))
    return seats
