"""Values of positions of a game with hidden roles under stored strategies.

From the ways that fit what a side knows (`ruse.games.hidden_roles.ways`) both sides follow their strategies. Where its
own says nothing, as it never comes there by itself, the side that looks does what is best against the other's; where
the other's says nothing, that side moves evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import factorial

from ruse.core.types import StrategyTable
from ruse.games.hidden_roles.classes import Representative
from ruse.games.hidden_roles.roles import Seats
from ruse.games.hidden_roles.rules import GOOD, SPIES, HiddenRoles, RolesPlay
from ruse.games.hidden_roles.ways import MOST_KEPT, Way, Ways
from ruse.present.nodes import Number


class RolesEvaluator(Ways):
    def __init__(self, game: HiddenRoles, tables: Sequence[StrategyTable], exact: bool = True) -> None:
        super().__init__(game, tables, exact)
        self._kept: tuple[dict[str, Number], dict[str, Number]] = ({}, {})

    # Values: how often the good side wins, times the weight of ways that are alike to a side.

    def value(self, side: int, ways: Sequence[Way]) -> Number:
        """If both follow their strategies, which the side that looks need not where its own says nothing."""
        return (self._to_good, self._to_spies)[side]([way for way in ways if way.weight], self.kept(side, ways))

    def kept(self, side: int, ways: Sequence[Way]) -> dict[str, Number]:
        """Values so far, by representative position. Without slips, ways weigh the same wherever one looks from."""
        if any(way.slips for way in ways):
            return {}
        if len(self._kept[side]) > MOST_KEPT:
            self._kept[side].clear()
        return self._kept[side]

    def _to_good(self, ways: Sequence[Way], known: dict[str, Number]) -> Number:
        zero = self.number(Fraction(0))
        if not ways:
            return zero
        state, good = ways[0].state, ways[0].seen[GOOD]
        if any(way.state.out is not None for way in ways) or len({way.state.score for way in ways}) > 1:
            return self._cards_to_good(ways, known)
        if state.score[SPIES] == self.game.table.spy_points:
            return zero
        if state.score[GOOD] == self.game.table.points:
            return sum((way.weight * (1 - self._named_odds(way)) for way in ways), zero)
        if good.text not in known:
            teams = self.missions(good)
            if teams is not None:
                known[good.text] = sum((share * self.sending(ways, team, known) for team, share in teams.items()), zero)
            else:
                known[good.text] = max(self.sending(ways, team, known) for team in self.teams(good, len(state.done)))
        return known[good.text]

    def sending(self, ways: Sequence[Way], team: Seats, known: dict[str, Number]) -> Number:
        """The value once the good side sends a mission, which need not be one that its strategy sends."""
        return self._to_good(self.out(GOOD, ways, team), known)

    def _named_odds(self, way: Way) -> Number:
        """How likely the spies name whom they hunt."""
        if way.state.named is not None:
            return self.number(Fraction(way.deal[way.state.named] == self.game.cast.hunted))
        if self.game.cast.hunted is None:
            return self.number(Fraction(0))
        return self.guesses(way).get(way.deal.index(self.game.cast.hunted), self.number(Fraction(0)))

    def _cards_to_good(self, ways: Sequence[Way], known: dict[str, Number]) -> Number:
        results = self.results(ways)
        return self._to_good(results[True], known) + self._to_good(results[False], known)

    def results(self, ways: Sequence[Way]) -> dict[bool, list[Way]]:
        """Ways with a mission out, as the spies' cards may end them."""
        by_result: dict[bool, list[Way]] = {True: [], False: []}
        for way in ways:
            if way.state.out is None:
                by_result[way.state.done[-1].passed].append(way)
                continue
            aboard = self.game.aboard(way.deal, way.state.out)
            for cards, share in self.sabotaged(way.seen[SPIES], way.state.score, aboard).items():
                left = self.over(way, cards)
                by_result[left.state.done[-1].passed].append(replace(left, weight=left.weight * share))
        return by_result

    def _to_spies(self, ways: Sequence[Way], known: dict[str, Number]) -> Number:
        zero = self.number(Fraction(0))
        if not ways:
            return zero
        state, spies = ways[0].state, ways[0].seen[SPIES]
        if state.out is not None:
            return self._cards_to_spies(ways, known)
        if state.score[SPIES] == self.game.table.spy_points:
            return zero
        total = sum((way.weight for way in ways), zero)
        if state.score[GOOD] == self.game.table.points:
            if self.game.cast.hunted is None:
                return total
            if state.named is not None or self.named(ways[0]) is not None:
                return sum((way.weight * (1 - self._named_odds(way)) for way in ways), zero)
            return total - max(self.hunted(ways).values())
        if spies.text not in known:
            value = zero
            for sent in self.coming(ways).values():
                value += self._cards_to_spies(sent, known)
            known[spies.text] = value
        return known[spies.text]

    def coming(self, ways: Sequence[Way]) -> dict[Seats, list[Way]]:
        """Missions that the good side may send, with the ways in which it does."""
        by_team: dict[Seats, list[Way]] = {}
        for way in ways:
            for team, share in self.sent(way.seen[GOOD], len(way.state.done)).items():
                (sent,) = self.out(GOOD, [replace(way, weight=way.weight * share)], team)
                by_team.setdefault(team, []).append(sent)
        return by_team

    def hunted(self, ways: Sequence[Way]) -> dict[int, Number]:
        """How much of some ways has whom the spies hunt on each seat."""
        mass_by_seat: dict[int, Number] = {}
        for way in ways:
            seat = way.deal.index(self.game.cast.hunted)
            mass_by_seat[seat] = mass_by_seat.get(seat, self.number(Fraction(0))) + way.weight
        return mass_by_seat

    def _cards_to_spies(self, ways: Sequence[Way], known: dict[str, Number]) -> Number:
        ways = [way for way in ways if way.weight]
        if not ways or ways[0].state.out is None:
            scores = {way.state.score for way in ways}
            by_result = ([way for way in ways if way.state.score == score] for score in scores)
            return sum((self._to_spies(group, known) for group in by_result), self.number(Fraction(0)))
        spies, state = ways[0].seen[SPIES], ways[0].state
        aboard = self.game.aboard(ways[0].deal, state.out or ())
        key = f"{spies.text}?"
        if key not in known:
            odds = self.cards(spies, state.score, aboard)
            if odds is not None:
                worths = [share * self.carded(ways, cards, known) for cards, share in odds.items()]
                known[key] = sum(worths, self.number(Fraction(0)))
            else:
                known[key] = min(
                    self.carded(ways, cards, known) for cards in self.strategies.useful_sabotages(state.score, aboard)
                )
        return known[key]

    def carded(self, ways: Sequence[Way], cards: int, known: dict[str, Number]) -> Number:
        """The value once the spies play some cards; a spy who plays alone may make it fail in some plays only."""
        groups: dict[str, list[Way]] = {}
        for way in ways:
            if way.weight:
                left = self.over(way, cards)
                groups.setdefault(left.seen[SPIES].text, []).append(left)
        return sum((self._to_spies(group, known) for group in groups.values()), self.number(Fraction(0)))

    # Classes.

    def teams(self, good: Representative, number: int) -> list[Seats]:
        """The missions that the good side may send, one of each class."""
        classes: dict[Seats, Seats] = {}
        for team in self.strategies.teams[number]:
            classes.setdefault(self.finder.sent(good, team)[1], team)
        return list(classes.values())

    def alike(self, seen: Representative) -> int:
        """How many positions this one represents."""
        return factorial(self.game.table.players) // len(seen.renamings)

    # How often a side's own strategy comes to what it knows.

    def own(self, side: int, way: Way) -> Number:
        """The odds of a side's own moves on a way."""
        state, share = way.state, self.number(Fraction(1))
        begun = self.begun(way.deal)
        if side == SPIES and state.said is not None and (begun.said is None or None in begun.said):
            lie = tuple(claim if seat in self.game.spies(way.deal) else None for seat, claim in enumerate(state.said))
            share *= self.lies(begun).get(lie, self.number(Fraction(0)))
        seen = self.finder.begin(self.game.knows(RolesPlay(way.deal, state.said), side))
        for number, mission in enumerate(state.done):
            if not share:
                break
            before = RolesPlay(done=state.done[:number]).score
            if side == GOOD:
                share *= (self.missions(seen) or {}).get(mission.seats, self.number(Fraction(0)))
            seen = self.finder.sent(seen, mission.seats)[0]
            aboard = self.game.aboard(way.deal, mission.seats)
            if side == SPIES and aboard:
                share *= (self.cards(seen, before, aboard) or {}).get(mission.cards, self.number(Fraction(0)))
            seen = self.finder.over(seen, number, mission.passed, mission.cards if side == SPIES else None)
        if side == GOOD and state.out is not None:
            share *= (self.missions(seen) or {}).get(state.out, self.number(Fraction(0)))
        return share
