"""Why the resistance sends a mission, or the spies fail it, as often as they do.

Change a strategy at one position, so that it always makes one move there (and at all positions that are alike). What
the other side's best answer then gains is what the odds protect; it is never negative if the strategy is optimal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.game import PositionError, moving, possessive, with_article
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, Place, members, spy_splits
from ruse.games.resistance.evaluator import Evaluator, SpiesBestResponse
from ruse.games.resistance.rules import RESISTANCE, SPIES, ResistanceRules
from ruse.present.model import Option, Why

if TYPE_CHECKING:
    from ruse.games.resistance.view import ResistanceViewer

THE, THEIR = tuple(map(with_article, ResistanceRules.sides)), tuple(map(possessive, ResistanceRules.sides))


def why(viewer: ResistanceViewer, place: Place, move: str) -> Why:
    moves = place.read.out is None if place.side == RESISTANCE else place.read.out is not None
    if place.ended or not moves:
        raise PositionError(f"expected a position where {moving(ResistanceRules.sides[place.side])}, got {place.text}")
    options = viewer.at(place.text, place.side).options
    name, option = _find(viewer, place, move, options)
    ask = _Sent(viewer, place, name) if place.side == RESISTANCE else _Ordered(viewer, place, name)
    if len(options) == 1:
        return Why(f"{name} is the only move here.", ask.line, None)
    if not ask.comes:
        never = (
            f"{THEIR[place.side].capitalize()} strategy never reaches this position, so its guarantee does not depend "
            "on this."
        )
        return Why(f"{never} {_against(options, option, place.side)}", ask.line, None)
    if option.odds == 1:
        return Why(f"{name} is always played. {_against(options, option, place.side)}", ask.line, Fraction(0))
    gain = ask.after - ask.before if place.side == SPIES else ask.before - ask.after
    other = THE[1 - place.side]
    if gain > 0:
        wins = (rationals.percent(share if place.side == SPIES else 1 - share) for share in (ask.after, ask.before))
        then = f"{other} {ask.change} and win at least {next(wins)} of the games instead of {next(wins)}"
    else:
        then = f"{other} could gain nothing by it"
    return Why(
        f"{_begin(options, option, place.side)} If it always were, {then}.", ask.line, 2 * max(gain, Fraction(0))
    )


def _find(viewer: ResistanceViewer, place: Place, move: str, options: Sequence[Option]) -> tuple[str, Option]:
    """The option that a move is, or is alike."""
    name = move
    if place.side == RESISTANCE:
        mission = notation.read_seats(move, place.table)
        size = place.table.missions[len(place.read.done)]
        if len(mission) != size:
            raise PositionError(f"expected {size} seats on mission {len(place.read.done) + 1}, got {move!r}")
        name, move = notation.seats(mission), place.named(place.counts(mission))
    for option in options:
        if option.move == move:
            return name, option
    raise PositionError(f"expected {' or '.join(option.move for option in options)} at {place.text}, got {move!r}")


class _Sent:
    """If the resistance always sent a mission of one class at a position."""

    def __init__(self, viewer: ResistanceViewer, place: Place, name: str) -> None:
        self.evaluator, self.place, self.name = viewer.evaluator, place, name
        self.mission = place.counts(notation.read_seats(name, place.table))
        start = Cells.start(place.table), (place.table.spies,)
        self.comes = viewer.sent(place) > 0
        self.answers = SpiesBestResponse(place.table, self.missions)
        self.before = SpiesBestResponse(place.table, viewer.evaluator.missions).least(*start)
        self.after = self.answers.least(*start)
        self.line, self.change = self._follow()

    def missions(self, cells: Cells) -> Mapping[Counts, Fraction]:
        return {self.mission: Fraction(1)} if cells == self.place.cells else self.evaluator.missions(cells)

    def _follow(self) -> tuple[list[str], str]:
        """Positions from here on against the spies who gain most, and what these do otherwise than now."""
        place = self.place.then(f"{self.name}?")
        spies = self._worst(place)
        line, met = [self.place.text, place.text], []
        for before, mission in zip(self.place.earlier(), self.place.read.missions, strict=True):
            met.append(before.then(f"{notation.seats(mission)}?"))
        while True:
            met.append(place)
            place = place.ends(self._result(place, spies))
            line.append(place.text)
            if place.ended:
                changes = (self._change(out, spies) for out in met)
                return line, next(filter(None, changes), "would choose what to sabotage accordingly")
            missions = self.missions(place.cells)
            place = place.then(f"{place.named(max(missions, key=missions.__getitem__))}?")
            line.append(place.text)

    def _result(self, out: Place, spies: tuple[int, ...]) -> str:
        """How these spies let a mission end: as their strategy most often has it, if nothing is better."""
        counts = out.counts(spies)
        usual = "-" if 2 * self.evaluator.sabotage(out.cells, counts) > 1 else "+"
        return self.answers.result(out.cells, counts, usual)

    def _change(self, out: Place, spies: tuple[int, ...]) -> str:
        """What spies do about a mission otherwise than now, if anything."""
        result = self._result(out, spies)
        share = self.evaluator.sabotage(out.cells, out.counts(spies))
        odds = share if result == "-" else 1 - share
        if odds == 1:
            return ""
        order = "sabotage" if result == "-" else "pass"
        return f"would, say as {notation.seats(spies)}, always {order} at {_steps(out)} ({_now(odds)})"

    def _worst(self, out: Place) -> tuple[int, ...]:
        """A spy set of the class that can gain most, among those that may be dealt."""
        cells = out.cells
        gains = {
            spies: members(cells.sizes, spies)
            * self.evaluator.suspects(cells).odds(spies)
            * (self.evaluator.win_out(cells, spies) - self.answers.least_out(cells, spies))
            for spies in self.evaluator.suspects(cells).masses
        }
        worst = max(gains, key=gains.__getitem__)
        return notation.read_seats(out.letters(cells.first_seats(worst)), out.table)


class _Ordered:
    """If the spies always gave one order at a position and those alike."""

    def __init__(self, viewer: ResistanceViewer, place: Place, order: str) -> None:
        self.evaluator, self.place, self.order = viewer.evaluator, place, order
        position = place.cells.position(place.table, place.spies)
        spies = dict(viewer.solution.tables[SPIES])
        if position in spies:  # not where there is nothing to decide
            spies[position] = {"pass": Fraction(order == "pass"), "sabotage": Fraction(order == "sabotage")}
        self.comes = viewer.evaluator.dealt_and_played(place.cells, place.spies) > 0
        self.reply = Evaluator(place.table, ({}, spies))
        start = Cells.start(place.table)
        self.before = (1 + viewer.solution.certificate.upper) / 2
        self.after = self.reply.value(start)
        self.line, self.change = self._follow()

    def _follow(self) -> tuple[list[str], str]:
        """The spies' positions from here on against the best response, and where that leaves the stored strategy."""
        past = [*self.place.earlier(), self.place.back()]
        lines = list(self._lines(self.place.ends("+" if self.order == "pass" else "-")))
        for line in lines:
            for before in (*past, *line):
                if change := self._change(before):
                    return [self.place.text, *(place.text for place in line)], change
        return [self.place.text, *(place.text for place in lines[0])], self._change_elsewhere()

    def _change_elsewhere(self) -> str:
        """Where the best response first differs, on any way: that a mission passes tells more than it did."""
        level = [Place.at(self.place.table, self.place.table.title, RESISTANCE)]
        while level:
            following = []
            for place in level:
                if change := self._change(place):
                    return change
                mission = self._mission(place)
                out = place.then(f"{place.named(mission)}?")
                following += [out.ends(result) for result in self.reply.results(place.cells, mission)]
            level = [place for place in following if not place.ended]
        return "would go on as it does"

    def _lines(self, place: Place) -> Iterator[list[Place]]:
        """Every way that play may go on, by what the spies most often do first."""
        if place.ended:
            yield [place]
            return
        mission = self._mission(place)
        likely = max(spy_splits(place.cells, mission, place.spies), key=lambda split: split.ways)
        out = place.then(f"{place.named_with(mission, likely.aboard)}?")
        share = self.reply.sabotage(out.cells, out.spies)
        for result, odds in sorted((("+", 1 - share), ("-", share)), key=lambda branch: -branch[1]):
            if odds:
                yield from ([place, out, *rest] for rest in self._lines(out.ends(result)))

    def _mission(self, place: Place) -> Counts:
        """The best response: the mission that is most often sent anyway, if none is better."""
        worths, sent = self.reply.values(place.cells), self.evaluator.missions(place.cells)
        return max(worths, key=lambda mission: (worths[mission], sent.get(mission, Fraction(0))))

    def _change(self, place: Place) -> str:
        """What the resistance sends otherwise than now, if anything."""
        if place.ended or place.read.out is not None:
            return ""
        mission = self._mission(place)
        odds = self.evaluator.missions(place.cells).get(mission, Fraction(0))
        if odds == 1:
            return ""
        return f"would always send {place.named(mission)} at {_steps(place)} ({_now(odds)})"


def _steps(place: Place) -> str:
    """The public part of a position."""
    return place.text.partition("/")[2] or "the start"


def _now(odds: Fraction) -> str:
    return f"now {rationals.short(odds)} of the time" if odds else "now never"


def _begin(options: Sequence[Option], option: Option, side: int) -> str:
    """How often a move is made, and what it costs if the other side does not react."""
    if option.odds:
        return f"{option.move} is played {rationals.short(option.odds)} of the time."
    if option.loss:
        return f"{option.move} is never played. {_against(options, option, side)}"
    return f"{option.move} is never played, though it costs nothing against {THEIR[1 - side]} strategy as it is."


def _against(options: Sequence[Option], option: Option, side: int) -> str:
    """What a move costs against the other side's strategy as it is, or what the next best would."""
    other = f"{THEIR[1 - side]} strategy"
    assert option.loss is not None
    if option.loss:
        best = next(other_option for other_option in options if other_option.loss == 0)
        return f"Against {other} it costs {rationals.points(option.loss / 2)}, compared with {best.move}."
    near = min(
        (other_option for other_option in options if other_option is not option),
        key=lambda other_option: other_option.loss or 0,
    )
    if not near.loss:
        return f"Against {other} as it is, {near.move} would do as well."
    return f"Against {other} the next best, {near.move}, costs {rationals.points(near.loss / 2)}."
