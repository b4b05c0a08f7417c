"""What a table of The Resistance may believe after an evening's missions, and what to send next.

*Facts.* k sabotages at once prove that at least k spies were aboard; every deal of spies that fits is as likely as any.

*Slips.* The spies aboard carry out an order of their stored strategy, to pass or to show just enough sabotages; each of
them slips with probability e, and then plays either card evenly (ruse.games.resistance.insight_beliefs). e = 0 are the
solved spies, e = 1 leaves cards drawn at random, which is not the same as the bare facts. Where e = 0 makes the evening
impossible, the limit from above is shown: with d of the a aboard ordered to sabotage and k sabotages shown, |k - d|
slips, each of odds e/2, by any of those who can have made them. The fewest slips count.

*Advice.* Values are those of ruse.games.resistance.evaluator, with the counts of sabotages among the facts: so far the
spies may have slipped, from here on they follow their stored strategy. The resistance goes on with a best response to
that everywhere. Its stored strategy is a best response where no spy has slipped, but need not be one elsewhere, and
costs that use the stored strategy after some missions and best responses after others cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.core.game import GameError
from ruse.core.types import StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, Place, before, gathered
from ruse.games.resistance.companion_record import Evening, OwnSeat, Seats
from ruse.games.resistance.evaluator import Evaluator, Likely
from ruse.games.resistance.insight_beliefs import shown
from ruse.games.resistance.notation import listed
from ruse.games.resistance.rules import RESISTANCE, ResistanceRules
from ruse.games.resistance.table import OFFICIAL, Table, make_table

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution

NOTHING, ALL = Fraction(0), Fraction(1)
SEATS = "ruse.games.evening.part"  # people and bots on seats of their own
MOST_WORK = 2_000_000  # teams times deals of a mission, for advice
Tables = tuple[StrategyTable, StrategyTable]
Solve = Callable[[Mapping[str, object]], "Solution"]  # from the parameters of a table


@dataclass(frozen=True)
class SpyOdds:
    """Who may be a spy."""

    seats: tuple[Fraction, ...]  # how likely each seat is one
    deals: int  # sets of spies that the facts allow
    slips: int  # that the spies made at least, where none are allowed for; else 0


@dataclass(frozen=True)
class MissionAdvice:
    """A mission that may come next, and all that are like it to whoever asks."""

    team: Seats
    gloss: str  # "Ann and 2 of Ben/Cleo/Dan"
    win: Fraction  # how often the resistance wins if it is sent
    loss: Fraction  # less than the best one
    sent: Fraction  # how often the stored strategy sends a mission like this
    risk: Fraction  # how likely enough spies are aboard to fail it
    fails: Fraction  # how likely they do
    proved: int  # how many of the team are spies by the facts alone
    price: Fraction | None = None  # what it costs to send it whenever this position comes; ruse insight finds it


@dataclass(frozen=True)
class Order:
    """What spies who know each other can do about a team."""

    aboard: int
    sabotage: Fraction  # how often the stored strategy fails it
    passing: Fraction  # how often the resistance wins if it passes
    failing: Fraction | None  # and if it fails; None where too few are aboard


class After(Evaluator):
    """Worths after an evening, whose counts of sabotages say more than passed and failed."""

    def __init__(self, table: Table, tables: Tables, cells: Cells, base: Mapping[Counts, Likely]) -> None:
        super().__init__(table, tables)
        self._done, self._base = len(cells.results), base

    def listed(self, cells: Cells) -> bool:
        """False: the best missions follow everywhere, whether the stored strategy says what to send or not."""
        return False

    def missions(self, cells: Cells) -> dict[Counts, Fraction]:
        """The best missions: those that the stored strategy sends, if there are such, or the first."""
        odds = self._missions.get(cells)
        if odds is None:
            worths, stored = self.values(cells), self.stored_missions(cells)
            best = max(worths.values())
            kept = {mission: share for mission, share in stored.items() if worths[mission] == best}
            total = sum(kept.values(), NOTHING)
            odds = {mission: share / total for mission, share in kept.items()}
            self._missions[cells] = odds = odds or {max(worths, key=worths.__getitem__): ALL}
        return odds

    def fitting(self, cells: Cells) -> Iterator[Counts]:
        return (spies for spies in super().fitting(cells) if self._at_first(cells, spies) in self._base)

    def _at_first(self, cells: Cells, spies: Counts) -> Counts:
        """The class of spies by the cells at the end of the evening."""
        if not self._done:
            return (self.table.spies,)
        return gathered(spies, before(cells, self._done - 1)[1])

    def _begun(self, cells: Cells, spies: Counts) -> tuple[int, Likely]:
        return self._done, self._base[self._at_first(cells, spies)]


class ResistanceCompanion:
    """All that can be said at one moment of an evening. Without strategies: facts, and slips at e = 1."""

    def __init__(self, evening: Evening, tables: Tables | None = None) -> None:
        self.evening, self.table, self.tables = evening, evening.table, tables
        self.place = Place(self.table, evening.position, RESISTANCE)
        self._sent: dict[Seats, Place] = {}

    # Who may be a spy.

    @cached_property
    def deals(self) -> list[Seats]:
        return self.evening.deals()

    def allowed(self, role: OwnSeat | None = None) -> list[Seats]:
        """The deals that fit the facts and what somebody knows of their own seat."""
        return [spies for spies in self.deals if role is None or role.fits(spies)]

    def facts(self, role: OwnSeat | None = None) -> SpyOdds:
        """By counting alone."""
        allowed = self.allowed(role)
        return SpyOdds(self._by_seat(dict.fromkeys(allowed, ALL)), len(allowed), 0)

    def beliefs(self, slip: Fraction, role: OwnSeat | None = None) -> SpyOdds:
        """Against the stored spies, who slip with that probability."""
        allowed = self.allowed(role)
        slips, weights = self._weights(allowed, slip)
        return SpyOdds(self._by_seat(weights), len(allowed), slips)

    def _weights(self, allowed: Sequence[Seats], slip: Fraction) -> tuple[int, dict[Seats, Fraction]]:
        """The fewest slips that a deal needs, and the weights of deals; without slips, of those that need so few."""
        likely = {spies: self._likely(spies, slip) for spies in allowed}
        least = min(slips for slips, _ in likely.values())
        return least, {spies: weight for spies, (slips, weight) in likely.items() if slips == least}

    def _by_seat(self, weights: Mapping[Seats, Fraction]) -> tuple[Fraction, ...]:
        total = sum(weights.values(), NOTHING)
        return tuple(
            sum((weight for spies, weight in weights.items() if seat in spies), NOTHING) / total
            for seat in range(self.table.players)
        )

    def _likely(self, spies: Seats, slip: Fraction) -> Likely:
        """The odds of what the missions showed; as slips become rare, how many there were, and the odds of all else."""
        slips, weight = 0, ALL
        for number, mission in enumerate(self.evening.rounds):
            cards, count, needed = aboard(mission.team, spies), mission.sabotages, self.table.sabotages[number]
            share = self._sabotage(number, spies) if slip < 1 else NOTHING  # random cards follow no order
            orders = [(ordered, odds) for ordered, odds in ((0, 1 - share), (needed, share)) if odds]
            if slip:
                weight *= sum((odds * shown(ordered, cards, slip)[count] for ordered, odds in orders), NOTHING)
            else:
                more, rest = fewest_slips(orders, cards, count)
                slips, weight = slips + more, weight * rest
        return slips, weight

    def _sabotage(self, number: int, spies: Seats) -> Fraction:
        """The odds that spies who follow their strategy failed a mission."""
        out, names = self._outs[number]
        return self._stored.sabotage(out, out.counts([names[seat] for seat in spies]))

    @cached_property
    def _outs(self) -> list[tuple[Cells, dict[int, int]]]:
        """For each mission, the cells while it was out and what the seats are called there."""
        outs = []
        for number, (team, _) in enumerate(self.evening.position.done):
            place = Place(
                self.table, notation.MissionHistory(None, self.evening.position.done[:number], team), RESISTANCE
            )
            outs.append((place.cells, place.names))
        return outs

    @cached_property
    def _stored(self) -> Evaluator:
        assert self.tables is not None, "beliefs below e = 1 need a strategy"
        return Evaluator(self.table, self.tables)

    def odd_counts(self) -> list[int]:
        """Missions that showed another number of sabotages than solved spies ever show."""
        rounds = zip(self.evening.rounds, self.table.sabotages, strict=False)
        return [number for number, (round, fails) in enumerate(rounds) if round.sabotages not in (0, fails)]

    # What to send.

    @cached_property
    def after(self) -> Evaluator:
        """Worths from here on, if the spies may have slipped so far as the evening says, and slip no more."""
        assert self.tables is not None, "advice needs a strategy"
        base = {self.place.counts(spies): self._likely(spies, self.evening.slip) for spies in self.deals}
        return After(self.table, self.tables, self.place.cells, base)

    @property
    def advises(self) -> bool:
        """Whether there is a strategy to advise by, and the table is small enough to search."""
        teams = max(comb(self.table.players, size) for size in self.table.missions)
        return self.tables is not None and teams * self.table.spy_sets <= MOST_WORK

    @property
    def listed(self) -> bool:
        """Whether the stored strategy itself comes here."""
        return bool(self.after.stored_missions(self.place.cells))

    def missions(self, role: OwnSeat | None = None) -> list[MissionAdvice]:
        """One mission of each sort that whoever asks can tell apart, the best for the resistance first.

        Of several that are as good, those with fewer proved spies come first, then the stored strategy's own. What each
        is worth given what they know of their own seat, if the spies then follow their strategy and the resistance
        replies as well as it can, neither of which knows it.
        """
        if self.evening.over or not self.advises:
            return []
        _, weights = self._weights(self.allowed(role), self.evening.slip)
        total, size = sum(weights.values(), NOTHING), self.table.missions[len(self.evening.rounds)]
        sorts: dict[tuple[object, ...], Seats] = {}
        groups = self._groups(role)
        for team in combinations(range(self.table.players), size):
            sorts.setdefault(tuple(len(set(group).intersection(team)) for group in groups), team)
        sent = self.after.stored_missions(self.place.cells)
        worths = {
            team: sum((weight * self.win_out(team, spies) for spies, weight in weights.items()), NOTHING) / total
            for team in sorts.values()
        }
        best, needed = max(worths.values()), self.table.sabotages[len(self.evening.rounds)]
        advice, proved = [], self.facts(role).seats
        for team, win in worths.items():
            risk = sum((weight for spies, weight in weights.items() if aboard(team, spies) >= needed), NOTHING) / total
            fails = sum((weight * self.sabotage(team, spies) for spies, weight in weights.items()), NOTHING) / total
            often = sent.get(self.place.counts(team), NOTHING)
            spies = sum(proved[seat] == 1 for seat in team)
            advice.append(MissionAdvice(team, self._gloss(groups, team), win, best - win, often, risk, fails, spies))
        return sorted(
            advice, key=lambda mission: (mission.loss, mission.proved, -mission.sent, mission.risk, mission.team)
        )

    def win_after_failure(self, team: Seats, role: OwnSeat | None = None) -> Fraction:
        """How often the resistance wins once a team has failed, which it has to be able to."""
        _, weights = self._weights(self.allowed(role), self.evening.slip)
        total = won = NOTHING
        for spies, weight in weights.items():
            order = self.order(team, spies)
            if order.failing is not None:
                total += weight * order.sabotage
                won += weight * order.sabotage * order.failing
        return won / total

    def _groups(self, role: OwnSeat | None) -> list[list[int]]:
        """Seats that are alike to whoever asks: the same record, and nothing known of them."""
        known = () if role is None else (role.seat, *role.partners)
        groups: dict[object, list[int]] = {}
        for seat in range(self.table.players):
            mark = 2 if role is not None and seat == role.seat else int(seat in known)
            groups.setdefault((self.place.cell_of(seat), mark), []).append(seat)
        return list(groups.values())

    def _gloss(self, groups: list[list[int]], team: Seats) -> str:
        """Which missions one stands for: "Ann, Ben and 2 of Dan/Eve/Finn"."""
        if len(groups) == 1 and len(team) < len(groups[0]):
            return f"any {len(team)}"
        parts = []
        for group in groups:
            named = [self.evening.names[seat] for seat in group]
            count = aboard(team, tuple(group))
            if count == len(group):
                parts += named
            elif count:
                parts.append(f"{count} of {'/'.join(named)}")
        return listed(parts)

    def win_out(self, team: Seats, spies: Seats) -> Fraction:
        """How often the resistance wins if this team goes and these are the spies."""
        out, counts = self._out(team, spies)
        return self.after.win_out(out, counts)

    def sabotage(self, team: Seats, spies: Seats) -> Fraction:
        """How often these spies fail this team."""
        return self.after.sabotage(*self._out(team, spies))

    def _out(self, team: Seats, spies: Seats) -> tuple[Cells, Counts]:
        place = self._sent.get(team)
        if place is None:
            out = notation.MissionHistory(None, self.evening.position.done, team)
            place = self._sent[team] = Place(self.table, out, RESISTANCE)
        return place.cells, place.counts(spies)

    def order(self, team: Seats, spies: Seats) -> Order:
        """What these spies can do about a team, and what the stored strategy does."""
        out, counts = self._out(team, spies)
        number = len(self.evening.rounds)
        can_fail = aboard(team, spies) >= self.table.sabotages[number]
        return Order(
            aboard(team, spies),
            self.sabotage(team, spies),
            self.after.win(out.then("+"), counts),
            self.after.win(out.then("-"), counts) if can_fail else None,
        )


def fewest_slips(orders: Sequence[tuple[int, Fraction]], cards: int, count: int) -> Likely:
    """How many slips at least make so many sabotages of spies under one of these orders, and the odds of all else.

    A slip has odds of e/2, and any spy aboard with the other order may have made it.
    """
    least = min(abs(count - ordered) for ordered, _ in orders)
    odds = NOTHING
    for ordered, share in orders:
        others = cards - ordered if count > ordered else ordered
        if abs(count - ordered) == least:
            odds += share * Fraction(comb(others, least), 1 << least)
    return least, odds


def aboard(team: Seats, spies: Seats) -> int:
    return len(set(team).intersection(spies))


def solved(solution: Solution) -> tuple[Table, Tables]:
    """The table and the strategies of a solution, if they are by class, as advice needs them."""
    game = solution.game
    if not isinstance(game, ResistanceRules) or not solution.by_class:
        raise GameError(f"expected a solution of resistance with its reductions on, got {solution!r}")
    return game.table, solution.tables


def packed(solution: Solution) -> dict[str, Any]:
    """Both strategies as companion-engine.js reads them: of the spies, what they do on each mission, and exceptions."""
    table, tables = solved(solution)
    cut = len(table.title)
    shares: list[dict[str, Fraction]] = [{} for _ in table.missions]
    for position, odds in tables[1].items():
        shares[position.count("/") - 1][position[cut:]] = Fraction(odds.get("sabotage", 0))
    usual = [_commonest(list(here.values())) for here in shares]
    return {
        "table": table.parameters,
        "resistance": {
            position[cut:]: {team: float(share) for team, share in odds.items() if share}
            for position, odds in tables[0].items()
        },
        "usual": [float(share) for share in usual],
        "spies": {
            position: float(share)
            for here, most in zip(shares, usual, strict=True)
            for position, share in here.items()
            if share != most
        },
    }


def official() -> dict[int, dict[str, object]]:
    """The tables of the rule book, by their number of players."""
    return {players: make_table(players).parameters for players in OFFICIAL}


def habits() -> dict[str, Any]:
    """How people play, as companion-people.js reads it."""
    from ruse.people.model import model

    return model().packed()


def _commonest(shares: list[Fraction]) -> Fraction:
    """The one that is there most often; once a side has two points nothing is listed, and spies sabotage."""
    return max(set(shares), key=lambda share: (shares.count(share), share), default=ALL)


def converse(
    game: ResistanceRules, source: Path | None, names: Sequence[str], slip: str | None, as_json: bool, solve: Solve
) -> int:
    """`ruse companion`: an evening in the terminal, or all that can be said of one as JSON."""
    from ruse.games.resistance.companion_terminal import converse

    return converse(game, source, names, slip, as_json, solve)


def holds_record(source: Path) -> bool:
    """Whether a file is a record of proposals and votes."""
    from ruse.games.resistance.companion_people import holds_record

    return holds_record(source)


def assess(
    source: Path, seat: str | None, role: str | None, model: str | None, slip: str | None, as_json: bool, solve: Solve
) -> int:
    """`ruse companion --from FILE --seat c`: what somebody may believe after each mission."""
    from ruse.games.resistance.companion_people import assess

    return assess(source, seat, role, model, slip, as_json, solve)
