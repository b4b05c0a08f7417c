"""Backward induction for games without secrets (Bossle 2018, §3.2; Zermelo 1913).

The value of a state is its payoff at the end, the best move's value at a side's turn, the expected value at chance.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from ruse.core.capabilities import Memoryless, Open, Representatives
from ruse.core.clock import tick
from ruse.core.contract import checked, endless, most_moves, shown
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, Move, State, describe
from ruse.solvers.plans import StateStrategies
from ruse.solvers.spec import Task

MOST_STATES = 1_000_000  # of one play of a memoryless game
MOST_BOARDS = 1_000_000  # of another game, which may have a tree of any size
Outcomes = list[tuple[Fraction, State, Hashable]]  # odds, a state where chance is not to move, and its board


@dataclass(frozen=True)
class Induced:
    """The value, and one best move for each board at which a side moves, with a state that has it."""

    value: Fraction
    best: tuple[list[tuple[State, Move]], list[tuple[State, Move]]]
    boards: int


@dataclass
class _Waiting:
    """A state whose value waits for those that its moves lead to."""

    state: State
    board: Hashable
    moves: list[Move]
    outcomes: list[Outcomes]  # of each move


def run(task: Task) -> StateStrategies:
    """Both strategies, by the positions of boards."""
    game = task.game
    task.report("solving from the end", None, None)
    induced = backward_induction(game)
    representatives = game if isinstance(game, Representatives) else None  # which is slow to ask
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    for side, best in enumerate(induced.best):
        for state, move in best:
            position = describe(game, game.knows(state, side))
            if representatives is not None:
                position, _ = representatives.representative_position(position, side)
            tables[side][position] = {game.label(option): Fraction(option == move) for option in game.moves(state)}
    return StateStrategies(tables, induced.boards)


def backward_induction(game: Game) -> Induced:
    """Solve from the end. Raises GameError where a side cannot tell two states apart, or play can return to a state."""
    return _Induction(checked(game)).solve()


class _Induction:
    """The values of boards, from the end of the game to its start."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._longest = MOST_STATES if isinstance(game, Memoryless) else most_moves(game)
        self._values: dict[Hashable, Fraction] = {}
        self._best: tuple[list[tuple[State, Move]], list[tuple[State, Move]]] = ([], [])
        self._seen: tuple[dict[Knowledge, State], dict[Knowledge, State]] = ({}, {})
        # Boards are merged only where strategies can name what is merged.
        merged = isinstance(game, Memoryless) or (isinstance(game, Open) and isinstance(game, Representatives))
        self._most = MOST_BOARDS if merged and not isinstance(game, Memoryless) else inf
        self._board = game.board if merged and isinstance(game, Open) else lambda state: state

    def solve(self) -> Induced:
        outcomes = self._after_chance(self._game.start())
        total = sum((share * self._value(state, board) for share, state, board in outcomes), Fraction(0))
        return Induced(total, self._best, len(self._values))

    def _after_chance(self, state: State) -> Outcomes:
        """Return the states that chance leads to from here, with their odds and boards."""
        game, outcomes = self._game, []
        stack = [(Fraction(1), state, 0)]
        while stack:
            share, state, draws = stack.pop()
            if game.turn(state) == CHANCE:
                if draws > self._longest:
                    raise endless(game, state)
                shares = zip(game.moves(state), game.odds(state), strict=True)
                stack.extend((share * odds, game.play(state, move), draws + 1) for move, odds in shares if odds)
            else:
                outcomes.append((share, state, self._board(state)))
        return outcomes

    def _opened(self, state: State, board: Hashable) -> _Waiting:
        """Look at a state where a side moves for the first time."""
        game, turn = self._game, self._game.turn(state)
        knowledge = game.knows(state, turn)
        if self._seen[turn].setdefault(knowledge, state) != state:
            raise GameError(
                f"backward-induction needs perfect information, but {game.sides[turn]} does not know the state at "
                f"{describe(game, knowledge)}: use another solver, such as lp"
            )
        moves = list(game.moves(state))
        return _Waiting(state, board, moves, [self._after_chance(game.play(state, move)) for move in moves])

    def _settle(self, waiting: _Waiting) -> None:
        """Value a state by the values of what follows, and note its best move."""
        turn, values = self._game.turn(waiting.state), self._values
        of_moves = [sum((share * values[key] for share, _, key in paths), Fraction(0)) for paths in waiting.outcomes]
        value = max(of_moves) if turn == 0 else min(of_moves)
        self._best[turn].append((waiting.state, waiting.moves[of_moves.index(value)]))
        values[waiting.board] = value

    def _value(self, first: State, wanted: Hashable) -> Fraction:
        """Return the value of a state, without recursion: games may be deeper than Python's stack."""
        game, values = self._game, self._values
        opened: set[Hashable] = set()  # boards of the play that wait, to notice one that comes back
        stack: list[_Waiting | tuple[State, Hashable]] = [(first, wanted)]
        while stack:
            tick()
            top = stack.pop()
            if isinstance(top, _Waiting):
                self._settle(top)
                opened.discard(top.board)
                continue
            state, board = top
            if board in values:
                continue
            if game.turn(state) == END:
                values[board] = game.payoff(state)
                continue
            self._check_line(state, board, opened)
            opened.add(board)
            waiting = self._opened(state, board)
            stack.append(waiting)
            stack.extend(
                (following, after)
                for outcomes in waiting.outcomes
                for _, following, after in outcomes
                if after not in values
            )
        return values[wanted]

    def _check_line(self, state: State, board: Hashable, opened: set[Hashable]) -> None:
        if board in opened:
            raise GameError(
                f"backward-induction needs a game that never returns to a state, but {self._game.title} returns to "
                f"state {shown(state)}" + ": use value-iteration" * isinstance(self._game, Memoryless)
            )
        if len(self._values) > self._most:
            raise GameError(f"{self._game.title} has more than {self._most:,} states to visit: use smaller parameters")
        if len(opened) > self._longest:
            raise endless(self._game, state)
