"""How a game with hidden roles is shown and played: the table as it is drawn, strategies by class seat by seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ruse.core.presentation import Presentation
from ruse.core.types import Odds, Policy, Tables
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.classes import finder_of, is_by_class, seat_policy
from ruse.games.hidden_roles.game import HiddenRolesGame
from ruse.games.hidden_roles.notation import cast_told, hidden_roles, read, role_name, roles_told
from ruse.games.hidden_roles.options import claim_in_words, gloss, reports_in_words
from ruse.games.hidden_roles.orbits import Orbit
from ruse.games.hidden_roles.roles import Claim
from ruse.games.hidden_roles.rules import GOOD, NONE, PRIVATE, ROUND, SPIES, UNKNOWN, VOUCH, HiddenRoles, RolesPlay
from ruse.games.resistance.notation import listed
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.presentation import MissionManner, mission_grid, next_mission, round_table
from ruse.games.resistance.table import COUNTS, missions_have
from ruse.play.manner import Manner, Picks
from ruse.play.pictures import Cell, Picture

if TYPE_CHECKING:
    from ruse.games.hidden_roles.view import HiddenRolesViewer, SeatedViewer
    from ruse.insight.reasons.model import Question, Reason
    from ruse.play.session import Session
    from ruse.present.model import View
    from ruse.solution.strategy import Solution

UNHEARD = Cell("", "you do not hear it")


class HiddenRolesPresentation(Presentation[HiddenRolesGame]):
    cover_moves = 7
    views_list_states = False

    # Positions.

    def check_position(self, position: str) -> bool:
        from ruse.games.hidden_roles.evaluator import RolesEvaluator

        side, known = read(self.game, position)
        if known.said is not None:
            RolesEvaluator(self.game, ({}, {})).ways(side, known)
        return True

    def viewer(self, solution: Solution) -> HiddenRolesViewer | SeatedViewer:
        from ruse.games.hidden_roles.view import HiddenRolesViewer, SeatedViewer

        return HiddenRolesViewer(solution) if is_by_class(self.game, solution.tables) else SeatedViewer(solution)

    def roles_at(self, solution: Solution, position: str) -> View:
        return self.viewer(solution).at(position)

    def hidden_from(self, state: RolesPlay, side: int) -> str:
        """The roles that a side does not see."""
        return "" if state.deal is None else hidden_roles(self.game, side, state.deal)

    def is_public_moment(self, state: RolesPlay | Orbit) -> bool:
        """Missions are out until the result is known, whether or not spies aboard have something to decide."""
        play = state.play if isinstance(state, Orbit) else state
        return play.out is None

    # Texts.

    def bluff(self, state: RolesPlay | Orbit, move: str) -> bool | None:
        """A spy who could sabotage claims to be loyal by passing."""
        play = state.play if isinstance(state, Orbit) else state
        if play.deal is None or play.out is None:
            return None
        lone = sum(play.deal[seat] == self.game.cast.alone for seat in play.out)
        could = self.game.aboard(play.deal, play.out) + lone >= self.game.table.sabotages[len(play.done)]
        return move == "pass" if could else None

    def model(self) -> str:
        """What an evening with friends has that this game leaves out."""
        talk = {
            NONE: "Nobody says anything",
            PRIVATE: "Everybody reports in private to a mediator, whom the good side trusts and who picks missions",
            ROUND: "There is one public round in which everybody points at a seat at once, and the good side keeps to "
            "a convention that the spies know: whoever sees the spies accuses one",
            VOUCH: "There is one public round in which everybody points at a seat at once, and the good side keeps to "
            "a convention that the spies know: whoever sees the spies vouches for somebody else",
        }[self.game.talk]
        return (
            f"This model leaves out leaders and votes. {talk}. The good side decides on missions as one player, the "
            "spies coordinate, and everybody hears only whether a mission passed."
        )

    def explain_move(self, position: str, move: str) -> str:
        """Missions that look alike, or what spies say."""
        return gloss(self.game, finder_of(self.game), position, move)

    def move_phrase(self, position: str, move: str) -> str:
        """The good side sends teams."""
        meant = self.explain_move(position, move)
        return f"send {move}{f' ({meant})' if meant else ''}" if "@" not in position else ""

    def clearest(self, view: Any, moves: Sequence[str]) -> str:
        """A team with as few certain spies as possible; other moves stay in order."""
        seats = {seat.name for seat in view.seats}
        spies = {seat.name for seat in view.seats if seat.spy == 1}
        return min(moves, key=lambda move: len(spies & set(move)) if set(move) <= seats else 0)

    def activity(self, position: str, move: str) -> str:
        from ruse.games.hidden_roles.reasons import activity

        return activity(move)

    def reasons(self, question: Question) -> Sequence[Reason]:
        """How clean a team is, what the next one will be, and who has which role; none seat by seat."""
        from ruse.games.hidden_roles.reasons import reasons
        from ruse.games.hidden_roles.view import HiddenRolesViewer

        return reasons(question, question.viewer) if isinstance(question.viewer, HiddenRolesViewer) else []

    # Strategies.

    def outline(self, tables: Tables, side: int) -> list[str]:
        from ruse.games.hidden_roles.words import outline

        return outline(self.game, tables, side)

    def adviser(self, side: int, tables: Tables) -> Callable[[str], Odds]:
        from ruse.games.hidden_roles.options import adviser

        return adviser(self.game, side, tables)

    def advice_reason(self, side: int) -> str:
        from ruse.games.hidden_roles.options import reason

        return reason(side)

    # Play.

    def picture(self, knowledge: RolesPlay, side: int, end: RolesPlay | None) -> Picture:
        """A row per seat: its role where that is known, what it said, and the missions."""
        game, table, shown = self.game, self.game.table, end or knowledge
        deal = shown.deal or (UNKNOWN,) * table.players
        results = [(mission.seats, "-+"[mission.passed]) for mission in knowledge.done]
        results += [] if knowledge.out is None else [(knowledge.out, "?")]
        heads = [_head(game, seat, kind) for seat, kind in enumerate(deal)]
        said = [_said(game, claim) for claim in shown.said or ()]
        grid = mission_grid(table, results, heads, said, sabotages=max(table.sabotages) > 1)
        names = ["" if kind in (UNKNOWN, game.cast.quiet) else role_name(game.cast.kinds[kind]) for kind in deal]
        spies = tuple(seat for seat, kind in enumerate(deal) if kind != UNKNOWN and game.cast.kinds[kind].evil)
        scene = round_table(table, results, names, spies)
        return Picture(_lines(game, knowledge, side, end is not None, deal), grid, scene)

    def manner(self) -> type[Manner]:
        return HiddenRolesManner


def _lines(game: HiddenRoles, knowledge: RolesPlay, side: int, over: bool, deal: Sequence[int]) -> list[str]:
    table, (passed, failed) = game.table, knowledge.score
    win = (
        "three win"
        if table.is_usual
        else f"{COUNTS[table.points]} passed or {COUNTS[table.spy_points]} failed missions win"
    )
    lines = [f"Points: good {passed}, spies {failed}; {win}."]
    if not table.is_over(knowledge.score):
        lines.append(next_mission(table, len(knowledge.done), knowledge.out is not None))
    elif game.guesses(knowledge):
        hunted = role_name(game.cast.kinds[game.cast.hunted or 0])
        who = "" if knowledge.named is None else f" They named {letters([knowledge.named])}."
        lines.append(f"{missions_have(table.points)} passed; the spies win after all if they name {hunted}.{who}")
    if heard := reports_in_words(game, knowledge):
        lines.insert(0, heard)
    if side == SPIES and not over:
        who = "spies" if len(game.spies(deal)) > 1 else "spy"
        lines.insert(0, f"You are the {who}: {roles_told(game, deal, game.cast.known)}.")
    elif over:
        lines.insert(0, f"The roles were: {hidden_roles(game, GOOD, deal)}.")
    else:
        lines.insert(0, f"{table.players} seats: {cast_told(game)}.")
    return lines


def _head(game: HiddenRoles, seat: int, kind: int) -> Cell:
    letter = letters([seat])
    if kind == UNKNOWN or kind == game.cast.quiet:
        return Cell(letter, f"seat {letter}", "seat")
    role = game.cast.kinds[kind]
    return Cell(f"{letter} {role_name(role)}", f"seat {letter}", "spy" if role.evil else "seat")


def _said(game: HiddenRoles, claim: Claim | None) -> Cell:
    if claim is None:
        return UNHEARD
    if claim.kind != game.cast.quiet:
        name, seen = role_name(game.cast.kinds[claim.kind]), listed(letters(claim.seats)) if claim.seats else "nobody"
        return Cell(f"{name}: {letters(claim.seats)}", f"says: I am {name} and see {seen}")
    return (
        Cell(f"→ {letters(claim.seats)}", f"points at {letters(claim.seats)}") if claim.seats else Cell("–", "nothing")
    )


class HiddenRolesManner(MissionManner):
    """A move of a class is drawn among all that look alike: a fixed one would tell what comes next."""

    def policy(self, side: int) -> Policy | None:
        game = self._game
        if not is_by_class(game, self.solution.tables):
            return None
        return self._in_order(seat_policy(game, side, self.solution.tables[side]))

    def saw(self, step: str) -> str:
        if step.startswith("name-"):
            return f"the spies name {step.removeprefix('name-')}"
        if (mission := super().saw(step)) != step:
            return mission
        return "nobody has anything to report" if step == notation.QUIET else f"reports {step}"

    def ask(self, session: Session) -> str:
        known: RolesPlay = session.game.knows(session.states[-1], session.side)
        return self._ask_words(session) if known.said is None else super().ask(session)

    def _ask_words(self, session: Session) -> str:
        """What spies may say."""
        example = session.game.label(session.choices[-1])
        if self._game.talk != PRIVATE:
            return f"Everybody points at once: say where each of you does, such as {example}."
        return (
            f"Say what each of you reports to the mediator, such as {example}, or {notation.QUIET}. Good seats report "
            "the truth, and nobody hears the others."
        )

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
            lists.append((f"{letters([seat])}, {role_name(game.cast.kinds[deal[seat]])}", parts))
        return Picks(lists, notation.QUIET, "Say so")

    def _part(self, seat: int, claim: Claim) -> str:
        """What one spy says, as a part of the move; nothing if he has nothing to report."""
        said = notation.words(self._game, (*[None] * seat, claim))
        return "" if said == notation.QUIET else said

    @property
    def _game(self) -> HiddenRoles:
        assert isinstance(self.solution.game, HiddenRoles)
        return self.solution.game
