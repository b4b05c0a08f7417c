"""How a game with hidden roles is played against a solution: strategies by class, seat by seat."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.core.game import Move, State
from ruse.core.types import Policy
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.beliefs import called
from ruse.games.hidden_roles.filing import is_filed
from ruse.games.hidden_roles.options import claim_in_words
from ruse.games.hidden_roles.roles import Claim
from ruse.games.hidden_roles.rules import GOOD, PRIVATE, HiddenRoles, Play
from ruse.games.hidden_roles.verify_filed import seat_policy
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.play import RESULTS
from ruse.play.manner import Manner, Picks, Ticks
from ruse.play.session import Session


class Seats(Manner):
    """A move of a class is drawn among all that look alike: a fixed one would tell what comes next."""

    def policy(self, side: int) -> Policy | None:
        game = self._game
        if not is_filed(game, self.solution.tables):
            return None
        seats = seat_policy(game, side, self.solution.tables[side])

        def ordered(state: State) -> Mapping[Move, Fraction]:
            return dict(sorted(seats(state).items(), key=lambda pair: game.label(pair[0])))

        return ordered

    def saw(self, step: str) -> str:
        team, result = step.rstrip("0123456789")[:-1], step.rstrip("0123456789")[-1:]
        if result in RESULTS and team.isalpha():
            return f"{team} {RESULTS[result]}"
        if step.startswith("name-"):
            return f"the spies name {step.removeprefix('name-')}"
        return "nobody has anything to report" if step == notation.QUIET else f"reports {step}"

    def ask(self, session: Session) -> str:
        known: Play = session.game.knows(session.states[-1], session.side)
        table = self._game.table
        if known.said is None:
            return self._ask_words(session)
        if session.side == GOOD:
            size, fails = table.missions[len(known.done)], table.sabotages[len(known.done)]
            also = f"; it takes {fails} sabotages to fail" if fails > 1 else ""
            send = f"{size} {'seat' if size == 1 else 'seats'}"
            return f"Mission {len(known.done) + 1}: send {send}, such as {letters(range(size))}{also}."
        return ""

    def _ask_words(self, session: Session) -> str:
        """What spies may say."""
        example = session.game.label(session.choices[-1])
        if self._game.talk != PRIVATE:
            return f"Everybody points at once: say where each of you does, such as {example}."
        return (
            f"Say what each of you reports to the mediator, such as {example}, or {notation.QUIET}. Good seats report "
            "the truth, and nobody hears the others."
        )

    def ticks(self, session: Session) -> Ticks | None:
        if session.side != GOOD or session.over:
            return None
        aboard = len(session.game.label(session.choices[0]))
        return Ticks(letters(range(self._game.table.players)), aboard, "Send a mission", "Send them")

    def picks(self, session: Session) -> Picks | None:
        if (
            session.over
            or session.side == GOOD
            or session.game.knows(session.states[-1], session.side).said is not None
        ):
            return None
        game, deal = self._game, session.states[-1].deal
        lists = []
        for seat in game.spies(deal):
            claims = dict.fromkeys(lie[seat] for lie in session.choices)
            parts = [(self._part(seat, claim), claim_in_words(game, claim)) for claim in claims]
            lists.append((f"{letters([seat])}, {called(game.cast.kinds[deal[seat]])}", parts))
        return Picks(lists, notation.QUIET, "Say so")

    def _part(self, seat: int, claim: Claim) -> str:
        """What one spy says, as a part of the move; nothing if he has nothing to report."""
        said = notation.words(self._game, (*[None] * seat, claim))
        return "" if said == notation.QUIET else said

    @property
    def _game(self) -> HiddenRoles:
        assert isinstance(self.solution.game, HiddenRoles)
        return self.solution.game
