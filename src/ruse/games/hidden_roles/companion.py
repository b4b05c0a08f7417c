"""What a table with hidden roles may believe after an evening's missions, and what to do next.

*Facts.* k sabotages at once prove that at least k spies were aboard. Good seats that report tell the truth. Every deal
of roles that fits, and fits what one seat knows of itself, is as likely as any.

*Slips.* The other side follows its stored strategy, and with probability e it moves evenly instead. To a good seat, or
to nobody in particular, that is what the spies said and did; to a spy it is where the good side sent missions. What a
spy said that nobody heard is drawn from the strategy. At e = 0 the deals count that take the fewest slips.

*Advice.* Where all that the side knows in the model is written down, its stored strategy says what to do. Else there is
only how likely a mission has spies aboard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

from ruse.core.game import GameError, PositionError, describe
from ruse.games.hidden_roles.classes import Representative
from ruse.games.hidden_roles.companion_record import RolesEvening
from ruse.games.hidden_roles.evaluator import RolesEvaluator
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, PRIVATE, SPIES, UNKNOWN, Done, HiddenRoles, RolesPlay, Words
from ruse.games.hidden_roles.view import HiddenRolesViewer
from ruse.games.hidden_roles.ways import seats_of
from ruse.games.resistance.evaluator import Likely
from ruse.present.model import Seat, View

if TYPE_CHECKING:
    from ruse.games.hidden_roles.companion_page import CompanionPage
    from ruse.games.resistance.companion import Solve
    from ruse.people.beliefs import SeatKnowledge
    from ruse.people.records import EveningRecord
    from ruse.solution.strategy import Solution


SEATS = "ruse.games.evening.part"  # people and bots on seats of their own


@dataclass(frozen=True)
class RoleBeliefs:
    seats: Sequence[Seat]  # how likely each is a spy and has a role: with slips, and by the facts alone
    deals: int  # that fit
    slips: int  # that the other side made at least, where none are allowed for


@dataclass(frozen=True)
class Team:
    """A mission that may come next."""

    team: Seats
    risk: Fraction  # how likely enough spies are aboard to fail it
    sent: Fraction | None = None  # how often the good side's strategy sends it, where that is known
    win: Fraction | None = None  # how often good wins then


class RolesCompanion:
    """All that can be said at one moment of an evening."""

    def __init__(self, evening: RolesEvening, solution: Solution) -> None:
        self.evening, self.game, self.solution = evening, evening.rules, solution
        self.evaluator = RolesEvaluator(self.game, solution.tables, solution.certificate.exact)

    @property
    def side(self) -> int:
        """Whose knowledge it is: a spy's, or that of the good side or of nobody in particular."""
        me = self.evening.me
        return SPIES if me is not None and me.kind in self.game.cast.known else GOOD

    @cached_property
    def done(self) -> tuple[Done, ...]:
        return tuple(
            Done(round.team, self.evening.passed(number), UNKNOWN) for number, round in enumerate(self.evening.rounds)
        )

    # Who may be what.

    @cached_property
    def weights(self) -> tuple[int, dict[tuple[int, ...], Fraction]]:
        """Slips that were made at least, and what each deal that fits weighs."""
        likely = {deal: self._likely(deal) for deal in self.evening.fitting()}
        least = min(slips for slips, _ in likely.values())
        return least, {deal: weight if slips == least else Fraction(0) for deal, (slips, weight) in likely.items()}

    def beliefs(self) -> RoleBeliefs:
        slips, weights = self.weights
        known = RolesPlay(None, None, self.done)
        return RoleBeliefs(seats_of(self.game, self.side, known, weights), len(weights), slips)

    def _likely(self, deal: tuple[int, ...]) -> Likely:
        """The odds of what the other side said and did, over all that the spies may have said."""
        likely: list[Likely] = []
        for lie, said in self._lies(deal):
            walk = self._walked(deal, lie)
            likely.append((said[0] + walk[0], said[1] * walk[1]))
        least = min(slips for slips, _ in likely)
        return least, sum((weight for slips, weight in likely if slips == least), Fraction(0))

    def _lies(self, deal: tuple[int, ...]) -> list[tuple[Words | None, Likely]]:
        """What the spies of a deal may have said, as far as anybody heard it."""
        begun, slip = self.evaluator.begun(deal), self.evening.slip
        if begun.said is None:
            return [(None, self._pointed(deal, begun))]
        if None not in begun.said:
            return [(None, (0, Fraction(1)))]
        spies = self.game.spies(deal)
        heard = {seat: claim for seat in spies if (claim := self.evening.said[seat]) is not None}
        odds = {lie: Fraction(share) for lie, share in self.evaluator.lies(begun).items()}
        fitting = {lie: share for lie, share in odds.items() if all(lie[seat] == heard[seat] for seat in heard)}
        if len(heard) == len(spies):
            lie = tuple(heard.get(seat) for seat in range(len(deal)))
            return [(lie, self._odds(odds.get(lie, Fraction(0)), len(self.game.lies(spies))))]
        if fitting and (not heard or sum(fitting.values())):
            return [(lie, (0, share)) for lie, share in fitting.items()]
        every = self._possible_lies(len(deal), spies, heard)
        return [(lie, (int(not slip), (slip or Fraction(1)) / len(every))) for lie in every]

    def _possible_lies(self, players: int, spies: Seats, heard: Mapping[int, Claim]) -> list[Words]:
        """All that spies of whom some were heard can have said."""
        said = [self.game.cast.claims(seat) if seat in spies else [None] for seat in range(players)]
        return [lie for lie in product(*said) if all(lie[seat] == heard[seat] for seat in heard)]

    def _pointed(self, deal: tuple[int, ...], begun: RolesPlay) -> Likely:
        """A public round, if it was written down: where good seats point by chance, and spies as they like."""
        said, spies = self.evening.said, self.game.spies(deal)
        if None in said:
            return 0, Fraction(1)
        heard = tuple(None if seat in spies else claim for seat, claim in enumerate(said))
        chance = dict(zip(self.game.moves(begun), self.game.odds(begun), strict=True)).get(heard, Fraction(0))
        if self.side == SPIES:
            return (0, chance) if chance else (1, Fraction(1))
        lie = tuple(claim if seat in spies else None for seat, claim in enumerate(said))
        share = Fraction(self.evaluator.lies(begun).get(lie, 0))
        slips, odds = self._odds(share, len(self.game.lies(spies)))
        return (slips, odds * chance) if chance else (slips + 1, odds)

    def _odds(self, share: Fraction, moves: int) -> Likely:
        """Of a move that the strategy makes so often, with slips."""
        slip = self.evening.slip
        if slip:
            return 0, (1 - slip) * share + slip / moves
        return (0, share) if share else (1, Fraction(1, moves))

    def _walked(self, deal: tuple[int, ...], lie: Words | None) -> Likely:
        """The odds of the other side's moves on the missions."""
        state = self.evaluator.begun(deal)
        if lie is not None:
            state = self.game.play(state, lie)
        elif state.said is None:
            state = RolesPlay(deal, tuple(claim or Claim(self.game.cast.quiet, ()) for claim in self.evening.said))
        seen = self.evaluator.finder.begin(self.game.knows(RolesPlay(deal, state.said), 1 - self.side))
        slips, weight = 0, Fraction(1)
        score = [0, 0]
        for number, mission in enumerate(self.done):
            step = self._seen if self.side == GOOD else self._sent
            seen, (more, odds) = step(deal, seen, number, mission, (score[0], score[1]))
            slips, weight = slips + more, weight * odds
            score[not mission.passed] += 1
        return slips, weight

    def _seen(
        self, deal: tuple[int, ...], seen: Representative, number: int, mission: Done, score: tuple[int, int]
    ) -> tuple[Representative, Likely]:
        """What the spies did with a mission."""
        seen, aboard = self.evaluator.finder.sent(seen, mission.seats)[0], self.game.aboard(deal, mission.seats)
        lone = sum(deal[seat] == self.game.cast.alone for seat in mission.seats)
        fails = self.game.table.sabotages[number]
        usual = 0 if mission.passed else min(aboard, max(0, fails - lone))
        after = self.evaluator.finder.over(seen, number, mission.passed, usual)
        if not aboard:
            possible = lone < fails if mission.passed else lone >= fails
            return after, (0, Fraction(1)) if possible else (1, Fraction(1))
        stored = self.evaluator.sabotaged(seen, score, aboard)
        shown = [many for many in range(aboard + 1) if (many + lone < fails) == mission.passed]
        share, moves = sum((Fraction(stored.get(many, 0)) for many in shown), Fraction(0)), len(shown)
        slip = self.evening.slip
        if slip:
            return after, (0, (1 - slip) * share + slip * Fraction(moves, aboard + 1))
        return after, (0, share) if share else (1, Fraction(moves, aboard + 1))

    def _sent(
        self, deal: tuple[int, ...], seen: Representative, number: int, mission: Done, score: tuple[int, int]
    ) -> tuple[Representative, Likely]:
        """Where the good side sent a mission."""
        share = Fraction(self.evaluator.sent(seen, number).get(mission.seats, 0))
        odds = self._odds(share, len(self.evaluator.strategies.teams[number]))
        seen = self.evaluator.finder.sent(seen, mission.seats)[0]
        return self.evaluator.finder.over(seen, number, mission.passed, None), odds

    # What to do.

    def position(self) -> str | None:
        """What the side knows in the model, if all of that was written down."""
        evening, me = self.evening, self.evening.me
        said: Words = () if self.game.talk == NONE else evening.said
        if self.side == GOOD:
            return None if None in said else describe(self.game, RolesPlay(None, said, self.done))
        assert me is not None
        known = dict(me.partners) | {me.seat: me.kind}
        deal = tuple(known.get(seat, UNKNOWN) for seat in range(self.game.table.players))
        if self.game.talk == PRIVATE:
            said = tuple(claim if seat in known else None for seat, claim in enumerate(said))
        if any(said[seat] is None for seat in (known if self.game.talk == PRIVATE else range(len(said)))):
            return None
        done = tuple(self._carded(mission, deal, number) for number, mission in enumerate(self.done))
        return describe(self.game, RolesPlay(deal, said, done))

    def _carded(self, mission: Done, deal: Sequence[int], number: int) -> Done:
        aboard, shown = self.game.aboard(deal, mission.seats), self.evening.rounds[number].sabotages
        return mission._replace(cards=min(aboard, shown))

    def view(self) -> View | None:
        """What the stored strategies say there; nothing where too little is known, or it cannot be."""
        position = self.position()
        if position is None:
            return None
        try:
            return HiddenRolesViewer(self.solution).at(position, self.side)
        except PositionError:
            return None

    def order(self, team: Seats) -> View | None:
        """What spies do about a team."""
        position = self.position()
        if position is None or self.side == GOOD:
            return None
        letters = "".join(chr(ord("a") + seat) for seat in team)
        return HiddenRolesViewer(self.solution).at(f"{position}/{letters}?", SPIES)

    def teams(self) -> list[Team]:
        """Every mission that may come next, the safest first; what the strategy says where it speaks."""
        if self.evening.over:
            return []
        _, weights = self.weights
        total, number = sum(weights.values()), len(self.done)
        view = self.view() if self.side == GOOD else None
        advice = {} if view is None or view.turn != GOOD else self._by_team(view)
        teams = []
        for team in combinations(range(self.game.table.players), self.game.table.missions[number]):
            needed = self.game.table.sabotages[number]
            risk = sum((weight for deal, weight in weights.items() if self._evil(deal, team) >= needed), Fraction(0))
            teams.append(Team(team, risk / total, *advice.get(team, (None, None))))
        return sorted(
            teams,
            key=lambda team_option: (
                -(team_option.win or 0),
                -(team_option.sent or 0),
                team_option.risk,
                team_option.team,
            ),
        )

    def _by_team(self, view: View) -> dict[Seats, tuple[Fraction, Fraction | None]]:
        from ruse.games.hidden_roles.notation import read
        from ruse.games.hidden_roles.options import teams_alike

        _, known = read(self.game, view.position)
        options = {option.move: option for option in view.options}
        advice: dict[Seats, tuple[Fraction, Fraction | None]] = {}
        for members in teams_alike(self.game, self.evaluator.finder, known):
            name = "".join(chr(ord("a") + seat) for seat in members[0])
            option = options[name]
            for team in members:
                win = None if option.value is None else (1 + option.value) / 2
                advice[team] = option.odds / len(members), win
        return advice

    def _evil(self, deal: Sequence[int], team: Seats) -> int:
        return sum(self.game.cast.kinds[deal[seat]].evil for seat in team)

    @property
    def guessing(self) -> bool:
        """Whether the missions are won and the spies have a last guess."""
        return self.evening.score[GOOD] == self.game.table.points and self.game.cast.hunted is not None


def solved(solution: Solution) -> HiddenRoles:
    game = solution.game
    if not isinstance(game, HiddenRoles) or not solution.written:
        raise GameError(f"expected a solution of a game with hidden roles, got {solution!r}")
    return game


def converse(
    game: HiddenRoles, source: Path | None, names: Sequence[str], slip: str | None, as_json: bool, solve: Solve
) -> int:
    """`ruse companion`: an evening in the terminal, or all that can be said of one as JSON."""
    from ruse.games.hidden_roles.companion_terminal import converse

    return converse(game, source, names, slip, as_json, solve)


def roleset(game: HiddenRoles) -> tuple[str, ...]:
    """The special roles, by the names that records use."""
    from ruse.people.tables import SPECIAL_ROLES

    names = {role.name for role in game.cast.kinds}
    return tuple(role for role in SPECIAL_ROLES if role in names)


def to_record(source: Path) -> tuple[EveningRecord, SeatKnowledge | None]:
    """A saved evening with roles as a record of what people did; reports and talk stay out."""
    from ruse.games.hidden_roles.companion_record import load
    from ruse.games.resistance.companion_people import from_evening
    from ruse.people.beliefs import SeatKnowledge

    evening = load(source)
    record, _ = from_evening(evening, roleset(evening.rules))
    if (me := evening.me) is None:
        return record, None
    kinds = evening.rules.cast.kinds
    role = {"servant": "loyal", "spy": "minion"}.get(kinds[me.kind].name, kinds[me.kind].name)
    if me.sees:
        return record, SeatKnowledge(me.seat, role, sum(1 << seat for seat in me.sees))
    partners = sum(1 << seat for seat, _ in me.partners)
    return record, SeatKnowledge(me.seat, role, partners | 1 << me.seat if me.partners else None)


def asked(solution: Solution, fields: Mapping[str, str]) -> CompanionPage:
    """The companion as a page that a server makes."""
    from ruse.games.hidden_roles.companion_page import page

    return page(solution, fields)
