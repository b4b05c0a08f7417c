"""What certificates of insight into The Resistance are checked against: the classes of verify.py, and best responses.

Nothing here is shared with the programs that find insight. A plan of the spies is what one spy set of each class lets
happen: a class has a mass, 1 at the start, which is handed on unchanged where the class splits, and divided between a
pass and a failure where the spies decide. A plan of the resistance is what it sends, by class, whatever the spies do.

Each certificate is about a best response to a strategy, with a bonus (ruse.insight.model). The bonus stands at one
position, so only the way there is computed again: beside it every position is worth what it is without a bonus.

Once a side has two points the spies sabotage whenever they can, as everywhere (verify.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from ruse.core.game import PositionError
from ruse.core.types import StrategyTable
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.insight_answers import ALL, NONE, Bonus, CheckedPosition, ResistanceAnswer, SpiesAnswer
from ruse.games.resistance.notation import MissionHistory, read, read_seats, seats
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.games.resistance.verify import ORDERS, Masses, handed_on, missions_at, spies_position
from ruse.games.resistance.verify_endgames import Guesses
from ruse.games.resistance.verify_public import Counts, PublicHistory, Sent, start
from ruse.insight.memory import Key
from ruse.insight.proof_checker import Pinned
from ruse.verify.tree import VerifyError, check_odds

FACT = re.compile(r"(?:(?P<seat>[a-z]) is a spy|(?P<team>[a-z]+) are the spies)(?:, (?P<loyal>[a-z]+) loyal)?")


class ResistanceProofChecker:
    """ProofChecker (ruse.insight.proof_checker) by class."""

    def __init__(self, game: Resistance) -> None:
        self.game, self.table = game, game.table
        self._guesses = Guesses(game.table)
        self._answers: dict[int, tuple[StrategyTable, SpiesAnswer]] = {}  # by the object, which is kept with it
        self._replies: dict[int, tuple[StrategyTable, ResistanceAnswer]] = {}

    def owner(self, key: Key) -> int:
        return SPIES if key.kind == "belief" else key.side

    def moves(self, side: int, position: str) -> Sequence[str]:
        try:
            asked = self._read(position, side, "")
        except VerifyError:
            return []
        if side == SPIES:
            return ORDERS if asked.spies is not None else []
        missions = asked.public.sendings(self.table.missions[len(asked.public.done)])
        return [seats(asked.public.members(sent)) for sent in missions] if asked.out is None else []

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        if side == RESISTANCE:
            return 2 * self._to_resistance(table).wins.win(start(self.table), (self.table.spies,)) - 1
        return 1 - 2 * self._to_spies(table).wins.win()

    def best(self, key: Key, answer: StrategyTable) -> Fraction:
        asked = self._asked(key)
        if key.side == RESISTANCE:
            return self._to_spies(answer).most(asked, ALL, {asked.name: NONE}, None) - 1
        forbidden = {order: None for order in ORDERS if order != asked.name}
        return 1 - self._to_resistance(answer).least(asked, ALL, lambda _: NONE, forbidden)

    def always(self, key: Key, table: StrategyTable) -> bool:
        share = self.share(key, table)
        return share is None or share == 1

    def share(self, key: Key, table: StrategyTable) -> Fraction | None:
        asked = self._asked(key)
        if key.kind == "belief":
            return self._belief(key, asked, table)
        if key.side == RESISTANCE:
            for public, sent, _ in asked.way:
                if not missions_at(self.table, table.__getitem__, public).get(sent):
                    return None
            sent = asked.public.sent(read_seats(asked.name, self.table))
            return missions_at(self.table, table.__getitem__, asked.public).get(sent, NONE)
        assert asked.spies is not None and asked.out is not None
        if not dict(self._masses(asked, table)).get(asked.spies):
            return None
        check_odds(table[key.position], ORDERS, lambda: key.position)
        return Fraction(table[key.position].get(asked.name, 0))

    def slack(
        self, key: Key, sign: int, end: Fraction, weight: Fraction, value: Fraction, answer: StrategyTable
    ) -> Fraction:
        asked = self._asked(key)
        if key.kind == "belief":
            weights = self._weights(key, asked)

            def bonus(spies: Counts) -> Fraction:
                inside, every = weights[spies]
                return sign * (inside - end * every)

            return self._to_resistance(answer).least(asked, weight, bonus, {}) + weight * (value - 1)
        if key.side == RESISTANCE:
            chosen = {asked.name: -sign * (1 - end)}
            return weight * (value + 1) - self._to_spies(answer).most(asked, weight, chosen, sign * end)
        orders = {asked.name: Fraction(sign)}
        least = self._to_resistance(answer).least(asked, weight, _of(asked, -sign * end), orders)
        return least + weight * (value - 1)

    def absence(self, key: Key, weight: Fraction, value: Fraction, answer: StrategyTable) -> Fraction:
        asked = self._asked(key)
        if key.kind == "belief":
            weights = self._weights(key, asked)
            least = self._to_resistance(answer).least(asked, weight, lambda spies: -Fraction(weights[spies][1]), {})
            return least + weight * (value - 1)
        if key.side == RESISTANCE:
            return weight * (value + 1) - self._to_spies(answer).most(asked, weight, {}, ALL)
        return self._to_resistance(answer).least(asked, weight, _of(asked, -ALL), {}) + weight * (value - 1)

    def differ(self, side: int, strategy: StrategyTable, other: StrategyTable) -> bool:
        first, second = (dict(self._reached(side, table)) for table in (strategy, other))
        return any(first[position] != second[position] for position in first.keys() & second.keys())

    def only(self, side: int, table: StrategyTable, answer: StrategyTable, pinned: Pinned) -> bool:
        """All best answers to the answer make only the moves of the strategy, and those as often, where it mixes."""
        for position, odds in self._reached(side, table):
            moves = self.moves(side, position) if side == RESISTANCE else [move for move in odds if odds[move]]
            if sum(not pinned(Key("move", side, position, move)) for move in moves) > 1:
                return False
        return side == RESISTANCE or not self._to_resistance(answer).strays(table)

    def freedom(self, side: int, answer: StrategyTable) -> None:
        """Nothing here counts dimensions."""

    # Reading keys.

    def _read(self, position: str, side: int, name: str) -> CheckedPosition:
        try:
            history = read(self.table, position)
        except PositionError as error:
            raise VerifyError(str(error)) from error
        public, way = start(self.table), list[tuple[PublicHistory, Sent, bool]]()
        for mission, passed in history.done:
            sent = public.sent(mission)
            way.append((public, sent, passed))
            public = public.after(sent, passed)
        out = None if history.out is None else public.sent(history.out)
        spies = None
        if history.spies is not None and out is not None:
            spies = public.after(out, True).sent(history.spies)
        asked = CheckedPosition(way, public, out, spies, name)
        if self._written(asked) != position or POINTS_TO_WIN in public.score or (side == SPIES) != (spies is not None):
            raise VerifyError(f"expected representative positions of {self.game.sides[side]}, got {position!r}")
        return asked

    def _written(self, asked: CheckedPosition) -> str:
        if asked.out is not None and asked.spies is not None:
            return spies_position(self.table, asked.public, asked.out, asked.spies)
        out = None if asked.out is None else asked.public.members(asked.out)
        return MissionHistory(None, asked.public.done, out).text(self.table)

    def _asked(self, key: Key) -> CheckedPosition:
        asked = self._read(key.position, key.side, key.name)
        if key.kind != "belief" and key.name not in self.moves(key.side, key.position):
            raise VerifyError(f"expected a move of {self.game.title}, got {key.name!r} at {key.position!r}")
        if asked.spies is not None and asked.out is not None:
            aboard = set(asked.public.members(asked.out)).intersection(
                asked.public.after(asked.out, True).members(asked.spies)
            )
            too_few = len(aboard) < self.table.sabotages[len(asked.public.done)]
            if too_few or POINTS_TO_WIN - 1 in asked.public.score:
                raise VerifyError(f"expected a position where spies decide, got {key.position!r}")
        return asked

    def _weights(self, key: Key, asked: CheckedPosition) -> dict[Counts, tuple[int, int]]:
        """Of each class of spy sets at a position: how many of them the fact is true of, and how many are possible."""
        fact = FACT.fullmatch(key.name)
        if fact is None or key.side != RESISTANCE:
            raise VerifyError(f"expected a hidden fact of {self.game.title}, got {key.name!r} at {key.position!r}")
        try:
            inside = set(read_seats(fact["seat"] or fact["team"], self.table))
            loyal = set(read_seats(fact["loyal"], self.table)) if fact["loyal"] else set[int]()
        except PositionError as error:
            raise VerifyError(str(error)) from error
        cells = asked.public if asked.out is None else asked.public.after(asked.out, True)
        weights = {cells.sent(spies): (0, 0) for spies in combinations(range(self.table.players), self.table.spies)}
        for spies in combinations(range(self.table.players), self.table.spies):
            if loyal.isdisjoint(spies):
                true, every = weights[cells.sent(spies)]
                weights[cells.sent(spies)] = true + inside.issubset(spies), every + 1
        return weights

    # Plans of the spies.

    def _masses(self, asked: CheckedPosition, table: StrategyTable) -> Iterator[tuple[Counts, Fraction]]:
        """The mass that spies of each class have at a position, by the finer classes of a mission that is out."""
        masses: Masses = {(self.table.spies,): ALL}
        for public, sent, passed in asked.way:
            masses = self._result(table, public, sent, masses, passed)
        if asked.out is None:
            yield from masses.items()
            return
        for spies, mass in masses.items():
            for _, _, counts in asked.public.splits(asked.out, spies):
                yield counts, mass

    def _result(self, table: StrategyTable, public: PublicHistory, sent: Sent, masses: Masses, passed: bool) -> Masses:
        """The masses that let a mission pass, or that fail it; once a side has two points, all that can."""
        if POINTS_TO_WIN - 1 not in public.score:
            return handed_on(self.table, table.__getitem__, public, sent, masses)[0 if passed else 1]
        fails = self.table.sabotages[len(public.done)]
        return {
            counts: mass
            for spies, mass in masses.items()
            for aboard, _, counts in public.splits(sent, spies)
            if (aboard < fails) == passed
        }

    def _belief(self, key: Key, asked: CheckedPosition, table: StrategyTable) -> Fraction | None:
        weights = self._weights(key, asked)
        true = every = NONE
        for spies, mass in self._masses(asked, table):
            inside, possible = weights[spies]
            true, every = true + mass * inside, every + mass * possible
        return true / every if every else None

    def _reached(self, side: int, table: StrategyTable) -> Iterator[tuple[str, dict[str, Fraction]]]:
        """Where a strategy comes by its own moves, and what it does there."""
        stack: list[tuple[PublicHistory, Masses]] = [(start(self.table), {(self.table.spies,): ALL})]
        while stack:
            public, masses = stack.pop()
            if side == RESISTANCE:
                odds = missions_at(self.table, table.__getitem__, public)
                yield (
                    MissionHistory(None, public.done, None).text(self.table),
                    {seats(public.members(sent)): share for sent, share in odds.items()},
                )
                missions: Sequence[Sent] = list(odds)
                ended = POINTS_TO_WIN
            else:
                missions = list(public.sendings(self.table.missions[len(public.done)]))
                ended = POINTS_TO_WIN - 1
            for sent in missions:
                after = [masses, masses]
                if side == SPIES:
                    for position in self._decided(public, sent, masses):
                        yield position, dict(table[position])
                    after = list(handed_on(self.table, table.__getitem__, public, sent, masses))
                for passed, there in zip((True, False), after, strict=True):
                    then = public.after(sent, passed)
                    if ended not in then.score and there:
                        stack.append((then, there))

    def _decided(self, public: PublicHistory, sent: Sent, masses: Masses) -> Iterator[str]:
        """The positions where spies decide about a mission."""
        fails = self.table.sabotages[len(public.done)]
        for spies in masses:
            for aboard, _, counts in public.splits(sent, spies):
                if aboard >= fails:
                    yield spies_position(self.table, public, sent, counts)

    def _to_resistance(self, table: StrategyTable) -> SpiesAnswer:
        if id(table) not in self._answers:
            self._answers[id(table)] = table, SpiesAnswer(self.table, table)
        return self._answers[id(table)][1]

    def _to_spies(self, table: StrategyTable) -> ResistanceAnswer:
        if id(table) not in self._replies:
            self._replies[id(table)] = table, ResistanceAnswer(self.table, table, self._guesses)
        return self._replies[id(table)][1]


def _of(asked: CheckedPosition, bonus: Fraction) -> Bonus:
    """A bonus of the spies who are asked about."""
    return lambda spies: bonus if spies == asked.spies else NONE
