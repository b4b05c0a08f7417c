"""How Pig is shown: its positions, the totals to hold at by both scores, and strategies as rules by score."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core.game import describe, display_name
from ruse.core.presentation import Presentation
from ruse.games import spans
from ruse.games.pig.rules import HOLD_AT, Pig, PigState
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.scene import CHIPS, NOTE, Piece, Row, Scene

if TYPE_CHECKING:
    from ruse.present.grids import Table
    from ruse.present.states import StateViewer

NUMBERS = re.compile(r"(\d{1,3}),(\d{1,3}),(\d{1,3})(/roll)?", re.ASCII)
TABLE = 10  # scores a side in the table that shows a strategy at a glance


class PigPresentation(Presentation[Pig]):
    rules_by_position = False
    cover_moves = 5

    def find_state(self, position: str) -> PigState:
        game = self.game
        head, _, rest = position.partition("/")
        numbers = NUMBERS.fullmatch(rest)
        sides = [f"{game.title}@{side}" for side in game.sides]
        if numbers is None or head not in sides:
            raise self.no_position(position)
        mine, theirs, total = (int(number) for number in numbers.groups()[:3])
        state = PigState(sides.index(head), mine, theirs, total, numbers[4] is not None)
        ended = mine + total >= game.goal
        sane = mine < game.goal and theirs < game.goal and total != 1 and not (ended and state.rolling)
        sane = sane and mine + total < game.goal + 6
        if not sane or describe(game, state) != position:
            raise self.no_position(position)
        return state

    def board(self, viewer: StateViewer, state: PigState) -> tuple[Table, str]:
        """The totals to hold at, around both scores."""
        from ruse.present.grids import scale

        game = self.game
        rows, columns = scale(0, game.goal - 1, state.mine), scale(0, game.goal - 1, state.theirs)
        stored = viewer.solution.tables[state.turn]
        table = [["", *map(str, columns)]]
        for mine in rows:
            moves = [next(iter(stored[game.stored_position(state.turn, mine, theirs)])) for theirs in columns]
            table.append([str(mine), *(str(game.holds(move, mine)[0].start) for move in moves)])
        assert all(move.startswith(HOLD_AT) for move in moves)
        return table, (
            f"The table: the lowest turn total at which {display_name(game.sides[state.turn])} holds, "
            "by its score (down) and the other's (across)."
        )

    def picture(self, race: PigState, side: int, end: PigState | None) -> Picture:
        yours = race.turn == side
        you, other = (race.mine, race.theirs) if yours else (race.theirs, race.mine)
        total = str(race.total)
        heads = [Cell("", "who"), Cell("points"), Cell("this turn")]
        rows = [
            [Cell("you"), Cell(str(you)), Cell(total if yours else "", "" if yours else "waits")],
            [Cell("other side"), Cell(str(other)), Cell("" if yours else total, "waits" if yours else "")],
        ]
        turn = Piece(NOTE, f"this turn {total}", "", "mine" if yours else "theirs")
        scores = [
            Row("Other side", [Piece(CHIPS, str(other), f"{other} points"), *[turn] * (not yours)]),
            Row("You", [Piece(CHIPS, str(you), f"{you} points"), *[turn] * yours]),
        ]
        return Picture([f"{self.game.goal} points win."], Grid("", heads, rows), Scene(scores))

    def rule_moves(self, position: str, side: int) -> list[str]:
        """The simplest: to hold from some total on."""
        most = max(self.game.goal - self.game.read(position, side)[0], 2)
        return [f"{HOLD_AT}{total}+" for total in range(2, most + 1)]

    def write_rules(self, strategy: Mapping[str, Mapping[str, Fraction]], side: int) -> tuple[str, list[str]]:
        choices = {}
        for position in strategy:
            mine, theirs, *_ = self.game.read(position, side)
            choices[mine, theirs] = spans.only_move(strategy, position).removeprefix(HOLD_AT)
        preface = (
            "First, part of it as a table: your score down, the other side's across, and the turn total to hold from. "
            "Then all of it, one line for each score of yours: the turn totals to hold at, by the other side's score."
        )
        return preface, [*self._table(choices), *spans.write(choices)]

    def _table(self, choices: Mapping[tuple[int, int], str]) -> list[str]:
        """Some of a strategy at a glance, as comments: the lowest total to hold at, or win where that is no less."""
        game = self.game
        scores = range(0, game.goal, -(-game.goal // TABLE))
        lines = ["#    " + "".join(f"{theirs:>5}" for theirs in scores)]
        for mine in scores:
            totals = [
                game.holds(HOLD_AT + choices[mine, theirs], mine)[0].start if (mine, theirs) in choices else game.goal
                for theirs in scores
            ]
            texts = ["win" if total >= game.goal - mine else str(total) for total in totals]
            lines.append(f"# {mine:>3}" + "".join(f"{text:>5}" for text in texts))
        return lines

    def read_rules(self, lines: Sequence[str], side: int) -> Callable[[str], Mapping[str, Fraction]]:
        """Totals to hold at by both scores: `20` is to hold from 20 on, `20-23;26+` is to roll again at 24 and 25."""
        chosen = spans.read(lines, "0-79: 20 if 0-70, 25 if 71+")

        def odds(position: str) -> Mapping[str, Fraction]:
            mine, theirs, *_ = self.game.read(position, side)
            choice = chosen(mine, theirs)
            if choice.isascii() and choice.isdecimal():  # a total that wins anyway is never held at
                choice = f"{min(int(choice), max(self.game.goal - mine, 2))}+"
            return {HOLD_AT + choice: Fraction(1)}

        return odds

    def setup(self) -> str:
        return f"The first to reach {self.game.goal} wins; Player 1 rolls first"
