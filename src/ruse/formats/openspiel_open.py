"""OpenSpiel's games of perfect information, which are solved by states and not by their trees.

Plays that lead to the same text of a state, with the same side to move, come to one board: OpenSpiel has no other name
for what matters from here on. The text may leave something out. That of chess says nothing about positions that were
repeated, and that of Pig nothing about the horizon. So:

- For the games in TESTED the tests walk whole trees at small sizes, and compare what follows any two plays that come to
  one board. They are all games in which marks are only added, or pieces only taken or moved forward.
- For all other games the number of moves, of both sides and of chance, belongs to the board too. What bounds rest on is
  "declared", unless the tree is small enough for a walk by the rules, which proves them whatever the boards are.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from ruse.core import clock
from ruse.core.capabilities import Open, Ranged, Representatives
from ruse.core.game import END
from ruse.formats.openspiel import Action, OpenSpielError, OpenSpielGame, OpenSpielNode, OpenSpielPresentation, _safe

TESTED = frozenset({
    "breakthrough", "clobber", "connect_four", "dots_and_boxes", "havannah", "hex", "mnk", "nim", "tic_tac_toe", "y",
})  # fmt: skip
MOST_BOARDS = 300_000  # minutes to solve
COUNTING = 0.1  # of the time that is left may go into counting boards
MOST_KEPT = 1 << 16  # positions whose boards are remembered


class OpenSpielPlay(tuple[Action, ...]):
    """The moves of a play, as what both sides know, with the board that it comes to."""

    board: str


class OpenSpielBoardsPresentation(OpenSpielPresentation):
    def find_state(self, position: str) -> OpenSpielNode:
        game = self.game
        assert isinstance(game, OpenSpielBoards)
        node = game.read(position) if "@" not in position else game.search(position)
        if node is None:
            raise self.no_position(position)
        return node


class OpenSpielBoards(OpenSpielGame):
    """A game in which all is seen and moves are made in turn."""

    provides: ClassVar[tuple[type, ...]] = (Ranged, Open, Representatives)
    presentation = OpenSpielBoardsPresentation

    def __init__(self, loaded: Any, spiel: Any) -> None:
        super().__init__(loaded, spiel)
        self._tested = spiel.get_type().short_name in TESTED
        self._boards: dict[str, str] = {}  # by positions

    def board(self, state: OpenSpielNode) -> str:
        """The text of the state, with the side to move."""
        if state.board is None:
            state.board = self._text(state.state, len(state.path), state.draws)
        return state.board

    def _text(self, state: Any, length: int, draws: int) -> str:
        moves = "" if self._tested else f"{length} {draws} "
        ends = f"{' '.join(map(str, state.returns()))} " if state.is_terminal() else ""
        return f"{moves}{ends}{state.current_player()} {state}"

    def knows(self, state: OpenSpielNode, side: int) -> OpenSpielPlay:
        play = OpenSpielPlay(state.path)
        play.board = self.board(state)
        return play

    def format_position(self, knowledge: str | tuple[Action, ...]) -> str:
        text = super().format_position(knowledge)
        if isinstance(knowledge, OpenSpielPlay):
            if len(self._boards) >= MOST_KEPT:
                self._boards.clear()
            self._boards[self.title + text] = knowledge.board
        return text

    def boards_are_tested(self) -> bool:
        return self._tested

    def check_countable(self, purpose: str) -> None:
        """Visit boards as OpenSpiel gives them, until they are too many, or the time for that is over."""
        seen: set[str] = set()
        stack = [(self.spiel.new_initial_state(), 0, 0)]
        until = perf_counter() + COUNTING * clock.left()
        while stack:
            clock.tick()
            state, length, draws = stack.pop()
            if (board := self._text(state, length, draws)) in seen:
                continue
            seen.add(board)
            if len(seen) > MOST_BOARDS or perf_counter() > until:
                raise OpenSpielError(
                    f"{self.title} is too large {purpose}: it has more than {len(seen) - 1:,} states; "
                    "use smaller parameters"
                )
            if not state.is_terminal():
                draws += state.is_chance_node()
                stack.extend((state.child(number), length + 1, draws) for number in state.legal_actions())

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """Plays that come to one board are filed under its text; moves keep their names."""
        if position.startswith(f"{self.title}@"):
            return position, str
        board = self._boards.get(position)
        if board is None and (node := self.read(position)) is not None:
            board = self.board(node)
        return position if board is None else self._representative(board), str

    def _representative(self, board: str) -> str:
        return f"{self.title}@{_safe(board.rstrip())}"

    def read(self, position: str) -> OpenSpielNode | None:
        """The state of a play such as "openspiel:tic_tac_toe/x(1,1)"; None where there is no such play."""
        node: OpenSpielNode = self.start()
        if not position.startswith(self.title):
            return None
        for step in position[len(self.title) :].split("/")[1:]:
            played = next((move for move in self.moves(node) if move.text == step), None) if node.turn != END else None
            if played is None:
                return None
            node = self.play(node, played)
        return node

    def search(self, position: str) -> OpenSpielNode | None:
        """A state of a representative position, looked for board by board; None where there is none."""
        seen: set[str] = set()
        stack: list[OpenSpielNode] = [self.start()]
        while stack:
            node = stack.pop()
            if (board := self.board(node)) in seen:
                continue
            if self._representative(board) == position:
                return node
            seen.add(board)
            if node.turn != END:
                stack.extend(self.play(node, move) for move in self.moves(node))
        return None
