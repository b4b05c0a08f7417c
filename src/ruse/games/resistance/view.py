"""Views of The Resistance: a table by seats, however they are named; values and beliefs by class.

The resistance sees the public history and chooses missions, of which one of each class is listed. The spies know each
other and choose whether a mission fails. Values and beliefs are those of ruse.games.resistance.evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from threadpoolctl import ThreadpoolController

from ruse.core import rationals
from ruse.core.game import END, GameError, Move
from ruse.forms.reductions import Teams
from ruse.games.resistance import Resistance, notation
from ruse.games.resistance.cells import Counts, Place, Suspects, aboard, members, spy_splits
from ruse.games.resistance.evaluator import Evaluator, payoff
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN, spy_count
from ruse.games.resistance.tables import reason
from ruse.present.edited_classes import ClassEditor
from ruse.present.model import Belief, Chip, Draw, Held, Option, Seat, View
from ruse.present.tree import FOLLOWED, MOST_EXCLUDED
from ruse.solution.strategy import Solution

STRAYED = (
    "the resistance's own strategy does not lead here; this assumes that the spies followed theirs, and both do from "
    "here on"
)
SLIPPED = (
    "the spies' strategy never leads here; this assumes the fewest possible mistakes, each equally likely, and that "
    "both sides follow the stored strategies from here on"
)


class ResistanceViewer:
    def __init__(self, solution: Solution) -> None:
        game = solution.game
        if not isinstance(game, Resistance) or not solution.by_class:
            raise GameError(f"expected a solution of resistance with its reductions on, got {solution!r}")
        self.solution, self.game, self.table = solution, game, game.table
        self.evaluator = Evaluator(game.table, solution.tables)
        self._threads = ThreadpoolController()
        self._others: dict[str, Any] = {}

    def start(self, side: int) -> str:
        """Before the first mission. All spy sets are alike then, so the spies' is that of the first seats."""
        return self.table.title + ("" if side == RESISTANCE else f"@{notation.seats(range(self.table.spies))}")

    def at(self, position: str, side: int | None = None) -> View:
        place = Place.at(self.table, position, side)
        with self._threads.limit(limits=1):  # many small products: more threads only wait for each other
            self.evaluator.trim()
            return self._view(place)

    def evaluator_of(self, solution: Solution) -> Evaluator:
        """The values under another solution of the same game, kept for the next question."""
        if solution is self.solution:
            return self.evaluator
        if self._others.get("solution") is not solution:
            self._others = {"solution": solution, "evaluator": Evaluator(self.table, solution.tables)}
        other: Evaluator = self._others["evaluator"]
        return other

    def one_thread(self) -> AbstractContextManager[object]:
        """Within it, products of matrices run in one thread: there are many small ones."""
        limit: AbstractContextManager[object] = self._threads.limit(limits=1)
        return limit

    def resolve(self, position: str, side: int | None = None) -> View:
        """The view with strategies that are solved anew from here on (docs/explanation/views-resistance.md)."""
        from ruse.games.resistance.resolve import resolve

        with self._threads.limit(limits=1):
            return resolve(self, Place.at(self.table, position, side))

    @cached_property
    def editor(self) -> ClassEditor:
        """Best responses to strategies that are changed by hand."""
        return ClassEditor(self)

    def unlisted(self, view: View, move: str) -> None:
        return None

    def hands(self, position: str, side: int | None = None) -> list[Held]:
        """The spies that the results allow, where a mission is out; the resistance holds nothing."""
        place = Place.at(self.table, position, side)
        title, steps = self.table.title, _steps(place)
        seen = Place.at(self.table, f"{title}{steps}", RESISTANCE)
        if place.read.out is None:
            return [] if place.ended else [Held(seen.text, RESISTANCE, Fraction(1))]
        with self._threads.limit(limits=1):
            sets = self._spy_sets(seen, self.evaluator.suspects(seen.cells))
        return [Held(f"{title}@{spies}{steps}", SPIES, odds) for spies, odds in sorted(sets)]

    def way(self, position: str, side: int, draw: Draw) -> list[str]:
        """The missions of a position, with spies who can have caused these results."""
        place = Place.at(self.table, position, side)
        spies = place.read.spies
        if spies is None:
            suspects = self.evaluator.suspects(place.cells)
            sets = combinations(range(self.table.players), self.table.spies)
            spies = draw({seats: suspects.odds(place.counts(seats)) for seats in sets})
        game, state, moves = Teams(self.game), self.game.start(), list[str]()

        def make(move: Move) -> None:
            nonlocal state
            moves.append(game.label(move))
            state = game.play(state, move)

        make(spies)
        for mission, passed in place.read.done:
            make(mission)
            if game.turn(state) == SPIES:
                make("pass" if passed else "sabotage")
        if place.read.out is not None:
            make(place.read.out)
        return moves

    def _view(self, place: Place) -> View:
        suspects = self.evaluator.suspects(place.cells)
        reach = self._reach(place)
        return View(
            place.text,
            place.side,
            self.turn(place),
            self.value(place),
            self.solution.certificate.exact,
            reach > 0,
            reach,
            self.assumption(place, reach),
            history(place.text),
            self._options(place),
            self._beliefs(place, suspects),
            self._seats(place, suspects),
            notes=self._notes(place, suspects, reach),
        )

    @staticmethod
    def turn(place: Place) -> int:
        if place.read.out is not None:
            return SPIES
        return END if place.ended else RESISTANCE

    # Numbers.

    def value(self, place: Place) -> Fraction:
        if place.side == RESISTANCE and place.read.out is not None:
            return payoff(self.evaluator.value_sent(place.back().cells, place.mission()))
        if place.side == RESISTANCE:
            return payoff(self.evaluator.value(place.cells))
        if place.read.out is not None:
            return payoff(self.evaluator.win_out(place.cells, place.spies))
        return payoff(self.evaluator.win(place.cells, place.spies))

    def _reach(self, place: Place) -> Fraction:
        """How often play comes here, or to a position that is alike but for the names of seats."""
        cells, sent = place.cells, self.sent(place)
        if not sent:
            return sent
        if place.side == SPIES:
            return sent * self.table.spy_sets * self.evaluator.dealt_and_played(cells, place.spies)
        played = (
            members(cells.sizes, spies) * self.evaluator.dealt_and_played(cells, spies)
            for spies in self.evaluator.allowed(cells)
        )
        return sent * sum(played, Fraction(0))

    def sent(self, place: Place) -> Fraction:
        """How likely the missions on the way here are to be sent, up to names (spies also tell spies from others)."""
        odds = Fraction(1)
        for before, mission in zip([*place.earlier(), place.back()], place.read.missions, strict=False):
            cells, sent = before.cells, before.counts(mission)
            odds *= self.evaluator.missions(cells).get(sent, Fraction(0))
            if not odds:
                break
            if place.side == SPIES:
                guilty = before.counts([seat for seat in mission if seat in (place.read.spies or ())])
                ways = next(split.ways for split in spy_splits(cells, sent, before.spies) if split.aboard == guilty)
                odds *= Fraction(ways, members(cells.sizes, sent))
        return odds

    def assumption(self, place: Place, reach: Fraction) -> str:
        if reach:
            return FOLLOWED
        if place.side == RESISTANCE:
            return SLIPPED if self.evaluator.suspects(place.cells).slips else STRAYED
        if self.evaluator.dealt_and_played(place.cells, place.spies):
            return "the resistance's strategy does not lead here; both sides follow the stored strategies from here on"
        return "the spies' own strategy does not lead here; both sides follow the stored strategies from here on"

    # What may happen.

    def _options(self, place: Place) -> list[Option]:
        if place.ended:
            return []
        if place.side == RESISTANCE:
            if place.read.out is not None:
                return self.result_options(place, self.evaluator)
            return self.mission_options(place, self.evaluator.missions(place.cells), self.evaluator.values(place.cells))
        if place.read.out is None:
            return self.coming_options(place, self.evaluator.missions(place.cells))
        share = self.evaluator.sabotage(place.cells, place.spies)
        return self.order_options(place, {"pass": 1 - share, "sabotage": share}, self._order_values(place))

    def mission_options(
        self, place: Place, odds: dict[Counts, Fraction], worths: dict[Counts, Fraction]
    ) -> list[Option]:
        """One mission of each class: those that are sent, then the others, the best first."""
        best = max(worths.values())
        options = []
        for mission, value in worths.items():
            name = place.named(mission)
            gloss = notation.gloss(self.game.table, place.text, name)
            share = odds.get(mission, Fraction(0))
            options.append(Option(name, share, payoff(value), 2 * (best - value), f"{place.text}/{name}?", gloss))
        return sorted(options, key=lambda option: (-option.odds, option.loss, option.move))

    def result_options(self, place: Place, evaluator: Evaluator) -> list[Option]:
        """How a mission that is out may end, to the resistance."""
        odds = evaluator.results(place.back().cells, place.mission())
        assert place.read.out is not None
        options = []
        for result, gloss in (("+", "the mission passes"), ("-", "the mission fails")):
            ended = place.cells.then(result)
            if any(True for _ in evaluator.fitting(ended)):
                step = f"{notation.seats(place.read.out)}{result}"
                value = payoff(evaluator.value(ended))
                options.append(Option(step, odds.get(result, Fraction(0)), value, None, place.ends(result).text, gloss))
        return options

    def _order_values(self, place: Place) -> dict[str, Fraction]:
        values = {"pass": payoff(self.evaluator.win(place.cells.then("+"), place.spies))}
        if self.can_fail(place):
            values["sabotage"] = payoff(self.evaluator.win(place.cells.then("-"), place.spies))
        return values

    @staticmethod
    def order_options(place: Place, odds: Mapping[str, Fraction], values: Mapping[str, Fraction]) -> list[Option]:
        """What the spies can do about a mission that is out."""
        best = min(values.values())
        return [
            Option(move, odds[move], value, value - best, place.ends("+" if move == "pass" else "-").text)
            for move, value in values.items()
        ]

    def can_fail(self, place: Place) -> bool:
        """Whether enough spies are aboard the mission that is out."""
        number = len(place.read.done)
        return aboard(place.cells, place.spies, number) >= self.table.sabotages[number]

    def coming_options(self, place: Place, missions: Mapping[Counts, Fraction]) -> list[Option]:
        """The missions that the spies may see next, one of each class."""
        options = []
        for mission, share in missions.items():
            out = place.cells.send(mission)
            for split in spy_splits(place.cells, mission, place.spies):
                name = place.named_with(mission, split.aboard)
                odds = share * split.ways / members(place.cells.sizes, mission)
                gloss = f"{notation.gloss(self.game.table, place.text, name)}; {spy_count(sum(split.aboard))} aboard"
                value = payoff(self.evaluator.win_out(out, split.spies))
                options.append(Option(f"{name}?", odds, value, None, f"{place.text}/{name}?", gloss))
        return sorted(options, key=lambda option: (-option.odds, option.move))

    # Who may be a spy.

    def _beliefs(self, place: Place, suspects: Suspects) -> list[Belief]:
        if place.side == SPIES:
            return []
        sets = self._spy_sets(place, suspects)
        few = len(sets) <= MOST_EXCLUDED
        beliefs = [Belief(f"spies {spies}", odds) for spies, odds in sets if odds or few]
        return sorted(beliefs, key=lambda belief: (-belief.odds, belief.what))

    def _spy_sets(self, place: Place, suspects: Suspects) -> list[tuple[str, Fraction]]:
        """Every set of spies that the results allow, and how likely it is to the resistance."""
        masses = self.evaluator.by_spy_set(place.cells, suspects.masses)
        allowed = self.evaluator.by_spy_set(place.cells, dict.fromkeys(self.evaluator.allowed(place.cells), 1))
        spy_sets = combinations(range(self.table.players), self.table.spies)
        return [
            (place.letters(spies), Fraction(mass, suspects.total))
            for spies, mass, fits in zip(spy_sets, masses, allowed, strict=True)
            if mass or fits
        ]

    def _seats(self, place: Place, suspects: Suspects) -> list[Seat]:
        cells = place.cells
        facts = Suspects.of(0, cells, dict.fromkeys(self.evaluator.allowed(cells), 1))
        by_facts = facts.by_cell(cells)
        likely = suspects.by_cell(cells)
        results = [*("-+"[passed] for _, passed in place.read.done), "?"]
        seats = []
        for seat in range(self.table.players):
            cell = place.cell_of(seat)
            spy = likely[cell] if place.side == RESISTANCE else Fraction(seat in (place.read.spies or ()))
            rows = zip(place.read.missions, results, strict=False)
            record = ["" if seat not in mission else result for mission, result in rows]
            seats.append(Seat(notation.seats([seat]), record, spy, by_facts[cell]))
        return seats

    # Words.

    def _notes(self, place: Place, suspects: Suspects, reach: Fraction) -> list[str]:
        notes = []
        if place.ended:
            won = place.read.score[RESISTANCE] == POINTS_TO_WIN
            return ["The resistance has won." if won else "The spies have won."]
        decided = POINTS_TO_WIN - 1 in place.read.score
        if place.read.out is None and place.side == RESISTANCE:
            if not self.evaluator.listed(place.cells):
                notes.append(reason(RESISTANCE))
            elif self._regretted(place):
                notes.append(
                    "Another mission would do better: these strategies are only near-optimal."
                    if reach
                    else "Under this assumption another mission would do better. What the strategy guarantees still "
                    "holds, because spies who play well never reach this position."
                )
        if place.side == SPIES and place.read.out is not None and not self.can_fail(place):
            notes.append("Too few spies are aboard to fail this mission.")
        elif place.side == SPIES and decided:
            notes.append("A side has two points, so the spies sabotage whenever they can.")
        if place.side == SPIES:
            likely = suspects.by_cell(place.cells)
            seen = ", ".join(
                f"{notation.seats([seat])} {rationals.percent(likely[place.cell_of(seat)])}"
                for seat in place.read.spies or ()
            )
            notes.append(f"To a resistance that knows this strategy, the odds of being a spy are {seen}.")
        return notes

    def _regretted(self, place: Place) -> bool:
        worths = self.evaluator.values(place.cells)
        return any(worths[mission] < max(worths.values()) for mission in self.evaluator.missions(place.cells))


def history(position: str) -> list[Chip]:
    """The steps of a position, each with the position that it leads to."""
    title, *steps = position.split("/")
    chips = [Chip(title, title)]
    for step in steps:
        chips.append(Chip(step, f"{chips[-1].position}/{step}"))
    return chips


def _steps(place: Place) -> str:
    """What everybody has seen, as a position has it."""
    return place.text[len(place.text.partition("/")[0]) :]
