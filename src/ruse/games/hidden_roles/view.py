"""Views of games with hidden roles: the value of a position, the moves, and how likely each seat has each role.

The good side sees what was said, missions and results. The spies see each other, what they said, and missions with
their own cards. Of missions and reports that look alike to a side, one of each class is listed. Values and beliefs
are those of `ruse.games.hidden_roles.evaluator`. A small table that was solved seat by seat is viewed like any other
game, with the roles of the seats added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from ruse.core.game import CHANCE, END, describe, possessive, with_article
from ruse.games.hidden_roles.classes import is_by_class
from ruse.games.hidden_roles.evaluator import RolesEvaluator
from ruse.games.hidden_roles.notation import hidden_roles, read, role_name
from ruse.games.hidden_roles.options import ADVICE, Options, alike, turn_at
from ruse.games.hidden_roles.rules import GOOD, NONE, SPIES, Dealt, HiddenRoles, Named, RolesPlay, Words
from ruse.games.hidden_roles.ways import Way, seats_of
from ruse.games.resistance.evaluator import payoff
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.table import missions_have, near_the_end
from ruse.games.resistance.view import history
from ruse.insight.engine import TreeInsight, check_game
from ruse.insight.insight_file import InsightFile
from ruse.present.model import Belief, Draw, Held, Option, Seat, View
from ruse.present.nodes import Continuation, Number, as_fraction
from ruse.present.tree import FOLLOWED, MOST_EXCLUDED, TreeViewer, unseen_at
from ruse.solution.strategy import Solution


class HiddenRolesViewer:
    def __init__(self, solution: Solution) -> None:
        assert isinstance(solution.game, HiddenRoles)
        self.solution, self.game, self.table = solution, solution.game, solution.game.table
        self.evaluator = RolesEvaluator(self.game, solution.tables, solution.certificate.exact)

    def start(self, side: int) -> str:
        """Before anything is said. All deals are alike then, so the spies' is that of the first seats."""
        if side == GOOD:
            return self.game.title
        return self.evaluator.finder.begin(
            self.game.knows(RolesPlay(self.game.cast.seats), SPIES)._replace(said=self._silent)
        ).text

    @property
    def _silent(self) -> tuple[()] | None:
        return () if self.game.talk == NONE else None

    def at(self, position: str, side: int | None = None) -> View:
        return self._view(*read(self.game, position, side), self.evaluator, "")

    def resolve(self, position: str, side: int | None = None) -> View:
        """The view if the side that looks does what is best from here on against the other's strategy."""
        side, known = read(self.game, position, side)
        tables = list(self.solution.tables)
        tables[side] = {}
        names = self.game.sides
        best = f"from here on, {names[side]} plays a best response to the stored strategy of {names[1 - side]}"
        return self._view(side, known, RolesEvaluator(self.game, tables, self.evaluator.exact), best)

    def unlisted(self, view: View, move: str) -> Option | None:
        """A move that looks like one of those that are listed."""
        side, known = read(self.game, view.position, view.side)
        for option in view.options if view.turn == side else ():
            if move in alike(self.evaluator, side, known, option.move):
                return replace(option, move=move)
        return None

    def hands(self, position: str, side: int | None = None) -> list[Held]:
        """The side to move at a position of its own; what is public does not tell what was said in private."""
        view = self.at(position, side)
        return [Held(view.position, view.side, Fraction(1))] if view.turn == view.side else []

    def way(self, position: str, side: int, draw: Draw) -> list[str]:
        """The moves of a way that fits a position, drawn by its weight."""
        side, known = read(self.game, position, side)
        if known.said is None:
            if side == GOOD:
                return []
            deals = [deal for deal in self.game.cast.deals if self.evaluator.seen(deal) == known.deal]
            deal = draw(dict.fromkeys(deals, Fraction(1, len(deals))))
            return [self.game.label(move) for move in self._moves(self.evaluator.begun(deal))]
        ways = [way for way in self.evaluator.ways(side, known) if way.weight]
        shares = [as_fraction(way.weight) for way in ways]
        drawn = draw({number: share / sum(shares) for number, share in enumerate(shares)})
        return [self.game.label(move) for move in self._moves(ways[drawn].state._replace(named=known.named))]

    def _moves(self, end: RolesPlay) -> list[object]:
        """The moves that lead to a state."""
        state, moves = self.game.start(), list[object]()
        while state != end:
            move = self._next(state, end)
            moves.append(move)
            state = self.game.play(state, move)
        return moves

    def _next(self, state: RolesPlay, end: RolesPlay) -> object:
        assert end.deal is not None
        if state.deal is None:
            return Dealt(end.deal)
        spies = self.game.spies(end.deal)
        if state.said is None or None in state.said:
            assert end.said is not None
            speaks = [seat for seat in range(len(end.deal)) if (seat in spies) == (state.said is not None)]
            return tuple(claim if seat in speaks else None for seat, claim in enumerate(end.said))
        if state.out is not None:
            return end.done[len(state.done)].cards
        if len(state.done) < len(end.done):
            return end.done[len(state.done)].seats
        return end.out if end.out is not None else Named(end.named or 0)

    # The view.

    def _view(self, side: int, known: RolesPlay, evaluator: RolesEvaluator, best: str) -> View:
        position, turn = describe(self.game, known), self.turn(known)
        if known.said is None:
            return self._talk(side, known, evaluator, best)
        ways = evaluator.ways(side, known)
        likely = [way for way in ways if way.weight]
        total = sum(way.weight for way in likely)
        reach = self._reach(side, likely)
        options, silent = Options(self.game, evaluator).at(side, known, turn, likely)
        return View(
            position,
            side,
            turn,
            payoff(as_fraction(evaluator.value(side, likely) / total)),
            self.solution.certificate.exact,
            reach > 0,
            as_fraction(reach),
            best or self._assumption(side, likely, reach),
            history(describe(self.game, known)),
            options,
            self._beliefs(side, ways, total),
            self._seats(side, known, ways, total),
            notes=self._notes(side, known, turn, silent),
        )

    def turn(self, known: RolesPlay) -> int:
        if known.said is None:
            return SPIES if self._talks else CHANCE
        return turn_at(self.game, known)

    @property
    def _talks(self) -> bool:
        """Whether the spies have something to say."""
        begun = self.evaluator.begun(self.game.cast.seats)
        return begun.said is None or None in begun.said

    def _reach(self, side: int, ways: Sequence[Way]) -> Number:
        """How often play comes here, or to a position that is alike but for the names of seats."""
        if any(way.slips for way in ways):
            return Fraction(0)
        evaluator = self.evaluator
        own = evaluator.own(side, ways[0])
        return own * sum(way.weight for way in ways) * evaluator.alike(ways[0].seen[side])

    def _assumption(self, side: int, ways: Sequence[Way], reach: Number) -> str:
        if reach:
            return FOLLOWED
        if ways[0].slips:
            return (
                f"{possessive(self.game.sides[1 - side])} strategy never leads here; this assumes the fewest possible "
                "mistakes, each equally likely, and that both sides follow the stored strategies from here on"
            )
        return (
            f"{possessive(self.game.sides[side])} own strategy does not lead here; this assumes that "
            f"{with_article(self.game.sides[1 - side])} followed the stored one, and both sides do from here on"
        )

    # Before anything is said.

    def _talk(self, side: int, known: RolesPlay, evaluator: RolesEvaluator, best: str) -> View:
        deal = self.game.cast.seats if known.deal is None else known.deal
        seen = evaluator.seen(deal) if known.deal is None else known.deal
        told_of = Options(self.game, evaluator)
        said: Iterable[tuple[Words | None, Number]] = [(None, evaluator.number(Fraction(1)))]
        if self._talks:
            said = evaluator.lies(RolesPlay(seen)).items()
        value = payoff(as_fraction(sum((odds * told_of.said_value(seen, lie) for lie, odds in said), Fraction(0))))
        options: list[Option] = []
        if side == SPIES and self._talks:
            options = told_of.lies(seen)
        elif side == GOOD:
            options = told_of.reports()
        ways = [
            self._dealt(other_deal, evaluator)
            for other_deal in self.game.cast.deals
            if side == GOOD or evaluator.seen(other_deal) == seen
        ]
        total = evaluator.number(Fraction(len(ways)))
        return View(
            describe(self.game, known),
            side,
            self.turn(known),
            value,
            self.solution.certificate.exact,
            True,
            Fraction(1),
            best or FOLLOWED,
            history(describe(self.game, known)),
            options,
            self._beliefs(side, ways, total),
            self._seats(side, known, ways, total),
        )

    def _dealt(self, deal: tuple[int, ...], evaluator: RolesEvaluator) -> Way:
        seen = evaluator.finder.begin(self.game.knows(RolesPlay(deal), SPIES))
        return Way(RolesPlay(deal), (seen, seen), evaluator.number(Fraction(1)))

    # Who may be what.

    def _beliefs(self, side: int, ways: Sequence[Way], total: Number) -> list[Belief]:
        masses: dict[str, tuple[Number, str]] = {}
        for way in ways:
            fact = hidden_roles(self.game, side, way.deal)
            other = describe(self.game, self.game.knows(way.state, 1 - side))
            masses[fact] = masses.get(fact, (Fraction(0), other))[0] + way.weight, other
        if set(masses) == {""}:
            return []
        few = len(masses) <= MOST_EXCLUDED
        beliefs = [
            Belief(fact, as_fraction(mass / total), there) for fact, (mass, there) in masses.items() if mass or few
        ]
        return sorted(beliefs, key=lambda belief: (-belief.odds, belief.what))

    def _seats(self, side: int, known: RolesPlay, ways: Sequence[Way], total: Number) -> list[Seat]:
        weights = dict[tuple[int, ...], Number]()
        for way in ways:
            weights[way.deal] = weights.get(way.deal, Fraction(0)) + way.weight
        return seats_of(self.game, side, known, weights)

    def _notes(self, side: int, known: RolesPlay, turn: int, silent: bool) -> list[str]:
        if turn == END:
            return [self._ending(side, known)]
        notes = [ADVICE] if silent else []
        decided = self.table.is_decisive(known.score)
        if side == SPIES and known.out is not None and known.deal is not None:
            number = len(known.done)
            lone = self.game.cast.alone is not None
            if self.game.aboard(known.deal, known.out) + lone < self.table.sabotages[number]:
                notes.append("Too few spies are aboard to fail this mission.")
            elif decided:
                notes.append(f"A side has {near_the_end(self.table)}, so the spies sabotage whenever they can.")
        if turn == SPIES and known.out is None:
            hunted = role_name(self.game.cast.kinds[self.game.cast.hunted or 0])
            notes.append(f"{missions_have(self.table.points)} passed. The spies win after all if they name {hunted}.")
        return notes

    def _ending(self, side: int, known: RolesPlay) -> str:
        if known.score[SPIES] == self.table.spy_points:
            return f"{missions_have(self.table.spy_points)} failed: the spies have won."
        if known.named is None:
            return f"{missions_have(self.table.points)} passed: the good side has won."
        return f"The spies have named {letters([known.named])}."


class SeatedViewer(TreeViewer):
    """Views of a small table, solved seat by seat: any game's, with the roles of seats."""

    def _hidden(self, position: str, side: int, states: Sequence[int], weights: Sequence[Number]) -> list[Belief]:
        beliefs = super()._hidden(position, side, states, weights)
        known = [self.nodes.known[1 - side][at] for at in states]
        there = dict(zip(unseen_at(self.nodes, side, position, states), known, strict=True))
        return [replace(belief, there=there.get(belief.what, "")) for belief in beliefs]

    def view(
        self, position: str, side: int, course: Continuation, odds: Sequence[Fraction], exact: bool, assumption: str
    ) -> View:
        view = super().view(position, side, course, odds, exact, assumption)
        game = self.solution.game
        assert isinstance(game, HiddenRoles)
        states = self.nodes.members[side][position]
        weights = dict[tuple[int, ...], Number]()
        for at, weight in zip(states, self.beliefs(states, side), strict=True):
            deal = self.nodes.states[at].deal
            for possible_deal in game.cast.deals if deal is None else [deal]:
                weights[possible_deal] = weights.get(possible_deal, Fraction(0)) + weight
        return replace(view, seats=seats_of(game, side, game.knows(self.nodes.states[states[0]], side), weights))


def insight(solution: Solution, *, file: InsightFile | None = None) -> TreeInsight:
    """Raises GameError of a table that is too large to look at state by state."""
    game = solution.game
    assert isinstance(game, HiddenRoles)
    check_game(game)
    if not solution.written or not is_by_class(game, solution.tables):
        return TreeInsight(solution, file=file)
    from ruse.games.hidden_roles.solve import seated

    return TreeInsight(
        solution, file=file, viewer=SeatedViewer(replace(solution, tables=seated(game, solution.tables)))
    )
