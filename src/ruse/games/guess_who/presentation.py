"""How Guess Who is shown: its positions, who wins how often by both numbers, and strategies as rules by number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from ruse.core.game import END, PositionError, describe, display_name
from ruse.core.presentation import Presentation
from ruse.games import spans
from ruse.games.guess_who.rules import GuessState, GuessWho
from ruse.play.manner import Manner
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.scene import FACE, Piece, Row, Scene

if TYPE_CHECKING:
    from ruse.play.session import Session
    from ruse.present.grids import Table
    from ruse.present.states import StateViewer

HALF = "half"
MOST_DRAWN = 48  # characters of a side


class Questions(Manner):
    def ask(self, session: Session) -> str:
        return f"How many of your characters do you ask about, 1 to {len(session.choices)}?"


def _faces(count: int) -> list[Piece]:
    return [Piece(FACE, says=f"{count} characters left"), *[Piece(FACE)] * (count - 1)] if count else []


class GuessWhoPresentation(Presentation[GuessWho]):
    rules_by_position = False

    def find_state(self, position: str) -> GuessState:
        """Numbers of characters left, and perhaps the question that has been asked."""
        game = self.game
        head, _, asked = position.rpartition("/")
        state = self._read(position)
        if state is None and (before := self._read(head)) is not None and game.turn(before) != END:
            state = next((game.play(before, move) for move in game.moves(before) if game.label(move) == asked), None)
        if state is None:
            raise self.no_position(position)
        most = self._most(state)
        sane = 1 <= state.mine <= most[0] and 1 <= state.theirs <= most[1]
        if not sane or describe(game, state) != position:
            raise self.no_position(position)
        return state

    def _read(self, position: str) -> GuessState | None:
        try:
            return self.game.read(position)
        except PositionError:
            return None

    def _most(self, state: GuessState) -> tuple[int, int]:
        """The characters that the side to move began with, and the other."""
        begin = self.game.start()
        return (begin.mine, begin.theirs) if state.turn == 0 else (begin.theirs, begin.mine)

    def board(self, viewer: StateViewer, state: GuessState) -> tuple[Table, str]:
        """Winning rates around both numbers."""
        from ruse.present.grids import scale

        most = self._most(state)
        rows, columns = scale(1, most[0], state.mine), scale(1, most[1], state.theirs)
        sign = 1 - 2 * state.turn
        table = [["", *map(str, columns)]]
        for mine in rows:
            shares = [(1 + sign * viewer.value(GuessState(state.turn, mine, theirs))) / 2 for theirs in columns]
            table.append([str(mine), *(f"{100 * float(share):.1f}" for share in shares)])
        return table, (
            f"The table: how often {display_name(self.game.sides[state.turn])} wins, in percent, when it is to move, "
            "by its characters left (down) and the other's (across)."
        )

    def picture(self, board: GuessState, side: int, end: GuessState | None) -> Picture:
        you, other = (board.mine, board.theirs) if board.turn == side else (board.theirs, board.mine)
        heads = [Cell("", "who"), Cell("characters left to tell apart")]
        grid = Grid("", heads, [[Cell("you"), Cell(str(you))], [Cell("other side"), Cell(str(other))]])
        faces = [Row("Other side", _faces(other)), Row("You", _faces(you))]
        return Picture((), grid, Scene(faces) if max(you, other) <= MOST_DRAWN else None)

    def manner(self) -> type[Manner]:
        return Questions

    def rule_moves(self, position: str, side: int) -> list[str]:
        return [self.game.label(move) for move in self.game.moves(self.game.read(position))]

    def write_rules(self, strategy: Mapping[str, Mapping[str, Fraction]], side: int) -> tuple[str, list[str]]:
        choices = {}
        for position in strategy:
            _, mine, theirs, _ = self.game.read(position)
            choices[mine, theirs] = spans.only_move(strategy, position)
        return (
            "Each line: the characters you have left, then how many of them to ask about, which may depend on how "
            "many the other side has left.",
            spans.write(choices, down=True),
        )

    def say_rules(self, strategy: Mapping[str, Mapping[str, Fraction]], side: int) -> tuple[str, Sequence[str]]:
        """By how many the other side has: ask about half of one's own, or about so many at most."""
        most: dict[int, int] = {}  # by the other side's number
        halving: dict[int, bool] = {}  # whether some choice is half
        choices = {self.game.read(position)[1:3]: int(spans.only_move(strategy, position)) for position in strategy}
        for (_, theirs), asked in choices.items():
            most[theirs] = max(most.get(theirs, 0), asked)
        for (mine, theirs), asked in choices.items():
            if asked != min(most[theirs], mine // 2):
                return "", spans.write({cell: str(many) for cell, many in choices.items()}, down=True)
            halving[theirs] = halving.get(theirs, True) and asked == mine // 2
        advice = {
            theirs: "about half of yours"
            if halving[theirs]
            else f"about {many}, or half of yours if that is fewer"
            if many > 1
            else "about 1"
            for theirs, many in most.items()
        }
        said = []
        for text, run in groupby(sorted(advice), key=advice.__getitem__):
            span = list(run)
            left = f"{span[0]}" if len(span) == 1 else f"{span[0]} to {span[-1]}"
            said.append(f"When the other side has {left} left: ask {text}.")
        return "A half is rounded down", said

    def read_rules(self, lines: Sequence[str], side: int) -> Callable[[str], Mapping[str, Fraction]]:
        """Numbers to ask about by mine and theirs; `half` is half of mine, rounded down."""
        chosen = spans.read(lines, "24: 12 if 17+, 8 if 9-16")

        def odds(position: str) -> Mapping[str, Fraction]:
            _, mine, theirs, _ = self.game.read(position)
            choice = chosen(mine, theirs)
            return {str(mine // 2) if choice == HALF else choice: Fraction(1)}

        return odds

    def setup(self) -> str:
        begin = self.game.begin
        return f"{begin.mine} characters left for Player 1, {begin.theirs} for Player 2; Player 1 asks first"
