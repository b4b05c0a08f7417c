"""How The Resistance is shown and played: the table as it is drawn, strategies in words, the printed page, and seats.

Spies play as one team, and missions of a class are drawn among all that are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.game import Game, Move, State
from ruse.core.presentation import Presentation
from ruse.core.types import Odds, Policy, StrategyTable, Tables
from ruse.games.resistance import notation
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.rules import RESISTANCE, SPIES, ResistancePlay, Seats
from ruse.games.resistance.table import OFFICIAL, POINTS_TO_WIN, Table, seat_count, spy_count
from ruse.play.manner import Manner, Ticks
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.card import CardHeading
from ruse.present.scene import FAILED, LATER, NEXT, OUT, PASSED, Scene, TableSeat, Token
from ruse.solution.headline import shares_between

if TYPE_CHECKING:
    from ruse.games.resistance.sizes import ResistanceSizes
    from ruse.games.resistance.view import ResistanceViewer
    from ruse.insight.reasons.model import Question, Reason
    from ruse.play.session import Session
    from ruse.solution.strategy import Solution

SAYS = {"+": "aboard, passed", "-": "aboard, failed", "?": "on the mission now", ".": "not aboard"}
KINDS = {"+": "passed", "-": "failed", "?": "out", ".": "ashore"}
SIGNS = {"+": "✓", "-": "✗", "?": "…"}
RESULTS = {"+": "passed", "-": "failed", "?": "are on the mission"}


class ResistancePresentation(Presentation[Resistance]):
    cover_moves = 5
    rules_by_position = False
    views_list_states = False

    # Positions.

    def check_position(self, position: str) -> bool:
        from ruse.games.resistance.cells import Place

        Place.at(self.game.table, position, None)
        return True

    def viewer(self, solution: Solution) -> ResistanceViewer | None:
        """Views by class; a game that was solved seat by seat is viewed as any other."""
        from ruse.games.resistance.view import ResistanceViewer

        return ResistanceViewer(solution) if solution.by_class else None

    # Texts.

    def bluff(self, state: ResistancePlay, move: str) -> bool | None:
        """A spy who could sabotage claims to be loyal by passing."""
        if state.out is None or len(self.game.orders(state)) == 1:
            return None
        return move == "pass"

    def is_public_moment(self, state: Any) -> bool:
        """Missions are out until the result is known, whether or not spies aboard have something to decide."""
        return not isinstance(state, ResistancePlay) or state.out is None

    def setup(self) -> str:
        """The table: seats, spies, missions."""
        return str(self.game.table)

    def model(self) -> str:
        """What an evening with friends has that this game leaves out."""
        return (
            "This model leaves out leaders, votes and talk. The resistance plays as one player who does not know who "
            "its members are, and the spies coordinate. Talk that costs nothing can always be ignored, so this is what "
            "the resistance can be sure of, however well the spies lie. At a real table you know your own role, and "
            "people make mistakes."
        )

    def explain_move(self, position: str, move: str) -> str:
        """Which missions a move stands for, where seats have the same record: "1 of ab, 1 of cde"."""
        return notation.gloss(self.game.table, position, move)

    def activity(self, position: str, move: str) -> str:
        from ruse.games.resistance.reasons import activity

        return activity(position, move)

    def reasons(self, question: Question) -> Sequence[Reason]:
        """What passes and fails, who is suspected, and what is still needed; none seat by seat."""
        from ruse.games.resistance.reasons import reasons
        from ruse.games.resistance.view import ResistanceViewer

        return reasons(question, question.viewer) if isinstance(question.viewer, ResistanceViewer) else []

    def move_phrase(self, position: str, move: str) -> str:
        """The resistance sends teams."""
        gloss = self.explain_move(position, move)
        return f"send {move}{f' ({gloss})' if gloss else ''}" if "@" not in position else ""

    def heading(self, solution: Solution) -> CardHeading:
        """What stands above the rules."""
        table = self.game.table
        shares = [_share(solution, side) for side in (0, 1)]
        return CardHeading(
            f"The Resistance: {table.players} players, {spy_count(table.spies)}",
            f"Played well by both sides, the resistance wins {shares[0]} of the games and the spies {shares[1]}.",
            _missions(table),
            " ".join(_solve_words(table)),
        )

    def size_report(self) -> ResistanceSizes:
        """How large the game's trees are, counted by class."""
        from ruse.games.resistance.sizes import ResistanceSizes

        return ResistanceSizes(self.game.table)

    # Strategies.

    def write_rules(self, strategy: StrategyTable, side: int) -> tuple[str, list[str]]:
        """What to know first, and the rules."""
        from ruse.games.resistance.rulebook import write

        return write(self.game.table, strategy, side)

    def read_rules(self, lines: Sequence[str], side: int) -> Callable[[str], Odds]:
        """The strategy that rules describe."""
        from ruse.games.resistance.rulebook import read

        return read(self.game.table, side, lines)

    def rule_moves(self, position: str, side: int) -> list[str]:
        return self.game.representative_moves(position, side)

    def rules_note(self, side: int) -> str:
        """What every strategy of a side does that its rules need not say."""
        return "sabotaging whenever it can once a side has two points" if side == SPIES else ""

    def adviser(self, side: int, tables: Tables) -> Callable[[str], Odds]:
        """Sensible odds at representative positions that a strategy leaves out."""
        from ruse.games.resistance.tables import adviser

        return adviser(self.game.table, side, tables)

    def advice_reason(self, side: int) -> str:
        from ruse.games.resistance.tables import reason

        return reason(side)

    # Play.

    def picture(self, knowledge: ResistancePlay, side: int, end: ResistancePlay | None) -> Picture:
        """A row per seat with the spies marked, once they are known."""
        table = self.game.table
        results = [
            (mission.seats, "-" if sum(mission.cards) >= fails else "+")
            for mission, fails in zip(knowledge.done, table.sabotages, strict=False)
        ]
        if knowledge.out is not None:
            results.append((knowledge.out.seats, "?"))
        spies = (end or knowledge).spies or ()
        passed, failed = knowledge.score
        lines = [
            *_spies_known(table, spies, side, over=end is not None),
            f"{table.players} seats, {table.spies} of them {'spies' if table.spies > 1 else 'a spy'}.",
            f"Points: resistance {passed}, spies {failed}; three win.",
        ]
        if POINTS_TO_WIN not in knowledge.score:
            lines.append(next_mission(table, len(knowledge.done), knowledge.out is not None))
        heads = []
        for seat in range(table.players):
            letter = notation.seats([seat])
            mark = (f"{letter} spy", "spy") if seat in spies else (letter, "seat")
            heads.append(Cell(mark[0], f"seat {letter}", mark[1]))
        return Picture(
            lines,
            mission_grid(table, results, heads),
            round_table(table, results, ["spy" * (seat in spies) for seat in range(table.players)], spies),
        )

    def manner(self) -> type[Manner]:
        return ResistanceManner


def _spies_known(table: Table, spies: Seats, side: int, over: bool) -> list[str]:
    """Who the spies are, to the spies, and to the resistance when the game is over."""
    if not spies:
        return []
    letters, noun = notation.listed(notation.seats(spies)), "spies" if table.spies > 1 else "spy"
    if side != RESISTANCE:
        return [f"You {'were' if over else 'are'} the {noun}: {letters}."]
    return [f"The {noun} {'were' if table.spies > 1 else 'was'} {letters}."]


def next_mission(table: Table, number: int, out: bool) -> str:
    """How many seats a mission sends, and how many sabotages fail it."""
    fails = table.sabotages[number]
    needed = "1 sabotage fails it" if fails == 1 else f"{fails} sabotages are needed to fail it"
    state, seats = "is out" if out else "comes next", seat_count(table.missions[number])
    return f"Mission {number + 1} of {len(table.missions)} {state}: {seats}, {needed}."


def mission_grid(
    table: Table,
    results: Sequence[tuple[Seats, str]],
    heads: Sequence[Cell],
    said: Sequence[Cell] = (),
    sabotages: bool = True,
) -> Grid:
    """A row per seat, a column per mission: + passed with the seat aboard, - failed, ? is under way.

    Where there was talk, a column before the missions shows what each seat said.
    """
    blank = [Cell("")] * bool(said)
    columns = [Cell("mission"), *[Cell("said")] * bool(said)]
    columns += [Cell(str(number + 1)) for number in range(len(table.missions))]
    rows = [[Cell("seats sent"), *blank, *(Cell(str(size)) for size in table.missions)]]
    if sabotages:
        rows.append([Cell("sabotages to fail"), *blank, *(Cell(str(fails)) for fails in table.sabotages)])
    waiting = [Cell("", "not yet")] * (len(table.missions) - len(results))
    for seat, head in enumerate(heads):
        marks = [mark if seat in team else "." for team, mark in results]
        rows.append([head, *said[seat : seat + 1], *(Cell(mark, SAYS[mark], KINDS[mark]) for mark in marks), *waiting])
    return Grid("", columns, rows)


def round_table(table: Table, results: Sequence[tuple[Seats, str]], roles: Sequence[str], spies: Seats) -> Scene:
    """Seats around a table with the missions in the middle; the roles are those that are known."""
    out = results[-1][0] if results and results[-1][1] == "?" else ()
    seats = [TableSeat(notation.seats([seat]), role, seat in spies, seat in out) for seat, role in enumerate(roles)]
    missions = [
        _token(
            table,
            number,
            *(results[number] if number < len(results) else ((), ".")),
            number == len(results) and not out,
        )
        for number in range(len(table.missions))
    ]
    return Scene(seats=seats, tokens=missions)


def _token(table: Table, number: int, team: Seats, mark: str, following: bool) -> Token:
    """A mission as it lies on the table: how it went and who went, or how many it takes."""
    size, fails, letters = table.missions[number], table.sabotages[number], notation.seats(team)
    state = {"+": PASSED, "-": FAILED, "?": OUT}.get(mark, NEXT if following else LATER)
    went = {"+": f"{letters} passed", "-": f"{letters} failed", "?": f"{letters} are on their way"}
    needed = f", {fails} sabotages fail it" if fails > 1 else ""
    says = f"Mission {number + 1}: {went.get(mark, f'to come, {seat_count(size)}')}{needed}."
    return Token(SIGNS.get(mark, str(size)), says, state, letters or (f"{fails} to fail" if fails > 1 else ""))


def _share(solution: Solution, side: int) -> str:
    """How often a side wins: exactly, or between which bounds."""
    least, most = shares_between(solution.certificate, side)
    if least < most:
        return rationals.within(least, most, "%")
    text = rationals.percent(least)
    return text if least.denominator == 1 else f"{text} ({rationals.brief(least)})"


def _missions(table: Table) -> str:
    numbers = "".join(f'<th scope="col">{number}</th>' for number in range(1, len(table.missions) + 1))
    seats = "".join(f'<td class="seats">{size}</td>' for size in table.missions)
    fails = "".join(f"<td>{count}</td>" for count in table.sabotages)
    return (
        f'<table class="board">\n<thead><tr><th scope="col">mission</th>{numbers}</tr></thead>\n<tbody>'
        f'<tr><th scope="row">seats to send</th>{seats}</tr>\n'
        f'<tr><th scope="row">sabotages that fail it</th>{fails}</tr></tbody>\n</table>\n'
        f"<p>{POINTS_TO_WIN} missions that pass win for the resistance, {POINTS_TO_WIN} that fail for the spies.</p>"
    )


def _solve_words(table: Table) -> list[str]:
    words = ["ruse", "solve", "resistance", "--players", str(table.players)]
    if OFFICIAL.get(table.players) != (table.spies, table.missions, table.sabotages):
        words += ["--spies", str(table.spies), "--missions", ",".join(map(str, table.missions))]
        words += ["--sabotages", ",".join(map(str, table.sabotages))]
    return words


class MissionManner(Manner):
    """How people send missions in play: by ticking seats."""

    @property
    def _table(self) -> Table:
        game: Any = self.solution.game
        table: Table = game.table
        return table

    def _in_order(self, policy: Policy) -> Policy:
        """A policy with its moves ordered by their labels, so that a seed always draws the same one."""
        label = self.solution.game.label

        def ordered(state: State) -> Mapping[Move, Fraction]:
            return dict(sorted(policy(state).items(), key=lambda pair: label(pair[0])))

        return ordered

    def saw(self, step: str) -> str:
        mission = step.rstrip("0123456789")
        team, result = mission[:-1], mission[-1:]
        return f"{team} {RESULTS[result]}" if result in RESULTS and team.isalpha() else step

    def ask(self, session: Session) -> str:
        if session.side != RESISTANCE:
            return ""
        table, done = self._table, len(session.game.knows(session.states[-1], RESISTANCE).done)
        size, fails = table.missions[done], table.sabotages[done]
        also = f"; it takes {fails} sabotages to fail" if fails > 1 else ""
        return f"Mission {done + 1}: send {seat_count(size)}, such as {notation.seats(range(size))}{also}."

    def ticks(self, session: Session) -> Ticks | None:
        if session.side != RESISTANCE or session.over:
            return None
        aboard = len(session.game.label(session.choices[0]))
        return Ticks(notation.seats(range(self._table.players)), aboard, "Send a mission", "Send them")


class ResistanceManner(MissionManner):
    """Play against strategies by class, which are about classes of missions and orders to all spies.

    So the spies play as one team, and a mission of a class is drawn among all that are alike: a fixed one would tell
    the spies what comes next.
    """

    def game(self) -> Game:
        from ruse.forms.reductions import Teams

        return Teams(self._resistance) if self.solution.by_class else super().game()

    def policy(self, side: int) -> Policy | None:
        if side != RESISTANCE or not self.solution.by_class:
            return None
        from ruse.games.resistance.verify import seat_policy

        return self._in_order(seat_policy(self._resistance, side, self.solution.strategy(side).at))

    @property
    def _resistance(self) -> Resistance:
        assert isinstance(self.solution.game, Resistance)
        return self.solution.game
