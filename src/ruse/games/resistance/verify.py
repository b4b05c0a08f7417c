"""What a strategy by class of The Resistance guarantees, exactly and at any official table.

Positions are those of `verify_public`: by cells of seats with the same mission record.

Sign convention: payoffs to the resistance, side 0, which are 2w - 1 where it wins with probability w.

The spies' odds are asked for only while neither side has two points. After that the spies' strategy is,
by convention, to sabotage whenever enough spies are aboard: passing loses at once, or failing wins.
Nor are they asked for where too few spies are aboard to fail the mission: it passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING

from ruse.core.certificate import GAME_VERIFIER, RULES, Certificate
from ruse.core.clock import tick
from ruse.core.game import Move, PositionError, State, moving
from ruse.core.types import Lookup, Policy, StrategyTable
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.notation import MissionHistory, read_seats, seats
from ruse.games.resistance.notation import read as read_position
from ruse.games.resistance.rules import PASS, RESISTANCE, SABOTAGE, ResistanceRules, Seats
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.games.resistance.verify_endgames import Guesses
from ruse.games.resistance.verify_public import Counts, PublicHistory, Sent, start
from ruse.verify.tree import VerifyError, check_odds, look_up
from ruse.verify.verifier import Verifier

if TYPE_CHECKING:
    from ruse.exploitation.response import Model
    from ruse.insight.proof_checker import ProofChecker

Odds = Callable[[str], Mapping[str, Fraction]]  # representative position -> move there -> odds
Masses = dict[Counts, Fraction]
ORDERS = ("pass", "sabotage")


def missions_at(table: Table, odds: Odds, public: PublicHistory) -> dict[Sent, Fraction]:
    """The resistance's odds at a position, checked: classes of missions with positive odds."""
    position = MissionHistory(None, public.done, None).text(table)
    shares = look_up(odds, position)
    size = table.missions[len(public.done)]
    missions: dict[Sent, Fraction] = {}
    for name, share in shares.items():
        try:
            mission = read_seats(name, table)
        except PositionError as error:
            raise VerifyError(f"{error}, at {position}") from error
        if len(mission) != size:
            raise VerifyError(f"expected a mission of {size} seats at {position}, got {name!r}")
        sent = public.sent(mission)
        representative = seats(public.members(sent))
        if name != representative:
            raise VerifyError(
                f"expected {representative!r} at {position}, which stands for that class of missions, got {name!r}"
            )
        if share:
            missions[sent] = share
    check_odds(shares, None, lambda: position)
    return missions


def _sabotage(odds: Odds, position: str) -> Fraction:
    """The odds that the spies fail a mission that is out, at a position where they can."""
    shares = look_up(odds, position)
    check_odds(shares, ORDERS, lambda: position)
    return Fraction(shares.get("sabotage", 0))


def guarantee(table: Table, side: int, odds: Odds) -> Fraction:
    """The payoff to the resistance when the other side plays a best response to `side`'s strategy by class.

    `odds` is asked only for positions that the strategy itself can reach, each at most once.
    """
    if side == RESISTANCE:
        return 2 * LeastWins(table, odds).win(start(table), (table.spies,)) - 1
    return 2 * MostWins(table, odds, Guesses(table)).win() - 1


def bounds(table: Table, tables: tuple[StrategyTable, StrategyTable]) -> tuple[Fraction, Fraction]:
    """What the resistance's table guarantees at least, and the spies' table at most."""
    return guarantee(table, 0, tables[0].__getitem__), guarantee(table, 1, tables[1].__getitem__)


def certificate_by_class(table: Table, tables: tuple[StrategyTable, StrategyTable]) -> Certificate:
    """Certify strategies by class, whose positions are all legal as a solver has written them."""
    return Certificate(*bounds(table, tables), GAME_VERIFIER)


class ResistanceVerifier(Verifier[Resistance]):
    """Tables by class are checked class by class, at any size; tables seat by seat are walked."""

    def __init__(self, game: Resistance, by_class: bool = True) -> None:
        super().__init__(game, by_class)
        self.proof = GAME_VERIFIER if by_class else RULES

    def check_size(self) -> None:
        pass  # who has solved a table seat by seat can walk it

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        if not self.by_class:
            return super().guarantee(side, table)
        return guarantee(self.game.table, side, table.__getitem__)

    def score(self, side: int, lookup: Lookup) -> Fraction:
        moves = self.game.representative_moves
        return guarantee(self.game.table, side, lambda position: lookup(position, moves(position, side)))

    def check_positions(self, side: int, table: StrategyTable) -> None:
        if not self.by_class:
            super().check_positions(side, table)
            return
        for position, odds in table.items():
            check_entry(self.game.table, side, position, odds)


def check_entry(table: Table, side: int, position: str, odds: Mapping[str, Fraction]) -> None:
    """Check an entry of a strategy, reached or not: a representative position of that side, and moves that it has
    there.

    Once a side has two points the spies' strategy is to sabotage whenever they can; an entry may not say otherwise.
    """
    try:
        read = read_position(table, position)
    except PositionError as error:
        raise VerifyError(f"{error}, in the strategy of {ResistanceRules.sides[side]}") from error
    mover = RESISTANCE if read.out is None else 1 - RESISTANCE
    named = read.spies is not None
    if side != mover or named == (side == RESISTANCE) or POINTS_TO_WIN in read.score:
        raise VerifyError(f"expected positions where {moving(ResistanceRules.sides[side])}, got {position!r}")
    if read.renamed(read.names(table.players)) != read:
        raise VerifyError(f"expected representative positions, got {position!r}")
    if side == RESISTANCE:
        public = start(table)
        for mission, passed in read.done:
            public = public.after(public.sent(mission), passed)
        missions_at(table, lambda _: odds, public)
        return
    check_odds(odds, ORDERS, lambda: position)
    aboard = len(set(read.out or ()).intersection(read.spies or ()))
    if aboard < table.sabotages[len(read.done)]:
        raise VerifyError(f"expected positions where enough spies are aboard to decide, got {position!r}")
    if POINTS_TO_WIN - 1 in read.score and odds.get("sabotage") != 1:
        raise VerifyError(f"expected a sabotage at {position}, where a side has two points, got {dict(odds)}")


class LeastWins:
    """How often the resistance wins against spies who know its strategy.

    The spies see everything but the dice, so their best answer needs no beliefs: with q the odds of a
    class of missions and the member drawn at random, w(h, spies) = sum of q * min(w(pass), w(fail)).
    """

    def __init__(self, table: Table, odds: Odds) -> None:
        self.table, self._odds = table, odds
        self._missions: dict[PublicHistory, dict[Sent, Fraction]] = {}
        self._after: dict[tuple[PublicHistory, Sent], tuple[PublicHistory, PublicHistory]] = {}
        self._wins: dict[tuple[PublicHistory, Counts], Fraction] = {}

    def missions(self, public: PublicHistory) -> dict[Sent, Fraction]:
        """What is sent at a position."""
        if public not in self._missions:
            self._missions[public] = missions_at(self.table, self._odds, public)
        return self._missions[public]

    def after(self, public: PublicHistory, sent: Sent) -> tuple[PublicHistory, PublicHistory]:
        """Where a mission leads that passes, and one that fails."""
        if (public, sent) not in self._after:
            self._after[public, sent] = public.after(sent, True), public.after(sent, False)
        return self._after[public, sent]

    def win(self, public: PublicHistory, spies: Counts) -> Fraction:
        """Against spies of a class."""
        tick()
        passed, failed = public.score
        if POINTS_TO_WIN in (passed, failed):
            return Fraction(passed == POINTS_TO_WIN)
        if (public, spies) not in self._wins:
            missions = self.missions(public).items()
            self._wins[public, spies] = sum(
                (share * self.win_sent(public, sent, spies) for sent, share in missions), Fraction(0)
            )
        return self._wins[public, spies]

    def win_sent(self, public: PublicHistory, sent: Sent, spies: Counts) -> Fraction:
        """How often the resistance wins against spies of a class once a class of missions is sent."""
        fails = self.table.sabotages[len(public.done)]
        good, bad = self.after(public, sent)
        won = Fraction(0)
        for aboard, ways, counts in public.splits(sent, spies):
            worst = self.win(good, counts)
            if aboard >= fails:
                worst = min(worst, self.win(bad, counts))
            if worst:
                won += ways * worst
        return won / prod(comb(cell, count) for cell, count in zip(public.cells, sent, strict=True))


class MostWins:
    """How often a resistance that knows the spies' strategy wins.

    `masses` holds, for one spy set of each class, the odds that it was dealt and made the history h:
    u(h) = max over missions of u(h, pass) + u(h, fail). A class that splits hands its mass on unchanged.
    """

    def __init__(self, table: Table, odds: Odds, guesses: Guesses) -> None:
        self.table, self._odds, self.guesses = table, odds, guesses
        self.dealt: Masses = {(table.spies,): Fraction(1, table.spy_sets)}
        self._most: dict[PublicHistory, Fraction] = {}

    def win(self) -> Fraction:
        return self.most(start(self.table), self.dealt)

    def most(self, public: PublicHistory, masses: Mapping[Counts, Fraction]) -> Fraction:
        """From a position on, with the masses that come there."""
        if not masses:
            return Fraction(0)
        if public not in self._most:
            sendings = public.sendings(self.table.missions[len(public.done)])
            self._most[public] = (
                self.guesses.win(public, masses)
                if POINTS_TO_WIN - 1 in public.score
                else max(self.sent(public, sent, masses) for sent in sendings)
            )
        return self._most[public]

    def sent(self, public: PublicHistory, sent: Sent, masses: Mapping[Counts, Fraction]) -> Fraction:
        """The most once a class of missions is sent."""
        passing, failing = handed_on(self.table, self._odds, public, sent, masses)
        return self.most(public.after(sent, True), passing) + self.most(public.after(sent, False), failing)

    def handed_on(self, public: PublicHistory, sent: Sent, masses: Mapping[Counts, Fraction]) -> tuple[Masses, Masses]:
        return handed_on(self.table, self._odds, public, sent, masses)


def handed_on(
    table: Table, odds: Odds, public: PublicHistory, sent: Sent, masses: Mapping[Counts, Fraction]
) -> tuple[Masses, Masses]:
    """The masses that spies let pass, and those that they fail, of a mission while neither side has two points."""
    tick()
    fails = table.sabotages[len(public.done)]
    passing: Masses = {}
    failing: Masses = {}
    for spies, mass in masses.items():
        for aboard, _, counts in public.splits(sent, spies):
            share = Fraction(0)
            if aboard >= fails:
                share = _sabotage(odds, spies_position(table, public, sent, counts))
            if share < 1:
                passing[counts] = mass * (1 - share)
            if share > 0:
                failing[counts] = mass * share
    return passing, failing


def spies_position(table: Table, public: PublicHistory, sent: Sent, spies: Counts) -> str:
    """What spies of a class know, whose cells are those once a mission is out."""
    return MissionHistory(public.after(sent, True).members(spies), public.done, public.members(sent)).text(table)


def proof_checker(game: Resistance) -> ProofChecker:
    """What certificates of insight are checked against."""
    from ruse.games.resistance.insight_check import ResistanceProofChecker

    return ResistanceProofChecker(game)


def seat_policy(game: ResistanceRules, side: int, odds: Odds) -> Policy:
    """A strategy by class as a policy over the rules seat by seat.

    A class of missions is spread evenly over its members. To sabotage, exactly as many spies as it takes
    do so, the first in seat order. What the other side did counts only by which missions it failed.
    """
    table = game.table

    def history(state: State) -> tuple[tuple[Seats, bool], ...]:
        return tuple(
            (mission.seats, sum(mission.cards) < fails)
            for mission, fails in zip(state.done, table.sabotages, strict=False)
        )

    @cache
    def missions(done: tuple[tuple[Seats, bool], ...]) -> dict[Move, Fraction]:
        position = MissionHistory(None, done, None)
        names = position.names(table.players)
        public = start(table)
        for mission, passed in position.renamed(names).done:
            public = public.after(public.sent(mission), passed)
        shares = missions_at(table, odds, public)
        members: dict[Sent, list[Seats]] = {sent: [] for sent in shares}
        for mission in combinations(range(table.players), table.missions[len(done)]):
            sent = public.sent(tuple(names[seat] for seat in mission))
            if sent in members:
                members[sent].append(mission)
        return {mission: shares[sent] / len(alike) for sent, alike in members.items() for mission in alike}

    @cache
    def sabotage(spies: Seats, done: tuple[tuple[Seats, bool], ...], out: Seats) -> Fraction:
        position = MissionHistory(spies, done, out)
        fails = table.sabotages[len(done)]
        if len(set(spies).intersection(out)) < fails:
            return Fraction(0)
        if POINTS_TO_WIN - 1 in position.score:
            return Fraction(1)
        return _sabotage(odds, position.renamed(position.names(table.players)).text(table))

    def policy(state: State) -> Mapping[Move, Fraction]:
        if side == RESISTANCE:
            return missions(history(state))
        cards = state.out.cards
        share = sabotage(state.spies, history(state), state.out.seats)
        if cards:  # the first card has shown which of the two it is; enough cards make a sabotage
            share = Fraction(cards[0] == SABOTAGE and len(cards) < table.sabotages[len(state.done)])
        return {PASS: 1 - share, SABOTAGE: share}

    return policy


def evaluate(game: Resistance, side: int, table: StrategyTable, model: Model) -> tuple[Fraction, Fraction, str]:
    """What a strategy that sees the number of sabotages guarantees, and gets against a model, as payoffs."""
    from ruse.games.resistance.exploit_verify import Evaluation
    from ruse.games.resistance.spies_model import model_in

    if side != RESISTANCE:
        raise VerifyError(f"expected a strategy of the resistance in {game.title}, got one of the spies")
    evaluation = Evaluation(game.table, table, model_in(game.table, model.fields, model.table))
    return 2 * evaluation.guarantee() - 1, 2 * evaluation.wins() - 1, GAME_VERIFIER


verifier = ResistanceVerifier
