"""What an act of the person was worth: for the coach after it, for a hint before it, and for the review at the end.

Teams and cards cost what they cost in the mission game by the primary figure (`ruse.insight.costs`). Votes cost nothing
there, because that game has none: they are judged by the plan, which approves one team and rejects all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ruse import people
from ruse.core import rationals
from ruse.core.clock import deadline
from ruse.core.game import RuseError
from ruse.core.jsonable import jsonable
from ruse.games.evening.bots import as_loyal
from ruse.games.evening.models import OPTIMAL
from ruse.games.evening.people_bots import beliefs, bits, clean_odds, seen_by, state_of
from ruse.games.evening.plan import Done, PublicPlan, SpiesOrder, guarantee_end, history_of, solved
from ruse.games.evening.rules import (
    MOST_PROPOSALS,
    PLAY,
    PROPOSE,
    SHOOT,
    VOTE,
    Act,
    EveningState,
    SeatView,
    score,
    write_act,
)
from ruse.games.evening.session import SeatSession
from ruse.games.evening.setting import MINION, Seats
from ruse.games.resistance.notation import MissionHistory, seats
from ruse.games.resistance.rules import RESISTANCE, SPIES, subsets
from ruse.games.resistance.table import POINTS_TO_WIN, Table, spy_count
from ruse.games.resistance.verify_public import start
from ruse.insight.costs import Costs, costs
from ruse.people import Beliefs
from ruse.people.play import sabotage_share

ALIKE = 1e-9  # of chances
PATIENCE = 5.0  # seconds for the costs of a table
PLANNED, OTHER, FREE, COSTLY, UNKNOWN = "as planned", "not planned", "free", "costly", "not judged"
CLEANEST, LESS_CLEAN, USUAL, UNUSUAL = "cleanest", "less clean", "usual", "unusual"
HOLDS_SPIES, GIVES_UP, RIGHT = "holds spies", "gives up", "right"
MOST_NAMED = 3  # suspects in a hint


@dataclass(frozen=True)
class ActVerdict:
    """One act of the person, judged."""

    number: int
    mission: int  # counted from 1
    proposal: int  # counted from 1; 0 for a card or a shot
    phase: str
    act: str
    grade: str
    text: str
    cost: Fraction | None = None  # in win rate; None where no figure applies

    @property
    def place(self) -> str:
        return f"Mission {self.mission}" + (f", proposal {self.proposal}" if self.proposal else "")

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = jsonable(self)
        return fields


class EveningJudge:
    """The plan, the spies' order and the costs at a table."""

    def __init__(self, table: Table) -> None:
        solution = solved(table)
        self.table, self.plan, self.order = table, PublicPlan(solution), SpiesOrder(solution)

    @property
    def _costs(self) -> Costs | None:
        return _costs_of(self.table)

    # Hints.

    def hint(self, session: SeatSession) -> str:
        """What optimal play does here, or what the model of people says where loyal seats follow no plan."""
        evening = session.evening
        if session.models.good != OPTIMAL and evening.phase in (PROPOSE, VOTE, SHOOT):
            return self._people_hint(session)
        if evening.phase == PROPOSE:
            return f"The plan's team is {seats(self.due(evening))}{self._as_spy(session)}"
        if evening.phase == VOTE:
            due = seats(self.due(evening))
            verb = "approve" if evening.team == self.due(evening) else "reject"
            return f"The plan sends {due}: {verb}{self._as_spy(session)}"
        if evening.phase == PLAY:
            return self._order_text(evening)
        return "Nobody has acted on a role, if all follow the plan: any good seat is as likely to be Merlin"

    def _people_hint(self, session: SeatSession) -> str:
        view = session.view
        suspicion = beliefs(view)
        if view.phase == SHOOT:
            likely = sorted(range(len(suspicion.merlin)), key=lambda seat: -suspicion.merlin[seat])[:MOST_NAMED]
            return f"By the model of people Merlin is {_named(likely, suspicion.merlin)}"
        if view.evil:
            return f"As a loyal person in your seat, by the model of people: {_loyal_habit(view)}"
        others = [seat for seat in range(len(suspicion.spies)) if seat != view.seat]
        likely = sorted(others, key=lambda seat: -suspicion.spies[seat])[:MOST_NAMED]
        about = f"By the model of people a spy is {_named(likely, suspicion.spies)}"
        if view.team is None:
            best, share = _cleanest(view, suspicion)
            return f"{about}. The safest team is {seats(best)}: too few spies to fail it {share:.0%} of the time"
        return f"{about}; {_safety(clean_odds(view, suspicion, view.team), view.team)}"

    @staticmethod
    def _as_spy(session: SeatSession) -> str:
        return ". A spy who acts otherwise in public gives itself away to seats who follow it" if session.evil else ""

    def _order_text(self, evening: EveningState) -> str:
        assert evening.team is not None
        done = history_of(self.table, evening.missions)
        share = self.order.sabotage(done, evening.team, evening.deal.spies)
        saboteurs = seats(self.order.saboteurs(len(done), evening.team, evening.deal.spies))
        if not share:
            return "Optimal spies let this mission pass"
        often = "" if share == 1 else f" {rationals.percent(share)} of the time"
        return f"Optimal spies fail this mission{often}; {saboteurs} plays the card" + "s" * (len(saboteurs) > 1)

    def due(self, evening: EveningState) -> Seats:
        """The team that the plan sends next."""
        draw = evening.view(0).draw
        assert draw is not None
        return self.plan.team(evening.missions, draw)

    # Verdicts.

    def verdicts(self, session: SeatSession) -> list[ActVerdict]:
        """Every act of the person so far."""
        return [self.verdict(session, number) for number in range(1, len(session.acts) + 1)]

    def verdict(self, session: SeatSession, number: int) -> ActVerdict:
        evening, text = session.moments[number - 1], session.acts[number - 1]
        proposal = len(evening.proposals) + 1 if evening.phase in (PROPOSE, VOTE) else 0
        mission = min(len(evening.missions) + (evening.phase != SHOOT), len(self.table.missions))
        grade, says, cost = self._judged(session, number, evening, text)
        return ActVerdict(number, mission, proposal, evening.phase, text, grade, says, cost)

    def _judged(
        self, session: SeatSession, number: int, evening: EveningState, text: str
    ) -> tuple[str, str, Fraction | None]:
        if evening.phase in (PROPOSE, VOTE) and session.models.good != OPTIMAL:
            return self._among_people(session, evening, text)
        if evening.phase == PROPOSE:
            return self._proposal(session, evening, text)
        if evening.phase == VOTE:
            return self._vote(evening, text)
        if evening.phase == PLAY:
            return self._card(session, number, evening, text)
        hit = session.moments[number].hit
        return UNKNOWN, "that was Merlin" if hit else "that was not Merlin", None

    @staticmethod
    def _among_people(session: SeatSession, evening: EveningState, text: str) -> tuple[str, str, Fraction | None]:
        """Proposals and votes where nobody follows a plan: by what a person in that seat may believe."""
        view = evening.view(session.seat)
        act = evening.read_act(session.seat, text)
        if session.evil:
            share = _loyal_share(view, act)
            text = f"a loyal person in your seat would do so {share:.0%} of the time{_last_pass(view, act)}"
            return (USUAL if share >= _even(view) else UNUSUAL), text, None
        suspicion = beliefs(view)
        team = act if isinstance(act, tuple) else view.team or ()
        clean = clean_odds(view, suspicion, team)
        about = ("by the model of people " if ALIKE <= clean <= 1 - ALIKE else "") + _safety(clean, team)
        if session.over:
            about += f" (it had {spy_count(len(set(team).intersection(session.deal.spies)))})"
        best, most = _cleanest(view, suspicion)
        if evening.phase == VOTE and not act:
            last = len(evening.proposals) + 1 == MOST_PROPOSALS
            if last:
                return GIVES_UP, "the fifth rejection wins for the spies", None
            return (RIGHT if clean < ALIKE else UNKNOWN), about, None
        if clean >= most - ALIKE:
            return CLEANEST, about, None
        if clean < ALIKE and len(evening.proposals) + 1 < MOST_PROPOSALS:
            return HOLDS_SPIES, about, None
        return LESS_CLEAN, f"{about}; {seats(best)} has too few {most:.0%} of the time", None

    def _proposal(self, session: SeatSession, evening: EveningState, text: str) -> tuple[str, str, Fraction | None]:
        due = self.due(evening)
        if text == seats(due):
            return PLANNED, "the plan's team", Fraction(0)
        if session.evil:
            return OTHER, f"the plan's team was {seats(due)}: seats who follow the plan see a spy", None
        team = evening.read_act(session.seat, text)
        assert isinstance(team, tuple)
        cost = self.team_cost(history_of(self.table, evening.missions), team)
        lost = "" if not cost else f"; if it went, it would cost {_points(cost)}"
        return OTHER, f"the plan's team was {seats(due)}{lost}", cost

    def _vote(self, evening: EveningState, text: str) -> tuple[str, str, Fraction | None]:
        due = self.due(evening)
        planned = write_act(VOTE, evening.team == due)
        if text == planned:
            return PLANNED, f"the plan sends {seats(due)}", None
        return OTHER, f"the plan sends {seats(due)}, so it would {planned}", None

    def _card(
        self, session: SeatSession, number: int, evening: EveningState, text: str
    ) -> tuple[str, str, Fraction | None]:
        """A card is judged by what it changed, given the cards of the others."""
        assert evening.team is not None
        place = len(evening.missions)
        later = next(moment for moment in session.moments[number:] if len(moment.missions) > place)
        cards, fails = len(later.saboteurs[place]), self.table.sabotages[place]
        other = cards - 1 if text == "sabotage" else cards + 1
        if (cards >= fails) == (other >= fails):
            return FREE, "it changed nothing, given the other cards", Fraction(0)
        cost = self.card_cost(history_of(self.table, evening.missions), evening.team, evening.deal.spies, text)
        if cost is None:
            return UNKNOWN, _card_habit(session, evening), None
        return (COSTLY, f"it cost {_points(cost)}", cost) if cost else (FREE, "it cost nothing", cost)

    def team_cost(self, done: Done, team: Seats) -> Fraction | None:
        """What sending a team costs the resistance, in win rate; None where that is not known."""
        position = MissionHistory(None, done, None)
        names = position.names(self.table.players)
        public = start(self.table)
        for mission, went_well in position.renamed(names).done:
            public = public.after(public.sent(mission), went_well)
        move = seats(public.members(public.sent(tuple(sorted(names[seat] for seat in team)))))
        return self._cost(position.renamed(names).text(self.table), RESISTANCE, move)

    def card_cost(self, done: Done, team: Seats, spies: Seats, card: str) -> Fraction | None:
        """What passing or failing a mission costs the spies, in win rate; None where that is not known."""
        position = MissionHistory(spies, done, team)
        names = position.names(self.table.players)
        return self._cost(position.renamed(names).text(self.table), SPIES, card)

    def _cost(self, position: str, side: int, move: str) -> Fraction | None:
        if self._costs is None:
            return None
        with suppress(RuseError):
            cost = self._costs.at(position, side).cost(move)
            return None if cost is None else cost / 2
        return None


@lru_cache(maxsize=16)
def judge_of(table: Table) -> EveningJudge:
    """One for each table in memory."""
    return EveningJudge(table)


@lru_cache(maxsize=16)
def _costs_of(table: Table) -> Costs | None:
    with suppress(RuseError), deadline(PATIENCE):
        table_costs = costs(solved(table))
        table_costs.at(table.title, RESISTANCE)  # which takes as long as all others
        return table_costs
    return None


def _cleanest(view: SeatView, suspicion: Beliefs) -> tuple[Seats, float]:
    """The team that most likely cannot fail, and how likely that is."""
    teams = subsets(view.table.players, view.table.missions[len(view.missions)])
    share, team = max((clean_odds(view, suspicion, team), tuple(-seat for seat in team)) for team in teams)
    return tuple(-seat for seat in team), share


def _last_pass(view: SeatView, act: Act) -> str:
    """What a spy has to know of a team that cannot fail, where one more pass ends the missions."""
    team = act if isinstance(act, tuple) else view.team or ()
    aboard = len(set(team).intersection({view.seat, *view.spies}))
    points, _ = score(view.table, view.missions)
    if points < POINTS_TO_WIN - 1 or aboard >= view.table.sabotages[len(view.missions)]:
        return ""
    return f"; too few spies that you know are in {seats(team)} to fail it, and one more pass ends the missions"


def _loyal_share(view: SeatView, act: Act) -> float:
    """How often a loyal person in this seat does so, by the model of people."""
    loyal = as_loyal(view)
    if isinstance(act, tuple):
        return people.model().team_odds(state_of(loyal), loyal.seat, seen_by(loyal))[bits(act)]
    share = people.model().vote_odds(state_of(loyal), loyal.leader, bits(loyal.team or ()), loyal.seat, seen_by(loyal))
    return share if act else 1 - share


def _even(view: SeatView) -> float:
    """How often each act would be done if all were as likely."""
    if view.phase == VOTE:
        return 1 / 2
    return 1 / len(subsets(view.table.players, view.table.missions[len(view.missions)]))


def _loyal_habit(view: SeatView) -> str:
    """What a loyal person in this seat does most."""
    if view.phase == VOTE:
        return f"approve {_loyal_share(view, True):.0%} of the time"
    teams = subsets(view.table.players, view.table.missions[len(view.missions)])
    shares = sorted(((_loyal_share(view, team), team) for team in teams), reverse=True)[:MOST_NAMED]
    return ", ".join(f"{seats(team)} {share:.0%}" for share, team in shares)


def _safety(clean: float, team: Seats) -> str:
    """How likely a team has too few spies to fail the mission, for somebody in this seat."""
    if clean < ALIKE:
        return f"{seats(team)} has enough spies to fail the mission, for sure"
    if clean > 1 - ALIKE:
        return f"{seats(team)} cannot fail: it has too few spies, for sure"
    return f"{seats(team)} has too few spies to fail the mission {clean:.0%} of the time"


def _card_habit(session: SeatSession, evening: EveningState) -> str:
    """How often people in this seat sabotage, at the tables that the model of people knows."""
    view = evening.view(session.seat)
    if not session.evil or not view.table.is_official:
        return "its cost is not known here"
    team = evening.team or ()
    roles = {seat: MINION if seat in view.spies else "loyal" for seat in team}
    share = sabotage_share(people.model(), state_of(view), bits(team), roles, session.seat)
    return f"people in your place sabotage {share:.0%} of the time; what it costs is not known here"


def _named(likely: Sequence[int], odds: Sequence[float]) -> str:
    return ", ".join(f"{seats([seat])} ({odds[seat]:.0%})" for seat in likely)


def _points(share: Fraction) -> str:
    return f"{rationals.percent(share).rstrip('%')} percentage points"


@dataclass(frozen=True)
class EveningReview:
    """The person's acts, and who was who."""

    won: bool
    roles: Mapping[str, str]
    verdicts: tuple[ActVerdict, ...]
    left: str  # where the guarantee of the plan ended; empty if it held
    ended: str

    def lines(self) -> list[str]:
        rows = [("", "played", "judged", "")]
        rows += [(verdict.place, verdict.act, verdict.grade, verdict.text) for verdict in self.verdicts]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        return [
            "  ".join(text.ljust(width) for text, width in zip(row, (*widths, 0), strict=True)).rstrip() for row in rows
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "won": self.won,
            "ended": self.ended,
            "roles": dict(self.roles),
            "acts": [verdict.to_json() for verdict in self.verdicts],
            "left": self.left,
        }


def review(session: SeatSession) -> EveningReview:
    """Review a finished evening."""
    return EveningReview(
        session.won,
        session.deal.names(),
        tuple(judge_of(session.setting.table).verdicts(session)),
        plan_left(session),
        session.evening.ended,
    )


def plan_left(session: SeatSession) -> str:
    """Where the plan's guarantee ended, in a sentence; empty while it holds, or where nobody carries the plan out."""
    if session.models.good != OPTIMAL:
        return ""
    ended = guarantee_end(session.evening, judge_of(session.setting.table).plan)
    if ended is None:
        return ""
    number, how = ended
    return f"The plan's guarantee ended with mission {number + 1}: {how}."
