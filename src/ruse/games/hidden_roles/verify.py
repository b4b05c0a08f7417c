"""What a strategy by class of a game with hidden roles guarantees, by best responses from the rules.

A strategy by class (`classes`) treats seats that look alike to it alike. So whoever answers it may take any deal for
all deals, and any mission for all that look alike to himself: what such a mission is worth is counted as often. The
good side's strategy goes by the reports that a mediator heeds (`reports`); who answers goes by all that he hears.

Where all is said in the open, missions tell the spies nothing of who is hunted. A strategy of theirs may then list
one guess for each thing that was said, whatever missions follow.

Once a side has two points, spies aboard had better sabotage, whatever the good side does: a third failure wins at once,
and who lets a third mission pass has to guess with what he knows now, while after a failure he knows that and more. So
then, and where they have no choice, the spies' strategy is by convention not asked, and no other answer is tried.
Nothing here comes from the search (`orbits`, `solve`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from ruse.core.certificate import GAME_VERIFIER
from ruse.core.clock import tick
from ruse.core.game import END, describe
from ruse.core.types import StrategyTable, Tables
from ruse.games.hidden_roles.classes import ClassStrategies, Odds, Representative, seat_policy, words_in
from ruse.games.hidden_roles.roles import Seats
from ruse.games.hidden_roles.rules import GOOD, SPIES, HiddenRoles, RolesPlay
from ruse.games.resistance.notation import seats as letters
from ruse.verify import tree as plain
from ruse.verify.tree import VerifyError
from ruse.verify.verifier import Verifier

Won = frozenset[Seats]  # sets of spies
PLAYS = 50  # random ones, to see how a table is written


class WeightedPlay(NamedTuple):
    """A play that may be under way, and how likely it is."""

    deal: tuple[int, ...]
    weight: Fraction
    own: Representative  # of the side whose strategy is given
    missed: Fraction | None = None  # how likely the spies miss the hunted, where that is settled by what was said


class BestResponses(ClassStrategies):
    """Best responses to strategies by class, and what those leave; a response is stored by class too, in `reply`."""

    def __init__(self, game: HiddenRoles) -> None:
        super().__init__(game)
        self.reply: dict[str, dict[str, Fraction]] = {}
        self.winnable = cache(self._winnable)

    def to_good(self, odds: Odds) -> Fraction:
        """What the good side wins at least, whatever the spies do: a share of all plays."""
        view = self.game.knows(RolesPlay(self.cast.seats), SPIES)
        hidden = [deal for deal in self.cast.deals if self.game.knows(RolesPlay(deal), SPIES) == view]
        begun = {deal: self.game.play(self.game.start(), move) for move, deal in self._dealt(hidden)}
        heard = [
            (self.game.play(state, move), odds_of) if state.said is None else (state, odds_of)
            for state in begun.values()
            for move, odds_of in self._chance(state)
        ]
        lies: list[Any] = [None]
        if any(None in (state.said or ()) for state, _ in heard):
            lies, seen = [], set()
            for lie in self.game.lies(self.game.spies(self.cast.seats)):
                text = self.finder.begin(view._replace(said=lie)).text
                if text not in seen:
                    seen.add(text)
                    lies.append(lie)
        worst: list[tuple[Fraction, Any]] = []
        for lie in lies:
            groups: dict[RolesPlay, list[WeightedPlay]] = {}
            for state, share in heard:
                state = state if lie is None else self.game.play(state, lie)
                assert state.deal is not None
                own = self.finder.begin(self.game.knows(state, GOOD))
                way = WeightedPlay(state.deal, share / len(hidden), own)
                groups.setdefault(self.game.knows(state, SPIES), []).append(way)
            left = (self._spies(odds, ways, self.finder.begin(known), (0, 0)) for known, ways in groups.items())
            worst.append((sum(left, Fraction(0)), lie))
        least, lie = min(worst, key=itemgetter(0))
        if lie is not None:
            own = self.finder.begin(view)
            self._choose(own, self.game.label(words_in(lie, own.renamings[0])))
        return least

    def _choose(self, own: Representative, move: str, out: bool = False) -> None:
        self.reply[own.text + "?" * out] = {move: Fraction(1)}

    def _dealt(self, deals: Iterable[tuple[int, ...]]) -> list[tuple[Any, tuple[int, ...]]]:
        moves = {move.kinds: move for move in self.game.moves(self.game.start())}  # type: ignore[attr-defined]
        return [(moves[deal], deal) for deal in deals]

    def _chance(self, state: RolesPlay) -> list[tuple[Any, Fraction]]:
        if state.said is not None:
            return [(None, Fraction(1))]
        return list(zip(self.game.moves(state), self.game.odds(state), strict=True))

    def _spies(self, odds: Odds, ways: list[WeightedPlay], seen: Representative, score: tuple[int, int]) -> Fraction:
        """The least that the good side wins of ways that are alike to the spies."""
        if score[SPIES] == self.table.spy_points:
            return Fraction(0)
        total = sum((way.weight for way in ways), Fraction(0))
        if score[GOOD] == self.table.points:
            if self.cast.hunted is None:
                return total
            mass_by_seat: dict[int, Fraction] = {}
            for way in ways:
                seat = way.deal.index(self.cast.hunted)
                mass_by_seat[seat] = mass_by_seat.get(seat, Fraction(0)) + way.weight
            seat = max(mass_by_seat, key=mass_by_seat.__getitem__)
            self._choose(seen, f"name-{letters([seen.renamings[0][seat]])}")
            return total - mass_by_seat[seat]
        tick()
        out: dict[Seats, list[WeightedPlay]] = {}
        for way in ways:
            for team, share in self.missions(odds, way.own).items():
                out.setdefault(team, []).append(way._replace(weight=way.weight * share))
        least, worths = Fraction(0), {}
        for team, sent in out.items():
            after, team_class = self.finder.sent(seen, team)
            if team_class not in worths:  # else it looks like one before to the spies, and is worth as much
                worths[team_class] = self._cards(odds, sent, after, team, score)
            least += worths[team_class]
        return least

    def _cards(
        self, odds: Odds, ways: list[WeightedPlay], seen: Representative, team: Seats, score: tuple[int, int]
    ) -> Fraction:
        number = sum(score)
        aboard = sum(ways[0].deal[seat] in self.cast.known for seat in team)  # the spies know themselves
        worths: dict[tuple[bool, ...], Fraction] = {}
        least: tuple[Fraction, int] | None = None
        for cards in self.useful_sabotages(score, aboard) if self.table.is_decisive(score) else range(aboard + 1):
            results = tuple(self._passes(way.deal, team, cards, number) for way in ways)
            if results in worths:
                continue
            worths[results] = Fraction(0)
            for passed in set(results):
                left = [
                    way._replace(own=self.finder.over(self.finder.sent(way.own, team)[0], number, passed, None))
                    for way, result in zip(ways, results, strict=True)
                    if result == passed
                ]
                after = (score[0] + 1, score[1]) if passed else (score[0], score[1] + 1)
                worths[results] += self._spies(odds, left, self.finder.over(seen, number, passed, cards), after)
            least = min(least or (worths[results], cards), (worths[results], cards))
        assert least is not None
        if len(worths) > 1:
            self._choose(seen, self.game.label(least[1]), out=True)
        return least[0]

    def _passes(self, deal: tuple[int, ...], team: Seats, cards: int, number: int) -> bool:
        lone = sum(deal[seat] == self.cast.alone for seat in team)
        return cards + lone < self.table.sabotages[number]

    def to_spies(self, odds: Odds) -> Fraction:
        """What the good side wins at most against the spies' strategy."""
        groups: dict[RolesPlay, list[WeightedPlay]] = {}
        for move, deal in self._dealt(self.cast.deals):
            state = self.game.play(self.game.start(), move)
            for heard, share in self._chance(state):
                before_lie = state if heard is None else self.game.play(state, heard)
                lies = self.lies(odds, before_lie) if None in (before_lie.said or ()) else {None: Fraction(1)}
                for lie, part in lies.items():
                    after_lie = before_lie if lie is None else self.game.play(before_lie, lie)
                    own = self.finder.begin(self.game.knows(after_lie, SPIES))
                    weight = share * part / len(self.cast.deals)
                    way = WeightedPlay(deal, weight, own, self.missed(odds, own, deal))
                    groups.setdefault(self.game.knows(after_lie, GOOD), []).append(way)
        most, worths = Fraction(0), {}
        for known, ways in groups.items():
            responder = self.finder.heard(known)  # who answers may heed what a stored strategy would not
            if responder.text not in worths:
                worths[responder.text] = self._good(odds, self._joined(ways), responder, (0, 0))
            most += worths[responder.text]
        return most

    def _joined(self, ways: list[WeightedPlay]) -> list[WeightedPlay]:
        """Join plays that differ only in who is hunted, where the guess is settled."""
        joined: dict[Any, WeightedPlay] = {}
        for way in ways:
            if way.missed is None:
                return ways
            spies = tuple(kind in self.cast.known for kind in way.deal)
            weight = way.weight * way.missed + (joined[spies, way.own].weight if (spies, way.own) in joined else 0)
            joined[spies, way.own] = way._replace(weight=weight, missed=Fraction(1))
        return list(joined.values())

    def _good(self, odds: Odds, ways: list[WeightedPlay], seen: Representative, score: tuple[int, int]) -> Fraction:
        """The most that the good side wins of ways that are alike to it."""
        if score[SPIES] == self.table.spy_points or not ways:
            return Fraction(0)
        total = sum((way.weight for way in ways), Fraction(0))
        if score[GOOD] == self.table.points:
            if self.cast.hunted is None:
                return total
            return sum(
                (
                    way.weight * (1 - self.named(odds, way.own, way.deal).get(way.deal.index(self.cast.hunted), 0))
                    if way.missed is None
                    else way.weight * way.missed
                    for way in ways
                ),
                Fraction(0),
            )
        tick()
        if self.table.is_decisive(score) and all(way.missed is not None for way in ways):
            return self._last(ways, seen, score)
        number, best, tried = sum(score), Fraction(-1), set()
        for team in self.teams[number]:
            after_team, team_class = self.finder.sent(seen, team)
            if team_class in tried:
                continue
            tried.add(team_class)
            after: dict[bool, list[WeightedPlay]] = {True: [], False: []}
            for way in ways:
                own, _ = self.finder.sent(way.own, team)
                aboard = sum(way.deal[seat] in self.cast.known for seat in team)
                for cards, share in self.cards(odds, own, score, aboard).items():
                    passed = self._passes(way.deal, team, cards, number)
                    left = self.finder.over(own, number, passed, cards)
                    after[passed].append(way._replace(weight=way.weight * share, own=left))
            value = self._good(
                odds, after[True], self.finder.over(after_team, number, True, None), (score[0] + 1, score[1])
            )
            value += self._good(
                odds, after[False], self.finder.over(after_team, number, False, None), (score[0], score[1] + 1)
            )
            if value > best:
                best = value
                self._choose(seen, letters(team_class))
        return best

    def _last(self, ways: list[WeightedPlay], seen: Representative, score: tuple[int, int]) -> Fraction:
        """The most where spies have no choice left: missions win against some sets of spies and lose to the others."""
        shares: dict[Seats, Fraction] = {}
        for way in ways:
            spies = tuple(seat for seat, kind in enumerate(way.deal) if kind in self.cast.known)
            shares[spies] = shares.get(spies, Fraction(0)) + way.weight * (way.missed or 0)
        worths = {
            won: sum((shares.get(spies, Fraction(0)) for spies in won), Fraction(0)) for won in self.winnable(score)
        }
        best = max(worths, key=worths.__getitem__)
        self._follow(best, seen, score)
        return worths[best]

    def _winnable(self, score: tuple[int, int]) -> dict[Won, tuple[Seats, Won, Won]]:
        """The largest sets of sets of spies, all of which some way to pick missions wins against.

        With each the mission to pick, and those that are won after it passes and after it fails.
        """
        every = frozenset(combinations(range(self.table.players), self.table.spies))
        if self.table.is_over(score):
            won = every if score[GOOD] == self.table.points else frozenset()
            return {won: ((), won, won)}
        number, ways_to_win = sum(score), dict[Won, tuple[Seats, Won, Won]]()
        passes, fails = self.winnable((score[0] + 1, score[1])), self.winnable((score[0], score[1] + 1))
        for team in self.teams[number]:
            hit = {spies for spies in every if len(set(spies).intersection(team)) >= self.table.sabotages[number]}
            for after, other in product(passes, fails):
                ways_to_win.setdefault((after - hit) | (other & hit), (team, after, other))
        return {won: how for won, how in ways_to_win.items() if not any(won < other for other in ways_to_win)}

    def _follow(self, won: Won, seen: Representative, score: tuple[int, int]) -> None:
        """File the missions that win against some sets of spies, once those have no choice left."""
        if self.table.is_over(score):
            return
        team, *after = self.winnable(score)[won]
        after_team, team_class = self.finder.sent(seen, team)
        self._choose(seen, letters(team_class))
        for passed, left in zip((True, False), after, strict=True):
            now = (score[0] + passed, score[1] + (not passed))
            self._follow(left, self.finder.over(after_team, sum(score), passed, None), now)


class HiddenRolesVerifier(Verifier[HiddenRoles]):
    """Strategies by class with `BestResponses`; those that are written seat by seat are walked as any game's."""

    proof = GAME_VERIFIER

    def check_size(self) -> None:
        """Refuse nothing yet: the tables tell what there is to walk."""

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        if self._is_seated(side, table):
            super().check_size()
            return plain.guarantee(self.game, side, plain.table_policy(self.game, table, side, by_class=False))
        return 2 * self._answered(side, table)[0] - 1

    def check_positions(self, side: int, table: StrategyTable) -> None:
        if self._is_seated(side, table):
            super().check_positions(side, table)
        elif left := table.keys() - self._answered(side, table)[1]:
            raise VerifyError(
                f"expected positions of {self.game.title} that {self.game.sides[side]} comes to, got {min(left)!r}"
            )

    def outcomes(self, tables: Tables) -> Mapping[Fraction, Fraction]:
        if any(self._is_seated(side, table) for side, table in enumerate(tables)):
            return super().outcomes(tables)
        first, second = (seat_policy(self.game, side, table) for side, table in enumerate(tables))
        return plain.outcomes(self.game, (first, second))

    def _answered(self, side: int, table: StrategyTable) -> tuple[Fraction, set[str]]:
        """What the other side leaves of a strategy by class, and the positions that were looked up for it."""
        known, response = self._responses.get(side, (None, (Fraction(0), set[str]())))
        if known is not table:
            asked: set[str] = set()

            def odds(position: str) -> Mapping[str, Fraction]:
                asked.add(position)
                return table[position]

            answer = BestResponses(self.game)
            response = (answer.to_good if side == GOOD else answer.to_spies)(odds), asked
            self._responses[side] = table, response
        return response

    def _is_seated(self, side: int, table: StrategyTable) -> bool:
        """Whether a table has every position of some random plays, as one seat by seat has and no other."""
        random, game = Random(0), self.game
        for _ in range(PLAYS):
            state = game.start()
            while (turn := game.turn(state)) != END:
                if turn == side and describe(game, game.knows(state, side)) not in table:
                    return False
                state = game.play(state, random.choice(list(game.moves(state))))
        return True

    @cached_property
    def _responses(self) -> dict[int, tuple[StrategyTable | None, tuple[Fraction, set[str]]]]:
        return {}


verifier = HiddenRolesVerifier
